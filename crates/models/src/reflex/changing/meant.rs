//! Which event is meant: one that was just told of, or one by its name, its guests or its time.

use brain::facts::Meeting;
use brain::plan::ProposedStep;
use brain::resolve::people;
use brain::resolve::time::{self, Grain, Lean, Reading, ordinal};
use brain::resolve::words::{Word, words};
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use super::MOST_CHOICES;
use super::asked::Asked;
use crate::World;
use crate::gist::Gist;
use crate::narrator::spelling::capital;
use crate::reflex::follow::names_no_day;
use crate::reflex::vocabulary::is_any;
use crate::reflex::{Lookup, when};

/// How far one looks for something by its name, and for what is only nearly called so.
const FAR_DAYS: i64 = 60;
const NEAR_DAYS: i64 = 14;
/// Nobody calls an event by more words.
const LONGEST: usize = 8;

/// Said of any event; they only help where several could be meant.
const SOFT: &[&str] = &[
    "meeting",
    "appointment",
    "event",
    "thing",
    "slot",
    "booking",
    "entry",
    "call",
    "session",
    "date",
    "calendar",
];
/// What stands around a name.
const LITTLE: &[&str] = &[
    "the", "my", "our", "a", "an", "that", "this", "'s", "with", "on", "at", "from", "for", "in",
    "of", "and", "about", "called", "named", "coming", "upcoming", "next", "to", "off", "dr", "mr",
    "mrs", "ms", "is", "i", "have",
];
/// Meals are names here, and no hours.
pub const MEALS: &[&str] = &["lunch", "dinner", "breakfast", "brunch", "supper", "lunchtime"];

/// What is known of the event that is meant.
pub struct Meant {
    /// Words of its title, its guests or its place.
    names: Vec<String>,
    soft: Vec<String>,
    /// All of its title, word for word.
    title: Option<String>,
    /// What it was called, as it was said.
    called: String,
    when: Option<Named>,
    points: Option<Pointer>,
}

/// When it is, as somebody said.
struct Named {
    readings: Vec<Reading>,
    /// "My three o'clock": on whatever day is spoken of.
    any_day: bool,
}

#[derive(Clone, Copy)]
enum Pointer {
    It,
    Nth(usize),
    Last,
}

/// What was found.
pub enum Found {
    One(Box<Meeting>),
    Several(Vec<Meeting>),
    /// It has to be looked up first.
    Look(Box<Lookup>),
    /// None is called so; these sound like it.
    Alike(Vec<Meeting>),
    /// There is none; this is told.
    Nothing(String),
    /// Nobody said which.
    Unnamed,
}

impl Meant {
    pub fn of(asked: &Asked<'_>, heard: &str, world: &World) -> Option<Self> {
        let quoted: Vec<&str> =
            asked.object.iter().filter(|word| word.quoted).map(|word| word.text.as_str()).collect();
        let title = (!quoted.is_empty()).then(|| quoted.join(" "));
        let said = without_ones(asked.object);
        let timed: Vec<Word> = said
            .iter()
            .filter(|word| !word.quoted && !is_any(&word.text, MEALS))
            .cloned()
            .collect();
        let found = time::find(&timed, &world.local_now(), Lean::Ahead);
        let of_time: Vec<usize> =
            found.iter().flat_map(|when| &when.words).map(|at| timed[*at].start).collect();
        let when = found.map(|when| {
            let words: Vec<Word> = when.words.iter().map(|at| timed[*at].clone()).collect();
            Named { readings: when.readings, any_day: names_no_day(&words) }
        });
        let left: Vec<&Word> = said
            .iter()
            .filter(|word| word.quoted || !of_time.contains(&word.start))
            .filter(|word| word.quoted || !is_any(&word.text, LITTLE))
            .collect();
        let is_soft = |word: &&&Word| !word.quoted && is_any(&word.text, SOFT);
        let soft: Vec<String> = left.iter().filter(is_soft).map(|word| word.text.clone()).collect();
        let mut names: Vec<String> = left
            .iter()
            .filter(|word| !is_soft(word))
            .map(|word| known_as(&word.text, world))
            .collect();
        if names.len() > LONGEST {
            return None;
        }
        let mut called = match (left.first(), left.last()) {
            (Some(first), Some(last)) => heard[first.start..last.end].to_owned(),
            _ => String::new(),
        };
        // "Tell Tom I'm late and move our 1:1": with him.
        if asked.object.first().is_some_and(|first| first.is("our"))
            && let Some(whom) = whom_before(heard, asked.object[0].start, world)
        {
            called = format!("{called} with {}", capital(&whom));
            names.push(whom);
        }
        let points = pointer(asked.object, when.is_none() && names.is_empty());
        Some(Self { names, soft, title, called, when, points })
    }

    pub fn find(&self, world: &World) -> Found {
        let focus = &world.focus;
        if let Some(points) = self.points {
            return pointed(points, world);
        }
        let told: Vec<Meeting> =
            focus.booked.iter().chain(focus.meetings.iter()).cloned().collect();
        let mut fitting = self.fitting(&told, true);
        fitting.dedup_by(|one, other| one.event_id == other.event_id);
        match self.narrowed(fitting) {
            found if found.is_empty() => {}
            found => return one_or_several(found),
        }
        if self.names.is_empty() && self.when.is_none() {
            return Found::Unnamed;
        }
        self.on_the_calendar(world)
    }

    fn on_the_calendar(&self, world: &World) -> Found {
        let args = self.search(world);
        let Some(found) = spotted(&args, world) else { return look(args) };
        let now = world.local_now();
        let to_come = |one: &Meeting| one.end > now || self.when.is_some();
        let exact = self.narrowed(self.fitting(&found, false));
        let exact: Vec<Meeting> = exact.into_iter().filter(to_come).collect();
        if !exact.is_empty() {
            return one_or_several(exact);
        }
        if self.names.is_empty() {
            return Found::Nothing(self.nothing());
        }
        // "Standup" for "Stand-up": whatever is on is compared by its letters.
        let args = self.wide(world);
        let Some(found) = spotted(&args, world) else { return look(args) };
        let near = self.narrowed(self.fitting(&found, true));
        match near.into_iter().filter(to_come).collect::<Vec<_>>() {
            none if none.is_empty() => self.sounding(world),
            found => one_or_several(found),
        }
    }

    /// A title may have been misheard, as a name may be.
    fn sounding(&self, world: &World) -> Found {
        let (args, now) = (self.search(world), world.local_now());
        let spotted = world.focus.spotted.iter().find(|spotted| spotted.args == args);
        let alike = spotted.map_or(&[][..], |spotted| &spotted.found.alike);
        match self.fitting(alike, false).into_iter().filter(|one| one.end > now).collect::<Vec<_>>()
        {
            none if none.is_empty() => Found::Nothing(self.nothing()),
            alike => Found::Alike(alike),
        }
    }

    fn search(&self, world: &World) -> Value {
        let mut args = if let Some((start, end)) = self.day(world) {
            json!({ "date_range": when::as_range(&start, &end) })
        } else {
            let now = world.local_now();
            let end = now.saturating_add(FAR_DAYS.days());
            json!({ "date_range": when::as_range(&now, &end), "max_results": MOST_CHOICES })
        };
        if !self.names.is_empty() {
            args["query"] = json!(self.names.join(" "));
        }
        args
    }

    fn wide(&self, world: &World) -> Value {
        let (start, end) = self.day(world).unwrap_or_else(|| {
            let now = world.local_now();
            let end = now.saturating_add(NEAR_DAYS.days());
            (now, end)
        });
        json!({ "date_range": when::as_range(&start, &end) })
    }

    /// The day, or the days, it was said to be on.
    fn day(&self, world: &World) -> Option<(Zoned, Zoned)> {
        let reading = self.when.as_ref()?.readings.first()?;
        let (start, end) = (&reading.range.start, &reading.range.end);
        match reading.grain {
            Grain::Moment | Grain::Hours | Grain::Part | Grain::Day => {
                let zone = world.local_now().time_zone().clone();
                let local = start.with_time_zone(zone);
                let first = local.start_of_day().ok()?;
                let next = first.saturating_add(1.day());
                Some((first, next))
            }
            Grain::Weekend | Grain::Week | Grain::Month | Grain::Ahead | Grain::Span => {
                Some((start.clone(), end.clone()))
            }
        }
    }

    /// Those that have the names and the time. What the calendar was searched for has the
    /// names already.
    fn fitting(&self, all: &[Meeting], by_name: bool) -> Vec<Meeting> {
        let named = |one: &&Meeting| !by_name || self.names.iter().all(|name| has(one, name));
        let then = |one: &&Meeting| self.when.as_ref().is_none_or(|when| when.fits(one));
        all.iter().filter(named).filter(then).cloned().collect()
    }

    /// The one that is called exactly so, and what "meeting" and "call" can tell apart.
    fn narrowed(&self, found: Vec<Meeting>) -> Vec<Meeting> {
        let title = self.title.clone().unwrap_or_else(|| self.names.join(" "));
        let whole = |one: &&Meeting| !title.is_empty() && letters(&one.title) == letters(&title);
        let exact: Vec<Meeting> = found.iter().filter(whole).cloned().collect();
        if !exact.is_empty() && exact.len() < found.len() {
            return exact;
        }
        let soft = |one: &&Meeting| self.soft.iter().all(|word| has(one, word));
        let softly: Vec<Meeting> = found.iter().filter(soft).cloned().collect();
        if softly.is_empty() { found } else { softly }
    }

    fn nothing(&self) -> String {
        let when = self.when.as_ref().and_then(|when| when.readings.first());
        match (self.called.trim(), when) {
            ("", Some(reading)) => {
                format!("Nothing on your calendar {}, so nothing was changed.", reading.said)
            }
            (what, Some(reading)) => format!(
                "I can't find “{what}” on your calendar {}, so nothing was changed.",
                reading.said
            ),
            (what, None) => format!(
                "I can't find “{what}” on your calendar in the next two months, so nothing was \
                 changed."
            ),
        }
    }
}

impl Named {
    fn fits(&self, one: &Meeting) -> bool {
        self.readings.iter().any(|reading| {
            let zone = reading.range.start.time_zone().clone();
            let start = one.start.with_time_zone(zone);
            let clock = start.time() == reading.range.start.time();
            let within = reading.range.start <= start && start < reading.range.end;
            match reading.grain {
                Grain::Moment if self.any_day => clock && !one.all_day,
                Grain::Moment => clock && start.date() == reading.range.start.date(),
                _ => within || one.start < reading.range.end && one.end > reading.range.start,
            }
        })
    }
}

fn pointed(points: Pointer, world: &World) -> Found {
    let focus = &world.focus;
    let told = &focus.meetings;
    let nth = match points {
        Pointer::Nth(n) => told.get(n),
        Pointer::Last => told.last(),
        Pointer::It => focus.booked.as_ref().or(focus.meeting.as_ref()).or(match &**told {
            [only] => Some(only),
            _ => None,
        }),
    };
    match (nth, points) {
        (Some(one), _) => Found::One(Box::new(one.clone())),
        (None, Pointer::It) if told.len() > 1 => Found::Several(told.to_vec()),
        (None, _) => Found::Unnamed,
    }
}

fn one_or_several(mut found: Vec<Meeting>) -> Found {
    let same = |one: &Meeting| one.title == found[0].title && one.start == found[0].start;
    // Two of one name at one time cannot be told apart by anybody.
    if found.iter().all(same) {
        return Found::One(Box::new(found.swap_remove(0)));
    }
    Found::Several(found)
}

fn spotted(args: &Value, world: &World) -> Option<Vec<Meeting>> {
    let spotted = world.focus.spotted.iter().find(|spotted| spotted.args == *args)?;
    Some(spotted.found.events.clone())
}

fn look(args: Value) -> Found {
    Found::Look(Box::new(Lookup {
        steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
        gist: Gist::Spot,
        acknowledgement: "Let me find it.".to_owned(),
    }))
}

/// "It", "that one", "the second one", "the meeting".
fn pointer(object: &[Word], is_bare: bool) -> Option<Pointer> {
    if object.iter().any(|word| word.quoted) {
        return None;
    }
    let texts: Vec<&str> = object.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_prefix(&["the"]).unwrap_or(&texts);
    let noun = |rest: &[&str]| {
        matches!(rest, [] | ["one" | "meeting" | "event" | "appointment" | "thing"])
    };
    match texts {
        ["it" | "that" | "this" | "one"] | ["that" | "this", "one"] => Some(Pointer::It),
        ["last", rest @ ..] if noun(rest) && !rest.is_empty() => Some(Pointer::Last),
        _ => {
            if let Some((n, used)) = ordinal(texts)
                && noun(&texts[used..])
            {
                return Some(Pointer::Nth(usize::try_from(n).ok()?.checked_sub(1)?));
            }
            let soft = |text: &&str| is_any(text, SOFT) || is_any(text, LITTLE);
            (is_bare && texts.iter().all(soft)).then_some(Pointer::It)
        }
    }
}

/// "The one with Lena", "our one on one": no hours.
fn without_ones(object: &[Word]) -> Vec<Word> {
    let is = |at: Option<usize>, list: &[&str]| {
        at.and_then(|at| object.get(at)).is_some_and(|word| is_any(&word.text, list))
    };
    let counts = |at: usize| {
        let (before, links) = (at.checked_sub(1), &["to", "on"][..]);
        let paired = is(Some(at + 1), links) && is(Some(at + 2), &["one"])
            || is(before, links) && is(at.checked_sub(2), &["one"]);
        let points = is(before, &["the", "that", "this"]);
        object[at].is("one") && (points || paired) && !object[at].quoted
    };
    (0..object.len()).filter(|at| !counts(*at)).map(|at| object[at].clone()).collect()
}

/// A nickname is on no calendar: who goes by it is.
fn known_as(name: &str, world: &World) -> String {
    match people::known(name, &world.contacts).as_slice() {
        [one] if !one.contact.name.to_lowercase().contains(name) => {
            let first = one.contact.name.split(' ').next().unwrap_or(name);
            first.to_lowercase()
        }
        _ => name.to_owned(),
    }
}

/// Who was spoken of before this place, by their first name.
fn whom_before(heard: &str, place: usize, world: &World) -> Option<String> {
    let before = words(&heard[..place]);
    before.iter().rev().find_map(|word| {
        match people::known(&word.text, &world.contacts).as_slice() {
            [] => None,
            _ => Some(word.text.clone()),
        }
    })
}

/// Does its title, its place or somebody on it have a word that begins so?
fn has(one: &Meeting, name: &str) -> bool {
    let people = one.attendees.iter().map(|who| format!("{} {}", who.called(), who.address));
    let text = std::iter::once(one.title.clone()).chain(people).chain(one.location.clone());
    let mut all = text.map(|text| text.to_lowercase());
    let sought = letters(name);
    all.any(|text| {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        (0..words.len()).any(|at| words[at..].concat().starts_with(&sought))
    })
}

/// Only the letters and digits of it.
fn letters(text: &str) -> String {
    text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}
