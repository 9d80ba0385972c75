//! People through our ears, where somebody has recordings of them.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use speech::pcm::Format;
use speech::resample::{EARS_RATE, Resampler};
use speech::score::{Score, Sentence};

use super::models::Models;
use super::table::row;
use crate::cli::recording::Recording;

pub fn measure(models: &Models, folder: &Path) -> anyhow::Result<()> {
    let mut score = Score::default();
    for (text, sound) in recorded(folder)? {
        score.add(&Sentence { text, names: Vec::new() }, &models.hear(&sound));
    }
    let Score { sentences, words, .. } = score;
    let wrong = score.wrong_of_hundred();
    row(
        &format!("people, {sentences} clips, {words} words"),
        format!("{wrong:.1} of 100 words wrong"),
        "",
    );
    Ok(())
}

/// What was recorded, without its words.
pub fn clips(folder: &Path) -> anyhow::Result<Vec<Vec<f32>>> {
    Ok(recorded(folder)?.into_iter().map(|(_, sound)| sound).collect())
}

/// Words and how they were said.
fn recorded(folder: &Path) -> anyhow::Result<Vec<(String, Vec<f32>)>> {
    let files = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let mut all = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|end| end == "wav")) {
        let Ok(text) = std::fs::read_to_string(path.with_extension("txt")) else { continue };
        all.push((text, clip(path)?));
    }
    if all.is_empty() {
        bail!("{} has no recording with its words in a .txt beside it", folder.display());
    }
    Ok(all)
}

fn clip(path: &Path) -> anyhow::Result<Vec<f32>> {
    let recording = Recording::read(path)?;
    let samples = Format::new(recording.rate, recording.channels)?.samples(&recording.bytes)?;
    Ok(Resampler::new(recording.rate, EARS_RATE).push(&samples))
}
