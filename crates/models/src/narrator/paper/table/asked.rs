//! Which columns and which values of a table a question names.
//!
//! Every word of it is accounted for: it names a column, it is a value of one, it is
//! small talk, or it is not understood, and then there is no figure.

use brain::paper::{Column, Holds, Table};
use brain::resolve::time::month_name;

/// Said around what is asked without deciding anything.
const SMALL: &[&str] = &[
    "where", "is", "are", "was", "were", "by", "per", "each", "every", "with", "and", "ha", "had",
    "have", "did", "do", "doe", "we", "i", "you", "they", "he", "she", "u", "our", "my", "on",
    "of", "the", "a", "an", "in", "for", "to", "from", "at", "row", "total", "all", "money",
    "equal", "who", "which", "what", "how", "much", "many", "figure", "number", "when", "that",
    "only", "just", "there",
];
/// Words for money that went.
const SPENT: &[&str] = &[
    "spend", "spent", "cost", "paid", "pay", "spending", "expense", "bill", "billed", "charge",
    "charged", "invoiced", "earn", "earned", "make", "made",
];
const MOST: &[&str] = &["most", "highest", "biggest", "largest", "max", "maximum"];
const LEAST: &[&str] = &["least", "lowest", "smallest", "min", "minimum"];

/// What a question names.
#[derive(Default)]
pub struct Asked<'a> {
    pub columns: Vec<&'a Column>,
    pub values: Vec<Value<'a>>,
    /// "per category", "by month"
    pub per: bool,
    /// "most", "the lowest"
    pub rank: Option<Rank>,
    /// What nobody could make anything of.
    pub unknown: Vec<String>,
}

/// Which end of them is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    Most,
    Least,
}

/// A value, and the columns in which it stands.
pub struct Value<'a> {
    pub value: &'a str,
    pub by: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    pub fn read(asked: &str, table: &'a Table) -> Self {
        Self::with(asked, table, shared_out(table))
    }

    /// The same for what is only counted: also values that no number stands beside.
    pub fn counting(asked: &str, table: &'a Table) -> Self {
        Self::with(asked, table, one_by_one(table))
    }

    fn with(asked: &str, table: &'a Table, values: Vec<Known<'a>>) -> Self {
        let mut reading = Reading { open: words(asked).into_iter().map(Some).collect() };
        let mut found = Self::default();
        let mut names: Vec<_> =
            table.columns.iter().map(|column| (words(&column.name), column)).collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        for (name, column) in &names {
            if reading.take(name) {
                found.columns.push(column);
            }
        }
        found.values(values, &mut reading);
        found.part_of_a_name(&names, &mut reading);
        for word in reading.open.into_iter().flatten() {
            let is = |of: &[&str]| of.contains(&word.as_str());
            found.per |= is(&["per", "by", "each", "every"]);
            found.rank = match (is(MOST), is(LEAST)) {
                (true, _) => Some(Rank::Most),
                (_, true) => Some(Rank::Least),
                _ => found.rank,
            };
            if ![SMALL, SPENT, MOST, LEAST].into_iter().any(is) {
                found.unknown.push(word);
            }
        }
        found
    }

    fn values(&mut self, mut each: Vec<Known<'a>>, reading: &mut Reading) {
        each.retain(|(words, ..)| !words.is_empty());
        each.sort_by_key(|(words, ..)| std::cmp::Reverse(words.len()));
        for at in 0..each.len() {
            let (name, value, _) = &each[at];
            if !reading.take(name) {
                continue;
            }
            let mut by: Vec<&str> = Vec::new();
            for (other, _, column) in &each {
                if other == name && !by.contains(column) {
                    by.push(column);
                }
            }
            let said = |column: &&str| self.columns.iter().any(|one| one.name == **column);
            if by.iter().any(said) {
                by.retain(said);
            }
            self.values.push(Value { value, by });
        }
    }

    /// "amount" is "Amount (USD)".
    fn part_of_a_name(&mut self, names: &[(Vec<String>, &'a Column)], reading: &mut Reading) {
        let small = |word: &&String| !SMALL.contains(&word.as_str());
        let rest: Vec<String> = reading.open.iter().flatten().filter(small).cloned().collect();
        let within = |words: &[String]| -> Vec<&'a Column> {
            let has = |name: &[String]| words.iter().all(|word| name.contains(word));
            names.iter().filter(|(name, _)| has(name)).map(|(_, column)| *column).collect()
        };
        let whole = if rest.is_empty() { Vec::new() } else { within(&rest) };
        if !whole.is_empty() {
            self.mention(whole);
            reading.open.iter_mut().for_each(|word| {
                word.take_if(|word| rest.contains(word));
            });
            return;
        }
        for word in &mut reading.open {
            let known = word.as_ref().filter(small).map(|word| within(std::slice::from_ref(word)));
            if let Some(known) = known.filter(|known| !known.is_empty()) {
                self.mention(known);
                *word = None;
            }
        }
    }

    fn mention(&mut self, columns: Vec<&'a Column>) {
        for column in columns {
            if !self.columns.iter().any(|known| known.name == column.name) {
                self.columns.push(column);
            }
        }
    }

    /// It names nothing of the table.
    pub fn is_nothing(&self) -> bool {
        self.columns.is_empty() && self.values.is_empty()
    }

    /// The columns of words that it names.
    pub fn by(&self) -> impl Iterator<Item = &'a Column> {
        let is_words = |column: &&Column| matches!(column.holds, Holds::Words { .. });
        self.columns.iter().copied().filter(is_words)
    }
}

/// The words of a value, the value, and its column.
type Known<'a> = (Vec<String>, &'a str, &'a str);

/// Values that numbers are shared out to.
fn shared_out(table: &Table) -> Vec<Known<'_>> {
    let shares = table.shares.iter().flat_map(|shares| {
        shares.each.iter().map(|share| (words(&share.value), &*share.value, &*shares.by))
    });
    with_bare_months(shares.collect())
}

/// "March" is March of the only year there is.
fn with_bare_months(mut known: Vec<Known<'_>>) -> Vec<Known<'_>> {
    let month = |(words, ..): &Known<'_>| match words.as_slice() {
        [name, year] if is_month(name) && year.parse::<u16>().is_ok() => Some(name.clone()),
        _ => None,
    };
    let months: Vec<_> = known.iter().filter_map(|it| Some((month(it)?, it.1, it.2))).collect();
    for (name, value, by) in &months {
        let is_other = |(other, year, column): &(String, &str, &str)| {
            other == name && column == by && year != value
        };
        if !months.iter().any(is_other) {
            known.push((vec![name.clone()], value, by));
        }
    }
    known
}

fn is_month(word: &str) -> bool {
    (1..=12).any(|number| words(month_name(number)) == [word])
}

/// Values of columns that were counted one by one.
fn one_by_one(table: &Table) -> Vec<Known<'_>> {
    let values = table.columns.iter().flat_map(|column| {
        let all = match &column.holds {
            Holds::Words { top, different: Some(number) } if *number as usize == top.len() => top,
            Holds::Dates { months, .. } => months,
            _ => &[][..],
        };
        all.iter().map(|one| (words(&one.value), &*one.value, &*column.name))
    });
    let mut known = with_bare_months(values.collect());
    for column in &table.columns {
        let Holds::Dates { months, .. } = &column.holds else { continue };
        for year in months.iter().filter_map(|month| year_of(&month.value)) {
            let year = (words(year), year, &*column.name);
            if !known.contains(&year) {
                known.push(year);
            }
        }
    }
    known
}

/// The year of "March 2026".
pub fn year_of(month: &str) -> Option<&str> {
    month.rsplit_once(' ').map(|(_, year)| year)
}

/// Words of a question that nobody has taken yet.
struct Reading {
    open: Vec<Option<String>>,
}

impl Reading {
    /// Takes these words where they stand side by side.
    fn take(&mut self, name: &[String]) -> bool {
        if name.is_empty() || name.len() > self.open.len() {
            return false;
        }
        let fits = |words: &[Option<String>]| {
            words.iter().zip(name).all(|(word, name)| word.as_ref() == Some(name))
        };
        let Some(at) = self.open.windows(name.len()).position(fits) else { return false };
        self.open[at..at + name.len()].fill(None);
        true
    }
}

/// Its words without what makes one of several.
pub fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let text: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words = text.split_whitespace().map(|word| word.trim_end_matches('s').to_owned());
    words.filter(|word| !word.is_empty()).collect()
}
