//! Dialects: frames to inputs, events to frames. No I/O.
