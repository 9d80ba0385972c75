//! What is kept in mind, found again, and let go.

use std::sync::Arc;

use brain::card::{MemoryPreview, Preview};
use brain::ids::Uuid;
use brain::{SessionId, TurnId};
use serde_json::{Value, json};
use tools::local::Occasion;
use tools::memory::meaning::Meaning;
use tools::{Heard, Personal, Place, ToolError};

use crate::world::{World, assert_prepared_is_stable, la, memory};

async fn minded() -> World {
    World::empty()
        .with_memories(vec![
            memory("nuts", "Tom is allergic to nuts"),
            memory("birthday", "Tom's birthday is May 3"),
            memory("flight", "My flight is BA 286, gate B36"),
            memory("badge", "My badge number is 77"),
            memory("wifi", "The WiFi at the café is called Zoë's"),
        ])
        .await
}

async fn ids(world: &World, context: &str) -> Vec<String> {
    world.recall(context).await.memories.into_iter().map(|found| found.memory_id).collect()
}

async fn keep(world: &World, number: u128, text: &str) -> Result<Value, ToolError> {
    world.agree("memory.write", json!({ "memory": text })).await.done(number).await
}

async fn forget(world: &World, number: u128, id: &str) -> Result<Value, ToolError> {
    world.agree("memory.forget", json!({ "memory_id": id })).await.done(number).await
}

#[tokio::test]
async fn what_is_about_it_is_found_the_best_first() {
    let world = minded().await;
    let cases: [(&str, &[&str]); 9] = [
        ("tom", &["nuts", "birthday"]),
        ("When is Tom's birthday?", &["birthday"]),
        ("flight", &["flight"]),
        ("BA 286", &["flight"]),
        ("flights", &["flight"]),
        ("birth", &["birthday"]),
        ("cafe wifi", &["wifi"]),
        ("zoe", &["wifi"]),
        ("nothing like it", &[]),
    ];
    for (context, expected) in cases {
        let mut found = ids(&world, context).await;
        let mut expected = expected.to_vec();
        if context == "tom" {
            found.sort();
            expected.sort_unstable();
        }
        assert_eq!(found, expected, "{context}");
    }
}

#[tokio::test]
async fn where_nothing_has_all_the_words_some_of_them_will_do() {
    let world = minded().await;
    let exact = world.recall("tom allergic").await;
    assert_eq!((exact.total, exact.loosely), (1, false));
    let loose = world.recall("tom's shoe size").await;
    assert!(loose.loosely && loose.total == 2, "{loose:?}");
    assert!(!world.recall("shoes").await.loosely);
}

#[tokio::test]
async fn without_words_the_newest_come_first() {
    let world = minded().await;
    let mut later = world.with_key("later");
    later.caller.now = la("2026-11-15T13:00");
    keep(&later, 1, "The spare key is with Ana").await.unwrap();
    let all = world.recall("").await;
    assert_eq!((all.total, all.memories[0].text.as_str()), (6, "The spare key is with Ana"));
    let one = world.call("memory.retrieve", json!({ "context": "", "max_results": 1 })).await;
    assert_eq!(one.unwrap()["total"], 6);
}

#[tokio::test]
async fn what_is_an_operator_elsewhere_is_a_word_here() {
    let world = minded().await;
    for context in ["tom AND NOT nuts", "\"tom", "tom*", "folded: tom", "NEAR(tom nuts)", "(", "🎂"]
    {
        world.recall(context).await;
    }
    assert_eq!(ids(&world, "tom OR").await.len(), 2);
}

#[tokio::test]
async fn a_card_shows_all_of_it_and_what_is_known_already() {
    let world = minded().await;
    let text = "Tom is allergic to nuts and shellfish";
    let prepared = world.prepare("memory.write", json!({ "memory": text })).await.unwrap();
    let shown = MemoryPreview {
        text: text.to_owned(),
        forgets: false,
        alike: vec!["Tom is allergic to nuts".to_owned()],
        also: Vec::new(),
        derived_from: None,
    };
    assert_eq!(prepared.preview, Preview::Memory(Box::new(shown)));
    assert_eq!((prepared.title.as_str(), prepared.warnings.len()), ("Remember this?", 0));

    let again = json!({ "memory": "tom is allergic to NUTS." });
    let prepared = world.prepare("memory.write", again).await.unwrap();
    assert_eq!(prepared.warnings[0].code, "known_already");
}

#[tokio::test]
async fn what_is_known_word_for_word_is_not_kept_twice() {
    let world = minded().await;
    let kept = keep(&world, 1, "Tom is allergic to nuts!").await.unwrap();
    assert_eq!(kept["memory_id"], "nuts");
    assert_eq!(world.recall("").await.total, 5);
}

#[tokio::test]
async fn a_suggestion_keeps_nothing_and_says_what_is_known() {
    let world = minded().await;
    let suggest = async |text: &str| {
        world.call("memory.suggest_write", json!({ "candidate_memory": text })).await.unwrap()
    };
    let new = suggest(" Ana drives\n\na red car ").await;
    assert_eq!(
        new,
        json!({ "memory": "Ana drives\na red car", "known_already": false, "alike": [] })
    );
    let known = suggest("Tom is allergic to nuts").await;
    assert_eq!(
        (&known["known_already"], &known["alike"][0]["memory_id"]),
        (&json!(true), &json!("nuts"))
    );
    assert_eq!(world.recall("").await.total, 5);
}

#[tokio::test]
async fn what_is_forgotten_is_gone_with_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let world = World::sample_at(&path).await;
    let secret = "The alarm is called quixotically";
    keep(&world, 1, secret).await.unwrap();
    let id = ids(&world, "alarm").await.remove(0);
    let card = world.prepare("memory.forget", json!({ "memory_id": id })).await.unwrap();
    assert_eq!(card.payload["memory"], secret);

    let told = forget(&world, 2, &id).await.unwrap();

    assert_eq!(told, json!({ "memory_id": id }));
    assert_eq!(ids(&world, "alarm").await, [""; 0]);
    let gone = world.prepare("memory.forget", json!({ "memory_id": id })).await.unwrap_err();
    assert!(matches!(gone, ToolError::NotFound { what: "memory" }), "{gone}");
    let left = rusqlite::Connection::open(&path).unwrap();
    let reported: String =
        left.query_row("SELECT group_concat(result) FROM written", [], |row| row.get(0)).unwrap();
    assert!(!reported.contains("quixotically"), "{reported}");
    let blocks: i64 = left
        .query_row(
            "SELECT count(*) FROM memory_words_data WHERE instr(block, CAST('quixot' AS BLOB)) > 0",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(blocks, 0);
}

#[tokio::test]
async fn the_same_words_can_be_kept_again_after_they_were_forgotten() {
    let world = minded().await;
    forget(&world, 1, "nuts").await.unwrap();
    let kept = keep(&world, 2, "Tom is allergic to nuts").await.unwrap();
    assert_ne!(kept["memory_id"], "nuts");
    assert_eq!(ids(&world, "allergic").await.len(), 1);
}

#[tokio::test]
async fn two_people_know_nothing_of_each_other() {
    let world = minded().await;
    let stranger = world.as_user(2);
    assert_eq!(stranger.recall("tom").await.total, 0);
    assert_eq!(stranger.recall("").await.total, 0);
    let not_theirs = stranger.prepare("memory.forget", json!({ "memory_id": "nuts" })).await;
    assert!(matches!(not_theirs, Err(ToolError::NotFound { .. })));
}

#[tokio::test]
async fn what_is_kept_is_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    keep(&World::sample_at(&path).await, 1, "Tom is allergic to nuts").await.unwrap();

    let again = World::sample_at(&path).await;

    assert_eq!(again.recall("nuts").await.total, 1);
    drop(Personal::open(&path).unwrap());
}

#[test]
fn whatever_is_prepared_comes_out_the_same_again() {
    use proptest::prelude::*;
    let memory = proptest::string::string_regex("[a-z \n\r\t.é🎂-]{1,40}").unwrap();
    assert_prepared_is_stable(
        "memory.write",
        memory.prop_map(|memory| json!({ "memory": memory })),
    );
}

/// Hears the same in everything that is about food.
struct Foodie(&'static str);

impl Meaning for Foodie {
    fn model(&self) -> &str {
        self.0
    }

    fn direction(&self, sentence: &str) -> Option<Vec<f32>> {
        let food = ["allergic", "nuts", "eat", "dinner", "vegetarian"];
        let about = food.iter().any(|word| sentence.contains(word));
        Some(if about { vec![1.0, 0.0] } else { vec![0.0, 1.0] })
    }
}

fn hearing(world: &World, model: &'static str) -> World {
    world.served_by(world.store.clone().hearing(Arc::new(Foodie(model))))
}

#[tokio::test]
async fn what_means_the_same_is_found_without_its_words() {
    let world = minded().await;
    assert_eq!(ids(&world, "dinner").await, [""; 0]);
    let hearing = hearing(&world, "first");
    assert_eq!(hearing.store.catch_up_on_meanings().await.unwrap(), 5);
    let found = hearing.recall("dinner").await;
    assert_eq!(
        (found.memories[0].memory_id.as_str(), found.loosely, found.worded),
        ("nuts", false, 0)
    );

    keep(&hearing, 1, "I'm vegetarian").await.unwrap();

    assert_eq!(hearing.recall("dinner").await.total, 2, "what is kept now is heard at once");
    assert_eq!(hearing.recall("BA 286").await.memories[0].memory_id, "flight");
}

#[tokio::test]
async fn another_model_hears_everything_again() {
    let world = minded().await;
    let first = hearing(&world, "first");
    assert_eq!(first.store.catch_up_on_meanings().await.unwrap(), 5);
    assert_eq!(first.store.catch_up_on_meanings().await.unwrap(), 0);
    let second = hearing(&world, "second");
    assert_eq!(second.recall("dinner").await.total, 0, "the first one's say nothing to it");
    assert_eq!(second.store.catch_up_on_meanings().await.unwrap(), 5);
    assert_eq!(second.recall("dinner").await.total, 1);
    forget(&second, 1, "nuts").await.unwrap();
    assert_eq!(second.recall("dinner").await.total, 0);
}

#[tokio::test]
async fn a_memory_knows_where_it_was_said_and_whose_words_it_is() {
    let mut world = minded().await;
    let place = Place { session: SessionId(Uuid::from_u128(7)), turn: TurnId(Uuid::from_u128(8)) };
    world.caller.place = Some(place);
    keep(&world, 1, "Ana drives a red car").await.unwrap();
    let read = "the lamp hums, says the mail".to_owned();
    world.caller.heard = Heard { said: "remember the important part".into(), read: vec![read] };
    keep(&world, 2, "The lamp hums").await.unwrap();

    let own = world.recall("red car").await.memories.remove(0).source;
    let other = world.recall("lamp").await.memories.remove(0).source;

    assert_eq!((own.session_id, own.turn_id), (Some(place.session), Some(place.turn)));
    assert_eq!(own.derived_from, None);
    assert_eq!(other.derived_from.as_deref(), Some("something that was read here"));
}

#[tokio::test]
async fn several_go_together_or_not_at_all() {
    let world = minded().await;
    let both = json!({ "memory_id": "nuts", "also": ["birthday", "birthday", "nuts"] });
    let card = world.prepare("memory.forget", both.clone()).await.unwrap();
    assert_eq!(card.title, "Forget these 2?");
    let gone = json!({ "memory_id": "nuts", "also": ["nowhere"] });
    assert!(world.prepare("memory.forget", gone).await.is_err());

    let told = world.agree("memory.forget", both).await.done(1).await.unwrap();

    assert_eq!(told, json!({ "memory_id": "nuts", "also": ["birthday"] }));
    assert_eq!(world.recall("").await.total, 3);
}

#[tokio::test]
async fn memory_stays_out_of_a_chat_that_asked_for_it_and_of_no_other() {
    let mut world = minded().await;
    let turn = TurnId(Uuid::from_u128(8));
    world.caller.place = Some(Place { session: SessionId(Uuid::from_u128(7)), turn });
    world.call("memory.pause", json!({ "paused": true })).await.unwrap();

    let asked = world.call("memory.retrieve", json!({ "context": "tom" })).await;
    assert!(matches!(asked, Err(ToolError::Paused)));
    let kept = world.prepare("memory.write", json!({ "memory": "x is y" })).await;
    assert!(matches!(kept, Err(ToolError::Paused)));
    let notes = world.store.notes(
        world.caller.user,
        SessionId(Uuid::from_u128(7)),
        vec!["Tom".into()],
        Occasion::Meeting("Lunch with Tom".into()),
    );
    assert_eq!(notes.await.unwrap(), Vec::new());

    world.caller.place = Some(Place { session: SessionId(Uuid::from_u128(9)), turn });
    assert_eq!(world.recall("tom").await.total, 2);
}

#[tokio::test]
async fn something_is_offered_once() {
    let world = minded().await;
    let suggest = async |key: &str| {
        let world = world.with_key(key);
        let args = json!({ "candidate_memory": "Ana drives a red car" });
        world.call("memory.suggest_write", args).await.unwrap()["offered_before"].clone()
    };
    assert_eq!(suggest("one").await, Value::Null);
    assert_eq!(suggest("one").await, Value::Null, "the same step asks again");
    assert_eq!(suggest("two").await, json!(true));
}

#[tokio::test]
async fn a_letter_brings_up_what_it_is_about_and_how_somebody_is_reached() {
    let world = World::empty()
        .with_memories(vec![
            memory("birthday", "Ana's birthday is March 3rd"),
            memory("calls", "Ana prefers phone calls"),
            memory("walnuts", "Ana is allergic to walnuts"),
        ])
        .await;
    let noted = async |occasion: Occasion| {
        let session = SessionId(Uuid::from_u128(7));
        let notes = world.store.notes(world.caller.user, session, vec!["Ana".into()], occasion);
        notes.await.unwrap().into_iter().map(|one| one.text).collect::<Vec<_>>()
    };
    let slide = Occasion::Letter("The slide\nAna, it is done.".into());
    assert_eq!(noted(slide).await, ["Ana prefers phone calls"]);
    let party = noted(Occasion::Letter("Your birthday\nShall I bring a cake?".into())).await;
    assert_eq!(party.len(), 2);
    assert!(party.iter().any(|text| text.contains("March 3rd")));
    assert_eq!(noted(Occasion::Meeting("Dinner".into())).await.len(), 2);
}
