//! What the terminal shows. The answer is written as it comes.

use std::fmt::{Arguments, Write};
use std::time::Instant;

use brain::confirmation::Channel;
use brain::event::PlanChoice;
use brain::input::Decision;
use brain::{ActionState, CallError, CallId, Envelope, Event, Outcome};

use crate::cli::card::{self, Keys};
use crate::cli::paper::{self, MARGIN, harmless, wrap};
use crate::cli::{look, receipt};
use crate::client::cards::{Cards, News, Open};

const UNDER: &str = "       ";

pub struct Screen {
    is_terminal: bool,
    /// The column behind what is being said; `None` when nothing is.
    speaking: Option<usize>,
    calls: Vec<Call>,
    /// What the question of the turn can be answered with.
    choices: Vec<PlanChoice>,
    /// Kept back while somebody types.
    kept_back: Option<String>,
}

/// A tool at work.
struct Call {
    id: CallId,
    tool: String,
    label: String,
    since: Instant,
}

impl Screen {
    pub fn new(is_terminal: bool) -> Self {
        Self {
            is_terminal,
            speaking: None,
            calls: Vec::new(),
            choices: Vec::new(),
            kept_back: None,
        }
    }

    pub fn greet(&mut self, server: &str, keys: &str) {
        if self.is_terminal {
            let (name, quiet, plain) = (look::NAME, look::QUIET, look::PLAIN);
            self.line(format_args!("{name}Sayso{plain} at {server}\n{quiet}{keys}{plain}"));
        }
    }

    /// What was said before, when coming back.
    pub fn recall(&mut self, history: &[Envelope]) {
        for envelope in history {
            match &envelope.event {
                Event::Heard { text, .. } => {
                    let text = harmless(text);
                    self.line(format_args!("\n{}you{}    {text}", look::NAME, look::PLAIN));
                }
                Event::Said { text } => self.say_whole(text),
                Event::Failed { user_message, .. } => {
                    self.line(format_args!("{UNDER}{user_message}"));
                }
                _ => {}
            }
        }
    }

    /// A reader of a pipe sees both sides.
    pub fn echo(&mut self, text: &str) {
        if !self.is_terminal {
            self.line(format_args!("you    {text}"));
        }
    }

    /// A part of what somebody here waits for.
    pub fn show(&mut self, event: &Event) {
        match event {
            Event::SaidDelta { text } => self.speak(text),
            // A turn that waits for a card says more than one thing.
            Event::Said { .. } => self.end_line(),
            Event::Failed { user_message, .. } => {
                self.end_line();
                let text = harmless(user_message);
                self.line(format_args!("{UNDER}{}{text}{}", look::TROUBLE, look::PLAIN));
            }
            Event::TurnEnded { outcome, error_code, .. } => {
                self.end_line();
                self.ended(*outcome, error_code.as_deref());
            }
            Event::TurnCancelled { .. } => {
                self.end_line();
                self.line(format_args!("{UNDER}{}stopped{}", look::DOUBT, look::PLAIN));
            }
            _ => self.work(event),
        }
    }

    /// A part of a turn that nobody here waits for; its words come whole.
    pub fn overhear(&mut self, event: &Event) {
        match event {
            Event::Said { text } => self.say_whole(text),
            Event::TurnEnded { outcome, error_code, .. } => {
                self.ended(*outcome, error_code.as_deref());
            }
            _ => self.work(event),
        }
    }

    /// What has become of a card. `own` is how it was answered from here, if it was.
    pub fn tell(&mut self, news: &News, cards: &Cards, own: Option<Channel>) {
        match news {
            News::Nothing => {}
            News::Opened(card) | News::Changed(card) => self.draw(card, cards),
            News::Answered { channel, .. } if own == Some(*channel) => {}
            News::Answered { card, decision, .. } => {
                let word = match decision {
                    Decision::Accept => "yes",
                    Decision::Reject => "no",
                    Decision::Edit => "yes, with changes",
                };
                self.note(&format!(
                    "{} Answered on another device: {word}.",
                    card.question.card.title
                ));
            }
            News::Expired(card) => {
                let title = &card.question.card.title;
                self.note(&format!("{title} Nobody answered in time, so nothing was done."));
            }
        }
    }

    pub fn draw(&mut self, card: &Open, cards: &Cards) {
        let keys = match (self.is_terminal, cards.are_several()) {
            (false, _) => Keys::None,
            (true, false) => Keys::Plain,
            (true, true) => Keys::Numbered,
        };
        let block = card::drawn(card, keys, paper::width(self.is_terminal));
        self.end_line();
        self.put(format_args!("{block}"));
    }

    /// One line beside the conversation.
    pub fn note(&mut self, text: &str) {
        self.end_line();
        let text = harmless(text);
        self.line(format_args!("{UNDER}{}{text}{}", look::QUIET, look::PLAIN));
    }

    pub fn end_line(&mut self) {
        if self.speaking.take().is_some() {
            self.line(format_args!(""));
        }
    }

    /// From now on nothing is written, until `given_out`.
    pub fn keep_back(&mut self) {
        self.kept_back = Some(String::new());
    }

    pub fn given_out(&mut self) -> String {
        self.kept_back.take().unwrap_or_default()
    }

    fn work(&mut self, event: &Event) {
        match event {
            Event::Planned(plan) => self.choices.clone_from(&plan.choices),
            Event::ToolRequested { call_id: id, tool_name, label, .. } => {
                let (tool, label) = (tool_name.clone(), harmless(label).into_owned());
                self.calls.push(Call { id: *id, tool, label, since: Instant::now() });
            }
            Event::ToolReturned { call_id, error, state: Some(state), .. } => {
                self.receipt(*call_id, *state, error.as_ref());
            }
            Event::ToolReturned { call_id, ok, error, state: None, .. } => {
                let reason = error.as_ref().map(|error| error.message.as_str());
                self.looked_up(*call_id, *ok, reason);
            }
            _ => {}
        }
    }

    /// One line each, to be answered by its number.
    fn list_choices(&mut self) {
        let choices = std::mem::take(&mut self.choices);
        for (at, choice) in choices.iter().enumerate() {
            let (name, number) = (harmless(&choice.name), at + 1);
            self.line(format_args!("{UNDER}{}{number}{}  {name}", look::DOUBT, look::PLAIN));
        }
        if !choices.is_empty() {
            self.note("a number, a name, or “none of these”");
        }
    }

    /// What the words have not said already.
    fn ended(&mut self, outcome: Outcome, code: Option<&str>) {
        self.list_choices();
        let said = ["needs_answer", "not_understood", "not_possible", "rejected", "expired"];
        let word = match outcome {
            Outcome::Success => return,
            _ if code.is_some_and(|code| said.contains(&code)) => return,
            Outcome::Partial => "partly done",
            Outcome::Failed => "did not work",
            Outcome::Unknown => "outcome not known",
        };
        self.line(format_args!("{UNDER}{}{word}{}", look::DOUBT, look::PLAIN));
    }

    /// It may be learnt later how a write ended; then this comes once more.
    fn receipt(&mut self, call: CallId, state: ActionState, error: Option<&CallError>) {
        let Some(known) = self.calls.iter().find(|known| known.id == call) else { return };
        let (colour, mark, text) = receipt::words(&known.tool, state, error);
        let label = known.label.clone();
        if state.is_over() {
            self.calls.retain(|known| known.id != call);
        }
        self.end_line();
        let (text, quiet, plain) = (harmless(&text), look::QUIET, look::PLAIN);
        self.line(format_args!(
            "{UNDER}{colour}{mark}{plain} {quiet}{label}:{plain} {colour}{text}{plain}"
        ));
    }

    fn looked_up(&mut self, call: CallId, ok: bool, reason: Option<&str>) {
        let Some(at) = self.calls.iter().position(|known| known.id == call) else { return };
        let Call { label, since, .. } = self.calls.remove(at);
        self.end_line();
        let (quiet, plain) = (look::QUIET, look::PLAIN);
        let took = since.elapsed().as_millis();
        if ok {
            self.line(format_args!(
                "{UNDER}{}✓{plain} {quiet}{label}, {took} ms{plain}",
                look::GOOD
            ));
        } else {
            let reason = harmless(reason.unwrap_or("no reason given"));
            self.line(format_args!("{UNDER}{}✗{plain} {label}: {reason}", look::TROUBLE));
        }
    }

    fn say_whole(&mut self, text: &str) {
        self.end_line();
        self.speak(text);
        self.end_line();
    }

    fn speak(&mut self, text: &str) {
        let (text, column) = if let Some(column) = self.speaking {
            (text, column)
        } else {
            self.put(format_args!("{}sayso{}  ", look::NAME, look::PLAIN));
            (text.trim_start(), MARGIN)
        };
        let (wrapped, column) =
            wrap(&harmless(text), column, UNDER, paper::width(self.is_terminal));
        self.put(format_args!("{wrapped}"));
        self.speaking = Some(column);
    }

    fn line(&mut self, line: Arguments<'_>) {
        self.put(format_args!("{line}\n"));
    }

    fn put(&mut self, text: Arguments<'_>) {
        match &mut self.kept_back {
            // Writing to a text does not fail.
            Some(kept) => drop(kept.write_fmt(text)),
            None => look::write(text),
        }
    }
}
