//! Short forms written for the eye.

use super::Around;

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
const WORDS: [(&str, &str); 33] = [
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
    ("bldg", "building"),
    ("Bldg", "Building"),
    ("Ext", "Extension"),
];
/// Only with their full stop; without it they are words.
const DOTTED: [(&str, &str); 8] = [
    ("no", "number"),
    ("No", "Number"),
    ("min", "minutes"),
    ("max", "maximum"),
    ("Co", "Company"),
    ("Gov", "Governor"),
    ("ca", "about"),
    ("Ca", "About"),
];

/// `around` are the words beside it.
pub fn abbreviation(core: &str, dotted: bool, around: &Around) -> Option<&'static str> {
    let Around { before, after, .. } = *around;
    let capital =
        |word: Option<&str>| word.is_some_and(|word| word.starts_with(char::is_uppercase));
    let digit = |word: Option<&str>| {
        word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let among = |list: &'static [(&str, &str)]| {
        list.iter().find(|(short, _)| *short == core).map(|(_, long)| *long)
    };
    // "5 Elm Dr. Apt 4" has a number, "See St. Mary" begins a sentence.
    let behind_name = capital(before) && around.joined;
    if core == "St" {
        let street = behind_name && !(around.begins && !around.housed && capital(after));
        return Some(if street { "Street" } else { "Saint" });
    }
    if core == "Dr" {
        let drive = behind_name && (around.housed || !around.begins && !capital(after));
        return Some(if drive { "Drive" } else { "Doctor" });
    }
    if ["no", "No"].contains(&core) && !digit(after) {
        return None;
    }
    let dated = before.is_some_and(|word| ["of", "in", "since", "until"].contains(&word));
    let month = if dotted || digit(after) || dated {
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
    [
        "Mr", "Mrs", "Ms", "Prof", "No", "no", "Gov", "e.g", "i.e", "E.g", "I.e", "vs", "bldg",
        "Bldg", "ext", "Ext", "ca", "Ca",
    ]
    .contains(&core)
}

/// Parts of a word that are said one after the other: words around a slash or a
/// long dash. The mark stays with the part before it.
pub fn parted(raw: &str) -> Vec<&str> {
    if let Some((at, dash)) = raw.match_indices(['—', '–']).next() {
        let (before, after) = (&raw[..at + dash.len()], &raw[at + dash.len()..]);
        if at > 0 && !after.is_empty() {
            return [vec![before], parted(after)].concat();
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
