//! With the real model where it has been fetched. `make test` fetches it and
//! says so with `SAYSO_TEST_ASSETS`; then its absence is a failure.

use std::path::PathBuf;

use super::*;
use crate::corpus;

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
    println!("the half that nothing was chosen by\n{held_out}");
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
    println!("rules {} with the model {}", rules.overall, both.overall);
    assert!(both.overall.right >= rules.overall.right, "{lost:#?}");
    println!("{lost:#?}");
}
