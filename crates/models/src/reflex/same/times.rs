//! A time or a day that was spoken of before.

use std::ops::Range;

use brain::facts::Meeting;
use brain::resolve::time::{self, Grain, Lean, When};
use brain::resolve::words::{Word, words};
use jiff::Zoned;
use jiff::civil::Date;

use super::{is_dictated, span, stands};
use crate::World;
use crate::reflex::follow::is_of_the_clock;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::reflex::{booking, propose, refer, sentence};

const SAME_TIME: &[&[&str]] = &[&["at", "the", "same", "time"], &["same", "time"]];
const THAT_DAY: &[&[&str]] = &[
    &["on", "the", "same", "day"],
    &["on", "that", "day"],
    &["the", "same", "day"],
    &["same", "day"],
    &["that", "day"],
];

const PARTS_OF_A_DAY: &[&str] = &["morning", "afternoon", "evening"];

/// The first reference to a time, in bytes of the sentence, and the time.
pub fn found(heard: &str, said: &[Word], world: &World) -> Option<(Range<usize>, String)> {
    (1..said.len()).find_map(|at| {
        let (places, instead) = same_time(said, at, world)
            .or_else(|| that_day(said, at, world))
            .or_else(|| after(said, at, world))
            .or_else(|| then(heard, said, at, world))
            .or_else(|| when_they_come(heard, said, at, world))
            .or_else(|| of_that_day(said, at, world))?;
        (!is_dictated(said, at, heard, world)).then(|| (span(said, &places), instead))
    })
}

/// "At the same time", "at the same time as the design review".
fn same_time(said: &[Word], at: usize, world: &World) -> Option<(Range<usize>, String)> {
    let used = SAME_TIME.iter().find(|phrase| stands(said, at, phrase))?.len();
    let end = at + used;
    let (moment, end) = if stands(said, end, &["as"]) {
        let (meeting, behind) = titled(said, end + 1, world)?;
        (meeting.start.clone(), behind)
    } else {
        (before(said, at, world).or_else(|| at_hand(world))?, end)
    };
    let others: Vec<Word> = said[..at].iter().chain(&said[end..]).cloned().collect();
    let named = time::find(&others, &world.local_now(), Lean::Ahead)
        .is_some_and(|when| when.words.iter().any(|&place| !is_of_the_clock(&others[place].text)));
    let instead =
        if named { format!("at {}", moment.strftime("%H:%M")) } else { propose::spelled(&moment) };
    Some((at..end, instead))
}

fn that_day(said: &[Word], at: usize, world: &World) -> Option<(Range<usize>, String)> {
    let part = said.get(at + 1).filter(|part| is_any(&part.text, PARTS_OF_A_DAY));
    let part = part.filter(|_| stands(said, at, &["that"]));
    let whole = || Some(THAT_DAY.iter().find(|phrase| stands(said, at, phrase))?.len());
    let used = part.map_or_else(whole, |_| Some(2))?;
    let now = world.local_now();
    // "At 7:30 that evening": an hour alone names no day.
    let dated = |when: &When| when.words.iter().any(|&at| !is_of_the_clock(&said[at].text));
    let earlier = time::find(&said[..at], &now, Lean::Ahead).filter(dated);
    let earlier = earlier.map(|when| when.readings[0].range.start.date());
    let day = earlier.or(world.focus.card_day).or_else(|| day_at_hand(world))?;
    let part = part.map_or_else(String::new, |part| format!(" in the {}", part.text));
    Some((at..at + used, format!("on {day}{part}")))
}

/// "Am I free then", "free then at four"; "and then" only goes on.
fn then(heard: &str, said: &[Word], at: usize, world: &World) -> Option<(Range<usize>, String)> {
    if let Some(when) = asked_about(said, at, world) {
        return Some((at..at + 1, when));
    }
    let asks = is_any(&said[at - 1].text, &["free", "available", "busy", "open"]);
    if !said[at].is("then") || said[at].quoted || !asks {
        return None;
    }
    let now = world.local_now();
    let hour = said[at + 1..].first().is_some_and(|next| next.is("at"));
    let spoken = time::find(&said[..at], &now, Lean::Ahead);
    let instead = match spoken {
        Some(when) => {
            let mut places = when.words.iter();
            let first = &said[*places.next()?];
            let last = &said[*places.next_back().unwrap_or(&when.words[0])];
            let day = || format!("on {}", when.readings[0].range.start.date());
            if hour { day() } else { heard[first.start..last.end].to_owned() }
        }
        None if hour => format!("on {}", day_at_hand(world)?),
        None => propose::spelled(&at_hand(world)?),
    };
    Some((at..at + 1, instead))
}

/// "Am I free tomorrow at two" – "put a call with Omar there": at two.
fn asked_about(said: &[Word], at: usize, world: &World) -> Option<String> {
    let word = &said[at];
    let ends = at + 1 == said.len() || word.stop.is_some();
    let points = ends && (word.is("there") || word.is("then"));
    if !points || word.quoted || booking::verb(sentence::without_lead(said)).is_none() {
        return None;
    }
    let now = world.local_now();
    let others: Vec<Word> = said[..at].iter().chain(&said[at + 1..]).cloned().collect();
    if time::find(&others, &now, Lean::Ahead).is_some() {
        return None;
    }
    let asked = words(&world.focus.request.as_ref()?.sentence);
    // "In an hour" was an hour from then.
    if asked.iter().any(|word| is_any(&word.text, &["in", "now", "next"])) {
        return None;
    }
    let reading = time::find(&asked, &now, Lean::Ahead)?.readings.into_iter().next()?;
    match reading.grain {
        Grain::Moment => Some(propose::spelled(&reading.range.start)),
        // "When am I free on Friday" – "book half an hour with Dana then".
        Grain::Day => Some(format!("on {}", reading.range.start.date())),
        _ => None,
    }
}

/// "Am I free when Leo comes": when that is, once it was told of.
fn when_they_come(
    heard: &str,
    said: &[Word],
    at: usize,
    world: &World,
) -> Option<(Range<usize>, String)> {
    let coming = coming(said, heard, world).filter(|coming| coming.places.start == at)?;
    let focus = &world.focus;
    let moment = match &coming.name {
        None => at_hand(world)?,
        Some(name) => {
            let theirs =
                |meeting: &&Meeting| words(&meeting.title).iter().any(|word| word.text == *name);
            let wrote = |from: &str| words(from).iter().any(|word| word.text == *name);
            let letter = focus.opened.as_ref().filter(|letter| wrote(letter.from.called()));
            let meeting = focus.meetings.iter().chain(&focus.meeting).find(theirs);
            meeting
                .map(|meeting| meeting.start.clone())
                .or_else(|| letter.and_then(|_| in_the_mail(world)))?
        }
    };
    Some((coming.places, propose::spelled(&moment)))
}

/// "When he's coming", behind a question whether there is room.
pub struct Coming {
    pub places: Range<usize>,
    /// By what name somebody comes, where one was said.
    pub name: Option<String>,
}

pub fn coming(said: &[Word], heard: &str, world: &World) -> Option<Coming> {
    const COMES: &[&str] = &["coming", "comes", "here", "arriving", "arrives", "visiting"];
    let text = |at: usize| said.get(at).map_or("", |word| word.text.as_str());
    (1..said.len()).find_map(|at| {
        let asks = is_any(text(at - 1), &["free", "available", "busy", "home", "around"]);
        if !asks || !said[at].is("when") || said[at].quoted {
            return None;
        }
        let (name, used) = match whom::at(said, at + 1, heard, world) {
            Some((Whom::Known { .. }, used)) => (Some(text(at + 1).to_owned()), used),
            _ if is_any(text(at + 1), &["he", "she", "they"]) => (None, 1),
            _ => return None,
        };
        let is = usize::from(is_any(text(at + 1 + used), &["is", "are", "'s"]));
        let end = at + 1 + used + is;
        is_any(text(end), COMES).then(|| Coming { places: at..end + 1, name })
    })
}

/// "What does my Wednesday look like, and is there an hour free in the afternoon":
/// a question about a part of a day is about the day that was just asked for.
fn of_that_day(said: &[Word], at: usize, world: &World) -> Option<(Range<usize>, String)> {
    const ASKS: &[&str] = &[
        "is", "am", "do", "any", "anything", "what", "when", "have", "how", "show", "check", "are",
    ];
    let meal = |word: &Word| is_any(&word.text, &["lunch", "noon", "dinner"]);
    let beside = is_any(&said[at].text, &["before", "after"]);
    let clock = stands(said, at, &["at"]) && said.get(at + 1).is_some()
        || beside && said.get(at + 1).is_some_and(meal);
    let part = stands(said, at, &["in", "the"])
        && said.get(at + 2).is_some_and(|part| is_any(&part.text, PARTS_OF_A_DAY));
    if !clock && !part {
        return None;
    }
    let cuts = |place: &usize| said[*place - 1].stop.is_some() || said[*place - 1].is("and");
    let start = (1..=at).rev().find(cuts)?;
    let end = (at..said.len()).find(|&place| said[place].stop.is_some()).unwrap_or(said.len() - 1);
    let clause = sentence::bare(&said[start..=end]);
    let now = world.local_now();
    let own = time::find(clause, &now, Lean::Ahead)?;
    let dated = |when: &When, words: &[Word]| {
        let of_the_hour = |text: &str| is_of_the_clock(text) || is_any(text, PARTS_OF_A_DAY);
        when.words.iter().any(|&at| !of_the_hour(&words[at].text))
    };
    let day = time::find(&said[..start], &now, Lean::Ahead)?;
    let asks = |words: &[Word]| words.first().is_some_and(|first| is_any(&first.text, ASKS));
    let books = booking::verb(clause).is_some();
    let both = (asks(clause) || books) && asks(sentence::bare(&said[..start]));
    if !both || !is_one_day(&day) || dated(&own, clause) {
        return None;
    }
    let named: Vec<&str> = day.words.iter().map(|&place| said[place].text.as_str()).collect();
    let on = if matches!(named.as_slice(), [one] if *one != "tomorrow" && *one != "today") {
        "on "
    } else {
        ""
    };
    Some((at..at + 1, format!("{on}{} {}", named.join(" "), said[at].text)))
}

/// "Right after the design review": when that one ends.
fn after(said: &[Word], at: usize, world: &World) -> Option<(Range<usize>, String)> {
    let leads: [&[&str]; 3] = [&["right", "after"], &["straight", "after"], &["directly", "after"]];
    let close = leads.iter().find(|lead| stands(said, at, lead)).map(|lead| lead.len());
    let books = || booking::verb(sentence::without_lead(said)).is_some();
    let loose = || (stands(said, at, &["after"]) && books()).then_some(1);
    let used = close.or_else(loose)?;
    let (meeting, end) = titled(said, at + used, world)?;
    // "… on Wednesday": its own day says nothing new.
    let now = world.local_now();
    let own = time::find(&said[end..], &now, Lean::Ahead).filter(|when| {
        let is_next = when.words.iter().zip(0..).all(|(&place, next)| place == next);
        let day = when.readings.first().map(|reading| reading.range.start.date());
        is_next && is_one_day(when) && day == Some(meeting.start.date())
    });
    let end = end + own.map_or(0, |when| when.words.len());
    Some((at..end, propose::spelled(&meeting.end)))
}

fn is_one_day(when: &When) -> bool {
    when.readings.first().is_some_and(|reading| reading.grain == Grain::Day)
}

/// "Put that on my calendar", with a mail at hand that names one time.
pub fn on_the_calendar(
    heard: &str,
    said: &[Word],
    world: &World,
) -> Option<(Range<usize>, String)> {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_suffix(&["please"]).unwrap_or(&texts);
    let puts = |at: &usize| {
        matches!(
            texts.get(*at..),
            Some(
                [
                    "put" | "add",
                    "that" | "it" | "this",
                    "on" | "in" | "to",
                    "my" | "the",
                    "calendar"
                ] | ["book" | "schedule", "that"]
            )
        )
    };
    let begins = |at: &usize| {
        let before = at.checked_sub(1).map(|before| &said[before]);
        before.is_none_or(|word| {
            word.stop.is_some() || is_any(&word.text, &["and", "then", "please"])
        })
    };
    let at = (0..texts.len()).find(|at| puts(at) && begins(at))?;
    // A time that was just dictated is the one that is meant.
    if time::find(&said[..at], &world.local_now(), Lean::Ahead).is_some() {
        return None;
    }
    let letter = world.focus.opened.as_ref()?;
    let moment = in_the_mail(world)?;
    let from = refer::spelled(letter.from.called(), &letter.from.address, world);
    let event = format!("schedule a meeting with {from} {}", propose::spelled(&moment));
    Some((said[at].start..heard.len(), event))
}

/// A moment that the sentence itself named before.
fn before(said: &[Word], at: usize, world: &World) -> Option<Zoned> {
    let when = time::find(&said[..at], &world.local_now(), Lean::Ahead)?;
    let reading = when.readings.into_iter().next()?;
    matches!(reading.grain, Grain::Moment | Grain::Hours).then_some(reading.range.start)
}

/// When the meeting at hand is, or what the mail at hand names.
fn at_hand(world: &World) -> Option<Zoned> {
    let focus = &world.focus;
    let alone = match focus.meetings.as_ref() {
        [only] => Some(only),
        _ => None,
    };
    let meeting = focus.meeting.as_ref().or(alone);
    meeting.map(|meeting| meeting.start.clone()).or_else(|| in_the_mail(world))
}

/// The day that everything shown is on.
fn day_at_hand(world: &World) -> Option<Date> {
    let focus = &world.focus;
    if let Some(meeting) = &focus.meeting {
        return Some(meeting.start.date());
    }
    let mut days = focus.meetings.iter().map(|meeting| meeting.start.date());
    match days.next() {
        Some(day) => days.all(|other| other == day).then_some(day),
        None => at_hand(world).map(|moment| moment.date()),
    }
}

/// The one moment to come that the opened mail names, seen from the day it was sent.
fn in_the_mail(world: &World) -> Option<Zoned> {
    let (letter, text) = (world.focus.opened.as_ref()?, world.focus.opened_text.as_ref()?);
    let now = world.local_now();
    let sent = letter.sent_at.to_zoned(now.time_zone().clone());
    let mut found: Vec<Zoned> = text
        .split(['.', '?', '!', '\n', ';'])
        .filter_map(|line| time::find(&words(line), &sent, Lean::Ahead))
        .filter_map(|when| when.readings.into_iter().next())
        .filter(|reading| reading.grain == Grain::Moment)
        .map(|reading| reading.range.start)
        .filter(|moment| *moment > now)
        .collect();
    found.dedup();
    found.pop().filter(|_| found.is_empty())
}

/// A meeting that was shown and is called so, and the place behind its name.
pub fn titled<'a>(said: &[Word], at: usize, world: &'a World) -> Option<(&'a Meeting, usize)> {
    let the = usize::from(said.get(at).is_some_and(|word| is_any(&word.text, &["the", "my"])));
    let shown = &world.focus.meetings;
    let mut found: Vec<(&Meeting, usize)> = shown
        .iter()
        .filter_map(|meeting| {
            let title = words(&meeting.title);
            let texts: Vec<&str> = title.iter().map(|word| word.text.as_str()).collect();
            // "The stand-up" will do for "Heron stand-up".
            let from = (0..texts.len()).find(|&from| stands(said, at + the, &texts[from..]));
            // And "the design review" for "Design review: Heron".
            let lead = meeting.title.split_once(':').map_or(0, |(lead, _)| words(lead).len());
            let lead = (lead > 0 && stands(said, at + the, &texts[..lead])).then_some(lead);
            Some((meeting, at + the + from.map(|from| texts.len() - from).or(lead)?))
        })
        .collect();
    found.pop().filter(|_| found.is_empty())
}
