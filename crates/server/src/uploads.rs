//! What people hand over, on disk: one file each, named after its id and never after
//! what its person calls it. What is not wholly there leaves nothing behind.

use std::path::{Path, PathBuf};

use anyhow::Context;
use brain::{FileId, UserId};
use session::Places;
use sha2::{Digest, Sha256};
use store::Store;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

pub mod kind;
pub mod name;

use kind::Look;

/// Files that may be on their way at the same time.
const AT_ONCE: usize = 16;

/// The folder that holds them.
pub struct Uploads {
    folder: PathBuf,
    /// Those that are on their way.
    pub places: Places<UserId>,
}

impl Uploads {
    /// Makes the folder, and takes out what a crash left there: files that nobody
    /// was told of.
    pub async fn open(folder: &Path, store: &dyn Store) -> anyhow::Result<Self> {
        let cannot = || format!("the folder {} cannot be used", folder.display());
        std::fs::create_dir_all(folder).with_context(cannot)?;
        let (mut kept, mut strays) = (Vec::new(), Vec::new());
        for entry in std::fs::read_dir(folder).with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            let id = path.file_name().and_then(|name| name.to_str()).map(str::parse::<FileId>);
            match id {
                Some(Ok(id)) => kept.push(id),
                _ => strays.push(path),
            }
        }
        let known = store.known_files(kept.clone()).await?;
        let unknown = kept.iter().filter(|id| !known.contains(id));
        strays.extend(unknown.map(|id| folder.join(id.to_string())));
        for stray in strays.iter().filter(|path| path.is_file()) {
            std::fs::remove_file(stray).with_context(cannot)?;
        }
        Ok(Self { folder: folder.to_owned(), places: Places::new(AT_ONCE) })
    }

    /// Begins to take a file in.
    pub async fn begin(&self, id: FileId) -> std::io::Result<Incoming> {
        let (part, whole) =
            (self.folder.join(format!("{id}.part")), self.folder.join(id.to_string()));
        let file = File::create_new(&part).await?;
        let traces = Traces(vec![part, whole]);
        Ok(Incoming { file, traces, hash: Sha256::new(), bytes: 0, look: Look::default() })
    }

    /// Takes files out that nobody knows any more. One that stays behind is found at
    /// the next start.
    pub async fn forget(&self, files: &[FileId]) {
        for file in files {
            if let Err(error) = tokio::fs::remove_file(self.folder.join(file.to_string())).await {
                tracing::warn!(%error, file_id = %file, "a file could not be taken out");
            }
        }
    }
}

/// A file that is being taken in. Dropping it takes it out again.
pub struct Incoming {
    file: File,
    traces: Traces,
    hash: Sha256,
    pub bytes: u64,
    pub look: Look,
}

impl Incoming {
    pub async fn write(&mut self, piece: &[u8]) -> std::io::Result<()> {
        self.hash.update(piece);
        self.look.see(piece);
        self.bytes += piece.len() as u64;
        self.file.write_all(piece).await
    }

    /// On disk, and in its place. It stays there once it is [`Arrived::keep`]-ed.
    pub async fn arrive(mut self) -> std::io::Result<Arrived> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        let [part, whole] = self.traces.0.as_slice() else {
            return Err(std::io::Error::other("an upload has two names"));
        };
        tokio::fs::rename(part, whole).await?;
        if let Some(folder) = whole.parent() {
            File::open(folder).await?.sync_all().await?;
        }
        let sha256 = format!("{:x}", self.hash.finalize());
        Ok(Arrived { traces: self.traces, sha256 })
    }
}

/// A file that is there. Dropping it takes it out again.
pub struct Arrived {
    traces: Traces,
    pub sha256: String,
}

impl Arrived {
    /// Somebody knows of it now.
    pub fn keep(mut self) {
        self.traces.0.clear();
    }
}

/// Files that nobody knows of yet.
struct Traces(Vec<PathBuf>);

impl Drop for Traces {
    fn drop(&mut self) {
        for path in &self.0 {
            // One of the two is not there; the other is found at the next start if this fails.
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use store::memory::MemoryStore;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[tokio::test]
    async fn what_does_not_arrive_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = Uploads::open(folder.path(), &MemoryStore::default()).await.unwrap();
        let id = FileId(Uuid::from_u128(7));

        let mut incoming = uploads.begin(id).await.unwrap();
        incoming.write(b"half of it").await.unwrap();
        assert_eq!(names(folder.path()), [format!("{id}.part")]);
        drop(incoming);
        assert!(names(folder.path()).is_empty());

        let mut incoming = uploads.begin(id).await.unwrap();
        incoming.write(b"all of it").await.unwrap();
        drop(incoming.arrive().await.unwrap());
        assert!(names(folder.path()).is_empty());
    }

    #[tokio::test]
    async fn what_a_crash_left_is_taken_out_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let id = FileId(Uuid::from_u128(7)).to_string();
        for name in [id.as_str(), "file_1.part"] {
            std::fs::write(folder.path().join(name), "left").unwrap();
        }
        Uploads::open(folder.path(), &MemoryStore::default()).await.unwrap();
        assert!(names(folder.path()).is_empty());
    }
}
