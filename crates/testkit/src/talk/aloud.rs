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
    /// How often something else stood on a card than was meant, and got no yes.
    pub refused: usize,
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
    // What stands on the card, and what would have been on it.
    let (mut shown, mut meant) = (None, None);
    for line in &lines {
        let Line::Does { says, expected, .. } = line else { continue };
        let agrees = is_answered(expected, " accept");
        // Whoever reads something else on the card than they meant does not say yes to it.
        let refuses = agrees && shown != meant;
        let no = Said::Types("No, don't.".into());
        let says = if refuses { &no } else { says };
        let mut came = act(&mut stage, says).await.map_err(|reason| unreadable(0, reason))?;
        if agrees && !refuses && !is_answered(&came, "") {
            // As anybody would who is asked once more.
            let yes = Said::Types("Yes, please.".into());
            spoken.again += 1;
            came.extend(act(&mut stage, &yes).await.map_err(|reason| unreadable(0, reason))?);
        }
        spoken.refused += usize::from(refuses);
        shown = came.iter().rev().find_map(|event| on_card(event)).or(shown);
        meant = expected.iter().rev().find_map(|event| on_card(event)).or(meant);
        spoken.expected.extend(expected.iter().filter_map(|event| write(event)));
        spoken.done.extend(came.iter().filter_map(|event| write(event)));
        let heard = came.iter().filter(|event| event.starts_with("input_transcript.final"));
        spoken.heard.extend(heard.cloned());
    }
    stage.leave().await;
    Ok(spoken)
}

fn is_answered(events: &[String], how: &str) -> bool {
    let is_it = |event: &&String| event.starts_with("confirmation.resolved");
    events.iter().filter(is_it).any(|event| event.contains(how))
}

/// What an event of a talk puts on a card.
fn on_card(event: &str) -> Option<Value> {
    let shows = ["confirmation.request ", "confirmation.updated "];
    let rest = shows.iter().find_map(|name| event.strip_prefix(name))?;
    let mut values = serde_json::Deserializer::from_str(&rest[rest.find('{')?..]).into_iter();
    let mut shown: Value = values.next()?.ok()?;
    // Drafts are numbered as they come.
    shown.as_object_mut()?.remove("draft_id");
    Some(shown)
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
