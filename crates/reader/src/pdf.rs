//! PDF: the words of each page, in the order in which they are drawn.

mod columns;
mod fields;
mod page;

use std::collections::{HashMap, HashSet};

use brain::paper::{Origin, Paper, Place};
use jiff::Timestamp;
use lopdf::{Document, LoadOptions, Object, decode_text_string};

use crate::paper::{Filling, is_somebody, line};
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
    filling.paper.origin = origin(&document);
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
    // What a program writes where nobody gave it one: nothing, or where it had it from.
    let is_given = |title: &String| {
        let from = ["data:", "about:", "file:", "http:", "https:"];
        !matches!(title.as_str(), "(anonymous)" | "untitled" | "Untitled")
            && !from.iter().any(|from| title.starts_with(from))
    };
    property(document, b"Title").filter(is_given)
}

fn origin(document: &Document) -> Origin {
    Origin {
        author: property(document, b"Author").filter(|name| is_somebody(name)),
        changed_by: None,
        made_at: property(document, b"CreationDate").and_then(|text| moment(&text)),
        changed_at: property(document, b"ModDate").and_then(|text| moment(&text)),
    }
}

fn property(document: &Document, name: &[u8]) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let (_, info) = document.dereference(info).ok()?;
    let said = info.as_dict().ok()?.get(name).ok()?;
    let (_, said) = document.dereference(said).ok()?;
    let Object::String(..) = said else { return None };
    line(&decode_text_string(said).ok()?)
}

/// `D:20261003101500+02'00'`. A time without its zone is nobody's, and counts as UTC.
fn moment(text: &str) -> Option<Timestamp> {
    let text = text.strip_prefix("D:").unwrap_or(text);
    let (clock, zone) = text.split_at_checked(14)?;
    let zone = match zone.get(..1) {
        None | Some("Z") => "+0000".to_owned(),
        Some(_) => {
            let digits: String = zone[1..].chars().filter(char::is_ascii_digit).take(4).collect();
            format!("{}{digits:0<4}", &zone[..1])
        }
    };
    Timestamp::strptime("%Y%m%d%H%M%S%z", format!("{clock}{zone}")).ok()
}

#[cfg(test)]
#[path = "pdf_tests.rs"]
pub(crate) mod tests;
