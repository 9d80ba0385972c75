//! Ears and a voice, shared by all sessions.
//!
//! Models take whole processor cores for moments at a time, so how many are asked
//! at once is limited here: what somebody waits for goes before what is only shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use brain::Event;
use brain::facts::SaidLike;
use speech::ear::{Done, Task};
use speech::endpoint::Patience;
use speech::engine::Unavailable;
use speech::stt::Recogniser;
use speech::tts::{Clause, Manner, Pronunciation, Sound, Voice};
use speech::vad::Listener;
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

use crate::inbox::refusal;
use crate::waiting_room::WaitingRoom;

/// A model that has not answered by then has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// So often at most people are told that somebody stands in.
const TELL_AGAIN: Duration = Duration::from_mins(1);

/// What sessions hear and speak with; each may be missing.
#[derive(Default)]
pub struct Senses {
    pub hearing: Option<Hearing>,
    pub speaking: Option<Speaking>,
}

/// What it takes to hear.
pub struct Hearing {
    pub listener: Arc<dyn Listener>,
    recogniser: Arc<dyn Recogniser>,
    pub patience: Patience,
    /// Who speaks right now, in all sessions.
    speakers: Arc<AtomicUsize>,
    finals: WaitingRoom,
    partials: Arc<Semaphore>,
    /// How many are being heard for good, or wait for it.
    urgent: watch::Sender<usize>,
}

/// What it takes to speak.
pub struct Speaking {
    voice: Arc<dyn Voice>,
    manner: Manner,
    sayings: Semaphore,
}

/// Whether a person knows that the ears or the voice they chose are away, and that the
/// built-in ones stand in for them. They are told once each time: it changes nothing they
/// could do.
pub(crate) struct StandIn {
    code: &'static str,
    message: &'static str,
    user_message: &'static str,
    told: Option<Instant>,
}

impl StandIn {
    pub fn ears() -> Self {
        Self {
            code: "backup_ears",
            message: "the transcription service failed; the built-in ears hear until it is back",
            user_message: "I'm using my backup ears for now.",
            told: None,
        }
    }

    pub fn voice() -> Self {
        Self {
            code: "backup_voice",
            message: "the voice service failed; the built-in voice speaks until it is back",
            user_message: "I'm using my backup voice for now.",
            told: None,
        }
    }

    /// Whoever was chosen does it again; next time people are told anew, unless that comes
    /// and goes.
    pub fn is_back(&mut self) {
        self.told = self.told.filter(|told| told.elapsed() < TELL_AGAIN);
    }

    /// What to tell them, the first time that it happens.
    pub fn once(&mut self, stood_in: bool) -> Option<Event> {
        if !stood_in || self.told.is_some() {
            return None;
        }
        self.told = Some(Instant::now());
        Some(refusal(self.code, self.message, self.user_message, None))
    }
}

/// Somebody speaks until this is dropped.
pub(crate) struct Speaker(Arc<AtomicUsize>);

impl Drop for Speaker {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Hearing {
    pub fn new(
        listener: Arc<dyn Listener>,
        recogniser: Arc<dyn Recogniser>,
        patience: Patience,
    ) -> Self {
        let cores = cores();
        Self {
            listener,
            recogniser,
            patience,
            speakers: Arc::default(),
            finals: WaitingRoom::new(cores),
            // A core is left to those who wait for their answer.
            partials: Arc::new(Semaphore::new((cores - 1).max(1))),
            urgent: watch::Sender::new(0),
        }
    }

    pub(crate) fn speaker(&self) -> Speaker {
        self.speakers.fetch_add(1, Ordering::Relaxed);
        Speaker(Arc::clone(&self.speakers))
    }

    /// How many speakers share a core.
    pub(crate) fn speakers_a_core(&self) -> u64 {
        let speakers = self.speakers.load(Ordering::Relaxed);
        speakers.div_ceil(cores()).max(1) as u64
    }

    /// Recognises on a thread that may wait; says how many milliseconds that took.
    pub(crate) async fn recognise(&self, task: Task) -> (Done, u64) {
        if task.is_urgent() {
            let _urgent = Urgent::new(&self.urgent);
            let waits = task.clone();
            let _place = self.finals.place(move || waits.is_awaited()).await;
            return self.run(task).await;
        }
        let place = Arc::clone(&self.partials).acquire_owned().await;
        let cores = cores();
        // What is only shown waits while every core is taken by what somebody waits for.
        // It ends when its sender does, and that is us.
        let _ = self.urgent.subscribe().wait_for(|urgent| *urgent < cores).await;
        let (done, took) = self.run(task).await;
        let rest = rest_behind(took, self.speakers_a_core());
        if !rest.is_zero() {
            // Its place stays taken for a while; who asked has the words already.
            tokio::spawn(async move {
                tokio::time::sleep(rest).await;
                drop(place);
            });
        }
        (done, took)
    }

    async fn run(&self, task: Task) -> (Done, u64) {
        if !task.is_wanted() {
            return (task.lost("nobody wants to know any more"), 0);
        }
        let (recogniser, begun) = (Arc::clone(&self.recogniser), Instant::now());
        let again = task.clone();
        let done = tokio::task::spawn_blocking(move || task.run(&*recogniser));
        let done = match tokio::time::timeout(PATIENCE, done).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => again.lost("it broke down"),
            Err(_) => again.lost("it took too long"),
        };
        (done, u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}

/// How long nothing else is recognised only to be shown, where that took so long: the more
/// people share a core, the more of it is left to those who are done speaking. Nobody waits
/// where few speak; fifteen get a fifth of it.
fn rest_behind(took_ms: u64, speakers_a_core: u64) -> Duration {
    const FEW: u64 = 3;
    const MOST: u64 = 12;
    let crowd = speakers_a_core.saturating_sub(FEW).min(MOST);
    Duration::from_millis(took_ms * crowd / 3)
}

/// Somebody waits for an answer until this is dropped.
struct Urgent<'a>(&'a watch::Sender<usize>);

impl<'a> Urgent<'a> {
    fn new(all: &'a watch::Sender<usize>) -> Self {
        all.send_modify(|urgent| *urgent += 1);
        Self(all)
    }
}

impl Drop for Urgent<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|urgent| *urgent -= 1);
    }
}

impl Speaking {
    pub fn new(voice: Arc<dyn Voice>, manner: Manner) -> Self {
        Self { voice, manner, sayings: Semaphore::new(cores()) }
    }

    /// How somebody is spoken to who told us this.
    fn manner(&self, told: &tools::local::Manner) -> Manner {
        let mut manner = self.manner.clone();
        if let Some(percent) = told.percent {
            manner.speed = f32::from(percent) / 100.0;
        }
        for SaidLike { word, like } in &told.names {
            manner.pronunciations.set(word, Pronunciation::Like(like.clone()));
        }
        manner
    }

    /// Speaks on a thread that may wait; with `stays` nobody elsewhere is told what. Nothing
    /// where the voice broke down.
    pub(crate) async fn say(
        &self,
        clause: &Clause,
        told: &tools::local::Manner,
        stays: bool,
    ) -> Result<Sound, Unavailable> {
        let Ok(_place) = self.sayings.acquire().await else { return Ok(Sound::default()) };
        let (voice, clause, manner) = (Arc::clone(&self.voice), clause.clone(), self.manner(told));
        let said = tokio::task::spawn_blocking(move || {
            if stays { voice.say_here(&clause, &manner) } else { voice.say(&clause, &manner) }
        });
        // One that hangs or breaks down says nothing; it can still be read.
        match tokio::time::timeout(PATIENCE, said).await {
            Ok(Ok(said)) => said,
            Ok(Err(_)) | Err(_) => Ok(Sound::default()),
        }
    }
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_shown_leaves_more_of_a_core_the_more_people_speak() {
        let rests = [1, 3, 7, 15, 100].map(|speakers| rest_behind(100, speakers).as_millis());
        assert_eq!(rests, [0, 0, 133, 400, 400]);
    }
}
