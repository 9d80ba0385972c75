//! `make bench`: what understanding a sentence costs, by rules and with the
//! model of paraphrases, in processor time of this process and all its threads.

use std::path::PathBuf;
use std::time::Duration;

use brain::resolve::people::Contact;
use models::paraphrase::{Doubt, Paraphrases, figures};
use models::{World, corpus, reflex};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    // `cargo test --benches` runs this too, and wants nothing measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let world = corpus::world();
    let mut sentences: Vec<String> = corpus::cases().into_iter().map(|case| case.text).collect();
    let paraphrases = figures::tuning().into_iter().chain(figures::held_out());
    sentences.extend(paraphrases.map(|case| case.text));
    let doubted =
        |text: &&String| Doubt::about(&reflex::read(text, &world), text, &world).is_some();
    let doubtful: Vec<&String> = sentences.iter().filter(doubted).collect();

    println!("processor time a sentence                   sentences   p50 ms   p99 ms   max ms");
    let rules = sentences.iter().map(|text| cost(|| drop(reflex::read(text, &world))));
    row("rules alone", rules.collect());
    let full = with_a_full_address_book(world.clone());
    let among_many = sentences.iter().map(|text| cost(|| drop(reflex::read(text, &full))));
    row("rules alone, 1,000 more contacts", among_many.collect());
    let assets = std::env::var_os("SAYSO_ASSETS").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    match Paraphrases::load(&assets.unwrap_or(beside)) {
        Ok(model) => {
            let both = sentences.iter().map(|text| cost(|| drop(model.read(text, &world))));
            row("rules, and the model where they doubt", both.collect());
            let asked = doubtful.iter().map(|text| cost(|| drop(model.read(text, &world))));
            row("only those that the model was asked about", asked.collect());
        }
        Err(error) => println!("with the model: not measured, {error}"),
    }
}

fn with_a_full_address_book(mut world: World) -> World {
    let mut contacts = world.contacts.to_vec();
    let stranger = contacts[0].clone();
    contacts.extend((0..1_000).map(|n| Contact {
        name: format!("Nobody{n} Atall{n}"),
        address: format!("n{n}@example.com"),
        ..stranger.clone()
    }));
    world.contacts = contacts.into();
    world
}

fn cost(work: impl FnOnce()) -> Duration {
    let before = processor_time();
    work();
    processor_time().saturating_sub(before)
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

fn row(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let count = times.len();
    let ms = |at: usize| {
        times.get(at.min(count.saturating_sub(1))).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    };
    let (p50, p99, max) = (ms(count / 2), ms(count * 99 / 100), ms(count));
    println!("{name:44}{count:9}{p50:9.2}{p99:9.2}{max:9.2}");
}
