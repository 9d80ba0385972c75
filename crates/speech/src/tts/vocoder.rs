//! From the spectrum that the model draws to a wave.
//!
//! Per 12.5 ms the model gives a filter for the buzz of the voice, a filter for
//! noise and a rest; the buzz is made from the pitch, and all are put together
//! in one inverse transform with overlapping windows.

use std::f32::consts::PI;
use std::sync::Arc;

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

use crate::resample::VOICE_RATE;

const WINDOW: usize = 1_200;
pub const HOP: usize = 300;
const BINS: usize = WINDOW / 2 + 1;
/// Below this pitch there is no buzz.
const LOWEST_HZ: f32 = 40.0;
/// Harmonics above it are left to the noise.
const HIGHEST_HZ: f32 = 11_000.0;

/// What the model draws; each but the pitch is bins by frames.
pub struct Spectrum {
    pub buzz: Vec<f32>,
    pub buzz_phase: Vec<f32>,
    pub noise: Vec<f32>,
    pub rest: Vec<f32>,
    pub rest_phase: Vec<f32>,
    pub pitch: Vec<f32>,
}

impl Spectrum {
    fn is_whole(&self) -> bool {
        let parts = [&self.buzz, &self.buzz_phase, &self.noise, &self.rest, &self.rest_phase];
        parts.into_iter().all(|part| part.len() == BINS * self.pitch.len())
    }
}

pub struct Vocoder {
    forward: Arc<dyn Fft<f32>>,
    inverse: Arc<dyn Fft<f32>>,
    window: Vec<f32>,
}

impl Vocoder {
    #[expect(clippy::cast_precision_loss, reason = "a window is short")]
    pub fn new() -> Self {
        let mut planner = FftPlanner::new();
        let hann = |at: usize| 0.5 - 0.5 * (2.0 * PI * at as f32 / WINDOW as f32).cos();
        Self {
            forward: planner.plan_fft_forward(WINDOW),
            inverse: planner.plan_fft_inverse(WINDOW),
            window: (0..WINDOW).map(hann).collect(),
        }
    }

    /// The wave, or nothing where the parts do not fit together.
    pub fn wave(&self, spectrum: &Spectrum) -> Option<Vec<f32>> {
        if !spectrum.is_whole() {
            return None;
        }
        let frames = spectrum.pitch.len();
        let pulses = pulses(&spectrum.pitch);
        let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
        let mut wave = vec![0.0; frames * HOP + WINDOW];
        let mut weight = vec![0.0; wave.len()];
        let mut bins = vec![Complex32::ZERO; WINDOW];
        for frame in 0..frames {
            self.frame(frame, spectrum, &pulses, &mut noise, &mut bins);
            let start = frame * HOP;
            for (at, window) in self.window.iter().enumerate() {
                wave[start + at] += bins[at].re / 1_200.0 * window;
                weight[start + at] += window * window;
            }
        }
        let middle = WINDOW / 2..WINDOW / 2 + frames * HOP;
        Some(middle.map(|at| wave[at] / f32::max(weight[at], 1e-11)).collect())
    }

    fn frame(
        &self,
        frame: usize,
        spectrum: &Spectrum,
        pulses: &[f32],
        noise: &mut Noise,
        bins: &mut [Complex32],
    ) {
        for (at, bin) in bins.iter_mut().enumerate() {
            // A cosine peaks at half the window's sum.
            let pulse = mirrored(pulses, (frame * HOP + at).checked_signed_diff(WINDOW / 2));
            *bin = Complex32::new(pulse * self.window[at] / 300.0, 0.0);
        }
        self.forward.process(bins);
        let frames = spectrum.pitch.len();
        let loud = |log: f32| log.min(7.0).exp();
        for bin in 0..BINS {
            let at = bin * frames + frame;
            let buzz =
                Complex32::from_polar(loud(spectrum.buzz[at]), PI * spectrum.buzz_phase[at].tanh());
            let hiss = Complex32::new(noise.normal(), noise.normal()) * loud(spectrum.noise[at]);
            let rest = Complex32::from_polar(loud(spectrum.rest[at]), spectrum.rest_phase[at]);
            bins[bin] = bins[bin] * buzz + hiss + rest;
            if bin > 0 && bin < BINS - 1 {
                bins[WINDOW - bin] = bins[bin].conj();
            }
        }
        bins[0].im = 0.0;
        bins[BINS - 1].im = 0.0;
        self.inverse.process(bins);
    }
}

fn mirrored(pulses: &[f32], at: Option<isize>) -> f32 {
    let at = at.unwrap_or(0).unsigned_abs();
    let last = pulses.len().saturating_sub(1);
    let at = if at > last { (2 * last).saturating_sub(at) } else { at };
    pulses.get(at).copied().unwrap_or(0.0)
}

/// A train of pulses at the pitch: all harmonics at once.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "seconds of sound at most, and one turn of a phase"
)]
fn pulses(pitch: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; pitch.len() * HOP];
    let mut phase = 0.0_f64;
    for (frame, out) in out.chunks_exact_mut(HOP).enumerate() {
        for (at, out) in out.iter_mut().enumerate() {
            // Between the middles of two frames the pitch glides.
            let place = (at as f32 + 0.5) / HOP as f32 - 0.5;
            let before = if place < 0.0 { frame.saturating_sub(1) } else { frame };
            let after = if place < 0.0 { frame } else { (frame + 1).min(pitch.len() - 1) };
            let part = place.rem_euclid(1.0);
            let hz = pitch[before] * (1.0 - part) + pitch[after] * part;
            let tuned = hz.max(LOWEST_HZ);
            phase = (phase + f64::from(tuned) / f64::from(VOICE_RATE)).fract();
            if hz <= LOWEST_HZ {
                continue;
            }
            let turn = (phase * std::f64::consts::TAU) as f32;
            let harmonics = (HIGHEST_HZ / tuned).floor() + 0.5;
            let slope = 2.0 * (turn * 0.5).sin();
            *out = if slope.abs() <= 2e-3 {
                harmonics - 0.5
            } else {
                (harmonics * turn).sin() / slope - 0.5
            };
        }
    }
    out
}

/// The same noise each time: the same words sound the same.
struct Noise(u64);

impl Noise {
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit exactly")]
    fn uniform(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u32 << 24) as f32
    }

    fn normal(&mut self) -> f32 {
        let (a, b) = (self.uniform().max(1e-7), self.uniform());
        (-2.0 * a.ln()).sqrt() * (2.0 * PI * b).cos()
    }
}
