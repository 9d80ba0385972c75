//! Something on the calendar that is to go, or to be at another time.
//!
//! What is asked is read in `asked`, which event is meant in `meant`, and where it comes to in
//! `whereto`. An event is first looked for among what was just told, then on the calendar; one
//! is a card, several are a question, and none is said to be so.

mod asked;
mod meant;
mod whereto;

use brain::facts::Meeting;
use brain::plan::ProposedStep;
use brain::resolve::words::Word;
use serde_json::{Value, json};

use self::asked::{Asked, Wish};
use self::meant::{Found, Meant};
use super::{Lookup, Meaning, Question, Want, condition, sentence};
use crate::World;
use crate::focus::{Awaited, Choice, Missing, Unclear};
use crate::gist::{Chat, Gist, NotYet};
use crate::narrator::card;
use crate::narrator::spelling::{capital, day};

/// As many as have a key of their own.
const MOST_CHOICES: usize = 9;

/// What becomes of the calendar; `None` where nothing on it is to change.
pub fn read(request: &[Word], heard: &str, world: &World) -> Option<Meaning> {
    let (request, hangs) = condition::tail(request);
    let asked = asked::read(request, world)?;
    if hangs.is_some() {
        return Some(Meaning::Chat(Chat::Hangs));
    }
    if asked.is_of_many() {
        // "Delete everything" may be about mail.
        return asked.is_sure.then_some(Meaning::Chat(Chat::NotYet(NotYet::AllAtOnce)));
    }
    let meant = Meant::of(&asked, heard, world)?;
    match meant.find(world) {
        Found::One(meeting) => Some(changed(&asked, &meeting, world)),
        Found::Several(meetings) => Some(which(&asked, &meetings, world)),
        Found::Look(lookup) => Some(Meaning::Later { lookups: vec![*lookup], missing: "event_id" }),
        // "Delete the newsletter": what is nowhere on the calendar is no event.
        Found::Alike(_) | Found::Nothing(_) | Found::Unnamed if !asked.is_sure => None,
        Found::Alike(meetings) => Some(did_you_mean(&asked, &meetings, heard)),
        Found::Nothing(told) => Some(Meaning::Chat(Chat::AboutEvent(told))),
        Found::Unnamed => Some(unnamed(&asked, heard)),
    }
}

/// "Make lunch half past twelve instead" is no new lunch.
pub fn moves(request: &[Word], world: &World) -> bool {
    asked::done_instead(request, world).is_some()
}

/// "If it rains, cancel the walk": nobody watches whether it comes true, so nobody acts on
/// it. `before` is what was said before it.
pub fn unless_hanging(meaning: Meaning, before: &[Word]) -> Meaning {
    let lookups = match &meaning {
        Meaning::Look(lookups) | Meaning::Later { lookups, .. } => lookups.as_slice(),
        _ => &[],
    };
    let changes = |lookup: &Lookup| {
        matches!(lookup.gist, Gist::Spot | Gist::CallOff { .. } | Gist::Move { .. })
    };
    let hangs = sentence::is_condition(sentence::latest(before));
    if hangs && lookups.iter().any(changes) { Meaning::Chat(Chat::Hangs) } else { meaning }
}

/// "Cancel that", "undo that", "make it four": right behind what was put on the calendar it
/// is about that, and nowhere else.
pub fn of_what_was_booked(heard: &str, words: &[Word], world: &World) -> Option<Meaning> {
    // What was asked is answered first.
    let booked = world.focus.booked.as_ref().filter(|_| !world.focus.is_asking(false))?;
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_suffix(&["please"]).unwrap_or(&texts);
    let texts = texts.strip_prefix(&["actually"]).unwrap_or(texts);
    let undone = matches!(
        texts,
        ["cancel" | "undo" | "delete" | "remove" | "scrap", "it" | "that" | "this"]
            | ["undo"]
            | ["take", "it" | "that", "off" | "back"]
    );
    if undone && !words.iter().any(|word| word.quoted) {
        return Some(called_off(booked));
    }
    let request = sentence::bare(words);
    let [make, it, rest @ ..] = request else { return None };
    let asks = make.is("make") && (it.is("it") || it.is("that")) && !make.quoted;
    let (first, last) = (rest.first()?, rest.last()?);
    let moved = asks.then(|| &heard[first.start..last.end]).filter(|_| asked::is_time(rest, world));
    let asked =
        Asked { wish: Wish::Move(moved?.to_owned()), object: &request[1..2], is_sure: true };
    Some(changed(&asked, booked, world))
}

fn changed(asked: &Asked<'_>, meeting: &Meeting, world: &World) -> Meaning {
    match &asked.wish {
        Wish::Cancel => called_off(meeting),
        Wish::EitherWay(span) => earlier_or_later(span, meeting),
        Wish::Move(to) => whereto::moved(to, meeting, world),
    }
}

fn called_off(meeting: &Meeting) -> Meaning {
    let args = json!({ "event_id": meeting.event_id });
    look("calendar.cancel_event", args, meeting, "Found it.".to_owned())
}

fn look(tool: &str, args: Value, meeting: &Meeting, acknowledgement: String) -> Meaning {
    let what = meeting.title.clone();
    let gist = match tool {
        "calendar.cancel_event" => Gist::CallOff { what },
        _ => Gist::Move { what },
    };
    let steps = vec![ProposedStep { tool: tool.to_owned(), args }];
    Meaning::Look(vec![Lookup { steps, gist, acknowledgement }])
}

/// "Move it forward an hour": to some that is earlier, to others later.
fn earlier_or_later(span: &str, meeting: &Meeting) -> Meaning {
    let clear = |way: &str| format!("move {} {span} {way}", spelled(meeting));
    let choice = |name: &str, way: &str| Choice::new(Unclear::Time, name, clear(way));
    Meaning::Choose {
        question: "Earlier or later?".to_owned(),
        choices: vec![choice("Earlier", "earlier"), choice("Later", "later")],
        awaited: None,
    }
}

fn which(asked: &Asked<'_>, meetings: &[Meeting], world: &World) -> Meaning {
    let start = asked.object.first().map_or(0, |first| first.start);
    let end = asked.object.last().map_or(start, |last| last.end);
    let shown = &meetings[..meetings.len().min(MOST_CHOICES)];
    let choices = shown.iter().map(|one| (told_apart(one, shown, world), spelled(one)));
    Meaning::Ask(Question {
        about: Unclear::Event,
        lead: Some("Which one:".to_owned()),
        span: start..end,
        choices: choices.collect(),
    })
}

/// "Did you mean Heron stand-up?": it is never taken for it.
fn did_you_mean(asked: &Asked<'_>, meetings: &[Meeting], heard: &str) -> Meaning {
    let start = asked.object.first().map_or(heard.len(), |first| first.start);
    let end = asked.object.last().map_or(start, |last| last.end);
    let clear = |one: &Meeting| format!("{}{}{}", &heard[..start], spelled(one), &heard[end..]);
    let choices = meetings.iter().map(|one| Choice::new(Unclear::Event, &*one.title, clear(one)));
    let titles: Vec<&str> = meetings.iter().map(|one| one.title.as_str()).collect();
    let question = format!("Did you mean {}?", titles.join(" or "));
    Meaning::Choose { question, choices: choices.collect(), awaited: None }
}

/// By its title, by when it is, or by both.
fn told_apart(one: &Meeting, all: &[Meeting], world: &World) -> String {
    let now = world.local_now();
    let same = |other: &&Meeting| other.title == one.title;
    let when = if one.all_day {
        day(one.start.date(), now.date())
    } else {
        card::moment(&one.start, &now)
    };
    let when = when.trim_start_matches("on ");
    match all.iter().filter(same).count() {
        1 => one.title.clone(),
        some if some == all.len() => capital(when),
        _ => format!("{}, {when}", one.title),
    }
}

/// As a sentence says it beyond doubt.
fn spelled(meeting: &Meeting) -> String {
    let title = meeting.title.replace(['“', '”', '"', '«', '»'], "");
    let date = meeting.start.date();
    if meeting.all_day {
        return format!("“{title}” on {date}");
    }
    format!("“{title}” on {date} at {}", meeting.start.strftime("%H:%M"))
}

/// Nobody said which, and nothing was spoken of: the next sentence may say it.
fn unnamed(asked: &Asked<'_>, heard: &str) -> Meaning {
    let start = asked.object.first().map_or(heard.len(), |first| first.start);
    let end = asked.object.last().map_or(heard.len(), |last| last.end);
    let awaited = Awaited {
        what: Missing::Title,
        before: heard[..start].trim_end().to_owned(),
        after: heard[end..].trim_end_matches(['.', '?', '!', ' ']).to_owned(),
        day: None,
        instead_of: None,
    };
    Meaning::Want(Want { question: "Which event do you mean?".to_owned(), awaited })
}

#[cfg(test)]
mod tests;
