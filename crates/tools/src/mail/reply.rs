//! A reply from a few words, without a model.
//!
//! The words stay the person's own; what is added is a greeting, a capital, a
//! full stop and a name. Words that are a letter already are left alone.

use brain::facts::Person;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::text;

const LONGEST_SUBJECT: usize = 300;

/// How the letter begins and ends. The words in between are the person's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tone {
    #[default]
    Neutral,
    Warm,
    Formal,
}

/// The whole text of a reply to `to`, signed with the first word of `me`.
pub(crate) fn letter(words: &str, tone: Tone, to: &[Person], me: Option<&str>) -> String {
    let words = text::lines(words);
    if is_letter(&words) {
        return words;
    }
    let mut letter = format!("{}\n\n{}", greeting(tone, to), sentence(&words));
    if let Some(me) = me {
        letter.push_str("\n\n");
        letter.push_str(&sign_off(tone, me));
    }
    letter
}

/// "Re: " before a subject, once, however often it was answered.
pub(crate) fn subject(answered: &str) -> String {
    let mut rest = answered.trim();
    while let Some(after) = rest.get(..3).filter(|re| re.eq_ignore_ascii_case("re:")) {
        rest = rest[after.len()..].trim_start();
    }
    text::one_line(&format!("Re: {rest}"), LONGEST_SUBJECT)
}

/// Does it bring its own greeting, or several paragraphs?
fn is_letter(words: &str) -> bool {
    const GREETINGS: [&str; 6] = ["hi", "hello", "hey", "dear", "good morning", "good evening"];
    let folded = text::fold(words);
    let greets = GREETINGS.iter().any(|greeting| folded.starts_with(&format!(" {greeting} ")));
    greets || words.lines().any(|line| line.trim().is_empty())
}

fn greeting(tone: Tone, to: &[Person]) -> String {
    let names: Vec<String> = to.iter().filter_map(|person| name_for(tone, person)).collect();
    let word = match tone {
        Tone::Neutral => "Hi",
        Tone::Warm => "Hello",
        Tone::Formal => "Dear",
    };
    match names.as_slice() {
        _ if names.len() < to.len() || names.len() > 3 => match (tone, to.len()) {
            (Tone::Neutral, 2..) => "Hi all,".to_owned(),
            (Tone::Warm | Tone::Formal, 2..) => "Hello everyone,".to_owned(),
            (Tone::Neutral, _) => "Hi,".to_owned(),
            (Tone::Warm | Tone::Formal, _) => "Hello,".to_owned(),
        },
        [] => "Hello,".to_owned(),
        [one] => format!("{word} {one},"),
        [first @ .., last] => format!("{word} {} and {last},", first.join(", ")),
    }
}

fn name_for(tone: Tone, person: &Person) -> Option<String> {
    let name = text::one_line(person.name.as_deref()?, 80);
    let whole = tone == Tone::Formal || !is_a_person(&name, &person.address);
    let called = if whole { straight(&name) } else { first_name(&name).to_owned() };
    Some(called).filter(|called| called.chars().any(char::is_alphabetic))
}

/// Shops and offices have no first name.
fn is_a_person(name: &str, address: &str) -> bool {
    const DESKS: [&str; 12] = [
        "info",
        "support",
        "hello",
        "team",
        "billing",
        "office",
        "contact",
        "news",
        "orders",
        "service",
        "noreply",
        "reception",
    ];
    let desk = address.split('@').next().unwrap_or_default().replace(['-', '.', '_'], "");
    let words = name.split(' ').count();
    words <= 3
        && !DESKS.contains(&desk.to_ascii_lowercase().as_str())
        && !name.contains(|c: char| c.is_ascii_digit() || "&@|/".contains(c))
}

/// "Priya" of "Priya Nair" and of "Nair, Priya"; "Dr. Cho" stays "Dr. Cho".
pub(crate) fn first_name(name: &str) -> &str {
    let given = name.split_once(", ").map_or(name, |(_, given)| given);
    match given.split_once(' ') {
        Some((title, _)) if title.ends_with('.') => given,
        Some((first, _)) => first,
        None => given,
    }
}

/// "Priya Nair" of "Nair, Priya".
fn straight(name: &str) -> String {
    match name.split_once(", ") {
        Some((last, first)) => format!("{first} {last}"),
        None => name.to_owned(),
    }
}

fn sign_off(tone: Tone, me: &str) -> String {
    let me = text::one_line(me, 80);
    match tone {
        Tone::Neutral => first_name(&me).to_owned(),
        Tone::Warm => format!("Warmly,\n{}", first_name(&me)),
        Tone::Formal => format!("Kind regards,\n{me}"),
    }
}

/// A capital first and a full stop last, where there is neither.
fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    let mut said: String = match chars.next() {
        Some(first) if !is_spelled_oddly(words) => first.to_uppercase().chain(chars).collect(),
        _ => words.to_owned(),
    };
    if !ends_by_itself(&said) {
        said.push('.');
    }
    said
}

/// A sign, a smile, a link and a script with other full stops need none.
fn ends_by_itself(words: &str) -> bool {
    let last = words.split_whitespace().next_back().unwrap_or_default();
    let needs_one = |c: char| matches!(c, '%' | '"' | '”') || c.is_alphanumeric() && c < '\u{2e80}';
    !last.ends_with(needs_one) || last.contains("://") || last.contains('@')
}

/// "iPhone", "priya@x.example" and "https://…" begin as they are written.
fn is_spelled_oddly(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    first.chars().skip(1).any(char::is_uppercase) || first.contains(['@', '/', ':', '_'])
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
