//! Puts what was found into words.
//!
//! Templates that are heard more often than read: the answer first, three
//! things at most, then how many more there are. The same results always give
//! the same words. One file a kind of answer.

mod agenda;
pub mod card;
pub(crate) mod chat;
mod free;
pub mod jobs;
mod letters;
mod meeting;
mod memory;
mod more;
pub mod outcome;
mod paper;
pub(crate) mod spelling;
mod voice;
mod wall;

use brain::facts::{Agenda, FreeSlots, Letters, Memories, MemoryPause, OpenedLetter, Suggested};
use brain::paper::OpenedFile;
use serde::de::DeserializeOwned;

pub use self::letters::{is_long, threads};
pub use self::memory::remembered;
pub use self::paper::{WORDS_OF_A_PAGE, read_through};
use crate::gist::{AboutLetters, AboutPaper, Chat, Gist};
use crate::{Done, Understanding, World};

/// Plain text. Empty only where the card of a write is all there is to tell:
/// what comes of a write is told by [`card`] and [`outcome`].
pub fn tell(understanding: &Understanding, done: &[Done], world: &World) -> String {
    let left = understanding.left.as_ref().map(|what| format!("I dropped {what}."));
    if let Some(question) = &understanding.question {
        return join(left, question);
    }
    if let (Some(left), Gist::Chat(Chat::NeverMind)) = (&left, &understanding.gist) {
        return format!("Okay. {left}");
    }
    let mut rest = done;
    let told = join(left, &tell_gist(&understanding.gist, &mut rest, world));
    if understanding.rest.is_some() {
        // The sentence goes on; nobody is asked to say "more" in the middle of it.
        return told;
    }
    let told = format!("{told}{}", more::offer(&understanding.gist, done, world));
    match &understanding.asks_again {
        Some(question) => join(Some(told), question),
        None => told,
    }
}

fn join(before: Option<String>, text: &str) -> String {
    match before {
        Some(before) if !before.is_empty() => format!("{before} {text}").trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

fn tell_gist(gist: &Gist, done: &mut &[Done], world: &World) -> String {
    match gist {
        Gist::Several(parts) => {
            let told = parts.iter().map(|part| tell_gist(part, done, world));
            told.filter(|told| !told.is_empty()).collect::<Vec<_>>().join(" ")
        }
        Gist::Letters(about) if about.nearest => tell_nearest(about, done, world),
        Gist::Letters(about) => match brought(done, "gmail.search") {
            Ok(found) => letters::list(about, &found, world),
            Err(problem) => problem.told("your mail"),
        },
        Gist::More { of, skip } => tell_more(of, *skip, done, world),
        Gist::Letter { search, rest } => tell_letter(search.as_ref(), *rest, done, world),
        Gist::Agenda(about) => match brought(done, "calendar.list_events") {
            Ok(found) => agenda::tell(about, &found, world),
            Err(problem) => problem.told("your calendar"),
        },
        Gist::Free(about) => match brought(done, "calendar.find_free_slots") {
            Ok(found) => free::tell(about, &found, world),
            Err(problem) => problem.told("your calendar"),
        },
        Gist::Glance => match brought::<FreeSlots>(done, "calendar.find_free_slots") {
            Ok(_) => String::new(),
            Err(problem) => problem.told("your calendar"),
        },
        Gist::Reply { who, search } => tell_reply(who, *search, done),
        Gist::Draft { who, reply, search } => tell_draft(who, *reply, *search, done),
        Gist::Mail { who } => tell_write(&format!("the mail to {who}"), "gmail.send", done),
        Gist::Booking { what } => tell_write(what, "calendar.create_event", done),
        Gist::Spot => match brought::<Agenda>(done, "calendar.list_events") {
            Ok(_) => String::new(),
            Err(problem) => problem.told("your calendar"),
        },
        Gist::CallOff { what } => tell_write(what, "calendar.cancel_event", done),
        Gist::Move { what } => tell_write(what, "calendar.move_event", done),
        Gist::Memories(about) => match brought(done, "memory.retrieve") {
            Ok(found) => memory::tell(about, &found, world),
            Err(problem) => problem.told("what you told me"),
        },
        Gist::Recall => match brought::<Memories>(done, "memory.retrieve") {
            Ok(_) => String::new(),
            Err(problem) => problem.told("what you told me"),
        },
        Gist::Paper(about) => {
            let tool = if about.want.is_sought() { "attachment.search" } else { "attachment.read" };
            match brought(done, tool) {
                Ok(found) => paper::tell(about, &found, world),
                Err(problem) => problem.told("that file"),
            }
        }
        Gist::OpenPaper => match brought::<OpenedFile>(done, "attachment.read") {
            Ok(found) => found.problem.unwrap_or_default(),
            Err(problem) => problem.told("that file"),
        },
        Gist::SeekPaper => match brought::<OpenedFile>(done, "attachment.search") {
            Ok(_) => String::new(),
            Err(problem) => problem.told("that file"),
        },
        Gist::Remember { .. } => tell_write("that", "memory.write", done),
        Gist::Forget => tell_write("that", "memory.forget", done),
        Gist::Offer => match brought::<Suggested>(done, "memory.suggest_write") {
            Ok(_) => String::new(),
            Err(problem) => problem.told("what you told me"),
        },
        Gist::Pause => match brought::<MemoryPause>(done, "memory.pause") {
            Ok(pause) => memory::paused(&pause),
            Err(problem) => problem.told("your memory"),
        },
        Gist::Meanwhile(what) => jobs::tell(what, done, world),
        Gist::Voice(what) => voice::tell(*what, done),
        Gist::Chat(chat) => chat::tell(chat, world),
        Gist::Question => chat::tell(&Chat::Lost, world),
    }
}

/// What is told of a file that was looked through in passing.
pub fn about_paper(about: &AboutPaper, found: &OpenedFile, world: &World) -> String {
    paper::tell(about, found, world)
}

/// Why a mail could not be answered; nothing, where a card is shown.
fn tell_reply(who: &str, search: bool, done: &mut &[Done]) -> String {
    let found = search.then(|| brought::<Letters>(done, "gmail.search"));
    let drafted = brought::<Drafted>(done, "gmail.draft_reply");
    let sent = tell_write(&format!("the reply to {who}"), "gmail.send", done);
    match (found, drafted) {
        (Some(Ok(found)), _) if found.messages.is_empty() => {
            format!("Nothing from {who} to reply to.")
        }
        (Some(Err(Problem::NotTried)), _) => String::new(),
        (Some(Err(problem)), _) => problem.told("your mail"),
        (_, Err(Problem::NotTried)) => String::new(),
        (_, Err(Problem::Gone)) => Problem::Gone.told("that mail"),
        (_, Err(_)) => format!("I couldn't draft the reply to {who}, so nothing goes out."),
        (_, Ok(_)) => sent,
    }
}

/// What lies in the drafts now.
fn tell_draft(who: &str, reply: bool, search: bool, done: &mut &[Done]) -> String {
    let found = search.then(|| brought::<Letters>(done, "gmail.search"));
    let tool = if reply { "gmail.draft_reply" } else { "gmail.create_draft" };
    let drafted = brought::<DraftedWords>(done, tool);
    match (found, drafted) {
        (Some(Ok(found)), _) if found.messages.is_empty() => {
            format!("Nothing from {who} to reply to.")
        }
        (Some(Err(problem)), _) => problem.told("your mail"),
        (_, Err(_)) => format!("I couldn't draft that to {who}."),
        (_, Ok(draft)) => {
            let (text, cut) = spelling::first_words(&card::words_of(&draft.body), ALOUD);
            let text = if cut { format!("{text}…") } else { text };
            format!("It's in your drafts for {who}, not sent: {text}")
        }
    }
}

#[derive(serde::Deserialize)]
struct DraftedWords {
    body: String,
}

/// Why a write was not even shown; nothing, where it was.
fn tell_write(called: &str, tool: &str, done: &mut &[Done]) -> String {
    let Some((first, rest)) = done.split_first().filter(|(first, _)| first.tool == tool) else {
        return String::new();
    };
    *done = rest;
    match &first.result {
        Ok(_) => String::new(),
        Err(error) => outcome::not_run(called, &error.code),
    }
}

/// So many words of a draft are read out.
const ALOUD: usize = 30;

/// Whatever a draft is.
type Drafted = serde_json::Value;

/// What the words found, or what comes closest.
fn tell_nearest(about: &AboutLetters, done: &mut &[Done], world: &World) -> String {
    let found = brought::<Letters>(done, "gmail.search");
    let nearest = brought::<Letters>(done, "gmail.search");
    match (found, nearest, &about.meant) {
        (Ok(found), Ok(other), Some(meant)) => {
            letters::both_ways(about, meant, &found, &other, world)
        }
        (Ok(found), Ok(nearest), None)
            if found.messages.is_empty() && !nearest.messages.is_empty() =>
        {
            letters::nearest(about, &nearest, world)
        }
        (Ok(found), ..) => letters::list(about, &found, world),
        (Err(problem), ..) => problem.told("your mail"),
    }
}

fn tell_more(of: &Gist, skip: usize, done: &mut &[Done], world: &World) -> String {
    match of {
        Gist::Agenda(_) => match brought(done, "calendar.list_events") {
            Ok(found) => more::agenda(&found, skip, world),
            Err(problem) => problem.told("your calendar"),
        },
        Gist::Letters(about) => match brought(done, "gmail.search") {
            Ok(found) => more::letters(about, &found, skip, world),
            Err(problem) => problem.told("your mail"),
        },
        _ => chat::tell(&Chat::Lost, world),
    }
}

/// One mail, or why there is none. An opening that could not be tried because
/// nothing was found is not told a second time.
fn tell_letter(
    search: Option<&AboutLetters>,
    rest: bool,
    done: &mut &[Done],
    world: &World,
) -> String {
    let found = search.map(|about| (about, brought::<Letters>(done, "gmail.search")));
    let opened = brought::<OpenedLetter>(done, "gmail.get_message");
    match (found, opened) {
        (Some((_, Err(problem))), _) => problem.told("your mail"),
        (Some((about, Ok(found))), _) if found.messages.is_empty() => {
            letters::list(about, &found, world)
        }
        (_, Ok(opened)) if rest => letters::rest(&opened),
        (_, Ok(opened)) => letters::opened(&opened, world),
        (_, Err(problem)) => problem.told("that mail"),
    }
}

/// Why there is nothing to tell.
enum Problem {
    NotTried,
    Away,
    Gone,
    Refused,
    /// Memory stays out of this conversation.
    Paused,
    /// Too much was looked up in a minute.
    TooMuch,
    Unreadable,
}

impl Problem {
    fn told(&self, what: &str) -> String {
        match self {
            Self::NotTried => format!("I didn't get to {what}."),
            Self::Away => format!("I can't reach {what} right now."),
            Self::Gone => format!("I can't find {what} any more."),
            Self::Refused => format!("I wasn't able to look at {what}."),
            Self::Paused => memory::STAYS_OUT.to_owned(),
            Self::TooMuch => {
                format!("That was a lot in a minute, so I left out {what}. Ask me again shortly.")
            }
            Self::Unreadable => format!("I got an answer about {what} that I can't read."),
        }
    }
}

/// The next result, if it is of the tool that is to be told of.
fn brought<T: DeserializeOwned>(done: &mut &[Done], tool: &str) -> Result<T, Problem> {
    let Some((first, rest)) = done.split_first().filter(|(first, _)| first.tool == tool) else {
        return Err(Problem::NotTried);
    };
    *done = rest;
    match &first.result {
        Ok(value) => T::deserialize(value).map_err(|_| Problem::Unreadable),
        Err(error) if error.retryable => Err(Problem::Away),
        Err(error) if error.code == "not_found" => Err(Problem::Gone),
        Err(error) if error.code == "memory_paused" => Err(Problem::Paused),
        Err(error) if error.code == "rate_limit" => Err(Problem::TooMuch),
        Err(_) => Err(Problem::Refused),
    }
}

#[cfg(test)]
#[path = "narrator_tests.rs"]
mod tests;
