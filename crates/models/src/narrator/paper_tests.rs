//! What people hear about their files.

use brain::ids::Uuid;
use brain::paper::{Column, Enclosed, Extent, Holds, Invite, MailHead, Picture, Table};
use brain::{Attached, FileId};

use super::*;
use crate::corpus;
use crate::gist::Figure;

fn opened(name: &str, kind: Kind) -> OpenedFile {
    let file = Attached {
        file_id: FileId(Uuid::from_u128(1)),
        name: name.into(),
        media_type: String::new(),
    };
    OpenedFile {
        file,
        kind,
        problem: None,
        title: None,
        extent: Extent::default(),
        cut: false,
        passages: Vec::new(),
        no_such_page: false,
        table: None,
        events: Vec::new(),
        mail: None,
        picture: None,
    }
}

fn told(want: PaperWant, found: &OpenedFile) -> String {
    let about = AboutPaper { name: found.file.name.clone(), kind: found.kind, want };
    tell(&about, found, &corpus::world())
}

fn on_page(number: u32, text: &str) -> Part {
    Part { place: Place::Page(number), text: text.into() }
}

#[test]
fn an_answer_is_a_quotation_with_its_place() {
    let mut lease = opened("lease.pdf", Kind::Pdf);
    lease.extent.pages = Some(3);
    let about = || PaperWant::About("the rent".into());
    assert_eq!(told(about(), &lease), "I find nothing about “the rent” in lease.pdf.");
    lease.passages = vec![on_page(2, "The rent is due."), on_page(3, "No rent, no flat.")];
    assert_eq!(told(about(), &lease), "On page 2: “The rent is due.” There is more on page 3.");
}

#[test]
fn a_file_says_what_it_is_and_whether_its_name_lies() {
    let mut lease = opened("lease.png", Kind::Pdf);
    lease.extent.pages = Some(1);
    lease.title = Some("The lease".into());
    lease.passages = vec![on_page(1, "It begins on Friday.")];
    assert_eq!(
        told(PaperWant::Overview, &lease),
        "A PDF of one page, “The lease”. It is called lease.png, but it is not a picture. It \
         says: “It begins on Friday.”"
    );
    lease.problem = Some("That PDF is torn.".into());
    assert_eq!(told(PaperWant::Overview, &lease), "That PDF is torn.");
}

#[test]
fn a_long_page_is_read_in_pieces() {
    let mut lease = opened("lease.pdf", Kind::Pdf);
    lease.extent.pages = Some(2);
    let words: Vec<String> = (1..=80).map(|number| number.to_string()).collect();
    lease.passages = vec![on_page(1, &words.join(" "))];
    let first = told(PaperWant::Page { number: 1, from: 0 }, &lease);
    assert!(
        first.starts_with("Page 1: “1 2") && first.ends_with("60…” Shall I read on?"),
        "{first}"
    );
    let rest = told(PaperWant::Page { number: 1, from: 60 }, &lease);
    assert!(rest.starts_with("“61 62") && rest.ends_with("80”"), "{rest}");
    lease.no_such_page = true;
    assert_eq!(told(PaperWant::Page { number: 9, from: 0 }, &lease), "It has only two pages.");
}

#[test]
fn a_table_is_told_in_figures() {
    let mut sales = opened("sales.csv", Kind::Table);
    let numbers = |sum: &str| Holds::Numbers {
        sum: sum.into(),
        mean: "10".into(),
        min: "2".into(),
        max: "30".into(),
    };
    let column = |name: &str, holds| Column { name: name.into(), filled: 3, holds };
    let top = vec![brain::paper::Counted { value: "Oslo".into(), times: 2 }];
    let city = Holds::Words { different: Some(2), top };
    let columns = vec![column("city", city), column("Amount (USD)", numbers("1234.50"))];
    sales.table = Some(Table { rows: 120, width: 2, columns });
    let figure = |figure, column: &str| told(PaperWant::Figure(figure, column.into()), &sales);
    assert_eq!(
        told(PaperWant::Overview, &sales),
        "A table of 120 rows and two columns: city and Amount (USD). The total of Amount (USD) is \
         1,234.50."
    );
    assert_eq!(figure(Figure::Sum, "amount"), "The total of Amount (USD) is 1,234.50.");
    assert_eq!(figure(Figure::Sum, ""), "The total of Amount (USD) is 1,234.50.");
    assert_eq!(figure(Figure::Top, "city"), "Most often in city: Oslo, twice.");
    assert_eq!(figure(Figure::Sum, "city"), "City holds words, not numbers.");
    assert_eq!(
        figure(Figure::Sum, "price"),
        "There is no column “price”; it has city and Amount (USD)."
    );
    assert_eq!(told(PaperWant::HowMany(Countable::Rows), &sales), "120 rows.");
}

#[test]
fn an_invitation_is_told_on_the_persons_own_clock() {
    let mut file = opened("review.ics", Kind::Calendar);
    file.events = vec![Invite {
        title: "Design review".into(),
        start: Some("2026-11-20T15:00".parse().unwrap()),
        end: Some("2026-11-20T16:00".parse().unwrap()),
        all_day: false,
        zone: Some("UTC".into()),
        unknown_zone: None,
        location: Some("Room 4".into()),
        organizer: None,
        attendees: Vec::new(),
        repeats: Some("every week".into()),
        cancelled: false,
    }];
    let when = told(PaperWant::When, &file);
    assert_eq!(when, "Design review is on Friday from 7 am to 8 am, every week.");
    assert_eq!(told(PaperWant::Where, &file), "At Room 4.");
    assert_eq!(told(PaperWant::People, &file), "The file names nobody.");
}

#[test]
fn a_mail_and_a_picture_are_told_by_their_heads() {
    let mut mail = opened("note.eml", Kind::Mail);
    let priya = brain::facts::Person {
        name: Some("Priya Nair".into()),
        address: "priya@brightloom.example".into(),
    };
    let menu = Enclosed { name: "menu.pdf".into(), media_type: "application/pdf".into(), bytes: 9 };
    mail.mail = Some(MailHead {
        from: Some(priya),
        subject: Some("Lunch".into()),
        enclosed: vec![menu],
        ..MailHead::default()
    });
    assert_eq!(
        told(PaperWant::Overview, &mail),
        "A mail from Priya Nair, “Lunch”, with one attachment."
    );
    assert_eq!(told(PaperWant::From, &mail), "Priya Nair, priya@brightloom.example.");
    assert_eq!(
        told(PaperWant::Enclosed, &mail),
        "One attachment: menu.pdf. Attach one of them here and I can read it."
    );
    let mut cat = opened("cat.png", Kind::Picture);
    cat.picture = Some(Picture {
        width: 640,
        height: 480,
        format: "PNG".into(),
        taken_at: Some("2025-03-02T10:00".parse().unwrap()),
        turned: false,
    });
    assert_eq!(
        told(PaperWant::Overview, &cat),
        "A PNG picture, 640 by 480 pixels, taken on March 2, 2025. I can't see what is on it."
    );
}
