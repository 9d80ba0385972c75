//! The power fails, the server stops, somebody starts a second one.

use serde_json::{Value, json};

use crate::client::Client;
use crate::event::{
    assert_numbers_rise, assert_succeeded, code, epoch, is_kept, kept, kind, of_kind, one, seq,
};
use crate::house::{House, run};

const ASKED: [&str; 3] =
    ["What meetings do I have tomorrow?", "any unread mail?", "read me the latest mail"];

/// One session and everything that was ever shown of it.
struct Talk {
    session: String,
    client: Client,
    seen: Vec<Value>,
}

#[test]
fn nothing_that_was_seen_is_lost_when_the_server_is_killed_in_the_middle_of_turns() {
    kill_at(0..=12);
}

#[test]
#[ignore = "takes minutes; make proof runs it"]
fn nothing_is_lost_in_three_hundred_kills() {
    let kills = 300;
    kill_at((0..kills).map(|kill| kill % 13));
    println!("{kills} kills, 3 sessions: nothing lost, nothing twice, numbers never went back");
}

/// Kills the server after so many events of one session, again and again.
fn kill_at(moments: impl Iterator<Item = usize>) {
    let mut house = House::open();
    let mut talks: Vec<_> = ASKED.map(|_| Talk::begin(&house)).into_iter().collect();

    for moment in moments {
        for (talk, asked) in talks.iter_mut().zip(ASKED) {
            talk.client.say(asked);
        }
        talks[moment % ASKED.len()].see(moment);
        house.kill_hard();
        for talk in &mut talks {
            talk.see_the_rest();
        }

        house.restart();

        for talk in &mut talks {
            talk.comes_back(&house);
        }
    }
}

#[test]
fn a_turn_that_was_open_when_the_server_was_killed_is_closed_as_failed_once() {
    let mut house = House::open();
    for session in caught_in_the_middle(&mut house) {
        let (mut client, history) = back(&house, &session);
        assert_every_turn_is_over(&history);
        for end in of_kind(&history, "turn.end") {
            let of_this_turn = |event: &&Value| event["turn_id"] == end["turn_id"];
            if end["payload"]["outcome"] == "failed" {
                assert_eq!(end["payload"]["error_code"], "interrupted");
                let errors = of_kind(&history, "error").into_iter().filter(of_this_turn);
                assert_eq!(errors.map(code).collect::<Vec<_>>(), ["interrupted"]);
            }
        }
        // Coming back once more closes nothing again.
        let (_, again) = back(&house, &session);
        assert_eq!(again, history);
        assert_succeeded(&client.turn("hello"));
    }
}

/// Sessions of which at least one was in the middle of a turn when the server was
/// killed. Whether one is caught there is a matter of speed; one of so many is.
fn caught_in_the_middle(house: &mut House) -> Vec<String> {
    for _ in 0..20 {
        let mut talks: Vec<_> = (0..20).map(|_| Talk::begin(house)).collect();
        for talk in &mut talks {
            talk.client.say(ASKED[0]);
        }
        talks[0].see(1);
        house.kill_hard();
        house.restart();
        let is_caught = |talk: &Talk| !of_kind(&back(house, &talk.session).1, "error").is_empty();
        if talks.iter().any(is_caught) {
            return talks.into_iter().map(|talk| talk.session).collect();
        }
    }
    panic!("no turn was caught in the middle");
}

#[test]
fn a_new_process_owns_its_sessions_anew_and_counts_on() {
    let mut house = House::open();
    let mut talk = Talk::begin(&house);
    talk.seen.extend(talk.client.turn("hello"));
    assert_eq!(house.stop().code(), Some(0));
    house.restart();

    talk.comes_back(&house);
}

#[test]
fn what_was_said_under_a_name_is_still_known_after_the_server_was_killed() {
    let mut house = House::open();
    let mut client = Client::new(&house);
    let session = client.session();
    let said = |text: &str| json!({ "event_type": "text.input", "event_id": "evt_mine", "payload": { "text": text } });
    client.send(&said("hello"));
    client.listen("the turn under that name");
    house.kill_hard();
    house.restart();
    let (mut client, _) = back(&house, &session);
    let mut answer = |frame: &Value| {
        client.send(frame);
        let told = client.until("an answer", |event| event["payload"]["in_reply_to"] == "evt_mine");
        let last = told.last().unwrap();
        (kind(last).to_owned(), last["payload"]["code"].clone())
    };

    assert_eq!(answer(&said("goodbye")), ("error".into(), "event_id_reused".into()));
    assert_eq!(answer(&said("hello")), ("input.repeated".into(), Value::Null));
}

#[test]
fn a_second_server_on_the_same_data_refuses_to_start_and_says_why() {
    let house = House::open();

    let second = run(&["serve", "--data", &house.data(), "--listen", "127.0.0.1:0"]);

    assert_ne!(second.code, 0);
    assert!(second.err.contains("another Sayso is using"), "{}", second.err);
    assert!(second.err.contains(&house.data()) && second.err.contains("--data"), "{}", second.err);
    assert_succeeded(&Client::new(&house).turn("hello"));
}

#[test]
fn a_server_that_is_asked_to_stop_tells_every_client_and_ends_well() {
    let mut house = House::open();
    // Whether one is forgotten is a matter of speed, so it is tried more than once.
    for _ in 0..10 {
        let mut clients: Vec<_> = (0..30).map(|_| Client::new(&house)).collect();
        for client in &mut clients {
            client.session();
        }

        house.ask_to_stop();

        let told: Vec<_> = clients.iter_mut().map(|client| client.until_closed().0).collect();
        assert_eq!(told, vec![Some(1012); clients.len()]);
        assert_eq!(house.stopped().code(), Some(0));
        house.restart();
    }
}

#[test]
fn a_turn_that_is_closed_after_a_restart_counts_on_and_does_not_begin_again() {
    let mut house = House::open();
    for session in caught_in_the_middle(&mut house) {
        let (_, history) = back(&house, &session);
        let counted: Vec<_> = history.iter().map(|event| event["turn_seq"].as_u64()).collect();
        assert!(counted.is_sorted_by(|a, b| a < b), "turn_seq goes back: {counted:?}");
    }
}

#[test]
fn a_turn_that_was_open_at_a_stop_is_not_lost_either() {
    let mut house = House::open();
    let mut talk = Talk::begin(&house);
    talk.client.say(ASKED[0]);
    talk.see(1);

    assert_eq!(house.stop().code(), Some(0));
    talk.see_the_rest();
    house.restart();

    talk.comes_back(&house);
}

impl Talk {
    fn begin(house: &House) -> Self {
        let mut client = Client::new(house);
        Self { session: client.session(), client, seen: Vec::new() }
    }

    fn see(&mut self, events: usize) {
        for number in 1..=events {
            let event = self.client.next(&format!("event {number} of the turn"));
            self.seen.push(event);
        }
    }

    /// What had left the server before it died.
    fn see_the_rest(&mut self) {
        self.seen.extend(self.client.until_closed().1);
    }

    /// Holds the new owner to what the old one has shown, then talks on.
    fn comes_back(&mut self, house: &House) {
        let (client, history) = back(house, &self.session);
        self.client = client;
        let known = kept(&self.seen);
        assert!(history.len() >= known.len(), "events that were seen are gone");
        assert_eq!(history[..known.len()], known, "what was seen comes again as it was");
        assert_every_turn_is_over(&history);
        assert_numbers_rise(&history);

        let turn = self.client.turn("hello");

        assert_succeeded(&turn);
        assert_eq!(turn[0]["session_id"], self.session.as_str());
        let new: Vec<_> = history[known.len()..].iter().chain(&turn).collect();
        if let (Some(last), Some(highest)) = (self.seen.last(), self.seen.iter().map(seq).max()) {
            assert!(new.iter().filter(|e| epoch(e) > epoch(last)).all(|e| seq(e) > highest));
            assert!(turn.iter().all(|event| epoch(event) > epoch(last)));
        }
        self.seen = [history, turn].concat();
    }
}

/// Joins a session that nobody owns and waits until its open turns are closed.
fn back(house: &House, session: &str) -> (Client, Vec<Value>) {
    let mut client = Client::back(house, session);
    let (same, mut history) = client.catch_up();
    assert_eq!(same, session);
    while open_turns(&history) > 0 {
        history.push(client.next("the end of a turn that was left open"));
    }
    history.retain(is_kept);
    (client, history)
}

fn open_turns(history: &[Value]) -> usize {
    let over = |event: &&Value| matches!(kind(event), "turn.end" | "turn.cancelled");
    of_kind(history, "turn.start").len() - history.iter().filter(over).count()
}

fn assert_every_turn_is_over(history: &[Value]) {
    for start in of_kind(history, "turn.start") {
        let turn: Vec<_> =
            history.iter().filter(|event| event["turn_id"] == start["turn_id"]).cloned().collect();
        assert!(one(&turn, "turn.end")["payload"]["outcome"].is_string());
        assert_eq!(kind(turn.last().unwrap()), "turn.end");
    }
}
