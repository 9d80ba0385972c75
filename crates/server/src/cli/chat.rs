//! `sayso chat`: the conversation in a terminal, line by line.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use brain::{Envelope, Event, SessionId};
use clap::Args;

use super::look::tell_line;
use super::{Server, look, small_runtime};
use crate::client::{Client, Mine, NoSuchSession, Waiting, new_id};

mod keyboard;
mod screen;

use keyboard::{Keyboard, Typed};
use screen::Screen;

const KEYS: &str = "Type and press Enter. Ctrl+C stops an answer, Ctrl+D or /quit leaves.
/session shows how to come back here, /help shows this.";
/// Waits between tries to reach a server that went away.
const BACK_OFF: [Duration; 5] = [
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];

#[derive(Args)]
#[command(after_help = "Examples:
  sayso chat
  sayso chat --session sess_0192…        go on where you left
  printf 'hello\\nwhat is next?\\n' | sayso chat")]
pub struct Chat {
    /// Go on with a session instead of beginning one
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    #[command(flatten)]
    server: Server,
}

impl Chat {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        small_runtime()?.block_on(self.talk())
    }

    async fn talk(self) -> anyhow::Result<ExitCode> {
        let mut client = Client::connect(&self.server.server, self.session, 0).await?;
        let (session, history) = client.catch_up().await?;
        let last_seq = history.last().and_then(|envelope| envelope.seq).unwrap_or(0);
        let mut line = Line { server: self.server.server, session, client, last_seq, calls: 0 };
        let mut keyboard = Keyboard::open();
        let mut screen = Screen::new(keyboard.is_terminal());
        screen.greet(&line.server, KEYS);
        screen.recall(&history);
        while let Some(text) = next_text(&mut keyboard, &mut line).await {
            match text.trim() {
                "" => {}
                "/quit" | "/exit" => break,
                "/help" => tell_line!("{KEYS}"),
                "/session" => tell_line!("{}", line.way_back()),
                text => {
                    screen.echo(text);
                    answer(text, &mut line, &mut screen).await?;
                }
            }
        }
        if keyboard.is_terminal() {
            let (quiet, plain) = (look::QUIET, look::PLAIN);
            tell_line!("{quiet}{} brings you back.{plain}", line.way_back());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What is typed next; `None` to leave. One Ctrl+C at the prompt is forgiven.
async fn next_text(keyboard: &mut Keyboard, line: &mut Line) -> Option<String> {
    let mut forgiven = false;
    loop {
        keyboard.ask();
        let typed = loop {
            tokio::select! {
                typed = keyboard.next() => break typed,
                // What others say in this session is not shown here, but the line stays alive.
                () = line.idle() => {}
            }
        };
        match typed {
            Typed::Text(text) => return Some(text),
            Typed::End => return None,
            Typed::CtrlC if forgiven => return None,
            Typed::CtrlC => {
                forgiven = true;
                tell_line!("Ctrl+C again leaves.");
            }
        }
    }
}

/// Asks, and shows what comes until it is answered. A server that goes away
/// meanwhile is called again; what it did not take up is said again.
async fn answer(text: &str, line: &mut Line, screen: &mut Screen) -> anyhow::Result<()> {
    let id = new_id();
    let mut waiting = Waiting::new(id.clone());
    let mut sent = line.client.say(&id, text).await;
    loop {
        let heard = if let Err(error) = sent {
            Err(error)
        } else {
            tokio::select! {
                envelope = line.next() => envelope,
                _ = tokio::signal::ctrl_c() => {
                    sent = line.client.interrupt().await;
                    continue;
                }
            }
        };
        let envelope = match heard {
            Ok(envelope) => envelope,
            Err(error) if error.is::<NoSuchSession>() => return Err(error),
            Err(_) => {
                screen.end_line();
                line.call_again().await?;
                sent = line.client.ping().await;
                continue;
            }
        };
        sent = match envelope.event {
            // The server takes what it has heard already only once.
            Event::Ponged { .. } if !waiting.has_begun() => line.client.say(&id, text).await,
            _ => Ok(()),
        };
        match waiting.place(&envelope) {
            Mine::No => {}
            Mine::Part => screen.show(&envelope.event),
            Mine::Last => {
                screen.show(&envelope.event);
                return Ok(());
            }
        }
    }
}

/// The line to the server, which may break.
struct Line {
    server: String,
    session: SessionId,
    client: Client,
    last_seq: u64,
    /// Calls since anybody last answered.
    calls: usize,
}

impl Line {
    async fn next(&mut self) -> anyhow::Result<Envelope> {
        let envelope = self.client.next().await?;
        self.calls = 0;
        self.last_seq = envelope.seq.unwrap_or(self.last_seq);
        Ok(envelope)
    }

    /// Answers the server's pings while nobody types.
    async fn idle(&mut self) {
        if self.next().await.is_err() {
            // The next thing that is typed calls again, and says if nobody answers.
            std::future::pending::<()>().await;
        }
    }

    async fn call_again(&mut self) -> anyhow::Result<()> {
        tell_line!("{}The line broke; calling again.{}", look::QUIET, look::PLAIN);
        while let Some(wait) = BACK_OFF.get(self.calls) {
            self.calls += 1;
            match Client::connect(&self.server, Some(self.session), self.last_seq).await {
                Ok(client) => {
                    self.client = client;
                    return Ok(());
                }
                Err(_) => tokio::time::sleep(*wait).await,
            }
        }
        bail!("nobody answers at {}; {} brings you back later", self.server, self.way_back())
    }

    fn way_back(&self) -> String {
        let server = if self.server == super::DEFAULT_SERVER {
            String::new()
        } else {
            format!(" --server {}", self.server)
        };
        format!("sayso chat --session {}{server}", self.session)
    }
}
