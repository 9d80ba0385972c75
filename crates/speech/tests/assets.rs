//! `scripts/assets` tells people what went wrong, and leaves nothing half done.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// A folder with a manifest of one file and an `npm` of our own making.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, npm: &str, sha256: &str) -> Self {
        let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("assets-{name}"));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(place.join("bin")).unwrap();
        fs::write(place.join("bin/npm"), format!("#!/bin/bash\n{npm}\n")).unwrap();
        let runs = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.join("bin/npm"), runs).unwrap();
        let manifest = format!(
            "[[file]]\npath = \"small/model.bin\"\nfor = \"hearing\"\nregistry = \"npm\"\n\
            package = \"small\"\nversion = \"1.0.0\"\nmember = \"package/model.bin\"\nsize = 6\n\
            sha256 = \"{sha256}\"\nlicence = \"MIT\"\n"
        );
        fs::write(place.join("assets.toml"), manifest).unwrap();
        Self(place)
    }

    /// Whether it succeeded, and all that it said.
    fn fetch(&self, optional: bool) -> (bool, String) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/assets");
        let path = format!("{}/bin:{}", self.0.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(script);
        command.env("PATH", path).arg("--dir").arg(self.0.join("into"));
        command.arg("--manifest").arg(self.0.join("assets.toml"));
        if optional {
            command.arg("--optional");
        }
        let done = command.output().unwrap();
        let said = [done.stdout, done.stderr].map(|said| String::from_utf8(said).unwrap()).concat();
        (done.status.success(), said)
    }

    fn left(&self) -> Vec<PathBuf> {
        let into = fs::read_dir(self.0.join("into")).map(|dir| dir.map(|e| e.unwrap().path()));
        into.map(Iterator::collect).unwrap_or_default()
    }
}

/// Packs "hello\n" as npm would.
const PACKS: &str = r#"while [ "$1" != --pack-destination ]; do shift; done
mkdir "$2/package" && echo hello > "$2/package/model.bin" && cd "$2" && tar czf small-1.0.0.tgz package"#;
const HELLO: &str = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

#[test]
fn a_file_is_fetched_checked_and_put_in_its_place_once() {
    let place = Place::new("good", PACKS, HELLO);
    let (fine, said) = place.fetch(false);
    assert!(fine && said.contains("fetching small 1.0.0 (1 of 1)"), "{said}");
    assert_eq!(fs::read_to_string(place.0.join("into/small/model.bin")).unwrap(), "hello\n");
    assert_eq!(place.fetch(false), (true, "  small/model.bin is there\n".to_owned()));
}

#[test]
fn a_file_that_is_not_the_one_named_is_thrown_away() {
    let place = Place::new("hash", PACKS, &HELLO.replace('5', "6"));
    let (fine, said) = place.fetch(false);
    assert!(!fine && said.contains("is not the file that assets.toml names"), "{said}");
    assert_eq!(place.left(), Vec::<PathBuf>::new());
}

#[test]
fn a_broken_download_is_explained_and_going_on_without_is_fine() {
    let damaged =
        r#"while [ "$1" != --pack-destination ]; do shift; done; echo no > "$2/small.tgz""#;
    for (name, npm, because) in [
        ("damaged", damaged, "small.tgz is damaged"),
        (
            "offline",
            "echo 'npm error network is unreachable' >&2; exit 1",
            "network is unreachable",
        ),
        ("nothing", "exit 0", "npm brought nothing"),
    ] {
        let place = Place::new(name, npm, HELLO);
        let (fine, said) = place.fetch(false);
        assert!(!fine && said.contains(because), "{name}: {said}");
        let (fine, said) = place.fetch(true);
        assert!(fine && said.contains("Going on without hearing"), "{name}: {said}");
        assert_eq!(place.left(), Vec::<PathBuf>::new());
    }
}

#[test]
fn what_stands_among_the_complaints_is_told_as_what_it_is() {
    // The last line of both is about something else.
    let gone = "echo 'WARNING: Retrying after connection broken by NewConnectionError: Failed to \
        establish a new connection: [Errno -3] Temporary failure in name resolution' >&2; \
        echo 'ERROR: No matching distribution found for small==1.0.0' >&2; exit 1";
    let full = "echo 'npm error code ENOSPC' >&2; \
        echo 'OSError: [Errno 28] No space left on device' >&2; \
        echo 'npm error A complete log of this run can be found in: /home/ana/.npm/_logs' >&2; exit 1";
    for (name, npm, because, now) in [
        ("no-network", gone, "the network is unreachable", "Look at the network;"),
        ("no-room", full, "is full; nothing was left behind", "Make room on the disk;"),
    ] {
        let place = Place::new(name, npm, HELLO);
        let (fine, said) = place.fetch(false);
        assert!(!fine && said.contains(because) && said.contains(now), "{name}: {said}");
        for other in ["No matching distribution", "OSError", "Is there a network?", "_logs"] {
            assert!(!said.contains(other), "{name}: {said}");
        }
        let (fine, said) = place.fetch(true);
        assert!(fine && said.contains("Going on without hearing"), "{name}: {said}");
        assert!(said.contains(because), "{name}: {said}");
        assert_eq!(place.left(), Vec::<PathBuf>::new());
    }
}
