//! What is to be remembered, recalled and forgotten.
//!
//! Only what the person says to us becomes a memory, in their own words, and
//! only after they have seen it. "Remember to call Tom" wants a reminder and is
//! none of this.

mod phrases;

use brain::facts::Memory;
use brain::plan::ProposedStep;
use brain::resolve::words::Word;
use serde_json::{Value, json};

use self::phrases::{
    ARTICLES, FORGETS, FORGETS_ALL, FORGETS_THAT, KEEPS, NOT_FACTS, TELLS, TELLS_ALL, VERBS,
};
use super::refer::{Company, Referent};
use super::vocabulary::is_any;
use super::{Lookup, Meaning, Question, Want, phrasing, sentence};
use crate::World;
use crate::focus::{Awaited, Missing, Unclear};
use crate::gist::{AboutMemories, Chat, Gist};
use crate::narrator::spelling::first_words;

/// As many as have a key of their own.
const MOST_CHOICES: usize = 9;
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
}

/// What is to be forgotten.
#[derive(Clone, Copy, Debug)]
enum Target<'a> {
    /// What these words are about; anything, where there are none.
    About(&'a [Word]),
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
        Wish::KeepWhat => {
            let awaited = Awaited {
                what: Missing::Memory,
                before: "remember".to_owned(),
                after: String::new(),
                day: None,
                instead_of: None,
            };
            let question = "What should I remember?".to_owned();
            Some(Meaning::Want(Want { question, awaited }))
        }
        Wish::Tell(topic) => Some(tell(heard, sentence::bare(topic))),
        Wish::Forget(target) => Some(forget(heard, request, target, company.world)),
    }
}

fn wish<'a>(request: &'a [Word], heard: &str) -> Option<Wish<'a>> {
    forgets(request)
        .map(Wish::Forget)
        .or_else(|| tells(request).map(Wish::Tell))
        .or_else(|| keeps(request, heard))
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
        return Some(Target::About(&[]));
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

fn keep(heard: &str, fact: &[Word], company: &Company<'_>) -> Meaning {
    let what = match about_whom(fact).map(|pronoun| company.of(pronoun, &[])) {
        None => statement(heard, fact),
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

/// "He is allergic": as the one it is about is pointed at.
fn about_whom(fact: &[Word]) -> Option<&'static str> {
    let [first, second, ..] = fact else { return None };
    // "He's" cannot give way to a name without its verb.
    let apart = second.start > first.start;
    match first.text.as_str() {
        "he" if apart => Some("him"),
        "she" if apart => Some("her"),
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
        let named = if found.loosely { &[][..] } else { &found.memories };
        return which(heard, request, named, about);
    }
    let lookup = Lookup {
        steps: vec![step("memory.retrieve", args)],
        gist: Gist::Recall,
        acknowledgement: "Let me think back.".to_owned(),
    };
    Meaning::Later { lookups: vec![lookup], missing: "memory_id" }
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
                lead: Some("Which one".to_owned()),
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

fn behind<'a>(words: &'a [Word], lead: &[&str]) -> Option<&'a [Word]> {
    let (front, rest) = words.split_at_checked(lead.len())?;
    (!rest.is_empty() && says(front, lead)).then_some(rest)
}

fn says(words: &[Word], texts: &[&str]) -> bool {
    words.len() == texts.len()
        && words.iter().zip(texts).all(|(word, text)| word.is(text) && !word.quoted)
}
