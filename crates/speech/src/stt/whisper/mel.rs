//! How Whisper sees sound: thirty seconds as a picture of how loud each band of pitch
//! is, a column every 10 ms.

use std::f64::consts::PI;
use std::sync::Arc;

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

use crate::resample::EARS_RATE;

/// Samples in a window and between two of them.
const WINDOW: usize = 400;
const HOP: usize = 160;
const BINS: usize = WINDOW / 2 + 1;
/// What it looks at: thirty seconds.
const SAMPLES: usize = 30 * EARS_RATE as usize;
pub const FRAMES: usize = SAMPLES / HOP;

pub struct Mel {
    fft: Arc<dyn Fft<f32>>,
    window: Vec<f32>,
    /// For each band the first bin it hears, and how well it hears each from there.
    bands: Vec<(usize, Vec<f32>)>,
}

impl Mel {
    pub fn new(bands: usize) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a share")]
        let hann = |at: usize| (0.5 - 0.5 * (2.0 * PI * at as f64 / WINDOW as f64).cos()) as f32;
        Self {
            fft: FftPlanner::new().plan_fft_forward(WINDOW),
            window: (0..WINDOW).map(hann).collect(),
            bands: filters(bands),
        }
    }

    pub fn bands(&self) -> usize {
        self.bands.len()
    }

    /// Band by band, [`FRAMES`] each. What is shorter ends in silence, what is longer
    /// is cut.
    pub fn draw(&self, sound: &[f32]) -> Vec<f32> {
        let sound = &sound[..sound.len().min(SAMPLES)];
        let mut picture = vec![0.0; self.bands.len() * FRAMES];
        let mut bins = vec![Complex32::ZERO; WINDOW];
        let mut room = vec![Complex32::ZERO; self.fft.get_inplace_scratch_len()];
        for frame in 0..FRAMES {
            for (at, (bin, window)) in bins.iter_mut().zip(&self.window).enumerate() {
                *bin = Complex32::new(sample(sound, frame * HOP + at) * window, 0.0);
            }
            self.fft.process_with_scratch(&mut bins, &mut room);
            for (band, (first, weights)) in self.bands.iter().enumerate() {
                let heard = bins[*first..].iter().zip(weights);
                let power = heard.map(|(bin, weight)| bin.norm_sqr() * weight).sum::<f32>();
                picture[band * FRAMES + frame] = power.max(1e-10).log10();
            }
        }
        // What is far softer than the loudest is all the same.
        let floor = picture.iter().copied().fold(f32::MIN, f32::max) - 8.0;
        for power in &mut picture {
            *power = (power.max(floor) + 4.0) / 4.0;
        }
        picture
    }
}

/// A window stands around its moment; before the first sample the sound is mirrored,
/// behind the last of the thirty seconds as well.
fn sample(sound: &[f32], at: usize) -> f32 {
    let at = at.abs_diff(WINDOW / 2);
    let at = if at < SAMPLES { at } else { 2 * (SAMPLES - 1) - at };
    sound.get(at).copied().unwrap_or(0.0)
}

/// Triangles that stand the closer the lower they are, all of the same area: the
/// scale of Slaney's toolbox, as the model was taught with.
fn filters(bands: usize) -> Vec<(usize, Vec<f32>)> {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let real = |number: usize| number as f64;
    let top = mel(f64::from(EARS_RATE) / 2.0);
    let edges: Vec<f64> =
        (0..bands + 2).map(|at| hertz(top * real(at) / real(bands + 1))).collect();
    let bin_hertz = |bin: usize| real(bin) * f64::from(EARS_RATE) / real(WINDOW);
    let triangle = |edges: &[f64]| {
        let (low, middle, high) = (edges[0], edges[1], edges[2]);
        let weight = |bin: usize| {
            let up = (bin_hertz(bin) - low) / (middle - low);
            let down = (high - bin_hertz(bin)) / (high - middle);
            up.min(down).max(0.0) * 2.0 / (high - low)
        };
        #[expect(clippy::cast_possible_truncation, reason = "a weight")]
        let weights: Vec<f32> = (0..BINS).map(|bin| weight(bin) as f32).collect();
        let first = weights.iter().position(|weight| *weight > 0.0).unwrap_or(0);
        let last = weights.iter().rposition(|weight| *weight > 0.0).map_or(first, |at| at + 1);
        (first, weights[first..last].to_vec())
    };
    edges.windows(3).map(triangle).collect()
}

/// Straight up to a thousand hertz, a logarithm above.
const STRAIGHT_HZ: f64 = 1_000.0;
const HZ_A_STEP: f64 = 200.0 / 3.0;
/// 27 steps above that it is 6.4 times as high.
const STEPS: f64 = 27.0;
const TIMES: f64 = 6.4;

fn mel(hertz: f64) -> f64 {
    if hertz < STRAIGHT_HZ {
        hertz / HZ_A_STEP
    } else {
        STRAIGHT_HZ / HZ_A_STEP + (hertz / STRAIGHT_HZ).ln() * STEPS / TIMES.ln()
    }
}

fn hertz(mel: f64) -> f64 {
    let straight = STRAIGHT_HZ / HZ_A_STEP;
    if mel < straight {
        mel * HZ_A_STEP
    } else {
        STRAIGHT_HZ * ((mel - straight) * TIMES.ln() / STEPS).exp()
    }
}
