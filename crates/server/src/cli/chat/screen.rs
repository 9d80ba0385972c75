//! What the terminal shows. The answer is written as it comes.

use std::time::Instant;

use brain::{CallId, Envelope, Event, Outcome};

use crate::cli::look::{self, tell, tell_line};

/// Where the words of both sides begin.
const MARGIN: usize = 7;
/// Narrower than this nothing is wrapped, and wider lines are hard to read.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=100;

pub struct Screen {
    is_terminal: bool,
    /// The column behind what is being said; `None` when nothing is.
    speaking: Option<usize>,
    calls: Vec<(CallId, String, Instant)>,
}

impl Screen {
    pub fn new(is_terminal: bool) -> Self {
        Self { is_terminal, speaking: None, calls: Vec::new() }
    }

    pub fn greet(&self, server: &str, keys: &str) {
        if self.is_terminal {
            let (name, quiet, plain) = (look::NAME, look::QUIET, look::PLAIN);
            tell_line!("{name}Sayso{plain} at {server}\n{quiet}{keys}{plain}");
        }
    }

    /// What was said before, when coming back.
    pub fn recall(&mut self, history: &[Envelope]) {
        for envelope in history {
            match &envelope.event {
                Event::Heard { text, .. } => {
                    tell_line!("\n{}you{}    {text}", look::NAME, look::PLAIN);
                }
                Event::Said { text } => {
                    self.speak(text);
                    self.end_line();
                }
                Event::Failed { user_message, .. } => tell_line!("       {user_message}"),
                _ => {}
            }
        }
    }

    /// A reader of a pipe sees both sides.
    pub fn echo(&self, text: &str) {
        if !self.is_terminal {
            tell_line!("you    {text}");
        }
    }

    pub fn show(&mut self, event: &Event) {
        match event {
            Event::SaidDelta { text } => self.speak(text),
            Event::ToolRequested { call_id, label, .. } => {
                self.calls.push((*call_id, label.clone(), Instant::now()));
            }
            Event::ToolReturned { call_id, ok, error, .. } => {
                let reason = error.as_ref().map(|error| error.message.as_str());
                self.looked_up(*call_id, *ok, reason);
            }
            Event::TurnEnded { outcome, error_code } => {
                self.end_line();
                Self::ended(*outcome, error_code.as_deref());
            }
            Event::TurnCancelled { .. } => {
                self.end_line();
                tell_line!("       {}stopped{}", look::DOUBT, look::PLAIN);
            }
            Event::Failed { user_message, .. } => {
                self.end_line();
                tell_line!("       {}{user_message}{}", look::TROUBLE, look::PLAIN);
            }
            Event::TurnStarted { .. }
            | Event::StateChanged { .. }
            | Event::HeardDelta { .. }
            | Event::Heard { .. }
            | Event::Said { .. }
            | Event::ToolQueued { .. }
            | Event::ToolProgressed { .. }
            | Event::Ponged { .. } => {}
        }
    }

    pub fn end_line(&mut self) {
        if self.speaking.take().is_some() {
            tell_line!("");
        }
    }

    /// What the words have not said already.
    fn ended(outcome: Outcome, code: Option<&str>) {
        let said = ["needs_answer", "not_understood", "not_possible"];
        let word = match outcome {
            Outcome::Success => return,
            _ if code.is_some_and(|code| said.contains(&code)) => return,
            Outcome::Partial => "partly done",
            Outcome::Failed => "did not work",
            Outcome::Unknown => "outcome not known",
        };
        tell_line!("       {}{word}{}", look::DOUBT, look::PLAIN);
    }

    fn looked_up(&mut self, call: CallId, ok: bool, reason: Option<&str>) {
        let Some(at) = self.calls.iter().position(|(id, ..)| *id == call) else { return };
        let (_, label, since) = self.calls.remove(at);
        self.end_line();
        let (quiet, plain) = (look::QUIET, look::PLAIN);
        let took = since.elapsed().as_millis();
        if ok {
            tell_line!("       {}✓{plain} {quiet}{label}, {took} ms{plain}", look::GOOD);
        } else {
            let reason = reason.unwrap_or("no reason given");
            tell_line!("       {}✗{plain} {label}: {reason}", look::TROUBLE);
        }
    }

    fn speak(&mut self, text: &str) {
        let (text, column) = if let Some(column) = self.speaking {
            (text, column)
        } else {
            tell!("{}sayso{}  ", look::NAME, look::PLAIN);
            (text.trim_start(), MARGIN)
        };
        let (wrapped, column) = wrap(text, column, self.width());
        tell!("{wrapped}");
        self.speaking = Some(column);
    }

    /// `None` for a pipe: whoever reads it wraps as they like.
    fn width(&self) -> Option<usize> {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
        let width = usize::from(width).min(*WIDTHS.end());
        Some(width).filter(|width| self.is_terminal && WIDTHS.contains(width))
    }
}

/// Breaks between words so that no line is longer than `width`; lines after
/// the first stand under the first. Gives back the column behind the text.
fn wrap(text: &str, column: usize, width: Option<usize>) -> (String, usize) {
    let margin = " ".repeat(MARGIN);
    let (mut out, mut column) = (String::new(), column);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
            out.push_str(&margin);
            column = MARGIN;
        }
        for word in line.split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if width.is_some_and(|width| column + length > width) && column > MARGIN {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                out.push_str(&margin);
                column = MARGIN;
            }
            out.push_str(word);
            column += word.chars().count();
        }
    }
    (out, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_stand_under_the_first() {
        let (text, column) = wrap("one two three four", MARGIN, Some(18));
        assert_eq!(text, "one two\n       three four");
        assert_eq!(column, MARGIN + 10);
    }

    #[test]
    fn what_follows_is_wrapped_from_where_the_last_piece_ended() {
        let (text, column) = wrap(" and more", MARGIN + 9, Some(18));
        assert_eq!(text, "\n       and more");
        assert_eq!(column, MARGIN + 8);
    }

    #[test]
    fn a_pipe_is_not_wrapped_but_new_lines_are_kept_under_the_first() {
        let (text, _) = wrap("one\ntwo", MARGIN, None);
        assert_eq!(text, "one\n       two");
    }
}
