//! What is known of a person, and how often it is looked up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use brain::ids::Uuid;
use brain::resolve::people::Contact;
use brain::{Profile, UserId};
use session::{ContactBook, House};
use store::memory::MemoryStore;
use testkit::ScriptedMind;
use tools::Catalog;

/// Takes its time, and counts.
#[derive(Default)]
struct SlowBook {
    opened: AtomicUsize,
}

#[async_trait]
impl ContactBook for SlowBook {
    async fn contacts(&self, _: UserId) -> Vec<Contact> {
        self.opened.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(5)).await;
        Vec::new()
    }
}

#[tokio::test]
async fn many_turns_at_once_open_the_address_book_once() {
    let book = Arc::new(SlowBook::default());
    let house = House::new(
        Arc::new(MemoryStore::default()),
        Arc::new(ScriptedMind::default()),
        Arc::new(Catalog::new()),
        Arc::clone(&book) as Arc<dyn ContactBook>,
        Profile::new("UTC"),
    );
    let user = UserId(Uuid::from_u128(1));
    let all = futures_util::future::join_all((0..10).map(|_| house.acquaintance(user))).await;
    assert!(all.iter().all(Result::is_ok));
    assert_eq!(book.opened.load(Ordering::Relaxed), 1);

    house.save_profile(user, Profile::new("Europe/Berlin")).await.unwrap();
    assert_eq!(house.acquaintance(user).await.unwrap().profile.time_zone, "Europe/Berlin");
}
