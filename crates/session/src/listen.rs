//! What is said while a card is open: an answer to it, talk about it, or
//! something else altogether.
//!
//! Read by rules, whatever mind is configured: whether somebody said yes is not
//! a matter of opinion. A model may find a no where they find nothing, never a yes.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use brain::confirmation::{Answer, Channel, NotTaken};
use brain::input::Decision;
use brain::policy::Care;
use brain::spoken::{Doubt, Spoken};
use brain::{Card, Confirmation, ConfirmationId, Event, Outcome, TurnState, audit};
use futures_util::FutureExt;
use models::reflex;
use models::reflex::consent::{self, Consent};
use models::reflex::reply::{self, CardView, Reply};
use models::{Focus, World, narrator};
use store::Store;

use crate::actor::{Actor, Note};
use crate::asker::{Asker, Besides};
use crate::fate::{self, Fate};
use crate::gate::say;
use crate::inbox::{Asked, From, Seen};
use crate::interpreting;
use crate::log::Entry;
use crate::peril::Moment;
use crate::stage::Current;
use crate::turn::{self, Wish};

const UNCLEAR: &str = "I'm not sure I heard you right. Please say it once more, or tap the card.";
const TOO_LATE: &str = "Was that about the card? Say what I should do, or tap it.";
/// It names no words that would do: heard back, they would be a yes.
const TOO_BARE: &str =
    "For that a plain yes is too little, said aloud. Say what I should do, or tap it.";

/// A sentence that was read as an answer.
pub(crate) struct Heard {
    reading: u64,
    asked: Asked,
    reply: Reply,
    /// What became of a write, where that was asked.
    fate: Option<Fate>,
    /// The cards it could be about, as `reply` counts them.
    cards: Vec<Seen>,
    /// What has to be said before a yes counts, where a change was not understood.
    unchanged: Option<String>,
    /// Nobody knows what it meant; it may have been a change.
    is_lost: bool,
    /// Other words are wished for, and nobody said which.
    wants_words: bool,
}

/// A sentence that did not say which of these cards it means.
pub(crate) struct Unclear {
    decision: Decision,
    sentence: String,
    cards: Vec<Seen>,
}

impl Actor {
    /// While a card is open, what is said is first read as an answer to it. Only
    /// to what could be seen when it was said: nobody says yes in advance. A
    /// question about a write is no answer, whether a card is open or not.
    pub(crate) fn read_as_answer(&mut self, asked: Asked) {
        let (house, notes, user) = (Arc::clone(&self.house), self.notes.clone(), self.user);
        let session = self.session;
        let question = self.asks_last.then(|| self.focus.clone());
        let Wish::Words(text) = asked.wish.clone() else { return };
        let is_spoken = asked.voiced.is_some();
        let open = asked.seen.iter().filter_map(|seen| {
            let card = self.rows.open_cards().find(|card| card.id == seen.0)?;
            Some((*seen, card.clone()))
        });
        let (cards, open): (Vec<Seen>, Vec<Confirmation>) = open.unzip();
        let gone = asked.seen.iter().filter(|seen| !cards.contains(seen)).map(|seen| seen.0);
        let mut gone: Vec<_> = gone.collect();
        let late = self.recent_write().filter(|_| cards.is_empty() && self.is_late(&text));
        // The question of which one is answered by the next sentence or by none.
        let unclear = self.which.take().filter(|unclear| unclear.cards == cards);
        self.readings += 1;
        let reading = self.readings;
        let read = async move {
            let mut unchanged = None;
            let (mut is_lost, mut wants_words) = (false, false);
            let reply = async {
                // The turn that is begun instead says that nothing can be read.
                let mut focus = Focus::default();
                focus.is_spoken = is_spoken;
                let Ok(world) = house.world(user, focus).await else {
                    return (Reply::NotAnAnswer, None);
                };
                if let Some(focus) = question {
                    // What was asked last is answered first.
                    let world = World { focus, ..world.clone() };
                    if consent::is_bare(&text) || reflex::answers(&text, &world) {
                        return (Reply::NotAnAnswer, None);
                    }
                }
                if let Ok(Some(fate)) = fate::asked(&text, &*house.store, session, &world).await {
                    return (Reply::NotAnAnswer, Some(fate));
                }
                if let Some(write) = late
                    && fate::is_latest(write.turn, &*house.store, session).await
                {
                    gone.push(write.confirmation);
                }
                let reply = answer_in(&text, unclear.as_ref(), &open, &world);
                unchanged = reply.accepts().map(|card| {
                    let Card { preview, warnings, .. } = &open[card].card;
                    narrator::card::unchanged(preview, warnings, &world)
                });
                wants_words = !open.is_empty() && reply::wants_other_words(&text, &world);
                is_lost = !open.is_empty() && reply::is_lost(&text, &reply, &world);
                if let Some(card) = reply.accepts()
                    && !gone.is_empty()
                    && !still_means(&text, &open, card, &gone, &*house.store, &world).await
                {
                    let called = narrator::card::called(&open[card].card.preview);
                    return (Reply::Hold { card, say: narrator::card::waits(&called) }, None);
                }
                let fate = match reply {
                    Reply::NotAnAnswer => too_late(&text, &gone, &*house.store, &world).await,
                    _ => None,
                };
                if fate.is_some() {
                    return (reply, fate);
                }
                let called: Vec<_> =
                    open.iter().map(|card| narrator::card::called(&card.card.preview)).collect();
                let who = (user, session);
                let (reply, asked) =
                    interpreting::of_card(reply, &text, &called, who, &house, &world).await;
                if let (Some(asked), Some(card)) = (asked, open.first()) {
                    let mut entry = Entry::apart(Moment::Discussed);
                    let before = house.store.model_calls(card.turn).await.unwrap_or_default();
                    let number = before.iter().map(|row| row.number).max().unwrap_or(0) + 1;
                    asked.note(card.turn, user, number, &house, &mut entry);
                    let _ = notes.send(Note::Spent(Box::new(entry))).await;
                }
                (reply, None)
            };
            // Whatever it was, it was no yes.
            let lost = |_| (Reply::NotAnAnswer, None);
            let (reply, fate) = AssertUnwindSafe(reply).catch_unwind().await.unwrap_or_else(lost);
            let heard =
                Heard { reading, asked, reply, fate, cards, unchanged, is_lost, wants_words };
            // Without an owner there is nobody to tell.
            let _ = notes.send(Note::Heard(Box::new(heard))).await;
        };
        let task = tokio::spawn(read).abort_handle();
        self.current = Some(Current::reads(Some(reading), task));
    }

    pub(crate) fn heard(&mut self, heard: Heard) {
        let Heard { reading, asked, reply, fate, cards, unchanged, is_lost, wants_words } = heard;
        if self.current.as_ref().and_then(|current| current.reading) != Some(reading) {
            // The disk failed meanwhile, and people were told.
            return;
        }
        self.current = None;
        if let Some(fate) = fate {
            self.tell_fate(asked, &fate);
            return self.next();
        }
        let (reply, besides) = match reply {
            Reply::Besides { answer, said, rest } => (*answer, Some(Besides { said, rest })),
            reply => (reply, None),
        };
        let picked = match &reply {
            Reply::Accept { card, .. }
            | Reply::Reject { card }
            | Reply::Keep { card }
            | Reply::Instead { card }
            | Reply::Revise { card, .. }
            | Reply::CannotRevise { card, .. }
            | Reply::Explain { card, .. }
            | Reply::Hold { card, .. } => cards.get(*card).copied(),
            Reply::Besides { .. } | Reply::Which { .. } | Reply::NotAnAnswer => None,
        };
        let still_open = picked.and_then(|(id, revision)| {
            let card = self.rows.open_cards().find(|card| card.id == id)?;
            Some((card.clone(), revision))
        });
        let rewords = still_open.as_ref().filter(|_| wants_words);
        if let Some((card, _)) = rewords.filter(|(card, seen)| self.may_reword(&reply, card, *seen))
        {
            let channel = if asked.voiced.is_some() { Channel::Voice } else { Channel::Text };
            return self.reword(Asker::sentence(asked).besides(besides), card, channel);
        }
        self.unmet.note(&reply, picked, &cards, is_lost);
        let warned = picked.filter(|_| matches!(reply, Reply::Accept { .. }));
        let warned = warned.is_some_and(|seen| self.unmet.is_told(seen));
        match (still_open, reply) {
            (Some((card, _)), Reply::Accept { .. }) if warned => {
                let say = unchanged.unwrap_or_else(|| card.card.speakable.clone());
                let message = "a change before it was not understood";
                let asker = Asker::sentence(asked).besides(besides);
                self.refuse(asker, Some(&card), "change_not_understood", message, &say);
            }
            (Some((card, revision)), reply) => {
                self.take_answer(asked, &card, revision, reply, besides);
            }
            (None, Reply::Which { decision, say }) => match doubt_in(&asked, decision) {
                Some(doubt) => self.doubts(asked, doubt),
                None => self.ask_which(asked, decision, cards, &say),
            },
            (None, _) => self.begin(Asked { is_no_answer: true, ..asked }),
        }
        self.next();
    }

    /// `revision` is the one that could be seen when it was said.
    fn take_answer(
        &mut self,
        asked: Asked,
        card: &Confirmation,
        revision: u32,
        reply: Reply,
        besides: Option<Besides>,
    ) {
        let channel = if asked.voiced.is_some() { Channel::Voice } else { Channel::Text };
        let answer = |decision, names_recipient| Answer {
            decision,
            revision: Some(revision),
            edited: None,
            channel,
            names_recipient,
        };
        // What is asked behind a yes makes it no fresher.
        let is_bare = besides.as_ref().is_some_and(|besides| consent::is_bare(&besides.said));
        let doubt = asked.voiced.as_ref().and_then(|voiced| {
            let spoken = Spoken { is_bare: voiced.spoken.is_bare || is_bare, ..voiced.spoken };
            let care = card.card.voice;
            Some((spoken.decides(decision_of(&reply)?, care).err()?, spoken))
        });
        let asker = Asker::sentence(asked).besides(besides);
        let id = card.id.to_string();
        if let Some((doubt, spoken)) = doubt {
            let message = "it was said aloud and is not certain enough";
            let say = in_doubt(doubt, &spoken, &card.card);
            return self.refuse(asker, Some(card), doubt.code(), message, &say);
        }
        match reply {
            Reply::Accept { names_recipient, .. } => {
                self.answer(asker, &id, &answer(Decision::Accept, names_recipient));
            }
            Reply::Reject { .. } => self.answer(asker, &id, &answer(Decision::Reject, false)),
            Reply::Instead { .. } => {
                if let Asker::Sentence { asked, .. } = asker {
                    self.give_way(*asked, card, channel);
                }
            }
            Reply::Revise { .. } | Reply::Keep { .. } if revision != card.revision => {
                self.not_taken(asker, card, NotTaken::Stale { current: card.revision });
            }
            Reply::Revise { changes, said, .. } => {
                let mut wanted = card.card.payload.clone();
                wanted.extend(changes);
                // Nobody says yes to it while it is being changed.
                self.readings += 1;
                let reading = Some(self.readings);
                let task = self.redraw(asker, card, wanted, Some(said), reading, channel);
                self.current = task.map(|task| Current::reads(reading, task));
            }
            Reply::Keep { .. } => {
                self.readings += 1;
                let reading = self.readings;
                let task = self.keep(asker, card, reading);
                let reading = Some(reading);
                self.current = task.map(|task| Current::reads(reading, task));
            }
            Reply::CannotRevise { say, .. }
            | Reply::Explain { say, .. }
            | Reply::Hold { say, .. } => self.discuss(&asker, card, &say),
            Reply::Besides { .. } | Reply::Which { .. } | Reply::NotAnAnswer => {}
        }
    }

    /// Talk about a card that decides nothing.
    pub(crate) fn discuss(&mut self, asker: &Asker, card: &Confirmation, text: &str) {
        let Some(mut work) = self.work_of(card.turn) else { return };
        let mut entry = Entry::new(Moment::Discussed, card.turn);
        asker.heard(&mut entry, &mut work);
        entry.work = Some(work.kept());
        say(&mut entry, text);
        self.write(entry, None);
    }

    /// In the turn of its card while that waits, in one of its own afterwards.
    fn tell_fate(&mut self, asked: Asked, fate: &Fate) {
        let open = self.rows.open_cards().find(|card| card.id == fate.card).cloned();
        // What has a turn of its own already is told there.
        let is_begun = asked.voiced.as_ref().is_some_and(|voiced| voiced.turn.is_some());
        match open.filter(|_| !is_begun) {
            Some(card) => self.discuss(&Asker::sentence(asked), &card, &fate.say),
            None => self.say_apart(asked, "outcome", &fate.say, (Outcome::Success, None)),
        }
    }

    /// Two cards are open and the yes did not say to which: a turn of its own.
    fn ask_which(&mut self, asked: Asked, decision: Decision, cards: Vec<Seen>, question: &str) {
        let Wish::Words(sentence) = asked.wish.clone() else { return };
        self.which = Some(Unclear { decision, sentence, cards });
        let ended = (Outcome::Partial, Some("needs_answer".to_owned()));
        self.say_apart(asked, "which_card", question, ended);
    }

    /// A yes to one of several cards that was not heard for certain: what is said
    /// behind it makes it no surer, so it is asked for again.
    fn doubts(&mut self, asked: Asked, doubt: Doubt) {
        let mut entry = Entry::apart(Moment::Refused);
        let line = audit::Line::new(self.house.clock.now(), self.user, "answer_refused");
        let line = audit::Line { session: Some(self.session), ..line };
        entry.audit.push(line.because(doubt.code()));
        self.write(entry, None);
        let say = match doubt {
            Doubt::TooEarly => "I was still talking. Please say it once more.",
            Doubt::Unclear => UNCLEAR,
            Doubt::TooLate => TOO_LATE,
            Doubt::TooBare => TOO_BARE,
        };
        let ended = (Outcome::Partial, Some("needs_answer".to_owned()));
        self.say_apart(asked, doubt.code(), say, ended);
    }

    /// A plain yes a moment after something was agreed to: on another device, or
    /// said twice.
    pub(crate) fn is_late(&self, text: &str) -> bool {
        let plain = consent::thumbed(text);
        consent::read(plain.as_deref().unwrap_or(text)) == Consent::Accept
            && self.recent_write().is_some()
    }

    /// A turn that only says something.
    pub(crate) fn say_apart(
        &mut self,
        asked: Asked,
        reason: &str,
        answer: &str,
        (outcome, error_code): (Outcome, Option<String>),
    ) {
        let Asked { wish: Wish::Words(text), from, voiced, received_us, goes_on, .. } = asked
        else {
            return;
        };
        let event_id = match from {
            From::Client { event_id, .. } => event_id,
            From::Http { .. } => None,
        };
        let turn = self.row_for(voiced.as_ref(), received_us).turn;
        let mut entry = Entry::new(Moment::Told, turn);
        entry.drift = voiced.as_ref().and_then(|voiced| voiced.drift);
        entry.events = turn::begins(voiced.as_ref(), event_id, goes_on);
        entry.events.extend([
            turn::heard_as(text, voiced.as_ref(), Vec::new()),
            moves(TurnState::FinalizingInput, TurnState::Thinking, reason),
            turn::begins_to_speak(TurnState::Thinking),
        ]);
        say(&mut entry, answer);
        entry.events.push(Event::ended(outcome, error_code));
        self.write(entry, None);
    }
}

/// What it would decide, if it counts.
fn decision_of(reply: &Reply) -> Option<Decision> {
    match reply {
        Reply::Accept { .. } => Some(Decision::Accept),
        Reply::Reject { .. } => Some(Decision::Reject),
        _ => None,
    }
}

/// Why a sentence that was said aloud may not decide this. What only leads to another
/// card decides nothing.
fn doubt_in(asked: &Asked, decision: Decision) -> Option<Doubt> {
    let voiced = asked.voiced.as_ref().filter(|_| decision != Decision::Edit)?;
    // How much it needs is weighed when it is known which is meant.
    voiced.spoken.decides(decision, Care::Allow).err()
}

fn in_doubt(doubt: Doubt, spoken: &Spoken, card: &Card) -> String {
    let is_silent = spoken.after_voice_ms.is_none_or(|after_ms| after_ms > 0);
    let say = match doubt {
        // Whatever was asked was not heard: once more.
        Doubt::TooEarly if is_silent && spoken.after_question_ms.is_none() => {
            return format!("You didn't hear all of it: {}", card.speakable);
        }
        Doubt::TooEarly => return format!("I was still talking. {}", card.speakable),
        Doubt::Unclear => UNCLEAR,
        Doubt::TooLate => TOO_LATE,
        Doubt::TooBare => TOO_BARE,
    };
    say.to_owned()
}

/// What a sentence says to these cards; after "which one?", what the sentence
/// before it says to the one that was picked.
fn answer_in(text: &str, unclear: Option<&Unclear>, open: &[Confirmation], world: &World) -> Reply {
    let called: Vec<_> =
        open.iter().map(|card| narrator::card::called(&card.card.preview)).collect();
    let views: Vec<_> = open.iter().zip(&called).map(view).collect();
    let picked = unclear.and_then(|unclear| {
        let card = reply::which(text, &views, world)?;
        Some((unclear, card))
    });
    let Some((Unclear { decision, sentence, .. }, card)) = picked else {
        return reply::read(text, &views, world);
    };
    match decision {
        // Which card it is does not tell what is to happen either.
        Decision::Accept
            if world.focus.is_spoken
                && open[card].card.voice == Care::Named
                && consent::is_bare(sentence) =>
        {
            Reply::Hold { card, say: TOO_BARE.to_owned() }
        }
        Decision::Accept => Reply::Accept { card, names_recipient: false },
        Decision::Reject => Reply::Reject { card },
        Decision::Edit => reply::read_of(sentence, &views, card, world),
    }
}

/// A yes that was said when more cards could be seen is one to the card that is
/// left only if it was then: what somebody else decided makes it no clearer.
async fn still_means(
    text: &str,
    open: &[Confirmation],
    picked: usize,
    gone: &[ConfirmationId],
    store: &dyn Store,
    world: &World,
) -> bool {
    let mut all = open.to_vec();
    for id in gone {
        let Ok(Some(card)) = store.confirmation(*id).await else { return false };
        all.push(card);
    }
    answer_in(text, None, &all, world).accepts() == Some(picked)
}

/// What became of a card that this would have answered, had nobody been quicker.
async fn too_late(
    text: &str,
    gone: &[ConfirmationId],
    store: &dyn Store,
    world: &World,
) -> Option<Fate> {
    for id in gone {
        let card = store.confirmation(*id).await.ok().flatten()?;
        let one = std::slice::from_ref(&card);
        match answer_in(text, None, one, world) {
            Reply::Accept { .. }
            | Reply::Reject { .. }
            | Reply::Keep { .. }
            | Reply::Instead { .. }
            | Reply::Revise { .. }
            | Reply::CannotRevise { .. }
            | Reply::Explain { .. }
            | Reply::Besides { .. }
            | Reply::Hold { .. } => return fate::of(*id, store, world).await.ok().flatten(),
            Reply::Which { .. } | Reply::NotAnAnswer => {}
        }
    }
    None
}

fn view<'a>((card, called): (&'a Confirmation, &'a String)) -> CardView<'a> {
    CardView {
        preview: &card.card.preview,
        payload: &card.card.payload,
        called,
        action_type: &card.card.action_type,
        warnings: &card.card.warnings,
    }
}

fn moves(from: TurnState, to: TurnState, reason: &str) -> Event {
    Event::StateChanged { from, to, reason: reason.to_owned() }
}

#[cfg(test)]
#[path = "listen_tests.rs"]
mod tests;
