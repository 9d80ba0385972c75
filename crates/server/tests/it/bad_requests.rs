//! Requests over HTTP that are refused, each with a reason.

use crate::house::House;
use crate::http::{get, request, upgrade};

#[test]
fn a_page_from_elsewhere_is_refused() {
    let house = House::open();
    let own = house.url();
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost"] {
        let answer = request(&house, "GET", "/chat/profile", &[("Origin", origin)], "");
        answer.assert_problem(403, "foreign_origin");
    }
    let answer = request(&house, "GET", "/chat/profile", &[("Origin", own.as_str())], "");
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[test]
fn a_page_from_elsewhere_gets_no_socket() {
    let house = House::open();
    let answer = upgrade(&house, "/chat/stream", &[("Origin", "https://evil.example")]);
    answer.assert_problem(403, "foreign_origin");
}

#[test]
fn a_name_that_somebody_pointed_at_this_machine_is_refused() {
    let house = House::open();
    for host in ["rebound.example", "rebound.example:8787", "127.0.0.1.nip.example", ""] {
        let answer = request(&house, "GET", "/", &[("Host", host)], "");
        answer.assert_problem(403, "foreign_origin");
    }
}

#[test]
fn an_unknown_path_is_answered_in_json() {
    let house = House::open();
    for path in ["/nowhere", "/chat", "/chat/stream/x", "/../etc/passwd", "/%2e%2e/%00"] {
        get(&house, path).assert_problem(404, "not_found");
    }
}

#[test]
fn the_stream_without_an_upgrade_is_refused_and_the_server_goes_on() {
    let house = House::open();
    let answer = get(&house, "/chat/stream");
    assert!((400..500).contains(&answer.status), "{} {}", answer.status, answer.body);
    assert_eq!(get(&house, "/healthz").status, 200);
}

#[test]
fn a_profile_that_cannot_be_used_is_refused_and_the_old_one_stays() {
    let house = House::open();
    let before = get(&house, "/chat/profile").json();
    let bad = [
        ("", "not a profile"),
        ("{", "not a profile"),
        ("[]", "not a profile"),
        (r#"[null, null, "UTC"]"#, "not a profile"),
        (r#"{"time_zone":"Europe/Berlin","shoe_size":43}"#, "shoe_size"),
        (r#"{"time_zone":"Mars/Base"}"#, "Mars/Base"),
        (r#"{"time_zone":"UTC","address":"me at home"}"#, "me at home"),
        (r#"{"time_zone":"UTC","default_meeting_minutes":0}"#, "between 5 and 480"),
    ];

    for (body, reason) in bad {
        let answer = request(&house, "PUT", "/chat/profile", &[], body);
        answer.assert_problem(400, "bad_profile");
        assert!(answer.body.contains(reason), "{reason}: {}", answer.body);
    }

    assert_eq!(get(&house, "/chat/profile").json(), before);
}

#[test]
fn a_pace_is_kept_and_one_that_nobody_speaks_is_refused() {
    let house = House::open();

    let set = request(&house, "PUT", "/chat/voice", &[], r#"{"percent":130}"#);
    assert_eq!((set.status, set.json()["percent"].as_u64()), (200, Some(130)));
    let spelled = request(&house, "PUT", "/chat/voice", &[], r#"{"percent":130.0}"#);
    assert_eq!(spelled.status, 200, "{}", spelled.body);
    for body in [r#"{"percent":20}"#, r#"{"percent":400}"#, r#"{"percent":70000}"#] {
        let answer = request(&house, "PUT", "/chat/voice", &[], body);
        answer.assert_problem(400, "bad_voice");
    }

    assert_eq!(get(&house, "/chat/voice").json()["percent"], 130);
}

#[test]
fn a_language_that_nobody_here_understands_is_refused_by_name() {
    let house = House::open();

    let german = request(&house, "PUT", "/chat/voice", &[], r#"{"percent":null,"language":"de"}"#);
    let english = request(&house, "PUT", "/chat/voice", &[], r#"{"percent":null,"language":"en"}"#);

    german.assert_problem(409, "language_not_understood");
    assert!(german.body.contains("only \\\"en\\\""), "{}", german.body);
    assert_eq!((english.status, english.json()["language"].as_str()), (200, Some("en")));
}

#[test]
fn a_profile_that_is_nested_without_end_is_refused() {
    let house = House::open();
    let body = "[".repeat(60_000);
    request(&house, "PUT", "/chat/profile", &[], &body).assert_problem(400, "bad_profile");
    assert_eq!(get(&house, "/healthz").status, 200);
}

#[test]
fn a_profile_of_one_mebibyte_is_refused_as_too_large() {
    let house = House::open();
    let body = format!(r#"{{"time_zone":"UTC","name":"{}"}}"#, "x".repeat(1024 * 1024));

    let answer = request(&house, "PUT", "/chat/profile", &[], &body);

    assert_eq!(answer.status, 413, "{}", answer.body);
    assert_eq!(get(&house, "/healthz").status, 200);
}

#[test]
fn a_method_that_means_nothing_here_is_refused() {
    let house = House::open();
    let answer = request(&house, "DELETE", "/chat/profile", &[], "");
    assert_eq!(answer.status, 405, "{}", answer.body);
}

#[test]
fn every_refusal_is_told_in_json() {
    let house = House::open();
    let huge = "x".repeat(1024 * 1024);

    let refusals = [
        request(&house, "DELETE", "/chat/profile", &[], ""),
        request(&house, "PUT", "/chat/profile", &[], &huge),
        get(&house, "/chat/stream"),
        upgrade(&house, "/chat/stream?session_id=a&session_id=b", &[]),
    ];

    let told = |refusal: &crate::http::Answer| {
        let problem: Option<serde_json::Value> = serde_json::from_str(&refusal.body).ok();
        problem.is_some_and(|problem| problem["error"]["message"].is_string())
    };
    let untold: Vec<_> =
        refusals.iter().filter(|refusal| !told(refusal)).map(|refusal| refusal.status).collect();
    assert_eq!(untold, Vec::<u16>::new(), "these have no reason in JSON");
}
