//! What is kept in mind, found again, and let go.

use brain::card::{MemoryPreview, Preview};
use serde_json::{Value, json};
use tools::{Personal, ToolError};

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
