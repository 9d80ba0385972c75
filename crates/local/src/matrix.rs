//! Matrices of weights, eight bits a number, and what is multiplied by them.
//!
//! Whatever a file holds becomes blocks of 32 small integers with one scale: that is as exact
//! as the common formats are, and one kernel is enough. It is portable SIMD without `unsafe`
//! (`rten-simd`), the same that hears and speaks.

#![expect(
    clippy::inline_always,
    reason = "what is not inlined is not compiled for the vectors at hand"
)]

use rayon::ThreadPool;
use rayon::prelude::*;
use rten_simd::ops::{BitOps, Extend, NumOps, ToFloat};
use rten_simd::{Isa, SimdOp};

/// So many numbers share a scale.
pub const BLOCK: usize = 32;
/// So many rows of the input are worked on while a row of weights is at hand.
const TILE: usize = 8;
/// So many rows of weights are one piece of work.
const PIECE: usize = 64;

/// Who multiplies: this thread alone, or several.
#[derive(Default)]
pub struct Hands(Option<ThreadPool>);

impl Hands {
    pub fn new(threads: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|at| format!("local-model-{at}"));
        Self((threads > 1).then(|| pool.build().ok()).flatten())
    }
}

/// Weights: `rows` of `row` numbers.
pub struct Matrix {
    rows: usize,
    row: usize,
    quants: Vec<i8>,
    scales: Vec<f32>,
}

impl Matrix {
    /// Room for a matrix; rows are put into it one after the other. `row` is whole blocks.
    pub fn with_room(rows: usize, row: usize) -> Self {
        let quants = Vec::with_capacity(rows * row);
        Self { rows: 0, row, quants, scales: Vec::with_capacity(rows * row / BLOCK) }
    }

    pub fn push(&mut self, numbers: &[f32]) {
        for block in numbers.chunks_exact(BLOCK) {
            let largest = block.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
            let scale = largest / 127.0;
            let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            #[expect(clippy::cast_possible_truncation, reason = "it is within 127 by the scale")]
            self.quants.extend(block.iter().map(|number| (number * inverse).round() as i8));
            self.scales.push(scale);
        }
        self.rows += 1;
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// One row as numbers.
    pub fn row_into(&self, at: usize, out: &mut [f32]) {
        let quants = &self.quants[at * self.row..][..self.row];
        let scales = &self.scales[at * (self.row / BLOCK)..];
        for (at, (quant, out)) in quants.iter().zip(out).enumerate() {
            *out = f32::from(*quant) * scales[at / BLOCK];
        }
    }

    /// What each row of `x` gives with each row of weights.
    pub fn times(&self, x: &[f32], hands: &Hands) -> Vec<f32> {
        let inputs = x.len() / self.row;
        let mut turned = vec![0.0; inputs * self.rows];
        let blocks = self.row / BLOCK;
        let work = |(piece, out): (usize, &mut [f32])| {
            let (from, rows) = (piece * PIECE, out.len() / inputs);
            let quants = &self.quants[from * self.row..][..rows * self.row];
            let scales = &self.scales[from * blocks..][..rows * blocks];
            Dots { quants, scales, row: self.row, x, out }.dispatch();
        };
        match &hands.0 {
            Some(pool) => pool.install(|| {
                turned.par_chunks_mut(PIECE * inputs).enumerate().for_each(work);
            }),
            None => turned.chunks_mut(PIECE * inputs).enumerate().for_each(work),
        }
        if inputs == 1 {
            return turned;
        }
        let mut out = vec![0.0; turned.len()];
        for (at, of_row) in turned.chunks_exact(inputs).enumerate() {
            for (input, number) in of_row.iter().enumerate() {
                out[input * self.rows + at] = *number;
            }
        }
        out
    }
}

/// Some rows of weights with all inputs; what comes of one row of weights lies together.
struct Dots<'a> {
    quants: &'a [i8],
    scales: &'a [f32],
    row: usize,
    x: &'a [f32],
    out: &'a mut [f32],
}

impl SimdOp for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let Self { quants, scales, row, x, out } = self;
        let inputs = x.len() / row;
        let weights = quants.chunks_exact(row).zip(scales.chunks_exact(row / BLOCK));
        for ((quants, scales), out) in weights.zip(out.chunks_exact_mut(inputs)) {
            let mut at = 0;
            while at + TILE <= inputs {
                tile::<I, TILE>(isa, quants, scales, &x[at * row..], &mut out[at..at + TILE]);
                at += TILE;
            }
            while at < inputs {
                tile::<I, 1>(isa, quants, scales, &x[at * row..], &mut out[at..=at]);
                at += 1;
            }
        }
    }
}

/// One row of weights with `T` inputs.
#[inline(always)]
fn tile<I: Isa, const T: usize>(isa: I, quants: &[i8], scales: &[f32], x: &[f32], out: &mut [f32]) {
    let (real, small) = (isa.f32(), isa.i8());
    let (wide, whole) = (isa.i16(), isa.i32());
    let (lanes, step, row) = (real.len(), small.len(), quants.len());
    let inputs: [&[f32]; T] = std::array::from_fn(|input| &x[input * row..][..row]);
    // Two sums an input, so that one need not wait for the other.
    let mut sums = [[real.zero(); 2]; T];
    let whole_steps = row / step * step;
    let mut at = 0;
    while at < whole_steps {
        let quants = small.load(&quants[at..at + step]);
        let (low, high) = (small.extend_low(quants), small.extend_high(quants));
        let parts = [
            wide.extend_low(low),
            wide.extend_high(low),
            wide.extend_low(high),
            wide.extend_high(high),
        ];
        for (part, numbers) in parts.into_iter().enumerate() {
            let place = at + part * lanes;
            let scale = real.splat(scales[place / BLOCK]);
            let weight = real.mul(whole.to_float(numbers), scale);
            for (sums, input) in sums.iter_mut().zip(inputs) {
                let input = real.load(&input[place..place + lanes]);
                sums[part % 2] = real.mul_add(weight, input, sums[part % 2]);
            }
        }
        at += step;
    }
    for ((sums, input), out) in sums.into_iter().zip(inputs).zip(out) {
        *out = real.sum(real.add(sums[0], sums[1]));
        for place in whole_steps..row {
            *out += f32::from(quants[place]) * scales[place / BLOCK] * input[place];
        }
    }
}

/// Attention of one head for one place: which of what was before counts how much.
pub struct Attend<'a> {
    pub query: &'a [f32],
    /// All places of the cache, `stride` apart, this head's part at `offset`.
    pub keys: &'a [f32],
    pub values: &'a [f32],
    pub stride: usize,
    pub offset: usize,
    /// Which places are seen.
    pub seen: std::ops::Range<usize>,
    pub scale: f32,
    /// Room for as many numbers as places are seen.
    pub weights: &'a mut Vec<f32>,
    pub out: &'a mut [f32],
}

impl SimdOp for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let Self { query, keys, values, stride, offset, seen, scale, weights, out } = self;
        let real = isa.f32();
        let (lanes, width) = (real.len(), query.len());
        let whole = width / lanes * lanes;
        weights.clear();
        let mut most = f32::NEG_INFINITY;
        for place in seen.clone() {
            let key = &keys[place * stride + offset..][..width];
            let mut sum = real.zero();
            let mut at = 0;
            while at < whole {
                let (query, key) =
                    (real.load(&query[at..at + lanes]), real.load(&key[at..at + lanes]));
                sum = real.mul_add(query, key, sum);
                at += lanes;
            }
            let rest: f32 = (whole..width).map(|at| query[at] * key[at]).sum();
            let score = (real.sum(sum) + rest) * scale;
            most = most.max(score);
            weights.push(score);
        }
        let mut total = 0.0;
        for weight in weights.iter_mut() {
            *weight = (*weight - most).exp();
            total += *weight;
        }
        out.fill(0.0);
        for (place, weight) in seen.zip(weights.iter()) {
            let value = &values[place * stride + offset..][..width];
            let share = weight / total;
            let shares = real.splat(share);
            let mut at = 0;
            while at < whole {
                let before = real.load(&out[at..at + lanes]);
                let value = real.load(&value[at..at + lanes]);
                real.store(real.mul_add(value, shares, before), &mut out[at..at + lanes]);
                at += lanes;
            }
            for at in whole..width {
                out[at] += share * value[at];
            }
        }
    }
}

#[cfg(test)]
#[path = "matrix_tests.rs"]
mod tests;
