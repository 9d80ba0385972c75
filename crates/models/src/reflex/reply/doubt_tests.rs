use brain::card::Preview;
use brain::policy::Source;
use proptest::prelude::*;

use super::tests::{event_called, lunch, mail, mail_to, person, priya, to, to_in, tom};
use super::{Reply, consent};
use crate::corpus;

#[test]
fn what_only_sounds_like_a_yes_leaves_every_card_open() {
    for heard in consent::NEVER {
        for previews in [vec![mail()], vec![lunch()], vec![mail(), lunch()]] {
            let reply = to(heard, &previews);
            assert!(!matches!(reply, Reply::Accept { .. }), "{heard}: {reply:?}");
        }
    }
}

#[test]
fn what_is_nearly_a_yes_is_none() {
    let card = || mail_to(vec![tom()], "Thursday works.");
    let accepts = |heard: &&&str| {
        let alone = to(heard, &[card()]);
        let beside = to(heard, &[card(), mail()]);
        [alone, beside].iter().any(|reply| matches!(reply, Reply::Accept { card: 0, .. }))
    };
    let taken: Vec<_> = consent::NEAR.iter().filter(accepts).collect();
    println!("near yeses: {}, false accepts: {}", consent::NEAR.len(), taken.len());
    assert!(consent::NEAR.len() >= 150);
    assert!(taken.is_empty(), "{taken:#?}");
}

#[test]
fn people_say_yes_in_many_ways() {
    for (heard, names_recipient) in [
        ("yes, that's fine", false),
        ("yes that's perfect, send it", false),
        ("yes yes", false),
        ("yes, yes, send it", false),
        ("yep, looks good", false),
        ("yes looks good to me", false),
        ("yeah, that looks right, thanks", false),
        ("looks good, send it", false),
        ("looks good to me, go ahead", false),
        ("you can send it", false),
        ("you can send it now, thanks", false),
        ("looks good, you can send it", false),
        ("yes, you may send it", false),
        ("you can go ahead", false),
        ("you can send the mail to Tom", true),
        ("yes, Tom", true),
        ("Yes, Tom.", true),
        ("yep Tom, please", true),
        ("yes, to Tom", true),
        ("yes, Tom Okafor", true),
        ("perfect, go", false),
        ("sure, go for it", false),
        ("yes 👍", false),
        ("👍", false),
        ("👍🏽", false),
        ("👍👍", false),
        ("send it 👍", false),
        ("👍 send it", false),
        ("yes, to Tom 👍", true),
    ] {
        let reply = to(heard, &[mail_to(vec![tom()], "Thursday works.")]);
        assert_eq!(reply, Reply::Accept { card: 0, names_recipient }, "{heard}");
    }
}

#[test]
fn a_name_alone_chooses_no_card() {
    let cards = [mail_to(vec![tom()], "Thursday works."), mail()];
    for heard in ["yes, Tom", "yes Priya", "yep, Tom, please"] {
        assert!(!matches!(to(heard, &cards), Reply::Accept { .. }), "{heard}");
    }
}

#[test]
fn praise_is_asked_back() {
    for (preview, question) in
        [(mail(), "Shall it go out?"), (lunch(), "Shall it go on your calendar?")]
    {
        for heard in ["looks good", "Sounds great.", "that looks right", "it is perfect"] {
            let reply = to(heard, std::slice::from_ref(&preview));
            assert_eq!(reply, Reply::Hold { card: 0, say: question.to_owned() }, "{heard}");
        }
        let reply = to("looks good", &[mail(), lunch()]);
        assert!(matches!(reply, Reply::Hold { say, .. } if say.contains("waits")));
    }
}

#[test]
fn a_title_takes_no_doubt_out_of_a_sentence() {
    for (title, heard) in [
        ("Later", "yes, later"),
        ("Later", "yes to later"),
        ("Later", "book later"),
        ("Hold", "yes, hold"),
        ("Hold", "book it, hold"),
        ("Pause", "yes pause"),
        ("Unless", "yes unless"),
        ("Never again party", "yes never"),
        ("Never again party", "yes never again"),
        ("Never again party", "yes, never again party"),
        ("Change review", "yes, change"),
        ("Change review", "yes, change review"),
        ("Cancel gym contract", "yes cancel"),
        ("Move", "yes, move it"),
        ("Move", "yes to move"),
        ("Wrong turn club", "yes wrong"),
        ("Wrong turn club", "yes, wrong turn"),
        ("Bad idea", "yes, bad idea"),
        ("Bad idea", "bad idea, yes"),
        ("Conditions", "yes, with conditions"),
        ("Reservations", "yes with reservations"),
        ("Caution", "go ahead with caution"),
        ("Tomorrow plan", "yes tomorrow"),
        ("Tomorrow plan", "book tomorrow"),
        ("Tomorrow", "yes to tomorrow"),
        ("Tomorrow", "book it for tomorrow"),
        ("Friday", "book friday"),
        ("Off", "yes it is off"),
        ("Right", "yeah right"),
        ("Yes", "yes"),
        ("Yes", "the yes"),
        ("Dinner", "do dinner"),
        ("You do", "sure you do"),
        ("Not now", "yes to not now"),
        ("If possible", "yes if possible"),
        ("When ready", "send it when ready"),
    ] {
        let reply = to(heard, &[event_called(title)]);
        let plain = heard == "yes";
        assert_eq!(matches!(reply, Reply::Accept { .. }), plain, "{title}: {heard}: {reply:?}");
    }
}

#[test]
fn a_title_can_be_said_whole_or_by_what_it_means() {
    for (title, heard) in [
        ("Garden party planning", "book the garden party"),
        ("Garden party planning", "yes to garden party planning"),
        ("Offsite", "book the offsite"),
        ("Offsite", "yes to offsite"),
        ("Dinner with Zoe", "book dinner"),
        ("Dinner with Zoe", "yes, book dinner with Zoe"),
    ] {
        let reply = to(heard, &[event_called(title)]);
        assert!(matches!(reply, Reply::Accept { card: 0, .. }), "{title}: {heard}: {reply:?}");
    }
}

#[test]
fn a_name_takes_no_doubt_out_of_a_sentence() {
    let card = |name: &str| {
        let one = person(name, "somebody@x.example", Source::Content);
        [mail_to(vec![one.clone()], "Thursday works."), {
            let Preview::Event(mut event) = event_called("Planning") else { panic!() };
            event.attendees = vec![one];
            Preview::Event(event)
        }]
    };
    for (name, heard) in [
        ("Wait Smith", "yes to wait"),
        ("Wait Smith", "send it to wait"),
        ("Wait Smith", "send wait"),
        ("Later", "yes for later"),
        ("May Chen", "book it for may"),
        ("May Chen", "yes for may"),
        ("Friday", "book it for friday"),
        ("Will Young", "send will"),
        ("Art Moss", "send it with art"),
        ("Art Moss", "yes with art"),
        ("Mark Low", "yes with mark"),
        ("Hope Lane", "yes with hope"),
        ("Grace Lee", "book it with grace"),
        ("Change Lee", "yes with change"),
        ("Hold On", "yes for hold on"),
        ("Priya Nair", "yes, thanks to priya"),
        ("Priya Nair", "yes, thank you to priya"),
    ] {
        for card in card(name) {
            let reply = to(heard, &[card]);
            assert!(!matches!(reply, Reply::Accept { .. }), "{name}: {heard}: {reply:?}");
        }
    }
    for (name, heard) in [
        ("Mark Low", "send it to mark"),
        ("Will Young", "yes, send it to Will"),
        ("Will Young", "send it to will young"),
        ("May Chen", "send it to may chen"),
    ] {
        let reply = to(heard, &card(name)[..1]);
        assert_eq!(reply, Reply::Accept { card: 0, names_recipient: true }, "{name}: {heard}");
    }
}

/// A fixed, simple sequence: the same sentences every time.
struct Dice(usize);

impl Dice {
    fn roll<'a>(&mut self, list: &[&'a str]) -> &'a str {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list[(self.0 >> 33) % list.len()]
    }
}

#[test]
fn no_doubt_no_negation_and_no_other_name_is_ever_a_yes() {
    let spoilers = [
        "maybe",
        "but",
        "if",
        "wait",
        "not",
        "no",
        "don't",
        "never",
        "later",
        "think",
        "guess",
        "perhaps",
        "unless",
        "to tom",
        "to bob",
        "to ana",
        "with lena",
        "mom",
        "tom",
        "hmm",
        "should",
        "would",
        "before",
        "almost",
        "stop",
        "cancel",
        "to the whole company",
        "instead",
        "\"yes\"",
        "or",
    ];
    let consents = [
        "yes",
        "send it",
        "please",
        "go ahead",
        "do it",
        "sure",
        "send the mail",
        "to priya",
        "ok",
        "now",
        "confirm",
        "yes please",
        "absolutely",
        "book it",
    ];
    let mut dice = Dice(11);
    let (cards, both) = ([mail()], [mail(), lunch()]);
    for _ in 0..1500 {
        let mut parts = [dice.roll(&consents), dice.roll(&consents), dice.roll(&spoilers)];
        let turn = dice.roll(&["0", "1", "2"]).parse::<usize>().unwrap();
        parts.rotate_left(turn);
        let glue = dice.roll(&[" ", ", "]);
        let heard = parts.join(glue);
        // With lunch open, Tom is somebody on a card.
        let on_lunch = parts.iter().any(|part| part.contains("tom"));
        assert!(!matches!(to(&heard, &cards), Reply::Accept { .. }), "{heard}");
        assert!(on_lunch || !matches!(to(&heard, &both), Reply::Accept { .. }), "{heard}");
    }
}

proptest! {
    #[test]
    fn nothing_that_is_said_of_any_text_breaks_the_reading(
        body in "(really|no|née|ñ+|don't|2-4pm|[.,?!]|\\PC){0,12}( really| no| née| ñ+){0,6}",
        said in "(remove|change|without|say|replace|make it|yes|no)( really| no| née| to| not|\\PC){0,6}",
    ) {
        let cards = [mail_to(vec![priya()], &body), event_called(&body)];
        for heard in [said.as_str(), body.as_str()] {
            let world = corpus::world();
            to_in(heard, &cards[..1], &world);
            to_in(heard, &cards[1..], &world);
            to_in(heard, &cards, &world);
        }
    }
}

#[test]
fn somebody_else_who_is_wanted_and_not_understood_is_a_change_that_was_missed() {
    for heard in ["no not this, rather that with ana", "yes send it to tom", "not so, ana"] {
        let reply = to(heard, &[mail()]);
        let missed = matches!(reply, Reply::CannotRevise { is_missed: true, .. });
        assert!(missed || matches!(reply, Reply::Revise { .. }), "{heard}: {reply:?}");
    }
}
