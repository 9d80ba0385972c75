//! Ids of calls as they are sent back. Pure.
//!
//! What was brought for a call finds it by its id, and some refuse a conversation in which
//! two calls have the same one. Who gave none, or counts from nothing in every round, or
//! signs at such a length that only its beginning is sent, may have been followed by
//! somebody who minds.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Ask, Call, Message, plain_id};

/// An id has some room for a number behind it.
const LONGEST: usize = 36;

/// The same question, in which no two calls have the same id.
pub fn told_apart(ask: &Ask) -> Cow<'_, Ask> {
    let calls = |message: &Message| match message {
        Message::Model { calls, .. } => calls.len(),
        Message::Person(_) | Message::Brought { .. } => 0,
    };
    if ask.messages.iter().map(calls).sum::<usize>() < 2 {
        return Cow::Borrowed(ask);
    }
    let mut ids = Ids::default();
    let messages = ask.messages.iter().map(|message| ids.told(message)).collect();
    Cow::Owned(Ask { messages, ..ask.clone() })
}

#[derive(Default)]
struct Ids {
    taken: HashSet<String>,
    /// What the calls were called that were made last, and what they are called now.
    last: Vec<(String, String)>,
}

impl Ids {
    fn told(&mut self, message: &Message) -> Message {
        match message {
            Message::Person(_) => message.clone(),
            Message::Model { text, calls, thoughts } => {
                self.last.clear();
                let calls = calls.iter().map(|call| self.call(call)).collect();
                Message::Model { text: text.clone(), calls, thoughts: thoughts.clone() }
            }
            Message::Brought { id, tool, result } => {
                let known = self.last.iter().find(|(old, _)| old == id);
                let id = known.map_or(id, |(_, new)| new).clone();
                Message::Brought { id, tool: tool.clone(), result: result.clone() }
            }
        }
    }

    fn call(&mut self, call: &Call) -> Call {
        let mut id = plain_id(&call.id);
        let begins = id[..id.len().min(LONGEST)].to_owned();
        let mut number = 1;
        while !self.taken.insert(id.clone()) {
            number += 1;
            id = format!("{begins}_{number}");
        }
        self.last.push((call.id.clone(), id.clone()));
        Call { id, ..call.clone() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Thoughts;
    use super::*;

    fn round(ids: &[&str]) -> Vec<Message> {
        let call = |id: &&str| Call { id: (*id).into(), tool: "t".into(), args: json!({}) };
        let calls = ids.iter().map(call).collect();
        let thoughts = Thoughts::default();
        let calls = Message::Model { text: String::new(), calls, thoughts };
        let brought = |id: &&str| Message::Brought {
            id: (*id).into(),
            tool: "t".into(),
            result: format!("for {id}"),
        };
        [calls].into_iter().chain(ids.iter().map(brought)).collect()
    }

    #[test]
    fn no_two_calls_of_a_conversation_have_the_same_id() {
        let long = |end: &str| format!("signed:{}{end}", "a".repeat(60));
        let (one, other) = (long("x"), long("y"));
        let messages = [round(&["call_0", "b"]), round(&["call_0"]), round(&[&one, &other])];
        let ask = Ask { messages: messages.concat(), ..Ask::default() };

        let told = told_apart(&ask);

        let (mut calls, mut brought) = (Vec::new(), Vec::new());
        for message in &told.messages {
            match message {
                Message::Person(_) => {}
                Message::Model { calls: made, .. } => {
                    calls.extend(made.iter().map(|call| call.id.clone()));
                }
                Message::Brought { id, .. } => brought.push(id.clone()),
            }
        }
        let signed = format!("signed{}", "a".repeat(34));
        let again = format!("signed{}_2", "a".repeat(30));
        assert_eq!(calls, ["call_0", "b", "call_0_2", &signed, &again]);
        assert_eq!(brought, calls);
    }

    #[test]
    fn one_call_is_left_as_it_is() {
        let ask = Ask { messages: round(&["signed:abc="]), ..Ask::default() };
        assert!(matches!(told_apart(&ask), Cow::Borrowed(_)));
    }
}
