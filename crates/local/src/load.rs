//! From a file to a model: looks at the head, asks whether there is room, reads the weights.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::decoder::{Decoder, Layer, Linear};
use crate::format::Format;
use crate::gguf::{Head, Tensor};
use crate::matrix::{BLOCK, Matrix};
use crate::shape::Shape;
use crate::trouble::BadFile;

/// So many rows are read at a time.
const ROWS_AT_A_TIME: usize = 64;
/// What is written meanwhile, and a little air.
const BESIDES: u64 = 64 << 20;
/// A word of the vocabulary, wherever it is looked up.
const BYTES_A_WORD: u64 = 256;

/// A file whose head was read and whose weights fit.
pub struct Opened<R = BufReader<File>> {
    pub path: PathBuf,
    pub head: Head,
    pub shape: Shape,
    /// How much memory it takes once it is loaded, with `context` places.
    pub needed: u64,
    file: R,
}

/// The file itself, or the only GGUF file of a folder.
pub fn found(path: &Path) -> Result<PathBuf, BadFile> {
    let about = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => BadFile::Missing,
        _ => BadFile::Unreadable(error.to_string()),
    })?;
    if !about.is_dir() {
        return Ok(path.to_owned());
    }
    let inside = std::fs::read_dir(path).map_err(|error| BadFile::Unreadable(error.to_string()))?;
    let is_model = |path: &PathBuf| path.extension().is_some_and(|it| it == "gguf");
    let mut files: Vec<_> = inside.flatten().map(|entry| entry.path()).filter(is_model).collect();
    match files.len() {
        1 => Ok(files.remove(0)),
        other => Err(BadFile::Folder(other)),
    }
}

impl Opened {
    /// Looks at the head, and whether the file is whole. Nothing is loaded.
    pub fn look(path: &Path, context: usize) -> Result<Self, BadFile> {
        let path = found(path)?;
        let unreadable = |error: std::io::Error| BadFile::Unreadable(error.to_string());
        let file = File::open(&path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut file = BufReader::new(file);
        let head = Head::read(&mut file, length)?;
        let shape = Shape::of(&head)?;
        is_whole(&head, length)?;
        let needed = needed(&head, &shape, context);
        Ok(Self { path, head, shape, needed, file })
    }
}

impl<R: Read + Seek> Opened<R> {
    /// Reads the weights.
    pub fn load(mut self) -> Result<Decoder, BadFile> {
        let Shape { width, inner, heads, key_heads, head, words, layers, .. } = self.shape;
        let mut read_layers = Vec::new();
        for at in 0..layers {
            let name = |part: &str| format!("blk.{at}.{part}");
            let mut linear = |part: &str, rows, row| -> Result<Linear, BadFile> {
                let weights = self.matrix(&name(&format!("{part}.weight")), rows, row)?;
                Ok(Linear { weights, bias: self.numbers(&name(&format!("{part}.bias")), rows)? })
            };
            let query = linear("attn_q", heads * head, width)?;
            let key = linear("attn_k", key_heads * head, width)?;
            let value = linear("attn_v", key_heads * head, width)?;
            let merge = linear("attn_output", width, heads * head)?;
            read_layers.push(Layer {
                query,
                key,
                value,
                merge,
                before: self.norm(&name("attn_norm.weight"), width)?,
                query_norm: self.numbers(&name("attn_q_norm.weight"), head)?,
                key_norm: self.numbers(&name("attn_k_norm.weight"), head)?,
                after: self.numbers(&name("post_attention_norm.weight"), width)?,
                inner_before: self.norm(&name("ffn_norm.weight"), width)?,
                gate: self.matrix(&name("ffn_gate.weight"), inner, width)?,
                up: self.matrix(&name("ffn_up.weight"), inner, width)?,
                down: self.matrix(&name("ffn_down.weight"), width, inner)?,
                inner_after: self.numbers(&name("post_ffw_norm.weight"), width)?,
            });
        }
        let output = self.head.tensors.contains_key("output.weight");
        let output = output.then(|| self.matrix("output.weight", words, width)).transpose()?;
        Ok(Decoder {
            words: self.matrix("token_embd.weight", words, width)?,
            output,
            norm: self.norm("output_norm.weight", width)?,
            layers: read_layers,
            slowed: self.numbers("rope_freqs.weight", self.shape.turned / 2)?,
            shape: self.shape,
        })
    }

    fn matrix(&mut self, name: &str, rows: usize, row: usize) -> Result<Matrix, BadFile> {
        let tensor = self.tensor(name, &[row, rows])?;
        if !row.is_multiple_of(BLOCK) {
            return Err(BadFile::Format(format!("rows of {row} numbers")));
        }
        let format = Format::named(tensor.format)?;
        let bytes_a_row = format.bytes(row).ok_or_else(|| ragged(name))?;
        let mut matrix = Matrix::with_room(rows, row);
        let mut bytes = vec![0; bytes_a_row * ROWS_AT_A_TIME];
        let mut numbers = vec![0.0; row];
        self.go_to(&tensor)?;
        let mut left = rows;
        while left > 0 {
            let now = left.min(ROWS_AT_A_TIME);
            self.fill(&mut bytes[..now * bytes_a_row])?;
            for bytes in bytes[..now * bytes_a_row].chunks_exact(bytes_a_row) {
                format.read(bytes, &mut numbers);
                matrix.push(&numbers);
            }
            left -= now;
        }
        Ok(matrix)
    }

    fn norm(&mut self, name: &str, length: usize) -> Result<Vec<f32>, BadFile> {
        self.numbers(name, length)?.ok_or_else(|| BadFile::Damaged(format!("it has no {name}")))
    }

    /// A list of numbers, where the file has it.
    fn numbers(&mut self, name: &str, length: usize) -> Result<Option<Vec<f32>>, BadFile> {
        if !self.head.tensors.contains_key(name) {
            return Ok(None);
        }
        let tensor = self.tensor(name, &[length])?;
        let format = Format::named(tensor.format)?;
        let mut bytes = vec![0; format.bytes(length).ok_or_else(|| ragged(name))?];
        self.go_to(&tensor)?;
        self.fill(&mut bytes)?;
        let mut numbers = vec![0.0; length];
        format.read(&bytes, &mut numbers);
        Ok(Some(numbers))
    }

    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor, BadFile> {
        let tensor = self.head.tensors.get(name);
        let tensor = tensor.ok_or_else(|| BadFile::Damaged(format!("it has no {name}")))?;
        if tensor.shape != shape {
            let (is, should) = (&tensor.shape, shape);
            return Err(BadFile::Damaged(format!("{name} is {is:?} and should be {should:?}")));
        }
        Ok(tensor.clone())
    }

    fn go_to(&mut self, tensor: &Tensor) -> Result<(), BadFile> {
        let at = SeekFrom::Start(self.head.weights_at + tensor.at);
        self.file.seek(at).map(drop).map_err(|error| BadFile::Unreadable(error.to_string()))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), BadFile> {
        self.file.read_exact(bytes).map_err(|error| BadFile::Unreadable(error.to_string()))
    }
}

fn ragged(name: &str) -> BadFile {
    BadFile::Damaged(format!("{name} fills no whole blocks"))
}

/// Whether everything that the head tells of is in the file.
fn is_whole(head: &Head, length: u64) -> Result<(), BadFile> {
    for (name, tensor) in &head.tensors {
        let format = Format::named(tensor.format)?;
        let bytes = format.bytes(tensor.len()).ok_or_else(|| ragged(name))? as u64;
        let end = head.weights_at.checked_add(tensor.at).and_then(|at| at.checked_add(bytes));
        let end = end.ok_or_else(|| ragged(name))?;
        if end > length {
            let ends = head.tensors.values().filter_map(|tensor| {
                let bytes = Format::named(tensor.format).ok()?.bytes(tensor.len())? as u64;
                head.weights_at.checked_add(tensor.at)?.checked_add(bytes)
            });
            let needed = ends.max().unwrap_or(end);
            return Err(BadFile::CutOff { there: length, needed });
        }
    }
    Ok(())
}

/// How much memory it takes: eight bits a weight and a scale for each block, what was read of
/// a conversation, and what lies about.
fn needed(head: &Head, shape: &Shape, context: usize) -> u64 {
    let weights: u64 = head.tensors.values().map(|tensor| tensor.len() as u64).sum();
    let kept = shape.bytes_a_place() * context.min(shape.context) as u64;
    weights + weights / 8 + kept + shape.words as u64 * BYTES_A_WORD + BESIDES
}

/// A model out of bytes.
#[cfg(test)]
pub fn loaded<R: Read + Seek>(head: Head, file: R) -> Result<Decoder, BadFile> {
    let shape = Shape::of(&head)?;
    Opened { path: PathBuf::new(), head, shape, needed: 0, file }.load()
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
