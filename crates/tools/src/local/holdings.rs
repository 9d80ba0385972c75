//! How much of one person is in this file, and whether it is only for trying things out.

use brain::UserId;
use rusqlite::Connection;

use super::{Personal, StoreError, sample};

/// What somebody has here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    pub mails: u32,
    pub events: u32,
    /// It is of somebody who does not exist, besides what was written since.
    pub is_sample: bool,
}

impl Personal {
    pub async fn holdings(&self, user: UserId) -> Result<Holdings, StoreError> {
        let of_sample = sample::first_thread()?;
        self.db
            .run(move |connection| {
                let view = connection.transaction()?;
                let user = user.to_string();
                let count = |view: &Connection, table| {
                    let sql = format!("SELECT count(*) FROM {table} WHERE user_id = ?1");
                    view.query_row(&sql, [&user], |row| row.get(0))
                };
                let sql =
                    "SELECT EXISTS (SELECT 1 FROM mails WHERE user_id = ?1 AND thread_id = ?2)";
                Ok(Holdings {
                    mails: count(&view, "mails")?,
                    events: count(&view, "events")?,
                    is_sample: view.query_row(sql, [&user, &of_sample], |row| row.get(0))?,
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use jiff::Zoned;

    use super::*;

    #[tokio::test]
    async fn a_sample_is_known_as_one_and_whoever_has_none_has_nothing() {
        let personal = Personal::in_memory().unwrap();
        let (ana, leo) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        let poured = sample::pour(&personal, ana, &Zoned::now()).await.unwrap();

        let Holdings { mails, events, is_sample } = personal.holdings(ana).await.unwrap();

        assert!(is_sample);
        assert_eq!((mails as usize, events as usize), (poured.mails, poured.events));
        assert_eq!(personal.holdings(leo).await.unwrap(), Holdings::default());
    }
}
