//! Two tasks of a voice: one turns text into sound, a little ahead; one hands the sound
//! out at the pace it is played.

use std::time::Duration;

use brain::MessageId;
use models::Tier;
use models::planner::withheld;
use speech::pcm::Format;
use speech::resample::{EARS_RATE, Resampler, VOICE_RATE};
use speech::tts::{Chunk, Clause, Clauses, Sound};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::{AHEAD, Listener, Order, Spoke, Words, lock};
use crate::actor::Note;
use crate::house::House;
use crate::senses::StandIn;
use crate::shell::{self, Wire};

pub(super) struct Piece {
    round: u64,
    message: MessageId,
    what: Part,
}

enum Part {
    Begin,
    Sound(Chunk),
    End,
}

/// Turns text into sound, a clause at a time.
pub(super) async fn make(
    Listener { house, user, wire }: Listener,
    mut orders: mpsc::UnboundedReceiver<Order>,
    ready: mpsc::Sender<Piece>,
    rounds: watch::Receiver<u64>,
    notes: mpsc::Sender<Note>,
) {
    let mut told = StandIn::voice();
    let mut clauses = Clauses::default();
    let mut current: Option<(u64, MessageId)> = None;
    // What announces a secret may be said before it.
    let mut before = String::new();
    while let Some(order) = orders.recv().await {
        let Order { round, message, speech, from, words } = order;
        let (to_say, is_last) = match words {
            Words::More(text) => {
                if current != Some((round, message)) {
                    (clauses, current) = (Clauses::behind(from), Some((round, message)));
                    before.clear();
                    let begin = Piece { round, message, what: Part::Begin };
                    if ready.send(begin).await.is_err() {
                        return;
                    }
                }
                (clauses.push(&text), false)
            }
            Words::All => {
                // Said once more, it begins once more.
                current = None;
                (clauses.finish(), true)
            }
        };
        for clause in to_say {
            if *rounds.borrow() != round {
                break;
            }
            // Each time anew: what was just told is heard in the answer already.
            let manner = house.manners.manner(user).await;
            let begins_ms = lock(&speech).duration_ms();
            let is_wanted = || *rounds.borrow() == round;
            let stays = withheld::tells_secret(&before, &clause.text);
            withheld::say_behind(&mut before, &clause.text);
            let said = said((&clause, stays), &manner, &house, wire.as_ref(), is_wanted).await;
            let Some((sound, piece)) = said else { break };
            if let Some((wire, piece)) = wire.as_ref().zip(piece) {
                wire.voiced(message, begins_ms, piece);
            }
            if !sound.stood_in {
                told.is_back();
            }
            if let Some(event) = told.once(sound.stood_in) {
                // Without an owner there is nobody to tell.
                let _ = notes.send(Note::TellAll(Box::new(event))).await;
            }
            let chunks = lock(&speech).add(&clause, &sound);
            for chunk in chunks {
                let piece = Piece { round, message, what: Part::Sound(chunk) };
                if ready.send(piece).await.is_err() {
                    return;
                }
            }
        }
        if is_last {
            let rest = lock(&speech).finish();
            let rest = rest.into_iter().map(Part::Sound).chain([Part::End]);
            for what in rest {
                if ready.send(Piece { round, message, what }).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// A clause as sound: of whoever speaks for us while they are well, or else our own.
/// Nothing where nobody wants it any more. What `stays` is told to nobody elsewhere.
async fn said(
    (clause, stays): (&Clause, bool),
    manner: &tools::local::Manner,
    house: &House,
    wire: Option<&Wire>,
    is_wanted: impl Fn() -> bool,
) -> Option<(Sound, Option<shell::Piece>)> {
    // Whoever wants to be spoken to at a pace of their own is.
    let wire = wire.filter(|_| manner.percent.is_none_or(|percent| percent == 100));
    // Where nobody talks our own voice stands in for nobody.
    let wire = wire.filter(|wire| !wire.is_asleep());
    let mut stands_in = false;
    if let Some(wire) = wire {
        let stays = stays && house.live.as_ref().is_some_and(|live| live.tier == Tier::Cloud);
        let said = wire.say(clause, manner, stays).await;
        if said.is_some() || !is_wanted() {
            return said;
        }
        let why = if stays { "withheld" } else { "unspoken" };
        metrics::counter!("sayso_live_fallbacks_total", "what" => "voice", "why" => why)
            .increment(1);
        // It is well, and was not asked.
        stands_in = !stays;
    }
    let speaking = house.senses.speaking.as_ref()?;
    let sound = speaking.say(clause, manner, stays).await.unwrap_or_else(|error| {
        // It can still be read.
        tracing::error!(%error, "a sentence could not be spoken");
        metrics::counter!("sayso_speech_failures_total").increment(1);
        Sound::default()
    });
    Some((Sound { stood_in: sound.stood_in || stands_in, ..sound }, None))
}

/// Hands sound out when it is due.
pub(super) async fn pace(
    mut due: mpsc::Receiver<Piece>,
    mut rounds: watch::Receiver<u64>,
    notes: mpsc::Sender<Note>,
) {
    let mut began: Option<Instant> = None;
    let mut ends = Instant::now();
    let mut ears = Resampler::new(VOICE_RATE, EARS_RATE);
    while let Some(Piece { round, message, what }) = due.recv().await {
        let wait_until = match &what {
            Part::Begin => {
                began = None;
                ears = Resampler::new(VOICE_RATE, EARS_RATE);
                None
            }
            Part::Sound(chunk) => {
                let now = Instant::now();
                let start = Duration::from_millis(chunk.start_ms);
                // Behind what is still being played; a voice that is late moves the rest.
                let begin = *began.get_or_insert(now.max(ends));
                if begin + start < now {
                    began = now.checked_sub(start);
                }
                let at = began.unwrap_or(now) + start;
                ends = at + Duration::from_millis(chunk.duration_ms);
                Some(at.checked_sub(AHEAD).unwrap_or(at))
            }
            Part::End => Some(ends),
        };
        if let Some(moment) = wait_until
            && *rounds.borrow_and_update() == round
        {
            tokio::select! {
                () = tokio::time::sleep_until(moment) => {}
                _ = rounds.changed() => {}
            }
        }
        if *rounds.borrow_and_update() != round {
            // Nobody waits for the end of what was broken off.
            ends = Instant::now();
            continue;
        }
        let spoke = match what {
            Part::Begin => Spoke::Began,
            Part::Sound(chunk) => {
                let samples = Format::mono(VOICE_RATE).and_then(|it| it.samples(&chunk.pcm));
                let reference = ears.push(&samples.unwrap_or_default());
                Spoke::Sound { chunk, reference }
            }
            Part::End => Spoke::Ended,
        };
        let note = Note::Spoke { message, round, spoke };
        if notes.send(note).await.is_err() {
            return;
        }
    }
}
