//! The microphones of a session: whose sound is taken in, and what is refused.
//!
//! One device is listened to at a time. What is heard in its sound is told to `hearing`.

use std::time::Duration;

use brain::input::{Hello, Sound, TurnMode};
use speech::pcm::Format;

use crate::actor::Actor;
use crate::clients::ClientId;
use crate::ears::{Desk, Lane};
use crate::inbox::refusal;

/// Whoever has been silent so long gives the microphone away.
const FREE_AFTER: Duration = Duration::from_secs(2);

impl Actor {
    pub(crate) fn on_sound(&mut self, client: ClientId, event_id: Option<String>, sound: Sound) {
        if self.house.senses.hearing.is_none() {
            if !self.clients.tell_deaf(client) {
                let deaf = refusal(
                    "speech_unavailable",
                    "this server has no ears; `make assets` fetches them. Send text.input",
                    "I can't hear here. Please type.",
                    event_id,
                );
                self.reply(client, deaf);
            }
            return;
        }
        self.clients.sends_sound(client);
        let is_taken = self.hears.ear.as_ref().is_some_and(|ear| {
            ear.client != client
                && (!self.hears.uttered.is_empty() || ear.last_sound.elapsed() < FREE_AFTER)
        });
        if is_taken {
            if !self.clients.tell_deaf(client) {
                let busy = refusal(
                    "microphone_busy",
                    "another device of this session is being listened to",
                    "I'm listening to your other device.",
                    event_id,
                );
                self.reply(client, busy);
            }
            return;
        }
        if !self.hears.ear.as_ref().is_some_and(|ear| ear.takes(client, &sound)) {
            // Before anything is dropped: one bad frame does not end what is being said.
            let format = match Format::new(sound.sample_rate_hz, sound.channels) {
                Ok(format) => format,
                Err(error) => {
                    // Every frame is of that kind; once is enough.
                    if self.clients.refuses(client, &sound) {
                        let (because, told) =
                            (error.to_string(), "I can't hear sound of that kind.");
                        self.reply(client, refusal("bad_audio", &because, told, event_id));
                    }
                    return;
                }
            };
            self.clients.takes(client);
            self.drop_what_is_said();
            self.hears.ears += 1;
            let hello = self.clients.hello(client);
            let cancels_echo = self.clients.cancels_echo(client);
            let hello = Hello { cancels_echo, ..hello };
            let senses = &self.house.senses;
            let played = self.loudspeaker.played();
            let wire = self.shell.as_ref().map(|shell| shell.wire().clone());
            if let Some(wire) = &wire {
                wire.wake();
            }
            let desk = Desk { ear: self.hears.ears, notes: self.notes.clone(), wire };
            self.hears.ear = Some(Lane::open(client, format, hello, played, senses, desk));
        }
        let is_kept = self.hears.ear.as_mut().is_none_or(|ear| ear.hear(sound));
        if !is_kept {
            // Half a sentence is none.
            self.drop_what_is_said();
        }
        if !is_kept && !self.clients.tell_deaf(client) {
            let too_fast = refusal(
                "audio_too_fast",
                "sound comes faster than it can be heard; some of it was dropped",
                "I can't keep up with that much sound.",
                event_id,
            );
            self.reply(client, too_fast);
        }
    }

    pub(crate) fn on_sound_end(&mut self, client: ClientId) {
        self.clients.stopped_speaking(client);
        if let Some(ear) = self.hears.ear.as_ref().filter(|ear| ear.client == client) {
            ear.end();
        }
    }

    /// A page may change its mind while its microphone is open.
    pub(crate) fn listen_as_told(&self, client: ClientId, mode: TurnMode) {
        if let Some(ear) = self.hears.ear.as_ref().filter(|ear| ear.client == client) {
            ear.mode(mode);
        }
    }

    /// Its microphone is gone.
    pub(crate) fn stop_listening_to(&mut self, client: ClientId) {
        if self.hears.ear.as_ref().is_some_and(|ear| ear.client == client) {
            self.drop_what_is_said();
            self.hears.ear = None;
        }
    }
}
