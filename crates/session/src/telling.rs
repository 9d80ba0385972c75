//! What is said of a turn: what was decided since, the next card, how it ended.
//!
//! Outcomes of writes are rendered from what is recorded of them; no model has a
//! hand in these words.

use std::sync::Arc;

use brain::confirmation::{self, ConfirmationState};
use brain::event::Question;
use brain::paper::OpenedFile;
use brain::plan::Step;
use brain::{
    Action, ActionId, ActionLevel, ActionState, Card, Confirmation, ConfirmationId, Event,
    InputMode, Outcome, Seal, TurnId, TurnState, audit,
};
use models::{Done, Focus, Understanding, Unmet, World, narrator};
use serde::Deserialize;
use serde_json::Value;

use crate::act::Errand;
use crate::house::House;
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::peril::Moment;
use crate::turn::{self, Desk, Pause, Trouble, Turn, Walked, begins_to_speak, sets_to_work, world};
use crate::work::{Fate, Work};
use crate::write::returned;

/// After so long a card is not what people have just heard of.
const LONG_AGO: jiff::SignedDuration = jiff::SignedDuration::from_mins(2);

/// Says what happened since the person last heard of this turn.
pub(crate) struct Teller<'a> {
    pub turn: &'a Turn,
    pub house: &'a Arc<House>,
    pub world: &'a World,
    /// The newest revision of every card of this turn.
    pub cards: Vec<Confirmation>,
}

impl Teller<'_> {
    /// What was found, in words; what people could point at by then is `focus`.
    pub async fn tell(
        &self,
        understanding: Option<&Understanding>,
        done: &[Done],
        focus: &Focus,
    ) -> String {
        let Some(understanding) = understanding else { return String::new() };
        let world = World { focus: focus.clone(), ..self.world.clone() };
        turn::tell(self.turn, understanding, done, &world, self.house).await
    }

    /// What was decided and not told of yet, rendered from what is recorded.
    pub fn news(&self, errand: &mut Errand<'_>, entry: &mut Entry) -> String {
        let mut text = String::new();
        let mut tried = Vec::new();
        let mut failed = String::new();
        let fresh = (1..=errand.work.fates.len()).filter(|step| !errand.work.told.contains(step));
        for step in fresh.collect::<Vec<_>>() {
            let preview = |id: &ConfirmationId| Some(&self.card(*id)?.card.preview);
            let sentence = match errand.work.fate(step) {
                Fate::Agreed { action, .. } => {
                    tried.push(*action);
                    None
                }
                Fate::Declined { question } => preview(question).map(narrator::outcome::rejected),
                Fate::Expired { question } => preview(question)
                    .map(|preview| narrator::outcome::expired(&narrator::card::called(preview))),
                Fate::Failed { error } => {
                    let step = &errand.work.plan.steps[step - 1];
                    if step.action_level != ActionLevel::Write || error.code == "nothing_there" {
                        continue;
                    }
                    let called = narrator::outcome::unshown(&step.tool, &step.args);
                    join(&mut failed, &narrator::outcome::not_run(&called, &error.code));
                    None
                }
                Fate::Waiting | Fate::Brought { .. } | Fate::Asking { .. } | Fate::NotRun => {
                    continue;
                }
            };
            join(&mut text, &sentence.unwrap_or_default());
            errand.work.told.push(step);
        }
        let told: Vec<_> =
            errand.actions.iter_mut().filter(|one| tried.contains(&one.id)).collect();
        if !told.is_empty() {
            let ended = marked(told, entry);
            let now = self.world.local_now();
            let how = match ended.as_slice() {
                [one] if writes(&errand.work) > 1 || self.is_long_ago(one) => {
                    narrator::outcome::of_one(one, &now)
                }
                all => narrator::outcome::several(all, &now),
            };
            join(&mut text, &how);
        }
        join(&mut text, &failed);
        let is_lost = |step: &&Step| {
            step.action_level == ActionLevel::Write
                && *errand.work.fate(step.step_index) == Fate::NotRun
                && !errand.work.told.contains(&step.step_index)
        };
        let lost: Vec<_> =
            errand.work.plan.steps.iter().filter(is_lost).map(|step| step.step_index).collect();
        if !text.is_empty() && !lost.is_empty() {
            let because = errand.work.why_lost(lost[0], &errand.actions);
            join(&mut text, &narrator::outcome::not_run("the rest", because));
            errand.work.told.extend(lost);
        }
        text
    }

    /// Was it so long from the card to the yes that "it" could be anything?
    fn is_long_ago(&self, action: &Action) -> bool {
        let card = self.card(action.confirmation);
        card.is_some_and(|card| action.agreed_at.duration_since(card.asked_at) >= LONG_AGO)
    }

    fn card(&self, id: ConfirmationId) -> Option<&Confirmation> {
        self.cards.iter().find(|card| card.id == id)
    }

    /// Puts a card into the entry; people see it once it is on disk.
    pub fn show(&self, step: &Step, card: Card, work: &mut Work, entry: &mut Entry) -> Question {
        let now = self.house.clock.now();
        let confirmation = Confirmation {
            id: ConfirmationId(self.house.ids.next()),
            revision: 1,
            action: ActionId(self.house.ids.next()),
            session: self.turn.session,
            user: self.turn.user,
            turn: self.turn.id,
            step: step.step_index,
            tool: step.tool.clone(),
            seal: Seal::of(&step.tool, &Value::Object(card.payload.clone())),
            card,
            state: ConfirmationState::Pending,
            asked_at: now,
            expires_at: now.saturating_add(confirmation::PATIENCE).unwrap_or(now),
            decided: None,
        };
        work.set(step.step_index, Fate::Asking { question: confirmation.id });
        let question = Question::of(&confirmation, work.plan.steps.len());
        entry.events.push(Event::AskedToConfirm(Box::new(question.clone())));
        entry.work = Some(work.kept());
        entry.audit.push(line(&confirmation, "asked", now));
        entry.confirmations.push(confirmation);
        question
    }
}

fn writes(work: &Work) -> usize {
    work.plan.steps.iter().filter(|step| step.action_level == ActionLevel::Write).count()
}

/// What is known for good is marked as told, in the entry that tells it.
fn marked<'a>(actions: Vec<&'a mut Action>, entry: &mut Entry) -> Vec<&'a Action> {
    let mark = |action: &'a mut Action| {
        if action.state.is_over() {
            action.told = true;
            entry.actions.push(action.clone());
        }
        &*action
    };
    actions.into_iter().map(mark).collect()
}

/// Tells how writes ended whose turns were over by then.
pub(crate) async fn follow(
    turn: &Turn,
    follows: TurnId,
    mut actions: Vec<Action>,
    house: &Arc<House>,
    desk: &Desk,
) -> Result<Walked, Trouble> {
    let world = world(turn, house).await.map_err(Trouble::Store)?;
    let mut entry = Entry::new(Moment::Followed, turn.id);
    entry.events = vec![
        Event::TurnStarted {
            input_mode: InputMode::Text,
            in_reply_to: None,
            follows: Some(follows),
            goes_on: None,
        },
        Event::StateChanged {
            from: TurnState::FinalizingInput,
            to: TurnState::Thinking,
            reason: "outcome".into(),
        },
        sets_to_work(),
    ];
    entry.events.extend(actions.iter().filter_map(returned));
    let ended = marked(actions.iter_mut().collect(), &mut entry);
    let text = narrator::outcome::later(&ended, &world.local_now());
    let (said, whole, has_words) = Mouth::default().answer(&text);
    let (outcome, error_code) = verdict(None, &[], &[], &actions, has_words);
    entry.events.push(begins_to_speak(TurnState::ExecutingTools));
    entry.events.extend(said);
    entry.events.extend([whole, Event::ended(outcome, error_code)]);
    desk.write(entry).await?;
    Ok(Walked { focus: world.focus, done: Vec::new(), pause: Pause::Over })
}

/// A line of the audit about a card.
pub(crate) fn line(card: &Confirmation, what: &str, at: jiff::Timestamp) -> audit::Line {
    audit::Line {
        session: Some(card.session),
        turn: Some(card.turn),
        confirmation: Some(card.id),
        revision: Some(card.revision),
        action: Some(card.action),
        tool: Some(card.tool.clone()),
        seal: Some(card.seal),
        ..audit::Line::new(at, card.user, what)
    }
}

pub(crate) fn join(text: &mut String, more: &str) {
    let more = more.trim();
    if !text.trim().is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// Only files were looked into, and none of them can be read.
fn is_unread(done: &[Done]) -> bool {
    let unread = |step: &Done| {
        let found = step.result.as_ref().ok().and_then(|found| OpenedFile::deserialize(found).ok());
        step.tool.starts_with("attachment.")
            && found.is_some_and(|found| found.problem.is_some() && !found.later)
    };
    !done.is_empty() && done.iter().all(unread)
}

/// The same of an answer that was not told to its end, where it broke off for a reason.
pub(crate) fn as_far_as_told(
    verdict: (Outcome, Option<String>),
    broke_off: Option<&'static str>,
) -> (Outcome, Option<String>) {
    match (verdict, broke_off) {
        ((Outcome::Success, None), Some(code)) => (Outcome::Partial, Some(code.to_owned())),
        (verdict, _) => verdict,
    }
}

/// How the turn went: what cannot be known weighs more than what failed, and
/// what failed more than what was declined.
pub(crate) fn verdict(
    understanding: Option<&Understanding>,
    done: &[Done],
    fates: &[Fate],
    actions: &[Action],
    has_words: bool,
) -> (Outcome, Option<String>) {
    let coded = |outcome, code: &str| (outcome, Some(code.to_owned()));
    if !has_words {
        return coded(Outcome::Failed, "no_answer");
    }
    let unsettled =
        |action: &&Action| !action.state.is_done() && action.state != ActionState::FailedClean;
    if let Some(action) = actions.iter().find(unsettled) {
        return coded(Outcome::Unknown, action.state.name());
    }
    let not_done = actions.iter().filter(|action| action.state.is_not_done());
    let errors = not_done.filter_map(|action| action.error.as_ref());
    let mut failed: Vec<_> = fates
        .iter()
        .filter_map(|fate| if let Fate::Failed { error } = fate { Some(error) } else { None })
        .filter(|error| error.code != "nothing_there")
        .chain(errors)
        .collect();
    // A direct answer has no fates.
    failed.extend(
        done.iter().filter_map(|step| step.result.as_ref().err()).filter(|_| fates.is_empty()),
    );
    let went_well = fates.iter().filter(|fate| matches!(fate, Fate::Brought { .. })).count()
        + actions.iter().filter(|action| action.state.is_done()).count();
    if let Some(first) = failed.first() {
        let outcome = if went_well > 0 { Outcome::Partial } else { Outcome::Failed };
        return (outcome, Some(first.code.clone()));
    }
    if is_unread(done) {
        return coded(Outcome::Failed, "unreadable_file");
    }
    if fates.iter().any(|fate| matches!(fate, Fate::Expired { .. })) {
        return coded(Outcome::Partial, "expired");
    }
    if fates.iter().any(|fate| matches!(fate, Fate::Declined { .. })) {
        return coded(Outcome::Partial, "rejected");
    }
    match understanding.and_then(Understanding::unmet) {
        None => (Outcome::Success, None),
        Some(Unmet::NeedsAnswer) => coded(Outcome::Partial, "needs_answer"),
        Some(Unmet::NotUnderstood) => coded(Outcome::Failed, "not_understood"),
        Some(Unmet::NotPossible) => coded(Outcome::Failed, "not_possible"),
    }
}
