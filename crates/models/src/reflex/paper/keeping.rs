//! "Remember the rent from this file": what a file says, kept as the file's words.
//!
//! The file is looked through in the same turn, so that the card shows exactly what it
//! says; whose words they are stays with them for as long as they are kept.

use brain::Attached;
use brain::paper::{Kind, OpenedFile};
use brain::plan::ProposedStep;
use brain::resolve::words::{Word, words};
use serde_json::json;

use super::target::{Target, is_noun, stem};
use super::{any, wants, which, whole};
use crate::gist::{Chat, Gist};
use crate::narrator::card;
use crate::narrator::spelling::first_words;
use crate::reflex::memory::KEEPS;
use crate::reflex::{Lookup, Meaning, sentence};
use crate::{Understanding, World};

/// So many words of a file are kept; the file itself has the rest.
const MOST_WORDS: usize = 60;
/// Said of the one thing that was just told.
const THAT: &[&[&str]] = &[&["this"], &["that"], &["it"], &["this", "one"], &["that", "one"]];
/// Between what is to be kept and where it stands.
const FROM: &[&str] = &["from", "in", "of"];

/// None where nothing of a file is to be kept.
pub fn read(heard: &str, world: &World) -> Option<Understanding> {
    let target = Target::of(heard, world);
    let said = words(&target.rest);
    let request = sentence::without_lead(&said);
    let fact = KEEPS.iter().find_map(|lead| sentence::behind(request, lead))?;
    let fact = sentence::bare(fact);
    let texts: Vec<&str> = fact.iter().map(|word| word.text.as_str()).collect();
    if THAT.contains(&texts.as_slice()) {
        return that(heard, &target, world);
    }
    let topic = topic(fact, &texts, &target)?;
    if let Some(found) = world.focus.sought.first() {
        return Some(found_in(heard, found, &target.rest, topic));
    }
    let has_words = |file: &&Attached| !matches!(file.kind(), Kind::Picture | Kind::Other);
    let readable: Vec<_> = target.files.iter().copied().filter(has_words).collect();
    let Some(file) = target.one_of(&readable, world) else {
        return (readable.len() > 1).then(|| which(heard, &readable));
    };
    Some(look_first(heard, file, &target.rest, topic))
}

/// "Remember that", when a passage of a file was what was just told.
fn that(heard: &str, target: &Target<'_>, world: &World) -> Option<Understanding> {
    let focus = &world.focus;
    if !focus.on_file || target.files.is_empty() {
        return None;
    }
    let spoken_of = focus.files.iter().find(|file| Some(file.file_id) == focus.file);
    match (spoken_of, &focus.passage) {
        (Some(file), Some(passage)) => Some(kept(heard, file, passage)),
        (Some(file), None) => {
            let name = &file.name;
            let told =
                format!("What of {name} should I remember? “The rent from it”, for example.");
            Some(whole(heard, Meaning::Chat(Chat::AboutFile(told))))
        }
        (None, _) => None,
    }
}

/// "the rent" of "remember the rent from this file" and of "remember what the lease says
/// about the rent".
fn topic<'a>(fact: &'a [Word], texts: &[&str], target: &Target<'_>) -> Option<&'a [Word]> {
    let is_file = |words: &[&str]| {
        let words = match words {
            ["the" | "this" | "that" | "my" | "our", rest @ ..] => rest,
            rest => rest,
        };
        match words {
            ["it"] => target.pointed || target.handed,
            [] | ["this" | "that"] => target.named || target.handed,
            [noun] if is_noun(noun) => true,
            _ => target.files.iter().any(|file| stem(&file.name) == words.join(" ")),
        }
    };
    // "What the lease says about pets"
    if let ["what", rest @ ..] = texts {
        let says = rest.iter().position(|text| matches!(*text, "says" | "say"))?;
        let about = &rest[says + 1..];
        let named = is_file(&rest[..says]) && about.first() == Some(&"about");
        return (named && about.len() > 1).then(|| &fact[says + 3..]);
    }
    // What says something by itself is the person's own: "the key is in the file".
    if any(texts, &["is", "are", "was", "were", "has", "have"]) {
        return None;
    }
    let at = (1..texts.len()).rev().find(|at| FROM.contains(&texts[*at]))?;
    is_file(&texts[at + 1..]).then(|| &fact[..at])
}

fn look_first(heard: &str, file: &Attached, said: &str, topic: &[Word]) -> Understanding {
    let query: String = spelled(said, topic).chars().take(500).collect();
    let args = json!({ "file_id": file.file_id.to_string(), "query": query });
    let lookup = Lookup {
        steps: vec![ProposedStep { tool: "attachment.search".to_owned(), args }],
        gist: Gist::SeekPaper,
        acknowledgement: format!("Looking at the {}.", super::called(file.kind())),
    };
    whole(heard, Meaning::Later { lookups: vec![lookup], missing: "passage" })
}

fn found_in(heard: &str, found: &OpenedFile, said: &str, topic: &[Word]) -> Understanding {
    let told = match (&found.problem, found.passages.first()) {
        (Some(problem), _) => problem.clone(),
        (None, Some(passage)) => return kept(heard, &found.file, &passage.text),
        (None, None) => {
            let (topic, name) = (spelled(said, topic), &found.file.name);
            format!("I find nothing about “{topic}” in {name}, so there is nothing to remember.")
        }
    };
    whole(heard, Meaning::Chat(Chat::AboutFile(told)))
}

/// A card with the words of the file.
fn kept(heard: &str, file: &Attached, passage: &str) -> Understanding {
    let (words, cut) = first_words(&card::words_of(passage), MOST_WORDS);
    let memory = if cut { format!("{words}…") } else { words };
    let derived_from = format!("the file {}", file.name);
    let args = json!({ "memory": memory, "derived_from": derived_from });
    let lookup = Lookup {
        steps: vec![ProposedStep { tool: "memory.write".to_owned(), args }],
        gist: Gist::Remember { what: memory },
        acknowledgement: "Writing it out for you.".to_owned(),
    };
    whole(heard, Meaning::Look(vec![lookup]))
}

fn spelled(said: &str, topic: &[Word]) -> String {
    wants::topic(topic, said).unwrap_or_else(|| {
        let texts: Vec<&str> = topic.iter().map(|word| word.text.as_str()).collect();
        texts.join(" ")
    })
}
