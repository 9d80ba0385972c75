//! Where a yes becomes a write: cards, answers to them, and what follows.
//!
//! The actor's other half. Every answer, wherever it comes from, passes
//! [`Confirmation::weigh`]; the decision, the intent to act and the line in the
//! audit are one commit, and only when that has landed does anything begin.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use brain::confirmation::{Answer, Channel, ConfirmationState, NotTaken, Verdict};
use brain::event::Question;
use brain::input::Decision;
use brain::policy::Switch;
use brain::{CallId, Card, Confirmation, ConfirmationId, Event, Preview, TurnId, TurnState, audit};
use futures_util::FutureExt;
use jiff::Timestamp;
use models::{Focus, narrator};
use store::StoreError;
use tokio::sync::oneshot;

use crate::act::{self};
use crate::actor::{Actor, Note};
use crate::asker::Asker;
use crate::clients::ClientId;
use crate::fate;
use crate::handle::Answered;
use crate::inbox::{Asked, refusal};
use crate::landing::Then;
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::names::Frame;
use crate::peril::Moment;
use crate::telling::line;
use crate::turn;
use crate::work::{Fate, Work};

/// A card is kept open only when that gains so much: it is a commit every time.
const WORTH_EXTENDING: jiff::SignedDuration = jiff::SignedDuration::from_secs(30);

/// An answer to a card that is not open here.
pub(crate) struct Looked {
    asker: Asker,
    question: String,
    found: Result<Option<Confirmation>, StoreError>,
    /// What became of it, where that can be said.
    became: Option<String>,
}

impl Actor {
    pub(crate) fn on_client_answer(
        &mut self,
        client: ClientId,
        frame: Option<Frame>,
        question: &str,
        answer: &Answer,
    ) {
        self.answer(Asker::Client { client, frame }, question, answer);
    }

    pub(crate) fn on_http_answer(
        &mut self,
        question: &str,
        mut answer: Answer,
        tell: oneshot::Sender<Answered>,
    ) {
        let open = question.parse().ok().and_then(|id: ConfirmationId| self.rows.cards.get(&id));
        // Over HTTP nothing was delivered; without a revision it means the only
        // one there ever was.
        let only = open.map(|card| card.revision).filter(|revision| *revision == 1);
        answer.revision = answer.revision.or(only);
        self.answer(Asker::Http(tell), question, &answer);
    }

    pub(crate) fn answer(&mut self, asker: Asker, question: &str, answer: &Answer) {
        let open = question.parse().ok().and_then(|id: ConfirmationId| self.rows.cards.get(&id));
        let Some(card) = open.cloned() else { return self.look_up(asker, question) };
        let now = self.time_for(&card);
        match card.weigh(answer, now) {
            Ok(Verdict::Accept) => match self.house.switches.of(&card.tool) {
                // What is free when a card is drawn may be taken by the time of the yes.
                Switch::On if matches!(card.card.preview, Preview::Event(_)) => {
                    self.look_again(asker, &card, answer.channel);
                }
                Switch::On => self.agree(asker, &card, None, Decision::Accept, answer.channel, now),
                off => self.stopped(asker, &card, off),
            },
            Ok(Verdict::Reject) => self.decline(asker, &card, answer.channel),
            Ok(Verdict::Edit(wanted)) => {
                self.redraw(asker, &card, wanted, None, None, answer.channel);
            }
            // Somebody else was quicker: what became of it is on disk.
            Err(NotTaken::Resolved(_)) => self.look_up(asker, question),
            Err(why) => {
                self.expire_cards();
                self.not_taken(asker, &card, why);
            }
        }
    }

    /// The yes and the intent to act, in one commit.
    pub(crate) fn agree(
        &mut self,
        asker: Asker,
        card: &Confirmation,
        edited: Option<(Card, Vec<String>)>,
        decision: Decision,
        channel: Channel,
        now: Timestamp,
    ) {
        let Some(mut work) = self.work_of(card.turn) else { return };
        let mut entry = Entry::new(Moment::Agreed, card.turn);
        asker.heard(&mut entry, &mut work);
        let mut edited_fields = Vec::new();
        let agreed = match edited {
            None => card.decided(ConfirmationState::Accepted, now, channel),
            Some((drawn, changed)) => {
                let next = card.revised(drawn, now);
                let total = work.plan.steps.len();
                let question = Question { changed: changed.clone(), ..Question::of(&next, total) };
                entry.events.push(Event::QuestionChanged(Box::new(question)));
                entry.confirmations.push(card.decided(ConfirmationState::Superseded, now, channel));
                entry.audit.push(line(&next, "revised", now));
                edited_fields = changed;
                next.decided(ConfirmationState::Accepted, now, channel)
            }
        };
        let call = CallId(self.house.ids.next());
        let action = act::agreed(&agreed, call, narrator::card::called(&agreed.card.preview));
        work.set(card.step, Fate::Agreed { question: card.id, action: action.id });
        entry.events.push(Event::Answered {
            confirmation_request_id: card.id,
            revision: agreed.revision,
            decision,
            channel,
            edited_fields,
            in_reply_to: asker.frame(),
        });
        entry.work = Some(work.kept());
        entry.audit.push(line(&agreed, "accepted", now).because(name_of(channel)));
        entry.then = vec![Then::Begin(action.id), Then::WalkOn(card.turn)];
        asker.told(&mut entry, Answered::Resolved { decision, revision: agreed.revision });
        entry.actions.push(action);
        entry.confirmations.push(agreed);
        self.write(entry, None);
    }

    pub(crate) fn decline(&mut self, asker: Asker, card: &Confirmation, channel: Channel) {
        let Some(mut entry) = self.declined(Some(&asker), card, channel) else { return };
        let (decision, revision) = (Decision::Reject, card.revision);
        asker.told(&mut entry, Answered::Resolved { decision, revision });
        self.write(entry, None);
    }

    /// A no to this card in a sentence that asks for something else in its place:
    /// that is heard in a turn of its own, behind the end of this one.
    pub(crate) fn give_way(&mut self, asked: Asked, card: &Confirmation, channel: Channel) {
        let Some(mut entry) = self.declined(None, card, channel) else { return };
        let asked = Asked { is_no_answer: true, ..asked };
        entry.then.push(Then::Hear(Box::new(asked)));
        self.write(entry, None);
    }

    fn declined(
        &mut self,
        asker: Option<&Asker>,
        card: &Confirmation,
        channel: Channel,
    ) -> Option<Entry> {
        let now = self.house.clock.now();
        let mut work = self.work_of(card.turn)?;
        let mut entry = Entry::new(Moment::Declined, card.turn);
        if let Some(asker) = asker {
            asker.heard(&mut entry, &mut work);
        }
        let declined = card.decided(ConfirmationState::Rejected, now, channel);
        work.set(card.step, Fate::Declined { question: card.id });
        entry.events.push(Event::Answered {
            confirmation_request_id: card.id,
            revision: card.revision,
            decision: Decision::Reject,
            channel,
            edited_fields: Vec::new(),
            in_reply_to: asker.and_then(Asker::frame),
        });
        entry.work = Some(work.kept());
        entry.audit.push(line(&declined, "rejected", now).because(name_of(channel)));
        entry.confirmations.push(declined);
        entry.then = vec![Then::WalkOn(card.turn)];
        Some(entry)
    }

    /// Somebody has switched writes off; the card stays.
    pub(crate) fn stopped(&mut self, asker: Asker, card: &Confirmation, off: Switch) {
        let (code, message, say) = match off {
            Switch::ToolOff => (
                "tool_off",
                "this tool is switched off",
                "That is switched off right now, so I did nothing. The card stays open.",
            ),
            Switch::Paused | Switch::On => (
                "writes_paused",
                "all writes are paused",
                "Writes are paused right now, so I did nothing. The card stays open.",
            ),
        };
        self.refuse(asker, Some(card), code, message, say);
    }

    pub(crate) fn not_taken(&mut self, asker: Asker, card: &Confirmation, why: NotTaken) {
        let say = match why {
            NotTaken::Stale { .. } => "The card has changed since. Please look at it again.".into(),
            NotTaken::Expired => "That one is not open any more. Ask me again.".into(),
            NotTaken::Resolved(_) => "That has been decided already.".into(),
            NotTaken::NeedsReadback => {
                narrator::card::readback(&card.card.preview, &card.card.warnings)
            }
            NotTaken::BadEdit => "I can't change it like that. The card is as it was.".to_owned(),
        };
        let message = match why {
            NotTaken::Resolved(state) => format!("{why}: {}", state.name()),
            _ => why.to_string(),
        };
        self.refuse(asker, Some(card), why.code(), &message, &say);
    }

    /// Nothing is done, somebody learns why, and the audit keeps it.
    pub(crate) fn refuse(
        &mut self,
        asker: Asker,
        card: Option<&Confirmation>,
        code: &str,
        message: &str,
        say_so: &str,
    ) {
        let now = self.house.clock.now();
        let noted = match card {
            Some(card) => line(card, "answer_refused", now),
            None => audit::Line {
                session: Some(self.session),
                ..audit::Line::new(now, self.user, "answer_refused")
            },
        };
        let mut entry = Entry::apart(Moment::Refused);
        entry.audit.push(noted.because(code));
        match asker {
            Asker::Client { client, frame } => {
                let event = refusal(code, message, say_so, frame.map(|frame| frame.name));
                entry.then.push(Then::Reply(client, event));
            }
            Asker::Http(tell) => {
                let answered =
                    Answered::Refused { code: code.to_owned(), message: message.to_owned() };
                entry.then.push(Then::Answer(tell, answered));
            }
            Asker::Sentence { asked, text, event_id, rest, is_heard } => {
                if let Some(card) = card.filter(|card| self.is_parked(card.turn)) {
                    entry.turn = Some(card.turn);
                    entry.moment = Moment::Discussed;
                    let voiced = asked.voiced.as_ref();
                    let heard = turn::answered_as(text, voiced, event_id, rest.is_some());
                    entry.events.extend(Some(heard).filter(|_| !is_heard));
                    say(&mut entry, say_so);
                    let turn = entry.turn;
                    entry.then.extend(rest.map(|rest| asked.goes_on(rest, turn)));
                } else if !is_heard {
                    // Decided while it was read: then it is no answer any more, to this
                    // card or to any other, and what became of it is told.
                    let seen = card.map(|card| (card.id, card.revision));
                    let seen = seen.into_iter().collect();
                    self.waiting.push_front(Asked { seen, ..*asked });
                }
            }
        }
        self.write(entry, None);
    }

    /// An answer to a card that is not open here: decided a moment or long ago,
    /// somebody else's, or made up. Looked up behind everything that is on its way
    /// to disk, or a decision that is would be overlooked.
    pub(crate) fn look_up(&mut self, asker: Asker, question: &str) {
        let mut entry = Entry::apart(Moment::Refused);
        entry.then.push(Then::LookUp(asker, question.to_owned()));
        self.write(entry, None);
    }

    pub(crate) fn look_up_now(&mut self, asker: Asker, question: String) {
        // It may have been this very frame that decided it.
        if let Asker::Client { client, frame } = &asker
            && self.is_known(*client, frame.as_ref())
        {
            return;
        }
        let (house, notes) = (Arc::clone(&self.house), self.notes.clone());
        let user = self.user;
        tokio::spawn(async move {
            let looking = async {
                let Ok(id) = question.parse() else { return Ok((None, None)) };
                let found = house.store.confirmation(id).await?;
                let world = house.world(user, Focus::default()).await?;
                let became = fate::of(id, &*house.store, &world).await?;
                Ok((found, became.map(|fate| fate.say)))
            };
            let broke_off = |_| Err(StoreError::Unavailable("the look-up broke off".into()));
            let looked = AssertUnwindSafe(looking).catch_unwind().await.unwrap_or_else(broke_off);
            let (found, became) = match looked {
                Ok((found, became)) => (Ok(found), became),
                Err(error) => (Err(error), None),
            };
            let looked = Looked { asker, question, found, became };
            // Without an owner there is nobody to tell.
            let _ = notes.send(Note::Looked(Box::new(looked))).await;
        });
    }

    pub(crate) fn looked(&mut self, looked: Looked) {
        let Looked { asker, question, found, became } = looked;
        let ours = |card: &Confirmation| card.session == self.session && card.user == self.user;
        match found {
            Ok(found) => match found.filter(ours) {
                Some(card) => {
                    let why = match card.state {
                        ConfirmationState::Pending | ConfirmationState::Expired => {
                            NotTaken::Expired
                        }
                        ConfirmationState::Superseded => NotTaken::Stale { current: card.revision },
                        decided => NotTaken::Resolved(decided),
                    };
                    match (why, became) {
                        (NotTaken::Resolved(state), Some(became)) => {
                            let message = format!("{why}: {}", state.name());
                            self.refuse(asker, Some(&card), why.code(), &message, &became);
                        }
                        _ => self.not_taken(asker, &card, why),
                    }
                }
                None => self.refuse(
                    asker,
                    None,
                    "unknown_confirmation",
                    "no question with that id is open",
                    "There is nothing waiting for your answer.",
                ),
            },
            Err(error) => {
                tracing::error!(session_id = %self.session, %error, %question, "a card cannot be read");
                let say = "I can't look that up right now.";
                self.refuse(asker, None, "store_unavailable", "the card cannot be read", say);
            }
        }
        self.next();
    }

    /// Somebody is still at it.
    pub(crate) fn keep_open(&mut self, client: ClientId, frame: Option<Frame>, question: &str) {
        let now = self.house.clock.now();
        let open = question.parse().ok().and_then(|id: ConfirmationId| self.rows.cards.get(&id));
        let Some(card) = open.filter(|card| card.is_open(self.time_for(card))).cloned() else {
            return self.look_up(Asker::Client { client, frame }, question);
        };
        let until = card.kept_open_until(now);
        if until.duration_since(card.expires_at) < WORTH_EXTENDING {
            return;
        }
        let Some(work) = self.work_of(card.turn) else { return };
        let longer = Confirmation { expires_at: until, ..card };
        let mut entry = Entry::new(Moment::Changed, longer.turn);
        let question = Question::of(&longer, work.plan.steps.len());
        entry.events.push(Event::QuestionChanged(Box::new(question)));
        entry.audit.push(line(&longer, "extended", now));
        entry.confirmations.push(longer);
        self.write(entry, None);
    }

    /// The cards that are on disk and wait for an answer.
    pub(crate) fn open_questions(&self) -> Vec<Question> {
        let shown = |card: &&Confirmation| {
            self.on_disk.cards.get(&card.id).is_some_and(|known| known.revision == card.revision)
        };
        let drawn = |card: &Confirmation| {
            Some(Question::of(card, self.work_of(card.turn)?.plan.steps.len()))
        };
        self.rows.open_cards().filter(shown).filter_map(drawn).collect()
    }

    /// How long until a card expires.
    pub(crate) fn next_expiry(&self) -> Option<Duration> {
        let wait = |card: &Confirmation| card.expires_at.duration_since(self.time_for(card));
        let first = self.rows.open_cards().map(wait).min()?;
        Some(first.max(jiff::SignedDuration::ZERO).unsigned_abs())
    }

    /// What time it is, as far as this card is concerned.
    pub(crate) fn time_for(&self, card: &Confirmation) -> Timestamp {
        self.patience.now(card, &*self.house.clock)
    }

    pub(crate) fn expire_cards(&mut self) {
        let now = self.house.clock.now();
        let late = self.rows.open_cards().filter(|card| !card.is_open(self.time_for(card)));
        for card in late.cloned().collect::<Vec<_>>() {
            let Some(mut work) = self.work_of(card.turn) else { continue };
            work.set(card.step, Fate::Expired { question: card.id });
            let mut entry = Entry::new(Moment::Expired, card.turn);
            entry.events.push(Event::WentUnanswered {
                confirmation_request_id: card.id,
                revision: card.revision,
            });
            entry.work = Some(work.kept());
            entry.audit.push(line(&card, "expired", now));
            entry.then.push(Then::WalkOn(card.turn));
            entry.confirmations.push(Confirmation { state: ConfirmationState::Expired, ..card });
            self.write(entry, None);
        }
    }

    pub(crate) fn is_parked(&self, turn: TurnId) -> bool {
        let open = self.log.turn(turn);
        open.is_some_and(|open| open.row.state == TurnState::AwaitingConfirmation)
    }

    pub(crate) fn work_of(&self, turn: TurnId) -> Option<Work> {
        self.log.turn(turn)?.row.work.as_ref().and_then(Work::read)
    }
}

pub(crate) fn say(entry: &mut Entry, text: &str) {
    let (said, whole, _) = Mouth::default().answer(text);
    entry.events.extend(said);
    entry.events.push(whole);
}

pub(crate) fn name_of(channel: Channel) -> &'static str {
    match channel {
        Channel::Click => "click",
        Channel::Key => "key",
        Channel::Voice => "voice",
        Channel::Text => "text",
        Channel::Api => "api",
    }
}
