//! "Remind me an hour before to print it": so long before what is at hand.
//!
//! That is what the same sentence puts on the calendar, or the one meeting that
//! was just told of. Where it is neither, it is asked before what.

use brain::plan::ProposedStep;
use brain::resolve::time;
use brain::resolve::words::Word;
use jiff::{SignedDuration, ToSpan, Zoned};
use serde_json::{Value, json};

use super::super::vocabulary::is_any;
use super::super::{Lookup, Meaning, when};
use super::remind::missing;
use super::{look, said};
use crate::World;
use crate::focus::Missing;
use crate::gist::{AboutAgenda, Gist, Meanwhile, Want};

const AHEAD: &[&[&str]] = &[
    &["before", "it", "starts"],
    &["before", "it", "begins"],
    &["before", "it"],
    &["before", "that"],
    &["beforehand"],
    &["in", "advance"],
    &["earlier"],
    &["ahead", "of", "it"],
    &["ahead", "of", "time"],
    &["ahead"],
    &["before"],
];

/// `rest` is what follows "remind me"; `booked` is what the sentence books, and when.
pub fn read(
    heard: &str,
    rest: &[Word],
    booked: Option<(&str, &Zoned)>,
    world: &World,
) -> Option<Meaning> {
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    if let Some(read) = the_day_before(heard, rest, &texts, booked, world) {
        return Some(read);
    }
    let (minutes, length) =
        time::length(&texts).filter(|(_, places)| places.start == 0).or_else(|| days(&texts))?;
    let behind = &texts[length.end..];
    let ahead = SignedDuration::from_mins(i64::from(minutes));
    let before = |start: &Zoned| start.checked_sub(ahead).ok();
    if let Some(read) = of_an_event(heard, rest, length.end, false, world, before) {
        return Some(read);
    }
    let used = AHEAD.iter().find(|lead| behind.starts_with(lead))?.len();
    let task = &rest[length.end + used..];
    let task = match task {
        [] => task,
        [link, task @ ..] if is_any(&link.text, &["to", "that", "about"]) => task,
        // "An hour before lunch": a name is another matter.
        _ => return None,
    };
    let long = &heard[rest[0].start..rest[length.end - 1].end];
    let at_hand = at_hand(world);
    let booked = booked.map(|(title, start)| (title.to_owned(), start.clone()));
    let event = booked.or(at_hand);
    let text = match (task, &event) {
        ([], Some((title, _))) => title.clone(),
        ([], None) => return None,
        (task, _) => said(heard, &task.iter().collect::<Vec<_>>()),
    };
    let due = event.and_then(|(_, start)| start.checked_sub(ahead).ok());
    let Some(due) = due.filter(|due| *due > world.local_now()) else {
        return Some(asked(long, &text));
    };
    let args = json!({ "text": text, "due_at": due });
    Some(look(Meanwhile::Remind { assumed: false }, args, "Noted."))
}

/// "20 minutes before the design review to print the plan": what is called so is looked
/// up, and read again once it is found. `at` is where "before" stands.
fn of_an_event(
    heard: &str,
    rest: &[Word],
    at: usize,
    assumed: bool,
    world: &World,
    due: impl Fn(&Zoned) -> Option<Zoned>,
) -> Option<Meaning> {
    let (name, task) = named(rest, at)?;
    let task = said(heard, &task.iter().collect::<Vec<_>>());
    let query: Vec<&str> =
        name.iter().map(|word| word.text.as_str()).filter(|text| !is_any(text, LITTLE)).collect();
    let now = world.local_now();
    let range = when::as_range(&now, &now.saturating_add(FAR_DAYS.days()));
    let args = json!({ "date_range": range, "query": query.join(" "), "max_results": 1 });
    let found = world.focus.list.as_ref().filter(|list| is_same(&list.step.args, &args));
    if found.is_none() {
        let about = AboutAgenda {
            topic: Some(format!("the {}", query.join(" "))),
            want: Want::Moment,
            ..AboutAgenda::default()
        };
        let lookup = Lookup {
            steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
            gist: Gist::Agenda(about),
            acknowledgement: "Checking your calendar.".to_owned(),
        };
        return Some(Meaning::Later { lookups: vec![lookup], missing: "due_at" });
    }
    let meeting = world.focus.meetings.first();
    let title = meeting.map_or_else(|| name_of(heard, name), |meeting| meeting.title.clone());
    let text = if task.is_empty() { title } else { task };
    let due = meeting.and_then(|meeting| due(&meeting.start));
    if let Some(due) = due.filter(|due| *due > now) {
        let args = json!({ "text": text, "due_at": due });
        return Some(look(Meanwhile::Remind { assumed }, args, "Noted."));
    }
    // What is not on the calendar has been said by then.
    let question = match meeting {
        Some(_) => "That is over already. When should I remind you?",
        None => "When should I remind you?",
    };
    Some(missing(question, Missing::Time, format!("remind me to {text}")))
}

/// How far ahead an event is looked for.
const FAR_DAYS: i64 = 60;
const LITTLE: &[&str] = &["the", "my", "our", "with", "a", "an", "next", "'s", "of", "for"];
/// Nobody calls anything by more words.
const LONGEST: usize = 6;

/// What stands behind "before", and what is to be done then.
fn named(rest: &[Word], at: usize) -> Option<(&[Word], &[Word])> {
    let behind = rest.get(at..)?;
    let [before, name @ ..] = behind else { return None };
    let its_own = |word: &Word| is_any(&word.text, &["the", "my", "our", "lunch", "dinner"]);
    if !before.is("before") || !name.first().is_some_and(its_own) {
        return None;
    }
    let to = name.iter().position(|word| is_any(&word.text, &["to", "that"]) && !word.quoted);
    let (name, task) = match to {
        Some(to) => (&name[..to], &name[to + 1..]),
        None => (name, &name[name.len()..]),
    };
    let means = name.iter().any(|word| !is_any(&word.text, LITTLE));
    (means && name.len() <= LONGEST).then_some((name, task))
}

fn name_of(heard: &str, name: &[Word]) -> String {
    said(heard, &name.iter().filter(|word| !is_any(&word.text, LITTLE)).collect::<Vec<_>>())
}

/// The same was looked for; the clock has moved on since.
fn is_same(done: &Value, wanted: &Value) -> bool {
    done["query"] == wanted["query"] && done["max_results"] == wanted["max_results"]
}

/// "A week", "two days", "a day and a half", in minutes.
fn days(texts: &[&str]) -> Option<(u32, std::ops::Range<usize>)> {
    const HALF: [&str; 3] = ["and", "a", "half"];
    let (number, used) = match texts {
        ["a" | "one", ..] => (1, 1),
        _ => time::cardinal(texts)?,
    };
    let before = texts.get(used..)?.starts_with(&HALF);
    let at = used + if before { HALF.len() } else { 0 };
    let days = match *texts.get(at)? {
        "day" | "days" => 1,
        "week" | "weeks" => 7,
        _ => return None,
    };
    let behind = !before && texts[at + 1..].starts_with(&HALF);
    let halves = Some(number).filter(|number| *number <= 52)? * 2 + u32::from(before || behind);
    let end = at + 1 + if behind { HALF.len() } else { 0 };
    Some((halves * days * 12 * 60, 0..end))
}

/// "The evening before", "the day before to pack".
fn the_day_before(
    heard: &str,
    rest: &[Word],
    texts: &[&str],
    booked: Option<(&str, &Zoned)>,
    world: &World,
) -> Option<Meaning> {
    let (part, used) = match texts {
        ["the", part, "before", "it" | "that", ..] => (*part, 4),
        ["the", part, "before", ..] => (*part, 3),
        ["on", "the", part, "before", ..] => (*part, 4),
        _ => return None,
    };
    let hour = match part {
        "day" | "morning" => 9,
        "afternoon" => 14,
        "evening" | "night" => 18,
        _ => return None,
    };
    let task = match &rest[used..] {
        [link, task @ ..] if is_any(&link.text, &["to", "that", "about"]) => task,
        [] => &[],
        // "The day before the launch to pack": when that is, is looked up.
        _ if named(rest, used - 1).is_some() => {
            return of_an_event(heard, rest, used - 1, true, world, |start| eve(start, hour));
        }
        named => {
            let to = named.iter().position(|word| word.is("to") && !word.quoted)?;
            let task = named.get(to + 1..).filter(|task| !task.is_empty())?;
            return Some(asked(
                &format!("the {part}"),
                &said(heard, &task.iter().collect::<Vec<_>>()),
            ));
        }
    };
    let booked = booked.map(|(title, start)| (title.to_owned(), start.clone()));
    let event = booked.or_else(|| at_hand(world));
    let text = match (task, &event) {
        ([], Some((title, _))) => title.clone(),
        (task, _) => said(heard, &task.iter().collect::<Vec<_>>()),
    };
    let due = event.and_then(|(_, start)| eve(&start, hour));
    let long = format!("the {part}");
    Some(match due.filter(|due| *due > world.local_now()) {
        Some(due) => {
            let args = json!({ "text": text, "due_at": due });
            look(Meanwhile::Remind { assumed: true }, args, "Noted.")
        }
        None => asked(&long, &text),
    })
}

/// This hour of the day before.
fn eve(start: &Zoned, hour: i8) -> Option<Zoned> {
    let day = start.date().yesterday().ok()?;
    day.at(hour, 0, 0, 0).to_zoned(start.time_zone().clone()).ok()
}

fn asked(long: &str, text: &str) -> Meaning {
    let question = format!("I can't tell what it is {long} before. When should I remind you?");
    missing(&question, Missing::Time, format!("remind me to {text}"))
}

/// The one meeting that was told of and is still to come.
fn at_hand(world: &World) -> Option<(String, Zoned)> {
    let focus = &world.focus;
    let alone = match focus.meetings.as_ref() {
        [only] => Some(only),
        _ => None,
    };
    let meeting = focus.meeting.as_ref().or(alone)?;
    Some((meeting.title.clone(), meeting.start.clone()))
}

#[cfg(test)]
mod tests {
    use crate::{corpus, reflex};

    #[test]
    fn so_long_before_what_is_booked_with_it() {
        let world = corpus::world();
        let read = |heard: &str| reflex::read(heard, &world);
        let both =
            read("put a review on Wednesday at 4, and remind me an hour before to print the plan");
        let last = both.proposal.steps.last().expect("a reminder");
        assert_eq!(last.args["text"], "print the plan");
        assert!(
            last.args["due_at"].as_str().is_some_and(|due| due.starts_with("2026-11-18T15:00"))
        );
        let alone = read("remind me an hour before to print it");
        assert_eq!(
            alone.question.as_deref(),
            Some("I can't tell what it is an hour before. When should I remind you?")
        );
    }
}
