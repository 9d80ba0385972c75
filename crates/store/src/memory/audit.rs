//! The record of what was done in whose name, and what may not be done.

use async_trait::async_trait;
use brain::Seal;
use brain::audit::{Entry, Line, origin};
use jiff::Timestamp;

use super::{Kept, MemoryStore};
use crate::{Audit, StoreError, SwitchRow, Switches};

impl Kept {
    pub(super) fn end_of_audit(&self) -> (u64, Seal) {
        let last = self.audit.last().map(|entry| (entry.number, entry.hash));
        last.or(self.anchor).unwrap_or((0, origin()))
    }

    /// Continues the chain with `lines`.
    pub(super) fn add(&mut self, lines: Vec<Line>) {
        for line in lines {
            let (number, before) = self.end_of_audit();
            self.audit.push(Entry::new(before, number + 1, line));
        }
    }
}

#[async_trait]
impl Audit for MemoryStore {
    async fn note(&self, line: Line) -> Result<(), StoreError> {
        self.kept().add(vec![line]);
        Ok(())
    }

    async fn audit(&self, after: u64, limit: u32) -> Result<Vec<Entry>, StoreError> {
        let kept = self.kept();
        let later = kept.audit.iter().filter(|entry| entry.number > after);
        Ok(later.take(limit as usize).cloned().collect())
    }
}

#[async_trait]
impl Switches for MemoryStore {
    async fn switches(&self) -> Result<Vec<SwitchRow>, StoreError> {
        let kept = self.kept();
        let off = kept.switches.iter();
        Ok(off.map(|(tool, since)| SwitchRow { tool: tool.clone(), since: *since }).collect())
    }

    async fn switch(
        &self,
        tool: Option<String>,
        off_since: Option<Timestamp>,
        line: Line,
    ) -> Result<(), StoreError> {
        let mut kept = self.kept();
        match off_since {
            Some(since) => {
                kept.switches.entry(tool).or_insert(since);
            }
            None => {
                kept.switches.remove(&tool);
            }
        }
        kept.add(vec![line]);
        Ok(())
    }
}
