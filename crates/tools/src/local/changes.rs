//! Events on this machine that go, or come to another time: only as they were shown.

use brain::UserId;
use brain::facts::{Cancelled, DateRange, Moved};
use jiff::tz::TimeZone;
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::Value;

use super::Personal;
use super::datebook::{COLUMNS, When, listed};
use super::db::StoreError;
use super::written::Once;
use crate::args::told;
use crate::calendar::Listed;
use crate::calendar::changing::{Moving, Parting, Standing};

impl Personal {
    /// One of them, by its id, in `zone`.
    pub(crate) async fn event(
        &self,
        user: UserId,
        id: String,
        zone: TimeZone,
    ) -> Result<Listed, StoreError> {
        self.db.run(move |connection| at(connection, user, &id, &zone)).await
    }

    /// Takes it off the calendar, if it still is what was shown.
    pub(crate) async fn take_off(&self, once: Once, parting: Parting) -> Result<Value, StoreError> {
        self.once(once, move |step, once| take_off(step, once, &parting)).await
    }

    /// Puts it at another time, if it still is what was shown.
    pub(crate) async fn put_elsewhere(
        &self,
        once: Once,
        moving: Moving,
    ) -> Result<Value, StoreError> {
        self.once(once, move |step, once| put_elsewhere(step, once, moving)).await
    }
}

fn take_off(step: &Transaction<'_>, once: &Once, parting: &Parting) -> Result<Value, StoreError> {
    let meeting = unchanged(step, once, &parting.event_id, &parting.was)?.meeting;
    step.execute(
        "DELETE FROM events WHERE user_id = ?1 AND id = ?2",
        (once.user.to_string(), &parting.event_id),
    )?;
    Ok(told(&Cancelled {
        event_id: meeting.event_id,
        title: meeting.title,
        start: meeting.start,
        end: meeting.end,
        attendees: meeting.attendees,
    }))
}

fn put_elsewhere(step: &Transaction<'_>, once: &Once, moving: Moving) -> Result<Value, StoreError> {
    let Moving { event_id, start, end, was } = moving;
    let meeting = unchanged(step, once, &event_id, &was)?.meeting;
    let when = if meeting.all_day {
        When::AllDay { first: start.date(), until: end.date() }
    } else {
        When::Timed { start: start.clone(), end: end.clone() }
    };
    let (starts_at, ends_at, zone, _) = when.row();
    step.execute(
        "UPDATE events SET starts_at = ?3, ends_at = ?4, zone = ?5 WHERE user_id = ?1 AND id = ?2",
        (
            once.user.to_string(),
            &event_id,
            starts_at.as_millisecond(),
            ends_at.as_millisecond(),
            zone,
        ),
    )?;
    Ok(told(&Moved {
        event_id,
        title: meeting.title,
        start,
        end,
        attendees: meeting.attendees,
        moved_from: DateRange { start: meeting.start, end: meeting.end },
    }))
}

/// The event, where it is what somebody has said yes to.
fn unchanged(
    step: &Transaction<'_>,
    once: &Once,
    id: &str,
    was: &Standing,
) -> Result<Listed, StoreError> {
    let found = at(step, once.user, id, was.start.time_zone())?;
    if Standing::of(&found.meeting) != *was {
        return Err(StoreError::Changed("event"));
    }
    Ok(found)
}

fn at(
    connection: &Connection,
    user: UserId,
    id: &str,
    zone: &TimeZone,
) -> Result<Listed, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM events WHERE user_id = ?1 AND id = ?2");
    let found =
        connection.query_row(&sql, (user.to_string(), id), |row| listed(row, zone)).optional()?;
    found.ok_or(StoreError::Missing("event"))?
}
