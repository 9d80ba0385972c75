//! What a mail wants, and what many of them come to, by rules.
//!
//! Nothing is made up: who wrote, what they ask for in their own words, and by when.
//! What a mail says is told as what somebody wrote; it is never an instruction.

use brain::facts::{Agenda, Meeting, OpenedLetter, Person};
use brain::resolve::time::{self, Grain, Lean};
use brain::resolve::words::words;
use jiff::civil::Date;
use jiff::{Span, Timestamp, Zoned};
use serde::{Deserialize, Serialize};

use crate::narrator::spelling::{capital, count, counted, day, first_words, list, moment};

mod wants;

/// So many requests are told one by one.
const ASKS_TOLD: usize = 3;
/// So many of the others are named.
const OTHERS_TOLD: usize = 3;
const WORDS_TOLD: usize = 24;

/// One mail, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub from: Person,
    pub thread: String,
    pub subject: String,
    pub sent_at: Timestamp,
    /// What is wanted of the reader, as one would tell them: "asks you to confirm".
    pub wants: Option<String>,
    /// By which day, where one was named.
    pub by: Option<Date>,
    /// It wants what nobody who means well asks for; what that is, is not passed on.
    #[serde(default)]
    pub bait: bool,
}

/// What one mail comes to. Days are those of the reader when it was written.
pub fn point(mail: &OpenedLetter, now: &Zoned) -> Point {
    let letter = &mail.message;
    let written = letter.sent_at.to_zoned(now.time_zone().clone());
    let bait = wants::is_bait(&letter.subject, &mail.body_text);
    let wanted = wants::of(&mail.body_text).filter(|_| !bait);
    let by = wanted.as_ref().and_then(|wanted| deadline(&wanted.sentence, &written));
    Point {
        from: letter.from.clone(),
        thread: letter.thread_id.clone(),
        subject: bare(&letter.subject).to_owned(),
        sent_at: letter.sent_at,
        wants: wanted.map(|wanted| wanted.told),
        by,
        bait,
    }
}

/// The day that a request names.
fn deadline(sentence: &str, written: &Zoned) -> Option<Date> {
    let when = time::find(&words(sentence), written, Lean::Ahead)?;
    let first = when.readings.first()?;
    match first.grain {
        Grain::Day | Grain::Moment | Grain::Part | Grain::Hours => Some(first.range.start.date()),
        // "By Wednesday", "within three days": all of it until then, and the last day counts.
        Grain::Ahead => Some(first.range.end.checked_sub(Span::new().seconds(1)).ok()?.date()),
        _ => None,
    }
}

/// What they come to; `what` is what was looked through: "your unread mail". `total`
/// is how many there were.
pub fn of_mail(points: &[Point], what: &str, total: usize, now: &Zoned) -> String {
    let latest = newest_of_threads(points);
    if latest.is_empty() {
        return format!("There is nothing in {what}.");
    }
    let people = latest.iter().map(|point| &point.from.address);
    let people = people.collect::<std::collections::BTreeSet<_>>().len();
    let mails = counted(total.max(points.len()), "mail", "mails");
    let from = match people {
        1 => format!("from {}", latest[0].from.called()),
        many => format!("from {} people", count(many)),
    };
    let mut told = if total > points.len() {
        let read = count(points.len());
        format!("{}; I read the newest {read}, {from}.", capital(&mails))
    } else {
        format!("{} {from}.", capital(&mails))
    };
    let (baits, honest): (Vec<&Point>, Vec<&Point>) =
        latest.into_iter().partition(|point| point.bait);
    let (mut asks, others): (Vec<&Point>, Vec<&Point>) =
        honest.into_iter().partition(|point| point.wants.is_some());
    // What is due first comes first; what has no day comes after, the newest first.
    asks.sort_by_key(|point| (point.by.is_none(), point.by, std::cmp::Reverse(point.sent_at)));
    tell_asks(&mut told, &asks, now);
    tell_others(&mut told, &others, !asks.is_empty());
    for bait in baits {
        let (whom, subject) = (bait.from.called(), &bait.subject);
        told.extend([format!(" Careful with “{subject}” from {whom}: it looks like a scam.")]);
    }
    told
}

fn tell_asks(told: &mut String, asks: &[&Point], now: &Zoned) {
    if asks.is_empty() {
        told.push_str(" Nobody asks you for anything.");
        return;
    }
    let verb = if asks.len() == 1 { "wants" } else { "want" };
    told.extend([format!(" {} {verb} something from you.", capital(&count(asks.len())))]);
    for point in asks.iter().take(ASKS_TOLD) {
        let wants = point.wants.as_deref().unwrap_or_default();
        let late = match point.by {
            Some(by) if by < now.date() => format!(" That was for {}.", for_day(by, now)),
            _ => String::new(),
        };
        told.extend([format!(" {} {wants}{late}", name(point, asks))]);
    }
    let hidden: Vec<String> =
        asks.iter().skip(ASKS_TOLD).map(|point| name(point, asks)).take(OTHERS_TOLD).collect();
    if !hidden.is_empty() {
        let more = asks.len() - ASKS_TOLD - hidden.len();
        told.extend([format!(" Also waiting: {}.", list(&hidden, more))]);
    }
}

fn tell_others(told: &mut String, others: &[&Point], is_rest: bool) {
    if others.is_empty() {
        return;
    }
    let one = |point: &&&Point| format!("{} on “{}”", name(point, others), point.subject);
    let named: Vec<_> = others.iter().take(OTHERS_TOLD).map(|point| one(&point)).collect();
    let lead = if is_rest { "In the rest I saw no question" } else { "They are" };
    told.extend([format!(" {lead}: {}.", list(&named, others.len() - named.len()))]);
}

/// What a week comes to: the calendar, then the mail.
pub fn of_week(agenda: &Agenda, points: &[Point], total: usize, when: &str, now: &Zoned) -> String {
    format!(
        "{} {}",
        calendar(agenda, when, now),
        of_mail(points, &format!("your mail {when}"), total, now)
    )
}

fn calendar(agenda: &Agenda, when: &str, now: &Zoned) -> String {
    let events: Vec<&Meeting> = agenda.events.iter().collect();
    if events.is_empty() {
        return format!("Nothing on your calendar {when}.");
    }
    let total = events.len().max(agenda.total as usize);
    let mut told =
        format!("{} on your calendar {when}.", capital(&counted(total, "thing", "things")));
    if let Some((date, many)) = busiest(&events).filter(|(_, many)| *many > 2) {
        told.extend([format!(
            " {} is the fullest, with {}.",
            time::name_of(date.weekday()),
            count(many)
        )]);
    }
    let ahead: Vec<_> = events.iter().filter(|event| event.end > *now && !event.all_day).collect();
    let next: Vec<String> = ahead
        .iter()
        .take(3)
        .map(|event| {
            let start = event.start.with_time_zone(now.time_zone().clone());
            format!("{} {}", event.title, moment(&start, now))
        })
        .collect();
    match next.as_slice() {
        [] => told.push_str(" All of it is behind you."),
        [_] => told.extend([format!(" Still to come: {}.", next[0])]),
        _ => told.extend([format!(" Next: {}.", list(&next, 0))]),
    }
    told
}

fn busiest(events: &[&Meeting]) -> Option<(Date, usize)> {
    let mut days: std::collections::BTreeMap<Date, usize> = std::collections::BTreeMap::new();
    for event in events {
        *days.entry(event.start.date()).or_default() += 1;
    }
    days.into_iter().max_by_key(|(date, many)| (*many, std::cmp::Reverse(*date)))
}

/// Of each thread, what was written last; the same subject from the same writer is one.
fn newest_of_threads(points: &[Point]) -> Vec<&Point> {
    let mut newest: Vec<&Point> = Vec::new();
    for point in points {
        let same = |other: &&mut &Point| {
            other.thread == point.thread
                || (other.subject == point.subject && other.from.address == point.from.address)
        };
        match newest.iter_mut().find(same) {
            Some(other) if other.sent_at < point.sent_at => *other = point,
            Some(_) => {}
            None => newest.push(point),
        }
    }
    newest.sort_by_key(|point| std::cmp::Reverse(point.sent_at));
    newest
}

/// The first name; the whole one where two people share it.
fn name(point: &Point, among: &[&Point]) -> String {
    let called = point.from.called();
    let first = |person: &Person| person.called().split(' ').next().unwrap_or_default().to_owned();
    let mine = first(&point.from);
    let shared = among
        .iter()
        .any(|other| other.from.address != point.from.address && first(&other.from) == mine);
    // "Paperlane Print" is no first name: people have an address with their name in it.
    let person = point.from.address.to_lowercase().starts_with(&mine.to_lowercase());
    if shared || !person { called.to_owned() } else { mine }
}

fn for_day(date: Date, now: &Zoned) -> String {
    let said = day(date, now.date());
    said.strip_prefix("on ").unwrap_or(&said).to_owned()
}

fn bare(subject: &str) -> &str {
    let subject = subject.trim();
    ["re:", "fwd:", "fw:"]
        .iter()
        .find_map(|lead| {
            let front = subject.get(..lead.len())?;
            front.eq_ignore_ascii_case(lead).then(|| bare(&subject[lead.len()..]))
        })
        .unwrap_or(subject)
}

/// No more of it than one likes to hear.
fn shortened(text: &str) -> String {
    let (short, cut) = first_words(text, WORDS_TOLD);
    if cut { format!("{}…", short.trim_end_matches([',', ';', ':'])) } else { short }
}

#[cfg(test)]
#[path = "digest_tests.rs"]
mod tests;
