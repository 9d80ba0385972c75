//! Words as one writes them: "i'm", "thursday", and what fingers leave out.

use brain::resolve::time::is_weekday;

use super::capital;
use crate::reflex::vocabulary::is_any;

/// The same words, with their capitals and apostrophes.
pub fn spelled(words: &str) -> String {
    let all: Vec<&str> = words.split(' ').collect();
    let spelled = |at: usize| match (all[at], all.get(at + 1)) {
        // "Ill be late"; whoever is ill is nothing of the kind.
        ("ill" | "Ill", Some(next)) if is_any(next, DOES) => "I'll".to_owned(),
        // "Its on its way": behind the second stands a thing.
        ("its", Some(next)) if is_any(next, STATES) => "it's".to_owned(),
        ("Its", Some(next)) if is_any(next, STATES) => "It's".to_owned(),
        (word, _) => spelled_word(word),
    };
    (0..all.len()).map(spelled).collect::<Vec<_>>().join(" ")
}

/// What somebody says they will do.
const DOES: &[&str] = &[
    "be", "bring", "come", "call", "send", "see", "have", "get", "need", "take", "make", "do",
    "let", "go", "meet", "pick", "join", "write", "check", "try", "leave", "arrive", "wait",
    "look", "pay", "ask", "tell", "give", "start", "finish", "find", "stay", "drive", "know",
    "follow", "keep", "print", "fix", "review", "sign", "share", "reply", "order", "prepare",
    "cover",
];

/// What something is, or where.
const STATES: &[&str] = &[
    "on", "in", "at", "a", "an", "the", "not", "fine", "ok", "okay", "here", "there", "late",
    "done", "ready", "good", "great", "time", "been", "going", "my", "your", "all", "so", "still",
    "already", "just", "really", "about", "with", "for", "too",
];

/// Contractions without the apostrophe; none of them is a word of its own.
const SHORTENED: &[(&str, &str)] = &[
    ("thats", "that's"),
    ("dont", "don't"),
    ("doesnt", "doesn't"),
    ("didnt", "didn't"),
    ("isnt", "isn't"),
    ("arent", "aren't"),
    ("wasnt", "wasn't"),
    ("cant", "can't"),
    ("couldnt", "couldn't"),
    ("wouldnt", "wouldn't"),
    ("shouldnt", "shouldn't"),
    ("havent", "haven't"),
    ("hasnt", "hasn't"),
    ("theyre", "they're"),
    ("youre", "you're"),
    ("youve", "you've"),
    ("weve", "we've"),
    ("theres", "there's"),
];

fn spelled_word(word: &str) -> String {
    let plain = word.trim_end_matches([',', '.', '!', '?', ';', ':']);
    let straight = plain.replace('’', "'");
    let lower = straight.to_lowercase();
    let whole = SHORTENED.iter().find(|(short, _)| *short == lower).map(|(_, whole)| *whole);
    let fixed = match (straight.as_str(), whole) {
        (_, Some(whole)) if plain.starts_with(char::is_uppercase) => capital(whole),
        (_, Some(whole)) => whole.to_owned(),
        ("i" | "i'm" | "i'll" | "i've" | "i'd", _) => capital(plain),
        ("im", _) => "I'm".to_owned(),
        ("ive", _) => "I've".to_owned(),
        (day, _) if is_weekday(day) => capital(plain),
        _ => return word.to_owned(),
    };
    format!("{fixed}{}", &word[plain.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fingers_leave_out_is_put_in() {
        for (typed, written) in [
            ("thats fine, i cant come", "that's fine, I can't come"),
            ("ill look at it on thursday", "I'll look at it on Thursday"),
            ("Its on its way", "It's on its way"),
            ("Tom is ill today", "Tom is ill today"),
            ("the lamp and its knob", "the lamp and its knob"),
        ] {
            assert_eq!(spelled(typed), written);
        }
    }
}
