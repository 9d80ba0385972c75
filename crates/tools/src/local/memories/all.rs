//! Everything that somebody asked to be kept in mind, oldest first, a page at a time.

use brain::UserId;
use brain::facts::Memory;
use rusqlite::Connection;

use super::{COLUMNS, memory};
use crate::local::{Personal, StoreError};

/// Read at a time.
const PAGE: u32 = 500;

/// Where a page begins: behind this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behind(i64);

impl Personal {
    /// A page of them, and where the next one begins; none where that was all. From the
    /// first page on, none is missed that was there, and none comes twice.
    pub async fn memories(
        &self,
        user: UserId,
        behind: Behind,
    ) -> Result<(Vec<Memory>, Option<Behind>), StoreError> {
        self.db.run(move |connection| page(connection, user, behind, PAGE)).await
    }
}

fn page(
    view: &Connection,
    user: UserId,
    Behind(number): Behind,
    most: u32,
) -> Result<(Vec<Memory>, Option<Behind>), StoreError> {
    let mut listing = view.prepare_cached(&format!(
        "SELECT {COLUMNS}, m.number FROM memories m WHERE m.user_id = ?1 AND m.number > ?2 \
         ORDER BY m.number LIMIT ?3"
    ))?;
    let mut rows = listing.query((user.to_string(), number, most))?;
    let (mut found, mut last) = (Vec::new(), number);
    while let Some(row) = rows.next()? {
        last = row.get(6)?;
        found.push(memory(row)??);
    }
    let next = (found.len() == most as usize).then_some(Behind(last));
    Ok((found, next))
}

#[cfg(test)]
mod tests {
    use brain::facts::MemorySource;
    use brain::ids::Uuid;
    use jiff::Timestamp;

    use super::*;
    use crate::local::Delivery;

    fn told(number: usize) -> Memory {
        Memory {
            memory_id: format!("memory_{number}"),
            text: format!("The number {number} is mine"),
            created_at: Timestamp::UNIX_EPOCH,
            source: MemorySource::default(),
        }
    }

    #[tokio::test]
    async fn every_memory_of_one_person_comes_once_in_the_order_it_was_told() {
        let personal = Personal::in_memory().unwrap();
        let (ana, leo) = (UserId(Uuid::from_u128(1)), UserId(Uuid::from_u128(2)));
        for (user, numbers) in [(ana, 0..7), (leo, 7..9)] {
            let memories = numbers.map(told).collect();
            let delivery = Delivery { memories, ..Delivery::default() };
            personal.deliver(user, delivery).await.unwrap();
        }

        for most in [1, 3, 7, 8] {
            let (mut all, mut from) = (Vec::new(), Some(Behind::default()));
            while let Some(behind) = from {
                let (found, next) =
                    personal.db.run(move |view| page(view, ana, behind, most)).await.unwrap();
                assert!(found.len() <= most as usize);
                (all, from) = ([all, found].concat(), next);
            }
            assert_eq!(all, (0..7).map(told).collect::<Vec<_>>(), "{most} at a time");
        }
        let (leos, next) = personal.memories(leo, Behind::default()).await.unwrap();
        assert_eq!((leos, next), (vec![told(7), told(8)], None));
    }
}
