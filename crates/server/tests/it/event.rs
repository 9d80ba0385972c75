//! Words for looking at events as they stand on the wire.

use serde_json::Value;

pub fn kind(event: &Value) -> &str {
    event["event_type"].as_str().unwrap_or_else(|| panic!("no event_type in {event}"))
}

pub fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(kind).collect()
}

pub fn seq(event: &Value) -> u64 {
    event["seq"].as_u64().unwrap_or_else(|| panic!("no seq in {event}"))
}

pub fn epoch(event: &Value) -> u64 {
    event["epoch"].as_u64().unwrap_or_else(|| panic!("no epoch in {event}"))
}

pub fn text(event: &Value) -> &str {
    event["payload"]["text"].as_str().unwrap_or_else(|| panic!("no text in {event}"))
}

/// The code of an `error`.
pub fn code(event: &Value) -> &str {
    assert_eq!(kind(event), "error", "{event}");
    event["payload"]["code"].as_str().unwrap_or_else(|| panic!("no code in {event}"))
}

pub fn of_kind<'a>(events: &'a [Value], wanted: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| kind(event) == wanted).collect()
}

pub fn one<'a>(events: &'a [Value], wanted: &str) -> &'a Value {
    match of_kind(events, wanted)[..] {
        [one] => one,
        _ => panic!("expected one {wanted} in {:?}", kinds(events)),
    }
}

/// What is written down and comes again when a client comes back. Answers to
/// one client alone have no number and are not.
pub fn is_kept(event: &Value) -> bool {
    let passing = ["state.change", "assistant_text.delta", "tool_call.progress", "session.pong"];
    !event["seq"].is_null() && !passing.contains(&kind(event))
}

pub fn kept(events: &[Value]) -> Vec<Value> {
    events.iter().filter(|event| is_kept(event)).cloned().collect()
}

/// The last word of every turn.
pub fn ends_turn(event: &Value) -> bool {
    kind(event) == "state.change" && event["payload"]["to"] == "idle"
}

pub fn assert_succeeded(turn: &[Value]) {
    assert_eq!(one(turn, "turn.end")["payload"]["outcome"], "success", "{:?}", kinds(turn));
}

pub fn assert_numbers_rise(events: &[Value]) {
    let numbers: Vec<_> = events.iter().map(seq).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "seq must rise: {numbers:?}");
}
