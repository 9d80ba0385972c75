//! Somebody thinks in the middle of a sentence: whether we believe that they are done.
//!
//! Only the judge of frames and the policy are asked, so it takes no longer than that.

use std::path::Path;
use std::sync::Arc;

use speech::ear::{Ear, Notice};
use speech::endpoint::{Patience, TurnMode};
use speech::pcm::{self, Format};
use speech::resample::EARS_RATE;

use super::models::Models;
use super::noise::Street;
use super::people;
use super::table::row;

/// What is said, with a mark where somebody thinks.
const SENTENCES: [&str; 12] = [
    "Put lunch with Tom | on Friday at noon.",
    "Send a mail to Priya that | Thursday works for me.",
    "What meetings do I have | tomorrow afternoon?",
    "Move the design review | to Wednesday | at three.",
    "Remind me to | call the dentist | next Monday.",
    "Is there any new mail from | the landlord?",
    "Write to Dana that I am running late, | about ten minutes.",
    "Book a table | for four people | on Saturday evening.",
    "Reply to Omar | and tell him | the contract is fine.",
    "When is | the stand-up this week?",
    "Cancel my appointment | with Doctor Chen.",
    "Find the invoice | from October, | the one over four hundred dollars.",
];
/// How long they think.
const PAUSES_MS: [usize; 5] = [200, 350, 500, 700, 900];
/// Behind the last word, so that the end is noticed.
const QUIET_MS: usize = 2_000;
/// A room is never quite silent: so many decibels below the voice.
const ROOM: f32 = 30.0;

pub fn measure(models: &Models, clips: Option<&Path>) -> anyhow::Result<()> {
    let parts: Vec<Vec<Vec<f32>>> = SENTENCES
        .iter()
        .map(|sentence| sentence.split('|').map(|part| models.say(part.trim())).collect())
        .collect();
    let pauses: usize = parts.iter().map(|parts| parts.len() - 1).sum();
    let (mut street, mut taken) = (Street::default(), Vec::new());
    for pause_ms in PAUSES_MS {
        let mut early = 0;
        for parts in &parts {
            let sound = parts.join(&silence(pause_ms)[..]);
            early += ends_before(models, &street.around(&sound, ROOM))?;
        }
        taken.push(early.to_string());
    }
    let lengths = PAUSES_MS.map(|ms| ms.to_string()).join(", ");
    let what = format!("{pauses} pauses of {lengths} ms in the middle, taken for the end");
    row(&what, taken.join(", "), "");
    if let Some(folder) = clips {
        let clips = people::clips(folder)?;
        let mut early = 0;
        for clip in &clips {
            early += ends_before(models, clip)?;
        }
        let seconds = clips.iter().map(Vec::len).sum::<usize>() / EARS_RATE as usize;
        let what = format!("people cut off, {} clips, {seconds} s", clips.len());
        row(&what, format!("{early} times"), "");
    }
    Ok(())
}

fn silence(ms: usize) -> Vec<f32> {
    vec![0.0; ms * EARS_RATE as usize / 1_000]
}

/// How often somebody was believed to be done before they were.
fn ends_before(models: &Models, sound: &[f32]) -> anyhow::Result<usize> {
    let listener = Arc::clone(&models.silero) as _;
    let format = Format::mono(EARS_RATE)?;
    let mut ear = Ear::new(format, listener, Patience::default(), TurnMode::Auto);
    ear.listen(false);
    let sound = [sound, &silence(QUIET_MS)].concat();
    let mut ends = 0;
    for frame in pcm::bytes(&sound).chunks(640) {
        for notice in ear.hear(frame)?.notices {
            if matches!(notice, Notice::Ended { .. }) {
                ends += 1;
                ear.listen(false);
            }
        }
    }
    Ok(usize::saturating_sub(ends, 1))
}
