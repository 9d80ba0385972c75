//! Chats: what was said in the sessions of one person.
//!
//! The order of messages across the sessions of a chat is the order of their rows:
//! rows are appended as they are committed and never moved.

use async_trait::async_trait;
use brain::audit::Line;
use brain::{Envelope, FileId, MessageId, SessionId, ThreadId, UserId};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::decode::{self, number, parsed, present, time};
use super::{Budget, SqliteStore, keeping};
use crate::{Deleted, Found, StoreError, ThreadPage, ThreadRow, Threads, Words, text_of};

/// Spelled out, so that one statement serves every caller.
const IS_MESSAGE: &str = "event_type IN ('input_transcript.final', 'assistant_text.final')";

#[async_trait]
impl Threads for SqliteStore {
    async fn threads(&self, user: UserId, page: ThreadPage) -> Result<Vec<ThreadRow>, StoreError> {
        let Some(words) = page.words.clone() else {
            let all = |_: &ThreadRow| Ok(true);
            return self
                .look_at_once(move |connection| threads(connection, user, &page, all))
                .await;
        };
        self.search_through(move |connection, budget| {
            let has = |row: &ThreadRow| has(connection, user, row, &words, budget);
            threads(connection, user, &page, has)
        })
        .await
    }

    async fn thread(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Option<ThreadRow>, StoreError> {
        self.look_at_once(move |connection| {
            let sql = list_sql("AND sessions.thread_id = ?2", "");
            let mut query = connection.prepare_cached(&sql)?;
            let mut rows = query.query(params![user.to_string(), thread.to_string()])?;
            let row = rows.next()?.map(listed).transpose()?;
            row.map(|row| with_ends(connection, user, row)).transpose()
        })
        .await
    }

    async fn sessions_in(
        &self,
        user: UserId,
        thread: ThreadId,
    ) -> Result<Vec<SessionId>, StoreError> {
        self.look(move |connection| {
            let sql = "SELECT session_id FROM sessions WHERE user_id = ?1 AND thread_id = ?2
                       ORDER BY created_at, session_id";
            let mut query = connection.prepare_cached(sql)?;
            let mut rows = query.query(params![user.to_string(), thread.to_string()])?;
            let mut sessions = Vec::new();
            while let Some(row) = rows.next()? {
                sessions.push(parsed(row, 0, "sessions", "session_id")?);
            }
            Ok(sessions)
        })
        .await
    }

    async fn said_in(
        &self,
        user: UserId,
        thread: ThreadId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Envelope>>, StoreError> {
        self.look_at_once(move |connection| {
            let Some(places) = places(connection, user, Some(thread), before, limit)? else {
                return Ok(None);
            };
            let said = places.into_iter().rev().map(|place| Ok(message(connection, place)?.1));
            said.collect::<Result<_, StoreError>>().map(Some)
        })
        .await
    }

    async fn search(
        &self,
        user: UserId,
        words: Words,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<Found>>, StoreError> {
        self.search_through(move |connection, budget| {
            let Some(places) = places(connection, user, None, before, budget.left)? else {
                return Ok(None);
            };
            let mut found = Vec::new();
            for place in places {
                if found.len() == limit as usize || !budget.spend() {
                    break;
                }
                let (thread, message) = message(connection, place)?;
                if words.are_in(text_of(&message)) {
                    found.push(Found { thread, message });
                }
            }
            Ok(Some(found))
        })
        .await
    }

    async fn rename(
        &self,
        user: UserId,
        thread: ThreadId,
        title: String,
    ) -> Result<bool, StoreError> {
        self.writer
            .write(move |connection| {
                let sql = "INSERT INTO threads (user_id, thread_id, title)
                           SELECT ?1, ?2, ?3 WHERE EXISTS
                               (SELECT 1 FROM sessions WHERE user_id = ?1 AND thread_id = ?2)
                           ON CONFLICT (user_id, thread_id) DO UPDATE SET title = excluded.title";
                let named = params![user.to_string(), thread.to_string(), title];
                Ok(connection.prepare_cached(sql)?.execute(named)? > 0)
            })
            .await
    }

    async fn delete_thread(
        &self,
        user: UserId,
        thread: ThreadId,
        now: Timestamp,
        line: Line,
    ) -> Result<Deleted, StoreError> {
        let delete = move |connection: &_| delete(connection, user, thread, now, &line);
        let deleted = self.writer.write(delete).await?;
        self.carry_out(&deleted).await?;
        Ok(deleted)
    }
}

/// One row a chat, without its messages.
fn list_sql(which: &str, having: &str) -> String {
    format!(
        "SELECT sessions.thread_id, max(threads.title), count(*), sum(sessions.messages),
             min(sessions.created_at),
             max(max(coalesce(said_at, created_at), created_at)) AS updated_at,
             max((SELECT max(expires_at) FROM confirmation_requests AS asked
                  WHERE asked.session_id = sessions.session_id AND asked.state = 'pending'))
         FROM sessions LEFT JOIN threads
             ON threads.user_id = sessions.user_id AND threads.thread_id = sessions.thread_id
         WHERE sessions.user_id = ?1 {which}
         GROUP BY sessions.thread_id {having}
         ORDER BY updated_at DESC, sessions.thread_id DESC"
    )
}

fn listed(row: &Row<'_>) -> Result<ThreadRow, StoreError> {
    let t = "sessions";
    Ok(ThreadRow {
        thread: parsed(row, 0, t, "thread_id")?,
        title: present(row, 1)?.then(|| row.get(1)).transpose()?,
        sessions: number(row, 2)?,
        messages: number(row, 3)?,
        created_at: time(row, 4, t, "created_at")?,
        updated_at: time(row, 5, t, "said_at")?,
        waits_until: present(row, 6)?
            .then(|| time(row, 6, "confirmation_requests", "expires_at"))
            .transpose()?,
        first: None,
        last: None,
    })
}

fn threads(
    connection: &Connection,
    user: UserId,
    page: &ThreadPage,
    mut is_wanted: impl FnMut(&ThreadRow) -> Result<bool, StoreError>,
) -> Result<Vec<ThreadRow>, StoreError> {
    let having = "HAVING sum(sessions.messages) > 0 AND max(sessions.temporary) = 0
                  AND (updated_at, sessions.thread_id) < (?2, ?3)";
    let mut query = connection.prepare_cached(&list_sql("", having))?;
    // Behind every time there is, when nothing came before this page.
    let (at, id) = page
        .after
        .map_or((i64::MAX, String::new()), |(at, id)| (at.as_microsecond(), id.to_string()));
    let mut rows = query.query(params![user.to_string(), at, id])?;
    let mut found = Vec::new();
    while found.len() < page.limit as usize {
        let Some(row) = rows.next()? else { break };
        let row = listed(row)?;
        if is_wanted(&row)? {
            found.push(with_ends(connection, user, row)?);
        }
    }
    Ok(found)
}

/// All chats together have one budget: a word that is nowhere is not looked for in
/// everything that was ever said. Titles are always looked at.
fn has(
    connection: &Connection,
    user: UserId,
    row: &ThreadRow,
    words: &Words,
    budget: &mut Budget,
) -> Result<bool, StoreError> {
    if row.title.as_ref().is_some_and(|title| words.are_in(title)) {
        return Ok(true);
    }
    let places = places(connection, user, Some(row.thread), None, budget.left)?;
    for place in places.unwrap_or_default() {
        if !budget.spend() {
            return Ok(false);
        }
        if words.are_in(text_of(&message(connection, place)?.1)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// With its first message and its last. A session's own index finds each of them
/// without passing what is between.
fn with_ends(
    connection: &Connection,
    user: UserId,
    row: ThreadRow,
) -> Result<ThreadRow, StoreError> {
    let place = |which: &str, order: &str| {
        let sql = format!(
            "SELECT {which}((SELECT rowid FROM events
                 WHERE session_id = sessions.session_id AND {IS_MESSAGE}
                 ORDER BY seq {order} LIMIT 1))
             FROM sessions WHERE user_id = ?1 AND thread_id = ?2 AND messages > 0"
        );
        let whose = params![user.to_string(), row.thread.to_string()];
        let place: Option<i64> =
            connection.prepare_cached(&sql)?.query_row(whose, |found| found.get(0))?;
        place.map(|place| Ok(message(connection, place)?.1)).transpose()
    };
    let (first, last): (_, Result<_, StoreError>) = (place("min", "ASC")?, place("max", "DESC"));
    Ok(ThreadRow { first, last: last?, ..row })
}

/// Where the messages of a person, or of one of their chats, are: newest first.
/// `None` when the one they are to come before is not among them.
fn places(
    connection: &Connection,
    user: UserId,
    thread: Option<ThreadId>,
    before: Option<MessageId>,
    limit: u32,
) -> Result<Option<Vec<i64>>, StoreError> {
    let theirs = format!(
        "FROM events WHERE session_id IN (SELECT session_id FROM sessions
             WHERE user_id = ?1 AND ((?2 IS NULL AND temporary = 0) OR thread_id = ?2)) AND {IS_MESSAGE}"
    );
    let (user, thread) = (user.to_string(), thread.map(|thread| thread.to_string()));
    let mut end = i64::MAX;
    if let Some(message) = before {
        let sql = format!("SELECT max(rowid) {theirs} AND body ->> '$.message_id' = ?3");
        let which = params![user, thread, message.to_string()];
        let place: Option<i64> =
            connection.prepare_cached(&sql)?.query_row(which, |found| found.get(0))?;
        let Some(place) = place else { return Ok(None) };
        end = place;
    }
    let sql = format!("SELECT rowid {theirs} AND rowid < ?3 ORDER BY rowid DESC LIMIT ?4");
    let mut query = connection.prepare_cached(&sql)?;
    let found = query.query_map(params![user, thread, end, limit], |row| row.get(0))?;
    Ok(Some(found.collect::<Result<_, _>>()?))
}

fn message(connection: &Connection, place: i64) -> Result<(ThreadId, Envelope), StoreError> {
    let sql = "SELECT thread_id, body FROM events JOIN sessions USING (session_id)
               WHERE events.rowid = ?1";
    let mut query = connection.prepare_cached(sql)?;
    let mut rows = query.query([place])?;
    let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    Ok((parsed(row, 0, "sessions", "thread_id")?, decode::json(row, 1, "events", "body")?))
}

fn delete(
    connection: &Connection,
    user: UserId,
    thread: ThreadId,
    now: Timestamp,
    line: &Line,
) -> Result<Deleted, StoreError> {
    let sql = "SELECT session_id FROM sessions WHERE user_id = ?1 AND thread_id = ?2
               ORDER BY session_id";
    let whose = params![user.to_string(), thread.to_string()];
    let sessions: Vec<String> = connection
        .prepare_cached(sql)?
        .query_map(whose, |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    if sessions.is_empty() {
        return Ok(Deleted::Unknown);
    }
    for session in &sessions {
        if let Some(open) = open_in(connection, session, now)? {
            return Ok(open);
        }
    }
    let (mut gone, mut files): (Vec<SessionId>, Vec<FileId>) = Default::default();
    for session in &sessions {
        let (id, mut handed) = keeping::part_with(connection, session, line)?;
        gone.push(id);
        files.append(&mut handed);
    }
    Ok(Deleted::Gone { sessions: gone, files })
}

fn open_in(
    connection: &Connection,
    session: &str,
    now: Timestamp,
) -> Result<Option<Deleted>, StoreError> {
    if keeping::has_open_write(connection, session)? {
        return Ok(Some(Deleted::WriteOpen));
    }
    let card = "SELECT EXISTS (SELECT 1 FROM confirmation_requests
                WHERE session_id = ?1 AND state = 'pending' AND expires_at > ?2)
                AND NOT EXISTS (SELECT 1 FROM sessions WHERE session_id = ?1 AND temporary = 1)";
    let waits = params![session, now.as_microsecond()];
    let waits: bool = connection.prepare_cached(card)?.query_row(waits, |row| row.get(0))?;
    Ok(waits.then_some(Deleted::CardOpen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::migrate;

    #[test]
    fn who_looks_for_their_chats_does_not_pass_those_of_others() {
        let mut tables = Connection::open_in_memory().unwrap();
        migrate::up(&mut tables).unwrap();
        let theirs = "SELECT session_id FROM sessions WHERE user_id = ?1 AND thread_id = ?2";
        for sql in [&list_sql("", ""), &list_sql("AND sessions.thread_id = ?2", ""), theirs] {
            let mut query = tables.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let nothing = vec![rusqlite::types::Null; query.parameter_count()];
            let ways = query.query_map(rusqlite::params_from_iter(nothing), |row| row.get(3));
            let ways: Vec<String> = ways.unwrap().collect::<Result<_, _>>().unwrap();
            assert!(ways[0].starts_with("SEARCH sessions USING "), "{ways:?}");
            assert!(ways[0].contains("sessions_of_people (user_id=?"), "{ways:?}");
        }
    }
}
