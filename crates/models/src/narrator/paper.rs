//! What is in a file, told from what was read in it.
//!
//! Whatever a file says is quoted, with the place where it stands.

mod events;
mod table;

use brain::paper::{Kind, OpenedFile, Origin, Part, Place};
use brain::resolve::time::month_name;
use jiff::Timestamp;
use jiff::civil::Date;

use super::spelling::{capital, count, counted, day, first_words, full_clock, list};
use crate::World;
use crate::gist::{AboutPaper, Countable, PaperWant};

/// Words of a page that are told before it is offered to read on.
pub const WORDS_OF_A_PAGE: usize = 60;
/// Words of one sentence of a file that are told.
const WORDS_QUOTED: usize = 40;
/// The same, where there are several.
const WORDS_EACH: usize = 25;
/// So many names are told.
const NAMES: usize = 3;

pub fn tell(about: &AboutPaper, found: &OpenedFile, world: &World) -> String {
    if let Some(problem) = &found.problem {
        return problem.clone();
    }
    if let (Some(flaw), true) = (&found.flaw, is_figure(&about.want)) {
        return flaw.clone();
    }
    match &about.want {
        PaperWant::Overview => overview(found, world),
        PaperWant::Summary => summary(found, world),
        PaperWant::Page { number, from } => page(found, *number, *from),
        PaperWant::About(topic) => said_about(topic, found),
        PaperWant::HowMany(what) => how_many(*what, found),
        PaperWant::Columns => table::columns(found),
        PaperWant::Figure(figure, column) => table::figure(*figure, column, found),
        PaperWant::Author => author(found),
        PaperWant::Dated => dated(found, world),
        PaperWant::From => from_whom(found),
        PaperWant::To => to_whom(found),
        PaperWant::Sent => sent(found, world),
        PaperWant::Subject => subject(found),
        PaperWant::Enclosed => enclosed(found),
        PaperWant::When => events::when(found, world),
        PaperWant::Where => events::place(found),
        PaperWant::People => events::people(found),
        PaperWant::Length => events::length(found, world),
        PaperWant::Size => size(found),
        PaperWant::Taken => taken(found, world),
        PaperWant::Spot => spot(found),
        PaperWant::Camera => camera(found),
    }
}

/// What was found in a file that took a while to read: what was looked for, the page
/// that was wanted, or else what it is.
pub fn read_through(
    query: Option<&str>,
    page: Option<u32>,
    found: &OpenedFile,
    world: &World,
) -> String {
    let want = match (query, page) {
        (Some(query), _) => PaperWant::About(query.to_owned()),
        (None, Some(number)) => PaperWant::Page { number, from: 0 },
        (None, None) => PaperWant::Overview,
    };
    tell(&AboutPaper { name: found.file.name.clone(), kind: found.kind, want }, found, world)
}

/// What a file can only answer that is whole.
fn is_figure(want: &PaperWant) -> bool {
    matches!(
        want,
        PaperWant::Figure(..)
            | PaperWant::Columns
            | PaperWant::HowMany(Countable::Rows | Countable::Columns)
    )
}

/// What it is, and a taste of what it says.
fn overview(found: &OpenedFile, world: &World) -> String {
    let mut told = vec![what(found, world)];
    told.extend(odd_name(found));
    told.extend(found.flaw.clone());
    let has_words = found.flaw.is_some() || found.kind != Kind::Table;
    if has_words && !matches!(found.kind, Kind::Calendar | Kind::Picture) {
        let first = found.passages.first().map(|part| quoted(&part.text, WORDS_QUOTED));
        told.extend(first.map(|first| format!("It says: {first}")));
    }
    told.extend(unread_rest(found));
    told.join(" ")
}

/// "A PDF of three pages, “The lease”."
fn what(found: &OpenedFile, world: &World) -> String {
    let title = found.title.as_ref().map(|title| format!(", “{title}”")).unwrap_or_default();
    let extent = found.extent;
    let many = |number: u32, one: &str, many: &str| counted(number as usize, one, many);
    match found.kind {
        Kind::Pdf => {
            let pages = many(extent.pages.unwrap_or(0), "page", "pages");
            format!("A PDF of {pages}{title}.")
        }
        Kind::Document => {
            format!("A Word document of {}{title}.", many(extent.words, "word", "words"))
        }
        Kind::Text | Kind::Other => match extent.lines {
            Some(lines) => format!("A text of {}{title}.", many(lines, "line", "lines")),
            None => format!("A page of {}{title}.", many(extent.words, "word", "words")),
        },
        Kind::Table => table::overview(found),
        Kind::Calendar => events::overview(found, world),
        Kind::Mail => mail(found, world),
        Kind::Picture => picture(found, world),
    }
}

/// The sentences that matter most, each with its place where there are several.
fn summary(found: &OpenedFile, world: &World) -> String {
    if found.passages.is_empty() {
        return overview(found, world);
    }
    let mut told = vec![what(found, world)];
    let mut last = None;
    for part in &found.passages {
        let words = quoted(&part.text, WORDS_EACH);
        let place = spelled(part.place);
        told.push(match (found.extent.pages, last == Some(part.place)) {
            (Some(2..), false) => format!("{}: {words}", capital(&place)),
            _ => words,
        });
        last = Some(part.place);
    }
    told.extend(unread_rest(found));
    told.join(" ")
}

fn page(found: &OpenedFile, number: u32, from: usize) -> String {
    let pages = found.extent.pages;
    if found.no_such_page {
        return match pages {
            Some(1) => "It has only one page.".to_owned(),
            Some(pages) => format!("It has only {} pages.", count(pages as usize)),
            None => "That was the end of it.".to_owned(),
        };
    }
    let texts: Vec<&str> = found.passages.iter().map(|part| part.text.as_str()).collect();
    let text = texts.join(" ");
    let words: Vec<&str> = text.split_whitespace().skip(from).collect();
    if words.is_empty() {
        return format!("There are no words on page {number}.");
    }
    let told = words.iter().take(WORDS_OF_A_PAGE).copied().collect::<Vec<_>>().join(" ");
    let lead = match pages {
        Some(_) if from == 0 => format!("Page {number}: "),
        _ => String::new(),
    };
    let more = if words.len() > WORDS_OF_A_PAGE { "… Shall I read on?" } else { "" };
    format!("{lead}“{told}{}”{more}", if more.is_empty() { "" } else { " " }).replace(" ”…", "…”")
}

/// "On page 2: “The rent is due on the first.”"
fn said_about(topic: &str, found: &OpenedFile) -> String {
    if let Some(told) = table::answered(topic, found) {
        return told;
    }
    let Some(best) = found.passages.first() else {
        let is_part = found.cut || found.extent.unread_pages > 0;
        let part = if is_part { " in the part of it that I read" } else { "" };
        return format!("I find nothing about “{topic}” in {}{part}.", found.file.name);
    };
    let lead = match best.place {
        Place::Page(1) if found.extent.pages == Some(1) => "It says".to_owned(),
        place => on(place),
    };
    let told = format!("{lead}: {}", quoted(&best.text, WORDS_QUOTED));
    match others(&found.passages) {
        Some(others) => format!("{told} There is more {others}."),
        None => told,
    }
}

/// "on pages 3 and 4", where something else was found.
fn others(passages: &[Part]) -> Option<String> {
    let first = passages.first()?.place;
    let mut places: Vec<String> = Vec::new();
    for part in passages.iter().skip(1).filter(|part| part.place != first) {
        let place = spelled(part.place);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    (!places.is_empty()).then(|| format!("on {}", list(&places, 0)))
}

fn spelled(place: Place) -> String {
    match place {
        Place::Page(number) => format!("page {number}"),
        Place::Line(number) => format!("line {number}"),
        Place::Row(number) => format!("row {number}"),
        Place::Paragraph(number) => format!("paragraph {number}"),
    }
}

fn on(place: Place) -> String {
    match place {
        Place::Page(_) | Place::Line(_) => format!("On {}", spelled(place)),
        Place::Row(_) | Place::Paragraph(_) => format!("In {}", spelled(place)),
    }
}

/// In quotation marks, cut at a word.
fn quoted(text: &str, words: usize) -> String {
    let (told, cut) = first_words(text, words);
    format!("“{told}{}”", if cut { "…" } else { "" })
}

fn how_many(what: Countable, found: &OpenedFile) -> String {
    if let (Countable::Rows, Some(table)) = (what, &found.table) {
        return table::rows(table);
    }
    let extent = found.extent;
    let (number, one, many) = match what {
        Countable::Rows => (found.table.as_ref().map(|it| it.rows), "row", "rows"),
        Countable::Columns => (found.table.as_ref().map(|it| it.width), "column", "columns"),
        Countable::Pages => (extent.pages, "page", "pages"),
        Countable::Lines => (extent.lines, "line", "lines"),
        Countable::Words => (Some(extent.words).filter(|words| *words > 0), "word", "words"),
        Countable::Events => (Some(events::number(found)), "event", "events"),
        Countable::Enclosed => {
            let enclosed = found.mail.as_ref().map(|mail| mail.enclosed.len());
            (enclosed.and_then(|n| u32::try_from(n).ok()), "attachment", "attachments")
        }
    };
    match number {
        Some(number) => format!("{}.", capital(&counted(number as usize, one, many))),
        None => format!("{} is not counted in {many}.", capital(&found.file.name)),
    }
}

fn mail(found: &OpenedFile, world: &World) -> String {
    let Some(mail) = &found.mail else { return "A mail.".to_owned() };
    let from = mail.from.as_ref().map(|from| format!(" from {}", from.called()));
    let subject = mail.subject.as_ref().map(|subject| format!(", “{subject}”"));
    let sent = mail.sent_at.map(|at| {
        let now = world.local_now();
        format!(", sent {}", day(at.to_zoned(now.time_zone().clone()).date(), now.date()))
    });
    let with = match mail.enclosed.len() {
        0 => String::new(),
        number => format!(", with {}", counted(number, "attachment", "attachments")),
    };
    let parts = [from, subject, sent].map(Option::unwrap_or_default).concat();
    format!("A mail{parts}{with}.")
}

/// Whoever its properties name, or else what it says itself.
fn author(found: &OpenedFile) -> String {
    let Origin { author, changed_by, .. } = &found.origin;
    match (author, changed_by) {
        (Some(author), Some(other)) if other != author => {
            format!("Its properties name {author}. {other} changed it last.")
        }
        (Some(author), _) => format!("Its properties name {author}."),
        (None, Some(other)) => {
            format!("It does not say who wrote it. {other} changed it last.")
        }
        (None, None) if !found.passages.is_empty() => said_about("author", found),
        (None, None) => "It does not say who wrote it.".to_owned(),
    }
}

fn dated(found: &OpenedFile, world: &World) -> String {
    let on = |at: Timestamp| {
        let now = world.local_now();
        day_of_year(at.to_zoned(now.time_zone().clone()).date(), now.date())
    };
    match (found.origin.made_at.map(on), found.origin.changed_at.map(on)) {
        (Some(made), Some(changed)) if made != changed => {
            format!("It was made {made} and last changed {changed}.")
        }
        (Some(made), _) => format!("It was made {made}."),
        (None, Some(changed)) => format!("It was last changed {changed}."),
        (None, None) => "Its properties do not say when it was made.".to_owned(),
    }
}

fn from_whom(found: &OpenedFile) -> String {
    let from = found.mail.as_ref().and_then(|mail| mail.from.as_ref());
    match from {
        Some(from) if from.name.is_some() => format!("{}, {}.", from.called(), from.address),
        Some(from) => format!("{}.", from.address),
        None => "It does not say who it is from.".to_owned(),
    }
}

fn to_whom(found: &OpenedFile) -> String {
    let Some(mail) = &found.mail else { return "It does not say.".to_owned() };
    let named = |people: &[brain::facts::Person]| {
        let names: Vec<_> =
            people.iter().take(NAMES).map(|person| person.called().to_owned()).collect();
        list(&names, people.len().saturating_sub(NAMES))
    };
    match (mail.to.is_empty(), mail.cc.is_empty()) {
        (true, true) => "It does not say whom it went to.".to_owned(),
        (false, true) => format!("To {}.", named(&mail.to)),
        (true, false) => format!("Copied to {}.", named(&mail.cc)),
        (false, false) => format!("To {}, and copied to {}.", named(&mail.to), named(&mail.cc)),
    }
}

fn sent(found: &OpenedFile, world: &World) -> String {
    let now = world.local_now();
    match found.mail.as_ref().and_then(|mail| mail.sent_at) {
        Some(at) => {
            let at = at.to_zoned(now.time_zone().clone());
            let told = format!("{} at {}", day(at.date(), now.date()), full_clock(&at));
            format!("It was sent {told}.")
        }
        None => "It does not say when it was sent.".to_owned(),
    }
}

fn subject(found: &OpenedFile) -> String {
    match found.mail.as_ref().and_then(|mail| mail.subject.as_ref()) {
        Some(subject) => format!("“{subject}”."),
        None => "It has no subject.".to_owned(),
    }
}

fn enclosed(found: &OpenedFile) -> String {
    let Some(mail) = found.mail.as_ref().filter(|mail| !mail.enclosed.is_empty()) else {
        return "Nothing is attached to it.".to_owned();
    };
    let names: Vec<_> = mail.enclosed.iter().take(NAMES).map(|one| one.name.clone()).collect();
    let told = list(&names, mail.enclosed.len().saturating_sub(NAMES));
    let number = counted(mail.enclosed.len(), "attachment", "attachments");
    format!("{}: {told}. Attach one of them here and I can read it.", capital(&number))
}

fn picture(found: &OpenedFile, world: &World) -> String {
    let Some(picture) = &found.picture else { return "A picture.".to_owned() };
    let taken = match taken_on(found, world) {
        Some(taken) => format!(", taken {taken}"),
        None => String::new(),
    };
    format!(
        "A {} picture, {} by {} pixels{taken}. I can't see what is on it.",
        picture.format, picture.width, picture.height
    )
}

fn size(found: &OpenedFile) -> String {
    match &found.picture {
        Some(picture) => format!("{} by {} pixels.", picture.width, picture.height),
        None => "That is no picture.".to_owned(),
    }
}

fn taken(found: &OpenedFile, world: &World) -> String {
    match taken_on(found, world) {
        Some(taken) => format!("It was taken {taken}."),
        None => "The picture does not say when it was taken.".to_owned(),
    }
}

fn spot(found: &OpenedFile) -> String {
    match found.picture.as_ref().and_then(|picture| picture.spot.as_ref()) {
        Some(spot) => format!("At {spot}, says its camera."),
        None => "The picture does not say where it was taken.".to_owned(),
    }
}

fn camera(found: &OpenedFile) -> String {
    match found.picture.as_ref().and_then(|picture| picture.camera.as_ref()) {
        Some(camera) => format!("With a camera that calls itself {camera}."),
        None => "The picture does not say what it was taken with.".to_owned(),
    }
}

fn taken_on(found: &OpenedFile, world: &World) -> Option<String> {
    let at = found.picture.as_ref()?.taken_at?;
    Some(day_of_year(at.date(), world.local_now().date()))
}

/// A day of another year is told with that.
fn day_of_year(date: Date, today: Date) -> String {
    if date.year() == today.year() {
        return day(date, today);
    }
    format!("on {} {}, {}", month_name(date.month()), date.day(), date.year())
}

/// A name that promises something else than the file is.
fn odd_name(found: &OpenedFile) -> Option<String> {
    let (_, ending) = found.file.name.rsplit_once('.')?;
    let (promised, thing) = match ending.to_lowercase().as_str() {
        "pdf" => (Kind::Pdf, "a PDF"),
        "docx" => (Kind::Document, "a Word document"),
        "png" | "jpg" | "jpeg" | "gif" | "webp" => (Kind::Picture, "a picture"),
        "csv" => (Kind::Table, "a table"),
        "ics" => (Kind::Calendar, "a calendar file"),
        "eml" => (Kind::Mail, "a mail"),
        // What has words may be called a text, whatever they are.
        "txt" | "md" if matches!(found.kind, Kind::Pdf | Kind::Document | Kind::Picture) => {
            (Kind::Text, "a text")
        }
        _ => return None,
    };
    let name = &found.file.name;
    (promised != found.kind).then(|| format!("It is called {name}, but it is not {thing}."))
}

fn unread_rest(found: &OpenedFile) -> Option<String> {
    let pages = match found.extent.unread_pages {
        0 => None,
        1 => Some("One page of it I could not read.".to_owned()),
        more => Some(format!("{} pages of it I could not read.", capital(&count(more as usize)))),
    };
    let rest = "It is very long, and I read only the first part of it.".to_owned();
    let told: Vec<_> = pages.into_iter().chain(found.cut.then_some(rest)).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

#[cfg(test)]
#[path = "paper_tests.rs"]
mod tests;
