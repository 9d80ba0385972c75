//! What people hand over, on disk: one file each, named after its id and never after
//! what its person calls it. What is not wholly there leaves nothing behind.

use std::path::{Path, PathBuf};

use anyhow::Context;
use brain::paper::Paper;
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

/// The folders in the data folder.
pub const UPLOADS: &str = "uploads";
pub const PAPERS: &str = "papers";

/// Which file this is about, by its folder and its name there. None for what is not whole.
pub fn file_named(folder: &str, name: &str) -> Option<FileId> {
    let id = if folder == PAPERS { name.strip_suffix(".json")? } else { name };
    id.parse().ok()
}

/// Where what was handed over lies in a data folder, and where what was read in it
/// does, if it was.
pub fn places_of(data: &Path, id: &str) -> [PathBuf; 2] {
    [data.join(UPLOADS).join(id), data.join(PAPERS).join(format!("{id}.json"))]
}

/// The folder that holds them, and the one that holds what was read in them.
pub struct Uploads {
    folder: PathBuf,
    papers: PathBuf,
    /// Those that are on their way.
    pub places: Places<UserId>,
}

impl Uploads {
    /// Makes the folders, and takes out what a crash left there: files that nobody
    /// was told of, and what was read in files that are gone.
    pub async fn open(folder: &Path, papers: &Path, store: &dyn Store) -> anyhow::Result<Self> {
        tidy(folder, store, |name| file_named(UPLOADS, name)).await?;
        tidy(papers, store, |name| file_named(PAPERS, name)).await?;
        let (folder, papers) = (folder.to_owned(), papers.to_owned());
        Ok(Self { folder, papers, places: Places::new(AT_ONCE) })
    }

    /// Begins to take a file in.
    pub async fn begin(&self, id: FileId) -> std::io::Result<Incoming> {
        let (part, whole) =
            (self.folder.join(format!("{id}.part")), self.folder.join(id.to_string()));
        let file = File::create_new(&part).await?;
        let traces = Traces(vec![part, whole]);
        Ok(Incoming { file, traces, hash: Sha256::new(), bytes: 0, look: Look::default() })
    }

    /// A file to be read by somebody else.
    pub async fn open_file(&self, id: FileId) -> std::io::Result<std::fs::File> {
        Ok(File::open(self.folder.join(id.to_string())).await?.into_std().await)
    }

    /// Puts what was read in a file beside it, wholly or not at all.
    pub async fn keep_paper(&self, id: FileId, paper: &Paper) -> std::io::Result<()> {
        let part = self.papers.join(format!("{id}.part"));
        let mut file = File::create(&part).await?;
        file.write_all(&serde_json::to_vec(paper)?).await?;
        file.flush().await?;
        file.sync_all().await?;
        tokio::fs::rename(&part, self.paper_path(id)).await
    }

    /// What was read in a file.
    pub async fn paper(&self, id: FileId) -> std::io::Result<Paper> {
        let bytes = tokio::fs::read(self.paper_path(id)).await?;
        Ok(serde_json::from_slice(&bytes)?)
    }

    fn paper_path(&self, id: FileId) -> PathBuf {
        self.papers.join(format!("{id}.json"))
    }

    /// Takes files out that nobody knows any more, and what was read in them. What
    /// stays behind is found at the next start.
    pub async fn forget(&self, files: &[FileId]) {
        for file in files {
            if let Err(error) = tokio::fs::remove_file(self.folder.join(file.to_string())).await {
                tracing::warn!(%error, file_id = %file, "a file could not be taken out");
            }
        }
        self.forget_papers(files).await;
    }

    /// Takes out what was read in files; of many of them nothing was.
    pub async fn forget_papers(&self, files: &[FileId]) {
        for file in files {
            let taken = tokio::fs::remove_file(self.paper_path(*file)).await;
            if let Err(error) = taken
                && error.kind() != std::io::ErrorKind::NotFound
            {
                tracing::warn!(%error, file_id = %file, "what was read could not be taken out");
            }
        }
    }
}

/// Makes a folder, and takes out of it whatever belongs to no file that is known.
async fn tidy(
    folder: &Path,
    store: &dyn Store,
    file_of: impl Fn(&str) -> Option<FileId>,
) -> anyhow::Result<()> {
    let cannot = || format!("the folder {} cannot be used", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    let (mut kept, mut strays) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        match path.file_name().and_then(|name| name.to_str()).and_then(&file_of) {
            Some(id) => kept.push((id, path)),
            None => strays.push(path),
        }
    }
    let known = store.known_files(kept.iter().map(|(id, _)| *id).collect()).await?;
    let unknown = kept.into_iter().filter(|(id, _)| !known.contains(id));
    strays.extend(unknown.map(|(_, path)| path));
    for stray in strays.iter().filter(|path| path.is_file()) {
        std::fs::remove_file(stray).with_context(cannot)?;
    }
    Ok(())
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
        let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        files.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    async fn open(folder: &Path) -> Uploads {
        let papers = folder.join("papers");
        Uploads::open(folder, &papers, &MemoryStore::default()).await.unwrap()
    }

    #[tokio::test]
    async fn what_does_not_arrive_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = open(folder.path()).await;
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
        let papers = folder.path().join("papers");
        std::fs::create_dir(&papers).unwrap();
        std::fs::write(papers.join(format!("{id}.json")), "left").unwrap();
        open(folder.path()).await;
        assert!(names(folder.path()).is_empty() && names(&papers).is_empty());
    }

    #[tokio::test]
    async fn what_was_read_goes_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = open(folder.path()).await;
        let (id, paper) = (FileId(Uuid::from_u128(7)), Paper::default());
        uploads.keep_paper(id, &paper).await.unwrap();
        assert_eq!(uploads.paper(id).await.unwrap(), paper);
        uploads.forget(&[id]).await;
        assert!(uploads.paper(id).await.is_err());
    }
}
