//! Rules that read a sentence in microseconds, without a model and offline.
//!
//! [`read`] takes a sentence apart into clauses and each clause into a
//! `Frame`; one file a kind of request knows what to make of it. They
//! decide only on one unambiguous reading: two people of one name are a
//! question, and what is not understood is said to be so.

pub mod again;
mod agenda;
mod aloud;
mod answer;
mod awaited;
mod booking;
mod by_sound;
mod changing;
mod chat;
mod clauses;
mod compose;
mod condition;
pub mod consent;
mod contacts;
mod described;
mod detail;
mod each_day;
mod earlier;
mod ears;
pub mod fate;
mod follow;
mod frame;
mod free;
mod keyword;
mod left_open;
mod mail;
mod manners;
mod meanwhile;
mod memory;
mod namesakes;
mod own_calendar;
mod paper;
mod phrasing;
mod pointing;
mod propose;
mod refer;
mod repair;
pub mod reply;
mod same;
mod seam;
mod sentence;
mod shape;
mod slips;
mod spelled;
mod talk;
mod together;
mod turns;
mod twice;
pub(crate) mod vocabulary;
mod waiting;
mod wall;
mod when;
mod which;
mod who;
mod whom;
mod wording;
mod writes;

use std::cell::Cell;
use std::ops::Range;

use async_trait::async_trait;
use brain::plan::ProposedStep;
use brain::resolve::time::Impossible;
use brain::resolve::words::Word;

use self::earlier::{
    asks_who_comes, booked, hanging, looks_for_mail, one_at_a_time, waits_for_coming,
};
use self::frame::Frame;
use self::refer::Company;
use self::together::{asked, merged, together};
use self::writes::Kind;
use crate::focus::{Awaited, Choice, Unclear};
use crate::gist::{Chat, Gist, NotYet};
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
    /// What is asked, where the choices alone do not tell: "Who is “him”:".
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

/// A sentence may lead to another one, and that to a third; not for ever.
const DEEPEST: u8 = 8;

thread_local! {
    static DEPTH: Cell<u8> = const { Cell::new(0) };
}

/// One sentence deeper, until it is dropped.
struct Deeper;

impl Deeper {
    fn go() -> Option<Self> {
        (DEPTH.get() < DEEPEST).then(|| {
            DEPTH.set(DEPTH.get() + 1);
            Self
        })
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

/// One reading of a sentence.
pub fn read(heard: &str, world: &World) -> Understanding {
    let Some(_deeper) = Deeper::go() else { return told(Chat::Lost) };
    let said = ears::as_said(heard, world);
    let heard = said.as_ref();
    let understood = read_again(heard, world, MOST_REWRITES);
    let understood = keyword::both_ways(understood, heard, world);
    let mut understood = by_sound::asked(understood, heard, world);
    which::add_details(&mut understood.choices, world);
    // What is only read on the way to something else leaves nothing open.
    if DEPTH.get() == 1 { left_open::told(understood, world) } else { understood }
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
    let marked = slips::as_written(heard, &world.contacts);
    if let Some(marked) = marked.filter(|_| rewrites > 0) {
        return read_again(&marked, world, rewrites - 1);
    }
    let mut words = slips::heard(heard, &world.contacts);
    if waiting::is_meant(&words, world) {
        return told(Chat::Wait);
    }
    if let Some(amended) = answer::amended(&words, world) {
        return amended;
    }
    if let Some(asked) = paper::read(heard, world) {
        return asked;
    }
    who::form_is_from(&mut words, &world.contacts);
    if let Some(understood) = about_talk(heard, &words, world) {
        return understood;
    }
    if let Some(meaning) = in_one_piece(heard, &words, world) {
        return together(vec![Part { span: 0..heard.len(), meaning }], heard);
    }
    let repaired = compose::in_one_mail(heard, &words, world)
        .or_else(|| described::named(heard, &words, world))
        .or_else(|| repair::repaired(heard, &words, world))
        .or_else(|| turns::plain(heard, &words, world))
        .or_else(|| shape::ordered(heard, &words, world));
    if repaired.is_none()
        && let Some(meaning) = meanwhile::read(heard, &words, world)
    {
        return together(vec![Part { span: 0..heard.len(), meaning }], heard);
    }
    let meant = repaired.or_else(|| said_plainly(heard, &words, world));
    if let Some(meant) = meant.filter(|_| rewrites > 0) {
        return read_again(&meant, world, rewrites - 1);
    }
    match condition::decided(heard, &words, world) {
        Some(Ok(meant)) if rewrites > 0 => return read_again(&meant, world, rewrites - 1),
        Some(Err(not_so)) => return not_so,
        _ => {}
    }
    if let Some(question) = same::open(heard, &words, world) {
        return question.asked();
    }
    let offered = manners::offered_as_mail(heard, &words, world)
        .or_else(|| booking::offered(heard, &words, world));
    if let Some(offered) = offered {
        return offered;
    }
    let answered = answer::read(&words, world).or_else(|| awaited::read(heard, &words, world));
    if let Some(answered) = answered {
        return answered;
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
    if let Some(known) = memory::known_first(heard, &words, world) {
        return known;
    }
    let understood = together(parts(heard, &words, world), heard);
    looked_for_elsewhere(understood, heard, &words, world)
}

/// What is not understood may still be in the files of this conversation, or remembered.
fn looked_for_elsewhere(
    understood: Understanding,
    heard: &str,
    words: &[Word],
    world: &World,
) -> Understanding {
    // What would only be guessed is looked for in the files of this conversation first.
    if let Some(sought) = paper::sought_first(heard, &understood, world) {
        return sought;
    }
    if understood.gist == Gist::Chat(Chat::Lost)
        && let Some(again) = answer::again(world)
    {
        return again;
    }
    // Whatever else it may be, the file that was just spoken of may say it.
    if understood.gist == Gist::Chat(Chat::Lost)
        && let Some(nothing) = paper::nothing_there(heard, world)
    {
        return nothing;
    }
    if matches!(understood.gist, Gist::Chat(Chat::Lost | Chat::Told | Chat::Mused))
        && let Some(offered) = memory::in_passing(heard, words, world)
    {
        return offered;
    }
    // "What's my locker number": nobody else would know it.
    if understood.gist == Gist::Chat(Chat::Lost)
        && let Some(meant) = memory::asked_plainly(heard, words)
    {
        return read(&meant, world);
    }
    if understood.gist == Gist::Chat(Chat::Lost)
        && let Some(recalled) = memory::recalled(heard, words, world)
    {
        return recalled;
    }
    understood
}

/// What is about how we talk: what we said last, how we took it, how we should word it.
fn about_talk(heard: &str, words: &[Word], world: &World) -> Option<Understanding> {
    if again::is_all(words) {
        return Some(told(Chat::Again));
    }
    let is_asked = !world.focus.asked.is_empty() || world.focus.awaited.is_some();
    if !is_asked && chat::is_misread(words) {
        return Some(told(Chat::Misread));
    }
    // Where something was just done, it is said to be too late; else nothing was waiting.
    if !is_asked && chat::takes_back(words) {
        return Some(told(Chat::No));
    }
    wording::left_out(heard, words, world)
}

/// What only the whole sentence can mean.
fn in_one_piece(heard: &str, words: &[Word], world: &World) -> Option<Meaning> {
    aloud::read(heard, words, world)
        .or_else(|| changing::of_what_was_booked(heard, words, world))
        .or_else(|| spelled::merged(heard, words, world))
}

/// The same in the words that the rules know, where it was said in others.
fn said_plainly(heard: &str, words: &[Word], world: &World) -> Option<String> {
    same::named(heard, words, world)
        .or_else(|| each_day::spelled_out(heard, words, world))
        .or_else(|| namesakes::named_in_full(heard, words, world))
        .or_else(|| twice::spelled_out(heard, words, world))
        .or_else(|| manners::said_plainly(heard, words, world))
        .or_else(|| booking::gathered(heard, words, world))
        .or_else(|| memory::kept_plainly(heard, words, world))
        .or_else(|| meanwhile::turned(heard, words, world))
        .or_else(|| condition::restated(heard, words, world))
        .or_else(|| booking::unspoken(heard, words, world))
        .or_else(|| booking::time_first(heard, words, world))
        .or_else(|| booking::restated(heard, words, world))
        .or_else(|| contacts::named_again(heard, words, world))
        .or_else(|| agenda::said_plainly(heard, words))
        .or_else(|| agenda::with_whom(heard, words))
        .or_else(|| agenda::unfinished(words))
}

/// Somebody else's words, by their looks.
pub fn is_pasted(text: &str) -> bool {
    sentence::is_pasted(text)
}

/// What a request comes down to, once somebody has said which of the answers to a question
/// they meant.
pub fn chosen(choice: &Choice, world: &World) -> Understanding {
    let afresh = World { focus: world.focus.answered(), ..world.clone() };
    Understanding { answers: true, ..read(&choice.sentence, &afresh) }
}

/// Is this what an open question was asked for?
pub fn answers(heard: &str, world: &World) -> bool {
    let said = ears::as_said(heard, world);
    let heard = said.as_ref();
    let mut words = slips::heard(heard, &world.contacts);
    who::form_is_from(&mut words, &world.contacts);
    !again::is_all(&words)
        && !waiting::is_meant(&words, world)
        && (answer::read(&words, world).is_some() || awaited::read(heard, &words, world).is_some())
}

/// Look-ups clause by clause; what is to be written runs on to its end.
fn parts(heard: &str, words: &[Word], world: &World) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    let mut written: &[Word] = &[];
    let mut company = Company::new(heard, world);
    let mut hung_until = 0;
    let parts = writes::parts(words, heard, world);
    let last_write = parts.iter().rposition(|part| part.kind != Kind::Rest);
    for (at, part) in parts.into_iter().enumerate() {
        let request = sentence::bare(part.words);
        let start = part.words[0].start;
        company.before = &words[..words.partition_point(|word| word.start < start)];
        let free = company.before.partition_point(|word| word.start < hung_until);
        let before = sentence::latest(&company.before[free..]);
        if part.kind != Kind::Rest && sentence::is_condition(before) {
            // Nobody watches whether it comes true, so nobody acts on it.
            let meaning = Meaning::Chat(Chat::Hangs);
            found.push(Part { span: start..part.words[part.words.len() - 1].end, meaning });
            continue;
        }
        if part.kind == Kind::Open {
            found.push(seam::question(words, start, heard, world));
            continue;
        }
        if part.kind == Kind::Hanging {
            hung_until = part.words[part.words.len() - 1].end;
            let more = hanging(part.words, heard, &mut found, world);
            found.extend(more);
            continue;
        }
        let leads_up = part.kind == Kind::Rest && last_write.is_some_and(|write| at < write);
        let story = leads_up && talk::is_story(part.words, heard, world);
        if story && !own_calendar::is_within(part.words) {
            let span = start..part.words[part.words.len() - 1].end;
            found.push(Part { span, meaning: Meaning::Chat(Chat::Told) });
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
            Kind::Reminder => meanwhile::reminder(heard, request, booked(&found, world), world)
                .map(|meaning| meanwhile::with_names(meaning, &company))
                .map(|meaning| one_at_a_time(meaning, &found)),
            Kind::Rest | Kind::Hanging | Kind::Open => None,
        };
        let span = |words: &[Word]| start.min(words[0].start)..words[words.len() - 1].end;
        if let Some(meaning) = write {
            found.push(Part { span: span(part.words), meaning });
            continue;
        }
        for clause in clauses::read(sentence::without_reason(part.words), world) {
            // "Would you also", cut off before the request, asks for nothing by itself.
            if sentence::is_only_lead(&clause) && clause.len() < words.len() {
                continue;
            }
            if leads_up && talk::is_short_story(&clause) {
                let span = spanned(&clause);
                found.push(Part { span, meaning: Meaning::Chat(Chat::Told) });
                continue;
            }
            let before = found.last().map(|part| &part.meaning);
            let meaning = waits_for_coming(&clause, heard, company.mail_to_come, world)
                .or_else(|| follow::newest_of(&clause, before))
                .unwrap_or_else(|| meaning(&clause, heard, world));
            let said_before = words.partition_point(|word| word.start < clause[0].start);
            let meaning = changing::unless_hanging(meaning, &words[..said_before]);
            company.mail_to_come |= looks_for_mail(&meaning);
            company.meeting_to_come |= asks_who_comes(&clause, &meaning);
            found.push(Part { span: spanned(&clause), meaning });
        }
    }
    found
}

/// Where a clause stands. Words that it takes from the one before stand before it.
fn spanned(clause: &[Word]) -> Range<usize> {
    let start = clause.iter().map(|word| word.start).min().unwrap_or(0);
    let end = clause.iter().map(|word| word.end).max().unwrap_or(start);
    start..end
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
    if let Some(elsewhere) = booking::elsewhere(heard, request, world) {
        return elsewhere;
    }
    if let Some(changed) = changing::read(request, heard, world) {
        return changed;
    }
    if let Some(change) = writes::read(request) {
        return Meaning::Chat(Chat::NotYet(writes::why_not(request, change)));
    }
    if own_calendar::adds_somebody(request, heard, world) {
        return Meaning::Chat(Chat::NotYet(NotYet::Calendar));
    }
    if writes::is_nothing(request) {
        return Meaning::Chat(Chat::Okay);
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

#[cfg(test)]
#[path = "reflex_tests.rs"]
mod tests;
