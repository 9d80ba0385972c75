//! With the real model where it has been fetched. `make test` fetches it and
//! says so with `SAYSO_TEST_ASSETS`; then its absence is a failure.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::*;
use crate::{Mind, corpus};

/// The real model, or `None` where nobody has fetched it.
fn model() -> Option<Paraphrases> {
    let expected = std::env::var_os("SAYSO_TEST_ASSETS").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    match Paraphrases::load(expected.as_ref().unwrap_or(&beside)) {
        Ok(model) => Some(model),
        Err(Unavailable::Missing(file)) if expected.is_none() => {
            println!("not run: {} is not there; `make assets` fetches it", file.display());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn paraphrases_are_recognised_and_next_to_none_is_taken_for_something_else() {
    let Some(model) = model() else { return };
    let world = corpus::world();

    let tuning = figures::run(&figures::tuning(), &world, |heard, world| model.read(heard, world));
    let held_out =
        figures::run(&figures::held_out(), &world, |heard, world| model.read(heard, world));

    println!("the half that thresholds were chosen by\n{tuning}");
    println!("the half that no threshold was chosen by\n{held_out}");
    let fresh = figures::run(&figures::fresh(), &world, |heard, world| model.read(heard, world));
    println!("written when everything was settled\n{fresh}");
    assert_eq!(fresh.writes, 0);
    assert_eq!((tuning.writes, held_out.writes), (0, 0), "no paraphrase ever writes");
    assert!(held_out.all.all >= 120, "{held_out}");
    assert!(held_out.all.taken_wrong * 50 <= held_out.all.all, "two in a hundred: {held_out}");
    assert!(held_out.all.right >= held_out.all.by_rules + 10, "{held_out}");
}

#[test]
fn whatever_the_rules_read_well_is_read_as_well_with_the_model() {
    let Some(model) = model() else { return };
    let (cases, world) = (corpus::cases(), corpus::world());

    let rules = corpus::run(&cases, &world, reflex::read);
    let both = corpus::run(&cases, &world, |heard, world| model.read(heard, world).understanding);

    let missed_before: Vec<_> = rules.misses.iter().map(|miss| &miss.text).collect();
    let lost: Vec<_> = both.misses.iter().filter(|m| !missed_before.contains(&&m.text)).collect();
    println!("rules {}\nwith the model {}", rules.overall, both.overall);
    assert!(both.overall.right >= rules.overall.right, "{}", both.overall);
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Knows our own examples by heart and nothing else.
struct ByHeart;

impl Encoder for ByHeart {
    fn encode(&self, sentence: &str) -> Result<Vec<f32>, Unavailable> {
        let is_of = |intent: &Intent| {
            intent.sounds_like.iter().any(|example| example.eq_ignore_ascii_case(sentence))
        };
        Ok(intents().iter().map(|intent| f32::from(u8::from(is_of(intent)))).collect())
    }
}

/// A model that takes its time.
struct Slow;

impl Encoder for Slow {
    fn encode(&self, sentence: &str) -> Result<Vec<f32>, Unavailable> {
        if sentence == "which messages are asleep" {
            std::thread::sleep(Duration::from_secs(2));
        }
        ByHeart.encode(sentence)
    }
}

/// Doubtful to the rules, and one of our own examples.
const OURS: &str = "are any of my events at the same hour today";

#[tokio::test]
async fn a_sentence_that_the_rules_doubt_is_read_as_what_it_is_nearest_to() {
    let world = corpus::world();
    let by_rules = reflex::read(OURS, &world);
    assert!(Doubt::about(&by_rules, OURS, &world).is_some(), "{by_rules:?}");
    let ear = Ear::listening(|| Paraphrases::with(Box::new(ByHeart)).map(Some));

    let understood = Attentive::new(ear).understand(OURS, &world).await;

    assert_eq!(understood.proposal, reflex::read("am i double booked today?", &world).proposal);
}

#[tokio::test]
async fn without_a_model_and_with_one_that_is_too_slow_the_rules_stand() {
    let world = corpus::world();
    let asleep = "which messages are asleep";
    assert!(Doubt::about(&reflex::read(asleep, &world), asleep, &world).is_some());
    let missing = || Err(Unavailable::Missing("minilm/model.onnx".into()));
    let minds = [
        Attentive::new(Ear::listening(missing)),
        Attentive::new(Ear::listening(|| Paraphrases::with(Box::new(Slow)).map(Some))),
    ];
    for mind in minds {
        let started = Instant::now();

        let understood = mind.understand(asleep, &world).await;

        assert_eq!(understood, reflex::read(asleep, &world));
        assert!(started.elapsed() < Duration::from_secs(1), "nobody waits for it");
    }
}

#[test]
fn the_model_lies_where_the_list_of_assets_puts_it() {
    let list = include_str!("../../../assets.toml");
    for file in MiniLm::files(Path::new("")) {
        let line = format!("path = \"{}\"", file.display());
        assert!(list.contains(&line), "{line}");
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_said_can_be_doubted(heard in "\\PC{0,60}") {
        let world = corpus::world();
        let _ = Doubt::about(&reflex::read(&heard, &world), &heard, &world);
    }
}
