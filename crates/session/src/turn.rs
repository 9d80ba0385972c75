//! One turn, from what was heard to what was said. Read it top to bottom.
//!
//! An ordinary turn costs two commits: what was asked and what will be looked
//! up, before the first word; what was found and said, at the end. Words that
//! need no look-up go out with the first. A mind that needs longer than a blink
//! costs one more, so that people see at once that they were heard.
//!
//! A turn that comes to a write shows a card and stops there ([`Pause::Parked`]).
//! After the answer, whoever owns the session then [`walk_on`]s from what is kept.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use brain::event::Question;
use brain::mode::Mode;
use brain::{
    Action, ActionState, Attached, Confirmation, Event, FileId, InputMode, SessionId, TurnId,
    TurnState, UserId,
};
use models::gist::Chat;
use models::{Done, Focus, Gist, Thinker, Tier, Understanding, World, narrator, thinker};
use serde_json::Value;
use store::{FileRow, StoreError};
use tokio::sync::{mpsc, oneshot, watch};
use tools::{Caller, Heard, Place};

use crate::act::Errand;
use crate::actor::Note;
use crate::deeper::{self, Before, Deeper, Further, Gone};
use crate::hearing::Voiced;
use crate::house::House;
use crate::interpreting;
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::peril::Moment;
use crate::telling::{Teller, as_far_as_told, join, verdict};
use crate::thinking::{dispose, mode_of, understand};
use crate::work::Work;

/// How often a sentence is read on with what was found; nothing anybody says
/// needs more.
const MOST_ROUNDS: usize = 4;
/// A thought that takes longer is not waited for before the first commit.
const BLINK: Duration = Duration::from_millis(5);
/// A write whose outcome is not known by then is told as unknown.
const PATIENCE: Duration = Duration::from_secs(20);
/// So long an unknown outcome is waited for before that is said.
const DOUBT: jiff::SignedDuration = jiff::SignedDuration::from_secs(2);

/// Before anything else that is said to whoever spoke for more than a minute.
pub(crate) const TOO_LONG: &str =
    "That was longer than I can follow in one go. I took it up to here.";

/// What a turn starts from.
pub(crate) struct Turn {
    pub id: TurnId,
    pub session: SessionId,
    pub user: UserId,
    pub wish: Wish,
    /// How it was heard, where it was not typed.
    pub voiced: Option<Voiced>,
    /// What was handed over with it, by id.
    pub attached: Vec<FileId>,
    /// The client's own id of what it sent, so that it knows this turn for its own.
    pub in_reply_to: Option<String>,
    /// The rest of what was said to a card of this turn is heard here.
    pub goes_on: Option<TurnId>,
    pub focus: Focus,
    /// What was agreed to a moment ago.
    pub recent: Option<Action>,
    /// The person's own words before this, for whom they have named already.
    pub said_before: String,
    /// What waits for an answer on a card when it begins, as it is called.
    pub open_cards: Vec<String>,
    /// Who is asked where the rules have no reading, if anybody.
    pub thinker: Option<Arc<dyn Thinker>>,
}

/// What somebody wants.
#[derive(Clone, Debug, Hash)]
pub(crate) enum Wish {
    /// In words, to be understood.
    Words(String),
    /// One tool, as it stands.
    Use { tool: String, args: Value },
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

/// Where a walk ended, and what it leaves for the next sentence to refer to.
pub(crate) struct Walked {
    pub focus: Focus,
    /// What was tried last.
    pub done: Vec<Done>,
    pub pause: Pause,
}

pub(crate) enum Pause {
    Over,
    /// A card is open.
    Parked(Box<Question>),
}

/// What a turn that waited goes on with.
pub(crate) struct Kept {
    pub work: Work,
    pub actions: Vec<Action>,
    pub cards: Vec<Confirmation>,
    /// Writes that are under way right now.
    pub under_way: Vec<watch::Receiver<Action>>,
}

/// Walks `turn` through the rooms.
pub(crate) async fn walk(turn: &Turn, house: &Arc<House>, desk: &Desk) -> Result<Walked, Trouble> {
    let mut unanswered = Some(house.floor.enter());
    let mut world = world(turn, house).await.map_err(Trouble::Store)?;
    let attached = attached(turn, house).await.map_err(Trouble::Store)?;
    let all_there = attached.len() == turn.attached.len();
    world.focus.attach(attached.clone());
    world.focus.is_spoken = turn.voiced.is_some();
    let mut entry = Entry::new(Moment::Asked, turn.id);
    entry.events = heard_with(turn, attached);
    entry.drift = turn.voiced.as_ref().and_then(|voiced| voiced.drift);

    let begun_us = house.clock.ticks_us();
    let (understanding, interpreted) = {
        let mut thought = pin!(async {
            if all_there {
                let understanding = understand(turn, house, &world).await;
                interpreting::option(understanding, turn, house, &world).await
            } else {
                (lost_a_file(), None)
            }
        });
        if let Ok(at_once) = tokio::time::timeout(BLINK, &mut thought).await {
            at_once
        } else {
            // Nobody else has to wait for a slow mind.
            unanswered = None;
            entry.moment = Moment::Heard;
            desk.write(entry.turn_over(Moment::Asked)).await?;
            thought.await
        }
    };
    entry.thought_us = Some(house.clock.ticks_us().saturating_sub(begun_us));
    let mut mouth = Mouth::default();
    entry.tier = Some((Tier::Reflex, "read_by_rules"));
    let questions = u32::from(interpreted.is_some());
    if let Some(interpreted) = interpreted {
        interpreted.note(turn.id, turn.user, questions, house, &mut entry);
    }
    let (mut excuse, mut is_away) = ("", false);
    // Where the turn stands, once people have seen how it is gone about.
    let mut state = None;
    if let Some(why) = deeper::left_over(&understanding, turn, &world) {
        unanswered = None;
        let asked = AtomicU32::new(questions);
        let deeper = Deeper { turn, house, desk, world: &world, why, asked };
        match Box::pin(deeper.walk(entry, mouth)).await? {
            Gone::Over(walked) => return Ok(*walked),
            Gone::Back(back) => {
                (entry, mouth, state) = (back.entry, back.mouth, back.state);
                if !world.focus.told_away {
                    excuse = deeper::excuse(&understanding, back.excuse);
                }
                world.focus.told_away = true;
                is_away = true;
            }
        }
    }
    let understanding = thinker::without_help(understanding, turn.words(), &world);
    let (understanding, plan, fallback) = dispose(understanding, house);
    entry.fallback = entry.fallback.or(fallback);
    let mode = mode_of(&understanding, &plan, house);
    entry.mode = Some(mode);
    if state.is_none() {
        entry.events.push(decided(mode));
        entry.events.extend(too_long(turn, &mut mouth));
    }
    entry.events.extend(mouth.say(excuse));
    entry.events.extend(understanding.acknowledgement.as_deref().and_then(|ack| mouth.say(ack)));

    let said = format!("{} {}", turn.said_before, turn.words());
    let work = Work::new(&said, plan, mode);
    if work.plan.steps.is_empty() {
        let text = tell(turn, &understanding, &[], &world, house).await;
        let (said, whole, has_words) = mouth.answer(&text);
        entry.events.extend(work.planned(&[], &understanding.choices, &house.catalog));
        entry.events.push(begins_to_speak(state.unwrap_or(TurnState::Thinking)));
        entry.events.extend(said);
        desk.write(entry.turn_over(Moment::Told)).await?;
        drop(unanswered);
        let (outcome, error_code) = verdict(Some(&understanding), &[], &[], &[], has_words);
        entry.events = vec![whole, Event::ended(outcome, error_code)];
        desk.write(entry).await?;
        let mut focus = world.focus.clone();
        focus.learn(Some(&understanding), &[]);
        focus.told = Some(text.into());
        return Ok(Walked { focus, done: Vec::new(), pause: Pause::Over });
    }

    entry.events.extend(work.planned(&[], &understanding.choices, &house.catalog));
    let mut errand = Errand::new(turn, house, desk, &world, work, Vec::new());
    errand.announce(&mut entry);
    if !errand.has_calls() && state != Some(TurnState::ExecutingTools) {
        entry.events.push(sets_to_work());
    }
    desk.write(entry.turn_over(Moment::Looked)).await?;
    drop(unanswered);
    house.floor.give_way().await;
    let teller = Teller { turn, house, world: &world, cards: Vec::new() };
    // Whoever could not be asked a moment ago is not asked again.
    let help = (!is_away).then_some(questions);
    go_on(errand, entry, mouth, Some(understanding), teller, desk, help).await
}

/// Goes on with a turn whose card was answered, or that somebody left behind.
pub(crate) async fn walk_on(
    turn: &Turn,
    kept: Kept,
    house: &Arc<House>,
    desk: &Desk,
) -> Result<Walked, Trouble> {
    let world = world(turn, house).await.map_err(Trouble::Store)?;
    let Kept { work, mut actions, cards, under_way } = kept;
    for mut write in under_way {
        let latest = outcome_of(&mut write, house).await;
        actions.retain(|known| known.id != latest.id);
        actions.push(latest);
    }
    let mut entry = Entry::new(Moment::Looked, turn.id);
    let mut errand = Errand::new(turn, house, desk, &world, work, actions);
    errand.announce(&mut entry);
    if errand.has_calls() {
        desk.write(entry.turn_over(Moment::Looked)).await?;
    }
    let teller = Teller { turn, house, world: &world, cards };
    go_on(errand, entry, Mouth::default(), None, teller, desk, None).await
}

/// Looks up what can be looked up and reads what had to wait for it, then comes
/// to a card or to the end. Where the rules have nothing to tell of it, somebody who was
/// asked `help` questions so far may think about it.
async fn go_on(
    mut errand: Errand<'_>,
    mut entry: Entry,
    mut mouth: Mouth,
    mut understanding: Option<Understanding>,
    teller: Teller<'_>,
    desk: &Desk,
    help: Option<u32>,
) -> Result<Walked, Trouble> {
    let mut focus = teller.world.focus.clone();
    let mut text = String::new();
    errand.run(&mut entry).await?;
    for _ in 1..MOST_ROUNDS {
        let Some(rest) = understanding.as_ref().and_then(|it| it.rest.clone()) else { break };
        let done = errand.done();
        join(&mut text, &teller.tell(understanding.as_ref(), &done, &focus).await);
        if done.iter().any(|step| step.result.is_err()) {
            join(&mut text, &narrator::outcome::not_run("the rest", "failed_before"));
            understanding = None;
            break;
        }
        focus.learn(understanding.as_ref(), &done);
        understanding = Some(errand.read_on(&rest, &focus, &mut entry).await);
        if errand.has_calls() {
            desk.write(entry.turn_over(Moment::Looked)).await?;
            errand.run(&mut entry).await?;
        }
    }
    if understanding.as_ref().is_some_and(|it| it.rest.is_some()) {
        join(&mut text, &narrator::outcome::not_run("the rest", "failed_before"));
    }
    let (turn, house, world) = (teller.turn, teller.house, teller.world);
    let in_vain = understanding.as_ref().filter(|_| text.trim().is_empty());
    let in_vain = in_vain.and_then(|it| Some((it.clone(), deeper::in_vain(it, &errand, turn)?)));
    if let (Some((read, why)), Some(asked)) = (in_vain, help.map(AtomicU32::new)) {
        let deeper = Deeper { turn, house, desk, world, why, asked };
        let before = Before { errand, entry, mouth, read: &read, focus: focus.clone() };
        match Box::pin(deeper.walk_further(before, &teller)).await? {
            Further::Over(walked) => return Ok(*walked),
            Further::Back(back) => {
                (errand, entry, mouth) = (back.errand, back.entry, back.mouth);
                let excuse = if focus.told_away { "" } else { deeper::excuse(&read, back.excuse) };
                entry.events.extend(mouth.say(excuse));
                focus.told_away = true;
            }
        }
    }
    let broke_off = None;
    let walk = Walk { errand, entry, mouth, understanding, focus, text, broke_off };
    Box::pin(finish(walk, teller, desk)).await
}

/// How far a walk has come when there is nothing more to look up.
pub(crate) struct Walk<'a> {
    pub errand: Errand<'a>,
    pub entry: Entry,
    pub mouth: Mouth,
    /// What is still to be told of what was found; nothing, where it was told as it came.
    pub understanding: Option<Understanding>,
    pub focus: Focus,
    /// What is told besides.
    pub text: String,
    /// Why whoever told it was not heard to the end.
    pub broke_off: Option<&'static str>,
}

/// Comes to a card or to the end.
pub(crate) async fn finish(
    walk: Walk<'_>,
    teller: Teller<'_>,
    desk: &Desk,
) -> Result<Walked, Trouble> {
    let Walk { mut errand, mut entry, mouth, understanding, mut focus, mut text, broke_off } = walk;
    let card = errand.next_card().await;
    entry.audit.extend(errand.refusals());
    let done = errand.done();
    join(&mut text, &teller.tell(understanding.as_ref(), &done, &focus).await);
    focus.learn(understanding.as_ref(), &done);
    focus.note_written(&written(&errand.actions));
    if understanding.is_some() {
        errand.work.tell_failures();
    }
    join(&mut text, &teller.news(&mut errand, &mut entry));
    if let Some((_, card)) = &card {
        join(&mut text, &card.speakable);
    }
    // Without the acknowledgement: said again, nothing is looked up again.
    focus.told = Some(mouth.with(&text).into());
    if let Some((step, card)) = card {
        let (said, whole, _) = mouth.answer(&text);
        entry.events.extend(said);
        entry.events.push(whole);
        let question = teller.show(&step, card, &mut errand.work, &mut entry);
        entry.events.extend(errand.planned(&[]));
        entry.moment = Moment::Shown;
        desk.write(entry).await?;
        return Ok(Walked { focus, done, pause: Pause::Parked(Box::new(question)) });
    }
    let (said, whole, has_words) = mouth.answer(&text);
    let choices = understanding.as_ref().map_or(&[][..], |it| &it.choices);
    entry.events.extend(errand.planned(choices));
    entry.events.push(begins_to_speak(TurnState::ExecutingTools));
    entry.events.extend(said);
    let verdict =
        verdict(understanding.as_ref(), &done, &errand.work.fates, &errand.actions, has_words);
    let (outcome, error_code) = as_far_as_told(verdict, broke_off);
    entry.events.extend([whole, Event::ended(outcome, error_code)]);
    entry.moment = Moment::Told;
    desk.write(entry).await?;
    Ok(Walked { focus, done, pause: Pause::Over })
}

/// What is on record as done.
fn written(actions: &[Action]) -> Vec<Done> {
    let done = actions.iter().filter(|action| action.state.is_done());
    let done = done.filter_map(|action| {
        Some(Done { tool: action.tool.clone(), result: Ok(action.result.clone()?) })
    });
    done.collect()
}

/// What became of a write, as far as one likes to wait for it.
async fn outcome_of(write: &mut watch::Receiver<Action>, house: &House) -> Action {
    let settled = |action: &Action| {
        let waits = action.not_before.map(|later| later.duration_since(house.clock.now()));
        action.state.is_over()
            || action.state == ActionState::MaybeSent && waits.is_some_and(|wait| wait > DOUBT)
    };
    // Whoever writes may stop before it is over; then this is what is known.
    let _ = tokio::time::timeout(PATIENCE, write.wait_for(settled)).await;
    write.borrow().clone()
}

impl Turn {
    pub fn words(&self) -> &str {
        match &self.wish {
            Wish::Words(text) => text,
            Wish::Use { .. } => "",
        }
    }

    pub fn caller(&self, world: &World, idempotency_key: String) -> Caller {
        Caller {
            user: self.user,
            profile: world.profile.clone(),
            now: world.now.clone(),
            idempotency_key,
            place: Some(Place { session: self.session, turn: self.id }),
            heard: Heard::default(),
        }
    }
}

pub(crate) async fn world(turn: &Turn, house: &House) -> Result<World, StoreError> {
    // What a model asked or told in its own words was answered by this, or by nothing.
    let mut focus = turn.focus.clone();
    (focus.asked_freely, focus.told_freely) = (false, false);
    house.world(turn.user, focus).await
}

pub(crate) async fn tell(
    turn: &Turn,
    understanding: &Understanding,
    done: &[Done],
    world: &World,
    house: &House,
) -> String {
    if let (Gist::Chat(Chat::NeverMind | Chat::No | Chat::Wait), Some(action)) =
        (&understanding.gist, &turn.recent)
        // A no to a question is not about what was agreed to before it.
        && !understanding.answers
    {
        // "Cancel!", when it has begun: the truth, not an okay.
        return narrator::outcome::too_late(action, &world.local_now());
    }
    match (&turn.wish, &understanding.question) {
        (_, Some(question)) => question.clone(),
        (Wish::Words(_), None) => house.mind.tell(understanding, done, world).await,
        // What was not asked for in words is not put into words by a mind.
        (Wish::Use { .. }, None) => match done.last().map(|done| &done.result) {
            Some(Ok(_)) => "Done.".to_owned(),
            Some(Err(error)) => format!("That did not work: {}.", error.message),
            None => String::new(),
        },
    }
}

/// The files that came with it. They belong to this session from now on.
async fn attached(turn: &Turn, house: &House) -> Result<Vec<Attached>, StoreError> {
    if turn.attached.is_empty() {
        return Ok(Vec::new());
    }
    let rows = house.store.attach(turn.user, turn.session, turn.attached.clone()).await?;
    Ok(rows.iter().map(FileRow::attached).collect())
}

/// What is not theirs and what is not there are alike.
fn lost_a_file() -> Understanding {
    let told = "I can't find what you attached. Please attach it again.".to_owned();
    Understanding::of(Gist::Chat(Chat::AboutFile(told)))
}

pub(crate) fn heard(turn: &Turn) -> Vec<Event> {
    heard_with(turn, Vec::new())
}

fn heard_with(turn: &Turn, attachments: Vec<Attached>) -> Vec<Event> {
    let mut events = begins(turn.voiced.as_ref(), turn.in_reply_to.clone(), turn.goes_on);
    if let Wish::Words(text) = &turn.wish {
        events.push(heard_as(text.clone(), turn.voiced.as_ref(), attachments));
    }
    events
}

/// A turn begins, unless it did with the first words.
pub(crate) fn begins(
    voiced: Option<&Voiced>,
    in_reply_to: Option<String>,
    goes_on: Option<TurnId>,
) -> Vec<Event> {
    let input_mode = if voiced.is_some() { InputMode::Voice } else { InputMode::Text };
    let is_begun = voiced.is_some_and(|voiced| voiced.turn.is_some());
    let started = Event::TurnStarted { input_mode, in_reply_to, follows: None, goes_on };
    if is_begun { Vec::new() } else { vec![started] }
}

/// The words that began a turn.
pub(crate) fn heard_as(text: String, voiced: Option<&Voiced>, attachments: Vec<Attached>) -> Event {
    let (confidence, doubted) = certainty(&text, voiced);
    Event::Heard { text, confidence, in_reply_to: None, attachments, more: false, doubted }
}

/// Words to a card, and whether more was said behind them.
pub(crate) fn answered_as(
    text: String,
    voiced: Option<&Voiced>,
    in_reply_to: Option<String>,
    more: bool,
) -> Event {
    let (confidence, doubted) = certainty(&text, voiced);
    Event::Heard { text, confidence, in_reply_to, attachments: Vec::new(), more, doubted }
}

/// How sure words are, and which of them are not. Typed ones are heard with certainty.
fn certainty(text: &str, voiced: Option<&Voiced>) -> (f32, Vec<[usize; 2]>) {
    let heard =
        |voiced: &Voiced| (voiced.spoken.confidence, speech::stt::doubted(text, &voiced.words));
    voiced.map_or((1.0, Vec::new()), heard)
}

/// What is said first to whoever spoke for too long.
pub(crate) fn too_long(turn: &Turn, mouth: &mut Mouth) -> Option<Event> {
    turn.voiced.as_ref().filter(|voiced| voiced.is_cut).and_then(|_| mouth.say(TOO_LONG))
}

pub(crate) fn decided(mode: Mode) -> Event {
    Event::StateChanged {
        from: TurnState::FinalizingInput,
        to: TurnState::Thinking,
        reason: format!("{}: {}", mode.execution.name(), mode.reason.name()),
    }
}

pub(crate) fn sets_to_work() -> Event {
    Event::StateChanged {
        from: TurnState::Thinking,
        to: TurnState::ExecutingTools,
        reason: "plan".into(),
    }
}

pub(crate) fn begins_to_speak(from: TurnState) -> Event {
    Event::StateChanged { from, to: TurnState::Speaking, reason: "answer".into() }
}

impl Desk {
    /// Returns once the entry is on disk and shown.
    pub async fn write(&self, entry: Entry) -> Result<(), Trouble> {
        let (ack, done) = oneshot::channel();
        let note = Note::Write { turn: self.turn, entry: Box::new(entry), ack };
        self.notes.send(note).await.map_err(|_| Trouble::Stopped)?;
        done.await.map_err(|_| Trouble::Stopped)
    }
}
