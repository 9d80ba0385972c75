//! Where a card is changed: an editor of the person's own choice, on a file that
//! only they can read and that is gone afterwards.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// A text on somebody's desk.
pub struct Sheet {
    path: PathBuf,
}

impl Sheet {
    pub fn with(text: &str) -> anyhow::Result<Self> {
        let name = format!("sayso-{}.txt", uuid::Uuid::now_v7().simple());
        let path = std::env::temp_dir().join(name);
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let cannot = || format!("{} cannot be made", path.display());
        made.with_context(cannot)?.write_all(text.as_bytes()).with_context(cannot)?;
        Ok(Self { path })
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
        let _ = fs::remove_file(&self.path);
    }
}

fn editor() -> anyhow::Result<String> {
    let chosen = ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok());
    if let Some(editor) = chosen.filter(|editor| !editor.trim().is_empty()) {
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
