//! Requests that are known by their shape: "…, and get me 45 minutes with Ana".
//!
//! Behind "and", "then" or a pause, how long and with whom is a meeting to book,
//! whatever verb it begins with or none. It is said again as one would book it,
//! so that it never ends up in a mail or in a title. Whoever is said to do it
//! ("we should find 45 minutes with Tom") is told of, and stays where it is.

mod unsaid;

use std::ops::Range;

use brain::resolve::time::{self, Lean};
use brain::resolve::words::Word;

use super::refer::PRONOUNS;
use super::vocabulary::is_any;
use super::whom::{self, Whom};
use super::{booking, condition, own_calendar, sentence, writes};
use crate::World;
use crate::gist::NotYet;

/// What one does to have time with somebody.
const VERBS: &[&str] = &[
    "get", "find", "put", "book", "grab", "squeeze", "fit", "slot", "block", "set", "schedule",
    "arrange", "reserve", "plan", "organize", "organise", "make", "give", "carve", "secure",
    "sort", "fix", "hold", "add", "pencil", "line",
];
/// What goes with such a verb.
const PARTICLES: &[&str] = &["up", "in", "out", "aside", "down", "off"];
const NOUNS: &[&str] = &[
    "meeting",
    "call",
    "slot",
    "time",
    "chat",
    "sync",
    "session",
    "appointment",
    "catch-up",
    "catchup",
    "meet",
    "video",
];
/// Whoever says something has one of these, and nobody who orders.
const FINITE: &[&str] = &[
    "is", "are", "was", "were", "will", "would", "has", "had", "have", "can", "could", "should",
    "works", "sounds", "suits", "am", "did", "does", "might", "may",
];
/// The verbs that send something to somebody.
const TELLS: &[&str] = &[
    "tell", "let", "ask", "email", "mail", "message", "reply", "answer", "respond", "write",
    "send", "drop", "inform", "ping",
];

/// The sentence with such a request said plainly, if there is one.
pub fn ordered(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let first = unsaid::wished_first(heard, said, world);
    first.or_else(|| behind_something(heard, said, world))
}

fn behind_something(heard: &str, said: &[Word], world: &World) -> Option<String> {
    (1..said.len()).filter(|&at| starts(said, at)).find_map(|at| {
        let plain = if_free(heard, said, at, world)
            .or_else(|| booked(heard, said, at, world))
            .or_else(|| unsaid::wished(heard, said, at, world))
            .or_else(|| unsaid::named(heard, said, at, world))?;
        Some(format!("{}{plain}", &heard[..said[at].start]))
    })
}

/// Behind "and", "then", "also" or a mark, and behind "please" there.
fn starts(said: &[Word], at: usize) -> bool {
    let before = &said[at - 1];
    let links = is_any(&before.text, &["and", "then", "also", "plus"]);
    let polite = before.is("please") && at > 1 && starts(said, at - 1);
    !said[at].quoted && (links || polite || before.stop.is_some())
}

/// "…, and if I'm free at 11 put 30 minutes with him there"
fn if_free(heard: &str, said: &[Word], at: usize, world: &World) -> Option<String> {
    let clause = &said[at..];
    let plain = clause[0].is("if").then(|| condition::restated(heard, clause, world))??;
    Some(plain.replacen(" there ", " ", 1))
}

fn booked(heard: &str, said: &[Word], at: usize, world: &World) -> Option<String> {
    let clause = asked_of_us(&said[at..end_of(said, at)]);
    let head = head(clause)?;
    if is_dictated(heard, said, at, clause, &head, world) {
        return None;
    }
    let start = clause[head.what].start;
    match guests(heard, clause, head.what, world) {
        Some(guests) if guests.places.is_empty() => {
            let plain = matches!(writes::read(clause), Some(NotYet::Calendar))
                && booking::begins(clause, heard, world);
            (!plain).then(|| format!("schedule {}", &heard[start..]))
        }
        Some(Guests { places, names }) => {
            let span = clause[places.start].start..clause[places.end - 1].end;
            let before = &heard[start..span.start];
            Some(format!("schedule {before}with {names}{}", &heard[span.end..]))
        }
        // "Book us half an hour": us are whoever is written to and me.
        None => {
            let us = clause[..head.what].iter().any(|word| word.is("us"));
            let them = told(heard, &said[..at], world).filter(|_| us)?;
            let end = clause[head.length.map_or(head.what + 1, |length| length.end) - 1].end;
            Some(format!("schedule {} with {them}{}", &heard[start..end], &heard[end..]))
        }
    }
}

/// Without "could you" and "can you please".
fn asked_of_us(clause: &[Word]) -> &[Word] {
    let asks = matches!(clause, [can, you, ..]
        if you.is("you") && is_any(&can.text, &["can", "could", "would", "will"]));
    let rest = &clause[2 * usize::from(asks)..];
    match rest {
        [please, more @ ..] if asks && please.is("please") => more,
        _ => rest,
    }
}

/// Does it belong to what is written or kept before it?
fn is_dictated(
    heard: &str,
    said: &[Word],
    at: usize,
    clause: &[Word],
    head: &Head,
    world: &World,
) -> bool {
    let before = &said[..at];
    let paused = is_paused(said, at);
    let colon = heard[..clause[0].start].contains(": ");
    let written = (0..at)
        .rev()
        .filter(|&place| place == 0 || starts(said, place))
        .find_map(|place| writes::read(sentence::bare(&said[place..at])));
    let goes_on = own_calendar::passes_on_an_order(before) || own_calendar::goes_on_with(before);
    let timed = time::find(&clause[head.what..], &world.local_now(), Lean::Ahead).is_some();
    if head.verb > 0 {
        let kept = matches!(written, Some(NotYet::Remind | NotYet::Tidy));
        let bare = !timed && head.length.is_none();
        return bare || !paused && (colon || kept || goes_on);
    }
    let tells = clause.iter().any(|word| is_any(&word.text, FINITE));
    // "I have time on Friday, a 30 minute call": one thing after another is told.
    let lists = before.iter().any(|word| is_any(&word.text, &["have", "has", "need", "there"]));
    let apart = paused || is_any(&said[at - 1].text, &["then", "also", "plus"]);
    let whole = timed && head.length.is_some() && written == Some(NotYet::Mail);
    !whole || tells || lists || !apart || colon
}

/// Where a request of this shape has what.
struct Head {
    /// The words of the verb; none where there is no verb.
    verb: usize,
    /// Where it is said what is wanted: how long, or a meeting.
    what: usize,
    length: Option<Range<usize>>,
}

/// "Get me 45 minutes", "find us a slot", "a 45 minute meeting", "meeting with".
fn head(clause: &[Word]) -> Option<Head> {
    let texts: Vec<&str> = clause.iter().map(|word| word.text.as_str()).collect();
    let text = |place: usize| texts.get(place).copied().unwrap_or("");
    let for_me = |at: usize| match (text(at), text(at + 1)) {
        ("me" | "us", _) => 1,
        ("for", "me" | "us") => 2,
        _ => 0,
    };
    let particle = usize::from(is_any(text(1), PARTICLES));
    let mine = for_me(1 + particle);
    let acts = is_any(text(0), VERBS) || mine > 0 && is_verb(text(0));
    let verb = if acts { 1 + particle + mine } else { 0 };
    let small = texts[verb.min(texts.len())..]
        .iter()
        .take_while(|text| is_any(text, &["a", "an", "some", "another", "quick", "short"]))
        .count();
    let what = [verb, verb + small].into_iter().find(|&at| begins_with_length(&texts, at));
    let noun = text(verb + small);
    let is_thing = is_any(noun, NOUNS) || mine > 0 && booking::is_of_the_day(noun);
    let noun = is_thing.then_some(verb + small);
    let length = time::length(&texts).map(|(_, places)| places);
    what.or(noun).map(|what| Head { verb, what, length })
}

fn begins_with_length(texts: &[&str], at: usize) -> bool {
    let rest = texts.get(at..).unwrap_or_default();
    time::length(rest).is_some_and(|(_, places)| places.start == 0)
}

/// Neither a subject nor a thing that was done.
fn is_verb(text: &str) -> bool {
    let subjects = [
        "i", "we", "you", "he", "she", "they", "it", "that", "this", "there", "to", "for", "with",
        "and", "gave", "got", "took", "told", "let", "tell", "show", "remind",
    ];
    !is_any(text, &subjects) && !["ed", "s", "ing"].iter().any(|end| text.ends_with(end))
}

/// Who is to come, as one would say it behind "with", and the words to put that
/// for; no words, where it is said so already.
struct Guests {
    places: Range<usize>,
    names: String,
}

fn guests(heard: &str, clause: &[Word], from: usize, world: &World) -> Option<Guests> {
    let links = |word: &Word| is_any(&word.text, &["with", "for", "between"]) && !word.quoted;
    (from..clause.len()).filter(|&at| links(&clause[at])).find_map(|at| {
        let (names, end, me) = row(heard, clause, at + 1, world);
        let with = clause[at].is("with");
        let (last, first) = names.split_last()?;
        let names = match first {
            [] => last.clone(),
            first => format!("{} and {last}", first.join(", ")),
        };
        let places = if with && !me { at..at } else { at..end };
        (with || me).then_some(Guests { places, names })
    })
}

/// "Me, her and Tom": who is named, where it ends, and whether "me" was among them.
fn row(heard: &str, clause: &[Word], from: usize, world: &World) -> (Vec<String>, usize, bool) {
    let (mut names, mut me, mut end, mut at) = (Vec::new(), false, from, from);
    while let Some(word) = clause.get(at) {
        let used = if is_any(&word.text, &["me", "us", "myself"]) {
            me = true;
            1
        } else if is_any(&word.text, PRONOUNS) {
            names.push(word.text.clone());
            1
        } else if let Some((whom, used)) = whom::at(clause, at, heard, world)
            && !matches!(whom, Whom::Stranger(_))
        {
            names.push(heard[word.start..clause[at + used - 1].end].to_owned());
            used
        } else {
            break;
        };
        end = at + used;
        let joined = clause[end - 1].stop == Some(',') || whom::is_joined(clause, end, heard);
        let and = clause.get(end).is_some_and(|word| word.is("and"));
        if !joined && !and {
            break;
        }
        at = end + usize::from(and);
    }
    (names, end, me)
}

/// Whom the mail before it is for, as it was said.
fn told(heard: &str, mail: &[Word], world: &World) -> Option<String> {
    (0..mail.len()).rev().filter(|&at| is_any(&mail[at].text, TELLS)).find_map(|at| {
        let back = usize::from(mail.get(at + 1).is_some_and(|next| next.is("back")));
        let to = usize::from(mail.get(at + 1 + back).is_some_and(|next| next.is("to")));
        let first = at + 1 + back + to;
        let name = mail.get(first)?;
        if is_any(&name.text, PRONOUNS) {
            return Some(name.text.clone());
        }
        let (people, end) = whom::list(mail, first, heard, world);
        let known = |one: &Whom| !matches!(one, Whom::Stranger(_));
        let reachable = !people.is_empty() && people.iter().all(known);
        reachable.then(|| heard[name.start..mail[end - 1].end].to_owned())
    })
}

/// Up to the end of the sentence, or to the next thing to write.
fn end_of(said: &[Word], at: usize) -> usize {
    let ends = |place: &usize| {
        matches!(said[place - 1].stop, Some('.' | '?' | '!'))
            || starts(said, *place) && writes::read(sentence::bare(&said[*place..])).is_some()
    };
    (at + 1..said.len()).find(ends).unwrap_or(said.len())
}

/// A mark stands before it, or before the "and" that leads to it.
fn is_paused(said: &[Word], at: usize) -> bool {
    let links = |word: &&Word| is_any(&word.text, &["and", "then", "also", "please"]);
    let before = said[..at].iter().rev().find(|word| word.stop.is_some() || !links(word));
    before.is_some_and(|word| word.stop.is_some())
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> Option<String> {
        ordered(heard, &words(heard), &corpus::world())
    }

    #[test]
    fn time_with_somebody_is_booked_whatever_the_verb() {
        for (heard, plain) in [
            (
                "tell Tom yes, and get me 45 minutes with Ana tomorrow at three",
                "tell Tom yes, and schedule 45 minutes with Ana tomorrow at three",
            ),
            (
                "tell Tom yes, and find 45 minutes for me, her and Ana on Friday at 3",
                "tell Tom yes, and schedule 45 minutes with her and Ana on Friday at 3",
            ),
            (
                "reply to Tom that it works, then a 45 minute call with Ana on Friday at 1",
                "reply to Tom that it works, then schedule 45 minute call with Ana on Friday at 1",
            ),
            (
                "tell tom i'm in and book us half an hour on friday at 2",
                "tell tom i'm in and schedule half an hour with tom on friday at 2",
            ),
            (
                "ask Tom about the foam, and if I'm free at 11 on Thursday put 30 minutes with him there",
                "ask Tom about the foam, and put 30 minutes with him at 11 on Thursday if it is free",
            ),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(plain), "{heard}");
        }
    }

    #[test]
    fn time_that_is_wished_for_and_things_without_a_verb_are_booked() {
        for (heard, plain) in [
            (
                "reply to Tom that it works, and I need 20 minutes with Ana on Friday at 2",
                "reply to Tom that it works, and schedule 20 minutes with Ana on Friday at 2",
            ),
            (
                "tell tom thursday works and i'd like half an hour with ana tomorrow at 3",
                "tell tom thursday works and schedule half an hour with ana tomorrow at 3",
            ),
            (
                "email Tom that I can't come, and gym at 7:30 on Tuesday",
                "email Tom that I can't come, and schedule gym at 7:30 on Tuesday",
            ),
            (
                "tell Tom I'm late, then lunch with Ana on Friday at noon",
                "tell Tom I'm late, then schedule lunch with Ana on Friday at noon",
            ),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(plain), "{heard}");
        }
        for heard in [
            "tell tom it works, and i need 20 minutes with tom on friday at 2",
            "tell tom it works, and i need 20 minutes with him on friday at 2",
            "tell tom it works and i need 20 minutes with ana",
            "email tom: it works, and i need 20 minutes with ana on friday at 2",
            "tell ana i have lunch at noon, and gym at 7:30 on friday",
            "tell ana dinner at six, and gym at 7:30 on friday",
            "tell ana it is gym at 7:30 on friday",
        ] {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }

    #[test]
    fn what_somebody_does_or_is_told_to_do_stays_where_it_is() {
        for heard in [
            "tell ana we should find 45 minutes with tom on friday",
            "tell ana i'm in and we can get 45 minutes with tom on friday",
            "tell ana i'll call the clinic and get 45 minutes with tom on friday",
            "ask tom to check the room and get me 45 minutes with ana on friday",
            "tell tom i have time on friday, a 30 minute call with ana at 3",
            "tell ana i'm in, a 30 minute call with tom on friday is fine",
            "remind me at 5 to call tom and get 30 minutes with ana on friday",
            "email tom: bring the slides, then 30 minutes with ana on friday at 3",
            "set up a meeting, 45 minutes with ana, on friday at 3",
            "tell tom yes and schedule 45 minutes with ana on friday at 3",
        ] {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }
}
