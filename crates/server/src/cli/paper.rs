//! How wide the terminal is, where lines break, and what may stand on it.

use std::borrow::Cow;

/// Where the words of both sides begin.
pub const MARGIN: usize = 7;
/// Narrower than this nothing is wrapped, and wider lines are hard to read.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=100;

/// `None` for a pipe: whoever reads it wraps as they like.
pub fn width(is_terminal: bool) -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size()?;
    let width = usize::from(width).min(*WIDTHS.end());
    Some(width).filter(|width| is_terminal && WIDTHS.contains(width))
}

/// Breaks between words so that no line is longer than `width`; lines after
/// the first begin with `margin`. Gives back the column behind the text.
pub fn wrap(text: &str, column: usize, margin: &str, width: Option<usize>) -> (String, usize) {
    let indent = margin.chars().count();
    let (mut out, mut column) = (String::new(), column);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
            out.push_str(margin);
            column = indent;
        }
        for word in line.split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if width.is_some_and(|width| column + length > width) && column > indent {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                out.push_str(margin);
                column = indent;
            }
            out.push_str(word);
            column += word.chars().count();
        }
    }
    (out, column)
}

/// Text from elsewhere as it may be shown: it cannot move the cursor, colour
/// what is not its own, or turn the reading direction around.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.contains(meddles) { text.replace(meddles, "\u{fffd}").into() } else { text.into() }
}

fn meddles(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNDER: &str = "       ";

    #[test]
    fn words_stay_whole_and_stand_under_the_first() {
        let (text, column) = wrap("one two three four", MARGIN, UNDER, Some(18));
        assert_eq!(text, "one two\n       three four");
        assert_eq!(column, MARGIN + 10);
    }

    #[test]
    fn what_follows_is_wrapped_from_where_the_last_piece_ended() {
        let (text, column) = wrap(" and more", MARGIN + 9, UNDER, Some(18));
        assert_eq!(text, "\n       and more");
        assert_eq!(column, MARGIN + 8);
    }

    #[test]
    fn a_pipe_is_not_wrapped_but_new_lines_are_kept_under_the_first() {
        let (text, _) = wrap("one\ntwo", MARGIN, UNDER, None);
        assert_eq!(text, "one\n       two");
    }

    #[test]
    fn a_text_cannot_paint_over_the_card_it_stands_on() {
        assert_eq!(
            harmless("to \u{1b}[1Aeve\r\u{202e}moc"),
            "to \u{fffd}[1Aeve\u{fffd}\u{fffd}moc"
        );
        assert_eq!(harmless("Grüße\nan Øyvind 👋"), "Grüße\nan Øyvind 👋");
    }
}
