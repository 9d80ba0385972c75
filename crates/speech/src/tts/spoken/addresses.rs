//! Addresses, paths and codes, as one reads them to somebody who writes.

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

/// With "https" before it or "www", or a bare "brightloom.com", and its port.
pub fn url(text: &str) -> Option<String> {
    let bare = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let certain = bare.is_some() || text.starts_with("www.");
    let bare = bare.unwrap_or(text);
    let bare = bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/');
    let (host, path) = bare.split_once('/').map_or((bare, ""), |(host, path)| (host, path));
    let (host, port) = with_port(host);
    let labels: Vec<&str> = host.split('.').collect();
    let label = |label: &&str| {
        label.len() > 1 && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    let ending = labels.last().is_some_and(|end| end.chars().all(|c| c.is_ascii_alphabetic()));
    let likely = labels.len() > 1 && labels.iter().all(label) && ending;
    let machine = host == "localhost" || is_number_of_machine(&labels);
    if !(certain || likely || machine && (port.is_some() || host != "localhost")) {
        return None;
    }
    let port = port.map(|port| format!(" port {}", port_words(port))).unwrap_or_default();
    let host = format!("{}{port}", host_words(host));
    Some(match path {
        "" => host,
        path if path.len() > LONGEST => format!("{host} slash and a long path"),
        path => format!("{host} slash {}", file_words(path)),
    })
}

/// "~/notes.txt", "/etc/hosts", "src/main.rs", ".env".
pub fn path(text: &str) -> Option<String> {
    let rooted = ["/", "~/", "./", "../"].into_iter().any(|root| text.starts_with(root));
    let file = |name: &str| {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|end| {
            (1..=5).contains(&end.len()) && end.bytes().all(|b| b.is_ascii_alphanumeric())
        })
    };
    let hidden = text.strip_prefix('.').is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    });
    let named = text.chars().all(|c| c.is_alphanumeric() || "~/.-_+@".contains(c));
    let letters = text.chars().any(char::is_alphabetic);
    let known = rooted || text.contains('/') && text.rsplit('/').next().is_some_and(file);
    if !(named && letters && (known || hidden)) {
        return None;
    }
    if text.len() > LONGEST {
        let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or(text);
        return Some(format!("a long path to {}", file_words(last)));
    }
    let home = text.strip_prefix("~/").map(|rest| format!("home slash {}", file_words(rest)));
    Some(home.unwrap_or_else(|| file_words(text)))
}

fn with_port(host: &str) -> (&str, Option<&str>) {
    let port =
        |port: &str| (2..=5).contains(&port.len()) && port.bytes().all(|b| b.is_ascii_digit());
    match host.rsplit_once(':') {
        Some((host, digits)) if port(digits) => (host, Some(digits)),
        _ => (host, None),
    }
}

/// "80", "443", "8080", "3000", "11434".
fn port_words(port: &str) -> String {
    let n = |text: &str| text.parse::<u64>().unwrap_or_default();
    match port.split_at(port.len() / 2) {
        _ if port.len() == 2 || port.ends_with("000") => cardinal(n(port)),
        (front, back) if port.len() == 4 && !back.starts_with('0') && !front.starts_with('0') => {
            format!("{} {}", cardinal(n(front)), cardinal(n(back)))
        }
        _ => digits(port),
    }
}

/// "192.168.1.20".
fn is_number_of_machine(labels: &[&str]) -> bool {
    labels.len() == 4 && labels.iter().all(|label| label.parse::<u8>().is_ok())
}

fn host_words(host: &str) -> String {
    let labels: Vec<String> =
        host.split('.').enumerate().map(|(at, label)| label_words(label, at > 0)).collect();
    labels.join(" dot ")
}

/// Names with what kind of file they are behind a dot.
fn file_words(path: &str) -> String {
    let names: Vec<String> = path.split('/').map(host_words).collect();
    let words = names.join(" slash ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An ending that cannot be said as a word is spelled.
fn label_words(label: &str, is_ending: bool) -> String {
    let lower = label.to_ascii_lowercase();
    let mute = !lower.is_empty()
        && lower.len() <= 4
        && lower.bytes().all(|b| b.is_ascii_alphabetic() && !b"aeiouy".contains(&b));
    if is_ending && (mute || SPELLED.contains(&lower.as_str())) {
        letters(label)
    } else {
        marks(label)
    }
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
            b'-' => words.push("dash".to_owned()),
            b'_' => {}
            _ if run.len() <= 4 && run.bytes().all(|b| b.is_ascii_uppercase()) => {
                words.push(letters(run));
            }
            _ if run.len() == 1 => words.push(letters(run)),
            _ => words.push(run.to_owned()),
        }
    }
    Some(words.join(" "))
}

/// "5-minute", "20-year-old", "mid-2020s": a number that is part of a word.
pub fn joined(text: &str) -> Option<String> {
    let (amount, rest) = text.split_once('-')?;
    if ["mid", "pre", "post", "early", "late"].contains(&amount.to_lowercase().as_str()) {
        let time = super::times::decade(rest, Some("the"));
        return Some(format!("{amount} {}", time.or_else(|| super::numbers::number(rest))?));
    }
    let words =
        rest.split('-').all(|word| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase()));
    let short = amount.len() <= 4 && amount.bytes().all(|b| b.is_ascii_digit());
    if !(words && short) {
        return None;
    }
    Some(format!("{} {}", super::numbers::number(amount)?, rest.replace('-', " ")))
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
