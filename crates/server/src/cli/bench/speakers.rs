//! A server of its own that people talk to, in real time: how soon it answers and
//! falls silent, and how many of them it can hear.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use brain::Event;
use speech::pcm;
use speech::resample::EARS_RATE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout_at;

use super::table::{Times, row};
use crate::client::{Client, Remote, new_id};

const FRAME_MS: u64 = 100;
const FRAME: usize = EARS_RATE as usize / 10;
/// Longer than anybody is waited for to come to an end.
const SILENCE_MS: u64 = 1_500;
/// A final that comes this long after the silence that ends an utterance is in time.
const IN_TIME: Duration = Duration::from_millis(600);
/// How long everybody pauses before an utterance is over, at the most.
const PATIENCE: Duration = Duration::from_millis(900);
/// Partials every 300 ms, and what a network and a clock add.
const FULL: Duration = Duration::from_millis(450);
const TURNS: usize = 20;

/// A server in a folder that goes with it.
struct Server {
    child: Child,
    remote: Remote,
    address: String,
    folder: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Server {
    /// On one core, where the system lets us say so.
    fn start(assets: &Path, on_one_core: bool) -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("sayso-bench-{}", new_id()));
        let sayso = std::env::current_exe()?;
        let mut command = if on_one_core {
            let mut command = Command::new("taskset");
            command.args(["-c", "0"]).arg(sayso);
            command
        } else {
            Command::new(sayso)
        };
        command.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data"]).arg(&folder);
        command.arg("--assets").arg(assets).env("SAYSO_LOG", "warn");
        for limit in ["TEXT_PER_MINUTE", "AUDIO_SECONDS_PER_MINUTE", "SESSIONS_PER_MINUTE"] {
            command.env(format!("SAYSO_LIMITS_{limit}"), "0");
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let lines = BufReader::new(child.stdout.take().context("it was piped")?).lines();
        let mut lines = lines.map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("http://")?.1.trim().to_owned()));
        let Some(address) = address else {
            let _ = child.wait();
            bail!("the server did not start; `sayso serve` says why");
        };
        std::thread::spawn(move || lines.for_each(drop));
        let remote = Remote::new(&format!("http://{address}"), None)?;
        Ok(Self { child, remote, address, folder })
    }

    async fn client(&self, plays: bool) -> anyhow::Result<Client> {
        let mut client = Client::connect(&self.remote, None, 0).await?;
        client.hello(EARS_RATE, 1, plays).await?;
        client.catch_up().await?;
        Ok(client)
    }

    fn memory_mb(&self) -> u64 {
        memory_mb(&self.child.id().to_string()).unwrap_or(0)
    }

    /// The sum of all that was ever counted under this name, in seconds.
    async fn sum_of(&self, metric: &str) -> anyhow::Result<f64> {
        let mut stream = TcpStream::connect(&self.address).await?;
        let request =
            format!("GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let sum = answer.lines().find_map(|line| line.strip_prefix(&format!("{metric}_sum ")));
        Ok(sum.and_then(|sum| sum.trim().parse().ok()).unwrap_or(0.0))
    }
}

/// What a process holds of the machine's memory.
pub fn memory_mb(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1_024)
}

pub async fn measure(assets: &Path, said: &[Vec<f32>]) -> anyhow::Result<()> {
    answers(&Server::start(assets, false)?, said).await?;
    let can_pin = Command::new("taskset").arg("-V").stdout(Stdio::null()).status().is_ok();
    let whose = if can_pin { "a core" } else { "this machine" };
    let full = most(assets, can_pin, said, [1, 2, 3, 4, 6], Heard::has_full_partials).await?;
    let what = format!("speakers on {whose} with full partials of 5 s utterances");
    row(&what, full, "3");
    let finals = most(assets, can_pin, said, [5, 10, 15, 20, 30], Heard::is_in_time).await?;
    row(&format!("speakers on {whose} with finals in time"), finals, "15");
    memory(assets, said).await
}

/// From the decision that somebody is done to the first sound of the answer, and from
/// a stop to the last sound.
async fn answers(server: &Server, said: &[Vec<f32>]) -> anyhow::Result<()> {
    const WORDS: &str = "sayso_transcript_seconds";
    let mut client = server.client(true).await?;
    let (mut first, mut last) = (Times::default(), Times::default());
    for turn in 0..TURNS {
        let before = server.sum_of(WORDS).await?;
        let (mut heard, mut sounded) = (None, None);
        let note =
            |event: &Event, heard: &mut Option<Instant>, sounded: &mut Option<Instant>| match event
            {
                Event::Heard { .. } => *heard = Some(Instant::now()),
                Event::Sounded { .. } => drop(sounded.get_or_insert_with(Instant::now)),
                _ => {}
            };
        let take = |event: &Event| note(event, &mut heard, &mut sounded);
        speak(&mut client, &said[turn % said.len()], take).await?;
        let until = tokio::time::Instant::now() + Duration::from_secs(20);
        while sounded.is_none() {
            let event = timeout_at(until, client.next()).await;
            let event = event.context("no answer was heard within twenty seconds")??.event;
            note(&event, &mut heard, &mut sounded);
        }
        let stopped = Instant::now();
        client.interrupt().await?;
        while !matches!(client.next().await?.event, Event::SoundEnded { .. }) {}
        last.add(stopped.elapsed());
        client.catch_up().await?;
        if let (Some(heard), Some(sounded)) = (heard, sounded) {
            let words = server.sum_of(WORDS).await? - before;
            let words = Duration::try_from_secs_f64(words).unwrap_or_default();
            first.add(words + sounded.saturating_duration_since(heard));
        }
    }
    row("end of speech decided to first sound of the answer", &first, "120 and 250 ms");
    let figure = format!("{last}, p99 {:.0} ms", last.at(99).as_secs_f64() * 1e3);
    row("a stop to the last sound, there and back", figure, "p99 20 ms");
    Ok(())
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

/// What one speaker saw of what they said.
#[derive(Default)]
struct Heard {
    partials: Times,
    late: Times,
}

impl Heard {
    fn has_full_partials(&self) -> bool {
        !self.partials.is_empty() && self.partials.at(90) <= FULL && self.is_in_time()
    }

    fn is_in_time(&self) -> bool {
        !self.late.is_empty() && self.late.at(95) <= PATIENCE + IN_TIME
    }
}

/// The most speakers with whom it is as it should be, of those that are tried.
async fn most(
    assets: &Path,
    pins: bool,
    said: &[Vec<f32>],
    counts: [usize; 5],
    is_good: impl Fn(&Heard) -> bool,
) -> anyhow::Result<String> {
    let server = Server::start(assets, pins)?;
    let (mut best, mut figures) = (0, Vec::new());
    for count in counts {
        let heard = together(&server, said, count).await?;
        let ms = |times: &Times, share| times.at(share).as_secs_f64() * 1e3;
        figures.push(format!(
            "{count}: partials p90 {:.0} ms, finals p95 {:.0} ms",
            ms(&heard.partials, 90),
            ms(&heard.late, 95)
        ));
        if !is_good(&heard) {
            break;
        }
        best = count;
    }
    Ok(format!("{best} ({})", figures.join("; ")))
}

/// So many people speak at once, each two sentences, not all beginning together.
async fn together(server: &Server, said: &[Vec<f32>], count: usize) -> anyhow::Result<Heard> {
    let mut people = Vec::new();
    for at in 0..count {
        let client = server.client(false).await?;
        let sound = said[at % said.len()].clone();
        let offset = Duration::from_millis(at as u64 * 370 % 5_000);
        people.push(async move {
            tokio::time::sleep(offset).await;
            one(client, &sound).await
        });
    }
    let mut all = Heard::default();
    for heard in futures_util::future::join_all(people).await {
        let Heard { partials, late } = heard?;
        all.partials.extend(partials);
        all.late.extend(late);
    }
    Ok(all)
}

async fn one(mut client: Client, sound: &[f32]) -> anyhow::Result<Heard> {
    let mut heard = Heard::default();
    for _ in 0..2 {
        let length = Duration::from_millis(sound.len() as u64 * 1_000 / u64::from(EARS_RATE));
        let (ends, mut shown, mut last) = (Instant::now() + length, None, None);
        let mut take = |event: &Event| match event {
            Event::HeardDelta { .. } => {
                let before: Option<Instant> = shown.replace(Instant::now());
                heard.partials.extend(before.map(|before| before.elapsed()));
            }
            Event::Heard { .. } => last = Some(Instant::now()),
            _ => {}
        };
        speak(&mut client, sound, &mut take).await?;
        let until = tokio::time::Instant::now() + Duration::from_secs(20);
        while let Ok(envelope) = timeout_at(until, client.next()).await {
            let event = envelope?.event;
            take(&event);
            if matches!(event, Event::TurnEnded { .. }) {
                break;
            }
        }
        // Nobody waits so long.
        let late =
            last.map_or(Duration::from_secs(20), |last| last.saturating_duration_since(ends));
        heard.late.add(late);
    }
    Ok(heard)
}

async fn memory(assets: &Path, said: &[Vec<f32>]) -> anyhow::Result<()> {
    let server = Server::start(assets, false)?;
    let mut figures = Vec::new();
    for count in [1, 10, 50] {
        together(&server, said, count).await?;
        figures.push(server.memory_mb().to_string());
    }
    let figure = format!("{} MB", figures.join(", "));
    row("memory of the server with 1, 10, 50 speakers at once", figure, "");
    Ok(())
}
