//! `sayso audit`: the record can be read while it grows, and shows when it was touched.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::house::{House, Ran, run};
use crate::say_so::{ask, assert_sent_once, confirm};

fn audit(house: &House, words: &[&str]) -> Ran {
    let data = house.data();
    run(&[&["audit"], words, &["--data", &data]].concat())
}

/// A mail that went out and one that did not.
fn with_a_past() -> House {
    let house = House::open();
    let card = ask(&house, "Secret subject");
    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 1 })).status, 200);
    assert_sent_once(&house, "Secret subject");
    confirm(&house, &ask(&house, "Declined"), "reject", json!({}));
    house
}

#[test]
fn every_step_of_a_write_is_a_line_and_no_words_are_in_it() {
    let house = with_a_past();

    let ran = audit(&house, &[]);

    assert_eq!(ran.code, 0, "{ran:?}");
    let whats: Vec<_> = ran.out.lines().filter_map(|line| line.split_whitespace().nth(3)).collect();
    for what in ["asked", "accepted", "dispatching", "confirmed", "rejected"] {
        assert!(whats.contains(&what), "{what} is missing: {}", ran.out);
    }
    assert!(ran.out.contains("gmail.send") && ran.out.contains("cr_…"), "{}", ran.out);
    let json = audit(&house, &["--json"]).out;
    for text in [&ran.out, &json] {
        assert!(!text.contains("Secret") && !text.contains("priya"), "{text}");
    }
}

#[test]
fn one_session_can_be_looked_at_alone() {
    let house = with_a_past();
    let card = ask(&house, "Third");

    let lines = audit(&house, &["--json", "--session", &card.session]).out;

    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["session"], card.session.as_str());
    assert_eq!(lines[0]["confirmation"], card.id.as_str());
}

#[test]
fn a_whole_record_is_found_whole_while_the_server_runs_and_after() {
    let mut house = with_a_past();
    let running = audit(&house, &["verify"]);
    assert_eq!(running.code, 0, "{running:?}");
    assert!(running.out.contains("nothing changed"), "{}", running.out);
    house.stop();

    let stopped = audit(&house, &["verify"]);
    assert_eq!((stopped.code, &stopped.out), (0, &running.out));
    let told: Value = serde_json::from_str(&audit(&house, &["verify", "--json"]).out).unwrap();
    assert_eq!(told["whole"], true);
    assert!(running.out.contains(told["last_hash"].as_str().unwrap()), "{told}");
    house.restart();
    assert_eq!(audit(&house, &["verify"]).code, 0);
}

#[test]
fn one_changed_byte_is_found_and_its_line_is_named() {
    let touched = [
        (
            "UPDATE audit SET body = replace(body, 'accepted', 'rejected') WHERE number = 2",
            "line 2 was changed",
        ),
        (
            "UPDATE audit SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE number = 2",
            "line 2 cannot be read",
        ),
        ("UPDATE audit SET body = '{' WHERE number = 3", "line 3 cannot be read"),
        ("DELETE FROM audit WHERE number = 2", "line 2 is missing"),
    ];
    for (sql, expected) in touched {
        let mut house = with_a_past();
        house.stop();
        let store = Connection::open(format!("{}/sayso.db", house.data())).unwrap();
        store
            .execute_batch("DROP TRIGGER audit_is_never_changed; DROP TRIGGER audit_is_never_cut;")
            .unwrap();
        assert_eq!(store.execute(sql, []).unwrap(), 1, "{sql}");
        drop(store);

        let ran = audit(&house, &["verify"]);

        assert_eq!(ran.code, 3, "{sql}: {ran:?}");
        assert!(ran.out.contains(expected), "{sql}: {}", ran.out);
    }
}

#[test]
fn a_folder_without_a_record_is_named() {
    let folder = tempfile::TempDir::new().unwrap();
    let folder = folder.path().to_str().unwrap();

    for words in [&["audit", "--data", folder][..], &["audit", "verify", "--data", folder]] {
        let ran = run(words);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.err.contains(folder), "{}", ran.err);
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "nothing is made");
}

#[test]
fn the_folder_can_be_named_before_the_verb() {
    let house = House::open();
    let data = house.data();

    let before = run(&["audit", "--data", &data, "verify"]);
    let behind = run(&["audit", "verify", "--data", &data]);
    let json = run(&["audit", "--json", "--data", &data, "verify"]);
    let session = format!("sess_{}", "0".repeat(32));
    let one = run(&["audit", "--data", &data, "--session", &session, "verify"]);

    assert_eq!((before.code, behind.code), (0, 0), "{before:?}");
    assert_eq!(before.out, behind.out);
    assert!(json.out.contains("\"whole\":true"), "{json:?}");
    assert!(one.code != 0 && one.err.contains("leave --session out"), "{one:?}");
}
