//! A card that is to be different: drawn anew, and then done or asked again.
//!
//! A change from the fields of the card is carried out at once when what comes of
//! it is exactly what stands there. A change that was asked for in words, or one
//! that changes more than that, is another revision with a yes of its own. So is an
//! event that was changed, or whose time was taken, between the card and the yes: nobody saw
//! that.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use brain::confirmation::{Answer, Channel, ConfirmationState, NotTaken};
use brain::event::Question;
use brain::input::Decision;
use brain::policy::Switch;
use brain::{CallError, Card, Confirmation, ConfirmationId, Event, Preview};
use futures_util::FutureExt;
use models::{Focus, World, narrator};
use serde_json::{Map, Value};

use tokio::task::AbortHandle;
use tools::Place;

use crate::actor::{Actor, Note};
use crate::asker::Asker;
use crate::gate::{name_of, say};
use crate::handle::Answered;
use crate::log::Entry;
use crate::peril::Moment;
use crate::present::{self, Words, refused};
use crate::stage::Current;
use crate::telling::line;

/// A card that is changed more often is better asked for anew.
const MOST_REVISIONS: u32 = 50;

/// A card that was drawn anew.
pub(crate) struct Redrawn {
    asker: Asker,
    /// The reading that asked for it, where it was a sentence.
    reading: Option<u64>,
    card: ConfirmationId,
    revision: u32,
    /// The payload as somebody wants it.
    wanted: Map<String, Value>,
    purpose: Purpose,
    /// The card, and what is said of it: of a change that was asked for in words, or of what
    /// is not as it was seen.
    drawn: Result<(Card, Option<String>), CallError>,
    channel: Channel,
}

/// What a card is drawn anew for.
#[derive(Clone, Copy)]
enum Purpose {
    Change,
    /// It was agreed to: is the world still as it was shown?
    LookAgain,
}

impl Actor {
    /// Draws the card anew with changes in it; the tool may take its time.
    pub(crate) fn redraw(
        &mut self,
        asker: Asker,
        card: &Confirmation,
        wanted: Map<String, Value>,
        said: Option<String>,
        reading: Option<u64>,
        channel: Channel,
    ) -> Option<AbortHandle> {
        self.draw(asker, card, wanted, said, reading, channel, Purpose::Change)
    }

    /// Somebody agreed to an event: looks whether its time is still as it was shown.
    pub(crate) fn look_again(&mut self, asker: Asker, card: &Confirmation, channel: Channel) {
        let wanted = card.card.payload.clone();
        if matches!(asker, Asker::Sentence { .. }) {
            // What is said meanwhile is heard behind it.
            self.readings += 1;
            let reading = Some(self.readings);
            let task = self.draw(asker, card, wanted, None, reading, channel, Purpose::LookAgain);
            self.current = task.map(|task| Current::reads(reading, task));
        } else {
            self.draw(asker, card, wanted, None, None, channel, Purpose::LookAgain);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "each of them comes back with what was drawn")]
    fn draw(
        &mut self,
        asker: Asker,
        card: &Confirmation,
        wanted: Map<String, Value>,
        said: Option<String>,
        reading: Option<u64>,
        channel: Channel,
        purpose: Purpose,
    ) -> Option<AbortHandle> {
        let work = self.work_of(card.turn)?;
        let tool = self.house.catalog.get(&card.tool).cloned()?;
        let (house, notes, user) = (Arc::clone(&self.house), self.notes.clone(), self.user);
        let (id, revision) = (card.id, card.revision);
        let place = Place { session: card.session, turn: card.turn };
        let typed = match asker.words() {
            Some(words) => words.to_owned(),
            None => typed(&card.card.payload, &wanted),
        };
        let own_words = format!("{} {typed}", work.said);
        let heard = if channel == Channel::Voice { typed } else { String::new() };
        let seen = card.card.clone();
        let task = tokio::spawn(async move {
            let drawn = async {
                let world = house.world(user, Focus::default()).await;
                let world = world.map_err(|error| refused("unreachable", error.to_string()))?;
                let args = Value::Object(wanted.clone());
                let accepted = tool.accepts(&args);
                accepted.map_err(|reason| refused("bad_edit", reason))?;
                let caller = house.caller(user, String::new(), place).await;
                let caller = caller.map_err(|error| refused("unreachable", error.to_string()))?;
                let read = work.texts();
                let words =
                    Words { said: &own_words, heard: &heard, doubted: &seen.warnings, read };
                let card = present::card(&tool, args, &words, &caller, &world, &house).await?;
                let said = match purpose {
                    Purpose::Change => said.map(|said| {
                        narrator::card::revised(&said, &card.preview, &card.warnings, &world)
                    }),
                    Purpose::LookAgain => not_as_seen(&seen, &card, &world),
                };
                Ok((card, said))
            };
            let broke_off = |_| Err(refused("internal_error", "drawing it anew broke off".into()));
            let drawn = AssertUnwindSafe(drawn).catch_unwind().await.unwrap_or_else(broke_off);
            let card = id;
            let redrawn =
                Redrawn { asker, reading, card, revision, wanted, purpose, drawn, channel };
            // Without an owner there is nobody to tell.
            let _ = notes.send(Note::Redrawn(Box::new(redrawn))).await;
        });
        Some(task.abort_handle())
    }

    pub(crate) fn redrawn(&mut self, redrawn: Redrawn) {
        if redrawn.reading.is_some() {
            let current = self.current.as_ref().and_then(|current| current.reading);
            if current != redrawn.reading {
                // The disk failed meanwhile, and people were told.
                return;
            }
            self.current = None;
        }
        self.take_redrawn(redrawn);
        self.next();
    }

    fn take_redrawn(&mut self, redrawn: Redrawn) {
        let Redrawn { asker, card, revision, wanted, purpose, drawn, channel, .. } = redrawn;
        let is_change = matches!(purpose, Purpose::Change);
        let Some(open) = self.rows.cards.get(&card).cloned() else {
            return self.look_up(asker, &card.to_string());
        };
        if is_change && open.revision >= MOST_REVISIONS {
            let error = refused("bad_edit", "it was changed too often; ask for a new one".into());
            return self.not_drawn(asker, &open, &error);
        }
        // Somebody may have answered or changed it meanwhile.
        let again = Answer {
            decision: Decision::Accept,
            revision: Some(revision),
            edited: None,
            channel: Channel::Click,
            names_recipient: false,
        };
        let now = self.house.clock.now();
        match open.weigh(&again, self.time_for(&open)) {
            Ok(_) => {}
            Err(NotTaken::Resolved(_)) => return self.look_up(asker, &card.to_string()),
            Err(why) => return self.not_taken(asker, &open, why),
        }
        if !is_change {
            return self.looked_again(asker, &open, drawn, channel);
        }
        match drawn {
            Err(error) => self.not_drawn(asker, &open, &error),
            Ok((drawn, said)) => {
                let changed = changed(&open.card.payload, &drawn.payload);
                if said.is_none() && open.may_skip_asking(&wanted, &drawn) {
                    return match self.house.switches.of(&open.tool) {
                        Switch::On => {
                            let edited = Some((drawn, changed));
                            self.agree(asker, &open, edited, Decision::Edit, channel, now);
                        }
                        off => self.stopped(asker, &open, off),
                    };
                }
                self.revise(asker, &open, drawn, changed, said.as_deref(), channel);
            }
        }
    }

    /// The event and its time are as they were shown, and it is done; or they are not any
    /// more, and that is shown. A calendar that cannot be asked decides nothing: the write
    /// asks it.
    fn looked_again(
        &mut self,
        asker: Asker,
        open: &Confirmation,
        drawn: Result<(Card, Option<String>), CallError>,
        channel: Channel,
    ) {
        let now = self.house.clock.now();
        match (drawn, self.house.switches.of(&open.tool)) {
            (Ok((drawn, Some(said))), _) => {
                let changed = changed(&open.card.payload, &drawn.payload);
                self.revise(asker, open, drawn, changed, Some(&said), channel);
            }
            (_, Switch::On) => self.agree(asker, open, None, Decision::Accept, channel, now),
            (_, off) => self.stopped(asker, open, off),
        }
    }

    /// Another revision; it needs a yes of its own.
    pub(crate) fn revise(
        &mut self,
        asker: Asker,
        card: &Confirmation,
        drawn: Card,
        changed: Vec<String>,
        said: Option<&str>,
        channel: Channel,
    ) {
        let now = self.house.clock.now();
        let Some(mut work) = self.work_of(card.turn) else { return };
        let mut entry = Entry::new(Moment::Changed, card.turn);
        asker.heard(&mut entry, &mut work);
        let next = card.revised(drawn, now);
        let total = work.plan.steps.len();
        let question = Question { changed, ..Question::of(&next, total) };
        if let Some(said) = said {
            say(&mut entry, said);
        }
        entry.events.push(Event::QuestionChanged(Box::new(question.clone())));
        entry.work = Some(work.kept());
        entry.audit.push(line(&next, "revised", now).because(name_of(channel)));
        entry.confirmations.push(card.decided(ConfirmationState::Superseded, now, channel));
        entry.confirmations.push(next);
        asker.told(&mut entry, Answered::Changed(Box::new(question)));
        self.write(entry, None);
    }

    pub(crate) fn not_drawn(&mut self, asker: Asker, card: &Confirmation, error: &CallError) {
        let code = if error.code == "bad_arguments" { "bad_edit" } else { &error.code };
        let say = "I can't change it like that. The card is as it was.";
        self.refuse(asker, Some(card), code, &error.message, say);
    }
}

/// What is said where a yes is not to what is there now: an event was changed elsewhere, or
/// something is on at that time that was not when the card was seen.
fn not_as_seen(seen: &Card, now: &Card, world: &World) -> Option<String> {
    let (Preview::Event(before), Preview::Event(event)) = (&seen.preview, &now.preview) else {
        return None;
    };
    if event.change.is_some() && seen.payload != now.payload {
        return Some(narrator::card::changed_since(&now.preview, &now.warnings, world));
    }
    let overtaken = event.conflicts.iter().any(|conflict| !before.conflicts.contains(conflict));
    overtaken.then(|| narrator::card::overtaken(&now.preview))
}

/// What somebody typed into the fields of a card is their own word; what stood
/// there before is not.
fn typed(before: &Map<String, Value>, after: &Map<String, Value>) -> String {
    fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::String(text) => found.push(text),
            Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
            Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let (mut old, mut new) = (Vec::new(), Vec::new());
    before.values().for_each(|value| texts(value, &mut old));
    after.values().for_each(|value| texts(value, &mut new));
    new.retain(|text| !old.contains(text));
    new.join(" ")
}

fn changed(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<String> {
    let differs = |name: &&String| before.get(*name) != after.get(*name);
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    after.keys().filter(differs).chain(gone).cloned().collect()
}
