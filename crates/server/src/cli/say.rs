//! `sayso say`: one question, one answer, an exit code for scripts.

use std::process::ExitCode;

use brain::{Event, Outcome, SessionId};
use clap::Args;

use super::look::tell_line;
use super::{Server, small_runtime};
use crate::client::{Client, Mine, Waiting, new_id};

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 nobody could be asked, 2 partly done, 3 failed or not
understood, 4 waits for you (an answer or a confirmation), 5 the outcome is not known.

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
        let mut client = Client::connect(&self.server.server, self.session, 0).await?;
        client.catch_up().await?;
        let id = new_id();
        client.say(&id, &self.text.join(" ")).await?;
        let mut waiting = Waiting::new(id);
        loop {
            let envelope = client.next().await?;
            let place = waiting.place(&envelope);
            if matches!(place, Mine::No) {
                continue;
            }
            if self.json {
                tell_line!("{}", serde_json::to_string(&envelope)?);
            }
            match &envelope.event {
                Event::Said { text } if !self.json => tell_line!("{text}"),
                Event::Failed { user_message, code, .. } => {
                    eprintln!("sayso: {user_message} ({code})");
                }
                _ => {}
            }
            if matches!(place, Mine::Last) {
                return Ok(exit_code(&envelope.event));
            }
        }
    }
}

fn exit_code(last: &Event) -> ExitCode {
    let code = match last {
        Event::TurnEnded { error_code: Some(code), .. }
            if code == "needs_answer" || code == "needs_confirmation" =>
        {
            4
        }
        Event::TurnEnded { outcome: Outcome::Success, .. } => 0,
        Event::TurnEnded { outcome: Outcome::Partial, .. } => 2,
        Event::TurnEnded { outcome: Outcome::Unknown, .. } => 5,
        _ => 3,
    };
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_its_exit_code() {
        let ended = |outcome, code: Option<&str>| Event::TurnEnded {
            outcome,
            error_code: code.map(str::to_owned),
        };
        let cases = [
            (ended(Outcome::Success, None), 0),
            (ended(Outcome::Partial, Some("timeout")), 2),
            (ended(Outcome::Failed, Some("not_understood")), 3),
            (ended(Outcome::Partial, Some("needs_answer")), 4),
            (ended(Outcome::Failed, Some("needs_confirmation")), 4),
            (ended(Outcome::Unknown, None), 5),
        ];
        for (last, code) in cases {
            assert_eq!(exit_code(&last), ExitCode::from(code), "{last:?}");
        }
    }
}
