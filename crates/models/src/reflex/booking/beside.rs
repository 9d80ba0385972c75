//! "After the stand-up on Wednesday": a time that only the calendar knows.

use brain::plan::ProposedStep;
use brain::resolve::time::{Grain, Reading};
use serde_json::json;

use super::Draft;
use crate::gist::{AboutAgenda, Gist, Want};
use crate::reflex::vocabulary::is_any;
use crate::reflex::{Lookup, Meaning, when};

impl Draft<'_> {
    /// What has to be looked up to know when that is. Nothing, where it was
    /// looked up already: then `same` has put the time in its place, or there is
    /// no such thing on that day.
    pub(super) fn look_beside(&self, readings: &[Reading]) -> Option<Meaning> {
        let day = readings.first().filter(|reading| reading.grain == Grain::Day)?;
        let at = (1..self.words.len()).find(|&at| {
            self.is_free(at)
                && self.text(at) == "after"
                && is_any(self.text(at + 1), &["the", "my"])
        })?;
        let words: Vec<&str> = (at + 2..self.words.len())
            .take_while(|&at| self.is_free(at))
            .map(|at| self.text(at))
            .collect();
        if words.is_empty() || words.len() > 4 {
            return None;
        }
        let query = words.join(" ");
        let args = json!({
            "date_range": when::as_range(&day.range.start, &day.range.end),
            "query": query,
        });
        let asked = self.world.focus.list.as_ref();
        if asked.is_some_and(|list| list.step.args == args) {
            return None;
        }
        let about = AboutAgenda {
            when: Some(day.said.clone()),
            topic: Some(format!("the {query}")),
            want: Want::Moment,
            ..AboutAgenda::default()
        };
        let lookup = Lookup {
            steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
            gist: Gist::Agenda(about),
            acknowledgement: "Checking your calendar.".to_owned(),
        };
        Some(Meaning::Later { lookups: vec![lookup], missing: "start" })
    }
}
