//! Turns an answer into what listeners get: pieces in order, then the whole.

use brain::Event;
use speech::sentence;

/// What is said when there is nothing to say; an empty bubble is never shown.
const LOST_FOR_WORDS: &str = "I have no answer to that, and that is my fault, not yours.";

/// What is longer comes in fewer, larger pieces, so that no listener is flooded.
const MOST_PIECES: usize = 64;

/// An answer in the making. Every piece that goes out is part of the whole, so
/// the final text is always the deltas joined.
#[derive(Default)]
pub(crate) struct Mouth {
    whole: String,
    /// Where the part of the answer begins that was said as it came.
    answer_at: Option<usize>,
    /// The next words go on with the last ones.
    is_open: bool,
}

impl Mouth {
    /// One thing said now, such as an acknowledgement.
    pub fn say(&mut self, text: &str) -> Option<Event> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let is_apart = self.whole.is_empty() || self.whole.ends_with(char::is_whitespace);
        let piece = if is_apart { text.to_owned() } else { format!(" {text}") };
        self.is_open = false;
        self.whole.push_str(&piece);
        Some(Event::SaidDelta { text: piece })
    }

    /// Words of an answer as they come, wherever they are cut.
    pub fn go_on(&mut self, words: &str) -> Option<Event> {
        if words.is_empty() {
            return None;
        }
        // Another's words begin behind a space, and behind one alone.
        let is_behind_space = self.whole.ends_with(char::is_whitespace) && !self.is_open;
        let words = if is_behind_space { words.trim_start() } else { words };
        if words.is_empty() {
            return None;
        }
        let is_apart = self.whole.is_empty()
            || self.is_open
            || is_behind_space
            || words.starts_with(char::is_whitespace);
        let piece = if is_apart { words.to_owned() } else { format!(" {words}") };
        self.answer_at.get_or_insert(self.whole.len());
        self.is_open = true;
        self.whole.push_str(&piece);
        Some(Event::SaidDelta { text: piece })
    }

    /// What comes next is another thing.
    pub fn pause(&mut self) {
        self.is_open = false;
    }

    pub fn is_between_sentences(&self) -> bool {
        self.whole.trim_end().ends_with(['.', '!', '?'])
    }

    /// What was answered so far without the acknowledgement, and `text` behind it.
    pub fn with(&self, text: &str) -> String {
        let before = &self.whole[self.answer_at.unwrap_or(self.whole.len())..];
        [before.trim(), text.trim()]
            .into_iter()
            .filter(|it| !it.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The answer, sentence by sentence, then the whole, then whether there was
    /// anything to say.
    pub fn answer(mut self, text: &str) -> (Vec<Event>, Event, bool) {
        let has_words = self.answer_at.is_some() || !text.trim().is_empty();
        let text = if has_words { text } else { LOST_FOR_WORDS };
        let mut sentences = sentence::split(text);
        let first: Vec<_> = sentences.by_ref().take(MOST_PIECES).collect();
        let rest = sentences.collect::<Vec<_>>().join(" ");
        let pieces = first.into_iter().chain([rest.as_str()]);
        let parts = pieces.filter_map(|part| self.say(part)).collect();
        (parts, Event::Said { text: self.whole }, has_words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(event: &Event) -> &str {
        match event {
            Event::SaidDelta { text } | Event::Said { text } => text,
            other => panic!("{} is not speech", other.name()),
        }
    }

    #[test]
    fn between_the_words_of_two_stands_one_space() {
        for (before, behind) in
            [("Hm. ", "Two."), ("Hm. ", " Two."), ("Hm.", " Two."), ("Hm.", "Two.")]
        {
            let mut mouth = Mouth::default();
            mouth.go_on(before);
            mouth.pause();
            mouth.go_on(behind);
            assert_eq!(mouth.whole, "Hm. Two.", "{before:?} {behind:?}");
        }
    }

    #[test]
    fn the_whole_is_the_pieces_joined() {
        let mut mouth = Mouth::default();
        let mut events = vec![mouth.say("Checking tomorrow.").unwrap()];
        let (parts, whole, _) = mouth.answer("Two meetings. The first is at 9:30.");
        events.extend(parts);

        assert_eq!(text_of(&whole), events.iter().map(text_of).collect::<String>());
        assert_eq!(events.len(), 3);
    }

    #[test]
    fn a_very_long_answer_comes_whole_and_in_few_pieces() {
        let text = "One more thing. ".repeat(500);
        let (parts, whole, _) = Mouth::default().answer(&text);
        assert_eq!(parts.len(), MOST_PIECES + 1);
        assert_eq!(text_of(&whole), parts.iter().map(text_of).collect::<String>());
        assert_eq!(text_of(&whole), text.trim());
    }

    #[test]
    fn an_empty_answer_is_never_a_bubble() {
        let (_, whole, has_words) = Mouth::default().answer("  ");
        assert!(!has_words);
        assert_eq!(text_of(&whole), LOST_FOR_WORDS);
    }
}
