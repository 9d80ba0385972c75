//! What a model thought before it called a tool, as it wants it back with what was brought.
//! Pure.
//!
//! It is given back to whoever thought it, within the turn, and to nobody else. It is not
//! read, not shown and not kept: a description of it says only that it is there.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::{Ask, Message};

/// More of it is not carried around.
pub(super) const MOST_KEPT: usize = 256 * 1024;

/// A piece of a thought, in the words of its protocol.
#[derive(Clone, PartialEq)]
pub struct Kept(pub(super) Value);

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept(…)")
    }
}

/// The thoughts of one round.
#[derive(Clone, Default, PartialEq)]
pub struct Thoughts {
    whose: String,
    /// Each with how many calls had come before it.
    pieces: Vec<(usize, Value)>,
}

impl fmt::Debug for Thoughts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Thoughts({} of {:?})", self.pieces.len(), self.whose)
    }
}

impl Thoughts {
    pub(super) fn push(&mut self, calls: usize, Kept(piece): Kept) {
        self.pieces.push((calls, piece));
    }

    /// Of whoever is meant by this.
    #[must_use]
    pub fn of(self, whose: &str) -> Self {
        Self { whose: whose.to_owned(), ..self }
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Those that came after so many calls.
    pub(super) fn at(&self, calls: usize) -> impl Iterator<Item = &Value> {
        self.pieces.iter().filter(move |(at, _)| *at == calls).map(|(_, piece)| piece)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Value> {
        self.pieces.iter().map(|(_, piece)| piece)
    }
}

/// Who thinks: a provider and its model.
pub fn whose(provider: &str, model: &str) -> String {
    format!("{provider}/{model}")
}

/// The same question, without what others thought.
pub(super) fn of_its_own<'a>(ask: &'a Ask, whose: &str) -> Cow<'a, Ask> {
    let is_foreign = |message: &Message| match message {
        Message::Model { thoughts, .. } => !thoughts.is_empty() && thoughts.whose != whose,
        Message::Person(_) | Message::Brought { .. } => false,
    };
    if !ask.messages.iter().any(is_foreign) {
        return Cow::Borrowed(ask);
    }
    Cow::Owned(without(ask, is_foreign))
}

/// The same question, without what anybody thought.
pub(super) fn forgotten(ask: &Ask) -> Ask {
    without(ask, |_| true)
}

fn without(ask: &Ask, is_meant: impl Fn(&Message) -> bool) -> Ask {
    let mut ask = ask.clone();
    for message in &mut ask.messages {
        if is_meant(message)
            && let Message::Model { thoughts, .. } = message
        {
            *thoughts = Thoughts::default();
        }
    }
    ask
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn thought() -> Thoughts {
        let mut thoughts = Thoughts::default();
        thoughts.push(0, Kept(json!({ "thinking": "of Ana's salary" })));
        thoughts.of("anthropic/small-1")
    }

    fn ask() -> Ask {
        let model = Message::Model { text: "Hm.".into(), calls: Vec::new(), thoughts: thought() };
        Ask { messages: vec![model], ..Ask::default() }
    }

    #[test]
    fn a_thought_goes_back_to_whoever_thought_it_and_to_nobody_else() {
        let ask = ask();
        assert_eq!(*of_its_own(&ask, "anthropic/small-1"), ask);
        for other in ["openai/small-1", "anthropic/large-1"] {
            assert_eq!(*of_its_own(&ask, other), forgotten(&ask), "{other}");
        }
    }

    #[test]
    fn a_description_of_a_thought_does_not_tell_it() {
        let described = format!("{:?} {:?}", ask(), Kept(json!("of Ana's salary")));
        assert!(!described.contains("salary"), "{described}");
    }
}
