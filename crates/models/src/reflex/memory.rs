//! What is to be remembered, recalled and forgotten.
//!
//! Only what the person says to us becomes a memory, in their own words, and
//! only after they have seen it. "Remember to call Tom" wants a reminder and is
//! none of this.

mod passing;
mod phrases;
mod plainly;

use brain::facts::{Memories, Memory};
use brain::plan::ProposedStep;
use brain::resolve::words::Word;
use serde_json::{Value, json};

pub use self::phrases::KEEPS;
use self::phrases::{
    ARTICLES, FORGETS, FORGETS_ALL, FORGETS_ALL_ABOUT, FORGETS_THAT, HERE, NOT_FACTS, PAUSES,
    RESUMES, TELLS, TELLS_ALL, VERBS,
};
pub use self::plainly::{kept_plainly, known_first, recalled};
use super::refer::{Company, Referent};
use super::sentence::behind;
use super::vocabulary::is_any;
use super::{Lookup, Meaning, Question, Want, phrasing, sentence};
use crate::focus::{Awaited, Missing, Unclear};
use crate::gist::{AboutMemories, Chat, Gist};
use crate::narrator::card;
use crate::narrator::spelling::first_words;
use crate::{Understanding, World};

/// As many as have a key of their own.
const MOST_CHOICES: usize = 9;
/// As many as one card holds.
const MOST_AT_ONCE: usize = 50;
/// So many words of a mail are kept; the mail itself has the rest.
const LETTER: usize = 60;
/// What is told of one where several are to choose from.
const SHORT: usize = 8;

/// What a request wants of the memory.
#[derive(Clone, Copy, Debug)]
enum Wish<'a> {
    /// These words are to be kept.
    Keep(&'a [Word]),
    /// Something is to be kept, and it was not said what.
    KeepWhat,
    /// What is known about these words; about anything, where there are none.
    Tell(&'a [Word]),
    Forget(Target<'a>),
    /// Memory is to stay out of this conversation, or to be let in again.
    Pause(bool),
}

/// What is to be forgotten.
#[derive(Clone, Copy, Debug)]
enum Target<'a> {
    /// What these words are about; anything, where there are none.
    About(&'a [Word]),
    /// All that these words are about; all there is, where there are none.
    All(&'a [Word]),
    /// "That": what was just told or noted.
    That,
    /// One of them by its id.
    Id(&'a str),
}

/// Is it about something to remember, recall or forget?
pub fn begins(request: &[Word], heard: &str) -> bool {
    wish(request, heard).is_some()
}

/// What `words` want of it.
pub fn read(heard: &str, words: &[Word], company: &Company<'_>) -> Option<Meaning> {
    let request = sentence::without_lead(words);
    match wish(request, heard)? {
        Wish::Keep(_) => match wish(without_thanks(request), heard)? {
            Wish::Keep(fact) => Some(keep(heard, fact, company)),
            _ => None,
        },
        Wish::KeepWhat if company.world.focus.opened.is_some() => {
            keep_letter(company.world).or_else(|| Some(keep_what()))
        }
        Wish::KeepWhat => Some(keep_what()),
        Wish::Pause(paused) => Some(pause(paused)),
        Wish::Tell(topic) => Some(tell(heard, sentence::bare(topic))),
        Wish::Forget(target) => Some(forget(heard, request, target, company.world)),
    }
}

fn wish<'a>(request: &'a [Word], heard: &str) -> Option<Wish<'a>> {
    pauses(request)
        .map(Wish::Pause)
        .or_else(|| forgets(request).map(Wish::Forget))
        .or_else(|| tells(request).map(Wish::Tell))
        .or_else(|| keeps(request, heard))
}

fn pauses(request: &[Word]) -> Option<bool> {
    let ways = [request, sentence::bare(request)];
    let said = |phrases: &[&[&str]]| {
        let exactly = |words: &[Word]| phrases.iter().any(|phrase| says(words, phrase));
        let elsewhere = |words: &[Word]| {
            HERE.iter().any(|here| {
                let cut = words.len().checked_sub(here.len());
                let parts = cut.and_then(|cut| words.split_at_checked(cut));
                parts.is_some_and(|(front, end)| says(end, here) && exactly(front))
            })
        };
        ways.iter().any(|words| exactly(words) || elsewhere(words))
    };
    if said(PAUSES) {
        return Some(true);
    }
    said(RESUMES).then_some(false)
}

fn keeps<'a>(request: &'a [Word], heard: &str) -> Option<Wish<'a>> {
    let rest = KEEPS.iter().find_map(|lead| behind(request, lead))?;
    let first = rest.first()?;
    // "Remember that Tom is allergic?" asks.
    if request[0].is("remember") && rest.last().is_some_and(|last| last.stop == Some('?')) {
        let topic = if first.is("that") { &rest[1..] } else { rest };
        let about_us = topic.first().is_none_or(|word| is_any(&word.text, NOT_FACTS));
        return (!about_us).then_some(Wish::Tell(topic));
    }
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    match texts.as_slice() {
        ["this" | "that" | "something"] | ["something", "for", "me"] => {
            return Some(Wish::KeepWhat);
        }
        ["that", "time" | "day" | "one", ..] => return None,
        ["that" | "this", _, ..] if first.is("that") || heard[first.end..].starts_with(':') => {
            return Some(Wish::Keep(&rest[1..]));
        }
        _ => {}
    }
    let lead_end = request[request.len() - rest.len() - 1].end;
    if heard[lead_end..first.start].contains(':') {
        return Some(Wish::Keep(rest));
    }
    let says = rest.len() > 2
        && !is_any(&first.text, NOT_FACTS)
        && (texts[1..].iter().any(|text| is_any(text, VERBS)) || has_number(rest));
    says.then_some(Wish::Keep(rest))
}

/// "What's my locker number" asks for what was told to us, where it is nothing
/// else. Said as one would ask for that.
pub fn asked_plainly(heard: &str, said: &[Word]) -> Option<String> {
    const LONGEST: usize = 8;
    let request = sentence::bare(said);
    let leads: [&[&str]; 4] =
        [&["what", "is"], &["what", "was"], &["where", "is"], &["what", "are"]];
    let about = leads.iter().find_map(|lead| behind(request, lead))?;
    let mine = about.first().is_some_and(|first| first.is("my") || first.is("our"));
    let plain = !said.iter().any(|word| word.quoted) && request.len() <= LONGEST;
    let (first, last) = (about.first()?, about.last()?);
    (mine && plain && about.len() > 1)
        .then(|| format!("what do you know about {}", &heard[first.start..last.end]))
}

fn has_number(words: &[Word]) -> bool {
    words.iter().any(|word| word.text.chars().filter(char::is_ascii_digit).count() > 1)
}

fn tells(request: &[Word]) -> Option<&[Word]> {
    let bare = sentence::bare(request);
    if TELLS_ALL.iter().any(|all| says(bare, all)) {
        return Some(&[]);
    }
    let topic = TELLS.iter().find_map(|lead| behind(request, lead))?;
    match sentence::bare(topic) {
        // "Me" and "myself": whatever there is.
        [me] if me.is("me") || me.is("myself") => Some(&[]),
        [first, ..] if is_any(&first.text, &["to", "me", "us", "you", "that", "it", "this"]) => {
            (topic.len() > 1 && first.is("that")).then_some(&topic[1..])
        }
        _ => Some(topic),
    }
}

fn forgets(request: &[Word]) -> Option<Target<'_>> {
    let bare = sentence::bare(request);
    if FORGETS_THAT.iter().any(|that| says(bare, that)) {
        return Some(Target::That);
    }
    if FORGETS_ALL.iter().any(|all| says(bare, all)) {
        return Some(Target::All(&[]));
    }
    let all = FORGETS_ALL_ABOUT.iter().find_map(|lead| behind(bare, lead));
    if let Some(topic) = all {
        let mine = matches!(topic, [me] if me.is("me") || me.is("myself"));
        return Some(Target::All(if mine { &[] } else { topic }));
    }
    let mut leads: Vec<_> = FORGETS.iter().filter_map(|lead| behind(bare, lead)).collect();
    leads.sort_by_key(|rest| rest.len());
    let topic = *leads.first()?;
    match topic {
        [id] if is_id(&id.text) => Some(Target::Id(&id.text)),
        [first, ..]
            if is_any(&first.text, &["to", "it", "me", "you", "us", "this", "i", "what"]) =>
        {
            let said = bare[bare.len() - topic.len() - 1].is("that");
            (said && first.is("i")).then_some(Target::About(topic))
        }
        _ => Some(Target::About(topic)),
    }
}

/// As the store names them, and as a question that was answered spells them.
fn is_id(text: &str) -> bool {
    text.strip_prefix("memory_").is_some_and(|digits| !digits.is_empty())
}

fn keep_what() -> Meaning {
    let awaited = Awaited {
        what: Missing::Memory,
        before: "remember".to_owned(),
        after: String::new(),
        day: None,
        instead_of: None,
    };
    Meaning::Want(Want { question: "What should I remember?".to_owned(), awaited })
}

/// The mail that was just read out. Its words are somebody else's, and stay so.
fn keep_letter(world: &World) -> Option<Meaning> {
    let (letter, text) = (world.focus.opened.as_ref()?, world.focus.opened_text.as_ref()?);
    let (words, cut) = first_words(&card::words_of(text), LETTER);
    let memory = if cut { format!("{words}…") } else { words };
    if memory.is_empty() {
        return None;
    }
    let derived_from = format!("a mail from {}", letter.from.called());
    let args = json!({ "memory": memory, "derived_from": derived_from });
    Some(Meaning::Look(vec![Lookup {
        steps: vec![step("memory.write", args)],
        gist: Gist::Remember { what: memory },
        acknowledgement: "Writing it out for you.".to_owned(),
    }]))
}

fn pause(paused: bool) -> Meaning {
    Meaning::Look(vec![Lookup {
        steps: vec![step("memory.pause", json!({ "paused": paused }))],
        gist: Gist::Pause,
        acknowledgement: if paused { "Sure." } else { "Good." }.to_owned(),
    }])
}

/// Something worth keeping that was said in passing. It is offered once, on a
/// card; what is known already, and what was offered before, is not.
pub fn in_passing(heard: &str, words: &[Word], world: &World) -> Option<Understanding> {
    let fact = passing::fact(words)?;
    let memory = statement(heard, fact);
    let suggested = world.focus.suggested.iter().find(|one| one.memory == memory);
    let meaning = match suggested {
        None => {
            let args = json!({ "candidate_memory": memory });
            let lookup = Lookup {
                steps: vec![step("memory.suggest_write", args)],
                gist: Gist::Offer,
                acknowledgement: "Good to know.".to_owned(),
            };
            Meaning::Later { lookups: vec![lookup], missing: "memory" }
        }
        Some(known) if known.known_already => Meaning::Chat(Chat::KnownAlready),
        // It was acknowledged, and that is all.
        Some(seen) if seen.offered_before || seen.paused => Meaning::Chat(Chat::Noted),
        Some(_) => Meaning::Look(vec![Lookup {
            steps: vec![step("memory.write", json!({ "memory": memory }))],
            gist: Gist::Remember { what: memory },
            acknowledgement: String::new(),
        }]),
    };
    let span = words[0].start..words[words.len() - 1].end;
    Some(super::together(vec![super::Part { span, meaning }], heard))
}

fn keep(heard: &str, fact: &[Word], company: &Company<'_>) -> Meaning {
    let what = match about_whom(fact).map(|pronoun| company.of(pronoun, &[])) {
        None => statement(heard, fact),
        Some(Referent::One(whom)) if is_whose(fact) => {
            format!("{}'s {}", whom.name(), raw(heard, &fact[1..]))
        }
        Some(Referent::One(whom)) => format!("{} {}", whom.name(), raw(heard, &fact[1..])),
        // By the time it is recalled nobody knows any more who "he" was.
        Some(open) => return company.open(open, &fact[0]),
    };
    let args = json!({ "memory": what });
    Meaning::Look(vec![Lookup {
        steps: vec![step("memory.write", args)],
        gist: Gist::Remember { what },
        acknowledgement: "Writing it out for you.".to_owned(),
    }])
}

/// "His spare key", "her birthday".
fn is_whose(fact: &[Word]) -> bool {
    fact.first().is_some_and(|first| is_any(&first.text, &["his", "her"]))
}

/// "He is allergic": as the one it is about is pointed at.
fn about_whom(fact: &[Word]) -> Option<&'static str> {
    let [first, second, ..] = fact else { return None };
    // "He's" cannot give way to a name without its verb.
    let apart = second.start > first.start;
    match first.text.as_str() {
        "he" if apart => Some("him"),
        "she" if apart => Some("her"),
        "his" => Some("him"),
        "her" => Some("her"),
        _ => None,
    }
}

/// The person's own words, as one writes them down.
fn statement(heard: &str, words: &[Word]) -> String {
    let raw = raw(heard, words);
    let raw = raw.trim_end_matches(['.', ',', ';', ' ']);
    let all_quoted = words.iter().all(|word| word.quoted);
    let raw = if all_quoted { raw.trim_matches(['"', '“', '”', '«', '»']) } else { raw };
    phrasing::capital(&phrasing::spelled(raw))
}

/// From the first word to the last, with the marks that close around the last.
fn raw<'a>(heard: &'a str, words: &[Word]) -> &'a str {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return "" };
    let opens =
        heard[..first.start].chars().next_back().filter(|c| matches!(c, '"' | '“' | '(' | '«'));
    let start = first.start - opens.map_or(0, char::len_utf8);
    let closing = heard[last.end..]
        .chars()
        .take_while(|c| matches!(c, '"' | '”' | ')' | '»' | '%' | '€' | '!'));
    heard[start..last.end + closing.map(char::len_utf8).sum::<usize>()].trim()
}

/// "Please" and "thanks" at the end are not part of what is to be kept.
fn without_thanks(words: &[Word]) -> &[Word] {
    let polite: &[&[&str]] = &[&["please"], &["thanks"], &["thank", "you"], &["ok"], &["okay"]];
    let mut words = words;
    while let Some(front) = polite.iter().find_map(|tail| {
        let (front, rest) = words.split_at_checked(words.len().checked_sub(tail.len())?)?;
        let apart = front.last().is_some_and(|last| last.stop.is_some());
        let said = says(rest, tail) && (apart || !rest[0].text.starts_with('o'));
        (said && front.len() > 2).then_some(front)
    }) {
        words = front;
    }
    words
}

fn tell(heard: &str, topic: &[Word]) -> Meaning {
    let (context, about) = spoken_of(heard, topic);
    let about = AboutMemories { about, all: topic.is_empty() };
    Meaning::Look(vec![Lookup {
        steps: vec![step("memory.retrieve", json!({ "context": context }))],
        gist: Gist::Memories(about),
        acknowledgement: "Let me think back.".to_owned(),
    }])
}

/// What to look for, and what to call it: "flight", "your flight". A whole
/// clause is looked for, but not named.
fn spoken_of(heard: &str, topic: &[Word]) -> (String, Option<String>) {
    let asks = ["what", "when", "where", "who", "how", "which", "why", "if", "whether", "that"];
    let clause = topic.iter().any(|word| is_any(&word.text, VERBS) || is_any(&word.text, &asks));
    let articles = topic.iter().take_while(|word| is_any(&word.text, ARTICLES)).count();
    let core = if articles < topic.len() { &topic[articles..] } else { topic };
    let context = raw(heard, core).trim_end_matches(['.', '!', ',']).to_owned();
    let named = raw(heard, topic).trim_end_matches(['.', '!', ',']);
    let about = match topic.first() {
        None => None,
        Some(_) if clause || topic.len() > 6 => None,
        Some(first) if first.is("my") || first.is("our") => Some(format!("your {context}")),
        Some(_) => Some(named.to_owned()),
    };
    (context, about)
}

/// A card for the one that is meant, a question where several could be.
fn forget(heard: &str, request: &[Word], target: Target<'_>, world: &World) -> Meaning {
    let focus = &world.focus;
    let (context, about) = match target {
        Target::Id(id) => return letting_go(id),
        Target::All(topic) => return forget_all(heard, topic, world),
        Target::That if !focus.memories.is_empty() => {
            return which(heard, request, &focus.memories, None);
        }
        Target::That => match focus.noted.clone() {
            Some(noted) => (noted, None),
            None => return Meaning::Chat(Chat::NeverMind),
        },
        Target::About(topic) => spoken_of(heard, topic),
    };
    let args = json!({ "context": context, "max_results": MOST_CHOICES });
    if let Some(recalled) = focus.recalled.iter().find(|one| one.args == args) {
        let found = &recalled.found;
        // What has only some of the words is not what was named.
        let named = if found.loosely { &[][..] } else { found.asked_for() };
        return which(heard, request, named, about);
    }
    think_back(args)
}

fn think_back(args: Value) -> Meaning {
    let lookup = Lookup {
        steps: vec![step("memory.retrieve", args)],
        gist: Gist::Recall,
        acknowledgement: "Let me think back.".to_owned(),
    };
    Meaning::Later { lookups: vec![lookup], missing: "memory_id" }
}

/// One card for everything that these words are about, and nothing besides.
fn forget_all(heard: &str, topic: &[Word], world: &World) -> Meaning {
    let (context, about) = spoken_of(heard, topic);
    let mut found = None;
    for most in [MOST_CHOICES, MOST_AT_ONCE] {
        let args = json!({ "context": context, "max_results": most });
        let recalled = world.focus.recalled.iter().find(|one| one.args == args);
        let Some(recalled) = recalled else { return think_back(args) };
        found = Some(&recalled.found);
        if recalled.found.worded as usize <= recalled.found.memories.len() {
            break;
        }
    }
    match found.map_or(&[][..], Memories::worded) {
        [] => Meaning::Chat(Chat::NothingKept(about)),
        [first, others @ ..] => {
            let also: Vec<&str> = others.iter().map(|one| one.memory_id.as_str()).collect();
            let mut args = json!({ "memory_id": first.memory_id });
            if !also.is_empty() {
                args["also"] = json!(also);
            }
            let more = found.is_some_and(|found| found.worded as usize > also.len() + 1);
            let told = if more { "One card holds fifty of them." } else { "Found it." };
            Meaning::Look(vec![Lookup {
                steps: vec![step("memory.forget", args)],
                gist: Gist::Forget,
                acknowledgement: told.to_owned(),
            }])
        }
    }
}

fn which(heard: &str, request: &[Word], found: &[Memory], about: Option<String>) -> Meaning {
    match found {
        [] => Meaning::Chat(Chat::NothingKept(about)),
        [one] => letting_go(&one.memory_id),
        several => {
            let choice = |memory: &Memory| {
                let (words, cut) = first_words(&memory.text, SHORT);
                let name = words.trim_end_matches(['.', ',', ';']).to_owned();
                let name = if cut { format!("{name}…") } else { name };
                (name, format!("forget {}", memory.memory_id))
            };
            let end = request.last().map_or(heard.len(), |last| last.end);
            Meaning::Ask(Question {
                about: Unclear::Memory,
                lead: Some("Which one:".to_owned()),
                span: request[0].start..end,
                choices: several.iter().take(MOST_CHOICES).map(choice).collect(),
            })
        }
    }
}

fn letting_go(id: &str) -> Meaning {
    Meaning::Look(vec![Lookup {
        steps: vec![step("memory.forget", json!({ "memory_id": id }))],
        gist: Gist::Forget,
        acknowledgement: "Found it.".to_owned(),
    }])
}

fn step(tool: &str, args: Value) -> ProposedStep {
    ProposedStep { tool: tool.to_owned(), args }
}

fn says(words: &[Word], texts: &[&str]) -> bool {
    words.len() == texts.len()
        && words.iter().zip(texts).all(|(word, text)| word.is(text) && !word.quoted)
}
