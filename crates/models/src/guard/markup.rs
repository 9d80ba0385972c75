//! Takes out what makes words bold, a heading or code: people hear an answer, and see it as it
//! was written. Pure, and as fast as it comes.
//!
//! `3 * 4`, `a_name` and `#5` are words. A list keeps its lines, with a dot before each.

/// Reads what comes, piece by piece.
#[derive(Debug, Default)]
pub struct Markup {
    /// Marks, and whether anything stands before them.
    held: String,
    last: Option<char>,
    /// Words stand in this line.
    in_line: bool,
}

impl Markup {
    pub fn take(&mut self, words: &str) -> String {
        let mut shown = String::new();
        for c in words.chars() {
            self.hear(c, &mut shown);
        }
        shown
    }

    /// There is no more.
    pub fn finish(&mut self) -> String {
        let mut shown = String::new();
        self.settle(None, &mut shown);
        shown
    }

    fn hear(&mut self, c: char, shown: &mut String) {
        let may_go_on = self.held.chars().next().is_none_or(|first| first == c);
        if is_mark(c, self.in_line) && may_go_on {
            self.held.push(c);
            return;
        }
        self.settle(Some(c), shown);
        if is_mark(c, self.in_line) {
            self.held.push(c);
            return;
        }
        self.in_line = c != '\n' && (self.in_line || !c.is_whitespace());
        self.show(c, shown);
    }

    /// What the marks were, now that `next` follows them.
    fn settle(&mut self, next: Option<char>, shown: &mut String) {
        let held = std::mem::take(&mut self.held);
        let Some(first) = held.chars().next() else { return };
        let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let kept = match first {
            // "# Title".
            '#' if !self.in_line && next == Some(' ') => {
                self.last = Some(' ');
                return;
            }
            '*' if !self.in_line && held.len() == 1 && next == Some(' ') => "•",
            // A rule, or emphasis.
            '*' if held.len() > 1 => "",
            '*' if is_blank(self.last) && is_blank(next) => &held,
            '*' if is_word(self.last) && is_word(next) => &held,
            '*' => "",
            '_' if is_word(self.last) && is_word(next) => &held,
            '_' if is_blank(self.last) && is_blank(next) => &held,
            '_' => "",
            '`' => "",
            _ => &held,
        };
        for c in kept.chars() {
            self.in_line = true;
            self.show(c, shown);
        }
    }

    fn show(&mut self, c: char, shown: &mut String) {
        // The blank behind "#" goes with it.
        let is_first = c == ' ' && self.last == Some(' ') && !self.in_line;
        self.last = Some(c);
        if !is_first {
            shown.push(c);
        }
    }
}

fn is_mark(c: char, in_line: bool) -> bool {
    matches!(c, '*' | '_' | '`') || c == '#' && !in_line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_marks_reach_the_screen_or_the_voice() {
        for (text, expected) in [
            ("**Great question!** It is *blue*.", "Great question! It is blue."),
            ("# Title\nWords.\n## More\nof it", "Title\nWords.\nMore\nof it"),
            ("* one\n* **two**\n- three", "• one\n• two\n- three"),
            ("__Bold__ and _soft_ and `code`.", "Bold and soft and code."),
            (
                "3 * 4 is 12, 3*4 too, and snake_case stays.",
                "3 * 4 is 12, 3*4 too, and snake_case stays.",
            ),
            ("Ticket #5 is open.", "Ticket #5 is open."),
            ("***so***", "so"),
            ("a ** b", "a  b"),
            ("", ""),
        ] {
            for size in [1, 3, 100] {
                let mut markup = Markup::default();
                let letters: Vec<char> = text.chars().collect();
                let pieces = letters.chunks(size).map(|it| it.iter().collect::<String>());
                let mut shown: String = pieces.map(|piece| markup.take(&piece)).collect();
                shown.push_str(&markup.finish());
                assert_eq!(shown, expected, "{text} by {size}");
            }
        }
    }
}
