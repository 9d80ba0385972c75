//! Numbers that are dictated: digit by digit, in twos, with a dash that is said.
//!
//! Ears put commas where somebody breathes, inside a telephone number as in a list. So
//! twos are taken for digits only where they make a number whole that began with
//! digits, or where it was said that a number comes.

use std::fmt;

use crate::numbers::{self, SMALL};

/// Two digits in a row may be an hour and a half; three are dictated.
const FEWEST: usize = 3;

/// How many digits telephone numbers have, without and with their area, and cards.
const WHOLE: [usize; 3] = [7, 10, 16];

/// What is dictated in twos alone behind "my PIN is".
const FEWEST_NAMED: usize = 4;

/// The dictated digits at the start of some words.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// With the dashes that were said.
    text: String,
    pub words: usize,
    tail: String,
}

impl fmt::Display for Run {
    /// Seven digits and ten are written like telephone numbers, where nobody said how.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, tail, .. } = self;
        match (text.len(), text.strip_prefix('1')) {
            _ if text.contains('-') => write!(to, "{text}{tail}"),
            (7, _) => write!(to, "{}-{}{tail}", &text[..3], &text[3..]),
            (10, _) => write!(to, "{}-{}-{}{tail}", &text[..3], &text[3..6], &text[6..]),
            (11, Some(rest)) => {
                write!(to, "1-{}-{}-{}{tail}", &rest[..3], &rest[3..6], &rest[6..])
            }
            _ => write!(to, "{text}{tail}"),
        }
    }
}

impl Run {
    pub fn is_number(&self) -> bool {
        self.count() >= FEWEST
    }

    /// Long enough for the number of a telephone with the number of its country.
    pub fn is_called(&self) -> bool {
        (10..=15).contains(&self.count())
    }

    fn count(&self) -> usize {
        self.text.bytes().filter(u8::is_ascii_digit).count()
    }

    fn take(&mut self, said: &str, words: usize, tail: &str) {
        self.text.push_str(said);
        self.words += words;
        tail.clone_into(&mut self.tail);
    }

    /// A full stop ends it; a comma is only a breath.
    fn is_open(&self) -> bool {
        is_breath(&self.tail)
    }
}

/// Whether a number was announced: "my PIN is", "the order number is".
pub fn is_named(before: &[&str]) -> bool {
    let [.., what, is] = before else { return false };
    let (what, tail) = bare(what);
    let is_name = matches!(what.as_str(), "pin" | "code" | "passcode" | "number" | "card");
    is_name && tail.is_empty() && is.eq_ignore_ascii_case("is")
}

/// The dictated digits at the start of `words`; where a number was announced (`named`), twos
/// need no digits before them.
pub fn run(words: &[&str], named: bool) -> Run {
    let run = hundreds(words).unwrap_or_else(|| digit_by_digit(words));
    let run = in_twos(words, &run, named).unwrap_or(run);
    if is_list(words, &run) { Run { words: run.words, ..Run::default() } } else { run }
}

fn digit_by_digit(words: &[&str]) -> Run {
    let mut run = Run::default();
    while run.is_open() {
        let dash = usize::from(run.words > 0 && is_dash(&words[run.words..]));
        let Some((said, many)) = next(&words[run.words + dash..], &run.text) else { break };
        let tail = bare(words[run.words + dash + many - 1]).1;
        run.take(&format!("{}{said}", &"-"[..dash]), dash + many, tail);
    }
    run
}

/// A word without the mark behind it, in small letters, and the mark.
fn bare(word: &str) -> (String, &str) {
    let core = word.trim_end_matches(['.', ',', '?', '!', ';', ':']);
    (core.to_lowercase(), &word[core.len()..])
}

fn is_breath(tail: &str) -> bool {
    tail.is_empty() || tail == ","
}

/// "Nine zero two one zero dash one two three four".
fn is_dash(words: &[&str]) -> bool {
    words.first().is_some_and(|word| {
        let (said, tail) = bare(word);
        matches!(said.as_str(), "dash" | "hyphen") && is_breath(tail)
    })
}

/// The next digits behind those `before`, and how many words they are.
fn next(words: &[&str], before: &str) -> Option<(String, usize)> {
    let (first, tail) = bare(words.first()?);
    let second = words.get(1).filter(|_| tail.is_empty()).map(|word| bare(word).0);
    // Only before a digit: a double bed is none.
    let times = match first.as_str() {
        "double" => Some(2),
        "triple" => Some(3),
        _ => None,
    };
    if let Some(times) = times {
        let digit = digits(&second?).filter(|digit| digit.len() == 1)?;
        return Some((digit.repeat(times), 2));
    }
    let digits = digits(&first)?;
    // "Oh one moment" begins no number, "oh two one three nine" does.
    let is_oh = before.is_empty() && ["oh", "o"].contains(&first.as_str());
    (!is_oh || behind_oh(words)).then_some((digits, 1))
}

/// Whether an "oh" at the beginning is a nought: so many digits come right behind it.
fn behind_oh(words: &[&str]) -> bool {
    let one = |word: &&&str| digits(&bare(word).0).is_some();
    let is_parted = words.first().is_some_and(|word| !bare(word).1.is_empty());
    !is_parted && words.iter().skip(1).take_while(one).count() > FEWEST
}

/// A digit as a word, one written digit, or digits with dashes between them.
fn digits(word: &str) -> Option<String> {
    // "Oh" begins a number only where many follow (`behind_oh`).
    if let Some(digit) = numbers::digit(word) {
        return Some(digit.to_string());
    }
    if word.len() == 1 {
        return word.chars().next().filter(char::is_ascii_digit).map(String::from);
    }
    let parts: Vec<&str> = word.split('-').collect();
    let single = |part: &&str| {
        part.len() == 1 && part.as_bytes()[0].is_ascii_digit() || numbers::digit(part).is_some()
    };
    if parts.len() > 1 && parts.iter().all(single) {
        return parts.iter().map(|part| digits(part)).collect();
    }
    None
}

/// "Eight hundred, five five five, one two one two": an area, where all of a telephone number
/// comes behind it.
fn hundreds(words: &[&str]) -> Option<Run> {
    let one = usize::from(words.first().is_some_and(|word| bare(word).0 == "one"));
    let at = |skip: usize| {
        let area = digits(&bare(words.get(skip)?).0)
            .filter(|digit| digit.len() == 1 && digit.as_str() > "1")?;
        let (hundred, tail) = bare(words.get(skip + 1)?);
        if hundred != "hundred" || !is_breath(tail) {
            return None;
        }
        let mut run = Run::default();
        run.take(&format!("{}{area}00", &"1"[..skip]), skip + 2, tail);
        let rest = digit_by_digit(&words[run.words..]);
        run.take(&rest.text, rest.words, &rest.tail);
        let run = in_twos(words, &run, false).unwrap_or(run);
        (run.count() == 10 + skip).then_some(run)
    };
    at(0).or_else(|| at(one).filter(|_| one > 0))
}

/// The rest of a number that goes on in twos: "six one seven, five five five, twenty one
/// twelve". Anywhere else these are a time, a year, or a number of something.
fn in_twos(words: &[&str], begun: &Run, named: bool) -> Option<Run> {
    if !begun.is_open() || !(named || begun.is_number()) {
        return None;
    }
    let mut run = begun.clone();
    let mut twos = 0;
    while let Some((said, many, more)) = step(&words[run.words..]).filter(|_| run.is_open()) {
        let tail = bare(words[run.words + many - 1]).1;
        run.take(&said, many, tail);
        twos += more;
    }
    let behind = words.get(run.words).filter(|_| run.is_open()).map(|word| bare(word).0);
    // "Two, three, four, twenty, thirty eggs" are so many eggs.
    let is_counted = behind.as_deref().is_some_and(|next| {
        next == "people" || next.len() > FEWEST && next.ends_with('s') && next != "thanks"
    });
    let count = run.count() - usize::from(run.count() == 11 && run.text.starts_with('1'));
    // A single two may count something; behind eight digits it is their end.
    let is_whole = WHOLE.contains(&count) && begun.is_number() && (twos > 1 || count > 7);
    let is_said =
        named && run.count() >= FEWEST_NAMED && (!run.tail.is_empty() || behind.is_none());
    (twos > 0 && !is_counted && (is_whole || is_said)).then_some(run)
}

/// The next digits or twos, how many words they are, and how many twos.
fn step(words: &[&str]) -> Option<(String, usize, usize)> {
    next(words, "0").map(|(said, many)| (said, many, 0)).or_else(|| two_digits(words))
}

/// Numbers between ten and ninety-nine as two digits each: one, several that were written in
/// one ("forty-two-seventeen"), or two with their noughts ("eighteen hundred").
fn two_digits(words: &[&str]) -> Option<(String, usize, usize)> {
    let (first, tail) = bare(words.first()?);
    let mut parts = first.split('-').peekable();
    let (mut said, mut many) = (String::new(), 0);
    let unit = |word: &str| numbers::digit(word).filter(|digit| *digit > 0);
    let mut is_ten = false;
    while let Some(part) = parts.next() {
        let teen = SMALL.iter().skip(10).position(|teen| *teen == part);
        is_ten = false;
        let two = match (teen, numbers::ten(part)) {
            (Some(teen), _) => 10 + teen,
            (None, Some(ten)) => {
                let one = parts.peek().and_then(|next| unit(next));
                if one.is_some() {
                    parts.next();
                } else {
                    is_ten = parts.peek().is_none();
                }
                10 * ten + one.unwrap_or(0)
            }
            (None, None) => return None,
        };
        said.push_str(&two.to_string());
        many += 1;
    }
    let second = words.get(1).filter(|_| is_breath(tail)).map(|word| bare(word).0);
    // A comma inside "twenty, one" is a breath, too.
    if let Some(one) = second.as_deref().and_then(unit).filter(|_| is_ten) {
        said.pop();
        return Some((format!("{said}{one}"), 2, many));
    }
    if tail.is_empty() && second.as_deref() == Some("hundred") {
        return Some((said + "00", 2, many + 1));
    }
    Some((said, 1, many))
}

/// "Two, three, four and twenty eggs": a breath behind each of them, and one more number of
/// its own behind an "and".
fn is_list(words: &[&str], run: &Run) -> bool {
    let all = &words[..run.words];
    let is_parted = |word: &&str| word.ends_with(',') && digits(&bare(word).0).is_some();
    let Some((_, before)) = all.split_last() else { return false };
    let [and, more @ ..] = &words[run.words..] else { return false };
    let is_one = two_digits(more).is_some() || (1..FEWEST).contains(&digit_by_digit(more).count());
    before.iter().all(is_parted) && matches!(*and, "and" | "or") && is_one && run.is_open()
}

#[cfg(test)]
mod tests {
    use super::super::written::written;

    #[test]
    fn a_number_in_twos_is_whole_also_where_ears_wrote_commas() {
        for (heard, expected) in [
            (
                "My phone number is six, one, seven, five, five, five, twenty, one, twelve. remember that.",
                "My phone number is 617-555-2112. remember that.",
            ),
            ("Call me at five, five, five, twelve, thirty four.", "Call me at 555-1234."),
            ("call five five five, twelve, thirty four tomorrow", "call 555-1234 tomorrow"),
            (
                "area code six one seven, five five five, thirty, three, forty.",
                "area code 617-555-3340.",
            ),
            ("It's 4 1 5, 5 5 5, oh one, ninety nine.", "It's 415-555-0199."),
            ("two one two, five five five, eighteen hundred", "212-555-1800"),
            ("eight hundred, five, five, five, twelve, twelve.", "800-555-1212."),
            ("one eight hundred, five five five, one two one two", "1-800-555-1212"),
            (
                "four five three two, twelve, thirty, four, fifty, six, seventy, eight, ninety ten.",
                "4532123456789010.",
            ),
            (
                "Her number is plus one, six one seven, 5 5 5, 0 1 2 3.",
                "Her number is +1-617-555-0123.",
            ),
            ("what is two plus one, three four", "what is two plus 134"),
        ] {
            assert_eq!(written(heard), expected, "{heard}");
        }
    }

    #[test]
    fn a_dash_that_is_said_is_written() {
        for (heard, expected) in [
            ("nine, zero, two, one, zero, dash, one, two, three, four.", "90210-1234."),
            ("6 1 7, dash, 5 5 5 dash 2 1 1 2", "617-555-2112"),
            ("nine one one dash it was loud", "911 dash it was loud"),
            ("one dash two", "one dash two"),
        ] {
            assert_eq!(written(heard), expected, "{heard}");
        }
    }

    #[test]
    fn twos_alone_are_a_number_where_one_was_announced() {
        for (heard, expected) in [
            ("my pin is forty-two-seventeen.", "my pin is 4217."),
            ("My order number is 7 7, twenty, fifteen.", "My order number is 772015."),
            ("the code is nineteen eighty four", "the code is 1984"),
            ("the room number is twelve", "the room number is twelve"),
            (
                "the number is twelve thirty minutes later",
                "the number is twelve thirty minutes later",
            ),
            ("the number of guests is twenty, thirty.", "the number of guests is twenty, thirty."),
        ] {
            assert_eq!(written(heard), expected, "{heard}");
        }
    }

    #[test]
    fn a_list_of_quantities_stays_one() {
        for heard in [
            "By two, three, four and twenty eggs.",
            "two, three, four, or five people",
            "at nine, ten, eleven, twelve",
            "twenty, thirty, forty eggs",
            "eight hundred, five people",
        ] {
            assert_eq!(written(heard), heard);
        }
        let heard = "two, three, four, twenty, thirty eggs";
        assert_eq!(written(heard), "234, twenty, thirty eggs", "as it was without the eggs");
        let heard = "five, five, five, one, two, three, four and nine, one, one";
        assert_eq!(written(heard), "555-1234 and 911");
    }
}
