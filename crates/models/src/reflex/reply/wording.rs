//! The words of a mail: more of them, fewer, others altogether, or one thing put right.

use brain::card::EmailPreview;
use brain::resolve::time;
use brain::resolve::words::{Word, words};

use super::change::{Change, Wish};
use super::text;
use crate::reflex::phrasing;
use crate::reflex::vocabulary::is_any;

const REMOVES: &[&[&str]] = &[
    &["remove"],
    &["delete"],
    &["without"],
    &["drop"],
    &["leave", "out"],
    &["cut"],
    &["take", "out"],
];

/// "Remove the last sentence".
pub fn removed(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let rest = wish.behind_any(REMOVES)?;
    let texts: Vec<&str> =
        rest.iter().map(|word| word.text.as_str()).filter(|text| *text != "the").collect();
    let body = match texts.as_slice() {
        ["last", "line" | "sentence" | "bit" | "part"] => {
            let whole = || text::without_sentence(&email.body_text, true);
            let bit = || text::without_clause(&email.body_text);
            // Where there is only one sentence, the last bit of it is what hangs on it.
            if is_any(texts[1], &["bit", "part"]) { whole().or_else(bit) } else { whole() }
        }
        ["first", "line" | "sentence" | "bit" | "part"] => {
            text::without_sentence(&email.body_text, false)
        }
        ["greeting"] => text::without_greeting(&email.body_text),
        _ => {
            let words = wish.raw(rest);
            let words = words.trim_start_matches("the word ").trim_start_matches("the ").to_owned();
            match text::replaced(&email.body_text, &words, "") {
                Some(body) if text::is_empty(&body) => None,
                Some(body) => {
                    return Some(Change::one("body", body, format!("Without “{words}”.")));
                }
                None => return Some(Change::cannot(format!("“{words}” isn't in the text."))),
            }
        }
    };
    Some(match body {
        Some(body) => Change::one("body", body, "That is out."),
        None => Change::cannot("Then nothing would be left of it."),
    })
}

const ADDED: &[&[&str]] = &[
    &["add", "that"],
    &["add"],
    &["also", "say", "that"],
    &["also", "say"],
    &["say", "also"],
    &["also", "mention", "that"],
    &["also", "mention"],
    &["mention", "that"],
    &["mention"],
    &["include", "that"],
    &["also", "tell", "her"],
    &["also", "tell", "him"],
    &["also", "tell", "them"],
    &["also", "tell", "her", "that"],
    &["also", "tell", "him", "that"],
    &["also", "write", "that"],
    &["also", "write"],
    &["also", "add", "that"],
    &["also", "add"],
    &["add", "a", "line", "saying"],
    &["add", "a", "line", "that"],
    &["add", "a", "sentence", "saying"],
    &["add", "a", "sentence", "that"],
];

pub fn added(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let words = wish.raw(wish.behind_any(ADDED)?);
    let words = if email.to.len() == 1 { phrasing::to_you(&words, |_| true) } else { words };
    let sentence = phrasing::sentence(&words);
    let body = text::added(&email.body_text, &sentence);
    Some(Change::one("body", body, format!("With this added: {sentence}")))
}

/// "Say", "make the text just", "the message should read": what stands behind it are
/// the new words.
fn new_words<'a>(wish: &Wish<'a>) -> Option<&'a [Word]> {
    const TEXTS: &[&str] =
        &["text", "message", "body", "wording", "words", "mail", "email", "reply", "note"];
    const SAYS: &[&[&str]] = &[
        &["say"],
        &["say", "that"],
        &["just", "say"],
        &["only", "say"],
        &["make", "it", "say"],
        &["make", "it", "just", "say"],
        &["make", "it", "read"],
        &["have", "it", "say"],
        &["let", "it", "say"],
        &["let", "it", "just", "say"],
        &["change", "it", "to", "say"],
        &["it", "should", "say"],
        &["it", "should", "just", "say"],
        &["it", "should", "read"],
        &["write"],
    ];
    let texts = wish.texts();
    if let Some(at) = colon(wish) {
        return wish.words.get(at..);
    }
    let lead = texts.first().filter(|lead| is_any(lead, &["make", "change", "set", "let", "have"]));
    let verb = usize::from(lead.is_some());
    let named = matches!(texts.get(verb..)?, ["the" | "its", text, ..] if is_any(text, TEXTS));
    if !named {
        return wish.behind_any(SAYS);
    }
    let links: &[&str] = match lead {
        Some(_) => &["be", "to", "say", "read", "just", "only", "simply"],
        None => &["should", "is", "be", "say", "read", "just", "only", "simply", "must"],
    };
    let used = texts[verb + 2..].iter().take_while(|text| is_any(text, links)).count();
    let at = verb + 2 + used;
    // "Change the text": to what?
    let says =
        used > 0 || wish.words[at - 1].stop.is_some() || lead.is_some_and(|lead| *lead == "make");
    wish.words.get(at..).filter(|rest| says && !rest.is_empty())
}

/// "Say it nicer: pulp is fine by me": how it is to be said, and behind the colon what.
fn colon(wish: &Wish<'_>) -> Option<usize> {
    const LEADS: &[&str] =
        &["say", "write", "put", "make", "reword", "rewrite", "rephrase", "nicer", "shorter"];
    const IT: &[&str] = &["it", "this", "that", "more", "a", "bit", "little", "less", "like"];
    let first = wish.words.first().filter(|first| is_any(&first.text, LEADS))?;
    let gap = |at: &usize| wish.heard[wish.words[at - 1].end..wish.words[*at].start].contains(':');
    let at = (1..wish.words.len().min(6)).find(gap)?;
    let how =
        |word: &Word| is_any(&word.text, IT) || is_comparison(&word.text) || word.is("nicely");
    (!first.quoted && wish.words[1..at].iter().all(how)).then_some(at)
}

/// Other words altogether; greeting and name stay.
pub fn rewritten(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let new = new_words(wish)?;
    let words = wish.raw(new);
    let vague = ["it", "that", "something", "something else", "so"];
    // "Make the text shorter" says how, and not what.
    let says_how = new.len() <= 2 && new.last().is_some_and(|last| is_comparison(&last.text));
    if is_any(&words.to_lowercase(), &vague) || says_how {
        return None;
    }
    let words = if email.to.len() == 1 { phrasing::to_you(&words, |_| true) } else { words };
    let sentence = phrasing::sentence(&words);
    let body = text::rewritten(&email.body_text, &sentence);
    Some(Change::one("body", body, format!("It says now: {sentence}")))
}

fn is_comparison(text: &str) -> bool {
    text.len() > 4 && text.ends_with("er")
        || is_any(text, &["formal", "polite", "short", "friendly", "casual", "different", "clear"])
}

/// So many words stand between an article and its thing.
const MOST_DETAILS: usize = 3;

/// "Make it red wine", where the text speaks of wine once: one thing put right.
pub fn refined(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let new = wish.behind_any(&[&["make", "it"], &["make", "that"], &["it", "is"]])?;
    let (head, details) = new.split_last().filter(|(_, details)| !details.is_empty())?;
    let plain = |word: &Word| !word.quoted && word.text.chars().any(char::is_alphabetic);
    if details.len() > 4 || !plain(head) || head.text.len() < 3 {
        return None;
    }
    let said = text::words_in(&email.body_text);
    let mut there = Vec::new();
    let found = words(&said);
    for (at, word) in found.iter().enumerate() {
        if word.text == head.text {
            there.push(at);
        }
    }
    let [at] = there.as_slice() else { return None };
    let is_number = |word: &Word| {
        time::is_number_word(&word.text) || word.text.starts_with(|c: char| c.is_ascii_digit())
    };
    let article = |word: &Word| is_any(&word.text, &["a", "an", "the", "some", "my", "our"]);
    // "Five samples" takes the place of "three samples", "the blue folder" that of "the
    // green folder"; what stands behind the article is as wide as one thing.
    let near = (at.saturating_sub(MOST_DETAILS)..*at).rev();
    let near = near.take_while(|&place| found[place].stop.is_none());
    let led = near.clone().find(|&place| article(&found[place]));
    let numbered = near.clone().find(|&place| is_number(&found[place]));
    let start = match (led, numbered) {
        (Some(led), _) if details.first().is_some_and(article) => led,
        (Some(led), _) => led + 1,
        (None, Some(number)) if details.iter().any(is_number) => number,
        (None, _) => *at,
    };
    let start = found[start].start;
    let place = start..found[*at].end;
    let new = wish.raw(new);
    let mut changed = said.clone();
    changed.replace_range(place.clone(), &text::like(&said[place], &new));
    if changed == said {
        return None;
    }
    let body = text::rewritten(&email.body_text, &changed);
    Some(Change::one("body", body, format!("{} it is.", phrasing::capital(&new))))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{mail_to, outline, priya, to};

    fn said(heard: &str, body: &str) -> String {
        let text = outline(&to(heard, &[mail_to(vec![priya()], body)]));
        text.replace("Hi Priya,|", "").replace("|Maya", "")
    }

    #[test]
    fn new_words_are_told_in_many_ways() {
        for heard in [
            "make the text just Friday at eight is fine",
            "make the text Friday at eight is fine",
            "the text should just say Friday at eight is fine",
            "change the message to Friday at eight is fine",
            "the text is: Friday at eight is fine",
            "just say Friday at eight is fine",
            "no, make it say Friday at eight is fine",
            "say it nicer: Friday at eight is fine",
            "make it shorter: Friday at eight is fine",
        ] {
            assert_eq!(said(heard, "See you."), "revise body=Friday at eight is fine.", "{heard}");
        }
        for heard in ["change the text", "make the text shorter", "make the text more formal"] {
            assert_eq!(said(heard, "See you."), "cannot", "{heard}");
        }
    }

    #[test]
    fn one_thing_in_the_text_is_put_right_and_shown_again() {
        for (heard, body, outcome) in [
            ("make it red wine", "I'll bring the wine.", "I'll bring the red wine."),
            ("make it red wine and send it", "I'll bring the wine.", "I'll bring the red wine."),
            ("make it five samples", "We need three samples.", "We need five samples."),
            ("no, make it the blue folder", "Bring a folder.", "Bring the blue folder."),
            ("make that the blue folder", "Bring the green folder.", "Bring the blue folder."),
            ("make it blue folders", "Bring the green folders.", "Bring the blue folders."),
        ] {
            assert_eq!(said(heard, body), format!("revise body={outcome}"), "{heard}");
        }
        assert_eq!(
            said("no, friday", "I bring it on Thursday."),
            "revise body=I bring it on Friday."
        );
        assert_eq!(said("make it red wine", "Wine is wine."), "cannot");
        assert_eq!(said("make it red wine", "I'll bring the cake."), "cannot");
    }

    #[test]
    fn the_last_bit_of_one_sentence_is_what_hangs_on_it() {
        for (heard, body, outcome) in [
            (
                "take out the last bit",
                "It is moved to three and check if I am free.",
                "It is moved to three.",
            ),
            ("remove the last part", "I'm late, start without me.", "I'm late."),
            ("take out the last bit", "I'm late. Start without me.", "I'm late."),
        ] {
            assert_eq!(said(heard, body), format!("revise body={outcome}"), "{heard}");
        }
        assert_eq!(said("remove the last sentence", "I'm late."), "cannot");
    }
}
