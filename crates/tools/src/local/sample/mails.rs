//! Puts the mails of the sample on real minutes, and real days into them.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Deserialize;

use super::events::{Placed, at_clock, plus};
use super::{BadSample, Cast, ME};
use crate::local::Mail;

const FILES: [(&str, &str); 3] = [
    ("work.toml", include_str!("../../../sample/mails/work.toml")),
    ("home.toml", include_str!("../../../sample/mails/home.toml")),
    ("post.toml", include_str!("../../../sample/mails/post.toml")),
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    thread: Vec<Thread>,
}

/// Mails under one subject; all but the first are replies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Thread {
    id: String,
    subject: String,
    #[serde(default)]
    labels: Vec<String>,
    mail: Vec<Fixture>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    from: String,
    #[serde(default)]
    to: Vec<String>,
    #[serde(default)]
    cc: Vec<String>,
    day: Option<i32>,
    at: Option<String>,
    ago: Option<String>,
    #[serde(default)]
    unread: bool,
    #[serde(default)]
    draft: bool,
    #[serde(default)]
    archived: bool,
    body: String,
}

pub(super) fn first_thread() -> Result<String, BadSample> {
    let (name, _) = FILES[0];
    let first = read(FILES[0])?.thread.into_iter().next();
    first.map(|thread| thread.id).ok_or_else(|| BadSample::new(name, "there are no mails"))
}

fn read((name, text): (&str, &str)) -> Result<File, BadSample> {
    toml::from_str(text).map_err(|error| BadSample::new(name, error.to_string()))
}

pub(super) fn placed(now: &Zoned, cast: &Cast, calendar: &Placed) -> Result<Vec<Mail>, BadSample> {
    let mut mails = Vec::new();
    for file in FILES {
        for thread in &read(file)?.thread {
            for (number, fixture) in (1..).zip(&thread.mail) {
                mails.push(mail(number, fixture, thread, now, cast, calendar)?);
            }
        }
    }
    Ok(mails)
}

fn mail(
    number: usize,
    fixture: &Fixture,
    thread: &Thread,
    now: &Zoned,
    cast: &Cast,
    calendar: &Placed,
) -> Result<Mail, BadSample> {
    let id = format!("{}.{number}", thread.id);
    let wrong = |problem: String| BadSample::new(&id, problem);
    let reply = if number > 1 { "Re: " } else { "" };
    let to_me = [ME.to_owned()];
    let to = if fixture.to.is_empty() { &to_me[..] } else { &fixture.to };
    Ok(Mail {
        thread_id: thread.id.clone(),
        from: cast.person(&fixture.from)?,
        to: cast.persons(to)?,
        cc: cast.persons(&fixture.cc)?,
        subject: format!("{reply}{}", thread.subject),
        body: with_days(&fixture.body, now.date(), calendar).map_err(wrong)?,
        sent_at: fixture.sent_at(now).map_err(wrong)?,
        unread: fixture.unread,
        labels: fixture.place().into_iter().chain(thread.labels.iter().cloned()).collect(),
        id,
    })
}

impl Fixture {
    fn place(&self) -> Option<String> {
        let place = match self {
            Self { draft: true, .. } => "drafts",
            Self { from, .. } if from == ME => "sent",
            Self { archived: true, .. } => return None,
            _ => "inbox",
        };
        Some(place.to_owned())
    }

    fn sent_at(&self, now: &Zoned) -> Result<Timestamp, String> {
        match (self.day, &self.at, &self.ago) {
            (Some(day), Some(at), None) => {
                Ok(at_clock(plus(now.date(), day)?, at, now.time_zone())?.timestamp())
            }
            (None, None, Some(ago)) => {
                let ago: SignedDuration = ago.parse().map_err(|e: jiff::Error| e.to_string())?;
                now.timestamp().checked_sub(ago).map_err(|error| error.to_string())
            }
            _ => Err("say either day and at, or ago".to_owned()),
        }
    }
}

/// `{weekday design-review}` becomes "Monday", `{date 3}` becomes "November 18".
fn with_days(body: &str, today: Date, calendar: &Placed) -> Result<String, String> {
    let mut text = String::with_capacity(body.len());
    let mut rest = body.trim();
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, behind) = after.split_once('}').ok_or("a { is never closed")?;
        let (form, day) = inside.split_once(' ').ok_or_else(|| format!("what is {{{inside}}}?"))?;
        let date = match day.parse() {
            Ok(days) => plus(today, days)?,
            Err(_) => calendar.day_of(day).ok_or_else(|| format!("no single event is {day}"))?,
        };
        let format = match form {
            "weekday" => "%A",
            "date" => "%B %-d",
            _ => return Err(format!("what is {{{inside}}}?")),
        };
        text.push_str(before);
        text.push_str(&date.strftime(format).to_string());
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}
