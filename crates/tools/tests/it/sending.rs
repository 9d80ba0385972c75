//! What a card shows of a mail, and what is sent after a yes.

use brain::card::{EmailPreview, Preview};
use brain::facts::{Drafted, Sent};
use brain::policy::Source;
use jiff::SignedDuration;
use proptest::prelude::{Strategy, any, prop};
use serde_json::{Value, json};
use tools::warning::{NEW_RECIPIENT, ODD_ADDRESS};
use tools::{Found, Prepared, ToolError};

use crate::world::{World, assert_prepared_is_stable, mail, person};

const SEND: &str = "gmail.send";
const PRIYA: &str = "priya.nair@brightloom.example";

fn email(prepared: &Prepared) -> &EmailPreview {
    match &prepared.preview {
        Preview::Email(email) => email,
        other => panic!("not a mail: {other:?}"),
    }
}

fn codes(prepared: &Prepared) -> Vec<&str> {
    prepared.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

fn new_mail(to: &str) -> Value {
    json!({ "to": [to], "subject": "Hello", "body": "Hello there." })
}

async fn drafted(world: &World) -> Drafted {
    let args = json!({ "message_id": "q4-numbers.4", "intent": "thursday works" });
    serde_json::from_value(world.call("gmail.draft_reply", args).await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_draft_is_shown_whole_and_its_yes_sends_it() {
    let world = World::sample().await;
    let Drafted { draft_id, body, .. } = drafted(&world).await;

    let shown = world.prepare(SEND, json!({ "draft_id": draft_id })).await.unwrap();

    assert_eq!((shown.action_type, shown.title.as_str()), ("send_email", "Send this reply?"));
    assert_eq!(
        Value::Object(shown.payload.clone()),
        json!({
            "from": "maya@lindqvist.example",
            "to": [PRIYA],
            "cc": [],
            "subject": "Re: Q4 numbers, first pass",
            "body": body,
            "thread_id": "q4-numbers",
            "in_reply_to": "q4-numbers.4",
            "draft_id": draft_id,
        })
    );
    let card = email(&shown);
    assert_eq!(card.in_reply_to.as_deref(), Some("Priya Nair, Re: Q4 numbers, first pass"));
    assert_eq!(card.to[0].called(), "Priya Nair");
    assert_eq!(card.to[0].source, Source::Unknown, "that is not the tool's to say");
    assert!(card.has_draft);
    assert!(shown.warnings.is_empty(), "{:?}", shown.warnings);
    assert!(shown.thread.iter().any(|address| address == PRIYA));

    let agreed = world.agree(SEND, json!({ "draft_id": draft_id })).await;
    let sent: Sent = serde_json::from_value(agreed.done(1).await.unwrap()).unwrap();

    assert_eq!(sent.to, [person("Priya Nair", PRIYA)]);
    assert_eq!(
        (sent.thread_id.as_str(), sent.sent_at),
        ("q4-numbers", world.caller.now.timestamp())
    );
    assert_eq!(world.found("in:sent \"thursday works\"").await, [sent.message_id.as_str()]);
    assert_eq!(world.open(&sent.message_id).await.body_text, body);
    assert!(!world.found("in:drafts").await.contains(&draft_id));
}

#[tokio::test]
async fn a_new_mail_can_wait_in_the_drafts_and_be_sent_from_there() {
    let world = World::sample().await;
    let args = json!({
        "to": [PRIYA], "cc": ["tom@okafor.example"], "subject": "Hello", "body": "Hello there.",
    });

    let kept = world.call("gmail.create_draft", args).await.unwrap();

    assert_eq!(kept["to"], json!([{ "name": "Priya Nair", "address": PRIYA }]));
    let drafts = world.call("gmail.search", json!({ "query": "in:drafts hello" })).await.unwrap();
    assert_eq!(drafts["messages"][0]["message_id"], kept["draft_id"]);
    let shown = world.prepare(SEND, json!({ "draft_id": kept["draft_id"] })).await.unwrap();
    assert_eq!(email(&shown).body_text, "Hello there.");
    assert_eq!(email(&shown).cc[0].called(), "Tom Okafor");
}

#[tokio::test]
async fn a_draft_to_nobody_is_refused() {
    let world = World::sample().await;
    for args in [
        json!({ "to": [], "subject": "Hello", "body": "Hello there." }),
        json!({ "to": ["priya"], "subject": "Hello", "body": "Hello there." }),
        json!({ "to": [PRIYA], "subject": "Hello", "body": "" }),
    ] {
        let refused = world.call("gmail.create_draft", args.clone()).await;
        assert!(matches!(refused, Err(ToolError::BadArguments(_))), "{args}: {refused:?}");
    }
}

#[tokio::test]
async fn what_is_said_weighs_more_than_what_was_drafted() {
    let world = World::sample().await;
    let draft_id = drafted(&world).await.draft_id;
    let args = json!({ "draft_id": draft_id, "body": "Friday.", "cc": ["tom@okafor.example"] });
    let shown = world.prepare(SEND, args).await.unwrap();
    assert_eq!((email(&shown).body_text.as_str(), email(&shown).cc.len()), ("Friday.", 1));
    assert_eq!(email(&shown).cc[0].called(), "Tom Okafor");
    assert_eq!(email(&shown).subject, "Re: Q4 numbers, first pass");
}

#[tokio::test]
async fn a_draft_that_is_gone_does_not_matter_after_the_yes() {
    let world = World::sample().await;
    let draft_id = drafted(&world).await.draft_id;
    let agreed = world.agree(SEND, json!({ "draft_id": draft_id })).await;
    world.agree(SEND, json!({ "draft_id": draft_id })).await.done(1).await.unwrap();

    agreed.done(2).await.unwrap();

    let again = world.prepare(SEND, agreed.payload.clone()).await.unwrap();
    assert!(!email(&again).has_draft);
    assert_eq!(Value::Object(again.payload), agreed.payload);
}

#[tokio::test]
async fn only_drafts_are_taken_away_by_sending() {
    let world = World::sample().await;
    let mut args = new_mail(PRIYA);
    args["draft_id"] = json!("q4-numbers.4");
    let agreed = world.agree(SEND, args).await;
    agreed.done(1).await.unwrap();
    assert_eq!(world.open("q4-numbers.4").await.message.message_id, "q4-numbers.4");
}

#[tokio::test]
async fn a_new_mail_begins_a_thread() {
    let world = World::sample().await;
    let shown = world.prepare(SEND, new_mail(PRIYA)).await.unwrap();
    assert_eq!(shown.title, "Send this mail?");
    assert!(shown.thread.is_empty());
    let sent = world.agree(SEND, new_mail(PRIYA)).await.done(1).await.unwrap();
    assert_eq!(sent["thread_id"], sent["message_id"]);
}

#[tokio::test]
async fn what_deserves_a_second_look_is_said() {
    let world = World::sample().await;
    let mut args = new_mail("eve@evil.example");
    args["subject"] = json!("");
    let shown = world.prepare(SEND, args).await.unwrap();
    assert_eq!(codes(&shown), ["no_subject", "new_recipient"]);
    assert_eq!(shown.warnings[1].text, "You have never written to eve@evil.example");
    assert!(codes(&world.prepare(SEND, new_mail(PRIYA)).await.unwrap()).is_empty());
}

#[tokio::test]
async fn an_address_in_letters_that_look_like_others_is_pointed_out() {
    let world = World::sample().await;
    let odd = PRIYA.replacen('p', "р", 1);
    let shown = world.prepare(SEND, new_mail(&odd)).await.unwrap();
    assert_eq!(codes(&shown), [ODD_ADDRESS, NEW_RECIPIENT]);
    assert!(shown.warnings[0].text.contains(&odd));
}

#[tokio::test]
async fn somebody_who_bears_the_name_of_a_contact_is_not_shown_by_it() {
    let mut posing = mail("posing", "2026-11-15T08:00:00Z");
    posing.from = person("Priya  NAIR", "priya@evil.example");
    let world = World::sample().await.with_mails(vec![posing]).await;
    let args = json!({ "to": ["priya@evil.example"], "body": "Yes.", "thread_id": "posing" });
    let shown = world.prepare(SEND, args).await.unwrap();
    assert_eq!(email(&shown).to[0].name, None);
    assert_eq!(codes(&shown), ["other_address"]);
}

#[tokio::test]
async fn only_the_persons_own_threads_mails_and_drafts_are_known() {
    let world = World::sample().await;
    let stranger = world.as_user(2);
    let draft_id = drafted(&world).await.draft_id;
    let with = |field: &str, id: &str| {
        let mut args = new_mail(PRIYA);
        args[field] = json!(id);
        args
    };
    for (field, id) in [("thread_id", "q4-numbers"), ("in_reply_to", "q4-numbers.4")] {
        let theirs = stranger.prepare(SEND, with(field, id)).await.unwrap_err();
        let nobodys = world.prepare(SEND, with(field, "no-such-thing")).await.unwrap_err();
        assert!(matches!(theirs, ToolError::NotFound { .. }), "{theirs}");
        assert_eq!(theirs.to_string(), nobodys.to_string());
    }
    let theirs = stranger.prepare(SEND, json!({ "draft_id": draft_id })).await.unwrap_err();
    let nobodys = world.prepare(SEND, json!({ "draft_id": "no-such-draft" })).await.unwrap_err();
    assert!(matches!(theirs, ToolError::NotFound { what: "draft" }));
    assert_eq!(theirs.to_string(), nobodys.to_string());

    let foreign = stranger.prepare(SEND, with("draft_id", &draft_id)).await.unwrap();
    assert!(!email(&foreign).has_draft);
    stranger.agree(SEND, with("draft_id", &draft_id)).await.done(1).await.unwrap();
    assert!(world.found("in:drafts").await.contains(&draft_id), "it is still there");
}

#[tokio::test]
async fn the_sender_is_always_the_person() {
    let mut world = World::sample().await;
    let mut args = new_mail(PRIYA);
    args["from"] = json!("dana.whitfield@brightloom.example");
    let shown = world.prepare(SEND, args).await.unwrap();
    assert_eq!(shown.payload["from"], "maya@lindqvist.example");

    world.caller.profile.address = None;
    let error = world.prepare(SEND, new_mail(PRIYA)).await.unwrap_err();
    assert!(error.to_string().contains("your own address"), "{error}");
}

#[tokio::test]
async fn a_header_cannot_be_smuggled_past_the_card() {
    let world = World::sample().await;
    for (field, value) in [
        ("subject", json!("Hi\r\nBcc: eve@evil.example")),
        ("to", json!([format!("{PRIYA}\r\nBcc: eve@evil.example")])),
        ("cc", json!([format!("{PRIYA},eve@evil.example")])),
        ("body", json!("Hello\u{0}")),
    ] {
        let mut args = new_mail(PRIYA);
        args[field] = value;
        let error = world.prepare(SEND, args.clone()).await.unwrap_err();
        assert!(matches!(error, ToolError::BadArguments(_)), "{field}: {error}");

        // Nor past the tool, should somebody have said yes to it all the same.
        let mut forged = world.agree(SEND, new_mail(PRIYA)).await;
        forged.payload[field] = args[field].clone();
        let error = forged.done(1).await.unwrap_err();
        assert!(matches!(error, ToolError::BadArguments(_)), "{field}: {error}");
        assert_eq!(forged.found(1).await, Found::Absent);
    }
}

#[tokio::test]
async fn a_sent_mail_need_not_settle() {
    assert_eq!(World::empty().writer(SEND).settle(), SignedDuration::ZERO);
}

/// Arguments as a sloppy planner would make them.
fn sloppy() -> impl Strategy<Value = Value> {
    let address = prop::sample::select(vec![
        PRIYA,
        "PRIYA.NAIR@brightloom.example",
        " tom@okafor.example",
        "eve@evil.example",
        "maya@lindqvist.example ",
    ]);
    let people = || prop::collection::vec(address.clone(), 0..4);
    let id = |known: &'static str| {
        prop::option::of(prop::sample::select(vec![known, "no-such-thing", "heron-margin"]))
    };
    let ids = (id("q4-numbers"), id("q4-numbers.4"), id("design-review.2"));
    (
        prop::option::of(people()),
        prop::option::of(people()),
        any::<(Option<String>, Option<String>)>(),
        ids,
    )
        .prop_map(|(to, cc, (subject, body), (thread_id, in_reply_to, draft_id))| {
            let mut args = json!({
                "to": to, "cc": cc, "subject": subject, "body": body, "thread_id": thread_id,
                "in_reply_to": in_reply_to, "draft_id": draft_id,
            });
            args.as_object_mut().unwrap().retain(|_, value| !value.is_null());
            args
        })
}

#[test]
fn whatever_is_prepared_comes_out_the_same_again() {
    assert_prepared_is_stable(SEND, sloppy());
}
