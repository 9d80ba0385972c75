//! Which models were asked, and what that cost.

use std::collections::BTreeMap;

use async_trait::async_trait;
use brain::{TurnId, UserId};
use jiff::Timestamp;

use super::MemoryStore;
use crate::{Costs, ModelCallRow, Spending, SpentRow, StoreError};

#[async_trait]
impl Costs for MemoryStore {
    async fn model_calls(&self, turn: TurnId) -> Result<Vec<ModelCallRow>, StoreError> {
        let kept = self.kept();
        Ok(kept
            .model_calls
            .range((turn, 0)..=(turn, u32::MAX))
            .map(|(_, call)| call.clone())
            .collect())
    }

    async fn spent(
        &self,
        user: Option<UserId>,
        since: Timestamp,
    ) -> Result<Vec<SpentRow>, StoreError> {
        let kept = self.kept();
        let mut sums: BTreeMap<UserId, SpentRow> = BTreeMap::new();
        let wanted = kept
            .model_calls
            .values()
            .filter(|call| call.asked_at >= since && user.is_none_or(|user| user == call.user));
        for call in wanted {
            let sum = sums.entry(call.user).or_insert(SpentRow {
                user: call.user,
                calls: 0,
                failed: 0,
                input_tokens: 0,
                cached_tokens: 0,
                output_tokens: 0,
                cost_micros: 0,
            });
            sum.calls += 1;
            sum.failed += u64::from(call.error_code.is_some());
            sum.input_tokens += call.input_tokens;
            sum.cached_tokens += call.cached_tokens;
            sum.output_tokens += call.output_tokens;
            sum.cost_micros += call.cost_micros;
        }
        let mut sums: Vec<_> = sums.into_values().collect();
        sums.sort_by_key(|sum| std::cmp::Reverse(sum.cost_micros));
        Ok(sums)
    }

    async fn spending(&self, user: UserId, since: Timestamp) -> Result<Spending, StoreError> {
        let kept = self.kept();
        let mut spending = Spending::default();
        for call in kept.model_calls.values().filter(|call| call.asked_at >= since) {
            spending.micros_in_all += call.cost_micros;
            if call.user == user {
                spending.micros_own += call.cost_micros;
                spending.tokens_own += call.input_tokens + call.output_tokens;
            }
        }
        Ok(spending)
    }
}
