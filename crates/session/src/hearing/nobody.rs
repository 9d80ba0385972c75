//! What was heard and nobody said to us: sounds of listening, ourselves, and what ears
//! make of what is left of our voice.

use std::time::Duration;

use speech::barge::is_meant;
use speech::ear::Utterance;

use super::{Over, Utter};
use crate::actor::Actor;
use crate::inbox::refusal;

/// Our own voice may come back so much later.
const ECHO_WITHIN: Duration = Duration::from_secs(3);
/// What a room, a network and a filter make of our voice is over after this.
const RINGS_ON: Duration = Duration::from_millis(1_500);
/// Words that are all as unlikely as this are nobody's.
const MADE_UP: f32 = 0.05;
/// So few of our own words are as likely an answer.
const FEW_WORDS: usize = 3;

impl Actor {
    /// They are listening; or it is ourselves; or nothing at all.
    pub(super) fn is_for_nobody(&self, uttered: &Utter, heard: &Utterance, text: &str) -> bool {
        let is_nod = uttered.over != Over::Silence && !is_meant(&heard.words, heard.confidence);
        is_nod || self.is_echo_of_us(uttered, text) || is_made_up(uttered, heard)
    }

    /// No words are left of what somebody said. Where some stood on the screen, whoever said
    /// them waits for an answer and learns that there is none.
    pub(super) fn no_words_left(&mut self, uttered: &Utter) {
        self.was_nobody(uttered, "no words");
        let client = self.hears.ear.as_ref().map(|ear| ear.client);
        if let Some(client) = client.filter(|_| uttered.turn.is_some()) {
            let message = "no words were left of what was heard";
            self.reply(client, refusal("no_speech", message, "I didn't catch that.", None));
        }
    }

    /// Nobody said anything to us. Where we fell silent for it we go on, unless somebody
    /// else is speaking by now.
    pub(super) fn was_nobody(&mut self, uttered: &Utter, reason: &str) {
        self.not_for_us(uttered.utterance);
        if let Some(turn) = uttered.turn {
            self.end_listening(turn, reason);
        }
        if uttered.over == Over::UsCutOff && self.hears.uttered.is_empty() && self.is_aloud() {
            self.voice.go_on();
        }
    }

    /// What is heard while we speak or soon afterwards, and consists of our own words.
    /// A name or two may be an answer; a room that is late says whole sentences again, and
    /// parts of them word for word where nothing was asked.
    fn is_echo_of_us(&self, uttered: &Utter, text: &str) -> bool {
        let client = self.hears.ear.as_ref().map(|ear| ear.client);
        let is_soon = uttered.after_voice.is_some_and(|after| after < ECHO_WITHIN);
        if !is_soon || client.is_some_and(|client| self.clients.cancels_echo(client)) {
            return false;
        }
        let is_asked = self.asks_last || self.rows.open_cards().next().is_some();
        let rings = uttered.after_voice.is_some_and(|after| after < RINGS_ON);
        if rings && !is_asked && speech::echo::is_run(text, self.voice.lately()) {
            return true;
        }
        let (few, share) = if uttered.is_surely_theirs { (FEW_WORDS, 0.8) } else { (0, 0.5) };
        text.split_whitespace().count() > few
            && speech::echo::overlap(text, self.voice.lately()) >= share
    }
}

/// Hardly any of it is likely, and we were just heard ourselves: ears make words of what is
/// left of a voice. Somebody who speaks softly into silence, or whose voice is surely not
/// ours, is not meant.
fn is_made_up(uttered: &Utter, utterance: &Utterance) -> bool {
    let is_soon = uttered.after_voice.is_some_and(|after| after < RINGS_ON);
    is_soon
        && !uttered.is_surely_theirs
        && utterance.confidence < MADE_UP
        && utterance.likelihood.is_mumble()
}
