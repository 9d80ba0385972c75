//! Secrets that are known by how they look, whatever stands around them: keys, tokens, links
//! that let somebody in, private keys and social security numbers. Pure.

use super::WITHHELD;

/// How keys begin that everybody knows.
const KEYS: [&str; 20] = [
    "sk-",
    "pk_live_",
    "sk_live_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxs-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "hf_",
    "eyJ",
];
/// So short a thing is no key.
const SHORTEST_KEY: usize = 16;
/// So short a part of a link lets nobody in.
const SHORTEST_TOKEN: usize = 20;
/// Links with one of these in them let somebody in.
const DOORS: [&str; 10] = [
    "reset", "magic", "token", "verify", "login", "signin", "sign-in", "auth", "password",
    "confirm",
];
/// So much of what may be one of them is looked at to know. What follows may be as long as
/// it likes, or one text of thousands of beginnings would be read thousands of times.
pub const LOOKED_AT: usize = 256;
/// How a private key begins and ends.
const BEGINS: &str = "-----BEGIN ";
const PRIVATE: &str = "PRIVATE KEY-----";

/// The same text without them.
pub fn without_keys(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut last = None;
    // So much of a link that was looked at is still to come: what begins within it is no other.
    let mut of_link = 0_usize;
    while let Some(first) = rest.chars().next() {
        let begins = !last.is_some_and(|c: char| c.is_alphanumeric() || c == '_');
        let link = if begins && of_link == 0 { address(rest) } else { None };
        of_link = of_link.max(link.map_or(0, |(before, address)| before + address.len()));
        let found = begins.then(|| secret_at(rest).or_else(|| door(link?))).flatten();
        let (kept, length) = found.unwrap_or((first.len_utf8(), first.len_utf8()));
        out.push_str(&rest[..kept]);
        if kept < length {
            out.push_str(WITHHELD);
        }
        of_link = of_link.saturating_sub(length);
        last = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    out
}

/// How much of what begins here stays, and how long it is.
fn secret_at(text: &str) -> Option<(usize, usize)> {
    let whole = |length| (0, length);
    private_key(text).or_else(|| key(text)).or_else(|| social(text)).map(whole)
}

fn private_key(text: &str) -> Option<usize> {
    let head = text.strip_prefix(BEGINS)?;
    let line = start_of(head, LOOKED_AT);
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    if !line.contains(PRIVATE) {
        return None;
    }
    let begun = BEGINS.len() + line.find(PRIVATE)? + PRIVATE.len();
    // Of half a key nothing stays either.
    let end = text[begun..].find(PRIVATE).map(|at| begun + at + PRIVATE.len());
    Some(end.unwrap_or(text.len()))
}

fn key(text: &str) -> Option<usize> {
    KEYS.iter().find(|key| text.starts_with(*key))?;
    let near = key_in(start_of(text, LOOKED_AT));
    let has_digit = near.contains(|c: char| c.is_ascii_digit());
    (near.len() >= SHORTEST_KEY && has_digit).then(|| key_in(text).len())
}

fn key_in(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.+/=".contains(c);
    text[..text.find(|c| !is_part(c)).unwrap_or(text.len())].trim_end_matches('.')
}

/// As much of it, at most, as has so many bytes.
pub fn start_of(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// 078-05-1120.
fn social(text: &str) -> Option<usize> {
    let signs = text.as_bytes().get(..11)?;
    let fits = |(at, sign): (usize, &u8)| match at {
        3 | 6 => *sign == b'-',
        _ => sign.is_ascii_digit(),
    };
    let is_over = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    (signs.iter().enumerate().all(fits) && text.get(11..).is_some_and(is_over)).then_some(11)
}

/// How long what stands before an address is, and the address.
fn address(text: &str) -> Option<(usize, &str)> {
    let address = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '”' | ')' | '\'');
    let end = address.find(ends).unwrap_or(address.len());
    let before = text.len() - address.len();
    Some((before, address[..end].trim_end_matches(['.', ',', ';'])))
}

/// A link stays up to the part that lets somebody in.
fn door((before, address): (usize, &str)) -> Option<(usize, usize)> {
    let path = address.find(['/', '?', '#'])?;
    let lower = address.to_lowercase();
    let is_door = DOORS.iter().any(|door| lower.contains(door));
    let is_sign = |c: char| matches!(c, '/' | '?' | '&' | '=' | '#');
    let mut at = path;
    for part in address[path..].split_inclusive(is_sign) {
        if is_token(part.trim_end_matches(is_sign), is_door) {
            return Some((before + at, before + address.len()));
        }
        at += part.len();
    }
    None
}

/// Nobody would say it aloud.
pub fn is_token(part: &str, is_door: bool) -> bool {
    let has = |is: fn(&char) -> bool| part.chars().any(|c| is(&c));
    let has_digit = has(char::is_ascii_digit);
    if is_door && part.len() >= SHORTEST_KEY && has_digit {
        return true;
    }
    let is_mixed = has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase);
    let longest = part.split(['-', '_', '.']).map(str::len).max().unwrap_or(0);
    part.len() >= SHORTEST_TOKEN && has_digit && (is_mixed || longest >= SHORTEST_KEY)
}
