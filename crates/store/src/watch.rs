//! How the house has been doing, for whoever looks after it: times, outcomes and counts,
//! never what people said.

use async_trait::async_trait;
use brain::audit::{Entry, Line};
use brain::confirmation::{ConfirmationState, Decided};
use brain::{ActionLevel, ConfirmationId, Seal, SessionId, TurnId, UserId};
use jiff::Timestamp;

use crate::rows::ToolRunState;
use crate::{StoreError, TurnRow};

/// Lines of the audit that one question looks through at most.
pub(crate) const LINES_LOOKED_AT: u32 = 20_000;

/// What operators ask. Nobody in a conversation waits for any of it.
#[async_trait]
pub trait Watch: Send + Sync {
    /// What began since then and until `now`. Of each kind about `most` are read, whatever
    /// there is: of more than that, every second, third, or however many-th. With a `tool`
    /// it is about that one alone: its uses, its cards, and the turns that had either.
    async fn glance(
        &self,
        since: Timestamp,
        now: Timestamp,
        most: u32,
        tool: Option<String>,
    ) -> Result<Glance, StoreError>;
    /// The newest lines of the audit that fit, newest first.
    async fn audit_back(&self, wanted: AuditWanted) -> Result<AuditFound, StoreError>;
    /// The last line that was let go, where the audit does not begin at its origin; and
    /// the number of the last one there is.
    async fn audit_reach(&self) -> Result<AuditReach, StoreError>;
}

/// What happened in a while, all at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glance {
    /// Without their work.
    pub turns: Sample<TurnRow>,
    pub tools: Sample<ToolUse>,
    /// Every revision of each.
    pub cards: Sample<CardGlance>,
    /// Jobs that could be taken up now and that nobody has.
    pub jobs_waiting: u64,
    pub jobs_running: u64,
}

/// Every so-many-th of what there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<T> {
    /// How many there are.
    pub total: u64,
    /// 1 is all of them.
    pub one_in: u64,
    pub rows: Vec<T>,
}

impl<T> Default for Sample<T> {
    fn default() -> Self {
        Self { total: 0, one_in: 1, rows: Vec::new() }
    }
}

/// One use of a tool, as far as it can be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolUse {
    pub tool: String,
    pub level: ActionLevel,
    pub state: ToolRunState,
    pub took_us: Option<u64>,
    /// How often it was tried again; known of writes alone.
    pub retries: Option<u32>,
    /// How often the turn it belongs to was asked for once more.
    pub dedupe_hits: u32,
}

/// One revision of one question, without what it asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardGlance {
    pub revision: u32,
    pub tool: String,
    pub state: ConfirmationState,
    pub asked_at: Timestamp,
    pub decided: Option<Decided>,
}

/// Which lines of the audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditWanted {
    /// Only those before this number.
    pub before: Option<u64>,
    pub limit: u32,
    pub fitting: Fitting,
}

/// What a line has to be about. What is not named may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fitting {
    pub what: Option<String>,
    pub tool: Option<String>,
    pub user: Option<UserId>,
    pub session: Option<SessionId>,
    pub turn: Option<TurnId>,
    pub confirmation: Option<ConfirmationId>,
}

impl Fitting {
    pub fn fits(&self, line: &Line) -> bool {
        self.what.as_ref().is_none_or(|what| *what == line.what)
            && self.tool.as_ref().is_none_or(|tool| line.tool.as_ref() == Some(tool))
            && self.user.is_none_or(|user| line.user == user)
            && self.session.is_none_or(|session| line.session == Some(session))
            && self.turn.is_none_or(|turn| line.turn == Some(turn))
            && self.confirmation.is_none_or(|card| line.confirmation == Some(card))
    }
}

/// A page of the audit, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditFound {
    pub entries: Vec<Entry>,
    /// Where to go on; none when there is nothing older. A page may be short, or empty,
    /// and go on all the same: so many lines were looked through for it.
    pub next: Option<u64>,
}

/// From where to where the audit goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditReach {
    /// The last line that was let go.
    pub anchor: Option<(u64, Seal)>,
    /// The number of the last line; 0 when there never was one.
    pub last: u64,
}

/// How many are passed over for one that is read.
pub(crate) fn one_in(total: u64, most: u32) -> u64 {
    total.div_ceil(u64::from(most.max(1))).max(1)
}

/// Collects a page from lines that come newest first.
pub(crate) struct Gathering {
    wanted: AuditWanted,
    found: AuditFound,
    looked_at: u32,
}

impl Gathering {
    pub fn new(wanted: AuditWanted) -> Self {
        Self { wanted, found: AuditFound::default(), looked_at: 0 }
    }

    /// Whether the next older line is to be shown to it, too.
    pub fn take(&mut self, entry: Entry) -> bool {
        self.looked_at += 1;
        let number = entry.number;
        if self.wanted.fitting.fits(&entry.line) {
            self.found.entries.push(entry);
        }
        let is_full = self.found.entries.len() >= self.wanted.limit as usize;
        if is_full || self.looked_at >= LINES_LOOKED_AT {
            self.found.next = Some(number);
            return false;
        }
        true
    }

    /// `first` is the number of the oldest line there is: behind it there is no page.
    pub fn done(mut self, first: u64) -> AuditFound {
        self.found.next = self.found.next.filter(|next| *next > first);
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_is_read_whole_and_much_is_read_in_steps() {
        assert_eq!([0, 1, 100].map(|total| one_in(total, 100)), [1, 1, 1]);
        assert_eq!([101, 200, 201, 1_000_000].map(|total| one_in(total, 100)), [2, 2, 3, 10_000]);
    }
}
