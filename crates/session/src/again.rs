//! A message is heard once more, or the rest of it: the same kept text, said by the voice
//! of today.
//!
//! Nothing is done for it, nothing is written down and no turn begins. One listener
//! alone hears it, the one who asked. What is new is said behind it; whoever wants
//! something else said, talks or types breaks it off like anything that is said.

use std::sync::Arc;

use brain::{Envelope, Event, MessageId};
use store::StoreError;

use crate::actor::{Actor, Note};
use crate::clients::ClientId;
use crate::inbox::refusal;
use crate::names::Frame;
use crate::voice::{Passage, Telling};

/// Something that somebody wants to hear once more.
pub(crate) struct Again {
    client: ClientId,
    event_id: Option<String>,
    message: MessageId,
    /// So much of it was heard already.
    from_chars: usize,
    /// As it was told the first time; nothing, where it was not told here.
    told: Result<Option<Envelope>, StoreError>,
}

impl Actor {
    /// Somebody pressed "hear it again", or pressed it a second time to stop it.
    pub(crate) fn on_replay(
        &mut self,
        client: ClientId,
        frame: Option<&Frame>,
        message: MessageId,
        from_chars: usize,
    ) {
        let event_id = frame.map(|frame| frame.name.clone());
        if self.house.senses.speaking.is_none() {
            let mute = refusal(
                "speech_unavailable",
                "this server has no voice; `make assets` fetches one",
                "I can't speak here.",
                event_id,
            );
            return self.reply(client, mute);
        }
        if let Some(frame) = frame {
            // Sent once more by a client that was not sure, it would stop what it began.
            self.names.add(frame, self.house.clock.now());
        }
        if self.stops(message) {
            return;
        }
        let (store, session) = (Arc::clone(&self.house.store), self.session);
        let notes = self.notes.clone();
        tokio::spawn(async move {
            let told = store.said(session, message).await;
            let again = Again { client, event_id, message, from_chars, told };
            // Without an owner there is nobody to say it.
            let _ = notes.send(Note::Again(Box::new(again))).await;
        });
    }

    pub(crate) fn repeat(&mut self, again: Again) {
        let Again { client, event_id, message, from_chars, told } = again;
        let told = match told {
            Ok(told) => told,
            Err(error) => {
                tracing::error!(session_id = %self.session, %error, "a message cannot be read");
                let away = refusal(
                    "store_unavailable",
                    "the message could not be read; try again",
                    "I can't look that up right now. Please try again.",
                    event_id,
                );
                return self.reply(client, away);
            }
        };
        let told = told.and_then(|told| match told.event {
            Event::Said { text } => Some((told.turn_id?, text)),
            _ => None,
        });
        let Some((turn, text)) = told else {
            let unknown = refusal(
                "unknown_message",
                "no such message was said in this session",
                "I don't have that message here.",
                event_id,
            );
            return self.reply(client, unknown);
        };
        if !self.clients.ids().contains(&client) {
            return;
        }
        // Pressed twice before it was found.
        if self.stops(message) {
            return;
        }
        self.cut_in(None, None);
        self.next();
        // Whatever it asks, a bare yes may be about that from now on.
        self.hears.said_since_question = true;
        self.view.says_again(message);
        let listener = self.listener();
        let passage = Passage::of(message, turn, text, from_chars);
        self.voice.repeat(passage, client, &listener, &self.notes);
    }

    /// Whether it was being said; then it is not any more.
    fn stops(&mut self, message: MessageId) -> bool {
        match self.voice.says(message) {
            None => return false,
            Some(Telling::First) => {
                self.cut_in(None, None);
            }
            Some(Telling::Again) => self.skip(),
        }
        self.next();
        true
    }

    /// What is said once more is broken off; what was to come behind it comes now.
    fn skip(&mut self) {
        if let Some(broken_off) = self.voice.skip(None) {
            self.broke_off(broken_off);
        }
    }

    /// Who asked for it is gone.
    pub(crate) fn stop_repeating_to(&mut self, client: ClientId) {
        if self.voice.repeats_to() == Some(client) {
            self.skip();
        }
    }
}
