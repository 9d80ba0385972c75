//! What every store promises about keys.

use brain::audit::Line;
use brain::ids::Uuid;
use brain::{KeyId, Seal, UserId};
use serde_json::json;
use store::{KeyRow, Store, StoreError};

use super::cards::{PERSON, after, whole_audit};

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    a_key_is_found_by_its_id_and_by_its_fingerprint(store).await;
    a_key_is_made_once(store).await;
    a_key_is_revoked_once_and_stays_revoked(store).await;
}

fn key(number: u32) -> KeyRow {
    KeyRow {
        key: KeyId(Uuid::from_u128(u128::from(number))),
        fingerprint: fingerprint(number),
        name: format!("laptop \"{number}\" é"),
        user: UserId(Uuid::from_u128(7)),
        user_name: "ana".into(),
        operator: number % 2 == 1,
        created_at: after(i64::from(number)),
        expires_at: number.is_multiple_of(3).then(|| after(9_000)),
        revoked_at: None,
    }
}

fn fingerprint(number: u32) -> Seal {
    Seal::of_value(&json!({ "secret": number }))
}

fn line(what: &str) -> Line {
    Line::new(after(80), PERSON, what)
}

async fn a_key_is_found_by_its_id_and_by_its_fingerprint(store: &dyn Store) {
    assert_eq!(store.keys().await, Ok(Vec::new()));
    let before = whole_audit(store).await.len();
    // They come back by age, however they were put in.
    for number in [3, 1, 2] {
        store.add_key(key(number), line("key_created")).await.unwrap();
    }

    assert_eq!(store.keys().await.unwrap(), [key(1), key(2), key(3)]);
    assert_eq!(store.key(key(2).key).await.unwrap(), Some(key(2)));
    assert_eq!(store.key_with(fingerprint(3)).await.unwrap(), Some(key(3)));
    assert_eq!(store.key(KeyId(Uuid::from_u128(99))).await, Ok(None));
    assert_eq!(store.key_with(fingerprint(99)).await, Ok(None));
    assert_eq!(whole_audit(store).await.len(), before + 3);
}

async fn a_key_is_made_once(store: &dyn Store) {
    let before = whole_audit(store).await.len();
    let same_id = KeyRow { fingerprint: fingerprint(50), ..key(1) };
    let same_secret = KeyRow { key: KeyId(Uuid::from_u128(50)), ..key(1) };
    for again in [key(1), same_id, same_secret] {
        let refused = store.add_key(again, line("key_created")).await;
        assert!(matches!(refused, Err(StoreError::Contradiction(_))), "{refused:?}");
    }
    assert_eq!(store.keys().await.unwrap().len(), 3);
    assert_eq!(whole_audit(store).await.len(), before);
}

async fn a_key_is_revoked_once_and_stays_revoked(store: &dyn Store) {
    let before = whole_audit(store).await.len();
    let revoked = KeyRow { revoked_at: Some(after(100)), ..key(2) };

    let first = store.revoke_key(key(2).key, after(100), line("key_revoked")).await;
    let second = store.revoke_key(key(2).key, after(200), line("key_revoked")).await;
    let nobody = KeyId(Uuid::from_u128(99));
    assert_eq!(store.revoke_key(nobody, after(100), line("key_revoked")).await, Ok(None));

    assert_eq!(first.unwrap(), Some(revoked.clone()));
    assert_eq!(second.unwrap(), Some(revoked.clone()));
    assert_eq!(store.key_with(fingerprint(2)).await.unwrap(), Some(revoked));
    assert_eq!(store.key(key(1).key).await.unwrap(), Some(key(1)));
    assert_eq!(whole_audit(store).await.len(), before + 1);
}
