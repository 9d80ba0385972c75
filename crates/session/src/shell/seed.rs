//! What a line knows that it did not hear or say itself: what was said before it was opened,
//! from the record, and what is said beside it, each once.

use std::collections::HashSet;

use brain::{MessageId, SessionId};
use models::planner::asides;
use models::planner::withheld::without_secrets;
use models::realtime::{Item, Tell};

use super::{State, Wire};
use crate::house::House;
use crate::recall::{self, Spoken};

/// So much of what was said before is told to a new line.
const TOLD_BEFORE: usize = 16;
const LONGEST_TOLD: usize = 400;

/// What a new line is told first, and the messages among it.
#[derive(Default)]
pub(super) struct Seed {
    pub items: Vec<Item>,
    messages: HashSet<MessageId>,
}

impl Seed {
    /// What was said lately, as far as it was heard.
    pub async fn of(house: &House, session: SessionId) -> Self {
        let Ok(recent) = house.store.last(session, recall::RECENT).await else {
            return Self::default();
        };
        let mut kept = recall::talk(&recent);
        let newest = kept.split_off(kept.len().saturating_sub(TOLD_BEFORE));
        let messages = newest.iter().filter_map(|spoken| spoken.message).collect();
        let item = |Spoken { is_ours, text, .. }| {
            let text = if is_ours { asides::without(&text) } else { text };
            let item = if is_ours { Item::Told } else { Item::Person };
            (!text.is_empty()).then(|| as_told(item(text)))
        };
        Self { items: newest.into_iter().filter_map(item).collect(), messages }
    }
}

impl Wire {
    /// It did not hear or say this itself; of a message it is told once.
    pub fn learn(&self, item: Item, message: Option<MessageId>) {
        let item = as_told(item);
        let mut state = self.state();
        if !state.is_awake {
            return;
        }
        if state.is_opening {
            // Whether the record had it when the line was told of it is known once it is open.
            let old = state.meanwhile.len().saturating_sub(TOLD_BEFORE - 1);
            state.meanwhile.drain(..old);
            state.meanwhile.push((message, item));
        } else if message.is_none_or(|message| !state.known.contains(&message)) {
            self.tell(&state, Tell::Learn(vec![item]));
        }
    }
}

impl State {
    /// The line is open and was told this. What it has missed meanwhile comes back.
    pub(super) fn opened(&mut self, told: Seed) -> Vec<Item> {
        self.is_opening = false;
        self.health.opened();
        self.known = told.messages;
        let mut missed = Vec::new();
        for (message, item) in std::mem::take(&mut self.meanwhile) {
            let is_there = |known: &Item| *known == item;
            match (message, &item) {
                (Some(message), Item::Told(heard)) if self.known.contains(&message) => {
                    if !told.items.iter().any(is_there) {
                        missed.push(heard_only(heard));
                    }
                }
                // What somebody says has no name of its own.
                (None, _) if told.items.iter().rev().take(2).any(is_there) => {}
                (Some(_) | None, _) => missed.push(item),
            }
        }
        missed
    }
}

/// As much of it as a line is told, without what opens a door or an account: whoever speaks
/// may be anywhere.
fn as_told(item: Item) -> Item {
    match item {
        Item::Person(text) => Item::Person(told(&text)),
        Item::Told(text) => Item::Told(told(&text)),
        Item::Known(_) | Item::Brought { .. } => item,
    }
}

fn told(text: &str) -> String {
    without_secrets(&cut(text, LONGEST_TOLD))
}

/// The record had all of what was being said, and then somebody cut in.
pub(super) fn heard_only(heard: &str) -> Item {
    Item::Known(match told(heard) {
        nothing if nothing.is_empty() => {
            "The person cut in before your last message was heard; none of it was.".into()
        }
        heard => format!("The person cut in; of your last message only this was heard: {heard}"),
    })
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;

    use super::*;

    fn said(text: &str) -> Item {
        Item::Told(text.to_owned())
    }

    #[test]
    fn what_came_while_a_line_was_opened_is_told_unless_the_record_had_it() {
        let message = |number| MessageId(Uuid::from_u128(number));
        let person = |text: &str| Item::Person(text.to_owned());
        let mut state = State { is_opening: true, ..State::default() };
        state.meanwhile = vec![
            (Some(message(1)), said("Sent.")),
            (Some(message(2)), said("Sent.")),
            (None, person("thanks")),
            (Some(message(3)), said("Four mails.")),
            (None, person("and now")),
        ];
        let seed = Seed {
            items: vec![
                said("Sent."),
                said("Four mails. The first is from Ana."),
                person("thanks"),
            ],
            messages: HashSet::from([message(1), message(3)]),
        };

        let missed = state.opened(seed);

        let cut_off = heard_only("Four mails.");
        assert_eq!(missed, [said("Sent."), cut_off, person("and now")]);
        assert!(!state.is_opening && state.meanwhile.is_empty());
        assert_eq!(state.known, HashSet::from([message(1), message(3)]));
    }
}
