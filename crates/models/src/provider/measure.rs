//! How much of an answer is taken. What goes on for ever is hung up on. Pure.

use super::{Delta, Trouble};

/// Nobody listens to more words than these, in bytes: an hour of speech.
const MOST_TEXT: usize = 32 * 1024;
/// No plan needs more arguments.
const MOST_ARGS: usize = 256 * 1024;
/// What a piece of a call counts at least, so that empty ones come to an end too.
const LEAST_PIECE: usize = 16;
/// Said where it was cut.
const ENOUGH: &str = "… I stop here, for this is long enough.";

/// What has come so far.
#[derive(Debug, Default)]
pub struct Measure {
    text: usize,
    args: usize,
}

/// What is to become of a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Measured {
    Fits(Delta),
    /// It is the last one, and nobody waits for more.
    Last(Delta),
}

impl Measure {
    pub fn take(&mut self, delta: Delta) -> Result<Measured, Trouble> {
        match delta {
            Delta::Text(text) => {
                let left = MOST_TEXT.saturating_sub(self.text);
                self.text = self.text.saturating_add(text.len());
                Ok(if text.len() <= left {
                    Measured::Fits(Delta::Text(text))
                } else {
                    Measured::Last(Delta::Text(cut(&text, left)))
                })
            }
            Delta::Call { .. } => {
                self.args = self.args.saturating_add(delta.length().max(LEAST_PIECE));
                if self.args > MOST_ARGS {
                    // Half a call is none.
                    return Err(Trouble::Garbage("a call without an end".to_owned()));
                }
                Ok(Measured::Fits(delta))
            }
            Delta::Usage(_) | Delta::Kept(_) | Delta::Confidence(_) | Delta::End(_) => {
                Ok(Measured::Fits(delta))
            }
        }
    }
}

/// Up to the last whole word, and that this is all.
fn cut(text: &str, most: usize) -> String {
    let text = &text[..text.floor_char_boundary(most)];
    let whole = text.rfind(char::is_whitespace).map_or("", |at| &text[..at]);
    format!("{}{ENOUGH}", whole.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(args: &str) -> Delta {
        Delta::Call { index: 0, id: None, tool: None, args: args.to_owned() }
    }

    #[test]
    fn words_without_an_end_are_ended_after_a_whole_one() {
        let mut measure = Measure::default();
        let long = Delta::Text("one two ".repeat(4_095));
        assert_eq!(measure.take(long.clone()), Ok(Measured::Fits(long)));
        let last = Delta::Text(format!("čtyři{ENOUGH}"));
        assert_eq!(measure.take(Delta::Text("čtyři pět šest".into())), Ok(Measured::Last(last)));
    }

    #[test]
    fn calls_without_an_end_are_none() {
        let mut measure = Measure::default();
        assert!(measure.take(call(&"x".repeat(MOST_ARGS - 16))).is_ok());
        assert!(measure.take(call("")).is_ok());
        let trouble = measure.take(call("")).unwrap_err();
        assert_eq!(trouble.code(), "model_garbage");
    }
}
