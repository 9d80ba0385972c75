//! A sentence as a direction: what means the same points the same way.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use super::pieces::Pieces;

/// More than anybody says in one breath; what is behind it is not listened to.
const PIECES: usize = 64;

/// Turns sentences into directions of length one.
pub trait Encoder: Send {
    fn encode(&self, sentence: &str) -> Result<Vec<f32>, Unavailable>;
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    #[error("{} is not there; `make assets` fetches it", .0.display())]
    Missing(PathBuf),
    #[error("{} cannot be used ({because}); remove it and `make assets` fetches it again", path.display())]
    Broken { path: PathBuf, because: String },
}

/// all-MiniLM-L6-v2 with weights of one byte, on one thread.
pub struct MiniLm {
    path: PathBuf,
    model: Model,
    pieces: Pieces,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    one_thread: RunOptions,
}

#[derive(Clone, Copy)]
enum Input {
    Tokens,
    Attention,
    Kind,
}

impl MiniLm {
    /// Where its files lie among the assets.
    pub fn files(assets: &Path) -> [PathBuf; 2] {
        ["model.onnx", "tokenizer.json"].map(|file| assets.join("minilm").join(file))
    }

    pub fn load(assets: &Path) -> Result<Self, Unavailable> {
        let [path, tokenizer] = Self::files(assets);
        if let Some(missing) = [&path, &tokenizer].into_iter().find(|file| !file.is_file()) {
            return Err(Unavailable::Missing(missing.clone()));
        }
        // Packed once, a sentence costs a third less.
        let model = ModelOptions::with_all_ops().prepack_weights(true).load_file(&path);
        let model = model.map_err(|error| broken(&path, error))?;
        let json = fs::read_to_string(&tokenizer).map_err(|error| broken(&tokenizer, error))?;
        let pieces = Pieces::from_json(&json).map_err(|error| broken(&tokenizer, error))?;
        let input = |name, input| {
            let id = model.node_id(name).map_err(|error| broken(&path, error))?;
            Ok((id, input))
        };
        let inputs = vec![
            input("input_ids", Input::Tokens)?,
            input("attention_mask", Input::Attention)?,
            input("token_type_ids", Input::Kind)?,
        ];
        let output = model.node_id("last_hidden_state").map_err(|error| broken(&path, error))?;
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        let one_thread = RunOptions::default().with_thread_pool(Some(pool));
        Ok(Self { path, model, pieces, inputs, output, one_thread })
    }
}

impl Encoder for MiniLm {
    fn encode(&self, sentence: &str) -> Result<Vec<f32>, Unavailable> {
        let failed = |error: &dyn std::fmt::Display| broken(&self.path, error);
        let tokens = self.pieces.of(sentence, PIECES);
        let inputs = self.inputs.iter().map(|(id, input)| {
            let values = match input {
                Input::Tokens => tokens.clone(),
                Input::Attention => vec![1; tokens.len()],
                Input::Kind => vec![0; tokens.len()],
            };
            (*id, Tensor::from_data(&[1, tokens.len()], values).into())
        });
        let run = self.model.run_n(inputs.collect(), [self.output], Some(self.one_thread.clone()));
        let [states] = run.map_err(|error| failed(&error))?;
        let states: Tensor<f32> = states.try_into().map_err(|error| failed(&error))?;
        let width = states.shape().last().copied().unwrap_or(1);
        Ok(mean(&states.to_vec(), width))
    }
}

/// The mean of all pieces, as long as one.
fn mean(states: &[f32], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0_f32; width];
    for state in states.chunks_exact(width) {
        sum.iter_mut().zip(state).for_each(|(sum, value)| *sum += value);
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::EPSILON);
    sum.into_iter().map(|value| value / length).collect()
}

fn broken(path: &Path, because: impl std::fmt::Display) -> Unavailable {
    Unavailable::Broken { path: path.to_owned(), because: because.to_string() }
}
