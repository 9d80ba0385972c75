//! A card as a text that can be changed in an editor, and back.
//!
//! One line a field, then an empty line and the words of the mail. Lines that
//! begin with `#` above the empty line are ours.

use brain::card::{Card, Field, FieldKind};
use jiff::Zoned;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

const INTRODUCTION: &str = "\
# Saving a change is a yes to it: what stands here is done, unless something new
# deserves a look. Change nothing to leave the card as it is.
";
const COMPLAINT: &str = "#! ";

/// The card as text.
pub fn page(card: &Card) -> String {
    let mut text = format!("# {}\n{INTRODUCTION}", card.title.replace('\n', " "));
    for field in lines(card) {
        let value = one_line(field, card);
        text.push_str(format!("{}: {value}", field.label).trim_end());
        text.push('\n');
    }
    if let Some(field) = body(card) {
        text.push('\n');
        text.push_str(words(card, field));
        text.push('\n');
    }
    text
}

/// The same text once more, with the reason why it was not taken on top.
pub fn complained(page: &str, reason: &str) -> String {
    let reason = reason.replace('\n', " ");
    let rest = page.lines().skip_while(|line| line.starts_with(COMPLAINT));
    let mut text = format!("{COMPLAINT}{reason}\n");
    for line in rest {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The fields that are different now, as the payload spells them.
pub fn read(page: &str, card: &Card) -> Result<Map<String, Value>, String> {
    let page = page.replace("\r\n", "\n");
    if page.trim().is_empty() {
        // Whoever empties the file has thought better of it.
        return Ok(Map::new());
    }
    let (head, rest) = split(&page);
    let mut given: Vec<(&Field, &str)> = Vec::new();
    for line in head.lines().filter(|line| !line.starts_with('#')) {
        let known = line.split_once(':').and_then(|(label, value)| {
            let is = |field: &&Field| field.label.eq_ignore_ascii_case(label.trim());
            Some((lines(card).find(is)?, value.trim()))
        });
        given.push(known.ok_or_else(|| not_a_field(line, card))?);
    }
    let mut changes = Map::new();
    for field in lines(card) {
        let mut values = given.iter().filter(|(other, _)| *other == field);
        let missing = || format!("\"{}:\" is missing; leave it empty to clear it", field.label);
        let (_, value) = values.next().ok_or_else(missing)?;
        if values.next().is_some() {
            return Err(format!("\"{}:\" is there twice", field.label));
        }
        if *value != one_line(field, card) {
            changes.insert(field.name.clone(), parsed(field, value, card)?);
        }
    }
    match body(card) {
        None if !rest.trim().is_empty() => return Err("there is no text below the fields".into()),
        Some(field) if rest.trim_end() != words(card, field).trim_end() => {
            changes.insert(field.name.clone(), rest.trim_end().into());
        }
        None | Some(_) => {}
    }
    Ok(changes)
}

/// What stands above the first empty line, and what below.
fn split(page: &str) -> (&str, &str) {
    page.split_once("\n\n").unwrap_or((page, ""))
}

fn not_a_field(line: &str, card: &Card) -> String {
    let known: Vec<_> = lines(card).map(|field| field.label.as_str()).collect();
    let line: String = line.chars().take(40).collect();
    format!("\"{line}\" is none of {}; the text begins after an empty line", known.join(", "))
}

fn lines(card: &Card) -> impl Iterator<Item = &Field> {
    card.editable.iter().filter(|field| field.kind != FieldKind::Paragraphs)
}

fn body(card: &Card) -> Option<&Field> {
    card.editable.iter().find(|field| field.kind == FieldKind::Paragraphs)
}

fn words<'a>(card: &'a Card, field: &Field) -> &'a str {
    card.payload.get(&field.name).and_then(Value::as_str).unwrap_or_default()
}

fn one_line(field: &Field, card: &Card) -> String {
    match (field.kind, card.payload.get(&field.name)) {
        (FieldKind::People, Some(Value::Array(people))) => {
            people.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        }
        (FieldKind::Time, Some(Value::String(text))) => match text.parse::<Zoned>() {
            Ok(at) => {
                let zone = at.time_zone().iana_name().unwrap_or("UTC").to_owned();
                format!("{} {zone}", at.strftime("%Y-%m-%d %H:%M"))
            }
            Err(_) => text.clone(),
        },
        (_, Some(Value::String(text))) => text.clone(),
        _ => String::new(),
    }
}

fn parsed(field: &Field, value: &str, card: &Card) -> Result<Value, String> {
    Ok(match field.kind {
        FieldKind::Text | FieldKind::Paragraphs => value.into(),
        FieldKind::People => {
            let people = value.split([',', ';']).map(str::trim).filter(|one| !one.is_empty());
            people.map(address).collect::<Vec<_>>().into()
        }
        FieldKind::Time => {
            let form = || format!("\"{value}\" is not a time like 2026-11-16 15:00 Europe/Berlin");
            let before = card.payload.get(&field.name).and_then(Value::as_str);
            let before = before.and_then(|text| text.parse::<Zoned>().ok());
            moment(value, before.as_ref()).ok_or_else(form)?.to_string().into()
        }
    })
}

/// "Ana <ana@example.com>" as well as the address alone.
fn address(person: &str) -> String {
    let inner = person.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>'));
    inner.unwrap_or(person).trim().to_owned()
}

/// A day and an hour, in the zone that is named or the one it was in.
fn moment(text: &str, before: Option<&Zoned>) -> Option<Zoned> {
    let mut words = text.split_whitespace();
    let (day, hour, zone) = (words.next()?, words.next()?, words.next());
    let at = DateTime::strptime("%Y-%m-%d %H:%M", format!("{day} {hour}")).ok()?;
    let zone = match (zone, before) {
        (Some(name), _) => TimeZone::get(name).ok()?,
        (None, Some(before)) => before.time_zone().clone(),
        (None, None) => return None,
    };
    if words.next().is_some() {
        return None;
    }
    at.to_zoned(zone).ok()
}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
