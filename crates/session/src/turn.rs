//! One turn, from what was heard to what was said. Read it top to bottom.
//!
//! An ordinary turn costs two commits: what was asked and what will be looked
//! up, before the first word; what was found and said, at the end. Words that
//! need no look-up go out with the first. A mind that needs longer than a blink costs one more, so that people
//! see at once that they were heard.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use brain::mode::{self, Mode, Signals};
use brain::plan::{self, Plan, Proposal};
use brain::{Event, InputMode, Outcome, PlanId, SessionId, TurnId, TurnState, UserId};
use models::{Done, Focus, Understanding, Unmet, World};
use store::StoreError;
use tokio::sync::{mpsc, oneshot};

use crate::act::Errand;
use crate::actor::Note;
use crate::house::House;
use crate::log::Entry;
use crate::mouth::Mouth;

/// A thought that takes longer is not waited for before the first commit.
const BLINK: Duration = Duration::from_millis(5);

/// What a turn starts from.
pub(crate) struct Turn {
    pub id: TurnId,
    pub session: SessionId,
    pub user: UserId,
    pub text: String,
    /// The client's own id of what it sent, so that it knows this turn for its own.
    pub in_reply_to: Option<String>,
    pub focus: Focus,
}

/// How a turn reaches the log: by asking the session's owner.
#[derive(Clone)]
pub(crate) struct Desk {
    pub turn: TurnId,
    pub notes: mpsc::Sender<Note>,
}

/// Why a turn could not be walked to its end.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Interrupted, or the session has another owner: whoever did that tells people.
    Stopped,
    /// The store failed before anything could be shown.
    Store(StoreError),
}

/// What a finished turn leaves for the next one to refer to.
pub(crate) struct Walked {
    pub understanding: Understanding,
    pub done: Vec<Done>,
}

/// Walks `turn` through the rooms.
pub(crate) async fn walk(turn: &Turn, house: &Arc<House>, desk: &Desk) -> Result<Walked, Trouble> {
    let mut unanswered = Some(house.floor.enter());
    let world = world(turn, house).await.map_err(Trouble::Store)?;
    let mut entry = Entry { events: heard(turn), ..Entry::default() };

    let mut thought = pin!(house.mind.understand(&turn.text, &world));
    let understanding = if let Ok(at_once) = tokio::time::timeout(BLINK, &mut thought).await {
        at_once
    } else {
        // Nobody else has to wait for a slow mind.
        unanswered = None;
        desk.write(std::mem::take(&mut entry)).await?;
        thought.await
    };
    let (understanding, plan) = dispose(understanding, house);
    let mode = mode::select(&signals(&understanding, &plan));
    let mut mouth = Mouth::default();
    entry.mode = Some(mode);
    entry.events.push(decided(mode));
    entry.events.extend(understanding.acknowledgement.as_deref().and_then(|ack| mouth.say(ack)));

    if plan.steps.is_empty() {
        let text = tell(&understanding, &[], &world, house).await;
        let (said, whole, has_words) = mouth.answer(&text);
        entry.events.push(begins_to_speak(TurnState::Thinking));
        entry.events.extend(said);
        desk.write(entry).await?;
        drop(unanswered);
        let events = vec![whole, ended(&understanding, &[], has_words)];
        desk.write(Entry { events, ..Entry::default() }).await?;
        return Ok(Walked { understanding, done: Vec::new() });
    }

    let mut errand = Errand::new(turn, house, desk, &world, &plan, mode.execution);
    errand.announce(&mut entry);
    desk.write(entry).await?;
    drop(unanswered);
    house.floor.give_way().await;
    let (done, mut entry) = errand.run().await?;
    let text = tell(&understanding, &done, &world, house).await;
    let (said, whole, has_words) = mouth.answer(&text);
    entry.events.push(begins_to_speak(TurnState::ExecutingTools));
    entry.events.extend(said);
    entry.events.extend([whole, ended(&understanding, &done, has_words)]);
    desk.write(entry).await?;
    Ok(Walked { understanding, done })
}

async fn world(turn: &Turn, house: &House) -> Result<World, StoreError> {
    let known = house.acquaintance(turn.user).await?;
    Ok(World {
        now: house.clock.now().to_zoned(known.profile.zone()),
        profile: known.profile.clone(),
        contacts: known.contacts.clone(),
        focus: turn.focus.clone(),
    })
}

async fn tell(
    understanding: &Understanding,
    done: &[Done],
    world: &World,
    house: &House,
) -> String {
    match &understanding.question {
        Some(question) => question.clone(),
        None => house.mind.tell(understanding, done, world).await,
    }
}

pub(crate) fn heard(turn: &Turn) -> Vec<Event> {
    vec![
        Event::TurnStarted { input_mode: InputMode::Text, in_reply_to: turn.in_reply_to.clone() },
        Event::Heard { text: turn.text.clone(), confidence: 1.0 },
    ]
}

/// Models propose, code disposes: a proposal that does not check out is dropped
/// and the person is asked to say it another way.
fn dispose(understanding: Understanding, house: &House) -> (Understanding, Plan) {
    let id = PlanId(house.ids.next());
    let checked = plan::check(understanding.proposal.clone(), id, &*house.catalog);
    let (understanding, checked) = match checked {
        Ok(plan) => return (understanding, plan),
        Err(bad) => {
            // Not the words of it: they may be the person's.
            tracing::warn!(reason = bad.name(), "a proposed plan was refused");
            let nothing = plan::check(Proposal::default(), id, &*house.catalog);
            (Understanding::misunderstood(), nothing)
        }
    };
    (understanding, checked.expect("a plan without steps has nothing to object to"))
}

fn signals(understanding: &Understanding, plan: &Plan) -> Signals {
    Signals {
        realtime_healthy: false,
        tools: plan.steps.iter().map(|step| step.action_level).collect(),
        ambiguous: understanding.question.is_some() || !plan.ambiguity.is_empty(),
        long_running: false,
    }
}

fn decided(mode: Mode) -> Event {
    Event::StateChanged {
        from: TurnState::FinalizingInput,
        to: TurnState::Thinking,
        reason: format!("{}: {}", mode.execution.name(), mode.reason.name()),
    }
}

fn begins_to_speak(from: TurnState) -> Event {
    Event::StateChanged { from, to: TurnState::Speaking, reason: "answer".into() }
}

fn ended(understanding: &Understanding, done: &[Done], has_words: bool) -> Event {
    let failed = done.iter().filter_map(|step| step.result.as_ref().err());
    let error_code = failed.clone().next().map(|error| error.code.clone());
    let (outcome, error_code) = match failed.count() {
        _ if !has_words => (Outcome::Failed, Some("no_answer".to_owned())),
        0 => match understanding.unmet() {
            None => (Outcome::Success, None),
            Some(Unmet::NeedsAnswer) => (Outcome::Partial, Some("needs_answer".to_owned())),
            Some(Unmet::NotUnderstood) => (Outcome::Failed, Some("not_understood".to_owned())),
            Some(Unmet::NotPossible) => (Outcome::Failed, Some("not_possible".to_owned())),
        },
        n if n < done.len() => (Outcome::Partial, error_code),
        _ => (Outcome::Failed, error_code),
    };
    Event::TurnEnded { outcome, error_code }
}

impl Desk {
    /// Returns once the entry is on disk and shown.
    pub async fn write(&self, entry: Entry) -> Result<(), Trouble> {
        let (ack, done) = oneshot::channel();
        let note = Note::Write { turn: self.turn, entry, ack };
        self.notes.send(note).await.map_err(|_| Trouble::Stopped)?;
        done.await.map_err(|_| Trouble::Stopped)
    }
}
