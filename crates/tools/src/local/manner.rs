//! How each person wants to be spoken to: how names are said, and how fast.

use brain::UserId;
use brain::facts::{LeftAsIs, SaidLike};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use super::db::StoreError;
use super::{Personal, contacts};
use crate::text;

/// So many words of names a person may have told us.
const MOST: usize = 500;

/// What somebody told us of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Of the voice's own pace; none where it is left to the server.
    pub percent: Option<u16>,
    pub names: Vec<SaidLike>,
}

impl Personal {
    pub async fn manner(&self, user: UserId) -> Result<Manner, StoreError> {
        self.db
            .run(move |connection| {
                let (percent, names) = (pace(connection, user)?, told(connection, user)?);
                Ok(Manner { percent, names })
            })
            .await
    }

    /// How these words of names are said from now on; `own` is the person's own name.
    pub(crate) async fn pronounce(
        &self,
        user: UserId,
        own: Option<String>,
        names: Vec<SaidLike>,
    ) -> Result<Result<Vec<SaidLike>, LeftAsIs>, StoreError> {
        self.db
            .run(move |connection| {
                let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let known = words_of_names(&step, user, own.as_deref())?;
                let names = match spelled_as_known(names, &known) {
                    Ok(names) => names,
                    Err(left) => return Ok(Err(left)),
                };
                for SaidLike { word, like } in &names {
                    step.execute(
                        "INSERT INTO pronunciations (user_id, folded, word, said_like) \
                         VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE \
                         SET word = excluded.word, said_like = excluded.said_like",
                        (user.to_string(), text::fold(word), word, like),
                    )?;
                }
                if told(&step, user)?.len() > MOST {
                    return Err(StoreError::TooMuch("500 pronunciations are as many as I keep"));
                }
                step.commit()?;
                Ok(Ok(names))
            })
            .await
    }

    /// Says these words as they are written again, or all of them; which those were.
    pub(crate) async fn forget_pronunciations(
        &self,
        user: UserId,
        words: Option<Vec<String>>,
    ) -> Result<Vec<SaidLike>, StoreError> {
        self.db
            .run(move |connection| {
                let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let mut gone = told(&step, user)?;
                if let Some(words) = words {
                    let words: Vec<String> = words.iter().map(|word| text::fold(word)).collect();
                    gone.retain(|known| words.contains(&text::fold(&known.word)));
                }
                for SaidLike { word, .. } in &gone {
                    step.execute(
                        "DELETE FROM pronunciations WHERE user_id = ?1 AND folded = ?2",
                        (user.to_string(), text::fold(word)),
                    )?;
                }
                step.commit()?;
                Ok(gone)
            })
            .await
    }

    /// Sets how fast somebody is spoken to; `change` is told how fast that was.
    pub async fn set_pace(
        &self,
        user: UserId,
        change: impl FnOnce(Option<u16>) -> Option<u16> + Send + 'static,
    ) -> Result<(Option<u16>, Option<u16>), StoreError> {
        self.db
            .run(move |connection| {
                let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let before = pace(&step, user)?;
                let after = change(before);
                match after {
                    Some(percent) => step.execute(
                        "INSERT INTO paces (user_id, percent) VALUES (?1, ?2) \
                         ON CONFLICT DO UPDATE SET percent = excluded.percent",
                        (user.to_string(), percent),
                    )?,
                    None => {
                        step.execute("DELETE FROM paces WHERE user_id = ?1", [user.to_string()])?
                    }
                };
                step.commit()?;
                Ok((before, after))
            })
            .await
    }
}

/// Each word as the person's own people spell it. Only names can be told, and none like
/// somebody else's: whoever is asked aloud before a write must not hear another name.
fn spelled_as_known(names: Vec<SaidLike>, known: &[String]) -> Result<Vec<SaidLike>, LeftAsIs> {
    let spelled = |word: &str| known.iter().find(|one| text::fold(one) == text::fold(word));
    let is_other = |SaidLike { word, like }: &SaidLike| {
        text::fold(word) != text::fold(like) && like.split(' ').any(|part| spelled(part).is_some())
    };
    if names.iter().any(is_other) {
        return Err(LeftAsIs::SomebodyElse);
    }
    let as_known = |SaidLike { word, like }: SaidLike| {
        let word = spelled(&word).cloned().ok_or(LeftAsIs::Nobody)?;
        Ok(SaidLike { word, like })
    };
    names.into_iter().map(as_known).collect()
}

/// The words of the names of everybody the person knows, and of their own.
fn words_of_names(
    connection: &Connection,
    user: UserId,
    own: Option<&str>,
) -> Result<Vec<String>, StoreError> {
    let known = contacts(connection, user)?;
    let names = known.iter().flat_map(|contact| {
        std::iter::once(contact.name.as_str()).chain(contact.nicknames.iter().map(String::as_str))
    });
    let words = names.chain(own).flat_map(str::split_whitespace);
    // "Dr." is no name, and neither is the "my" in "my sister".
    let is_name = |word: &&str| !word.ends_with('.') && !word.starts_with(char::is_lowercase);
    Ok(words.filter(is_name).map(str::to_owned).collect())
}

fn told(connection: &Connection, user: UserId) -> Result<Vec<SaidLike>, StoreError> {
    let mut listing = connection.prepare_cached(
        "SELECT word, said_like FROM pronunciations WHERE user_id = ?1 ORDER BY folded",
    )?;
    let rows = listing.query_map([user.to_string()], |row| {
        Ok(SaidLike { word: row.get(0)?, like: row.get(1)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn pace(connection: &Connection, user: UserId) -> Result<Option<u16>, StoreError> {
    let sql = "SELECT percent FROM paces WHERE user_id = ?1";
    Ok(connection.query_row(sql, [user.to_string()], |row| row.get(0)).optional()?)
}
