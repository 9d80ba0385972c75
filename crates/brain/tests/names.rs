//! How well people are found by what was heard of their names, in figures.
//!
//! The names were written down as people type them and recognisers hear them.
//! Missing somebody costs a question; taking somebody for another sends a mail
//! to the wrong person, so of those there may be none.

use std::time::{Duration, Instant};

use brain::resolve::people::{self, Contact, Match, People};
use proptest::prelude::*;

const BOOK: &str = include_str!("names/book.tsv");
const HEARD: &str = include_str!("names/heard.tsv");
const MANY: &str = include_str!("names/many.tsv");
const GIVEN: &str = include_str!("names/given.txt");
const FAMILY: &str = include_str!("names/family.txt");

fn contact(line: &str) -> Contact {
    let mut fields = line.split('\t').map(str::to_owned);
    let name = fields.next().unwrap();
    let address = fields.next().unwrap();
    Contact { name, address, nicknames: fields.collect(), pronouns: None }
}

/// The people of the talks, and as many others as it takes.
fn book(size: usize) -> People {
    let own = BOOK.lines().map(contact);
    let (given, family): (Vec<_>, Vec<_>) =
        (GIVEN.split_whitespace().collect(), FAMILY.split_whitespace().collect());
    let others = (0..).map(|at| {
        let first = given[at * 7 % given.len()];
        let last = family[(at * 11 + at / family.len()) % family.len()];
        contact(&format!("{first} {last}\t{first}.{last}{at}@example.com"))
    });
    own.chain(others).take(size).collect::<Vec<_>>().into()
}

/// What was heard, and everybody who may be meant.
fn cases(table: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (heard, expected) = line.split_once('\t').unwrap();
        (heard, expected.split('|').filter(|name| *name != "-").collect())
    })
}

#[derive(Default, Debug)]
struct Figures {
    found: usize,
    asked: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
}

impl Figures {
    fn count(&mut self, heard: &str, expected: &[&str], people: &People) {
        let found = people::find(heard, people);
        let names: Vec<&str> = found.iter().map(|found| found.contact.name.as_str()).collect();
        match (names.as_slice(), expected) {
            ([], []) => self.found += 1,
            ([], _) => self.missed.push(heard.to_owned()),
            ([one], [wanted]) if one == wanted => self.found += 1,
            ([one], _) => self.wrong.push(format!("{heard} -> {one}")),
            (several, [_, _, ..]) if expected.iter().all(|one| several.contains(one)) => {
                self.found += 1;
            }
            (several, _) if expected.iter().all(|one| several.contains(one)) => self.asked += 1,
            (several, _) => self.wrong.push(format!("{heard} -> {several:?}")),
        }
    }
}

#[test]
fn nobody_is_taken_for_somebody_else() {
    assert!(cases(HEARD).count() >= 150);
    for size in [16, 200, 1_000] {
        let people = book(size);
        let more = cases(MANY).filter(|_| size > 16);
        let cases: Vec<_> = cases(HEARD).chain(more).collect();
        assert_eq!(people.len(), size);
        let mut figures = Figures::default();
        for (heard, expected) in &cases {
            figures.count(heard, expected, &people);
        }
        let Figures { found, asked, missed, wrong } = figures;
        println!(
            "{size:>5} names: {found} of {} right, {asked} more asked about, {} missed, {} wrong",
            cases.len(),
            missed.len(),
            wrong.len()
        );
        println!("      missed {missed:?}");
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(found * 100 >= cases.len() * 90, "{found}");
    }
}

/// A name that is not in the book is nobody's, however many others are.
#[test]
fn somebody_who_is_not_in_the_book_is_not_found_in_it() {
    let whole = book(1_000);
    let names: Vec<&str> = GIVEN.split_whitespace().chain(FAMILY.split_whitespace()).collect();
    let mut wrong = Vec::new();
    let (heard, mut asked) = (names.len(), 0);
    for part in 0..8 {
        let missing: Vec<&str> = names.iter().copied().skip(part).step_by(8).collect();
        let others =
            whole.iter().filter(|one| one.name.split(' ').all(|it| !missing.contains(&it)));
        let people: People = others.cloned().collect::<Vec<_>>().into();
        for name in missing {
            match people::find(name, &people).as_slice() {
                [] => {}
                [one] if one.reason == Match::ShortForm => asked += 1,
                [one] => wrong.push(format!("{name} -> {}", one.contact.name)),
                _ => asked += 1,
            }
        }
    }
    println!("{heard} names out of the book: {asked} asked about or short, {wrong:?} wrong");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_name_is_found_at_once_among_a_thousand() {
    let contacts = book(1_000).to_vec();
    // Tables are read once a process.
    drop(book(16));
    let start = Instant::now();
    let people: People = contacts.into();
    let built = start.elapsed();
    let names = ["priya nayer", "shivonne", "markus", "tom okafer", "zorblax", "nobody at all"];
    let rounds = 50;
    let start = Instant::now();
    for name in names.iter().cycle().take(names.len() * rounds) {
        std::hint::black_box(people::find(name, &people));
    }
    let each = start.elapsed() / u32::try_from(names.len() * rounds).unwrap();
    println!("1,000 names: built in {built:?}, each found in {each:?}");
    // Unoptimised builds on a busy machine are given room.
    let room = if cfg!(debug_assertions) { 20 } else { 1 };
    assert!(built < Duration::from_millis(20) * room, "{built:?}");
    assert!(each < Duration::from_micros(200) * room, "{each:?}");
}

#[test]
fn who_was_only_guessed_is_told_apart_from_who_was_named() {
    let people = book(16);
    let reason = |heard: &str| people::find(heard, &people)[0].reason;
    assert_eq!(reason("markus"), Match::Misspelled);
    assert_eq!(reason("kate moreau"), Match::ShortForm);
    assert_eq!(reason("steven hargraves"), Match::Misspelled);
    assert!(reason("markus").is_guess() && reason("thomas").is_guess());
    for named in ["marcus", "Marcus Bell", "mom", "bell", "doctor cho", "oskar@lindqvist.example"] {
        assert!(!reason(named).is_guess(), "{named}");
    }
}

#[test]
fn names_in_other_alphabets_are_found_too() {
    let people = People::from(vec![
        contact("Светлана Орлова\tsvetlana@orlova.example"),
        contact("José Núñez\tjose@nunez.example"),
    ]);
    let found = |heard: &str| people::find(heard, &people).len();
    assert_eq!(["светлана", "светлна", "jose nunez", "hozay", "日本"].map(found), [1, 1, 1, 1, 0]);
}

proptest! {
    #[test]
    fn whatever_is_heard_is_somebody_once_or_nobody(heard in "(\\PC{0,12}|[a-z ]{0,30}|priya.{0,3}nair)") {
        let people = book(16);
        let found = people::find(&heard, &people);
        let mut addresses: Vec<_> = found.iter().map(|one| &one.contact.address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        prop_assert_eq!(addresses.len(), found.len());
        prop_assert!(found.iter().all(|one| one.score > 0.0 && one.score <= 1.0));
    }
}
