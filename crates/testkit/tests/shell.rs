//! Talking through a live voice: a whole session, a strict server that speaks its protocol,
//! and everything that may go wrong between them. In real time, for the line is a real one.

use std::sync::Arc;
use std::time::Duration;

use brain::confirmation::Channel;
use brain::ids::Uuid;
use brain::input::{Decision, Hello, Sound};
use brain::{ActionLevel, Envelope, Event, Input, Profile, UserId};
use models::Thinker;
use models::realtime::Live;
use serde_json::{Value, json};
use session::{House, Joined, Registry, SessionHandle, Start};
use store::{Costs, EventLog, Store};
use testkit::modelled::{Clueless, Round};
use testkit::parts::Script;
use testkit::provider::KEY;
use testkit::realtime::{Answer, Ends, MODEL, client as realtime, lent};
use testkit::senses::silence;
use testkit::writer::Fortune;
use testkit::{
    FakeRealtime, FakeSenses, FakeTool, FakeWriter, FlakyStore, NoContacts, ScriptedModel,
};
use tools::{Catalog, Tool};

const USER: UserId = UserId(Uuid::from_u128(0xA11CE));
/// Nothing here takes longer.
const PATIENCE: Duration = Duration::from_secs(20);
const FRAME: usize = 1_600;

/// A session with a microphone, a loudspeaker and a live voice.
struct Room {
    fake: FakeRealtime,
    senses: FakeSenses,
    store: Arc<FlakyStore>,
    session: SessionHandle,
    client: Joined,
    registry: Registry,
}

impl Room {
    async fn having(catalog: Catalog, classic: Option<Arc<ScriptedModel>>) -> Self {
        Self::with(FakeRealtime::start().await, catalog, classic).await
    }

    async fn with(
        fake: FakeRealtime,
        catalog: Catalog,
        classic: Option<Arc<ScriptedModel>>,
    ) -> Self {
        Self::of(Profile::new("UTC"), fake, catalog, classic).await
    }

    async fn of(
        person: Profile,
        fake: FakeRealtime,
        catalog: Catalog,
        classic: Option<Arc<ScriptedModel>>,
    ) -> Self {
        let (store, senses) = (Arc::<FlakyStore>::default(), FakeSenses::default());
        let catalog = Arc::new(catalog);
        let mut house = House::new(
            store.clone() as Arc<dyn Store>,
            Arc::new(Clueless),
            Arc::clone(&catalog),
            Arc::new(NoContacts),
            person,
        );
        house.senses = Arc::new(senses.senses());
        house.thinker = classic.map(|model| -> Arc<dyn Thinker> {
            Arc::new(ScriptedModel::planner_of(None, Some(&model), &catalog))
        });
        let live = |tools| -> Arc<dyn Live> { Arc::new(realtime(fake.base(), KEY, MODEL, tools)) };
        house.live = Some(lent(&catalog, live));
        let registry = Registry::new(Arc::new(house));
        let session = registry.create(USER, None).await.unwrap();
        let (session, client) = registry.join(session, Start::Now).await.unwrap();
        let mut room = Self { fake, senses, store, session, client, registry };
        let hello = Hello { plays_audio: Some(true), cancels_echo: true, ..Hello::default() };
        room.send(Input::Hello(hello)).await;
        // A microphone sends before anybody speaks: the line is open by then.
        room.play(silence(200)).await;
        room
    }

    /// Until it is on the line for the so-manieth time.
    async fn line(&self, number: usize) {
        let open = async {
            while self.fake.lines() < number || self.fake.came(number).is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, open).await.expect("another line is opened");
        // It is known here a moment later.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    async fn send(&mut self, input: Input) {
        self.session.send(self.client.client, None, input).await.unwrap();
    }

    async fn play(&mut self, sound: Sound) {
        for samples in sound.samples.chunks(FRAME) {
            let sound = Sound { samples: samples.to_vec(), ..sound };
            self.send(Input::Audio(sound)).await;
        }
    }

    /// Somebody says something; both ears hear the same.
    async fn say(&mut self, words: &str) {
        self.fake.will_hear(words);
        let sound = self.senses.says(words, 1.0);
        self.play(sound).await;
        self.play(silence(1_200)).await;
    }

    /// Everything up to what is waited for.
    async fn until(&mut self, what: &str, is_it: impl Fn(&Event) -> bool) -> Vec<Arc<Envelope>> {
        let mut events = Vec::new();
        loop {
            let next = tokio::time::timeout(PATIENCE, self.client.next()).await;
            let Ok(Ok(envelope)) = next else {
                let names: Vec<_> =
                    events.iter().map(|it: &Arc<Envelope>| it.event.name()).collect();
                panic!("{what} does not come; there was {names:?}; {:?}", self.fake.mistakes());
            };
            let found = is_it(&envelope.event);
            events.push(envelope);
            if found {
                return events;
            }
        }
    }

    async fn until_over(&mut self) -> Vec<Arc<Envelope>> {
        self.until("the end of a turn", |event| {
            matches!(event, Event::TurnEnded { .. } | Event::TurnCancelled { .. })
        })
        .await
    }

    async fn until_heard(&mut self) -> Vec<Arc<Envelope>> {
        self.until("that it was heard", |event| matches!(event, Event::SoundEnded { .. })).await
    }

    /// What it was told over a line, by kind, without what it only reads.
    fn told(&self, line: usize) -> Vec<String> {
        let kind = |event: &Value| {
            let kind = event["type"].as_str().unwrap_or_default();
            match event["item"]["type"].as_str() {
                Some(item) => format!("{kind} {item}"),
                None => kind.to_owned(),
            }
        };
        let reads = |event: &&Value| event["response"]["conversation"] != "none";
        self.fake.came(line).iter().filter(reads).map(kind).collect()
    }
}

fn said(events: &[Arc<Envelope>]) -> String {
    let said = events.iter().rev().find_map(|envelope| match &envelope.event {
        Event::Said { text } => Some(text.clone()),
        _ => None,
    });
    said.expect("something was said")
}

fn codes(events: &[Arc<Envelope>]) -> Vec<&str> {
    let codes = events.iter().filter_map(|envelope| match &envelope.event {
        Event::Failed { code, .. } => Some(code.as_str()),
        _ => None,
    });
    codes.collect()
}

/// Where in the text each piece of sound is, in the order it came.
fn heard_at(events: &[Arc<Envelope>]) -> Vec<(usize, usize)> {
    let at = |envelope: &Arc<Envelope>| match envelope.event {
        Event::Sounded { text_start, text_end, .. } => Some((text_start, text_end)),
        _ => None,
    };
    events.iter().filter_map(at).collect()
}

fn nothing() -> Catalog {
    Catalog::new()
}

#[tokio::test]
async fn what_is_asked_for_aloud_is_done_once_and_only_after_a_yes() {
    let writer = Arc::new(FakeWriter::new("crm.note", vec![Fortune::Does(json!({ "id": 1 }))]));
    let catalog = Catalog::new().with(Arc::clone(&writer) as Arc<dyn Tool>);
    let mut room = Room::having(catalog, None).await;
    room.line(1).await;
    room.fake.will(Answer::calls(&[("crm.note", json!({ "text": "called" }))]));

    room.say("please jot down that I called").await;
    let events = room.until_heard().await;

    let asked = events.iter().any(|one| matches!(one.event, Event::AskedToConfirm(_)));
    assert!(asked && writer.ledger.effects().is_empty(), "a card, and nothing was done");
    tokio::time::sleep(Duration::from_millis(300)).await;
    room.say("yes").await;
    let after = room.until_over().await;

    let answered = after.iter().find_map(|one| match one.event {
        Event::Answered { decision, channel, .. } => Some((decision, channel)),
        _ => None,
    });
    assert_eq!(answered, Some((Decision::Accept, Channel::Voice)), "{}", said(&after));
    assert_eq!((writer.ledger.effects().len(), writer.ledger.stolen()), (1, 0));
    assert_eq!((codes(&events), codes(&after)), (vec![], vec![]), "nobody stood in");
    assert_eq!(room.senses.spoken(), [""; 0], "our own voice said nothing");
    assert_eq!(room.fake.mistakes(), [""; 0]);
    let heard: Vec<_> = room.fake.items().into_iter().filter(|it| it.role == "user").collect();
    assert_eq!(
        heard.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(),
        ["please jot down that I called", "yes"]
    );
}

#[tokio::test]
async fn it_is_told_where_it_was_cut_off() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer {
        between: Duration::from_millis(20),
        ..Answer::says(
            "Blue light is scattered most, so it comes from everywhere in the sky at once.",
        )
    });
    room.say("why is the sky so blue").await;
    let begun =
        |event: &Event| matches!(event, Event::Sounded { start_ms, .. } if *start_ms > 2_600);
    room.until("its own words", begun).await;
    room.send(Input::Interrupt { turn: None, heard_ms: Some(2_500) }).await;
    let cut = room.until_over().await;

    let heard = cut.iter().find_map(|one| match one.event {
        Event::TurnCancelled { heard_ms, heard_chars, .. } => heard_ms.zip(heard_chars),
        _ => None,
    });
    let (heard_ms, heard_chars) = heard.expect("it was cut off");
    assert_eq!(heard_ms, 2_500);
    let truncated = async {
        loop {
            let came = room.fake.came(1);
            let found = came.iter().find(|it| it["type"] == "conversation.item.truncate").cloned();
            if let Some(found) = found {
                return found;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let truncated = tokio::time::timeout(PATIENCE, truncated).await.expect("it is told");
    // "Let me think about that." and the breath behind it came first.
    assert_eq!(truncated["audio_end_ms"], 2_500 - 24 * 50 - 320);
    assert!((25..60).contains(&heard_chars), "{heard_chars}");
    assert_eq!(room.fake.mistakes(), [""; 0]);

    room.fake.will(Answer::says("As I said, light is scattered."));
    room.say("what was that about light").await;
    let next = room.until_over().await;
    assert!(said(&next).ends_with("As I said, light is scattered."));
    assert_eq!(room.fake.mistakes(), [""; 0], "one answer at a time");
}

#[tokio::test]
async fn whoever_talks_over_it_is_heard_and_it_stops() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says(
        "Blue light is scattered most, so it comes from everywhere in the sky at once, and so on.",
    ));
    room.say("why is the sky so blue").await;
    let begun =
        |event: &Event| matches!(event, Event::Sounded { start_ms, .. } if *start_ms > 2_000);
    room.until("its own words", begun).await;
    room.fake.will(Answer::says("Then the grass."));
    room.say("enough now tell me about green").await;
    let cut = room.until_over().await;

    assert!(cut.iter().any(|one| matches!(one.event, Event::TurnCancelled { .. })));
    let next = room.until_over().await;
    assert!(said(&next).ends_with("Then the grass."), "{}", said(&next));
    let told = room.told(1);
    let cuts = told.iter().filter(|it| *it == "conversation.item.truncate").count();
    assert_eq!(cuts, 1, "{told:?}");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn whoever_falls_silent_is_left_alone_for_a_turn() {
    let classic = Arc::new(ScriptedModel::default());
    let round = Round { says: "A classic answer.".into(), ..Round::default() };
    classic.will_answer(round);
    let mut room = Room::having(nothing(), Some(classic)).await;
    room.line(1).await;
    let answer = "Blue light is scattered most. It comes from everywhere. That is the reason why.";
    room.fake.will(Answer { ends: Ends::Stalls, ..Answer::says(answer) });
    room.say("why is the sky so blue").await;
    let first = room.until_over().await;
    assert!(said(&first).ends_with("lost the line."), "{}", said(&first));

    room.say("and why is it red at night").await;
    let second = room.until_over().await;

    assert!(said(&second).ends_with("A classic answer."), "{}", said(&second));
    let told = room.told(1);
    assert!(told.contains(&"response.cancel".to_owned()), "nobody waits for it: {told:?}");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn two_calls_are_answered_together_and_a_slow_one_is_spoken_over() {
    let looks = |name, script| Arc::new(FakeTool::new(name, ActionLevel::Read, script));
    let slow = Script::Takes(Duration::from_millis(2_300), json!({ "events": [] }));
    let mail = looks("mail.find", Script::Returns(json!({ "mails": 2 })));
    let day = looks("day.list", slow);
    let catalog = Catalog::new().with(mail.clone()).with(day.clone());
    let mut room = Room::having(catalog, None).await;
    room.line(1).await;
    room.fake.will(Answer::calls(&[
        ("mail.find", json!({ "q": "budget" })),
        ("day.list", json!({ "day": "today" })),
    ]));
    room.fake.will(Answer::says("Two mails, and the day is free."));

    room.say("anything about the budget and how is my day").await;
    let events = room.until_over().await;

    assert_eq!((mail.calls().len(), day.calls().len()), (1, 1));
    let text = said(&events);
    let order = ["Let me see", "Still looking.", "Two mails, and the day is free."];
    let places: Vec<_> = order.iter().map(|part| text.find(part).expect(&text)).collect();
    assert!(places.is_sorted(), "{text}");
    let told = room.told(1);
    let first = told.iter().position(|it| it == "response.create").unwrap();
    let asked = [
        "conversation.item.create function_call_output",
        "conversation.item.create function_call_output",
        "response.create",
    ];
    assert_eq!(told[first + 1..first + 4], asked, "{told:?}");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn a_line_that_breaks_in_the_middle_of_an_answer_costs_no_word_that_was_shown() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let answer = "Blue light is scattered most. It comes from everywhere. That is the reason why.";
    room.fake.will(Answer { ends: Ends::Breaks, ..Answer::says(answer) });

    room.say("why is the sky so blue").await;
    let events = room.until_over().await;

    let text = said(&events);
    assert!(
        text.contains("Blue light is scattered most.") && text.contains("lost the line"),
        "{text}"
    );
    assert_eq!(text.matches("Blue light").count(), 1);
    let told: Vec<_> = codes(&events).into_iter().filter(|code| *code == "backup_voice").collect();
    assert_eq!(told.len(), 1, "they are told, once");
    let places = heard_at(&events);
    assert!(places.is_sorted(), "nothing is said twice: {places:?}");
    assert_eq!(places.last().map(|(_, end)| *end), Some(text.chars().count()), "and all of it");

    room.line(2).await;
    let seeded = room.fake.items();
    assert_eq!(
        (seeded[0].role.as_str(), seeded[0].text.as_str()),
        ("user", "why is the sky so blue")
    );
    room.fake.will(Answer::says("Light is scattered."));
    room.say("say that again in short").await;
    let next = room.until_over().await;
    assert!(said(&next).ends_with("Light is scattered."), "{}", said(&next));
    assert_eq!(codes(&next), [""; 0], "it is back");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn when_its_time_is_up_another_conversation_begins_where_that_one_was() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says("My favourite is blue."));
    room.say("which colour do you like best").await;
    room.until_over().await;

    room.fake.ends_all();
    room.line(2).await;

    let seeded: Vec<_> = room.fake.items().into_iter().map(|it| (it.role, it.text)).collect();
    assert_eq!(
        seeded,
        [
            ("user".to_owned(), "which colour do you like best".to_owned()),
            ("assistant".to_owned(), "Let me think about that. My favourite is blue.".to_owned()),
        ]
    );
    room.fake.will(Answer::says("Still blue."));
    room.say("and which one now tell me").await;
    let events = room.until_over().await;
    assert!(said(&events).ends_with("Still blue."));
    assert_eq!(codes(&events), [""; 0]);
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn while_nobody_is_there_our_own_do_it_and_people_are_told() {
    let fake = FakeRealtime::start().await;
    fake.shuts(true);
    let classic = Arc::new(ScriptedModel::default());
    let round = Round { says: "A classic answer.".into(), ..Round::default() };
    classic.will_answer(round);
    let mut room = Room::with(fake, nothing(), Some(classic)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;

    room.say("why is the sky so blue").await;
    let events = room.until_over().await;

    assert!(said(&events).ends_with("A classic answer."), "{}", said(&events));
    let mut told = codes(&events);
    told.sort_unstable();
    assert_eq!(told, ["backup_ears", "backup_voice"]);
    let spoken = room.senses.spoken().join(" ");
    assert_eq!(spoken.matches("A classic answer.").count(), 1, "{spoken}");

    room.fake.shuts(false);
    room.line(1).await;
    let before = room.senses.spoken().len();
    room.fake.will(Answer::says("A live answer."));
    room.say("and why is it red at night").await;
    let events = room.until_over().await;
    assert!(said(&events).ends_with("A live answer."), "{}", said(&events));
    assert_eq!(room.senses.spoken().len(), before, "it speaks itself");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn who_wants_nothing_to_leave_this_machine_is_heard_by_our_own_ears_alone() {
    let person = Profile { cloud_models: false, ..Profile::new("UTC") };
    let mut room = Room::of(person, FakeRealtime::start().await, nothing(), None).await;

    room.say("why is the sky so blue").await;
    room.until_over().await;

    assert_eq!(room.fake.lines(), 0, "nobody was called");
    assert!(!room.senses.spoken().is_empty(), "our own voice answers");
}

#[tokio::test]
async fn what_is_not_read_word_for_word_is_said_by_our_own_voice() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.misreads(true);
    room.fake.will(Answer::says("Its own words are its own."));
    room.say("tell me something about words").await;
    let events = room.until_over().await;

    assert_eq!(room.senses.spoken(), ["Let me see what I can do."]);
    assert_eq!(codes(&events), ["backup_voice"]);
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn what_it_claims_to_have_done_is_not_heard() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says("Good idea. I have sent the mail to Ana. Anything else?"));
    room.say("would you mail Ana for me").await;
    let events = room.until_over().await;

    let text = said(&events);
    assert!(!text.contains("I have sent"), "{text}");
    let sounded: u64 = events.iter().fold(0, |ms, one| match one.event {
        Event::Sounded { duration_ms, .. } => ms + duration_ms,
        _ => ms,
    });
    // Fifty for every letter that was shown, and a breath for every clause.
    let most = text.chars().count() as u64 * 50 + 6 * 560;
    assert!(sounded <= most, "{sounded} ms for {} letters", text.chars().count());
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn what_was_typed_and_what_was_read_meanwhile_is_known_to_it() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says("Nice to meet you."));
    room.say("hello there my friend").await;
    room.until_over().await;
    let text = "I typed this".to_owned();
    room.send(Input::Text { text, attachments: Vec::new() }).await;
    room.until_over().await;

    let known = |items: &[testkit::realtime::Kept]| {
        items.iter().any(|it| it.role == "user" && it.text == "I typed this")
    };
    let told = async {
        while !known(&room.fake.items()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.expect("it is told what was typed");
    assert_eq!(room.fake.mistakes(), [""; 0]);
    assert!(room.store.last(room.session.id, 10).await.unwrap().len() >= 4);
}

#[tokio::test]
async fn what_was_begun_aloud_and_typed_instead_is_in_no_later_sentence() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let sound = room.senses.says("send everything I have to everybody right now", 1.0);
    room.play(sound).await;
    room.until("words so far", |event| matches!(event, Event::HeardDelta { .. })).await;
    let text = "no wait".to_owned();
    room.send(Input::Text { text, attachments: Vec::new() }).await;
    room.until_over().await;

    let cleared = async {
        while !room.told(1).contains(&"input_audio_buffer.clear".to_owned()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, cleared).await.expect("what it heard of it is taken back");
    assert!(!room.told(1).contains(&"input_audio_buffer.commit".to_owned()));
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn whoever_is_talked_over_while_it_thinks_still_answers_in_writing() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let after = Duration::from_millis(2_500);
    room.fake.will(Answer { after, ..Answer::says("Light is scattered.") });
    room.fake.will(Answer::says("The sea mirrors the sky."));
    room.say("why is the sky so blue").await;
    room.until("our own words", |event| matches!(event, Event::Sounded { .. })).await;
    room.say("and what about the sea then").await;

    let first = room.until_over().await;
    let text = "Let me think about that. Still thinking. Light is scattered.";
    assert_eq!(said(&first), text, "nothing of it was lost");
    let second = room.until_over().await;
    assert!(said(&second).ends_with("The sea mirrors the sky."), "{}", said(&second));
    assert!(!room.told(1).contains(&"response.cancel".to_owned()), "{:?}", room.told(1));
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn the_line_is_hung_up_once_nothing_may_leave_any_more() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let house = Arc::clone(room.registry.house());
    house.switch(USER, Some("escalate_to_cloud".into()), true).await.unwrap();
    // It is looked at with every knock.
    tokio::time::sleep(Duration::from_millis(5_500)).await;

    room.say("nobody else may hear this").await;
    let events = room.until_over().await;

    let heard = events.iter().any(|one| matches!(&one.event, Event::Heard { text, .. } if text == "nobody else may hear this"));
    assert!(heard, "our own ears hear it");
    assert_eq!(room.fake.items(), [], "and nobody else");
    assert_eq!(room.fake.lines(), 1);
}

#[tokio::test]
async fn what_it_heard_and_read_is_on_record_also_where_a_card_is_left_open() {
    let writer = Arc::new(FakeWriter::new("crm.note", vec![Fortune::Does(json!({ "id": 1 }))]));
    let catalog = Catalog::new().with(writer as Arc<dyn Tool>);
    let mut room = Room::having(catalog, None).await;
    room.line(1).await;
    room.fake.will(Answer::calls(&[("crm.note", json!({ "text": "called" }))]));
    room.say("please jot down that I called").await;
    let events = room.until_heard().await;
    let turn = events.iter().find_map(|one| one.turn_id).expect("a turn");
    room.session.leave(room.client.client).await;

    let billed = async {
        loop {
            let rows = room.store.model_calls(turn).await.unwrap();
            if let Some(row) = rows.into_iter().find(|row| row.number > 1_000) {
                return row;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let row = tokio::time::timeout(PATIENCE, billed).await.expect("it is on record");
    // Written down for ten tokens, and at least one clause read for a hundred.
    assert!(row.input_tokens >= 110 && row.cost_micros > 72, "{row:?}");
}

#[tokio::test]
async fn whether_it_can_be_talked_to_is_told_by_its_cause() {
    use models::provider::Trouble;
    let fake = FakeRealtime::start().await;
    let look = |key: &'static str, model: &'static str| {
        let live = realtime(fake.base(), key, model, Vec::new());
        async move { live.examine().await }
    };
    assert_eq!(look(KEY, MODEL).await, Ok(()));
    assert_eq!(look("sk-wrong", MODEL).await, Err(Trouble::WrongKey));
    assert_eq!(look(KEY, "live-9").await, Err(Trouble::NoModel("live-9".into())));
    fake.shuts(true);
    assert!(matches!(look(KEY, MODEL).await, Err(Trouble::Overloaded { status: 503, .. })));
    let nowhere = realtime("http://127.0.0.1:9/v1".into(), KEY, MODEL, Vec::new());
    assert!(matches!(nowhere.examine().await, Err(Trouble::Away(_))));
}
