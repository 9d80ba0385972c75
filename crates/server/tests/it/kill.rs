//! The real process, killed at every moment it has a name for.
//!
//! One conversation with two writes, on a real disk and with the real mailbox
//! and calendar; the server kills itself on the way and is started again. What
//! was agreed to is done once, nothing else is, everybody who comes back sees
//! what was seen before, and nothing is called done that is not.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use session::peril::{Moment, Side};

use crate::client::Client;
use crate::event::{assert_numbers_rise, ends_turn, is_kept, kept, kind, of_kind, seq};
use crate::house::{House, PATIENCE};

/// These need ten minutes, a slow mind, or a provider that takes its time; they
/// are killed in `testkit`, where time is virtual.
const ELSEWHERE: [Moment; 4] = [Moment::Heard, Moment::Expired, Moment::Stopped, Moment::Followed];

/// Those of long work, at which `jobs` dies.
const OF_JOBS: [Moment; 6] = [
    Moment::JobTaken,
    Moment::JobStepping,
    Moment::JobKept,
    Moment::JobOver,
    Moment::JobReturned,
    Moment::Announced,
];

/// What comes only after another death: the one before, and then there.
const SECOND_DEATHS: [(&str, Moment); 2] =
    [("after:sending:1", Moment::Probing), ("after:asked:1", Moment::Closed)];

#[test]
fn what_was_agreed_to_is_done_once_wherever_the_process_is_killed() {
    let mut house = House::open();
    for moment in first_deaths() {
        for side in Side::ALL {
            let point = format!("{}:{}:1", side.name(), moment.name());
            assert!(dies(&mut house, &[&point]), "nobody passed {point}");
        }
    }
    for (first, moment) in SECOND_DEATHS {
        for side in Side::ALL {
            let point = format!("{}:{}:1", side.name(), moment.name());
            assert!(dies(&mut house, &[first, &point]), "nobody passed {point} after {first}");
        }
    }
}

#[test]
#[ignore = "takes minutes; make proof runs it"]
fn what_was_agreed_to_is_done_once_in_hundreds_of_kills() {
    let mut house = House::open();
    let (mut kills, mut deaths) = (0, 0);
    for nth in 1..=3 {
        for moment in Moment::ALL {
            for side in Side::ALL {
                let first = format!("{}:{}:{nth}", side.name(), moment.name());
                for again in ["after:settled:1", "before:told:1", "after:probing:2"] {
                    deaths += usize::from(dies(&mut house, &[&first, again]));
                    kills += 1;
                }
            }
        }
    }
    println!("{kills} conversations, killed in {deaths} of them: nothing lost, nothing twice");
}

fn first_deaths() -> impl Iterator<Item = Moment> {
    let second = SECOND_DEATHS.map(|(_, moment)| moment);
    let elsewhere = move |moment: &Moment| {
        second.contains(moment) || ELSEWHERE.contains(moment) || OF_JOBS.contains(moment)
    };
    Moment::ALL.iter().copied().filter(move |moment| !elsewhere(moment))
}

/// Has the conversation, dies at each of these in turn, comes back and judges.
/// Whether the last of them was come to.
fn dies(house: &mut House, points: &[&str]) -> bool {
    let before = effects(house);
    house.kill_hard();
    let (mut talk, mut seen) = (Talk { session: None, card: None }, Vec::new());
    let mut died = false;
    for (nth, point) in points.iter().enumerate() {
        let came_up = house.restart_with(&[("SAYSO_DIE_AT", point)]);
        let alive = match nth {
            0 => {
                let (alive, events) = talk.all(house);
                seen = events;
                alive
            }
            _ => came_up && talk.listen(house),
        };
        // Where the line has gone the process is going; where it has not, it came to
        // the end of the story without coming to the point.
        died = !came_up || (!alive && house.has_died());
        house.kill_hard();
    }
    house.restart();
    let history = talk.settle(house);
    judge(points, &kept(&seen), &history, &before, &effects(house));
    died
}

/// One person in one session.
struct Talk {
    session: Option<String>,
    /// The card that was seen last, and its revision.
    card: Option<(String, u64)>,
}

impl Talk {
    /// The whole conversation, as far as it gets; whether the server outlived it.
    fn all(&mut self, house: &House) -> (bool, Vec<Value>) {
        let mut client = Client::new(house);
        self.session = Some(client.session());
        let mut seen = Vec::new();
        let over = |event: &Value| matches!(kind(event), "turn.end" | "confirmation.request");
        let is = |wanted: &'static str| move |event: &Value| kind(event) == wanted;
        let mut alive = true;
        let mut step = |talk: &mut Self, frame: Value, is_last: &dyn Fn(&Value) -> bool| {
            if alive {
                client.try_send(&frame);
                let (still, events) = client.until_gone_or(is_last);
                talk.look_at(&events);
                seen.extend(events);
                alive = still;
            }
        };
        step(self, says("Reply to Priya Nair that Thursday works"), &over);
        step(self, says("who is that going to?"), &is("assistant_text.final"));
        step(self, self.answer("accept", Some(0), None), &is("error"));
        let untidy = json!({ "subject": "  Thursday  " });
        step(self, self.answer("edit", None, Some(untidy)), &|event| {
            matches!(kind(event), "confirmation.updated" | "error" | "turn.end")
        });
        step(self, self.answer("accept", None, None), &is("turn.end"));
        step(self, says("Put lunch with Tom on my calendar tomorrow at 12:30"), &over);
        step(self, self.answer("accept", None, None), &is("turn.end"));
        step(self, says("Put coffee with Tom on my calendar tomorrow at 16:00"), &over);
        step(self, self.answer("reject", None, None), &is("turn.end"));
        // What comes behind the last event has come when one more turn is over.
        step(self, says("hello"), &ends_turn);
        (alive, seen)
    }

    /// Comes back and listens until the server dies or nothing is under way any more;
    /// whether it is still there.
    fn listen(&self, house: &House) -> bool {
        // Nobody has come far enough to have one.
        let Some(session) = &self.session else { return true };
        // It may be dead before anybody can come back.
        let Some(mut client) = Client::try_back(house, session) else { return false };
        client.try_send(&json!({ "event_type": "session.ping" }));
        let (mut alive, events) = client.until_gone_or(|event| kind(event) == "session.pong");
        let mut seen = kept(&events);
        while alive && !is_over(&seen) && !waits_for_answer(&seen) {
            let events;
            (alive, events) = client.until_gone_or(|_| true);
            seen.extend(kept(&events));
        }
        alive
    }

    fn look_at(&mut self, events: &[Value]) {
        for event in events {
            if matches!(kind(event), "confirmation.request" | "confirmation.updated") {
                let payload = &event["payload"];
                let id = payload["confirmation_request_id"].as_str().unwrap().to_owned();
                self.card = Some((id, payload["revision"].as_u64().unwrap()));
            }
        }
    }

    fn answer(&self, decision: &str, revision: Option<u64>, edited: Option<Value>) -> Value {
        let (card, seen) = self.card.clone().unwrap_or_else(|| ("none".to_owned(), 1));
        let mut payload = json!({
            "confirmation_request_id": card,
            "decision": decision,
            "revision": revision.unwrap_or(seen),
        });
        if let Some(edited) = edited {
            payload["edited_payload"] = edited;
        }
        json!({ "event_type": "confirm.response", "payload": payload })
    }

    /// Comes back for good, says yes to what is still open, and waits until
    /// everything is over. Everything that is on record then.
    fn settle(&mut self, house: &House) -> Vec<Value> {
        let Some(session) = self.session.clone() else { return Vec::new() };
        let until = Instant::now() + PATIENCE;
        loop {
            let mut client = Client::back(house, &session);
            let (_, history) = client.catch_up();
            let recorded = kept(&history);
            if is_over(&recorded) {
                return recorded;
            }
            assert!(Instant::now() < until, "it never ends: {:#?}", recorded.last());
            self.look_at(&history);
            if waits_for_answer(&recorded) {
                client.send(&self.answer("accept", None, None));
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

fn says(text: &str) -> Value {
    json!({ "event_type": "text.input", "payload": { "text": text } })
}

fn waits_for_answer(history: &[Value]) -> bool {
    let answered = ["confirmation.resolved", "confirmation.expired"];
    let answers = history.iter().filter(|event| answered.contains(&kind(event))).count();
    of_kind(history, "confirmation.request").len() > answers
}

/// Every turn has ended, and of every write it is known how.
fn is_over(history: &[Value]) -> bool {
    let ends = history.iter().filter(|e| matches!(kind(e), "turn.end" | "turn.cancelled")).count();
    of_kind(history, "turn.start").len() == ends
        && states(history).values().all(|state| OVER.contains(&state.as_str()))
        && states(history).len() == accepted(history)
}

const DONE: [&str; 2] = ["confirmed", "reconciled_done"];
const OVER: [&str; 4] = ["confirmed", "reconciled_done", "failed_clean", "needs_user"];

/// What is known last of each write.
fn states(history: &[Value]) -> BTreeMap<String, String> {
    let state = |event: &&Value| {
        let payload = &event["payload"];
        let state = payload["state"].as_str()?.to_owned();
        Some((payload["call_id"].as_str()?.to_owned(), state))
    };
    of_kind(history, "tool_call.result").iter().filter_map(state).collect()
}

fn accepted(history: &[Value]) -> usize {
    let resolved = of_kind(history, "confirmation.resolved");
    resolved.iter().filter(|event| event["payload"]["decision"] != "reject").count()
}

fn judge(points: &[&str], seen: &[Value], history: &[Value], before: &Effects, after: &Effects) {
    let context = format!("killed at {points:?}");
    assert!(history.len() >= seen.len(), "{context}: what was seen is gone");
    assert_eq!(history[..seen.len()], *seen, "{context}: what was seen comes again as it was");
    assert!(history.iter().all(is_kept));
    assert_numbers_rise(history);
    let done = states(history).values().filter(|state| DONE.contains(&state.as_str())).count();
    assert_eq!(done, accepted(history), "{context}: a yes came to nothing");
    let new: u32 = after.iter().map(|(what, many)| many - before[what]).sum();
    assert_eq!(new as usize, done, "{context}: {before:?} became {after:?}");
    for event in of_kind(history, "assistant_text.final") {
        let text = event["payload"]["text"].as_str().unwrap();
        let claims = ["Sent.", "Done, it's on your calendar", "did go out", "after all"];
        if claims.iter().any(|claim| text.contains(claim)) {
            let earlier = history.iter().filter(|other| seq(other) < seq(event));
            let by_then: Vec<_> = earlier.cloned().collect();
            let known = states(&by_then);
            assert!(
                known.values().any(|state| DONE.contains(&state.as_str())),
                "{context}: {text}"
            );
        }
    }
}

type Effects = BTreeMap<&'static str, u32>;

/// How much the provider has done on anybody's say-so.
fn effects(house: &House) -> Effects {
    let file = std::path::Path::new(&house.data()).join("personal.db");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let personal = Connection::open_with_flags(file, flags).unwrap();
    let count = |sql: &str| personal.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    BTreeMap::from([
        ("mails", count("SELECT count(*) FROM mails WHERE id GLOB 'mail_*'")),
        ("events", count("SELECT count(*) FROM events WHERE id GLOB 'event_*'")),
    ])
}
