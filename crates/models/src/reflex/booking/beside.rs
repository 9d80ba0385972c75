//! "After the stand-up on Wednesday": a time that only the calendar knows.

use brain::plan::ProposedStep;
use brain::resolve::time::{Grain, Reading};
use jiff::ToSpan;
use serde_json::{Value, json};

use super::Draft;
use crate::gist::{AboutAgenda, Chat, Gist, Want};
use crate::reflex::vocabulary::is_any;
use crate::reflex::{Lookup, Meaning, when};

/// How far one looks for something by its name.
const FAR_DAYS: i64 = 60;

impl Draft<'_> {
    /// What has to be looked up to know when that is. Nothing, where it was
    /// looked up already: then `same` has put the time in its place, or there is
    /// no such thing on that day.
    pub(super) fn look_beside(&self, readings: &[Reading]) -> Option<Meaning> {
        self.look_at_the_same(readings).or_else(|| self.look_after(readings))
    }

    /// "At the same time as the design review"
    fn look_at_the_same(&self, readings: &[Reading]) -> Option<Meaning> {
        let at = (1..self.words.len()).find(|&at| {
            let says = ["same", "time", "as"];
            says.iter().enumerate().all(|(ahead, text)| self.text(at + ahead) == *text)
        })?;
        let start = at + 3 + usize::from(is_any(self.text(at + 3), &["the", "my"]));
        let words: Vec<&str> = (start..self.words.len())
            .take_while(|at| !self.times.contains(at))
            .take_while(|&at| !is_any(self.text(at), &["on", "with", "and"]))
            .map(|at| self.text(at))
            .collect();
        if words.is_empty() || words.len() > 4 {
            return None;
        }
        let query = words.join(" ");
        let now = self.world.local_now();
        let day = readings.first().filter(|reading| reading.grain == Grain::Day);
        let today = now.start_of_day().unwrap_or_else(|_| now.clone());
        let range = match day {
            Some(day) => when::as_range(&day.range.start, &day.range.end),
            None => when::as_range(&today, &today.saturating_add(FAR_DAYS.days())),
        };
        let args = json!({ "date_range": range, "query": query, "max_results": 1 });
        if self.world.focus.list.as_ref().is_some_and(|list| list.step.args == args) {
            return Some(Meaning::Chat(Chat::NotSo));
        }
        let about = AboutAgenda {
            when: day.map(|day| day.said.clone()),
            topic: Some(format!("the {query}")),
            want: Want::Moment,
            ..AboutAgenda::default()
        };
        Some(looked_for(args, about))
    }

    fn look_after(&self, readings: &[Reading]) -> Option<Meaning> {
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
        Some(looked_for(args, about))
    }
}

fn looked_for(args: Value, about: AboutAgenda) -> Meaning {
    let lookup = Lookup {
        steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
        gist: Gist::Agenda(about),
        acknowledgement: "Checking your calendar.".to_owned(),
    };
    Meaning::Later { lookups: vec![lookup], missing: "start" }
}
