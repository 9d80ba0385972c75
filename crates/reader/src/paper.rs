//! A paper that is being filled, up to its limits.

use brain::paper::{Paper, Part, Place};

use crate::{LONGEST_LINE, MOST_PARTS, MOST_TEXT};

/// Takes text until there is enough, and remembers that there was more.
#[derive(Default)]
pub struct Filling {
    pub paper: Paper,
    kept: usize,
}

impl Filling {
    /// Adds a piece of text. What does not fit is left out, and the paper says so.
    pub fn add(&mut self, place: Place, text: &str) {
        let text = shown(text);
        if text.is_empty() {
            return;
        }
        let words = text.split_whitespace().count();
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        self.paper.extent.words = self.paper.extent.words.saturating_add(words);
        let room = MOST_TEXT - self.kept;
        if room == 0 || self.paper.parts.len() >= MOST_PARTS {
            self.paper.cut = true;
            return;
        }
        let text = if text.len() > room {
            self.paper.cut = true;
            text[..text.floor_char_boundary(room)].to_owned()
        } else {
            text
        };
        self.kept += text.len();
        self.paper.parts.push(Part { place, text });
    }

    /// Nothing more would be kept.
    pub fn is_full(&self) -> bool {
        self.kept >= MOST_TEXT || self.paper.parts.len() >= MOST_PARTS
    }

    pub fn done(self) -> Paper {
        self.paper
    }
}

/// The text as it can be shown: one kind of line break, no control characters, no
/// long runs of blanks.
fn shown(text: &str) -> String {
    // A text may be one line of millions of words: no list is made of them.
    let mut shown = String::new();
    for line in text.split(['\n', '\r', '\u{0c}', '\u{2028}', '\u{2029}']) {
        let mut between = '\n';
        let words = line.split(|c: char| c.is_whitespace() || c.is_control());
        for word in words.filter(|word| !word.is_empty()) {
            if !shown.is_empty() {
                shown.push(between);
            }
            shown.push_str(word);
            between = ' ';
        }
    }
    shown
}

/// A name or a title: one line that is not long, or nothing.
pub fn line(text: &str) -> Option<String> {
    let line = shown(text).replace('\n', " ");
    let line: String = line.chars().take(LONGEST_LINE).collect();
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// A program that knows no author puts itself there, or nothing that names anybody.
pub fn is_somebody(name: &str) -> bool {
    const NOBODY: &[&str] = &[
        "(anonymous)",
        "anonymous",
        "unknown",
        "author",
        "user",
        "admin",
        "administrator",
        "microsoft office user",
        "python-docx",
        "apache poi",
        "un-named",
    ];
    !NOBODY.iter().any(|nobody| name.eq_ignore_ascii_case(nobody))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_left_out_and_said_so() {
        let mut filling = Filling::default();
        filling.add(Place::Page(1), &"word ".repeat(MOST_TEXT / 5 + 10));
        filling.add(Place::Page(2), "more");

        let paper = filling.done();

        assert!(paper.cut);
        assert_eq!(paper.parts.len(), 1);
        assert!(paper.parts[0].text.len() <= MOST_TEXT);
        assert_eq!(paper.extent.words as usize, MOST_TEXT / 5 + 11);
    }

    #[test]
    fn text_is_kept_without_what_cannot_be_shown() {
        assert_eq!(shown("a\u{0}b\tc  d\r\n\r\n  e\u{7}"), "a b c d\ne");
        assert_eq!(line("  Two\nlines "), Some("Two lines".to_owned()));
        assert_eq!(line(" \u{1} "), None);
    }
}
