//! Whether what was said aloud decides a card.
//!
//! A microphone hears more than answers: our own voice, other people, the end of
//! a thought. A no counts as soon as it is likely; a yes only when there is no
//! doubt about who said it, when, and to what.

use crate::input::Decision;

/// A yes that is heard with less is none.
pub const SURE: f32 = 0.85;
/// A no needs only this.
pub const LIKELY: f32 = 0.5;
/// So long after our own voice nobody can tell it from an echo, where the guard cannot.
pub const ECHO_MS: u64 = 1_500;
/// So long after the question a bare yes still answers it.
pub const FRESH_MS: u64 = 10_000;

/// How an answer was spoken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spoken {
    /// Between 0 and 1, of the final transcript.
    pub confidence: f32,
    /// When it began, after the question had been heard to its end; none when it
    /// began before that.
    pub after_question_ms: Option<u64>,
    /// When it began, after we were silent; none where we never spoke, or long ago.
    pub after_voice_ms: Option<u64>,
    /// What we played was taken out of it, or is nothing like it.
    pub is_surely_theirs: bool,
    /// Nothing was said between the question and this.
    pub is_first: bool,
    /// A yes and nothing else.
    pub is_bare: bool,
}

/// Why a spoken answer decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The question was not over, or it may be our own voice.
    TooEarly,
    /// The words are not certain.
    Unclear,
    /// It may be about something else.
    TooLate,
}

impl Doubt {
    /// Its spelling in the audit and on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooEarly => "voice_too_early",
            Self::Unclear => "voice_unclear",
            Self::TooLate => "voice_too_late",
        }
    }
}

impl Spoken {
    /// May it decide this?
    pub fn decides(&self, decision: Decision) -> Result<(), Doubt> {
        match decision {
            Decision::Reject if self.confidence >= LIKELY => Ok(()),
            Decision::Reject => Err(Doubt::Unclear),
            Decision::Accept | Decision::Edit => self.agrees(),
        }
    }

    fn agrees(&self) -> Result<(), Doubt> {
        let Some(waited_ms) = self.after_question_ms else { return Err(Doubt::TooEarly) };
        let echoes = self.after_voice_ms.is_some_and(|after| after < ECHO_MS);
        if echoes && !self.is_surely_theirs {
            return Err(Doubt::TooEarly);
        }
        let is_sure = self.confidence >= SURE;
        if !is_sure {
            return Err(Doubt::Unclear);
        }
        if self.is_bare && !(self.is_first && waited_ms <= FRESH_MS) {
            return Err(Doubt::TooLate);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YES: Spoken = Spoken {
        confidence: 0.95,
        after_question_ms: Some(800),
        after_voice_ms: Some(800),
        is_surely_theirs: true,
        is_first: true,
        is_bare: true,
    };

    #[test]
    fn a_clear_yes_right_behind_the_question_counts() {
        assert_eq!(YES.decides(Decision::Accept), Ok(()));
    }

    #[test]
    fn a_yes_in_doubt_does_not_and_says_why() {
        for (spoken, doubt) in [
            (Spoken { after_question_ms: None, ..YES }, Doubt::TooEarly),
            (Spoken { is_surely_theirs: false, ..YES }, Doubt::TooEarly),
            (Spoken { confidence: 0.84, ..YES }, Doubt::Unclear),
            (Spoken { confidence: f32::NAN, ..YES }, Doubt::Unclear),
            (Spoken { is_first: false, ..YES }, Doubt::TooLate),
            (Spoken { after_question_ms: Some(10_001), ..YES }, Doubt::TooLate),
        ] {
            assert_eq!(spoken.decides(Decision::Accept), Err(doubt), "{spoken:?}");
        }
    }

    #[test]
    fn who_says_what_is_to_be_done_may_take_their_time() {
        let later = Spoken {
            is_bare: false,
            is_first: false,
            after_question_ms: Some(60_000),
            is_surely_theirs: false,
            after_voice_ms: Some(ECHO_MS),
            ..YES
        };
        assert_eq!(later.decides(Decision::Accept), Ok(()));
    }

    #[test]
    fn a_no_needs_little_and_may_interrupt() {
        let no = Spoken {
            confidence: LIKELY,
            after_question_ms: None,
            after_voice_ms: Some(0),
            is_surely_theirs: false,
            ..YES
        };
        assert_eq!(no.decides(Decision::Reject), Ok(()));
        let faint = Spoken { confidence: 0.49, ..no };
        assert_eq!(faint.decides(Decision::Reject), Err(Doubt::Unclear));
    }
}
