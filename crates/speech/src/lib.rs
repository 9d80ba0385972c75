//! Words in, sound out; sound in, words out.
//!
//! It reads no clock, opens no socket and starts no task: whoever asks tells the
//! time and decides on which thread to wait. One session has one [`ear::Ear`];
//! [`tts::Voice`] and [`stt::Recogniser`] are loaded once and shared by all.

pub mod barge;
pub mod ear;
pub mod echo;
pub mod endpoint;
pub mod engine;
mod numbers;
pub mod pcm;
pub mod resample;
pub mod score;
pub mod sentence;
pub mod stt;
pub mod tts;
pub mod vad;

#[cfg(test)]
mod testing;
