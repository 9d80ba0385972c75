//! DOCX: an archive with one text in it that is of interest.
//!
//! What the archive says of itself is checked before anything is unpacked, and
//! while it is unpacked nobody takes its word for it.

use std::io::{BufRead, BufReader, Cursor, Read};

use brain::paper::{Origin, Paper, Place};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use crate::Unreadable;
use crate::paper::{Filling, is_somebody, line};

const WHAT: &str = "Word document";
const MOST_ENTRIES: usize = 1_000;
/// All of it, unpacked.
const MOST_UNPACKED: u64 = 100 * 1024 * 1024;
/// How much larger than it is packed a part may become.
const MOST_RATIO: u64 = 100;
/// A part so small is never a bomb.
const SMALL: u64 = 64 * 1024;
/// The text itself, with all its marks.
const MOST_TEXT: u64 = 32 * 1024 * 1024;
/// Marks within marks.
const DEEPEST: usize = 256;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

pub fn read(bytes: &[u8]) -> Result<Paper, Unreadable> {
    let torn = |_| Unreadable::Broken(WHAT, "the archive it is in cannot be opened");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(torn)?;
    check(&mut archive)?;
    let mut filling = Filling::default();
    (filling.paper.title, filling.paper.origin) = properties(&mut archive).unwrap_or_default();
    let part = archive.by_name("word/document.xml");
    let part = part.map_err(|_| Unreadable::Broken(WHAT, "there is no text in it"))?;
    if part.size() > MOST_TEXT {
        return Err(Unreadable::TooMuch(WHAT, "its text is enormous"));
    }
    walk(BufReader::new(part.take(MOST_TEXT)), &mut filling)?;
    if filling.paper.parts.is_empty() {
        return Err(Unreadable::NoText(WHAT));
    }
    Ok(filling.done())
}

/// Refuses what would unpack to far more than it is.
fn check(archive: &mut Archive<'_>) -> Result<(), Unreadable> {
    const BOMB: Unreadable = Unreadable::TooMuch(WHAT, "it unpacks to far too much");
    if archive.len() > MOST_ENTRIES {
        return Err(Unreadable::TooMuch(WHAT, "there are too many parts in it"));
    }
    let mut all = 0u64;
    for at in 0..archive.len() {
        let torn = |_| Unreadable::Broken(WHAT, "a part of it cannot be opened");
        let entry = archive.by_index_raw(at).map_err(torn)?;
        if entry.encrypted() {
            return Err(Unreadable::Locked(WHAT));
        }
        let (packed, size) = (entry.compressed_size(), entry.size());
        all = all.saturating_add(size);
        if all > MOST_UNPACKED || (size > SMALL && size / packed.max(1) > MOST_RATIO) {
            return Err(BOMB);
        }
    }
    Ok(())
}

/// What its properties say of it: its title, who made it, and when.
fn properties(archive: &mut Archive<'_>) -> Option<(Option<String>, Origin)> {
    let part = archive.by_name("docProps/core.xml").ok()?;
    let mut text = String::new();
    part.take(SMALL).read_to_string(&mut text).ok()?;
    let mut reader = Reader::from_str(&text);
    let (mut title, mut origin) = (None, Origin::default());
    let (mut inside, mut said) = (String::new(), String::new());
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                tag.local_name().as_ref().clone_into(&mut inside);
                said.clear();
            }
            Ok(Event::Text(text)) => said.push_str(&text.xml10_content()),
            Ok(Event::GeneralRef(sign)) => said.extend(letter(&sign)),
            Ok(Event::End(_)) => {
                let at = || said.trim().parse().ok();
                match inside.as_str() {
                    "title" => title = line(&said),
                    "creator" => origin.author = line(&said).filter(|name| is_somebody(name)),
                    "lastModifiedBy" => {
                        origin.changed_by = line(&said).filter(|name| is_somebody(name));
                    }
                    "created" => origin.made_at = at(),
                    "modified" => origin.changed_at = at(),
                    _ => {}
                }
                inside.clear();
            }
            Ok(Event::Eof) | Err(_) => return Some((title, origin)),
            Ok(_) => {}
        }
    }
}

/// Paragraph by paragraph.
fn walk(part: impl BufRead, filling: &mut Filling) -> Result<(), Unreadable> {
    const TORN: Unreadable = Unreadable::Broken(WHAT, "its text cannot be followed");
    let mut reader = Reader::from_reader(part);
    let mut buffer = Vec::new();
    let mut paragraph = String::new();
    let (mut number, mut depth, mut in_text, mut is_title) = (0u32, 0usize, false, false);
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|_| TORN)? {
            Event::Start(tag) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(Unreadable::TooMuch(WHAT, "its marks are nested too deep"));
                }
                in_text = tag.local_name().as_ref() == "t";
                is_title |= names_title(&tag);
            }
            Event::Empty(tag) => {
                match tag.local_name().as_ref() {
                    "tab" => paragraph.push(' '),
                    "br" | "cr" => paragraph.push('\n'),
                    _ => {}
                }
                is_title |= names_title(&tag);
            }
            Event::Text(text) if in_text => paragraph.push_str(&text.xml10_content()),
            Event::GeneralRef(sign) if in_text => paragraph.extend(letter(&sign)),
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                in_text = false;
                match tag.local_name().as_ref() {
                    "p" => {
                        let text = std::mem::take(&mut paragraph);
                        if line(&text).is_none() {
                            continue;
                        }
                        number = number.saturating_add(1);
                        if std::mem::take(&mut is_title) && filling.paper.title.is_none() {
                            filling.paper.title = line(&text);
                        }
                        filling.add(Place::Paragraph(number), &text);
                    }
                    "tc" => paragraph.push(' '),
                    _ => {}
                }
            }
            Event::Eof if depth == 0 && number > 0 => return Ok(()),
            Event::Eof => return if number > 0 { Err(TORN) } else { Ok(()) },
            _ => {}
        }
        if paragraph.len() > crate::MOST_TEXT {
            return Err(Unreadable::TooMuch(WHAT, "one paragraph of it is enormous"));
        }
    }
}

/// `<w:pStyle w:val="Title"/>`, or the first heading.
fn names_title(tag: &BytesStart<'_>) -> bool {
    let named = |value: &str| value == "Title" || value == "Heading1";
    tag.local_name().as_ref() == "pStyle"
        && tag.attributes().flatten().any(|one| named(one.value.as_ref()))
}

/// `&amp;` and `&#228;`. Nothing that a document defines itself is ever expanded.
fn letter(sign: &quick_xml::events::BytesRef<'_>) -> Option<char> {
    if let Ok(Some(letter)) = sign.resolve_char_ref() {
        return Some(letter);
    }
    match sign.as_ref() {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
pub(crate) mod tests;
