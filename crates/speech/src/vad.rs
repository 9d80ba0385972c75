//! Is somebody speaking? Asked anew every 32 ms.
//!
//! The model is shared; what it remembers of one stream is kept by the stream.

use std::path::Path;
use std::sync::Arc;

use rten::{NodeId, ValueOrView};
use rten_tensor::prelude::*;

use crate::engine::{self, Engine, Lanes, Unavailable, broken};

/// Samples that are judged at once: 32 ms.
pub const FRAME: usize = 512;
pub const FRAME_MS: u64 = 32;
/// The model also looks at what came just before.
const BEFORE: usize = 64;
const MEMORY: usize = 2 * 128;

/// Hears whether there is speech, whoever speaks and whatever is said.
pub trait Listener: Send + Sync {
    /// How likely there is speech in `frame`, and what to remember for the next.
    fn speech(&self, frame: &[f32; FRAME], memory: &mut Memory) -> Result<f32, Unavailable>;
}

/// What a listener remembers of one stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    state: Vec<f32>,
    before: [f32; BEFORE],
}

impl Default for Memory {
    fn default() -> Self {
        Self { state: vec![0.0; MEMORY], before: [0.0; BEFORE] }
    }
}

/// Silero, 16 thousand samples a second.
pub struct Silero {
    engine: Engine,
    input: NodeId,
    state: NodeId,
    rate: NodeId,
    outputs: [NodeId; 2],
}

impl Silero {
    /// On lanes of its own: a frame must not wait behind a sentence.
    pub fn load(assets: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        let path = engine::file(assets, "silero", "vad.onnx")?;
        let engine = Engine::load(path, lanes, true)?;
        let outputs: Vec<NodeId> = engine.outputs().iter().map(|(id, _)| *id).collect();
        let outputs = outputs.try_into().map_err(|_| broken(engine.path(), "two outputs expected"))?;
        let (input, state, rate) = (engine.node("input")?, engine.node("state")?, engine.node("sr")?);
        Ok(Self { input, state, rate, outputs, engine })
    }
}

impl Listener for Silero {
    fn speech(&self, frame: &[f32; FRAME], memory: &mut Memory) -> Result<f32, Unavailable> {
        let mut sound = memory.before.to_vec();
        sound.extend_from_slice(frame);
        let state = std::mem::take(&mut memory.state);
        let inputs: Vec<(NodeId, ValueOrView)> = vec![
            (self.input, engine::floats(&[1, BEFORE + FRAME], sound).into()),
            (self.state, engine::floats(&[2, 1, 128], state).into()),
            (self.rate, engine::ints(&[], vec![16_000]).into()),
        ];
        let answer = self.engine.run(inputs, &self.outputs).inspect_err(|_| {
            *memory = Memory::default();
        })?;
        let [likely, state] = <[_; 2]>::try_from(answer).expect("two were asked for");
        memory.state = self.engine.floats(state)?.to_vec();
        memory.before.copy_from_slice(&frame[FRAME - BEFORE..]);
        let likely = self.engine.floats(likely)?.to_vec();
        Ok(likely.first().copied().unwrap_or(0.0))
    }
}

/// One stream of samples, judged frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    memory: Memory,
    waiting: Vec<f32>,
}

impl Frames {
    /// The likelihood of speech in every frame that `samples` completes.
    pub fn push(
        &mut self,
        samples: &[f32],
        listener: &dyn Listener,
    ) -> Result<Vec<f32>, Unavailable> {
        self.waiting.extend_from_slice(samples);
        let whole = self.waiting.len() / FRAME * FRAME;
        let ready: Vec<f32> = self.waiting.drain(..whole).collect();
        let (frames, _) = ready.as_chunks::<FRAME>();
        frames.iter().map(|frame| listener.speech(frame, &mut self.memory)).collect()
    }
}
