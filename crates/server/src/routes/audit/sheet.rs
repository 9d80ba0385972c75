//! The audit as a table for spreadsheets. What people and programs call things stands in
//! some of its cells, so none of them is ever read as a formula.

use brain::audit::Entry;

const COLUMNS: [&str; 13] = [
    "number",
    "at",
    "what",
    "tool",
    "why",
    "user",
    "session",
    "turn",
    "confirmation",
    "revision",
    "action",
    "seal",
    "hash",
];

pub fn head() -> String {
    written(COLUMNS.map(str::to_owned))
}

pub fn row(Entry { number, line, hash, .. }: &Entry) -> String {
    let text = |value: Option<String>| value.unwrap_or_default();
    written([
        number.to_string(),
        line.at.to_string(),
        line.what.clone(),
        text(line.tool.clone()),
        text(line.why.clone()),
        line.user.to_string(),
        text(line.session.map(|id| id.to_string())),
        text(line.turn.map(|id| id.to_string())),
        text(line.confirmation.map(|id| id.to_string())),
        text(line.revision.map(|revision| revision.to_string())),
        text(line.action.map(|id| id.to_string())),
        text(line.seal.map(|seal| seal.to_string())),
        hash.to_string(),
    ])
}

fn written(cells: [String; COLUMNS.len()]) -> String {
    cells.map(|cell| quoted(&cell)).join(",") + "\r\n"
}

/// Between quotes, and behind an apostrophe where a spreadsheet would begin to calculate.
fn quoted(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '|', '%'])
        || cell.starts_with(['＝', '＋', '－', '＠']);
    let guard = if is_formula { "'" } else { "" };
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use brain::UserId;
    use brain::audit::{Line, origin};
    use brain::ids::Uuid;
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_cell_is_never_a_formula_and_never_ends_its_row() {
        for cell in ["=1+1", "+1", "-1", "@sum(a1)", "\t=1", "\r=1", "|cmd", "＝1"] {
            assert_eq!(quoted(cell), format!("\"'{cell}\""));
        }
        assert_eq!(quoted("a,b\"c\nd"), "\"a,b\"\"c\nd\"");
        assert_eq!(quoted("gmail.send"), "\"gmail.send\"");
    }

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let line = Line {
            tool: Some("=cmd|' /C calc'!A0".into()),
            ..Line::new(Timestamp::UNIX_EPOCH, UserId(Uuid::nil()), "asked")
        };

        let row = row(&Entry::new(origin(), 1, line));

        assert!(row.starts_with("\"1\",\"1970-01-01T00:00:00Z\",\"asked\",\"'=cmd|"), "{row}");
        assert_eq!(row.matches("\",\"").count(), COLUMNS.len() - 1);
        assert!(row.ends_with("\"\r\n"));
    }
}
