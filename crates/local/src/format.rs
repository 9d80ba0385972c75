//! How weights are written in a file, and what numbers they are. Pure.
//!
//! The layouts are those of ggml: a block holds 32 or 256 numbers in few bits each, and what
//! to multiply them by.

use crate::trouble::BadFile;

/// A format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    F32,
    F16,
    Bf16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4K,
    Q5K,
    Q6K,
}

impl Format {
    pub fn named(number: u32) -> Result<Self, BadFile> {
        Ok(match number {
            0 => Self::F32,
            1 => Self::F16,
            2 => Self::Q4_0,
            3 => Self::Q4_1,
            6 => Self::Q5_0,
            7 => Self::Q5_1,
            8 => Self::Q8_0,
            12 => Self::Q4K,
            13 => Self::Q5K,
            14 => Self::Q6K,
            30 => Self::Bf16,
            10 => return Err(BadFile::Format("Q2_K".to_owned())),
            11 => return Err(BadFile::Format("Q3_K".to_owned())),
            other => return Err(BadFile::Format(format!("the format with number {other}"))),
        })
    }

    /// How many numbers a block holds, and in how many bytes.
    fn block(self) -> (usize, usize) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 | Self::Bf16 => (1, 2),
            Self::Q4_0 => (32, 18),
            Self::Q4_1 => (32, 20),
            Self::Q5_0 => (32, 22),
            Self::Q5_1 => (32, 24),
            Self::Q8_0 => (32, 34),
            Self::Q4K => (256, 144),
            Self::Q5K => (256, 176),
            Self::Q6K => (256, 210),
        }
    }

    /// How many bytes so many numbers take; nothing where they fill no whole blocks.
    pub fn bytes(self, numbers: usize) -> Option<usize> {
        let (held, bytes) = self.block();
        numbers.is_multiple_of(held).then(|| numbers / held * bytes)
    }

    /// The numbers of `bytes`, into `numbers`, which has room for exactly those.
    pub fn read(self, bytes: &[u8], numbers: &mut [f32]) {
        let (held, size) = self.block();
        for (block, out) in bytes.chunks_exact(size).zip(numbers.chunks_exact_mut(held)) {
            match self {
                Self::F32 => {
                    out[0] = f32::from_le_bytes([block[0], block[1], block[2], block[3]]);
                }
                Self::F16 => out[0] = half(block, 0),
                Self::Bf16 => {
                    let bits = u32::from(u16::from_le_bytes([block[0], block[1]])) << 16;
                    out[0] = f32::from_bits(bits);
                }
                Self::Q4_0 => nibbles(&block[2..], 0, half(block, 0), -8.0, 0.0, out),
                Self::Q4_1 => nibbles(&block[4..], 0, half(block, 0), 0.0, half(block, 2), out),
                Self::Q5_0 => {
                    nibbles(&block[6..], word(block, 2), half(block, 0), -16.0, 0.0, out);
                }
                Self::Q5_1 => {
                    let (scale, least) = (half(block, 0), half(block, 2));
                    nibbles(&block[8..], word(block, 4), scale, 0.0, least, out);
                }
                Self::Q8_0 => {
                    let scale = half(block, 0);
                    for (byte, out) in block[2..].iter().zip(out) {
                        *out = scale * f32::from(byte.cast_signed());
                    }
                }
                Self::Q4K => q4k(block, out),
                Self::Q5K => q5k(block, out),
                Self::Q6K => q6k(block, out),
            }
        }
    }
}

/// Half a byte a number, the lower halves first; `high` has a fifth bit of each.
fn nibbles(halves: &[u8], high: u32, scale: f32, shift: f32, least: f32, out: &mut [f32]) {
    for (at, byte) in halves.iter().take(16).enumerate() {
        let fifth = |place: usize| if high >> place & 1 == 1 { 16.0 } else { 0.0 };
        out[at] = (f32::from(byte & 15) + fifth(at) + shift) * scale + least;
        out[at + 16] = (f32::from(byte >> 4) + fifth(at + 16) + shift) * scale + least;
    }
}

/// The scale and the least value of one of eight groups, six bits each.
fn of_group(packed: &[u8], group: usize) -> (f32, f32) {
    let (scale, least) = if group < 4 {
        (packed[group] & 63, packed[group + 4] & 63)
    } else {
        (
            packed[group + 4] & 15 | packed[group - 4] >> 6 << 4,
            packed[group + 4] >> 4 | packed[group] >> 6 << 4,
        )
    };
    (f32::from(scale), f32::from(least))
}

fn q4k(block: &[u8], out: &mut [f32]) {
    let (scale, least) = (half(block, 0), half(block, 2));
    let (packed, halves) = (&block[4..16], &block[16..]);
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (own_scale, own_least) = of_group(packed, group);
        let halves = &halves[group / 2 * 32..][..32];
        for (byte, out) in halves.iter().zip(out) {
            let bits = if group % 2 == 0 { byte & 15 } else { byte >> 4 };
            *out = scale * own_scale * f32::from(bits) - least * own_least;
        }
    }
}

fn q5k(block: &[u8], out: &mut [f32]) {
    let (scale, least) = (half(block, 0), half(block, 2));
    let (packed, high, halves) = (&block[4..16], &block[16..48], &block[48..]);
    for (group, out) in out.chunks_exact_mut(32).enumerate() {
        let (own_scale, own_least) = of_group(packed, group);
        let halves = &halves[group / 2 * 32..][..32];
        for ((byte, high), out) in halves.iter().zip(high).zip(out) {
            let bits = if group % 2 == 0 { byte & 15 } else { byte >> 4 };
            let bits = bits | (high >> group & 1) << 4;
            *out = scale * own_scale * f32::from(bits) - least * own_least;
        }
    }
}

fn q6k(block: &[u8], out: &mut [f32]) {
    let (low, high, scales) = (&block[..128], &block[128..192], &block[192..208]);
    let scale = half(block, 208);
    for (part, out) in out.chunks_exact_mut(128).enumerate() {
        let (low, high) = (&low[part * 64..], &high[part * 32..]);
        for (at, out) in out.iter_mut().enumerate() {
            let (quarter, place) = (at / 32, at % 32);
            let byte = low[place + quarter % 2 * 32];
            let bits = if quarter < 2 { byte & 15 } else { byte >> 4 };
            let bits = bits | (high[place] >> (2 * quarter) & 3) << 4;
            let own = f32::from(scales[part * 8 + at / 16].cast_signed());
            *out = scale * own * (f32::from(bits) - 32.0);
        }
    }
}

fn word(block: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]])
}

/// Sixteen bits as a number.
fn half(block: &[u8], at: usize) -> f32 {
    let bits = u32::from(u16::from_le_bytes([block[at], block[at + 1]]));
    let sign = bits >> 15 << 31;
    let (exponent, fraction) = (bits >> 10 & 31, bits & 1023);
    match exponent {
        // Too small for an exponent: so many times 2^-24.
        0 => {
            #[expect(clippy::cast_precision_loss, reason = "ten bits fit")]
            let small = fraction as f32 * (1.0 / 16_777_216.0);
            f32::from_bits(small.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
