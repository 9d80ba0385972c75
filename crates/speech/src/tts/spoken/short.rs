//! Short forms written for the eye: abbreviations, signs, fractions.

/// Behind these a capital letter starts a name of a street.
const STREETS: [(&str, &str); 12] = [
    ("Ave", "Avenue"),
    ("Blvd", "Boulevard"),
    ("Rd", "Road"),
    ("Ln", "Lane"),
    ("Hwy", "Highway"),
    ("Sq", "Square"),
    ("Pkwy", "Parkway"),
    ("Ct", "Court"),
    ("Pl", "Place"),
    ("Apt", "Apartment"),
    ("Ste", "Suite"),
    ("Fl", "Floor"),
];
/// Said in full wherever they stand; with or without their full stop.
const WORDS: [(&str, &str); 31] = [
    ("Dr", "Doctor"),
    ("Mr", "Mister"),
    ("Mrs", "Missus"),
    ("Ms", "Miz"),
    ("Prof", "Professor"),
    ("Jr", "Junior"),
    ("Sr", "Senior"),
    ("vs", "versus"),
    ("etc", "et cetera"),
    ("e.g", "for example"),
    ("E.g", "For example"),
    ("i.e", "that is"),
    ("I.e", "That is"),
    ("approx", "approximately"),
    ("dept", "department"),
    ("Dept", "Department"),
    ("Inc", "Incorporated"),
    ("Corp", "Corporation"),
    ("Ltd", "Limited"),
    ("w/", "with"),
    ("w/o", "without"),
    ("b/c", "because"),
    ("govt", "government"),
    ("mgmt", "management"),
    ("mtg", "meeting"),
    ("appt", "appointment"),
    ("tel", "telephone"),
    ("ext", "extension"),
    ("ASAP", "as soon as possible"),
    ("FYI", "for your information"),
    ("aka", "also known as"),
];
/// Only with their full stop; without it they are words.
const DOTTED: [(&str, &str); 6] = [
    ("no", "number"),
    ("No", "Number"),
    ("min", "minutes"),
    ("max", "maximum"),
    ("Co", "Company"),
    ("Gov", "Governor"),
];

/// `before` and `after` are the words beside it.
pub fn abbreviation(
    core: &str,
    dotted: bool,
    before: Option<&str>,
    after: Option<&str>,
) -> Option<&'static str> {
    let capital =
        |word: Option<&str>| word.is_some_and(|word| word.starts_with(char::is_uppercase));
    let digit = |word: Option<&str>| {
        word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let among = |list: &'static [(&str, &str)]| {
        list.iter().find(|(short, _)| *short == core).map(|(_, long)| *long)
    };
    if core == "St" {
        return Some(if capital(before) { "Street" } else { "Saint" });
    }
    if ["no", "No"].contains(&core) && !digit(after) {
        return None;
    }
    let month = if dotted || digit(after) {
        super::times::month(core).filter(|_| core.len() <= 4 && capital(Some(core)))
    } else {
        None
    };
    // "May." is a month already, and "Mar" may be a name; a number tells.
    among(&WORDS)
        .or_else(|| dotted.then(|| among(&DOTTED)).flatten())
        .or_else(|| (dotted || capital(before) || digit(after)).then(|| among(&STREETS)).flatten())
        .or(month)
        .or_else(|| super::times::weekday(core, dotted))
}

/// Those that stand before a name or a number: their full stop never ends a sentence.
pub fn before_names(core: &str) -> bool {
    ["Dr", "Mr", "Mrs", "Ms", "Prof", "St", "No", "no", "Gov", "e.g", "i.e", "E.g", "I.e"]
        .contains(&core)
}

pub fn symbol(text: &str) -> Option<&'static str> {
    Some(match text {
        "&" => "and",
        "+" => "plus",
        "=" => "equals",
        "@" => "at",
        "%" => "percent",
        "#" => "number",
        "/" => "slash",
        "\\" => "backslash",
        "*" | "×" => "times",
        "÷" => "divided by",
        "~" | "≈" => "about",
        "<" => "less than",
        ">" => "greater than",
        "≤" => "at most",
        "≥" => "at least",
        "→" => "to",
        "°" => "degrees",
        "$" => "dollars",
        "€" => "euros",
        "£" => "pounds",
        "_" => "underscore",
        "^" => "caret",
        "§" => "section",
        "©" => "copyright",
        "®" | "™" => "trademark",
        "½" => "one half",
        "¼" => "one quarter",
        "¾" => "three quarters",
        "⅓" => "one third",
        "⅔" => "two thirds",
        "²" => "squared",
        "³" => "cubed",
        "±" => "plus or minus",
        "µ" => "micro",
        "№" => "number",
        _ => return None,
    })
}

pub fn fraction(text: &str) -> Option<String> {
    let words = match text {
        "1/2" => "one half",
        "1/3" => "one third",
        "2/3" => "two thirds",
        "1/4" => "one quarter",
        "3/4" => "three quarters",
        "24/7" => "twenty four seven",
        _ => return None,
    };
    Some(words.to_owned())
}

/// Parts of a word that are said one after the other: ranges, and words around
/// a slash or a long dash. The mark stays with the part before it.
pub fn parted(raw: &str) -> Vec<&str> {
    let digits = |part: &str| part.starts_with(|c: char| c.is_ascii_digit() || c == '$');
    if let Some((at, dash)) = raw.match_indices(['—', '–']).next() {
        let (before, after) = (&raw[..at + dash.len()], &raw[at + dash.len()..]);
        if at > 0 && !after.is_empty() {
            return [vec![before], parted(after)].concat();
        }
    }
    // "3-4pm", "9:30-10:00": from one to the other. "555-0123" is a telephone.
    if let Some((from, to)) = raw.split_once('-') {
        let clock = |part: &str| part.contains(':') || part.ends_with("am") || part.ends_with("pm");
        let to_core = to.trim_end_matches(|c: char| c.is_ascii_punctuation());
        if digits(from) && digits(to) && (clock(from) || clock(to_core)) {
            return vec![&raw[..=from.len()], to];
        }
    }
    if let Some((left, right)) = raw.split_once('/') {
        let word = |part: &str| part.len() > 1 && part.chars().all(char::is_alphabetic);
        let right_core = right.trim_end_matches(|c: char| c.is_ascii_punctuation());
        if word(left) && word(right_core) {
            return vec![&raw[..=left.len()], right];
        }
    }
    vec![raw]
}
