//! What was heard in a form that can be used: digits that were said one by one
//! become one number, and marks that nobody can hear are gone.
//!
//! Times and e-mail addresses said aloud are read where sentences are read; a
//! recogniser needs help only with what it writes apart, "nine four one oh
//! seven", "9-4-1-0-7", and with times whose colon it lost, "245pm", "6.05 a.m.".

/// Digits as words. "Oh" begins a number only where many follow.
const DIGITS: [(&str, char); 12] = [
    ("zero", '0'),
    ("oh", '0'),
    ("o", '0'),
    ("one", '1'),
    ("two", '2'),
    ("three", '3'),
    ("four", '4'),
    ("five", '5'),
    ("six", '6'),
    ("seven", '7'),
    ("eight", '8'),
    ("nine", '9'),
];
const TEENS: [&str; 10] = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] =
    ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// Two digits in a row may be an hour and a half; three are dictated.
const FEWEST: usize = 3;

/// `text` with runs of dictated digits joined. Seven digits and ten are written
/// like telephone numbers. Quotation marks are the recogniser's guess, and so is a
/// comma behind everything. The rest stays as it is.
pub fn written(text: &str) -> String {
    let text = text.replace(['"', '“', '”'], "");
    // An apostrophe inside a word is part of it.
    let words = text.split_whitespace().map(|word| word.trim_matches(['\'', '‘', '’']));
    let words = halves(words.filter(|word| !word.is_empty()).map(today).collect());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let run = run(&words[at..]);
        if run.digits.len() >= FEWEST {
            out.push(format!("{}{}", number(&run.digits), run.tail));
        } else if let Some(time) = clock(words[at], words.get(at + 1).copied()) {
            out.push(time);
            at += 1;
            continue;
        } else {
            out.extend(words[at..at + run.words.max(1)].iter().map(|word| (*word).to_owned()));
        }
        at += run.words.max(1);
    }
    let mut written = out.join(" ");
    if written.ends_with(',') {
        written.pop();
        written.push('.');
    }
    written
}

/// "To-morrow", as old books write it.
fn today(word: &str) -> String {
    let lower = word.to_lowercase();
    let is_old = ["to-day", "to-morrow", "to-night"].iter().any(|old| lower.starts_with(old));
    if is_old { word.replacen('-', "", 1) } else { word.to_owned() }
}

/// Hours and minutes as words.
const CLOCK: [&str; 20] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "fifteen", "twenty", "thirty", "forty", "fifty", "o'clock", "hundred", "oh",
];

/// "Five p. M to call": the half of a day that was written apart, behind an hour.
fn halves(words: Vec<String>) -> Vec<String> {
    let bare = |word: &str| word.trim_end_matches(['.', ',', '?', '!']).to_lowercase();
    let is_hour = |word: &str| {
        let word = bare(word);
        let last = word.rsplit('-').next().unwrap_or_default();
        CLOCK.contains(&last) || word.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let half = bare(&word);
        let is_half = matches!(half.as_str(), "a" | "p") && !word.ends_with([',', '?', '!']);
        let is_apart = is_half
            && out.last().is_some_and(|hour| is_hour(hour))
            && words.peek().is_some_and(|next| bare(next) == "m");
        match words.next_if(|_| is_apart) {
            Some(next) => {
                let tail = next.trim_start_matches(['m', 'M', '.']);
                out.push(format!("{half}.m.{tail}"));
            }
            None => out.push(word),
        }
    }
    out
}

/// "245pm", "6.05 a.m.": a time without its colon, beside its half of the day.
fn clock(word: &str, next: Option<&str>) -> Option<String> {
    let halves = ["am", "pm", "a.m.", "p.m."];
    let lower = word.to_lowercase();
    let bare = lower.trim_end_matches(['.', ',', '?', '!']);
    let attached = halves.iter().any(|half| bare.ends_with(half.trim_end_matches('.')));
    let half = |word: &str| halves.contains(&word.to_lowercase().trim_end_matches([',', '?', '!']));
    let dotless = |word: &str| half(word.trim_end_matches('.'));
    if !attached && !next.is_some_and(|next| half(next) || dotless(next)) {
        return None;
    }
    let length = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
    let (digits, rest) = word.split_at(length);
    let (hour, minute) = match digits.split_once('.') {
        Some(parts) => parts,
        None => digits.split_at_checked(digits.len().checked_sub(2)?)?,
    };
    let fits = |part: &str, most: u8| part.parse::<u8>().is_ok_and(|part| part <= most);
    let time =
        (1..=2).contains(&hour.len()) && minute.len() == 2 && fits(hour, 12) && fits(minute, 59);
    time.then(|| format!("{hour}:{minute}{rest}"))
}

#[derive(Default)]
struct Run {
    digits: String,
    words: usize,
    tail: String,
}

/// A word without the mark behind it, in small letters, and the mark.
fn bare(word: &str) -> (String, &str) {
    let core = word.trim_end_matches(['.', ',', '?', '!', ';', ':']);
    (core.to_lowercase(), &word[core.len()..])
}

/// The dictated digits at the start of `words`.
fn run(words: &[&str]) -> Run {
    let mut run = Run::default();
    while let Some((said, many)) = next(&words[run.words..], &run.digits) {
        let tail = bare(words[run.words + many - 1]).1;
        run.digits.push_str(&said);
        run.words += many;
        tail.clone_into(&mut run.tail);
        // A full stop ends it; a comma is only a breath.
        if !tail.is_empty() && tail != "," {
            break;
        }
    }
    run
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
    if let Some(digits) = digits(&first) {
        // "Oh one moment" begins no number, "oh two one three nine" does.
        let is_oh = before.is_empty() && ["oh", "o"].contains(&first.as_str());
        return (!is_oh || behind_oh(words)).then_some((digits, 1));
    }
    // The end of a telephone number in two twos: "six one seven, five five five, twenty one
    // twelve". Anywhere else these are a time, a year, or a number of something.
    let rest = [6, 3].contains(&before.len());
    let (pair, used) = two_digits(words).filter(|_| rest)?;
    let (last, more) = two_digits(&words[used..])?;
    let is_end = words.get(used + more).is_none_or(|word| digits(&bare(word).0).is_none());
    (is_end && bare(words[used - 1]).1.is_empty()).then(|| (format!("{pair}{last}"), used + more))
}

/// Whether an "oh" at the beginning is a nought: so many digits come right behind it.
fn behind_oh(words: &[&str]) -> bool {
    let one = |word: &&&str| digits(&bare(word).0).is_some();
    let is_parted = words.first().is_some_and(|word| !bare(word).1.is_empty());
    !is_parted && words.iter().skip(1).take_while(one).count() > FEWEST
}

/// A number between ten and ninety-nine as two digits, and how many words it is.
fn two_digits(words: &[&str]) -> Option<(String, usize)> {
    let (first, tail) = bare(words.first()?);
    if let Some(teen) = TEENS.iter().position(|teen| *teen == first) {
        return Some(((10 + teen).to_string(), 1));
    }
    let (ten, one) = first.split_once('-').unwrap_or((&first, ""));
    let ten = TENS.iter().position(|name| *name == ten)? + 2;
    let unit = |word: &str| DIGITS.iter().skip(3).find(|(name, _)| *name == word);
    if !one.is_empty() {
        return unit(one).map(|(_, digit)| (format!("{ten}{digit}"), 1));
    }
    let next = words.get(1).filter(|_| tail.is_empty()).map(|word| bare(word).0);
    let digit = next.and_then(|next| unit(&next).map(|(_, digit)| *digit));
    Some(digit.map_or_else(|| (format!("{ten}0"), 1), |digit| (format!("{ten}{digit}"), 2)))
}

/// A digit as a word, one written digit, or digits with dashes between them.
fn digits(word: &str) -> Option<String> {
    if let Some((_, digit)) = DIGITS.iter().find(|(name, _)| *name == word) {
        return Some(digit.to_string());
    }
    if word.len() == 1 {
        return word.chars().next().filter(char::is_ascii_digit).map(String::from);
    }
    let parts: Vec<&str> = word.split('-').collect();
    let single = |part: &&str| {
        part.len() == 1 && part.as_bytes()[0].is_ascii_digit()
            || DIGITS.iter().any(|(name, _)| name == part)
    };
    if parts.len() > 1 && parts.iter().all(single) {
        return parts.iter().map(|part| digits(part)).collect();
    }
    None
}

fn number(digits: &str) -> String {
    match digits.len() {
        7 => format!("{}-{}", &digits[..3], &digits[3..]),
        10 => format!("{}-{}-{}", &digits[..3], &digits[3..6], &digits[6..]),
        _ => digits.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictated_digits_become_one_number_and_nothing_else_changes() {
        for (heard, expected) in [
            ("My ZIP code is nine four one oh seven.", "My ZIP code is 94107."),
            ("It's 9-4-1-0-7, thanks", "It's 94107, thanks"),
            ("9 4 1 0 7", "94107"),
            ("To-morrow's at nine, or to-night?", "Tomorrow's at nine, or tonight?"),
            ("Call five five five, oh one two three.", "Call 555-0123."),
            ("4 1 5, 5 5 5, 0 1 double 3", "415-555-0133"),
            ("94107 is it", "94107 is it"),
            ("my zip code is oh two one three nine", "my zip code is 02139"),
            ("My zip code is o 2 1 3 9.", "My zip code is 02139."),
            ("Oh, two one three nine", "Oh, 2139"),
            ("Room four one two double bed please", "Room 412 double bed please"),
            ("a double, triple seven", "a double, 777"),
            ("double seven three nine", "7739"),
            ("Six one seven, five five five, twenty one twelve.", "617-555-2112."),
            ("call five five five forty-two ten", "call 555-4210"),
            ("room four one two at twenty one twelve", "room 412 at twenty one twelve"),
            ("twenty one people, at twenty thirty", "twenty one people, at twenty thirty"),
            ("in nineteen ninety nine", "in nineteen ninety nine"),
            ("four one two twenty one people", "412 twenty one people"),
            ("Oh one moment", "Oh one moment"),
            ("at one two people came", "at one two people came"),
            ("from two to four", "from two to four"),
            ("one two. Three four five", "one two. 345"),
            ("from 2pm to 245pm.", "from 2pm to 2:45pm."),
            ("at 6.05 a.m. on Monday, 1130 PM", "at 6:05 a.m. on Monday, 11:30 PM"),
            ("12 pm, 245 people, 6.05 dollars, 990 pm", "12 pm, 245 people, 6.05 dollars, 990 pm"),
            ("Remind me at five p. M to call, Tom.", "Remind me at five p.m. to call, Tom."),
            ("What do I have at three p. M..", "What do I have at three p.m."),
            ("At 5:30 A. M., or at six-thirty p m?", "At 5:30 a.m., or at six-thirty p.m.?"),
            ("a plan, 5 p. of it, plan p. M", "a plan, 5 p. of it, plan p. M"),
            ("Meet at three thirty with Tom", "Meet at three thirty with Tom"),
            ("mail dana at brightloom dot com", "mail dana at brightloom dot com"),
            ("\"'Yeah, don't send it.\"", "Yeah, don't send it."),
            ("Of course,", "Of course."),
            ("", ""),
        ] {
            assert_eq!(written(heard), expected, "{heard}");
        }
    }

    #[test]
    fn addresses_and_times_are_read_by_those_who_read_sentences() {
        for (heard, address) in [
            ("send it to dana at brightloom dot com", "dana@brightloom.com"),
            ("send it to dana at brightloom.com", "dana@brightloom.com"),
            ("Send it to dana@brightloom.com.", "dana@brightloom.com"),
        ] {
            let words = brain::resolve::words::words(heard);
            let joined = brain::resolve::address::joined(words, heard);
            let found = joined.iter().any(|word| format!("{word:?}").contains(address));
            assert!(found, "{heard}: {joined:?}");
        }
    }
}
