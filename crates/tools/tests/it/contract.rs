//! What every tool owes to whoever reads its description.

use brain::ActionLevel;
use jsonschema::Validator;
use serde_json::{Value, json};
use tools::local::sample;
use tools::{Personal, ToolError};

use crate::world::{World, la, memory, range, user};

async fn sample() -> World {
    World::sample().await.with_memories(vec![memory("memory_1", "Tom is allergic to nuts")]).await
}

fn week() -> Value {
    range("2026-11-16T00:00", "2026-11-23T00:00")
}

/// An event as a card shows it.
fn standing() -> Value {
    json!({
        "title": "Something else",
        "start": la("2026-11-16T09:00"),
        "end": la("2026-11-16T10:00"),
        "all_day": false,
        "attendees": ["priya.nair@brightloom.example"],
        "location": "",
    })
}

/// Arguments each tool takes, with something in every field.
fn good() -> Vec<(&'static str, Value)> {
    let constraints =
        json!({ "working_hours": false, "not_before": "13:00", "not_after": "17:00" });
    vec![
        ("gmail.search", json!({})),
        ("gmail.search", json!({ "query": "from:priya is:unread", "max_results": 5 })),
        ("gmail.get_message", json!({ "message_id": "q4-numbers.4" })),
        ("calendar.list_events", json!({ "date_range": week() })),
        (
            "calendar.list_events",
            json!({ "date_range": week(), "query": "heron", "max_results": 3 }),
        ),
        ("calendar.find_free_slots", json!({ "date_range": week() })),
        (
            "calendar.find_free_slots",
            json!({ "date_range": week(), "duration_minutes": 45, "constraints": constraints }),
        ),
        ("gmail.draft_reply", json!({ "thread_id": "q4-numbers", "intent": "yes" })),
        (
            "gmail.draft_reply",
            json!({ "message_id": "q4-numbers.4", "intent": "thursday works", "tone": "warm" }),
        ),
        ("gmail.send", json!({ "draft_id": "design-review.2" })),
        (
            "gmail.send",
            json!({
                "to": ["priya.nair@brightloom.example"],
                "cc": ["tom@okafor.example"],
                "subject": "Re: Q4 numbers, first pass",
                "body": "Thursday works.",
                "thread_id": "q4-numbers",
                "in_reply_to": "q4-numbers.4",
                "from": "maya@lindqvist.example",
            }),
        ),
        (
            "calendar.create_event",
            json!({ "start": la("2026-11-19T15:00"), "title": "Lunch", "duration_minutes": 45 }),
        ),
        (
            "calendar.create_event",
            json!({
                "start": la("2026-11-16T15:00"),
                "end": la("2026-11-16T15:30"),
                "title": "Samples",
                "attendees": ["priya.nair@brightloom.example"],
                "location": "The loft",
                "length_assumed": true,
            }),
        ),
        ("calendar.cancel_event", json!({ "event_id": "pub-quiz" })),
        ("calendar.cancel_event", json!({ "event_id": "standup-2026-11-16", "was": standing() })),
        (
            "calendar.move_event",
            json!({ "event_id": "lunch-tom", "start": la("2026-11-20T12:00") }),
        ),
        (
            "calendar.move_event",
            json!({
                "event_id": "design-review",
                "start": la("2026-11-20T12:00"),
                "end": la("2026-11-20T12:45"),
                "duration_minutes": 45,
                "was": standing(),
            }),
        ),
        ("memory.retrieve", json!({ "context": "" })),
        ("memory.retrieve", json!({ "context": "toms allergies", "max_results": 3 })),
        ("memory.suggest_write", json!({ "candidate_memory": "Tom is allergic to nuts" })),
        ("memory.write", json!({ "memory": " Priya drinks\r\n\r\noat milk " })),
        ("memory.forget", json!({ "memory_id": "memory_1", "memory": "Something else" })),
        ("voice.pronounce", json!({ "name": "Priya", "like": "pree ya" })),
        ("voice.pronunciations", json!({ "name": "Priya" })),
        ("voice.forget_pronunciation", json!({ "name": "Priya" })),
        ("voice.pace", json!({ "change": "slower" })),
        ("voice.pace", json!({ "percent": 120 })),
    ]
}

/// Values that are wrong in most places.
fn odd() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(51),
        json!(201),
        json!(481),
        json!(1_u64 << 40),
        json!(""),
        json!("25:00"),
        json!("9:30"),
        json!("x".repeat(501)),
        json!("x".repeat(2_001)),
        json!("x".repeat(50_001)),
        json!([]),
        json!(["a", "b"]),
        json!({}),
        json!({ "start": "2026-11-16" }),
    ]
}

/// The arguments with one thing changed: a field added, left out or made odd.
fn spoiled(args: &Value) -> Vec<Value> {
    let Some(fields) = args.as_object() else { return odd() };
    let mut all = odd();
    let mut extra = fields.clone();
    extra.insert("surprise".to_owned(), json!(1));
    all.push(Value::Object(extra));
    for (name, value) in fields {
        let mut without = fields.clone();
        without.remove(name);
        all.push(Value::Object(without));
        for other in spoiled(value) {
            let mut changed = fields.clone();
            changed.insert(name.clone(), other);
            all.push(Value::Object(changed));
        }
    }
    all
}

fn validator(schema: &Value) -> Validator {
    jsonschema::options().build(schema).unwrap()
}

#[test]
fn the_catalog_describes_nineteen_tools_and_how_far_each_reaches() {
    let world = World::empty();
    let levels: Vec<_> = world.catalog.tools().map(|tool| (tool.name(), tool.level())).collect();
    assert_eq!(
        levels,
        [
            ("calendar.cancel_event", ActionLevel::Write),
            ("calendar.create_event", ActionLevel::Write),
            ("calendar.find_free_slots", ActionLevel::Read),
            ("calendar.list_events", ActionLevel::Read),
            ("calendar.move_event", ActionLevel::Write),
            ("gmail.create_draft", ActionLevel::Draft),
            ("gmail.draft_reply", ActionLevel::Draft),
            ("gmail.get_message", ActionLevel::Read),
            ("gmail.search", ActionLevel::Read),
            ("gmail.send", ActionLevel::Write),
            ("memory.forget", ActionLevel::Write),
            ("memory.pause", ActionLevel::Draft),
            ("memory.retrieve", ActionLevel::Read),
            ("memory.suggest_write", ActionLevel::Draft),
            ("memory.write", ActionLevel::Write),
            ("voice.forget_pronunciation", ActionLevel::Draft),
            ("voice.pace", ActionLevel::Draft),
            ("voice.pronounce", ActionLevel::Draft),
            ("voice.pronunciations", ActionLevel::Read),
        ]
    );
    let described = world.catalog.describe();
    for tool in described.as_array().unwrap() {
        assert!(jsonschema::meta::is_valid(&tool["input_schema"]), "{tool}");
        assert!(jsonschema::meta::is_valid(&tool["output_schema"]), "{tool}");
        assert!(!tool.to_string().contains("$ref"), "{tool}");
    }
}

#[test]
fn whatever_the_schema_forbids_is_refused_with_a_reason() {
    let catalog = World::empty().catalog;
    let mut refused = 0;
    for (name, args) in good() {
        let tool = catalog.get(name).unwrap();
        let schema = validator(&tool.input_schema());
        assert!(schema.is_valid(&args), "{name} {args}");
        assert_eq!(tool.accepts(&args), Ok(()), "{name} {args}");
        for bad in spoiled(&args).iter().filter(|bad| !schema.is_valid(bad)) {
            let reason = tool.accepts(bad).expect_err(&format!("{name} took {bad}"));
            assert!(!reason.is_empty() && !reason.contains('\n'), "{reason}");
            assert!(!tool.label(bad).is_empty());
            refused += 1;
        }
    }
    assert!(refused > 200, "only {refused} were tried");
}

#[tokio::test]
async fn what_accepts_would_refuse_is_not_done_either() {
    let world = sample().await;
    for (name, args) in good() {
        let tool = world.catalog.get(name).unwrap();
        for bad in spoiled(&args).into_iter().filter(|bad| tool.accepts(bad).is_err()) {
            let error = match tool.writer() {
                Some(writer) => writer.prepare(bad.clone(), &world.caller).await.unwrap_err(),
                None => world.call(name, bad.clone()).await.unwrap_err(),
            };
            assert!(matches!(error, ToolError::BadArguments(_)), "{name} {bad}: {error}");
        }
    }
}

#[tokio::test]
async fn what_writes_cannot_be_called_and_what_does_not_has_no_writer() {
    let world = sample().await;
    for (name, args) in good() {
        let tool = world.catalog.get(name).unwrap();
        let writes = tool.level() == ActionLevel::Write;
        assert_eq!(tool.writer().is_some(), writes, "{name}");
        if writes {
            let error = world.call(name, args).await.unwrap_err();
            assert!(matches!(error, ToolError::Refused { .. }), "{name}: {error}");
        }
    }
}

#[tokio::test]
async fn what_a_tool_brings_is_what_it_declared() {
    let world = sample().await;
    let mut calls = good();
    for query in ["", "in:drafts", "in:sent", "heron", "nothing-like-this", "cc:tom"] {
        calls.push(("gmail.search", json!({ "query": query, "max_results": 50 })));
    }
    let year = range("2026-05-01T00:00", "2027-05-01T00:00");
    calls.push(("calendar.list_events", json!({ "date_range": year, "max_results": 200 })));
    calls.push(("calendar.find_free_slots", json!({ "date_range": year })));
    for (number, (name, args)) in (1..).zip(calls) {
        let tool = world.catalog.get(name).unwrap();
        let schema = validator(&tool.output_schema());
        let told = match tool.writer() {
            Some(_) => world.agree(name, args.clone()).await.done(number).await,
            None => world.with_key(&number.to_string()).call(name, args.clone()).await,
        };
        let told = told.unwrap();
        let wrong: Vec<_> = schema.iter_errors(&told).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{name} {args}: {wrong:?}");
    }
}

#[tokio::test]
async fn what_was_prepared_fits_the_schema_and_comes_out_the_same_again() {
    let world = sample().await;
    for (name, args) in good() {
        let tool = world.catalog.get(name).unwrap();
        let Some(writer) = tool.writer() else { continue };
        let once = writer.prepare(args, &world.caller).await.unwrap();
        let payload = Value::Object(once.payload.clone());
        assert!(validator(&tool.input_schema()).is_valid(&payload), "{name} {payload}");
        assert_eq!(tool.accepts(&payload), Ok(()), "{name} {payload}");
        assert!(once.editable.iter().all(|field| once.payload.contains_key(&field.name)));
        assert_eq!(writer.prepare(payload, &world.caller).await.unwrap(), once, "{name}");
    }
}

#[tokio::test]
async fn a_file_keeps_what_was_put_into_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let now = World::empty().caller.now;
    let poured = {
        let store = Personal::open(&path).unwrap();
        sample::pour(&store, user(1), &now).await.unwrap()
    };

    let again = Personal::open(&path).unwrap();

    assert_eq!(again.contacts(user(1)).await.unwrap().len(), poured.contacts);
    assert_eq!(sample::pour(&again, user(1), &now).await.unwrap().mails, 0);
}
