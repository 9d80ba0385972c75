//! What stands behind the words of a mail and is meant for us.

use brain::resolve::words::Word;

use crate::World;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};

/// "But don't send it", "keep it as a draft": said behind the words.
const HELD_BACK: &[&[&str]] = &[
    &["do", "not", "send", "it", "yet"],
    &["do", "not", "send", "it"],
    &["do", "not", "send", "anything"],
    &["do", "not", "send"],
    &["without", "sending", "it"],
    &["keep", "it", "as", "a", "draft"],
    &["keep", "it", "in", "drafts"],
    &["keep", "it", "in", "my", "drafts"],
    &["save", "it", "as", "a", "draft"],
    &["leave", "it", "as", "a", "draft"],
    &["leave", "it", "in", "my", "drafts"],
    &["just", "as", "a", "draft"],
    &["as", "a", "draft"],
    &["just", "draft", "it"],
];

/// Stands before a sentence in which nothing at all is to be sent.
const NOTHING_SENT: char = '\u{2064}';

/// The same sentence, of which every mail is only kept as a draft.
pub fn none_sent(sentence: &str) -> String {
    format!("{NOTHING_SENT}{sentence}")
}

/// Was it said that none of it goes out?
pub fn is_none_sent(heard: &str) -> bool {
    heard.starts_with(NOTHING_SENT)
}

/// The request without such an end, and whether it had one.
pub fn holding_back(request: &[Word]) -> (&[Word], bool) {
    let ends = |tail: &&&[&str]| {
        request.len() > tail.len() && {
            let end = &request[request.len() - tail.len()..];
            end.iter().zip(**tail).all(|(word, text)| word.is(text) && !word.quoted)
        }
    };
    let Some(tail) = HELD_BACK.iter().find(ends) else { return (request, false) };
    let mut rest = &request[..request.len() - tail.len()];
    // "I kept the contract as a draft" tells; ", as a draft" asks.
    let apart = rest.last().is_some_and(|last| {
        last.stop.is_some() || matches!(last.text.as_str(), "but" | "and" | "please" | "just")
    });
    let clause = matches!(tail[0], "do" | "keep" | "save" | "leave") && rest.len() > 4;
    if !apart && !clause {
        return (request, false);
    }
    while let [more @ .., last] = rest
        && !more.is_empty()
        && matches!(last.text.as_str(), "but" | "and" | "please" | "just")
    {
        rest = more;
    }
    (rest, true)
}

/// "But don't send it before I've seen it": nothing ever is, and it is no part of
/// the mail.
pub fn shown_first(request: &[Word]) -> &[Word] {
    let asks = |at: &usize| {
        let texts: Vec<&str> = request[*at..].iter().map(|word| word.text.as_str()).collect();
        matches!(
            texts.as_slice(),
            ["do", "not", "send", "it" | "that" | "this" | "anything", "before" | "until", ..]
        )
    };
    let Some(at) = (4..request.len()).find(asks) else { return request };
    match &request[..at] {
        [rest @ .., last] if is_any(&last.text, &["but", "and", "please"]) => rest,
        rest => rest,
    }
}

/// "Reply to Priya and": something was to follow, and did not.
pub fn without_loose_end(request: &[Word]) -> &[Word] {
    match request {
        [rest @ .., last] if rest.len() > 1 && is_any(&last.text, &["and", "um", "uh"]) => rest,
        _ => request,
    }
}

/// "Actually, tell Tom I'm late instead": the end is for us, where the beginning is.
pub fn without_instead<'a>(request: &'a [Word], heard: &str) -> &'a [Word] {
    let first = heard.trim_start().split([' ', ',']).next().unwrap_or("").to_lowercase();
    match request {
        [rest @ .., last]
            if rest.len() > 2
                && last.is("instead")
                && !last.quoted
                && is_any(&first, &["actually", "no", "nope", "wait", "scratch", "forget"]) =>
        {
            rest
        }
        _ => request,
    }
}

/// "… don't mention Ana", said last, is for us and no part of the mail.
pub fn not_to_be_said<'a>(request: &'a [Word], heard: &str, world: &World) -> &'a [Word] {
    let at = request.iter().rposition(|word| word.is("mention") && !word.quoted);
    let Some(at) = at.filter(|&at| at > 4 && request[at - 1].is("not") && request[at - 2].is("do"))
    else {
        return request;
    };
    let ends = match whom::at(request, at + 1, heard, world) {
        Some((Whom::Known { .. }, used)) => at + 1 + used == request.len(),
        _ => false,
    };
    let mut rest = &request[..at - 2];
    while let [more @ .., last] = rest
        && is_any(&last.text, &["and", "but", "please"])
    {
        rest = more;
    }
    if ends { rest } else { request }
}
