//! Talking to a session, and being talked to, in virtual time.

use std::sync::Arc;
use std::time::Duration;

use brain::confirmation::Channel;
use brain::event::InputMode;
use brain::input::{AudioEndReason, Decision, Hello, Sound};
use brain::plan::{Proposal, ProposedStep};
use brain::{Envelope, Event, Input, Outcome, TurnState};
use serde_json::json;
use session::{Joined, Registry, SessionHandle, Start};
use store::Turns;
use testkit::page::Page;
use testkit::parts::{Script, Thought};
use testkit::senses::silence;
use testkit::writer::Fortune;
use testkit::{FakeSenses, FakeTool};

use crate::{Stage, USER, house, names, note};

const FRAME: usize = 1_600;

/// A session with a microphone and a loudspeaker.
pub(crate) struct Room {
    pub stage: Stage,
    pub senses: FakeSenses,
    pub session: SessionHandle,
    pub client: Joined,
    pub heard: Vec<Arc<Envelope>>,
}

impl Room {
    pub async fn new() -> Self {
        Self::having(tools::Catalog::new()).await
    }

    pub async fn having(catalog: tools::Catalog) -> Self {
        let (store, senses) = (Arc::default(), FakeSenses::default());
        let (mut house, mind) = house(&store, catalog);
        house.senses = Arc::new(senses.senses());
        let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
        let (session, client) = stage.session().await;
        let mut room = Self { stage, senses, session, client, heard: Vec::new() };
        room.send(Input::Hello(Hello {
            plays_audio: Some(true),
            cancels_echo: true,
            ..Hello::default()
        }))
        .await;
        room
    }

    pub async fn send(&mut self, input: Input) {
        self.session.send(self.client.client, None, input).await.unwrap();
        self.listen(Duration::from_millis(1)).await;
    }

    pub fn will_say(&self, words: &str) {
        self.stage.mind.will_think(Thought { says: Some(words.into()), ..Thought::default() });
    }

    /// Takes in what comes in so long a time.
    pub async fn listen(&mut self, time: Duration) {
        let until = tokio::time::Instant::now() + time;
        while let Ok(Ok(envelope)) = tokio::time::timeout_at(until, self.client.next()).await {
            self.heard.push(envelope);
        }
    }

    /// Sound as a microphone sends it: in its own time.
    pub async fn play(&mut self, sound: Sound) {
        for samples in sound.samples.chunks(FRAME) {
            let sound = Sound { samples: samples.to_vec(), ..sound };
            self.send(Input::Audio(sound)).await;
            self.listen(Duration::from_millis(99)).await;
        }
    }

    /// Somebody says something, surely, and is silent afterwards.
    pub async fn say(&mut self, words: &str) {
        let sound = self.senses.says(words, 1.0);
        self.play(sound).await;
        self.play(silence(1_200)).await;
    }

    /// Takes what came so far.
    pub fn came(&mut self) -> Vec<Arc<Envelope>> {
        std::mem::take(&mut self.heard)
    }

    /// Until the assistant has fallen silent.
    pub async fn until_silent(&mut self) {
        loop {
            let before = self.heard.len();
            self.listen(Duration::from_millis(700)).await;
            if self.heard.len() == before {
                return;
            }
        }
    }
}

pub(crate) fn kept(events: &[Arc<Envelope>]) -> Vec<&'static str> {
    events.iter().filter(|one| one.event.is_kept()).map(|one| one.event.name()).collect()
}

fn partials(events: &[Arc<Envelope>]) -> Vec<&str> {
    let words = events.iter().filter_map(|envelope| match &envelope.event {
        Event::HeardDelta { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

pub(crate) fn heard(events: &[Arc<Envelope>]) -> Vec<&str> {
    let words = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Heard { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

pub(crate) fn codes(events: &[Arc<Envelope>]) -> Vec<&str> {
    let codes = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Failed { code, .. } => Some(code.as_str()),
        _ => None,
    });
    codes.collect()
}

pub(crate) fn at(events: &[Arc<Envelope>], name: &str) -> usize {
    let found = events.iter().position(|envelope| envelope.event.name() == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", names(events)))
}

pub fn cancelled(events: &[Arc<Envelope>]) -> Option<(Option<u64>, Option<usize>)> {
    events.iter().find_map(|envelope| match &envelope.event {
        Event::TurnCancelled { heard_ms, heard_chars, .. } => Some((*heard_ms, *heard_chars)),
        _ => None,
    })
}

#[tokio::test(start_paused = true)]
async fn words_appear_while_they_are_said_and_the_answer_is_heard_before_the_turn_ends() {
    let mut room = Room::new().await;
    room.will_say("Two meetings tomorrow.");
    room.say("what meetings do I have tomorrow").await;
    room.until_silent().await;
    let events = room.came();

    assert!(partials(&events).len() >= 2, "{:?}", names(&events));
    assert!("what meetings do I have tomorrow".starts_with(partials(&events)[0]));
    let expected = ["turn.start", "input_transcript.final", "assistant_text.final", "turn.end"];
    assert_eq!(kept(&events), expected);
    assert!(matches!(
        events[at(&events, "turn.start")].event,
        Event::TurnStarted { input_mode: InputMode::Voice, .. }
    ));
    let order = ["assistant_text.final", "assistant_audio.end", "turn.end"];
    let places = order.map(|name| at(&events, name));
    assert!(places.is_sorted(), "{:?}", names(&events));
    let spoken: u64 = events.iter().fold(0, |ms, envelope| match envelope.event {
        Event::Sounded { duration_ms, .. } => ms + duration_ms,
        _ => ms,
    });
    assert!(spoken > 1_000, "{spoken}");
    let turn = events[at(&events, "turn.end")].turn_id.unwrap();
    let row = room.stage.store.turn(turn).await.unwrap().unwrap();
    assert!(row.figures.first_audio_us.is_some() && row.figures.drift_permille.is_some());
}

#[tokio::test(start_paused = true)]
async fn noise_without_words_begins_no_turn() {
    let mut room = Room::new().await;
    let mut noise = silence(900);
    // Loud, and like no line of any script.
    noise.samples.iter_mut().step_by(2).for_each(|sample| *sample = 30_000);
    room.play(noise).await;
    room.play(silence(2_000)).await;
    assert_eq!(kept(&room.came()), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn sound_is_handed_out_little_ahead_of_where_it_is_played() {
    let mut room = Room::new().await;
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_secs(1)).await;
    let sent: u64 = room.came().iter().fold(0, |ms, envelope| match envelope.event {
        Event::Sounded { duration_ms, .. } => ms + duration_ms,
        _ => ms,
    });
    assert!((900..=1_400).contains(&sent), "{sent} ms in one second");
}

#[tokio::test(start_paused = true)]
async fn who_talks_over_it_is_heard_and_what_they_heard_is_kept() {
    let mut room = Room::new().await;
    room.will_say("You have nine meetings tomorrow, and the first of them is at seven.");
    room.say("what meetings do I have").await;
    room.listen(Duration::from_millis(800)).await;
    room.came();

    room.will_say("Okay.");
    room.say("stop it please").await;
    room.until_silent().await;
    let events = room.came();

    let order = ["assistant_audio.level", "assistant_audio.end", "turn.cancelled", "turn.start"];
    let places = order.map(|name| at(&events, name));
    assert!(places.is_sorted(), "{:?}", names(&events));
    let (ms, chars) = cancelled(&events).unwrap();
    assert!((500..4_000).contains(&ms.unwrap()), "{ms:?}");
    assert!((5..60).contains(&chars.unwrap()), "{chars:?}");
    assert_eq!(heard(&events), ["stop it please"]);
    let sound = events.iter().skip(at(&events, "turn.cancelled"));
    let stopped = events[at(&events, "turn.cancelled")].turn_id;
    let after = sound.filter(|envelope| envelope.turn_id == stopped);
    assert!(!after.map(|one| one.event.name()).any(|name| name == "assistant_audio.chunk"));
}

#[tokio::test(start_paused = true)]
async fn a_sound_of_listening_does_not_stop_it() {
    let mut room = Room::new().await;
    room.will_say("You have nine meetings tomorrow, and the first of them is at seven.");
    room.say("what meetings do I have").await;
    room.listen(Duration::from_millis(300)).await;
    room.came();

    let mut nod = room.senses.says("mhm", 1.0);
    nod.samples.truncate(3_200);
    room.play(nod).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(kept(&events), ["turn.end"]);
    let gains = events.iter().filter_map(|envelope| match envelope.event {
        Event::SoundLevel { gain } => Some(gain),
        _ => None,
    });
    assert_eq!(gains.collect::<Vec<_>>(), [0.2, 1.0]);
}

#[tokio::test(start_paused = true)]
async fn typed_words_and_a_stop_end_what_is_being_said_at_once() {
    let mut room = Room::new().await;
    let long = "This is a long answer that takes its time to be said from the first word on.";
    let text = |text: &str| Input::Text { text: text.into(), attachments: Vec::new() };
    room.will_say(long);
    room.send(text("well")).await;
    room.listen(Duration::from_secs(1)).await;
    room.came();

    room.will_say(long);
    room.send(text("go on")).await;
    room.listen(Duration::from_secs(1)).await;
    let events = room.came();
    assert!(at(&events, "turn.cancelled") < at(&events, "turn.start"));

    room.send(Input::Interrupt { turn: None, heard_ms: Some(400) }).await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(kept(&events), ["turn.cancelled"]);
    assert_eq!(cancelled(&events), Some((Some(400), Some(7))), "This is");
}

#[tokio::test(start_paused = true)]
async fn what_somebody_is_saying_is_dropped_when_they_type() {
    let mut room = Room::new().await;
    let sound = room.senses.says("send all of it to", 1.0);
    room.play(sound).await;
    room.will_say("Yes.");
    room.send(Input::Text { text: "are you there".into(), attachments: Vec::new() }).await;
    room.play(silence(2_000)).await;
    let events = room.came();
    assert_eq!(heard(&events), ["are you there"]);
    assert_eq!(kept(&events)[..2], ["turn.start", "turn.cancelled"]);
}

/// What somebody sees who never left.
fn shown(room: &Room) -> testkit::page::Shown {
    Page::of(room.heard.iter().map(|one| &**one)).shown()
}

/// What somebody sees who comes back from here now.
async fn seen_by(room: &Room, start: Start, events: &[Arc<Envelope>]) -> testkit::page::Shown {
    let (_, mut other) = room.stage.registry.join(room.session.clone(), start).await.unwrap();
    let mut page = Page::of(events.iter().map(|one| &**one));
    while let Ok(Ok(envelope)) = tokio::time::timeout(Duration::from_millis(1), other.next()).await
    {
        page.take(&envelope);
    }
    room.session.leave(other.client).await;
    page.shown()
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_back_while_somebody_speaks_or_is_spoken_to_sees_what_everybody_sees() {
    let (mut room, _) = with_card().await;
    room.until_silent().await;
    room.say("no").await;
    room.will_say("You have nine meetings tomorrow, and the first of them is at seven.");
    let mut sound = room.senses.says("and what meetings do I have tomorrow morning", 1.0);
    sound.samples.extend(silence(4_000).samples);
    let mut states = std::collections::BTreeSet::new();
    for samples in sound.samples.chunks(FRAME) {
        let sound = Sound { samples: samples.to_vec(), ..sound };
        room.send(Input::Audio(sound)).await;
        room.listen(Duration::from_millis(99)).await;
        let numbered = room.heard.iter().filter(|one| one.seq.is_some());
        let numbered: Vec<_> = numbered.cloned().collect();
        let mut comes_back = vec![(Start::Anew, &[][..])];
        for left in [numbered.len(), numbered.len().saturating_sub(3), numbered.len() / 2] {
            let before = &numbered[..left];
            let last_seq = before.last().and_then(|one| one.seq).unwrap_or(0);
            comes_back.push((crate::after(last_seq), before));
        }
        for (start, before) in comes_back {
            let earlier = shown(&room);
            states.insert(earlier.state.name());
            let seen = seen_by(&room, start, before).await;
            room.listen(Duration::from_millis(1)).await;
            // Something may have happened meanwhile.
            assert!(seen == earlier || seen == shown(&room), "{start:?}\n{seen:?}\n{earlier:?}");
        }
    }
    let passed = ["listening", "speaking"];
    assert!(passed.into_iter().all(|state| states.contains(state)), "{states:?}");
}

/// A room with an open card, whose question is being spoken.
pub(crate) async fn with_card() -> (Room, Arc<testkit::FakeWriter>) {
    let writer = note::writer(Fortune::Does(json!({ "id": 1 })));
    let mut room = Room::having(note::with(&writer)).await;
    room.stage.mind.will_think(note::thought("called"));
    room.say("note that I called").await;
    assert!(kept(&room.heard).contains(&"confirmation.request"));
    (room, writer)
}

pub(crate) fn answered(events: &[Arc<Envelope>]) -> Option<(Decision, Channel)> {
    events.iter().find_map(|envelope| match envelope.event {
        Event::Answered { decision, channel, .. } => Some((decision, channel)),
        _ => None,
    })
}

#[tokio::test(start_paused = true)]
async fn a_yes_behind_the_question_is_a_say_so_and_done_once() {
    let (mut room, writer) = with_card().await;
    room.came();
    room.until_silent().await;
    room.say("yes").await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(answered(&events), Some((Decision::Accept, Channel::Voice)), "{:?}", names(&events));
    let effects: Vec<usize> = writer.ledger.effects().values().map(Vec::len).collect();
    assert_eq!((effects, writer.ledger.stolen()), (vec![1], 0));
}

#[tokio::test(start_paused = true)]
async fn a_yes_into_the_question_decides_nothing() {
    let (mut room, writer) = with_card().await;
    room.came();
    room.say("yes do it now").await;
    room.until_silent().await;
    let events = room.came();

    assert_eq!(answered(&events), None);
    assert!(writer.ledger.effects().is_empty());
    assert_eq!(heard(&events), ["yes do it now"]);
}

#[tokio::test(start_paused = true)]
async fn a_yes_behind_a_question_that_was_cut_off_decides_nothing_until_it_was_heard() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    room.say("no").await;
    room.until_silent().await;
    room.stage.mind.will_think(note::thought("called again"));
    room.send(Input::Text { text: "note that".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_millis(400)).await;
    room.send(Input::Interrupt { turn: None, heard_ms: None }).await;
    room.came();

    room.say("yes do it now").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None, "nobody heard the question");
    assert!(writer.ledger.effects().is_empty());

    room.say("yes do it now").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), Some((Decision::Accept, Channel::Voice)));
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_what_is_worked_on_and_what_is_still_being_said() {
    let mut room = Room::new().await;
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.stage.mind.will_think(Thought { takes: Duration::from_mins(1), ..Thought::default() });
    let tool = session::SessionHandle::run(&room.session, None, "no.tool".into(), json!({}));
    let _ = tokio::time::timeout(Duration::from_millis(10), tool).await;
    room.listen(Duration::from_millis(300)).await;
    room.send(Input::Interrupt { turn: None, heard_ms: None }).await;
    room.until_silent().await;
    let events = room.came();
    let begun = kept(&events).iter().filter(|name| **name == "turn.start").count();
    let over = ["turn.end", "turn.cancelled"];
    let ended = kept(&events).iter().filter(|name| over.contains(name)).count();
    assert_eq!(begun, ended, "{:?}", names(&events));
}

#[tokio::test(start_paused = true)]
async fn an_unclear_yes_and_a_late_bare_one_decide_nothing() {
    for (sure, later) in [(0.3, 1), (1.0, 15)] {
        let (mut room, writer) = with_card().await;
        room.until_silent().await;
        room.came();
        for _ in 1..later {
            room.play(silence(1_000)).await;
        }
        let sound = room.senses.says("yes", sure);
        room.play(sound).await;
        room.play(silence(1_500)).await;
        room.until_silent().await;
        assert_eq!(answered(&room.came()), None, "{sure} {later}");
        assert!(writer.ledger.effects().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_bare_yes_counts_behind_what_was_last_told_of_the_card() {
    for plays_audio in [true, false] {
        let (mut room, writer) = with_card().await;
        let hello =
            Hello { plays_audio: Some(plays_audio), cancels_echo: true, ..Hello::default() };
        room.send(Input::Hello(hello)).await;
        room.until_silent().await;
        room.say("hm maybe").await;
        room.until_silent().await;
        room.came();
        room.say("yes").await;
        room.until_silent().await;
        let events = room.came();
        let yes = Some((Decision::Accept, Channel::Voice));
        assert_eq!(answered(&events), yes, "{plays_audio} {events:#?}");
        assert_eq!(writer.ledger.effects().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_no_counts_also_into_the_question() {
    let (mut room, writer) = with_card().await;
    room.came();
    room.say("no don't do that").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), Some((Decision::Reject, Channel::Voice)));
    assert!(writer.ledger.effects().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_recogniser_that_fails_once_is_asked_again_and_twice_ends_the_turn() {
    let mut room = Room::new().await;
    room.will_say("Here.");
    let sound = room.senses.says("where are you", 1.0);
    room.play(sound).await;
    room.senses.will_fail(1);
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(
        (heard(&events), codes(&events)),
        (vec!["where are you"], vec!["recogniser_failed"])
    );
    let recovers = events.iter().any(|envelope| {
        matches!(envelope.event, Event::StateChanged { to: TurnState::ErrorRecoverable, .. })
    });
    assert!(recovers, "{:?}", names(&events));

    let sound = room.senses.says("and now", 1.0);
    room.play(sound).await;
    room.senses.will_fail(2);
    room.play(silence(1_500)).await;
    let events = room.came();
    let failed =
        Event::TurnEnded { outcome: Outcome::Failed, error_code: Some("recogniser_failed".into()) };
    assert!(events.iter().any(|envelope| envelope.event == failed), "{:?}", names(&events));

    room.will_say("Still here.");
    room.send(Input::Text { text: "typed".into(), attachments: Vec::new() }).await;
    room.until_silent().await;
    assert_eq!(kept(&room.came()).last(), Some(&"turn.end"));
}

#[tokio::test(start_paused = true)]
async fn a_voice_that_breaks_down_takes_nothing_from_the_text() {
    let mut room = Room::new().await;
    room.senses.loses_its_voice();
    room.will_say("Two meetings.");
    room.say("what meetings do I have").await;
    room.until_silent().await;
    let events = room.came();
    assert_eq!(kept(&events)[2..], ["assistant_text.final", "turn.end"]);
    assert_eq!(room.senses.spoken(), ["Two meetings."]);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_was_being_spoken_when_the_server_died_was_answered() {
    let mut room = Room::new().await;
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_secs(1)).await;
    assert!(!kept(&room.came()).contains(&"turn.end"));

    let after = Stage::on(Arc::clone(&room.stage.store));
    let woken = after.registry.open(room.session.id, USER).await.unwrap();
    let (_, mut client) = after.registry.join(woken, crate::after(0)).await.unwrap();
    let events = crate::events(&mut client).await;
    let ended = Event::TurnEnded { outcome: Outcome::Success, error_code: None };
    assert!(events.iter().any(|envelope| envelope.event == ended), "{:?}", names(&events));
}

#[tokio::test(start_paused = true)]
async fn a_write_whose_outcome_was_being_spoken_when_the_server_died_is_not_told_as_failed() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    room.say("yes").await;
    room.came();
    assert_eq!(writer.ledger.effects().len(), 1);

    let after = Stage::on(Arc::clone(&room.stage.store)).having(note::with(&writer));
    let woken = after.registry.open(room.session.id, USER).await.unwrap();
    let (_, mut client) = after.registry.join(woken, crate::after(0)).await.unwrap();
    let events = crate::events(&mut client).await;
    let ended = Event::TurnEnded { outcome: Outcome::Success, error_code: None };
    assert!(events.iter().any(|envelope| envelope.event == ended), "{:?}", names(&events));
    assert_eq!((codes(&events), writer.ledger.effects().len()), (vec![], 1));
}

#[tokio::test(start_paused = true)]
async fn more_time_for_a_card_does_not_make_its_question_new() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    let asked = room.came().iter().find_map(|envelope| match &envelope.event {
        Event::AskedToConfirm(card) => Some(card.confirmation_request_id.to_string()),
        _ => None,
    });
    room.listen(Duration::from_mins(1)).await;
    room.send(Input::Extend { question: asked.unwrap() }).await;
    room.say("yes").await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None);
    assert!(writer.ledger.effects().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_rest_of_a_sentence_that_was_dropped_is_not_heard() {
    let (mut room, writer) = with_card().await;
    room.until_silent().await;
    let (mut not, yes) = (room.senses.says("don't", 1.0), room.senses.says("yes do it now", 1.0));
    not.samples.truncate(8_000);
    room.play(not).await;
    room.will_say("Here.");
    room.send(Input::Text { text: "are you there".into(), attachments: Vec::new() }).await;
    room.play(yes).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    assert_eq!(answered(&room.came()), None);
    assert!(writer.ledger.effects().is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_is_said_behind_an_acknowledgement_that_was_talked_over_is_not_spoken() {
    let slow = FakeTool::new("slow.look", brain::ActionLevel::Read, Script::Hangs);
    let mut room = Room::having(tools::Catalog::new().with(Arc::new(slow))).await;
    let step = ProposedStep { tool: "slow.look".into(), args: json!({}) };
    room.stage.mind.will_think(Thought {
        proposal: Proposal { steps: vec![step], ..Proposal::default() },
        acknowledgement: Some("Let me have a long and thorough look at that for you.".into()),
        says: Some("Here is what I found out about it.".into()),
        ..Thought::default()
    });
    room.send(Input::Text { text: "look".into(), attachments: Vec::new() }).await;
    room.listen(Duration::from_millis(500)).await;
    let turn = room.heard[at(&room.heard, "turn.start")].turn_id;
    let sound = room.senses.says("hold on a moment please", 1.0);
    room.play(sound).await;
    room.play(silence(1_500)).await;
    room.listen(Duration::from_mins(1)).await;
    let events = room.came();

    let of_turn = events.iter().filter(|one| one.turn_id == turn);
    let of_turn: Vec<_> = of_turn.map(|one| one.event.name()).collect();
    let begun = of_turn.iter().filter(|name| **name == "assistant_audio.start").count();
    assert_eq!((begun, of_turn.contains(&"turn.end")), (1, true), "{of_turn:?}");
}

#[tokio::test(start_paused = true)]
async fn a_turn_is_over_when_nobody_listens_any_more() {
    let mut room = Room::new().await;
    let (_, mut silent) = room.stage.registry.join(room.session.clone(), Start::Now).await.unwrap();
    room.will_say("This is a long answer that takes its time to be said from the first word on.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.session.leave(room.client.client).await;
    let events = crate::events(&mut silent).await;
    assert_eq!(kept(&events).last(), Some(&"turn.end"));
    let sound = events.iter().filter(|one| one.event.name().starts_with("assistant_audio"));
    assert_eq!(sound.count(), 0, "nobody asked for sound there");
}

#[tokio::test(start_paused = true)]
async fn one_device_is_listened_to_at_a_time() {
    let mut room = Room::new().await;
    let (_, mut other) = room.stage.registry.join(room.session.clone(), Start::Now).await.unwrap();
    let sound = room.senses.says("what meetings do I have", 1.0);
    room.play(sound).await;
    let chunk = || Input::Audio(silence(100));
    for _ in 0..3 {
        room.session.send(other.client, None, chunk()).await.unwrap();
    }
    let told = crate::events(&mut other).await;
    assert_eq!(codes(&told), ["microphone_busy"], "once");
}

#[tokio::test(start_paused = true)]
async fn a_button_that_is_let_go_ends_what_is_said_and_silence_is_told() {
    let mut room = Room::new().await;
    let manual = Hello { turn_mode: brain::input::TurnMode::Manual, ..Hello::default() };
    room.send(Input::Hello(manual)).await;
    let end = Input::AudioEnd { reason: AudioEndReason::ManualStop };
    room.will_say("Two.");
    let sound = room.senses.says("how many", 1.0);
    room.play(sound).await;
    room.play(silence(3_000)).await;
    assert_eq!(heard(&room.came()), [""; 0], "silence ends nothing here");
    room.send(end.clone()).await;
    room.until_silent().await;
    assert_eq!(heard(&room.came()), ["how many"]);

    room.play(silence(500)).await;
    room.send(end).await;
    room.listen(Duration::from_secs(1)).await;
    assert_eq!(codes(&room.came()), ["no_speech"]);
}

/// Somebody who has told us how to speak.
struct Told;

#[async_trait::async_trait]
impl session::Manners for Told {
    async fn manner(&self, user: brain::UserId) -> tools::local::Manner {
        assert_eq!(user, USER);
        let like = brain::facts::SaidLike { word: "Siobhan".into(), like: "Chevonne".into() };
        tools::local::Manner { percent: Some(70), names: vec![like] }
    }
}

#[tokio::test(start_paused = true)]
async fn everybody_is_spoken_to_as_they_said() {
    let (store, senses) = (Arc::default(), FakeSenses::default());
    let (mut house, mind) = house(&store, tools::Catalog::new());
    house.senses = Arc::new(senses.senses());
    house.manners = Arc::new(Told);
    let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
    let (session, client) = stage.session().await;
    let mut room = Room { stage, senses, session, client, heard: Vec::new() };
    let plays = Hello { plays_audio: Some(true), ..Hello::default() };
    room.send(Input::Hello(plays)).await;
    room.will_say("Siobhan wrote.");
    room.send(Input::Text { text: "well".into(), attachments: Vec::new() }).await;
    room.until_silent().await;
    let manner = room.senses.manner().unwrap();
    assert!((manner.speed - 0.7).abs() < 1e-6);
    let like = speech::tts::Pronunciation::Like("Chevonne".into());
    assert_eq!(manner.pronunciations.of("Siobhan"), Some(&like));
}

#[tokio::test(start_paused = true)]
async fn who_speaks_for_too_long_is_told_so_aloud() {
    let mut room = Room::new().await;
    room.will_say("Two meetings.");
    let sound = room.senses.says(&"and then ".repeat(130), 1.0);
    room.play(sound).await;
    room.play(silence(1_500)).await;
    room.until_silent().await;
    let events = room.came();
    let answer = events.iter().find_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.as_str()),
        _ => None,
    });
    let told = "That was longer than I can follow in one go. I took it up to here. Two meetings.";
    assert_eq!(answer, Some(told), "{:?}", names(&events));
    assert!(room.senses.spoken().iter().any(|said| said.starts_with("That was longer")));
}
