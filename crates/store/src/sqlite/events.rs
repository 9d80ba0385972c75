//! What was said and happened, in the order of its numbers.

use async_trait::async_trait;
use brain::{Envelope, MessageId, SessionId};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::decode;
use super::turns::{save_tool_run, save_turn};
use super::{SqliteStore, audit, costs, jobs, say_so, signed};
use crate::{Batch, EventLog, MESSAGES, Named, StoreError, is_message};

#[async_trait]
impl EventLog for SqliteStore {
    async fn append(&self, batch: Batch) -> Result<(), StoreError> {
        self.writer.write(move |connection| append(connection, &batch)).await
    }

    async fn page(
        &self,
        session: SessionId,
        after: u64,
        limit: u32,
        bytes: usize,
    ) -> Result<Vec<Envelope>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1 AND seq > ?2
                       ORDER BY seq LIMIT ?3";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query(params![session.to_string(), signed(after), limit])?;
            let (mut events, mut spelled) = (Vec::new(), 0);
            while let Some(row) = rows.next()? {
                spelled += row.get_ref(0)?.as_bytes().map_or(0, <[u8]>::len);
                if spelled > bytes && !events.is_empty() {
                    break;
                }
                events.push(decode::event(row)?);
            }
            Ok(events)
        })
        .await
    }

    async fn last(&self, session: SessionId, limit: u32) -> Result<Vec<Envelope>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1 ORDER BY seq DESC LIMIT ?2";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query(params![session.to_string(), limit])?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                events.push(decode::event(row)?);
            }
            events.reverse();
            Ok(events)
        })
        .await
    }

    async fn count(&self, session: SessionId, after: u64, limit: u32) -> Result<u32, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT count(*) FROM (SELECT 1 FROM events
                           WHERE session_id = ?1 AND seq > ?2 LIMIT ?3)";
            let counted = params![session.to_string(), signed(after), limit];
            Ok(connection.prepare_cached(sql)?.query_row(counted, |row| row.get(0))?)
        })
        .await
    }

    async fn messages(
        &self,
        session: SessionId,
        until: u64,
        limit: u32,
    ) -> Result<Vec<Envelope>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1 AND seq <= ?2
                           AND event_type IN (?4, ?5)
                       ORDER BY seq DESC LIMIT ?3";
            let mut query = connection.prepare_cached(sql)?;
            let [heard, said] = MESSAGES;
            let wanted = params![session.to_string(), signed(until), limit, heard, said];
            let mut rows = query.query(wanted)?;
            let mut events = Vec::new();
            while let Some(row) = rows.next()? {
                events.push(decode::event(row)?);
            }
            events.reverse();
            Ok(events)
        })
        .await
    }

    async fn said(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<Option<Envelope>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body FROM events WHERE session_id = ?1 AND event_type = ?2
                           AND body ->> '$.message_id' = ?3
                       ORDER BY seq DESC LIMIT 1";
            let mut query = connection.prepare_cached(sql)?;
            let [_, said] = MESSAGES;
            let mut rows = query.query(params![session.to_string(), said, message.to_string()])?;
            rows.next()?.map(decode::event).transpose()
        })
        .await
    }

    async fn names(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Named>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT body, print FROM events WHERE session_id = ?1
                           AND event_type IN ('turn.start', 'input_transcript.final',
                                              'turn.cancelled', 'confirmation.resolved')
                           AND body -> '$.payload.in_reply_to' IS NOT NULL
                       ORDER BY seq DESC LIMIT ?2";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query(params![session.to_string(), limit])?;
            let mut names = Vec::new();
            while let Some(row) = rows.next()? {
                let envelope = decode::event(row)?;
                if envelope.ts < since {
                    break;
                }
                if let Some(name) = envelope.event.took() {
                    let (at, name) = (envelope.ts, name.to_owned());
                    names.push(Named { at, name, print: decode::print(row, 1)? });
                }
            }
            names.reverse();
            Ok(names)
        })
        .await
    }
}

fn append(connection: &Connection, batch: &Batch) -> Result<(), StoreError> {
    let session = batch.session.to_string();
    let seqs = || batch.events.iter().filter_map(|event| event.seq);
    let messages = || batch.events.iter().filter(|event| is_message(event));
    let sql = "UPDATE sessions
               SET last_seq = max(last_seq, ?3), reserved_seq = max(reserved_seq, ?4),
                   messages = messages + ?6, said_at = coalesce(?7, said_at)
               WHERE session_id = ?1 AND epoch = ?2 AND last_seq < ?5";
    let owned = connection.prepare_cached(sql)?.execute(params![
        session,
        signed(batch.epoch),
        signed(seqs().next_back().unwrap_or(0)),
        signed(batch.reserve_to),
        signed(seqs().next().unwrap_or(u64::MAX)),
        signed(messages().count() as u64),
        messages().next_back().map(|event| event.ts.as_microsecond()),
    ])?;
    if owned == 0 {
        let sql = "SELECT EXISTS (SELECT 1 FROM sessions WHERE session_id = ?1)";
        let is_there = connection.prepare_cached(sql)?.query_row([&session], |row| row.get(0))?;
        let id = batch.session;
        return Err(if is_there { StoreError::Stale(id) } else { StoreError::Gone(id) });
    }
    let sql = "INSERT INTO events (session_id, seq, epoch, event_type, body, print)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = connection.prepare_cached(sql)?;
    for event in &batch.events {
        let seq = signed(event.seq.expect("the log numbers what it keeps"));
        let (name, body) = (event.event.name(), event.spelled());
        let print = batch.print(event).map(|print| print.to_string());
        insert.execute(params![session, seq, signed(batch.epoch), name, body, print])?;
    }
    if let Some(turn) = &batch.turn {
        save_turn(connection, turn)?;
    }
    batch.tool_runs.iter().try_for_each(|run| save_tool_run(connection, run))?;
    batch.model_calls.iter().try_for_each(|call| costs::save(connection, call))?;
    say_so::save(connection, batch)?;
    jobs::mark(connection, batch)?;
    audit::add(connection, &batch.audit)
}
