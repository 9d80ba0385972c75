//! The way to a session's ear: sound and orders go in, and nobody waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use brain::input::{Hello, Sound, TurnMode};
use speech::echo::Guard;
use speech::pcm::Format;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Desk, Order, guard, length_ms, listen};
use crate::clients::ClientId;
use crate::loudspeaker::Played;
use crate::senses::Senses;

/// Sound that may wait for the ear; what is beyond is dropped.
const MOST_WAITING_MS: u64 = 10_000;

/// The way to a session's ear.
pub(crate) struct Lane {
    /// Whose microphone it is.
    pub client: ClientId,
    /// Tells reports of this ear from those of one before it.
    pub ear: u64,
    format: Format,
    orders: mpsc::UnboundedSender<Order>,
    waiting_ms: Arc<AtomicU64>,
    /// When sound came last.
    pub last_sound: Instant,
}

impl Lane {
    /// Opens an ear for this kind of sound; `played` is what we said ourselves a
    /// moment ago, and `hello` what its client says of itself.
    pub fn open(
        client: ClientId,
        format: Format,
        hello: Hello,
        played: Option<Played>,
        senses: &Arc<Senses>,
        desk: Desk,
    ) -> Self {
        let (orders, inbox) = mpsc::unbounded_channel();
        let waiting_ms = Arc::<AtomicU64>::default();
        let waiting = Arc::clone(&waiting_ms);
        let guard = played.filter(|_| !hello.cancels_echo).map_or_else(Guard::default, guard);
        let ear = desk.ear;
        tokio::spawn(listen(Arc::clone(senses), format, hello, guard, inbox, waiting, desk));
        let last_sound = Instant::now();
        Self { client, ear, format, orders, waiting_ms, last_sound }
    }

    /// Whether it can hear this; another kind of sound needs another ear.
    pub fn takes(&self, client: ClientId, sound: &Sound) -> bool {
        let kind = (self.format.rate(), self.format.channels());
        self.client == client && kind == (sound.sample_rate_hz, sound.channels)
    }

    /// Takes sound in; false where there is too much of it.
    pub fn hear(&mut self, sound: Sound) -> bool {
        self.last_sound = Instant::now();
        let ms = length_ms(&sound);
        if self.waiting_ms.load(Ordering::Relaxed) + ms > MOST_WAITING_MS {
            metrics::counter!("sayso_audio_dropped_ms_total").increment(ms);
            return false;
        }
        self.waiting_ms.fetch_add(ms, Ordering::Relaxed);
        self.tell(Order::Sound(sound, self.last_sound));
        true
    }

    pub fn end(&self) {
        self.tell(Order::End);
    }

    /// Who decides when somebody is done.
    pub fn mode(&self, mode: TurnMode) {
        self.tell(Order::Mode(mode));
    }

    pub fn asked(&self, asked: bool) {
        self.tell(Order::Asked(asked));
    }

    pub fn drop_utterance(&self) {
        self.tell(Order::Drop);
    }

    pub fn playing(&self, samples: Vec<f32>, is_cancelled: bool) {
        let at = Instant::now();
        self.tell(Order::Playing { samples, is_cancelled, at });
    }

    pub fn silent(&self) {
        self.tell(Order::Silent);
    }

    fn tell(&self, order: Order) {
        // It lives as long as this lane.
        let _ = self.orders.send(order);
    }
}
