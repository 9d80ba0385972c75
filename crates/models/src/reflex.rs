//! Rules that read a sentence in microseconds, without a model and offline.
//!
//! [`read`] takes a sentence apart into clauses and each clause into a
//! `Frame`; one file a kind of request knows what to make of it. They
//! decide only on one unambiguous reading: two people of one name are a
//! question, and what is not understood is said to be so.

mod agenda;
mod answer;
mod awaited;
mod booking;
mod chat;
mod compose;
pub mod consent;
mod contacts;
mod detail;
pub mod fate;
mod follow;
mod frame;
mod free;
mod mail;
mod manners;
mod memory;
mod own_calendar;
mod paper;
mod phrasing;
mod pointing;
mod propose;
mod refer;
mod repair;
pub mod reply;
mod same;
mod sentence;
mod slips;
mod talk;
mod twice;
mod vocabulary;
mod wall;
mod when;
mod which;
mod who;
mod whom;
mod writes;

use std::ops::Range;

use async_trait::async_trait;
use brain::plan::{self, Proposal, ProposedStep};
use brain::resolve::time::{self, Impossible, Lean};
use brain::resolve::words::Word;
use serde_json::json;

use self::frame::Frame;
use self::refer::Company;
use self::writes::Kind;
use crate::focus::{Awaited, Choice, Missing, Unclear};
use crate::gist::{Chat, Folder, Gist, Wall};
use crate::{Done, Mind, Understanding, World, narrator};

/// A mind of rules and templates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reflex;

#[async_trait]
impl Mind for Reflex {
    async fn understand(&self, heard: &str, world: &World) -> Understanding {
        read(heard, world)
    }

    async fn tell(&self, understanding: &Understanding, done: &[Done], world: &World) -> String {
        narrator::tell(understanding, done, world)
    }
}

/// What one clause means.
#[derive(Clone, Debug)]
enum Meaning {
    Look(Vec<Lookup>),
    /// It can only be read once these were looked up, or what the sentence asks
    /// for before it; `missing` is what they will tell.
    Later {
        lookups: Vec<Lookup>,
        missing: &'static str,
    },
    Ask(Question),
    Choose {
        question: String,
        choices: Vec<Choice>,
        awaited: Option<Awaited>,
    },
    Want(Want),
    /// A time that cannot be, and the request that waits for a better one.
    Cannot {
        what: Impossible,
        awaited: Awaited,
    },
    Chat(Chat),
}

/// A part of a sentence, in bytes of it, and what it means.
struct Part {
    span: Range<usize>,
    meaning: Meaning,
}

/// A write that lacks something, and the question for it.
#[derive(Clone, Debug)]
struct Want {
    question: String,
    awaited: Awaited,
}

/// So many are named in a question.
const TOLD: usize = 3;

/// What has to be asked first.
#[derive(Clone, Debug)]
struct Question {
    about: Unclear,
    /// What is asked, where the choices alone do not tell: "Who is “him”".
    lead: Option<String>,
    /// The words with more than one reading, in bytes of the sentence.
    span: Range<usize>,
    /// What each reading is called, and what would have been clear.
    choices: Vec<(String, String)>,
}

/// Something to look up, and how to speak of it.
#[derive(Clone, Debug)]
struct Lookup {
    steps: Vec<ProposedStep>,
    gist: Gist,
    acknowledgement: String,
}

/// Nobody changes their mind more often within one sentence.
const MOST_REWRITES: usize = 5;

/// One reading of a sentence.
pub fn read(heard: &str, world: &World) -> Understanding {
    let mut understood = read_again(heard, world, MOST_REWRITES);
    which::add_details(&mut understood.choices, world);
    understood
}

/// The same; the sentence may be put together again so many times.
fn read_again(heard: &str, world: &World, rewrites: usize) -> Understanding {
    if sentence::is_pasted(heard) || is_letter_to_me(heard, world) {
        // "Reply to Tom:" before it makes it the mail.
        return match compose::dictated(heard, world) {
            Some(meaning) => together(vec![Part { span: 0..heard.len(), meaning }], heard),
            None => told(Chat::Pasted),
        };
    }
    if let Some(search) = mail::typed(heard) {
        return together(vec![Part { span: 0..heard.len(), meaning: search }], heard);
    }
    if let Some(asked) = paper::read(heard, world) {
        return asked;
    }
    let mut words = slips::heard(heard, &world.contacts);
    who::form_is_from(&mut words, &world.contacts);
    let meant = repair::repaired(heard, &words, world)
        .or_else(|| same::named(heard, &words, world))
        .or_else(|| twice::spelled_out(heard, &words, world))
        .or_else(|| manners::said_plainly(heard, &words, world))
        .or_else(|| booking::unspoken(heard, &words, world))
        .or_else(|| booking::time_first(heard, &words, world))
        .or_else(|| booking::restated(heard, &words))
        .or_else(|| agenda::unfinished(&words));
    if let Some(meant) = meant.filter(|_| rewrites > 0) {
        return read_again(&meant, world, rewrites - 1);
    }
    if let Some(question) = same::open(heard, &words, world) {
        return question.asked();
    }
    let offered = manners::offered_as_mail(heard, &words, world)
        .or_else(|| booking::offered(heard, &words, world));
    if let Some(offered) = offered {
        return offered;
    }
    if let Some(answered) = answer::read(&words, world) {
        return answered;
    }
    if let Some(completed) = awaited::read(heard, &words, world) {
        return completed;
    }
    if let Some(chat) = chat::read(&words) {
        // A yes to "shall I read on?" is the only one that waits for anything here.
        let offered = world.focus.offered_the_rest || world.focus.page_goes_on;
        if matches!(chat, Chat::Yes | Chat::Okay) && offered {
            return read("read on", world);
        }
        return told(chat);
    }
    if let Some(followed) = follow::read(heard, &words, world) {
        return followed;
    }
    let understood = together(parts(heard, &words, world), heard);
    if understood.gist == Gist::Chat(Chat::Lost)
        && let Some(again) = answer::again(world)
    {
        return again;
    }
    // Whatever else it may be, the file that was just spoken of may say it.
    if understood.gist == Gist::Chat(Chat::Lost)
        && let Some(sought) = paper::sought(heard, world)
    {
        return sought;
    }
    // "What's my locker number": nobody else would know it.
    if understood.gist == Gist::Chat(Chat::Lost)
        && let Some(meant) = memory::asked_plainly(heard, &words)
    {
        return read(&meant, world);
    }
    understood
}

/// Somebody else's words, by their looks.
pub fn is_pasted(text: &str) -> bool {
    sentence::is_pasted(text)
}

/// Is this what an open question was asked for?
pub fn answers(heard: &str, world: &World) -> bool {
    let mut words = slips::heard(heard, &world.contacts);
    who::form_is_from(&mut words, &world.contacts);
    answer::read(&words, world).is_some() || awaited::read(heard, &words, world).is_some()
}

/// Look-ups clause by clause; what is to be written runs on to its end.
fn parts(heard: &str, words: &[Word], world: &World) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    let mut written: &[Word] = &[];
    let mut company = Company::new(heard, world);
    for part in writes::parts(words, heard, world) {
        let request = sentence::bare(part.words);
        let start = part.words[0].start;
        company.before = &words[..words.partition_point(|word| word.start < start)];
        if part.kind != Kind::Rest && sentence::is_condition(sentence::latest(company.before)) {
            // Nobody watches whether it comes true, so nobody acts on it.
            let meaning = Meaning::Chat(Chat::Hangs);
            found.push(Part { span: start..part.words[part.words.len() - 1].end, meaning });
            continue;
        }
        let write = match part.kind {
            _ if talk::is_about_writing(part.words) => None,
            Kind::Mail => {
                written = part.words;
                // "Three more, please": the end of a mail is the mail's own.
                let request = sentence::without_lead(part.words);
                compose::read(heard, request, &mut company, world)
            }
            Kind::Event => booking::read(heard, request, written, &mut company, world),
            Kind::Memory => memory::read(heard, part.words, &company),
            Kind::Rest => None,
        };
        let span = |words: &[Word]| start.min(words[0].start)..words[words.len() - 1].end;
        if let Some(meaning) = write {
            found.push(Part { span: span(part.words), meaning });
            continue;
        }
        for clause in clauses(part.words, world) {
            let meaning = meaning(&clause, heard, world);
            company.mail_to_come |= looks_for_mail(&meaning);
            found.push(Part { span: clause[0].start..clause[clause.len() - 1].end, meaning });
        }
    }
    found
}

/// Does it look through what others wrote?
fn looks_for_mail(meaning: &Meaning) -> bool {
    let Meaning::Look(lookups) = meaning else { return false };
    lookups.iter().any(|lookup| match &lookup.gist {
        Gist::Letters(about) => about.folder == Folder::Received,
        Gist::Letter { .. } => true,
        _ => false,
    })
}

/// "Hi Maya, can we meet": a letter to the person, not a request of theirs.
fn is_letter_to_me(heard: &str, world: &World) -> bool {
    let Some(name) = world.profile.name.as_deref().and_then(|name| name.split(' ').next()) else {
        return false;
    };
    let mut start = heard.split_whitespace().map(|word| word.trim_matches([',', '!', ':', '.']));
    let greets = start.next().is_some_and(|word| {
        matches!(word.to_lowercase().as_str(), "hi" | "hello" | "hey" | "dear" | "hej")
    });
    let named = start.next().is_some_and(|word| word.eq_ignore_ascii_case(name));
    greets && named && start.next().is_some()
}

fn told(chat: Chat) -> Understanding {
    Understanding::of(Gist::Chat(chat))
}

/// Segments that belong together are one clause; a segment that only says
/// when asks the same again for another time.
fn clauses(words: &[Word], world: &World) -> Vec<Vec<Word>> {
    let now = world.local_now();
    let found = time::find(words, &now, Lean::Ahead);
    let mut held = found.map_or(Vec::new(), |when| when.words);
    if let [first, .., last] = time::apart(words, &now).as_slice() {
        held.extend(first.start..last.end);
    }
    let mut clauses: Vec<Vec<Word>> = Vec::new();
    for segment in sentence::segments(words, &held) {
        let Some(last) = clauses.last() else {
            clauses.push(segment.words.to_vec());
            continue;
        };
        let when = time::find(segment.words, &now, Lean::Ahead);
        let only_time = when.is_some_and(|when| when.words.len() == segment.words.len());
        let before = time::find(last, &now, Lean::Ahead).map_or(Vec::new(), |when| when.words);
        if only_time && !before.is_empty() {
            let same = last.iter().enumerate().filter(|(at, _)| !before.contains(at));
            let again = same.map(|(_, word)| word).chain(segment.words).cloned().collect();
            clauses.push(again);
        } else if segment.opens || segment.apart || chat::read(last).is_some() {
            clauses.push(segment.words.to_vec());
        } else {
            let start = segment.words[0].start;
            let link = words.iter().rfind(|word| word.start < start).cloned();
            let last = clauses.last_mut().expect("it was there a moment ago");
            last.extend(link.filter(|word| word.is("and")));
            last.extend_from_slice(segment.words);
        }
    }
    clauses.into_iter().flat_map(|clause| time::spread(clause, &now)).collect()
}

fn meaning(clause: &[Word], heard: &str, world: &World) -> Meaning {
    if let Some(chat) = chat::read(clause) {
        return Meaning::Chat(chat);
    }
    if let Some(chat) = talk::read(sentence::without_greeting(clause), heard, world) {
        return Meaning::Chat(chat);
    }
    if sentence::is_condition(clause) && writes::is_within(clause, heard, world) {
        return Meaning::Chat(Chat::Hangs);
    }
    let request = sentence::bare(clause);
    if let Some(chat) = chat::read(request) {
        return Meaning::Chat(chat);
    }
    if let Some(chat) = manners::asks_for_an_answer(request, heard, world) {
        return Meaning::Chat(chat);
    }
    if matches!(request, [first, ..] if vocabulary::is_any(&first.text, &["text", "sms"]))
        && writes::read(request).is_some()
    {
        return Meaning::Chat(Chat::OutOfReach("send texts"));
    }
    let mut frame = Frame::new(request, world);
    if let Some(contact) = contacts::read(&frame) {
        return Meaning::Chat(contact);
    }
    if let Some(change) = writes::read(request) {
        return Meaning::Chat(Chat::NotYet(change));
    }
    let refused = [&["do", "not"][..], &["no", "do", "not"], &["never"]];
    if refused.iter().any(|lead| frame.starts(lead)) {
        return Meaning::Chat(Chat::Okay);
    }
    if let Some(chat) = wall::read(&frame) {
        return Meaning::Chat(chat);
    }
    if let Some(meaning) = pointing::read(&frame) {
        return meaning;
    }
    let ours =
        frame.has(&["from"]) || frame.has(vocabulary::MAIL) || frame.has(vocabulary::CALENDAR);
    if !ours && let Some(what) = chat::out_of_reach(request) {
        return Meaning::Chat(Chat::OutOfReach(what));
    }
    let untouched = frame.clone();
    mail::read(&mut frame)
        .or_else(|| free::read(&mut untouched.clone()))
        .or_else(|| agenda::read(&mut untouched.clone()))
        .unwrap_or_else(|| Meaning::Chat(contacts::unknown(&untouched).unwrap_or(Chat::Lost)))
}

/// Where the part of a sentence begins that has to wait, if any has to: with it
/// waits every write, so that a question comes before the first card.
fn rest_of(parts: &[Part]) -> Option<usize> {
    let waits = |part: &&Part| matches!(part.meaning, Meaning::Later { .. });
    let first = parts.iter().find(waits)?.span.start;
    let writes = |part: &&Part| match &part.meaning {
        Meaning::Look(lookups) => lookups.iter().any(|lookup| lookup.gist.writes()),
        _ => false,
    };
    let write = parts.iter().find(writes).map_or(first, |part| part.span.start);
    // What it waits for may stand between the two, and is looked up now.
    let looks = |part: &Part| matches!(part.meaning, Meaning::Look(_)) && !writes(&part);
    let between = parts.iter().any(|part| (write..first).contains(&part.span.start) && looks(part));
    Some(if between { first } else { first.min(write) })
}

/// One understanding of all parts. A question comes before anything is done;
/// what can only be read later is left for then, with all that stands behind it.
fn together(parts: Vec<Part>, heard: &str) -> Understanding {
    let mut lookups = Vec::new();
    let mut chats = Vec::new();
    let mut missing_fields: Vec<String> = Vec::new();
    let rest = rest_of(&parts);
    for Part { span, meaning } in parts {
        match meaning {
            Meaning::Later { lookups: first, missing } => {
                lookups.extend(first);
                if !missing_fields.iter().any(|field| field == missing) {
                    missing_fields.push(missing.to_owned());
                }
            }
            _ if rest.is_some_and(|start| span.start >= start) => {}
            Meaning::Ask(question) => return question.asked(heard),
            Meaning::Want(want) => return want.asked(),
            Meaning::Cannot { what, awaited } => {
                let awaited = Some(awaited);
                return Understanding { awaited, ..told(Chat::Wall(Wall::NoSuch(what))) };
            }
            Meaning::Choose { question, choices, awaited } => {
                return Understanding { awaited, ..asked(question, choices) };
            }
            Meaning::Look(more) => lookups.extend(more),
            Meaning::Chat(chat) => chats.push((span, chat)),
        }
    }
    if lookups.is_empty() {
        // "Hello, send Tom the notes" is answered for the notes.
        let weight = |(_, chat): &(Range<usize>, Chat)| match chat {
            Chat::NotYet(_) | Chat::OutOfReach(_) | Chat::Hangs => 3,
            Chat::Told => 0,
            Chat::Hello | Chat::Lost | Chat::Okay => 1,
            _ => 2,
        };
        let heaviest = chats.into_iter().rev().max_by_key(weight);
        return told(heaviest.map_or(Chat::Lost, |(_, chat)| chat));
    }
    let acknowledgement = Some(acknowledge(&lookups));
    // What was not understood is said, also beside an answer.
    let missed = chats.into_iter().filter_map(|(span, chat)| match chat {
        Chat::Lost => Some(Chat::Missed(format!("“{}”", heard[span].trim()))),
        Chat::NotYet(_)
        | Chat::Missed(_)
        | Chat::OutOfReach(_)
        | Chat::NothingToPointAt
        | Chat::Hangs
        | Chat::NoAnswer(_)
        | Chat::AboutFile(_)
        | Chat::NothingKept(_) => Some(chat),
        _ => None,
    });
    let mut gists: Vec<_> = Vec::new();
    let mut steps = Vec::new();
    for lookup in lookups {
        let offset = steps.len();
        steps.extend(lookup.steps.into_iter().map(|step| shifted(step, offset)));
        gists.push(lookup.gist);
    }
    gists.extend(missed.map(Gist::Chat));
    let gist = if gists.len() == 1 { gists.remove(0) } else { Gist::Several(gists) };
    let proposal = Proposal { steps, missing_fields, ..Proposal::default() };
    let (request, rest) = (Some(heard.to_owned()), rest.map(|start| heard[start..].to_owned()));
    Understanding { proposal, acknowledgement, request, rest, ..Understanding::of(gist) }
}

/// All of them one after another, for "both".
fn merged(all: Vec<Understanding>) -> Understanding {
    let mut steps = Vec::new();
    let mut gists = Vec::new();
    let (mut acknowledgement, mut request) = (None, None);
    for one in all {
        let offset = steps.len();
        steps.extend(one.proposal.steps.into_iter().map(|step| shifted(step, offset)));
        gists.push(one.gist);
        acknowledgement = acknowledgement.or(one.acknowledgement);
        request = one.request;
    }
    let proposal = Proposal { steps, ..Proposal::default() };
    Understanding { proposal, acknowledgement, request, ..Understanding::of(Gist::Several(gists)) }
}

impl Want {
    fn asked(self) -> Understanding {
        let field = match self.awaited.what {
            Missing::Words => "body",
            Missing::Address => "recipient_email",
            Missing::Time => "start",
            Missing::Title => "title",
            Missing::Memory => "memory",
        };
        let missing_fields = vec![field.to_owned()];
        Understanding {
            proposal: Proposal { missing_fields, ..Proposal::default() },
            question: Some(self.question),
            awaited: Some(self.awaited),
            ..Understanding::of(Gist::Question)
        }
    }
}

impl Question {
    /// A question, and beside it what each answer would have meant.
    fn asked(&self, heard: &str) -> Understanding {
        let labels: Vec<_> = self.choices.iter().map(|(label, _)| label.as_str()).collect();
        let listed = match labels.as_slice() {
            [others @ .., last] if labels.len() <= TOLD => {
                format!("{} or {last}?", others.join(", "))
            }
            // The rest of them stand on the card.
            [first, second, ..] => {
                format!("{first}, {second} or one of {} more?", labels.len() - 2)
            }
            _ => String::new(),
        };
        let text = match &self.lead {
            Some(lead) => format!("{lead}: {listed}"),
            None => listed,
        };
        let meant = |(label, clear): &(String, String)| {
            let (before, unclear) = (&heard[..self.span.start], &heard[self.span.clone()]);
            let owns = if unclear.ends_with("'s") || unclear.ends_with("’s") { "'s" } else { "" };
            let sentence = format!("{before}{clear}{owns}{}", &heard[self.span.end..]);
            Choice::new(self.about, label, sentence)
        };
        asked(text, self.choices.iter().map(meant).collect())
    }
}

fn asked(question: String, choices: Vec<Choice>) -> Understanding {
    let mut ambiguity = serde_json::Map::new();
    let names: Vec<&str> = choices.iter().map(|choice| choice.name.as_str()).collect();
    if let Some(first) = choices.first() {
        ambiguity.insert(first.about.name().to_owned(), json!(names));
    }
    Understanding {
        proposal: Proposal { ambiguity, ..Proposal::default() },
        question: Some(question),
        choices,
        ..Understanding::of(Gist::Question)
    }
}

/// At most eight words.
fn acknowledge(lookups: &[Lookup]) -> String {
    let is_mail = |lookup: &Lookup| lookup.steps.iter().all(|step| step.tool.starts_with("gmail"));
    let is_memory = |lookup: &Lookup| lookup.steps.iter().any(|it| it.tool.starts_with("memory"));
    let write = lookups.iter().find(|lookup| lookup.gist.writes());
    let text = match lookups {
        [one] => one.acknowledgement.clone(),
        _ if write.is_some() => {
            write.map_or_else(String::new, |write| write.acknowledgement.clone())
        }
        several if several.iter().any(is_memory) => "Let me look.".to_owned(),
        several if several.iter().all(is_mail) => "Looking through your mail.".to_owned(),
        several if several.iter().any(is_mail) => "Checking your mail and calendar.".to_owned(),
        _ => "Checking your calendar.".to_owned(),
    };
    if text.split_whitespace().count() <= 8 {
        return text;
    }
    if write.is_some() || lookups.iter().any(is_memory) {
        return "On it.".to_owned();
    }
    let mail = lookups.iter().all(is_mail);
    if mail { "Looking through your mail." } else { "Checking your calendar." }.to_owned()
}

/// A step that takes from the steps of its own request takes from later ones here.
fn shifted(mut step: ProposedStep, offset: usize) -> ProposedStep {
    plan::shift(&mut step.args, offset);
    step
}

#[cfg(test)]
#[path = "reflex_tests.rs"]
mod tests;
