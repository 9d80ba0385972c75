//! What leaves this machine is looked through first: secrets stay. Pure.
//!
//! Of what tools brought and of what was said before, passwords, codes to sign in with,
//! card numbers, account numbers and keys are taken out before somebody elsewhere sees it.
//! The sentence itself goes as it was said: it is what is asked. What it may be about does not.

mod keys;

use serde_json::Value;

use self::keys::{LOOKED_AT, start_of, without_keys};
use crate::provider::{Call, Message};

/// Stands where something was taken out.
const WITHHELD: &str = "[withheld]";

/// Behind one of these stands a secret, whatever it looks like.
const SECRETS: [&str; 18] = [
    "password",
    "passwort",
    "kennwort",
    "heslo",
    "passe",
    "contraseña",
    "senha",
    "passcode",
    "passphrase",
    "pwd",
    "pin",
    "cvv",
    "cvc",
    "secret",
    "token",
    "apikey",
    "api_key",
    "ssn",
];
/// Behind one of these stands a secret, where it has a digit in it.
const CODES: [&str; 8] = ["code", "otp", "tan", "kód", "wifi", "wi-fi", "wlan", "passport"];
/// A code of this kind is none.
const OPEN: [&str; 11] = [
    "zip", "postal", "area", "country", "dress", "order", "booking", "discount", "promo", "error",
    "status",
];
/// So many words may stand between "code" and the code.
const NEAR: usize = 3;
/// A text that is longer names nothing that follows.
const LONGEST_LABEL: usize = 40;
/// So many, where they stand in brackets: "PIN (ask Tom) 7731". As many may stand before an
/// "is" that comes back to it: "the code for the door of the garage is 9913".
const NEAR_IN_BRACKETS: usize = 12;
/// So much of what stands behind a number may say that it is a code.
const NEAR_BEHIND: usize = 80;
/// So much of what was said aloud is remembered.
const SAID_BEFORE: usize = 400;
/// Fields that say what the others of their object are about.
const LABELS: [&str; 4] = ["name", "label", "title", "key"];
/// Behind what a label names, these say of what: "PIN of the garage".
const OF: [&str; 8] = ["for", "of", "to", "in", "at", "from", "on", "number"];
/// Between a word and what it is.
const LINKS: [&str; 6] = ["is", "was", "ist", "est", "es", "je"];

/// The same conversation, for somebody elsewhere.
pub fn for_elsewhere(messages: &[Message]) -> Vec<Message> {
    let last = messages.iter().rposition(|message| matches!(message, Message::Person(_)));
    let messages = messages.iter().enumerate();
    messages
        .map(|(at, message)| match message {
            Message::Person(text) if Some(at) == last => {
                let sentence = super::sentence_in(text);
                let about = without_secrets(&text[..text.len() - sentence.len()]);
                Message::Person(about + sentence)
            }
            Message::Person(text) => Message::Person(without_secrets(text)),
            Message::Model { text, calls, thoughts } => {
                let calls = calls.iter().map(without_secrets_in).collect();
                let thoughts = thoughts.clone();
                Message::Model { text: without_secrets(text), calls, thoughts }
            }
            Message::Brought { id, tool, result } => Message::Brought {
                id: id.clone(),
                tool: tool.clone(),
                // What stays has to be readable as it was.
                result: match serde_json::from_str::<Value>(result) {
                    Ok(value) => each_text(&value, &mut String::new()).to_string(),
                    Err(_) => without_secrets(result),
                },
            },
        })
        .collect()
}

fn without_secrets_in(call: &Call) -> Call {
    Call { args: each_text(&call.args, &mut String::new()), ..call.clone() }
}

/// The same value, looked through as far as there are texts in it. What stands under the name
/// of a secret is one, and what stands behind a label may be: "Gate code", "9913".
fn each_text(value: &Value, label: &mut String) -> Value {
    match value {
        Value::String(text) => {
            let kept = behind(label, text);
            *label = if text.len() <= LONGEST_LABEL { text.clone() } else { String::new() };
            kept.into()
        }
        Value::Array(values) => values.iter().map(|value| each_text(value, label)).collect(),
        Value::Object(fields) => {
            let labels = LABELS.iter().filter_map(|name| fields.get(*name)?.as_str());
            let secret = labels.filter_map(secret_named).next();
            let field = |(name, value): (&String, &Value)| {
                if SECRETS.contains(&name.to_lowercase().as_str()) {
                    return (name.clone(), WITHHELD.into());
                }
                let mut named = match &secret {
                    Some(secret) if name == "value" => format!("{secret} is"),
                    Some(secret) => format!("{} {secret}", name.replace('_', " ")),
                    None => format!("{label} {}", name.replace('_', " ")),
                };
                // What is known by it is asked for by it.
                if name == "id" || name.ends_with("_id") {
                    named.clear();
                }
                let value = each_text(value, &mut named);
                *label = named;
                (name.clone(), value)
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Value::Number(number) => {
            let text = number.to_string();
            let kept = behind(label, &text);
            label.clear();
            if kept == text { value.clone() } else { kept.into() }
        }
        Value::Null | Value::Bool(_) => {
            label.clear();
            value.clone()
        }
    }
}

/// "PIN", "Gate code for the garage": what is kept beside it is one. "Code review" names none.
fn secret_named(label: &str) -> Option<String> {
    let lower = label.to_lowercase();
    let words = || lower.split(|c| !is_of_word(c)).filter(|word| !word.is_empty());
    let last = words().take_while(|word| !OF.contains(word)).count().checked_sub(1)?;
    let is_open = || last > 0 && words().nth(last - 1).is_some_and(|it| OPEN.contains(&it));
    let word = words().nth(last)?;
    let is_one = SECRETS.contains(&word) || CODES.contains(&word) && !is_open();
    (is_one && label.len() <= LONGEST_LABEL).then(|| word.to_owned())
}

/// Whether there is a secret in a text, where this was said before it.
pub fn tells_secret(before: &str, text: &str) -> bool {
    told_behind(before, text).is_none_or(|kept| kept != text)
}

/// One more clause was said. Of all of them, what the next one may go on with is remembered.
pub fn say_behind(before: &mut String, clause: &str) {
    before.push(' ');
    before.push_str(clause);
    let cut = before.ceil_char_boundary(before.len().saturating_sub(SAID_BEFORE));
    before.drain(..cut);
}

/// A text without its secrets, where this stands before it.
fn behind(label: &str, text: &str) -> String {
    told_behind(label, text).unwrap_or_else(|| without_secrets(text))
}

/// The same; nothing where a secret that began before goes on in it.
fn told_behind(before: &str, text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    let before = format!("{before} ");
    let both = without_secrets(&(before.clone() + text));
    both.strip_prefix(&without_secrets(&before)).map(str::to_owned)
}

/// The same text with everything out that opens a door or an account.
pub fn without_secrets(text: &str) -> String {
    let text = without_numbers(&without_keys(text));
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    let mut heard = Heard::default();
    while let Some(first) = rest.chars().next() {
        if let Some(length) = heard.secret_at(rest) {
            out.push_str(WITHHELD);
            rest = &rest[length..];
            heard = Heard::default();
            continue;
        }
        let length = if is_of_word(first) { word_at(rest) } else { first.len_utf8() };
        heard.hear(&rest[..length]);
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '#' | '!' | '$')
}

fn word_at(text: &str) -> usize {
    text.find(|c| !is_of_word(c)).unwrap_or(text.len())
}

/// What was said before, as far as it announces a secret.
#[derive(Default)]
struct Heard {
    secret: Option<Announced>,
    code: Option<Announced>,
    /// "Use 552013 to log in".
    is_used: bool,
    in_brackets: bool,
    /// It is about something that runs out some year.
    is_document: bool,
    before: String,
}

/// A word before this one says that a secret follows.
#[derive(Clone, Copy, Default)]
struct Announced {
    /// How many words ago.
    words: usize,
    /// "is", a colon: what follows is it.
    is_linked: bool,
    /// Something in brackets stood between them.
    is_explained: bool,
    /// More words than that stood between it and the "is" that comes back to it.
    is_far: bool,
}

impl Announced {
    fn is_near(self) -> bool {
        self.words
            < match self {
                Self { is_far: true, .. } => 1,
                Self { is_explained: true, .. } => NEAR_IN_BRACKETS,
                _ => NEAR,
            }
    }

    /// Whether it may be this. From far away a link is none, however long it is.
    fn may_be(self, rest: &str, word: &str) -> bool {
        is_code(rest, word) && !(self.is_far && !has_digit(word))
    }

    /// "The code for the door is": as good as said again.
    fn again(self) -> Self {
        let is_about_it = !self.is_near() && self.words < NEAR_IN_BRACKETS;
        if is_about_it { Self { is_far: true, words: 0, ..self } } else { self }
    }
}

impl Heard {
    /// How much of `rest` is a secret, where one begins it. So much of it is looked at as may
    /// tell; it is read to its end only where it is one.
    fn secret_at(&self, rest: &str) -> Option<usize> {
        let first = rest.chars().next().filter(|c| !c.is_whitespace())?;
        let is_start = is_of_word(first) && !rest.starts_with(WITHHELD);
        let word = &rest[..word_at(rest)];
        let told = self.secret.filter(|it| it.is_near() && !self.in_brackets);
        if let Some(it) = told
            && !LINKS.contains(&word.to_lowercase().as_str())
            && (is_start || it.is_linked && !matches!(first, ':' | '=' | '"' | '\'' | '(' | '“'))
            && (it.is_linked || it.may_be(rest, word) && !is_date(rest))
        {
            let (digits, count) = digits_at(rest);
            let whole = to_blank(rest).len();
            return Some(if count >= 4 && digits >= whole { digits } else { whole });
        }
        if !is_start {
            return None;
        }
        let told = self.code.filter(|it| it.is_near() && !self.in_brackets);
        let is_open = || is_date(rest) || self.is_document && is_year(word);
        if told.is_some_and(|it| it.may_be(rest, word)) && !is_open() {
            let (digits, count) = digits_at(rest);
            return Some(if count >= 4 { digits } else { to_blank(rest).len() });
        }
        // Eight digits are no longer, however they are written.
        let (digits, count) = digits_at(start_of(rest, NEAR_BEHIND));
        let behind = &rest[digits..];
        let is_used = (4..=8).contains(&count) && (self.is_used || names_a_code(behind));
        (is_used && logs_in(behind)).then_some(digits)
    }

    fn hear(&mut self, piece: &str) {
        match piece {
            "(" | "[" => self.in_brackets = true,
            ")" | "]" => {
                self.in_brackets = false;
                let explained = |it: Announced| Announced { is_explained: true, ..it };
                self.secret = self.secret.map(explained);
                self.code = self.code.map(explained);
            }
            ":" | "=" => self.link(),
            "." | "?" | ";" => {
                self.secret = self.secret.filter(|it| it.is_linked);
                self.code = None;
            }
            "\n" => (self.code, self.is_used) = (None, false),
            piece if piece.starts_with(is_of_word) => self.hear_word(piece.to_lowercase()),
            _ => {}
        }
    }

    /// Near it, whatever follows is the secret; farther away only what looks like one.
    fn link(&mut self) {
        let linked = |it: Announced| match it.is_near() && !it.is_far {
            true => Announced { is_linked: true, ..it },
            false => it.again(),
        };
        self.secret = self.secret.map(linked);
        self.code = self.code.map(Announced::again);
    }

    fn hear_word(&mut self, word: String) {
        let next = |before: Option<Announced>, known: &[&str]| {
            if known.contains(&word.as_str()) {
                return Some(Announced::default());
            }
            // "Is now 9913."
            let is_said_of_it = matches!(word.as_str(), "now" | "still" | "again");
            before.map(|it| match it.is_far && is_said_of_it {
                true => it,
                false => Announced { words: it.words + 1, ..it },
            })
        };
        if CODES.contains(&word.as_str()) {
            self.is_document = word == "passport";
        }
        let is_open = OPEN.contains(&self.before.as_str());
        self.code = next(self.code, &CODES).filter(|_| !is_open);
        // "Passe" alone is no secret; "mot de passe" is.
        let is_half = word == "passe" && self.before != "de";
        self.secret = next(self.secret, &SECRETS).filter(|_| !is_half);
        if LINKS.contains(&word.as_str()) {
            self.link();
        }
        self.is_used = matches!(word.as_str(), "use" | "enter" | "type");
        self.before = word;
    }
}

/// A number that is no time and no count, or letters and digits in one.
fn is_code(rest: &str, word: &str) -> bool {
    (4..=10).contains(&digits_at(rest).1)
        || has_digit(word) && word.len() >= 4
        || keys::is_token(to_blank(start_of(rest, LOOKED_AT)), true)
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

/// Up to white space or a quote, without what only ends a sentence.
fn to_blank(text: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '“' | '”' | '<' | '>' | '`');
    let whole = &text[..text.find(ends).unwrap_or(text.len())];
    whole.trim_end_matches(['.', ',', ';', ')', '\''])
}

/// 2026-11-16.
fn is_date(text: &str) -> bool {
    let signs = text.as_bytes();
    signs.len() >= 10 && signs[4] == b'-' && signs[7] == b'-'
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && (word.starts_with("19") || word.starts_with("20"))
}

/// How long the digits are that begin `text`, in groups as people write them, and how many.
fn digits_at(text: &str) -> (usize, usize) {
    let (mut length, mut count) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '0'..='9' => {
                count += 1;
                length = at + 1;
            }
            ' ' | '-' if length == at && at > 0 => {}
            _ if c.is_alphabetic() && length == at && at > 0 => return (0, 0),
            _ => break,
        }
    }
    (length, count)
}

/// "… to log in", "… is your code".
fn logs_in(behind: &str) -> bool {
    let near = start_of(behind, NEAR_BEHIND);
    let near = near[..near.find(['.', '\n']).unwrap_or(near.len())].to_lowercase();
    ["log in", "login", "sign in", "sign-in", "verify", "verification", "confirm", "code", "otp"]
        .iter()
        .any(|sign| near.contains(sign))
}

/// "552013 is your code".
fn names_a_code(behind: &str) -> bool {
    start_of(behind.trim_start(), NEAR_BEHIND).to_lowercase().starts_with("is your")
}

/// Card numbers, and account numbers that begin with a country, whatever stands around them.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let begins_here = !text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        let found = if begins_here { number_at(&text[at..]) } else { None };
        if let Some(length) = found {
            out.push_str(WITHHELD);
            at += length;
        } else {
            let length = text[at..].chars().next().map_or(1, char::len_utf8);
            out.push_str(&text[at..at + length]);
            at += length;
        }
    }
    out
}

/// How long the number is that begins here, if it is one of those.
fn number_at(text: &str) -> Option<usize> {
    // In groups, as people write them.
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-');
    let near = start_of(text, 48);
    let run = &near[..near.find(|c: char| !is_part(c)).unwrap_or(near.len())];
    let signs: Vec<(usize, char)> =
        run.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).collect();
    // The longest that checks out and ends where a word ends.
    (13..=signs.len().min(34)).rev().find_map(|count| {
        let last = signs[count - 1].0 + 1;
        let ends_here = !run[last..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let number: String = signs[..count].iter().map(|(_, c)| c).collect();
        (ends_here && (is_card(&number) || is_account(&number))).then_some(last)
    })
}

/// Luhn's sum.
fn is_card(number: &str) -> bool {
    let digits: Option<Vec<u32>> = number.chars().map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| (13..=19).contains(&digits.len())) else {
        return false;
    };
    let doubled = |(at, digit): (usize, &u32)| match (at % 2, digit * 2) {
        (1, twice) if twice > 9 => twice - 9,
        (1, twice) => twice,
        _ => *digit,
    };
    digits.iter().rev().enumerate().map(doubled).sum::<u32>() % 10 == 0
}

/// An IBAN: 97 leaves 1.
fn is_account(number: &str) -> bool {
    let (country, rest) = number.split_at(2);
    let is_shaped = (15..=34).contains(&number.len())
        && country.chars().all(|c| c.is_ascii_uppercase())
        && rest[..2].chars().all(|c| c.is_ascii_digit());
    let moved = number[4..].chars().chain(number[..4].chars());
    let value = |rest: u32, c: char| {
        let digit = c.to_digit(36)?;
        Some((if digit > 9 { rest * 100 } else { rest * 10 } + digit) % 97)
    };
    is_shaped && moved.into_iter().try_fold(0, value) == Some(1)
}

#[cfg(test)]
#[path = "withheld_tests.rs"]
mod tests;
