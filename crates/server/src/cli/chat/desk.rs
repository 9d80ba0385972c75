//! Where a card is changed: an editor of the person's own choice, on a file that
//! only they can read and that is gone afterwards.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};

const FOLDER: &str = "sayso-edit-";
const TEXT: &str = "card.txt";
const LOCK: &str = "lock";
/// A folder that is younger may be in the making.
const SETTLED: Duration = Duration::from_mins(1);

/// A text on somebody's desk.
pub struct Sheet {
    folder: PathBuf,
    path: PathBuf,
    /// Held as long as somebody is at it; see [`tidy`].
    _lock: File,
}

impl Sheet {
    pub fn with(text: &str) -> anyhow::Result<Self> {
        let name = format!("{FOLDER}{}", uuid::Uuid::now_v7().simple());
        let folder = std::env::temp_dir().join(name);
        let cannot = || format!("{} cannot be made", folder.display());
        DirBuilder::new().mode(0o700).create(&folder).with_context(cannot)?;
        let lock = new_file(&folder.join(LOCK)).with_context(cannot)?;
        lock.lock().with_context(cannot)?;
        let path = folder.join(TEXT);
        new_file(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .with_context(cannot)?;
        Ok(Self { folder, path, _lock: lock })
    }

    /// Opens the editor, and waits until it is closed.
    pub fn edited(self) -> anyhow::Result<String> {
        let editor = editor()?;
        let status = Command::new("sh")
            .args(["-c", &format!("{editor} \"$1\""), "sh"])
            .arg(&self.path)
            .status()
            .with_context(|| format!("{editor} cannot be started"))?;
        if !status.success() {
            bail!("{editor} ended with an error, so nothing was changed");
        }
        fs::read_to_string(&self.path).context("what was written cannot be read")
    }
}

impl Drop for Sheet {
    fn drop(&mut self) {
        // It may have been taken away already.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Takes away what was left behind when a terminal was closed in the middle of an
/// edit: nobody holds its lock any more.
pub fn tidy() {
    tidy_in(&std::env::temp_dir());
}

fn tidy_in(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(FOLDER)
            && entry.file_type().is_ok_and(|kind| kind.is_dir());
        let age = entry.metadata().and_then(|known| known.modified()).map(|then| then.elapsed());
        if !is_ours || !matches!(age, Ok(Ok(age)) if age >= SETTLED) {
            continue;
        }
        let lock = File::open(entry.path().join(LOCK));
        if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
            // Somebody else's is not ours to take away, and stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// What the environment says; an empty word says nothing.
fn chosen(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let named = |name: &&str| variable(name).filter(|editor| !editor.trim().is_empty());
    ["VISUAL", "EDITOR"].iter().find_map(named)
}

fn editor() -> anyhow::Result<String> {
    if let Some(editor) = chosen(|name| std::env::var(name).ok()) {
        return Ok(editor);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |name: &&str| {
        std::env::split_paths(&path).any(|folder| Path::new(&folder).join(name).is_file())
    };
    match ["nano", "vi"].into_iter().find(is_there) {
        Some(editor) => Ok(editor.to_owned()),
        None => bail!("there is no editor; name one in $EDITOR, or say in words what to change"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn an_empty_choice_is_none() {
        let set = |visual: &'static str, editor: &'static str| {
            chosen(move |name| Some(if name == "VISUAL" { visual } else { editor }.to_owned()))
        };
        assert_eq!(set("", "ed").as_deref(), Some("ed"));
        assert_eq!(set("  ", "ed").as_deref(), Some("ed"));
        assert_eq!(set("code -w", "ed").as_deref(), Some("code -w"));
        assert_eq!(set("", ""), None);
    }

    #[test]
    fn what_a_closed_terminal_left_behind_is_taken_away() {
        let place = tempfile::tempdir().unwrap();
        let long_ago = SystemTime::now() - 2 * SETTLED;
        let folder = |name: &str, at: SystemTime| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).unwrap();
            let lock = new_file(&folder.join(LOCK)).unwrap();
            fs::write(folder.join(TEXT), "Hi Ana").unwrap();
            File::open(&folder).unwrap().set_modified(at).unwrap();
            (folder, lock)
        };
        let (left, lock) = folder("sayso-edit-1", long_ago);
        drop(lock);
        let (open, held) = folder("sayso-edit-2", long_ago);
        held.lock().unwrap();
        let (fresh, _) = folder("sayso-edit-3", SystemTime::now());
        let (other, _) = folder("somebody-elses", long_ago);

        tidy_in(place.path());

        assert!(!left.exists());
        assert!(open.join(TEXT).exists() && fresh.exists() && other.exists());
    }

    #[test]
    fn a_sheet_is_gone_with_its_folder() {
        let sheet = Sheet::with("Hi").unwrap();
        let folder = sheet.folder.clone();
        assert_eq!(fs::read_to_string(folder.join(TEXT)).unwrap(), "Hi");
        drop(sheet);
        assert!(!folder.exists());
    }
}
