//! Other ways to ask for something on the calendar, said as one would book it.

use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use super::{begins, verb};
use crate::World;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::reflex::{phrasing, sentence};

/// "Add Ana and Lena to a call on Tuesday" invites them to a new one.
pub(super) fn adds_people(request: &[Word], heard: &str, world: &World) -> Option<Vec<Word>> {
    if !request.first()?.is("add") {
        return None;
    }
    let (people, end) = whom::list(request, 1, heard, world);
    let known = |whom: &Whom| !matches!(whom, Whom::Stranger(_));
    let to_new = request.get(end)?.is("to") && is_any(&request.get(end + 1)?.text, &["a", "an"]);
    let adds = !people.is_empty() && people.iter().all(known);
    (adds && to_new).then(|| {
        let mut request = request.to_vec();
        "invite".clone_into(&mut request[0].text);
        request
    })
}

/// "Book him tomorrow at three", "pencil in Ana and Tom": a meeting with them.
pub(super) fn books_people(request: &[Word], heard: &str, world: &World) -> Option<Vec<Word>> {
    let first = match request {
        [verb, particle, ..] if is_any(&verb.text, &["pencil", "put"]) && particle.is("in") => 2,
        [verb, ..] if is_any(&verb.text, &["book", "pencil"]) => 1,
        _ => return None,
    };
    let (people, end) = whom::list(request, first, heard, world);
    let named = matches!(people.as_slice(), [Whom::Known { .. } | Whom::OneOf(_), ..]);
    let pronoun = is_any(&request.get(first)?.text, &["him", "her", "them"]);
    let end = if pronoun { first + 1 } else { end };
    if request[0].quoted {
        return None;
    }
    // "Book Tom's flight", "book her a cab".
    let next = request.get(end).map_or("", |next| next.text.as_str());
    let goes_on = ["on", "at", "for", "in", "tomorrow", "today", "next", "this"];
    let timed = || time::find(&request[end..], &world.local_now(), Lean::Ahead).is_some();
    let starts = is_any(next, &goes_on) || time::is_weekday(next);
    ((named || pronoun) && starts && timed()).then(|| {
        let mut request = request.to_vec();
        request.drain(1..first);
        "meet".clone_into(&mut request[0].text);
        request
    })
}

/// The little words that are left out or too many where a time follows the verb.
pub(super) fn spoken_fully(request: &[Word]) -> Option<Vec<Word>> {
    fits_in(request).or_else(|| from_to(request))
}

/// "Block 4 to 5 on Wednesday": from four to five.
pub(super) fn from_to(request: &[Word]) -> Option<Vec<Word>> {
    let at = verb(request).filter(|_| !request[0].is("invite"))?;
    let texts: Vec<&str> = request[at..].iter().map(|word| word.text.as_str()).collect();
    let (_, first) = time::cardinal(&texts)?;
    let to = texts.get(first).is_some_and(|to| is_any(to, &["to", "until", "till"]));
    let (_, _) = time::cardinal(texts.get(first + 1..)?).filter(|_| to)?;
    let mut request = request.to_vec();
    let start = request[at].start;
    let from = Word { text: "from".to_owned(), start, end: start, quoted: false, stop: None };
    request.insert(at, from);
    Some(request)
}

/// "Pencil in 30 minutes" is half an hour, and not in half an hour.
fn fits_in(request: &[Word]) -> Option<Vec<Word>> {
    let [verb, particle, rest @ ..] = request else { return None };
    let fits = is_any(&verb.text, &["pencil", "put", "fit", "squeeze", "slot", "add"]);
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let lasts = time::length(&texts).is_some_and(|(_, places)| places.start == 0);
    (fits && particle.is("in") && lasts).then(|| {
        let mut request = request.to_vec();
        request.remove(1);
        request
    })
}

/// "Add Tom to the meeting" is about one that is there already.
pub(super) fn changes(texts: &[&str]) -> bool {
    let there = [
        "meeting",
        "call",
        "event",
        "invite",
        "invitation",
        "appointment",
        "review",
        "standup",
        "stand-up",
        "sync",
        "lunch",
        "dinner",
    ];
    let [verb, rest @ ..] = texts else { return false };
    // "… to the design review tomorrow at nine": a few words may stand before the noun.
    is_any(verb, &["add", "put", "invite"])
        && (1..rest.len()).any(|at| {
            let to = is_any(rest[at], &["to", "into"]);
            let one = rest.get(at + 1);
            let one = one.is_some_and(|the| is_any(the, &["the", "that", "this", "my", "our"]));
            let noun = rest[at + 1..].iter().skip(1).take(3).any(|noun| is_any(noun, &there));
            to && one && noun
        })
}

/// "Find time with Ana next week" and "find an hour tomorrow and book it" want a meeting,
/// not a list of gaps; said again, as one would ask for that.
pub fn restated(heard: &str, said: &[Word], world: &World) -> Option<String> {
    const ENDS: &[&[&str]] = &[
        &["and", "book", "it"],
        &["and", "schedule", "it"],
        &["and", "put", "it", "on", "my", "calendar"],
        &["and", "put", "it", "in", "my", "calendar"],
    ];
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let ended = ENDS.iter().find_map(|end| Some((texts.strip_suffix(*end)?, end.len())));
    let (body, end) = match ended {
        Some(ended) => ended,
        None if names_guests(heard, said, world) => (texts.as_slice(), 0),
        None => return None,
    };
    let verb = usize::from(matches!(body.first(), Some(&("find" | "get" | "look"))));
    let me = usize::from(matches!(body.get(verb), Some(&("me" | "us" | "for"))));
    let size = body[verb + me..].iter().take_while(|text| is_any(text, &["a", "some"])).count();
    let from = verb + me + size;
    let thing =
        usize::from(matches!(body.get(from), Some(&("time" | "slot" | "gap" | "spot" | "room"))));
    let rest = said.get(from + thing..said.len() - end).filter(|rest| !rest.is_empty())?;
    let lasts = |words: &[&str]| time::length(words).is_some_and(|(_, places)| places.start == 0);
    let timed = if end > 0 {
        time::length(body).is_some()
    } else {
        // "Find the mail about the one hour call with Ana" looks for a mail.
        lasts(body.get(from..).unwrap_or_default())
    };
    let named = thing == 1 || timed;
    let marks = |word: &Word| word.quoted || word.stop.is_some_and(|stop| stop != ',');
    let marked = rest[..rest.len() - 1].iter().any(marks) || rest[rest.len() - 1].quoted;
    (verb == 1 && named && !marked).then(|| {
        let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
        let lasts = lasts(&texts);
        let raw = &heard[rest[0].start..rest[rest.len() - 1].end];
        let lasts = if lasts && thing == 0 { "for " } else { "" };
        format!("schedule a meeting {lasts}{raw}")
    })
}

/// "… with Yuki and Dana": people who can be invited.
fn names_guests(heard: &str, said: &[Word], world: &World) -> bool {
    let Some(with) = said.iter().position(|word| word.is("with") && !word.quoted) else {
        return false;
    };
    let (people, _) = whom::list(said, with + 1, heard, world);
    let known = |one: &Whom| matches!(one, Whom::Known { .. } | Whom::OneOf(_));
    !people.is_empty() && people.iter().all(known)
}

/// "Tomorrow at three book a call with Ana": the time may come first.
pub fn time_first(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let request = sentence::without_lead(said);
    let when = time::find(request, &world.local_now(), Lean::Ahead)?;
    let lead = when.words.iter().zip(0..).take_while(|(place, at)| *place == at).count();
    let rest = request.get(lead..).filter(|rest| lead > 0 && rest.len() > 1)?;
    let alone = time::find(&request[..lead], &world.local_now(), Lean::Ahead);
    let whole = alone.is_some_and(|alone| alone.words.len() == lead);
    if !whole || verb(rest).is_none() || !begins(rest, heard, world) {
        return None;
    }
    let lead = &heard[request[0].start..request[lead - 1].end];
    let rest = heard[rest[0].start..].trim_end_matches(['.', '!', ' ']);
    // Only one request: what stands behind another one would get the time too.
    let several = words(rest).iter().any(|word| word.is("and") || word.stop.is_some());
    let meant = format!("{rest} {}", phrasing::lower(lead));
    // All of it has to say when, in its new place too.
    let again = time::find(&words(&meant), &world.local_now(), Lean::Ahead)?;
    (!several && again.words.len() == when.words.len()).then_some(meant)
}
