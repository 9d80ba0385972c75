//! Whether words can be all that somebody wanted to say.
//!
//! People pause where they think, and nobody ends with "and then". Whoever waits for the end
//! waits longer there; a wrong guess costs half a second and nothing else.

/// Nothing ends with these, whatever the ears put behind them.
const NEVER_LAST: [&str; 22] = [
    "a", "an", "and", "because", "but", "er", "if", "my", "or", "our", "that's", "the", "their",
    "then", "uh", "uhm", "um", "until", "when", "whether", "which", "your",
];

/// A question may end with these, and so may "turn it on."
const SELDOM_LAST: [&str; 12] =
    ["about", "as", "at", "by", "for", "from", "in", "into", "of", "on", "to", "with"];

pub fn breaks_off(text: &str) -> bool {
    let text = text.trim_end();
    if text.ends_with(',') || text.ends_with("...") || text.ends_with(['…', '-', '–']) {
        return true;
    }
    let is_whole = text.ends_with(['.', '!']);
    let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = bare.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    // One word alone is an answer, and a question is over.
    if text.ends_with('?') || !bare.contains(char::is_whitespace) {
        return false;
    }
    NEVER_LAST.contains(&last.as_str()) || !is_whole && SELDOM_LAST.contains(&last.as_str())
}

/// Whether nobody would end a sentence here, whatever the ears put behind it.
pub fn hardly_ends(text: &str) -> bool {
    let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = bare.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    NEVER_LAST.contains(&last.as_str()) || SELDOM_LAST.contains(&last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stops_at_a_comma_or_a_joint_breaks_off() {
        for text in [
            "Remind me to call Tom,",
            "Reply to Priya and.",
            "Put lunch with Tom on the",
            "Yes, but",
            "I would like to",
            "Well, um.",
            "Book a table for...",
        ] {
            assert!(breaks_off(text), "{text}");
        }
    }

    #[test]
    fn whole_sentences_questions_and_single_words_do_not() {
        for text in [
            "What meetings do I have tomorrow?",
            "Who is that from?",
            "Turn it on.",
            "Yes.",
            "so",
            "And",
            "Put lunch with Tom on Friday at noon",
            "",
        ] {
            assert!(!breaks_off(text), "{text}");
        }
    }
}
