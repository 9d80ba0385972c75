//! Work that goes on while people talk on.
//!
//! Everything that changes a job reads it, asks `brain::job` or `rules`, and keeps
//! the answer, in one transaction of the one writer.

use std::borrow::Cow;

use async_trait::async_trait;
use brain::job::{Lane, News, Priority};
use brain::{CallError, CallId, Job, JobId, SessionId, TurnId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::decode::{self, name_of, named, number, parsed, spelled, time};
use super::{SqliteStore, signed};
use crate::{Batch, HELD_FOR, Held, JOBS_KEPT, Jobs, Room, StoreError, rules};

const COLUMNS: &str = "job_id, user_id, session_id, key, lane, priority, state, wake_at, lease,
    created_at, returned, told, body";

/// What of a job has no column of its own.
#[derive(Serialize, Deserialize)]
struct Body<'a> {
    turn: TurnId,
    call: CallId,
    kind: Cow<'a, str>,
    args: Cow<'a, Value>,
    called: Cow<'a, str>,
    failures: u32,
    checkpoint: Cow<'a, Value>,
    progress: f32,
    message: Cow<'a, str>,
    result: Option<Cow<'a, Value>>,
    error: Option<Cow<'a, CallError>>,
    ended_at: Option<Timestamp>,
}

#[async_trait]
impl Jobs for SqliteStore {
    async fn hold(&self, job: Job, room: Room) -> Result<Held, StoreError> {
        self.writer.write(move |connection| hold(connection, &job, room)).await
    }

    async fn take_up(&self, now: Timestamp, until: Timestamp) -> Result<Option<Job>, StoreError> {
        self.writer.write(move |connection| take_up(connection, now, until)).await
    }

    async fn next_job_at(&self) -> Result<Option<Timestamp>, StoreError> {
        self.look(|connection| {
            let sql = "SELECT wake_at FROM jobs
                       WHERE state IN ('queued', 'running') AND priority = ?1
                       ORDER BY wake_at LIMIT 1";
            let first = |priority: Priority| {
                decode::one(connection, sql, &name_of(&priority), |row| {
                    time(row, 0, "jobs", "wake_at")
                })
            };
            let all: Vec<_> = Priority::ALL.into_iter().map(first).collect::<Result<_, _>>()?;
            Ok(all.into_iter().flatten().min())
        })
        .await
    }

    async fn report(
        &self,
        job: JobId,
        lease: u64,
        news: News,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError> {
        self.writer
            .write(move |connection| {
                let Some(known) = find(connection, job)? else { return Ok(None) };
                let Ok(next) = known.learn(lease, news.clone(), now) else { return Ok(None) };
                save(connection, &next)?;
                Ok(Some(next))
            })
            .await
    }

    async fn let_go(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "UPDATE jobs SET state = 'queued', wake_at = ?1 WHERE state = 'running'";
                Ok(connection.prepare_cached(sql)?.execute([now.as_microsecond()])? as u64)
            })
            .await
    }

    async fn cancel_job(
        &self,
        user: UserId,
        job: JobId,
        now: Timestamp,
    ) -> Result<Option<Job>, StoreError> {
        self.writer
            .write(move |connection| {
                let known = find(connection, job)?.filter(|known| known.user == user);
                let Some(known) = known else { return Ok(None) };
                let Some(stopped) = known.cancelled(now) else { return Ok(Some(known)) };
                save(connection, &stopped)?;
                Ok(Some(stopped))
            })
            .await
    }

    async fn job(&self, user: UserId, job: JobId) -> Result<Option<Job>, StoreError> {
        self.look(move |connection| Ok(find(connection, job)?.filter(|known| known.user == user)))
            .await
    }

    async fn open_jobs(&self, user: UserId) -> Result<Vec<Job>, StoreError> {
        self.look(move |connection| {
            let which = "WHERE state IN ('held', 'queued', 'running') AND user_id = ?1
                             AND lane IN ('work', 'reminder') ORDER BY created_at, job_id";
            all(connection, which, &[&user.to_string()])
        })
        .await
    }

    async fn jobs(&self, user: Option<UserId>, limit: u32) -> Result<Vec<Job>, StoreError> {
        self.look(move |connection| match user {
            Some(user) => {
                let which = "WHERE user_id = ?1 ORDER BY created_at DESC, job_id DESC LIMIT ?2";
                all(connection, which, &[&user.to_string(), &limit])
            }
            None => all(connection, "ORDER BY created_at DESC, job_id DESC LIMIT ?1", &[&limit]),
        })
        .await
    }

    async fn unreturned_jobs(&self, session: SessionId) -> Result<Vec<Job>, StoreError> {
        self.look(move |connection| {
            let which = "WHERE session_id = ?1 AND returned = 0
                             AND state IN ('done', 'failed', 'cancelled')
                         ORDER BY created_at, job_id";
            all(connection, which, &[&session.to_string()])
        })
        .await
    }

    async fn unsettled_jobs(&self) -> Result<Vec<Job>, StoreError> {
        self.look_at_once(|connection| {
            let over = "state IN ('done', 'failed', 'cancelled')";
            let mut jobs = all(connection, &format!("WHERE told = 0 AND {over}"), &[])?;
            let told = format!("WHERE returned = 0 AND {over} AND told = 1");
            jobs.append(&mut all(connection, &told, &[])?);
            jobs.sort_by_key(|job| (job.created_at, job.id));
            Ok(jobs)
        })
        .await
    }
}

/// What a batch says of jobs.
pub(super) fn mark(connection: &Connection, batch: &Batch) -> Result<(), StoreError> {
    for mark in &batch.jobs {
        let known = find(connection, mark.job())?;
        save(connection, &rules::marked(batch.session, known.as_ref(), *mark)?)?;
    }
    Ok(())
}

/// The sessions that have not written down what came of their jobs.
pub(super) fn restless(connection: &Connection) -> Result<Vec<(SessionId, UserId)>, StoreError> {
    let sql = "SELECT DISTINCT session_id, user_id FROM jobs
               WHERE returned = 0 AND state IN ('done', 'failed', 'cancelled')";
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([])?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        let session = parsed(row, 0, "jobs", "session_id")?;
        sessions.push((session, parsed(row, 1, "jobs", "user_id")?));
    }
    Ok(sessions)
}

fn hold(connection: &Connection, job: &Job, room: Room) -> Result<Held, StoreError> {
    tidy(connection, job.user, job.created_at)?;
    let sql = "SELECT job_id FROM jobs WHERE key = ?1";
    let same = decode::one(connection, sql, &job.key, |row| parsed(row, 0, "jobs", "job_id"))?;
    if let Some(same) = same {
        return Ok(Held::Kept(same));
    }
    let sql = "SELECT coalesce(sum(user_id = ?2), 0), count(*) FROM jobs
               WHERE state IN ('held', 'queued', 'running') AND lane = ?1";
    let counted = params![name_of(&job.lane), job.user.to_string()];
    let (of_user, of_all): (i64, i64) =
        connection.prepare_cached(sql)?.query_row(counted, |row| Ok((row.get(0)?, row.get(1)?)))?;
    let many = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    if let Some(full) = rules::has_room(room, many(of_user), many(of_all)) {
        return Ok(full);
    }
    save(connection, job)?;
    Ok(Held::Kept(job.id))
}

/// Lets go of what no batch has spoken of, and of what was over long ago.
fn tidy(connection: &Connection, user: UserId, now: Timestamp) -> Result<(), StoreError> {
    let forgotten = now.checked_sub(HELD_FOR).unwrap_or(Timestamp::MIN);
    let sql = "DELETE FROM jobs WHERE state = 'held' AND created_at <= ?1";
    connection.prepare_cached(sql)?.execute([forgotten.as_microsecond()])?;
    let sql = "DELETE FROM jobs WHERE job_id IN (
                   SELECT job_id FROM jobs
                   WHERE user_id = ?1 AND told = 1 AND returned = 1
                       AND state IN ('done', 'failed', 'cancelled')
                   ORDER BY created_at DESC, job_id DESC LIMIT -1 OFFSET ?2)";
    let kept = i64::try_from(JOBS_KEPT).unwrap_or(i64::MAX);
    connection.prepare_cached(sql)?.execute(params![user.to_string(), kept])?;
    Ok(())
}

fn take_up(
    connection: &Connection,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Job>, StoreError> {
    for priority in Priority::ALL {
        let which = "WHERE state IN ('queued', 'running') AND priority = ?1 AND wake_at <= ?2
                     ORDER BY wake_at, job_id LIMIT 1";
        let wanted: [&dyn ToSql; 2] = [&name_of(&priority), &now.as_microsecond()];
        if let Some(first) = all(connection, which, &wanted)?.into_iter().next() {
            let taken = first.taken_up(until);
            save(connection, &taken)?;
            return Ok(Some(taken));
        }
    }
    Ok(None)
}

fn find(connection: &Connection, job: JobId) -> Result<Option<Job>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM jobs WHERE job_id = ?1");
    decode::one(connection, &sql, &job.to_string(), job_of)
}

fn all(
    connection: &Connection,
    which: &str,
    wanted: &[&dyn ToSql],
) -> Result<Vec<Job>, StoreError> {
    let mut query = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM jobs {which}"))?;
    let mut rows = query.query(wanted)?;
    let mut jobs = Vec::new();
    while let Some(row) = rows.next()? {
        jobs.push(job_of(row)?);
    }
    Ok(jobs)
}

fn save(connection: &Connection, job: &Job) -> Result<(), StoreError> {
    let body = Body {
        turn: job.turn,
        call: job.call,
        kind: Cow::Borrowed(&job.kind),
        args: Cow::Borrowed(&job.args),
        called: Cow::Borrowed(&job.called),
        failures: job.failures,
        checkpoint: Cow::Borrowed(&job.checkpoint),
        progress: job.progress,
        message: Cow::Borrowed(&job.message),
        result: job.result.as_ref().map(Cow::Borrowed),
        error: job.error.as_ref().map(Cow::Borrowed),
        ended_at: job.ended_at,
    };
    let sql = format!(
        "INSERT INTO jobs ({COLUMNS})
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (job_id) DO UPDATE SET state = excluded.state, wake_at = excluded.wake_at,
             lease = excluded.lease, returned = excluded.returned, told = excluded.told,
             body = excluded.body"
    );
    connection.prepare_cached(&sql)?.execute(params![
        job.id.to_string(),
        job.user.to_string(),
        job.session.to_string(),
        job.key,
        name_of(&job.lane),
        name_of(&job.priority),
        job.state.name(),
        job.wake_at.as_microsecond(),
        signed(job.lease),
        job.created_at.as_microsecond(),
        job.returned,
        job.told,
        spelled(&body),
    ])?;
    Ok(())
}

fn job_of(row: &Row<'_>) -> Result<Job, StoreError> {
    let t = "jobs";
    let body: Body<'static> = decode::json(row, 12, t, "body")?;
    let lane: Lane = named(row, 4, t, "lane")?;
    Ok(Job {
        id: parsed(row, 0, t, "job_id")?,
        user: parsed(row, 1, t, "user_id")?,
        session: parsed(row, 2, t, "session_id")?,
        key: row.get(3)?,
        lane,
        priority: named(row, 5, t, "priority")?,
        state: named(row, 6, t, "state")?,
        wake_at: time(row, 7, t, "wake_at")?,
        lease: number(row, 8)?,
        created_at: time(row, 9, t, "created_at")?,
        returned: row.get(10)?,
        told: row.get(11)?,
        turn: body.turn,
        call: body.call,
        kind: body.kind.into_owned(),
        args: body.args.into_owned(),
        called: body.called.into_owned(),
        failures: body.failures,
        checkpoint: body.checkpoint.into_owned(),
        progress: body.progress,
        message: body.message.into_owned(),
        result: body.result.map(Cow::into_owned),
        error: body.error.map(Cow::into_owned),
        ended_at: body.ended_at,
    })
}
