//! When something goes wrong: the disk, a turn, a former owner.
//!
//! Nothing that is not on disk counts. What was agreed to is picked up again,
//! cards stay open, and a turn that cannot be finished is told as failed.

use brain::{Event, Outcome, TurnId, TurnState};
use store::{StoreError, TurnRow};
use tokio::time::Instant;

use crate::actor::{Actor, PICK_UP_AGAIN};
use crate::handle::Ran;
use crate::inbox::From;
use crate::log::Entry;
use crate::peril::Moment;
use crate::present::refused;
use crate::turn::{self, Turn};

const NOT_STORED: &str = "the event could not be stored, so nothing was done";

impl Actor {
    /// Nothing can be written down, so nothing may be shown: the turn is over,
    /// and so is what waited behind it. Cards and writes are as they are on disk.
    pub(crate) fn store_failed(&mut self, error: &StoreError) {
        tracing::error!(session_id = %self.session, %error, "the store failed");
        let current = self.current.take();
        let asked = current.as_ref().and_then(|current| current.turn.as_ref()?.in_reply_to.clone());
        let mut over_http = Vec::new();
        if let Some(current) = current {
            current.stop();
            over_http.extend(current.tell);
        }
        self.hears.uttered.clear();
        if let Some(ear) = &self.hears.ear {
            ear.drop_utterance();
        }
        self.hush(None);
        self.held.clear();
        self.landing.clear();
        self.returning.clear();
        self.rows = self.on_disk.clone();
        self.log.lost(self.rows.turns.values().cloned());
        self.ready.clear();
        self.which = None;
        self.pick_up_later();
        let deeds = self.rows.actions.values().any(|action| !action.told);
        let failed = |in_reply_to| unavailable(deeds, in_reply_to);
        // What was dropped may be asked again under the same name.
        let waiting = self.waiting.iter().filter_map(|asked| asked.from.name());
        asked.as_deref().into_iter().chain(waiting).for_each(|name| self.names.take_back(name));
        // It is tried again and again; people are told once.
        let told = std::mem::replace(&mut self.told_of_failure, true);
        for client in self.clients.ids().into_iter().filter(|_| !told) {
            self.reply(client, failed(asked.clone()));
        }
        for asked in std::mem::take(&mut self.waiting) {
            match asked.from {
                From::Client { client, event_id } => self.reply(client, failed(event_id)),
                From::Http { tell, .. } => over_http.push(tell),
            }
        }
        for tell in over_http {
            let error = refused("store_unavailable", NOT_STORED.into());
            // Whoever asked over HTTP may have hung up.
            let _ = tell.send(Ran::Failed(error));
        }
    }

    /// Goes on with whatever was left open: cards stay, what was agreed to is
    /// carried out, and turns that were stopped in the middle are told as failed.
    pub(crate) fn pick_up(&mut self) {
        self.pick_up_at = None;
        for action in self.rows.unsettled().map(|action| action.id).collect::<Vec<_>>() {
            self.begin_write(action);
        }
        for row in self.rows.turns.clone().into_values() {
            if self.is_current(row.turn) || self.is_held(row.turn) {
                continue;
            }
            if is_said(&row) {
                self.close(&row);
                continue;
            }
            match self.kept(&row) {
                Some(kept) if self.waits_for_answer(&kept) => {}
                Some(_) => self.walk_on(row.turn),
                None => self.close(&row),
            }
        }
        self.expire_cards();
        self.return_jobs();
        self.next();
    }

    pub(crate) fn pick_up_later(&mut self) {
        self.pick_up_at.get_or_insert_with(|| Instant::now() + PICK_UP_AGAIN);
    }

    /// Ends a turn as failed; one in which something was agreed to as unknown,
    /// and how that ended is told when it is known.
    pub(crate) fn fail(&mut self, turn: TurnId, walked: Option<&Turn>, code: &str) {
        let Some(open) = self.log.turn(turn) else { return };
        let (outcome, say) = if self.has_deeds(turn) {
            (Outcome::Unknown, "Something went wrong on my side. I'll tell you how it ended.")
        } else {
            (Outcome::Failed, "That went wrong on my side. Please ask me again.")
        };
        let mut entry = Entry::new(Moment::Closed, turn);
        if !open.row.state.is_active() {
            // It went wrong before it was written down that it began.
            entry.events.extend(walked.map(turn::heard).into_iter().flatten());
        }
        entry.events.extend(failure(outcome, code, say));
        self.write(entry, None);
    }

    /// Tells of a turn that somebody stopped in the middle of.
    pub(crate) fn close(&mut self, row: &TurnRow) {
        if !row.state.is_active() {
            // Only an active turn can fail; a row like this was not written by us.
            return self.log.forget(row.turn);
        }
        if let Some(outcome) = row.outcome.filter(|_| is_said(row)) {
            let error_code = row.error_code.clone();
            let mut entry = Entry::new(Moment::Closed, row.turn);
            entry.events.push(Event::ended(outcome, error_code));
            return self.write(entry, None);
        }
        // Of what was agreed to nobody is asked to try again.
        let (outcome, said) = if self.has_deeds(row.turn) {
            (Outcome::Unknown, "I was interrupted there. I'll tell you how it ended.")
        } else {
            (Outcome::Failed, "I was interrupted there. Ask me again and I'll look it up.")
        };
        let mut entry = Entry::new(Moment::Closed, row.turn);
        entry.events = failure(outcome, "interrupted", said);
        self.write(entry, None);
    }
}

/// All of it was said and is on record, if not heard to its end.
fn is_said(row: &TurnRow) -> bool {
    row.state == TurnState::Speaking && row.outcome.is_some()
}

/// Nothing can be written down. Of what was agreed to nobody may be told that it
/// did not happen, nor be asked to try again.
fn unavailable(deeds: bool, in_reply_to: Option<String>) -> Event {
    let (message, user_message) = if deeds {
        (
            "nothing can be stored right now; what was agreed to is settled when it can",
            "I can't keep a record right now. I'll tell you how it ended as soon as I can.",
        )
    } else {
        (NOT_STORED, "I can't keep a record right now, so I stopped. Try again in a moment.")
    };
    Event::Failed {
        code: "store_unavailable".into(),
        message: message.into(),
        user_message: user_message.into(),
        retryable: !deeds,
        in_reply_to,
    }
}

fn failure(outcome: Outcome, code: &str, user_message: &str) -> Vec<Event> {
    vec![
        Event::Failed {
            code: code.into(),
            message: "the turn could not be finished".into(),
            user_message: user_message.into(),
            retryable: false,
            in_reply_to: None,
        },
        Event::ended(outcome, Some(code.into())),
    ]
}
