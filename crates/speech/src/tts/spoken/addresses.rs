//! Addresses, telephone numbers and codes, as one reads them to somebody who writes.

use super::numbers::{cardinal, digits};

/// Endings of hosts that are said letter by letter.
const SPELLED: [&str; 14] =
    ["io", "ai", "uk", "us", "de", "fr", "eu", "tv", "ch", "ca", "au", "nz", "jp", "co"];
/// Longer than this, an address is not read out to the end.
const LONGEST: usize = 80;

/// "priya.nair@brightloom.example"
pub fn mail(text: &str) -> Option<String> {
    let (name, host) = text.split_once('@')?;
    let named = !name.is_empty() && host.contains('.') && !host.contains('@');
    named.then(|| format!("{} at {}", marks(name), host_words(host)))
}

/// With "https" before it or "www", or a bare "brightloom.com".
pub fn url(text: &str) -> Option<String> {
    let bare = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let certain = bare.is_some() || text.starts_with("www.");
    let bare = bare.unwrap_or(text);
    let bare = bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/');
    let (host, path) = bare.split_once('/').map_or((bare, ""), |(host, path)| (host, path));
    let labels: Vec<&str> = host.split('.').collect();
    let label = |label: &&str| {
        label.len() > 1 && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let ending = labels.last().is_some_and(|end| end.chars().all(|c| c.is_ascii_alphabetic()));
    let likely = labels.len() > 1 && labels.iter().all(label) && ending;
    if !(certain || likely) {
        return None;
    }
    let host = host_words(host);
    Some(match path {
        "" => host,
        path if path.len() > LONGEST => format!("{host} slash and a long path"),
        path => format!("{host} slash {}", marks(path)),
    })
}

fn host_words(host: &str) -> String {
    let labels: Vec<String> = host
        .split('.')
        .enumerate()
        .map(
            |(at, label)| {
                if at > 0 && SPELLED.contains(&label) { letters(label) } else { marks(label) }
            },
        )
        .collect();
    labels.join(" dot ")
}

/// Every mark by its name, every digit by its own.
fn marks(text: &str) -> String {
    let mut words = String::new();
    for c in text.chars() {
        let mark = match c {
            '.' => "dot",
            '_' => "underscore",
            '-' => "dash",
            '+' => "plus",
            '/' => "slash",
            ':' => "colon",
            '?' => "question mark",
            '&' => "and",
            '=' => "equals",
            '#' => "hash",
            '%' => "percent",
            '~' => "tilde",
            '@' => "at",
            c if c.is_ascii_digit() => &digits(&c.to_string()),
            c if c.is_alphabetic() => {
                words.push(c);
                continue;
            }
            _ => " ",
        };
        words.extend([" ", mark, " "]);
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// "555-0123", "(415) 555-0123" as one word, "+14155550123".
pub fn phone(text: &str) -> Option<String> {
    let digit_count = text.bytes().filter(u8::is_ascii_digit).count();
    let joined = text.chars().all(|c| c.is_ascii_digit() || "-+().".contains(c));
    let grouped = text.contains('-') || text.starts_with('+') || text.starts_with('(');
    if !joined || !grouped || !(7..=15).contains(&digit_count) {
        return None;
    }
    let groups = text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty());
    let spoken: Vec<String> = groups.map(digits).collect();
    let plus = if text.starts_with('+') { "plus " } else { "" };
    Some(format!("{plus}{}", spoken.join(", ")))
}

/// "Q3", "A4-77B", "v2.1.0", "B12": letters one by one, digits as people read them.
pub fn code(text: &str) -> Option<String> {
    let has = |test: fn(&char) -> bool| text.chars().any(|c| test(&c));
    if !has(char::is_ascii_digit)
        || !text.chars().all(|c| c.is_ascii_alphanumeric() || "-._/".contains(c))
    {
        return None;
    }
    let version =
        text.strip_prefix(['v', 'V']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let (text, version) = version.map_or((text, false), |rest| (rest, true));
    let point = if version || !has(char::is_ascii_alphabetic) { "point" } else { "dot" };
    let mut words: Vec<String> = version.then(|| "version".to_owned()).into_iter().collect();
    for run in runs(text) {
        match run.as_bytes()[0] {
            b'0'..=b'9' => words.push(short_number(run)),
            b'.' => words.push(point.to_owned()),
            b'/' => words.push("slash".to_owned()),
            b'-' | b'_' => words.push("dash".to_owned()),
            _ if run.len() <= 4 && run.bytes().all(|b| b.is_ascii_uppercase()) => {
                words.push(letters(run));
            }
            _ if run.len() == 1 => words.push(letters(run)),
            _ => words.push(run.to_owned()),
        }
    }
    Some(words.join(" "))
}

/// Two digits are a number, more are read out.
fn short_number(digits_: &str) -> String {
    let small = digits_.len() <= 2 && !digits_.starts_with('0');
    match digits_.parse::<u64>() {
        Ok(n) if small || digits_ == "0" => cardinal(n),
        _ => digits(digits_),
    }
}

/// Letters, digits and marks apart.
fn runs(text: &str) -> Vec<&str> {
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' | b'A'..=b'Z' => 1,
        other => other,
    };
    text.as_bytes()
        .chunk_by(|a, b| kind(*a) == kind(*b) && kind(*a) < 2)
        .map(|run| std::str::from_utf8(run).expect("cut between ASCII characters"))
        .collect()
}

/// Capitals with room between them are read by their names.
pub fn letters(text: &str) -> String {
    let letters: Vec<String> = text.chars().map(|c| c.to_uppercase().to_string()).collect();
    letters.join(" ")
}
