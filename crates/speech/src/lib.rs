//! Words in, sound out; sound in, words out.
//!
//! So far it knows where one can breathe in a text.

pub mod sentence;
