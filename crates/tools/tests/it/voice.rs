//! How people are spoken to: names and pace, each person's own.

use brain::facts::{LeftAsIs, Paced, Pronounced, SaidLike};
use serde::Deserialize;
use serde_json::{Value, json};
use tools::Personal;

use crate::world::{World, user};

async fn told(world: &World, tool: &str, args: Value) -> Pronounced {
    Pronounced::deserialize(world.call(tool, args).await.unwrap()).unwrap()
}

async fn tell(world: &World, name: &str, like: &str) -> Pronounced {
    told(world, "voice.pronounce", json!({ "name": name, "like": like })).await
}

fn like(word: &str, like: &str) -> SaidLike {
    SaidLike { word: word.into(), like: like.into() }
}

#[tokio::test]
async fn a_name_is_said_as_it_was_told_until_it_is_forgotten() {
    let world = World::sample().await;
    assert_eq!(tell(&world, "priya", "pree ya").await.names, [like("Priya", "pree ya")]);
    assert_eq!(tell(&world, "Priya Nair", "Preeya Nair").await.names, [like("Priya", "Preeya")]);
    let manner = world.store.manner(user(1)).await.unwrap();
    assert_eq!(manner.names, [like("Priya", "Preeya")], "the later one holds");

    let asked = told(&world, "voice.pronunciations", json!({ "name": "Priya Nair" })).await;
    assert_eq!(asked.names, [like("Priya", "Preeya")]);
    assert_eq!(told(&world, "voice.pronunciations", json!({ "name": "Tom" })).await.names, []);

    let forget = |args| told(&world, "voice.forget_pronunciation", args);
    assert_eq!(forget(json!({ "name": "PRIYA" })).await.names, [like("Priya", "Preeya")]);
    assert_eq!(forget(json!({ "name": "Priya" })).await.names, []);
    assert_eq!(world.store.manner(user(1)).await.unwrap().names, []);
}

#[tokio::test]
async fn only_names_can_be_told_and_none_like_somebody_elses() {
    let world = World::sample().await;
    let left = async |name: &str, like: &str| tell(&world, name, like).await.left;
    assert_eq!(left("send", "keep").await, Some(LeftAsIs::Nobody));
    assert_eq!(left("Zork", "Zorrk").await, Some(LeftAsIs::Nobody));
    assert_eq!(left("Priya", "Tom").await, Some(LeftAsIs::SomebodyElse));
    assert_eq!(left("Priya", "not tom").await, Some(LeftAsIs::SomebodyElse));
    assert_eq!(left("Priya Nair", "Preeya").await, Some(LeftAsIs::Uneven));
    assert_eq!(world.store.manner(user(1)).await.unwrap().names, []);
    // Their own name is theirs to tell.
    let own = world.caller.profile.name.clone().unwrap();
    let first = own.split(' ').next().unwrap().to_owned();
    assert_eq!(tell(&world, &first, "My ah").await.names, [like(&first, "My ah")]);
}

#[tokio::test]
async fn the_pace_is_kept_step_by_step() {
    let world = World::sample().await;
    let pace = async |args: Value| {
        Paced::deserialize(world.call("voice.pace", args).await.unwrap()).unwrap().percent
    };
    assert_eq!(pace(json!({ "change": "slower" })).await, Some(85));
    assert_eq!(pace(json!({ "change": "slower" })).await, Some(70));
    assert_eq!(world.store.manner(user(1)).await.unwrap().percent, Some(70));
    assert_eq!(pace(json!({ "percent": 190 })).await, Some(190));
    assert_eq!(pace(json!({ "change": "faster" })).await, Some(200));
    assert_eq!(pace(json!({ "change": "usual" })).await, None);
    assert_eq!(world.store.manner(user(1)).await.unwrap().percent, None);
}

#[tokio::test]
async fn it_is_each_persons_own_it_lasts_and_it_goes_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("personal.db");
    let world = World::sample_at(&path).await;
    tell(&world, "Priya", "pree ya").await;
    world.call("voice.pace", json!({ "change": "slower" })).await.unwrap();
    let other = world.as_user(2);
    assert_eq!(told(&other, "voice.pronunciations", json!({})).await.names, []);
    assert_eq!(told(&other, "voice.forget_pronunciation", json!({})).await.names, []);
    assert_eq!(world.store.manner(user(2)).await.unwrap().percent, None);
    drop((world, other));

    let again = Personal::open(&path).unwrap();
    let manner = again.manner(user(1)).await.unwrap();
    assert_eq!((manner.percent, manner.names), (Some(85), vec![like("Priya", "pree ya")]));
    again.forget(user(1)).await.unwrap();
    assert_eq!(again.manner(user(1)).await.unwrap(), tools::local::Manner::default());
}
