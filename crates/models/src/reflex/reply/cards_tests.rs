//! Several cards at once, and cards of memories.

use brain::card::MemoryPreview;

use super::tests::{check, event_called, lunch, mail, mail_to, outline, payload, priya, to, tom};
use super::*;
use crate::corpus;

#[test]
fn of_two_cards_one_has_to_be_named() {
    let which = "which The reply to Priya or lunch with Tom?";
    check(
        &[mail(), lunch()],
        &[
            ("yes", which),
            ("no", which),
            ("go ahead", which),
            ("send the mail", "accept 0"),
            ("send it", "accept 0"),
            ("book it", "accept 1"),
            ("yes to lunch", "accept 1"),
            ("yes to the mail", "accept 0"),
            ("yes, the first one", "accept 0"),
            ("yes to the second one", "accept 1"),
            ("send it to Priya", "accept 0 named"),
            ("no to lunch", "reject 1"),
            ("don't send it", "reject 0"),
            ("cancel lunch", "reject 1"),
            ("cancel the meeting", "reject 1"),
            ("make it an hour", "revise end=19T13:00"),
            ("cc Ana", "revise cc=ana.ruiz"),
            ("make it four o'clock", which),
            ("when is it", "explain It is on Thursday"),
            ("what does the mail say", "explain It says"),
            ("maybe", "hold"),
        ],
    );
    let (mail, lunch) = (mail(), lunch());
    let (first, second) = (payload(&mail), payload(&lunch));
    let views = [
        CardView {
            preview: &mail,
            payload: &first,
            called: "the reply to Priya",
            action_type: "a",
            warnings: &[],
        },
        CardView {
            preview: &lunch,
            payload: &second,
            called: "lunch with Tom",
            action_type: "b",
            warnings: &[],
        },
    ];
    let picked = |heard| which_of(heard, &views);
    assert_eq!(picked("the first one"), Some(0));
    assert_eq!(picked("the mail"), Some(0));
    assert_eq!(picked("lunch"), Some(1));
    assert_eq!(picked("the one with Tom"), Some(1));
    assert_eq!(picked("not the mail"), None);
    assert_eq!(picked("the mail?"), None);
    assert_eq!(picked("both"), None);
    assert_eq!(picked("what's on tomorrow"), None);
}

#[test]
fn a_change_is_made_to_the_card_that_was_picked_and_approves_nothing() {
    let dinner = event_called("Dinner with Tom");
    let cards = [lunch(), dinner, mail()];
    let payloads: Vec<_> = cards.iter().map(payload).collect();
    let called: Vec<_> = cards.iter().map(card::called).collect();
    let view = |at: usize| CardView {
        preview: &cards[at],
        payload: &payloads[at],
        called: &called[at],
        action_type: "any",
        warnings: &[],
    };
    let views = [view(0), view(1), view(2)];
    let world = corpus::world();
    let heard = "make it four o'clock";
    let asked = read(heard, &views, &world);
    assert!(matches!(asked, Reply::Which { decision: Decision::Edit, .. }), "{asked:?}");
    let picked = super::which("the second one", &views, &world).unwrap();
    let Reply::Revise { card, changes, said } = read_of(heard, &views, picked, &world) else {
        panic!("a change")
    };
    assert_eq!((card, said.as_str()), (1, "Four o'clock instead."));
    assert!(changes.contains_key("start"));
    let mail = read_of(heard, &views, 2, &world);
    assert!(matches!(mail, Reply::Revise { card: 2, .. }), "{mail:?}");
    assert_eq!(read_of(heard, &views, 3, &world), Reply::NotAnAnswer);
    for decided in ["yes", "no", "book it", "send it"] {
        let reply = read_of(decided, &views, 1, &world);
        assert!(matches!(reply, Reply::Hold { card: 1, .. }), "{decided}: {reply:?}");
    }
}

fn which_of(heard: &str, views: &[CardView<'_>]) -> Option<usize> {
    super::which(heard, views, &corpus::world())
}

#[test]
fn a_yes_that_names_some_of_several_waits() {
    let both = [mail_to(vec![priya(), tom()], "Thursday works.")];
    check(
        &both,
        &[
            ("yes", "accept 0"),
            ("send it to priya", "hold"),
            ("send it to priya and tom", "accept 0 named"),
            ("without tom", "revise to=priya.nair"),
        ],
    );
}

fn memory(forgets: bool) -> Preview {
    let text = "Tom is allergic to nuts".into();
    Preview::Memory(Box::new(MemoryPreview {
        text,
        forgets,
        alike: Vec::new(),
        also: Vec::new(),
        derived_from: None,
    }))
}

#[test]
fn a_memory_is_kept_on_a_yes_and_on_nothing_less() {
    let cases = [
        ("yes", "accept 0"),
        ("yes, keep it", "accept 0"),
        ("yes please, remember that", "accept 0"),
        ("go ahead and save it", "accept 0"),
        ("yes, forget it", "reject 0"),
        ("forget it", "reject 0"),
        ("no", "reject 0"),
        ("don't keep it", "reject 0"),
        ("keep it", "hold"),
        ("send it", "hold"),
        ("\"yes, keep it\"", "hold"),
        ("make it Tom is allergic to peanuts", "revise memory=Tom is allergic to peanuts"),
        ("no, remember that Tom hates nuts", "revise memory=Tom hates nuts"),
        ("read it to me", "explain I would remember this: Tom is allergic to nuts."),
        ("remember that Priya drinks tea", "other"),
        ("what's on tomorrow", "other"),
    ];
    for (heard, expected) in cases {
        assert_eq!(outline(&to(heard, &[memory(false)])), expected, "{heard}");
    }
}

#[test]
fn forget_it_is_no_answer_to_whether_it_should_be_forgotten() {
    let cases = [
        ("yes", "accept 0"),
        ("yes, forget it", "accept 0"),
        ("go ahead and delete it", "accept 0"),
        ("forget it", "hold"),
        ("just forget that", "hold"),
        ("keep it", "reject 0"),
        ("no, keep it", "reject 0"),
        ("yes, keep it", "hold"),
        ("no", "reject 0"),
    ];
    for (heard, expected) in cases {
        assert_eq!(outline(&to(heard, &[memory(true)])), expected, "{heard}");
    }
    let both = [memory(true), mail()];
    assert_eq!(outline(&to("yes, forget it", &both)), "hold");
    assert_eq!(outline(&to("forget that", &[mail()])), "reject 0");
}
