//! For whoever watches over a server, and for whoever opens its address.

use crate::client::Client;
use crate::event::assert_succeeded;
use crate::house::House;
use crate::http::get;

#[test]
fn a_server_says_that_it_runs_and_that_it_is_ready() {
    let house = House::open();

    let (alive, ready) = (get(&house, "/healthz"), get(&house, "/readyz"));

    assert_eq!((alive.status, ready.status), (200, 200));
    assert_eq!(alive.json()["status"], "ok");
    assert_eq!(alive.json()["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(ready.json()["status"], "ready");
}

#[test]
fn every_turn_is_counted_once_whatever_else_a_client_sends() {
    let house = House::open();
    let mut client = Client::new(&house);

    for turns in 1..=3 {
        assert_succeeded(&client.turn("What meetings do I have tomorrow?"));
        client.session();
        let metrics = get(&house, "/metrics").body;
        assert_eq!(value(&metrics, "sayso_turns_total{outcome=\"success\"}"), turns, "{metrics}");
    }
}

#[test]
fn the_first_word_is_measured_in_buckets() {
    let house = House::open();
    let mut client = Client::new(&house);
    assert_succeeded(&client.turn("What meetings do I have tomorrow?"));

    let answer = get(&house, "/metrics");

    assert!(answer.headers["content-type"].starts_with("text/plain"));
    let buckets: Vec<_> = answer
        .body
        .lines()
        .filter(|line| line.starts_with("sayso_first_token_seconds_bucket{le="))
        .collect();
    assert!(buckets.len() > 10, "{buckets:?}");
    assert_eq!(value(&answer.body, "sayso_first_token_seconds_bucket{le=\"+Inf\"}"), 1);
    assert_eq!(value(&answer.body, "sayso_first_token_seconds_count"), 1);
}

#[test]
fn open_connections_and_malformed_frames_are_counted() {
    let house = House::open();
    let mut clients = [Client::new(&house), Client::new(&house)];
    for client in &mut clients {
        client.send(&serde_json::json!({ "event_type": "nonsense" }));
        client.next("a complaint");
    }

    let metrics = get(&house, "/metrics").body;

    assert_eq!(value(&metrics, "sayso_connections"), 2);
    assert_eq!(value(&metrics, "sayso_sessions_awake"), 2);
    assert_eq!(value(&metrics, "sayso_malformed_frames_total{code=\"unknown_event\"}"), 2);
}

/// The value of a series, `0` for one that is not there yet.
fn value(metrics: &str, series: &str) -> u64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0, |value| value.parse().unwrap_or_else(|_| panic!("{series} {value}")))
}
