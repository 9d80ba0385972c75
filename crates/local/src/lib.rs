//! A small language model in the process, out of one GGUF file.
//!
//! | room | takes -> gives |
//! | --- | --- |
//! | [`gguf`], [`shape`], [`format`](mod@format) | bytes -> what a file says of itself, and its numbers; pure |
//! | [`memory`], [`load`] | whether there is room; weights, eight bits each |
//! | [`tokenizer`], [`family`] | a conversation -> tokens, with the marks the model was trained with; pure |
//! | [`argument`], [`grammar`] | the tools -> what may be called, and how it is written; pure |
//! | [`matrix`], [`decoder`], [`sampler`] | tokens -> the next one |
//! | [`model`], `saying` | a question -> an answer, piece by piece, held to the tools |
//! | [`provider`] | all of it behind `models::provider::Provider`, on a thread of its own |
//!
//! Nothing leaves the machine, and nothing is done here: what the model calls is a proposal
//! like any other.

pub mod argument;
pub mod decoder;
pub mod family;
pub mod format;
pub mod gguf;
pub mod grammar;
pub mod load;
pub mod matrix;
pub mod memory;
pub mod model;
pub mod provider;
#[cfg(test)]
mod sample;
pub mod sampler;
mod saying;
pub mod shape;
pub mod tokenizer;
pub mod trouble;

pub use provider::{Local, Looked, NAME, Plan, Tools, try_out};
pub use trouble::BadFile;
