//! What is to be counted in a file, or made of a column.

use super::{any, behind};
use crate::gist::{Countable, Figure, PaperWant};

/// "How many pages", "which columns", "how many rows where paid by is Tom".
pub fn counted(texts: &[&str]) -> Option<PaperWant> {
    let columns: &[&[&str]] = &[
        &["which", "columns"],
        &["what", "columns"],
        &["what", "are", "the", "columns"],
        &["list", "the", "columns"],
        &["the", "columns"],
    ];
    if columns.iter().any(|ask| texts.starts_with(ask)) {
        return Some(PaperWant::Columns);
    }
    let what = match behind(texts, &[&["how", "many"], &["number", "of"], &["count", "the"]])? {
        ["rows" | "records" | "entries" | "row", rest @ ..] => {
            let asked: Vec<&str> =
                rest.iter().copied().filter(|text| !AROUND_ROWS.contains(text)).collect();
            if !asked.is_empty() {
                return Some(PaperWant::Figure(Figure::Rows, rest.join(" ")));
            }
            Countable::Rows
        }
        ["columns" | "fields", ..] => Countable::Columns,
        ["pages", ..] => Countable::Pages,
        ["lines", ..] => Countable::Lines,
        ["words", ..] => Countable::Words,
        ["events" | "meetings", ..] => Countable::Events,
        ["attachments" | "files", ..] => Countable::Enclosed,
        _ => return None,
    };
    Some(PaperWant::HowMany(what))
}

/// "How many invoices are overdue": whatever its rows are called, they are counted.
pub fn counting(texts: &[&str]) -> Option<PaperWant> {
    let rest = texts.strip_prefix(&["how", "many"])?;
    let says = rest.iter().any(|text| !AROUND_ROWS.contains(text));
    (says && rest.len() > 1).then(|| PaperWant::Figure(Figure::Rows, rest.join(" ")))
}

/// Said behind "how many rows" without saying which of them.
const AROUND_ROWS: &[&str] = &[
    "are",
    "is",
    "there",
    "in",
    "of",
    "the",
    "this",
    "that",
    "it",
    "its",
    "does",
    "do",
    "did",
    "has",
    "have",
    "my",
    "file",
    "csv",
    "table",
    "spreadsheet",
    "sheet",
    "document",
    "attachment",
    "data",
    "all",
    "total",
    "altogether",
    "overall",
    "i",
    "you",
    "we",
    "see",
    "count",
    "attached",
    "one",
];

/// "The last date", "the most recent day", "when was the first payment".
fn end_of_days(texts: &[&str]) -> Option<PaperWant> {
    // "When was the last invoice?"
    let (["when", "was" | "is" | "were" | "are", "the", end, _] | [.., end, "date" | "day"]) =
        texts
    else {
        return None;
    };
    let figure = match *end {
        "last" | "newest" | "recent" | "final" | "latest" => Figure::Most,
        "first" | "oldest" | "earliest" => Figure::Least,
        _ => return None,
    };
    Some(PaperWant::Figure(figure, "date".to_owned()))
}

/// "The total of amount", "average price", "most common city".
pub fn figure(texts: &[&str]) -> Option<PaperWant> {
    const KINDS: &[(Figure, &[&str])] = &[
        (Figure::Sum, &["total", "sum", "altogether", "overall"]),
        (Figure::Mean, &["average", "mean"]),
        (Figure::Least, &["lowest", "smallest", "minimum", "min", "cheapest", "earliest", "least"]),
        (Figure::Most, &["highest", "largest", "biggest", "maximum", "max", "latest"]),
        (Figure::Top, &["common", "frequent", "top", "often"]),
        (Figure::Different, &["different", "unique", "distinct"]),
    ];
    const SMALL: &[&str] = &[
        "what",
        "is",
        "are",
        "was",
        "the",
        "of",
        "in",
        "for",
        "a",
        "an",
        "how",
        "many",
        "much",
        "which",
        "column",
        "columns",
        "most",
        "value",
        "values",
        "this",
        "that",
        "it",
        "file",
        "csv",
        "table",
        "spreadsheet",
        "sheet",
        "there",
        "all",
        "up",
        "add",
        "calculate",
        "compute",
        "does",
        "make",
        "attached",
        "number",
        "and",
        "to",
        "on",
        "me",
        "its",
    ];
    if let Some(want) = end_of_days(texts) {
        return Some(want);
    }
    let (figure, words) = KINDS.iter().find(|(_, words)| any(texts, words))?;
    let column: Vec<&str> = texts
        .iter()
        .copied()
        .filter(|text| !SMALL.contains(text) && !words.contains(text))
        .collect();
    Some(PaperWant::Figure(*figure, column.join(" ")))
}
