//! Sounds in which nobody speaks, and what our ears take them for. An ear hears an
//! hour of them in less than a minute.

use std::f32::consts::TAU;
use std::sync::Arc;

use speech::ear::{Ear, Notice};
use speech::endpoint::{Patience, TurnMode};
use speech::pcm::{self, Format};
use speech::resample::EARS_RATE;

use super::models::Models;
use super::table::row;

const RATE: f32 = 16_000.0;
/// Of each kind.
const MINUTES: usize = 20;
/// From hardly heard to loud.
const LOUD: [f32; 3] = [0.02, 0.1, 0.4];

/// Chance that is the same every time.
struct Chance(u64);

impl Default for Chance {
    fn default() -> Self {
        Self(0x2545_F491_4F6C_DD1D)
    }
}

impl Chance {
    /// Between -1 and 1.
    fn even(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        #[expect(clippy::cast_precision_loss, reason = "a share of the whole")]
        let share = (self.0 >> 40) as f32 / (1_u32 << 23) as f32;
        share - 1.0
    }
}

/// Noise like that of a street behind a window.
#[derive(Default)]
pub struct Street {
    chance: Chance,
    low: f32,
}

impl Street {
    fn next(&mut self) -> f32 {
        let white = self.chance.even();
        self.low = 0.95 * self.low + white;
        self.low + 0.5 * white
    }

    /// The same sound with a street so many decibels below it.
    pub fn around(&mut self, sound: &[f32], decibels: f32) -> Vec<f32> {
        let power = |sound: &[f32]| sound.iter().map(|x| x * x).sum::<f32>();
        let street: Vec<f32> = sound.iter().map(|_| self.next()).collect();
        let softer = 10_f32.powf(-decibels / 20.0) * (power(sound) / power(&street)).sqrt();
        sound.iter().zip(&street).map(|(sound, street)| sound + street * softer).collect()
    }
}

/// One kind of sound, sample by sample.
type Sounds = Box<dyn FnMut(usize) -> f32>;

fn kinds() -> [(&'static str, Sounds); 4] {
    [
        ("silence", Box::new(|_| 0.0)),
        ("noise", Box::new(noise())),
        ("music", Box::new(music())),
        ("keyboard", Box::new(keyboard())),
    ]
}

/// By turns white and dull, ten seconds each.
fn noise() -> impl FnMut(usize) -> f32 {
    let (mut chance, mut street) = (Chance::default(), Street::default());
    move |at| {
        let white = chance.even();
        let dull = street.next() / 8.0;
        let ten_seconds = at / (10 * EARS_RATE as usize);
        if ten_seconds.is_multiple_of(2) { white } else { dull }
    }
}

/// Chords with a tune above them, each note with its overtones.
fn music() -> impl FnMut(usize) -> f32 {
    const CHORDS: [[f32; 3]; 4] = [
        [261.6, 329.6, 392.0],
        [220.0, 261.6, 329.6],
        [174.6, 220.0, 261.6],
        [196.0, 246.9, 293.7],
    ];
    const TUNE: [f32; 8] = [523.3, 587.3, 659.3, 587.3, 440.0, 493.9, 523.3, 392.0];
    let beat = EARS_RATE as usize / 2;
    move |at| {
        #[expect(clippy::cast_precision_loss, reason = "within a beat")]
        let into = (at % beat) as f32 / RATE;
        #[expect(clippy::cast_precision_loss, reason = "a few minutes")]
        let time = (at % (EARS_RATE as usize * 60)) as f32 / RATE;
        let tone = |hertz: f32| {
            let over = |times: f32| (TAU * hertz * times * time).sin() / times;
            over(1.0) + over(2.0) * 0.6 + over(3.0) * 0.3
        };
        let chord: f32 = CHORDS[at / beat / 4 % 4].iter().map(|hertz| tone(*hertz)).sum();
        let tune = tone(TUNE[at / beat % 8]) * (-3.0 * into).exp();
        (chord / 3.0 + tune) / 3.0
    }
}

/// Keys that are hit at a typist's pace: a click and a thud each.
fn keyboard() -> impl FnMut(usize) -> f32 {
    let (mut chance, mut next, mut since) = (Chance::default(), 0, 0_usize);
    move |at| {
        if at >= next {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive")]
            let pause = (RATE * (0.12 + 0.08 * (1.0 + chance.even()))) as usize;
            (next, since) = (at + pause, at);
        }
        #[expect(clippy::cast_precision_loss, reason = "within a keystroke")]
        let into = (at - since) as f32 / RATE;
        chance.even() * (-into * 400.0).exp() + (TAU * 120.0 * into).sin() * (-into * 90.0).exp()
    }
}

pub fn measure(models: &Models) -> anyhow::Result<()> {
    for (kind, mut sounds) in kinds() {
        let (mut noticed, mut turns, mut at) = (0, 0, 0);
        for loud in LOUD {
            let format = Format::mono(EARS_RATE)?;
            let listener = Arc::clone(&models.silero) as _;
            let mut ear = Ear::new(format, listener, Patience::default(), TurnMode::Auto);
            ear.listen(false);
            for _ in 0..MINUTES * 60 / LOUD.len() {
                let sound = (at..at + EARS_RATE as usize).map(|at| sounds(at) * loud);
                let bytes = pcm::bytes(&sound.collect::<Vec<_>>());
                at += EARS_RATE as usize;
                let mut notices = ear.hear(&bytes)?.notices;
                while !notices.is_empty() {
                    notices = follow(models, &mut ear, notices, &mut noticed, &mut turns);
                }
            }
        }
        let an_hour = |count: usize| count * 60 / MINUTES;
        let what = format!("taken for speech in an hour of {kind}; turns that came of it");
        row(&what, format!("{}; {}", an_hour(noticed), an_hour(turns)), "0 turns");
    }
    Ok(())
}

fn follow(
    models: &Models,
    ear: &mut Ear,
    notices: Vec<Notice>,
    noticed: &mut usize,
    turns: &mut usize,
) -> Vec<Notice> {
    let mut next = Vec::new();
    for notice in notices {
        match notice {
            Notice::Began { .. } => *noticed += 1,
            Notice::Decode(task) => next.extend(ear.decoded(task.run(&models.ears), 100)),
            Notice::Final(_) => {
                *turns += 1;
                ear.listen(false);
            }
            Notice::NoWords { .. } | Notice::NoSpeech | Notice::Failed { .. } => ear.listen(false),
            Notice::Partial { .. } | Notice::Ended { .. } | Notice::Stumbled { .. } => {}
        }
    }
    next
}
