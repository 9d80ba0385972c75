//! Replies that nobody else sees yet.

use brain::facts::Drafted;
use serde_json::{Value, json};
use tools::ToolError;

use crate::world::{World, mail, person};

async fn draft(world: &World, args: Value) -> Drafted {
    serde_json::from_value(world.call("gmail.draft_reply", args).await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_reply_lies_in_the_drafts_of_its_thread() {
    let world = World::sample().await;
    let args = json!({ "message_id": "q4-numbers.4", "intent": "thursday works" });

    let drafted = draft(&world, args).await;

    assert_eq!(drafted.to, [person("Priya Nair", "priya.nair@brightloom.example")]);
    assert_eq!(drafted.subject, "Re: Q4 numbers, first pass");
    assert_eq!(drafted.body, "Hi Priya,\n\nThursday works.\n\nMaya");
    assert_eq!(drafted.in_reply_to, "q4-numbers.4");
    assert_eq!(world.found("in:drafts \"thursday works\"").await, [drafted.draft_id.as_str()]);
    assert!(!world.found("thursday works").await.contains(&drafted.draft_id));
    let opened = world.open(&drafted.draft_id).await;
    assert_eq!(opened.body_text, drafted.body);
    assert_eq!(opened.message.thread_id, "q4-numbers");
    assert_eq!(opened.message.sent_at, world.caller.now.timestamp());
    assert_eq!(opened.message.from.address, "maya@lindqvist.example");
}

#[tokio::test]
async fn a_thread_is_answered_where_somebody_else_spoke_last() {
    let world = World::sample().await;
    let drafted = draft(&world, json!({ "thread_id": "heron-margin", "intent": "plated" })).await;
    assert_eq!(drafted.in_reply_to, "heron-margin.2");
    assert_eq!(drafted.to[0].called(), "Priya Nair");
    assert_eq!(drafted.to.len(), 1, "a reply is not a reply to all");
}

#[tokio::test]
async fn a_mail_of_ones_own_is_followed_up_with_those_it_went_to() {
    let world = World::sample().await;
    let args = json!({ "message_id": "heron-margin.1", "intent": "any news?" });
    let drafted = draft(&world, args).await;
    assert_eq!(drafted.to[0].address, "priya.nair@brightloom.example");
    assert_eq!(drafted.body, "Hi Priya,\n\nAny news?\n\nMaya");
}

#[tokio::test]
async fn a_second_try_finds_the_first_draft() {
    let world = World::sample().await;
    let args = json!({ "message_id": "q4-numbers.4", "intent": "yes" });
    let before = world.search("in:drafts").await.total;

    let first = draft(&world, args.clone()).await;
    let second = draft(&world, args).await;
    let another = json!({ "message_id": "q4-numbers.4", "intent": "no" });
    let other = world.call("gmail.draft_reply", another.clone()).await.unwrap_err();
    let next = draft(&world.with_key("next step"), another).await;

    assert_eq!(first, second);
    assert!(matches!(other, ToolError::Refused { .. }), "{other}");
    assert_ne!(next.draft_id, first.draft_id);
    assert_eq!(world.search("in:drafts").await.total, before + 2);
}

#[tokio::test]
async fn somebody_elses_mail_and_thread_cannot_be_answered() {
    let world = World::sample().await;
    let stranger = world.as_user(2);
    for (theirs, nobodys) in [
        (json!({ "message_id": "q4-numbers.4" }), json!({ "message_id": "no-such-mail" })),
        (json!({ "thread_id": "q4-numbers" }), json!({ "thread_id": "no-such-thread" })),
    ] {
        let ask = async |world: &World, mut args: Value| {
            args["intent"] = json!("yes");
            world.call("gmail.draft_reply", args).await.unwrap_err().to_string()
        };
        assert_eq!(ask(&stranger, theirs).await, ask(&world, nobodys).await);
    }
    assert_eq!(stranger.search("in:anywhere").await.total, 0);
    let mixed = json!({ "message_id": "q4-numbers.4", "thread_id": "heron-arm", "intent": "yes" });
    let error = world.call("gmail.draft_reply", mixed).await.unwrap_err();
    assert!(matches!(error, ToolError::NotFound { what: "mail" }));
    let draft = json!({ "message_id": "design-review.2", "intent": "yes" });
    let error = world.call("gmail.draft_reply", draft).await.unwrap_err();
    assert!(matches!(error, ToolError::NotFound { what: "mail" }), "a draft is not answered");
}

#[tokio::test]
async fn a_hostile_mail_is_answered_with_a_harmless_draft() {
    let mut odd = mail("odd", "2026-11-10T08:00:00Z");
    odd.subject = "Re: re: Hi\r\nBcc: eve@evil.example\u{202e}".to_owned();
    odd.from = person("Eve\r\nBcc: x\u{202e}", "eve@evil.example");
    let world = World::empty().with_mails(vec![odd]).await;
    let drafted = draft(&world, json!({ "message_id": "odd", "intent": "no" })).await;
    assert_eq!(drafted.subject, "Re: Hi Bcc: eve@evil.example");
    assert_eq!(drafted.to, [person("Eve Bcc: x", "eve@evil.example")]);
    assert!(drafted.body.starts_with("Hi Eve,\n\nNo."));
}

#[tokio::test]
async fn a_mail_that_is_not_to_go_out_is_kept_as_it_was_shown() {
    let world = World::sample().await;
    let tool = world.catalog.get("gmail.send").unwrap().clone();
    let writer = tool.writer().unwrap();
    let before = world.search("in:drafts").await.total;
    let new = json!({
        "from": "maya@lindqvist.example", "to": ["tom@okafor.example"],
        "cc": ["ana.ruiz@brightloom.example"], "subject": "Prints", "body": "They are ready.",
    });

    assert!(writer.keep(&new, &world.caller).await.unwrap());
    assert!(writer.keep(&new, &world.caller).await.unwrap());

    let kept = world.found("in:drafts subject:prints").await;
    assert_eq!((kept.len(), world.search("in:drafts").await.total), (1, before + 1));
    let opened = world.open(&kept[0]).await;
    assert_eq!(opened.body_text, "They are ready.");
    assert_eq!(opened.message.to, [person("Tom Okafor", "tom@okafor.example")]);
    assert_eq!(opened.message.cc[0].address, "ana.ruiz@brightloom.example");
    assert!(world.found("in:sent subject:prints").await.is_empty());
}

#[tokio::test]
async fn a_draft_that_was_changed_on_the_card_changes_with_it() {
    let world = World::sample().await;
    let drafted =
        draft(&world, json!({ "message_id": "q4-numbers.4", "intent": "thursday works" })).await;
    let total = world.search("in:drafts").await.total;
    let tool = world.catalog.get("gmail.send").unwrap().clone();
    let caller = tools::Caller { idempotency_key: "another".into(), ..world.caller.clone() };
    let shown = json!({
        "from": "maya@lindqvist.example", "to": ["priya.nair@brightloom.example"], "cc": [],
        "subject": drafted.subject, "body": "Friday works.", "thread_id": "q4-numbers",
        "in_reply_to": "q4-numbers.4", "draft_id": drafted.draft_id,
    });

    assert!(tool.writer().unwrap().keep(&shown, &caller).await.unwrap());

    let opened = world.open(&drafted.draft_id).await;
    assert_eq!(opened.body_text, "Friday works.");
    assert_eq!(opened.message.thread_id, "q4-numbers");
    assert_eq!(world.search("in:drafts").await.total, total);
}
