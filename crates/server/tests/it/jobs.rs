//! Long work and reminders, as people and programs meet them.

use serde_json::{Value, json};

use crate::client::Client;
use crate::event::{kind, of_kind, one, text};
use crate::house::{House, run};
use crate::http::get;
use crate::say_so::{ask, confirm, eventually, post};

/// The turn that nobody asked for, in which it is told how something ended.
fn is_told(event: &Value) -> bool {
    kind(event) == "assistant_text.final" && text(event).contains("is ready.")
}

fn job_of(turn: &[Value]) -> String {
    one(turn, "tool_call.queued")["payload"]["job_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_digest_goes_on_beside_the_talk_and_says_when_it_is_ready() {
    let house = House::open();
    let mut client = Client::new(&house);
    client.say("give me a digest of my week");
    let events = client.until("the digest", is_told);
    let job = job_of(&events);

    let call = &one(&events, "tool_call.queued")["payload"]["call_id"];
    let results = of_kind(&events, "tool_call.result");
    let result = results.iter().find(|event| event["payload"]["call_id"] == *call);
    assert!(result.is_some_and(|result| result["payload"]["ok"] == true), "{results:?}");
    let progress: Vec<f64> = of_kind(&events, "tool_call.progress")
        .iter()
        .map(|event| event["payload"]["progress"].as_f64().unwrap())
        .collect();
    assert!(!progress.is_empty() && progress.is_sorted(), "{progress:?}");
    let told = of_kind(&events, "turn.start").into_iter().next_back().unwrap();
    assert!(told["payload"]["follows"].is_string(), "{told}");

    let url = house.url();
    let listed = run(&["jobs", "--server", &url]);
    assert_eq!(listed.code, 0, "{listed:?}");
    assert!(listed.out.contains(&job) && listed.out.contains("done"), "{}", listed.out);
    let shown = run(&["jobs", "show", &job, "--server", &url]);
    assert!(shown.out.contains("calendar this week"), "{shown:?}");
    let all = run(&["jobs", "--everybody", "--server", &url]);
    assert!(all.out.contains("week.digest  of user_"), "{all:?}");
}

#[test]
fn a_reminder_is_listed_survives_a_restart_and_can_be_cancelled() {
    let mut house = House::open();
    let mut client = Client::new(&house);
    let turn = client.turn("remind me tomorrow at 5 pm to call Tom");
    let said = text(one(&turn, "assistant_text.final")).to_owned();
    assert!(said.contains("tomorrow at 5 pm: call Tom"), "{said}");
    let job = one(&turn, "tool_call.result")["payload"]["output"]["job_id"].clone();
    let job = job.as_str().unwrap();
    house.stop();
    house.restart();

    let url = house.url();
    let listed = run(&["jobs", "--server", &url]);
    assert!(listed.out.contains(job) && listed.out.contains("call Tom"), "{listed:?}");
    let stopped = run(&["jobs", "cancel", job, "--server", &url]);
    assert!(stopped.out.contains("cancelled"), "{stopped:?}");
    let unknown = run(&["jobs", "show", "job_1", "--server", &url]);
    assert_eq!((unknown.code, unknown.err.contains("there is no such job")), (1, true));
}

#[test]
fn a_timer_that_ran_out_while_nobody_was_there_is_told_once_on_the_next_connection() {
    let mut house = House::open();
    let mut client = Client::new(&house);
    client.turn("set a timer for 1 second");
    drop(client);
    house.kill_hard();
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    house.restart();

    let is_up =
        |event: &Value| kind(event) == "assistant_text.final" && text(event).contains("timer");
    // In another chat than the one it was set in.
    let mut back = Client::new(&house);
    let events = back.until("the timer", is_up);
    assert_eq!(of_kind(&events, "turn.start").len(), 1);
    back.until("the end of that", |event| kind(event) == "turn.end");
    let mut again = Client::new(&house);
    again.send(&json!({ "event_type": "session.ping" }));
    let quiet = again.until("a pong", |event| kind(event) == "session.pong");
    assert!(of_kind(&quiet, "assistant_text.final").is_empty(), "{quiet:?}");
}

#[test]
fn a_program_that_asks_for_something_does_not_hear_what_is_meant_for_the_person() {
    let house = House::open();
    let mut client = Client::new(&house);
    client.turn("set a timer for 1 second");
    drop(client);
    let is_over = || {
        let jobs = get(&house, "/chat/jobs").json();
        jobs["jobs"].as_array().unwrap().iter().any(|job| job["state"] == "done")
    };
    eventually("the end of the timer", is_over);

    // A session of its own that looks, and one in which a card is answered.
    let look = json!({ "tool_name": "gmail.search", "args": { "query": "" } });
    assert_eq!(post(&house, "/tools/run", &look).status, 200);
    let card = ask(&house, "Heron notes");
    assert_eq!(confirm(&house, &card, "reject", json!({})).status, 200);

    let is_up =
        |event: &Value| kind(event) == "assistant_text.final" && text(event).contains("timer");
    Client::new(&house).until("the timer", is_up);
}

#[cfg(feature = "perils")]
mod killed {
    use session::peril::Side;

    use super::*;

    const WEEK: &str = "give me a digest of my week";

    #[test]
    fn a_digest_is_told_once_wherever_the_process_is_killed() {
        let mut house = House::open();
        for moment in
            ["job_taken", "job_stepping", "job_kept", "job_over", "job_returned", "announced"]
        {
            for side in Side::ALL {
                dies(&mut house, &format!("{}:{moment}:1", side.name()));
            }
        }
    }

    fn dies(house: &mut House, point: &str) {
        house.kill_hard();
        assert!(house.restart_with(&[("SAYSO_DIE_AT", point)]), "{point}");
        let mut client = Client::new(house);
        let session = client.session();
        client.say(WEEK);
        let (alive, _) = client.until_gone_or(|_| false);
        assert!(!alive, "nobody passed {point}");
        house.kill_hard();
        house.restart();

        let mut back = Client::back(house, &session);
        let is_last = |event: &Value| is_told(event);
        let mut events = back.until("the digest", is_last);
        events.extend(back.until("its end", |event| kind(event) == "turn.end"));
        events.extend(back.catch_up().1);
        assert_eq!(events.iter().filter(|event| is_told(event)).count(), 1, "{point}");
        let call = &one(&events, "tool_call.queued")["payload"]["call_id"];
        let results = of_kind(&events, "tool_call.result");
        let results = results.iter().filter(|event| event["payload"]["call_id"] == *call);
        assert_eq!(results.count(), 1, "{point}");
    }
}
