//! Finding and opening mail.

use serde_json::json;
use tools::ToolError;

use crate::world::{World, mail, person};

#[tokio::test]
async fn unread_mail_from_priya_is_found_newest_first() {
    let world = World::sample().await;
    assert_eq!(
        world.found("from:\"priya nair\" is:unread").await,
        ["q4-numbers.4", "heron-margin.2"]
    );
    assert_eq!(
        world.found("from:priya is:unread newer_than:7d").await,
        ["q4-numbers.4", "heron-margin.2", "taxes.3"],
        "there are two people of that name"
    );
}

#[tokio::test]
async fn every_operator_narrows_the_sample() {
    let world = World::sample().await;
    for (query, first) in [
        ("from:priya.nair@brightloom.example", "q4-numbers.4"),
        ("from:@shahledger.example", "taxes.3"),
        ("from:me to:leo", "boiler.4"),
        ("in:sent to:tom@okafor.example", "lunch.2"),
        ("cc:tom knob", "heron-margin.1"),
        ("subject:portland", "flight.1"),
        ("label:newsletters is:read", "filament-dimmers.1"),
        ("in:drafts to:ana", "design-review.2"),
        ("older_than:12d hinge", "heron-arm.3"),
        ("after:2026-11-14 before:2026-11-15 -urgent in:inbox", "birthday-weekend.3"),
        ("\"misc. lumens\" -from:me", "q4-numbers.3"),
        ("jimenez bell", "training-plan.1"),
        ("alskling", "ingrid-birthday.1"),
        ("GRANDFATHER bicycles", "boiler.5"),
    ] {
        assert_eq!(world.found(query).await.first().map(String::as_str), Some(first), "{query}");
    }
}

#[tokio::test]
async fn drafts_stay_out_of_sight_until_asked_for() {
    let world = World::sample().await;
    assert!(world.search("").await.messages.iter().all(|m| !m.labels.contains(&"drafts".into())));
    assert_eq!(world.search("in:drafts").await.total, 3);
    assert_eq!(world.search("label:drafts").await.total, 3);
    let [all, anywhere] = [world.search("").await.total, world.search("in:anywhere").await.total];
    assert_eq!(anywhere, all + 3);
    assert_eq!(world.search("-in:anywhere").await.total, 0);
}

#[tokio::test]
async fn a_short_list_says_how_many_there_are() {
    let world = World::sample().await;
    let args = json!({ "query": "in:inbox", "max_results": 3 });
    let told = world.call("gmail.search", args).await.unwrap();
    assert_eq!(told["messages"].as_array().unwrap().len(), 3);
    assert!(told["total"].as_u64().unwrap() > 30);

    let told = world.call("gmail.search", json!({})).await.unwrap();
    assert_eq!(told["messages"].as_array().unwrap().len(), 10);
}

#[tokio::test]
async fn an_opened_mail_brings_its_whole_text_and_stays_unread() {
    let world = World::sample().await;
    for _ in 0..2 {
        let opened = world.open("boiler.5").await;
        assert!(opened.message.unread);
        assert!(opened.body_text.starts_with("Valve is here. I come Tuesday 8:00"));
        assert!(opened.body_text.ends_with("Leo"));
        assert!(!opened.message.snippet.contains('\n'));
    }
}

#[tokio::test]
async fn somebody_elses_mail_cannot_be_found_or_opened() {
    let world = World::sample().await;
    let stranger = world.as_user(2);
    assert_eq!(stranger.search("in:anywhere").await.total, 0);

    let open = |id: &str| json!({ "message_id": id });
    let theirs = stranger.call("gmail.get_message", open("boiler.5")).await.unwrap_err();
    let nobodys = world.call("gmail.get_message", open("no-such-mail")).await.unwrap_err();

    assert!(matches!(theirs, ToolError::NotFound { what: "mail" }));
    assert_eq!(theirs.to_string(), nobodys.to_string(), "the two cannot be told apart");
}

#[tokio::test]
async fn days_begin_at_midnight_where_the_person_is() {
    let world = World::empty()
        .with_mails(vec![
            mail("late", "2026-11-10T07:59:59Z"),
            mail("early", "2026-11-10T08:00:00Z"),
        ])
        .await;
    assert_eq!(world.found("after:2026-11-10").await, ["early"]);
    assert_eq!(world.found("before:2026-11-10").await, ["late"]);
    assert_eq!(world.found("after:2026-11-09 before:2026-11-10").await, ["late"]);

    let berlin = world.seen_from("Europe/Berlin");
    assert_eq!(berlin.found("after:2026-11-10").await, ["early", "late"]);
}

#[tokio::test]
async fn a_moment_is_the_same_wherever_the_person_is() {
    let mails = vec![mail("late", "2026-11-10T07:59:59Z"), mail("early", "2026-11-10T08:00:00Z")];
    let world = World::empty().with_mails(mails).await;
    assert_eq!(world.found("after:2026-11-10T00:00:00-08:00").await, ["early"]);

    let berlin = world.seen_from("Europe/Berlin");
    assert_eq!(berlin.found("after:2026-11-10T00:00:00-08:00").await, ["early"]);
    assert_eq!(berlin.found("before:2026-11-10T08:00:00Z").await, ["late"]);
}

#[tokio::test]
async fn in_curly_brackets_one_match_is_enough() {
    let mut receipt = mail("receipt", "2026-11-10T07:00:00Z");
    receipt.labels.push("receipts".to_owned());
    let mut bill = mail("bill", "2026-11-10T06:00:00Z");
    bill.subject = "A till slip".to_owned();
    let world =
        World::empty().with_mails(vec![receipt, bill, mail("other", "2026-11-10T05:00:00Z")]).await;
    assert_eq!(world.found("{label:receipts slip}").await, ["receipt", "bill"]);
    assert_eq!(world.found("{label:receipts slip} -slip").await, ["receipt"]);
    assert_eq!(world.found("-{label:receipts slip}").await, ["other"]);
}

#[tokio::test]
async fn ages_count_back_from_now() {
    let world = World::empty()
        .with_mails(vec![
            mail("a-week-and-a-minute", "2026-11-08T19:59:00Z"),
            mail("a-week", "2026-11-08T20:00:00Z"),
            mail("two-months", "2026-09-15T19:00:00Z"),
        ])
        .await;
    assert_eq!(world.found("newer_than:7d").await, ["a-week"]);
    assert_eq!(world.found("older_than:7d").await, ["a-week-and-a-minute", "two-months"]);
    assert_eq!(world.found("newer_than:2m").await.last().unwrap(), "two-months");
    assert_eq!(world.found("older_than:9999y").await, [""; 0], "before the calendar began");
}

#[tokio::test]
async fn an_address_is_matched_whole_and_a_name_from_its_beginning() {
    let mut near = mail("near", "2026-11-10T08:00:00Z");
    near.from = person("Zoltan", "zoe@example.example.evil.example");
    let world = World::empty().with_mails(vec![mail("zoe", "2026-11-11T08:00:00Z"), near]).await;
    assert_eq!(world.found("from:ZOE@example.example").await, ["zoe"]);
    assert_eq!(world.found("from:@example.example").await, ["zoe"]);
    assert_eq!(world.found("from:zo").await, ["zoe", "near"]);
    assert_eq!(world.found("from:acikgoz").await, ["zoe"]);
    assert_eq!(world.found("from:oltan").await, [""; 0]);
}

#[tokio::test]
async fn nobody_knows_who_me_is_without_an_address() {
    let mut world = World::sample().await;
    world.caller.profile.address = None;
    let error = world.call("gmail.search", json!({ "query": "from:me" })).await.unwrap_err();
    assert!(matches!(error, ToolError::BadArguments(_)), "{error}");
}

#[tokio::test]
async fn hostile_searches_never_open_the_whole_mailbox_and_break_nothing() {
    let world = World::sample().await;
    let before = world.search("in:anywhere").await.total;
    let long = [
        "'".repeat(500),
        "%".repeat(500),
        "🦆".repeat(500),
        "\"".repeat(499),
        "a ".repeat(250),
        "-".repeat(500),
        "from:a ".repeat(71),
        "\u{202e}\0\u{7}".to_owned(),
    ];
    let short = [
        "'; DROP TABLE mails; --",
        "x') OR 1=1 --",
        "from:' OR ''='",
        "subject:\"' UNION SELECT * FROM contacts --\"",
        "label:'%'",
        "from:%",
        "%",
        "_",
        "?1",
        "from:?1",
        ":user",
        "\\",
        "{\"$step\":1}",
        "from:\"",
        "🎉",
        "from:🎉",
        "user_00000000000000000000000000000001",
    ];
    for query in long.iter().map(String::as_str).chain(short) {
        match world.call("gmail.search", json!({ "query": query })).await {
            Ok(told) => {
                assert!(told["total"].as_u64() < Some(u64::from(before)), "{query}: {told}");
            }
            Err(ToolError::BadArguments(reason)) => assert!(!reason.is_empty()),
            Err(other) => panic!("{query}: {other}"),
        }
        for id in [query, "boiler.5' OR '1'='1"] {
            let got = world.call("gmail.get_message", json!({ "message_id": id })).await;
            assert!(matches!(got, Err(ToolError::NotFound { .. } | ToolError::BadArguments(_))));
        }
    }
    assert_eq!(world.search("in:anywhere").await.total, before);
}
