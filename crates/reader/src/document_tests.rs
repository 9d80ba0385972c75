//! Word documents, honest ones and others.

use std::io::Write;

use brain::paper::Part;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

const OPEN: &str = r#"<?xml version="1.0"?><w:document xmlns:w="x"><w:body>"#;
const CLOSE: &str = "</w:body></w:document>";

pub fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

pub fn docx(body: &str) -> Vec<u8> {
    let text = format!("{OPEN}{body}{CLOSE}");
    archive(&[("[Content_Types].xml", b"<Types/>"), ("word/document.xml", text.as_bytes())])
}

#[test]
fn a_document_is_read_paragraph_by_paragraph() {
    let body = r#"<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Plan</w:t></w:r></w:p>
        <w:p><w:r><w:t>Ana &amp; Bo</w:t></w:r><w:r><w:t xml:space="preserve"> meet.</w:t></w:r></w:p>
        <w:p/><w:p><w:r><w:t>Caf&#233;</w:t></w:r></w:p>"#;
    let paper = read(&docx(body)).unwrap();
    let part = |number, text: &str| Part { place: Place::Paragraph(number), text: text.to_owned() };
    assert_eq!(paper.parts, [part(1, "Plan"), part(2, "Ana & Bo meet."), part(3, "Café")]);
    assert_eq!(paper.title.as_deref(), Some("Plan"));
}

#[test]
fn its_properties_say_who_made_it_and_when() {
    let core = r#"<?xml version="1.0"?><cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:t="t">
        <dc:title>Terms &amp; fees</dc:title><dc:creator>Henrik Aalto</dc:creator><dc:subject/>
        <cp:lastModifiedBy>Dana Brooks</cp:lastModifiedBy>
        <t:created>2026-09-14T10:00:00Z</t:created><t:modified>soon</t:modified>
        </cp:coreProperties>"#;
    let text = format!("{OPEN}<w:p><w:r><w:t>Hello</w:t></w:r></w:p>{CLOSE}");
    let read_with = |core: &str| {
        let parts =
            [("docProps/core.xml", core.as_bytes()), ("word/document.xml", text.as_bytes())];
        read(&archive(&parts)).unwrap()
    };
    let paper = read_with(core);
    assert_eq!(paper.title.as_deref(), Some("Terms & fees"));
    let origin = Origin {
        author: Some("Henrik Aalto".into()),
        changed_by: Some("Dana Brooks".into()),
        made_at: Some("2026-09-14T10:00:00Z".parse().unwrap()),
        changed_at: None,
    };
    assert_eq!(paper.origin, origin);
    let made_by_a_program = read_with("<a><creator>python-docx</creator>");
    assert!(made_by_a_program.origin.is_unknown());
}

#[test]
fn a_bomb_is_not_unpacked() {
    let zeros = vec![b' '; 40 * 1024 * 1024];
    let bomb = archive(&[("word/document.xml", &zeros)]);
    assert!(bomb.len() < 100 * 1024);
    assert_eq!(read(&bomb), Err(Unreadable::TooMuch(WHAT, "it unpacks to far too much")));
}

#[test]
fn too_many_parts_are_not_looked_through() {
    let mut parts: Vec<(String, &[u8])> =
        (0..=MOST_ENTRIES).map(|n| (format!("word/{n}.xml"), &b"x"[..])).collect();
    parts.push(("word/document.xml".into(), b"<a/>"));
    let parts: Vec<_> = parts.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let refused = read(&archive(&parts));
    assert_eq!(refused, Err(Unreadable::TooMuch(WHAT, "there are too many parts in it")));
}

#[test]
fn marks_within_marks_within_marks_are_given_up() {
    let deep = "<w:p>".repeat(100_000);
    let refused = read(&docx(&deep));
    assert!(matches!(refused, Err(Unreadable::TooMuch(..))), "{refused:?}");
}

#[test]
fn what_a_document_defines_itself_is_never_expanded() {
    let lol = r#"<?xml version="1.0"?><!DOCTYPE w [<!ENTITY lol "lollollol">]>
        <w:document xmlns:w="x"><w:p><w:t>a&lol;b</w:t></w:p></w:document>"#;
    let paper = read(&archive(&[("word/document.xml", lol.as_bytes())])).unwrap();
    assert_eq!(paper.parts[0].text, "ab");
}

#[test]
fn a_torn_document_says_so() {
    let whole = docx("<w:p><w:r><w:t>Hello</w:t></w:r></w:p>");
    let torn = read(&whole[..whole.len() / 2]).unwrap_err();
    assert!(matches!(torn, Unreadable::Broken(..)), "{torn}");
    let cut = read(&docx("<w:p><w:t>a</w:t></w:p><w:p></w:q>")).unwrap_err();
    assert!(matches!(cut, Unreadable::Broken(..)), "{cut}");
    assert_eq!(read(&docx("<w:p/>")), Err(Unreadable::NoText(WHAT)));
}
