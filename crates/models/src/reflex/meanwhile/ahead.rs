//! "Remind me an hour before to print it": so long before what is at hand.
//!
//! That is what the same sentence puts on the calendar, or the one meeting that
//! was just told of. Where it is neither, it is asked before what.

use brain::resolve::time;
use brain::resolve::words::Word;
use jiff::{SignedDuration, Zoned};
use serde_json::json;

use super::super::Meaning;
use super::super::vocabulary::is_any;
use super::remind::missing;
use super::{look, said};
use crate::World;
use crate::focus::Missing;
use crate::gist::Meanwhile;

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
    let ahead = SignedDuration::from_mins(i64::from(minutes));
    let due = event.and_then(|(_, start)| start.checked_sub(ahead).ok());
    let Some(due) = due.filter(|due| *due > world.local_now()) else {
        return Some(asked(long, &text));
    };
    let args = json!({ "text": text, "due_at": due });
    Some(look(Meanwhile::Remind { assumed: false }, args, "Noted."))
}

/// "A week", "two days", in minutes.
fn days(texts: &[&str]) -> Option<(u32, std::ops::Range<usize>)> {
    let (number, used) = match texts {
        ["a" | "one", ..] => (1, 1),
        _ => time::cardinal(texts)?,
    };
    let days = match *texts.get(used)? {
        "day" | "days" => 1,
        "week" | "weeks" => 7,
        _ => return None,
    };
    let minutes = Some(number).filter(|number| *number <= 52)? * days * 24 * 60;
    Some((minutes, 0..used + 1))
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
        // "The day before the launch to pack": nobody has looked when that is.
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
    let due = event.and_then(|(_, start)| {
        let day = start.date().yesterday().ok()?;
        day.at(hour, 0, 0, 0).to_zoned(start.time_zone().clone()).ok()
    });
    let long = format!("the {part}");
    Some(match due.filter(|due| *due > world.local_now()) {
        Some(due) => {
            let args = json!({ "text": text, "due_at": due });
            look(Meanwhile::Remind { assumed: true }, args, "Noted.")
        }
        None => asked(&long, &text),
    })
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
