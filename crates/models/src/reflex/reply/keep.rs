//! "Keep it as a draft": a no, and where the mail is to be left.

use brain::card::Preview;
use brain::input::Decision;
use brain::resolve::words::Word;

use super::named::Named;
use super::{CardView, Reply, asking_which, waits};
use crate::reflex::vocabulary::is_any;

/// Every word has to belong to the wish.
pub fn read(said: &[Word], named: &Named, cards: &[CardView<'_>]) -> Option<Reply> {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    if said.iter().any(|word| word.quoted) || !wants_draft(&texts) {
        return None;
    }
    if said.iter().any(|word| word.stop == Some('?')) {
        return Some(waits(named, cards));
    }
    // "Put it in" is said of events as well, and "in the drafts" is not.
    let all = match named.candidates() {
        none if none.is_empty() => (0..cards.len()).collect(),
        some => some,
    };
    let is_mail = |place: &usize| matches!(cards[*place].preview, Preview::Email(_));
    let mails: Vec<usize> = all.iter().copied().filter(is_mail).collect();
    Some(match mails.as_slice() {
        [one] => Reply::Keep { card: *one },
        [] => {
            let say = "Only mail can be a draft. It waits for your answer.".to_owned();
            Reply::Hold { card: all.first().copied().unwrap_or(0), say }
        }
        several => asking_which(Decision::Reject, several, cards),
    })
}

/// Said before it: that it is not to go out, and politeness.
const LEADS: &[&[&str]] = &[
    &["do", "not", "send", "it", "out"],
    &["do", "not", "send", "it", "yet"],
    &["do", "not", "send", "this", "yet"],
    &["do", "not", "send", "that", "yet"],
    &["do", "not", "send", "it"],
    &["do", "not", "send", "this"],
    &["do", "not", "send", "that"],
    &["do", "not", "send"],
    &["not", "now"],
    &["not", "yet"],
    &["hold", "on"],
    &["for", "now"],
    &["let", "us"],
    &["lets"],
    &["no"],
    &["nope"],
    &["yet"],
    &["wait"],
    &["actually"],
    &["ok"],
    &["okay"],
    &["and"],
    &["but"],
    &["please"],
    &["just"],
    &["rather"],
    &["can", "you"],
    &["could", "you"],
];
const TAILS: &[&[&str]] = &[
    &["for", "now"],
    &["for", "later"],
    &["please"],
    &["instead"],
    &["thanks"],
    &["thank", "you"],
    &["then"],
];

fn wants_draft(texts: &[&str]) -> bool {
    let (mut rest, mut not_sent) = (texts, false);
    while let Some(used) = lead(rest) {
        not_sent |= rest.starts_with(&["do", "not", "send"]);
        rest = &rest[used..];
    }
    while let Some(tail) = TAILS.iter().find(|tail| rest.ends_with(tail)) {
        rest = &rest[..rest.len() - tail.len()];
    }
    match rest {
        // "Keep it" alone could be said of the text.
        [keep, "it" | "that" | "this"] => not_sent && is_any(keep, &["keep", "save"]),
        ["make", "it" | "that", "a", "draft"] => true,
        [keep, "the" | "my" | "that", "mail" | "email" | "reply" | "message", place @ ..]
        | [keep, "it" | "that" | "this", place @ ..]
        | [keep, place @ ..]
            if is_any(keep, &["keep", "save", "leave", "store", "put"]) =>
        {
            is_drafts(place)
        }
        _ => false,
    }
}

/// How many words stand before the wish itself. "Leave it" before another verb is a no,
/// and before "as a draft" it is the wish.
fn lead(rest: &[&str]) -> Option<usize> {
    const VERBS: &[&str] = &["just", "and", "but", "save", "keep", "store", "put", "please"];
    match rest {
        ["leave" | "forget" | "hold" | "skip", "it" | "that", next, ..] if is_any(next, VERBS) => {
            Some(2)
        }
        _ => LEADS.iter().find(|lead| rest.starts_with(lead)).map(|lead| lead.len()),
    }
}

fn is_drafts(place: &[&str]) -> bool {
    matches!(
        place,
        ["as" | "in" | "to" | "into", "a" | "my" | "the", "draft" | "drafts"]
            | ["as" | "in" | "to" | "into", "draft" | "drafts"]
            | ["the" | "a", "draft"]
    )
}
