//! The model itself: words in, how likely each word is to come next out.
//!
//! One decoder for all kinds that [`shape`](crate::shape) knows; where they differ it says so.
//! It knows nothing of conversations and never looks at a clock.

use rten_simd::SimdOp;

use crate::matrix::{Attend, Hands, Matrix};
use crate::shape::{Kind, Shape};

/// A model with all its weights.
pub struct Decoder {
    pub shape: Shape,
    pub words: Matrix,
    /// Where it is not the same as `words`.
    pub output: Option<Matrix>,
    pub norm: Vec<f32>,
    pub layers: Vec<Layer>,
    /// What each turning is slowed down by, where the file says so.
    pub slowed: Option<Vec<f32>>,
}

/// One layer. What is optional some kinds have and others have not.
pub struct Layer {
    pub before: Vec<f32>,
    pub query: Linear,
    pub key: Linear,
    pub value: Linear,
    pub merge: Linear,
    pub query_norm: Option<Vec<f32>>,
    pub key_norm: Option<Vec<f32>>,
    pub after: Option<Vec<f32>>,
    pub inner_before: Vec<f32>,
    pub gate: Matrix,
    pub up: Matrix,
    pub down: Matrix,
    pub inner_after: Option<Vec<f32>>,
}

/// Weights, and what is added to what comes out.
pub struct Linear {
    pub weights: Matrix,
    pub bias: Option<Vec<f32>>,
}

impl Linear {
    fn of(&self, x: &[f32], hands: &Hands) -> Vec<f32> {
        let mut out = self.weights.times(x, hands);
        if let Some(bias) = &self.bias {
            out.chunks_exact_mut(bias.len()).for_each(|out| add(out, bias));
        }
        out
    }
}

/// What was read so far, so that it need not be read again.
#[derive(Default)]
pub struct Cache {
    tokens: Vec<u32>,
    keys: Vec<Vec<f32>>,
    values: Vec<Vec<f32>>,
}

impl Cache {
    /// Forgets everything that is not the beginning of `prompt`; how much is left. At least
    /// the last word is to be read, or nothing could be said.
    pub fn keep_beginning(&mut self, prompt: &[u32], shape: &Shape) -> usize {
        let same = self.tokens.iter().zip(prompt).take_while(|(ours, theirs)| ours == theirs);
        let kept = same.count().min(prompt.len().saturating_sub(1));
        self.tokens.truncate(kept);
        let numbers = kept * shape.key_heads * shape.head;
        self.keys.iter_mut().chain(&mut self.values).for_each(|layer| layer.truncate(numbers));
        kept
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}

impl Decoder {
    /// Reads on; how likely each word is to come next, unscaled. With `speaks` false nothing
    /// is said about that, which is quicker.
    pub fn read(
        &self,
        tokens: &[u32],
        cache: &mut Cache,
        hands: &Hands,
        speaks: bool,
    ) -> Option<Vec<f32>> {
        let Shape { width, layers, .. } = self.shape;
        cache.keys.resize_with(layers, Vec::new);
        cache.values.resize_with(layers, Vec::new);
        let mut x = vec![0.0; tokens.len() * width];
        for (token, out) in tokens.iter().zip(x.chunks_exact_mut(width)) {
            self.words.row_into(*token as usize, out);
        }
        if self.shape.kind == Kind::Gemma3 {
            #[expect(clippy::cast_precision_loss, reason = "a width is small")]
            let scale = (width as f32).sqrt();
            for number in &mut x {
                *number *= scale;
            }
        }
        let from = cache.len();
        for (at, layer) in self.layers.iter().enumerate() {
            let normed = self.normed(&x, &layer.before);
            let mut seen = self.attend(layer, at, &normed, from, cache, hands);
            if let Some(after) = &layer.after {
                seen = self.normed(&seen, after);
            }
            add(&mut x, &seen);
            let normed = self.normed(&x, &layer.inner_before);
            let mut gate = layer.gate.times(&normed, hands);
            let up = layer.up.times(&normed, hands);
            for (gate, up) in gate.iter_mut().zip(&up) {
                *gate = self.bend(*gate) * up;
            }
            let mut thought = layer.down.times(&gate, hands);
            if let Some(after) = &layer.inner_after {
                thought = self.normed(&thought, after);
            }
            add(&mut x, &thought);
        }
        cache.tokens.extend_from_slice(tokens);
        let last = speaks.then(|| x.chunks_exact(width).next_back()).flatten()?;
        let last = self.normed(last, &self.norm);
        Some(self.output.as_ref().unwrap_or(&self.words).times(&last, hands))
    }

    /// What the places before have to do with these.
    fn attend(
        &self,
        layer: &Layer,
        at: usize,
        x: &[f32],
        from: usize,
        cache: &mut Cache,
        hands: &Hands,
    ) -> Vec<f32> {
        let Shape { heads, key_heads, head, near, .. } = self.shape;
        let near = near.filter(|near| !(at + 1).is_multiple_of(near.far_every));
        let mut queries = layer.query.of(x, hands);
        let mut keys = layer.key.of(x, hands);
        let values = layer.value.of(x, hands);
        if let Some(norm) = &layer.query_norm {
            queries = self.normed(&queries, norm);
        }
        if let Some(norm) = &layer.key_norm {
            keys = self.normed(&keys, norm);
        }
        let places = x.len() / self.shape.width;
        for place in 0..places {
            let turn = self.turn(from + place, near.map(|near| near.base));
            for (numbers, heads) in [(&mut queries, heads), (&mut keys, key_heads)] {
                let of_place = &mut numbers[place * heads * head..][..heads * head];
                of_place.chunks_exact_mut(head).for_each(|one| self.turned(one, &turn));
            }
        }
        cache.keys[at].extend_from_slice(&keys);
        cache.values[at].extend_from_slice(&values);
        #[expect(clippy::cast_precision_loss, reason = "a head is small")]
        let scale = 1.0 / (head as f32).sqrt();
        let mut seen = vec![0.0; queries.len()];
        let mut weights = Vec::new();
        let each = queries.chunks_exact(head).zip(seen.chunks_exact_mut(head));
        for (number, (query, out)) in each.enumerate() {
            let (place, own) = (from + number / heads, number % heads);
            let first = near.map_or(0, |near| (place + 1).saturating_sub(near.window));
            Attend {
                query,
                keys: &cache.keys[at],
                values: &cache.values[at],
                stride: key_heads * head,
                offset: own / (heads / key_heads) * head,
                seen: first..place + 1,
                scale,
                weights: &mut weights,
                out,
            }
            .dispatch();
        }
        layer.merge.of(&seen, hands)
    }

    /// By which angles a place turns the numbers of a head.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "places are counted in thousands"
    )]
    fn turn(&self, place: usize, near_base: Option<f64>) -> Vec<(f32, f32)> {
        let Shape { turned, base, stretch, .. } = self.shape;
        // What is near is not stretched.
        let (base, stretch) = near_base.map_or((base, stretch), |base| (base, 1.0));
        let angle = |at: usize| {
            let slowed = self.slowed.as_ref().and_then(|slowed| slowed.get(at));
            let pace = base.powf(-2.0 * at as f64 / turned as f64);
            let angle = place as f64 / stretch * pace / f64::from(*slowed.unwrap_or(&1.0));
            (angle.sin() as f32, angle.cos() as f32)
        };
        (0..turned / 2).map(angle).collect()
    }

    fn turned(&self, head: &mut [f32], turn: &[(f32, f32)]) {
        for (at, (sin, cos)) in turn.iter().enumerate() {
            // A llama's pairs lie side by side in such a file, everybody else's half a head apart.
            let (one, other) = match self.shape.kind {
                Kind::Llama => (2 * at, 2 * at + 1),
                Kind::Qwen2 | Kind::Qwen3 | Kind::Gemma3 => (at, at + turn.len()),
            };
            let (a, b) = (head[one], head[other]);
            head[one] = a * cos - b * sin;
            head[other] = b * cos + a * sin;
        }
    }

    /// Every `weights.len()` numbers brought to one size.
    fn normed(&self, x: &[f32], weights: &[f32]) -> Vec<f32> {
        let mut out = Vec::with_capacity(x.len());
        for part in x.chunks_exact(weights.len()) {
            #[expect(clippy::cast_precision_loss, reason = "a width is small")]
            let mean = part.iter().map(|it| it * it).sum::<f32>() / part.len() as f32;
            let scale = 1.0 / (mean + self.shape.epsilon).sqrt();
            out.extend(part.iter().zip(weights).map(|(it, weight)| it * scale * weight));
        }
        out
    }

    fn bend(&self, x: f32) -> f32 {
        match self.shape.kind {
            Kind::Llama | Kind::Qwen2 | Kind::Qwen3 => x / (1.0 + (-x).exp()),
            Kind::Gemma3 => {
                let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
                0.5 * x * (1.0 + inner.tanh())
            }
        }
    }
}

fn add(x: &mut [f32], more: &[f32]) {
    x.iter_mut().zip(more).for_each(|(x, more)| *x += more);
}

#[cfg(test)]
#[path = "decoder_tests.rs"]
mod tests;
