//! People who all speak at once.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::figures::Figures;
use super::process::Server;
use super::timed;

const SECOND: Duration = Duration::from_secs(1);

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// What came of a run, and how long it took as a whole.
#[derive(Default)]
pub struct Run {
    pub first_event: Figures,
    pub first_token: Figures,
    pub whole: Figures,
    pub took: Duration,
}

async fn connect(address: &str) -> anyhow::Result<Socket> {
    let config = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(4096);
    let url = format!("ws://{address}/chat/stream");
    Ok(connect_async_with_config(url, Some(config), true).await?.0)
}

/// When the speakers speak.
#[derive(Clone, Copy)]
pub enum Pace {
    /// One turn after the other, without a pause.
    Always,
    /// The same, but beginning one after the other within a second.
    Staggered,
    /// All at the same instant, once a second.
    Together,
    /// Once a second each, spread evenly over it.
    Spread,
}

/// So many speakers at one address, each of whom says something so many times.
#[derive(Clone, Copy)]
pub struct Crowd<'a> {
    pub address: &'a str,
    pub speakers: usize,
    pub times: usize,
    pub pace: Pace,
}

impl Crowd<'_> {
    /// They say `text`, and the rules answer.
    pub async fn turns(self, text: &str) -> anyhow::Result<Run> {
        run(self, typed(text), turn).await
    }

    /// The same where a model answers: a token is a word of its own, and not of ours.
    pub async fn thoughts(self, text: &str) -> anyhow::Result<Run> {
        run(self, typed(text), thought).await
    }

    /// The same with the bare echo: whole is there and back.
    pub async fn echoes(self, text: &str) -> anyhow::Result<Run> {
        run(self, text.to_owned(), echo).await
    }
}

/// What somebody types, as it is sent.
fn typed(text: &str) -> String {
    serde_json::json!({ "event_type": "text.input", "payload": { "text": text } }).to_string()
}

async fn run(
    crowd: Crowd<'_>,
    frame: String,
    once: impl AsyncFn(&mut Socket, &str, &mut Run) -> anyhow::Result<()> + Clone + 'static,
) -> anyhow::Result<Run> {
    let Crowd { address, speakers, times, pace } = crowd;
    let mut sockets = Vec::new();
    for _ in 0..speakers {
        sockets.push(connect(address).await?);
    }
    let begin = tokio::time::Instant::now() + Duration::from_millis(50);
    let speak = async |mut socket: Socket, number: usize| -> anyhow::Result<Run> {
        let mut mine = Run::default();
        let (gap, offset) = match pace {
            Pace::Always => (Duration::ZERO, Duration::ZERO),
            Pace::Together => (SECOND, Duration::ZERO),
            Pace::Staggered => (Duration::ZERO, SECOND.mul_f64(number as f64 / speakers as f64)),
            Pace::Spread => (SECOND, SECOND.mul_f64(number as f64 / speakers as f64)),
        };
        for round in 0..times {
            tokio::time::sleep_until(begin + offset + gap * round as u32).await;
            once(&mut socket, &frame, &mut mine).await?;
        }
        Ok(mine)
    };
    let all = sockets.into_iter().enumerate().map(|(number, socket)| speak(socket, number));
    let (runs, took) = timed(futures_util::future::join_all(all)).await;
    let mut sum = Run { took, ..Run::default() };
    for run in runs {
        let run = run?;
        sum.first_event.join(run.first_event);
        sum.first_token.join(run.first_token);
        sum.whole.join(run.whole);
    }
    Ok(sum)
}

async fn turn(socket: &mut Socket, frame: &str, run: &mut Run) -> anyhow::Result<()> {
    told(socket, frame, run, "").await
}

async fn thought(socket: &mut Socket, frame: &str, run: &mut Run) -> anyhow::Result<()> {
    told(socket, frame, run, super::minds::FIRST_WORD).await
}

/// One turn, up to its end; a token counts where it has this word in it.
async fn told(socket: &mut Socket, frame: &str, run: &mut Run, word: &str) -> anyhow::Result<()> {
    let asked = Instant::now();
    socket.send(Message::text(frame)).await?;
    let (mut heard, mut spoken) = (false, false);
    loop {
        let text = next(socket).await?;
        if !std::mem::replace(&mut heard, true) {
            run.first_event.take(asked.elapsed());
        }
        let is_token = text.contains("\"assistant_text.delta\"") && text.contains(word);
        if is_token && !std::mem::replace(&mut spoken, true) {
            run.first_token.take(asked.elapsed());
        }
        // The last event of a turn.
        if text.contains("\"to\":\"idle\"") {
            run.whole.take(asked.elapsed());
            return Ok(());
        }
    }
}

async fn echo(socket: &mut Socket, frame: &str, run: &mut Run) -> anyhow::Result<()> {
    let asked = Instant::now();
    socket.send(Message::text(frame)).await?;
    next(socket).await?;
    run.whole.take(asked.elapsed());
    Ok(())
}

async fn next(socket: &mut Socket) -> anyhow::Result<String> {
    loop {
        match socket.next().await.context("the server hung up")?? {
            Message::Text(text) => return Ok(text.as_str().to_owned()),
            Message::Close(frame) => bail!("the server closed: {frame:?}"),
            _ => {}
        }
    }
}

/// What one more connection costs the server, in KiB.
pub async fn idle(server: &Server, count: usize) -> anyhow::Result<f64> {
    let before = server.memory_kib()?;
    let mut sockets = Vec::new();
    for _ in 0..count {
        sockets.push(connect(&server.address).await?);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let after = server.memory_kib()?;
    drop(sockets);
    Ok((after - before) / count as f64)
}
