//! Where the words of a mail end and the next request begins.
//!
//! Nobody speaks a comma. But an order cannot go on with a statement: behind "the
//! glass is here and", "find me a free hour" is for us. What somebody is told to do
//! goes on with what they were told before ("tell Tom to come and book a room").
//! Where both can be meant it is asked, and nothing is written until then.

use brain::resolve::time::{self, Grain, Lean};
use brain::resolve::words::Word;

use super::refer::PRONOUNS;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::writes::{self, Kind};
use super::{Meaning, Part, booking, chat, memory, own_calendar, sentence};
use crate::World;
use crate::focus::{Choice, Unclear};
use crate::gist::NotYet;

/// Stand before a word when it was asked about: a request begins there, or the
/// text goes on.
const BEGINS: char = '\u{2063}';
const GOES_ON: char = '\u{2060}';

/// What a clause behind the words of a mail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seam {
    /// It belongs to the words.
    Text,
    /// It is a request of its own.
    Ours,
    /// It may be either.
    Open,
}

/// Nobody would write these to anybody but us.
const ORDERS: &[&str] = &[
    "cancel",
    "move",
    "reschedule",
    "postpone",
    "book",
    "schedule",
    "block",
    "reserve",
    "delete",
    "archive",
    "remind",
    "invite",
    "unsubscribe",
    "snooze",
    "rebook",
    "pencil",
];
/// The same, where it is about one's own things or says when.
const OWN: &[&str] = &[
    "put", "add", "set", "make", "push", "shift", "change", "hold", "plan", "clear", "take",
    "swap", "delay", "skip", "mark", "create", "get", "grab", "give", "keep", "save", "enter",
];
/// How one asks to have something looked up.
const LOOKS: &[&[&str]] = &[
    &["find"],
    &["look", "up"],
    &["look", "for"],
    &["look", "at"],
    &["look", "through"],
    &["look", "in"],
    &["see", "if"],
    &["see", "whether"],
    &["see", "what"],
    &["see", "when"],
    &["see", "who"],
    &["show"],
    &["check", "if"],
    &["check", "whether"],
    &["check", "when"],
    &["check", "what"],
    &["check", "my"],
    &["check", "for"],
    &["pull", "up"],
    &["list"],
    &["search"],
    &["read", "me"],
    &["read", "my"],
    &["read", "out"],
    &["figure", "out"],
];
/// Whoever is told something may be asked to do these as well.
const ERRANDS: &[&str] = &["order", "buy", "call", "play", "print", "note", "remember", "pay"];
const LINKS: &[&str] = &["and", "then", "also", "plus"];
const QUESTIONS: &[&str] = &["what", "when", "where", "who", "how", "which", "if", "whether"];
/// What else is told in the same breath makes one more of them a part of it.
const LISTS: &[&str] = &["have", "has", "need", "there", "plan", "agenda"];

/// What the clause at `at` is, behind the mail that began at `start`.
pub fn read(words: &[Word], start: usize, at: usize, heard: &str, world: &World) -> Seam {
    if let Some(decided) = decided(words, at, heard) {
        return decided;
    }
    // Behind "and" it is looked at again.
    if is_any(&words[at].text, LINKS) {
        return Seam::Text;
    }
    let text = told(&words[start..at]);
    let clause = &words[at..end(words, at)];
    let request = sentence::bare(clause);
    let dictated = heard[words[start].start..words[at].start].contains([':', '"', '“']);
    let to_them = |word: &Word| is_any(&word.text, &["you", "your", "yours", "yourself"]);
    if dictated || text.is_empty() || clause.iter().any(to_them) {
        return Seam::Text;
    }
    let goes_on = own_calendar::goes_on_with(text);
    if tells_them(request) {
        let stops = matches!(words[at - 1].stop, Some('.' | '!' | '?'));
        let another = names_another(text, heard, world) && !own_calendar::passes_on_an_order(text);
        return if stops || another { Seam::Ours } else { Seam::Text };
    }
    if is_asked_back(clause) {
        return if goes_on && !is_any(&words[at - 1].text, &["then", "also"]) {
            Seam::Text
        } else {
            Seam::Ours
        };
    }
    // "Ask Omar if it's here and what time is lunch": nobody asks that of us both.
    if text[0].is("ask") && writes::asks_us(request) && !goes_on {
        return Seam::Open;
    }
    if is_order(request, text, heard, world) || is_question(request, text) {
        return if goes_on { Seam::Text } else { Seam::Ours };
    }
    if is_errand(request) && !goes_on {
        return Seam::Open;
    }
    if appointment(heard, clause, world).is_none() || lists(text) {
        return Seam::Text;
    }
    if says_a_time(text, world) { Seam::Open } else { Seam::Ours }
}

/// Does something for the calendar that has no verb stand here for us, behind these
/// words of a mail?
pub fn is_named_for_us(said: &[Word], at: usize, heard: &str, world: &World) -> bool {
    match decided(said, at, heard) {
        Some(decided) => decided == Seam::Ours,
        None => !lists(&said[..at]) && !says_a_time(&said[..at], world),
    }
}

/// What was answered when it was asked.
pub fn decided(words: &[Word], at: usize, heard: &str) -> Option<Seam> {
    match heard[..words[at].start].chars().next_back()? {
        BEGINS => Some(Seam::Ours),
        GOES_ON => Some(Seam::Text),
        _ => None,
    }
}

/// A sentence that belongs to the text before it, whatever it says.
pub fn as_text(sentence: &str) -> String {
    format!("{GOES_ON}{sentence}")
}

/// The words without the marks of such an answer.
pub fn unmarked(text: &str) -> String {
    text.replace([BEGINS, GOES_ON], "")
}

/// Asks for whom the clause is that begins at this byte of the sentence.
pub fn question(words: &[Word], start: usize, heard: &str, world: &World) -> Part {
    let at = words.partition_point(|word| word.start < start);
    let last = words[end(words, at) - 1].end;
    let reminds = writes::parts(&words[..at], heard, world).last().map(|part| part.kind)
        == Some(Kind::Reminder);
    let text = if reminds { "the reminder" } else { "the mail" };
    let marked = |mark: char| format!("{}{mark}{}", &heard[..start], &heard[start..]);
    let choices = vec![
        Choice::new(Unclear::Request, "For you to do", marked(BEGINS)),
        Choice::new(Unclear::Request, format!("Part of {text}"), marked(GOES_ON)),
    ];
    let question = format!("Is “{}” for me to do, or part of {text}?", &heard[start..last]);
    Part { span: start..last, meaning: Meaning::Choose { question, choices, awaited: None } }
}

/// "Remind me to take out the bins and tell Mom I land at 6": what somebody is to be
/// told may be told now. One thing after another to do is one reminder.
pub fn of_a_reminder(words: &[Word], start: usize, at: usize, heard: &str, world: &World) -> Seam {
    let text = told(&words[start..at]);
    let clause = &words[at..end(words, at)];
    let request = sentence::bare(clause);
    let tells = |word: &Word| is_any(&word.text, &["tell", "ask", "email", "text", "write"]);
    if is_any(&words[at].text, LINKS) {
        return Seam::Text;
    }
    let text = match text {
        [rest @ .., last] if last.is("oh") => rest,
        text => text,
    };
    if is_question(request, text) || is_asked_back(clause) {
        return Seam::Ours;
    }
    if !text.iter().any(tells) && writes::tells_somebody(request, heard, world) {
        return Seam::Open;
    }
    // "Call Dr. Cho at 3 and cancel the triage": the time has closed the reminder.
    if is_plain_order(request) && !request[0].is("remind") && ends_in_a_time(text, world) {
        let timed = says_a_time(request, world) && booking::begins(request, heard, world);
        return if timed { Seam::Ours } else { Seam::Open };
    }
    let books = matches!(writes::read(request), Some(NotYet::Calendar))
        && booking::begins(request, heard, world);
    if books && says_a_time(request, world) { Seam::Ours } else { Seam::Text }
}

/// "Gym at 6 and remember my shoes", "… and the code is 1234": what is said behind a
/// thing for the calendar, and is no part of what it is called.
pub fn ends_a_title(words: &[Word], at: usize) -> bool {
    const SAID: &[&str] = &[
        "is", "are", "was", "were", "will", "would", "has", "have", "had", "can", "could",
        "should", "must", "needs",
    ];
    const FINE: &[&str] = &["fine", "better", "best", "ok", "good", "enough", "do", "free"];
    const ORDERS: &[&str] = &[
        "remember", "bring", "make", "check", "see", "look", "find", "print", "note", "take",
        "keep", "order", "buy", "play", "turn", "pay", "do",
    ];
    let clause = &words[at..end(words, at)];
    let paused = clause.iter().position(|word| word.stop.is_some());
    let clause = &clause[..paused.map_or(clause.len(), |stop| stop + 1)];
    let [first, next, ..] = clause else { return false };
    let linked = at > 0 && is_any(&words[at - 1].text, LINKS);
    let remark = clause.iter().any(|word| is_any(&word.text, FINE));
    let says = clause[1..].iter().any(|word| is_any(&word.text, SAID) && !word.quoted);
    // "…, it should take an hour" and "make it an hour" are about the thing itself.
    let about_it = is_any(&first.text, &["it", "that", "this", "which"])
        || is_any(&next.text, &["it", "that", "sure"]) && is_any(&first.text, &["make", "keep"]);
    linked && !first.quoted && !about_it && !remark && (says || is_any(&first.text, ORDERS))
}

/// The words of the mail, without "and" at their end.
fn told(mail: &[Word]) -> &[Word] {
    let links = |word: &&Word| is_any(&word.text, LINKS);
    &mail[..mail.len() - mail.iter().rev().take_while(links).count()]
}

/// Up to the next "and", or to the end of the sentence.
fn end(words: &[Word], at: usize) -> usize {
    let ends = |place: &usize| {
        let before = &words[place - 1];
        let stops = matches!(before.stop, Some('.' | '?' | '!' | ';'));
        stops || is_any(&words[*place].text, &["and", "then", "also"])
    };
    (at + 1..words.len()).find(ends).unwrap_or(words.len())
}

fn is_order(request: &[Word], text: &[Word], heard: &str, world: &World) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let Some(verb) = request.first().filter(|verb| !verb.quoted && request.len() > 1) else {
        return false;
    };
    // "And check my math": the object is told by "my", the errand by the rest.
    if LOOKS.iter().any(|look| texts.starts_with(look)) {
        return true;
    }
    if memory::begins(request, heard) && texts.get(1) == Some(&"that") {
        return true;
    }
    let own = texts.iter().any(|text| is_any(text, &["my", "our", "me", "calendar", "reminder"]));
    let timed = || time::find(request, &world.local_now(), Lean::Ahead).is_some();
    let on = matches!(texts.as_slice(), ["move", "on" | "over" | "out" | "in", ..]);
    let it = matches!(texts.as_slice(), [_, "it" | "that" | "this", ..]);
    let changes = matches!(writes::read(request), Some(NotYet::Calendar | NotYet::Tidy));
    is_any(&verb.text, ORDERS) && !on
        || is_any(&verb.text, OWN) && (own && changes || timed() || it && says_a_time(text, world))
        || texts.starts_with(&["take", "me", "off"])
}

/// "Block it off", "cancel yoga": of those that nobody would write to anybody else.
pub fn is_plain_order(request: &[Word]) -> bool {
    matches!(request, [verb, _, ..] if is_any(&verb.text, ORDERS) && !verb.quoted)
}

/// A question that only we could answer, where the mail asks none itself.
fn is_question(request: &[Word], text: &[Word]) -> bool {
    let asks = |word: &Word| is_any(&word.text, QUESTIONS);
    writes::asks_us(request) && request.len() > 2 && !text.iter().any(asks) && !text[0].is("ask")
}

/// "Ask her to find a bigger one"
fn tells_them(request: &[Word]) -> bool {
    matches!(request, [verb, them, what, ..]
        if is_any(&verb.text, &["tell", "ask"])
            && is_any(&them.text, PRONOUNS)
            && !is_any(&what.text, &["nothing", "no"])
            && !verb.quoted)
}

/// Is anybody spoken of in it beside the first, whom it is for?
fn names_another(text: &[Word], heard: &str, world: &World) -> bool {
    let mut named: Vec<String> = Vec::new();
    let mut at = 1;
    while at < text.len() {
        // "Priya Nair" is one.
        at += match whom::at(text, at, heard, world) {
            Some((Whom::Known { heard: None, address, .. }, used)) => {
                named.push(address);
                used.max(1)
            }
            _ => 1,
        };
    }
    named.first().is_some_and(|first| named.iter().any(|other| other != first))
}

/// "Then tell me who comes to the review", "read me Ana's mail".
fn is_asked_back(clause: &[Word]) -> bool {
    let texts: Vec<&str> = clause.iter().map(|word| word.text.as_str()).collect();
    match texts.as_slice() {
        ["tell" | "remind", "me", asks, _, ..] => is_any(asks, QUESTIONS),
        ["read" | "show", "me", _, ..] => true,
        _ => false,
    }
}

fn is_errand(request: &[Word]) -> bool {
    let [verb, what, ..] = request else { return false };
    let reaches = is_any(&verb.text, &["order", "buy", "call", "play"]);
    let them = is_any(&what.text, PRONOUNS) || is_any(&what.text, &["me", "us", "it"]);
    is_any(&verb.text, ERRANDS)
        && !verb.quoted
        && !them
        && (!reaches || chat::out_of_reach(request).is_some())
}

/// "Gym at 7:30", "coffee with Rafa at 4": what it is and when, without a verb. As it
/// would be said with one.
pub fn appointment(heard: &str, clause: &[Word], world: &World) -> Option<String> {
    let request = sentence::bare(clause);
    let first = request.first().filter(|first| booking::is_of_the_day(&first.text))?;
    let with = matches!(request, [_, with, _, ..] if with.is("with"))
        && matches!(whom::at(request, 2, heard, world), Some((Whom::Known { .. }, _)));
    let clock = || {
        let when = time::find(request, &world.local_now(), Lean::Ahead)?;
        Some(matches!(when.readings.first()?.grain, Grain::Moment | Grain::Hours))
    };
    if with && clock() == Some(true) {
        return Some(format!("schedule {}", &heard[first.start..]));
    }
    booking::unspoken(heard, clause, world).filter(|plain| plain.starts_with("schedule "))
}

fn says_a_time(text: &[Word], world: &World) -> bool {
    let when = time::find(text, &world.local_now(), Lean::Ahead);
    let grain = when.and_then(|when| when.readings.first().map(|reading| reading.grain));
    matches!(grain, Some(Grain::Moment | Grain::Hours | Grain::Day | Grain::Part))
}

/// "Remind me to call Dr. Cho at 3": all that says when stands behind what is to be done.
fn ends_in_a_time(text: &[Word], world: &World) -> bool {
    let Some(when) = time::find(text, &world.local_now(), Lean::Ahead) else { return false };
    let to = text.iter().position(|word| word.is("to"));
    when.words.contains(&(text.len() - 1))
        && to.is_some_and(|to| when.words.iter().all(|at| *at > to))
}

fn lists(text: &[Word]) -> bool {
    text.iter().any(|word| is_any(&word.text, LISTS) || booking::is_of_the_day(&word.text))
}

#[cfg(test)]
mod tests {
    use crate::{corpus, reflex};

    fn tools(heard: &str) -> Vec<String> {
        let read = reflex::read(heard, &corpus::world());
        read.proposal.steps.into_iter().map(|step| step.tool).collect()
    }

    #[test]
    fn an_order_cannot_go_on_with_a_statement() {
        let two = ["gmail.send", "calendar.find_free_slots"];
        assert_eq!(tools("tell ana the glass is here and find me a free hour on thursday"), two);
        let one = ["gmail.send"];
        for heard in [
            "tell tom to bring the slides and book the vet",
            "tell tom i'll call the client and book the room",
            "email ana: the glass is here and find me a free hour on thursday",
            "tell marcus the keys are on the desk and lock up after you",
        ] {
            assert_eq!(tools(heard), one, "{heard}");
        }
    }

    #[test]
    fn what_may_be_either_is_asked_and_each_answer_is_taken() {
        let world = corpus::world();
        let asked = reflex::read("tell tom lunch is on me and call a taxi", &world);
        assert!(asked.question.is_some() && asked.proposal.steps.is_empty(), "{asked:?}");
        for (answer, body) in [
            ("for you", "Hi Tom,\n\nLunch is on me.\n\nMaya"),
            ("part of the mail", "Hi Tom,\n\nLunch is on me and call a taxi.\n\nMaya"),
        ] {
            let mut world = corpus::world();
            world.focus.wait_for_answer(&asked);
            let read = reflex::read(answer, &world);
            assert_eq!(read.proposal.steps[0].args["body"], body, "{answer}");
        }
    }
}
