//! One page of a paper, or about as much of one that has none.

use brain::paper::{Paper, Part, Place};

/// What has no pages is read in pieces of this many characters.
const PAGE: usize = 2_000;
/// No page is told beyond this.
const LONGEST: usize = 4_000;

/// The words of a page; none where there is no such page.
pub fn page(paper: &Paper, number: u32) -> Option<Vec<Part>> {
    if let Some(pages) = paper.extent.pages {
        if number > pages {
            return None;
        }
        let on_it = paper.parts.iter().filter(|part| part.place == Place::Page(number));
        return Some(cut(on_it.cloned()));
    }
    let mut piece = 1;
    let mut length = 0;
    let mut found = Vec::new();
    for part in &paper.parts {
        if length > 0 && length + part.text.len() > PAGE {
            piece += 1;
            length = 0;
        }
        length += part.text.len();
        match piece.cmp(&number) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => found.push(part.clone()),
            std::cmp::Ordering::Greater => break,
        }
    }
    (!found.is_empty()).then(|| cut(found.into_iter()))
}

fn cut(parts: impl Iterator<Item = Part>) -> Vec<Part> {
    let mut room = LONGEST;
    let mut kept = Vec::new();
    for mut part in parts {
        if part.text.len() > room {
            part.text.truncate(part.text.floor_char_boundary(room));
            part.text.push('…');
        }
        room = room.saturating_sub(part.text.len());
        kept.push(part);
        if room == 0 {
            break;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u32, text: &str) -> Part {
        Part { place: Place::Line(number), text: text.to_owned() }
    }

    #[test]
    fn what_has_pages_is_read_by_them_and_the_rest_in_pieces() {
        let mut paper = Paper::default();
        paper.extent.pages = Some(3);
        paper.parts = vec![Part { place: Place::Page(2), text: "second".into() }];
        assert_eq!(page(&paper, 2).unwrap().len(), 1);
        assert_eq!(page(&paper, 3).unwrap(), [], "a page may have no words");
        assert_eq!(page(&paper, 4), None);

        let long = "x".repeat(PAGE);
        let text = Paper { parts: vec![line(1, &long), line(2, "end")], ..Paper::default() };
        assert_eq!(page(&text, 2).unwrap(), [line(2, "end")]);
        assert_eq!(page(&text, 3), None);
    }

    #[test]
    fn a_page_has_an_end() {
        let huge = Paper { parts: vec![line(1, &"é".repeat(LONGEST))], ..Paper::default() };
        let told = page(&huge, 1).unwrap();
        assert!(told[0].text.len() <= LONGEST + '…'.len_utf8());
    }
}
