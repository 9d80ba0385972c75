//! `sayso say`: one question, one answer, an exit code for scripts.

use std::process::ExitCode;

use brain::{Event, Outcome, SessionId};
use clap::Args;

use super::look::tell_line;
use super::{Server, small_runtime};
use crate::client::Client;

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 done, 2 partly done, 3 failed, 4 waits for your confirmation,
5 the outcome is not known.

Examples:
  sayso say \"what meetings do I have tomorrow?\"
  sayso say --json \"any new mail from Priya?\" | jq -r .event_type"
)]
pub struct Say {
    /// What to say
    #[arg(value_name = "TEXT", required = true)]
    text: Vec<String>,
    /// Print every event as a JSON line instead of the answer
    #[arg(long)]
    json: bool,
    /// Go on with a session instead of beginning one
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    #[command(flatten)]
    server: Server,
}

impl Say {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        small_runtime()?.block_on(self.ask())
    }

    async fn ask(self) -> anyhow::Result<ExitCode> {
        let mut client = Client::connect(&self.server.server, self.session).await?;
        client.catch_up().await?;
        client.say(&self.text.join(" ")).await?;
        loop {
            let envelope = client.next().await?;
            if self.json {
                tell_line!("{}", serde_json::to_string(&envelope)?);
            }
            match envelope.event {
                Event::Said { text } if !self.json => tell_line!("{text}"),
                Event::Failed { user_message, code, .. } => {
                    eprintln!("sayso: {user_message} ({code})");
                    if envelope.turn_id.is_none() {
                        return Ok(exit_code(Outcome::Failed));
                    }
                }
                Event::TurnEnded { outcome, .. } => return Ok(exit_code(outcome)),
                Event::TurnCancelled { .. } => return Ok(exit_code(Outcome::Failed)),
                _ => {}
            }
        }
    }
}

fn exit_code(outcome: Outcome) -> ExitCode {
    ExitCode::from(match outcome {
        Outcome::Success => 0,
        Outcome::Partial => 2,
        Outcome::Failed => 3,
        Outcome::Unknown => 5,
    })
}
