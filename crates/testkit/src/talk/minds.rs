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
    let by_rules = played(&lines, Stage::default(), |_| ());
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
    let by_other = played(&lines, stage, |frame| copycat.sees(frame));
    let by_other = by_other.await.map_err(|(line, reason)| unreadable(line, reason))?;
    // What is heard takes its time, and may come to the same a line later.
    let is_together = other == Other::Live;
    Ok(compared(talk, &lines, &by_rules, &by_other, is_together))
}

/// Every frame that came of each line.
async fn played(
    lines: &[Line],
    mut stage: Stage,
    sees: impl Fn(&str),
) -> Result<Vec<Vec<Value>>, (usize, String)> {
    let mut came = Vec::new();
    for (number, line) in (1..).zip(lines) {
        if let Line::Does { says, .. } = line {
            let done = stage.perform(says).await;
            done.map_err(|reason| (line_of(lines, number), reason))?;
            stage.events().await;
        }
        let frames = stage.take_frames();
        for frame in &frames {
            sees(frame);
        }
        came.push(frames.iter().map(|it| serde_json::from_str(it).expect("JSON")).collect());
    }
    stage.leave().await;
    Ok(came)
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
