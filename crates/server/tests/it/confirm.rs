//! Answers to a card, over the socket and over HTTP.

use rusqlite::Connection;
use serde_json::json;

use crate::client::Client;
use crate::event::{code, of_kind, one, text};
use crate::house::House;
use crate::say_so::{
    Asked, PRIYA, ask, ask_in, assert_not_sent, assert_sent_once, confirm, response, sent, until,
};

#[test]
fn a_yes_over_http_sends_the_mail_that_was_shown() {
    let house = House::open();
    let card = ask(&house, "Heron notes");
    assert_not_sent(&house, "Heron notes");

    let answer = confirm(&house, &card, "accept", json!({ "revision": 1 }));

    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json(), json!({ "status": "resolved", "decision": "accept", "revision": 1 }));
    assert_sent_once(&house, "Heron notes");
    assert_eq!(sent(&house, "Heron notes")[0]["to"][0]["address"], PRIYA);
}

#[test]
fn a_no_over_http_sends_nothing() {
    let house = House::open();
    let card = ask(&house, "Heron notes");

    let answer = confirm(&house, &card, "reject", json!({}));

    assert_eq!(answer.json()["decision"], "reject", "{}", answer.body);
    assert_not_sent(&house, "Heron notes");
    confirm(&house, &card, "accept", json!({ "revision": 1 }))
        .assert_problem(409, "confirmation_resolved");
    assert_not_sent(&house, "Heron notes");
}

#[test]
fn an_edit_over_http_sends_what_was_edited() {
    let house = House::open();
    let card = ask(&house, "Heron notes");

    let edited = json!({ "revision": 1, "edited_payload": { "subject": "Heron, edited" } });
    let answer = confirm(&house, &card, "edit", edited);

    assert_eq!(answer.json(), json!({ "status": "resolved", "decision": "edit", "revision": 2 }));
    assert_sent_once(&house, "Heron, edited");
    assert_not_sent(&house, "Heron notes");
}

#[test]
fn an_edit_that_deserves_a_look_asks_again() {
    let house = House::open();
    let card = ask(&house, "Heron notes");

    // A subject that is tidied is not what the person saw in the field.
    let edited = json!({ "revision": 1, "edited_payload": { "subject": "  Heron, tidied " } });
    let answer = confirm(&house, &card, "edit", edited);

    assert_eq!(answer.status, 200, "{}", answer.body);
    let body = answer.json();
    assert_eq!((&body["status"], &body["card"]["revision"]), (&json!("changed"), &json!(2)));
    assert_eq!(body["card"]["changed"], json!(["subject"]));
    assert_not_sent(&house, "Heron, tidied");
    confirm(&house, &card, "accept", json!({ "revision": 1 }))
        .assert_problem(409, "confirmation_stale");
    confirm(&house, &card, "accept", json!({})).assert_problem(409, "confirmation_stale");
    assert_not_sent(&house, "Heron, tidied");
    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 2 })).status, 200);
    assert_sent_once(&house, "Heron, tidied");
}

#[test]
fn an_edit_that_cannot_be_is_refused_and_the_card_stays() {
    let house = House::open();
    let card = ask(&house, "Heron notes");
    let bad = [
        json!({ "revision": 1 }),
        json!({ "revision": 1, "edited_payload": { "from": "eve@evil.example" } }),
        json!({ "revision": 1, "edited_payload": { "to": ["not an address"] } }),
        json!({ "revision": 1, "edited_payload": { "subject": "a\nBcc: eve@evil.example" } }),
        json!({ "revision": 1, "edited_payload": { "body": 7 } }),
    ];
    for edit in bad {
        let answer = confirm(&house, &card, "edit", edit.clone());
        assert_eq!(
            (answer.status, answer.json()["error"]["code"].clone()),
            (422, json!("bad_edit")),
            "{edit}"
        );
    }
    assert_not_sent(&house, "Heron notes");
    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 1 })).status, 200);
    assert_sent_once(&house, "Heron notes");
}

#[test]
fn the_socket_takes_a_yes_a_no_and_an_edit() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();

    let card = ask_in(&house, &session, "By socket");
    let shown = until(&mut client, "confirmation.request");
    assert_eq!(one(&shown, "confirmation.request")["payload"]["payload"]["subject"], "By socket");
    client.send(&response(&card.id, "accept", json!({ "channel": "key" })));
    let turn = until(&mut client, "turn.end");
    assert_eq!(one(&turn, "confirmation.resolved")["payload"]["channel"], "key");
    assert_eq!(one(&turn, "tool_call.result")["payload"]["state"], "confirmed");
    assert_eq!(one(&turn, "turn.end")["payload"]["outcome"], "success");
    assert_sent_once(&house, "By socket");

    let card = ask_in(&house, &session, "Not by socket");
    until(&mut client, "confirmation.request");
    client.send(&response(&card.id, "reject", json!({})));
    assert_eq!(
        one(&until(&mut client, "turn.end"), "turn.end")["payload"]["error_code"],
        "rejected"
    );
    assert_not_sent(&house, "Not by socket");

    let card = ask_in(&house, &session, "Before");
    until(&mut client, "confirmation.request");
    let edited = json!({ "revision": 1, "edited_payload": { "subject": "After" } });
    client.send(&response(&card.id, "edit", edited));
    let turn = until(&mut client, "turn.end");
    assert_eq!(one(&turn, "confirmation.resolved")["payload"]["edited_fields"], json!(["subject"]));
    assert_sent_once(&house, "After");
    assert_not_sent(&house, "Before");
}

#[test]
fn a_yes_in_words_counts_and_a_hedge_does_not() {
    let house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    ask_in(&house, &session, "In words");
    until(&mut client, "confirmation.request");

    client.say("hm, maybe, not sure");
    until(&mut client, "assistant_text.final");
    assert_not_sent(&house, "In words");
    client.say("yes, send it");

    let turn = until(&mut client, "turn.end");
    assert_eq!(one(&turn, "confirmation.resolved")["payload"]["channel"], "text");
    assert!(text(one(&turn, "assistant_text.final")).contains("Sent"));
    assert_sent_once(&house, "In words");
}

#[test]
fn a_second_yes_on_any_socket_sends_nothing_more() {
    let house = House::open();
    let mut first = Client::new(&house);
    let session = first.session();
    let mut second = Client::back(&house, &session);
    second.session();
    let card = ask_in(&house, &session, "Once");
    for client in [&mut first, &mut second] {
        until(client, "confirmation.request");
    }

    let yes = response(&card.id, "accept", json!({ "revision": 1 }));
    first.send(&yes);
    until(&mut second, "confirmation.resolved");
    second.send(&response(&card.id, "accept", json!({ "revision": 1 })));
    first.send(&yes);

    let refused = until(&mut second, "error");
    assert_eq!(code(refused.last().unwrap()), "confirmation_resolved");
    let repeated = until(&mut first, "input.repeated");
    assert_eq!(repeated.last().unwrap()["payload"]["in_reply_to"], yes["event_id"]);
    confirm(&house, &card, "accept", json!({ "revision": 1 }))
        .assert_problem(409, "confirmation_resolved");
    assert_sent_once(&house, "Once");
}

#[test]
fn many_answers_at_once_have_one_winner() {
    let house = House::open();
    let card = ask(&house, "Raced");

    let mut clients: Vec<_> = (0..8).map(|_| Client::back(&house, &card.session)).collect();
    for client in &mut clients {
        client.session();
    }

    let refusals: Vec<_> = std::thread::scope(|scope| {
        let answers: Vec<_> = clients
            .iter_mut()
            .map(|client| {
                scope.spawn(|| {
                    client.send(&response(&card.id, "accept", json!({ "revision": 1 })));
                    let events = until(client, "turn.end");
                    client.send(&json!({ "event_type": "session.ping" }));
                    let more = until(client, "session.pong");
                    assert_eq!(of_kind(&events, "confirmation.resolved").len(), 1);
                    let refusals = [of_kind(&events, "error"), of_kind(&more, "error")].concat();
                    let is_told = refusals.iter().all(|it| code(it) == "confirmation_resolved");
                    assert!(is_told, "{refusals:?}");
                    refusals.len()
                })
            })
            .collect();
        answers.into_iter().map(|answer| answer.join().unwrap()).collect()
    });

    assert_sent_once(&house, "Raced");
    // Who answers when all is over is looked up, and may hear of it behind a pong.
    let late = clients.iter_mut().map(|client| of_kind(&client.catch_up().1, "error").len());
    let refused = refusals.iter().sum::<usize>() + late.sum::<usize>();
    assert_eq!(refused, 7, "{refusals:?}");
}

#[test]
fn a_card_outlives_the_server_and_is_shown_again() {
    let mut house = House::open();
    let card = ask(&house, "Patient");
    house.kill_hard();
    house.restart();

    let mut client = Client::back(&house, &card.session);
    let (_, replayed) = client.catch_up();
    assert_eq!(one(&replayed, "confirmation.request")["payload"]["revision"], 1);
    client.send(&response(&card.id, "accept", json!({})));

    until(&mut client, "turn.end");
    assert_sent_once(&house, "Patient");
}

#[test]
fn what_was_agreed_to_before_a_crash_is_done_once() {
    let mut house = House::open();
    let card = ask(&house, "Agreed");
    assert_eq!(confirm(&house, &card, "accept", json!({ "revision": 1 })).status, 200);
    house.kill_hard();

    house.restart();

    // Nobody connects: the server goes on by itself.
    assert_sent_once(&house, "Agreed");
    confirm(&house, &card, "accept", json!({ "revision": 1 }))
        .assert_problem(409, "confirmation_resolved");
    assert_sent_once(&house, "Agreed");
}

#[test]
fn a_yes_that_comes_too_late_is_gone() {
    let mut house = House::open();
    let card = ask(&house, "Too late");
    house.stop();
    let_expire(&house, &card);
    house.restart();

    confirm(&house, &card, "accept", json!({ "revision": 1 }))
        .assert_problem(410, "confirmation_expired");

    confirm(&house, &card, "reject", json!({})).assert_problem(410, "confirmation_expired");
    assert_not_sent(&house, "Too late");
}

/// As if ten minutes had passed.
fn let_expire(house: &House, card: &Asked) {
    let store = Connection::open(format!("{}/sayso.db", house.data())).unwrap();
    let past = "2026-01-01T00:00:00Z";
    let changed = store.execute(
        "UPDATE confirmation_requests
         SET expires_at = 0, body = json_set(body, '$.expires_at', ?2) WHERE confirmation_id = ?1",
        [&card.id, past],
    );
    assert_eq!(changed.unwrap(), 1);
}

#[test]
fn bodies_that_nobody_should_guess_about_are_refused() {
    let house = House::open();
    let card = ask(&house, "Untouched");
    let bad = [
        (json!({ "user_id": "user_1" }), "user_in_body"),
        (json!({ "on_behalf_of": "maya" }), "bad_body"),
        (json!({ "revision": -1 }), "bad_body"),
        (json!({ "revision": "1" }), "bad_body"),
        (json!({ "decision": "yes" }), "bad_body"),
        (json!({ "edited_payload": [] }), "bad_body"),
        (json!({ "session_id": 7 }), "bad_body"),
    ];
    for (more, problem) in bad {
        let answer = confirm(&house, &card, "accept", more.clone());
        assert_eq!(answer.status, 400, "{more}: {}", answer.body);
        assert_eq!(answer.json()["error"]["code"], problem, "{more}");
    }
    assert_not_sent(&house, "Untouched");
}
