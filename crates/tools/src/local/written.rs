//! Each write once: what was done under a key is found under it again.
//!
//! The key and what it stands for go into the file in one transaction, so
//! there is never one without the other, wherever the power goes out.

use std::time::{Duration, Instant};

use brain::{Seal, UserId};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use serde_json::Value;

use super::Personal;
use super::db::StoreError;
use super::mailbox::{json, unjson};
use crate::tool::{Caller, Found};

/// A write that has waited longer is not begun any more; a session waits 15 s for it.
const LATEST: Duration = Duration::from_secs(10);

/// One use of a tool that leaves something behind.
#[derive(Clone, Debug)]
pub(crate) struct Once {
    pub user: UserId,
    pub key: String,
    /// Of the tool and its arguments.
    pub seal: Seal,
    pub now_ms: i64,
}

impl Once {
    pub(crate) fn new(tool: &str, args: &Value, caller: &Caller) -> Self {
        Self {
            user: caller.user,
            key: caller.idempotency_key.clone(),
            seal: Seal::of(tool, args),
            now_ms: caller.now.timestamp().as_millisecond(),
        }
    }

    /// The id of what comes of it: the same on every attempt.
    pub(crate) fn id(&self, kind: &str) -> String {
        let named = serde_json::json!({ "user": self.user, "key": self.key, "kind": kind });
        let digits = Seal::of_value(&named).to_string();
        format!("{kind}_{}", &digits[..32])
    }
}

impl Personal {
    /// Does `work` unless it was done before; either way says what was reported
    /// the first time.
    pub(crate) async fn once(
        &self,
        once: Once,
        work: impl FnOnce(&Transaction<'_>, &Once) -> Result<Value, StoreError> + Send + 'static,
    ) -> Result<Value, StoreError> {
        let asked = Instant::now();
        self.db
            .run(move |connection| {
                // Whoever asked has given up by then, and must be able to trust that
                // nothing happens behind their back.
                let in_time = || asked.elapsed() < LATEST;
                do_once(connection, &once, in_time, work)
            })
            .await
    }

    /// What became of an earlier try.
    pub(crate) async fn earlier(&self, once: Once) -> Result<Found, StoreError> {
        self.db
            .run(move |connection| match lookup(connection, &once)? {
                Some((seal, result)) if seal == once.seal.to_string() => Ok(Found::Done(result)),
                Some(_) | None => Ok(Found::Absent),
            })
            .await
    }
}

fn do_once(
    connection: &mut Connection,
    once: &Once,
    in_time: impl FnOnce() -> bool,
    work: impl FnOnce(&Transaction<'_>, &Once) -> Result<Value, StoreError>,
) -> Result<Value, StoreError> {
    // Immediate: of two tries at once the second waits, then finds the first.
    let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let Some((seal, result)) = lookup(&step, once)? {
        return if seal == once.seal.to_string() { Ok(result) } else { Err(StoreError::KeyTaken) };
    }
    if !in_time() {
        return Err(StoreError::Late);
    }
    let result = work(&step, once)?;
    step.execute(
        "INSERT INTO written (user_id, key, seal, result, written_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        (once.user.to_string(), &once.key, once.seal.to_string(), json(&result), once.now_ms),
    )?;
    step.commit().map_err(StoreError::Unsure)?;
    Ok(result)
}

fn lookup(connection: &Connection, once: &Once) -> Result<Option<(String, Value)>, StoreError> {
    let sql = "SELECT seal, result FROM written WHERE user_id = ?1 AND key = ?2";
    let found = connection
        .query_row(sql, (once.user.to_string(), &once.key), |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })
        .optional()?;
    let Some((seal, result)) = found else { return Ok(None) };
    let bad = || StoreError::BadRow { table: "written", column: "result", id: once.key.clone() };
    Ok(Some((seal, unjson(&result).ok_or_else(bad)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_has_waited_too_long_is_not_begun() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(include_str!("migrations/0002_written.sql")).unwrap();
        let once = Once {
            user: UserId(brain::ids::Uuid::nil()),
            key: "k".into(),
            seal: Seal::of("t", &Value::Null),
            now_ms: 0,
        };
        let never =
            |_: &Transaction<'_>, _: &Once| -> Result<Value, StoreError> { panic!("it was begun") };

        let late = do_once(&mut connection, &once, || false, never);

        assert!(matches!(late, Err(StoreError::Late)));
        assert_eq!(lookup(&connection, &once).unwrap(), None);
        let done = do_once(&mut connection, &once, || true, |_, _| Ok(Value::Bool(true)));
        assert_eq!(done.unwrap(), Value::Bool(true));
    }
}
