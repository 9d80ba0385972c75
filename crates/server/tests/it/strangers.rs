//! Ids that are somebody else's, made up, broken, or of another kind: all alike,
//! all on record, and nothing done.

use serde_json::{Value, json};

use crate::client::Client;
use crate::event::{kind, one};
use crate::house::House;
use crate::say_so::{
    Asked, ask, assert_not_sent, assert_sent_once, confirm, post, refusals, response, until,
};

/// Every way in which an id can be wrong, for somebody in `mine` who wants `theirs`.
fn wrong_ids(mine: &Asked, theirs: &Asked) -> Vec<String> {
    vec![
        theirs.id.clone(),
        format!("cr_{}", "0".repeat(32)),
        format!("cr_{}", "f".repeat(32)),
        mine.session.clone(),
        theirs.session.clone(),
        mine.id.replace("cr_", "act_"),
        mine.id.replace("cr_", "turn_"),
        mine.id.to_uppercase(),
        format!(" {}", mine.id),
        mine.id[..20].to_owned(),
        "' OR 1=1 --".to_owned(),
        "../../cr".to_owned(),
        "cr_\u{0}".to_owned(),
        "x".repeat(10_000),
        String::new(),
    ]
}

#[test]
fn over_http_every_wrong_id_is_answered_with_the_same_bytes() {
    let house = House::open();
    let (mine, theirs) = (ask(&house, "Mine"), ask(&house, "Theirs"));
    let mut bodies = Vec::new();
    for decision in ["accept", "reject", "edit"] {
        for id in wrong_ids(&mine, &theirs) {
            let card = Asked { session: mine.session.clone(), id, subject: String::new() };
            let more = json!({ "revision": 1, "edited_payload": { "subject": "Taken over" } });
            bodies.push(confirm(&house, &card, decision, more));
        }
        // The id is right and the session is not.
        for session in [
            theirs.session.clone(),
            format!("sess_{}", "0".repeat(32)),
            "nonsense".into(),
            String::new(),
        ] {
            let card = Asked { session, id: mine.id.clone(), subject: String::new() };
            bodies.push(confirm(&house, &card, decision, json!({ "revision": 1 })));
        }
    }

    for answer in &bodies {
        answer.assert_problem(404, "unknown_confirmation");
        assert_eq!(answer.body, bodies[0].body);
    }
    let noted = refusals(&house);
    assert_eq!(noted.len(), bodies.len(), "every one is on record: {noted:?}");
    assert!(noted.iter().all(|why| why == "unknown_confirmation" || why == "unknown_session"));
    for subject in ["Mine", "Theirs", "Taken over"] {
        assert_not_sent(&house, subject);
    }
    // Both are as they were.
    for card in [&mine, &theirs] {
        assert_eq!(confirm(&house, card, "accept", json!({ "revision": 1 })).status, 200);
        assert_sent_once(&house, &card.subject);
    }
}

#[test]
fn on_the_socket_every_wrong_id_gets_the_same_answer() {
    let house = House::open();
    let (mine, theirs) = (ask(&house, "Mine"), ask(&house, "Theirs"));
    let mut client = Client::back(&house, &mine.session);
    client.session();
    let mut answers = Vec::new();
    for id in wrong_ids(&mine, &theirs) {
        let extend = json!({ "event_id": "evt_extend", "event_type": "confirm.extend",
                             "payload": { "confirmation_request_id": id } });
        let more = json!({ "revision": 1, "edited_payload": { "subject": "Taken over" } });
        let frames =
            ["accept", "reject", "edit"].map(|decision| response(&id, decision, more.clone()));
        for frame in frames.into_iter().chain([extend]) {
            client.send(&frame);
            let answer = until(&mut client, "error").pop().expect("an error");
            assert_eq!(answer["payload"]["in_reply_to"], frame["event_id"]);
            answers.push(answer["payload"].clone());
        }
    }

    let but_for_the_name = |answer: &Value| {
        let mut answer = answer.clone();
        answer["in_reply_to"] = Value::Null;
        answer
    };
    assert_eq!(answers[0]["code"], "unknown_confirmation");
    for answer in &answers {
        assert_eq!(but_for_the_name(answer), but_for_the_name(&answers[0]));
    }
    assert_eq!(refusals(&house).len(), answers.len());
    for subject in ["Mine", "Theirs", "Taken over"] {
        assert_not_sent(&house, subject);
    }
}

#[test]
fn a_turn_of_another_session_cannot_be_stopped() {
    let house = House::open();
    let (mine, theirs) = (ask(&house, "Mine"), ask(&house, "Theirs"));
    let turn = |card: &Asked| {
        let (_, events) = Client::back(&house, &card.session).catch_up();
        one(&events, "turn.start")["turn_id"].as_str().unwrap().to_owned()
    };
    let unknown = format!("turn_{}", "0".repeat(32));
    let mut client = Client::back(&house, &mine.session);
    client.session();

    // Not even one's own: an interrupt never decides a card.
    for id in [turn(&theirs), unknown, turn(&mine)] {
        let payload = json!({ "cancel_turn_id": id });
        client.send(&json!({ "event_type": "user.interrupt", "payload": payload }));
        let answer = client.next("a refusal");
        assert_eq!(
            (kind(&answer), &answer["payload"]["code"]),
            ("error", &json!("nothing_to_interrupt"))
        );
    }

    for card in [&mine, &theirs] {
        assert_eq!(confirm(&house, card, "accept", json!({ "revision": 1 })).status, 200);
    }
}

#[test]
fn a_session_that_is_not_there_runs_no_tool() {
    let house = House::open();
    let card = ask(&house, "Mine");
    let wrong = [
        format!("sess_{}", "0".repeat(32)),
        card.id.clone(),
        card.session.to_uppercase(),
        "nonsense".into(),
        String::new(),
    ];
    let mut bodies = Vec::new();
    for session in wrong {
        let wanted =
            json!({ "session_id": session, "tool_name": "gmail.search", "args": { "query": "x" } });
        let answer = post(&house, "/tools/run", &wanted);
        answer.assert_problem(404, "unknown_session");
        bodies.push(answer.body);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
}
