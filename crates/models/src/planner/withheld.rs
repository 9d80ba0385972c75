//! What leaves this machine is looked through first: secrets stay. Pure.
//!
//! Of what tools brought and of what was said before, passwords, codes to sign in with,
//! card numbers, account numbers and keys are taken out before somebody elsewhere sees it.
//! The sentence itself goes as it was said: it is what is asked. What it may be about does not.

use crate::provider::Message;

/// Stands where something was taken out.
const WITHHELD: &str = "[withheld]";

/// Behind one of these stands a secret, whatever it looks like.
const SECRETS: [&str; 12] = [
    "password",
    "passwort",
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
];
/// Behind one of these stands a secret, where it has a digit in it.
const CODES: [&str; 3] = ["code", "otp", "tan"];
/// A code of this kind is none.
const OPEN: [&str; 5] = ["zip", "postal", "area", "country", "dress"];
/// How keys begin that everybody knows.
const KEYS: [&str; 10] =
    ["sk-", "pk_live_", "sk_live_", "ghp_", "gho_", "github_pat_", "xoxb-", "xoxp-", "AKIA", "eyJ"];
/// So short a thing is no key.
const SHORTEST_KEY: usize = 16;
/// So many words may stand between "code" and the code.
const NEAR: usize = 3;

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
            Message::Model { text, calls } => {
                Message::Model { text: without_secrets(text), calls: calls.clone() }
            }
            Message::Brought { id, tool, result } => Message::Brought {
                id: id.clone(),
                tool: tool.clone(),
                result: without_secrets(result),
            },
        })
        .collect()
}

/// The same text with everything out that opens a door or an account.
pub fn without_secrets(text: &str) -> String {
    let text = without_numbers(text);
    let mut out = String::with_capacity(text.len());
    let (mut secret, mut code): (Option<Announced>, Option<Announced>) = (None, None);
    let mut before = String::new();
    for piece in pieces(&text) {
        let Piece::Word(word) = piece else {
            let links = piece.text().contains([':', '=']);
            secret = secret.map(|it| Announced { is_linked: it.is_linked || links, ..it });
            out.push_str(piece.text());
            continue;
        };
        let lower = word.to_lowercase();
        let has_digit = word.contains(|c: char| c.is_ascii_digit()) && word.len() >= 4;
        let links = matches!(lower.as_str(), "is" | "was");
        let is_told = secret.is_some_and(|it| it.is_near() && (it.is_linked || has_digit));
        let is_code = code.is_some_and(Announced::is_near) && has_digit;
        let is_key = word.len() >= SHORTEST_KEY && KEYS.iter().any(|key| word.starts_with(key));
        if is_told && !links || is_code || is_key {
            out.push_str(WITHHELD);
            (secret, code) = (None, None);
            continue;
        }
        out.push_str(word);
        let next = |before: Option<Announced>, known: &[&str]| {
            if known.contains(&lower.as_str()) {
                return Some(Announced::default());
            }
            before.map(|it| Announced { words: it.words + 1, is_linked: it.is_linked || links })
        };
        let is_open = OPEN.contains(&before.as_str());
        (secret, code) = (next(secret, &SECRETS), next(code, &CODES).filter(|_| !is_open));
        before = lower;
    }
    out
}

/// A word before this one says that a secret follows.
#[derive(Clone, Copy, Default)]
struct Announced {
    /// How many words ago.
    words: usize,
    /// "is", a colon: what follows is it.
    is_linked: bool,
}

impl Announced {
    fn is_near(self) -> bool {
        self.words < NEAR
    }
}

enum Piece<'a> {
    Word(&'a str),
    Between(&'a str),
}

impl<'a> Piece<'a> {
    fn text(&self) -> &'a str {
        match self {
            Self::Word(text) | Self::Between(text) => text,
        }
    }
}

/// Words, and what stands between them; a key is one word with its signs.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '#' | '!' | '$');
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let in_word = is_word(first);
        let end = rest.find(|c: char| is_word(c) != in_word).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        Some(if in_word { Piece::Word(piece) } else { Piece::Between(piece) })
    })
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
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len()).min(48);
    let run = &text[..end];
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
mod tests {
    use super::*;

    #[test]
    fn secrets_stay_on_this_machine() {
        for (text, expected) in [
            ("Your password is hunter2!", "Your password is [withheld]"),
            ("password: tr0ub4dor", "password: [withheld]"),
            ("Your sign-in code is 483920.", "Your sign-in code is [withheld]."),
            ("Code 12 of the house", "Code 12 of the house"),
            ("Pay with 4111 1111 1111 1111 today", "Pay with [withheld] today"),
            ("card 4111111111111111, thanks", "card [withheld], thanks"),
            ("to DE89 3704 0044 0532 0130 00 please", "to [withheld] please"),
            ("key sk-abcdefghijklmnop1234 works", "key [withheld] works"),
            ("{\"pin\":\"9911\",\"to\":\"ana\"}", "{\"pin\":\"[withheld]\",\"to\":\"ana\"}"),
        ] {
            assert_eq!(without_secrets(text), expected);
        }
    }

    #[test]
    fn what_is_no_secret_stays_as_it_is() {
        for text in [
            "Three meetings tomorrow, the first at 9:30.",
            "mail_4fecb4a27029006587c72b6a2d341b2d",
            "2026-11-16T15:00:00-08:00[America/Los_Angeles]",
            // Its sum does not check out.
            "Invoice 4111 1111 1111 1112 is due",
            "call +1 415 555 0100",
            "zip code 94107",
            "the secret garden opens at nine",
            "Čau, příště!",
            "",
        ] {
            assert_eq!(without_secrets(text), text);
        }
    }

    #[test]
    fn the_sentence_itself_goes_as_it_was_said() {
        let messages = [
            Message::Person("my pin is 9911".into()),
            Message::Person(
                "Shown before: mail 1, “Your sign-in code is 483920”\n\n\
                 The person says: is 4111 1111 1111 1111 a valid card number?"
                    .into(),
            ),
            Message::Brought { id: "a".into(), tool: "t".into(), result: "pin 9911".into() },
        ];
        let expected = [
            Message::Person("my pin is [withheld]".into()),
            Message::Person(
                "Shown before: mail 1, “Your sign-in code is [withheld]”\n\n\
                 The person says: is 4111 1111 1111 1111 a valid card number?"
                    .into(),
            ),
            Message::Brought { id: "a".into(), tool: "t".into(), result: "pin [withheld]".into() },
        ];
        assert_eq!(for_elsewhere(&messages), expected);
    }
}
