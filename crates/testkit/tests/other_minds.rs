//! Every orchestrated talk comes to the same with a model in place of the rules, asked over
//! its provider's protocol, and with a live voice to which it is said.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use testkit::talk::minds::{self, Other};
use tokio::runtime::Builder;

/// Talks in which somebody speaks while a mind is still thinking: how long that is stands in
/// the talk, and a model is asked in no time here. `model_slow.talk` is about those.
const TAKE_THEIR_TIME: [&str; 2] =
    ["a_yes_before_the_card.talk", "a_yes_when_one_of_two_is_gone.talk"];

/// Talks in which something is stopped at once: only the person's own words lead to that, as
/// the rules read them, and no model may call for it.
const BY_WORD_ONLY: [&str; 3] = ["remind_me.talk", "memory_paused.talk", "digest_stopped.talk"];

/// Talks that cannot be the same aloud. A bare yes said later than right behind its question
/// decides nothing; one word that answers no question is not taken for a request; and while
/// somebody still speaks, what they typed at once in the talk is done already.
const NOT_ALOUD: [&str; 4] = [
    "yes_to_both.talk",
    "which_is_forgotten.talk",
    "change_then_yes.talk",
    "tap_overtakes_a_change.talk",
];

/// Plays those of them that are wanted, on as many cores as there are: each has a time of
/// its own.
fn come_to_the_same(other: Other, is_wanted: impl Fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../talks");
    let only = std::env::var("TALK").ok();
    let mut talks = minds::orchestrated(&folder);
    talks.retain(|talk| {
        let name = talk.file_name().unwrap().to_string_lossy();
        let is_meant = only.as_ref().is_none_or(|only| *only == *name);
        let is_theirs = !TAKE_THEIR_TIME.contains(&&*name) && !BY_WORD_ONLY.contains(&&*name);
        is_meant && is_wanted(&name) && is_theirs
    });
    let played = talks.len();
    assert!(played > 8 || only.is_some(), "{played} talks");

    let (left, wrong) = (Mutex::new(talks), Mutex::new(Vec::new()));
    let next = || -> Option<PathBuf> { left.lock().unwrap().pop() };
    let play_on = || {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
        let runtime = runtime.unwrap();
        while let Some(talk) = next() {
            if let Err(otherwise) = runtime.block_on(minds::play(&talk, other)).unwrap() {
                wrong.lock().unwrap().push(otherwise.to_string());
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(play_on);
        }
    });

    let wrong = wrong.into_inner().unwrap();
    println!("{played} talks with {other:?}, {} went otherwise", wrong.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

#[test]
fn a_model_in_place_of_the_rules_comes_to_the_same() {
    come_to_the_same(Other::Model, |_| true);
}

/// What is asked for in one breath: looked up, answered, booked; refused, partly, taken back.
#[test]
fn what_is_said_to_a_live_voice_in_one_breath_comes_to_the_same() {
    come_to_the_same(Other::Live, |name| name.starts_with("breath_"));
}

#[test]
#[ignore = "takes two minutes; make proof runs it"]
fn everything_that_is_said_to_a_live_voice_comes_to_the_same() {
    come_to_the_same(Other::Live, |name| !NOT_ALOUD.contains(&name));
}
