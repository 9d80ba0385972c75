//! The same conversations said aloud: what is written down as typed is spoken into
//! a microphone, and the same has to be done in the end.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use session::Senses;

use super::script::{self, Line, Said};
use super::stage::{Speaker, Stage};
use super::{TalkError, act};
use crate::aloud::{Room, Somebody};

/// What became of a talk that was spoken.
#[derive(Debug, Default)]
pub struct Spoken {
    /// The writes of the talk as it is written, and as it was said.
    pub expected: Vec<Value>,
    pub done: Vec<Value>,
    /// How often a yes had to be said once more.
    pub again: usize,
    /// Everything that was understood.
    pub heard: Vec<String>,
}

impl Spoken {
    pub fn is_same(&self) -> bool {
        self.expected == self.done
    }

    /// Something was done that should not have been.
    pub fn is_wrong(&self) -> bool {
        self.done.iter().any(|done| !self.expected.contains(done))
    }
}

/// All talks of a folder that can be spoken: nothing is done in them but talking,
/// and something is written in the end.
pub fn speakable(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("the talks");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a talk").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "talk") && is_speakable(file));
    files.sort();
    files
}

fn is_speakable(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let Ok(lines) = script::parse(&text) else { return false };
    let mut writes = false;
    for line in &lines {
        let Line::Does { says, expected, .. } = line else { continue };
        if !matches!(says, Said::Types(_) | Said::Now(_)) {
            return false;
        }
        writes |= expected.iter().any(|event| write(event).is_some());
    }
    writes
}

/// Plays a talk aloud.
pub async fn play(
    file: &Path,
    senses: Arc<Senses>,
    somebody: Arc<Somebody>,
    decibels: f32,
) -> Result<Spoken, TalkError> {
    let talk = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let unreadable = |line, reason| TalkError::Unreadable { talk: talk.clone(), line, reason };
    let text = std::fs::read_to_string(file)?;
    let lines = script::parse(&text).map_err(|(line, reason)| unreadable(line, reason))?;
    let mut stage = Stage::default().said_by(Speaker {
        senses,
        somebody,
        room: Room::default(),
        decibels,
        live: None,
    });
    let mut spoken = Spoken::default();
    for line in &lines {
        let Line::Does { says, expected, .. } = line else { continue };
        let mut came = act(&mut stage, says).await.map_err(|reason| unreadable(0, reason))?;
        let answers = |events: &[String]| {
            events.iter().any(|event| event.starts_with("confirmation.resolved"))
        };
        if answers(expected) && !answers(&came) {
            // As anybody would who is asked once more.
            let yes = Said::Types("Yes, please.".into());
            spoken.again += 1;
            came.extend(act(&mut stage, &yes).await.map_err(|reason| unreadable(0, reason))?);
        }
        spoken.expected.extend(expected.iter().filter_map(|event| write(event)));
        spoken.done.extend(came.iter().filter_map(|event| write(event)));
        let heard = came.iter().filter(|event| event.starts_with("input_transcript.final"));
        spoken.heard.extend(heard.cloned());
    }
    stage.leave().await;
    Ok(spoken)
}

/// The write that an event of a talk is: the tool and what it is called with.
fn write(event: &str) -> Option<Value> {
    let rest = event.strip_prefix("tool_call.request ")?;
    let (tool, args) = rest.split_once(" orchestrated write ")?;
    let mut args: Value = serde_json::from_str(args).ok()?;
    // Drafts are numbered as they come.
    args.as_object_mut()?.remove("draft_id");
    args["tool"] = tool.into();
    Some(args)
}
