//! Talking through a live voice: a whole session, a strict server that speaks its protocol,
//! and everything that may go wrong between them. In real time, for the line is a real one.

mod acts;
mod foreign;
mod interrupted;
mod known;
mod room;
mod unwell;
