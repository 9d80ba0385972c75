//! `make bench`: what the house adds, next to a bare WebSocket echo in the same run.
//!
//! Everything runs on one machine, the load beside the server, so figures of
//! different runs are not to be compared; ratios within one are.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and times of a bench are far from where that matters"
)]

use std::time::{Duration, Instant};

mod echo;
mod figures;
mod load;
mod minds;
mod process;
mod reading;
mod store;

use figures::Figures;
use load::{Crowd, Pace};
use process::Server;

/// Sessions that speak at the same time.
const SPEAKERS: usize = 100;
/// What a mail provider on the other side of the world takes.
const LOOK_UP: Duration = Duration::from_secs(1);
/// Connections that only listen.
const IDLE: usize = 1_000;

fn main() -> anyhow::Result<()> {
    if let Some(address) = echo::asked_for() {
        return echo::serve(&address);
    }
    if std::env::var_os(minds::UPSTREAM).is_some() {
        return minds::be_upstream();
    }
    if let Ok(upstream) = std::env::var(minds::RELAY) {
        return minds::be_relay(&upstream);
    }
    // `cargo test --benches` runs this too, and wants nothing measured.
    if std::env::args().any(|arg| arg == "--test") {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure())
}

async fn measure() -> anyhow::Result<()> {
    println!("{} cores, load average {}", cores(), process::load_average());
    // A word picks the rows of one pace: `cargo bench --bench house -- never`.
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    if wanted.is_none() {
        store::measure().await?;
    }
    if wanted.as_deref().is_none_or(|word| word == "reading") {
        reading::measure()?;
    }
    if wanted.as_deref() == Some("reading") {
        return Ok(());
    }
    if wanted.as_deref().is_none_or(|word| word == "minds") {
        minds::measure().await?;
    }
    if wanted.as_deref() == Some("minds") {
        return Ok(());
    }

    let sayso = Server::sayso()?;
    let distant = Server::sayso_far_away(LOOK_UP)?;
    let echo = Server::echo()?;
    println!("\nturns over WebSocket                               p50 ms   p99 ms    per s");
    let text = "what meetings do i have tomorrow";
    let paces = [
        ("100 turns in flight, each looking up for a second", &distant, Pace::Staggered),
        ("100 people, a turn a second each", &sayso, Pace::Spread),
        ("100 people, all at the same instant", &sayso, Pace::Together),
        ("100 people who never pause", &sayso, Pace::Always),
    ];
    for (people, sayso, pace) in paces {
        if wanted.as_ref().is_some_and(|word| !people.contains(word.as_str())) {
            continue;
        }
        println!("{people}");
        let crowd = Crowd { address: &sayso.address, speakers: SPEAKERS, times: 20, pace };
        let load = crowd.turns(text);
        let before = (sayso.cpu()?, process::own_cpu()?);
        let (run, commits) = store::beside(load).await?;
        let run = run?;
        let after = (sayso.cpu()?, process::own_cpu()?);
        row("  one durable commit, beside it", &commits, None);
        row("  first event", &run.first_event, None);
        row("  first token", &run.first_token, None);
        row("  whole turn with one look-up", &run.whole, Some(run.took));
        processor("  processor time a turn, server", before.0, after.0, &run.whole);
        processor("  the same, load and commits beside it", before.1, after.1, &run.whole);
        // An echo has nothing to look up, so it is asked as often instead.
        let pace = if matches!(pace, Pace::Staggered) { Pace::Spread } else { pace };
        let bare = Crowd { address: &echo.address, pace, ..crowd }.echoes(text).await?;
        row("  bare echo", &bare.whole, Some(bare.took));
    }
    if wanted.is_some() {
        return Ok(());
    }
    println!("others");
    let pace = Pace::Always;
    let crowd = Crowd { address: &sayso.address, speakers: SPEAKERS, times: 20, pace };
    let run = crowd.turns("hello").await?;
    row("  small talk, never pausing: first token", &run.first_token, Some(run.took));
    let one = Crowd { speakers: 1, times: 200, ..crowd }.turns(text).await?;
    row("  one person alone: first token", &one.first_token, Some(one.took));

    println!("\nidle connections                                KiB each");
    println!("{:48}{:8.1}", "Sayso, a session each", load::idle(&sayso, IDLE).await?);
    println!("{:48}{:8.1}", "bare echo", load::idle(&echo, IDLE).await?);
    Ok(())
}

fn row(name: &str, figures: &Figures, took: Option<Duration>) {
    let rate = took.map(|took| format!("{:8.0}", figures.count() as f64 / took.as_secs_f64()));
    let (p50, p99) = (figures.ms(0.50), figures.ms(0.99));
    println!("{name:48}{p50:9.2}{p99:9.2} {}", rate.unwrap_or_default());
}

/// The mean, in milliseconds: it has no percentiles.
fn processor(name: &str, before: Duration, after: Duration, turns: &Figures) {
    println!("{name:48}{:9.2}", process::each(before, after, turns));
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Runs `work` and tells how long it took.
async fn timed<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let started = Instant::now();
    let value = work.await;
    (value, started.elapsed())
}
