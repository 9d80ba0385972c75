//! Words in, sound out: what every voice promises.

pub mod spoken;
