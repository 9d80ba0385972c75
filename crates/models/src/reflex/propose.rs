//! Times to choose from, where nobody said exactly when.
//!
//! Free time is looked up first; then a few starts are offered, within the
//! hours that are welcome. None of them is taken without an answer.

use brain::facts::FreeSlots;
use brain::plan::ProposedStep;
use brain::resolve::time::{Grain, Reading};
use jiff::{SignedDuration, Unit, Zoned, ZonedRound};
use serde_json::{Value, json};

use super::{Lookup, free};
use crate::World;
use crate::gist::Gist;
use crate::narrator::spelling::{capital, day, full_clock, list_or};

/// Nobody keeps more than three in mind.
const OFFERED: usize = 3;
/// Two starts that are offered are this far apart, where there is room.
const APART: SignedDuration = SignedDuration::from_mins(90);
const HALF_HOUR: SignedDuration = SignedDuration::from_mins(30);

/// What can be offered.
pub enum Offer {
    /// It has to be looked up first.
    Look(Box<Lookup>),
    /// At least one.
    Starts(Vec<Zoned>),
    /// There is no room.
    Full,
}

/// Hours of a day when it would be odd to eat something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meal {
    Breakfast,
    Lunch,
    Dinner,
}

impl Meal {
    pub fn of(word: &str) -> Option<Self> {
        match word {
            "breakfast" => Some(Self::Breakfast),
            "lunch" | "brunch" => Some(Self::Lunch),
            "dinner" | "supper" | "drinks" => Some(Self::Dinner),
            _ => None,
        }
    }

    fn hours(self) -> Value {
        let (from, to) = match self {
            Self::Breakfast => ("07:30", "10:00"),
            Self::Lunch => ("11:30", "14:00"),
            Self::Dinner => ("18:00", "22:00"),
        };
        let working = self == Self::Lunch;
        json!({ "working_hours": working, "not_before": from, "not_after": to })
    }
}

/// Starts for something of that length within the time that was named.
pub fn offer(reading: Option<&Reading>, minutes: u32, meal: Option<Meal>, world: &World) -> Offer {
    let now = world.local_now();
    let (mut args, about) = free::search(reading, minutes, &now, &world.profile.working_hours);
    let within = reading.is_none_or(|reading| reading.grain != Grain::Part);
    if let Some(meal) = meal.filter(|_| within) {
        args["constraints"] = meal.hours();
    }
    if let Some(glance) = world.focus.glances.iter().find(|glance| glance.args == args) {
        let starts = starts(&glance.found, minutes, &now);
        return if starts.is_empty() { Offer::Full } else { Offer::Starts(starts) };
    }
    let acknowledgement = match about.when {
        Some(said) => format!("Looking for room {said}."),
        None => "Looking for room on your calendar.".to_owned(),
    };
    Offer::Look(Box::new(Lookup {
        steps: vec![ProposedStep { tool: "calendar.find_free_slots".into(), args }],
        gist: Gist::Glance,
        acknowledgement,
    }))
}

/// One a day where there are days to choose from, then the first of every gap
/// before a second one of any, far apart rather than close together; in order
/// of time.
fn starts(found: &FreeSlots, minutes: u32, now: &Zoned) -> Vec<Zoned> {
    let length = SignedDuration::from_mins(minutes.into());
    let mut offered: Vec<Zoned> = Vec::new();
    for slot in &found.slots {
        let first = half_hour(&slot.start.with_time_zone(now.time_zone().clone()));
        let fits = first.checked_add(length).is_ok_and(|end| end <= slot.end);
        let is_new = offered.iter().all(|other| other.date() != first.date());
        if fits && is_new && offered.len() < OFFERED {
            offered.push(first);
        }
    }
    for (step, rounds) in [(APART, 3), (HALF_HOUR, 4)] {
        for round in 0..rounds {
            for slot in &found.slots {
                let first = half_hour(&slot.start.with_time_zone(now.time_zone().clone()));
                let Ok(start) = first.checked_add(step * round) else { continue };
                let fits = start.checked_add(length).is_ok_and(|end| end <= slot.end);
                let is_near = |other: &Zoned| other.duration_since(&start).abs() < step;
                if fits && offered.len() < OFFERED && !offered.iter().any(is_near) {
                    offered.push(start);
                }
            }
        }
    }
    offered.sort();
    offered
}

/// Meetings begin on the hour or half past.
fn half_hour(at: &Zoned) -> Zoned {
    let up = ZonedRound::new().smallest(Unit::Minute).increment(30).mode(jiff::RoundMode::Ceil);
    at.round(up).unwrap_or_else(|_| at.clone())
}

/// "9 am", or "on Tuesday at 9 am" where they are on several days.
pub fn called(starts: &[Zoned], now: &Zoned) -> Vec<String> {
    let one_day = starts.windows(2).all(|pair| pair[0].date() == pair[1].date());
    let called = |start: &Zoned| {
        if one_day {
            return full_clock(start);
        }
        let day = day(start.date(), now.date());
        format!("{} at {}", day.trim_start_matches("on "), full_clock(start))
    };
    starts.iter().map(called).collect()
}

/// "On Thursday you're free at 9 am, 11 am or 2 pm. Which one?"
pub fn question(starts: &[Zoned], when: Option<&str>, now: &Zoned) -> String {
    let names = &called(starts, now)[..];
    // The day is named once, also where nobody named it.
    let is_one_day = starts.windows(2).all(|pair| pair[0].date() == pair[1].date());
    let date = starts.first().map(|start| day(start.date(), now.date()));
    let when = when.or(date.as_deref()).filter(|_| is_one_day);
    match (names, when) {
        ([only], Some(when)) => {
            format!("{} you're only free at {only}. Is that all right?", capital(when))
        }
        (_, Some(when)) => {
            format!("{} you're free at {}. Which one?", capital(when), list_or(names))
        }
        (_, None) => format!("You're free {}. Which one?", list_or(names)),
    }
}

/// As a sentence says it beyond doubt.
pub fn spelled(start: &Zoned) -> String {
    format!("on {} at {}", start.date(), start.strftime("%H:%M"))
}
