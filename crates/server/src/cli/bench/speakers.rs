//! People talk to a server, in real time: how soon it answers and falls silent, and
//! how many of them it can hear. Whatever does not come in time is counted, and
//! nothing is waited for without an end.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use brain::Event;
use speech::pcm;
use speech::resample::EARS_RATE;
use tokio::time::timeout_at;

use super::server::Server;
use super::table::{Times, row};
use crate::client::{Client, new_id};

const FRAME_MS: u64 = 100;
const FRAME: usize = EARS_RATE as usize / 10;
/// Longer than anybody is waited for to come to an end.
const SILENCE_MS: u64 = 1_500;
/// Nobody waits longer for an answer.
const ANSWER: Duration = Duration::from_secs(10);
/// What comes behind a stop comes within this.
const AFTERWARDS: Duration = Duration::from_millis(40);
/// How long a pause ends an utterance at the most, for somebody who speaks evenly.
const PATIENCE: Duration = Duration::from_millis(900);
/// A final that comes this long after that is in time.
const IN_TIME: Duration = Duration::from_millis(600);
/// Words that grow as they are said: every 300 ms, and what a frame and a network add.
const FULL: Duration = Duration::from_millis(450);
/// How many speak at once, until the last of them is not heard in time.
const COUNTS: [usize; 9] = [1, 2, 3, 4, 6, 10, 15, 20, 30];
const TURNS: usize = 16;
const STOPS: usize = 100;

pub async fn measure(assets: &Path, said: &[Vec<f32>]) -> anyhow::Result<()> {
    let server = Server::start(assets, false)?;
    answers(&server, said).await?;
    stops(&server).await?;
    drop(server);
    crowd(assets, said, &COUNTS).await?;
    memory(assets, said).await
}

/// From the decision that somebody is done to the first sound of the answer.
async fn answers(server: &Server, said: &[Vec<f32>]) -> anyhow::Result<()> {
    const WORDS: &str = "sayso_transcript_seconds";
    let mut client = server.client(true).await?;
    let (mut first, mut missing) = (Times::default(), 0);
    for turn in 0..TURNS {
        let before = server.sum_of(WORDS).await?;
        let mut seen = Seen::default();
        speak(&mut client, &said[turn % said.len()], |event| seen.note(event)).await?;
        if seen.sounded.is_none() {
            let sounds = |event: &Event| {
                seen.note(event);
                seen.sounded.is_some()
            };
            until(&mut client, ANSWER, sounds).await?;
        }
        client.interrupt().await?;
        until(&mut client, ANSWER, ends).await?;
        match (seen.heard, seen.sounded) {
            (Some(heard), Some(sounded)) => {
                let words = server.sum_of(WORDS).await? - before;
                let words = Duration::try_from_secs_f64(words).unwrap_or_default();
                first.add(words + sounded.saturating_duration_since(heard));
            }
            _ => missing += 1,
        }
    }
    let figure = format!("{first}{}", but(missing, "not answered"));
    row("end of speech decided to first sound of the answer", figure, "120 and 250 ms");
    Ok(())
}

/// When something was first seen.
#[derive(Default)]
struct Seen {
    heard: Option<Instant>,
    sounded: Option<Instant>,
}

impl Seen {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Heard { .. } => drop(self.heard.get_or_insert_with(Instant::now)),
            Event::Sounded { .. } => drop(self.sounded.get_or_insert_with(Instant::now)),
            _ => {}
        }
    }
}

/// From a stop to the last sound, there and back.
async fn stops(server: &Server) -> anyhow::Result<()> {
    let mut client = server.client(true).await?;
    let (mut last, mut missing, mut later) = (Times::default(), 0, 0);
    for _ in 0..STOPS {
        client.say(&new_id(), "What meetings do I have this week?", &[]).await?;
        let sounds = |event: &Event| matches!(event, Event::Sounded { .. });
        if !until(&mut client, ANSWER, sounds).await? {
            missing += 1;
            continue;
        }
        let stopped = Instant::now();
        client.interrupt().await?;
        let silent = |event: &Event| matches!(event, Event::SoundEnded { .. });
        if !until(&mut client, ANSWER, silent).await? {
            missing += 1;
            continue;
        }
        last.add(stopped.elapsed());
        later += usize::from(until(&mut client, AFTERWARDS, sounds).await?);
    }
    let p99 = last.at(99).as_secs_f64() * 1e3;
    let figure = format!("{last}, p99 {p99:.1} ms; sound behind it {later} times");
    let figure = format!("{figure}{}", but(missing, "not stopped"));
    row("a stop to the last sound, there and back", figure, "p99 20 ms");
    Ok(())
}

fn ends(event: &Event) -> bool {
    matches!(event, Event::TurnEnded { .. } | Event::TurnCancelled { .. })
}

fn but(count: usize, what: &str) -> String {
    if count == 0 { String::new() } else { format!("; {count} {what}") }
}

/// Takes in what comes, until something does; false where it did not come in time.
async fn until(
    client: &mut Client,
    time: Duration,
    mut is_it: impl FnMut(&Event) -> bool,
) -> anyhow::Result<bool> {
    let end = tokio::time::Instant::now() + time;
    while let Ok(envelope) = timeout_at(end, client.next()).await {
        if is_it(&envelope?.event) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Says it as fast as a person would, is silent then, and takes in what comes.
async fn speak(
    client: &mut Client,
    sound: &[f32],
    mut take: impl FnMut(&Event),
) -> anyhow::Result<()> {
    let mut sound = sound.to_vec();
    sound.resize(sound.len() + usize::try_from(SILENCE_MS).unwrap_or(0) * FRAME / 100, 0.0);
    let began = tokio::time::Instant::now();
    for (number, frame) in sound.chunks(FRAME).enumerate() {
        client.sound(&pcm::bytes(frame)).await?;
        let next = began + Duration::from_millis(FRAME_MS * (number as u64 + 1));
        while let Ok(envelope) = timeout_at(next, client.next()).await {
            take(&envelope?.event);
        }
    }
    Ok(())
}

/// What speakers saw of what they said.
#[derive(Default)]
struct Heard {
    /// From the first syllable to the first words on the screen.
    first: Times,
    /// From one change of the words to the next, while they speak.
    between: Times,
    /// From the last syllable to the final words.
    late: Times,
    missing: usize,
}

impl Heard {
    fn has_full_partials(&self) -> bool {
        !self.between.is_empty() && self.between.at(50) <= FULL && self.is_in_time()
    }

    fn is_in_time(&self) -> bool {
        self.missing == 0 && !self.late.is_empty() && self.late.at(95) <= PATIENCE + IN_TIME
    }

    fn add(&mut self, other: Self) {
        self.first.extend(other.first);
        self.between.extend(other.between);
        self.late.extend(other.late);
        self.missing += other.missing;
    }

    fn told(&self, count: usize) -> String {
        let ms = |times: &Times, share| times.at(share).as_secs_f64() * 1e3;
        format!(
            "{count}: words change every {:.0} ms (p90 {:.0}), finals p95 {:.0} ms{}",
            ms(&self.between, 50),
            ms(&self.between, 90),
            ms(&self.late, 95),
            but(self.missing, "lost"),
        )
    }
}

/// More and more people speak to a server that has one core.
pub async fn crowd(assets: &Path, said: &[Vec<f32>], counts: &[usize]) -> anyhow::Result<()> {
    let can_pin = Command::new("taskset").arg("-V").stdout(Stdio::null()).status().is_ok();
    let whose = if can_pin { "a core" } else { "this machine" };
    let server = Server::start(assets, can_pin)?;
    // Nobody counts who speaks while the models are still being loaded.
    together(&server, said, 1, 1).await?;
    let (mut full, mut in_time, mut figures) = (0, 0, Vec::new());
    let mut all_full = true;
    if counts.contains(&1) {
        let mut alone = Times::default();
        for sound in said {
            alone.extend(together(&server, std::slice::from_ref(sound), 1, 2).await?.first);
        }
        row("first words on screen after the first syllable", &alone, "400 ms");
    }
    for &count in counts {
        let heard = together(&server, said, count, 2).await?;
        figures.push(heard.told(count));
        all_full &= heard.has_full_partials();
        if all_full {
            full = count;
        }
        if !heard.is_in_time() {
            break;
        }
        in_time = count;
    }
    let of = said.iter().map(Vec::len).sum::<usize>() / said.len().max(1) / FRAME;
    let what = format!("speakers on {whose} with full partials, {}.{} s each", of / 10, of % 10);
    row(&what, full, "3");
    let figure = format!("{in_time} ({})", figures.join("; "));
    row(&format!("speakers on {whose} with finals in time"), figure, "15");
    Ok(())
}

/// So many people speak at once, each so many sentences, not all beginning together.
async fn together(
    server: &Server,
    said: &[Vec<f32>],
    count: usize,
    times: usize,
) -> anyhow::Result<Heard> {
    let mut people = Vec::new();
    for at in 0..count {
        let client = server.client(false).await.context("one more speaker")?;
        let sound = said[at % said.len()].clone();
        let offset = Duration::from_millis(at as u64 * 370 % 5_000);
        people.push(async move {
            tokio::time::sleep(offset).await;
            one(client, &sound, times).await
        });
    }
    let mut all = Heard::default();
    for heard in futures_util::future::join_all(people).await {
        all.add(heard?);
    }
    Ok(all)
}

async fn one(mut client: Client, sound: &[f32], times: usize) -> anyhow::Result<Heard> {
    let mut heard = Heard::default();
    for _ in 0..times {
        let length = Duration::from_millis(sound.len() as u64 * 1_000 / u64::from(EARS_RATE));
        let began = Instant::now();
        let (ends_at, mut shown, mut last) = (began + length, None, None);
        let mut take = |event: &Event| match event {
            Event::HeardDelta { .. } => {
                let now = Instant::now();
                match shown.replace(now) {
                    None => heard.first.add(now - began),
                    // What comes in the pause at the end says nothing of the pace.
                    Some(before) if now < ends_at => heard.between.add(now - before),
                    Some(_) => {}
                }
            }
            Event::Heard { .. } => last = Some(Instant::now()),
            _ => {}
        };
        speak(&mut client, sound, &mut take).await?;
        until(&mut client, ANSWER, |event| {
            take(event);
            ends(event)
        })
        .await?;
        match last {
            Some(last) => heard.late.add(last.saturating_duration_since(ends_at)),
            None => heard.missing += 1,
        }
    }
    Ok(heard)
}

async fn memory(assets: &Path, said: &[Vec<f32>]) -> anyhow::Result<()> {
    let server = Server::start(assets, false)?;
    let mut figures = Vec::new();
    for count in [1, 10, 50] {
        together(&server, said, count, 1).await?;
        figures.push(server.memory_mb().to_string());
    }
    let figure = format!("{} MB", figures.join(", "));
    row("memory of the server with 1, 10, 50 speakers at once", figure, "");
    Ok(())
}
