//! What operators see: figures of a while, one turn in slow motion, the audit. Never a
//! word that somebody wrote.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::client::Client;
use crate::doors::{asking, get_as, key};
use crate::event::assert_succeeded;
use crate::house::House;
use crate::http::get;
use crate::say_so::{ask, assert_sent_once, confirm};

const OPERATORS: [&str; 5] = [
    "/control/summary",
    "/control/turns/turn_00000000000000000000000000000001",
    "/control/audit",
    "/control/audit/verify",
    "/control/audit/export",
];

/// Two look-ups, a mail that went out and one that did not.
fn with_a_past() -> House {
    let house = House::open();
    let mut client = Client::new(&house);
    for _ in 0..2 {
        assert_succeeded(&client.turn("What meetings do I have tomorrow?"));
    }
    let card = ask(&house, "Secret subject");
    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 1 })).status, 200);
    assert_sent_once(&house, "Secret subject");
    confirm(&house, &ask(&house, "Declined"), "reject", json!({}));
    house
}

fn summary(house: &House, query: &str) -> Value {
    let answer = get(house, &format!("/control/summary{query}"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

#[test]
fn a_house_in_which_nothing_happened_has_no_figures() {
    let house = House::open();

    let told = summary(&house, "");

    assert_eq!(
        (&told["window"], &told["began"], &told["one_in"]),
        (&json!("1h"), &json!(0), &json!(1))
    );
    assert_eq!(told["latency"], json!({}));
    assert_eq!(told["over_time"].as_array().unwrap().len(), 60);
    assert_eq!((&told["tools"], &told["slowest"]), (&json!([]), &json!([])));
    for absent in ["fallback", "drift", "confirmations"] {
        assert!(told.get(absent).is_none(), "{absent}: {told}");
    }
    assert_eq!(told["health"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn turns_tools_and_cards_are_counted_and_no_word_is_told() {
    let house = with_a_past();

    for window in ["15m", "1h", "24h", "7d"] {
        let told = summary(&house, &format!("?window={window}"));

        assert_eq!(told["window"], window);
        assert!(told["began"].as_u64().unwrap() >= 4, "{told}");
        let counts = told["over_time"].as_array().unwrap().iter();
        let counted: u64 = counts.map(|point| point["turns"].as_u64().unwrap()).sum();
        assert_eq!(Some(counted), told["began"].as_u64(), "{told}");
        assert!(told["latency"]["first_token"]["count"].as_u64().unwrap() >= 2, "{told}");
        assert!(told["latency"].get("first_audio").is_none(), "nobody listened");
        let cards = &told["confirmations"];
        assert_eq!(
            (&cards["requested"], &cards["accepted"], &cards["rejected"]),
            (&json!(2), &json!(1), &json!(1))
        );
        assert_eq!(cards["by_channel"], json!({ "api": 2 }));
        let tools = told["tools"].as_array().unwrap();
        let send = tools.iter().find(|tool| tool["tool_name"] == "gmail.send").unwrap();
        assert_eq!(
            (&send["action_level"], &send["calls"], &send["retries"], &send["failed_permille"]),
            (&json!("write"), &json!(1), &json!(0), &json!(0))
        );
        let text = told.to_string();
        assert!(!text.contains("Secret") && !text.contains("priya"), "{text}");
    }
    let sent = summary(&house, "?tool=gmail.send");
    assert_eq!((&sent["began"], &sent["confirmations"]["requested"]), (&json!(2), &json!(2)));
    assert_eq!(sent["tools"].as_array().unwrap().len(), 1, "{sent}");
    let looked = summary(&house, "?tool=calendar.list_events");
    assert_eq!((&looked["began"], looked.get("confirmations")), (&json!(2), None), "{looked}");
    let spoken = summary(&house, "?input=voice");
    assert_eq!((&spoken["began"], &spoken["slowest"]), (&json!(0), &json!([])));
}

#[test]
fn a_turn_opens_in_slow_motion() {
    let house = with_a_past();
    let lines = get(&house, "/control/audit?what=confirmed").json();
    let turn = lines["lines"][0]["turn"].as_str().unwrap().to_owned();

    let told = get(&house, &format!("/control/turns/{turn}")).json();

    assert_eq!((&told["turn_id"], &told["outcome"]), (&json!(turn), &json!("success")));
    assert_eq!(told["models"], json!([]), "the rules answered: {told}");
    let kinds: Vec<_> =
        told["spans"].as_array().unwrap().iter().map(|span| &span["kind"]).collect();
    assert_eq!(kinds, ["understand", "confirm", "write"], "{told}");
    let (card, write) = (&told["spans"][1], &told["spans"][2]);
    assert_eq!((&card["state"], &card["channel"]), (&json!("accepted"), &json!("api")));
    assert_eq!((&write["state"], &write["attempts"]), (&json!("confirmed"), &json!(1)));
    assert!(write["start_us"].as_u64() >= card["end_us"].as_u64(), "{told}");
    assert!(!told.to_string().contains("Secret"), "{told}");
    for nobodys in [turn.replace("turn_", "turn_f").as_str(), "nonsense", "turn_"] {
        let digits = nobodys.get(..37).unwrap_or(nobodys);
        get(&house, &format!("/control/turns/{digits}")).assert_problem(404, "unknown_turn");
    }
}

#[test]
fn the_audit_is_read_page_by_page_from_its_end_and_by_what_it_is_about() {
    let house = with_a_past();
    let mut numbers = Vec::new();
    let mut query = "?limit=2".to_owned();
    loop {
        let page = get(&house, &format!("/control/audit{query}")).json();
        let lines = page["lines"].as_array().unwrap();
        numbers.extend(lines.iter().map(|line| line["number"].as_u64().unwrap()));
        let Some(next) = page["next"].as_u64() else { break };
        query = format!("?limit=2&before={next}");
    }

    let newest = numbers[0];
    assert_eq!(numbers, (1..=newest).rev().collect::<Vec<_>>());
    let sent = get(&house, "/control/audit?what=confirmed&tool=gmail.send").json();
    let sent = sent["lines"].as_array().unwrap();
    assert_eq!(sent.len(), 1);
    let card = sent[0]["confirmation"].as_str().unwrap();
    let story = get(&house, &format!("/control/audit?confirmation={card}")).json();
    let whats: Vec<_> =
        story["lines"].as_array().unwrap().iter().map(|line| &line["what"]).collect();
    assert_eq!(whats, ["confirmed", "dispatching", "accepted", "asked"]);
    for bad in ["?limit=0", "?before=x", "?session=x", "?window=1h", "?what=a&what=b"] {
        get(&house, &format!("/control/audit{bad}")).assert_problem(400, "bad_query");
    }
}

#[test]
fn the_chain_is_checked_and_a_touched_line_is_named() {
    let mut house = with_a_past();
    let whole = get(&house, "/control/audit/verify").json();
    assert_eq!((&whole["whole"], &whole["lines"]), (&json!(true), &whole["of"]), "{whole}");
    let on = format!("?after={}&hash={}", whole["lines"], whole["last_hash"].as_str().unwrap());
    let nothing_more = get(&house, &format!("/control/audit/verify{on}")).json();
    assert_eq!(nothing_more, whole);
    // A line without its seal proves nothing: then all of it is looked at.
    assert_eq!(get(&house, "/control/audit/verify?after=1").json(), whole);
    get(&house, "/control/audit/verify?after=x").assert_problem(400, "bad_query");
    get(&house, "/control/audit/verify?hash=x").assert_problem(400, "bad_query");
    house.stop();
    let file = Connection::open(format!("{}/sayso.db", house.data())).unwrap();
    file.execute_batch(
        "DROP TRIGGER audit_is_never_changed;
         UPDATE audit SET body = replace(body, 'accepted', 'rejected') WHERE number = 2;",
    )
    .unwrap();
    drop(file);
    house.restart();

    let touched = get(&house, "/control/audit/verify").json();

    assert_eq!((&touched["whole"], &touched["lines"]), (&json!(false), &json!(1)), "{touched}");
    assert!(touched["reason"].as_str().unwrap().starts_with("line 2 was changed"), "{touched}");
}

#[test]
fn the_audit_can_be_taken_along_and_no_cell_is_a_formula() {
    let mut house = with_a_past();
    let long = format!("/control/audit/export?tool={}", "x".repeat(201));
    get(&house, &long).assert_problem(400, "bad_query");
    let lines = get(&house, "/control/audit/export");
    assert_eq!(lines.headers["content-type"], "application/x-ndjson");
    let first: Value = serde_json::from_str(lines.body.lines().next().unwrap()).unwrap();
    assert_eq!(first["number"], 1);
    assert!(first["text"].is_string() && first["hash"].is_string(), "{first}");
    house.stop();
    let file = Connection::open(format!("{}/sayso.db", house.data())).unwrap();
    file.execute_batch(
        "DROP TRIGGER audit_is_never_changed;
         UPDATE audit SET body = replace(body, 'gmail.send', '=1+1') WHERE number = 1;",
    )
    .unwrap();
    drop(file);
    house.restart();

    let sheet = get(&house, "/control/audit/export?format=csv");

    assert_eq!(sheet.headers["content-type"], "text/csv; charset=utf-8");
    assert!(sheet.headers["content-disposition"].contains("sayso-audit.csv"));
    let rows: Vec<_> = sheet.body.split("\r\n").collect();
    assert!(rows[0].starts_with("\"number\",\"at\",\"what\""), "{}", rows[0]);
    assert!(rows[1].contains(",\"'=1+1\","), "{}", rows[1]);
    assert!(!sheet.body.contains(",\"="), "{}", sheet.body);
    let some = get(&house, "/control/audit/export?format=csv&what=confirmed").body;
    assert_eq!(some.split("\r\n").filter(|row| !row.is_empty()).count(), 2);
}

#[test]
fn the_chat_is_marked_for_the_inspector_where_the_settings_say_so() {
    let (plain, marked) = (House::open(), House::open_with(&[("SAYSO_UI_INSPECTOR", "1")]));

    let (plain, marked) = (get(&plain, "/"), get(&marked, "/"));

    assert!(plain.body.contains("<html lang=") && !plain.body.contains("data-debug"));
    assert!(marked.body.contains("<html data-debug lang="), "{}", marked.body);
    assert_ne!(plain.headers["etag"], marked.headers["etag"]);
}

#[test]
fn only_an_operator_sees_it() {
    let (house, ana, _) = asking(&[]);
    let operator = key(&house.data(), "ana", &["--operator"]);
    for path in OPERATORS {
        get(&house, path).assert_problem(401, "unauthenticated");
        get_as(&house, path, &ana.bearer()).assert_problem(403, "operators_only");
        let seen = get_as(&house, path, &operator.bearer()).status;
        assert_eq!(seen, if path.contains("turn_") { 404 } else { 200 }, "{path}");
    }
}
