//! An answer on its way: as events, or, from whoever does not stream, as one whole.

use std::collections::VecDeque;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::Response;
use tokio::time::Instant;

use super::super::measure::{Measure, Measured};
use super::super::sse::{Cutter, Event};
use super::super::tongue::{self, Reader};
use super::super::{Delta, Deltas, Trouble, trouble};

/// So much an answer that is not streamed may hold.
const LONGEST_WHOLE: usize = 1024 * 1024;
/// So long one waits for what it has cost, once everything was said; and so long for the
/// end of a line that is used again.
const AFTER_THE_END: Duration = Duration::from_secs(1);
/// What still comes then is next to nothing.
const MOST_PIECES_LEFT: usize = 16;

pub(super) struct Streamed {
    /// Until there is nothing more to hear.
    response: Option<Response>,
    reading: Reading,
    reader: Box<dyn Reader>,
    measure: Measure,
    ready: VecDeque<Delta>,
    /// Whoever is not further by then is not waited for. What only keeps a line open, such
    /// as a comment, is no way of being further.
    until: Instant,
    idle: Duration,
    has_begun: bool,
    is_over: bool,
}

/// How it comes. That shows in its first sign, whatever it is said to be.
enum Reading {
    Unknown,
    Events(Cutter),
    Whole(Vec<u8>),
}

impl Streamed {
    /// Its first piece has to be there `until` then, the next after `idle`.
    pub fn new(
        response: Response,
        reader: Box<dyn Reader>,
        until: Instant,
        idle: Duration,
    ) -> Self {
        Self {
            response: Some(response),
            reading: Reading::Unknown,
            reader,
            measure: Measure::default(),
            ready: VecDeque::new(),
            until,
            idle,
            has_begun: false,
            is_over: false,
        }
    }
}

#[async_trait]
impl Deltas for Streamed {
    async fn next(&mut self) -> Result<Option<Delta>, Trouble> {
        loop {
            if let Some(delta) = self.ready.pop_front() {
                return Ok(Some(delta));
            }
            let Some(response) = self.response.as_mut().filter(|_| !self.is_over) else {
                self.let_go();
                return Ok(None);
            };
            match tokio::time::timeout_at(self.until, response.chunk()).await {
                Ok(Ok(Some(bytes))) => self.hear(&bytes)?,
                Ok(Ok(None)) => self.finish()?,
                Ok(Err(_)) => self.broke()?,
                // Everything was said; only the line is still open.
                Err(_) if self.reader.is_whole() => self.is_over = true,
                Err(_) => {
                    return Err(Trouble::Slow(if self.has_begun { "go on" } else { "answer" }));
                }
            }
        }
    }

    fn request_id(&self) -> Option<String> {
        self.reader.id().and_then(trouble::plain)
    }
}

impl Streamed {
    /// Nobody waits for the end of a line after the last word. It is heard out beside, so
    /// that the next question need not open another.
    fn let_go(&mut self) {
        let Some(mut response) = self.response.take().filter(|_| self.reader.is_over()) else {
            return;
        };
        tokio::spawn(tokio::time::timeout(AFTER_THE_END, async move {
            let mut left = MOST_PIECES_LEFT;
            while left > 0 && matches!(response.chunk().await, Ok(Some(_))) {
                left -= 1;
            }
        }));
    }

    fn hear(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        if let Reading::Unknown = self.reading {
            let Some(first) = bytes.trim_ascii_start().first() else { return Ok(()) };
            self.reading = match first {
                b'{' | b'[' => Reading::Whole(Vec::new()),
                b'<' => return Err(tongue::web_page()),
                _ => Reading::Events(Cutter::default()),
            };
        }
        let events = match &mut self.reading {
            Reading::Events(cutter) => cutter.take(bytes),
            Reading::Whole(body) if body.len() + bytes.len() > LONGEST_WHOLE => {
                return Err(Trouble::Garbage("far too much".to_owned()));
            }
            Reading::Whole(body) => {
                body.extend_from_slice(bytes);
                return Ok(());
            }
            Reading::Unknown => return Ok(()),
        };
        let (was_whole, thoughts) = (self.reader.is_whole(), self.reader.thoughts());
        for event in events.map_err(|_| Trouble::Garbage("an event without an end".to_owned()))? {
            self.take(&event)?;
            if self.is_over {
                return Ok(());
            }
        }
        if self.reader.thoughts() > thoughts || self.ready.iter().any(Delta::says) {
            self.has_begun = true;
            self.until = Instant::now() + self.idle;
        }
        if self.reader.is_whole() && !was_whole {
            self.until = Instant::now() + AFTER_THE_END.min(self.idle);
        }
        Ok(())
    }

    fn take(&mut self, event: &Event) -> Result<(), Trouble> {
        let deltas = tongue::read_event(&mut *self.reader, event)?;
        self.is_over |= tongue::is_last(event) || self.reader.is_over();
        self.pass_on(deltas)
    }

    /// As far as anybody would listen.
    fn pass_on(&mut self, deltas: Vec<Delta>) -> Result<(), Trouble> {
        for delta in deltas {
            match self.measure.take(delta)? {
                Measured::Fits(delta) => self.ready.push_back(delta),
                Measured::Last(delta) => {
                    self.ready.push_back(delta);
                    self.is_over = true;
                    break;
                }
            }
        }
        Ok(())
    }

    /// The other side has ended it.
    fn finish(&mut self) -> Result<(), Trouble> {
        self.is_over = true;
        match &mut self.reading {
            Reading::Unknown => {}
            Reading::Events(cutter) => {
                if let Some(event) = cutter.finish() {
                    self.take(&event)?;
                }
            }
            Reading::Whole(body) => {
                let deltas = tongue::read_whole(&mut *self.reader, &std::mem::take(body))?;
                self.pass_on(deltas)?;
            }
        }
        if self.reader.is_whole() { Ok(()) } else { Err(Trouble::CutOff) }
    }

    /// The line broke. Some just close it, when everything was said.
    fn broke(&mut self) -> Result<(), Trouble> {
        self.finish().map_err(|trouble| match trouble {
            // Half of an event is not what was meant to be said.
            Trouble::Garbage(_) => Trouble::CutOff,
            other => other,
        })
    }
}
