//! Plays a file into a conversation, as fast as somebody would speak it.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use brain::{Envelope, Event};
use tokio::time::{Interval, MissedTickBehavior};

use crate::cli::recording::{self, Recording};
use crate::client::Client;

const FRAME_MS: u32 = 100;

/// A file that is being spoken.
pub struct Playing {
    recording: Recording,
    at: usize,
    has_ended: bool,
    every: Interval,
}

impl Playing {
    pub async fn begin(path: &Path, client: &mut Client, saves: bool) -> anyhow::Result<Self> {
        let recording = Recording::read(path)?;
        client.hello(recording.rate, recording.channels, saves).await?;
        let mut every = tokio::time::interval(Duration::from_millis(FRAME_MS.into()));
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Self { recording, at: 0, has_ended: false, every })
    }

    /// The next event, while the file goes on being spoken.
    pub async fn next(&mut self, client: &mut Client) -> anyhow::Result<Envelope> {
        loop {
            tokio::select! {
                envelope = client.next() => return envelope,
                _ = self.every.tick(), if !self.has_ended => self.go_on(client).await?,
            }
        }
    }

    async fn go_on(&mut self, client: &mut Client) -> anyhow::Result<()> {
        let end = (self.at + self.recording.bytes_of(FRAME_MS)).min(self.recording.bytes.len());
        if self.at == end {
            self.has_ended = true;
            return client.sound_ends().await;
        }
        client.sound(&self.recording.bytes[self.at..end]).await?;
        self.at = end;
        Ok(())
    }
}

/// The voice of the answer, as far as it came.
#[derive(Default)]
pub struct Voice {
    rate: u32,
    bytes: Vec<u8>,
    is_speaking: bool,
}

impl Voice {
    pub fn is_speaking(&self) -> bool {
        self.is_speaking
    }

    /// Nothing was spoken so far.
    pub fn is_silent(&self) -> bool {
        self.rate == 0
    }

    pub fn take(&mut self, event: &Event) {
        match event {
            Event::SoundBegan { sample_rate, .. } => {
                (self.rate, self.is_speaking) = (*sample_rate, true);
            }
            Event::SoundEnded { .. } => self.is_speaking = false,
            Event::Sounded { pcm16_b64, .. } => {
                self.bytes.extend(BASE64.decode(pcm16_b64).unwrap_or_default());
            }
            _ => {}
        }
    }

    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        if self.bytes.is_empty() {
            bail!("nothing was spoken, so {} was not written", path.display());
        }
        recording::write(path, self.rate, &self.bytes)
    }
}
