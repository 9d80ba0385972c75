//! What somebody asked to be remembered, for programs and on the command line.

use serde_json::{Value, json};

use crate::house::{House, run};
use crate::http::{get, request};
use crate::say_so::post;

fn found(house: &House, context: &str) -> Value {
    let path = format!("/memory/retrieve?context={context}");
    let answer = get(house, &path);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

/// Says yes to the card of an answer.
fn agree(house: &House, asked: &Value) {
    let yes = json!({
        "session_id": asked["session_id"],
        "confirmation_request_id": asked["confirmation_request_id"],
        "revision": asked["revision"],
        "decision": "accept",
    });
    assert_eq!(post(house, "/chat/confirm", &yes).status, 200);
}

/// Until what is found has so many memories; a yes is carried out a moment later.
fn until_found(house: &House, context: &str, memories: usize) -> Value {
    loop {
        let found = found(house, context);
        if found["memories"].as_array().unwrap().len() == memories {
            return found;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_program_can_ask_for_something_to_be_kept_and_it_is_after_a_yes() {
    let house = House::open();
    let asked = post(&house, "/memory/write", &json!({ "memory": "Tom is allergic to nuts" }));
    assert_eq!(asked.status, 202, "{}", asked.body);
    assert_eq!(found(&house, "")["total"], 0);

    agree(&house, &asked.json());

    let kept = until_found(&house, "nuts", 1);
    let memory = &kept["memories"][0];
    assert_eq!(memory["text"], "Tom is allergic to nuts");
    assert_eq!(memory["source"]["session_id"], asked.json()["session_id"]);

    let shown = run(&["memory", "search", "nuts", "--server", &house.url()]);
    assert!(shown.out.contains("Tom is allergic to nuts  (you told me, "), "{shown:?}");

    let path = format!("/memory/{}", memory["memory_id"].as_str().unwrap());
    let asked = request(&house, "DELETE", &path, &[], "");
    assert_eq!(asked.status, 202, "{}", asked.body);
    agree(&house, &asked.json());
    until_found(&house, "nuts", 0);
    assert_eq!(request(&house, "DELETE", &path, &[], "").status, 404);
}

#[test]
fn all_memories_are_given_out_one_a_line_oldest_first() {
    let house = House::open();
    let nothing = get(&house, "/memory/export");
    assert_eq!((nothing.status, nothing.body.as_str()), (200, ""));
    let told = ["Tom is allergic to nuts", "The locker code is 4415,\nsince May", "I like tea"];
    for (memory, kept) in told.iter().zip(1..) {
        let asked = post(&house, "/memory/write", &json!({ "memory": memory }));
        agree(&house, &asked.json());
        until_found(&house, "", kept);
    }

    let all = get(&house, "/memory/export");

    assert_eq!(all.headers["content-type"], "application/x-ndjson");
    assert!(all.headers["content-disposition"].contains("memories.jsonl"));
    let lines: Vec<Value> =
        all.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let texts: Vec<&str> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(texts, told);
    let mut newest_first = found(&house, "")["memories"].as_array().unwrap().clone();
    newest_first.reverse();
    assert_eq!(lines, newest_first, "what is exported is what is found");
}

#[test]
fn what_cannot_be_asked_for_is_told_why() {
    let house = House::open();
    for path in ["/memory/retrieve?max_results=0", "/memory/retrieve?max_results=x"] {
        let answer = get(&house, path);
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!("bad_query")));
    }
    let empty = post(&house, "/memory/write", &json!({ "memory": " " }));
    assert_eq!((empty.status, &empty.json()["error"]["code"]), (422, &json!("bad_arguments")));
}
