//! `make bench`: reading one file of each kind, as large as people attach them. The
//! child that does it in the house takes its own start on top.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::time::{Duration, Instant};

use lopdf::content::{Content, Operation};
use lopdf::{Document, Object, Stream, dictionary};

const TIMES: usize = 20;
const SENTENCE: &str = "The rent of 1,450.00 is due on the first of each month. ";

fn main() {
    // `cargo test --benches` runs this too, and wants nothing measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("reading a file                                     KiB   p50 ms   max ms");
    row("text of 500 pages", "text/plain", &text().into_bytes());
    row("table of 100,000 rows", "text/csv", &table().into_bytes());
    row("PDF of 100 pages", "application/pdf", &pdf());
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    row("Word document of 2,000 paragraphs", word, &document());
    row("calendar of 200 events", "text/calendar", &calendar().into_bytes());
    row("mail with a text of 20 pages", "message/rfc822", &mail().into_bytes());
}

fn row(name: &str, media_type: &str, bytes: &[u8]) {
    let mut times: Vec<Duration> = (0..TIMES)
        .map(|_| {
            let began = Instant::now();
            reader::read(bytes, media_type).expect("it is a good file");
            began.elapsed()
        })
        .collect();
    times.sort();
    let ms = |at: usize| times[at].as_secs_f64() * 1e3;
    let kib = bytes.len() / 1024;
    println!("{name:44}{kib:10}{:9.2}{:9.2}", ms(TIMES / 2), ms(TIMES - 1));
}

fn text() -> String {
    format!("{}\n\n", SENTENCE.repeat(20)).repeat(900)
}

fn table() -> String {
    let mut table = "date,category,vendor,amount,paid by\n".to_owned();
    for number in 0..100_000 {
        let (day, kind) = (number % 28 + 1, ["travel", "food", "software"][number % 3]);
        let who = ["Tom", "Sam"][number % 2];
        writeln!(table, "2026-01-{day:02},{kind},vendor {},{number}.50,{who}", number % 400)
            .expect("memory takes it");
    }
    table
}

fn pdf() -> Vec<u8> {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica",
        "Encoding" => "WinAnsiEncoding",
    });
    let resources = dictionary! { "Font" => dictionary! { "F1" => font } };
    let pages: Vec<Object> = (0..100).map(|_| page(&mut document, tree, &resources)).collect();
    let all = dictionary! { "Type" => "Pages", "Kids" => pages, "Count" => 100 };
    document.objects.insert(tree, Object::Dictionary(all));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    document.compress();
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).expect("memory takes it");
    bytes
}

fn page(document: &mut Document, tree: (u32, u16), resources: &lopdf::Dictionary) -> Object {
    let mut steps = vec![
        Operation::new("BT", vec![]),
        Operation::new("Tf", vec!["F1".into(), 12.into()]),
        Operation::new("Td", vec![72.into(), 720.into()]),
    ];
    for _ in 0..45 {
        steps.push(Operation::new("Tj", vec![Object::string_literal(SENTENCE)]));
        steps.push(Operation::new("Td", vec![0.into(), (-14).into()]));
    }
    steps.push(Operation::new("ET", vec![]));
    let content = Content { operations: steps }.encode().expect("it is well formed");
    let content = document.add_object(Stream::new(dictionary! {}, content));
    let page = document.add_object(dictionary! {
        "Type" => "Page", "Parent" => tree, "Contents" => content,
        "Resources" => resources.clone(),
    });
    page.into()
}

fn document() -> Vec<u8> {
    let paragraph = format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", SENTENCE.repeat(4));
    let mut body = "<w:document xmlns:w=\"x\"><w:body>".to_owned();
    for number in 0..2_000 {
        body.push_str(&paragraph.replace("1,450", &number.to_string()));
    }
    body.push_str("</w:body></w:document>");
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("word/document.xml", stored).expect("memory takes it");
    archive.write_all(body.as_bytes()).expect("memory takes it");
    archive.finish().expect("memory takes it").into_inner()
}

fn calendar() -> String {
    let mut file = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n".to_owned();
    for number in 0..200 {
        let day = number % 28 + 1;
        write!(
            file,
            "BEGIN:VEVENT\r\nUID:{number}\r\nSUMMARY:Training {number}\r\n\
             DTSTART;TZID=Europe/Berlin:202612{day:02}T180000\r\n\
             DTEND;TZID=Europe/Berlin:202612{day:02}T193000\r\nLOCATION:Hall 2\r\nEND:VEVENT\r\n"
        )
        .expect("memory takes it");
    }
    file.push_str("END:VCALENDAR\r\n");
    file
}

fn mail() -> String {
    let head = "From: Priya Nair <priya@brightloom.example>\r\nTo: maya@sayso.example\r\n\
                Subject: The lease\r\nDate: Mon, 16 Nov 2026 09:00:00 +0100\r\n\r\n";
    format!("{head}{}", SENTENCE.repeat(800))
}
