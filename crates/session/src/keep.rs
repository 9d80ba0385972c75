//! "Keep it as a draft": a no that leaves the mail where it can be found again.
//!
//! The draft comes first and the no behind it, so that nobody hears of a draft
//! that is not there. If the process dies in between, the card is still open.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use brain::card::Preview;
use brain::confirmation::{Answer, Channel, NotTaken};
use brain::input::Decision;
use brain::policy::{Ruling, rule};
use brain::{ActionLevel, CallError, Confirmation, ConfirmationId};
use futures_util::FutureExt;
use serde_json::Value;
use tokio::task::AbortHandle;
use tools::Place;

use crate::act::as_call_error;
use crate::actor::{Actor, Note};
use crate::asker::Asker;
use crate::peril::{Moment, Side};
use crate::present::refused;

/// A tool that has not kept it by then has failed.
const PATIENCE: Duration = Duration::from_secs(15);

/// What became of a wish to keep something as a draft.
pub(crate) struct Kept {
    asker: Asker,
    reading: u64,
    card: ConfirmationId,
    revision: u32,
    /// Whether there is a place for it.
    result: Result<bool, CallError>,
}

impl Actor {
    pub(crate) fn keep(
        &mut self,
        asker: Asker,
        card: &Confirmation,
        reading: u64,
    ) -> Option<AbortHandle> {
        let switch = self.house.switches.of(&card.tool);
        let allowed = matches!(rule(ActionLevel::Draft, switch, &[]), Ruling::Go);
        let Some(tool) = self.house.catalog.get(&card.tool).filter(|_| allowed).cloned() else {
            let say = "That is switched off right now. The card is still open.";
            self.refuse(asker, Some(card), "tool_off", "the tool is switched off", say);
            return None;
        };
        let (house, notes, user) = (Arc::clone(&self.house), self.notes.clone(), self.user);
        let (id, revision) = (card.id, card.revision);
        let place = Place { session: card.session, turn: card.turn };
        let args = Value::Object(card.card.payload.clone());
        let key = format!("{}.draft.{revision}", card.action);
        let task = tokio::spawn(async move {
            let kept = async {
                let caller = house.caller(user, key, place).await;
                let caller = caller.map_err(|error| refused("unreachable", error.to_string()))?;
                let Some(writer) = tool.writer() else { return Ok(false) };
                house.peril.pass(Moment::Looking, Side::Before).await;
                let kept = tokio::time::timeout(PATIENCE, writer.keep(&args, &caller)).await;
                house.peril.pass(Moment::Looking, Side::After).await;
                let late = |_| refused("timeout", "it was not kept in time".into());
                kept.map_err(late)?.map_err(|error| as_call_error(&error))
            };
            let broke_off = |_| Err(refused("internal_error", "keeping it broke off".into()));
            let kept = AssertUnwindSafe(kept).catch_unwind().await.unwrap_or_else(broke_off);
            let kept = Kept { asker, reading, card: id, revision, result: kept };
            // Without an owner there is nobody to tell.
            let _ = notes.send(Note::Kept(Box::new(kept))).await;
        });
        Some(task.abort_handle())
    }

    pub(crate) fn kept_as_draft(&mut self, kept: Kept) {
        let Kept { asker, reading, card, revision, result } = kept;
        if self.current.as_ref().and_then(|current| current.reading) != Some(reading) {
            // The disk failed meanwhile, and people were told.
            return;
        }
        self.current = None;
        let Some(mut open) = self.rows.cards.get(&card).cloned() else {
            self.look_up(asker, &card.to_string());
            return self.next();
        };
        let no = Answer {
            decision: Decision::Reject,
            revision: Some(revision),
            edited: None,
            channel: Channel::Text,
            names_recipient: false,
        };
        // Somebody may have answered it meanwhile.
        if let Err(why) = open.weigh(&no, self.time_for(&open)) {
            match why {
                NotTaken::Resolved(_) => self.look_up(asker, &card.to_string()),
                _ => self.not_taken(asker, &open, why),
            }
            return self.next();
        }
        match result {
            Ok(true) => {
                if let Preview::Email(email) = &mut open.card.preview {
                    email.has_draft = true;
                }
                self.decline(asker, &open, Channel::Text);
            }
            Ok(false) => {
                let say = "I can't keep that as a draft. The card is still open.";
                self.refuse(asker, Some(&open), "no_drafts", "there is no place for drafts", say);
            }
            Err(error) => {
                let say = "I couldn't put it into your drafts. The card is still open.";
                self.refuse(asker, Some(&open), &error.code, &error.message, say);
            }
        }
        self.next();
    }
}
