//! Talking over each other: first softer, then silent.
//!
//! At the first sign of speech the assistant lowers its voice. It stops only for
//! somebody who goes on, or says two words; "mhm" and "okay" are listening, not
//! interrupting. Whatever a finger does counts at once and needs no policy.

/// Speech that lasts this long means it.
pub const CANCEL_MS: u64 = 250;
/// Silence after which a voice that was lowered is raised again.
pub const RAISE_MS: u64 = 400;
/// A back-channel is given this long to turn into something else.
const BACK_CHANNEL_MS: u64 = 700;

/// What people say to show that they listen.
const BACK_CHANNELS: [&str; 26] = [
    "mhm", "mm", "mmm", "mm-hmm", "mmhmm", "hm", "hmm", "uh-huh", "uhhuh", "uh", "um", "ah", "oh",
    "okay", "ok", "yeah", "yep", "yup", "right", "sure", "nice", "great", "cool", "wow", "aha",
    "ha",
];

/// What the mouth is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barge {
    /// Speak softly.
    Duck,
    /// It was nothing: as loud as before.
    Raise,
    /// Be silent; the person has the floor.
    Cancel,
}

/// One stretch of the assistant speaking. Made when it begins to.
#[derive(Clone, Debug, Default)]
pub struct Interruption {
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Loud,
    Ducked {
        speech_ms: u64,
        quiet_ms: u64,
        back_channel: bool,
    },
    Cancelled,
}

impl Interruption {
    /// A frame of the microphone while the assistant speaks. `speech` is what is
    /// left after our own echo was taken out.
    pub fn frame(&mut self, frame_ms: u64, speech: bool) -> Option<Barge> {
        match self.state {
            State::Loud if speech => {
                self.state =
                    State::Ducked { speech_ms: frame_ms, quiet_ms: 0, back_channel: false };
                Some(Barge::Duck)
            }
            State::Ducked { speech_ms, back_channel, .. } if speech => {
                let speech_ms = speech_ms + frame_ms;
                let enough = if back_channel { BACK_CHANNEL_MS } else { CANCEL_MS };
                self.state = State::Ducked { speech_ms, quiet_ms: 0, back_channel };
                (speech_ms >= enough).then(|| self.cancel())
            }
            State::Ducked { speech_ms, quiet_ms, back_channel } => {
                let quiet_ms = quiet_ms + frame_ms;
                self.state = State::Ducked { speech_ms, quiet_ms, back_channel };
                (quiet_ms >= RAISE_MS).then(|| {
                    self.state = State::Loud;
                    Barge::Raise
                })
            }
            State::Loud | State::Cancelled => None,
        }
    }

    /// Words of a partial transcript. Two that are no back-channel cancel at
    /// once; a back-channel alone wins its speaker more time.
    pub fn words(&mut self, heard: &str) -> Option<Barge> {
        let State::Ducked { speech_ms, quiet_ms, .. } = self.state else { return None };
        if is_back_channel(heard) {
            self.state = State::Ducked { speech_ms, quiet_ms, back_channel: true };
            return None;
        }
        (heard.split_whitespace().count() >= 2).then(|| self.cancel())
    }

    fn cancel(&mut self) -> Barge {
        self.state = State::Cancelled;
        Barge::Cancel
    }
}

/// Nothing but sounds of listening: "mhm", "okay, yeah", "uh huh".
pub fn is_back_channel(heard: &str) -> bool {
    let heard = heard.to_lowercase().replace("uh huh", "uh-huh").replace("mm hmm", "mm-hmm");
    let mut words = heard
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some() && words.all(|word| BACK_CHANNELS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: u64 = 10;

    /// What happened when, for stretches of speech and silence.
    fn play(stretches: &[(u64, bool)]) -> Vec<(u64, Barge)> {
        let (mut barge, mut now, mut out) = (Interruption::default(), 0, Vec::new());
        for &(length, speech) in stretches {
            for _ in 0..length / FRAME {
                now += FRAME;
                out.extend(barge.frame(FRAME, speech).map(|what| (now, what)));
            }
        }
        out
    }

    #[test]
    fn it_ducks_at_once_and_stops_after_a_quarter_of_a_second() {
        for (stretches, expected) in [
            (vec![(500, false)], vec![]),
            (vec![(100, false), (500, true)], vec![(110, Barge::Duck), (350, Barge::Cancel)]),
            (vec![(240, true), (500, false)], vec![(10, Barge::Duck), (640, Barge::Raise)]),
            (
                vec![(200, true), (100, false), (100, true)],
                vec![(10, Barge::Duck), (350, Barge::Cancel)],
            ),
            (
                vec![(100, true), (400, false), (300, true)],
                vec![
                    (10, Barge::Duck),
                    (500, Barge::Raise),
                    (510, Barge::Duck),
                    (750, Barge::Cancel),
                ],
            ),
        ] {
            assert_eq!(play(&stretches), expected, "{stretches:?}");
        }
    }

    #[test]
    fn two_words_stop_it_before_the_time_is_up_and_only_once() {
        let mut barge = Interruption::default();
        assert_eq!(barge.words("stop it"), None, "nobody was heard yet");
        assert_eq!(barge.frame(32, true), Some(Barge::Duck));
        assert_eq!(barge.words("no"), None);
        assert_eq!(barge.words("no wait"), Some(Barge::Cancel));
        assert_eq!((barge.words("no wait please"), barge.frame(32, true)), (None, None));
    }

    #[test]
    fn listening_sounds_do_not_stop_it_unless_they_go_on() {
        let mut barge = Interruption::default();
        barge.frame(200, true);
        assert_eq!(barge.words("Okay, mhm."), None);
        assert_eq!(barge.frame(300, true), None, "500 ms of it");
        assert_eq!(barge.frame(200, true), Some(Barge::Cancel));
    }

    #[test]
    fn a_back_channel_is_nothing_but_that() {
        for heard in ["Mhm.", "okay", "Uh huh", "Yeah, okay.", "Mm-hmm"] {
            assert!(is_back_channel(heard), "{heard}");
        }
        for heard in ["", "okay wait", "no", "stop", "yeah but no", "actually", "..."] {
            assert!(!is_back_channel(heard), "{heard}");
        }
    }
}
