//! Words in, sound out; sound in, words out.
