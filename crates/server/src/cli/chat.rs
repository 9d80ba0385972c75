//! `sayso chat`: the conversation in a terminal, line by line.

use std::process::ExitCode;

use anyhow::{Context, bail};
use axum::http::Method;
use brain::SessionId;
use brain::input::Decision;
use clap::Args;
use serde_json::json;

use super::approve::Approve;
use super::look::tell_line;
use super::{Server, look, small_runtime};
use crate::client::cards::Cards;
use crate::client::{Client, Remote, http, reached};

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
/attach FILE hands over a file with your next sentence; ask what it says.
/session shows how to come back here, /help shows this.";
/// A card is open that only a person can answer.
pub const WAITS_FOR_YOU: u8 = 4;

#[derive(Args)]
#[command(
    after_help = "Before anything is sent or booked a card shows exactly what. y says yes to what
is shown, e opens it in $VISUAL or $EDITOR, n says no; with several cards put the
number behind the letter (y 2). Enter alone never says yes. You can answer in
words too: \"make it four o'clock\", \"who is that going to?\".

/attach FILE hands over a PDF, text, table, Word document, calendar file, mail or
picture with your next sentence, and you can go on asking what it says.

From a pipe nothing is ever approved: the first card ends the conversation with
exit code 4 and stays open, unless --approve names its type.

Examples:
  sayso chat
  sayso chat --session sess_0192…        go on where you left, with its open cards
  sayso chat --temporary                 leave nothing behind but the audit of writes
  printf 'hello\\nwhat is next?\\n' | sayso chat"
)]
pub struct Chat {
    /// Go on with a session instead of beginning one
    #[arg(long, value_name = "ID")]
    session: Option<SessionId>,
    /// Keep nothing of it once you leave, but the audit of what was done
    #[arg(long, conflicts_with = "session")]
    temporary: bool,
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
        let (mut talk, thread) = self.begin().await?;
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
        if let Some(thread) = thread {
            end(&talk.line.server, &thread).await;
        }
        if talk.keyboard.is_terminal() && !talk.temporary {
            let (quiet, plain) = (look::QUIET, look::PLAIN);
            tell_line!("{quiet}{} brings you back.{plain}", talk.line.way_back());
        }
        Ok(code)
    }

    /// With the chat that is to be taken out at the end, where that was wanted.
    async fn begin(self) -> anyhow::Result<(Talk, Option<String>)> {
        let server = self.server.remote()?;
        let (session, thread) = if self.temporary {
            let (session, thread) = begin_temporary(&server).await?;
            (Some(session), Some(thread))
        } else {
            (self.session, None)
        };
        let mut client = Client::connect(&server, session, 0).await?;
        let (session, history) = client.catch_up().await?;
        let last_seq = history.iter().rev().find_map(reached).unwrap_or(0);
        let line = Line { server, session, client, last_seq, calls: 0 };
        let keyboard = Keyboard::open();
        let mut screen = Screen::new(keyboard.is_terminal());
        screen.greet(&line.server.to_string(), KEYS);
        if self.temporary {
            let (quiet, plain) = (look::QUIET, look::PLAIN);
            tell_line!(
                "{quiet}Nothing of this chat is kept once you leave, but the audit of writes.{plain}"
            );
        }
        screen.recall(&history);
        let mut cards = Cards::default();
        for envelope in &history {
            cards.take(envelope);
        }
        for card in cards.open() {
            screen.draw(card, &cards);
        }
        let (approve, temporary, attached) = (self.approve, self.temporary, Vec::new());
        Ok((Talk { line, screen, keyboard, cards, approve, attached, temporary }, thread))
    }
}

/// A session that is kept only as long as somebody is in it, and its chat.
async fn begin_temporary(server: &Remote) -> anyhow::Result<(SessionId, String)> {
    let wanted = json!({ "temporary": true });
    let answer = http::request(server, Method::POST, "/chat/session/start", Some(&wanted)).await?;
    if answer.status != 201 {
        bail!("{}", answer.problem());
    }
    let session = answer.body["session_id"].as_str().and_then(|id| id.parse().ok());
    let thread = answer.body["thread_id"].as_str().map(str::to_owned);
    session.zip(thread).context("the server began a session this version cannot read")
}

/// Takes a temporary chat out. If that fails, the server does it a minute after we left.
async fn end(server: &Remote, thread: &str) {
    let path = format!("/chat/threads/{thread}");
    let (quiet, plain) = (look::QUIET, look::PLAIN);
    match http::request(server, Method::DELETE, &path, None).await {
        Ok(answer) if answer.status == 204 => tell_line!("{quiet}Nothing of it is kept.{plain}"),
        _ => tell_line!("{quiet}The server takes it out within a minute or so.{plain}"),
    }
}
