//! Events as they lie on this machine.

use brain::UserId;
use brain::facts::{Booked, DateRange, Meeting, Person};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, Row, Transaction, named_params, params_from_iter};
use serde_json::Value;

use super::db::StoreError;
use super::mailbox::{fold_person, json, unjson};
use super::written::Once;
use super::{Personal, people};
use crate::args::told;
use crate::calendar::Listed;
use crate::calendar::booking::Planned;
use crate::calendar::overlap::overlaps;
use crate::text;

/// A calendar so full is not read aloud; we say so instead of guessing.
const MOST_EVENTS: usize = 10_000;
/// All-day rows lie at midnight UTC; the person's midnight is never further off.
const WIDEST_ZONE: SignedDuration = SignedDuration::from_hours(26);

pub(super) const COLUMNS: &str = "id, title, starts_at, ends_at, all_day, busy, attendees, location, \
                                  organizer, series";

/// An event to be put into the calendar.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub id: String,
    pub title: String,
    pub when: When,
    /// Does it stand in the way of other plans?
    pub busy: bool,
    pub attendees: Vec<Person>,
    pub location: Option<String>,
    pub notes: Option<String>,
    /// Whose it is, where somebody else has invited the person to it.
    pub organizer: Option<Person>,
    /// What all of those share that repeat.
    pub series: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum When {
    Timed {
        start: Zoned,
        end: Zoned,
    },
    /// Whole days wherever one is; `until` is the first day after it.
    AllDay {
        first: Date,
        until: Date,
    },
}

impl Personal {
    /// What overlaps the range and has all the words, earliest first, in `zone`.
    pub(crate) async fn events(
        &self,
        user: UserId,
        range: DateRange,
        words: Vec<String>,
        zone: TimeZone,
    ) -> Result<Vec<Listed>, StoreError> {
        self.db.run(move |connection| find(connection, user, &range, &words, &zone)).await
    }

    /// Puts it on the calendar.
    pub(crate) async fn book(&self, once: Once, planned: Planned) -> Result<Value, StoreError> {
        self.once(once, move |step, once| book(step, once, planned)).await
    }
}

fn book(step: &Transaction<'_>, once: &Once, planned: Planned) -> Result<Value, StoreError> {
    let Planned { start, end, title, attendees, location, .. } = planned;
    let attendees = people::named(people::known(step, once.user, &attendees, &[])?);
    let entry = Entry {
        id: once.id("event"),
        title: title.clone(),
        when: When::Timed { start: start.clone(), end: end.clone() },
        busy: true,
        attendees: attendees.clone(),
        location: Some(location).filter(|place| !place.is_empty()),
        notes: None,
        organizer: None,
        series: None,
    };
    put(step, once.user, &entry)?;
    Ok(told(&Booked { event_id: entry.id, title, start, end, attendees }))
}

fn find(
    connection: &Connection,
    user: UserId,
    range: &DateRange,
    words: &[String],
    zone: &TimeZone,
) -> Result<Vec<Listed>, StoreError> {
    let widened = |at: &Zoned, by| at.timestamp().saturating_add(by).unwrap_or(at.timestamp());
    let mut bound = vec![
        Sql::from(user.to_string()),
        Sql::from(widened(&range.end, WIDEST_ZONE).as_millisecond()),
        Sql::from(widened(&range.start, -WIDEST_ZONE).as_millisecond()),
    ];
    let mut conditions = Vec::new();
    for word in words.iter().filter_map(|word| text::needle(word)) {
        bound.push(Sql::from(word));
        conditions.push(format!(" AND instr(folded_text, ?{}) > 0", bound.len()));
    }
    let mut listing = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM events \
         WHERE user_id = ?1 AND starts_at < ?2 AND ends_at >= ?3{} LIMIT {}",
        conditions.concat(),
        MOST_EVENTS + 1
    ))?;
    let rows = listing.query_map(params_from_iter(bound), |row| listed(row, zone))?;
    let mut found = rows.map(|row| row?).collect::<Result<Vec<_>, _>>()?;
    if found.len() > MOST_EVENTS {
        return Err(StoreError::TooMuch("that is more than ten thousand events; ask for less"));
    }
    found.retain(|event| {
        overlaps(&event.meeting.start, &event.meeting.end, range)
            && words.iter().filter(|word| word.contains('@')).all(|word| is_with(event, word))
    });
    found.sort_by(|a, b| order(&a.meeting).cmp(&order(&b.meeting)));
    Ok(found)
}

/// A whole address is one person; part of it may be part of somebody else's.
fn is_with(event: &Listed, address: &str) -> bool {
    event.meeting.attendees.iter().any(|person| person.address.eq_ignore_ascii_case(address))
}

fn order(meeting: &Meeting) -> (Timestamp, bool, Timestamp, &str) {
    let Meeting { start, end, all_day, event_id, .. } = meeting;
    (start.timestamp(), !all_day, end.timestamp(), event_id)
}

pub(super) fn put(connection: &Connection, user: UserId, entry: &Entry) -> Result<(), StoreError> {
    let (starts_at, ends_at, zone, all_day) = entry.when.row();
    let people = entry.attendees.iter().map(fold_person).collect::<String>();
    let place = entry.location.as_deref().map(text::fold).unwrap_or_default();
    connection.execute(
        "INSERT INTO events (user_id, id, title, starts_at, ends_at, zone, all_day, busy, \
         attendees, location, notes, folded_text, organizer, series) VALUES (:user, :id, :title, \
         :starts_at, :ends_at, :zone, :all_day, :busy, :attendees, :location, :notes, :folded, \
         :organizer, :series)",
        named_params! {
            ":user": user.to_string(),
            ":id": entry.id,
            ":title": entry.title,
            ":starts_at": starts_at.as_millisecond(),
            ":ends_at": ends_at.as_millisecond(),
            ":zone": zone,
            ":all_day": all_day,
            ":busy": entry.busy,
            ":attendees": json(&entry.attendees),
            ":location": entry.location,
            ":notes": entry.notes,
            ":folded": format!("{}\n{people}{place}", text::fold(&entry.title)),
            ":organizer": entry.organizer.as_ref().map(json),
            ":series": entry.series,
        },
    )?;
    Ok(())
}

impl When {
    pub(super) fn row(&self) -> (Timestamp, Timestamp, String, bool) {
        match self {
            Self::Timed { start, end } => {
                let zone = start.time_zone().iana_name().unwrap_or("UTC").to_owned();
                (start.timestamp(), end.timestamp(), zone, false)
            }
            Self::AllDay { first, until } => {
                let midnight = |date: &Date| {
                    let at = date.to_zoned(TimeZone::UTC).expect("UTC has every midnight");
                    at.timestamp()
                };
                (midnight(first), midnight(until), "UTC".to_owned(), true)
            }
        }
    }
}

/// The outer result is the database's, the inner one ours.
pub(super) fn listed(
    row: &Row<'_>,
    zone: &TimeZone,
) -> Result<Result<Listed, StoreError>, rusqlite::Error> {
    let event_id: String = row.get("id")?;
    let all_day: bool = row.get("all_day")?;
    let (starts_at, ends_at): (i64, i64) = (row.get("starts_at")?, row.get("ends_at")?);
    let attendees: String = row.get("attendees")?;
    let (title, location, busy) = (row.get("title")?, row.get("location")?, row.get("busy")?);
    let organizer: Option<String> = row.get("organizer")?;
    let series: Option<String> = row.get("series")?;
    let bad = |column| StoreError::BadRow { table: "events", column, id: event_id.clone() };
    let read = || {
        let meeting = Meeting {
            title,
            start: shown(starts_at, all_day, zone).ok_or_else(|| bad("starts_at"))?,
            end: shown(ends_at, all_day, zone).ok_or_else(|| bad("ends_at"))?,
            all_day,
            attendees: unjson(&attendees).ok_or_else(|| bad("attendees"))?,
            location,
            conflicts_with: Vec::new(),
            organizer: organizer
                .map(|one| unjson(&one).ok_or_else(|| bad("organizer")))
                .transpose()?,
            repeats: series.is_some(),
            event_id: event_id.clone(),
        };
        Ok(Listed { meeting, busy })
    };
    Ok(read())
}

/// An instant in the person's zone; for a whole day, that date's midnight there.
fn shown(millis: i64, all_day: bool, zone: &TimeZone) -> Option<Zoned> {
    let at = Timestamp::from_millisecond(millis).ok()?;
    if all_day {
        return at.to_zoned(TimeZone::UTC).date().to_zoned(zone.clone()).ok();
    }
    Some(at.to_zoned(zone.clone()))
}
