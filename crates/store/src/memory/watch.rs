//! What operators ask.

use async_trait::async_trait;
use brain::Job;
use brain::job::JobState;
use jiff::Timestamp;

use super::{Kept, MemoryStore};
use crate::watch::{Gathering, one_in};
use crate::{
    AuditFound, AuditReach, AuditWanted, CardGlance, Glance, Sample, StoreError, ToolUse, TurnRow,
    Watch,
};

#[async_trait]
impl Watch for MemoryStore {
    async fn glance(
        &self,
        since: Timestamp,
        now: Timestamp,
        most: u32,
        tool: Option<String>,
    ) -> Result<Glance, StoreError> {
        let kept = self.kept();
        let within = |at: Timestamp| at >= since && at <= now;
        let is_wanted = |name: &str| tool.as_deref().is_none_or(|tool| tool == name);
        let had_it = |row: &&TurnRow| {
            let mut runs = kept.tool_runs.values();
            let mut asked = kept.confirmations.values();
            tool.is_none()
                || runs.any(|run| run.turn == row.turn && is_wanted(&run.tool))
                || asked.any(|card| card.turn == row.turn && is_wanted(&card.tool))
        };
        let turns =
            kept.turns.values().filter(had_it).map(|row| TurnRow { work: None, ..row.clone() });
        let turns = turns.map(|row| (row.started_at, row)).filter(|(at, _)| within(*at));
        let tools = kept.tool_uses().filter(|(at, used)| within(*at) && is_wanted(&used.tool));
        let cards = kept.confirmations.values().filter(|row| is_wanted(&row.tool)).map(|row| {
            let glance = CardGlance {
                revision: row.revision,
                tool: row.tool.clone(),
                state: row.state,
                asked_at: row.asked_at,
                decided: row.decided,
            };
            (row.asked_at, glance)
        });
        let jobs = |wanted: fn(&Job, Timestamp) -> bool| {
            kept.jobs.values().filter(|job| wanted(job, now)).count() as u64
        };
        Ok(Glance {
            turns: sample(turns.collect(), most),
            tools: sample(tools.collect(), most),
            cards: sample(cards.filter(|(at, _)| within(*at)).collect(), most),
            jobs_waiting: jobs(|job, now| job.state == JobState::Queued && job.wake_at <= now),
            jobs_running: jobs(|job, _| job.state == JobState::Running),
        })
    }

    async fn audit_back(&self, wanted: AuditWanted) -> Result<AuditFound, StoreError> {
        let kept = self.kept();
        let before = wanted.before.unwrap_or(u64::MAX);
        let older = kept.audit.iter().rev().filter(|entry| entry.number < before);
        let mut gathering = Gathering::new(wanted);
        for entry in older {
            if !gathering.take(entry.clone()) {
                break;
            }
        }
        Ok(gathering.done(kept.audit.first().map_or(0, |entry| entry.number)))
    }

    async fn audit_reach(&self) -> Result<AuditReach, StoreError> {
        let kept = self.kept();
        Ok(AuditReach { anchor: kept.anchor, last: kept.end_of_audit().0 })
    }
}

impl Kept {
    fn tool_uses(&self) -> impl Iterator<Item = (Timestamp, ToolUse)> {
        self.tool_runs.values().map(|run| {
            let writes = self.actions.values();
            let write = writes.filter(|it| it.turn == run.turn && it.call == run.call);
            let attempts = write.map(|write| write.attempt).max();
            let turn = self.turns.get(&run.turn);
            let glance = ToolUse {
                tool: run.tool.clone(),
                level: run.level,
                state: run.state,
                took_us: run.took_us,
                retries: attempts.map(|attempts| attempts.saturating_sub(1)),
                dedupe_hits: turn.map_or(0, |turn| turn.figures.dedupe_hits),
            };
            (run.started_at, glance)
        })
    }
}

fn sample<T>(mut all: Vec<(Timestamp, T)>, most: u32) -> Sample<T> {
    all.sort_by_key(|(at, _)| *at);
    let total = all.len() as u64;
    let one_in = one_in(total, most);
    let step = i64::try_from(one_in).unwrap_or(i64::MAX);
    let read = all.into_iter().filter(|(at, _)| at.as_millisecond() % step == 0);
    Sample { total, one_in, rows: read.map(|(_, row)| row).take(most as usize * 2).collect() }
}
