//! Searches as people and models write them.

use jiff::civil::date;

use super::*;

fn terms(text: &str) -> Vec<What> {
    let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(query.terms.iter().all(|term| !term.negated), "{text}");
    query.terms.into_iter().map(|term| term.what).collect()
}

fn named(name: &str) -> Who {
    Who::Named(name.to_owned())
}

fn words(text: &str) -> What {
    What::Words(text.to_owned())
}

#[test]
fn every_operator_is_read() {
    let days = |count| Age { count, unit: Unit::Days };
    let table = [
        ("from:priya", What::From(named("priya"))),
        ("from:\"Priya Nair\"", What::From(named("Priya Nair"))),
        ("From:Priya.Nair@Brightloom.example", {
            What::From(Who::Address("priya.nair@brightloom.example".to_owned()))
        }),
        ("from:@brightloom.example", What::From(Who::Domain("brightloom.example".to_owned()))),
        ("from:me", What::From(Who::Me)),
        ("to:tom", What::To(named("tom"))),
        ("cc:ana", What::Cc(named("ana"))),
        ("subject:heron", What::Subject("heron".to_owned())),
        ("subject:“heron launch”", What::Subject("heron launch".to_owned())),
        ("label:newsletters", What::Label("newsletters".to_owned())),
        ("label:\"Home Repair\"", What::Label("home-repair".to_owned())),
        ("is:unread", What::Unread),
        ("IS:READ", What::Read),
        ("in:inbox", What::In(Place::Inbox)),
        ("in:sent", What::In(Place::Sent)),
        ("in:drafts", What::In(Place::Drafts)),
        ("in:anywhere", What::In(Place::Anywhere)),
        ("newer_than:7d", What::NewerThan(days(7))),
        ("newer_than:2m", What::NewerThan(Age { count: 2, unit: Unit::Months })),
        ("older_than:1y", What::OlderThan(Age { count: 1, unit: Unit::Years })),
        ("after:2026-11-10", What::After(Since::Day(date(2026, 11, 10)))),
        ("before:2026/11/16", What::Before(Since::Day(date(2026, 11, 16)))),
        ("after:2026-11-10T09:00:00-08:00", {
            What::After(Since::Moment("2026-11-10T17:00:00Z".parse().unwrap()))
        }),
        ("budget", words("budget")),
        ("\"q4 numbers\"", words("q4 numbers")),
    ];
    for (text, expected) in table {
        assert_eq!(terms(text), [expected], "{text}");
    }
}

#[test]
fn all_terms_are_kept_in_order() {
    assert_eq!(
        terms("from:tom is:unread  heron \"desk lamp\""),
        [What::From(named("tom")), What::Unread, words("heron"), words("desk lamp")]
    );
    assert_eq!(Query::parse("   ").unwrap(), Query::default());
}

#[test]
fn a_minus_turns_one_term_around() {
    let query = Query::parse("-from:tom lunch -\"next week\"").unwrap();
    let negated: Vec<bool> = query.terms.iter().map(|term| term.negated).collect();
    assert_eq!(negated, [true, false, true]);
    assert_eq!(query.terms[2].what, words("next week"));
}

#[test]
fn in_curly_brackets_one_is_enough() {
    let term = |what| Term { negated: false, what };
    assert_eq!(
        terms("{receipt label:receipts \"till slip\"} is:unread"),
        [
            What::Any(vec![
                term(words("receipt")),
                term(What::Label("receipts".to_owned())),
                term(words("till slip")),
            ]),
            What::Unread,
        ]
    );
    assert!(Query::parse("-{tom ana}").unwrap().terms[0].negated);
    assert_eq!(Query::parse("{tom {ana}}"), Err(BadQuery::NoAlternatives));
    assert_eq!(Query::parse("{}"), Err(BadQuery::NoWords("{}".to_owned())));
    assert_eq!(terms("{tom ana"), terms("{tom ana}"));
}

#[test]
fn a_blank_after_an_operator_does_not_matter() {
    assert_eq!(terms("from: priya is:unread"), [What::From(named("priya")), What::Unread]);
    assert_eq!(terms("subject: \"q4 numbers\""), [What::Subject("q4 numbers".to_owned())]);
}

#[test]
fn times_addresses_and_replies_are_words() {
    assert_eq!(
        terms("10:30 https://heron.example Re: lunch"),
        [words("10:30"), words("https://heron.example"), words("re"), words("lunch")]
    );
}

#[test]
fn punctuation_between_words_is_left_out_but_does_not_stand_alone() {
    assert_eq!(terms("tom & ana -"), [words("tom"), words("ana")]);
    assert_eq!(Query::parse(" % "), Err(BadQuery::NoWords("%".to_owned())));
}

#[test]
fn a_quote_that_is_never_closed_ends_with_the_text() {
    assert_eq!(terms("subject:\"q4 num"), [What::Subject("q4 num".to_owned())]);
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    let says = |text: &str| Query::parse(text).unwrap_err().to_string();
    assert!(says("has:attachment").contains("no \"has:\"; it knows from: to:"));
    assert!(says("is:starred").contains("try is:unread or is:read"));
    assert!(says("in:spam").contains("in:anywhere"));
    assert!(says("newer_than:soon").contains("7d, 2m or 1y"));
    assert!(says("newer_than:99999d").contains("7d, 2m or 1y"));
    assert!(says("newer_than:0d").contains("7d, 2m or 1y"));
    assert!(says("after:tuesday").contains("2026-11-10"));
    assert!(says("after:2026-11-10T09:00:00").contains("2026-11-10T09:00:00Z"));
    assert!(says("after:2026-02-30").contains("2026-11-10"));
    assert!(says("from:").contains("needs something"));
    assert!(says("from: is:unread").contains("needs something"));
    assert!(says("from:%").contains("needs something"));
    assert!(says("subject:\"\"").contains("needs something"));
    assert!(says("from:ana OR from:tom").contains("OR"));
    assert!(says("from:(ana tom)").contains("OR"));
    assert!(says(&"x".repeat(501)).contains("500"));
    assert!(Query::parse(&"ö".repeat(500)).is_ok());
}

#[test]
fn drafts_are_looked_at_only_when_a_place_is_named() {
    let says_where = |text: &str| Query::parse(text).unwrap().says_where();
    assert!(says_where("in:drafts"));
    assert!(says_where("label:drafts heron"));
    assert!(says_where("in:anywhere"));
    assert!(!says_where("heron"));
    assert!(!says_where("-in:inbox"));
}
