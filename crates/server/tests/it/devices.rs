//! Over a real socket, with two devices in one session: one stays and talks on, the
//! other is cut off behind any event and comes back in any state. Wherever that is,
//! both show the same page, and so does whoever asks anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use brain::event::Question;
use brain::snapshot::Bubble;
use brain::{Envelope, Event, TurnState};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::page::{Page, Shown};

use crate::aloud;
use crate::client::Client;
use crate::event::kind;
use crate::house::{HOME, House};
use crate::http::get;
use crate::resume::{come_back, envelope, resume};
use crate::say_so::{post, response};
use crate::sound::assets;

/// Only a recogniser that fails leads here, and ours does not; sessions with one that
/// does are tested by themselves.
const NEVER: TurnState = TurnState::ErrorRecoverable;
/// A session is in these for no longer than it takes to write one entry, so one can be
/// cut off there but not come back there.
const FLEETING: [TurnState; 3] =
    [TurnState::Thinking, TurnState::Cancelled, TurnState::ErrorTerminal];
/// Places of long ago from which somebody comes back each time, one in so many.
const STRIDE: usize = 11;

/// A session, and the two devices in it.
struct Pair {
    house: House,
    /// Where the server finds what it is held at.
    holds: PathBuf,
    session: String,
    thread: String,
    /// The one that never leaves, unless the server does.
    stays: Client,
    /// What that one was told.
    seen: Vec<Envelope>,
    /// Behind how many of it the other one was cut off and came back.
    tried: usize,
    cut_off_in: BTreeSet<&'static str>,
    came_back_in: BTreeSet<&'static str>,
}

impl Pair {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let holds = folder.path().join("holds");
        fs::create_dir(&holds).unwrap();
        let mut env = vec![("SAYSO_HOLD_IN", holds.to_str().unwrap().to_owned())];
        env.extend(assets().map(|assets| ("SAYSO_ASSETS", assets)));
        let house = House::open_in(folder, HOME, env);
        let begun = post(&house, "/chat/session/start", &json!({})).json();
        let text = |name: &str| begun[name].as_str().unwrap().to_owned();
        let (session, thread) = (text("session_id"), text("thread_id"));
        let stays = Client::back(&house, &session);
        let (cut_off_in, came_back_in) = Default::default();
        let (seen, tried) = (Vec::new(), 0);
        Self { house, holds, session, thread, stays, seen, tried, cut_off_in, came_back_in }
    }

    /// The server goes no further than here.
    fn hold(&self, moment: &str) {
        fs::write(self.holds.join(moment), "").unwrap();
    }

    fn let_go(&self, moment: &str) {
        fs::remove_file(self.holds.join(moment)).unwrap();
    }

    fn say(&mut self, words: &str) {
        self.stays.say(words);
    }

    /// The other device comes, says something, and is gone as soon as that was heard.
    fn other_sends(&mut self, frame: &Value, heard: &str) {
        let (mut other, _) = resume(&self.house, &self.session, &self.page());
        other.send(frame);
        self.until(heard);
    }

    fn other_says(&mut self, words: &str, heard: &str) {
        self.other_sends(
            &json!({ "event_type": "text.input", "payload": { "text": words } }),
            heard,
        );
    }

    /// Reads on up to an event of that kind.
    fn until(&mut self, wanted: &str) {
        let told = self.stays.until(wanted, |event| kind(event) == wanted);
        self.seen.extend(told.iter().map(envelope));
    }

    /// Reads on until everything is as it is in that state.
    fn until_in(&mut self, state: TurnState) {
        while self.page().shown().state != state {
            let next = self.stays.next(state.name());
            self.seen.push(envelope(&next));
        }
        self.seen.extend(self.stays.catch_up().1.iter().map(envelope));
    }

    fn card(&self) -> Box<Question> {
        let cards = self.seen.iter().rev().filter_map(|one| match &one.event {
            Event::AskedToConfirm(card) | Event::QuestionChanged(card) => Some(card.clone()),
            _ => None,
        });
        cards.into_iter().next().expect("a card")
    }

    fn accept(&mut self) {
        let card = self.card();
        let revision = json!({ "revision": card.revision });
        self.stays.send(&response(&card.confirmation_request_id.to_string(), "accept", revision));
    }

    fn page(&self) -> Page {
        Page::of(&self.seen)
    }

    /// The power fails; both come back to the next server.
    fn lose_power(&mut self) {
        self.house.kill_hard();
        for held in fs::read_dir(&self.holds).unwrap() {
            fs::remove_file(held.unwrap().path()).unwrap();
        }
        self.house.restart();
        let (client, told) = resume(&self.house, &self.session, &self.page());
        self.stays = client;
        self.seen.extend(told.iter().map(envelope));
        self.tried = 0;
    }

    /// In this state the other device comes back: from behind every event that is new
    /// since the last time, and from some of the older ones.
    fn both_show_the_same_in(&mut self, state: TurnState) {
        self.until_in(state);
        let expected = self.page().shown();
        for at in (0..=self.seen.len()).filter(|at| *at >= self.tried || at % STRIDE == 0) {
            let mut page = Page::of(&self.seen[..at]);
            self.cut_off_in.insert(page.shown().state.name());
            come_back(&self.house, &self.session, &mut page, usize::MAX);
            let last = self.seen[..at].last().map(|one| one.event.name());
            assert_eq!(page.shown(), expected, "{}: cut off behind {at}, {last:?}", state.name());
        }
        self.whoever_asks_anew_sees(&expected);
        self.tried = self.seen.len();
        self.came_back_in.insert(state.name());
    }

    /// The snapshot on the wire, and what HTTP tells of the chat, where nothing is
    /// half said.
    fn whoever_asks_anew_sees(&self, expected: &Shown) {
        let mut client =
            Client::at(&self.house, &format!("?session_id={}&replay=ask", self.session));
        client.send(&json!({ "event_type": "session.resume", "payload": {} }));
        let told = client.until("resync", |event| kind(event) == "resync");
        assert_eq!(Page::of(&told.iter().map(envelope).collect::<Vec<_>>()).shown(), *expected);

        if [TurnState::Idle, TurnState::AwaitingConfirmation].contains(&expected.state) {
            let path = format!("/chat/threads/{}/messages?limit=100", self.thread);
            let said = get(&self.house, &path).json()["messages"].clone();
            let said: Vec<Bubble> = serde_json::from_value(said).expect("messages");
            let said = said.into_iter().map(|one| (one.message_id, (one.role, one.text)));
            assert_eq!(said.collect::<std::collections::BTreeMap<_, _>>(), expected.bubbles);
        }
    }
}

fn names(states: impl Iterator<Item = TurnState>) -> BTreeSet<&'static str> {
    states.map(TurnState::name).collect()
}

#[test]
fn a_device_that_is_cut_off_in_any_state_comes_back_to_what_the_other_one_shows() {
    use TurnState as S;
    let (mut pair, hears) = (Pair::new(), assets());
    pair.both_show_the_same_in(S::Idle);

    // A question, and another one that waits behind it.
    pair.hold("thinking");
    pair.say("what meetings do i have tomorrow");
    pair.both_show_the_same_in(S::FinalizingInput);
    pair.say("any new mail?");
    pair.hold("looking");
    pair.let_go("thinking");
    pair.both_show_the_same_in(S::ExecutingTools);
    pair.let_go("looking");
    pair.until("turn.end");
    pair.until("turn.end");
    pair.both_show_the_same_in(S::Idle);

    // An answer that is being given, and one that is stopped by the other device.
    pair.hold("told");
    pair.say("hello");
    pair.both_show_the_same_in(S::Speaking);
    pair.let_go("told");
    pair.both_show_the_same_in(S::Idle);
    pair.hold("looking");
    pair.say("what meetings do i have on friday");
    pair.until("tool_call.request");
    pair.other_sends(&json!({ "event_type": "user.interrupt", "payload": {} }), "turn.cancelled");
    pair.let_go("looking");
    pair.both_show_the_same_in(S::Idle);

    // A card that the other device asked for, changed and agreed to while it is away.
    pair.other_says("email Tom that I am running late", "turn.start");
    pair.both_show_the_same_in(S::AwaitingConfirmation);
    pair.say("change the subject to Late again");
    pair.until("confirmation.updated");
    pair.both_show_the_same_in(S::AwaitingConfirmation);
    pair.hold("sending");
    pair.accept();
    pair.both_show_the_same_in(S::ExecutingTools);
    pair.let_go("sending");
    pair.both_show_the_same_in(S::Idle);

    // What is said aloud, while it is said and when the power fails meanwhile.
    if let Some(assets) = &hears {
        let words = aloud::spoken("What meetings do I have tomorrow?", assets);
        for fails in [false, true] {
            aloud::greet(&mut pair.stays, "manual");
            aloud::play(&mut pair.stays, &words);
            aloud::play(&mut pair.stays, &aloud::silence(600));
            // Nothing is heard anew once all of it was.
            let is_whole = |event: &Value| event["payload"]["text"].to_string().contains("morrow");
            let told = pair.stays.until("the last words", is_whole);
            pair.seen.extend(told.iter().map(envelope));
            std::thread::sleep(Duration::from_secs(2));
            pair.both_show_the_same_in(S::Listening);
            if fails {
                pair.lose_power();
            } else {
                let end = json!({ "reason": "manual_stop" });
                pair.stays.send(&json!({ "event_type": "audio.end", "payload": end }));
                pair.until("input_transcript.final");
                pair.both_show_the_same_in(S::Speaking);
            }
            pair.both_show_the_same_in(S::Idle);
        }
    }

    // The server dies in each state that it can be found in.
    pair.lose_power();
    pair.both_show_the_same_in(S::Idle);
    for (moment, words, state) in [
        ("thinking", "what meetings do i have tomorrow", S::FinalizingInput),
        ("looking", "what meetings do i have tomorrow", S::ExecutingTools),
        ("told", "hello", S::Speaking),
    ] {
        pair.hold(moment);
        pair.say(words);
        pair.until_in(state);
        pair.lose_power();
        pair.both_show_the_same_in(S::Idle);
    }
    pair.say("book lunch with Tom on Friday at noon");
    pair.until_in(S::AwaitingConfirmation);
    pair.lose_power();
    pair.both_show_the_same_in(S::AwaitingConfirmation);
    pair.hold("sending");
    pair.other_says("yes", "confirmation.resolved");
    pair.until_in(S::ExecutingTools);
    pair.lose_power();
    pair.both_show_the_same_in(S::Idle);

    let is_passed = |state: &S| *state != NEVER && (hears.is_some() || *state != S::Listening);
    let passed = S::ALL.into_iter().filter(is_passed);
    println!("cut off in {:?}, came back in {:?}", pair.cut_off_in, pair.came_back_in);
    assert_eq!(pair.cut_off_in, names(passed.clone()));
    let stays = passed.filter(|state| !FLEETING.contains(state));
    assert_eq!(pair.came_back_in, names(stays));
}
