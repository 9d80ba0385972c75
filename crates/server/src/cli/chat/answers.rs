//! Keys on a card: yes, no, and the editor.

use std::time::Duration;

use brain::input::Decision;
use serde_json::{Map, Value};

use super::desk::Sheet;
use super::talk::{Ended, Talk, Wanted};
use super::{editor, typed};
use crate::client::cards::Open;
use crate::client::{Waiting, new_id};

/// An editor that never saves something readable is not opened for ever.
const MOST_TRIES: usize = 5;
/// A card on which somebody is at work is kept open this often.
const STILL_AT_IT: Duration = Duration::from_mins(1);

impl Talk {
    pub async fn press(&mut self, decision: Decision, number: Option<usize>) -> anyhow::Result<()> {
        let card = match typed::meant(&self.cards, decision, number) {
            Ok(card) => card.clone(),
            Err(reason) => {
                self.screen.note(&reason);
                return Ok(());
            }
        };
        if !card.question.allowed_decisions.contains(&decision) {
            self.screen.note("Nothing on this card can be changed. y or n?");
            return Ok(());
        }
        match decision {
            Decision::Edit => self.edit(&card).await,
            Decision::Accept | Decision::Reject => {
                self.answer(&card, decision, None).await?;
                Ok(())
            }
        }
    }

    async fn answer(
        &mut self,
        card: &Open,
        decision: Decision,
        edited: Option<Map<String, Value>>,
    ) -> anyhow::Result<Ended> {
        let id = new_id();
        let sent = self.line.client.answer(&id, &card.question, decision, edited).await;
        let waiting = Waiting::in_turn(id, card.turn);
        let wanted = Wanted::Key(card.question.confirmation_request_id);
        self.follow(waiting, sent, &wanted).await
    }

    /// Until it is taken, or left as it was.
    async fn edit(&mut self, card: &Open) -> anyhow::Result<()> {
        let shown = &card.question.card;
        let mut page = editor::page(shown);
        let mut reason = String::new();
        for _ in 0..MOST_TRIES {
            let written = match self.written(card, &page).await {
                Ok(written) => written,
                Err(error) => {
                    self.screen.note(&format!("{error:#}"));
                    return Ok(());
                }
            };
            let changes = editor::read(&written, shown);
            let is_same = written == page || changes.as_ref().is_ok_and(Map::is_empty);
            if is_same {
                self.screen.note("Nothing changed. The card is as it was.");
                return Ok(());
            }
            reason = match changes {
                Err(reason) => reason,
                Ok(changes) => match self.answer(card, Decision::Edit, Some(changes)).await? {
                    Ended::Refused { code, message } if code == "bad_edit" => message,
                    Ended::Refused { .. } | Ended::Well => return Ok(()),
                },
            };
            page = editor::complained(&written, &reason);
        }
        self.screen.note(&format!("That cannot be read: {reason}. The card is as it was."));
        Ok(())
    }

    /// What the editor leaves behind. Meanwhile the card is kept open and the
    /// line alive.
    async fn written(&mut self, card: &Open, page: &str) -> anyhow::Result<String> {
        let sheet = Sheet::with(page)?;
        let mut editor = tokio::task::spawn_blocking(move || sheet.edited());
        let mut at_it = tokio::time::interval(STILL_AT_IT);
        self.screen.keep_back();
        let written = loop {
            tokio::select! {
                written = &mut editor => break written?,
                envelope = self.line.idle() => self.take_in(&envelope),
                _ = at_it.tick() => {
                    // A line that broke is noticed when the change is sent.
                    let _ = self.line.client.keep_open(card.question.confirmation_request_id).await;
                }
                // It was meant for the editor.
                _ = tokio::signal::ctrl_c() => {}
            }
        };
        let told = self.screen.given_out();
        self.keyboard.show_above(told);
        written
    }
}
