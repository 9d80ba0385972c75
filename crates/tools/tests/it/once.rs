//! Only on a yes, and only once.

use std::sync::Arc;

use serde_json::{Value, json};
use tools::{Caller, Found, ToolError};

use crate::world::{World, la, memory, say_so};

const SEND: &str = "gmail.send";
const BOOK: &str = "calendar.create_event";
const CANCEL: &str = "calendar.cancel_event";
const MOVE: &str = "calendar.move_event";
const KEEP: &str = "memory.write";
const FORGET: &str = "memory.forget";

async fn sample() -> World {
    World::sample().await.with_memories(vec![memory("memory_1", "The code is 4711")]).await
}

fn wishes() -> [(&'static str, Value); 6] {
    let mail = json!({ "to": ["tom@okafor.example"], "subject": "Hi", "body": "Hello." });
    let event = json!({ "start": la("2026-11-19T08:00"), "title": "Samples" });
    let off = json!({ "event_id": "pub-quiz" });
    let elsewhere = json!({ "event_id": "lunch-tom", "start": la("2026-11-20T12:00") });
    let fact = json!({ "memory": "Tom is allergic to nuts" });
    let gone = json!({ "memory_id": "memory_1" });
    [(SEND, mail), (BOOK, event), (CANCEL, off), (MOVE, elsewhere), (KEEP, fact), (FORGET, gone)]
}

/// All that could have changed.
async fn state(world: &World) -> (u32, u32, Vec<String>, Vec<String>) {
    let agenda = world.list("2026-11-01T00:00", "2026-12-31T00:00").await;
    let (all, sent) = (world.search("in:anywhere").await, world.search("in:sent").await);
    let memories = world.recall("").await.memories;
    let kept = memories.into_iter().map(|memory| memory.text).collect();
    let events = agenda.events.into_iter().map(|one| format!("{} {}", one.start, one.title));
    (all.total, sent.total, events.collect(), kept)
}

#[tokio::test]
async fn preparing_changes_nothing() {
    let world = sample().await;
    let before = state(&world).await;
    for (tool, args) in wishes() {
        let agreed = world.agree(tool, args).await;
        assert_eq!(agreed.found(1).await, Found::Absent);
    }
    assert_eq!(state(&world).await, before);
}

#[tokio::test]
async fn a_yes_to_something_else_does_nothing() {
    let world = sample().await;
    let before = state(&world).await;
    for (tool, args) in wishes() {
        let agreed = world.agree(tool, args).await;
        let (payload, caller) = (&agreed.payload, agreed.caller(1));
        let mut changed = payload.clone();
        changed["title"] = json!("Other");
        changed["body"] = json!("Other");
        changed["memory"] = json!("Other");
        for yes in [
            say_so(1, tool, &changed),
            say_so(1, "gmail.draft_reply", payload),
            // Of another action: a yes counts for one write.
            say_so(2, tool, payload),
        ] {
            let refused = world.writer(tool).write(payload.clone(), &caller, &yes).await;
            assert!(matches!(refused, Err(ToolError::Refused { .. })), "{tool} {refused:?}");
        }
        assert_eq!(agreed.found(1).await, Found::Absent);
    }
    assert_eq!(state(&world).await, before);
}

#[tokio::test]
async fn a_second_try_reports_the_first() {
    let world = sample().await;
    for (number, (tool, args)) in (1..).zip(wishes()) {
        let agreed = world.agree(tool, args).await;
        let first = agreed.done(number).await.unwrap();
        let after = state(&world).await;

        // Later, and after the person has been renamed.
        let mut caller = agreed.caller(number);
        caller.now = la("2026-11-15T13:00");
        caller.profile.name = Some("Somebody".to_owned());
        let yes = say_so(number, tool, &agreed.payload);
        let second = world.writer(tool).write(agreed.payload.clone(), &caller, &yes).await;

        assert_eq!(second.unwrap(), first);
        assert_eq!(agreed.found(number).await, Found::Done(first));
        assert_eq!(agreed.found(9).await, Found::Absent);
        assert_eq!(state(&world).await, after);
    }
}

#[tokio::test]
async fn a_key_stands_for_one_thing_only() {
    let world = sample().await;
    let [(_, mail), (_, event), ..] = wishes();
    let mut other = mail.clone();
    other["body"] = json!("Something else.");
    world.agree(SEND, mail).await.done(1).await.unwrap();
    let after = state(&world).await;
    for agreed in [world.agree(SEND, other).await, world.agree(BOOK, event).await] {
        let refused = agreed.done(1).await.unwrap_err();
        assert!(matches!(refused, ToolError::Refused { .. }), "{refused}");
        assert_eq!(agreed.found(1).await, Found::Absent);
    }
    assert_eq!(state(&world).await, after);
}

#[tokio::test]
async fn two_people_may_use_the_same_key() {
    let world = sample().await;
    let stranger = world.as_user(2);
    let [(_, mail), ..] = wishes();
    let mine = world.agree(SEND, mail.clone()).await.done(1).await.unwrap();
    let theirs = stranger.agree(SEND, mail).await;
    assert_eq!(theirs.found(1).await, Found::Absent);
    assert_ne!(theirs.done(1).await.unwrap()["message_id"], mine["message_id"]);
    assert_eq!(stranger.search("in:anywhere").await.total, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_tries_at_once_from_two_servers_make_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let first = World::sample_at(&path).await;
    let first = first.with_memories(vec![memory("memory_1", "The code is 4711")]).await;
    let worlds = [first, World::sample_at(&path).await].map(Arc::new);
    let before = state(&worlds[0]).await;
    for (number, (tool, args)) in (1..).zip(wishes()) {
        let payload = worlds[0].agree(tool, args).await.payload;
        let tries = (0..50).map(|n| {
            let (world, payload) = (Arc::clone(&worlds[n % 2]), payload.clone());
            tokio::spawn(async move {
                let yes = say_so(number, tool, &payload);
                let idempotency_key = yes.action().to_string();
                let caller = Caller { idempotency_key, ..world.caller.clone() };
                world.writer(tool).write(payload, &caller, &yes).await.unwrap()
            })
        });
        let mut told = Vec::new();
        for one in tries.collect::<Vec<_>>() {
            told.push(one.await.unwrap());
        }
        assert!(told.iter().all(|answer| *answer == told[0]), "{tool}");
    }
    let (all, sent, mut events, _) = before;
    let kept = vec!["Tom is allergic to nuts".to_owned()];
    events.retain(|one| !one.contains("Pub quiz") && !one.contains("Lunch with Tom"));
    events.push(format!("{} Samples", la("2026-11-19T08:00")));
    events.push(format!("{} Lunch with Tom", la("2026-11-20T12:00")));
    events.sort();
    let mut after = state(&worlds[1]).await;
    after.2.sort();
    assert_eq!(after, (all + 1, sent + 1, events, kept));
}
