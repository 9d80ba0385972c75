//! Events that somebody sent as a file.

use std::str::FromStr;

use brain::facts::Person;
use brain::paper::{Invite, Paper, Place};
use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarEntry, ICalendarFrequency, ICalendarMethod,
    ICalendarParameterName, ICalendarProperty as Property, ICalendarRecurrenceRule,
    ICalendarStatus, ICalendarValue,
};
use calcard::{Entry, Parser};
use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use crate::paper::{Filling, line};
use crate::{Unreadable, letters};

/// Events of one file that are told.
const MOST_EVENTS: usize = 200;
const MOST_PEOPLE: usize = 50;
/// Dates on which one that comes again does not come, told one by one.
const MOST_LEFT_OUT: usize = 3;

pub fn read(bytes: &[u8]) -> Result<Paper, Unreadable> {
    const TORN: Unreadable = Unreadable::Broken("calendar file", "it does not end where it should");
    let text = letters::read(bytes);
    // The parser is patient with what breaks off; half an event would be a wrong one.
    if !text.to_ascii_uppercase().contains("END:VCALENDAR") {
        return Err(TORN);
    }
    let mut parser = Parser::new(text.trim_start_matches('\u{feff}'));
    let mut filling = Filling::default();
    loop {
        match parser.entry() {
            Entry::ICalendar(calendar) => take(&calendar, &mut filling),
            Entry::Eof => break,
            Entry::TooManyComponents => {
                return Err(Unreadable::TooMuch("calendar file", "there are too many parts in it"));
            }
            Entry::UnterminatedComponent(_) | Entry::UnexpectedComponentEnd { .. } => {
                return Err(TORN);
            }
            // A card, or a line that means nothing: neither is an event.
            _ => {}
        }
    }
    if filling.paper.events.is_empty() {
        return Err(Unreadable::Broken("calendar file", "there is no event in it"));
    }
    Ok(filling.done())
}

fn take(calendar: &ICalendar, filling: &mut Filling) {
    let zones = calendar.build_owned_tz_resolver();
    let resolve = |name: &str| zones.resolve(name);
    let events = || calendar.components.iter().filter(|one| one.component_type.is_event());
    let is_single = |event: &ICalendarComponent| event.has_property(&Property::RecurrenceId);
    let calls_off = calendar.components.iter().any(|one| {
        one.property(&Property::Method).is_some_and(|method| {
            matches!(method.values.first(), Some(ICalendarValue::Method(ICalendarMethod::Cancel)))
        })
    });
    for event in events() {
        // Changes to single dates of one that comes again belong to that one, where it
        // is in the file. One that is moved is often sent alone.
        let whole = |other: &ICalendarComponent| !is_single(other) && other.uid() == event.uid();
        if is_single(event) && events().any(whole) {
            continue;
        }
        let all = &mut filling.paper.extent.events;
        *all = Some(all.unwrap_or(0).saturating_add(1));
        if filling.paper.events.len() >= MOST_EVENTS {
            filling.paper.cut = true;
            continue;
        }
        let number = u32::try_from(filling.paper.events.len() + 1).unwrap_or(u32::MAX);
        let description = text_of(event, &Property::Description);
        if let Some(description) = description {
            filling.add(Place::Paragraph(number), &description);
        }
        let mut invite = invite(event, &resolve);
        invite.cancelled |= calls_off;
        filling.paper.events.push(invite);
    }
    if let [one] = filling.paper.events.as_slice() {
        filling.paper.title = Some(one.title.clone());
    }
}

fn invite(event: &ICalendarComponent, resolve: &dyn Fn(&str) -> Option<Tz>) -> Invite {
    let start = event.property(&Property::Dtstart);
    let (at, all_day) = start.and_then(moment).map_or((None, false), |(at, day)| (Some(at), day));
    let (zone, unknown_zone) = start.map_or((None, None), |start| zone_of(start, resolve));
    let end = event.property(&Property::Dtend);
    let end = end.and_then(|end| ends(end, zone.as_deref(), resolve));
    let people = event.properties(&Property::Attendee).filter_map(person).take(MOST_PEOPLE);
    let rule = event.property(&Property::Rrule).and_then(|rule| rule.values.first());
    let repeats = match rule {
        Some(ICalendarValue::RecurrenceRule(rule)) => {
            Some(format!("{}{}", repeats(rule), left_out(event)))
        }
        Some(_) => Some("again and again".to_owned()),
        None if event.has_property(&Property::Rdate) => Some("on several days".to_owned()),
        None => None,
    };
    Invite {
        title: text_of(event, &Property::Summary)
            .and_then(|title| line(&title))
            .unwrap_or_else(|| "something without a title".to_owned()),
        start: at,
        end: end.or_else(|| lasts(event, at?)),
        all_day,
        zone,
        unknown_zone,
        location: text_of(event, &Property::Location).and_then(|place| line(&place)),
        organizer: event.property(&Property::Organizer).and_then(person),
        attendees: people.collect(),
        repeats,
        single: event.has_property(&Property::RecurrenceId),
        notes: text_of(event, &Property::Description).and_then(|notes| line(&notes)),
        cancelled: matches!(event.status(), Some(ICalendarStatus::Cancelled)),
    }
}

/// A time on the clock that the entry names; a day alone is its midnight.
fn moment(entry: &ICalendarEntry) -> Option<(DateTime, bool)> {
    let at = entry.values.first()?.as_partial_date_time()?;
    let small = |number: u8| i8::try_from(number).ok();
    let year = i16::try_from(at.year?).ok()?;
    let clock = |number: Option<u8>| small(number.unwrap_or(0));
    let (hour, minute, second) = (clock(at.hour)?, clock(at.minute)?, clock(at.second)?);
    let moment =
        DateTime::new(year, small(at.month?)?, small(at.day?)?, hour, minute, second.min(59), 0);
    Some((moment.ok()?, at.hour.is_none()))
}

/// When it ends, on the clock on which it begins: a flight lands on another one.
fn ends(
    entry: &ICalendarEntry,
    zone: Option<&str>,
    resolve: &dyn Fn(&str) -> Option<Tz>,
) -> Option<DateTime> {
    let (end, is_day) = moment(entry)?;
    let (Some(from), (Some(there), _), false) = (zone, zone_of(entry, resolve), is_day) else {
        return Some(end);
    };
    if from == there {
        return Some(end);
    }
    let known = jiff::tz::TimeZoneDatabase::bundled();
    let landing = end.to_zoned(known.get(&there).ok()?).ok()?;
    Some(landing.with_time_zone(known.get(from).ok()?).datetime())
}

/// Which clock it is on: a name that is known, one that is not, or whichever one
/// looks at.
fn zone_of(
    entry: &ICalendarEntry,
    resolve: &dyn Fn(&str) -> Option<Tz>,
) -> (Option<String>, Option<String>) {
    let at = entry.values.first().and_then(ICalendarValue::as_partial_date_time);
    if at.is_some_and(is_utc) {
        return (Some("UTC".to_owned()), None);
    }
    let named = entry.parameter(&ICalendarParameterName::Tzid).and_then(|value| value.as_text());
    let Some(named) = named.and_then(line) else { return (None, None) };
    let zone = resolve(&named).or_else(|| Tz::from_str(&named).ok());
    let zone = zone.and_then(|zone| zone.name()).map(std::borrow::Cow::into_owned);
    match zone.filter(|name| jiff::tz::TimeZoneDatabase::bundled().get(name).is_ok()) {
        Some(zone) => (Some(zone), None),
        None => (None, Some(named)),
    }
}

fn is_utc(at: &PartialDateTime) -> bool {
    at.tz_hour == Some(0) && at.tz_minute.unwrap_or(0) == 0
}

/// Its end, where it says how long it takes instead.
fn lasts(event: &ICalendarComponent, start: DateTime) -> Option<DateTime> {
    let length = event.property(&Property::Duration)?.values.first()?;
    let ICalendarValue::Duration(length) = length else { return None };
    let seconds = length.as_seconds();
    start.checked_add(seconds.seconds()).ok().filter(|end| *end > start)
}

fn person(entry: &ICalendarEntry) -> Option<Person> {
    let address = entry.values.first()?.as_text()?;
    let address = address
        .get(..7)
        .filter(|it| it.eq_ignore_ascii_case("mailto:"))
        .map_or(address, |scheme| &address[scheme.len()..]);
    let name = entry.parameter(&ICalendarParameterName::Cn).and_then(|name| name.as_text());
    Some(Person { name: name.and_then(line), address: line(address)? })
}

fn text_of(event: &ICalendarComponent, property: &Property) -> Option<String> {
    let text = event.property(property)?.values.first()?.as_text()?;
    Some(text.to_owned())
}

/// "every two weeks"
fn repeats(rule: &ICalendarRecurrenceRule) -> String {
    let unit = match rule.freq {
        ICalendarFrequency::Secondly => "second",
        ICalendarFrequency::Minutely => "minute",
        ICalendarFrequency::Hourly => "hour",
        ICalendarFrequency::Daily => "day",
        ICalendarFrequency::Weekly => "week",
        ICalendarFrequency::Monthly => "month",
        ICalendarFrequency::Yearly => "year",
    };
    let often = match rule.interval {
        None | Some(0 | 1) => format!("every {unit}"),
        Some(2) => format!("every two {unit}s"),
        Some(number) => format!("every {number} {unit}s"),
    };
    match (rule.count, rule.until.as_ref().and_then(day_of)) {
        (Some(count), _) => format!("{often}, {count} times in all"),
        (None, Some(last)) => format!("{often} until {last}"),
        (None, None) => often,
    }
}

/// The dates on which it does not come.
fn left_out(event: &ICalendarComponent) -> String {
    let dates = event.properties(&Property::Exdate).flat_map(|entry| &entry.values);
    let dates = dates.filter_map(|value| value.as_partial_date_time()).filter_map(day_of);
    let dates: Vec<String> = dates.take(MOST_LEFT_OUT + 1).collect();
    match dates.as_slice() {
        [] => String::new(),
        some if some.len() > MOST_LEFT_OUT => ", but not on some of them".to_owned(),
        [one] => format!(", but not on {one}"),
        [front @ .., last] => format!(", but not on {} and {last}", front.join(", ")),
    }
}

/// "January 6, 2027"
fn day_of(at: &PartialDateTime) -> Option<String> {
    let small = |number: u8| i8::try_from(number).ok();
    let date = Date::new(i16::try_from(at.year?).ok()?, small(at.month?)?, small(at.day?)?).ok()?;
    Some(date.strftime("%B %-d, %Y").to_string())
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
