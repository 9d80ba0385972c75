//! `sayso chat`: the conversation in a terminal, line by line.

use std::process::ExitCode;

use brain::SessionId;
use brain::input::Decision;
use clap::Args;

use super::approve::Approve;
use super::look::tell_line;
use super::{Server, look, small_runtime};
use crate::client::cards::Cards;
use crate::client::{Client, reached};

mod answers;
mod desk;
mod editor;
mod keyboard;
mod line;
mod screen;
mod talk;
mod typed;

use keyboard::Keyboard;
use line::Line;
pub use line::way_back;
use screen::Screen;
use talk::Talk;
use typed::Meant;

const KEYS: &str = "Type and press Enter. Ctrl+C stops an answer, Ctrl+D or /quit leaves.
While a card is open: y says yes, e edits it, n says no; or answer in words.
/session shows how to come back here, /help shows this.";
/// A card is open that only a person can answer.
pub const WAITS_FOR_YOU: u8 = 4;

#[derive(Args)]
#[command(
    after_help = "Before anything is sent or booked a card shows exactly what. y says yes to what
is shown, e opens it in $VISUAL or $EDITOR, n says no; with several cards put the
number behind the letter (y 2). Enter alone never says yes. You can answer in
words too: \"make it four o'clock\", \"who is that going to?\".

From a pipe nothing is ever approved: the first card ends the conversation with
exit code 4 and stays open, unless --approve names its type.

Examples:
  sayso chat
  sayso chat --session sess_0192…        go on where you left, with its open cards
  printf 'hello\\nwhat is next?\\n' | sayso chat"
)]
pub struct Chat {
    /// Go on with a session instead of beginning one
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    #[command(flatten)]
    approve: Approve,
    #[command(flatten)]
    server: Server,
}

impl Chat {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        desk::tidy();
        small_runtime()?.block_on(self.talk())
    }

    async fn talk(self) -> anyhow::Result<ExitCode> {
        let mut talk = self.begin().await?;
        let code = loop {
            let Some(text) = talk.next_text().await else { break talk.left() };
            match typed::read(&text, !talk.cards.open().is_empty()) {
                Meant::Nothing => {}
                Meant::Leave => break talk.left(),
                Meant::Help => tell_line!("{KEYS}"),
                Meant::Session => tell_line!("{}", talk.line.way_back()),
                Meant::Key { decision: Decision::Reject, number } => {
                    talk.press(Decision::Reject, number).await?;
                }
                Meant::Attach(path) => talk.attach(path).await,
                _ if talk.is_deaf() => break talk.left(),
                Meant::Key { decision, number } => talk.press(decision, number).await?,
                Meant::Say(text) => talk.say(text).await?,
            }
        };
        if talk.keyboard.is_terminal() {
            let (quiet, plain) = (look::QUIET, look::PLAIN);
            tell_line!("{quiet}{} brings you back.{plain}", talk.line.way_back());
        }
        Ok(code)
    }

    async fn begin(self) -> anyhow::Result<Talk> {
        let server = self.server.remote()?;
        let mut client = Client::connect(&server, self.session, 0).await?;
        let (session, history) = client.catch_up().await?;
        let last_seq = history.iter().rev().find_map(reached).unwrap_or(0);
        let line = Line { server, session, client, last_seq, calls: 0 };
        let keyboard = Keyboard::open();
        let mut screen = Screen::new(keyboard.is_terminal());
        screen.greet(&line.server.to_string(), KEYS);
        screen.recall(&history);
        let mut cards = Cards::default();
        for envelope in &history {
            cards.take(envelope);
        }
        for card in cards.open() {
            screen.draw(card, &cards);
        }
        let (approve, attached) = (self.approve, Vec::new());
        Ok(Talk { line, screen, keyboard, cards, approve, attached })
    }
}
