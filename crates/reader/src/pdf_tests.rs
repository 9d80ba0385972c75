//! PDF files, made here a page at a time.

use std::fmt::Write as _;

use brain::paper::Part;
use lopdf::content::{Content, Operation};
use lopdf::{Stream, dictionary};

use super::*;

fn read(bytes: &[u8]) -> Result<Paper, Unreadable> {
    super::read(bytes, &mut |_| {})
}

/// A PDF with these lines on each page.
pub fn pdf(pages: &[&[&str]]) -> Vec<u8> {
    saved(document(pages))
}

fn saved(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn document(pages: &[&[&str]]) -> Document {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica",
        "Encoding" => "WinAnsiEncoding",
    });
    let resources = dictionary! { "Font" => dictionary! { "F1" => font } };
    let kids: Vec<Object> = pages
        .iter()
        .map(|lines| {
            let mut steps = vec![
                Operation::new("BT", vec![]),
                Operation::new("Tf", vec!["F1".into(), 12.into()]),
                Operation::new("Td", vec![72.into(), 720.into()]),
            ];
            for line in *lines {
                steps.push(Operation::new("Tj", vec![Object::string_literal(*line)]));
                steps.push(Operation::new("Td", vec![0.into(), (-14).into()]));
            }
            steps.push(Operation::new("ET", vec![]));
            let content = Content { operations: steps }.encode().unwrap();
            let content = document.add_object(Stream::new(dictionary! {}, content));
            let page = document.add_object(dictionary! {
                "Type" => "Page", "Parent" => tree, "Contents" => content,
                "Resources" => resources.clone(),
                "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
            });
            page.into()
        })
        .collect();
    let count = i64::try_from(kids.len()).unwrap();
    let all = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    document.objects.insert(tree, Object::Dictionary(all));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    let info = document.add_object(dictionary! { "Title" => Object::string_literal("The lease") });
    document.trailer.set("Root", catalog);
    document.trailer.set("Info", info);
    document
}

#[test]
fn its_properties_say_who_made_it_and_when() {
    let mut named = document(&[&["Hello"]]);
    let info = named.add_object(dictionary! {
        "Author" => Object::string_literal("Birgit Olsen"),
        "CreationDate" => Object::string_literal("D:20261003101500+02'00'"),
        "ModDate" => Object::string_literal("D:2026"),
    });
    named.trailer.set("Info", info);
    let origin = Origin {
        author: Some("Birgit Olsen".into()),
        changed_by: None,
        made_at: Some("2026-10-03T08:15:00Z".parse().unwrap()),
        changed_at: None,
    };
    assert_eq!(read(&saved(named)).unwrap().origin, origin);
    assert_eq!(moment("20261003101500Z"), "2026-10-03T10:15:00Z".parse().ok());
    for odd in ["D:", "D:2026100310150é+02", "D:20261303101500", "yesterday at ten o'clock"] {
        assert_eq!(moment(odd), None, "{odd}");
    }
}

#[test]
fn each_page_is_read_line_by_line() {
    let paper = read(&pdf(&[&["The rent is due", "on the first."], &["Signed by Ana."]])).unwrap();
    let part = |page, text: &str| Part { place: Place::Page(page), text: text.to_owned() };
    assert_eq!(paper.parts, [part(1, "The rent is due\non the first."), part(2, "Signed by Ana.")]);
    assert_eq!(paper.title.as_deref(), Some("The lease"));
    assert_eq!(paper.extent.pages, Some(2));
    assert!(!paper.cut);
}

#[test]
fn letters_that_are_placed_one_by_one_are_still_words() {
    let mut document = document(&[&["x"]]);
    let page = document.page_iter().next().unwrap();
    let (_, font) = document.get_page_fonts(page).unwrap().pop_first().unwrap();
    let mut font = font.clone();
    font.set("FirstChar", 32);
    font.set("Widths", (32..127).map(|_| 500.into()).collect::<Vec<Object>>());
    let id = document.add_object(font);
    let resources = dictionary! { "Font" => dictionary! { "F1" => id } };
    document.get_dictionary_mut(page).unwrap().set("Resources", resources);
    let mut content = "BT /F1 10 Tf ".to_owned();
    for (at, letter) in "Due now".chars().enumerate().filter(|(_, letter)| *letter != ' ') {
        let x = 72 + 5 * at;
        write!(content, "1 0 0 1 {x} 700 Tm ({letter}) Tj ").unwrap();
    }
    content.push_str("ET");
    document.change_page_content(page, content.into_bytes()).unwrap();
    let paper = read(&saved(document)).unwrap();
    assert_eq!(paper.parts[0].text, "Due now");
}

#[test]
fn a_tree_of_pages_that_bites_its_tail_ends() {
    let mut document = document(&[&["one"], &["two"]]);
    let tree = document.catalog().unwrap().get(b"Pages").unwrap().as_reference().unwrap();
    let again: Object = tree.into();
    let pages = document.get_dictionary_mut(tree).unwrap();
    pages.get_mut(b"Kids").unwrap().as_array_mut().unwrap().push(again);
    let paper = read(&saved(document)).unwrap();
    assert_eq!(paper.extent.pages, Some(2));
}

#[test]
fn a_pdf_without_words_and_one_that_is_none_say_what_is_wrong() {
    assert_eq!(read(&pdf(&[&[]])), Err(Unreadable::NoText("PDF")));
    assert_eq!(read(&pdf(&[])), Err(Unreadable::Broken("PDF", "it has no pages")));
    let torn = read(b"%PDF-1.7\nand nothing more").unwrap_err();
    assert!(matches!(torn, Unreadable::Broken("PDF", _)), "{torn}");
}

#[test]
fn a_pdf_with_a_password_is_not_read_and_says_so() {
    use lopdf::{EncryptionState, EncryptionVersion, Permissions};
    let mut document = document(&[&["secret"]]);
    let id = Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", vec![id.clone(), id]);
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password: "user",
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    assert_eq!(read(&saved(document)), Err(Unreadable::Locked("PDF")));
}

#[test]
fn words_in_a_form_that_is_set_into_a_page_are_read() {
    let mut document = document(&[&["On the page."]]);
    let page = document.page_iter().next().unwrap();
    let (_, font) = document.get_page_fonts(page).unwrap().pop_first().unwrap();
    let font = font.clone();
    let inner = dictionary! { "Font" => dictionary! { "F9" => font.clone() } };
    let form = Stream::new(
        dictionary! { "Type" => "XObject", "Subtype" => "Form", "Resources" => inner },
        b"BT /F9 12 Tf 10 10 Td (In the form.) Tj ET".to_vec(),
    );
    let form = document.add_object(form);
    let resources = dictionary! {
        "Font" => dictionary! { "F1" => font }, "XObject" => dictionary! { "X1" => form },
    };
    document.get_dictionary_mut(page).unwrap().set("Resources", resources);
    let content = b"BT /F1 12 Tf 72 720 Td (On the page.) Tj ET /X1 Do".to_vec();
    document.change_page_content(page, content).unwrap();
    let paper = read(&saved(document)).unwrap();
    assert_eq!(paper.parts[0].text, "On the page.\nIn the form.");
    assert_eq!(paper.extent.unread_pages, 0);
}

#[test]
fn a_form_that_is_set_into_itself_ends_and_says_so() {
    let mut document = document(&[&["x"]]);
    let page = document.page_iter().next().unwrap();
    let form = document.new_object_id();
    let inner = dictionary! { "XObject" => dictionary! { "X1" => form } };
    let drawn = Stream::new(
        dictionary! { "Type" => "XObject", "Subtype" => "Form", "Resources" => inner.clone() },
        b"/X1 Do /X1 Do".to_vec(),
    );
    document.objects.insert(form, Object::Stream(drawn));
    let (_, font) = document.get_page_fonts(page).unwrap().pop_first().unwrap();
    let mut resources = inner;
    resources.set("Font", dictionary! { "F1" => font.clone() });
    document.get_dictionary_mut(page).unwrap().set("Resources", resources);
    let content = b"BT /F1 12 Tf (word) Tj ET /X1 Do".to_vec();
    document.change_page_content(page, content).unwrap();
    let paper = read(&saved(document)).unwrap();
    assert_eq!((paper.parts[0].text.as_str(), paper.extent.unread_pages), ("word", 1));
}

#[test]
fn a_page_that_cannot_be_followed_is_counted() {
    let mut document = document(&[&["one"], &["two"]]);
    let second = document.page_iter().nth(1).unwrap();
    document.get_dictionary_mut(second).unwrap().set("Contents", Object::Null);
    let broken = dictionary! { "Filter" => "FlateDecode" };
    let broken = document.add_object(Stream::new(broken, b"not packed at all".to_vec()));
    document.get_dictionary_mut(second).unwrap().set("Contents", broken);
    let paper = read(&saved(document)).unwrap();
    assert_eq!((paper.parts.len(), paper.extent.unread_pages), (1, 1));
}

#[test]
fn what_was_typed_into_a_form_is_read() {
    let mut document = document(&[&["Application form"]]);
    let field = document.add_object(dictionary! {
        "FT" => "Tx", "T" => Object::string_literal("Name"),
        "V" => Object::string_literal("Ana Ruiz"),
    });
    let empty =
        document.add_object(dictionary! { "FT" => "Tx", "T" => Object::string_literal("City") });
    let fields: Vec<Object> = vec![field.into(), empty.into()];
    let form = document.add_object(dictionary! { "Fields" => fields });
    document.catalog_mut().unwrap().set("AcroForm", form);
    let paper = read(&saved(document)).unwrap();
    let texts: Vec<_> = paper.parts.iter().map(|part| part.text.as_str()).collect();
    assert_eq!(texts, ["Application form", "Name: Ana Ruiz"]);
}
