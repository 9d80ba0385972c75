//! What a client missed and nobody has at hand any more: kept events, a page at a
//! time, or everything there is where those are too many or too old.

use std::sync::Arc;

use brain::job::Lane;
use brain::settled::settled;
use brain::snapshot::{Bubble, Lost, REPLAY_EVENTS, REPLAY_HOURS, RunningJob, Settled, Snapshot};
use brain::{Envelope, Event, Job, JobState, SessionId, UserId};
use jiff::{SignedDuration, Timestamp};
use store::StoreError;

use crate::house::House;

/// Missed events that are read at a time.
const PAGE: u32 = 16;
/// And their size as they are spelled; taken apart they are several times as large, and
/// lie there for as long as a client does not read.
const PAGE_BYTES: usize = 6 * 1024;
/// Messages of a snapshot.
const MESSAGES: u32 = 100;
/// Its receipts, the newest ones, and how long they may be as they are spelled.
const RECEIPTS: usize = 50;
const RECEIPT_BYTES: usize = 256 * 1024;
/// What is looked through for them at a time.
const LOOK: u32 = 256;
const LOOK_BYTES: usize = 256 * 1024;

/// What a client missed.
pub(crate) enum CatchUp {
    /// All of it is at hand.
    Recent(Vec<Arc<Envelope>>),
    Older(Box<Replay>),
}

impl CatchUp {
    pub fn older(replay: Replay) -> Self {
        Self::Older(Box::new(replay))
    }
}

/// Still to be read from the store.
pub(crate) struct Replay {
    pub house: Arc<House>,
    pub session: SessionId,
    pub user: UserId,
    pub now: Timestamp,
    /// What comes behind it: the last events, and where the session stands then.
    pub then: Vec<Arc<Envelope>>,
    /// Everything there is, but for the messages: of the moment it joined.
    pub whole: Box<Envelope>,
    pub part: Part,
}

/// What is to be read.
pub(crate) enum Part {
    /// Kept events after a number and up to another. `is_begun` once some were told.
    Kept { after: u64, until: u64, is_begun: bool },
    /// Everything.
    Whole,
}

/// A piece of it, and what comes behind it.
pub(crate) struct Page {
    pub events: Vec<Arc<Envelope>>,
    pub rest: Option<Box<Replay>>,
}

impl Replay {
    pub async fn page(mut self: Box<Self>) -> Result<Page, StoreError> {
        let house = Arc::clone(&self.house);
        let _place = house.pasts.take(self.user).await;
        let Part::Kept { after, until, is_begun } = self.part else {
            return Ok(Page { events: vec![self.everything().await?], rest: None });
        };
        let mut page = house.store.page(self.session, after, PAGE, PAGE_BYTES).await?;
        if !is_begun && self.is_too_far(&page, after).await? {
            self.lose(Lost::TooOld);
            return Ok(Page { events: vec![self.everything().await?], rest: None });
        }
        page.retain(|envelope| envelope.seq.is_some_and(|seq| seq <= until));
        let last = page.last().and_then(|envelope| envelope.seq);
        let mut events: Vec<_> = page.into_iter().map(Arc::new).collect();
        match last {
            Some(after) if after < until => {
                self.part = Part::Kept { after, until, is_begun: true };
                Ok(Page { events, rest: Some(self) })
            }
            _ => {
                events.append(&mut self.then);
                Ok(Page { events, rest: None })
            }
        }
    }

    async fn is_too_far(&self, first: &[Envelope], after: u64) -> Result<bool, StoreError> {
        let Some(oldest) = first.first() else { return Ok(false) };
        let longest = SignedDuration::from_hours(REPLAY_HOURS.into());
        if self.now.duration_since(oldest.ts) > longest {
            return Ok(true);
        }
        let missed = self.house.store.count(self.session, after, REPLAY_EVENTS + 1).await?;
        Ok(missed > REPLAY_EVENTS)
    }

    fn lose(&mut self, reason: Lost) {
        metrics::counter!("sayso_returns_anew_total").increment(1);
        if let Event::Resynced(snapshot) = &mut self.whole.event {
            snapshot.reason = reason;
        }
    }

    async fn everything(&mut self) -> Result<Arc<Envelope>, StoreError> {
        if let Event::Resynced(snapshot) = &mut self.whole.event {
            let until = snapshot.standing.last_seq;
            let said = self.house.store.messages(self.session, until, MESSAGES + 1).await?;
            fill(snapshot, &said);
            let from = said.len().saturating_sub(MESSAGES as usize);
            let from = said.get(from).and_then(|first| first.seq);
            snapshot.settled_confirmations = match from {
                Some(from) => receipts(&self.house, self.session, from, until).await?,
                None => Vec::new(),
            };
            let jobs = self.house.store.open_jobs(self.user).await?;
            let of_session = jobs.iter().filter(|job| job.session == self.session);
            snapshot.running_jobs = of_session.filter_map(running).collect();
        }
        Ok(Arc::new(Envelope::clone(&self.whole)))
    }
}

/// What became of the cards between two numbers.
async fn receipts(
    house: &House,
    session: SessionId,
    from: u64,
    until: u64,
) -> Result<Vec<Settled>, StoreError> {
    let mut told = Vec::new();
    let mut after = from.saturating_sub(1);
    while after < until {
        let page = house.store.page(session, after, LOOK, LOOK_BYTES).await?;
        let Some(last) = page.last().and_then(|envelope| envelope.seq) else { break };
        after = last;
        told.extend(
            page.into_iter().filter(|one| {
                one.seq.is_some_and(|seq| seq <= until) && is_about_a_card(&one.event)
            }),
        );
    }
    let mut settled = settled(&told);
    let mut room = RECEIPT_BYTES;
    let is_in = |card: &&Settled| {
        let length = serde_json::to_string(card).map_or(usize::MAX, |text| text.len());
        let left = room.checked_sub(length);
        room = left.unwrap_or(0);
        left.is_some()
    };
    let newest = settled.iter().rev().take(RECEIPTS).take_while(is_in).count();
    settled.drain(..settled.len() - newest);
    Ok(settled)
}

fn is_about_a_card(event: &Event) -> bool {
    matches!(
        event,
        Event::AskedToConfirm(_)
            | Event::QuestionChanged(_)
            | Event::Answered { .. }
            | Event::WentUnanswered { .. }
            | Event::ToolRequested { confirmation_request_id: Some(_), .. }
            | Event::ToolReturned { state: Some(_), .. }
    )
}

/// Long work that goes on, as it stands.
fn running(job: &Job) -> Option<RunningJob> {
    let is_told = job.lane == Lane::Work && job.state != JobState::Held;
    is_told.then(|| RunningJob {
        job_id: job.id,
        progress: job.progress,
        message: job.message.clone(),
    })
}

/// Puts what was said before the bubble that still grows.
fn fill(snapshot: &mut Snapshot, said: &[Envelope]) {
    let spare = said.len().saturating_sub(MESSAGES as usize);
    snapshot.has_more = spare > 0;
    let said = said[spare..].iter().filter_map(bubble);
    snapshot.messages.splice(0..0, said);
}

/// A message as it is kept.
pub fn bubble(envelope: &Envelope) -> Option<Bubble> {
    let (text, attachments) = match &envelope.event {
        Event::Heard { text, attachments, .. } => (text, attachments.clone()),
        Event::Said { text } => (text, Vec::new()),
        _ => return None,
    };
    Some(Bubble {
        message_id: envelope.message_id?,
        turn_id: envelope.turn_id,
        role: envelope.role,
        text: text.clone(),
        ts: envelope.ts,
        partial: false,
        attachments,
    })
}
