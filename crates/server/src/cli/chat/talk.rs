//! One conversation: what is typed, what comes, and the cards in between.

use std::path::Path;
use std::process::ExitCode;

use brain::confirmation::Channel;
use brain::{ConfirmationId, Envelope, Event};

use super::WAITS_FOR_YOU;
use super::keyboard::{Keyboard, Typed};
use super::line::Line;
use super::screen::Screen;
use crate::cli::approve::{self, Approve};
use crate::cli::look::tell_line;
use crate::client::attach::{HandedOver, hand_over};
use crate::client::cards::{Cards, News, Open};
use crate::client::{Mine, NoSuchSession, Waiting, new_id};

pub struct Talk {
    pub line: Line,
    pub screen: Screen,
    pub keyboard: Keyboard,
    pub cards: Cards,
    pub approve: Approve,
    /// What was handed over for the next words.
    pub attached: Vec<HandedOver>,
    /// There is nothing to come back to.
    pub temporary: bool,
}

/// What somebody waits for.
pub enum Wanted<'a> {
    /// The answer to words, which are said again if they were not heard.
    Words { id: &'a str, text: &'a str, files: &'a [String] },
    /// What comes of a key on this card.
    Key(ConfirmationId),
}

/// How waiting ended.
pub enum Ended {
    /// It was answered, or a card is open and waits in turn.
    Well,
    Refused {
        code: String,
        message: String,
    },
}

impl Talk {
    /// What is typed next; `None` to leave. One Ctrl+C at the prompt is forgiven.
    pub async fn next_text(&mut self) -> Option<String> {
        let mut forgiven = false;
        loop {
            self.keyboard.ask();
            let typed = loop {
                tokio::select! {
                    typed = self.keyboard.next() => break typed,
                    envelope = self.line.idle() => self.overhear(&envelope),
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

    /// A pipe answers no card, and whatever it says next might be read as one.
    pub fn is_deaf(&self) -> bool {
        let beyond = self.cards.open().iter().any(|card| !self.approve.covers(&card.question));
        !self.keyboard.is_terminal() && beyond
    }

    /// The exit code; whoever reads a pipe learns of what still waits.
    pub fn left(&self) -> ExitCode {
        if self.keyboard.is_terminal() || self.cards.open().is_empty() {
            return ExitCode::SUCCESS;
        }
        if self.temporary {
            eprintln!(
                "sayso: a card waited for a person; it goes with the chat, and nothing was done"
            );
            return ExitCode::from(WAITS_FOR_YOU);
        }
        let way_back = self.line.way_back();
        eprintln!("sayso: a card waits for a person; answer it with: {way_back}");
        ExitCode::from(WAITS_FOR_YOU)
    }

    /// Says something, and shows what comes until it is answered.
    pub async fn say(&mut self, text: &str) -> anyhow::Result<()> {
        self.screen.echo(text);
        let id = new_id();
        let files: Vec<_> = self.attached.drain(..).map(|file| file.file_id).collect();
        let sent = self.line.client.say(&id, text, &files).await;
        let wanted = Wanted::Words { id: &id, text, files: &files };
        self.follow(Waiting::new(id.clone()), sent, &wanted).await?;
        Ok(())
    }

    /// Hands a file over; it goes with the next words.
    pub async fn attach(&mut self, path: &str) {
        let path = path.trim().trim_matches(['"', '\'']);
        if path.is_empty() {
            return self.screen.note("Which file? Say /attach and its path.");
        }
        match hand_over(&self.line.server, Path::new(path)).await {
            Ok(file) => {
                let told =
                    format!("{} ({}) goes with what you say next.", file.name, file.media_type);
                self.screen.note(&told);
                self.attached.push(file);
            }
            Err(error) => self.screen.note(&format!("Not attached: {error:#}.")),
        }
    }

    /// Shows what comes until nothing more does. A server that goes away
    /// meanwhile is called again.
    pub async fn follow(
        &mut self,
        mut waiting: Waiting,
        mut sent: anyhow::Result<()>,
        wanted: &Wanted<'_>,
    ) -> anyhow::Result<Ended> {
        let mut approved = Vec::new();
        let mut broke = false;
        let mut redrawn = None;
        loop {
            let heard = if let Err(error) = sent { Err(error) } else { self.next().await };
            let envelope = match heard {
                Ok(envelope) => envelope,
                Err(error) if error.is::<NoSuchSession>() => return Err(error),
                Err(_) => {
                    self.screen.end_line();
                    self.line.call_again().await?;
                    broke = true;
                    sent = self.line.client.ping().await;
                    continue;
                }
            };
            sent = Ok(());
            if matches!(envelope.event, Event::Ponged { .. }) {
                match wanted {
                    // The server takes what it has heard already only once.
                    Wanted::Words { id, text, files } if !waiting.has_begun() => {
                        sent = self.line.client.say(id, text, files).await;
                    }
                    Wanted::Key(card) if broke && self.was_not_taken(*card) => {
                        return Ok(Ended::Well);
                    }
                    Wanted::Words { .. } | Wanted::Key(_) => {}
                }
            }
            match self.place(&mut waiting, &envelope, wanted, &mut redrawn) {
                Mine::No | Mine::Part => {}
                Mine::Ask => sent = self.line.client.ping().await,
                Mine::Rest if self.approved(&waiting, &mut approved).await => {}
                Mine::Rest => {
                    if let Some(card) = redrawn {
                        self.screen.draw(&card, &self.cards);
                    }
                    return Ok(Ended::Well);
                }
                Mine::Last => return Ok(ended(envelope.event)),
            }
        }
    }

    /// What comes next; Ctrl+C meanwhile stops the answer.
    async fn next(&mut self) -> anyhow::Result<Envelope> {
        loop {
            tokio::select! {
                envelope = self.line.next() => return envelope,
                _ = tokio::signal::ctrl_c() => self.line.client.interrupt().await?,
            }
        }
    }

    /// A card that was changed from here may be done at once; only when it asks
    /// again is it shown again.
    fn place(
        &mut self,
        waiting: &mut Waiting,
        envelope: &Envelope,
        wanted: &Wanted<'_>,
        redrawn: &mut Option<Open>,
    ) -> Mine {
        let place = waiting.place(envelope);
        if place == Mine::No {
            self.take_in(envelope);
            return place;
        }
        let own = match wanted {
            Wanted::Words { .. } => Channel::Text,
            Wanted::Key(_) => Channel::Key,
        };
        self.screen.show(&envelope.event);
        match self.cards.take(envelope) {
            News::Changed(card) if own == Channel::Key => *redrawn = Some(card),
            news => self.screen.tell(&news, &self.cards, Some(own)),
        }
        place
    }

    /// A yes is not sent twice: when the line broke before it was taken, the
    /// person is shown the card again.
    fn was_not_taken(&mut self, card: ConfirmationId) -> bool {
        let Some(card) = self.cards.get(card) else { return false };
        self.screen.note("Your answer did not get through. The card is still open.");
        self.screen.draw(card, &self.cards);
        true
    }

    /// Says yes where `--approve` does; whether it goes on then.
    async fn approved(&mut self, waiting: &Waiting, before: &mut Vec<ConfirmationId>) -> bool {
        let covered =
            self.cards.of(waiting.turn()).find(|card| self.approve.covers(&card.question));
        let Some(question) = covered.map(|card| card.question.clone()) else { return false };
        if before.contains(&question.confirmation_request_id) {
            return true;
        }
        before.push(question.confirmation_request_id);
        let said = approve::accept(&self.line.server, self.line.session, &question).await;
        if let Err(error) = &said {
            self.screen.note(&format!("Not approved: {error}."));
        }
        said.is_ok()
    }

    /// What happens while somebody types.
    pub fn overhear(&mut self, envelope: &Envelope) {
        self.screen.keep_back();
        self.take_in(envelope);
        let text = self.screen.given_out();
        if !text.is_empty() {
            self.keyboard.show_above(text);
        }
    }

    /// What others say in this session is not shown here, but what becomes of
    /// cards is, and how writes have ended.
    pub fn take_in(&mut self, envelope: &Envelope) {
        if let (Event::TurnStarted { follows: Some(_), .. }, Some(turn)) =
            (&envelope.event, envelope.turn_id)
        {
            self.cards.follow(turn);
        }
        if self.cards.concern(envelope.turn_id) {
            self.screen.overhear(&envelope.event);
        }
        let news = self.cards.take(envelope);
        self.screen.tell(&news, &self.cards, None);
    }
}

fn ended(last: Event) -> Ended {
    match last {
        Event::Failed { code, message, .. } => Ended::Refused { code, message },
        _ => Ended::Well,
    }
}
