//! What a table holds.

mod asked;

use brain::paper::{Column, Counted, Doubt, Holds, OpenedFile, Shares, Table, Totals};

use self::asked::{Asked, Rank, Value, year_of};
use super::NAMES;
use crate::gist::Figure;
use crate::narrator::spelling::{capital, count, counted, list};

/// So many columns are named.
const TOLD: usize = 6;

pub fn overview(found: &OpenedFile) -> String {
    let Some(table) = &found.table else { return "A table.".to_owned() };
    let rows = counted_rows(table.rows);
    let width = counted(table.width as usize, "column", "columns");
    let total = |column: &Column| total_of(column, table);
    let numbers =
        with_names(table.columns.iter().filter(|column| total(column).is_some()).collect());
    let numbers: Vec<_> = numbers.into_iter().filter_map(total).take(1).collect();
    let told = format!("A table of {rows} and {width}: {}.", names(table));
    match numbers.first() {
        Some(total) => format!("{told} {total}"),
        None => told,
    }
}

/// "The total of amount is 20."
fn total_of(column: &Column, table: &Table) -> Option<String> {
    match &column.holds {
        Holds::Numbers { .. } => Some(told(Figure::Sum, column, table)),
        Holds::Unclear { doubt: doubt @ Doubt::Money(_) } => Some(doubtful(&column.name, doubt)),
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
    if figure == Figure::Rows {
        return rows_where(asked, table);
    }
    let (figure, asked) = meant(figure, asked);
    let named = Asked::read(&asked, table);
    if let Some(days) = only_days(figure, &named, table) {
        return told(figure, days, table);
    }
    if let Some(shares) = by_month(&named, table) {
        return shared(shares, table);
    }
    if !named.unknown.is_empty() {
        return not_understood(&named, &asked, table);
    }
    if !named.values.is_empty() {
        return under_condition(figure, &named, table);
    }
    if let Some(by) = named.by().next() {
        let ranks = matches!(figure, Figure::Most | Figure::Least);
        if named.per || ranks {
            return match measure(&named, table).map(|of| shares(table, by, of)) {
                Ok(Some(shares)) if figure == Figure::Most => ranked(shares, Rank::Most),
                Ok(Some(shares)) if figure == Figure::Least => ranked(shares, Rank::Least),
                Ok(Some(shares)) => shared(shares, table),
                // Every row has its own: the largest of them is the largest there is.
                Ok(None) if ranks && !named.per => match measure(&named, table) {
                    Ok(of) => told(figure, of, table),
                    Err(told) => told,
                },
                Ok(None) => format!("{} has too many values to go through.", capital(&by.name)),
                Err(told) => told,
            };
        }
    }
    match one_column(figure, &named, table) {
        Ok(column) => told(figure, column, table),
        Err(told) => told,
    }
}

/// "Per month", of the first column of days.
fn by_month<'a>(named: &Asked<'_>, table: &'a Table) -> Option<&'a Shares> {
    if !named.per || named.unknown != ["month"] || !named.values.is_empty() {
        return None;
    }
    let of = measure(named, table).ok()?;
    let mut days = table.columns.iter().filter(|it| matches!(it.holds, Holds::Dates { .. }));
    days.find_map(|days| shares(table, days, of))
}

/// "The last date", of the only column that has any.
fn only_days<'a>(figure: Figure, named: &Asked<'_>, table: &'a Table) -> Option<&'a Column> {
    let is_end = matches!(figure, Figure::Least | Figure::Most);
    if !is_end || named.unknown != ["date"] || !named.is_nothing() {
        return None;
    }
    let mut days = table.columns.iter().filter(|it| matches!(it.holds, Holds::Dates { .. }));
    days.next().filter(|_| days.next().is_none())
}

/// "19 rows where Paid by is Tom."
fn rows_where(asked: &str, table: &Table) -> String {
    let named = Asked::counting(asked, table);
    if !named.unknown.is_empty() || named.values.is_empty() {
        let unknown = if named.unknown.is_empty() { asked } else { &named.unknown.join(" ") };
        return format!(
            "I can't count rows by “{unknown}”. There are {} in all, and the columns are {}.",
            counted_rows(table.rows),
            names(table)
        );
    }
    let (value, by) = match one_value(&named) {
        Ok(one) => one,
        Err(told) => return told,
    };
    let column = table.columns.iter().find(|column| column.name == by);
    let rows = column.and_then(|column| times_of(column, value)).unwrap_or(0);
    let is = match column.map(|column| &column.holds) {
        Some(Holds::Dates { .. }) => "is in",
        _ => "is",
    };
    format!("{} where {by} {is} {value}.", capital(&counted_rows(rows)))
}

/// How often a column has this value.
fn times_of(column: &Column, value: &str) -> Option<u32> {
    match &column.holds {
        Holds::Words { top, .. } => top.iter().find(|one| one.value == value).map(|one| one.times),
        Holds::Dates { months, .. } => {
            let is_in = |one: &&Counted| one.value == value || year_of(&one.value) == Some(value);
            Some(months.iter().filter(is_in).map(|one| one.times).sum())
        }
        Holds::Numbers { .. } | Holds::Unclear { .. } | Holds::Nothing => None,
    }
}

/// "one row", "200,000 rows"
fn counted_rows(rows: u32) -> String {
    if rows < 1_000 {
        counted(rows as usize, "row", "rows")
    } else {
        format!("{} rows", grouped(&rows.to_string()))
    }
}

/// "The average total" is the average of a column that is called a total.
fn meant(figure: Figure, asked: &str) -> (Figure, String) {
    let is_mean = |word: &str| matches!(word, "average" | "mean");
    if figure == Figure::Sum && asked.split_whitespace().any(is_mean) {
        let rest: Vec<_> = asked.split_whitespace().filter(|word| !is_mean(word)).collect();
        return (Figure::Mean, format!("total {}", rest.join(" ")).trim().to_owned());
    }
    (figure, asked.to_owned())
}

/// A condition is applied or said to be none that was understood; it is never dropped.
fn not_understood(named: &Asked<'_>, asked: &str, table: &Table) -> String {
    if named.is_nothing() {
        return format!("There is no column “{asked}”; it has {}.", names(table));
    }
    let unknown = named.unknown.join(" ");
    format!(
        "I don't understand “{unknown}” there, so I give no figure. The columns are {}.",
        names(table)
    )
}

/// The one column that the figure is made of, or what to ask or say instead.
fn one_column<'a>(
    figure: Figure,
    named: &Asked<'a>,
    table: &'a Table,
) -> Result<&'a Column, String> {
    let fitting: Vec<_> = match named.columns.as_slice() {
        [] => {
            worth(with_names(table.columns.iter().filter(|column| fits(figure, column)).collect()))
        }
        columns => columns.iter().copied().filter(|column| fits(figure, column)).collect(),
    };
    let unclear = |column: &&&Column| matches!(column.holds, Holds::Unclear { .. });
    match (fitting.as_slice(), named.columns.first()) {
        ([one], _) => Ok(one),
        ([], Some(named)) => Ok(named),
        ([], None) => match table.columns.iter().collect::<Vec<_>>().iter().find(unclear) {
            Some(column) => Ok(column),
            None => Err(format!("There are no numbers in it; it has {}.", names(table))),
        },
        (several, _) => Err(of_which(several)),
    }
}

/// A column without a name only numbers the rows, where others have names.
fn with_names(columns: Vec<&Column>) -> Vec<&Column> {
    let is_numbered = |column: &&Column| {
        let number = column.name.strip_prefix("column ");
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    if columns.iter().all(is_numbered) {
        return columns;
    }
    columns.into_iter().filter(|column| !is_numbered(column)).collect()
}

/// Of several columns of numbers the one that is called money, where there is one: its
/// name stands in the answer.
fn worth(columns: Vec<&Column>) -> Vec<&Column> {
    const MONEY: &[&str] = &[
        "amount", "total", "price", "cost", "revenue", "fee", "balance", "salary", "usd", "eur",
        "gbp", "chf",
    ];
    let is_money = |column: &&&Column| {
        asked::words(&column.name).iter().any(|word| MONEY.contains(&word.as_str()))
    };
    match columns.iter().filter(is_money).collect::<Vec<_>>().as_slice() {
        [one] if columns.len() > 1 => vec![**one],
        _ => columns,
    }
}

fn of_which(several: &[&Column]) -> String {
    let names: Vec<_> = several.iter().take(NAMES).map(|it| it.name.clone()).collect();
    let more = several.len().saturating_sub(NAMES);
    format!("Of which column: {}?", list(&names, more).replace(" and ", " or "))
}

/// The column whose numbers are added up.
fn measure<'a>(named: &Asked<'a>, table: &'a Table) -> Result<&'a Column, String> {
    let is_measure =
        |column: &&Column| matches!(column.holds, Holds::Numbers { .. } | Holds::Unclear { .. });
    let said: Vec<_> = named.columns.iter().copied().filter(is_measure).collect();
    let numbers = || {
        let numbers = table.columns.iter().filter(|column| fits(Figure::Sum, column));
        worth(with_names(numbers.collect()))
    };
    let among: Vec<&Column> = if said.is_empty() { numbers() } else { said };
    match among.as_slice() {
        [] => Err(format!("There are no numbers in it; it has {}.", names(table))),
        [one] => match &one.holds {
            Holds::Unclear { doubt } => Err(doubtful(&one.name, doubt)),
            _ => Ok(one),
        },
        several => Err(of_which(several)),
    }
}

fn shares<'a>(table: &'a Table, by: &Column, of: &Column) -> Option<&'a Shares> {
    table.shares.iter().find(|shares| shares.by == by.name && shares.of == of.name)
}

/// "The total of Amount for Tom in Paid by is 4,526.04, in 31 rows."
fn under_condition(figure: Figure, named: &Asked<'_>, table: &Table) -> String {
    let (value, by) = match one_value(named) {
        Ok(one) => one,
        Err(told) => return told,
    };
    if figure != Figure::Sum {
        return format!("For {value} alone I can only give totals.");
    }
    let of = match measure(named, table) {
        Ok(of) => of,
        Err(told) => return told,
    };
    let shares = table.shares.iter().find(|shares| shares.by == by && shares.of == of.name);
    let share = shares.and_then(|shares| shares.each.iter().find(|share| share.value == value));
    match share {
        Some(share) => format!(
            "The total of {} where {by} is {value} is {}, in {}.",
            of.name,
            grouped(&share.sum),
            counted_rows(share.rows)
        ),
        None => format!("There is no number in {} where {by} is {value}.", of.name),
    }
}

/// The one value that is asked for and its column, or what to say instead.
fn one_value<'a>(named: &Asked<'a>) -> Result<(&'a str, &'a str), String> {
    let [Value { value, by }] = named.values.as_slice() else {
        let values: Vec<_> = named.values.iter().map(|it| it.value.to_owned()).collect();
        return Err(format!(
            "I can only look for one thing at a time, not for {}.",
            list(&values, 0)
        ));
    };
    match by.as_slice() {
        [by] => Ok((*value, *by)),
        several => {
            let columns: Vec<_> = several.iter().map(|&column| column.to_owned()).collect();
            let columns = list(&columns, 0);
            Err(format!("{value} stands in {columns}. Say in which column you mean it."))
        }
    }
}

/// "Amount per Category: Travel, 1,200; Food, 300."
fn shared(shares: &Shares, table: &Table) -> String {
    let each = shares.each.iter().take(TOLD);
    let each: Vec<_> =
        each.map(|share| format!("{}, {}", share.value, grouped(&share.sum))).collect();
    let more = match shares.each.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!("; and {} more", count(more)),
    };
    let remark = totals_remark(table);
    format!("{} per {}: {}{more}.{remark}", capital(&shares.of), shares.by, each.join("; "))
}

/// "In Category, Travel has the highest total of Amount: 1,200, in twelve rows."
fn ranked(shares: &Shares, rank: Rank) -> String {
    let (share, word) = match rank {
        Rank::Most => (shares.each.first(), "highest"),
        Rank::Least => (shares.each.last(), "lowest"),
    };
    let Some(share) = share else { return format!("There is nothing in {}.", shares.of) };
    format!(
        "In {}, {} has the {word} total of {}: {}, in {}.",
        shares.by,
        share.value,
        shares.of,
        grouped(&share.sum),
        counted_rows(share.rows)
    )
}

/// A question in free words that the figures answer: "spent on travel", "who paid
/// most". None where any word of it is about something else.
pub fn answered(topic: &str, found: &OpenedFile) -> Option<String> {
    let table = found.table.as_ref()?;
    let named = Asked::read(topic, table);
    if !named.unknown.is_empty() {
        return None;
    }
    let by = named.by().next();
    if let (Some(by), true) = (by, named.rank.is_some() || named.per)
        && named.values.is_empty()
    {
        let shares = shares(table, by, measure(&named, table).ok()?)?;
        return Some(named.rank.map_or_else(|| shared(shares, table), |rank| ranked(shares, rank)));
    }
    let several = named.values.iter().any(|one| {
        let each = table.shares.iter().flat_map(|shares| &shares.each);
        each.filter(|share| share.value == one.value).any(|share| share.rows > 1)
    });
    let adds = several && named.rank.is_none() && measure(&named, table).is_ok();
    adds.then(|| under_condition(Figure::Sum, &named, table))
}

fn told(figure: Figure, column: &Column, table: &Table) -> String {
    let remark = match (figure, &column.holds) {
        (Figure::Sum | Figure::Mean, Holds::Numbers { .. }) => remark(column, table),
        _ => String::new(),
    };
    format!("{}{remark}", plainly(figure, column))
}

/// What was not counted in a figure.
fn remark(column: &Column, table: &Table) -> String {
    let left_out = match column.left_out {
        0 => String::new(),
        1 => " One row has no number there.".to_owned(),
        more => format!(" {} rows have no number there.", capital(&count(more as usize))),
    };
    format!("{left_out}{}", totals_remark(table))
}

fn totals_remark(table: &Table) -> String {
    match &table.totals {
        None => String::new(),
        Some(Totals { label, counted: false }) => {
            format!(" The last row, “{label}”, is not counted in.")
        }
        Some(Totals { label, counted: true }) => {
            format!(" The last row is called “{label}” and is counted in.")
        }
    }
}

/// Why there is no figure.
fn doubtful(name: &str, doubt: &Doubt) -> String {
    match doubt {
        Doubt::Point(cell) => format!(
            "I can't tell whether the sign in “{cell}” in {name} is a decimal point, and nothing \
             else in the file decides it, so I give no figure."
        ),
        Doubt::Day(cell) => format!(
            "I can't tell whether “{cell}” in {name} begins with the day or the month, so I can't \
             put its dates in order."
        ),
        Doubt::Money(signs) => {
            format!("{} mixes {}, so it has no common figure.", capital(name), list(signs, 0))
        }
    }
}

pub fn rows(table: &Table) -> String {
    let rows = capital(&counted_rows(table.rows));
    match &table.totals {
        Some(totals) => format!("{rows}, the last of them “{}”.", totals.label),
        None => format!("{rows}."),
    }
}

fn plainly(figure: Figure, column: &Column) -> String {
    let name = &column.name;
    match (figure, &column.holds) {
        (_, Holds::Nothing) => format!("There is nothing in {name}."),
        (_, Holds::Unclear { doubt }) => doubtful(name, doubt),
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
        (Figure::Top | Figure::Different | Figure::Rows, _) => {
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

/// Can the figure be made of this column?
fn fits(figure: Figure, column: &Column) -> bool {
    match figure {
        Figure::Top | Figure::Different => matches!(column.holds, Holds::Words { .. }),
        _ => matches!(column.holds, Holds::Numbers { .. }),
    }
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
