//! Copies of a server that runs, and putting them back.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::json;
use store::sqlite::SqliteStore;
use tempfile::TempDir;
use testkit::store_contract::keeps_its_promises;

use crate::attachment::once_read;
use crate::client::Client;
use crate::event::assert_succeeded;
use crate::house::{HOME, House, data, run};
use crate::http::{get, request};
use crate::say_so::{ask, assert_sent_once, confirm, sent};

const WORD: &str = "zanzibarquokka";

fn hand_over(house: &House) -> String {
    let form = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n\
         {WORD}\r\n--edge--\r\n"
    );
    let kind = [("Content-Type", "multipart/form-data; boundary=edge")];
    let file = request(house, "POST", "/chat/attachment/upload", &kind, &form);
    assert_eq!(file.status, 201, "{}", file.body);
    file.json()["file_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_copy_taken_while_people_talk_is_whole_and_goes_on_from_there() {
    let house = House::open();
    let file = hand_over(&house);
    assert_eq!(once_read(&house, &file)["state"], "ready");
    let mut client = Client::new(&house);
    client.turn(&format!("any new mail about {WORD}?"));
    let session = client.session();
    let card = ask(&house, "before the copy");
    assert_eq!(confirm(&house, &card, "accept", json!({})).status, 200);
    assert_sent_once(&house, "before the copy");
    let open = ask(&house, "still open");
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    let copy = copy.to_str().unwrap();

    let (talks, begun) = (AtomicBool::new(true), AtomicBool::new(false));
    let ran = thread::scope(|scope| {
        let mut other = Client::new(&house);
        let (talks, begun) = (&talks, &begun);
        scope.spawn(move || {
            while talks.load(Ordering::Relaxed) {
                assert_succeeded(&other.turn("What meetings do I have tomorrow?"));
                begun.store(true, Ordering::Relaxed);
            }
        });
        while !begun.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        let ran = run(&["backup", copy, "--data", &house.data()]);
        talks.store(false, Ordering::Relaxed);
        ran
    });
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(!Path::new(&format!("{copy}.part")).exists());

    let place = TempDir::new().unwrap();
    let there = data(place.path());
    let ran = run(&["restore", copy, "--data", &there]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(run(&["audit", "verify", "--data", &there]).code, 0);
    assert_eq!(run(&["replay", &session, "--data", &there]).code, 0);

    let paper = std::fs::read_to_string(format!("{there}/papers/{file}.json")).unwrap();
    assert!(paper.contains(WORD), "what was read comes along: {paper}");

    let restored = House::open_in(place, HOME, Vec::new());
    let (_, history) = Client::back(&restored, &session).catch_up();
    assert!(history.iter().any(|event| event.to_string().contains(WORD)), "it goes on");
    assert_sent_once(&restored, "before the copy");
    assert_eq!(confirm(&restored, &open, "accept", json!({})).status, 200);
    assert_sent_once(&restored, "still open");
    assert_eq!(sent(&house, "still open").len(), 0, "the copy is another house");
    assert_eq!(get(&restored, &format!("/chat/attachment/{file}")).status, 200);
    assert_eq!(std::fs::read(format!("{there}/uploads/{file}")).unwrap(), WORD.as_bytes());
}

#[tokio::test]
async fn a_restored_copy_keeps_the_promises_of_every_store() {
    let folder = TempDir::new().unwrap();
    let (from, copy, to) =
        (folder.path().join("from"), folder.path().join("copy"), folder.path().join("to"));
    std::fs::create_dir(&from).unwrap();
    drop(SqliteStore::open(&from.join("sayso.db")).unwrap());
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    assert_eq!(run(&["backup", &text(&copy), "--data", &text(&from)]).code, 0);
    assert_eq!(run(&["restore", &text(&copy), "--data", &text(&to)]).code, 0);

    keeps_its_promises(&SqliteStore::open(&to.join("sayso.db")).unwrap()).await;

    assert_eq!(run(&["audit", "verify", "--data", &text(&to)]).code, 0);
}

#[test]
fn nothing_is_overwritten_and_nothing_that_does_not_hold_is_put_back() {
    let mut house = House::open();
    Client::new(&house).turn("hello");
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    let path = copy.to_str().unwrap();
    assert_eq!(run(&["backup", path, "--data", &house.data()]).code, 0);
    let again = run(&["backup", path, "--data", &house.data()]);
    assert!(again.code == 1 && again.err.contains("is there already"), "{}", again.err);

    let there = run(&["restore", path, "--data", &house.data()]);
    assert!(there.code == 1 && there.err.contains("--overwrite"), "{}", there.err);
    let running = run(&["restore", path, "--overwrite", "--data", &house.data()]);
    assert!(running.code == 1 && running.err.contains("another Sayso"), "{}", running.err);
    assert!(house.stop().success());
    // What a restore left behind that was cut off.
    let left = Path::new(&house.data()).join("restoring");
    std::fs::create_dir(&left).unwrap();
    std::fs::write(left.join("half.db"), "half").unwrap();
    let replaced = run(&["restore", path, "--overwrite", "--data", &house.data()]);
    assert_eq!(replaced.code, 0, "{}", replaced.err);
    assert!(replaced.out.contains("before-restore-"), "{}", replaced.out);
    let stray = Path::new(&house.data()).join("half.db");
    assert!(!left.exists() && !stray.exists(), "only what is in the copy is put back");
    house.restart();
    assert_eq!(get(&house, "/chat/threads").json()["threads"].as_array().unwrap().len(), 1);

    let file = copy.join("sayso.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&file, bytes).unwrap();
    let to = folder.path().join("to");
    let broken = run(&["restore", path, "--data", to.to_str().unwrap()]);
    assert!(broken.code == 1 && broken.err.contains("nothing was restored"), "{}", broken.err);
    assert!(!to.exists());
    let none = run(&["restore", folder.path().to_str().unwrap(), "--data", to.to_str().unwrap()]);
    assert!(none.err.contains("is no copy that `sayso backup` made"), "{}", none.err);
}
