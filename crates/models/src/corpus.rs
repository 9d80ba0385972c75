//! How well sentences are understood, in figures.
//!
//! The sentences were written down as people talk before the rules were tuned
//! to them. What is not reached yet stays: the figures are only worth something
//! while they can be bad.

use std::collections::BTreeMap;
use std::fmt;

use brain::Profile;
use brain::resolve::keywords::Keywords;
use brain::resolve::people::Contact;
use jiff::Zoned;
use serde::Deserialize;
use serde_json::Value;

use crate::gist::Gist;
use crate::{Done, Focus, Understanding, World};

/// A sentence and what it should lead to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub text: String,
    pub style: Style,
    pub tools: Vec<String>,
    pub args: Vec<Value>,
    pub question: Option<String>,
    /// What kind of talk it is, where no tool is needed.
    #[serde(default)]
    pub kind: Option<String>,
    /// What was on the screen before: `inbox`, `opened` or `agenda`.
    #[serde(default)]
    pub scene: Scene,
    /// What of it can only be read later.
    #[serde(default)]
    pub rest: Option<String>,
    /// Why it is in the corpus.
    #[serde(default)]
    pub note: Option<String>,
}

/// What has just been told when a sentence is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scene {
    #[default]
    Nothing,
    /// A list of mail.
    Inbox,
    /// One mail of it was read out.
    Opened,
    /// What is on tomorrow.
    Agenda,
}

/// With care and commas, or as a recogniser writes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    Typed,
    Spoken,
}

#[derive(Deserialize)]
struct Fixed {
    now: Zoned,
    profile: Profile,
    contacts: Vec<Contact>,
    inbox: Value,
    opened: Value,
    agenda: Value,
}

fn fixed() -> Fixed {
    serde_json::from_str(include_str!("../corpus/world.json"))
        .expect("the world ships with the crate and a test reads it")
}

/// The world every sentence of the corpus is said in.
pub fn world() -> World {
    let Fixed { now, profile, contacts, .. } = fixed();
    let keywords = Keywords::default();
    World { now, profile, contacts: contacts.into(), keywords, focus: Focus::default() }
}

/// That world with each of the things that can be on the screen.
pub fn scenes() -> Vec<World> {
    let scenes = [Scene::Nothing, Scene::Inbox, Scene::Opened, Scene::Agenda];
    scenes.into_iter().map(|scene| in_scene(&world(), scene)).collect()
}

/// The same with something to point at.
pub(crate) fn in_scene(world: &World, scene: Scene) -> World {
    let mut world = world.clone();
    let fixed = fixed();
    let brought = |tool: &str, result| Done { tool: tool.to_owned(), result: Ok(result) };
    let inbox = brought("gmail.search", fixed.inbox);
    match scene {
        Scene::Nothing => {}
        Scene::Inbox => world.focus.note(&[inbox]),
        Scene::Opened => {
            world.focus.note(&[inbox]);
            world.focus.note(&[brought("gmail.get_message", fixed.opened)]);
        }
        Scene::Agenda => world.focus.note(&[brought("calendar.list_events", fixed.agenda)]),
    }
    world
}

const SENTENCES: [&str; 18] = [
    include_str!("../corpus/reflex.jsonl"),
    include_str!("../corpus/calendar.jsonl"),
    include_str!("../corpus/mail.jsonl"),
    include_str!("../corpus/writes.jsonl"),
    include_str!("../corpus/changes.jsonl"),
    include_str!("../corpus/memory.jsonl"),
    include_str!("../corpus/wild.jsonl"),
    include_str!("../corpus/wild-fresh.jsonl"),
    include_str!("../corpus/wild-busy.jsonl"),
    include_str!("../corpus/stumbles.jsonl"),
    include_str!("../corpus/first-half-hour.jsonl"),
    include_str!("../corpus/whole-sentences.jsonl"),
    include_str!("../corpus/one-breath.jsonl"),
    include_str!("../corpus/besides.jsonl"),
    include_str!("../corpus/wild-third.jsonl"),
    include_str!("../corpus/wild-fourth.jsonl"),
    include_str!("../corpus/wild-fifth.jsonl"),
    include_str!("../corpus/ears.jsonl"),
];

/// The sentences that ship with the crate.
pub fn cases() -> Vec<Case> {
    SENTENCES
        .iter()
        .flat_map(|file| file.lines())
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            serde_json::from_str(line).expect("the corpus ships with the crate and a test reads it")
        })
        .collect()
}

/// Right out of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub right: usize,
    pub all: usize,
}

/// What was expected and what came instead.
#[derive(Clone, Debug)]
pub struct Miss {
    pub text: String,
    pub expected: String,
    pub got: String,
}

/// How a reader did on a set of sentences.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub overall: Score,
    pub by_tool: BTreeMap<String, Score>,
    pub by_style: BTreeMap<Style, Score>,
    /// How often one kind was taken for another.
    pub confusion: BTreeMap<(String, String), usize>,
    pub misses: Vec<Miss>,
    /// Sentences that would have shown a card for something nobody asked for.
    pub wrong_writes: usize,
}

/// Lets `read` read every sentence. Tools, arguments and question all have to
/// be right; where no tool is expected, so has the kind of talk.
pub fn run(cases: &[Case], world: &World, read: impl Fn(&str, &World) -> Understanding) -> Report {
    let mut report = Report::default();
    for case in cases {
        let mut world = in_scene(world, case.scene);
        world.focus.is_spoken = matches!(case.style, Style::Spoken);
        let got = read(&case.text, &world);
        let right = is_right(case, &got);
        let (expected_kind, got_kind) = (expected_kind(case), kind(&got));
        report.overall.count(right);
        report.wrong_writes += usize::from(writes_wrongly(case, &got));
        report.by_tool.entry(expected_kind.clone()).or_default().count(right);
        report.by_style.entry(case.style).or_default().count(right);
        *report.confusion.entry((expected_kind, got_kind)).or_default() += 1;
        if !right {
            report.misses.push(Miss {
                text: case.text.clone(),
                expected: expectation(case),
                got: outcome(&got),
            });
        }
    }
    report
}

pub(crate) fn is_right(case: &Case, got: &Understanding) -> bool {
    let steps = &got.proposal.steps;
    let tools_agree = steps.iter().map(|step| &step.tool).eq(&case.tools);
    let args_agree = steps.iter().map(|step| &step.args).eq(&case.args);
    let kind_agrees = case.kind.as_ref().is_none_or(|kind| *kind == self::kind(got));
    let rest_agrees = case.rest.is_none() || got.rest == case.rest;
    tools_agree && args_agree && kind_agrees && rest_agrees && got.question == case.question
}

const CALENDAR_WRITES: [&str; 3] =
    ["calendar.create_event", "calendar.cancel_event", "calendar.move_event"];

/// Would it show a card for a write that is not exactly one of those expected?
/// What a write takes from earlier steps counts as a part of it.
fn writes_wrongly(case: &Case, got: &Understanding) -> bool {
    let writes = |tool: &str| {
        matches!(tool, "gmail.send" | "memory.write") || CALENDAR_WRITES.contains(&tool)
    };
    let steps: Vec<_> = got.proposal.steps.iter().map(|step| (&step.tool, &step.args)).collect();
    let expected: Vec<_> = case.tools.iter().zip(&case.args).collect();
    steps.iter().filter(|(tool, _)| writes(tool)).any(|(tool, args)| {
        let card = whole(args, &steps);
        !expected.iter().any(|(other, args)| other == tool && whole(args, &expected) == card)
    })
}

/// The arguments with those of the steps they take from in their place.
fn whole(args: &Value, steps: &[(&String, &Value)]) -> Value {
    let step = args.get("$step").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    match args {
        Value::Object(fields) => {
            let taken = step.and_then(|n| steps.get(n.checked_sub(1)?));
            let taken = taken.map(|(tool, args)| ((*tool).clone(), whole(args, steps)));
            let own = fields.iter().filter(|(name, _)| *name != "$step" || taken.is_none());
            let own = own.map(|(name, value)| (name.clone(), whole(value, steps)));
            own.chain(taken.clone()).collect()
        }
        Value::Array(all) => all.iter().map(|one| whole(one, steps)).collect(),
        _ => args.clone(),
    }
}

/// What kind of thing a sentence was taken for: its tools, or its kind of talk.
pub fn kind(understanding: &Understanding) -> String {
    if understanding.question.is_some() {
        return "question".to_owned();
    }
    match &understanding.gist {
        Gist::Chat(chat) => chat.name().to_owned(),
        Gist::Several(parts) if understanding.proposal.steps.is_empty() => {
            let mut names: Vec<&str> = Vec::new();
            for part in parts {
                let Gist::Chat(chat) = part else { continue };
                if !names.contains(&chat.name()) {
                    names.push(chat.name());
                }
            }
            names.join(" + ")
        }
        gist => gist.tools().join(" + "),
    }
}

fn expected_kind(case: &Case) -> String {
    case.kind.clone().unwrap_or_else(|| case.tools.join(" + "))
}

fn expectation(case: &Case) -> String {
    let args = serde_json::to_string(&case.args).unwrap_or_default();
    format!("{} {args} {}", expected_kind(case), case.question.as_deref().unwrap_or(""))
}

fn outcome(got: &Understanding) -> String {
    let args: Vec<_> = got.proposal.steps.iter().map(|step| &step.args).collect();
    let args = serde_json::to_string(&args).unwrap_or_default();
    format!("{} {args} {}", kind(got), got.question.as_deref().unwrap_or(""))
}

impl Score {
    fn count(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }

    pub fn percent(self) -> f64 {
        let as_float = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        if self.all == 0 { 100.0 } else { 100.0 * as_float(self.right) / as_float(self.all) }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>3} of {:>3}  {:5.1} %", self.right, self.all, self.percent())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:44} {}", "overall", self.overall)?;
        writeln!(f, "{:44} {:>3}", "writes nobody asked for", self.wrong_writes)?;
        for (style, score) in &self.by_style {
            let style = match style {
                Style::Typed => "typed",
                Style::Spoken => "spoken",
            };
            writeln!(f, "{style:44} {score}")?;
        }
        writeln!(f)?;
        for (tool, score) in &self.by_tool {
            writeln!(f, "{tool:44} {score}")?;
        }
        let mut confused = self.confusion.iter().filter(|((is, got), _)| is != got).peekable();
        if confused.peek().is_some() {
            writeln!(f, "\n{:44} taken for", "expected")?;
        }
        for ((expected, got), times) in confused {
            writeln!(f, "{expected:44} {got} ({times})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reflex;

    #[test]
    fn the_rules_reach_their_figure() {
        let report = run(&cases(), &world(), reflex::read);
        println!("{report}");
        for miss in &report.misses {
            println!("{:?}\n  expected {}\n  got      {}", miss.text, miss.expected, miss.got);
        }
        assert!(report.overall.all >= 1400);
        assert!(report.overall.percent() >= 98.0, "{report}");
        assert_eq!(report.wrong_writes, 0, "{report}");
    }
}
