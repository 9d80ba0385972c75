//! Whether what was said aloud decides a card.
//!
//! A microphone hears more than answers: our own voice, other people, the end of
//! a thought. A no counts as soon as it is likely; a yes only when there is no
//! doubt about who said it, when, and to what.

use crate::input::Decision;
use crate::policy::Care;

/// A yes that is heard with less is none.
pub const SURE: f32 = 0.85;
/// A word of it that is heard with less may have been a "but".
pub const NO_BUT: f32 = 0.45;
/// Unless a word of refusal is no likelier than this in any place.
pub const HARDLY: f32 = 0.05;
/// And whatever is heard, one that is likelier than this may have been said.
pub const TOO_LIKELY: f32 = 0.2;
/// A no needs only this.
pub const LIKELY: f32 = 0.5;
/// So long after our own voice nobody can tell it from an echo, where the guard cannot.
pub const ECHO_MS: u64 = 1_500;
/// So long after the question a bare yes still answers it.
pub const FRESH_MS: u64 = 10_000;

/// How an answer was spoken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spoken {
    /// Of the final transcript as a whole, between 0 and 1.
    pub confidence: f32,
    pub sure: Sure,
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

/// How sure single words are, between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sure {
    /// The surer of the first two: a yes stands at the beginning.
    pub first: f32,
    pub least: f32,
    pub most: f32,
    /// How likely, at worst, one of them was a no or a "but", where the ears can tell.
    pub may_refuse: Option<f32>,
}

impl Sure {
    /// Of the words in their order; nothing is sure where there are none.
    pub fn of(words: impl Iterator<Item = f32> + Clone, may_refuse: Option<f32>) -> Self {
        let first = words.clone().take(2).fold(0.0, f32::max);
        let most = words.clone().fold(0.0, f32::max);
        let least = words.reduce(f32::min).unwrap_or(0.0);
        Self { first, least, most, may_refuse }
    }

    /// The yes is certain, and nothing in it may have been a refusal.
    fn is_yes(&self) -> bool {
        let is_clear = self.least >= NO_BUT;
        let bound = if is_clear { TOO_LIKELY } else { HARDLY };
        self.first >= SURE && self.may_refuse.map_or(is_clear, |likely| likely <= bound)
    }
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
    /// More hangs on it than a bare yes can carry.
    TooBare,
}

impl Doubt {
    /// Its spelling in the audit and on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Self::TooEarly => "voice_too_early",
            Self::Unclear => "voice_unclear",
            Self::TooLate => "voice_too_late",
            Self::TooBare => "voice_too_bare",
        }
    }
}

impl Spoken {
    /// May it decide this, of a card that needs so much of a yes?
    pub fn decides(&self, decision: Decision, care: Care) -> Result<(), Doubt> {
        match decision {
            Decision::Reject if self.sure.most >= LIKELY => Ok(()),
            Decision::Reject => Err(Doubt::Unclear),
            Decision::Accept | Decision::Edit => {
                self.agrees()?;
                // Of those that need its name, the card itself knows.
                let is_enough = care != Care::Named || !self.is_bare;
                if is_enough { Ok(()) } else { Err(Doubt::TooBare) }
            }
        }
    }

    fn agrees(&self) -> Result<(), Doubt> {
        let Some(waited_ms) = self.after_question_ms else { return Err(Doubt::TooEarly) };
        let echoes = self.after_voice_ms.is_some_and(|after| after < ECHO_MS);
        if echoes && !self.is_surely_theirs {
            return Err(Doubt::TooEarly);
        }
        if !self.sure.is_yes() {
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
        sure: Sure { first: 0.95, least: 0.7, most: 0.97, may_refuse: Some(0.1) },
        after_question_ms: Some(800),
        after_voice_ms: Some(800),
        is_surely_theirs: true,
        is_first: true,
        is_bare: true,
    };

    #[test]
    fn a_clear_yes_right_behind_the_question_counts() {
        assert_eq!(YES.decides(Decision::Accept, Care::Allow), Ok(()));
    }

    #[test]
    fn a_yes_in_doubt_does_not_and_says_why() {
        for (spoken, doubt) in [
            (Spoken { after_question_ms: None, ..YES }, Doubt::TooEarly),
            (Spoken { is_surely_theirs: false, ..YES }, Doubt::TooEarly),
            (Spoken { sure: Sure { first: 0.84, ..YES.sure }, ..YES }, Doubt::Unclear),
            (Spoken { sure: Sure { least: 0.44, ..YES.sure }, ..YES }, Doubt::Unclear),
            (Spoken { sure: Sure::of([f32::NAN].into_iter(), Some(0.0)), ..YES }, Doubt::Unclear),
            (Spoken { sure: Sure::of([].into_iter(), Some(0.0)), ..YES }, Doubt::Unclear),
            (Spoken { sure: Sure { may_refuse: Some(0.21), ..YES.sure }, ..YES }, Doubt::Unclear),
            (
                Spoken { sure: Sure { may_refuse: Some(f32::NAN), ..YES.sure }, ..YES },
                Doubt::Unclear,
            ),
            (Spoken { is_first: false, ..YES }, Doubt::TooLate),
            (Spoken { after_question_ms: Some(10_001), ..YES }, Doubt::TooLate),
        ] {
            assert_eq!(spoken.decides(Decision::Accept, Care::Allow), Err(doubt), "{spoken:?}");
        }
    }

    #[test]
    fn where_much_hangs_on_it_a_yes_has_to_tell_what_is_to_happen() {
        assert_eq!(YES.decides(Decision::Accept, Care::Named), Err(Doubt::TooBare));
        let told = Spoken { is_bare: false, ..YES };
        assert_eq!(told.decides(Decision::Accept, Care::Named), Ok(()));
    }

    #[test]
    fn a_word_that_can_be_no_refusal_may_be_mumbled() {
        let sure = Sure { least: 0.1, may_refuse: Some(HARDLY), ..YES.sure };
        assert_eq!(Spoken { sure, ..YES }.decides(Decision::Accept, Care::Allow), Ok(()));
        let sure = Sure { may_refuse: Some(0.051), ..sure };
        assert_eq!(
            Spoken { sure, ..YES }.decides(Decision::Accept, Care::Allow),
            Err(Doubt::Unclear)
        );
    }

    #[test]
    fn ears_that_cannot_tell_a_refusal_have_to_hear_every_word() {
        let sure = Sure { may_refuse: None, ..YES.sure };
        assert_eq!(Spoken { sure, ..YES }.decides(Decision::Accept, Care::Allow), Ok(()));
        let sure = Sure { least: 0.44, ..sure };
        assert_eq!(
            Spoken { sure, ..YES }.decides(Decision::Accept, Care::Allow),
            Err(Doubt::Unclear)
        );
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
        assert_eq!(later.decides(Decision::Accept, Care::Allow), Ok(()));
    }

    #[test]
    fn a_no_needs_little_and_may_interrupt() {
        let no = Spoken {
            sure: Sure { most: LIKELY, ..Sure::default() },
            after_question_ms: None,
            after_voice_ms: Some(0),
            is_surely_theirs: false,
            ..YES
        };
        assert_eq!(no.decides(Decision::Reject, Care::Named), Ok(()));
        let faint = Spoken { sure: Sure { most: 0.49, ..no.sure }, ..no };
        assert_eq!(faint.decides(Decision::Reject, Care::Named), Err(Doubt::Unclear));
    }
}
