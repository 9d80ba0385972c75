//! What was done in whose name, line by line, each line sealing the one before.
//!
//! A line carries ids, states and fingerprints, never what people wrote. What is
//! sealed is its text, letter by letter as it was written down: a later version
//! may know more fields, and the old lines hold.
//!
//! A line that is changed, taken out or put in between breaks the chain, and
//! [`Check`] names the first that does not fit. The seals have no secret in them.
//! Whoever may write the file can therefore seal all of it anew, or cut off its
//! end, and the chain alone does not show it; the last seal, kept where they
//! cannot reach it, does ([`Check::held`]).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ids::{ActionId, ConfirmationId, SessionId, TurnId, UserId};
use crate::seal::Seal;

/// One thing that was decided, tried or learnt, before it has its place. A field
/// that is added must be an `Option` with a default: old lines lack it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub at: Timestamp,
    pub user: UserId,
    #[serde(default)]
    pub session: Option<SessionId>,
    #[serde(default)]
    pub turn: Option<TurnId>,
    #[serde(default)]
    pub confirmation: Option<ConfirmationId>,
    #[serde(default)]
    pub revision: Option<u32>,
    #[serde(default)]
    pub action: Option<ActionId>,
    #[serde(default)]
    pub tool: Option<String>,
    /// `asked`, `accepted`, `dispatching`, `confirmed`, `answer_refused`.
    pub what: String,
    /// The fingerprint of the write.
    #[serde(default)]
    pub seal: Option<Seal>,
    /// How it came, or why it was refused: a code, never a text.
    #[serde(default)]
    pub why: Option<String>,
}

/// A line in its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Counts from 1 without a gap.
    pub number: u64,
    /// What `text` says, as far as this version knows it.
    #[serde(flatten)]
    pub line: Line,
    /// The line exactly as it is kept; this is what is sealed.
    pub text: String,
    /// Seals this text together with the line before.
    pub hash: Seal,
}

/// The chain does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("line {0} was changed, or the one before it was")]
    Changed(u64),
    #[error("line {0} is missing")]
    Missing(u64),
}

/// What seals the first line.
pub fn origin() -> Seal {
    Seal::of_value(&json!("sayso audit"))
}

/// The seal of a text that follows `before`.
pub fn seal(before: Seal, number: u64, text: &str) -> Seal {
    Seal::of_value(&json!({ "before": before, "number": number, "text": text }))
}

impl Entry {
    /// Puts `line` in its place, behind the line that `before` seals.
    pub fn new(before: Seal, number: u64, line: Line) -> Self {
        let text = line.text();
        let hash = seal(before, number, &text);
        Self { number, line, text, hash }
    }

    /// A line as it was kept. Whether it holds is for [`Check`] to say.
    pub fn read(number: u64, text: String, hash: Seal) -> Result<Self, serde_json::Error> {
        Ok(Self { number, line: serde_json::from_str(&text)?, text, hash })
    }

    /// What is shown of it is what its text says.
    fn is_true_to_its_text(&self) -> bool {
        serde_json::from_str(&self.text).is_ok_and(|line: Line| line == self.line)
    }
}

/// A chain being checked, a page at a time.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    before: Seal,
    next: u64,
}

impl Default for Check {
    fn default() -> Self {
        Self { before: origin(), next: 1 }
    }
}

impl Check {
    /// A chain whose first lines were let go: it goes on behind line `number`.
    pub fn after(number: u64, seal: Seal) -> Self {
        Self { before: seal, next: number + 1 }
    }

    pub fn take(&mut self, entry: &Entry) -> Result<(), Broken> {
        if entry.number != self.next {
            return Err(Broken::Missing(self.next));
        }
        let hash = seal(self.before, entry.number, &entry.text);
        if hash != entry.hash || !entry.is_true_to_its_text() {
            return Err(Broken::Changed(entry.number));
        }
        self.before = entry.hash;
        self.next += 1;
        Ok(())
    }

    /// How many lines held, and the seal of the last. Keep both where those who
    /// may write the file cannot: a file that was sealed anew or cut has another
    /// seal at that number, or none.
    pub fn held(&self) -> (u64, Seal) {
        (self.next - 1, self.before)
    }
}

impl Line {
    /// A line about nothing but a person.
    pub fn new(at: Timestamp, user: UserId, what: &str) -> Self {
        Self {
            at,
            user,
            session: None,
            turn: None,
            confirmation: None,
            revision: None,
            action: None,
            tool: None,
            what: what.to_owned(),
            seal: None,
            why: None,
        }
    }

    /// As it is written down: one spelling, RFC 8785.
    fn text(&self) -> String {
        let value: Value = serde_json::to_value(self).expect("a line is plain data");
        serde_json_canonicalizer::to_string(&value).expect("a JSON value has a canonical form")
    }

    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn chain(whats: &[&str]) -> Vec<Entry> {
        let mut before = origin();
        let number_lines = (1..).zip(whats);
        number_lines
            .map(|(number, what)| {
                let line = Line::new(Timestamp::UNIX_EPOCH, UserId(Uuid::nil()), what);
                let entry = Entry::new(before, number, line);
                before = entry.hash;
                entry
            })
            .collect()
    }

    fn checked(entries: &[Entry]) -> Result<u64, Broken> {
        let mut check = Check::default();
        entries.iter().try_for_each(|entry| check.take(entry))?;
        Ok(check.held().0)
    }

    #[test]
    fn an_untouched_chain_holds() {
        assert_eq!(checked(&chain(&["asked", "accepted", "confirmed"])), Ok(3));
        assert_eq!(checked(&[]), Ok(0));
    }

    #[test]
    fn a_changed_line_is_named() {
        let mut entries = chain(&["asked", "accepted", "confirmed"]);
        let text = entries[1].text.replace("accepted", "rejected");
        entries[1] = Entry::read(2, text, entries[1].hash).unwrap();
        assert_eq!(checked(&entries), Err(Broken::Changed(2)));
    }

    #[test]
    fn a_line_that_says_other_than_its_text_is_named() {
        let mut entries = chain(&["asked", "accepted", "confirmed"]);
        entries[1].line.what = "rejected".into();
        assert_eq!(checked(&entries), Err(Broken::Changed(2)));
        entries[1].text = "accepted".into();
        entries[1].hash = seal(entries[0].hash, 2, "accepted");
        assert_eq!(checked(&entries), Err(Broken::Changed(2)));
    }

    #[test]
    fn a_line_keeps_the_spelling_it_was_written_in() {
        let known = chain(&["asked"]).remove(0);
        assert_eq!(Entry::read(1, known.text.clone(), known.hash).unwrap(), known);
        let respelled = known.text.replace("\":", "\": ");
        let respelled = Entry::read(1, respelled, known.hash).unwrap();
        assert_eq!(respelled.line, known.line);
        assert_eq!(checked(&[respelled]), Err(Broken::Changed(1)));
    }

    #[test]
    fn a_line_of_another_version_holds_with_fields_fewer_or_more() {
        let user = UserId(Uuid::nil());
        let old =
            format!(r#"{{"what":"asked","user":"{user}","at":"1970-01-01T00:00:00Z","tool":"t"}}"#);
        let new = old.replace('}', r#","device":"d"}"#);
        let mut entries: Vec<Entry> = Vec::new();
        let mut before = origin();
        for (number, text) in (1..).zip([old, new]) {
            before = seal(before, number, &text);
            entries.push(Entry::read(number, text, before).unwrap());
        }
        let line = Line::new(Timestamp::UNIX_EPOCH, user, "asked");
        let line = Line { tool: Some("t".into()), ..line };
        assert!(entries.iter().all(|entry| entry.line == line));
        entries.push(Entry::new(before, 3, line));
        assert_eq!(checked(&entries), Ok(3));
    }

    #[test]
    fn a_seal_is_the_same_in_every_version() {
        let sealed = seal(origin(), 1, r#"{"what":"asked"}"#);
        assert_eq!(
            sealed.to_string(),
            "85d3b4ee5180c53a136193e79b4744850813f0f3de168cfdf0a5b7975dd4e307"
        );
    }

    #[test]
    fn a_line_that_was_changed_and_sealed_anew_breaks_the_next_one() {
        let mut entries = chain(&["asked", "accepted", "confirmed"]);
        let line = Line { what: "rejected".into(), ..entries[1].line.clone() };
        entries[1] = Entry::new(entries[0].hash, 2, line);
        assert_eq!(checked(&entries), Err(Broken::Changed(3)));
    }

    #[test]
    fn what_was_let_go_at_the_beginning_is_not_missing() {
        let entries = chain(&["asked", "accepted", "confirmed"]);
        let mut check = Check::after(1, entries[0].hash);
        assert_eq!(entries[1..].iter().try_for_each(|entry| check.take(entry)), Ok(()));
        assert_eq!(check.held(), (3, entries[2].hash));
        assert_eq!(Check::after(1, origin()).take(&entries[1]), Err(Broken::Changed(2)));
    }

    #[test]
    fn a_missing_or_moved_line_is_named() {
        let mut entries = chain(&["asked", "accepted", "confirmed"]);
        entries.remove(1);
        assert_eq!(checked(&entries), Err(Broken::Missing(2)));
        let mut entries = chain(&["asked", "accepted", "confirmed"]);
        entries.swap(1, 2);
        assert_eq!(checked(&entries), Err(Broken::Missing(2)));
    }
}
