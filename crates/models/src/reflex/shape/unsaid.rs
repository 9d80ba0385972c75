//! Things for the calendar that are wished for or only named behind something
//! else: "…, and I need 20 minutes with Tom", "…, and gym at 7:30 on Friday".

use brain::resolve::time::{self, Grain, Lean};
use brain::resolve::words::Word;

use super::{NOUNS, begins_with_length, end_of, guests, head, is_paused, told};
use crate::World;
use crate::gist::NotYet;
use crate::reflex::refer::PRONOUNS;
use crate::reflex::vocabulary::is_any;
use crate::reflex::{booking, seam, sentence, writes};

/// How one wishes for time with somebody.
const WISHES: &[&[&str]] = &[
    &["i", "need"],
    &["i", "want"],
    &["i", "also", "need"],
    &["i", "also", "want"],
    &["i", "would", "like"],
    &["i", "would", "also", "like"],
    &["i", "would", "love"],
    &["i", "could", "use"],
    &["i", "am", "after"],
    &["we", "need"],
    &["lets", "do"],
    &["lets", "have"],
    &["let", "us", "do"],
    &["let", "us", "have"],
];
/// What else is told in the same breath makes one more of them a part of it.
const LISTS: &[&str] = &["have", "has", "need", "there", "plan", "agenda"];

/// "…, and I need 20 minutes with Tom on Friday": whoever is written to before
/// it is told of time with themselves, but not of time with somebody else.
pub fn wished(heard: &str, said: &[Word], at: usize, world: &World) -> Option<String> {
    let clause = &said[at..end_of(said, at)];
    let texts: Vec<&str> = clause.iter().map(|word| word.text.as_str()).collect();
    let wish = WISHES.iter().find(|wish| texts.starts_with(wish))?.len();
    let small = texts[wish..].iter().take_while(|text| is_any(text, &["a", "an", "quick"])).count();
    let thing = |text: &str| is_any(text, NOUNS) || booking::is_of_the_day(text);
    let together =
        texts[0].starts_with("let") && texts.get(wish + small).copied().is_some_and(thing);
    let what = wish + if together { small } else { head(&clause[wish..])?.what };
    if !(together || begins_with_length(&texts, what)) || is_text(heard, clause) {
        return None;
    }
    let names = guests(heard, clause, what, world)?.names;
    let written = is_written(said, at);
    let timed = time::find(&clause[what..], &world.local_now(), Lean::Ahead).is_some();
    let others = !is_any(&names, PRONOUNS)
        && told(heard, &said[..at], world).is_none_or(|told| !told.eq_ignore_ascii_case(&names));
    (!written || others && (timed || is_paused(said, at)))
        .then(|| format!("schedule {}", &heard[clause[what].start..]))
}

/// The same at the very beginning, where it is said when: "I need 20 minutes with
/// Tom on Friday at 2". Without an hour it asks for room.
pub fn wished_first(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let at = said.len() - sentence::without_greeting(said).len();
    let clause = &said[at..end_of(said, at)];
    let when = time::find(clause, &world.local_now(), Lean::Ahead)?;
    let exact = matches!(when.readings.first()?.grain, Grain::Moment | Grain::Hours);
    let asks = clause.iter().any(|word| word.stop == Some('?'));
    let plain = wished(heard, said, at, world).filter(|_| exact && !asks)?;
    Some(format!("{}{plain}", &heard[..said[at].start]))
}

/// "…, and gym at 7:30 on Friday": what it is and when, without a verb.
pub fn named(heard: &str, said: &[Word], at: usize, world: &World) -> Option<String> {
    let clause = &said[at..end_of(said, at)];
    let linked = is_any(&said[at - 1].text, &["and", "then", "also", "plus"]);
    let lists = said[..at].iter().any(|word| {
        is_any(&word.text, LISTS) || booking::is_of_the_day(&word.text) && !word.quoted
    });
    let paused = is_paused(said, at);
    // Without a pause it may be more of what is told.
    let ours = || is_written(said, at) && seam::is_named_for_us(said, at, heard, world);
    if !linked || lists && seam::decided(said, at, heard).is_none() || is_text(heard, clause) {
        return None;
    }
    if paused {
        let plain = booking::unspoken(heard, clause, world)?;
        return plain.starts_with("schedule ").then_some(plain);
    }
    seam::appointment(heard, clause, world).filter(|_| ours())
}

/// Behind a colon all of it is somebody's text.
fn is_text(heard: &str, clause: &[Word]) -> bool {
    clause.first().is_some_and(|first| heard[..first.start].contains(": "))
}

/// Is a mail, a note or a reminder being written before this place?
fn is_written(said: &[Word], at: usize) -> bool {
    let begins = |place: &usize| *place == 0 || super::starts(said, *place);
    (0..at)
        .filter(begins)
        .filter_map(|place| writes::read(sentence::bare(&said[place..at])))
        .any(|kind| !matches!(kind, NotYet::Calendar))
}
