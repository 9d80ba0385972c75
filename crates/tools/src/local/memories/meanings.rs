//! What memories mean, kept beside them, and made up for where it is missing.
//!
//! A direction belongs to the model that heard it. With another model, and for
//! what was kept while there was none, everything is heard again, a handful at
//! a time.

use std::sync::Arc;
use std::time::Duration;

use brain::UserId;
use rusqlite::Connection;
use tokio::sync::Semaphore;

use crate::local::Personal;
use crate::local::db::StoreError;
use crate::memory::meaning::{Direction, Meaning};
use crate::text;

/// A question is not waited for any longer; its words find something too.
const PATIENCE: Duration = Duration::from_secs(1);
/// So many sentences are heard at the same time.
const AT_ONCE: usize = 2;
/// So many are made up for in one step.
const HANDFUL: u32 = 32;

/// Who hears what memories mean, where somebody does. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Hearing {
    meaning: Option<Arc<dyn Meaning>>,
    room: Arc<Semaphore>,
}

/// What a sentence means, and to which model.
#[derive(Clone, Debug)]
pub(crate) struct Meant {
    pub model: String,
    pub direction: Direction,
}

impl Hearing {
    pub fn of(meaning: Option<Arc<dyn Meaning>>) -> Self {
        Self { meaning, room: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// What it means, unless nobody knows soon enough.
    pub async fn hear(&self, sentence: &str) -> Option<Meant> {
        tokio::time::timeout(PATIENCE, self.listen(sentence)).await.ok().flatten()
    }

    /// The same, however long it takes.
    async fn listen(&self, sentence: &str) -> Option<Meant> {
        let meaning = Arc::clone(self.meaning.as_ref()?);
        // Marks and accents say nothing to a model, and some of them confuse it.
        let sentence = text::fold(sentence).trim().to_owned();
        let place = Arc::clone(&self.room).acquire_owned().await.ok()?;
        let heard = tokio::task::spawn_blocking(move || {
            let direction = Direction::of(&meaning.direction(&sentence)?);
            drop(place);
            Some(Meant { model: meaning.model().to_owned(), direction })
        });
        heard.await.ok().flatten()
    }
}

impl Personal {
    /// Hears again whatever this model has not heard. Returns how many that were;
    /// what it cannot hear now is left for another time.
    pub async fn catch_up_on_meanings(&self) -> Result<usize, StoreError> {
        // Loading it may take a moment, and blocks.
        let Some(Meant { model, .. }) = self.hearing.listen("hello").await else { return Ok(0) };
        let mut heard = 0;
        loop {
            let model = model.clone();
            let missed = self.db.run(move |connection| missed(connection, &model)).await?;
            if missed.is_empty() {
                return Ok(heard);
            }
            let mut batch = Vec::new();
            for (user, number, text) in missed {
                let Some(meant) = self.hearing.listen(&text).await else { return Ok(heard) };
                batch.push((user, number, text, meant));
            }
            heard += batch.len();
            self.db
                .run(move |connection| {
                    let step = connection.transaction()?;
                    for (user, number, text, meant) in &batch {
                        // It may have been forgotten meanwhile.
                        if is_still(&step, user, *number, text)? {
                            put(&step, user, *number, meant)?;
                        }
                    }
                    Ok(step.commit()?)
                })
                .await?;
        }
    }
}

/// Whose it is, its number and its words.
type Missed = (String, i64, String);

fn missed(view: &Connection, model: &str) -> Result<Vec<Missed>, StoreError> {
    let mut listing = view.prepare_cached(
        "SELECT m.user_id, m.number, m.text FROM memories m \
         LEFT JOIN memory_meanings h ON h.user_id = m.user_id AND h.number = m.number \
         AND h.model = ?1 WHERE h.number IS NULL ORDER BY m.number DESC LIMIT ?2",
    )?;
    let rows =
        listing.query_map((model, HANDFUL), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn is_still(step: &Connection, user: &str, number: i64, text: &str) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM memories \
               WHERE number = ?1 AND user_id = ?2 AND text = ?3)";
    Ok(step.query_row(sql, (number, user, text), |row| row.get(0))?)
}

pub(super) fn put(
    step: &Connection,
    user: &str,
    number: i64,
    meant: &Meant,
) -> Result<(), StoreError> {
    step.execute(
        "INSERT OR REPLACE INTO memory_meanings (user_id, number, model, direction) \
         VALUES (?1, ?2, ?3, ?4)",
        (user, number, &meant.model, meant.direction.kept()),
    )?;
    Ok(())
}

pub(super) fn let_go(step: &Connection, user: UserId, number: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM memory_meanings WHERE user_id = ?1 AND number = ?2";
    step.execute(sql, (user.to_string(), number))?;
    Ok(())
}

/// How much each of a person's memories means the same as `meant`.
pub(super) fn likenesses(
    view: &Connection,
    user: UserId,
    meant: &Meant,
) -> Result<Vec<(i64, f32)>, StoreError> {
    let mut listing = view.prepare_cached(
        "SELECT number, direction FROM memory_meanings WHERE user_id = ?1 AND model = ?2",
    )?;
    let mut rows = listing.query((user.to_string(), &meant.model))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let kept = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
        found.push((row.get(0)?, meant.direction.likeness_to_kept(kept)));
    }
    Ok(found)
}
