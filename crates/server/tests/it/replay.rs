//! A conversation told from its record, and what is on record of one use of a tool.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::event::kind;
use crate::house::{House, run};
use crate::http::get;
use crate::say_so::{post, response, until};

/// A mail that was agreed to, and the session and chat it was agreed to in.
fn sent(house: &House) -> (String, String) {
    let begun = post(house, "/chat/session/start", &json!({})).json();
    let text = |name: &str| begun[name].as_str().unwrap().to_owned();
    let (session, thread) = (text("session_id"), text("thread_id"));
    let mut client = Client::back(house, &session);
    client.say("email Tom saying see you at nine");
    let shown = until(&mut client, "confirmation.request");
    let id = &shown.last().unwrap()["payload"]["confirmation_request_id"];
    client.send(&response(id.as_str().unwrap(), "accept", json!({ "revision": 1 })));
    client.until("the end", |event| kind(event) == "turn.end");
    (session, thread)
}

fn assert_tells_it(told: &str) {
    for part in [
        "you       “email Tom saying see you at nine”",
        "backend_orchestrated, because any_write",
        "gmail.send",
        "write: needs a yes",
        "from the contacts",
        "ruled: asks, and a plain yes is enough",
        "accept to revision 1",
        "ended     success",
    ] {
        assert!(told.contains(part), "\"{part}\" is not in:\n{told}");
    }
}

#[test]
fn a_conversation_is_told_from_the_data_folder_without_a_server() {
    let mut house = House::open();
    let (session, _) = sent(&house);
    assert!(house.stop().success());

    let ran = run(&["replay", &session, "--data", &house.data()]);

    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_tells_it(&ran.out);
    for part in [
        "plan      1 done",
        "confirmed",
        "tried 1 times",
        "audit     #",
        "accepted gmail.send",
        "first word",
    ] {
        assert!(ran.out.contains(part), "\"{part}\" is not in:\n{}", ran.out);
    }

    let record = run(&["replay", &session, "--json", "--data", &house.data()]);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("record.jsonl");
    std::fs::write(&file, &record.out).unwrap();
    let again = run(&["replay", file.to_str().unwrap()]);
    assert_eq!(again.out, ran.out, "the record says all there is to say");
}

#[test]
fn a_conversation_is_told_from_what_was_exported_of_its_chat() {
    let house = House::open();
    let (_, thread) = sent(&house);
    let exported = get(&house, &format!("/chat/threads/{thread}/export?format=jsonl"));
    assert_eq!(exported.headers["content-type"], "application/x-ndjson");
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("chat.jsonl");
    std::fs::write(&file, &exported.body).unwrap();

    let ran = run(&["replay", file.to_str().unwrap()]);

    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_tells_it(&ran.out);
}

#[test]
fn what_is_no_record_is_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("chat.jsonl");
    let path = file.to_str().unwrap();
    for (text, told) in
        [("hello", "line 1"), ("", "nothing to tell"), ("{\"x\":1}", "x is not known")]
    {
        std::fs::write(&file, text).unwrap();
        let ran = run(&["replay", path]);
        assert!(ran.code == 1 && ran.err.contains(told), "{text}: {}", ran.err);
    }
    let ran = run(&["replay", "nonsense"]);
    assert!(ran.err.contains("neither the id of a session nor a file"), "{}", ran.err);
}

#[test]
fn the_log_of_a_session_and_of_a_call_says_what_happened_and_no_words() {
    let house = House::open();
    let (session, _) = sent(&house);

    let whole = run(&["logs", "--session", &session, "--data", &house.data()]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    for part in
        ["turn.start", "confirmation.request", "write   gmail.send confirmed", "audit   accepted"]
    {
        assert!(whole.out.contains(part), "\"{part}\" is not in:\n{}", whole.out);
    }
    assert!(!whole.out.contains("see you at nine"), "{}", whole.out);

    let lines = run(&["logs", "--session", &session, "--json", "--data", &house.data()]).out;
    assert!(!lines.contains("see you at nine"), "{lines}");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let runs: Vec<_> = lines.iter().filter(|line| line["tool_run"].is_object()).collect();
    let run_of = |tool: &str| {
        let found = runs.iter().find(|line| line["tool_run"]["tool"] == tool);
        found.unwrap()["tool_run"]["call"].as_str().unwrap().to_owned()
    };
    let call = run_of("gmail.send");
    let one = run(&["logs", "--call", &call, "--data", &house.data()]);
    assert_eq!(one.code, 0, "{}", one.err);
    assert!(
        one.out.contains("tool_call.request") && one.out.contains("audit   confirmed"),
        "{}",
        one.out
    );
    assert!(!one.out.contains("turn.start"), "{}", one.out);
    let none =
        run(&["logs", "--call", "call_00000000000000000000000000000009", "--data", &house.data()]);
    assert!(none.code == 1 && none.err.contains("no tool was used"), "{}", none.err);
}
