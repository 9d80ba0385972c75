//! What was heard in a form that can be used: digits that were said one by one
//! become one number, and marks that nobody can hear are gone.
//!
//! Times and e-mail addresses said aloud are read where sentences are read; a
//! recogniser needs help only with what it writes apart, "nine four one oh
//! seven", "9-4-1-0-7", and with times whose colon it lost, "245pm", "6.05 a.m.".

use super::dictated;
use crate::numbers::{self, SMALL};

/// `text` with runs of dictated digits joined. Seven digits and ten are written
/// like telephone numbers. Quotation marks are the recogniser's guess, and so is a
/// comma behind everything. The rest stays as it is.
pub fn written(text: &str) -> String {
    let text = text.replace(['"', '“', '”'], "").replace(",,", ",");
    // An apostrophe inside a word is part of it.
    let words = text.split_whitespace().map(|word| word.trim_matches(['\'', '‘', '’']));
    let words = halves(words.filter(|word| !word.is_empty()).map(today).collect());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let run = dictated::run(&words[at..], dictated::is_named(&words[..at]));
        if run.is_number() {
            let plus = out.pop_if(|before| run.is_called() && before.eq_ignore_ascii_case("plus"));
            out.push(format!("{}{run}", plus.map_or("", |_| "+")));
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

/// An hour or a minute as a word, or what ends one.
fn is_of_a_clock(word: &str) -> bool {
    let counts = SMALL[1..=12].contains(&word) || numbers::ten(word).is_some_and(|ten| ten <= 5);
    counts || matches!(word, "fifteen" | "o'clock" | "hundred" | "oh")
}

/// "Five p. M to call": the half of a day that was written apart, behind an hour.
fn halves(words: Vec<String>) -> Vec<String> {
    let bare = |word: &str| word.trim_end_matches(['.', ',', '?', '!']).to_lowercase();
    let is_hour = |word: &str| {
        let word = bare(word);
        let last = word.rsplit('-').next().unwrap_or_default();
        is_of_a_clock(last) || word.starts_with(|c: char| c.is_ascii_digit())
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
            ("Wait, no,\", Friday, \"Yes,\", but", "Wait, no, Friday, Yes, but"),
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
