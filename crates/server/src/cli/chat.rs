//! `sayso chat`: the conversation in a terminal, line by line.

use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;
use std::time::Instant;

use brain::{CallId, Envelope, Event, Outcome, SessionId};
use clap::Args;
use tokio::sync::mpsc;

use super::look::{tell, tell_line};
use super::{Server, look, small_runtime};
use crate::client::Client;

const KEYS: &str = "Type and press Enter. Ctrl+C stops an answer, Ctrl+D or /quit leaves. \
/session shows how to come back here, /help shows this.";

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
        let mut client = Client::connect(&self.server.server, self.session).await?;
        let (session, history) = client.catch_up().await?;
        let mut screen = Screen::new(session);
        screen.greet(&self.server.server);
        Screen::recall(&history);
        let mut lines = typed_lines();
        loop {
            screen.prompt();
            let Some(line) = next_line(&mut lines).await else { break };
            match line.trim() {
                "" => {}
                "/quit" | "/exit" => break,
                "/help" => tell_line!("{KEYS}"),
                "/session" => tell_line!("sayso chat --session {session}"),
                text => {
                    screen.echo(text);
                    client.say(text).await?;
                    until_answered(&mut client, &mut screen).await?;
                }
            }
        }
        screen.leave();
        Ok(ExitCode::SUCCESS)
    }
}

/// Lines as they are typed. A terminal can only be read by waiting, so a thread waits.
fn typed_lines() -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if send.blocking_send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// `None` when there are no more, or when somebody pressed Ctrl+C at the prompt.
async fn next_line(lines: &mut mpsc::Receiver<String>) -> Option<String> {
    tokio::select! {
        line = lines.recv() => line,
        _ = tokio::signal::ctrl_c() => None,
    }
}

async fn until_answered(client: &mut Client, screen: &mut Screen) -> anyhow::Result<()> {
    loop {
        tokio::select! {
            envelope = client.next() => {
                if screen.show(&envelope?) {
                    return Ok(());
                }
            }
            _ = tokio::signal::ctrl_c() => client.interrupt().await?,
        }
    }
}

/// What the terminal shows. The answer is written as it comes.
struct Screen {
    session: SessionId,
    is_terminal: bool,
    speaking: bool,
    calls: Vec<(CallId, String, Instant)>,
}

impl Screen {
    fn new(session: SessionId) -> Self {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        Self { session, is_terminal, speaking: false, calls: Vec::new() }
    }

    fn greet(&self, server: &str) {
        if self.is_terminal {
            let (name, quiet, plain) = (look::NAME, look::QUIET, look::PLAIN);
            tell_line!("{name}Sayso{plain} at {server}\n{quiet}{KEYS}{plain}");
        }
    }

    /// What was said before, when coming back.
    fn recall(history: &[Envelope]) {
        let (name, plain) = (look::NAME, look::PLAIN);
        for envelope in history {
            match &envelope.event {
                Event::Heard { text, .. } => tell_line!("\n{name}you{plain}    {text}"),
                Event::Said { text } => {
                    tell_line!("{name}sayso{plain}  {}", hung(text));
                }
                Event::Failed { user_message, .. } => tell_line!("       {user_message}"),
                _ => {}
            }
        }
    }

    fn prompt(&self) {
        if self.is_terminal {
            tell!("\n{}you{}    ", look::NAME, look::PLAIN);
        }
    }

    /// A reader of a pipe sees both sides.
    fn echo(&self, text: &str) {
        if !self.is_terminal {
            tell_line!("you    {text}");
        }
    }

    fn leave(&self) {
        if self.is_terminal {
            let (quiet, plain) = (look::QUIET, look::PLAIN);
            tell_line!("\n{quiet}sayso chat --session {} brings you back.{plain}", self.session);
        }
    }

    /// Shows an event; true when the turn is over.
    fn show(&mut self, envelope: &Envelope) -> bool {
        match &envelope.event {
            Event::SaidDelta { text } => self.speak(text),
            Event::ToolRequested { call_id, label, .. } => {
                self.calls.push((*call_id, label.clone(), Instant::now()));
            }
            Event::ToolReturned { call_id, ok, error, .. } => {
                let reason = error.as_ref().map(|error| error.message.as_str());
                self.looked_up(*call_id, *ok, reason);
            }
            Event::TurnEnded { outcome, .. } => {
                self.end_line();
                if *outcome != Outcome::Success {
                    let outcome = format!("{outcome:?}").to_lowercase();
                    tell_line!("  {}{outcome}{}", look::DOUBT, look::PLAIN);
                }
                return true;
            }
            Event::TurnCancelled { .. } => {
                self.end_line();
                tell_line!("  {}stopped{}", look::DOUBT, look::PLAIN);
                return true;
            }
            Event::Failed { user_message, code, .. } => {
                self.end_line();
                tell_line!("  {}{user_message}{} ({code})", look::TROUBLE, look::PLAIN);
                // One that belongs to a turn is followed by the turn's end.
                return envelope.turn_id.is_none();
            }
            Event::TurnStarted { .. }
            | Event::StateChanged { .. }
            | Event::HeardDelta { .. }
            | Event::Heard { .. }
            | Event::Said { .. }
            | Event::ToolQueued { .. }
            | Event::ToolProgressed { .. }
            | Event::Ponged { .. } => {}
        }
        false
    }

    fn speak(&mut self, text: &str) {
        if self.speaking {
            tell!("{}", hung(text));
        } else {
            tell!("{}sayso{}  {}", look::NAME, look::PLAIN, hung(text.trim_start()));
            self.speaking = true;
        }
    }

    fn looked_up(&mut self, call: CallId, ok: bool, reason: Option<&str>) {
        let Some(at) = self.calls.iter().position(|(id, ..)| *id == call) else { return };
        let (_, label, since) = self.calls.remove(at);
        self.end_line();
        let (quiet, plain) = (look::QUIET, look::PLAIN);
        let took = since.elapsed().as_millis();
        if ok {
            tell_line!("       {}✓{plain} {quiet}{label}, {took} ms{plain}", look::GOOD);
        } else {
            let reason = reason.unwrap_or("no reason given");
            tell_line!("       {}✗{plain} {label}: {reason}", look::TROUBLE);
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.speaking) {
            tell_line!("");
        }
    }
}

/// Lines after the first stand under the first.
fn hung(text: &str) -> String {
    text.replace('\n', "\n       ")
}
