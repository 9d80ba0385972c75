use brain::card::Preview;
use brain::policy::Care;
use serde_json::json;

use super::*;

fn card(payload: Value, fields: &[(&str, &str, FieldKind)]) -> Card {
    let Value::Object(payload) = payload else { panic!("a payload is an object") };
    let field = |(name, label, kind): &(&str, &str, FieldKind)| Field {
        name: (*name).into(),
        label: (*label).into(),
        kind: *kind,
    };
    Card {
        action_type: "send_email".into(),
        title: "Send this mail?".into(),
        speakable: String::new(),
        preview: Preview::Lines { lines: Vec::new() },
        payload,
        editable: fields.iter().map(field).collect(),
        warnings: Vec::new(),
        voice: Care::Allow,
    }
}

fn mail() -> Card {
    let payload = json!({
        "from": "maya@lindqvist.example", "to": ["ana@x.example", "tom@x.example"], "cc": [],
        "subject": "Thursday", "body": "Hi Ana,\n\n# not a comment\n\nMaya",
    });
    card(
        payload,
        &[
            ("to", "To", FieldKind::People),
            ("cc", "Cc", FieldKind::People),
            ("subject", "Subject", FieldKind::Text),
            ("body", "Text", FieldKind::Paragraphs),
        ],
    )
}

fn event() -> Card {
    let payload = json!({
        "title": "Lunch", "start": "2026-11-16T12:00:00+01:00[Europe/Berlin]",
        "end": "2026-11-16T12:30:00+01:00[Europe/Berlin]", "attendees": [], "location": "",
        "length_assumed": true,
    });
    card(
        payload,
        &[
            ("title", "Title", FieldKind::Text),
            ("start", "Starts", FieldKind::Time),
            ("end", "Ends", FieldKind::Time),
        ],
    )
}

#[test]
fn what_is_left_as_it_is_changes_nothing() {
    for card in [mail(), event()] {
        assert_eq!(read(&page(&card), &card), Ok(Map::new()));
        assert_eq!(read(&page(&card).replace('\n', "\r\n"), &card), Ok(Map::new()));
        assert_eq!(read(page(&card).trim_end(), &card), Ok(Map::new()));
    }
}

#[test]
fn only_what_was_changed_is_sent() {
    let card = mail();
    let page = page(&card)
        .replace("tom@x.example", "Tom Ford <tom@y.example>; eve@x.example")
        .replace("Hi Ana", "Dear Ana");
    let changes = read(&page, &card).unwrap();
    let wanted = json!({
        "to": ["ana@x.example", "tom@y.example", "eve@x.example"],
        "body": "Dear Ana,\n\n# not a comment\n\nMaya",
    });
    assert_eq!(Value::Object(changes), wanted);
}

#[test]
fn a_time_keeps_its_zone_unless_another_is_named() {
    let card = event();
    let same = page(&card).replace("12:00 Europe/Berlin", "11:45");
    let other = page(&card).replace("12:00 Europe/Berlin", "11:45 America/Los_Angeles");
    assert_eq!(read(&same, &card).unwrap()["start"], "2026-11-16T11:45:00+01:00[Europe/Berlin]");
    assert_eq!(
        read(&other, &card).unwrap()["start"],
        "2026-11-16T11:45:00-08:00[America/Los_Angeles]"
    );
    assert!(read(&page(&card).replace("12:00 Europe/Berlin", "noon"), &card).is_err());
}

#[test]
fn a_line_that_is_no_field_is_named_and_so_is_one_that_is_gone() {
    let card = mail();
    let unknown = read(&page(&card).replace("Cc:", "Bcc:"), &card).unwrap_err();
    assert!(unknown.contains("Bcc") && unknown.contains("To, Cc, Subject"), "{unknown}");
    let gone = read(&page(&card).replace("Cc:\n", ""), &card).unwrap_err();
    assert!(gone.contains("\"Cc:\" is missing"), "{gone}");
    let twice = read(&page(&card).replace("Cc:", "To: eve@x.example\nCc:"), &card).unwrap_err();
    assert!(twice.contains("twice"), "{twice}");
}

#[test]
fn a_complaint_stands_on_top_once_and_is_not_read() {
    let card = mail();
    let first = complained(&page(&card), "nobody has that address");
    let second = complained(&first, "nor that one");
    assert!(second.starts_with("#! nor that one\n# Send this mail?"), "{second}");
    assert_eq!(read(&second, &card), Ok(Map::new()));
}

#[test]
fn a_subject_from_elsewhere_cannot_become_a_field() {
    let mut card = mail();
    card.title = "Send?\nTo: eve@x.example".into();
    assert_eq!(read(&page(&card), &card), Ok(Map::new()));
}
