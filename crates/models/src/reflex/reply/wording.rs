//! The words of a mail: more of them, fewer, or one thing put right.

use brain::card::EmailPreview;
use brain::resolve::time;
use brain::resolve::words::{Word, words};

use super::change::{Change, Wish};
use super::{reworded, text};
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

/// What a sum in a mail is called by.
const SUMS: &[&str] = &[
    "price", "amount", "total", "cost", "sum", "figure", "fee", "budget", "offer", "deposit",
    "rate", "discount",
];

/// "Change the price to thirteen hundred dollars", where the text names one sum.
pub fn repriced(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    const CHANGES: &[&[&str]] =
        &[&["change", "the"], &["make", "the"], &["set", "the"], &["put", "the"], &["the"]];
    const LINKS: &[&str] = &["to", "at", "should", "is", "be"];
    let [sum, new @ ..] = wish.behind_any(CHANGES)? else { return None };
    if !is_any(&sum.text, SUMS) || sum.quoted {
        return None;
    }
    let links = new.iter().take_while(|word| is_any(&word.text, LINKS)).count();
    let new = wish.raw(&new[links..]);
    let named = text::amounts(&new);
    // "The price is too high" says what somebody thinks of it.
    let is_asked = !wish.words.first().is_some_and(|first| first.is("the"));
    if !is_asked && (links == 0 || named.is_empty()) {
        return None;
    }
    let (starts, ends) = (named.first().map(|one| one.start), named.last().map(|one| one.end));
    let is_sum = named.len() == 1 && starts == Some(0) && ends == Some(new.trim_end().len());
    let sums = text::amounts(&email.body_text);
    let same =
        sums.first().and_then(|old| text::in_same_money(&new, &email.body_text[old.clone()]));
    let new =
        same.filter(|_| is_asked && named.is_empty()).map_or((new, is_sum), |new| (new, true));
    let (new, is_sum) = new;
    match sums.as_slice() {
        [old] if is_sum => {
            let mut body = email.body_text.clone();
            body.replace_range(old.clone(), &new);
            Some(Change::one("body", body, format!("{} instead.", phrasing::capital(&new))))
        }
        [_] => Some(Change::missed("I can't make out the new amount. Which words should change?")),
        [] => Some(Change::missed("There is no amount in the text. Which words should change?")),
        _ => Some(Change::missed("There is more than one amount in it. Which one should change?")),
    }
}

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
    let new = wish.behind_any(ADDED)?;
    let words = reworded::said_to(&wish.raw(new), new, email, wish.world);
    let sentence = phrasing::sentence(&words);
    let body = text::added(&email.body_text, &sentence);
    Some(Change::one("body", body, format!("With this added: {sentence}")))
}

/// So many words stand between an article and its thing.
const MOST_DETAILS: usize = 3;

/// "Make it red wine", where the text speaks of wine once: one thing put right.
pub fn refined(wish: &Wish<'_>, email: &EmailPreview) -> Option<Change> {
    let new = wish.behind_any(&[
        &["make", "it"],
        &["make", "that"],
        &["it", "is"],
        &["change", "it", "to"],
        &["change", "that", "to"],
    ])?;
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
    use super::super::tests::said_of as said;

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
