//! What a table holds.

use brain::paper::{Column, Counted, Holds, OpenedFile, Table};

use super::NAMES;
use crate::gist::Figure;
use crate::narrator::spelling::{capital, count, counted, list};

/// So many columns are named.
const TOLD: usize = 6;

pub fn overview(found: &OpenedFile) -> String {
    let Some(table) = &found.table else { return "A table.".to_owned() };
    let rows = counted(table.rows as usize, "row", "rows");
    let width = counted(table.width as usize, "column", "columns");
    let numbers: Vec<_> = table.columns.iter().filter_map(total_of).take(1).collect();
    let told = format!("A table of {rows} and {width}: {}.", names(table));
    match numbers.first() {
        Some(total) => format!("{told} {total}"),
        None => told,
    }
}

/// "The total of amount is 20."
fn total_of(column: &Column) -> Option<String> {
    match &column.holds {
        Holds::Numbers { sum, .. } => {
            Some(format!("The total of {} is {}.", column.name, grouped(sum)))
        }
        _ => None,
    }
}

pub fn columns(found: &OpenedFile) -> String {
    match &found.table {
        Some(table) => {
            let width = counted(table.width as usize, "column", "columns");
            format!("{}: {}.", capital(&width), names(table))
        }
        None => "That is no table.".to_owned(),
    }
}

fn names(table: &Table) -> String {
    let names: Vec<_> = table.columns.iter().take(TOLD).map(|it| it.name.clone()).collect();
    list(&names, (table.width as usize).saturating_sub(names.len()))
}

pub fn figure(figure: Figure, asked: &str, found: &OpenedFile) -> String {
    let Some(table) = &found.table else { return "That is no table.".to_owned() };
    let column = match named(table, asked) {
        Some(column) => column,
        None if asked.is_empty() => match fitting(table, figure).as_slice() {
            [] => return format!("There are no numbers in it; it has {}.", names(table)),
            [one] => one,
            several => {
                let names: Vec<_> = several.iter().take(NAMES).map(|it| it.name.clone()).collect();
                let more = several.len().saturating_sub(NAMES);
                return format!(
                    "Of which column: {}?",
                    list(&names, more).replace(" and ", " or ")
                );
            }
        },
        None => return format!("There is no column “{asked}”; it has {}.", names(table)),
    };
    told(figure, column)
}

fn told(figure: Figure, column: &Column) -> String {
    let name = &column.name;
    match (figure, &column.holds) {
        (_, Holds::Nothing) => format!("There is nothing in {name}."),
        (Figure::Sum, Holds::Numbers { sum, .. }) => {
            format!("The total of {name} is {}.", grouped(sum))
        }
        (Figure::Mean, Holds::Numbers { mean, .. }) => {
            format!("The average of {name} is {}.", grouped(mean))
        }
        (Figure::Least, Holds::Numbers { min, .. }) => {
            format!("The lowest {name} is {}.", grouped(min))
        }
        (Figure::Most, Holds::Numbers { max, .. }) => {
            format!("The highest {name} is {}.", grouped(max))
        }
        (Figure::Least, Holds::Dates { first, .. }) => format!("The earliest {name} is {first}."),
        (Figure::Most, Holds::Dates { last, .. }) => format!("The latest {name} is {last}."),
        (Figure::Top, Holds::Words { top, .. }) => frequent(name, top),
        (Figure::Different, Holds::Words { different: Some(number), .. }) => {
            format!("{} different values in {name}.", capital(&count(*number as usize)))
        }
        (Figure::Different, Holds::Words { different: None, .. }) => {
            format!("More than 5,000 different values in {name}.")
        }
        (Figure::Top | Figure::Different, _) => {
            format!("I counted {name} as numbers, not one by one.")
        }
        (_, Holds::Words { .. }) => format!("{} holds words, not numbers.", capital(name)),
        (Figure::Sum | Figure::Mean, Holds::Dates { .. }) => {
            format!("{} holds dates; they have no total.", capital(name))
        }
    }
}

/// "Oslo, twice, then Porto, once."
fn frequent(name: &str, top: &[Counted]) -> String {
    let times = |number: u32| match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        number => format!("{} times", count(number as usize)),
    };
    let told: Vec<_> =
        top.iter().take(NAMES).map(|one| format!("{}, {}", one.value, times(one.times))).collect();
    format!("Most often in {name}: {}.", told.join("; "))
}

/// Columns that the figure can be made of.
fn fitting(table: &Table, figure: Figure) -> Vec<&Column> {
    let fits = |column: &&Column| match figure {
        Figure::Top | Figure::Different => matches!(column.holds, Holds::Words { .. }),
        _ => matches!(column.holds, Holds::Numbers { .. }),
    };
    table.columns.iter().filter(fits).collect()
}

/// The column that was named: whole, or as a part of its name.
fn named<'a>(table: &'a Table, asked: &str) -> Option<&'a Column> {
    let plain = |text: &str| -> String {
        let text = text.to_lowercase();
        text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect::<String>()
    };
    let words = |text: &str| -> Vec<String> {
        let plain = plain(text);
        plain.split_whitespace().map(|word| word.trim_end_matches('s').to_owned()).collect()
    };
    let asked = words(asked);
    if asked.is_empty() {
        return None;
    }
    let exact = table.columns.iter().find(|column| words(&column.name) == asked);
    exact.or_else(|| {
        let within = |column: &&Column| {
            let name = words(&column.name);
            !name.is_empty()
                && (asked.iter().all(|word| name.contains(word))
                    || name.iter().all(|word| asked.contains(word)))
        };
        table.columns.iter().find(within)
    })
}

/// "1234.50" as "1,234.50".
fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, part) = digits.split_once('.').map_or((digits, ""), |(whole, part)| (whole, part));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let point = if part.is_empty() { "" } else { "." };
    format!("{sign}{grouped}{point}{part}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        for (number, told) in
            [("7", "7"), ("1234.50", "1,234.50"), ("-1000000", "-1,000,000"), ("999", "999")]
        {
            assert_eq!(grouped(number), told);
        }
    }
}
