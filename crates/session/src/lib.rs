//! The one who does things: one task owns one session.
