//! Money, shares and measures as they are said.

use super::numbers::{cardinal, hundredths, quantity};

const UNITS: [(&str, &str, &str); 44] = [
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
    ("m²", "square meter", "square meters"),
    ("km²", "square kilometer", "square kilometers"),
    ("m³", "cubic meter", "cubic meters"),
    ("Hz", "hertz", "hertz"),
    ("MHz", "megahertz", "megahertz"),
    ("GHz", "gigahertz", "gigahertz"),
    ("kW", "kilowatt", "kilowatts"),
    ("W", "watt", "watts"),
    ("secs", "second", "seconds"),
    ("hPa", "hectopascal", "hectopascals"),
    ("kWh", "kilowatt hour", "kilowatt hours"),
];

/// What a unit is called after one and after more.
pub fn unit(text: &str, one: bool) -> Option<&'static str> {
    let (_, single, many) = UNITS.iter().find(|(short, ..)| *short == text)?;
    Some(if one { single } else { many })
}

/// "5kg", "20°C", "25%", "3x", "-4", "1920x1080".
pub fn measure(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix(['-', '−']) {
        let words = measure(rest).or_else(|| quantity(rest))?;
        return Some(format!("minus {words}"));
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
    let (amount, rest) = text.split_at(end);
    let words = quantity(amount)?;
    match rest {
        "%" => Some(format!("{words} percent")),
        "x" | "×" => Some(format!("{words} times")),
        "k" | "K" => Some(format!("{words} thousand")),
        "M" => Some(format!("{words} million")),
        rest => {
            let by = rest.strip_prefix(['x', '×']).and_then(quantity);
            let unit = by.map(|by| format!("by {by}"));
            let unit = unit.or_else(|| unit_of(rest, amount == "1"))?;
            Some(format!("{words} {unit}"))
        }
    }
}

fn unit_of(text: &str, one: bool) -> Option<String> {
    unit(text, one).map(str::to_owned)
}

/// A sign, one of it, many of it, and what its hundredths are called, one and many.
type Currency = (&'static str, &'static str, &'static str, Option<(&'static str, &'static str)>);

const CENTS: Option<(&str, &str)> = Some(("cent", "cents"));
/// Longer signs first: "US$" is no "$".
const CURRENCIES: [Currency; 32] = [
    ("US$", "US dollar", "US dollars", CENTS),
    ("CA$", "Canadian dollar", "Canadian dollars", CENTS),
    ("AU$", "Australian dollar", "Australian dollars", CENTS),
    ("NZ$", "New Zealand dollar", "New Zealand dollars", CENTS),
    ("HK$", "Hong Kong dollar", "Hong Kong dollars", CENTS),
    ("C$", "Canadian dollar", "Canadian dollars", CENTS),
    ("A$", "Australian dollar", "Australian dollars", CENTS),
    ("R$", "real", "reais", Some(("centavo", "centavos"))),
    ("$", "dollar", "dollars", CENTS),
    ("£", "pound", "pounds", Some(("penny", "pence"))),
    ("€", "euro", "euros", CENTS),
    ("¥", "yen", "yen", None),
    ("₹", "rupee", "rupees", Some(("paisa", "paise"))),
    ("₿", "bitcoin", "bitcoin", None),
    ("¢", "cent", "cents", None),
    ("₩", "won", "won", None),
    ("₽", "ruble", "rubles", Some(("kopeck", "kopecks"))),
    ("₺", "lira", "lira", Some(("kurush", "kurush"))),
    ("₪", "shekel", "shekels", Some(("agora", "agorot"))),
    ("₫", "dong", "dong", None),
    ("₴", "hryvnia", "hryvnias", Some(("kopiyka", "kopiyky"))),
    ("₦", "naira", "naira", Some(("kobo", "kobo"))),
    ("₱", "peso", "pesos", Some(("centavo", "centavos"))),
    ("฿", "baht", "baht", Some(("satang", "satang"))),
    ("₡", "colon", "colones", None),
    ("₲", "guarani", "guaranis", None),
    ("₵", "cedi", "cedis", None),
    ("₸", "tenge", "tenge", None),
    ("₼", "manat", "manat", None),
    ("₾", "lari", "lari", None),
    ("₭", "kip", "kip", None),
    ("¤", "unit of money", "units of money", None),
];
const SCALES: [(&str, &str); 6] = [
    ("K", "thousand"),
    ("k", "thousand"),
    ("M", "million"),
    ("m", "million"),
    ("bn", "billion"),
    ("B", "billion"),
];

/// Whether a sum may begin with it.
pub fn is_sign(c: char) -> bool {
    CURRENCIES.iter().any(|(sign, ..)| sign.ends_with(c))
}

/// The sign of a sum, and the rest of it.
pub fn signed(text: &str) -> Option<(&str, &str)> {
    let (sign, ..) = CURRENCIES.iter().find(|(sign, ..)| text.starts_with(sign))?;
    Some(text.split_at(sign.len()))
}

/// "$1,249.50", "£3", "€9,20", "9 €" as one word, "50¢", "$2.5M". `scaled` where
/// "million" follows: the unit is said behind that.
pub fn money(text: &str, scaled: bool) -> Option<String> {
    let negative = text.starts_with(['-', '−']);
    let text = text.trim_start_matches(['-', '−']);
    let of = |(sign, ..): &&Currency| text.starts_with(sign) || text.ends_with(sign);
    let (sign, one, many, part) = CURRENCIES.iter().find(of)?;
    let amount = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign))?;
    let minus = if negative { "minus " } else { "" };
    if scaled {
        return Some(format!("{minus}{}", quantity(amount)?));
    }
    if let Some((short, long)) = SCALES.into_iter().find(|(short, _)| amount.ends_with(short)) {
        return Some(format!("{minus}{} {long} {many}", quantity(amount.strip_suffix(short)?)?));
    }
    let (whole, hundredths) = match (hundredths(amount), part) {
        (Some((whole, 0)), _) => (whole, None),
        (Some((whole, cents)), Some(part)) => (whole, Some((cents, part))),
        _ => return Some(format!("{minus}{} {many}", quantity(amount)?)),
    };
    let units = format!("{minus}{} {}", cardinal(whole), if whole == 1 { one } else { many });
    Some(match hundredths {
        None => units,
        Some((1, (one, _))) => format!("{units} and one {one}"),
        Some((cents, (_, many))) => format!("{units} and {} {many}", cardinal(cents)),
    })
}

/// What is said for the sign of a sum: behind "million", or where it stands alone.
pub fn currency(text: &str) -> Option<&'static str> {
    let (_, _, many, _) = CURRENCIES.iter().find(|(sign, ..)| text.starts_with(sign))?;
    Some(many)
}
