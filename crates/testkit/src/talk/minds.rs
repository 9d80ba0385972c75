//! The same conversations with another mind: what the rules plan in a talk, a model plans in
//! their place, and the same has to come of it.
//!
//! A talk is played twice. First as it is written; then nobody reads anything but a model
//! (`copycat`), asked over a provider's HTTP, or, where everything is said
//! aloud, in the conversation of a live voice. What is compared stands in `facts`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use models::provider::{
    Answering, Ask, Delta, Deltas, Examined, Far, Line as FarLine, Patience, Provider, Tongue,
    Trouble,
};
use serde_json::Value;

use super::copycat::Copycat;
use super::facts::{Facts, Names, facts};
use super::script::{self, Brain, Line, Said};
use super::stage::{Speaker, Stage};
use super::{TalkError, line_of};
use crate::FakeSenses;
use crate::aloud::{Room, Somebody};
use crate::provider::{FakeProvider, KEY, MODELS};
use crate::realtime::FakeRealtime;

/// Who thinks in place of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// A model behind a provider's door.
    Model,
    /// A live voice: what would be typed is said to it.
    Live,
}

/// Where a talk went otherwise.
#[derive(Debug, thiserror::Error)]
#[error(
    "{talk}:{line}: after `{after}`\n  by the rules: {rules:#?}\n  otherwise: {other:#?}\n{words}"
)]
pub struct Otherwise {
    talk: String,
    line: usize,
    after: String,
    rules: Facts,
    other: Facts,
    /// What was heard and said the second time.
    words: String,
}

/// The talks of a folder in which something is orchestrated by the rules, or by a mind that
/// stands for them.
pub fn orchestrated(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("the talks");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a talk").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "talk") && is_orchestrated(file));
    files.sort();
    files
}

fn is_orchestrated(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let Ok(lines) = script::parse(&text) else { return false };
    let mut is_planned = false;
    for line in &lines {
        let Line::Does { says, expected, .. } = line else { continue };
        let is_small = |says: &Said| matches!(says, Said::Model { brain: Brain::Interpreter, .. });
        if matches!(says, Said::Modelled | Said::Helped | Said::Guarded) || is_small(says) {
            return false;
        }
        is_planned |= expected.iter().any(|event| event.starts_with("plan.update"));
    }
    is_planned
}

/// Plays a talk with the rules and with somebody else.
pub async fn play(file: &Path, other: Other) -> Result<Result<(), Box<Otherwise>>, TalkError> {
    let talk = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(file)?;
    let unreadable = |line, reason| TalkError::Unreadable { talk: talk.clone(), line, reason };
    let lines = script::parse(&text).map_err(|(line, reason)| unreadable(line, reason))?;
    let by_rules = played(&lines, Stage::default(), None, |_| ());
    let by_rules = by_rules.await.map_err(|(line, reason)| unreadable(line, reason))?;
    let copycat = Copycat::of(&by_rules.concat());
    let provider = FakeProvider::start().await;
    copycat.speak_through(&provider);
    let stage = match other {
        Other::Model => Stage::thinking_with(model(&provider)),
        Other::Live => {
            let live = FakeRealtime::start().await;
            copycat.speak_live(&live);
            let senses = FakeSenses::default();
            let speaker = Speaker {
                senses: Arc::new(senses.senses()),
                somebody: Arc::new(Somebody::Scripted(senses)),
                room: Room::default(),
                decibels: f32::INFINITY,
                live: Some(live),
            };
            Stage::thinking_with(model(&provider)).said_by(speaker)
        }
    };
    let by_other = played(&lines, stage, Some(&by_rules), |frame| copycat.sees(frame));
    let by_other = by_other.await.map_err(|(line, reason)| unreadable(line, reason))?;
    // What is heard takes its time, and may come to the same a line later.
    let is_together = other == Other::Live;
    Ok(compared(talk, &lines, &by_rules, &by_other, is_together))
}

/// Every frame that came of each line. Who knows what came of them by the rules names the
/// address that they agree to, where it is doubted: a bare yes is not enough then.
async fn played(
    lines: &[Line],
    mut stage: Stage,
    by_rules: Option<&[Vec<Value>]>,
    sees: impl Fn(&str),
) -> Result<Vec<Vec<Value>>, (usize, String)> {
    let mut came: Vec<Vec<Value>> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let failed = |reason| (line_of(lines, at + 1), reason);
        let mut frames = Vec::new();
        if let Line::Does { says, .. } = line {
            frames = done(&mut stage, says, &sees).await.map_err(failed)?;
            let meant = by_rules.and_then(|rules| address_agreed_to(&rules[at]));
            if let Some(address) = meant.filter(|it| is_doubted(it, came.iter().flatten()))
                && let Some(names) = named(address, says, &frames).map_err(failed)?
            {
                frames.extend(done(&mut stage, &names, &sees).await.map_err(failed)?);
            }
        }
        came.push(frames);
    }
    stage.leave().await;
    Ok(came)
}

/// What is said besides by whoever agreed to an address that is doubted: that address.
fn named(address: &str, says: &Said, came: &[Value]) -> Result<Option<Said>, String> {
    let is_decided = of_kind(came, "confirmation.resolved").next().is_some();
    match says {
        Said::Types(text) if is_decided && !text.contains(address) => {
            Err(format!("{address} was only heard, and nobody named it"))
        }
        _ if is_decided => Ok(None),
        _ => Ok(Some(Said::Types(format!("Yes, send it to {address}.")))),
    }
}

/// Every frame that comes of it.
async fn done(stage: &mut Stage, says: &Said, sees: &impl Fn(&str)) -> Result<Vec<Value>, String> {
    stage.perform(says).await?;
    stage.events().await;
    let frames = stage.take_frames();
    for frame in &frames {
        sees(frame);
    }
    Ok(frames.iter().map(|it| serde_json::from_str(it).expect("JSON")).collect())
}

/// Whom a mail goes to by a yes among these frames.
fn address_agreed_to(frames: &[Value]) -> Option<&str> {
    of_kind(frames, "confirmation.resolved").find(|answer| answer["decision"] == "accept")?;
    let write = of_kind(frames, "tool_call.request").find(|it| it["action_level"] == "write")?;
    write["arguments"]["to"][0].as_str()
}

/// Whether a card says of an address that it is only as it was heard.
fn is_doubted<'a>(address: &str, frames: impl Iterator<Item = &'a Value>) -> bool {
    let warnings = |card: &'a Value| card["warnings"].as_array().into_iter().flatten();
    let is_it = |it: &Value| {
        it["code"] == "address_heard" && it["text"].as_str().is_some_and(|it| it.contains(address))
    };
    of_kind(frames, "confirmation.request").flat_map(warnings).any(is_it)
}

/// What such frames tell.
fn of_kind<'a>(
    frames: impl IntoIterator<Item = &'a Value>,
    kind: &'static str,
) -> impl Iterator<Item = &'a Value> {
    let are_it = frames.into_iter().filter(move |frame| frame["event_type"] == kind);
    are_it.map(|frame| &frame["payload"])
}

fn compared(
    talk: String,
    lines: &[Line],
    by_rules: &[Vec<Value>],
    by_other: &[Vec<Value>],
    is_together: bool,
) -> Result<(), Box<Otherwise>> {
    let (mut theirs, mut ours) = (Names::default(), Names::default());
    let (mut all_rules, mut all_other) = (Facts::default(), Facts::default());
    for (at, line) in lines.iter().enumerate() {
        let rules = facts(&by_rules[at], &mut theirs);
        let other = facts(&by_other[at], &mut ours);
        let Line::Does { text, .. } = line else { continue };
        if is_together {
            all_rules.join(rules);
            all_other.join(other);
        } else if rules != other {
            let (line, after) = (line_of(lines, at + 1), text.trim().to_owned());
            let words = words(&by_other[..=at]);
            return Err(Box::new(Otherwise { talk, line, after, rules, other, words }));
        }
    }
    if all_rules != all_other {
        let (line, after) = (1, "all of it".to_owned());
        let (rules, other) = (all_rules, all_other);
        let words = words(by_other);
        return Err(Box::new(Otherwise { talk, line, after, rules, other, words }));
    }
    Ok(())
}

/// A line for whatever was heard, said or refused.
fn words(came: &[Vec<Value>]) -> String {
    let line = |frame: &Value| {
        let (kind, payload) = (frame["event_type"].as_str()?, &frame["payload"]);
        let text = match kind {
            "input_transcript.final" | "assistant_text.final" => &payload["text"],
            "error" => &payload["code"],
            "confirmation.resolved" => &payload["decision"],
            "turn.cancelled" => &payload["reason"],
            _ => return None,
        };
        Some(format!("    {kind} {text}\n"))
    };
    came.iter().flatten().filter_map(line).collect()
}

/// A provider as the server would reach it, except that no time passes while it is asked:
/// the line is a real one, and time is not.
fn model(fake: &FakeProvider) -> Arc<dyn Provider> {
    let tongue = Tongue::Responses;
    let long = Duration::from_secs(20);
    let line = FarLine {
        name: tongue.name().to_owned(),
        tongue,
        base: fake.base(tongue),
        key: Some(KEY.to_owned()),
        model: MODELS[0].to_owned(),
        tier: models::Tier::Cloud,
        effort: models::provider::Effort::None,
        patience: Patience { connect: long, first: long, alone: long, idle: long },
    };
    Arc::new(Timeless(Far::new(line).expect("an address and a key")))
}

struct Timeless(Far);

/// Time stands still as long as somebody has this: it does while a thread is at work.
struct Still(
    #[expect(dead_code, reason = "dropping it ends the work")] std::sync::mpsc::Sender<()>,
);

impl Still {
    fn stand() -> Self {
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || receiver.recv());
        Self(sender)
    }
}

#[async_trait]
impl Provider for Timeless {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn model(&self) -> &str {
        self.0.model()
    }

    async fn ask(&self, ask: &Ask) -> Result<Answering, Trouble> {
        let _still = Still::stand();
        let Answering { request_id, deltas } = self.0.ask(ask).await?;
        Ok(Answering { request_id, deltas: Box::new(TimelessDeltas(deltas)) })
    }

    async fn examine(&self) -> Result<Examined, Trouble> {
        let _still = Still::stand();
        self.0.examine().await
    }
}

struct TimelessDeltas(Box<dyn Deltas>);

#[async_trait]
impl Deltas for TimelessDeltas {
    async fn next(&mut self) -> Result<Option<Delta>, Trouble> {
        let _still = Still::stand();
        self.0.next().await
    }
}
