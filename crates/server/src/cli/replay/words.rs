//! A story in words, turn by turn.

use brain::card::Recipient;
use brain::event::{PlanUpdate, Question};
use brain::plan::Step;
use brain::policy::{Care, Ruling, Source, Switch, rule};
use brain::{ActionLevel, Envelope, Event, TurnId};
use jiff::tz::TimeZone;
use serde_json::Value;

use super::story::Story;
use crate::brief::{by, spelled};
use crate::cli::look::{self, tell_line};
use crate::cli::paper::harmless;

/// Longer arguments are cut; `--json` has all of them.
const LONGEST: usize = 300;

pub fn tell(story: &Story) {
    let mut turns: Vec<TurnId> = Vec::new();
    for turn in story.events.iter().filter_map(|event| event.turn_id) {
        if !turns.contains(&turn) {
            turns.push(turn);
        }
    }
    let (name, plain) = (look::NAME, look::PLAIN);
    let mut session = None;
    for (number, turn) in (1..).zip(turns) {
        let events: Vec<_> =
            story.events.iter().filter(|event| event.turn_id == Some(turn)).collect();
        let Some(first) = events.first() else { continue };
        if session.replace(first.session_id) != Some(first.session_id) {
            tell_line!("{name}{}{plain}", first.session_id);
        }
        Telling { story, turn }.whole(number, &events);
    }
}

/// One turn being told.
struct Telling<'a> {
    story: &'a Story,
    turn: TurnId,
}

impl Telling<'_> {
    fn whole(&self, number: usize, events: &[&Envelope]) {
        let (name, quiet, plain) = (look::NAME, look::QUIET, look::PLAIN);
        let at = events[0].ts.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S");
        tell_line!("\n{name}turn {number}{plain}  {at}  {quiet}{}{plain}", self.turn);
        let has_plan = events.iter().any(|it| matches!(it.event, Event::Planned(_)));
        let row = self.story.turns.iter().find(|row| row.turn == self.turn);
        // With a plan, that says how and why.
        if let Some(mode) = row.and_then(|row| row.mode).filter(|_| !has_plan) {
            say("decided", &because(mode.execution.name(), mode.reason.name()));
        }
        let mut known: &[Step] = &[];
        for envelope in events {
            match &envelope.event {
                // The same steps again: only how far they are is news.
                Event::Planned(update) if !known.is_empty() && known == update.plan.steps => {
                    say("plan", &how_far(update));
                }
                Event::Planned(update) => {
                    plan(update);
                    known = &update.plan.steps;
                }
                event => self.event(event),
            }
        }
        self.refusals();
        self.figures();
    }

    fn event(&self, event: &Event) {
        let (good, doubt, plain) = (look::GOOD, look::DOUBT, look::PLAIN);
        match event {
            Event::TurnStarted { follows: Some(earlier), .. } => {
                say("begun", &format!("by itself, to tell how {earlier} ended"));
            }
            Event::Heard { text, .. } => say("you", &quoted(text)),
            Event::Said { text } => say("sayso", &quoted(text)),
            Event::ToolRequested { tool_name, arguments, action_level, .. }
                if *action_level != ActionLevel::Write =>
            {
                say("looks up", &format!("{tool_name} {}", compact(arguments)));
            }
            Event::ToolReturned { call_id, ok, error, state, .. } => {
                let tool = self.story.tool_runs.iter().find(|run| run.call == *call_id);
                let took =
                    tool.and_then(|run| run.took_us).map(|us| format!(" in {} ms", us / 1000));
                let tool = tool.map_or("a tool", |run| run.tool.as_str());
                let how = match (state, error) {
                    (Some(state), _) => state.name().to_owned(),
                    (None, Some(error)) => format!("failed: {}", error.code),
                    (None, None) if *ok => "came back".to_owned(),
                    (None, None) => "failed".to_owned(),
                };
                let what = if state.is_some() { "write" } else { "found" };
                say(what, &format!("{tool} {how}{}", took.unwrap_or_default()));
            }
            Event::AskedToConfirm(card) => self.card(card, "asks"),
            Event::QuestionChanged(card) => self.card(card, "asks anew"),
            Event::Answered { revision, decision, channel, edited_fields, .. } => {
                let edited = if edited_fields.is_empty() {
                    String::new()
                } else {
                    format!(", changing {}", edited_fields.join(", "))
                };
                let (decision, channel) = (spelled(decision), spelled(channel));
                say(
                    "answer",
                    &format!(
                        "{good}{decision}{plain} to revision {revision}, by {channel}{edited}"
                    ),
                );
            }
            Event::WentUnanswered { revision, .. } => {
                say("answer", &format!("{doubt}none{plain} to revision {revision} in time"));
            }
            Event::TurnEnded { outcome, error_code, tier, model, .. } => {
                let code = error_code.as_deref().map(|code| format!(" ({code})"));
                let by = by(*tier, model.as_deref());
                say("ended", &format!("{}{}{by}", spelled(outcome), code.unwrap_or_default()));
            }
            Event::TurnCancelled { .. } => say("ended", "stopped by the person"),
            Event::Failed { code, .. } => say("error", code),
            _ => {}
        }
    }

    /// A card, how it was ruled, and the write behind it.
    fn card(&self, card: &Question, how: &str) {
        let id = card.confirmation_request_id;
        say(how, &format!("{}  {} revision {}", card.card.title, card.tool_name, card.revision));
        for recipient in card.card.preview.recipients() {
            say("", &format!("to {} ({})", whom(recipient), origin(recipient.source)));
        }
        let sources: Vec<_> = card.card.preview.recipients().map(|it| it.source).collect();
        say("", &format!("ruled: {}", ruled(rule(card.action_level, Switch::On, &sources))));
        for warning in &card.card.warnings {
            say("", &format!("warned: {}", harmless(&warning.text)));
        }
        let known = self.story.confirmations.iter();
        let mut known = known.filter(|it| it.id == id && it.revision == card.revision);
        if let Some(known) = known.next() {
            say("", &format!("sealed {}, now {}", known.seal, spelled(&known.state)));
        }
    }

    /// What was not even shown, and answers that did not count.
    fn refusals(&self) {
        let about = self.story.audit.iter().filter(|noted| noted.line.turn == Some(self.turn));
        for noted in about {
            let line = &noted.line;
            let tool = line.tool.as_deref().unwrap_or("-");
            let why = line.why.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
            say("audit", &format!("#{} {} {tool}{why}", noted.number, line.what));
        }
    }

    fn figures(&self) {
        for action in self.story.actions.iter().filter(|action| action.turn == self.turn) {
            let (tool, state) = (&action.tool, action.state.name());
            let (tries, asked) = (action.attempt, action.probes);
            say(
                "write",
                &format!("{tool} is {state}; tried {tries} times, asked about {asked} times"),
            );
        }
        let Some(row) = self.story.turns.iter().find(|row| row.turn == self.turn) else { return };
        let ms = |name: &str, us: Option<u64>| us.map(|us| format!("{name} {} ms", us / 1000));
        let figures = [
            ms("first event", row.first_event_us),
            ms("first word", row.first_token_us),
            ms("first sound", row.figures.first_audio_us),
            ms("understood in", row.figures.thought_us),
            ms("tools", row.figures.tool_us),
            row.figures.fallback.as_deref().map(|why| format!("fallback {why}")),
        ];
        let figures: Vec<_> = figures.into_iter().flatten().collect();
        if !figures.is_empty() {
            say("took", &figures.join(", "));
        }
    }
}

fn plan(update: &PlanUpdate) {
    say("decided", &because(update.execution_mode.name(), update.reason.name()));
    for (step, progress) in update.plan.steps.iter().zip(&update.progress) {
        let ruling = match step.action_level {
            ActionLevel::Write => "needs a yes",
            level => ruled(rule(level, Switch::On, &[])),
        };
        let mut needs: Vec<_> = progress.depends_on.iter().map(ToString::to_string).collect();
        needs.dedup();
        let needs =
            if needs.is_empty() { String::new() } else { format!(", after {}", needs.join(", ")) };
        say(
            "plan",
            &format!(
                "{}. {} {}  [{}: {ruling}{needs}; {}]",
                step.step_index,
                step.tool,
                compact(&step.args),
                spelled(&step.action_level),
                spelled(&progress.status),
            ),
        );
    }
    if !update.plan.missing_fields.is_empty() {
        say("missing", &update.plan.missing_fields.join(", "));
    }
    for (what, readings) in &update.plan.ambiguity {
        say("unclear", &format!("{what}: {}", compact(readings)));
    }
    for (number, choice) in (1..).zip(&update.choices) {
        say("", &format!("{number}. {} means {}", harmless(&choice.name), quoted(&choice.means)));
    }
}

/// "1 done, 2 done, 3 asking"
fn how_far(update: &PlanUpdate) -> String {
    let steps = update.progress.iter();
    let steps: Vec<_> =
        steps.map(|it| format!("{} {}", it.step_index, spelled(&it.status))).collect();
    steps.join(", ")
}

fn because(how: &str, why: &str) -> String {
    format!("{how}, because {why}")
}

fn ruled(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Go => "goes without asking",
        Ruling::Ask(Care::Allow) => "asks, and a plain yes is enough",
        Ruling::Ask(Care::Named) => "asks, and a yes that is said has to tell what to do",
        Ruling::Ask(Care::Readback) => "asks, and needs a tap or the name",
        Ruling::Refuse(_) => "refused",
    }
}

fn origin(source: Source) -> &'static str {
    match source {
        Source::Explicit => "said by the person",
        Source::Contact => "from the contacts",
        Source::Thread => "in the mail that is answered",
        Source::Content => "from a text that was read",
        Source::Unknown => "from nowhere",
    }
}

fn whom(recipient: &Recipient) -> String {
    match &recipient.name {
        Some(name) => format!("{} <{}>", harmless(name), harmless(&recipient.address)),
        None => harmless(&recipient.address).into_owned(),
    }
}

fn quoted(text: &str) -> String {
    format!("\u{201c}{}\u{201d}", harmless(text))
}

fn compact(value: &Value) -> String {
    let text = value.to_string();
    let text = harmless(&text);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// One line under its heading; what goes on stands under it.
fn say(what: &str, text: &str) {
    let (quiet, plain) = (look::QUIET, look::PLAIN);
    let text = text.replace('\n', "\n            ");
    tell_line!("  {quiet}{what:<9}{plain} {text}");
}
