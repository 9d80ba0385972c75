//! A change that is asked for, put into fields of the payload.

use brain::card::{MemoryPreview, Preview};
use brain::resolve::time::is_weekday;
use brain::resolve::words::{Word, words};
use serde_json::{Map, Value};

use super::{CardView, corrected, displeased, event, mail, restyled, several, swapped};
use crate::World;
use crate::reflex::phrasing;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};

/// What becomes of a wish to change something.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// These fields, and what to say of it.
    To(Map<String, Value>, String),
    /// It was a wish to change something, and this is what is missing.
    Cannot(String),
    /// It was such a wish, and nobody understood which.
    Missed(String),
}

impl Change {
    pub fn one(field: &str, value: impl Into<Value>, said: impl Into<String>) -> Self {
        let mut fields = Map::new();
        fields.insert(field.to_owned(), value.into());
        Self::To(fields, said.into())
    }

    pub fn cannot(say: impl Into<String>) -> Self {
        Self::Cannot(say.into())
    }

    pub fn missed(say: impl Into<String>) -> Self {
        Self::Missed(say.into())
    }
}

/// The wish without "no, wait" before it and "please" behind it.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each of them was said beside it, or was not")]
pub struct Wish<'a> {
    pub heard: &'a str,
    pub words: &'a [Word],
    /// "Too" or "as well" stood behind it.
    pub too: bool,
    /// "Instead" stood behind it.
    pub instead: bool,
    /// "No" stood before it.
    pub refused: bool,
    /// "I said", "I meant" or "that's wrong" stood beside it.
    pub corrects: bool,
    pub world: &'a World,
}

/// How somebody is taken off a card.
pub const TAKES_OFF: &[(&str, &[&str])] = &[
    ("take", &["off"]),
    ("take", &["out"]),
    ("take", &["off", "it"]),
    ("take", &["off", "the", "list"]),
    ("take", &["off", "the", "mail"]),
    ("take", &["off", "the", "invite"]),
    ("take", &["off", "cc"]),
    ("leave", &["out"]),
    ("leave", &["off"]),
    ("remove", &["from", "it"]),
    ("remove", &["from", "cc"]),
    ("remove", &["from", "the", "list"]),
    ("drop", &["from", "it"]),
];

/// How somebody is put onto a card.
pub const PUTS_ON: &[(&str, &[&str])] = &[
    ("add", &["to", "it"]),
    ("add", &["to", "that"]),
    ("add", &["to", "this"]),
    ("add", &["to", "the", "mail"]),
    ("add", &["to", "the", "email"]),
    ("add", &["to", "the", "list"]),
    ("add", &["to", "the", "invite"]),
    ("add", &["to", "the", "meeting"]),
    ("put", &["on", "it"]),
    ("put", &["on", "the", "mail"]),
    ("put", &["on", "the", "list"]),
    ("put", &["on", "the", "invite"]),
    ("include", &["in", "it"]),
    ("include", &["on", "it"]),
];

/// What is to be different on this card, if that is what was said.
pub fn read(heard: &str, said: &[Word], card: &CardView<'_>, world: &World) -> Option<Change> {
    match alone(heard, said, card, world) {
        // "Call it Margin review, an hour": a name and how long.
        Some(Change::To(fields, told)) if fields.contains_key("title") => {
            let both = several::read(heard, said, card, world)
                .filter(|both| matches!(both, Change::To(all, _) if all.len() > fields.len()));
            Some(both.unwrap_or(Change::To(fields, told)))
        }
        Some(Change::To(fields, told)) => Some(Change::To(fields, told)),
        unclear => several::read(heard, said, card, world).or(unclear),
    }
}

/// The same, as one wish.
pub fn alone(heard: &str, said: &[Word], card: &CardView<'_>, world: &World) -> Option<Change> {
    let wish = Wish::of(heard, said, world)?;
    // Of what is on the calendar already, only the time can be another one.
    if let Preview::Event(event) = card.preview
        && event.change.is_some()
    {
        let change = || event::read(&wish, event, card.payload).or_else(|| wish.vague());
        let other = corrected::read(&wish, card);
        return if other.is_some() || wish.refuses() { other } else { change() };
    }
    let other = swapped::read(&wish, card.preview).or_else(|| corrected::read(&wish, card));
    if let Some(change) = other {
        return Some(change);
    }
    if wish.refuses() {
        return wish.not_them(card.preview);
    }
    if let Some(both) = two_at_once(heard, &wish, card, world) {
        return Some(both);
    }
    match card.preview {
        Preview::Email(_) if restyled::is_wanted(&wish) => Some(Change::missed(NO_OTHER_WORDS)),
        Preview::Email(email) => mail::read(&wish, email),
        Preview::Event(event) => event::read(&wish, event, card.payload),
        Preview::Memory(memory) => of_memory(&wish, said, memory),
        Preview::Lines { .. } => None,
    }
    .or_else(|| wish.vague())
}

/// "Make it an hour and call it Board prep": two changes of different things.
fn two_at_once(heard: &str, wish: &Wish<'_>, card: &CardView<'_>, world: &World) -> Option<Change> {
    const OF_EVENTS: &[&str] = &[
        "make", "call", "name", "title", "add", "invite", "move", "with", "without", "push",
        "start", "change", "set", "location", "rename", "drop", "remove", "take", "delete",
    ];
    const OF_MAILS: &[&str] = &["cc", "copy", "subject"];
    let leads = match card.preview {
        Preview::Event(_) => OF_EVENTS,
        Preview::Email(_) => OF_MAILS,
        Preview::Memory(_) | Preview::Lines { .. } => return None,
    };
    let at = (1..wish.words.len().saturating_sub(1)).find(|&at| {
        let (and, next) = (&wish.words[at], &wish.words[at + 1]);
        and.is("and") && !and.quoted && is_any(&next.text, leads)
    })?;
    let first = read(heard, &wish.words[..at], card, world)?;
    let second = read(heard, &wish.words[at + 1..], card, world)?;
    match (first, second) {
        (Change::To(mut fields, said), Change::To(more, then)) => {
            let apart = more.keys().all(|field| !fields.contains_key(field));
            fields.extend(more);
            apart.then(|| Change::To(fields, format!("{said} {then}")))
        }
        // "Call it Piano lesson and invite Rosa", who is invited already.
        (Change::To(fields, said), Change::Cannot(why) | Change::Missed(why))
        | (Change::Cannot(why) | Change::Missed(why), Change::To(fields, said)) => {
            Some(Change::To(fields, format!("{said} {why}")))
        }
        (Change::Cannot(_) | Change::Missed(_), Change::Cannot(_) | Change::Missed(_)) => None,
    }
}

/// Each is followed by better words for what is to be remembered.
const REPLACES: &[&[&str]] = &[
    &["change", "it", "to"],
    &["change", "that", "to"],
    &["make", "it"],
    &["make", "that"],
    &["let", "it", "say"],
    &["it", "should", "say"],
];

/// "Make it: Tom is allergic to peanuts", "no, remember that …".
fn of_memory(wish: &Wish<'_>, said: &[Word], memory: &MemoryPreview) -> Option<Change> {
    if memory.forgets {
        return None;
    }
    let corrects = said[0].text != wish.words[0].text;
    let again = || wish.behind(&["remember", "that"]).filter(|_| corrects);
    let Some(words) = wish.behind_any(REPLACES).or_else(again) else {
        let text = put_right(wish.words, &memory.text).filter(|_| corrects)?;
        return Some(Change::one("memory", text, "Like this."));
    };
    let text = phrasing::capital(&phrasing::spelled(wish.raw(words).trim_end_matches('!')));
    let says = words.len() > 2;
    says.then(|| Change::one("memory", text, "Like this."))
}

/// "No, Thursday": the one day of the note is another one, the one number too.
pub fn put_right(said: &[Word], note: &str) -> Option<String> {
    let little = ["on", "at", "it", "is", "the"];
    let mut left = said.iter().filter(|word| !is_any(&word.text, &little));
    let value = left.next().filter(|word| !word.quoted && left.next().is_none())?;
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let alike = |text: &str| {
        is_weekday(&value.text) && is_weekday(text) || is_number(&value.text) && is_number(text)
    };
    let noted = words(note);
    let mut places = noted.iter().filter(|word| alike(&word.text));
    let place = places.next().filter(|_| places.next().is_none())?;
    let value = phrasing::spelled(&value.text);
    Some(format!("{}{value}{}", &note[..place.start], &note[place.end..]))
}

const BEFORE: &[&[&str]] = &[
    &["hold", "on"],
    &["could", "you"],
    &["can", "you"],
    &["would", "you"],
    &["can", "we"],
    &["i", "want", "you", "to"],
    &["i", "would", "like", "you", "to"],
    &["i", "would", "rather"],
    &["by", "the", "way"],
    &["no"],
    &["nope"],
    &["nah"],
    &["wait"],
    &["sorry"],
    &["actually"],
    &["yes"],
    &["yeah"],
    &["ok"],
    &["okay"],
    &["sure"],
    &["but"],
    &["and"],
    &["um"],
    &["uh"],
    &["hm"],
    &["hmm"],
    &["well"],
    &["please"],
    &["rather"],
    &["just"],
    &["first"],
    &["maybe"],
    &["then"],
    &["so"],
    &["oh"],
    &["sayso"],
];

/// A no that something better follows: "leave it, do Friday". Without a pause it can
/// be about when: "leave it for today".
const REFUSED: &[&[&str]] = &[
    &["leave", "it"],
    &["leave", "that"],
    &["forget", "it"],
    &["forget", "that"],
    &["skip", "it"],
    &["skip", "that"],
    &["scrap", "it"],
    &["scrap", "that"],
];

/// Something was taken for something else, and this is what it was.
const CORRECTS: &[&[&str]] = &[
    &["i", "said", "to"],
    &["i", "said"],
    &["i", "meant"],
    &["i", "mean"],
    &["i", "wanted"],
    &["i", "asked", "for"],
];

const AFTER: &[&[&str]] = &[
    &["and", "then", "send", "it"],
    &["and", "then", "send"],
    &["and", "send", "it"],
    &["and", "send"],
    &["then", "send"],
    &["and", "book", "that"],
    &["then", "send", "it"],
    &["and", "book", "it"],
    &["before", "you", "send", "it"],
    &["please"],
    &["thanks"],
    &["thank", "you"],
    &["then"],
    &["though"],
];

impl<'a> Wish<'a> {
    pub fn of(heard: &'a str, said: &'a [Word], world: &'a World) -> Option<Self> {
        let (too, instead, refused, corrects) = (false, false, false, false);
        let mut wish = Self { heard, words: said, too, instead, refused, corrects, world };
        loop {
            let before = || BEFORE.iter().find_map(|lead| wish.behind(lead));
            if let Some(rest) = before().or_else(|| wish.behind_refusal()) {
                wish.refused |= is_any(&wish.words[0].text, &["no", "nope", "nah"]);
                wish.words = rest;
            } else if let Some(rest) = wish.behind_correction() {
                (wish.words, wish.corrects) = (rest, true);
            } else {
                break;
            }
        }
        loop {
            if let Some(front) = AFTER.iter().find_map(|tail| wish.in_front(tail)) {
                wish.words = front;
            } else if let Some(front) = wish.in_front(&["too"]).or(wish.in_front(&["as", "well"])) {
                (wish.words, wish.too) = (front, true);
            } else if let Some(front) = wish.in_front(&["instead"]).or(wish.in_front(&["rather"])) {
                (wish.words, wish.instead) = (front, true);
            } else if let Some(front) = CORRECTS.iter().find_map(|tail| wish.in_front(tail)) {
                (wish.words, wish.corrects) = (front, true);
            } else {
                break;
            }
        }
        wish.words.first().filter(|first| !first.quoted)?;
        Some(wish)
    }

    /// What is wanted in the place of what was refused.
    fn behind_refusal(&self) -> Option<&'a [Word]> {
        REFUSED.iter().find_map(|lead| {
            let rest = self.behind(lead)?;
            let paused = self.words[lead.len() - 1].stop.is_some_and(|stop| stop != '?');
            let goes_on = is_any(&rest[0].text, &["do", "make", "try", "lets", "move", "book"]);
            (paused || goes_on).then_some(rest)
        })
    }

    /// What is right, behind "I said" or "that's not right".
    fn behind_correction(&self) -> Option<&'a [Word]> {
        let said = || CORRECTS.iter().find_map(|lead| self.behind(lead));
        said().or_else(|| {
            let (_, rest) = self.words.split_at(displeased::leads(self.words)?);
            rest.first().is_some_and(|next| !next.quoted).then_some(rest)
        })
    }

    /// "Don't add Ana" changes nothing.
    fn refuses(&self) -> bool {
        matches!(self.words[0].text.as_str(), "not" | "never")
            || self.behind(&["do", "not"]).is_some()
    }

    /// "No, not Ana", where she is one of several on the card.
    fn not_them(&self, preview: &Preview) -> Option<Change> {
        let gone = self.people(self.behind(&["not"])?)?.ok()?;
        let of = |address: &str| gone.iter().any(|whom| whom.is_at(address));
        let all: Vec<&str> = preview.recipients().map(|one| one.address.as_str()).collect();
        let there = gone.iter().all(|whom| all.iter().any(|address| whom.is_at(address)));
        if !there || all.iter().all(|address| of(address)) {
            return None;
        }
        match preview {
            Preview::Email(email) => Some(mail::without(&gone, email, self.world)),
            Preview::Event(event) => Some(event::without(&gone, event, self.world)),
            Preview::Memory(_) | Preview::Lines { .. } => None,
        }
    }

    /// What stands behind these first words; never nothing.
    pub fn behind(&self, lead: &[&str]) -> Option<&'a [Word]> {
        let (front, rest) = self.words.split_at_checked(lead.len())?;
        let same = front.iter().zip(lead).all(|(word, text)| word.is(text) && !word.quoted);
        (same && !rest.is_empty()).then_some(rest)
    }

    pub fn behind_any(&self, leads: &[&[&str]]) -> Option<&'a [Word]> {
        leads.iter().filter_map(|lead| self.behind(lead)).min_by_key(|rest| rest.len())
    }

    /// What stands between these: "take Tom off", "put Yuki in cc".
    pub fn between(&self, frames: &[(&str, &[&str])]) -> Option<&'a [Word]> {
        frames.iter().find_map(|(lead, tail)| {
            let rest = self.behind(&[lead])?;
            let (front, end) = rest.split_at(rest.len().checked_sub(tail.len())?);
            let same = end.iter().zip(*tail).all(|(word, text)| word.is(text) && !word.quoted);
            (same && !front.is_empty()).then_some(front)
        })
    }

    fn in_front(&self, tail: &[&str]) -> Option<&'a [Word]> {
        let cut = self.words.len().checked_sub(tail.len())?;
        let (front, rest) = self.words.split_at(cut);
        let same = rest.iter().zip(tail).all(|(word, text)| word.is(text) && !word.quoted);
        (same && !front.is_empty()).then_some(front)
    }

    pub fn texts(&self) -> Vec<&'a str> {
        self.words.iter().map(|word| word.text.as_str()).collect()
    }

    /// These words as they were written, without quotation marks around them.
    pub fn raw(&self, words: &[Word]) -> String {
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
        let before = self.words.iter().rfind(|word| word.end <= first.start);
        let from = before.map_or(first.start, |word| word.end);
        let raw = phrasing::stretch(self.heard, from, first.start, last.end);
        raw.trim_matches(['"', '“', '”']).to_owned()
    }

    /// Everybody named, if these words are nothing but names.
    pub fn people(&self, words: &[Word]) -> Option<Result<Vec<Whom>, Change>> {
        let words = match words {
            [to, rest @ ..] if to.is("to") && !rest.is_empty() => rest,
            _ => words,
        };
        let (found, end) = whom::list(words, 0, self.heard, self.world);
        if found.is_empty() || end != words.len() {
            return None;
        }
        for whom in &found {
            match whom {
                Whom::Stranger(name) => {
                    // No question that a yes would answer: a yes is for the card.
                    let said = match whom::nearly(name, self.world).as_slice() {
                        [] => format!("I don't have an address for {name}."),
                        alike => format!(
                            "I don't know {name}. If it is {}, say that again with the whole name.",
                            alike.join(" or ")
                        ),
                    };
                    return Some(Err(Change::cannot(said)));
                }
                Whom::OneOf(names) => {
                    let names = names.join(" or ");
                    return Some(Err(Change::cannot(format!(
                        "{names}? Say that again with the whole name."
                    ))));
                }
                Whom::Known { .. } | Whom::Address(_) => {}
            }
        }
        Some(Ok(found))
    }

    /// A wish that no rule can fulfil.
    fn vague(&self) -> Option<Change> {
        let texts = self.texts();
        let style = [
            "shorter",
            "longer",
            "friendlier",
            "formal",
            "nicer",
            "warmer",
            "better",
            "different",
            "politer",
            "casual",
            "softer",
            "clearer",
            "polite",
            "friendly",
            "short",
            "funnier",
            "kinder",
            "professional",
            "warm",
            "personal",
            "concise",
            "brief",
            "simpler",
            "direct",
            "human",
        ];
        let changes =
            ["change", "edit", "reword", "rewrite", "rephrase", "revise", "adjust", "tweak"];
        let about_it = texts.iter().any(|text| {
            matches!(
                *text,
                "it" | "that" | "this" | "text" | "mail" | "wording" | "tone" | "something"
            )
        });
        let first = texts[0];
        let wants = is_any(first, &changes) || is_any(first, EDITS) || first == "sound";
        let styled = texts.iter().any(|text| is_any(text, &style));
        if styled && (texts.len() <= 6 || wants && about_it && texts.len() <= LONGEST_WISH) {
            return Some(Change::missed(NO_OTHER_WORDS));
        }
        if is_any(first, &changes) && texts.len() <= 4 && (about_it || texts.len() == 1) {
            return Some(Change::missed("What should be different?"));
        }
        // "Change it …", however it goes on, is about the card.
        let at_once = matches!(
            texts.as_slice(),
            [_, "it" | "this", ..]
                | [_, "that", "to" | "so" | "into", ..]
                | [_, "the", "whole" | "entire" | "text" | "wording" | "tone" | "message", ..]
        );
        let points = about_it || self.instead;
        let short = texts.len() <= 10 && points;
        let fixes = is_any(first, &changes) || is_any(first, &["replace", "fix", "update"]);
        (wants && short || fixes && at_once)
            .then(|| Change::missed("I didn't get that change. Say it another way, or press edit."))
    }
}

/// To whoever wants it worded otherwise, and does not say how.
const NO_OTHER_WORDS: &str =
    "I can't find other words by myself. Tell me the words, or press edit.";
/// Verbs that may be about a card.
const EDITS: &[&str] = &["make", "move", "replace", "remove", "fix", "update", "set"];
/// Nobody says in more words how a text should sound.
const LONGEST_WISH: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_day_or_number_of_a_note_is_put_right() {
        let right = |said: &str, note: &str| put_right(&words(said), note);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            right("thursday", "The gym closes on Monday."),
            some("The gym closes on Thursday.")
        );
        assert_eq!(right("it's 14", "My locker is 12"), some("My locker is 14"));
        for (said, note) in [
            ("thursday", "My locker is 12"),
            ("thursday", "The gym is open on Monday and Friday"),
            ("thursday at 5", "The gym closes on Monday"),
            ("14", "The gym closes on Monday"),
        ] {
            assert_eq!(right(said, note), None, "{said}: {note}");
        }
    }
}
