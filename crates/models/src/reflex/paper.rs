//! Questions about what was attached: which file is meant, and what is wanted of it.
//!
//! What stands in a file is never read here; only the person's sentence is. So no
//! text in a file can become a request.

mod booking;
mod figures;
mod handing;
mod keeping;
mod length;
mod seek;
mod target;
mod wants;

use brain::Attached;
use brain::paper::Kind;
use brain::plan::ProposedStep;
use brain::resolve::words::{Word, words};
use serde_json::json;

use self::target::Target;
use super::{Lookup, Meaning, Part, asked, together};
use crate::focus::{Choice, Unclear};
use crate::gist::{AboutPaper, Chat, Gist, PaperWant};
use crate::{Understanding, World};

/// So many files are offered to choose from.
const MOST_CHOICES: usize = 9;

/// A sentence about a file. None where it is about something else, and always
/// where nothing was attached.
pub fn read(heard: &str, world: &World) -> Option<Understanding> {
    if let Some(listed) = handing::listed(heard, world) {
        return Some(whole(heard, Meaning::Chat(Chat::Files(listed))));
    }
    if world.focus.files.is_empty() {
        return None;
    }
    if let Some(kept) = keeping::read(heard, world) {
        return Some(kept);
    }
    if !world.focus.sought.is_empty() {
        return seek::found(heard, &words(heard), world);
    }
    if let Some(answered) = answered(heard, world) {
        return Some(answered);
    }
    let target = Target::of(heard, world);
    let said = words(&target.rest);
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let texts = wants::bare(&texts);
    if booking::is_wanted(texts, &said, &target, world)
        && let Some(booked) = booking::read(heard, texts, &target, world)
    {
        return Some(booked);
    }
    if booking::is_free_asked(texts, &said, &target, world) {
        return booking::free(heard, texts, &target, world);
    }
    if let Some(told) = handing::taken(texts, &target).or_else(|| handing::kept(texts, &target)) {
        return Some(whole(heard, Meaning::Chat(Chat::AboutFile(told))));
    }
    if target.is_elsewhere(texts) {
        return None;
    }
    let want = wants::read(texts, &said, &target.rest, &target, world)?;
    Some(about(heard, want, &target, world))
}

/// "Which file: lease.pdf or notes.txt?" – "the lease", "the pdf".
fn answered(heard: &str, world: &World) -> Option<Understanding> {
    let asked = world.focus.asked.iter().filter(|choice| choice.about == Unclear::File);
    let said = heard.trim().trim_end_matches(['.', '!']).to_lowercase();
    let said = said.strip_prefix("the ").unwrap_or(&said);
    let said = said.strip_suffix(" one").or(said.strip_suffix(" file")).unwrap_or(said);
    let meant = asked.filter(|choice| {
        let name = choice.name.to_lowercase();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
        said == name || said == stem || said == ending
    });
    let [one] = meant.collect::<Vec<_>>()[..] else { return None };
    let afresh = World { focus: world.focus.answered(), ..world.clone() };
    Some(Understanding { answers: true, ..super::read(&one.sentence, &afresh) })
}

/// What would only be guessed at, looked for in the files first.
pub fn sought_first(heard: &str, guess: &Understanding, world: &World) -> Option<Understanding> {
    seek::first(heard, &words(heard), guess, world)
}

/// A question that nobody could make anything of, after the file that was spoken of
/// was looked through for it.
pub fn nothing_there(heard: &str, world: &World) -> Option<Understanding> {
    let focus = &world.focus;
    let said = words(heard);
    let file = focus.sought.first().filter(|_| focus.on_file && wants::is_question(&said))?;
    let topic = wants::topic(&said, heard)?;
    let told = match &file.problem {
        Some(problem) => problem.clone(),
        None => format!("I find nothing about “{topic}” in {}.", file.file.name),
    };
    Some(whole(heard, Meaning::Chat(Chat::AboutFile(told))))
}

/// Is an event called that? One word that says something is enough.
fn is_titled(title: &str, topic: &str) -> bool {
    const SMALL: &[&str] =
        &["the", "and", "with", "for", "about", "meeting", "event", "events", "calendar", "add"];
    let title = title.to_lowercase();
    let title: Vec<_> = title.split(|c: char| !c.is_alphanumeric()).collect();
    let topic = topic.to_lowercase();
    let mut said = topic.split(|c: char| !c.is_alphanumeric());
    said.any(|word| word.chars().count() > 2 && !SMALL.contains(&word) && title.contains(&word))
}

/// Looks it up in the one file that is meant, or asks which.
fn about(heard: &str, want: PaperWant, target: &Target<'_>, world: &World) -> Understanding {
    let fitting = |file: &&Attached| wants::fits(&want, file.kind());
    let fits: Vec<_> = target.files.iter().copied().filter(fitting).collect();
    let among = if fits.is_empty() { target.files.clone() } else { fits };
    match target.one_of(&among, world) {
        Some(file) => {
            let want = wants::adapted(want, file.kind());
            looked_up(heard, file, want, &target.rest)
        }
        None => which(heard, &among),
    }
}

fn looked_up(heard: &str, file: &Attached, want: PaperWant, question: &str) -> Understanding {
    let file_id = file.file_id.to_string();
    let (tool, args) = match &want {
        PaperWant::About(_) => {
            // The whole question tells what kind of thing would answer it.
            let query: String = question.chars().take(500).collect();
            ("attachment.search", json!({ "file_id": file_id, "query": query.trim() }))
        }
        // Where its properties name nobody, it may say so itself.
        PaperWant::Author => {
            ("attachment.search", json!({ "file_id": file_id, "query": "author" }))
        }
        PaperWant::Page { number, .. } => {
            ("attachment.read", json!({ "file_id": file_id, "page": number }))
        }
        _ => ("attachment.read", json!({ "file_id": file_id })),
    };
    let acknowledgement = format!("Looking at the {}.", called(file.kind()));
    let about = AboutPaper { name: file.name.clone(), kind: file.kind(), want };
    let lookup = Lookup {
        steps: vec![ProposedStep { tool: tool.to_owned(), args }],
        gist: Gist::Paper(about),
        acknowledgement,
    };
    whole(heard, Meaning::Look(vec![lookup]))
}

fn whole(heard: &str, meaning: Meaning) -> Understanding {
    together(vec![Part { span: 0..heard.len(), meaning }], heard)
}

/// One question, and for each file the sentence that would have been clear.
fn which(heard: &str, among: &[&Attached]) -> Understanding {
    let heard = heard.trim_end_matches(['?', '.', '!', ' ']);
    let mut names: Vec<&str> = Vec::new();
    // Of two that are called the same the newer one is meant.
    for file in among.iter().rev().filter(|file| !file.name.is_empty()) {
        if !names.contains(&file.name.as_str()) {
            names.push(&file.name);
        }
    }
    names.truncate(MOST_CHOICES);
    names.reverse();
    let listed = match names.as_slice() {
        [others @ .., last] if names.len() <= 3 => format!("{} or {last}", others.join(", ")),
        [first, second, ..] => format!("{first}, {second} or one of {} more", names.len() - 2),
        _ => String::new(),
    };
    let choices =
        names.iter().map(|name| Choice::new(Unclear::File, *name, format!("{heard} “{name}”")));
    asked(format!("Which file: {listed}?"), choices.collect())
}

/// What one calls a file of this kind.
pub fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Other => "file",
        Kind::Table => "table",
        Kind::Pdf => "PDF",
        Kind::Document => "document",
        Kind::Calendar => "invitation",
        Kind::Mail => "mail",
        Kind::Picture => "picture",
    }
}

/// Is any of these among them?
fn any(texts: &[&str], of: &[&str]) -> bool {
    texts.iter().any(|text| of.contains(text))
}

/// The words behind the first of these that is there.
fn behind<'a, 't>(texts: &'a [&'t str], leads: &[&[&str]]) -> Option<&'a [&'t str]> {
    leads.iter().find_map(|lead| {
        let at = texts.windows(lead.len()).position(|window| window == *lead)?;
        Some(&texts[at + lead.len()..])
    })
}

/// From the first of these words to the last, as they were said.
fn raw<'a>(heard: &'a str, words: &[Word]) -> Option<&'a str> {
    let (first, last) = (words.first()?, words.last()?);
    heard.get(first.start..last.end).map(str::trim)
}

#[cfg(test)]
#[path = "paper_tests.rs"]
mod tests;
