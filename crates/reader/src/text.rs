//! Plain text, Markdown, JSON and pages of the web.

use brain::paper::{Paper, Place};
use mail_parser::decoders::html::html_to_text;

use crate::paper::{Filling, line};
use crate::{Unreadable, letters};

pub fn read(bytes: &[u8], media_type: &str) -> Result<Paper, Unreadable> {
    let text = letters::read(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut filling = Filling::default();
    if media_type == "text/html" {
        // A heading and what is below it, cells side by side: words of their own.
        let apart = ["</td", "</th", "</h"].into_iter().fold(text.to_owned(), |text, end| {
            if text.contains(end) { text.replace(end, &format!(" {end}")) } else { text }
        });
        paragraphs(&mut filling, &html_to_text(&apart));
    } else {
        paragraphs(&mut filling, text);
        filling.paper.extent.lines = u32::try_from(text.lines().count()).ok();
    }
    if filling.paper.parts.is_empty() {
        return Err(Unreadable::Empty);
    }
    if media_type == "text/markdown" {
        filling.paper.title = heading(text);
        for part in &mut filling.paper.parts {
            part.text = unmarked(&part.text);
        }
    }
    Ok(filling.done())
}

/// Lines that belong together, each block with the number of its first line.
pub fn paragraphs(filling: &mut Filling, text: &str) {
    /// A block without an empty line in it is still read in pieces.
    const MOST_LINES: usize = 40;
    let mut block: Vec<&str> = Vec::new();
    let mut first = 1;
    let mut number = 0u32;
    for line in text.lines() {
        number = number.saturating_add(1);
        if line.trim().is_empty() || block.len() >= MOST_LINES {
            filling.add(Place::Line(first), &block.join("\n"));
            block.clear();
        }
        if line.trim().is_empty() {
            continue;
        }
        if block.is_empty() {
            first = number;
        }
        block.push(line);
    }
    filling.add(Place::Line(first), &block.join("\n"));
}

/// The first heading, as the title.
fn heading(text: &str) -> Option<String> {
    let mut lines = text.lines();
    lines
        .find_map(|one| one.strip_prefix('#').map(|rest| rest.trim_start_matches('#')))
        .and_then(line)
}

/// Without the signs that only a program needs.
fn unmarked(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim_start_matches(['#', '>']).trim_start();
        let line = line.strip_prefix("* ").or(line.strip_prefix("+ ")).unwrap_or(line);
        line.replace("**", "").replace("__", "").replace('`', "")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use brain::paper::Part;

    use super::*;

    fn part(line: u32, text: &str) -> Part {
        Part { place: Place::Line(line), text: text.to_owned() }
    }

    #[test]
    fn blocks_of_text_know_their_first_line() {
        let paper = read(b"one\ntwo\n\n\nthree\n", "text/plain").unwrap();
        assert_eq!(paper.parts, [part(1, "one\ntwo"), part(5, "three")]);
        assert_eq!(paper.extent.lines, Some(5));
        assert_eq!(paper.extent.words, 3);
    }

    #[test]
    fn markdown_has_a_title_and_no_marks() {
        let paper = read(b"# Plan\n\nThe **first** step is `done`.\n", "text/markdown").unwrap();
        assert_eq!(paper.title.as_deref(), Some("Plan"));
        assert_eq!(paper.parts, [part(1, "Plan"), part(3, "The first step is done.")]);
    }

    #[test]
    fn a_page_of_the_web_is_read_without_its_tags() {
        let page = b"<!DOCTYPE html><html><p>Hello <b>Ana</b></p><script>x()</script></html>";
        let paper = read(page, "text/html").unwrap();
        assert!(paper.parts[0].text.starts_with("Hello Ana"), "{:?}", paper.parts);
        let row = b"<html><table><tr><td>Order 77</td><td>Total</td></tr></table></html>";
        let paper = read(row, "text/html").unwrap();
        assert!(paper.parts[0].text.contains("Order 77 Total"), "{:?}", paper.parts);
    }

    #[test]
    fn blanks_alone_are_an_empty_file() {
        assert_eq!(read(b" \n\t\n", "text/plain"), Err(Unreadable::Empty));
    }
}
