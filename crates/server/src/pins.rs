//! Whether the fetched models are the files that `assets.toml` names, byte by byte.
//!
//! The list is part of the binary: an assets folder may be anywhere, and a file that was
//! damaged there would otherwise be found by whoever hears nonsense.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

const LIST: &str = include_str!("../../../assets.toml");

#[derive(Deserialize)]
struct List {
    file: Vec<Pin>,
}

#[derive(Deserialize)]
struct Pin {
    path: String,
    #[serde(rename = "for")]
    used_for: String,
    size: u64,
    sha256: String,
}

/// What there is of the files for some purposes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stock {
    pub whole: Vec<String>,
    pub missing: Vec<String>,
    /// Other bytes than were fetched.
    pub damaged: Vec<String>,
}

/// Files that are there and of another length: at a glance, where there is no time to read them.
pub fn torn(assets: &Path, purposes: &[&str]) -> Vec<String> {
    let is_torn = |pin: &Pin| {
        let file = assets.join(&pin.path).metadata();
        file.is_ok_and(|file| file.is_file() && file.len() != pin.size)
    };
    pins(purposes).filter(is_torn).map(|pin| pin.path).collect()
}

fn pins(purposes: &[&str]) -> impl Iterator<Item = Pin> {
    let list: List = toml::from_str(LIST).expect("assets.toml is read when it is built in");
    list.file.into_iter().filter(|pin| purposes.contains(&pin.used_for.as_str()))
}

/// Looks at every file for one of these `purposes`, as `assets.toml` words them.
pub fn stock(assets: &Path, purposes: &[&str]) -> Stock {
    let mut stock = Stock::default();
    for pin in pins(purposes) {
        let path = assets.join(&pin.path);
        if !path.is_file() {
            stock.missing.push(pin.path);
        } else if is_whole(&path, &pin).unwrap_or(false) {
            stock.whole.push(pin.path);
        } else {
            stock.damaged.push(pin.path);
        }
    }
    stock
}

fn is_whole(path: &Path, pin: &Pin) -> io::Result<bool> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() != pin.size {
        return Ok(false);
    }
    let mut hash = Sha256::new();
    io::copy(&mut file, &mut hash)?;
    Ok(format!("{:x}", hash.finalize()) == pin.sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_is_fetched_is_looked_at() {
        let nothing = tempfile::TempDir::new().unwrap();
        let stock = stock(nothing.path(), &["hearing", "speaking"]);
        assert_eq!(stock.missing.len(), 8);
        assert_eq!((stock.whole.len(), stock.damaged.len()), (0, 0));
        assert!(torn(nothing.path(), &["hearing", "speaking"]).is_empty());
    }

    #[test]
    fn a_file_that_was_cut_off_is_seen_at_a_glance() {
        let assets = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(assets.path().join("hibari")).unwrap();
        std::fs::write(assets.path().join("hibari/model.onnx"), "cut").unwrap();
        assert_eq!(torn(assets.path(), &["speaking"]), ["hibari/model.onnx"]);
        assert!(torn(assets.path(), &["hearing"]).is_empty());
        assert_eq!(stock(assets.path(), &["speaking"]).damaged, ["hibari/model.onnx"]);
    }
}
