//! Words that are written apart and said as one.

use brain::resolve::people::{Contact, People};
use brain::resolve::time::cardinal;
use brain::resolve::words::Word;

use crate::reflex::vocabulary::is_any;

/// "Nine a m" and "e mail", as some recognisers write them.
pub fn join_half_days(said: &mut Vec<Word>) {
    let mut at = 1;
    while at + 1 < said.len() {
        let half = is_any(&said[at].text, &["a", "p"]) && said[at + 1].is("m");
        let hour = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let before = &said[at - 1].text;
        let clock = hour(before) || cardinal(&[before.as_str()]).is_some();
        let letter = said[at].is("e") && is_any(&said[at + 1].text, &["mail", "mails"]);
        if letter && !said[at].quoted && said[at].stop.is_none() {
            let last = said.remove(at + 1);
            let first = &mut said[at];
            first.text = format!("e{}", last.text);
            (first.end, first.stop) = (last.end, last.stop);
        } else if half && clock && !said[at].quoted && said[at].stop.is_none() {
            let last = said.remove(at + 1);
            let first = &mut said[at];
            first.text.push('m');
            (first.end, first.stop) = (last.end, last.stop);
        }
        at += 1;
    }
}

/// "Anas mail" is Ana's: of somebody we know, where nobody is called so.
pub fn own_without_a_mark(said: &mut Vec<Word>, contacts: &People) {
    const MANY: &[&str] = &["both", "two", "all", "the", "which", "those", "these"];
    let called = |name: &str| contacts.iter().any(|one| is_called(one, name));
    for at in (0..said.len()).rev() {
        let word = &said[at];
        let owner = word.text.strip_suffix('s').filter(|owner| owner.len() > 2);
        let Some(owner) = owner.map(str::to_owned) else { continue };
        let counted = at > 0 && is_any(&said[at - 1].text, MANY);
        let goes_on = word.stop.is_none() && at + 1 < said.len();
        if word.quoted || counted || !goes_on || called(&word.text) || !called(&owner) {
            continue;
        }
        let mark = Word { text: "'s".to_owned(), ..word.clone() };
        said[at].text = owner;
        said.insert(at + 1, mark);
    }
}

/// By their first name, or by one that only those close to them use.
fn is_called(one: &Contact, name: &str) -> bool {
    let first = one.name.split(' ').next().unwrap_or_default();
    let mut names = one.nicknames.iter().map(String::as_str).chain([first]);
    names.any(|known| known.eq_ignore_ascii_case(name))
}

/// "@ Nopa" is at Nopa. What is dictated or quoted stays as it is.
pub fn spelled_at(sentence: &str) -> Option<String> {
    let plain = !sentence.contains(['"', '“']) && !sentence.contains(": ");
    (plain && sentence.contains(" @ ")).then(|| sentence.replace(" @ ", " at "))
}

/// "Who else is in it" asks who is in it.
pub fn drop_else(said: &mut Vec<Word>) {
    let at = said.windows(3).position(|three| {
        three[0].is("who") && three[1].is("else") && three[2].is("is") && !three[1].quoted
    });
    if let Some(at) = at {
        said.remove(at + 1);
    }
}

/// "A meeting free block" is free of meetings, and "a reminder free block" is no
/// reminder.
pub fn join_free(said: &mut Vec<Word>) {
    const OF: &[&str] =
        &["reminder", "reminders", "meeting", "call", "phone", "mail", "email", "timer", "alarm"];
    const WHAT: &[&str] = &[
        "block",
        "time",
        "hour",
        "hours",
        "slot",
        "zone",
        "day",
        "morning",
        "afternoon",
        "evening",
        "week",
        "period",
        "space",
        "stretch",
    ];
    let mut at = 0;
    while at + 2 < said.len() {
        let plain = said[at..at + 3].iter().all(|word| !word.quoted)
            && said[at].stop.is_none()
            && said[at + 1].stop.is_none();
        let is_free = said[at + 1].is("free") && is_any(&said[at + 2].text, WHAT);
        if plain && is_free && is_any(&said[at].text, OF) {
            if said[at].text.starts_with("reminder") {
                said.remove(at);
                continue;
            }
            let free = said.remove(at + 1);
            let first = &mut said[at];
            first.text.push_str("-free");
            first.end = free.end;
        }
        at += 1;
    }
}
