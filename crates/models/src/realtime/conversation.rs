//! One conversation with OpenAI's Realtime, in order: one answer at a time, every piece of
//! sound under its number, and what was not heard taken back. Pure.
//!
//! What is said word for word stands apart from the conversation and may run beside an
//! answer; an answer waits until the one before it is over, also where that was cancelled.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::spelled::{self, Came, Ended};
use super::{BYTES_A_MS, News, Prices, Setup, Tell, complaints};
use crate::provider::{Call, End, Trouble};

/// Answers that are remembered, for whoever cuts one off when it is over.
const REMEMBERED: usize = 16;
/// The same for what was said, to be taken back.
const UTTERED: usize = 16;

/// So long an answer that we know nothing of is waited for; then we ask again.
const LONGEST_BLOCK: Duration = Duration::from_millis(2_500);

/// What is known of a conversation.
#[derive(Debug)]
pub struct Conversation {
    prices: Prices,
    /// Counts what we name.
    named: u64,
    uttered: VecDeque<Uttered>,
    /// Sound that somebody else decided was whole, before we said what it belongs to.
    early: Vec<Written>,
    /// Items that were announced by somebody else's decision.
    announced: VecDeque<String>,
    /// What is committed by somebody else's decision is not wanted until this is settled.
    is_clearing: bool,
    answers: VecDeque<Answer>,
    /// An answer that we know nothing of is under way.
    is_blocked: bool,
    /// It is waited for until then. Not everybody says that it is over.
    blocked_until: Option<Instant>,
    /// Calls that wait for what they bring.
    open_calls: Vec<String>,
}

/// Something that was said, under one number.
#[derive(Debug)]
struct Uttered {
    number: u64,
    event: String,
    items: Vec<Written>,
    /// No more sound belongs to it.
    is_whole: bool,
    is_told: bool,
    is_forgotten: bool,
}

#[derive(Debug)]
struct Written {
    item: String,
    so_far: String,
    text: Option<Result<String, ()>>,
}

#[derive(Debug)]
struct Answer {
    number: u64,
    event: String,
    is_apart: bool,
    state: State,
    response: Option<String>,
    items: Vec<Part>,
    calls: Vec<(String, Call)>,
    /// Nobody waits for it.
    is_stopped: bool,
    heard_ms: Option<u64>,
    /// It was cut off while it was given: what it calls for is still wanted.
    is_talked_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Asked,
    Active,
    Over,
}

/// An item of an answer, and how much sound it has.
#[derive(Debug)]
struct Part {
    item: String,
    is_call: bool,
    /// Which content of the item the sound is.
    content: u64,
    bytes: u64,
}

impl Part {
    fn ms(&self) -> u64 {
        self.bytes / BYTES_A_MS
    }
}

/// What comes of something.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    pub frames: Vec<Value>,
    pub news: Vec<News>,
}

impl Conversation {
    /// What is sent first, and the conversation that begins with it.
    pub fn begin(setup: &Setup, before: Vec<super::Item>) -> (Self, Vec<Value>) {
        let mut conversation = Self {
            prices: setup.prices,
            named: 0,
            uttered: VecDeque::new(),
            early: Vec::new(),
            announced: VecDeque::new(),
            is_clearing: false,
            answers: VecDeque::new(),
            is_blocked: false,
            blocked_until: None,
            open_calls: Vec::new(),
        };
        let mut frames = vec![spelled::session(setup)];
        frames.extend(conversation.tell(Tell::Learn(before)));
        (conversation, frames)
    }

    /// It is so late now: what was waited for long enough is asked for again.
    pub fn at(&mut self, now: Instant) -> Vec<Value> {
        if !self.is_blocked {
            self.blocked_until = None;
            return Vec::new();
        }
        if now < *self.blocked_until.get_or_insert(now + LONGEST_BLOCK) {
            return Vec::new();
        }
        (self.is_blocked, self.blocked_until) = (false, None);
        self.ask_next()
    }

    /// When it is to be told the time again at the latest.
    pub fn until(&self) -> Option<Instant> {
        self.blocked_until
    }

    pub fn tell(&mut self, tell: Tell) -> Vec<Value> {
        match tell {
            Tell::Sound(pcm) => vec![spelled::append(&pcm)],
            Tell::Uttered(number) => {
                // Not everybody says that it is cleared.
                self.is_clearing = false;
                let event = self.name("said");
                let frame = spelled::commit(&event);
                let items = std::mem::take(&mut self.early);
                self.uttered.push_back(Uttered {
                    number,
                    event,
                    items,
                    is_whole: false,
                    is_told: false,
                    is_forgotten: false,
                });
                if self.uttered.len() > UTTERED {
                    self.uttered.pop_front();
                }
                vec![frame]
            }
            Tell::Forget(number) => self.forget(number),
            Tell::Unsay => {
                self.is_clearing = true;
                let event = self.name("clear");
                let mut frames = vec![spelled::clear(&event)];
                for written in std::mem::take(&mut self.early) {
                    frames.push(self.deleted(&written.item));
                }
                frames
            }
            Tell::Learn(items) => {
                let learn = |item: &super::Item| {
                    let id = self.name("item");
                    let is_call = match item {
                        super::Item::Brought { call, .. } => {
                            let known = self.open_calls.iter().position(|open| open == call);
                            known.map(|at| self.open_calls.remove(at)).is_some()
                        }
                        _ => false,
                    };
                    spelled::item(&id, item, is_call)
                };
                items.iter().map(learn).collect()
            }
            Tell::Answer(number) => {
                self.remember(number, false);
                self.ask_next()
            }
            Tell::Say { answer, text } => {
                let event = self.remember(answer, true);
                if let Some(answer) = self.answers.back_mut() {
                    answer.state = State::Asked;
                }
                vec![spelled::say(&event, &text)]
            }
            Tell::Stop(number) => self.stop(number),
            Tell::Cut { answer, heard_ms } => {
                if let Some(answer) = self.answers.iter_mut().find(|it| it.number == answer) {
                    answer.heard_ms.get_or_insert(heard_ms);
                    answer.is_talked_over = answer.state != State::Over;
                }
                self.take_back(answer)
            }
            Tell::Knock => Vec::new(),
        }
    }

    pub fn read(&mut self, event: &Value) -> Outcome {
        let mut outcome = Outcome::default();
        match spelled::read(event) {
            Came::Stopped { item } => {
                self.announced.push_back(item);
                if self.announced.len() > UTTERED {
                    self.announced.pop_front();
                }
            }
            Came::Committed { item } => self.committed(item, &mut outcome),
            Came::Cleared => self.is_clearing = false,
            Came::Words { item, more } => {
                if let Some(written) = self.written(&item) {
                    written.so_far.push_str(&more);
                    outcome.news.extend(self.words_of(&item));
                }
            }
            Came::Written { item, text, usage } => {
                let spent = spelled::written(&usage, &self.prices);
                outcome.news.extend(spent.map(News::Spent));
                self.is_written(&item, Ok(text), &mut outcome);
            }
            Came::NotWritten { item } => self.is_written(&item, Err(()), &mut outcome),
            Came::Began { response, ours, is_apart } => {
                outcome.frames = self.began(&response, ours.as_deref(), is_apart);
                let number = self.wanted(&response).map(|answer| answer.number);
                outcome.news.extend(number.map(|answer| News::Named { answer, id: response }));
            }
            Came::Opened { response, item } => {
                if let Some(answer) = self.answer_of(&response) {
                    let (item, is_call) = (item.id, item.is_call);
                    answer.items.push(Part { item, is_call, content: 0, bytes: 0 });
                }
            }
            Came::Said { response, text } => {
                let said = |answer: &mut Answer| News::Said { answer: answer.number, text };
                outcome.news.extend(self.wanted(&response).map(said));
            }
            Came::Sounded { response, item, part, pcm } => {
                if let Some(answer) = self.answer_of(&response) {
                    answer.sounded(item, part, pcm.len());
                    if !answer.is_stopped {
                        outcome.news.push(News::Sounded { answer: answer.number, pcm });
                    }
                }
            }
            Came::Called { response, item, call } => {
                if let Some(answer) = self.answer_of(&response) {
                    answer.called(item, call);
                }
            }
            Came::Ended(ended) => self.ended(*ended, &mut outcome),
            Came::Refused { event, error } => self.refused(event.as_deref(), &error, &mut outcome),
            Came::Nothing => {}
        }
        outcome
    }

    fn name(&mut self, what: &str) -> String {
        self.named += 1;
        format!("sayso_{what}_{}", self.named)
    }

    /// Takes something out of the conversation.
    fn deleted(&mut self, item: &str) -> Value {
        let event = self.name("delete");
        spelled::delete(&event, item)
    }

    fn remember(&mut self, number: u64, is_apart: bool) -> String {
        let event = self.name(if is_apart { "say" } else { "answer" });
        self.answers.push_back(Answer {
            number,
            event: event.clone(),
            is_apart,
            state: State::Waiting,
            response: None,
            items: Vec::new(),
            calls: Vec::new(),
            is_stopped: false,
            heard_ms: None,
            is_talked_over: false,
        });
        if self.answers.len() > REMEMBERED {
            let over = self.answers.iter().position(|answer| answer.state == State::Over);
            over.and_then(|at| self.answers.remove(at));
        }
        event
    }

    fn answer_of(&mut self, response: &str) -> Option<&mut Answer> {
        self.answers.iter_mut().find(|answer| answer.response.as_deref() == Some(response))
    }

    /// One that somebody waits for.
    fn wanted(&mut self, response: &str) -> Option<&mut Answer> {
        self.answer_of(response).filter(|answer| !answer.is_stopped)
    }

    /// The next answer, where none is under way.
    fn ask_next(&mut self) -> Vec<Value> {
        let is_busy = |answer: &Answer| {
            !answer.is_apart && matches!(answer.state, State::Asked | State::Active)
        };
        if self.is_blocked || self.answers.iter().any(is_busy) {
            return Vec::new();
        }
        let waits = |answer: &&mut Answer| answer.state == State::Waiting;
        let Some(next) = self.answers.iter_mut().find(waits) else { return Vec::new() };
        next.state = State::Asked;
        vec![spelled::answer(&next.event)]
    }

    fn began(&mut self, response: &str, ours: Option<&str>, is_apart: bool) -> Vec<Value> {
        let asked = |answer: &Answer| answer.state == State::Asked;
        // Not everybody repeats what we call it.
        let at = match ours {
            Some(event) => self.answers.iter().position(|it| asked(it) && it.event == event),
            None => self.answers.iter().position(|it| asked(it) && it.is_apart == is_apart),
        };
        let Some(answer) = at.and_then(|at| self.answers.get_mut(at)) else {
            self.is_blocked |= !is_apart;
            return Vec::new();
        };
        answer.state = State::Active;
        answer.response = Some(response.to_owned());
        if answer.is_stopped {
            let event = self.name("cancel");
            return vec![spelled::cancel(&event, response)];
        }
        Vec::new()
    }

    fn stop(&mut self, number: u64) -> Vec<Value> {
        let found = self.answers.iter_mut().find(|answer| answer.number == number);
        let Some(answer) = found.filter(|answer| !answer.is_stopped) else { return Vec::new() };
        match answer.state {
            // One that is asked for is cancelled as soon as it has a name.
            State::Asked => {
                answer.is_stopped = true;
                Vec::new()
            }
            State::Active => {
                answer.is_stopped = true;
                let response = answer.response.clone().unwrap_or_default();
                let event = self.name("cancel");
                vec![spelled::cancel(&event, &response)]
            }
            State::Waiting => {
                answer.is_stopped = true;
                answer.state = State::Over;
                Vec::new()
            }
            State::Over => Vec::new(),
        }
    }

    /// What was not heard of an answer that is over.
    fn take_back(&mut self, number: u64) -> Vec<Value> {
        let at = self.answers.iter().position(|answer| answer.number == number);
        let Some(answer) = at.and_then(|at| self.answers.get_mut(at)) else { return Vec::new() };
        if answer.is_apart || answer.state != State::Over {
            return Vec::new();
        }
        let Some(mut left_ms) = answer.heard_ms else { return Vec::new() };
        let (items, calls) = (std::mem::take(&mut answer.items), answer.calls.clone());
        let keeps_calls = answer.is_talked_over && !answer.is_stopped;
        let mut frames = Vec::new();
        for part in items.into_iter().filter(|part| !(part.is_call && keeps_calls)) {
            let (ms, heard_ms) = (part.ms(), left_ms.min(part.ms()));
            left_ms -= heard_ms;
            let call = calls.iter().find(|(item, _)| *item == part.item).map(|(_, call)| &call.id);
            let open = self.open_calls.iter().position(|open| Some(open) == call);
            if let Some(at) = open {
                self.open_calls.remove(at);
            }
            // What was brought for a call stays with it.
            let is_unheard = if part.is_call { open.is_some() } else { heard_ms == 0 };
            if is_unheard {
                frames.push(self.deleted(&part.item));
            } else if heard_ms < ms {
                let event = self.name("cut");
                frames.push(spelled::truncate(&event, &part.item, part.content, heard_ms));
            }
        }
        frames
    }

    fn ended(&mut self, ended: Ended, outcome: &mut Outcome) {
        let Ended { response, status, reason, error, calls, usage } = ended;
        let usage = spelled::usage(&usage, &self.prices);
        let Some(answer) = self.answer_of(&response) else {
            self.is_blocked = false;
            outcome.frames.extend(self.ask_next());
            return;
        };
        for (item, call) in calls {
            answer.called(item, call);
        }
        answer.state = State::Over;
        let (number, is_apart) = (answer.number, answer.is_apart);
        let end = match (status.as_str(), reason.as_str()) {
            ("completed", _) if !answer.calls.is_empty() => Ok(End::Calls),
            ("completed", _) => Ok(End::Said),
            ("incomplete", "content_filter") => Ok(End::Withheld),
            ("incomplete", _) => Ok(End::TooLong),
            ("failed", _) => Err(Trouble::in_stream(&error)),
            _ => Err(Trouble::CutOff),
        };
        let calls = match end {
            Ok(End::Calls) => answer.calls.clone(),
            _ => Vec::new(),
        };
        for (_, call) in calls {
            self.open_calls.push(call.id.clone());
            outcome.news.push(News::Called { answer: number, call });
        }
        outcome.news.push(News::Over { answer: number, usage, end });
        // Only one is given at a time: whatever was in the way is over too.
        self.is_blocked &= is_apart;
        outcome.frames.extend(self.take_back(number));
        outcome.frames.extend(self.ask_next());
    }

    fn refused(&mut self, event: Option<&str>, error: &Value, outcome: &mut Outcome) {
        let code = error["code"].as_str().unwrap_or("unknown");
        let uttered = self.uttered.iter().position(|it| Some(it.event.as_str()) == event);
        if let Some(at) = uttered {
            // Somebody else decided already that it was whole; or it was too short.
            self.uttered[at].is_whole = true;
            outcome.news.extend(self.told(at));
            return;
        }
        let asked = self.answers.iter_mut().find(|it| Some(it.event.as_str()) == event);
        let Some(answer) = asked.filter(|answer| answer.state == State::Asked) else {
            outcome.news.push(News::Complained { code: complaints::named(code) });
            return;
        };
        if code == "conversation_already_has_active_response" {
            answer.state = if answer.is_stopped { State::Over } else { State::Waiting };
            self.is_blocked = true;
            outcome.news.push(News::Complained { code: complaints::named(code) });
            return;
        }
        answer.state = State::Over;
        let (answer, end) = (answer.number, Err(Trouble::in_stream(error)));
        let usage = crate::provider::Usage::default();
        outcome.news.push(News::Over { answer, usage, end });
        outcome.frames.extend(self.ask_next());
    }

    fn committed(&mut self, item: String, outcome: &mut Outcome) {
        if self.is_clearing && self.uttered.iter().all(|uttered| uttered.is_whole) {
            outcome.frames.push(self.deleted(&item));
            return;
        }
        let is_announced = self.announced.contains(&item);
        let written = Written { item, so_far: String::new(), text: None };
        let open = self.uttered.iter_mut().find(|uttered| !uttered.is_whole);
        let Some(uttered) = open else { return self.early.push(written) };
        uttered.is_whole = !is_announced;
        if uttered.is_forgotten {
            outcome.frames.push(self.deleted(&written.item));
        } else {
            uttered.items.push(written);
        }
    }

    fn written(&mut self, item: &str) -> Option<&mut Written> {
        let uttered = self.uttered.iter_mut().flat_map(|uttered| &mut uttered.items);
        uttered.chain(&mut self.early).find(|written| written.item == item)
    }

    fn words_of(&self, item: &str) -> Option<News> {
        let has = |uttered: &&Uttered| uttered.items.iter().any(|it| it.item == item);
        let uttered = self.uttered.iter().find(has)?;
        Some(News::Words { uttered: uttered.number, text: uttered.text() })
    }

    fn is_written(&mut self, item: &str, text: Result<String, ()>, outcome: &mut Outcome) {
        let Some(written) = self.written(item) else { return };
        written.text = Some(text);
        let has = |uttered: &Uttered| uttered.items.iter().any(|it| it.item == item);
        if let Some(at) = self.uttered.iter().position(has) {
            outcome.news.extend(self.told(at));
        }
    }

    /// What was said under a number, once all of it is written down.
    fn told(&mut self, at: usize) -> Option<News> {
        let uttered = self.uttered.get_mut(at)?;
        let is_done = uttered.is_whole && uttered.items.iter().all(|it| it.text.is_some());
        if !is_done || uttered.is_told {
            return None;
        }
        uttered.is_told = true;
        let failed = |it: &Written| matches!(it.text, Some(Err(())));
        let number = uttered.number;
        Some(if uttered.items.iter().any(failed) {
            News::NotWritten { uttered: number }
        } else {
            News::Written { uttered: number, text: uttered.text() }
        })
    }

    fn forget(&mut self, number: u64) -> Vec<Value> {
        let Some(uttered) = self.uttered.iter_mut().find(|it| it.number == number) else {
            return Vec::new();
        };
        uttered.is_forgotten = true;
        let items = std::mem::take(&mut uttered.items);
        items.into_iter().map(|written| self.deleted(&written.item)).collect()
    }
}

impl Uttered {
    fn text(&self) -> String {
        let text = |written: &Written| match &written.text {
            Some(Ok(text)) => text.trim().to_owned(),
            _ => written.so_far.trim().to_owned(),
        };
        let texts = self.items.iter().map(text).filter(|text| !text.is_empty());
        texts.collect::<Vec<_>>().join(" ")
    }
}

impl Answer {
    fn sounded(&mut self, item: String, content: u64, bytes: usize) {
        let known = self.items.iter().position(|known| known.item == item);
        let at = known.unwrap_or_else(|| {
            self.items.push(Part { item, is_call: false, content, bytes: 0 });
            self.items.len() - 1
        });
        self.items[at].content = content;
        self.items[at].bytes += bytes as u64;
    }

    fn called(&mut self, item: String, call: Call) {
        match self.calls.iter_mut().find(|(known, _)| *known == item) {
            Some(known) => known.1 = call,
            None => self.calls.push((item, call)),
        }
    }
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
