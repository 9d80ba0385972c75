//! Whether a file of this conversation says it, before anything else is guessed.
//!
//! "When is the rent due?" may ask a calendar; with a lease at hand it most likely
//! asks that. So the files are looked through first, and where they do not have the
//! words the sentence is read as if there were none.

use brain::Attached;
use brain::paper::{Kind, OpenedFile};
use brain::plan::ProposedStep;
use brain::resolve::time::WEEKDAYS;
use brain::resolve::words::Word;
use serde_json::json;

use super::{any, called, wants, whole};
use crate::gist::{AboutPaper, Chat, Gist, PaperWant};
use crate::reflex::{Lookup, Meaning};
use crate::{Understanding, World, narrator};

/// So many files are looked through for one question, the last one first.
const MOST: usize = 3;
/// A longer sentence that asks nothing is a story.
const SHORT: usize = 4;

/// Said of mail and calendars; no file is looked through before those.
const THEIRS: &[&str] = &[
    "calendar",
    "agenda",
    "schedule",
    "meeting",
    "meetings",
    "appointment",
    "appointments",
    "event",
    "events",
    "inbox",
    "mail",
    "mails",
    "email",
    "emails",
    "unread",
    "message",
    "messages",
    "reminder",
    "reminders",
    "timer",
    "timers",
    "free",
    "busy",
    "available",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "weekend",
    "morning",
    "afternoon",
    "evening",
];

/// Looks through the files first, where the rules would only guess.
pub fn first(
    heard: &str,
    said: &[Word],
    guess: &Understanding,
    world: &World,
) -> Option<Understanding> {
    let focus = &world.focus;
    if !focus.sought.is_empty() || focus.files.is_empty() || guess.question.is_some() {
        return None;
    }
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let texts = wants::bare(&texts);
    let asks = wants::is_question(said) || texts.len() <= SHORT;
    if !asks || !is_guess(&guess.gist, texts, world) {
        return None;
    }
    let topic = wants::topic(said, heard)?;
    let files = in_turn(world);
    // Nobody else could answer it, and there is only the file that is spoken of.
    if let ([one], Gist::Chat(Chat::Lost)) = (files.as_slice(), &guess.gist)
        && focus.on_file
        && focus.file == Some(one.file_id)
        && one.kind() != Kind::Calendar
        && wants::is_question(said)
    {
        return Some(super::looked_up(heard, one, PaperWant::About(topic), heard));
    }
    let query: String = heard.chars().take(500).collect();
    let look = |file: &&Attached| {
        let args = json!({ "file_id": file.file_id.to_string(), "query": query.trim() });
        Lookup {
            steps: vec![ProposedStep { tool: "attachment.search".to_owned(), args }],
            gist: Gist::SeekPaper,
            acknowledgement: match files.as_slice() {
                [one] if focus.on_file => format!("Looking at the {}.", called(one.kind())),
                _ => "Let me look.".to_owned(),
            },
        }
    };
    let lookups: Vec<_> = files.iter().map(look).collect();
    (!lookups.is_empty()).then(|| whole(heard, Meaning::Later { lookups, missing: "passage" }))
}

/// The answer, where one of the files that were looked through has the words.
pub fn found(heard: &str, said: &[Word], world: &World) -> Option<Understanding> {
    let focus = &world.focus;
    let topic = wants::topic(said, heard)?;
    let (found, want) = focus.sought.iter().find_map(|found| told_of(found, &topic))?;
    let about = AboutPaper { name: found.file.name.clone(), kind: found.kind, want };
    let told = narrator::about_paper(&about, &found, world);
    // Whoever was elsewhere in between hears which file it is.
    let named = !focus.was_on_file || focus.files.len() > 1;
    let told = match told.split_once(": ").filter(|(lead, _)| named && lead.len() < 30) {
        Some(("It says", rest)) => format!("{} says: {rest}", about.name),
        Some((lead, rest)) => {
            let mut lead = lead.to_owned();
            lead[..1].make_ascii_lowercase();
            format!("In {}, {lead}: {rest}", about.name)
        }
        None => told,
    };
    Some(Understanding {
        request: Some(heard.to_owned()),
        ..Understanding::of(Gist::Chat(Chat::AboutFile(told)))
    })
}

/// What a file has of it: passages, or events that are called so.
fn told_of(found: &OpenedFile, topic: &str) -> Option<(OpenedFile, PaperWant)> {
    if found.problem.is_some() {
        return None;
    }
    let mut found = found.clone();
    if found.kind == Kind::Calendar {
        found.events.retain(|event| super::is_titled(&event.title, topic));
        // The others are not what was asked for.
        found.extent.events = None;
        if !found.events.is_empty() {
            return Some((found, PaperWant::When));
        }
    }
    (!found.passages.is_empty()).then(|| (found, PaperWant::About(topic.to_owned())))
}

/// The one that was spoken of last, then the newest.
fn in_turn(world: &World) -> Vec<&Attached> {
    let focus = &world.focus;
    let last = focus.files.iter().filter(|file| Some(file.file_id) == focus.file);
    let others = focus.files.iter().rev().filter(|file| Some(file.file_id) != focus.file);
    let readable = |file: &&Attached| !matches!(file.kind(), Kind::Picture | Kind::Other);
    last.chain(others).filter(readable).take(MOST).collect()
}

/// Nobody else could answer it, or only by luck.
fn is_guess(gist: &Gist, texts: &[&str], world: &World) -> bool {
    match gist {
        Gist::Chat(Chat::Lost | Chat::OutOfReach(_) | Chat::NoContact(_) | Chat::NoPhone(_)) => {
            true
        }
        // "When does Lena start" says nothing of a calendar; "lunch with Lena" does.
        Gist::Agenda(_) | Gist::Free(_) => {
            !(is_theirs(texts) || any(texts, &["with", "see", "meet"]) && names(texts, world))
        }
        Gist::Chat(Chat::NothingToPointAt | Chat::NoAnswer(_) | Chat::AboutWhat)
        | Gist::Letters(_)
        | Gist::Letter { .. } => !is_theirs(texts) && !names(texts, world),
        _ => false,
    }
}

/// It says by its words that it is about mail or the calendar.
pub fn is_theirs(texts: &[&str]) -> bool {
    let own = |at: usize| match &texts[at..] {
        ["do", "i", "have", "to", ..] => false,
        ["do", "i", "have", ..] | ["have", "i", ..] | ["my", ..] => true,
        _ => false,
    };
    let own = (0..texts.len()).any(own);
    own || any(texts, THEIRS) || any(texts, &WEEKDAYS)
}

/// It names somebody who is known.
pub fn names(texts: &[&str], world: &World) -> bool {
    let mut people = world.contacts.iter().flat_map(|contact| contact.name.split(' '));
    people.any(|name| {
        let said = |text: &&str| text.trim_end_matches("'s").eq_ignore_ascii_case(name);
        name.chars().count() > 2 && texts.iter().any(said)
    })
}
