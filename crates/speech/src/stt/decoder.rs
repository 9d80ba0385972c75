//! The half of a recogniser that writes: piece by piece, with what it wrote before in
//! its memory. Moonshine's and Whisper's have the same inputs, by name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rten::{NodeId, Value, ValueOrView};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use crate::engine::{self, Engine, Lanes, Unavailable};

pub struct Decoder {
    engine: Engine,
    inputs: Vec<(NodeId, Input)>,
    outputs: Vec<NodeId>,
    /// Where in the memory each output behind the first belongs, and whether it grows.
    kept: Vec<(usize, bool)>,
    memory: usize,
    /// How many heads, and how wide each is.
    heads: (usize, usize),
}

#[derive(Clone, Copy)]
enum Input {
    Pieces,
    Sound,
    /// Whether there is a memory yet.
    Going,
    Memory(usize),
}

/// What it remembers of what it read, and of the sound.
pub struct Memory {
    values: Vec<Value>,
    going: bool,
}

/// What is to be remembered of a step.
pub struct Present(Vec<Value>);

impl Decoder {
    pub fn load(
        path: PathBuf,
        lanes: &Arc<Lanes>,
        heads: (usize, usize),
    ) -> Result<Self, Unavailable> {
        let engine = Engine::load(path, lanes)?;
        let mut names: Vec<String> = Vec::new();
        let mut inputs = Vec::new();
        for (id, name) in engine.inputs() {
            let input = match name.as_str() {
                "input_ids" => Input::Pieces,
                "encoder_hidden_states" => Input::Sound,
                "use_cache_branch" => Input::Going,
                _ => {
                    names.push(name.replace("past_key_values", "present"));
                    Input::Memory(names.len() - 1)
                }
            };
            inputs.push((id, input));
        }
        let (mut outputs, mut kept) = (Vec::new(), Vec::new());
        for (at, (id, name)) in engine.outputs().into_iter().enumerate() {
            outputs.push(id);
            if at > 0 {
                let place = names.iter().position(|known| *known == name);
                let place = place
                    .ok_or_else(|| engine::broken(engine.path(), format!("what is {name}?")))?;
                kept.push((place, name.contains("decoder")));
            }
        }
        let memory = names.len();
        Ok(Self { engine, inputs, outputs, kept, memory, heads })
    }

    pub fn path(&self) -> &Path {
        self.engine.path()
    }

    /// Nothing was read yet.
    pub fn begin(&self) -> Memory {
        let (heads, width) = self.heads;
        let empty = |_| engine::floats(&[1, heads, 0, width], vec![]);
        Memory { values: (0..self.memory).map(empty).collect(), going: false }
    }

    /// The scores of every piece behind each of those that are read.
    pub fn read(
        &self,
        sound: &Tensor<f32>,
        pieces: &[u32],
        memory: &Memory,
    ) -> Result<(Tensor<f32>, Present), Unavailable> {
        let ids = pieces.iter().map(|id| i32::try_from(*id).unwrap_or_default()).collect();
        let ids = engine::ints(&[1, pieces.len()], ids);
        let flag = engine::ints(&[1], vec![i32::from(memory.going)]);
        let inputs = self.inputs.iter().map(|(id, input)| {
            let value: ValueOrView = match input {
                Input::Pieces => ids.as_view().into(),
                Input::Sound => sound.view().into(),
                Input::Going => flag.as_view().into(),
                Input::Memory(at) => memory.values[*at].as_view().into(),
            };
            (*id, value)
        });
        let mut answer = self.engine.run(inputs.collect(), &self.outputs)?;
        let scores = self.engine.floats(answer.remove(0))?;
        Ok((scores, Present(answer)))
    }

    /// Remembers a step; `cut` where only so much of what was read still holds.
    pub fn remember(
        &self,
        memory: &mut Memory,
        present: Present,
        cut: Option<usize>,
    ) -> Result<(), Unavailable> {
        for ((place, grows), value) in self.kept.iter().zip(present.0) {
            // What it remembers of the sound is said once, at the start.
            memory.values[*place] = match cut {
                Some(length) if *grows => self.shortened(value, length)?,
                _ if *grows || !memory.going => value,
                _ => continue,
            };
        }
        memory.going = true;
        Ok(())
    }

    /// Keeps the first `length` steps of what the decoder remembers of itself.
    fn shortened(&self, value: Value, length: usize) -> Result<Value, Unavailable> {
        let tensor = self.engine.floats(value)?;
        let length = length.min(tensor.shape()[2]);
        Ok(tensor.slice((.., .., ..length, ..)).to_tensor().into())
    }
}
