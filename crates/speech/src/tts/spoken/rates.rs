//! Amounts for each of something, heights in feet, and the numbers of kings.

use super::Around;
use super::amounts::{measure, money};
use super::numbers::{cardinal, ordinal, quantity};

/// What one pays or counts by.
const EACH: [(&str, &str); 26] = [
    ("mo", "a month"),
    ("month", "a month"),
    ("yr", "a year"),
    ("year", "a year"),
    ("wk", "a week"),
    ("week", "a week"),
    ("day", "a day"),
    ("d", "a day"),
    ("night", "a night"),
    ("h", "an hour"),
    ("hr", "an hour"),
    ("hour", "an hour"),
    ("min", "a minute"),
    ("s", "a second"),
    ("sec", "a second"),
    ("kg", "a kilogram"),
    ("lb", "a pound"),
    ("oz", "an ounce"),
    ("km", "a kilometer"),
    ("mi", "a mile"),
    ("gal", "a gallon"),
    ("user", "a user"),
    ("seat", "a seat"),
    ("person", "a person"),
    ("piece", "a piece"),
    ("GB", "a gigabyte"),
];

/// "$5/mo", "60/h".
pub fn rate(text: &str) -> Option<String> {
    let (amount, each) = text.split_once('/')?;
    let (_, each) = EACH.iter().find(|(short, _)| *short == each)?;
    let amount = money(amount, false).or_else(|| quantity(amount)).or_else(|| measure(amount))?;
    Some(format!("{amount} {each}"))
}

/// "5'10" with or without its last mark: how tall somebody is.
pub fn height(text: &str) -> Option<String> {
    let (feet, inches) = text.split_once(['\'', '’', '′'])?;
    let number = |text: &str| {
        let is_short = (1..=2).contains(&text.len());
        is_short.then(|| text.parse::<u64>().ok())?
    };
    let inches = inches.trim_end_matches(['"', '”', '″']);
    let (feet, inches) = (number(feet)?, number(inches).filter(|inches| *inches < 12)?);
    let unit = if feet == 1 { "foot" } else { "feet" };
    Some(format!("{} {unit} {}", cardinal(feet), cardinal(inches)))
}

/// Behind these it is the second of that name.
const KINGS: [&str; 20] = [
    "Henry",
    "Louis",
    "Elizabeth",
    "Charles",
    "George",
    "William",
    "Edward",
    "James",
    "Richard",
    "Paul",
    "Pius",
    "Benedict",
    "Leo",
    "Alexander",
    "Catherine",
    "Philip",
    "Frederick",
    "Nicholas",
    "Napoleon",
    "Harald",
];
/// Behind these a Roman number is counted.
const COUNTED: [&str; 16] = [
    "chapter", "part", "act", "section", "volume", "book", "appendix", "type", "phase", "stage",
    "level", "war", "article", "title", "class", "episode",
];

/// "Henry VIII", "Rocky IV", "chapter IX". One letter alone is a letter.
pub fn roman(core: &str, around: &Around) -> Option<String> {
    let before = around.before.filter(|_| around.joined)?;
    let number = read(core).filter(|_| core.len() > 1)?;
    if KINGS.contains(&before) {
        return Some(format!("the {}", ordinal(number)));
    }
    let is_name = before.starts_with(char::is_uppercase)
        && before.len() > 2
        && before.chars().skip(1).all(char::is_lowercase);
    (is_name || COUNTED.contains(&before)).then(|| cardinal(number))
}

/// Up to thirty-nine; "XL" is a size.
fn read(core: &str) -> Option<u64> {
    let tens = core.bytes().take_while(|b| *b == b'X').count();
    let ones = match &core[tens..] {
        "" => 0,
        "I" => 1,
        "II" => 2,
        "III" => 3,
        "IV" => 4,
        "V" => 5,
        "VI" => 6,
        "VII" => 7,
        "VIII" => 8,
        "IX" => 9,
        _ => return None,
    };
    let number = 10 * tens as u64 + ones;
    (tens <= 3 && number > 0).then_some(number)
}
