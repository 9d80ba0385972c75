//! Money, shares and measures as they are said.

use super::numbers::{cardinal, number};

const UNITS: [(&str, &str, &str); 34] = [
    ("kg", "kilogram", "kilograms"),
    ("g", "gram", "grams"),
    ("mg", "milligram", "milligrams"),
    ("lb", "pound", "pounds"),
    ("lbs", "pound", "pounds"),
    ("oz", "ounce", "ounces"),
    ("km", "kilometer", "kilometers"),
    ("m", "meter", "meters"),
    ("cm", "centimeter", "centimeters"),
    ("mm", "millimeter", "millimeters"),
    ("mi", "mile", "miles"),
    ("ft", "foot", "feet"),
    ("sqft", "square foot", "square feet"),
    ("mph", "mile an hour", "miles an hour"),
    ("km/h", "kilometer an hour", "kilometers an hour"),
    ("l", "liter", "liters"),
    ("L", "liter", "liters"),
    ("ml", "milliliter", "milliliters"),
    ("°C", "degree Celsius", "degrees Celsius"),
    ("°F", "degree Fahrenheit", "degrees Fahrenheit"),
    ("°", "degree", "degrees"),
    ("KB", "kilobyte", "kilobytes"),
    ("kB", "kilobyte", "kilobytes"),
    ("MB", "megabyte", "megabytes"),
    ("GB", "gigabyte", "gigabytes"),
    ("TB", "terabyte", "terabytes"),
    ("ms", "millisecond", "milliseconds"),
    ("sec", "second", "seconds"),
    ("min", "minute", "minutes"),
    ("mins", "minute", "minutes"),
    ("h", "hour", "hours"),
    ("hr", "hour", "hours"),
    ("hrs", "hour", "hours"),
    ("kWh", "kilowatt hour", "kilowatt hours"),
];

/// What a unit is called after one and after more.
pub fn unit(text: &str, one: bool) -> Option<&'static str> {
    let (_, single, many) = UNITS.iter().find(|(short, ..)| *short == text)?;
    Some(if one { single } else { many })
}

/// "5kg", "20°C", "25%", "3x", "-4".
pub fn measure(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix(['-', '−']) {
        let words = measure(rest).or_else(|| number(rest))?;
        return Some(format!("minus {words}"));
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
    let (amount, rest) = text.split_at(end);
    let words = number(amount)?;
    match rest {
        "%" => Some(format!("{words} percent")),
        "x" | "×" => Some(format!("{words} times")),
        "k" | "K" => Some(format!("{words} thousand")),
        "M" => Some(format!("{words} million")),
        rest => Some(format!("{words} {}", unit(rest, amount == "1")?)),
    }
}

/// "$1,249.50", "£3", "€9.20", "$2.5M". `scaled` where "million" follows.
pub fn money(text: &str, scaled: bool) -> Option<String> {
    let negative = text.starts_with(['-', '−']);
    let text = text.trim_start_matches(['-', '−']);
    let mut chars = text.chars();
    let (one, many, part) = match chars.next()? {
        '$' => ("dollar", "dollars", "cent"),
        '£' => ("pound", "pounds", "pence"),
        '€' => ("euro", "euros", "cent"),
        '¥' => ("yen", "yen", ""),
        _ => return None,
    };
    let amount = chars.as_str();
    let minus = if negative { "minus " } else { "" };
    let scale = [
        ("K", "thousand"),
        ("k", "thousand"),
        ("M", "million"),
        ("B", "billion"),
        ("bn", "billion"),
    ];
    if let Some((short, long)) = scale.into_iter().find(|(short, _)| amount.ends_with(short)) {
        return Some(format!("{minus}{} {long} {many}", number(amount.strip_suffix(short)?)?));
    }
    let plain = amount.replace(',', "");
    let (whole, cents) = plain.split_once('.').unwrap_or((&plain, ""));
    if scaled || cents.len() > 2 || cents.len() == 1 {
        // The unit is said behind "million".
        return Some(format!("{minus}{}{}", number(amount)?, if scaled { "" } else { " dollars" }));
    }
    let whole: u64 = whole.parse().ok()?;
    let cents: u64 = if cents.is_empty() { 0 } else { cents.parse().ok()? };
    let units = format!("{minus}{} {}", cardinal(whole), if whole == 1 { one } else { many });
    Some(match (cents, part) {
        (0, _) => units,
        (cents, "cent") => {
            format!("{units} and {} cent{}", cardinal(cents), if cents == 1 { "" } else { "s" })
        }
        (cents, part) => format!("{units} and {} {part}", cardinal(cents)),
    })
}

/// What is said behind "million" for the sign before the number.
pub fn currency(text: &str) -> Option<&'static str> {
    Some(match text.chars().next()? {
        '$' => "dollars",
        '£' => "pounds",
        '€' => "euros",
        '¥' => "yen",
        _ => return None,
    })
}
