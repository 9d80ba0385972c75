use brain::card::{EventChange, Stretch};

use super::*;
use crate::corpus;

fn person(name: Option<&str>, address: &str, source: Source) -> Recipient {
    Recipient { name: name.map(str::to_owned), address: address.into(), source }
}

fn priya() -> Recipient {
    person(Some("Priya Nair"), "priya.nair@brightloom.example", Source::Contact)
}

fn tom() -> Recipient {
    person(Some("Tom Okafor"), "tom.okafor@brightloom.example", Source::Contact)
}

fn email(to: Vec<Recipient>, body: &str) -> EmailPreview {
    EmailPreview {
        from: None,
        to,
        cc: Vec::new(),
        subject: "Samples".into(),
        body_text: body.into(),
        in_reply_to: None,
        has_draft: false,
    }
}

fn lunch() -> EventPreview {
    EventPreview {
        title: "Lunch with Tom".into(),
        start: "2026-11-19T12:00:00-08:00[America/Los_Angeles]".parse().unwrap(),
        end: "2026-11-19T12:30:00-08:00[America/Los_Angeles]".parse().unwrap(),
        minutes: 30,
        length_assumed: true,
        attendees: vec![tom()],
        invites_guests: false,
        location: None,
        conflicts: Vec::new(),
        free_instead: Vec::new(),
        change: None,
    }
}

fn asked(preview: &Preview) -> String {
    ask(preview, &[], &corpus::world())
}

fn mail_card(email: EmailPreview) -> Preview {
    Preview::Email(Box::new(email))
}

fn event_card(event: EventPreview) -> Preview {
    Preview::Event(Box::new(event))
}

#[test]
fn a_mail_is_asked_about_with_its_words() {
    let body = "Hi Priya,\n\nThursday works.\n\nMaya";
    let reply = EmailPreview {
        in_reply_to: Some("Priya Nair, Samples".into()),
        ..email(vec![priya()], body)
    };
    assert_eq!(
        asked(&mail_card(reply)),
        "Here is the reply to Priya: Thursday works. Ready for it to go out?"
    );
    let copied = EmailPreview { cc: vec![tom()], ..email(vec![priya()], body) };
    assert_eq!(
        asked(&mail_card(copied)),
        "Here is the mail to Priya: Thursday works. Tom gets a copy. Ready for it to go out?"
    );
    let long = email(vec![priya()], &format!("Hi Priya,\n\n{}\n\nMaya", "glass ".repeat(60)));
    let told = asked(&mail_card(long));
    assert!(
        told.split_whitespace().count() < 45 && told.contains("The rest is on the card."),
        "{told}"
    );
}

fn changed(moved_from: Option<(&str, &str)>) -> EventChange {
    let at = |time: &str| format!("{time}[America/Los_Angeles]").parse().unwrap();
    let moved_from = moved_from.map(|(start, end)| Stretch { start: at(start), end: at(end) });
    EventChange { moved_from, repeats: false, organizer: None, tells_guests: false }
}

#[test]
fn an_event_that_is_to_go_is_asked_about_with_what_does_not_happen_by_itself() {
    let card = |event: EventPreview| asked(&event_card(event));
    let lunch = EventPreview { change: Some(changed(None)), ..lunch() };
    assert_eq!(
        card(lunch.clone()),
        "Lunch with Tom, Thursday at noon. Tom isn't told by this. Shall I cancel it?"
    );
    let one = EventChange { repeats: true, ..changed(None) };
    let alone = EventPreview { attendees: Vec::new(), change: Some(one), ..lunch.clone() };
    assert_eq!(
        card(alone),
        "Lunch with Tom, Thursday at noon. Only this one; the others stay. Shall I cancel it?"
    );
    let theirs = EventChange { organizer: Some("Dana Whitfield".into()), ..changed(None) };
    let theirs = EventPreview { attendees: Vec::new(), change: Some(theirs), ..lunch };
    assert_eq!(
        card(theirs),
        "Lunch with Tom, Thursday at noon. It is an invitation from Dana Whitfield, so it goes \
         from your calendar alone. Shall I cancel it?"
    );
}

#[test]
fn an_event_that_is_to_move_is_asked_about_with_both_times() {
    let from = |start, end| {
        let change = Some(changed(Some((start, end))));
        asked(&event_card(EventPreview { change, attendees: Vec::new(), ..lunch() }))
    };
    assert_eq!(
        from("2026-11-16T15:00", "2026-11-16T15:30"),
        "Lunch with Tom moves from tomorrow at 3 to Thursday at noon. Shall I move it?"
    );
    assert_eq!(
        from("2026-11-19T13:00", "2026-11-19T13:30"),
        "Lunch with Tom moves from 1 to noon on Thursday. Shall I move it?"
    );
    assert_eq!(
        from("2026-11-16T15:00", "2026-11-16T16:00"),
        "Lunch with Tom moves from tomorrow at 3 to Thursday at noon, 30 minutes. Shall I move it?"
    );
}

#[test]
fn an_event_is_asked_about_with_what_was_assumed() {
    assert_eq!(
        asked(&event_card(lunch())),
        "Lunch with Tom, Thursday at noon, 30 minutes unless you say otherwise. Want it on your \
         calendar?"
    );
    let taken = EventPreview {
        conflicts: vec!["Design review".into()],
        free_instead: Vec::new(),
        location: Some("Blue Bottle".into()),
        length_assumed: false,
        attendees: Vec::new(),
        ..lunch()
    };
    assert_eq!(
        asked(&event_card(taken)),
        "Lunch with Tom, Thursday at noon, 30 minutes, at Blue Bottle. Design review is at that \
         time already. Want it on your calendar?"
    );
}

fn memory_card(text: &str, forgets: bool) -> Preview {
    let memory = MemoryPreview {
        text: text.into(),
        forgets,
        alike: Vec::new(),
        also: Vec::new(),
        derived_from: None,
    };
    Preview::Memory(Box::new(memory))
}

#[test]
fn a_memory_is_asked_about_in_the_words_that_will_be_kept() {
    assert_eq!(
        asked(&memory_card("Tom is allergic to nuts", false)),
        "Here is what I'd remember: Tom is allergic to nuts. Is that right?"
    );
    assert_eq!(
        asked(&memory_card("Tom is allergic to nuts", true)),
        "You told me: Tom is allergic to nuts. Should it go?"
    );
    let long = asked(&memory_card(&"glass ".repeat(60), false));
    assert!(long.ends_with("… The rest is on the card. Is that right?"), "{long}");
    assert_eq!(called(&memory_card("The code.", false)), "the note “The code”");
}

#[test]
fn an_address_out_of_a_text_is_said_and_has_to_be_named() {
    let stranger = person(None, "pay@bank.example", Source::Content);
    let told = asked(&mail_card(email(vec![stranger], "Hi,\n\nHere it is.\n\nMaya")));
    assert!(told.contains("pay@bank.example comes from a text I read"), "{told}");
    assert!(told.ends_with("Tell me whom it is for, or tap the card."), "{told}");
}

#[test]
fn a_card_has_a_name_in_passing() {
    let called = |preview: Preview| super::called(&preview);
    let sams = vec![
        person(Some("Sam Whitfield"), "a@x.example", Source::Contact),
        person(Some("Sam Adeyemi"), "b@x.example", Source::Contact),
    ];
    assert_eq!(called(mail_card(email(vec![priya()], "x"))), "the mail to Priya");
    assert_eq!(called(mail_card(email(vec![tom(), priya()], "x"))), "the mail to Tom and Priya");
    assert_eq!(called(mail_card(email(sams, "x"))), "the mail to Sam Whitfield and Sam Adeyemi");
    assert_eq!(called(event_card(lunch())), "lunch with Tom");
    let named = EventPreview { title: "Tom's birthday".into(), ..lunch() };
    assert_eq!(called(event_card(named)), "Tom's birthday");
    let short = EventPreview { title: "Q4 review".into(), ..lunch() };
    assert_eq!(called(event_card(short)), "Q4 review");
}

#[test]
fn a_change_is_said_before_the_rest_is_asked_for() {
    let told = revised("Four o'clock instead.", &event_card(lunch()), &[], &corpus::world());
    assert_eq!(told, "Four o'clock instead. Everything else the same?");
}

/// Somebody who knows two people called Tom and two called Priya.
fn world_of_namesakes() -> crate::World {
    let also = |name: &str, address: &str| Contact {
        name: name.to_owned(),
        address: address.to_owned(),
        nicknames: Vec::new(),
        pronouns: None,
    };
    let mut world = corpus::world();
    let mut contacts = world.contacts.to_vec();
    contacts.push(also("Tom Bennett", "tom@bennett.example"));
    contacts.push(also("Priya Shah", "priya@shah.example"));
    world.contacts = contacts.into();
    world
}

#[test]
fn whoever_knows_two_people_of_a_name_hears_the_whole_one() {
    let world = world_of_namesakes();
    let mail = mail_card(email(vec![priya()], "Thursday works."));
    let asked = ask(&mail, &[], &world);
    assert!(asked.starts_with("Here is the mail to Priya Nair:"), "{asked}");
    let asked = ask(&event_card(lunch()), &[], &world);
    assert!(asked.starts_with("Lunch with Tom, with Tom Okafor,"), "{asked}");
}

#[test]
fn a_guest_is_named_unless_their_whole_name_stands_in_the_title() {
    let world = world_of_namesakes();
    let named = EventPreview { title: "Tomorrow's lunch with Tom Okafor".into(), ..lunch() };
    let asked = ask(&event_card(named), &[], &world);
    assert!(asked.starts_with("Tomorrow's lunch with Tom Okafor, Thursday"), "{asked}");
    let unnamed = EventPreview { title: "Tommy's party".into(), ..lunch() };
    let asked = ask(&event_card(unnamed), &[], &corpus::world());
    assert!(asked.starts_with("Tommy's party, with Tom,"), "{asked}");
}

#[test]
fn no_question_sounds_like_a_yes_whatever_the_mail_says() {
    let words = [
        "yes",
        "Yes. Send it.",
        "Go ahead!",
        "sure",
        "Do it",
        "ok send",
        "Confirm: yes",
        "Thursday works.",
        "yes, keep it",
        "sure, remember that",
        "go ahead and forget it",
    ];
    for text in words {
        let previews = [
            mail_card(email(vec![priya()], &format!("Hi Priya,\n\n{text}\n\nMaya"))),
            mail_card(email(vec![person(Some(text), "a@x.example", Source::Content)], text)),
            event_card(EventPreview { title: text.into(), ..lunch() }),
            event_card(EventPreview { location: Some(text.into()), ..lunch() }),
            memory_card(text, false),
            memory_card(text, true),
            Preview::Lines { lines: vec![Line { label: "What".into(), value: text.into() }] },
        ];
        for preview in previews {
            let world = corpus::world();
            let warnings: Vec<_> = preview.recipients().map(Warning::heard).collect();
            for told in [
                ask(&preview, &warnings, &world),
                revised("Friday instead.", &preview, &warnings, &world),
                readback(&preview, &warnings),
            ] {
                assert!(is_safe_aloud(&told), "{told}");
                assert!(!told.is_empty());
            }
        }
    }
}

#[test]
fn what_would_be_a_yes_is_found_in_any_sentence_and_at_any_end() {
    for text in ["Yes.", "It says: send it.", "Priya wrote “yes”. Fine?", "Ready? Then go ahead"]
    {
        assert!(!is_safe_aloud(text), "{text}");
    }
    for text in
        ["Ready for it to go out?", "Want it on your calendar?", "Everything else the same?"]
    {
        assert!(is_safe_aloud(text), "{text}");
    }
}

#[test]
fn an_address_that_was_spelled_aloud_is_read_back_and_not_just_asked_about() {
    let zoe = person(None, "zoe@harbor.example", Source::Explicit);
    let (preview, world) = (mail_card(email(vec![zoe.clone()], "See you.")), corpus::world());
    let warnings = [Warning::heard(&zoe)];
    let doubt = "I heard the address as zoe@harbor.example. Is it spelled right? Say whom it goes \
                 to, with the address, or tap the card.";
    assert_eq!(
        ask(&preview, &warnings, &world),
        format!("Here is the mail to zoe@harbor.example: See you. {doubt}")
    );
    assert_eq!(readback(&preview, &warnings), doubt);
    assert_eq!(
        ask(&preview, &[], &world),
        "Here is the mail to zoe@harbor.example: See you. Ready for it to go out?"
    );
}
