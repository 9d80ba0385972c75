//! One thing about one event, or about a day of them.

use brain::facts::Meeting;
use jiff::Zoned;
use jiff::civil::Date;

use super::spelling::{capital, clock, count, day, full_clock, hours, length, list};
use crate::World;
use crate::gist::Detail;

/// More names than anybody keeps in mind.
const NAMES: usize = 4;

/// What is asked of one event.
pub fn tell(event: &Meeting, detail: Detail, world: &World, now: &Zoned) -> String {
    let title = &event.title;
    match detail {
        Detail::Place => match place(event) {
            Some(place) => format!("{}. {title} is {}.", capital(place), at(event, now)),
            None => format!("No place is given for {title}, {}.", at(event, now)),
        },
        Detail::People => match people(event, world).as_slice() {
            [] => format!("Nobody else is on the list for {title}, {}.", at(event, now)),
            [only] => format!("Just {only}. {title} is {}.", at(event, now)),
            names => format!("{}. {title} is {}.", some(names), at(event, now)),
        },
        Detail::Length if event.all_day => format!("{title} is all day."),
        Detail::Length => {
            let minutes = event.start.duration_until(&event.end).as_mins();
            let takes = length(u32::try_from(minutes).unwrap_or(0));
            let date = day(local(&event.start, now).date(), now.date());
            format!("{title} takes {takes}, {date} {}.", span(event, now))
        }
        Detail::End if event.all_day => format!("{title} is all day, {}.", at(event, now)),
        Detail::End => {
            let end = local(&event.end, now);
            let ends = if end <= *now { "ended" } else { "ends" };
            format!("{title} {ends} {} at {}.", day(end.date(), now.date()), full_clock(&end))
        }
        Detail::Start => format!("{title} is {}.", at(event, now)),
        _ => whole(event, world, now),
    }
}

/// "Design review: Heron, tomorrow from 3 to 4, at The big room, with Ana and Tom."
fn whole(event: &Meeting, world: &World, now: &Zoned) -> String {
    let date = day(local(&event.start, now).date(), now.date());
    let hours = if event.all_day { "all day".to_owned() } else { span(event, now) };
    let place = place(event).map(|place| format!(", at {place}")).unwrap_or_default();
    let names = people(event, world);
    let with = if names.is_empty() { String::new() } else { format!(", with {}", some(&names)) };
    format!("{}, {date} {hours}{place}{with}.", event.title)
}

/// Everybody one meets in a list of events, each once.
pub fn everybody(events: &[Meeting], when: &str, world: &World) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in events.iter().flat_map(|event| people(event, world)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => capital(&format!("nobody {when}.")),
        names => capital(&format!("{when}: {}.", some(names))),
    }
}

/// When the last of a day ends.
pub fn day_ends(events: &[Meeting], when: &str, now: &Zoned) -> Option<String> {
    let last = events.iter().filter(|event| !event.all_day).max_by_key(|event| &event.end)?;
    let end = local(&last.end, now);
    let (you, clock) = (if end <= *now { "You were" } else { "You're" }, full_clock(&end));
    Some(format!("{you} done at {clock} {when}, after {}.", last.title))
}

/// Pairs with no minute between them.
pub fn back_to_back(events: &[Meeting], when: &str, now: &Zoned) -> String {
    let timed: Vec<_> = events.iter().filter(|event| !event.all_day).collect();
    let mut pairs = timed.iter().flat_map(|one| {
        timed.iter().filter(move |other| one.end == other.start).map(move |other| (one, other))
    });
    match pairs.next() {
        None => format!("No, nothing is back to back {when}."),
        Some((one, other)) => {
            let more = match pairs.count() {
                0 => String::new(),
                more => format!(" And {} more.", count(more)),
            };
            let at = clock(&local(&other.start, now));
            format!("Yes, {} runs straight into {} at {at}.{more}", one.title, other.title)
        }
    }
}

/// The first day from tomorrow on with nothing on it.
pub fn day_off(events: &[Meeting], until: Date, now: &Zoned) -> String {
    let taken = |date: Date| {
        events.iter().any(|event| {
            let end = local(&event.end, now);
            let last = if event.all_day {
                end.date()
            } else {
                end.date().tomorrow().unwrap_or(end.date())
            };
            local(&event.start, now).date() <= date && date < last
        })
    };
    let first = now.date().tomorrow().unwrap_or(now.date());
    let mut days = std::iter::successors(Some(first), |date| date.tomorrow().ok());
    match days.by_ref().take_while(|date| *date < until).find(|date| !taken(*date)) {
        Some(date) => {
            let name = day(date, now.date());
            capital(&format!("{name} is the next day with nothing on it.")).replacen("On ", "", 1)
        }
        None => "There is something on every day of the next two weeks.".to_owned(),
    }
}

fn some(names: &[String]) -> String {
    let shown = &names[..names.len().min(NAMES)];
    list(shown, names.len() - shown.len())
}

fn people(event: &Meeting, world: &World) -> Vec<String> {
    let me = &world.profile.address;
    let others = event.attendees.iter().filter(|person| me.as_ref() != Some(&person.address));
    others.map(|person| person.called().to_owned()).collect()
}

fn place(event: &Meeting) -> Option<&str> {
    event.location.as_deref().filter(|place| !place.trim().is_empty())
}

fn at(event: &Meeting, now: &Zoned) -> String {
    let start = local(&event.start, now);
    let date = day(start.date(), now.date());
    if event.all_day { format!("all day {date}") } else { format!("{date} at {}", clock(&start)) }
}

fn span(event: &Meeting, now: &Zoned) -> String {
    hours(&local(&event.start, now), &local(&event.end, now))
}

fn local(time: &Zoned, now: &Zoned) -> Zoned {
    time.with_time_zone(now.time_zone().clone())
}

#[cfg(test)]
#[path = "meeting_tests.rs"]
mod tests;
