//! Whole conversations said aloud, in noise, through to what was agreed to.

use std::path::Path;
use std::sync::Arc;

use testkit::aloud::{self, Models, Somebody};
use testkit::talk::aloud::{Spoken, play, speakable};

const TALKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../talks");

/// An event of one's own, a free time that was picked, and a mail in one breath.
const IN_EVERY_TEST: [&str; 3] = ["book_lunch.talk", "book_the_first.talk", "breath_one_him.talk"];

#[derive(Default)]
struct Table {
    talks: usize,
    same: usize,
    again: usize,
    refused: usize,
    wrong: Vec<String>,
    other: Vec<String>,
}

impl Table {
    fn add(&mut self, talk: &str, spoken: &Spoken) {
        self.talks += 1;
        self.same += usize::from(spoken.is_same());
        self.again += spoken.again;
        self.refused += spoken.refused;
        let told = format!("{talk}: {spoken:#?}");
        if spoken.is_wrong() {
            self.wrong.push(told);
        } else if !spoken.is_same() {
            self.other.push(told);
        }
    }

    fn print(&self, who: &str) {
        let Self { talks, same, again, refused, wrong, .. } = self;
        let wrong = wrong.len();
        println!(
            "{who}: of {talks} conversations {same} came to the same end; {refused} cards showed \
             something else than was meant and got no yes, {wrong} times something was done that \
             nobody meant; {again} times a yes was said again"
        );
    }
}

async fn spoken(
    models: &Models,
    somebody: Somebody,
    decibels: f32,
    is_played: impl Fn(&str) -> bool,
) -> Table {
    let (mut table, somebody) = (Table::default(), Arc::new(somebody));
    for file in speakable(Path::new(TALKS)) {
        let talk = file.file_name().unwrap().to_string_lossy().into_owned();
        if is_played(&talk) {
            let spoken = play(&file, models.senses(), somebody.clone(), decibels).await.unwrap();
            println!("  {talk}: {}", if spoken.is_same() { "the same" } else { "otherwise" });
            table.add(&talk, &spoken);
        }
    }
    table
}

#[tokio::test(start_paused = true)]
async fn what_is_said_aloud_in_noise_is_done_as_if_it_were_typed() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let played = |talk: &str| IN_EVERY_TEST.contains(&talk);
    let table = spoken(&models, models.somebody(1.0), 20.0, played).await;
    table.print("our voice, 20 dB");
    assert_eq!(table.same, IN_EVERY_TEST.len(), "{:#?}{:#?}", table.wrong, table.other);
}

#[tokio::test(start_paused = true)]
#[ignore = "takes long: in `make proof`"]
async fn whoever_says_it_and_wherever_nothing_else_is_done() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let recorded = std::env::var_os("SAYSO_SECOND_VOICE");
    let second = || Some(Somebody::recorded(Path::new(recorded.as_ref()?)));
    let mut wrong = Vec::new();
    for decibels in [20.0, 10.0, 5.0] {
        let people = [("our voice", Some(models.somebody(1.0))), ("a second voice", second())];
        for (who, somebody) in people {
            let Some(somebody) = somebody else { continue };
            let table = spoken(&models, somebody, decibels, |_| true).await;
            table.print(&format!("{who}, {decibels} dB"));
            for other in table.other.iter().filter(|_| decibels > 15.0) {
                println!("{other}");
            }
            wrong.extend(table.wrong);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
