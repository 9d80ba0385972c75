//! Talking over each other: first softer, then silent.
//!
//! At the first sign of speech the assistant lowers its voice. It stops only for
//! somebody who was heard to say something, and goes on for those who listen: "mhm"
//! and "okay" do not interrupt. Whatever a finger does counts at once and needs no policy.

use crate::stt::HeardWord;

/// Speech that lasts this long means it, once words were heard in it.
pub const CANCEL_MS: u64 = 250;
/// The same where nobody knows yet what is being said.
const UNHEARD_MS: u64 = 600;
/// Silence after which a voice that was lowered is raised again.
pub const RAISE_MS: u64 = 400;
/// The same behind somebody who may have said something: that is known when they have been
/// silent for long enough to be done, and nobody becomes louder just before they stop.
const RAISE_LATE_MS: u64 = 800;
/// Less than this is no word.
const WORD_MS: u64 = 200;
/// A silence after which a "stop" that is only likely counts: nothing is added to it.
const PAUSE_MS: u64 = 100;
/// A back-channel is given this long to turn into something else, and so much more from
/// when it was last heard to be one.
const BACK_CHANNEL_MS: u64 = 700;
const STILL_MS: u64 = 450;
/// A word that may yet become another one stops nobody: a fifth of a second of "uh-huh" is
/// heard as "if", with 0.86.
const SURE: f32 = 0.9;
/// At the end a "no" needs less, and so do words that are likely as a whole.
const LIKELY: f32 = 0.5;
const LIKELY_WHOLE: f32 = 0.3;

/// What people say to show that they listen; two words as one.
const BACK_CHANNELS: [&str; 35] = [
    "mhm",
    "mm",
    "mmm",
    "mm-hmm",
    "mmhmm",
    "hm",
    "hmm",
    "uh-huh",
    "uhhuh",
    "uh",
    "um",
    "ah",
    "oh",
    "okay",
    "ok",
    "yeah",
    "yep",
    "yup",
    "right",
    "alright",
    "all-right",
    "sure",
    "nice",
    "great",
    "good",
    "cool",
    "perfect",
    "wow",
    "aha",
    "ha",
    "got-it",
    "gotcha",
    "i-see",
    "makes-sense",
    "understood",
];
/// Whoever begins like this has said enough.
const STOPS: [&[&str]; 14] = [
    &["stop"],
    &["wait"],
    // "Wait", as ears write it.
    &["weight"],
    &["no"],
    &["nope"],
    &["don't"],
    &["hold", "on"],
    &["hang", "on"],
    &["pause"],
    &["cancel"],
    &["enough"],
    &["quiet"],
    &["shut", "up"],
    &["never", "mind"],
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
        heard: Hearing,
        /// It is likely that they say "stop".
        may_stop: bool,
    },
    Cancelled,
}

/// What is known of what is being said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hearing {
    NotYet,
    /// One word, once: a fifth of a second of "got it" is "God", surely.
    OneWord,
    /// Up to so much speech.
    BackChannel {
        until_ms: u64,
    },
    Words,
}

impl Hearing {
    /// So much speech interrupts.
    fn enough_ms(self) -> u64 {
        match self {
            Self::NotYet | Self::OneWord => UNHEARD_MS,
            Self::BackChannel { until_ms } => until_ms,
            Self::Words => CANCEL_MS,
        }
    }

    /// So much silence behind so much speech ends it.
    fn over_ms(self, speech_ms: u64) -> u64 {
        match self {
            Self::BackChannel { .. } => RAISE_MS,
            Self::NotYet if speech_ms < WORD_MS => RAISE_MS,
            Self::NotYet | Self::OneWord | Self::Words => RAISE_LATE_MS,
        }
    }
}

impl Interruption {
    /// A frame of the microphone while the assistant speaks. `speech` is what is
    /// left after our own echo was taken out.
    pub fn frame(&mut self, frame_ms: u64, speech: bool) -> Option<Barge> {
        match self.state {
            State::Loud if speech => {
                let (heard, may_stop) = (Hearing::NotYet, false);
                self.state = State::Ducked { speech_ms: frame_ms, quiet_ms: 0, heard, may_stop };
                Some(Barge::Duck)
            }
            State::Ducked { speech_ms, heard, may_stop, .. } if speech => {
                let speech_ms = speech_ms + frame_ms;
                self.state = State::Ducked { speech_ms, quiet_ms: 0, heard, may_stop };
                (speech_ms >= heard.enough_ms()).then(|| self.cancel())
            }
            State::Ducked { speech_ms, quiet_ms, heard, may_stop } => {
                let quiet_ms = quiet_ms + frame_ms;
                self.state = State::Ducked { speech_ms, quiet_ms, heard, may_stop };
                if may_stop && quiet_ms >= PAUSE_MS {
                    return Some(self.cancel());
                }
                (quiet_ms >= heard.over_ms(speech_ms)).then(|| {
                    self.state = State::Loud;
                    Barge::Raise
                })
            }
            State::Loud | State::Cancelled => None,
        }
    }

    /// Words of a partial transcript. "Stop" and two words that are no back-channel cancel
    /// at once, one other word when it is heard again; a back-channel alone wins its speaker
    /// more time. A "stop" that is only likely cancels when nothing is said behind it.
    pub fn words(&mut self, heard: &[HeardWord]) -> Option<Barge> {
        let State::Ducked { speech_ms, quiet_ms, heard: before, .. } = self.state else {
            return None;
        };
        let may_stop = stops(&real(&plain(heard), LIKELY));
        let heard = match said(heard, SURE) {
            Saying::Stop => return Some(self.cancel()),
            Saying::BackChannel => {
                Hearing::BackChannel { until_ms: BACK_CHANNEL_MS.max(speech_ms + STILL_MS) }
            }
            Saying::Something if before == Hearing::NotYet => Hearing::OneWord,
            Saying::Something => Hearing::Words,
            Saying::Unclear => before,
        };
        self.state = State::Ducked { speech_ms, quiet_ms, heard, may_stop };
        let is_over = may_stop && quiet_ms >= PAUSE_MS;
        let is_meant = is_over || heard == Hearing::Words && speech_ms >= CANCEL_MS;
        is_meant.then(|| self.cancel())
    }

    fn cancel(&mut self) -> Barge {
        self.state = State::Cancelled;
        Barge::Cancel
    }
}

/// What some words are, to somebody who is speaking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Saying {
    Stop,
    BackChannel,
    Something,
    Unclear,
}

fn said(heard: &[HeardWord], sure: f32) -> Saying {
    let words = plain(heard);
    let real = real(&words, sure);
    let begins = |word: &str| {
        let is_half = |known: &&str| known.split_once('-').is_some_and(|two| two.0 == word);
        BACK_CHANNELS.iter().any(is_half)
    };
    match real.len() {
        // "Got" is about to be "got it".
        1 if words.last().is_some_and(|(last, _)| last == real[0] && begins(last)) => {
            Saying::Unclear
        }
        0 if words.is_empty() || words.iter().any(|(word, _)| !listens(word)) => Saying::Unclear,
        0 => Saying::BackChannel,
        1 if !stops(&real) => Saying::Something,
        _ => Saying::Stop,
    }
}

/// Words that are no sounds of listening and as sure as this.
fn real(words: &[(String, f32)], sure: f32) -> Vec<&str> {
    let meant = words.iter().filter(|(word, it)| !listens(word) && *it >= sure);
    let mut real: Vec<&str> = meant.map(|(word, _)| word.as_str()).collect();
    // One word that is heard again and again is one.
    real.dedup();
    real
}

fn stops(real: &[&str]) -> bool {
    STOPS.iter().any(|stop| real.starts_with(stop))
}

fn listens(word: &str) -> bool {
    BACK_CHANNELS.contains(&word)
}

/// In small letters, without marks, and each back-channel of two words as one; and how
/// sure each is.
fn plain(heard: &[HeardWord]) -> Vec<(String, f32)> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut plain: Vec<(String, f32)> = Vec::new();
    for (word, sure) in heard.iter().map(|word| (bare(&word.text), word.confidence())) {
        let joined = plain.last().map(|(before, _)| format!("{before}-{word}"));
        match joined.filter(|joined| listens(joined)) {
            Some(joined) => *plain.last_mut().expect("there is one before it") = (joined, sure),
            None if word.is_empty() => {}
            None => plain.push((word, sure)),
        }
    }
    plain
}

/// Whether all that was said while we spoke was for us: not a sound of listening, and not
/// what ears make of a hum. A no counts where it is likely.
pub fn is_meant(heard: &[HeardWord], confidence: f32) -> bool {
    match said(heard, SURE) {
        Saying::Stop | Saying::Something => true,
        Saying::BackChannel => false,
        Saying::Unclear => confidence >= LIKELY_WHOLE || said(heard, LIKELY) == Saying::Stop,
    }
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

    fn heard(text: &str, logp: f32) -> Vec<HeardWord> {
        let word = |text: &str| HeardWord { text: text.to_owned(), logp };
        text.split_whitespace().map(word).collect()
    }

    fn sure(text: &str) -> Vec<HeardWord> {
        heard(text, -0.05)
    }

    /// The same where a hearing of one word comes in at once.
    fn play_with(word: &str, stretches: &[(u64, bool)]) -> Vec<(u64, Barge)> {
        let (mut barge, mut now, mut out) = (Interruption::default(), 0, Vec::new());
        for &(length, speech) in stretches {
            for _ in 0..length / FRAME {
                now += FRAME;
                out.extend(barge.frame(FRAME, speech).map(|what| (now, what)));
                out.extend(barge.words(&sure(word)).map(|what| (now, what)));
            }
        }
        out
    }

    #[test]
    fn it_ducks_at_once_and_stops_after_a_quarter_of_a_second_of_words() {
        for (stretches, expected) in [
            (vec![(500, false)], vec![]),
            (vec![(100, false), (500, true)], vec![(110, Barge::Duck), (350, Barge::Cancel)]),
            (vec![(240, true), (900, false)], vec![(10, Barge::Duck), (1_040, Barge::Raise)]),
            (
                vec![(200, true), (100, false), (100, true)],
                vec![(10, Barge::Duck), (350, Barge::Cancel)],
            ),
            (
                vec![(100, true), (800, false), (300, true)],
                vec![
                    (10, Barge::Duck),
                    (900, Barge::Raise),
                    (910, Barge::Duck),
                    (1_150, Barge::Cancel),
                ],
            ),
        ] {
            assert_eq!(play_with("Friday", &stretches), expected, "{stretches:?}");
        }
    }

    #[test]
    fn who_is_not_understood_yet_interrupts_with_more_than_half_a_second() {
        for (stretches, expected) in [
            (vec![(590, true), (900, false)], vec![(10, Barge::Duck), (1_390, Barge::Raise)]),
            (vec![(150, true), (500, false)], vec![(10, Barge::Duck), (550, Barge::Raise)]),
            (vec![(900, true)], vec![(10, Barge::Duck), (600, Barge::Cancel)]),
        ] {
            assert_eq!(play(&stretches), expected, "{stretches:?}");
        }
    }

    #[test]
    fn two_words_stop_it_before_the_time_is_up_and_only_once() {
        let mut barge = Interruption::default();
        assert_eq!(barge.words(&sure("stop it")), None, "nobody was heard yet");
        assert_eq!(barge.frame(32, true), Some(Barge::Duck));
        assert_eq!(barge.words(&sure("What")), None);
        assert_eq!(barge.words(&sure("What about")), Some(Barge::Cancel));
        assert_eq!((barge.words(&sure("What about it")), barge.frame(32, true)), (None, None));
    }

    #[test]
    fn a_word_that_means_stop_stops_it_as_soon_as_it_is_heard() {
        for said in ["Stop.", "wait", "Weight,", "No!", "Hold on.", "okay wait", "Yeah, no."] {
            let mut barge = Interruption::default();
            barge.frame(32, true);
            assert_eq!(barge.words(&sure(said)), Some(Barge::Cancel), "{said}");
        }
    }

    #[test]
    fn a_stop_that_is_only_likely_stops_it_at_the_first_silence_and_nothing_is_louder_before() {
        let mut barge = Interruption::default();
        barge.frame(300, true);
        assert_eq!(barge.words(&heard("Stop.", -0.6)), None);
        assert_eq!((barge.frame(90, false), barge.frame(10, false)), (None, Some(Barge::Cancel)));

        // It may also be known for one only then.
        let mut barge = Interruption::default();
        barge.frame(300, true);
        assert_eq!((barge.frame(500, false), barge.words(&heard("If", -0.6))), (None, None));
        assert_eq!(barge.words(&heard("Stop.", -0.6)), Some(Barge::Cancel));
    }

    #[test]
    fn words_that_may_become_others_stop_nothing() {
        let mut barge = Interruption::default();
        barge.frame(300, true);
        assert_eq!(barge.words(&heard("If you", -0.4)), None);
        assert_eq!(barge.words(&sure("God, God,")), None, "heard once");
        assert_eq!(barge.words(&sure("Got")), None, "and may be \"got it\"");
        assert_eq!(barge.frame(250, true), None, "a nod that is not known for one yet");
        assert_eq!(barge.words(&heard("Okay.", -0.4)), None);
        assert_eq!(barge.frame(300, true), None, "and is now");
    }

    #[test]
    fn listening_sounds_do_not_stop_it_unless_they_go_on() {
        let mut barge = Interruption::default();
        barge.frame(200, true);
        assert_eq!(barge.words(&sure("Okay, mhm.")), None);
        assert_eq!(barge.frame(300, true), None, "500 ms of it");
        assert_eq!(barge.frame(200, true), Some(Barge::Cancel));
    }

    #[test]
    fn whoever_goes_on_nodding_does_not_interrupt() {
        assert_eq!(play_with("okay", &[(2_000, true)]), [(10, Barge::Duck)]);
    }

    #[test]
    fn a_back_channel_is_nothing_but_that() {
        for said in ["Mhm.", "okay", "Uh huh", "Yeah, okay.", "Mm-hmm", "Got it.", "Okay, I see."] {
            assert!(!is_meant(&sure(said), 0.9), "{said}");
        }
        for said in ["okay wait", "no", "stop", "yeah but no", "actually", "I got it to"] {
            assert!(is_meant(&sure(said), 0.9), "{said}");
        }
        for (said, logp, meant) in
            [("Hello.", -0.4, false), ("no", -0.4, true), ("", 0.0, false), ("...", 0.0, false)]
        {
            assert_eq!(is_meant(&heard(said, logp), 0.01), meant, "{said}");
        }
    }
}
