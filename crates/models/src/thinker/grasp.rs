//! How much of a sentence the rules' reading stands on. Pure.
//!
//! The rules look for words that they do not know. Where that is most of a sentence, or where
//! it finds nothing and nobody said that these words were to be looked for, whoever can think
//! knows better. Without anybody to ask nothing in here is asked.

use brain::facts::{Agenda, Letters, Memories};
use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};
use serde::Deserialize;

use crate::gist::{AboutAgenda, AboutLetters, Gist};
use crate::reflex::vocabulary::{
    CALENDAR, EMPTY, FREE, LATEST, MAIL, OPENERS, SAYS, WRITES, is_any,
};
use crate::{Done, Understanding, World};

/// So few strange words may be a name, or a slip.
const FEW: usize = 2;

/// What somebody says to look for has so many words at most.
const MOST_SOUGHT: usize = 3;

/// Behind one of these it is said what to look for.
const SOUGHT: [&str; 26] = [
    "about",
    "regarding",
    "concerning",
    "re",
    "mentioning",
    "mention",
    "mentions",
    "mentioned",
    "on",
    "containing",
    "contains",
    "saying",
    "says",
    "titled",
    "called",
    "named",
    "labelled",
    "labeled",
    "subject",
    "word",
    "words",
    "phrase",
    "for",
    "find",
    "search",
    "topic",
];
const ARTICLES: [&str; 8] = ["the", "a", "an", "my", "our", "this", "that", "any"];
/// It is asked what was told to us, and nobody else would know.
const OURS: [&str; 7] = ["remember", "memory", "memories", "recall", "told", "noted", "kept"];
/// What is asked may be named by any words: "when does my flight to Lisbon leave".
const ASKS: [&str; 14] = [
    "when", "what", "where", "who", "which", "how", "is", "are", "am", "do", "does", "did", "have",
    "has",
];
/// Said before what is wanted.
const POLITE: [&str; 6] = ["please", "can", "could", "would", "you", "just"];
/// Said of one's own plans.
const OWN: [&str; 8] = ["my", "our", "mine", "i", "we", "me", "us", "today's"];
/// What stands on a calendar or nowhere: that it is not there is an answer.
const KEPT_THERE: [&str; 34] = [
    "review",
    "reviews",
    "yoga",
    "standup",
    "stand-up",
    "sync",
    "retro",
    "demo",
    "planning",
    "kickoff",
    "offsite",
    "workshop",
    "webinar",
    "interview",
    "call",
    "lunch",
    "dinner",
    "breakfast",
    "brunch",
    "coffee",
    "dentist",
    "doctor",
    "checkup",
    "haircut",
    "gym",
    "training",
    "class",
    "lesson",
    "practice",
    "rehearsal",
    "pickup",
    "flight",
    "train",
    "party",
];
const VAGUE: [&str; 4] = ["something", "someone", "somebody", "somewhere"];
/// What a day can be made to be.
const MADE: [&str; 10] = [
    "free", "clear", "empty", "lighter", "easier", "quieter", "calmer", "better", "shorter",
    "bearable",
];

/// Most of what was said has no place in what would be looked up for it.
pub fn leaves_most(understanding: &Understanding, heard: &str, world: &World) -> bool {
    let heard = words(heard);
    match &understanding.gist {
        Gist::Glance => is_vague(&heard, world) || makes_a_day(&heard),
        Gist::Free(_) => makes_a_day(&heard),
        Gist::Agenda(about) => {
            let asks = heard.first().is_some_and(|first| ASKS.contains(&first.text.as_str()));
            !asks && is_gathered(about, &heard) && is_mostly_strange(&heard, world)
        }
        _ => false,
    }
}

/// "Make my Friday free": a change, of which only the day and the room were read.
fn makes_a_day(heard: &[Word]) -> bool {
    let texts: Vec<&str> = heard.iter().map(|word| word.text.as_str()).collect();
    let polite = texts.iter().take_while(|text| POLITE.contains(text)).count();
    matches!(
        &texts[polite..],
        ["make" | "get" | "keep", "my" | "our" | "the", .., last] if MADE.contains(last)
    )
}

/// "Something nice with someone I like": nobody books that without an idea of their own.
fn is_vague(heard: &[Word], world: &World) -> bool {
    let has = |texts: &[String]| heard.iter().any(|word| texts.contains(&word.text));
    let vague = VAGUE.map(str::to_owned);
    has(&vague) && !has(&names(world))
}

fn names(world: &World) -> Vec<String> {
    world.contacts.iter().flat_map(|contact| texts_of(&contact.name)).collect()
}

/// Words that say neither what is looked for, nor when, nor of whom.
fn is_mostly_strange(heard: &[Word], world: &World) -> bool {
    let when = time::find(heard, &world.local_now(), Lean::Ahead);
    let when = when.map_or(Vec::new(), |when| when.words);
    let names = names(world);
    let (mut known, mut strange) = (0, 0);
    for (at, word) in heard.iter().enumerate() {
        let text = word.text.as_str();
        let vocabulary = [MAIL, CALENDAR, FREE, WRITES, SAYS, LATEST];
        let is_known = when.contains(&at)
            || vocabulary.iter().any(|list| is_any(text, list))
            || names.iter().any(|name| name == text);
        match () {
            () if is_known => known += 1,
            () if is_any(text, EMPTY) || is_any(text, OPENERS) => {}
            () => strange += 1,
        }
    }
    strange >= FEW && strange > known
}

fn texts_of(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.text).collect()
}

/// Where these words stand, one behind the other.
fn place_of(topic: &[String], heard: &[Word]) -> Option<usize> {
    let is_here = |run: &[Word]| run.iter().zip(topic).all(|(word, text)| word.text == *text);
    let runs = |topic: &[String]| !topic.is_empty() && topic.len() <= heard.len();
    runs(topic).then(|| heard.windows(topic.len()).position(is_here)).flatten()
}

/// It was looked up by words that nobody said were to be looked for, and nothing was found.
pub fn came_to_nothing(understanding: &Understanding, done: &[Done], heard: &str) -> bool {
    let heard = words(heard);
    let parts = match &understanding.gist {
        Gist::Several(parts) => parts.as_slice(),
        gist => std::slice::from_ref(gist),
    };
    let mut done = done;
    !parts.is_empty() && parts.iter().all(|part| is_nothing(part, &mut done, &heard))
}

fn is_nothing(part: &Gist, done: &mut &[Done], heard: &[Word]) -> bool {
    let (mut first, mut second) = (None, None);
    for tool in part.tools() {
        // A mail that was not found is not opened either.
        let Some((next, rest)) = done.split_first().filter(|(next, _)| next.tool == tool) else {
            break;
        };
        second = first.and(Some(&next.result));
        first = first.or(Some(&next.result));
        *done = rest;
    }
    // A keyword that may have been misheard, and was found.
    if let (Gist::Letters(AboutLetters { meant: Some(_), .. }), Some(Ok(second))) = (part, second)
        && Letters::deserialize(second).is_ok_and(|it| !it.messages.is_empty())
    {
        return false;
    }
    let Some(Ok(first)) = first else { return false };
    match part {
        Gist::Letters(about) | Gist::Letter { search: Some(about), .. } => {
            let found = Letters::deserialize(first);
            found.is_ok_and(|it| it.messages.is_empty()) && is_guessed(about, heard)
        }
        Gist::Agenda(about) => {
            let Ok(found) = Agenda::deserialize(first) else { return false };
            // What sounds like it is told, or asked about.
            let is_anybodys = || found.alike.is_empty() && is_anybodys(about, heard);
            found.events.is_empty() && (is_gathered(about, heard) || is_anybodys())
        }
        Gist::Memories(about) => {
            let found = Memories::deserialize(first);
            let is_ours = heard.iter().any(|word| OURS.contains(&word.text.as_str()));
            about.about.is_some() && !is_ours && found.is_ok_and(|it| it.memories.is_empty())
        }
        _ => false,
    }
}

/// Words that were left over, or a thing that was taken for somebody.
fn is_guessed(about: &AboutLetters, heard: &[Word]) -> bool {
    if about.typed.is_some() || heard.iter().any(|word| word.quoted) {
        return false;
    }
    let text_at = |at: Option<usize>| at.and_then(|at| heard.get(at)).map(|it| it.text.as_str());
    let is_sought = |topic: &Vec<String>| {
        // "About the board deck really asking for": nobody looks for so much.
        if topic.len() > MOST_SOUGHT {
            return false;
        }
        let Some(at) = place_of(topic, heard) else { return false };
        let mut before = heard[..at].iter().rev().map(|word| word.text.as_str());
        let is_asked =
            before.find(|it| !ARTICLES.contains(it)).is_some_and(|it| SOUGHT.contains(&it));
        is_asked || text_at(Some(at + topic.len())).is_some_and(|next| is_any(next, MAIL))
    };
    let is_left_over = about.topic.as_deref().map(texts_of).is_some_and(|topic| !is_sought(&topic));
    let stranger =
        about.who.as_deref().filter(|_| about.address.is_none() && !about.several_people);
    let is_thing = stranger.map(texts_of).is_some_and(|who| {
        let who: Vec<String> = who.iter().map(|it| it.to_lowercase()).collect();
        let at = place_of(&who, heard);
        text_at(at.and_then(|at| at.checked_sub(1))).is_some_and(|it| ARTICLES.contains(&it))
    });
    is_left_over || is_thing
}

/// The words of a title that stand apart in what was said.
fn is_gathered(about: &AboutAgenda, heard: &[Word]) -> bool {
    let topic = about.topic.as_deref().map(texts_of);
    let is_quoted = heard.iter().any(|word| word.quoted);
    !is_quoted && topic.is_some_and(|topic| place_of(&topic, heard).is_none())
}

/// Words that were taken for a title, and that nobody said were one of theirs: "Easter", "the
/// Eiffel Tower". Where the calendar has no such thing, it may be something that people know.
fn is_anybodys(about: &AboutAgenda, heard: &[Word]) -> bool {
    let is_own = |word: &Word| {
        let text = word.text.as_str();
        let is_kept = OWN.contains(&text) || KEPT_THERE.contains(&text);
        word.quoted || is_kept || is_any(text, CALENDAR)
    };
    about.topic.is_some() && about.who.is_none() && !heard.iter().any(is_own)
}
