//! Writes that were agreed to: begun, written down, and told when their turn is
//! over.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use brain::action::News;
use brain::{Action, ActionId, ActionState, Confirmation, InputMode, TurnId};
use futures_util::FutureExt;
use jiff::Timestamp;
use store::TurnRow;
use tokio::sync::{oneshot, watch};
use tools::Place;

use crate::act::key_of;
use crate::actor::{Actor, Note};
use crate::log::Entry;
use crate::peril::Moment;
use crate::present::refused;
use crate::telling;
use crate::turn::{Desk, Kept, Turn, Wish};
use crate::work::{Fate, Work};
use crate::write::{self, Learnt, Writing, carry_out, returned};

/// So long after a yes, "cancel!" is about what was agreed to.
const RECENT: jiff::SignedDuration = jiff::SignedDuration::from_mins(2);

impl Actor {
    /// Tells how writes ended whose turns were over by then.
    pub(crate) fn follow_up(&mut self) {
        if self.pick_up_at.is_some() {
            // The disk has just failed; first things first.
            return;
        }
        let untold: Vec<Action> = self.rows.untold().cloned().collect();
        let Some(first) = untold.first() else { return self.announce() };
        let follows = first.turn;
        let (clock, ids) = (&*self.house.clock, &*self.house.ids);
        let row = self.log.begin(InputMode::Text, None, clock, ids).clone();
        let turn = Arc::new(Turn {
            id: row.turn,
            session: self.session,
            user: self.user,
            wish: Wish::Words(String::new()),
            voiced: None,
            attached: Vec::new(),
            in_reply_to: None,
            goes_on: None,
            focus: self.focus.clone(),
            recent: None,
            said_before: String::new(),
            open_cards: self.rows.waiting(),
            thinker: None,
        });
        let (house, walked) = (Arc::clone(&self.house), Arc::clone(&turn));
        let desk = Desk { turn: row.turn, notes: self.notes.clone() };
        self.walk(&row, turn, None, async move {
            telling::follow(&walked, follows, untold, &house, &desk).await
        });
    }

    /// Somebody is at it from now on, unless somebody is already.
    pub(crate) fn begin_write(&mut self, id: ActionId) {
        let Some(action) = self.rows.actions.get(&id).cloned() else { return };
        if self.writing.contains_key(&id) || action.state.is_over() {
            return;
        }
        let card = self.rows.cards.get(&action.confirmation);
        let tool = self.house.catalog.get(&action.tool).cloned();
        let (Some(say_so), Some(tool)) = (card.and_then(Confirmation::say_so), tool) else {
            return self.give_up(&action);
        };
        let mode = self
            .work_of(action.turn)
            .map_or(brain::event::CallMode::Orchestrated, |work| work.call_mode());
        let (house, notes, epoch) = (Arc::clone(&self.house), self.notes.clone(), self.log.epoch());
        let user = self.user;
        let place = Place { session: action.session, turn: action.turn };
        let (tell, watch) = watch::channel(action);
        self.writing.insert(id, watch);
        tokio::spawn(async move {
            let over = notes.clone();
            let write = async move {
                // Without a profile the actor picks it up again later.
                let Ok(caller) = house.caller(user, key_of(id), place).await else { return };
                carry_out(Writing { house, epoch, notes, tool, caller, say_so, mode }, tell).await;
            };
            if AssertUnwindSafe(write).catch_unwind().await.is_err() {
                tracing::error!(action_id = %id, "a write panicked");
            }
            // However it ended; the actor may be gone too.
            let _ = over.send(Note::WriteOver { action: id }).await;
        });
    }

    /// The tool is not there any more, or the yes is not. What has not left never will;
    /// of what may have left nobody can ask.
    fn give_up(&mut self, action: &Action) {
        tracing::error!(action_id = %action.id, "a write cannot be carried out");
        let Some(over) = given_up(action, self.house.clock.now()) else { return };
        let mut entry = Entry::apart(Moment::Settled);
        if self.log.turn(over.turn).is_some() {
            entry.turn = Some(over.turn);
            entry.events.extend(returned(&over));
        }
        entry.audit.push(write::line(&over));
        entry.actions.push(over);
        self.write(entry, None);
    }

    /// Something was agreed to in this turn that is not settled, or not told.
    pub(crate) fn has_deeds(&self, turn: TurnId) -> bool {
        let mut actions = self.rows.actions.values();
        actions.any(|action| action.turn == turn && is_open(action))
    }

    /// Writes down what was learnt. Events only where the turn is still open;
    /// otherwise it is told in a turn of its own.
    pub(crate) fn learn(&mut self, learnt: Learnt, ack: oneshot::Sender<()>) {
        let Learnt { moment, action, event, tool_run, line } = learnt;
        let mut entry = Entry::apart(moment);
        if self.log.turn(action.turn).is_some() {
            entry.turn = Some(action.turn);
            entry.events.extend(event);
        }
        self.last_write = Some(action.clone());
        entry.actions.push(action);
        entry.tool_runs.push(tool_run);
        entry.audit.push(line);
        self.write(entry, Some(ack));
    }

    /// What a turn that waited goes on with; none for one that never came to a card.
    pub(crate) fn kept(&self, row: &TurnRow) -> Option<Kept> {
        let work = row.work.as_ref().and_then(Work::read)?;
        let actions: Vec<_> =
            self.rows.actions.values().filter(|action| action.turn == row.turn).cloned().collect();
        let under_way =
            actions.iter().filter_map(|action| self.writing.get(&action.id)).cloned().collect();
        let cards = self.rows.cards.values().filter(|card| card.turn == row.turn).cloned();
        Some(Kept { work, actions, cards: cards.collect(), under_way })
    }

    pub(crate) fn waits_for_answer(&self, kept: &Kept) -> bool {
        let open = |id| self.rows.open_cards().any(|card| card.id == id);
        kept.work
            .fates
            .iter()
            .any(|fate| matches!(fate, Fate::Asking { question } if open(*question)))
    }

    /// The write that "cancel!" would be about, if it is not long ago.
    pub(crate) fn recent_write(&self) -> Option<Action> {
        let now = self.house.clock.now();
        let recent = |action: &&Action| now.duration_since(action.agreed_at) < RECENT;
        self.last_write.as_ref().filter(recent).cloned()
    }
}

/// It is not settled, or not told.
fn is_open(action: &Action) -> bool {
    !(action.told && action.state.is_over())
}

/// What is known of a write that nobody can go on with, to its end.
fn given_up(action: &Action, now: Timestamp) -> Option<Action> {
    let gone = || refused("tool_off", "the tool is not there any more".to_owned());
    let mut over = action.clone();
    while !over.state.is_over() {
        let news = match over.state {
            ActionState::Dispatching => News::Lost(gone()),
            ActionState::MaybeSent => News::Unclear,
            ActionState::ReconciledNotDone => News::Lapsed(gone()),
            _ => News::Refused(gone()),
        };
        over = over.learn(news, now, jiff::SignedDuration::ZERO).ok()?;
    }
    Some(over)
}

#[cfg(test)]
mod tests {
    use brain::ids::Uuid;
    use brain::{CallId, ConfirmationId, Seal, SessionId, TurnId, UserId};
    use serde_json::json;

    use super::*;

    fn action(state: ActionState) -> Action {
        let at = Timestamp::UNIX_EPOCH;
        Action {
            id: ActionId(Uuid::nil()),
            confirmation: ConfirmationId(Uuid::nil()),
            revision: 1,
            session: SessionId(Uuid::nil()),
            user: UserId(Uuid::nil()),
            turn: TurnId(Uuid::nil()),
            step: 1,
            call: CallId(Uuid::nil()),
            tool: "crm.note".into(),
            args: json!({}),
            seal: Seal::of("crm.note", &json!({})),
            called: "the note".into(),
            state,
            attempt: 1,
            epoch: 1,
            probes: 0,
            absent: 0,
            not_before: None,
            agreed_at: at,
            learnt_at: at,
            result: None,
            error: None,
            told: false,
        }
    }

    #[test]
    fn what_has_not_left_never_will_and_of_the_rest_nobody_knows() {
        use ActionState as S;
        for (state, end) in [
            (S::IntentLogged, S::FailedClean),
            (S::Dispatching, S::NeedsUser),
            (S::MaybeSent, S::NeedsUser),
            (S::ReconciledNotDone, S::FailedClean),
            (S::Confirmed, S::Confirmed),
        ] {
            let over = given_up(&action(state), Timestamp::UNIX_EPOCH).unwrap();
            assert_eq!(over.state, end, "{}", state.name());
        }
    }

    #[test]
    fn a_write_is_open_until_it_is_settled_and_told() {
        for state in ActionState::ALL {
            let told = Action { told: true, ..action(state) };
            assert_eq!(is_open(&told), !state.is_over(), "{}", state.name());
            assert!(is_open(&action(state)));
        }
    }
}
