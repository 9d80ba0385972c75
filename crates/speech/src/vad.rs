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
    /// Whether its file is in the folder.
    pub fn is_there(assets: &Path) -> bool {
        engine::are_there(assets, "silero", &["vad.onnx"])
    }

    /// On lanes of its own: a frame must not wait behind a sentence.
    pub fn load(assets: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        let path = engine::file(assets, "silero", "vad.onnx")?;
        let engine = Engine::load(path, lanes)?;
        let outputs: Vec<NodeId> = engine.outputs().iter().map(|(id, _)| *id).collect();
        let outputs =
            outputs.try_into().map_err(|_| broken(engine.path(), "two outputs expected"))?;
        let (input, state, rate) =
            (engine.node("input")?, engine.node("state")?, engine.node("sr")?);
        Ok(Self { engine, input, state, rate, outputs })
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
    /// How much is missing from a whole frame, where one was begun.
    pub fn missing(&self) -> usize {
        (FRAME - self.waiting.len()) % FRAME
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn likelihoods(silero: &Silero, samples: &[f32]) -> Vec<f32> {
        Frames::default().push(samples, silero).unwrap()
    }

    fn silero() -> Option<Silero> {
        Some(Silero::load(&crate::testing::assets()?, &Lanes::new(1)).unwrap())
    }

    fn noise(length: usize, loud: f32) -> Vec<f32> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        (0..length)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let level = i16::try_from(state >> 49).unwrap_or(0);
                (f32::from(level) / 16_384.0 - 1.0) * loud
            })
            .collect()
    }

    #[test]
    fn silence_noise_hum_and_clicks_are_no_speech() {
        let Some(silero) = silero() else { return };
        let hum = |n: u16| (f32::from(n) * 0.02).sin() * 0.2;
        let mut clicks = vec![0.0; 32_000];
        clicks.iter_mut().step_by(4_000).for_each(|sample| *sample = 0.9);
        for (what, sound) in [
            ("silence", vec![0.0; 32_000]),
            ("soft noise", noise(32_000, 0.02)),
            ("loud noise", noise(32_000, 0.3)),
            ("hum", (0..32_000).map(hum).collect()),
            ("clicks", clicks),
        ] {
            let loud = likelihoods(&silero, &sound).into_iter().filter(|likely| *likely > 0.5);
            assert!(loud.count() < 3, "{what}");
        }
    }

    #[test]
    fn a_voice_is_speech_and_each_stream_remembers_only_itself() {
        use crate::resample::{EARS_RATE, Resampler, VOICE_RATE};
        use crate::tts::{Clauses, Hibari, Manner, Voice};

        let (Some(silero), Some(assets)) = (silero(), crate::testing::assets()) else { return };
        let voice = Hibari::load(&assets, &Lanes::new(1)).unwrap();
        let clause = Clauses::of("You have three meetings tomorrow morning.").remove(0);
        let sound = voice.say(&clause, &Manner::default()).unwrap();
        let sound = Resampler::new(VOICE_RATE, EARS_RATE).push(&sound.samples);

        let whole = likelihoods(&silero, &sound);
        let speech = whole.iter().filter(|likely| **likely > 0.5).count();
        assert!(speech * 10 > whole.len() * 7, "{speech} of {}", whole.len());

        let (mut stream, mut other) = (Frames::default(), Frames::default());
        let mut pieces = Vec::new();
        for piece in sound.chunks(777) {
            other.push(&noise(777, 0.2), &silero).unwrap();
            pieces.extend(stream.push(piece, &silero).unwrap());
        }
        assert_eq!(pieces, whole);
    }
}
