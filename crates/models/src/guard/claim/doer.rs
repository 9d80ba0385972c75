//! Who does what a sentence goes on to tell: "I found her mail and answered it". Pure.
//!
//! What I did first may be harmless, and what is joined to it is not. So it is known of each
//! sentence, word by word as it is shown, whether a verb that follows is mine.

use super::vocabulary::{ADVERBS, BELIEVED, CLAUSES, LOOKED, ME, PUT, is_deed};

/// Whoever a verb would belong to that comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Doer {
    /// Nothing was said, or only how a sentence begins.
    #[default]
    Unsaid,
    /// "I": the verb is still to come.
    Me(Tense),
    /// "I found it": what is joined to it is mine as well.
    Doing(Tense),
    /// Somebody else, or nobody.
    Others,
}

/// Whether I did it or will.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tense {
    Past,
    /// "I'll look it up and send it".
    Ahead,
    /// "I'm looking it up and sending it".
    Now,
}

/// How a verb is joined to what was said before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    And(Tense),
    /// "I found it, sent on Monday" only describes it.
    Comma,
}

impl Doer {
    /// With one more word of the sentence, which is the `nth` that was shown.
    #[must_use]
    pub fn after(self, word: &str, nth: usize) -> Self {
        use Tense::{Ahead, Now, Past};
        match (self, word) {
            (_, me) if ME.contains(&me) => Self::Me(Past),
            (_, "i'll" | "we'll") => Self::Me(Ahead),
            (_, "i'm" | "we're") => Self::Me(Now),
            (Self::Unsaid, did) if LOOKED.contains(&did) && !PUT.contains(&did) && nth <= 2 => {
                Self::Doing(Past)
            }
            (Self::Unsaid, _) if nth <= 2 => self,
            (Self::Unsaid, _) => Self::Others,
            (Self::Me(Past), "have") => self,
            (Self::Me(Past), "will") => Self::Me(Ahead),
            (Self::Me(Past), "am" | "are") => Self::Me(Now),
            (Self::Me(_), adverb) if ADVERBS.contains(&adverb) => self,
            (Self::Me(Past), did) if is_past(did) => Self::Doing(Past),
            (Self::Me(Past), _) => Self::Others,
            (Self::Me(tense), _) => Self::Doing(tense),
            (Self::Doing(_), clause) if CLAUSES.contains(&clause) => Self::Others,
            // "I read the mail Dana sent and forwarded."
            (Self::Doing(Past), did) if is_deed(did) => Self::Others,
            (Self::Doing(_) | Self::Others, _) => self,
        }
    }

    /// What a word that comes next is joined by, behind this word or sign.
    pub fn link(self, last_word: &str, last_sign: Option<char>) -> Option<Link> {
        match (self, last_sign) {
            (Self::Doing(tense), Some(' ')) if matches!(last_word, "and" | "then") => {
                Some(Link::And(tense))
            }
            (Self::Doing(Tense::Past), Some(',' | ';')) => Some(Link::Comma),
            _ => None,
        }
    }
}

/// A verb of what was done, and none of what is only believed.
fn is_past(word: &str) -> bool {
    LOOKED.contains(&word) || word.ends_with("ed") && !BELIEVED.contains(&word)
}
