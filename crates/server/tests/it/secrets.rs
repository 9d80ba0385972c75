//! Keys, tokens, tickets and mail stand in no log, no refusal and no file in plain.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::Client;
use crate::doors::{asking, key, ticket};
use crate::house::{House, run, run_with};
use crate::http::{Answer, request, upgrade};
use crate::say_so::PRIYA;
use crate::tokens::Login;

/// As much as there is to log.
const EVERYTHING: [(&str, &str); 2] = [("SAYSO_LOG", "trace"), ("SAYSO_LOG_FORMAT", "json")];
const CANARY: &str = "zanzibarquokka";

/// Shows a secret in every way there is, right and wrong; gives back what was answered.
fn show_everywhere(house: &House, secret: &str) -> Vec<Answer> {
    let bearer = format!("Bearer {secret}");
    let (basic, lower) = (format!("Basic {secret}"), format!("bearer {secret}"));
    let protocol = format!("sayso.bearer.{secret}");
    let both = format!("sayso.v1,{protocol}");
    let mut answers = Vec::new();
    for shown in [&bearer, &basic, &lower] {
        for (method, path) in [
            ("GET", "/chat/profile"),
            ("GET", "/metrics"),
            ("POST", "/chat/confirm"),
            ("POST", "/tools/run"),
            ("DELETE", "/chat/profile"),
            ("GET", "/nothing"),
        ] {
            answers.push(request(house, method, path, &[("Authorization", shown)], "{"));
        }
    }
    for (name, value) in [("Sec-WebSocket-Protocol", &protocol), ("Cookie", &bearer)] {
        answers.push(upgrade(house, "/chat/stream?session_id=x", &[(name, value)]));
    }
    let foreign = [("Sec-WebSocket-Protocol", both.as_str()), ("Origin", "https://evil.example")];
    answers.push(upgrade(house, "/chat/stream", &foreign));
    for query in ["ticket", "session_token", "session_id", "last_seq", "key"] {
        let path = format!("/chat/stream?{query}={secret}&session_id=x");
        answers.push(upgrade(house, &path, &[]));
        answers.push(request(house, "GET", &path, &[], ""));
    }
    answers.push(request(house, "GET", &format!("/chat/profile?key={secret}"), &[], ""));
    answers
}

fn assert_hidden(place: &str, text: &[u8], secret: &str) {
    let found = text.windows(secret.len()).any(|part| part == secret.as_bytes());
    assert!(!found, "{place} shows a secret");
}

/// Everything in a folder, and in the folders in it.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: std::path::PathBuf| {
        if path.is_dir() {
            return files(&path);
        }
        vec![(path.display().to_string(), std::fs::read(&path).unwrap())]
    };
    entries.flat_map(of).collect()
}

#[test]
fn keys_and_tickets_are_nowhere_in_plain() {
    let env = [EVERYTHING[0], EVERYTHING[1], ("SAYSO_AUTH_FAILURES_PER_MINUTE", "0")];
    let (house, ana, ben) = asking(&env);
    let used = ticket(&house, &ana);
    Client::showing(&house, &format!("?ticket={used}"), &[]).0.turn("hello");
    Client::showing(&house, &format!("?session_token={}", ana.secret), &[]).0.turn("hello");
    let revoked = key(&house.data(), "ana", &[]);
    run(&["keys", "revoke", &revoked.id, "--data", &house.data()]);
    let secrets = [
        ana.secret,
        ben.secret,
        revoked.secret,
        used,
        format!("sayso_key_{CANARY}"),
        format!("sayso_ticket_{CANARY}"),
    ];

    for secret in &secrets {
        for answer in show_everywhere(&house, secret) {
            assert_hidden("a refusal", answer.body.as_bytes(), secret);
            assert_hidden("a header", format!("{:?}", answer.headers).as_bytes(), secret);
        }
        for args in [
            &["say", "--server", "http://127.0.0.1:1", "--key", secret, "hello"][..],
            &["profile", "--server", &house.url(), "--key", secret],
            &["say", "--server", &house.url(), "--key", secret, "hello"],
            &["doctor", "--data", &house.data()],
            &["keys", "list", "--data", &house.data()],
            &["audit", "--data", &house.data()],
        ] {
            let ran = run_with(args, &[("SAYSO_KEY", secret)], "");
            assert_hidden(args[0], format!("{}{}", ran.out, ran.err).as_bytes(), secret);
        }
    }
    let log = house.log();
    assert!(log.contains("\"turn\""), "there is a log to look at");
    for secret in &secrets {
        assert_hidden("the log", log.as_bytes(), secret);
        for (file, bytes) in files(Path::new(&house.data())) {
            assert_hidden(&file, &bytes, secret);
        }
    }
}

#[test]
fn tokens_are_nowhere_in_plain() {
    let (login, house) = Login::and_house(&EVERYTHING);
    let good = login.token(CANARY, 600);
    let bearer = format!("Bearer {good}");
    Client::showing(&house, "", &[("Authorization", &bearer)]).0.turn("hello");
    let forged = format!("{}x", login.token("ana", 600));

    for token in [&good, &forged] {
        let signature = token.rsplit_once('.').unwrap().1;
        for answer in show_everywhere(&house, token) {
            assert_hidden("a refusal", answer.body.as_bytes(), signature);
        }
        assert_hidden("the log", house.log().as_bytes(), signature);
        for (file, bytes) in files(Path::new(&house.data())) {
            assert_hidden(&file, &bytes, signature);
        }
    }
    // Who they are at their login is nobody's business here either.
    assert_hidden("the log", house.log().as_bytes(), CANARY);
    for (file, bytes) in files(Path::new(&house.data())) {
        assert_hidden(&file, &bytes, CANARY);
    }
}

#[test]
fn what_a_mail_says_is_in_no_log_and_no_refusal() {
    let (house, ana, ben) = asking(&EVERYTHING);
    let post = |path: &str, bearer: &str, body: &Value| {
        request(&house, "POST", path, &[("Authorization", bearer)], &body.to_string())
    };
    let args = json!({ "to": [PRIYA], "subject": CANARY, "body": format!("Dear {CANARY}") });
    let wanted = json!({ "tool_name": "gmail.send", "args": args });
    let asked = post("/tools/run", &ana.bearer(), &wanted);
    assert_eq!(asked.status, 202, "{}", asked.body);
    let card = asked.json();
    let answer = json!({
        "session_id": card["session_id"],
        "confirmation_request_id": card["confirmation_request_id"],
        "decision": "edit",
        "edited_payload": { "subject": CANARY, "nonsense": CANARY },
    });
    let mut wrong = wanted.clone();
    wrong["session_id"] = card["session_id"].clone();
    let mut unreadable = wanted.clone();
    unreadable["args"]["to"] = json!({ "zanzibar": CANARY });

    let refusals = [
        post("/chat/confirm", &ben.bearer(), &answer),
        post("/tools/run", &ben.bearer(), &wrong),
        post("/tools/run", "Bearer wrong", &wanted),
        post("/tools/run", &ana.bearer(), &unreadable),
        post("/chat/confirm", &ana.bearer(), &wanted),
    ];

    for refusal in refusals {
        assert!(refusal.status >= 400, "{}", refusal.body);
        assert_hidden(&refusal.body, refusal.body.as_bytes(), CANARY);
    }
    assert_hidden("the log", house.log().as_bytes(), CANARY);
}
