//! Files that are handed over in a talk, read as the server's child would read them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use brain::ids::Uuid;
use brain::paper::{Paper, Reading};
use brain::{Attached, FileId, UserId};
use jiff::Timestamp;
use store::FileRow;
use tools::attachment::{Opened, Papers, Unread};

/// Whose it is, and what was read in it.
type Read = (UserId, Attached, Result<Paper, String>);

/// What lies in `talks/files` and was handed over.
#[derive(Default)]
pub(super) struct Desk {
    papers: Mutex<HashMap<FileId, Read>>,
}

impl Desk {
    /// Takes a file up, and says what is to be kept of it.
    pub fn take(
        &self,
        name: &str,
        user: UserId,
        id: Uuid,
        created_at: Timestamp,
    ) -> Result<FileRow, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../talks/files");
        let bytes = std::fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let media_type = media_type(name).ok_or_else(|| format!("what is {name}?"))?;
        let read = reader::read(&bytes, media_type).map_err(|problem| problem.to_string());
        let reading = match &read {
            Ok(_) => Reading::Ready,
            Err(problem) => Reading::Failed(problem.clone()),
        };
        let row = FileRow {
            file: FileId(id),
            user,
            session: None,
            name: name.to_owned(),
            media_type: media_type.to_owned(),
            bytes: bytes.len() as u64,
            sha256: "0".repeat(64),
            created_at,
            reading,
        };
        let mut papers = self.papers.lock().unwrap_or_else(PoisonError::into_inner);
        papers.insert(row.file, (user, row.attached(), read));
        Ok(row)
    }
}

#[async_trait]
impl Papers for Desk {
    async fn open(
        &self,
        user: UserId,
        file: FileId,
    ) -> Result<Option<Opened>, Box<dyn std::error::Error + Send + Sync>> {
        let papers = self.papers.lock().unwrap_or_else(PoisonError::into_inner);
        let found = papers.get(&file).filter(|(owner, ..)| *owner == user);
        Ok(found.map(|(_, file, paper)| Opened {
            file: file.clone(),
            paper: paper.clone().map_err(Unread::Because),
        }))
    }
}

/// By its ending: a talk calls its files what they are.
fn media_type(name: &str) -> Option<&'static str> {
    const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "txt" => "text/plain",
        "md" => "text/markdown",
        "csv" => "text/csv",
        "pdf" => "application/pdf",
        "docx" => WORD,
        "ics" => "text/calendar",
        "eml" => "message/rfc822",
        "png" => "image/png",
        _ => return None,
    })
}
