//! What the person can point at because they have just been told of it.

use brain::facts::{Agenda, Letter, Letters, Meeting, OpenedLetter};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::gist::{Chat, Gist};
use crate::{Done, Understanding, narrator};

/// "The second one" counts in these lists; "it" is the opened letter, or the
/// only thing there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Focus {
    pub letters: Vec<Letter>,
    pub meetings: Vec<Meeting>,
    /// The one of them that was told of alone.
    pub meeting: Option<Meeting>,
    /// The mail that was read out last. The list it came from stays.
    pub opened: Option<Letter>,
    /// Only the first part of it was read, and it was offered to read on.
    pub offered_the_rest: bool,
    /// What was asked and not answered yet; empty when nothing was.
    pub asked: Vec<Choice>,
}

/// One answer to a question, and what would have been clear from the start.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Choice {
    pub name: String,
    pub sentence: String,
}

impl Focus {
    /// Remembers what was asked, so that "Nair" is an answer. Anything that
    /// is no question ends the waiting for one.
    pub fn wait_for_answer(&mut self, understanding: &Understanding) {
        match &understanding.gist {
            Gist::Chat(Chat::Shown(meeting, _)) => self.meeting = Some((**meeting).clone()),
            Gist::Chat(Chat::ShownNext(rest)) if rest.len() == 1 => {
                self.meeting = rest.first().cloned();
            }
            _ => {}
        }
        let choices = understanding.proposal.ambiguity.get("candidates");
        let choices = choices.filter(|_| understanding.question.is_some());
        self.asked = choices.and_then(|choices| Vec::deserialize(choices).ok()).unwrap_or_default();
    }

    /// Remembers what these steps brought. Steps that brought nothing to
    /// point at, or failed, leave everything as it was.
    pub fn note(&mut self, done: &[Done]) {
        let brought = |tool| done.iter().filter(move |step| step.tool == tool);
        let letters: Vec<_> = brought("gmail.search").filter_map(shown::<Letters>).collect();
        let agendas: Vec<_> = brought("calendar.list_events").filter_map(shown::<Agenda>).collect();
        let opened: Vec<_> =
            brought("gmail.get_message").filter_map(shown::<OpenedLetter>).collect();

        if !letters.is_empty() || !agendas.is_empty() {
            self.letters = letters.into_iter().flat_map(|found| found.messages).collect();
            self.meetings = agendas.into_iter().flat_map(|found| found.events).collect();
            (self.opened, self.offered_the_rest) = (None, false);
            self.meeting = None;
        }
        if let Some(letter) = opened.into_iter().next_back() {
            // Whoever asks for the same letter again has heard its rest.
            let again = self.opened.as_ref().is_some_and(|before| *before == letter.message);
            self.offered_the_rest = !again && narrator::is_long(&letter.body_text);
            self.opened = Some(letter.message);
        }
    }

    /// The letter that "it" would be.
    pub fn this_letter(&self) -> Option<&Letter> {
        match (&self.opened, self.letters.as_slice()) {
            (Some(letter), _) => Some(letter),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }
}

fn shown<T: DeserializeOwned>(step: &Done) -> Option<T> {
    step.result.as_ref().ok().and_then(|value| T::deserialize(value).ok())
}

#[cfg(test)]
mod tests {
    use brain::CallError;
    use serde_json::json;

    use super::*;

    fn letter(id: &str) -> serde_json::Value {
        json!({
            "message_id": id, "thread_id": "t", "from": {"address": "priya@brightloom.example"},
            "to": [], "subject": "Samples", "snippet": "", "sent_at": "2026-11-14T10:00:00Z",
            "unread": true, "labels": [],
        })
    }

    fn done(tool: &str, value: serde_json::Value) -> Done {
        Done { tool: tool.into(), result: Ok(value) }
    }

    #[test]
    fn opening_a_letter_keeps_the_list_it_came_from() {
        let mut focus = Focus::default();
        focus.note(&[done(
            "gmail.search",
            json!({"messages": [letter("a"), letter("b")], "total": 2}),
        )]);
        assert_eq!(focus.this_letter(), None);

        focus
            .note(&[done("gmail.get_message", json!({"message": letter("b"), "body_text": "Hi"}))]);
        assert_eq!(focus.letters.len(), 2);
        assert_eq!(focus.this_letter().unwrap().message_id, "b");
    }

    #[test]
    fn a_failure_is_nothing_to_point_at() {
        let mut focus = Focus::default();
        focus.note(&[done("gmail.search", json!({"messages": [letter("a")], "total": 1}))]);
        let before = focus.clone();
        let error = CallError { code: "down".into(), message: String::new(), retryable: true };
        focus.note(&[Done { tool: "gmail.search".into(), result: Err(error) }]);
        assert_eq!(focus, before);
    }
}
