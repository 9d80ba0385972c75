//! What an invitation says.

use brain::facts::Person;
use brain::paper::{Invite, OpenedFile};
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};

use super::NAMES;
use crate::World;
use crate::narrator::spelling::{
    capital, count, counted, day, first_words, full_clock, hours, list,
};

/// Words of what an invitation adds that are told.
const WORDS_OF_NOTES: usize = 25;

pub fn overview(found: &OpenedFile, world: &World) -> String {
    match found.events.as_slice() {
        [] => "There is no event in it.".to_owned(),
        [one] => format!("An invitation: {}", whole(one, world)),
        [first, others @ ..] => format!(
            "{} events. The first: {} Then {}.",
            capital(&count(number(found) as usize)),
            whole(first, world),
            titles(others, number(found) as usize - 1)
        ),
    }
}

/// How many there are, also where fewer were read.
pub fn number(found: &OpenedFile) -> u32 {
    let read = u32::try_from(found.events.len()).unwrap_or(u32::MAX);
    found.extent.events.unwrap_or(read).max(read)
}

/// "Design review, on Friday from 3 to 4 pm, in Room 4. It comes every week."
fn whole(event: &Invite, world: &World) -> String {
    let when = moment(event, world).map(|when| format!(", {when}")).unwrap_or_default();
    let place = event.location.as_ref().map(|place| format!(", at {place}")).unwrap_or_default();
    let repeats = event.repeats.as_ref().map(|it| format!(" It comes {it}.")).unwrap_or_default();
    let single = if event.single { " It is a single date of one that comes again." } else { "" };
    let off = if event.cancelled { " It is cancelled." } else { "" };
    let notes = event.notes.as_ref().map(|notes| {
        let (words, cut) = first_words(notes, WORDS_OF_NOTES);
        format!(" It says: “{words}{}”", if cut { "…" } else { "" })
    });
    let notes = notes.unwrap_or_default();
    format!("{}{when}{place}.{repeats}{single}{off}{notes}", event.title)
}

fn titles(events: &[Invite], all: usize) -> String {
    let names: Vec<_> = events.iter().take(NAMES).map(|event| event.title.clone()).collect();
    list(&names, all.saturating_sub(names.len()))
}

pub fn when(found: &OpenedFile, world: &World) -> String {
    let tell = |event: &Invite| match moment(event, world) {
        Some(when) => {
            let repeats = event.repeats.as_ref().map(|it| format!(", {it}")).unwrap_or_default();
            format!("{} is {when}{repeats}.", capital(&event.title))
        }
        None => format!("The file does not say when {} is.", event.title),
    };
    match found.events.as_slice() {
        [] => "There is no event in it.".to_owned(),
        events => {
            let told: Vec<_> = events.iter().take(NAMES).map(tell).collect();
            let more = (number(found) as usize).saturating_sub(told.len());
            let rest = if more > 0 { format!(" And {} more.", count(more)) } else { String::new() };
            format!("{}{rest}", told.join(" "))
        }
    }
}

pub fn place(found: &OpenedFile) -> String {
    match found.events.as_slice() {
        [] => "There is no event in it.".to_owned(),
        [Invite { location: Some(place), .. }, ..] => format!("At {place}."),
        [..] => "The file does not say where.".to_owned(),
    }
}

pub fn people(found: &OpenedFile) -> String {
    let Some(event) = found.events.first() else { return "There is no event in it.".to_owned() };
    let called = |people: &[Person]| {
        let names: Vec<_> =
            people.iter().take(NAMES).map(|person| person.called().to_owned()).collect();
        list(&names, people.len().saturating_sub(NAMES))
    };
    let host = event.organizer.as_ref().map(|host| format!("{} invites", host.called()));
    match (host, event.attendees.as_slice()) {
        (None, []) => "The file names nobody.".to_owned(),
        (Some(host), []) => format!("{host}; nobody else is named."),
        (Some(host), people) => format!("{host} {}.", called(people)),
        (None, people) => {
            let number = counted(people.len(), "guest", "guests");
            format!("{}: {}.", capital(&number), called(people))
        }
    }
}

pub fn length(found: &OpenedFile, world: &World) -> String {
    let tell = |event: &Invite| {
        let (start, end) = times(event, world)?;
        let minutes = (end?.timestamp() - start.timestamp()).total(jiff::Unit::Minute).ok()?;
        #[expect(clippy::cast_possible_truncation, reason = "an event is shorter than that")]
        let minutes = minutes.round() as i64;
        Some(match (minutes / 60, minutes % 60) {
            _ if event.all_day && minutes <= 24 * 60 => "all day".to_owned(),
            (hours, 0) if event.all_day || hours >= 48 => counted_of(hours / 24, "day"),
            (0, minutes) => counted_of(minutes, "minute"),
            (hours, 0) => counted_of(hours, "hour"),
            (hours, minutes) => {
                format!("{} and {}", counted_of(hours, "hour"), counted_of(minutes, "minute"))
            }
        })
    };
    let each = |event: &Invite| match tell(event) {
        Some(length) => format!("{}: {length}.", capital(&event.title)),
        None => format!("The file does not say how long {} is.", event.title),
    };
    match found.events.as_slice() {
        [] => "There is no event in it.".to_owned(),
        [one] => tell(one).map_or_else(
            || "The file does not say when it ends.".to_owned(),
            |length| format!("{}.", capital(&length)),
        ),
        events => events.iter().take(NAMES).map(each).collect::<Vec<_>>().join(" "),
    }
}

fn counted_of(number: i64, what: &str) -> String {
    counted(usize::try_from(number).unwrap_or(0), what, &format!("{what}s"))
}

/// When it is on the person's own clock: "on Friday from 3 to 4 pm".
fn moment(event: &Invite, world: &World) -> Option<String> {
    let now = world.local_now();
    let (start, end) = times(event, world)?;
    let date = dated(&start, &now);
    if event.all_day {
        // A calendar names the first day that is free again.
        let last = end.and_then(|end| end.checked_sub(1.day()).ok());
        return Some(match last.filter(|last| last.date() > start.date()) {
            Some(last) => {
                let days = (last.date() - start.date()).get_days() + 1;
                let days = count(usize::try_from(days).unwrap_or_default());
                format!("{date} to {}, {days} days", bare(&dated(&last, &now)))
            }
            None => format!("{date}, all day"),
        });
    }
    Some(match end {
        Some(end) if end.date() == start.date() => format!("{date} {}", hours(&start, &end)),
        Some(end) => {
            let until = format!("{} at {}", bare(&dated(&end, &now)), full_clock(&end));
            format!("{date} at {} to {until}", full_clock(&start))
        }
        None => format!("{date} at {}", full_clock(&start)),
    })
}

/// From when to when, on the person's own clock.
fn times(event: &Invite, world: &World) -> Option<(Zoned, Option<Zoned>)> {
    let mine = world.local_now().time_zone().clone();
    let zone = event.zone.as_deref().filter(|_| !event.all_day);
    let zone = zone.and_then(|name| TimeZone::get(name).ok()).unwrap_or_else(|| mine.clone());
    let on_mine = |at: jiff::civil::DateTime| -> Option<Zoned> {
        Some(at.to_zoned(zone.clone()).ok()?.with_time_zone(mine.clone()))
    };
    let start = on_mine(event.start?)?;
    let end = event.end.and_then(on_mine).filter(|end| *end > start);
    Some((start, end))
}

/// "on Friday" as the end of a span.
fn bare(day: &str) -> &str {
    day.strip_prefix("on ").unwrap_or(day)
}

/// A day of another year is told with it.
fn dated(at: &Zoned, now: &Zoned) -> String {
    let told = day(at.date(), now.date());
    let far = at.year() != now.year() && !told.contains("tomorrow") && !told.contains("yesterday");
    if far { format!("{told}, {}", at.year()) } else { told }
}
