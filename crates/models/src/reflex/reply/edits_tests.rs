use serde_json::json;

use super::tests::{lunch, mail, mail_to, priya, to, to_in, tom};
use super::*;

fn changes(heard: &str, preview: &Preview) -> Value {
    match to(heard, std::slice::from_ref(preview)) {
        Reply::Revise { changes, .. } => Value::Object(changes),
        other => json!(format!("{other:?}")),
    }
}

fn cannot(heard: &str, preview: &Preview) -> String {
    match to(heard, std::slice::from_ref(preview)) {
        Reply::CannotRevise { say, .. } => say,
        other => format!("{other:?}"),
    }
}

/// Lunch, at a time that is taken.
fn taken() -> Preview {
    let Preview::Event(mut event) = lunch() else { unreachable!("lunch is an event") };
    let free = ["2026-11-19T11:00", "2026-11-19T13:00", "2026-11-19T15:30"];
    let zoned = |time: &str| format!("{time}:00-08:00[America/Los_Angeles]").parse().unwrap();
    event.free_instead = free.into_iter().map(zoned).collect();
    Preview::Event(event)
}

#[test]
fn people_are_taken_off_and_put_in_copy_as_one_says_it() {
    let two = mail_to(vec![priya(), tom()], "Thursday works.");
    let only_priya = json!({"to": ["priya.nair@brightloom.example"]});
    for heard in ["take Tom off", "take tom off the list", "leave Tom out", "without Tom"] {
        assert_eq!(changes(heard, &two), only_priya, "{heard}");
    }
    let copy = json!({"cc": ["yuki.tanaka@kogane-studio.example"]});
    for heard in ["put yuki in cc", "add Yuki in cc", "put Yuki on cc please", "cc yuki"] {
        assert_eq!(changes(heard, &mail()), copy, "{heard}");
    }
    assert_eq!(changes("take Tom off", &lunch()), json!({"attendees": [], "title": "Lunch"}));
    assert_eq!(cannot("take Ana off", &lunch()), "Ana isn't invited.");
    assert_eq!(
        cannot("add Sam", &mail()),
        "Sam Whitfield or Sam Adeyemi? Say that again with the whole name."
    );
}

#[test]
fn a_day_that_a_mail_is_changed_to_is_nobody_to_send_it_to() {
    let friday = json!({"body": "Hi Priya,\n\nFriday at three works. See you then.\n\nMaya"});
    for heard in ["Yes, but change it to Friday.", "change it to friday", "make it Friday"] {
        assert_eq!(changes(heard, &mail()), friday, "{heard}");
    }
    assert_eq!(cannot("change it to Zoe", &mail()), "I don't have an address for Zoe.");
}

#[test]
fn a_title_is_set_with_a_colon_or_without() {
    for heard in ["title: Demo day", "call it Demo day", "subject: Demo day"] {
        assert_eq!(changes(heard, &mail()), json!({"subject": "Demo day"}), "{heard}");
    }
    for heard in ["title: Big lunch", "call it Big lunch", "the title is Big lunch"] {
        assert_eq!(changes(heard, &lunch()), json!({"title": "Big lunch"}), "{heard}");
    }
    for heard in ["location Room 4", "location: Room 4", "in Room 4", "the location is Room 4"] {
        assert_eq!(changes(heard, &lunch()), json!({"location": "Room 4"}), "{heard}");
    }
    for heard in ["shorten the subject", "make the subject shorter"] {
        assert_eq!(
            cannot(heard, &mail()),
            "What should it be? Say “subject” and the words.",
            "{heard}"
        );
    }
}

#[test]
fn one_of_the_free_times_is_picked_by_its_place() {
    let start = |time: &str| json!(format!("2026-11-19T{time}:00-08:00[America/Los_Angeles]"));
    for (heard, time) in [
        ("the second", "13:00"),
        ("the second one", "13:00"),
        ("make it the first one", "11:00"),
        ("the last one", "15:30"),
        ("option 3", "15:30"),
    ] {
        assert_eq!(changes(heard, &taken())["start"], start(time), "{heard}");
    }
    let asked = "At what time? 1 pm and 3:30 pm are free.";
    for heard in ["later", "later in the day", "a bit later"] {
        assert_eq!(cannot(heard, &taken()), asked, "{heard}");
    }
    assert_eq!(changes("an hour later", &taken())["start"], start("13:00"));
    assert!(matches!(to("the second", &[lunch()]), Reply::Hold { .. }));
    assert!(!matches!(to("the second", &[mail(), taken()]), Reply::Revise { .. }));
}

#[test]
fn a_nod_is_asked_back_and_never_a_yes() {
    for heard in ["ok", "Okay.", "alright", "fine", "perfect", "great!", "cool", "all right"] {
        let reply = to(heard, &[mail()]);
        let asked = Reply::Hold { card: 0, say: "Shall it go out?".to_owned() };
        assert_eq!(reply, asked, "{heard}");
        let reply = to(heard, &[lunch()]);
        let asked = Reply::Hold { card: 0, say: "Shall it go on your calendar?".to_owned() };
        assert_eq!(reply, asked, "{heard}");
    }
}

#[test]
fn a_sum_is_put_right_where_the_mail_names_one() {
    let heard = "Change the price to thirteen hundred dollars.";
    let said = |body: &str| to(heard, &[mail_to(vec![priya()], body)]);
    let Reply::Revise { changes, .. } = said("It would cost $1,200 in all.") else { panic!() };
    let body = changes["body"].as_str().unwrap_or_default();
    assert!(body.contains("It would cost thirteen hundred dollars in all."), "{body}");
    for (body, expected) in [
        ("See you on Thursday.", "There is no amount in the text. Which words should change?"),
        ("It is $5 or $6.", "There is more than one amount in it. Which one should change?"),
    ] {
        match said(body) {
            Reply::CannotRevise { say, is_missed: true, .. } => assert_eq!(say, expected),
            other => panic!("{other:?}"),
        }
    }
    for heard in ["change the price to a bit less", "the total is $900 or so"] {
        let reply = to(heard, &[mail_to(vec![priya()], "The price is $1,200.")]);
        assert!(
            !matches!(reply, Reply::Accept { .. } | Reply::Revise { .. }),
            "{heard}: {reply:?}"
        );
        let is_missed = matches!(reply, Reply::CannotRevise { is_missed: true, .. });
        assert!(is_missed, "{heard}: {reply:?}");
    }
    for heard in ["the discount", "the price is too high"] {
        let reply = to(heard, &[mail_to(vec![priya()], "The price is $1,200.")]);
        assert!(!matches!(reply, Reply::CannotRevise { .. }), "{heard}: {reply:?}");
    }
}

#[test]
fn of_two_people_of_a_name_a_change_tells_the_whole_one() {
    let mut world = crate::corpus::world();
    let mut contacts = world.contacts.to_vec();
    let mut other =
        contacts.iter().find(|one| one.name == "Ana Ruiz").cloned().expect("Ana is known");
    (other.name, other.address) = ("Ana Lund".to_owned(), "ana@lund.example".to_owned());
    contacts.push(other);
    world.contacts = contacts.into();
    let Reply::Revise { said, .. } = to_in("to Ana Ruiz instead", &[mail()], &world) else {
        panic!("it goes to somebody else");
    };
    assert_eq!(said, "To Ana Ruiz instead.");
    // Words on the card stay as they are, whoever they name.
    let Reply::Revise { said, .. } = to_in("call it Coffee with Ana", &[lunch()], &world) else {
        panic!("it is called something else");
    };
    assert_eq!(said, "Called “Coffee with Ana”.");
}
