//! What is measured of a turn, on its record and in /metrics, and who watches it happen.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::event::assert_succeeded;
use crate::house::{House, PATIENCE, run, sayso};
use crate::http::get;

/// One value out of the record of a running server.
fn on_record(house: &House, sql: &str) -> Value {
    let file = format!("{}/sayso.db", house.data());
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    db.query_row(sql, [], |row| {
        let text: String = row.get(0)?;
        Ok(serde_json::from_str(&text).unwrap())
    })
    .unwrap()
}

#[test]
fn a_turn_has_its_times_on_record_and_what_was_not_reached_is_absent() {
    let house = House::open();
    assert_succeeded(&Client::new(&house).turn("What meetings do I have tomorrow?"));

    let row = on_record(
        &house,
        "SELECT json_object('event', first_event_us, 'token', first_token_us,
             'audio', first_audio_us, 'thought', thought_us, 'tool', tool_us,
             'failures', tool_failures, 'fallback', fallback) FROM turns",
    );

    for measured in ["event", "token", "thought", "tool"] {
        assert!(row[measured].is_u64(), "{measured}: {row}");
    }
    assert_eq!((&row["audio"], &row["fallback"]), (&Value::Null, &Value::Null), "{row}");
    assert_eq!(row["failures"], 0);
    let metrics = get(&house, "/metrics").body;
    for name in ["first_event", "first_token", "think", "turn_tools", "turn"] {
        assert!(metrics.contains(&format!("sayso_{name}_seconds_count 1\n")), "{name}: {metrics}");
    }
    assert!(metrics.contains("sayso_tool_seconds_bucket{tool=\"calendar.list_events\",le="));
    let sound = metrics.lines().filter(|line| line.starts_with("sayso_first_audio_seconds"));
    assert_eq!(sound.count(), 0, "there is no voice yet, so there is no figure");
}

#[test]
fn what_is_asked_twice_is_counted_on_the_turn_that_answers_it() {
    let house = House::open();
    let mut client = Client::new(&house);
    let frame = json!({
        "event_id": "evt_twice", "event_type": "text.input", "payload": { "text": "hello" }
    });
    client.send(&frame);
    client.listen("the turn");
    client.send(&frame);
    // It is heard once; nothing is said about the second time.
    client.session();

    let metrics = get(&house, "/metrics").body;
    assert!(metrics.contains("sayso_dedupe_hits_total{what=\"request\"} 1"), "{metrics}");
    let until = Instant::now() + PATIENCE;
    while on_record(&house, "SELECT json(dedupe_hits) FROM turns") != 1 {
        assert!(Instant::now() < until, "it was never noted");
        thread::yield_now();
    }
}

#[test]
fn whoever_tails_a_server_sees_events_and_no_words() {
    let house = House::open();
    let url = house.url();
    let args = ["tail", "--server", &url, "--limit", "6", "--events", "turn.,input_transcript."];

    let ran = thread::scope(|scope| {
        let tail = scope.spawn(|| run(&args));
        let mut client = Client::new(&house);
        // It listens from some moment on; people talk until it has heard enough.
        while !tail.is_finished() {
            client.turn("my zanzibarquokka is ill");
        }
        tail.join().unwrap()
    });

    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(lines.len(), 6, "{}", ran.out);
    assert!(lines.iter().any(|line| line.contains("turn.end")), "{}", ran.out);
    assert!(lines.iter().any(|line| line.contains("24 characters")), "{}", ran.out);
    assert!(!ran.out.contains("zanzibarquokka") && !ran.out.contains("state.change"));
    assert!(!ran.out.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn a_tail_says_what_it_was_asked_wrongly_and_ends_with_its_server() {
    let mut house = House::open();
    get(&house, "/control/tail?session=nonsense").assert_problem(400, "bad_query");
    let url = house.url();
    let nobody = run(&["tail", "--server", "http://127.0.0.1:1"]);
    assert!(nobody.code == 1 && nobody.err.contains("no Sayso answers"), "{}", nobody.err);

    let folder = TempDir::new().unwrap();
    let mut tail = sayso(folder.path())
        .args(["tail", "--server", &url, "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (tell, told) = channel();
    let lines = BufReader::new(tail.stdout.take().unwrap()).lines();
    thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(tell.send(line))));
    let mut client = Client::new(&house);
    let until = Instant::now() + PATIENCE;
    while told.try_recv().is_err() {
        assert!(Instant::now() < until, "it never listened");
        client.turn("hello");
    }
    house.ask_to_stop();
    assert_eq!(tail.wait().unwrap().code(), Some(0));
    house.stopped();
}
