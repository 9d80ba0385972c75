use brain::card::{Line, MemoryPreview, Warning};
use brain::event::{Place, Question};
use brain::ids::Uuid;
use brain::input::Decision;
use brain::policy::Care;
use brain::{ActionLevel, ConfirmationId, Seal, TurnId};
use serde_json::{Map, json};

use super::*;
use crate::client::cards::{Cards, News};

fn shown(preview: Preview, changed: &[&str]) -> String {
    after(None, preview, changed)
}

/// As it is shown when `before` was seen first.
fn after(before: Option<Preview>, preview: Preview, changed: &[&str]) -> String {
    let mut cards = Cards::default();
    let turn = TurnId(Uuid::nil());
    let (before, revision) = match before {
        Some(before) => (Some(cards.put(turn, &question(before, 1, &[]))), 2),
        None => (None, 1),
    };
    assert!(matches!(before, None | Some(News::Opened(_))));
    let card = match cards.put(turn, &question(preview, revision, changed)) {
        News::Opened(card) | News::Changed(card) => card,
        other => panic!("{other:?}"),
    };
    anstream::adapter::strip_str(&drawn(&card, Keys::Plain, Some(60))).to_string()
}

fn question(preview: Preview, revision: u32, changed: &[&str]) -> Question {
    let card = Card {
        action_type: "send_email".into(),
        title: "Send this mail?".into(),
        speakable: String::new(),
        preview,
        payload: Map::new(),
        editable: Vec::new(),
        warnings: vec![Warning { code: "time_taken".into(), text: "That time is taken".into() }],
        voice: Care::Allow,
    };
    Question {
        confirmation_request_id: ConfirmationId(Uuid::nil()),
        revision,
        action_level: ActionLevel::Write,
        tool_name: "gmail.send".into(),
        card,
        changed: changed.iter().map(|name| (*name).to_owned()).collect(),
        allowed_decisions: vec![Decision::Accept],
        step: Place { index: 1, total: 1 },
        expires_at: jiff::Timestamp::UNIX_EPOCH,
        payload_hash: Seal::of_value(&json!({})),
    }
}

fn mail(to: &[&str], body: &str) -> Preview {
    Preview::Email(Box::new(EmailPreview {
        from: None,
        to: to.iter().map(|name| person(name, Source::Contact)).collect(),
        cc: Vec::new(),
        subject: "Prints".into(),
        body_text: body.into(),
        in_reply_to: None,
        has_draft: false,
    }))
}

#[test]
fn the_mark_stands_at_the_line_that_changed() {
    let before = || Some(mail(&["ana"], "Hi Ana,\n\nThursday works.\n\nMaya"));
    let marked = |text: String| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains("← changed"));
        lines.map(|line| line.trim_start_matches(['│', ' ']).to_owned()).collect()
    };

    let text = after(before(), mail(&["ana"], "Hi Ana,\n\nFriday works.\n\nMaya"), &["body"]);
    assert_eq!(marked(text), ["Friday works.  ← changed"]);
    let text = after(before(), mail(&["ana"], "Hi Ana,\n\nThursday works.\n\nM."), &["body"]);
    assert_eq!(marked(text), ["M.  ← changed"]);
    let text = after(before(), mail(&["ana"], "Hi Ana,\n\nThursday works."), &["body"]);
    assert_eq!(marked(text), ["Thursday works.  ← changed"]);
    let text = shown(mail(&["ana"], "Hi Ana,\n\nFriday works."), &["body"]);
    assert_eq!(marked(text), ["← changed"]);

    let same = "Hi Ana,\n\nThursday works.\n\nMaya";
    let text = after(before(), mail(&["ana", "tom"], same), &["to"]);
    assert_eq!(marked(text), ["tom <tom@x.example>  from your contacts  ← changed"]);
    let both = Some(mail(&["tom", "ana"], same));
    let text = after(both, mail(&["ana"], same), &["to"]);
    assert_eq!(marked(text), ["To       ana <ana@x.example>  from your contacts  ← changed"]);
}

fn person(name: &str, source: Source) -> Recipient {
    Recipient { name: Some(name.into()), address: format!("{name}@x.example"), source }
}

#[test]
fn a_mail_shows_whom_it_goes_to_and_how_they_got_there() {
    let email = EmailPreview {
        from: None,
        to: vec![person("ana", Source::Contact), person("eve", Source::Content)],
        cc: Vec::new(),
        subject: "Thursday\nTo: somebody else".into(),
        body_text: "Hi Ana,\nit works.".into(),
        in_reply_to: None,
        has_draft: false,
    };
    let text = shown(Preview::Email(Box::new(email)), &["subject"]);
    let expected = "       ┌ Send this mail?
       │ To       ana <ana@x.example>  from your contacts
       │          eve <eve@x.example>
       │          from a text, not from you
       │ Subject  Thursday To: somebody else  ← changed
       │
       │ Hi Ana,
       │ it works.
       │
       │ ! That time is taken
       └ y yes · e edit · n no · open until";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn an_event_shows_its_day_and_its_zone() {
    let event = EventPreview {
        title: "Lunch".into(),
        start: "2026-11-16T12:00:00+01:00[Europe/Berlin]".parse().unwrap(),
        end: "2026-11-16T12:30:00+01:00[Europe/Berlin]".parse().unwrap(),
        minutes: 30,
        length_assumed: true,
        attendees: Vec::new(),
        invites_guests: false,
        location: None,
        conflicts: Vec::new(),
        free_instead: Vec::new(),
        change: None,
    };
    let expected = "Monday 16 November 2026, 12:00 to 12:30 Europe/Berlin, 30 minutes, assumed";
    assert_eq!(spelled(&event), expected);
}

#[test]
fn a_memory_shows_all_of_it_and_what_is_known() {
    let memory = MemoryPreview {
        text: "Tom is allergic to nuts, which he only ever mentions after dessert.\nPens in bag"
            .into(),
        forgets: false,
        alike: vec!["Tom is allergic to nuts".into()],
        also: vec!["Tom's birthday is May 3".into()],
        derived_from: Some("a mail from Tom Okafor".into()),
    };
    let text = shown(Preview::Memory(Box::new(memory)), &["memory"]);
    let expected = "       ┌ Send this mail?
       │ Tom is allergic to nuts, which he only ever
       │ mentions after dessert.
       │ Pens in bag  ← changed
       │ And      Tom's birthday is May 3
       │ From     a mail from Tom Okafor
       │ Known    Tom is allergic to nuts
       │ ! That time is taken
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn a_text_on_a_card_cannot_look_like_the_card() {
    let lines = vec![Line { label: "Note".into(), value: "\u{1b}[2J gone".into() }];
    let text = shown(Preview::Lines { lines }, &[]);
    assert!(text.contains("Note     \u{fffd}[2J gone"), "{text}");
}

#[test]
fn a_long_event_is_not_counted_in_minutes() {
    for (minutes, told) in [
        (30, "30 minutes"),
        (120, "120 minutes"),
        (150, "2 hours 30 minutes"),
        (480, "8 hours"),
        (1_440, "one day"),
        (4_320, "3 days"),
    ] {
        assert_eq!(length(minutes), told);
    }
}
