//! What people hear about their files.

use brain::ids::Uuid;
use brain::paper::{
    Column, Doubt, Enclosed, Extent, Holds, Invite, MailHead, Picture, Share, Shares, Table, Totals,
};
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
        later: false,
        title: None,
        origin: Origin::default(),
        extent: Extent::default(),
        cut: false,
        passages: Vec::new(),
        no_such_page: false,
        flaw: None,
        table: None,
        events: Vec::new(),
        mail: None,
        picture: None,
    }
}

fn days(first: &str, last: &str, months: &[(&str, u32)]) -> Holds {
    let counted = |(value, times): &(&str, u32)| brain::paper::Counted {
        value: (*value).into(),
        times: *times,
    };
    let months = months.iter().map(counted).collect();
    Holds::Dates { first: first.into(), last: last.into(), months }
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
    let column = |name: &str, holds| Column { name: name.into(), filled: 3, left_out: 0, holds };
    let top = vec![brain::paper::Counted { value: "Oslo".into(), times: 2 }];
    let city = Holds::Words { different: Some(2), top };
    let columns = vec![column("city", city), column("Amount (USD)", numbers("1234.50"))];
    sales.table = Some(Table { rows: 120, width: 2, columns, shares: Vec::new(), totals: None });
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
        single: false,
        notes: None,
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
        camera: Some("Canon EOS R6".into()),
        spot: None,
    });
    assert_eq!(
        told(PaperWant::Overview, &cat),
        "A PNG picture, 640 by 480 pixels, taken on March 2, 2025. I can't see what is on it."
    );
    let camera = told(PaperWant::Camera, &cat);
    assert_eq!(camera, "With a camera that calls itself Canon EOS R6.");
    let spot = told(PaperWant::Spot, &cat);
    assert_eq!(spot, "The picture does not say where it was taken.");
}

/// Expenses of two people, and a row of totals.
fn expenses() -> OpenedFile {
    let mut file = opened("expenses.csv", Kind::Table);
    let column =
        |name: &str, left_out, holds| Column { name: name.into(), filled: 40, left_out, holds };
    let words = || Holds::Words { different: Some(2), top: Vec::new() };
    let amount = Holds::Numbers {
        sum: "15696.69".into(),
        mean: "392.42".into(),
        min: "2".into(),
        max: "3000".into(),
    };
    let share = |value: &str, rows, sum: &str| Share { value: value.into(), rows, sum: sum.into() };
    let of = |by: &str, each| Shares { by: by.into(), of: "Amount".into(), each };
    let shares = vec![
        of("Category", vec![share("Travel", 25, "12000"), share("Food", 15, "3696.69")]),
        of("Paid by", vec![share("Sam", 20, "11170.65"), share("Tom", 20, "4526.04")]),
    ];
    let columns = vec![
        column("Category", 0, words()),
        column("Paid by", 0, words()),
        column("Amount", 2, amount),
    ];
    let totals = Some(Totals { label: "Total".into(), counted: false });
    file.table = Some(Table { rows: 43, width: 3, columns, shares, totals });
    file
}

#[test]
fn a_condition_is_applied_or_said_to_be_not_understood() {
    let file = expenses();
    let sum = |column: &str| told(PaperWant::Figure(Figure::Sum, column.into()), &file);
    assert_eq!(
        sum("amount where paid by tom"),
        "The total of Amount where Paid by is Tom is 4,526.04, in 20 rows."
    );
    assert_eq!(
        sum("travel"),
        "The total of Amount where Category is Travel is 12,000, in 25 rows."
    );
    assert_eq!(
        sum("per category"),
        "Amount per Category: Travel, 12,000; Food, 3,696.69. The last \
         row, “Total”, is not counted in."
    );
    assert_eq!(
        sum("amount march"),
        "I don't understand “march” there, so I give no figure. The columns are Category, Paid by \
         and Amount."
    );
    assert_eq!(
        sum("amount tom travel"),
        "I can only look for one thing at a time, not for Travel and Tom."
    );
    assert_eq!(
        sum("amount"),
        "The total of Amount is 15,696.69. Two rows have no number there. The last row, “Total”, \
         is not counted in."
    );
    let rows = told(PaperWant::HowMany(Countable::Rows), &file);
    assert_eq!(rows, "43 rows, the last of them “Total”.");
}

#[test]
fn a_question_in_free_words_is_answered_with_the_figure() {
    let mut file = expenses();
    let row = |number, text: &str| Part { place: Place::Row(number), text: text.into() };
    file.passages = vec![row(2, "Category: Travel, Paid by: Tom, Amount: 3")];
    let about = |topic: &str| told(PaperWant::About(topic.into()), &file);
    assert_eq!(
        about("spent on travel"),
        "The total of Amount where Category is Travel is 12,000, in 25 rows."
    );
    assert_eq!(
        about("category cost most"),
        "In Category, Travel has the highest total of Amount: 12,000, in 25 rows."
    );
    assert_eq!(
        about("paid most"),
        "In Paid by, Sam has the highest total of Amount: 11,170.65, in 20 rows."
    );
    assert!(about("travel insurance").starts_with("In row 2"), "{}", about("travel insurance"));
}

#[test]
fn what_could_mean_two_things_is_said_instead_of_a_figure() {
    let mut file = expenses();
    let column = &mut file.table.as_mut().unwrap().columns[2];
    column.holds = Holds::Unclear { doubt: Doubt::Point("1.850".into()) };
    let sum = |file: &OpenedFile| told(PaperWant::Figure(Figure::Sum, String::new()), file);
    assert!(sum(&file).contains("“1.850” in Amount is a decimal point"), "{}", sum(&file));
    let column = &mut file.table.as_mut().unwrap().columns[2];
    let signs = vec!["$".into(), "€".into()];
    column.holds = Holds::Unclear { doubt: Doubt::Money(signs) };
    assert_eq!(sum(&file), "Amount mixes $ and €, so it has no common figure.");
}

#[test]
fn several_days_and_what_an_invitation_adds_are_told() {
    let mut file = opened("cabin.ics", Kind::Calendar);
    file.events = vec![Invite {
        title: "The cabin".into(),
        start: Some("2026-12-24T00:00".parse().unwrap()),
        end: Some("2026-12-27T00:00".parse().unwrap()),
        all_day: true,
        zone: None,
        unknown_zone: None,
        location: None,
        organizer: None,
        attendees: Vec::new(),
        repeats: None,
        single: true,
        notes: Some("Bring skis".into()),
        cancelled: false,
    }];
    assert_eq!(
        told(PaperWant::Overview, &file),
        "An invitation: The cabin, on December 24 to December 26, three days. It is a single date \
         of one that comes again. It says: “Bring skis”"
    );
    file.extent.events = Some(300);
    assert_eq!(told(PaperWant::HowMany(Countable::Events), &file), "300 events.");
}

#[test]
fn rows_are_counted_under_a_condition_or_it_is_said_that_they_are_not() {
    let counted = |value: &str, times| brain::paper::Counted { value: value.into(), times };
    let words = |top: Vec<brain::paper::Counted>| Holds::Words {
        different: u32::try_from(top.len()).ok(),
        top,
    };
    let column = |name: &str, holds| Column { name: name.into(), filled: 60, left_out: 0, holds };
    let columns = vec![
        column("Paid by", words(vec![counted("Sam", 41), counted("Tom", 19)])),
        column("Date", days("2026-01-05", "2026-10-27", &[("March 2026", 7), ("May 2026", 9)])),
    ];
    let mut file = opened("expenses.csv", Kind::Table);
    let shares = Vec::new();
    file.table = Some(Table { rows: 1_060, width: 2, columns, shares, totals: None });
    let rows = |asked: &str| told(PaperWant::Figure(Figure::Rows, asked.into()), &file);
    assert_eq!(rows("where paid by is tom"), "19 rows where Paid by is Tom.");
    assert_eq!(
        rows("where paid by is Bob"),
        "I can't count rows by “bob”. There are 1,060 rows in all, and the columns are Paid by and \
         Date."
    );
    assert_eq!(
        rows("with tom or sam"),
        "I can't count rows by “or”. There are 1,060 rows in all, and the columns are Paid by and \
         Date."
    );
    assert_eq!(rows("in March"), "Seven rows where Date is in March 2026.");
    assert_eq!(rows("are there in 2026"), "16 rows where Date is in 2026.");
    assert!(rows("in April").starts_with("I can't count rows by “april”."), "{}", rows("in April"));
    let last = told(PaperWant::Figure(Figure::Most, "date".into()), &file);
    assert_eq!(last, "The latest Date is 2026-10-27.");
}

#[test]
fn a_month_is_a_condition_like_any_other() {
    let mut file = expenses();
    let table = file.table.as_mut().unwrap();
    let share = |value: &str, sum: &str| Share { value: value.into(), rows: 6, sum: sum.into() };
    let each = vec![share("March 2026", "310.50"), share("May 2025", "20"), share("May 2026", "7")];
    table.shares.push(Shares { by: "Date".into(), of: "Amount".into(), each });
    let about = |topic: &str| told(PaperWant::About(topic.into()), &file);
    assert_eq!(
        about("we spend in March"),
        "The total of Amount where Date is March 2026 is 310.50, in six rows."
    );
    assert!(about("we spend in May 2025").contains("is 20,"), "{}", about("we spend in May 2025"));
    let holds = days("2025-05-01", "2026-05-09", &[]);
    let days = Column { name: "Date".into(), filled: 40, left_out: 0, holds };
    let mut dated = file.clone();
    dated.table.as_mut().unwrap().columns.push(days);
    let per = told(PaperWant::Figure(Figure::Sum, "per month".into()), &dated);
    assert!(per.starts_with("Amount per Date: March 2026, 310.50; May 2025, 20"), "{per}");
    assert!(about("we spend in May").starts_with("I find nothing"), "{}", about("we spend in May"));
}

#[test]
fn who_wrote_it_and_when_is_told_from_its_properties_or_from_its_words() {
    let mut file = opened("contract.docx", Kind::Document);
    assert_eq!(told(PaperWant::Author, &file), "It does not say who wrote it.");
    assert_eq!(told(PaperWant::Dated, &file), "Its properties do not say when it was made.");
    file.passages = vec![Part { place: Place::Paragraph(2), text: "Author: Leo".into() }];
    assert_eq!(told(PaperWant::Author, &file), "In paragraph 2: “Author: Leo”");
    file.origin.author = Some("Henrik Aalto".into());
    assert_eq!(told(PaperWant::Author, &file), "Its properties name Henrik Aalto.");
    file.origin.changed_by = Some("Dana Brooks".into());
    file.origin.made_at = Some("2025-09-14T10:00:00Z".parse().unwrap());
    file.origin.changed_at = Some("2026-09-30T10:00:00Z".parse().unwrap());
    let told_by = told(PaperWant::Author, &file);
    assert_eq!(told_by, "Its properties name Henrik Aalto. Dana Brooks changed it last.");
    let made = told(PaperWant::Dated, &file);
    assert!(made.starts_with("It was made on September 14, 2025 and last changed "), "{made}");
}

#[test]
fn of_several_columns_of_numbers_the_one_of_money_is_meant() {
    let mut file = expenses();
    let table = file.table.as_mut().unwrap();
    let numbers = |top: &str| Holds::Numbers {
        sum: "90".into(),
        mean: "45".into(),
        min: "5".into(),
        max: top.into(),
    };
    let column = |name: &str, holds| Column { name: name.into(), filled: 43, left_out: 0, holds };
    table.columns.push(column("Hours", numbers("85")));
    table.columns.push(column("Invoice", Holds::Words { different: Some(43), top: Vec::new() }));
    let figure = |figure, asked: &str| told(PaperWant::Figure(figure, asked.into()), &file);
    assert!(figure(Figure::Sum, "").starts_with("The total of Amount is 15,696.69."));
    assert_eq!(figure(Figure::Most, "invoice"), "The highest Amount is 3,000.");
    assert_eq!(figure(Figure::Most, "hours"), "The highest Hours is 85.");
    let billed = told(PaperWant::About("we bill for Travel".into()), &file);
    assert!(
        billed.starts_with("The total of Amount where Category is Travel is 12,000"),
        "{billed}"
    );
}
