//! How a while went, from what is on record of it. Decides nothing and reads nothing.

use std::collections::BTreeMap;

use brain::confirmation::{Channel, ConfirmationState};
use brain::{ActionLevel, InputMode, Outcome, SessionId, TurnId, TurnState};
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rows::ToolRunState;
use store::{CardGlance, Glance, ToolUse, TurnRow};

use super::spread::{Spread, percentile};

/// So many of the slowest turns are named.
const SLOWEST: usize = 20;

/// How far back one looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum Window {
    #[serde(rename = "15m")]
    Quarter,
    #[default]
    #[serde(rename = "1h")]
    Hour,
    #[serde(rename = "24h")]
    Day,
    #[serde(rename = "7d")]
    Week,
}

impl Window {
    pub fn length(self) -> SignedDuration {
        match self {
            Self::Quarter => SignedDuration::from_mins(15),
            Self::Hour => SignedDuration::from_hours(1),
            Self::Day => SignedDuration::from_hours(24),
            Self::Week => SignedDuration::from_hours(7 * 24),
        }
    }

    /// How long one point on a plot lasts; between 60 and 96 of them make a window.
    fn step(self) -> SignedDuration {
        match self {
            Self::Quarter => SignedDuration::from_secs(15),
            Self::Hour => SignedDuration::from_mins(1),
            Self::Day => SignedDuration::from_mins(15),
            Self::Week => SignedDuration::from_hours(2),
        }
    }
}

/// Figures of a while. What was never measured is absent, not zero.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Summary")]
pub struct Summary {
    pub window: Window,
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub since: Timestamp,
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub until: Timestamp,
    /// The figures are made from every so-many-th turn; 1 is all of them.
    pub one_in: u64,
    /// How many turns began.
    pub began: u64,
    pub turns: Turns,
    pub latency: Latency,
    /// How long a point lasts.
    pub step_s: u64,
    /// Oldest first, without a gap.
    pub over_time: Vec<Point>,
    /// Absent while everything was answered by the first choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Absent while nobody has spoken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// Asked twice under one name, and done once.
    pub dedupe_hits: u64,
    pub tools: Vec<ToolFigures>,
    /// Absent while nobody was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmations: Option<Confirmations>,
    /// By how long one waited for the answer to begin.
    pub slowest: Vec<Slow>,
}

/// How many of them ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "TurnCounts")]
pub struct Turns {
    pub success: u64,
    pub partial: u64,
    pub failed: u64,
    pub unknown: u64,
    /// Somebody interrupted them.
    pub cancelled: u64,
    /// Not over yet.
    pub open: u64,
}

/// How long things took, by stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Latency {
    /// From the end of the input to the first event anybody could see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_event: Option<Spread>,
    /// To the first word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_token: Option<Spread>,
    /// To the first sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_audio: Option<Spread>,
    /// Understanding what is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought: Option<Spread>,
    /// Tools of one turn, together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Spread>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Point {
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub at: Timestamp,
    pub turns: u64,
    #[serde(flatten)]
    pub latency: Latency,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fallback {
    pub turns: u64,
    /// Of a thousand turns.
    pub permille: u64,
    pub by_reason: BTreeMap<String, u64>,
}

/// How far words on the screen were from the final ones, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Drift {
    pub turns: u64,
    pub p50_permille: u64,
    pub p95_permille: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolFigures {
    pub tool_name: String,
    pub action_level: ActionLevel,
    pub calls: u64,
    pub failed: u64,
    /// Begun, and nobody can tell what became of them.
    pub unknown: u64,
    /// Of a thousand that are over; absent while none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_permille: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took: Option<Spread>,
    /// Only of what writes is it known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<u64>,
    pub dedupe_hits: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ConfirmationFigures")]
pub struct Confirmations {
    pub requested: u64,
    pub accepted: u64,
    pub rejected: u64,
    pub expired: u64,
    pub waiting: u64,
    /// Changed before they were decided, each time counted.
    pub edited: u64,
    /// Those that somebody decided, by how the answer came.
    pub by_channel: BTreeMap<String, u64>,
    /// How long people took to decide. Absent while nobody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Spread>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SlowTurn")]
pub struct Slow {
    pub turn_id: TurnId,
    pub session_id: SessionId,
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub started_at: Timestamp,
    pub input_mode: InputMode,
    /// `success`, `cancelled`, `open` and the like.
    pub outcome: &'static str,
    /// To its first sound where it was spoken, else to its first word.
    pub answered_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
}

impl Summary {
    /// `input` keeps those turns that were spoken, or those that were typed.
    pub fn of(glance: &Glance, window: Window, now: Timestamp, input: Option<InputMode>) -> Self {
        let is_wanted = |row: &&TurnRow| input.is_none_or(|input| row.input_mode == input);
        let rows: Vec<_> = glance.turns.rows.iter().filter(is_wanted).collect();
        let mut turns = Turns::default();
        for row in &rows {
            turns.count(row);
        }
        let is_whole = glance.turns.one_in == 1 || input.is_some();
        Self {
            window,
            since: now - window.length(),
            until: now,
            one_in: glance.turns.one_in,
            began: if is_whole { rows.len() as u64 } else { glance.turns.total },
            turns,
            latency: Latency::of(&rows),
            step_s: window.step().as_secs().unsigned_abs(),
            over_time: over_time(&rows, window, now),
            fallback: Fallback::of(&rows),
            drift: Drift::of(&rows),
            dedupe_hits: rows.iter().map(|row| u64::from(row.figures.dedupe_hits)).sum(),
            tools: tools(&glance.tools.rows),
            confirmations: Confirmations::of(&glance.cards.rows),
            slowest: slowest(&rows),
        }
    }
}

impl Turns {
    fn count(&mut self, row: &TurnRow) {
        let counted = match (row.outcome, row.ended_at) {
            (Some(Outcome::Success), _) => &mut self.success,
            (Some(Outcome::Partial), _) => &mut self.partial,
            (Some(Outcome::Failed), _) => &mut self.failed,
            (Some(Outcome::Unknown), _) => &mut self.unknown,
            (None, Some(_)) => &mut self.cancelled,
            (None, None) => &mut self.open,
        };
        *counted += 1;
    }
}

/// How a turn ended, in a word.
pub fn outcome_of(row: &TurnRow) -> &'static str {
    match (row.outcome, row.ended_at, row.state) {
        (Some(Outcome::Success), ..) => "success",
        (Some(Outcome::Partial), ..) => "partial",
        (Some(Outcome::Failed), ..) => "failed",
        (Some(Outcome::Unknown), ..) => "unknown",
        (None, Some(_), _) | (None, None, TurnState::Cancelled) => "cancelled",
        (None, None, _) => "open",
    }
}

impl Latency {
    fn of(rows: &[&TurnRow]) -> Self {
        let spread = |figure: fn(&TurnRow) -> Option<u64>| {
            Spread::of(rows.iter().filter_map(|row| figure(row)))
        };
        Self {
            first_event: spread(|row| row.first_event_us),
            first_token: spread(|row| row.first_token_us),
            first_audio: spread(|row| row.figures.first_audio_us),
            thought: spread(|row| row.figures.thought_us),
            tools: spread(|row| row.figures.tool_us),
        }
    }
}

/// Every step of the window has its point, also where nothing happened.
fn over_time(rows: &[&TurnRow], window: Window, now: Timestamp) -> Vec<Point> {
    let (since, step) = (now - window.length(), window.step());
    let mut steps: BTreeMap<i64, Vec<&TurnRow>> = BTreeMap::new();
    let number_of = |at: Timestamp| at.duration_since(since).as_secs().div_euclid(step.as_secs());
    for row in rows {
        steps.entry(number_of(row.started_at)).or_default().push(row);
    }
    let count = window.length().as_secs() / step.as_secs();
    (0..count)
        .zip(std::iter::successors(Some(since), |at| Some(*at + step)))
        .map(|(number, at)| {
            let rows = steps.get(&number).map(Vec::as_slice).unwrap_or_default();
            Point { at, turns: rows.len() as u64, latency: Latency::of(rows) }
        })
        .collect()
}

impl Fallback {
    fn of(rows: &[&TurnRow]) -> Option<Self> {
        let mut by_reason = BTreeMap::new();
        for why in rows.iter().filter_map(|row| row.figures.fallback.clone()) {
            *by_reason.entry(why).or_default() += 1;
        }
        let turns: u64 = by_reason.values().sum();
        (turns > 0).then(|| Self { turns, permille: turns * 1000 / rows.len() as u64, by_reason })
    }
}

impl Drift {
    fn of(rows: &[&TurnRow]) -> Option<Self> {
        let drifts = rows.iter().filter_map(|row| row.figures.drift_permille);
        let mut drifts: Vec<_> = drifts.map(u64::from).collect();
        drifts.sort_unstable();
        Some(Self {
            turns: drifts.len() as u64,
            p50_permille: percentile(&drifts, 50)?,
            p95_permille: percentile(&drifts, 95)?,
        })
    }
}

/// The ones that are used most come first.
fn tools(uses: &[ToolUse]) -> Vec<ToolFigures> {
    let mut by_name: BTreeMap<&str, Vec<&ToolUse>> = BTreeMap::new();
    for used in uses {
        by_name.entry(&used.tool).or_default().push(used);
    }
    let mut tools: Vec<_> = by_name.values().filter_map(|uses| ToolFigures::of(uses)).collect();
    tools.sort_by_key(|tool| std::cmp::Reverse(tool.calls));
    tools
}

impl ToolFigures {
    fn of(uses: &[&ToolUse]) -> Option<Self> {
        let first = uses.first()?;
        let ended = |state| uses.iter().filter(|used| used.state == state).count() as u64;
        let (done, failed) = (ended(ToolRunState::Done), ended(ToolRunState::Failed));
        let unknown = ended(ToolRunState::Unknown);
        let over = done + failed + unknown;
        let retries = uses.iter().filter_map(|used| used.retries);
        Some(Self {
            tool_name: first.tool.clone(),
            action_level: first.level,
            calls: uses.len() as u64,
            failed,
            unknown,
            failed_permille: (over > 0).then(|| failed * 1000 / over),
            took: Spread::of(uses.iter().filter_map(|used| used.took_us)),
            retries: retries.map(u64::from).reduce(|a, b| a + b),
            dedupe_hits: uses.iter().map(|used| u64::from(used.dedupe_hits)).sum(),
        })
    }
}

impl Confirmations {
    fn of(cards: &[CardGlance]) -> Option<Self> {
        if cards.is_empty() {
            return None;
        }
        let mut told = Self::default();
        let mut took = Vec::new();
        for card in cards {
            told.requested += u64::from(card.revision == 1);
            let (counted, is_decided) = match card.state {
                ConfirmationState::Pending => (&mut told.waiting, false),
                ConfirmationState::Accepted => (&mut told.accepted, true),
                ConfirmationState::Rejected => (&mut told.rejected, true),
                ConfirmationState::Expired => (&mut told.expired, false),
                ConfirmationState::Superseded => (&mut told.edited, false),
            };
            *counted += 1;
            if let Some(decided) = card.decided.filter(|_| is_decided) {
                let channel = channel_name(decided.channel).to_owned();
                *told.by_channel.entry(channel).or_default() += 1;
                let waited = decided.at.duration_since(card.asked_at).as_micros();
                took.extend(u64::try_from(waited));
            }
        }
        told.decision = Spread::of(took);
        Some(told)
    }
}

pub fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Click => "click",
        Channel::Key => "key",
        Channel::Voice => "voice",
        Channel::Text => "text",
        Channel::Api => "api",
    }
}

fn slowest(rows: &[&TurnRow]) -> Vec<Slow> {
    let slow = |row: &&TurnRow| {
        let took = row.ended_at.map(|end| end.duration_since(row.started_at).as_micros());
        Some(Slow {
            turn_id: row.turn,
            session_id: row.session,
            started_at: row.started_at,
            input_mode: row.input_mode,
            outcome: outcome_of(row),
            answered_us: row.figures.first_audio_us.or(row.first_token_us)?,
            thought_us: row.figures.thought_us,
            tool_us: row.figures.tool_us,
            took_us: took.and_then(|us| u64::try_from(us).ok()),
        })
    };
    let mut slowest: Vec<_> = rows.iter().filter_map(slow).collect();
    slowest.sort_by_key(|turn| std::cmp::Reverse(turn.answered_us));
    slowest.truncate(SLOWEST);
    slowest
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
