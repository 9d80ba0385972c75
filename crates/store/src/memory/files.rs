//! What people handed over.

use async_trait::async_trait;
use brain::paper::Reading;
use brain::{FileId, SessionId, UserId};

use super::{Kept, MemoryStore};
use crate::{FileRow, Files, Handed, StoreError};

impl Kept {
    fn bytes_of(&self, user: UserId) -> u64 {
        self.files.values().filter(|file| file.user == user).map(|file| file.bytes).sum()
    }
}

#[async_trait]
impl Files for MemoryStore {
    async fn hand_over(&self, file: FileRow, most: u64) -> Result<Handed, StoreError> {
        let mut kept = self.kept();
        let owns = |id| kept.sessions.get(&id).is_some_and(|(row, _)| row.user == file.user);
        if file.session.is_some_and(|session| !owns(session)) {
            return Ok(Handed::NoSession);
        }
        if kept.bytes_of(file.user).saturating_add(file.bytes) > most {
            return Ok(Handed::Full);
        }
        kept.files.insert(file.file, file);
        Ok(Handed::Kept)
    }

    async fn file(&self, user: UserId, file: FileId) -> Result<Option<FileRow>, StoreError> {
        Ok(self.kept().files.get(&file).filter(|row| row.user == user).cloned())
    }

    async fn take_back(&self, user: UserId, file: FileId) -> Result<bool, StoreError> {
        let mut kept = self.kept();
        let is_theirs = kept.files.get(&file).is_some_and(|row| row.user == user);
        if is_theirs {
            kept.files.remove(&file);
        }
        Ok(is_theirs)
    }

    async fn file_bytes(&self, user: UserId) -> Result<u64, StoreError> {
        Ok(self.kept().bytes_of(user))
    }

    async fn attach(
        &self,
        user: UserId,
        session: SessionId,
        files: Vec<FileId>,
    ) -> Result<Vec<FileRow>, StoreError> {
        let mut kept = self.kept();
        let mut found = Vec::new();
        for file in files {
            if let Some(row) = kept.files.get_mut(&file).filter(|row| row.user == user) {
                row.session = row.session.or(Some(session));
                found.push(row.clone());
            }
        }
        Ok(found)
    }

    async fn files_in(&self, session: SessionId, limit: u32) -> Result<Vec<FileRow>, StoreError> {
        let kept = self.kept();
        let mut files: Vec<_> =
            kept.files.values().filter(|row| row.session == Some(session)).cloned().collect();
        files.sort_by_key(|row| (row.created_at, row.file));
        Ok(files.split_off(files.len().saturating_sub(limit as usize)))
    }

    async fn set_reading(&self, file: FileId, reading: Reading) -> Result<bool, StoreError> {
        let mut kept = self.kept();
        let Some(row) = kept.files.get_mut(&file) else { return Ok(false) };
        row.reading = reading;
        Ok(true)
    }

    async fn unread_files(&self) -> Result<Vec<FileRow>, StoreError> {
        let kept = self.kept();
        let unread = kept.files.values().filter(|row| row.reading == Reading::Parsing);
        let mut unread: Vec<_> = unread.cloned().collect();
        unread.sort_by_key(|row| (row.created_at, row.file));
        Ok(unread)
    }

    async fn file_count(&self, user: UserId) -> Result<u64, StoreError> {
        Ok(self.kept().files.values().filter(|file| file.user == user).count() as u64)
    }

    async fn known_files(&self, mut files: Vec<FileId>) -> Result<Vec<FileId>, StoreError> {
        let kept = self.kept();
        files.retain(|file| kept.files.contains_key(file));
        Ok(files)
    }
}
