//! A second request that leans on the first: "book a call with Tom at ten and
//! one with Ana at eleven", "email Ana that it moved, email Tom too".
//!
//! What it leaves out is put in, so that each can be read by itself.

use brain::resolve::time::{self, Grain, Lean, When};
use brain::resolve::words::{Word, words};
use jiff::ToSpan;

use super::follow::is_of_the_clock;
use super::vocabulary::{ONE_MAIL, is_any};
use super::whom::{self, Whom};
use super::writes::{self, Kind};
use super::{booking, sentence};
use crate::World;

const EVENTS: &[&str] = &[
    "lunch",
    "dinner",
    "breakfast",
    "brunch",
    "coffee",
    "drinks",
    "tea",
    "call",
    "meeting",
    "workshop",
    "sync",
];
const LINKS: &[&str] = &["and", "also", "then", "plus"];

/// The sentence with the second request in full.
pub fn spelled_out(heard: &str, said: &[Word], world: &World) -> Option<String> {
    another_reply(heard, said, world)
        .or_else(|| the_same(heard, said, world))
        .or_else(|| them_too(heard, said, world))
        .or_else(|| them_after_all(heard, said, world))
        .or_else(|| (2..said.len()).find_map(|at| one_more_event(heard, said, at, world)))
}

/// "Reply to the first one that it works and to the second one that I'm late"
fn another_reply(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let request = sentence::without_lead(said);
    let replies = |word: &Word| is_any(&word.text, &["reply", "respond", "answer"]);
    let first = said.iter().position(replies).filter(|&at| {
        at + request.len() == said.len() || at > 0 && is_any(&said[at - 1].text, LINKS)
    })?;
    if !said.get(first + 1)?.is("to") {
        return None;
    }
    let says = |at: usize| {
        said.get(at).is_some_and(|word| is_any(&word.text, &["that", "saying", "with"]))
    };
    let at = (first + 4..said.len()).find(|&at| {
        let paused = matches!(said[at - 1].stop, Some(';' | ','));
        let linked = said[at].is("to") && (said[at - 1].is("and") || paused) && !said[at].quoted;
        if !linked {
            return false;
        }
        let texts: Vec<&str> = said[at + 1..].iter().map(|word| word.text.as_str()).collect();
        let one = match texts.as_slice() {
            ["the", rest @ ..] => time::ordinal(rest).map(|(_, used)| {
                let noun = rest.get(used).is_some_and(|noun| is_any(noun, ONE_MAIL));
                1 + used + usize::from(noun)
            }),
            _ => None,
        };
        let named = || match whom::at(said, at + 1, heard, world)? {
            (Whom::Stranger(_), _) => None,
            (_, used) => Some(used),
        };
        one.or_else(named).is_some_and(|used| says(at + 1 + used))
    })?;
    let verb = &said[first].text;
    let last = at - 1 - usize::from(said[at - 1].is("and"));
    let (before, after) = (&heard[..said[last].end], &heard[said[at].start..]);
    Some(format!("{before}, and {verb} {after}"))
}

/// "Book a call with Tom on Monday at 10 and one with Priya at 11"
fn one_more_event(heard: &str, said: &[Word], at: usize, world: &World) -> Option<String> {
    let links = said[at..].iter().take_while(|word| is_any(&word.text, LINKS)).count();
    if links == 0 && said[at - 1].stop != Some(',') || said[at].quoted {
        return None;
    }
    let (before, tail) = (&said[..at], said.get(at + links..)?);
    let first = *writes::parts(before, heard, world).last()?;
    let request = sentence::bare(first.words);
    if first.kind != Kind::Event {
        return None;
    }
    let verb = booking::verb(request)?;
    if let Some(after) = right_after(heard, request, verb, tail, world) {
        return Some(format!("{} and {after}", heard[..before[at - 1].end].trim_end()));
    }
    let one = match tail {
        [one, rest, ..] if one.is("one") && is_link(rest) => 1,
        [one, rest, ..] if one.is("another") && is_link(rest) => 1,
        [one, two, rest, ..] if one.is("another") && two.is("one") && is_link(rest) => 2,
        [noun, with, ..] if with.is("with") && is_any(&noun.text, EVENTS) => 0,
        [article, noun, ..] if is_any(&article.text, &["a", "an"]) && !noun.is("half") => 0,
        // "Haircut on Tuesday at 10"
        [noun, _, ..] if booking::is_of_the_day(&noun.text) => 0,
        _ => return None,
    };
    let (old, new) = (moment(request, world)?, moment(tail, world)?);
    let bare = booking::is_of_the_day(&tail[0].text);
    let least = if bare { 1 } else { 2 };
    let start = *new.words.first().filter(|start| **start >= least && **start < tail.len())?;
    let noun = if one == 0 {
        String::new()
    } else {
        let ends = |at: &usize| is_link(&request[*at]) || old.words.contains(at);
        let end = (verb..request.len()).find(ends).filter(|end| *end > verb)?;
        heard[request[verb].start..request[end - 1].end].to_owned()
    };
    let says_day = |words: &[Word], when: &When| {
        when.words.iter().any(|&place| !is_of_the_clock(&words[place].text))
    };
    let day = match old.readings.first() {
        Some(reading) if !says_day(tail, &new) && says_day(request, &old) => {
            format!("on {} ", reading.range.start.date())
        }
        _ => String::new(),
    };
    let does = match request[0].text.as_str() {
        "invite" | "meet" => "book",
        _ => &heard[request[0].start..request[verb - 1].end],
    };
    let mut second = heard[tail[one].start..].to_owned();
    second.insert_str(tail[start].start - tail[one].start, &day);
    // "Lunch with Tom at 12 and coffee with Ana at 3 on Friday": both are.
    let first_day = match new.readings.first() {
        Some(reading) if says_day(tail, &new) && !says_day(request, &old) && one == 0 => {
            format!(" on {}", reading.range.start.date())
        }
        _ => String::new(),
    };
    let head = format!("{}{first_day}", heard[..before[at - 1].end].trim_end());
    let noun = if noun.is_empty() { noun } else { format!("{noun} ") };
    Some(format!("{head} and {does} {noun}{second}"))
}

/// "… and lunch with Ana right after": when the first is over.
fn right_after(
    heard: &str,
    request: &[Word],
    verb: usize,
    tail: &[Word],
    world: &World,
) -> Option<String> {
    const AFTER: &[&[&str]] = &[
        &["right", "after", "that"],
        &["straight", "after", "that"],
        &["right", "after"],
        &["straight", "after"],
        &["right", "afterwards"],
        &["after", "that"],
        &["afterwards"],
    ];
    let end = tail
        .iter()
        .position(|word| word.stop.is_some() || is_any(&word.text, LINKS) && !word.quoted);
    let ended = end.map_or(tail.len(), |end| end + usize::from(tail[end].stop.is_some()));
    let texts: Vec<&str> = tail[..ended].iter().map(|word| word.text.as_str()).collect();
    let used = AFTER.iter().find(|after| texts.ends_with(after))?.len();
    let what = tail[..ended - used].first()?;
    let thing = booking::is_of_the_day(&what.text) || is_any(&what.text, EVENTS);
    if !thing && !is_any(&what.text, &["a", "an"]) {
        return None;
    }
    let start = moment(request, world)?.readings.into_iter().next()?.range.start;
    let said: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let usual = world.profile.default_meeting_minutes;
    let minutes = time::length(&said).map_or(usual, |(minutes, _)| minutes);
    let over = start.checked_add(i64::from(minutes).minutes()).ok()?;
    let does = &heard[request[0].start..request[verb - 1].end];
    let named = &heard[what.start..tail[ended - used - 1].end];
    let rest = &heard[tail[ended - 1].end..];
    Some(format!("{does} {named} on {} at {}{rest}", over.date(), over.strftime("%H:%M")))
}

fn is_link(word: &Word) -> bool {
    is_any(&word.text, &["with", "at", "on", "for", "about", "from", "called"])
}

/// A time on the clock that these words name.
fn moment(words: &[Word], world: &World) -> Option<When> {
    let when = time::find(words, &world.local_now(), Lean::Ahead)?;
    let grain = when.readings.first()?.grain;
    matches!(grain, Grain::Moment | Grain::Hours).then_some(when)
}

/// "Ask Dana if she has a minute and ask Omar the same".
fn the_same(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let end = (3..said.len().saturating_sub(1)).find(|&at| {
        let ends = said.get(at + 2).is_none_or(|next| is_any(&next.text, LINKS));
        said[at].is("the") && said[at + 1].is("same") && (ends || said[at + 1].stop.is_some())
    })?;
    let at = (1..end).rev().find(|&at| is_any(&said[at].text, &["ask", "tell", "email"]))?;
    let (people, last) = whom::list(said, at + 1, heard, world);
    let reachable =
        !people.is_empty() && people.iter().all(|one| !matches!(one, Whom::Stranger(_)));
    if last != end || !reachable {
        return None;
    }
    let links = said[..at].iter().rev().take_while(|word| is_any(&word.text, LINKS)).count();
    let before = &said[..at - links];
    let first = *writes::parts(before, heard, world).last()?;
    let request = sentence::without_lead(first.words);
    let (told, words) = whom::list(request, 1, heard, world);
    let same_verb = request.first().is_some_and(|verb| verb.text == said[at].text);
    let paused = before.last().is_some_and(|last| last.stop.is_some());
    if first.kind != Kind::Mail || told.is_empty() || !same_verb || links == 0 && !paused {
        return None;
    }
    let words = &heard[request.get(words)?.start..before.last()?.end];
    Some(format!("{} {words}{}", &heard[..said[last - 1].end], &heard[said[end + 1].end..]))
}

/// "… email Tom too": he gets the same mail.
fn them_too(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let too = match said {
        [rest @ .., last] if last.is("too") => rest.len(),
        [rest @ .., one, two] if one.is("as") && two.is("well") => rest.len(),
        _ => return None,
    };
    let verbs = ["email", "mail", "message", "tell", "let"];
    let at = (1..too).rev().find(|&at| is_any(&said[at].text, &verbs))?;
    let too = too - usize::from(said[at].is("let") && said[too - 1].is("know"));
    let reachable = |people: &[Whom]| {
        !people.is_empty() && people.iter().all(|whom| !matches!(whom, Whom::Stranger(_)))
    };
    let theirs = ["to", "i", "you", "we", "they", "he", "she", "can", "should", "will", "must"];
    if is_any(&said[at - 1].text, &theirs) {
        return None;
    }
    let (people, end) = whom::list(said, at + 1, heard, world);
    if end != too || !reachable(&people) {
        return None;
    }
    let mut before = &said[..at];
    while let [rest @ .., last] = before
        && is_any(&last.text, LINKS)
    {
        before = rest;
    }
    let first = *writes::parts(before, heard, world).last()?;
    let request = sentence::without_lead(first.words);
    let (start, end) = (1..request.len().min(5)).find_map(|at| {
        let (people, end) = whom::list(request, at, heard, world);
        reachable(&people).then_some((at, end))
    })?;
    if first.kind != Kind::Mail || end >= request.len() || request[0].is("reply") {
        return None;
    }
    let names = &heard[request[start].start..request[end - 1].end];
    let more = &heard[said[at + 1].start..said[too - 1].end];
    let last = before.last()?.end;
    Some(format!(
        "{}{names} and {more}{}",
        &heard[..request[start].start],
        &heard[request[end - 1].end..last]
    ))
}

/// "And tell Tom too", a moment after a mail: he gets the same one.
fn them_after_all(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let recent = world.focus.recent.as_deref()?;
    let request = sentence::without_lead(said);
    let tells = request.first().is_some_and(|verb| is_any(&verb.text, &["tell", "email", "mail"]));
    let both = format!("{recent}, {}", &heard[request.first()?.start..]);
    let same = them_too(&both, &words(&both), world).filter(|_| tells)?;
    let (people, end) = whom::list(request, 1, heard, world);
    if people.is_empty() {
        return None;
    }
    let more = &heard[request[1].start..request[end - 1].end];
    // Whoever has it already does not get it again.
    let at = same.find(&format!(" and {more}"))?;
    let all = words(&same[..at]);
    let known = |&place: &usize| {
        matches!(whom::at(&all, place, &same, world), Some((Whom::Known { .. }, _)))
    };
    let first = (0..all.len()).find(known)?;
    Some(format!("{}{more}{}", &same[..all[first].start], &same[at + 5 + more.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> String {
        let world = corpus::world();
        spelled_out(heard, &words(heard), &world).unwrap_or_else(|| "as it was".to_owned())
    }

    #[test]
    fn a_second_request_gets_what_it_left_out() {
        let cases = [
            (
                "book a call with tom on monday at 10 and one with priya at 11",
                "book a call with tom on monday at 10 and book a call with priya on 2026-11-16 at 11",
            ),
            (
                "add yoga on tuesday at 7pm and a haircut on saturday at 10",
                "add yoga on tuesday at 7pm and add a haircut on saturday at 10",
            ),
            (
                "put dentist monday at 9 and haircut tuesday at 10",
                "put dentist monday at 9 and put haircut tuesday at 10",
            ),
            (
                "put physio on thursday at 11:15 and lunch with ana right after",
                "put physio on thursday at 11:15 and put lunch with ana on 2026-11-19 at 11:45",
            ),
            (
                "email ana that the room changed email tom too",
                "email ana and tom that the room changed",
            ),
        ];
        for (heard, expected) in cases {
            assert_eq!(meant(heard), expected, "{heard}");
        }
    }

    #[test]
    fn what_belongs_to_the_first_request_is_left_alone() {
        for heard in [
            "book lunch with tom and ana on friday at noon",
            "tell tom that ana wants to email marcus too",
            "schedule a review of a plan and a budget on friday at 3",
            "tell tom the call is at 3 and a review at 4",
        ] {
            assert_eq!(meant(heard), "as it was", "{heard}");
        }
    }
}
