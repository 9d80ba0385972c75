//! Puts what was found into words.

use crate::{Done, Understanding, World};

/// Plain text, never empty.
pub fn tell(understanding: &Understanding, _done: &[Done], _world: &World) -> String {
    match &understanding.question {
        Some(question) => question.clone(),
        None => "I can look through your mail and your calendar.".to_owned(),
    }
}
