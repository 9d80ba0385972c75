//! Telephone numbers, digit by digit, with a breath between their groups.

use super::Word;
use super::numbers::digits;

/// Fewer digits are a number, more are no telephone's.
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// With a bracket around its area or with the code of North America, none has more.
const NATIONAL: usize = 11;

/// "555-0123", "(415)555-0123", "+14155550123".
pub fn phone(text: &str) -> Option<String> {
    let joined = text.chars().all(|c| c.is_ascii_digit() || "-+().".contains(c));
    let grouped = text.contains('-') || text.starts_with('+') || text.starts_with('(');
    let known = joined && grouped && DIGITS.contains(&count(text));
    known.then(|| said(&[text]))
}

/// "(415) 555-0123", "+44 20 7946 0958", "415 555 0123": one that is written in
/// several words, and how many those are.
pub fn in_words(words: &[Word]) -> Option<(String, usize)> {
    let first = words.first()?;
    let country = first.core.strip_prefix('+').filter(|code| is_group(code));
    let area =
        first.lead.contains('(') && first.tail == ")" && (2..=5).contains(&count(&first.core));
    let bare = || {
        let lengths = words.iter().take(3).map(|word| word.core.len());
        lengths.eq([3, 3, 4]) && !words[2].core.contains('-')
            || lengths_of_two(words) && words[1].core.contains('-')
            || is_with_a_zero(words)
    };
    if country.is_none() && !(area && is_group(&first.core)) && !(is_group(&first.core) && bare()) {
        return None;
    }
    let most =
        if country.is_none_or(|code| code.starts_with('1')) { NATIONAL } else { *DIGITS.end() };
    let (mut groups, mut total): (Vec<&str>, usize) = (Vec::new(), 0);
    for (at, word) in words.iter().enumerate() {
        let more = count(&word.core);
        if at > 0 && !is_group(&word.core) || total + more > most {
            break;
        }
        total += more;
        groups.push(&word.core);
        if !["", ")"].contains(&word.tail.as_str()) {
            break;
        }
    }
    (groups.len() > 1 && DIGITS.contains(&total)).then(|| (said(&groups), groups.len()))
}

/// "415 555-0123".
fn lengths_of_two(words: &[Word]) -> bool {
    words.iter().take(2).map(|word| word.core.len()).eq([3, 8])
}

/// "020 7946 0958".
fn is_with_a_zero(words: &[Word]) -> bool {
    let [area, middle, last, ..] = words else { return false };
    area.core.starts_with('0')
        && (3..=5).contains(&area.core.len())
        && [middle, last].iter().all(|word| (3..=4).contains(&word.core.len()))
        && is_group(&middle.core)
        && is_group(&last.core)
}

fn is_group(core: &str) -> bool {
    core.starts_with(|c: char| c.is_ascii_digit())
        && core.chars().all(|c| c.is_ascii_digit() || c == '-' || c == '.')
        && core.split(['-', '.']).all(|group| (1..=8).contains(&group.len()))
}

fn count(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

fn said(parts: &[&str]) -> String {
    let groups = parts.iter().flat_map(|part| part.split(|c: char| !c.is_ascii_digit()));
    let spoken: Vec<String> = groups.filter(|group| !group.is_empty()).map(digits).collect();
    let plus = if parts[0].starts_with('+') { "plus " } else { "" };
    format!("{plus}{}", spoken.join(", "))
}
