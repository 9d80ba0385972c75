//! Random conversations on a server that keeps dying, with providers that fail
//! the way providers do: nothing is done twice, nothing without a yes, and what
//! is said is true. A run that breaks this prints its seed and the shortest
//! story found that still does; `SEED=… cargo test … one_story` tells it again.

use std::sync::Arc;
use std::time::Duration;

use brain::ActionState;
use brain::input::Decision;
use brain::plan::{Proposal, ProposedStep, from_step};
use serde_json::{Map, Value, json};
use session::peril::{Moment, Side};
use store::memory::MemoryStore;
use store::sqlite::SqliteStore;
use testkit::judge::{self, Record};
use testkit::life::{Seen, WRITERS};
use testkit::parts::{Counting, Thought};
use testkit::{FlakyStore, Life};

mod chance;
mod points;
mod story;

use story::{Op, Pace, Revision, Step, Story, Verb};

/// After this nothing waits for anything any more.
const LONGEST: Duration = Duration::from_hours(3);
/// A story takes milliseconds, or seconds where the disk is full for hours; where
/// others take the processor, much longer.
const ENOUGH: Duration = Duration::from_mins(15);
const CIRCLES: &str = "it goes in circles, or somebody panicked";
/// How often it is looked whether every write has settled, and every card.
const LOOK: Duration = Duration::from_secs(5);
const LOOK_LATER: Duration = Duration::from_mins(10);

/// What a run came to.
#[derive(Clone, Debug, Default)]
struct Figures {
    passed: Vec<(Moment, Side)>,
    deaths: usize,
    cards: usize,
    effects: usize,
    writes: usize,
    needs_user: usize,
    /// From the end of the story until every write was settled.
    settled_after: Duration,
}

/// Tells one story from beginning to end; what it complains about.
async fn live(story: &Story, store: FlakyStore) -> Result<Figures, String> {
    let mut life = Life::begin(store, story.fortunes.clone()).await;
    for (nth, (op, pace)) in story.steps.iter().enumerate() {
        perform(&mut life, nth, op).await;
        match pace {
            Pace::Hurry => tokio::task::yield_now().await,
            Pace::Blink => life.wait(Duration::from_millis(2)).await,
            Pace::Rest => life.rest().await,
        }
        complain(&judge::so_far(&ledgers(&life)))?;
    }
    settle(&mut life).await
}

/// Everything is let go on until nothing happens any more, and judged.
async fn settle(life: &mut Life) -> Result<Figures, String> {
    life.fill_disk(false);
    for tool in [None, Some(WRITERS[0]), Some(WRITERS[1]), Some(WRITERS[2])] {
        life.switch(tool, false).await;
    }
    let began = tokio::time::Instant::now();
    let mut settled_after = Duration::ZERO;
    life.wait(Duration::from_secs(2)).await;
    while began.elapsed() < LONGEST {
        let record = Record::read(&*life.store, life.session()).await;
        let writes_are_over = record.actions.iter().all(|action| action.state.is_over());
        if !writes_are_over {
            settled_after = began.elapsed();
        }
        if record.is_settled() {
            break;
        }
        life.wait(if writes_are_over { LOOK_LATER } else { LOOK }).await;
    }
    life.rest().await;
    let (record, ledgers) = (Record::read(&*life.store, life.session()).await, ledgers(life));
    life.read_up_to(record.events.last().and_then(|event| event.seq)).await;
    complain(&judge::judge(&record, &ledgers, &life.devices))?;
    let needs_user = |action: &&brain::Action| action.state == ActionState::NeedsUser;
    Ok(Figures {
        passed: life.peril.passed(),
        deaths: life.deaths,
        cards: record.cards.len(),
        effects: ledgers.iter().flat_map(|ledger| ledger.effects().into_values()).count(),
        writes: record.actions.len(),
        needs_user: record.actions.iter().filter(needs_user).count(),
        settled_after,
    })
}

fn ledgers(life: &Life) -> Vec<Arc<testkit::Ledger>> {
    life.writers.iter().map(|writer| Arc::clone(&writer.ledger)).collect()
}

fn complain(complaints: &[String]) -> Result<(), String> {
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n    ")) }
}

async fn perform(life: &mut Life, nth: usize, op: &Op) {
    match op {
        Op::Ask { device, plan, takes_ms } => {
            let proposal = Proposal { steps: steps(nth, plan), ..Proposal::default() };
            let takes = Duration::from_millis(*takes_ms);
            let sentence =
                format!("send p{nth}s1@x.example p{nth}s2@x.example p{nth}s3@x.example the notes");
            let acknowledgement = Some("On it.".to_owned());
            let thought = Thought { proposal, acknowledgement, takes, ..Thought::default() };
            life.ask(*device, &sentence, thought).await;
        }
        Op::Use => life.run(WRITERS[2], json!({ "appointment": format!("a{nth}") })),
        Op::Answer { device, card, verb, revision } => {
            if let Some(card) = pick(&life.cards(), *card) {
                answer(life, nth, *device, &card, *verb, *revision).await;
            }
        }
        Op::Say { device, words } => life.say(*device, words).await,
        Op::Interrupt { device, named } => {
            let turn = life.last_turn().filter(|_| *named);
            life.interrupt(*device, turn).await;
        }
        Op::Wait { s } => life.wait(Duration::from_secs(*s)).await,
        Op::Switch { tool, off } => life.switch(tool.map(|tool| WRITERS[tool]), *off).await,
        Op::Restart => life.restart().await,
        Op::Die => life.die().await,
        Op::DieAfter { moments } => life.peril.kill_after(*moments),
        Op::DieAt { moment, side, nth, again } => {
            life.peril.kill_at(*moment, *side, *nth);
            if let Some(moments) = again {
                life.peril.kill_again_after(*moments);
            }
        }
        Op::LoseTool { tool } => life.lose_tool(WRITERS[*tool]),
        Op::Rejoin { device, back } => life.rejoin(*device, *back).await,
        Op::Disk { full } => life.fill_disk(*full),
        Op::RefuseOne => life.store.refuse_one(),
    }
}

/// Mostly a card that is open; now and then one that is not.
fn pick(cards: &[Seen], at: usize) -> Option<Seen> {
    let open: Vec<_> = cards.iter().filter(|card| card.is_open).collect();
    let among = if open.is_empty() || at == 0 { cards.iter().collect() } else { open };
    (!among.is_empty()).then(|| among[at % among.len()].clone())
}

async fn answer(
    life: &mut Life,
    nth: usize,
    device: usize,
    card: &Seen,
    verb: Verb,
    revision: Revision,
) {
    let revision = match revision {
        Revision::Latest => Some(card.revision),
        Revision::Old => card.revision.checked_sub(1),
        Revision::Unknown => None,
    };
    let fields =
        |name: &str, value: String| Some(Map::from_iter([(name.to_owned(), Value::String(value))]));
    let id = card.id.as_str();
    let (decision, edited) = match verb {
        Verb::Accept => (Decision::Accept, None),
        Verb::AcceptApart => return life.answer_apart(id, revision, Decision::Accept),
        Verb::Reject => (Decision::Reject, None),
        Verb::Edit => (Decision::Edit, fields("body", format!("Changed {nth}."))),
        Verb::EditUntidily => (Decision::Edit, fields("body", format!("  Changed {nth}.  "))),
        Verb::EditBadly => (Decision::Edit, fields("nowhere", "at all".to_owned())),
        Verb::Extend => return life.extend(device, id).await,
    };
    life.answer(device, id, revision, decision, edited).await;
}

fn steps(nth: usize, plan: &[Step]) -> Vec<ProposedStep> {
    let step = |(at, step): (usize, &Step)| {
        let (tool, args) = match step {
            Step::Look => ("gmail.search", json!({ "query": "notes" })),
            Step::LookOn => ("gmail.search", json!({ "query": from_step(at, "") })),
            Step::Job => (Counting::NAME, json!({})),
            Step::Draft => ("gmail.create_draft", json!({ "body": "notes" })),
            Step::Write(tool) => (WRITERS[*tool], args(nth, at, *tool)),
            Step::Then(tool) => {
                let mut args = args(nth, at, *tool);
                args["because"] = from_step(at, "");
                (WRITERS[*tool], args)
            }
        };
        ProposedStep { tool: tool.to_owned(), args }
    };
    plan.iter().enumerate().map(step).collect()
}

fn args(nth: usize, at: usize, tool: usize) -> Value {
    let at = at + 1;
    match tool {
        0 => {
            json!({ "to": [format!("p{nth}s{at}@x.example")], "subject": "Notes", "body": "Here." })
        }
        _ => json!({ "about": format!("job {nth} step {at}"), "body": "Here." }),
    }
}

/// Runs a story in a world of its own, and does not wait for one that goes in
/// circles: time is virtual there, so it would never end.
fn tell(story: &Story, on_disk: bool) -> Result<Figures, String> {
    let (story, (done, told)) = (story.clone(), std::sync::mpsc::channel());
    std::thread::spawn(move || done.send(tell_to_the_end(&story, on_disk)));
    told.recv_timeout(ENOUGH).unwrap_or_else(|_| Err(CIRCLES.into()))
}

fn tell_to_the_end(story: &Story, on_disk: bool) -> Result<Figures, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime can be made");
    let folder = on_disk.then(|| tempfile::tempdir().expect("a folder can be made"));
    let store = match &folder {
        None => FlakyStore::over(Arc::new(MemoryStore::default())),
        Some(folder) => {
            let store = SqliteStore::open(&folder.path().join("sayso.db"));
            FlakyStore::over_disk(Arc::new(store.expect("a new file can be opened")))
        }
    };
    runtime.block_on(live(story, store))
}

/// Leaves out whatever is not needed for it to go wrong.
fn shortened(story: &Story) -> Story {
    let mut shortest = story.clone();
    let mut at = 0;
    while at < shortest.steps.len() {
        let mut shorter = shortest.clone();
        shorter.steps.remove(at);
        if tell(&shorter, false).is_err() {
            shortest = shorter;
        } else {
            at += 1;
        }
    }
    shortest
}

fn explain(story: &Story, on_disk: bool, complaint: &str) -> String {
    let is_slow = on_disk || complaint == CIRCLES;
    let short = if is_slow { story.clone() } else { shortened(story) };
    let complaint = if is_slow { None } else { tell(&short, on_disk).err() }
        .unwrap_or_else(|| complaint.to_owned());
    let steps: Vec<_> = short.steps.iter().map(|step| format!("    {step:?}")).collect();
    format!(
        "seed {}:\n    {complaint}\n  fortunes: {:?}\n  story:\n{}",
        story.seed,
        short.fortunes,
        steps.join("\n")
    )
}

/// Tells the stories of these seeds; the first few that go wrong fail the test.
fn tell_all(seeds: std::ops::Range<u64>, on_disk: bool) {
    let began = std::time::Instant::now();
    let (mut all, mut wrong) = (Figures::default(), Vec::new());
    let mut settled = Vec::new();
    for seed in seeds.clone() {
        let story = Story::of(seed);
        match tell(&story, on_disk) {
            Ok(figures) => {
                all.deaths += figures.deaths;
                all.cards += figures.cards;
                all.effects += figures.effects;
                all.writes += figures.writes;
                all.needs_user += figures.needs_user;
                settled.push(figures.settled_after);
            }
            Err(complaint) => wrong.push(explain(&story, on_disk, &complaint)),
        }
        if wrong.len() >= 3 {
            break;
        }
    }
    settled.sort_unstable();
    let at = |percent: usize| settled.get(settled.len() * percent / 100).or(settled.last());
    println!(
        "{} runs in {:.1} s, {} deaths, {} cards, {} writes agreed to, {} done, {} left to the person, \
         settled after {:?} (99 of 100), {:?} (longest)",
        settled.len() + wrong.len(),
        began.elapsed().as_secs_f64(),
        all.deaths,
        all.cards,
        all.writes,
        all.effects,
        all.needs_user,
        at(99).copied().unwrap_or_default(),
        settled.last().copied().unwrap_or_default(),
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n\n"));
}

#[test]
fn whatever_happens_nothing_is_done_twice_and_nothing_without_a_yes() {
    tell_all(0..150, false);
}

#[test]
fn the_same_holds_on_a_disk() {
    tell_all(0..6, true);
}

#[test]
#[ignore = "takes minutes; part of `make proof`"]
fn ten_thousand_stories() {
    tell_all(100_000..110_000, false);
    tell_all(200_000..200_300, true);
}

#[test]
#[ignore = "tells one story again: SEED=17"]
fn one_story() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    tell_all(seed..seed + 1, std::env::var_os("ON_DISK").is_some());
}
