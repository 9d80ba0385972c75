//! What lets people in.

use async_trait::async_trait;
use brain::audit::Line;
use brain::{KeyId, Seal};
use jiff::Timestamp;

use super::MemoryStore;
use crate::{KeyRow, Keys, StoreError};

#[async_trait]
impl Keys for MemoryStore {
    async fn add_key(&self, key: KeyRow, line: Line) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let is_there =
            kept.keys.values().any(|k| k.key == key.key || k.fingerprint == key.fingerprint);
        if is_there {
            return Err(StoreError::Contradiction(format!("{} a second time", key.key)));
        }
        kept.keys.insert((key.created_at, key.key), key);
        kept.add(vec![line]);
        Ok(())
    }

    async fn key(&self, key: KeyId) -> Result<Option<KeyRow>, StoreError> {
        Ok(self.kept().keys.values().find(|row| row.key == key).cloned())
    }

    async fn key_with(&self, fingerprint: Seal) -> Result<Option<KeyRow>, StoreError> {
        Ok(self.kept().keys.values().find(|row| row.fingerprint == fingerprint).cloned())
    }

    async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        Ok(self.kept().keys.values().cloned().collect())
    }

    async fn revoke_key(
        &self,
        key: KeyId,
        at: Timestamp,
        line: Line,
    ) -> Result<Option<KeyRow>, StoreError> {
        let mut kept = self.kept();
        let Some(row) = kept.keys.values_mut().find(|row| row.key == key) else { return Ok(None) };
        let is_news = row.revoked_at.is_none();
        row.revoked_at.get_or_insert(at);
        let row = row.clone();
        if is_news {
            kept.add(vec![line]);
        }
        Ok(Some(row))
    }
}
