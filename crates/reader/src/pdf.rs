//! PDF: the words of each page, in the order in which they are drawn.

mod columns;
mod fields;
mod page;

use std::collections::{HashMap, HashSet};

use brain::paper::{Paper, Place};
use lopdf::{Document, LoadOptions, Object, decode_text_string};

use crate::paper::{Filling, line};
use crate::{Unreadable, percent};

/// Pages that are looked at.
const MOST_PAGES: usize = 5_000;
/// What one stream may become when it is unpacked.
const MOST_UNPACKED: usize = 32 * 1024 * 1024;

pub fn read(bytes: &[u8], done: &mut dyn FnMut(u8)) -> Result<Paper, Unreadable> {
    let options =
        LoadOptions { max_decompressed_size: Some(MOST_UNPACKED), ..LoadOptions::default() };
    let document =
        Document::load_mem_with_options(bytes, options).map_err(|error| why(&error, bytes))?;
    // What opens without a password is open by now.
    if document.trailer.has(b"Encrypt") {
        return Err(Unreadable::Locked("PDF"));
    }
    // A tree of pages that comes back to itself shows the same pages again.
    let mut seen = HashSet::new();
    let mut pages = document.page_iter().filter(|page| seen.insert(*page));
    let mut filling = Filling::default();
    filling.paper.title = title(&document);
    let (mut number, all) = (0u32, document.page_iter().take(MOST_PAGES).count());
    let mut numbers = HashMap::new();
    for page in pages.by_ref().take(MOST_PAGES) {
        done(percent(number as usize, all));
        number += 1;
        numbers.insert(page, number);
        if filling.is_full() {
            filling.paper.cut = true;
            continue;
        }
        let (text, is_whole) = page::words(&document, page, MOST_UNPACKED).unwrap_or_default();
        if !is_whole {
            filling.paper.extent.unread_pages += 1;
        }
        filling.add(Place::Page(number), &text);
    }
    for (page, name, says) in fields::filled(&document, &numbers) {
        filling.add(Place::Page(page), &format!("{name}: {says}"));
    }
    filling.paper.cut |= pages.next().is_some();
    filling.paper.extent.pages = Some(number);
    match (number, filling.paper.parts.is_empty()) {
        (1.., true) if filling.paper.extent.unread_pages > 0 => {
            Err(Unreadable::Broken("PDF", "its pages cannot be followed"))
        }
        (0, _) => Err(Unreadable::Broken("PDF", "it has no pages")),
        (_, true) => Err(Unreadable::NoText("PDF")),
        _ => Ok(filling.done()),
    }
}

fn why(error: &lopdf::Error, bytes: &[u8]) -> Unreadable {
    let is_locked = bytes.windows(8).any(|word| word == b"/Encrypt");
    match error {
        lopdf::Error::InvalidPassword | lopdf::Error::Decryption(_) => Unreadable::Locked("PDF"),
        _ if is_locked => Unreadable::Locked("PDF"),
        lopdf::Error::Decompress(_) => Unreadable::TooMuch("PDF", "it unpacks to far too much"),
        _ => Unreadable::Broken("PDF", "its inner table cannot be read"),
    }
}

fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let (_, info) = document.dereference(info).ok()?;
    let title = info.as_dict().ok()?.get(b"Title").ok()?;
    let (_, title) = document.dereference(title).ok()?;
    let Object::String(..) = title else { return None };
    // What a program writes where nobody gave it one: nothing, or where it had it from.
    let is_given = |title: &String| {
        let from = ["data:", "about:", "file:", "http:", "https:"];
        !matches!(title.as_str(), "(anonymous)" | "untitled" | "Untitled")
            && !from.iter().any(|from| title.starts_with(from))
    };
    line(&decode_text_string(title).ok()?).filter(is_given)
}

#[cfg(test)]
#[path = "pdf_tests.rs"]
pub(crate) mod tests;
