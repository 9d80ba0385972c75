//! How well paraphrases are recognised, in figures, with the model and without.
//!
//! The first 248 sentences were written down before any threshold was chosen.
//! Thresholds were chosen by one half. The other half was looked at while the
//! examples grew, so its figures flatter; those of the fresh sentences, which
//! were written last and run once, do not. Nothing is to be tuned to them.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use super::{By, Reading};
use crate::{Understanding, World, reflex};

/// A sentence, and a plain one that means the same.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub text: String,
    /// What kind of request it is.
    pub kind: String,
    /// None where nothing is to be looked up.
    pub means: Option<String>,
}

/// The half that thresholds were chosen by.
pub fn tuning() -> Vec<Case> {
    cases(include_str!("../../corpus/paraphrases-tuning.jsonl"))
}

/// The half that no threshold was chosen by.
pub fn held_out() -> Vec<Case> {
    cases(include_str!("../../corpus/paraphrases-held-out.jsonl"))
}

/// Written when everything was settled.
pub fn fresh() -> Vec<Case> {
    cases(include_str!("../../corpus/paraphrases-fresh.jsonl"))
}

fn cases(file: &str) -> Vec<Case> {
    let read = |line: &str| {
        serde_json::from_str(line).expect("the sentences ship with the crate and a test reads them")
    };
    file.lines().map(read).collect()
}

/// What became of the sentences of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub all: usize,
    /// Read as what they mean, by the rules alone.
    pub by_rules: usize,
    /// Read as what they mean, with the model.
    pub right: usize,
    /// The rules doubted, and the model was asked.
    pub asked: usize,
    /// Taken by the model for what they mean, and for something else.
    pub taken_right: usize,
    pub taken_wrong: usize,
}

/// How a set of sentences was read.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub all: Tally,
    pub by_kind: BTreeMap<String, Tally>,
    /// Sentences that the model took for something else, and for what.
    pub wrong: Vec<(String, &'static str)>,
    /// Writes that were proposed: there must be none.
    pub writes: usize,
}

/// Lets `read` read every sentence.
pub fn run(cases: &[Case], world: &World, read: impl Fn(&str, &World) -> Reading) -> Report {
    let mut report = Report::default();
    for case in cases {
        let by_rules = case.is_met_by(&reflex::read(&case.text, world), world);
        let reading = read(&case.text, world);
        let right = case.is_met_by(&reading.understanding, world);
        let taken = reading.by == By::Paraphrase;
        for tally in [&mut report.all, report.by_kind.entry(case.kind.clone()).or_default()] {
            tally.all += 1;
            tally.by_rules += usize::from(by_rules);
            tally.right += usize::from(right);
            tally.asked += usize::from(reading.nearest.is_some());
            tally.taken_right += usize::from(taken && right);
            tally.taken_wrong += usize::from(taken && !right);
        }
        if let (true, false, Some(nearest)) = (taken, right, reading.nearest) {
            report.wrong.push((case.text.clone(), nearest.intent()));
        }
        report.writes += usize::from(taken && reading.understanding.gist.writes());
    }
    report
}

impl Case {
    /// Whoever wants nothing looked up may be asked what they want, if it is a
    /// request at all; with everything else nothing happens.
    fn is_met_by(&self, got: &Understanding, world: &World) -> bool {
        match &self.means {
            Some(means) => {
                let meant = reflex::read(means, world);
                meant.proposal == got.proposal && meant.gist == got.gist
            }
            None if self.kind == "elsewhere" => {
                got.proposal.steps.is_empty() && got.question.is_none()
            }
            None => got.proposal.steps.is_empty(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["all", "rules", "with model", "asked", "taken right", "taken wrong"];
        let [all, rules, with, asked, right, wrong] = head;
        writeln!(f, "{:16}{all:>6}{rules:>8}{with:>12}{asked:>8}{right:>13}{wrong:>13}", "")?;
        let rows = self.by_kind.iter().map(|(kind, tally)| (kind.as_str(), tally));
        for (kind, tally) in rows.chain([("together", &self.all)]) {
            let Tally { all, by_rules, right, asked, taken_right, taken_wrong } = tally;
            write!(f, "{kind:16}{all:>6}{by_rules:>8}{right:>12}{asked:>8}")?;
            writeln!(f, "{taken_right:>13}{taken_wrong:>13}")?;
        }
        for (sentence, taken_for) in &self.wrong {
            writeln!(f, "{sentence:?} was taken for {taken_for}")?;
        }
        Ok(())
    }
}
