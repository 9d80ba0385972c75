//! `sayso say`: one question, one answer, an exit code for scripts.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use brain::{Envelope, Event, Outcome, SessionId};
use clap::Args;

use super::approve::{self, Approve};
use super::card::{self, Keys};
use super::chat::{WAITS_FOR_YOU, way_back};
use super::look::{self, tell, tell_line};
use super::paper::harmless;
use super::{Server, small_runtime};
use crate::client::attach::hand_over;
use crate::client::cards::{Cards, Open};
use crate::client::{Client, Mine, Waiting, new_id};

mod aloud;

use aloud::{Playing, Voice};

/// A card comes before the first sound of its question, which is waited for where it is
/// to be kept: so often, for so long.
const FIRST_SOUND_ASKED: u32 = 40;
const FIRST_SOUND_AFTER: Duration = Duration::from_millis(100);

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 done, 1 nobody could be asked, 2 partly done, 3 failed or not
understood, 4 waits for you (an answer or a yes), 5 the outcome is not known.

What would send or book something is shown as a card and not done: it exits
with 4, the card stays open, and `sayso chat --session …` answers it. --approve
says yes by itself to the types it names, and to nothing else.

Examples:
  sayso say \"what meetings do I have tomorrow?\"
  sayso say --json \"any new mail from Priya?\" | jq -r .event_type
  sayso say --attach lease.pdf \"what does it say about the deposit?\"
  sayso say --approve create_event \"put lunch with Tom on Friday at noon\"
  sayso say --wav question.wav --save answer.wav
  sayso say --save time.wav \"what time is it?\""
)]
pub struct Say {
    /// What to say
    #[arg(value_name = "TEXT", required_unless_present = "wav")]
    text: Vec<String>,
    /// Say what is said in this file, as fast as it is said there
    #[arg(long, value_name = "FILE.wav", conflicts_with_all = ["text", "attach"])]
    wav: Option<PathBuf>,
    /// Put the spoken answer into this file; a file that is there is written anew
    #[arg(long, value_name = "FILE.wav")]
    save: Option<PathBuf>,
    /// Hand over a file with it; may be given several times
    #[arg(long, value_name = "PATH")]
    attach: Vec<PathBuf>,
    /// Print every event as a JSON line instead of the answer
    #[arg(long)]
    json: bool,
    /// Go on with a session instead of beginning one
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    #[command(flatten)]
    approve: Approve,
    #[command(flatten)]
    server: Server,
}

impl Say {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        small_runtime()?.block_on(self.ask())
    }

    async fn ask(self) -> anyhow::Result<ExitCode> {
        let server = &self.server.remote()?;
        let mut client = Client::connect(server, self.session, 0).await?;
        let (session, history) = client.catch_up().await?;
        let mut cards = Cards::default();
        for envelope in &history {
            cards.take(envelope);
        }
        // Words might be read as a yes to a card that nobody here has seen.
        if let Some(card) = cards.open().iter().find(|card| !self.approve.covers(&card.question)) {
            self.show(card);
            let way_back = way_back(&self.server.server, session);
            eprintln!(
                "sayso: nothing was said. This card waits for a person, and `sayso say` answers \
                 none, whatever the words. Answer it with: {way_back}"
            );
            return Ok(ExitCode::from(WAITS_FOR_YOU));
        }
        let mut files = Vec::new();
        for path in &self.attach {
            files.push(hand_over(server, path).await?.file_id);
        }
        let (mut waiting, mut playing) = if let Some(wav) = &self.wav {
            let playing = Playing::begin(wav, &mut client, self.save.is_some()).await?;
            (Waiting::aloud(), Some(playing))
        } else {
            let id = new_id();
            if self.save.is_some() {
                client.listens().await?;
            }
            client.say(&id, &self.text.join(" "), &files).await?;
            (Waiting::new(id), None)
        };
        let (mut approved, mut voice) = (Vec::new(), Voice::default());
        let mut patience = if self.save.is_some() { FIRST_SOUND_ASKED } else { 0 };
        loop {
            let envelope = match &mut playing {
                Some(playing) => playing.next(&mut client).await?,
                None => client.next().await?,
            };
            cards.take(&envelope);
            voice.take(&envelope.event);
            if matches!(envelope.event, Event::SoundEnded { .. }) {
                // Whether a card waits is asked once it was heard.
                client.ping().await?;
            }
            let place = waiting.place(&envelope);
            if matches!(place, Mine::Part | Mine::Ask | Mine::Last) {
                self.print(&envelope)?;
            }
            match place {
                Mine::No | Mine::Part => {}
                Mine::Ask => client.ping().await?,
                Mine::Last => {
                    self.save(&voice)?;
                    return Ok(exit_code(&envelope.event));
                }
                // A question that is being spoken is heard to its end.
                Mine::Rest if voice.is_speaking() => {}
                Mine::Rest if voice.is_silent() && patience > 0 => {
                    patience -= 1;
                    tokio::time::sleep(FIRST_SOUND_AFTER).await;
                    client.ping().await?;
                }
                Mine::Rest => {
                    let Some(card) = cards.of(waiting.turn()).next() else { continue };
                    let question = &card.question;
                    if !self.approve.covers(question) {
                        self.save(&voice)?;
                        self.wait_for_you(card, session);
                        return Ok(ExitCode::from(WAITS_FOR_YOU));
                    }
                    if !approved.contains(&question.confirmation_request_id) {
                        approved.push(question.confirmation_request_id);
                        approve::accept(server, session, question).await?;
                    }
                }
            }
        }
    }

    fn save(&self, voice: &Voice) -> anyhow::Result<()> {
        self.save.as_deref().map_or(Ok(()), |path| voice.save(path))
    }

    fn print(&self, envelope: &Envelope) -> anyhow::Result<()> {
        if self.json {
            tell_line!("{}", serde_json::to_string(envelope)?);
        }
        match &envelope.event {
            Event::Said { text } if !self.json => tell_line!("{}", harmless(text)),
            Event::Heard { text, .. } if !self.json && self.wav.is_some() => {
                let (quiet, plain) = (look::QUIET, look::PLAIN);
                tell_line!("{quiet}> {}{plain}", harmless(text));
            }
            Event::Failed { user_message, code, .. } => {
                eprintln!("sayso: {user_message} ({code})");
            }
            _ => {}
        }
        Ok(())
    }

    fn show(&self, card: &Open) {
        if !self.json {
            tell!("{}", card::drawn(card, Keys::None, None));
        }
    }

    /// Shows what waits, and how to answer it.
    fn wait_for_you(&self, card: &Open, session: SessionId) {
        self.show(card);
        let way_back = way_back(&self.server.server, session);
        eprintln!(
            "sayso: nothing was done with it; the card stays open. Answer it with: {way_back}"
        );
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
        let ended = |outcome, code: Option<&str>| Event::ended(outcome, code.map(str::to_owned));
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
