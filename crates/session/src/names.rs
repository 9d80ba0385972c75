//! What clients called their requests, so that one said again is not done again, and
//! something else under the same name is not taken for it.

use std::collections::{HashMap, VecDeque};

use brain::{Input, Seal};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use store::Named;

use crate::turn::Wish;

/// For so long a name is known.
pub(crate) const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(24);
/// And so many of them, which nobody reaches who types.
pub(crate) const MOST: usize = 4096;

/// Newest last.
#[derive(Default)]
pub(crate) struct Names {
    in_order: VecDeque<(Timestamp, String)>,
    /// And a print of what was said under it, where that is known.
    known: HashMap<String, Option<Seal>>,
}

/// What a client called something, and a print of it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub name: String,
    pub print: Seal,
}

/// What is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    No,
    /// The same was said under it, as far as anybody can tell.
    Same,
    /// Something else was.
    Other,
}

impl Frame {
    /// An input that may be sent again; how far somebody had listened, and with what they
    /// answered, is no part of what they want.
    pub fn of(name: Option<&str>, input: &Input) -> Option<Self> {
        let wanted = match input {
            Input::Answer { question, decision, edited, revision, channel: _ } => {
                json!({ "question": question, "decision": decision, "edited": edited,
                        "revision": revision })
            }
            Input::Interrupt { turn, heard_ms: _ } => json!({ "stop": turn }),
            Input::Extend { question } => json!({ "extend": question }),
            Input::Replay { message, from_chars } => {
                json!({ "replay": message, "from_chars": from_chars })
            }
            // What people say has a print with all that is handed over with it.
            Input::Text { .. }
            | Input::Audio(_)
            | Input::AudioEnd { .. }
            | Input::Played(_)
            | Input::Hello(_)
            | Input::Resume { .. }
            | Input::Ping { .. } => return None,
        };
        Some(Self { name: name?.to_owned(), print: Seal::of_value(&wanted) })
    }

    pub fn of_wish(name: &str, wish: &Wish, attached: &[brain::FileId]) -> Self {
        let wanted = match wish {
            Wish::Words(text) => json!({ "text": text, "attached": attached }),
            Wish::Use { tool, args } => json!({ "tool": tool, "args": args }),
        };
        Self { name: name.to_owned(), print: Seal::of_value(&wanted) }
    }
}

impl Names {
    /// As they were left, oldest first.
    pub fn from(left: Vec<Named>) -> Self {
        let known = left.iter().map(|named| (named.name.clone(), named.print)).collect();
        Self { in_order: left.into_iter().map(|named| (named.at, named.name)).collect(), known }
    }

    pub fn knows(&mut self, frame: &Frame, now: Timestamp) -> Known {
        while let Some((at, _)) = self.in_order.front()
            && now.duration_since(*at) > KNOWN_FOR
        {
            self.forget_oldest();
        }
        match self.known.get(&frame.name) {
            None => Known::No,
            Some(Some(print)) if *print != frame.print => Known::Other,
            Some(_) => Known::Same,
        }
    }

    /// What was said under it, while that is known.
    pub fn print(&self, name: &str) -> Option<Seal> {
        self.known.get(name).copied().flatten()
    }

    pub fn add(&mut self, frame: &Frame, now: Timestamp) {
        if self.in_order.len() == MOST {
            self.forget_oldest();
        }
        if self.known.insert(frame.name.clone(), Some(frame.print)).is_none() {
            self.in_order.push_back((now, frame.name.clone()));
        }
    }

    /// It was not taken after all.
    pub fn take_back(&mut self, name: &str) {
        if self.known.remove(name).is_some() {
            self.in_order.retain(|(_, known)| known != name);
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, name)) = self.in_order.pop_front() {
            self.known.remove(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(name: &str, text: &str) -> Frame {
        Frame::of_wish(name, &Wish::Words(text.into()), &[])
    }

    fn hours(hours: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours)
    }

    #[test]
    fn a_name_is_known_for_a_day() {
        let mut names = Names::default();
        names.add(&frame("evt_1", "hello"), hours(0));
        assert_eq!(names.knows(&frame("evt_1", "hello"), hours(24)), Known::Same);
        assert_eq!(names.knows(&frame("evt_1", "hello"), hours(25)), Known::No);
    }

    #[test]
    fn the_oldest_make_room_and_nothing_grows() {
        let mut names = Names::default();
        (0..=MOST).for_each(|n| names.add(&frame(&format!("evt_{n}"), "hello"), hours(0)));
        assert_eq!(names.knows(&frame("evt_0", "hello"), hours(0)), Known::No);
        assert_eq!(names.knows(&frame("evt_1", "hello"), hours(0)), Known::Same);
        assert_eq!((names.in_order.len(), names.known.len()), (MOST, MOST));
    }

    #[test]
    fn a_request_that_was_not_taken_may_be_said_again() {
        let mut names = Names::default();
        names.add(&frame("evt_1", "hello"), hours(0));
        names.take_back("evt_1");
        assert_eq!(names.knows(&frame("evt_1", "hello"), hours(0)), Known::No);
    }

    #[test]
    fn something_else_under_a_known_name_is_told_apart_where_it_is_known_what_was_said() {
        let left = |name: &str, print| Named { at: hours(0), name: name.to_owned(), print };
        let print = Some(frame("evt_2", "hello").print);
        let mut names = Names::from(vec![left("evt_0", None), left("evt_2", print)]);
        names.add(&frame("evt_1", "hello"), hours(0));
        assert_eq!(names.knows(&frame("evt_1", "goodbye"), hours(0)), Known::Other);
        assert_eq!(names.knows(&frame("evt_2", "goodbye"), hours(0)), Known::Other);
        assert_eq!(names.knows(&frame("evt_2", "hello"), hours(0)), Known::Same);
        assert_eq!(names.knows(&frame("evt_0", "goodbye"), hours(0)), Known::Same);
    }
}
