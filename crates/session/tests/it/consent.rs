//! What people say to an open card, typed and aloud: only a yes is one.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use brain::input::{Decision, Hello};
use brain::plan::{Proposal, ProposedStep};
use brain::resolve::people::Contact;
use brain::{Event, Input, UserId};
use serde_json::json;
use session::{ContactBook, Joined, Registry, Senses, SessionHandle};
use speech::resample::EARS_RATE;
use testkit::aloud::{self, Models, Room, Somebody};
use testkit::parts::Thought;
use testkit::writer::{FakeWriter, Fortune};

use crate::{Stage, events, house, note};

const TOM: &str = "tom@example.com";
const ANSWERS: &str = include_str!("../answers.txt");
/// A client's frames: 100 ms.
const FRAME: usize = EARS_RATE as usize / 10;
const FRAME_TIME: Duration = Duration::from_millis(100);
/// Of a hundred that are a plain yes, so many may be asked again.
const REFUSED_OF_HUNDRED: usize = 5;

/// All answers, each under its heading.
fn answers() -> Vec<(&'static str, &'static str)> {
    let mut heading = "";
    let mut answers = Vec::new();
    for line in ANSWERS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(named) => heading = named,
            None => answers.push((heading, line)),
        }
    }
    answers
}

struct KnowsTom;

#[async_trait]
impl ContactBook for KnowsTom {
    async fn contacts(&self, _: UserId) -> Vec<Contact> {
        let (name, address) = ("Tom Okafor".to_owned(), TOM.to_owned());
        vec![Contact { name, address, nicknames: Vec::new(), pronouns: None }]
    }
}

/// A mail that waits for a yes.
struct Asked {
    writer: Arc<FakeWriter>,
    session: SessionHandle,
    client: Joined,
    _stage: Stage,
}

impl Asked {
    async fn with(senses: Option<&Arc<Senses>>) -> Self {
        let writer = note::writer(Fortune::Does(json!({ "id": 1 })));
        let store = Arc::default();
        let (mut house, mind) = house(&store, note::with(&writer));
        // To strangers a plain yes that is said is too little.
        house.contacts = Arc::new(KnowsTom);
        if let Some(senses) = senses {
            house.senses = Arc::clone(senses);
        }
        let stage = Stage { store, mind, registry: Registry::new(Arc::new(house)) };
        let (session, mut client) = stage.session().await;
        let hello = Hello { plays_audio: Some(false), cancels_echo: true, ..Hello::default() };
        session.send(client.client, None, Input::Hello(hello)).await.unwrap();
        let args = json!({ "to": [TOM], "subject": "Lunch", "body": "Noon works." });
        let steps = vec![ProposedStep { tool: note::TOOL.into(), args }];
        let proposal = Proposal { steps, ..Proposal::default() };
        stage.mind.will_think(Thought { proposal, ..Thought::default() });
        let input =
            Input::Text { text: "write to tom@example.com".into(), attachments: Vec::new() };
        session.send(client.client, None, input).await.unwrap();
        let shown = events(&mut client).await;
        let is_card = |event: &Event| matches!(event, Event::AskedToConfirm(_));
        assert!(shown.iter().any(|envelope| is_card(&envelope.event)), "no card: {shown:#?}");
        Self { writer, session, client, _stage: stage }
    }

    async fn type_in(&mut self, text: &str) -> Came {
        let mut came = Came::default();
        let input = Input::Text { text: text.into(), attachments: Vec::new() };
        self.session.send(self.client.client, None, input).await.unwrap();
        self.watch(Duration::from_millis(500), &mut came).await;
        self.judged(came)
    }

    async fn say(&mut self, samples: &[f32]) -> Came {
        let mut came = Came::default();
        for frame in samples.chunks(FRAME) {
            let sound = Input::Audio(aloud::sound(frame));
            self.session.send(self.client.client, None, sound).await.unwrap();
            self.watch(FRAME_TIME, &mut came).await;
        }
        self.watch(Duration::from_secs(1), &mut came).await;
        self.judged(came)
    }

    async fn watch(&mut self, time: Duration, came: &mut Came) {
        let until = tokio::time::Instant::now() + time;
        while let Ok(Ok(envelope)) = tokio::time::timeout_at(until, self.client.next()).await {
            match &envelope.event {
                Event::Heard { text, .. } => came.heard.push(text.clone()),
                Event::Answered { decision, .. } => came.decision = Some(*decision),
                Event::Said { text } => came.told.push(text.clone()),
                _ => {}
            }
        }
    }

    /// What was done counts, whatever was said of it.
    fn judged(&self, mut came: Came) -> Came {
        if !self.writer.ledger.effects().is_empty() {
            came.decision = Some(Decision::Accept);
        }
        came
    }
}

#[derive(Default)]
struct Came {
    heard: Vec<String>,
    told: Vec<String>,
    decision: Option<Decision>,
}

impl Display for Came {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "heard as {:?}, answered with {:?}", self.heard, self.told)
    }
}

/// How many answers there were under each heading, and what they were taken for.
#[derive(Default)]
struct Table {
    rows: BTreeMap<&'static str, [usize; 3]>,
    false_yes: Vec<String>,
    refused: usize,
}

impl Table {
    fn add(&mut self, heading: &'static str, said: &str, came: &Came) {
        let row = self.rows.entry(heading).or_default();
        row[0] += 1;
        row[1] += usize::from(came.decision == Some(Decision::Accept));
        row[2] += usize::from(came.decision == Some(Decision::Reject));
        let is_yes = came.decision == Some(Decision::Accept);
        if is_yes && heading != "yes" {
            self.false_yes.push(format!("{said:?}, {came}"));
        }
        if !is_yes && heading == "yes" {
            self.refused += 1;
            println!("  not taken for a yes: {said:?}, {came}");
        }
        if heading == "deny" && came.decision != Some(Decision::Reject) {
            println!("  not taken for a no: {said:?}, {came}");
        }
    }

    fn print(&self, who: &str) {
        println!("{who}:");
        for (heading, [all, yes, no]) in &self.rows {
            println!("  {heading:14} {all:4} answers, {yes:3} taken for a yes, {no:3} for a no");
        }
    }

    fn judge(&self) {
        assert!(self.false_yes.is_empty(), "nobody said yes: {:#?}", self.false_yes);
        let plain = self.rows["yes"][0];
        // Of a few, one is chance.
        let most = (plain * REFUSED_OF_HUNDRED / 100).max(1);
        assert!(self.refused <= most, "{} of {plain} refused", self.refused);
    }
}

#[tokio::test(start_paused = true)]
async fn of_three_hundred_typed_answers_only_a_yes_is_one() {
    let mut table = Table::default();
    assert!(answers().len() >= 300);
    for (heading, answer) in answers() {
        let came = Asked::with(None).await.type_in(answer).await;
        table.add(heading, answer, &came);
    }
    table.print("typed");
    table.judge();
}

async fn aloud_by(who: &str, somebody: &Somebody, senses: &Arc<Senses>, decibels: f32) -> Table {
    let (mut table, mut room) = (Table::default(), Room::default());
    let said = answers().into_iter().filter(|(heading, _)| !heading.ends_with("in writing"));
    for (heading, answer) in said.step_by(every()) {
        let voice = somebody.says(answer);
        let samples = room.with(&voice, 4 * FRAME, 30 * FRAME, decibels);
        let came = Asked::with(Some(senses)).await.say(&samples).await;
        table.add(heading, answer, &came);
    }
    table.print(who);
    table
}

/// Every so many of them; all of them in the proof.
fn every() -> usize {
    std::env::var("SAYSO_ANSWERS_EVERY").ok().and_then(|it| it.parse().ok()).unwrap_or(8)
}

#[tokio::test(start_paused = true)]
async fn of_answers_said_aloud_only_a_yes_is_one() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let senses = models.senses();
    aloud_by("aloud", &models.somebody(1.0), &senses, 20.0).await.judge();
}

/// Said quickly, again and again, a yes covers what comes behind it for ears that take
/// repeats for a mistake of theirs.
#[tokio::test(start_paused = true)]
async fn a_no_behind_many_a_quick_yes_is_no_yes() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let (senses, mut room) = (models.senses(), Room::default());
    for speed in [1.0, 1.2] {
        let somebody = models.somebody(speed);
        for answer in [
            "Yes yes yes yes yes yes no stop, don't send it.",
            "Yes, yes, yes, yes, yes, yes, no, wait.",
            "Okay okay okay okay okay okay, stop.",
        ] {
            let samples = room.with(&somebody.says(answer), 4 * FRAME, 30 * FRAME, 20.0);
            let came = Asked::with(Some(&senses)).await.say(&samples).await;
            assert_ne!(came.decision, Some(Decision::Accept), "{answer:?} at {speed}: {came}");
        }
    }
}

#[tokio::test(start_paused = true)]
#[ignore = "takes long: in `make proof`"]
async fn whoever_says_it_and_wherever_only_a_yes_is_one() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let senses = models.senses();
    let mut people: Vec<(String, Somebody)> = Vec::new();
    for speed in [0.85, 1.0, 1.25] {
        people.push((format!("our voice at {speed} of its pace"), models.somebody(speed)));
    }
    if let Some(folder) = std::env::var_os("SAYSO_SECOND_VOICE") {
        people.push(("a second voice".into(), Somebody::recorded(Path::new(&folder))));
    }
    let mut false_yes = Vec::new();
    for (who, somebody) in &people {
        for decibels in [20.0, 10.0, 5.0] {
            let table =
                aloud_by(&format!("{who}, {decibels} dB"), somebody, &senses, decibels).await;
            false_yes.extend(table.false_yes);
        }
    }
    assert!(false_yes.is_empty(), "nobody said yes: {false_yes:#?}");
}
