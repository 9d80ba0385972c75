//! Clocks elsewhere: "3 pm PST", "in Berlin time".

use std::ops::Range;

use jiff::tz::{Offset, TimeZone};

use crate::resolve::words::Word;

/// A zone somebody named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    pub zone: TimeZone,
    /// As it stands behind a time: "Berlin time", "UTC".
    pub name: String,
    /// As it stands behind "in", for cities: "Berlin".
    pub city: Option<String>,
    /// The letters it was named by: "PST".
    letters: Option<String>,
}

impl Zone {
    /// What its letters left open, for a time on its clocks: "PST" in July,
    /// and "CST", which is China's too.
    pub fn assumed(&self, at: &jiff::Zoned) -> Option<String> {
        let letters = self.letters.as_deref()?;
        let (name, then) = (&self.name, at.strftime("%Z").to_string());
        if SHARED.contains(&letters) {
            return Some(format!("took {letters} as {name}"));
        }
        let seasonal = SEASONS.contains(&letters) && SEASONS.contains(&then.as_str());
        (seasonal && then != letters)
            .then(|| format!("took {letters} as {name}, which is {then} then"))
    }
}

/// Letters that name other clocks too.
const SHARED: &[&str] = &["CST", "IST", "BST"];

/// Letters that hold for one half of the year.
const SEASONS: &[&str] = &[
    "PST", "PDT", "MST", "MDT", "CDT", "EST", "EDT", "CET", "CEST", "EET", "EEST", "AEST", "AEDT",
    "NZST", "NZDT",
];

/// People who say EST in July mean the clocks of New York.
const LETTERS: &[(&[&str], &str, &str)] = &[
    (&["pst", "pdt", "pt", "pacific"], "America/Los_Angeles", "Pacific time"),
    (&["mst", "mdt", "mt", "mountain"], "America/Denver", "Mountain time"),
    (&["cst", "cdt", "ct", "central"], "America/Chicago", "Central time"),
    (&["est", "edt", "et", "eastern"], "America/New_York", "Eastern time"),
    (&["gmt", "utc", "zulu"], "UTC", "UTC"),
    (&["bst"], "Europe/London", "UK time"),
    (&["uk", "british"], "Europe/London", "UK time"),
    (&["cet", "cest", "mez"], "Europe/Berlin", "Central European time"),
    (&["eet", "eest"], "Europe/Helsinki", "Eastern European time"),
    (&["ist"], "Asia/Kolkata", "Indian time"),
    (&["jst"], "Asia/Tokyo", "Japanese time"),
    (&["kst"], "Asia/Seoul", "Korean time"),
    (&["sgt"], "Asia/Singapore", "Singapore time"),
    (&["hkt"], "Asia/Hong_Kong", "Hong Kong time"),
    (&["nzst", "nzdt"], "Pacific/Auckland", "New Zealand time"),
    (&["hst"], "Pacific/Honolulu", "Hawaii time"),
    (&["msk"], "Europe/Moscow", "Moscow time"),
    (&["aest", "aedt"], "Australia/Sydney", "Sydney time"),
];

/// These are words of their own and need a clock time before them or "time" behind.
const SHY: &[&str] =
    &["pt", "mt", "ct", "et", "pacific", "mountain", "central", "eastern", "uk", "british", "ist"];

const CITIES: &[(&str, &str)] = &[
    ("amsterdam", "Europe/Amsterdam"),
    ("athens", "Europe/Athens"),
    ("auckland", "Pacific/Auckland"),
    ("bangkok", "Asia/Bangkok"),
    ("beijing", "Asia/Shanghai"),
    ("berlin", "Europe/Berlin"),
    ("boston", "America/New_York"),
    ("brussels", "Europe/Brussels"),
    ("chicago", "America/Chicago"),
    ("copenhagen", "Europe/Copenhagen"),
    ("delhi", "Asia/Kolkata"),
    ("denver", "America/Denver"),
    ("dubai", "Asia/Dubai"),
    ("dublin", "Europe/Dublin"),
    ("helsinki", "Europe/Helsinki"),
    ("hong kong", "Asia/Hong_Kong"),
    ("istanbul", "Europe/Istanbul"),
    ("lisbon", "Europe/Lisbon"),
    ("london", "Europe/London"),
    ("los angeles", "America/Los_Angeles"),
    ("madrid", "Europe/Madrid"),
    ("melbourne", "Australia/Melbourne"),
    ("milan", "Europe/Rome"),
    ("montreal", "America/Toronto"),
    ("moscow", "Europe/Moscow"),
    ("mumbai", "Asia/Kolkata"),
    ("munich", "Europe/Berlin"),
    ("nairobi", "Africa/Nairobi"),
    ("new york", "America/New_York"),
    ("oslo", "Europe/Oslo"),
    ("paris", "Europe/Paris"),
    ("prague", "Europe/Prague"),
    ("rome", "Europe/Rome"),
    ("san francisco", "America/Los_Angeles"),
    ("sao paulo", "America/Sao_Paulo"),
    ("seattle", "America/Los_Angeles"),
    ("seoul", "Asia/Seoul"),
    ("shanghai", "Asia/Shanghai"),
    ("singapore", "Asia/Singapore"),
    ("stockholm", "Europe/Stockholm"),
    ("sydney", "Australia/Sydney"),
    ("tokyo", "Asia/Tokyo"),
    ("toronto", "America/Toronto"),
    ("uppsala", "Europe/Stockholm"),
    ("vancouver", "America/Vancouver"),
    ("vienna", "Europe/Vienna"),
    ("warsaw", "Europe/Warsaw"),
    ("zurich", "Europe/Zurich"),
];

/// The zone named in a sentence, and the places of its words.
pub fn zone_in(words: &[Word]) -> Option<(Zone, Range<usize>)> {
    let texts = super::texts(words);
    (0..texts.len()).find_map(|at| {
        let (zone, used) = named(&texts[at..], false)?;
        Some((zone, at..at + used))
    })
}

/// A zone at the start of `words`; `after_clock`, where a time stands right before it.
pub fn named(words: &[&str], after_clock: bool) -> Option<(Zone, usize)> {
    let lead = usize::from(words.first() == Some(&"in"));
    let rest = &words[lead..];
    letters(rest, after_clock)
        .or_else(|| offset(rest.first()?).map(|zone| (zone, 1)))
        .or_else(|| {
            let (zone, used) = city(rest)?;
            let told = rest.get(used) == Some(&"time");
            (told || (after_clock && lead == 1)).then_some((zone, used + usize::from(told)))
        })
        .map(|(zone, used)| (zone, lead + used))
}

fn letters(words: &[&str], after_clock: bool) -> Option<(Zone, usize)> {
    let first = *words.first()?;
    let (_, id, name) = LETTERS.iter().find(|(all, ..)| all.contains(&first))?;
    let standard = usize::from(matches!(words.get(1), Some(&("standard" | "daylight"))));
    let time = words.get(1 + standard) == Some(&"time");
    if SHY.contains(&first) && !time && !after_clock {
        return None;
    }
    let used = if time { 2 + standard } else { 1 };
    let named = zone(id, (*name).to_owned(), None)?;
    Some((Zone { letters: Some(first.to_uppercase()), ..named }, used))
}

/// "UTC+2", "GMT-5", "utc+5:30".
fn offset(word: &str) -> Option<Zone> {
    let rest = word.strip_prefix("utc").or_else(|| word.strip_prefix("gmt"))?;
    let (sign, rest) = match rest.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match rest.split_once(':') {
        Some(halves) => halves,
        None if rest.len() == 4 => rest.split_at_checked(2)?,
        None => (rest, "0"),
    };
    let number = |text: &str| text.parse::<i32>().ok().filter(|_| !text.starts_with(['+', '-']));
    let hours = number(hours).filter(|hours| *hours <= 14)?;
    let minutes = number(minutes).filter(|minutes| *minutes < 60)?;
    let offset = Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()?;
    let zone = TimeZone::fixed(offset);
    Some(Zone { zone, name: format!("UTC{}", &word[3..]), city: None, letters: None })
}

/// A city at the start of `words`.
pub fn city(words: &[&str]) -> Option<(Zone, usize)> {
    let initial = words.first()?.as_bytes().first();
    let mut alike = CITIES.iter().filter(|(city, _)| city.as_bytes().first() == initial);
    alike.find_map(|(city, id)| {
        let used = city.split(' ').count();
        if !city.split(' ').eq(words.get(..used)?.iter().copied()) {
            return None;
        }
        let name = titled(city);
        Some((zone(id, format!("{name} time"), Some(name))?, used))
    })
}

fn zone(id: &str, name: String, city: Option<String>) -> Option<Zone> {
    Some(Zone { zone: TimeZone::get(id).ok()?, name, city, letters: None })
}

fn titled(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::words::words;

    fn found(sentence: &str) -> Option<String> {
        zone_in(&words(sentence)).map(|(zone, _)| zone.name)
    }

    #[test]
    fn zones_are_known_by_letters_and_by_cities() {
        assert_eq!(found("at 3 pst tomorrow").as_deref(), Some("Pacific time"));
        assert_eq!(found("in new york time").as_deref(), Some("New York time"));
        assert_eq!(found("eastern standard time").as_deref(), Some("Eastern time"));
        assert_eq!(found("my trip to lisbon"), None);
        assert_eq!(found("the mountain hike"), None);
    }
}
