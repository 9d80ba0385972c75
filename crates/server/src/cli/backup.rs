//! `sayso backup` and `sayso restore`: a copy of everything, taken while a server runs.
//!
//! The record of sessions is copied first, then the mailbox and calendar: a write that
//! happens in between is then, in the copy, one whose outcome is not known yet. It is
//! asked about after a restore, as after a crash, and never done twice. The other way
//! round the record could claim what is not there.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::sqlite;
use toml::Table;

use super::look::tell_line;
use super::{Choice, look};
use crate::app;
use crate::uploads::{PAPERS, UPLOADS, file_named};

/// What is copied first, for the reason above.
const FIRST: &str = "sayso.db";
/// What people handed over, and what was read in it.
const FOLDERS: [&str; 2] = [UPLOADS, PAPERS];
const MANIFEST: &str = "backup.json";
/// Where a copy waits until all of it is there.
const READY: &str = "restoring";

#[derive(Args)]
#[command(
    after_help = "The server may run; nobody waits for it. The copy is checked before it counts:
every database is read through, and every file has its SHA-256 in backup.json.
It holds mail and chats in the clear: keep it as you keep the data folder.

Examples:
  sayso backup /backups/sayso-monday
  sayso restore /backups/sayso-monday --data data"
)]
pub struct Backup {
    /// Where to; it is made, and must not be there yet
    #[arg(value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Args)]
#[command(
    after_help = "The copy is checked first, and nothing is touched when it does not hold. No
server may run on the data folder. What was agreed to and not settled when the
copy was taken is asked about at the next start, never done twice.

Examples:
  sayso restore /backups/sayso-monday --data data
  sayso restore /backups/sayso-monday --data data --overwrite"
)]
pub struct Restore {
    /// A folder that `sayso backup` made
    #[arg(value_name = "DIR")]
    from: PathBuf,
    /// Replace what is in the data folder; it is moved aside, not deleted
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    choice: Choice,
}

/// What a copy holds.
#[derive(Serialize, Deserialize)]
struct Manifest {
    version: String,
    taken_at: Timestamp,
    files: Vec<Copied>,
}

#[derive(Serialize, Deserialize)]
struct Copied {
    /// Within the folder.
    name: String,
    bytes: u64,
    sha256: String,
}

impl Backup {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let data = self.choice.settings(Table::new())?.data;
        if !data.join(FIRST).exists() {
            bail!("there is nothing in {}; choose the folder with --data", data.display());
        }
        if self.to.exists() {
            bail!("{} is there already; name a folder that is not", self.to.display());
        }
        // Under another name until it is whole: nobody takes half of one for all of it.
        let part = with_suffix(&self.to, ".part");
        if part.exists() {
            std::fs::remove_dir_all(&part)
                .with_context(|| format!("{} is in the way", part.display()))?;
        }
        app::make_folder(&part)?;
        let manifest = take(&data, &part)?;
        let text = serde_json::to_string_pretty(&manifest)?;
        std::fs::write(part.join(MANIFEST), text + "\n")?;
        check(&part, &manifest)?;
        sync(&part)?;
        std::fs::rename(&part, &self.to).context("the copy cannot be given its name")?;
        let bytes: u64 = manifest.files.iter().map(|file| file.bytes).sum();
        tell_line!(
            "{}✓{} {} files, {} KiB, checked, in {}",
            look::GOOD,
            look::PLAIN,
            manifest.files.len(),
            bytes.div_ceil(1024),
            self.to.display()
        );
        Ok(ExitCode::SUCCESS)
    }
}

fn take(data: &Path, to: &Path) -> anyhow::Result<Manifest> {
    // Files first and once more afterwards: one that the record tells of is there.
    copy_files(data, to)?;
    for name in databases(data)? {
        sqlite::copy_to(&data.join(&name), &to.join(&name))
            .with_context(|| format!("{name} cannot be copied"))?;
    }
    copy_files(data, to)?;
    let mut names = databases(to)?;
    names.extend(handed_over(to)?);
    let files = names.into_iter().map(|name| copied(to, name)).collect::<anyhow::Result<_>>()?;
    Ok(Manifest { version: env!("CARGO_PKG_VERSION").into(), taken_at: Timestamp::now(), files })
}

/// The databases of a folder, the record of sessions before the others.
fn databases(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        if Path::new(&name).extension().is_some_and(|end| end == "db") {
            names.push(name);
        }
    }
    names.sort_by_key(|name| (name != FIRST, name.clone()));
    Ok(names)
}

/// Files that are whole, as they are called within the folder.
fn handed_over(data: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for folder in FOLDERS.into_iter().filter(|folder| data.join(folder).exists()) {
        for entry in std::fs::read_dir(data.join(folder))? {
            let name = entry?.file_name().into_string().unwrap_or_default();
            if file_named(folder, &name).is_some() {
                names.push(format!("{folder}/{name}"));
            }
        }
    }
    names.sort();
    Ok(names)
}

fn copy_files(data: &Path, to: &Path) -> anyhow::Result<()> {
    for name in handed_over(data)? {
        let (from, to) = (data.join(&name), to.join(&name));
        if to.exists() {
            continue;
        }
        std::fs::create_dir_all(to.parent().expect("a file is in a folder"))?;
        match std::fs::copy(&from, &to) {
            Ok(_) => {}
            // Its person has taken it back meanwhile.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be copied", from.display()));
            }
        }
    }
    Ok(())
}

fn copied(folder: &Path, name: String) -> anyhow::Result<Copied> {
    let mut file = File::open(folder.join(&name))?;
    let (mut hash, mut bytes, mut piece) = (Sha256::new(), 0, vec![0; 64 * 1024]);
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            break;
        }
        bytes += read as u64;
        hash.update(&piece[..read]);
    }
    file.sync_all()?;
    Ok(Copied { name, bytes, sha256: format!("{:x}", hash.finalize()) })
}

/// Every file is what the manifest says, every database is sound, and the audit holds.
fn check(folder: &Path, manifest: &Manifest) -> anyhow::Result<()> {
    for file in &manifest.files {
        let is_within = file.name.split('/').all(|part| !part.is_empty() && part != "..");
        if !is_within || file.name.starts_with('/') {
            bail!("{} names a file outside of the copy: {}", MANIFEST, file.name);
        }
        let found = copied(folder, file.name.clone())
            .with_context(|| format!("{} is missing from the copy", file.name))?;
        if (found.bytes, &found.sha256) != (file.bytes, &file.sha256) {
            bail!("{} is not as it was when the copy was taken", file.name);
        }
        if Path::new(&file.name).extension().is_some_and(|end| end == "db")
            && let Err(ailing) = sqlite::examine(&folder.join(&file.name))?
        {
            bail!("{} is damaged: {}", file.name, ailing.0.join("; "));
        }
    }
    super::audit::holds(&folder.join(FIRST)).context("the audit in the copy does not hold")
}

impl Restore {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let data = self.choice.settings(Table::new())?.data;
        let manifest = std::fs::read_to_string(self.from.join(MANIFEST)).with_context(|| {
            format!("{} is no copy that `sayso backup` made", self.from.display())
        })?;
        let manifest: Manifest = serde_json::from_str(&manifest)
            .with_context(|| format!("{MANIFEST} cannot be read by this version"))?;
        check(&self.from, &manifest).context("nothing was restored")?;
        if data.join(FIRST).exists() && !self.overwrite {
            bail!(
                "there is data in {}; choose another folder with --data, or replace it with \
                 --overwrite",
                data.display()
            );
        }
        let lock = app::lock(&data)?;
        let ready = data.join(READY);
        // Whatever goes wrong up to here leaves the data folder as it was.
        self.make_ready(&manifest, &ready).context("nothing was restored")?;
        let aside = set_aside(&data)?;
        let entries: Vec<_> = std::fs::read_dir(&ready)?.collect::<Result<_, _>>()?;
        for entry in entries {
            std::fs::rename(entry.path(), data.join(entry.file_name()))?;
        }
        std::fs::remove_dir(&ready)?;
        sync(&data)?;
        drop(lock);
        if let Some(aside) = aside {
            tell_line!("  what was there before is in {}", aside.display());
        }
        tell_line!(
            "{}✓{} {} is as it was at {}",
            look::GOOD,
            look::PLAIN,
            data.display(),
            manifest.taken_at.strftime("%Y-%m-%d %H:%M:%S UTC")
        );
        Ok(ExitCode::SUCCESS)
    }
}

impl Restore {
    /// Puts all of the copy beside the data, so that moving it there cannot fail halfway
    /// for want of room.
    fn make_ready(&self, manifest: &Manifest, ready: &Path) -> anyhow::Result<()> {
        if ready.exists() {
            std::fs::remove_dir_all(ready)
                .with_context(|| format!("{} is in the way", ready.display()))?;
        }
        app::make_folder(ready)?;
        let put = || {
            for file in &manifest.files {
                let to = ready.join(&file.name);
                std::fs::create_dir_all(to.parent().expect("a file is in a folder"))?;
                std::fs::copy(self.from.join(&file.name), &to)
                    .with_context(|| format!("{} cannot be put back", file.name))?;
            }
            sqlite::move_on(&ready.join(FIRST)).context("the copy cannot be taken up again")?;
            sync(ready)
        };
        put().inspect_err(|_| {
            // It is found and taken away the next time, if not now.
            let _ = std::fs::remove_dir_all(ready);
        })
    }
}

/// Moves what is in a data folder out of the way, all but the lock that is held.
fn set_aside(data: &Path) -> anyhow::Result<Option<PathBuf>> {
    let mut aside = None;
    for entry in std::fs::read_dir(data)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours =
            name.to_string_lossy().contains(".db") || FOLDERS.iter().any(|folder| name == *folder);
        if !is_ours {
            continue;
        }
        let stamp = Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
        let folder = aside.get_or_insert_with(|| data.join(format!("before-restore-{stamp}")));
        app::make_folder(folder)?;
        std::fs::rename(entry.path(), folder.join(name))?;
    }
    Ok(aside)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// On disk, whatever happens next.
fn sync(folder: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sync(&path)?;
        } else {
            File::open(&path)?.sync_all()?;
        }
    }
    Ok(File::open(folder)?.sync_all()?)
}
