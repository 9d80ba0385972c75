//! How long tools take, from how long they took lately.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use brain::plan::Step;

/// Longer than people like to wait in silence.
const LONG: Duration = Duration::from_secs(4);

/// What was learnt of each tool; a tool nobody has used yet counts as quick.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    usual: Mutex<HashMap<String, Duration>>,
}

impl Pace {
    /// A newer use counts for a quarter, so one slow answer is not a habit.
    pub fn learn(&self, tool: &str, took: Duration) {
        let mut usual = self.usual.lock().unwrap_or_else(PoisonError::into_inner);
        match usual.get_mut(tool) {
            Some(known) => *known = (*known * 3 + took) / 4,
            None => {
                usual.insert(tool.to_owned(), took);
            }
        }
    }

    /// Do steps like these take long, those side by side that need nothing
    /// from one another?
    pub fn is_long(&self, steps: &[Step]) -> bool {
        let usual = self.usual.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ends: Vec<Duration> = Vec::with_capacity(steps.len());
        for step in steps {
            let starts = step.depends_on().into_iter().filter_map(|from| ends.get(from - 1)).max();
            let takes = usual.get(&step.tool).copied().unwrap_or_default();
            ends.push(starts.copied().unwrap_or_default() + takes);
        }
        ends.into_iter().max().is_some_and(|end| end > LONG)
    }
}

#[cfg(test)]
mod tests {
    use brain::ActionLevel;
    use brain::plan::from_step;
    use serde_json::json;

    use super::*;

    fn step(index: usize, tool: &str, needs: Option<usize>) -> Step {
        Step {
            step_index: index,
            tool: tool.to_owned(),
            args: needs.map_or(json!({}), |from| json!({ "id": from_step(from, "/id") })),
            action_level: ActionLevel::Read,
            requires_confirmation: false,
        }
    }

    #[test]
    fn steps_that_wait_for_one_another_take_longer_than_those_side_by_side() {
        let pace = Pace::default();
        pace.learn("digest", Duration::from_secs(3));
        assert!(!pace.is_long(&[step(1, "digest", None), step(2, "digest", None)]));
        assert!(pace.is_long(&[step(1, "digest", None), step(2, "digest", Some(1))]));
    }

    #[test]
    fn one_slow_answer_is_not_a_habit() {
        let pace = Pace::default();
        pace.learn("search", Duration::from_millis(10));
        pace.learn("search", Duration::from_secs(10));
        assert!(!pace.is_long(&[step(1, "search", None)]));
        pace.learn("search", Duration::from_secs(10));
        assert!(pace.is_long(&[step(1, "search", None)]));
    }

    #[test]
    fn what_nobody_has_used_yet_counts_as_quick() {
        assert!(!Pace::default().is_long(&[step(1, "new", None)]));
    }
}
