//! What is on the calendar.

use brain::plan::ProposedStep;
use brain::resolve::time::{Grain, Part};
use jiff::{ToSpan, Zoned};
use serde_json::json;

use super::frame::Frame;
use super::vocabulary::{CALENDAR, CONFLICTS, is_any};
use super::who::{self, Who};
use super::{Lookup, Meaning, when};
use crate::gist::{AboutAgenda, Gist, Want};

/// How far "what's next" looks.
const SOON_DAYS: i64 = 14;
/// How far one looks for something by its name.
const FAR_DAYS: i64 = 60;

/// A look at the calendar; `None` when it is not spoken of.
pub fn read(frame: &mut Frame) -> Option<Meaning> {
    if looks_back(frame) {
        frame.look_back();
    }
    // What would be, if something were, stands on no calendar.
    if frame.has(&["if"]) {
        return None;
    }
    let named = frame.has(CALENDAR)
        || frame.says(&["double", "booked"])
        || frame.says(&["my", "day"])
        || frame.says(&["coming", "up"])
        || frame.says(&["have", "going", "on"]);
    let next = says_next(frame);
    let asks_when = asks_when(frame);
    let opens = opens(frame);
    let only_time = only_time(frame);
    if !(named || next || asks_when || opens || only_time) {
        return None;
    }
    let either = frame.has(&["or"]);
    let people = who::everyone(frame);
    if let Some(question) = people.iter().find_map(Who::question) {
        return Some(Meaning::Ask(question));
    }
    if let Some(question) = when::question(frame) {
        return Some(Meaning::Ask(question));
    }
    let left = left_over(frame);
    let is_fair = named || next || (asks_when && !(people.is_empty() && left.is_empty()));
    let asks_for_one = frame.starts(&["do", "i", "have"]) || frame.starts_with_any(&["is", "are"]);
    let fits = left.is_empty() || asks_for_one || asks_when;
    // Without a time and without the calendar being named, "do I have a dog"
    // is not for us.
    let grounded = frame.when.is_some() || named || next || asks_when || !people.is_empty();
    if !(is_fair || (fits && grounded)) || left.len() > 4 {
        return None;
    }
    let asked = |people: &[Who]| look(frame, people, &left, next, asks_when);
    Some(Meaning::Look(if either && people.len() > 1 {
        people.chunks(1).map(asked).collect()
    } else {
        vec![asked(&people)]
    }))
}

fn look(frame: &Frame, people: &[Who], left: &[&str], next: bool, asks_when: bool) -> Lookup {
    let topic = left.join(" ");
    let names: Vec<_> = people.iter().map(Who::called).collect();
    let mut sought: Vec<_> = names.iter().map(|name| name.to_lowercase()).collect();
    sought.extend((!topic.is_empty()).then(|| topic.clone()));
    let query = (!sought.is_empty()).then(|| sought.join(" "));
    let (start, end, said) = range(frame, query.is_some(), next);
    let mut args = json!({ "date_range": when::as_range(&start, &end) });
    if let Some(query) = &query {
        args["query"] = json!(query);
    }
    if frame.when.is_none() && (query.is_some() || next) && !looks_back(frame) {
        args["max_results"] = json!(if query.is_some() { 3 } else { 1 });
    }
    let want = want(frame, next && query.is_none(), asks_when);
    let about = AboutAgenda {
        when: said,
        who: (!names.is_empty()).then(|| names.join(" and ")),
        topic: (!topic.is_empty()).then_some(topic),
        want,
    };
    let acknowledgement = match &about.when {
        Some(said) => format!("Checking {}.", when::named(said)),
        None => "Checking your calendar.".to_owned(),
    };
    Lookup {
        steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
        gist: Gist::Agenda(about),
        acknowledgement,
    }
}

fn range(frame: &Frame, searches: bool, next: bool) -> (Zoned, Zoned, Option<String>) {
    let now = &frame.now;
    if let Some(reading) = frame.reading() {
        let mut range = reading.range.clone();
        let mut said = reading.said.clone();
        let today = range.start < *now && *now < range.end;
        if today && reading.grain == Grain::Day && says_what_is_left(frame) {
            range.start = now.clone();
            "for the rest of the day".clone_into(&mut said);
        }
        return (range.start, range.end, Some(said));
    }
    if searches && looks_back(frame) {
        return (now.saturating_sub(FAR_DAYS.days()), now.clone(), None);
    }
    if searches || next {
        let days = if searches { FAR_DAYS } else { SOON_DAYS };
        return (now.clone(), now.saturating_add(days.days()), None);
    }
    let today = now.start_of_day().unwrap_or(now.clone());
    let tomorrow = today.saturating_add(1.day());
    (today, tomorrow, Some("today".to_owned()))
}

fn want(frame: &Frame, next: bool, asks_when: bool) -> Want {
    if frame.has(CONFLICTS) || frame.says(&["double", "booked"]) {
        Want::Conflicts
    } else if frame.says(&["how", "many"]) {
        Want::Count
    } else if frame.has(&["busy", "packed", "full"]) {
        Want::Busy
    } else if next {
        Want::One
    } else if asks_when {
        Want::Moment
    } else if frame.asks_whether() {
        Want::Whether
    } else {
        Want::List
    }
}

fn looks_back(frame: &Frame) -> bool {
    frame.says(&["did", "i"]) || frame.has(&["was", "were"])
}

fn says_what_is_left(frame: &Frame) -> bool {
    frame.has(&["left", "else", "remaining", "still"])
}

/// "What's next", "my next meeting", "who am I meeting next".
fn says_next(frame: &Frame) -> bool {
    let Some(at) = frame.place_of(&["next"]) else { return false };
    match frame.texts.get(at + 1) {
        None => frame.texts.len() <= 6,
        Some(noun) => is_any(
            noun,
            &["meeting", "appointment", "event", "call", "thing", "up", "on", "meetings", "one"],
        ),
    }
}

/// "When is", "what time is", "when am I".
fn asks_when(frame: &Frame) -> bool {
    frame.starts(&["when"]) || frame.starts(&["what", "time"])
}

const OPENINGS: &[&[&str]] = &[
    &["what", "is", "on"],
    &["what", "is", "happening"],
    &["what", "is", "going", "on"],
    &["what", "is", "coming", "up"],
    &["what", "is", "left"],
    &["what", "is", "at"],
    &["what", "is", "planned"],
    &["what", "was"],
    &["what", "do", "i", "have"],
    &["what", "have", "i", "got"],
    &["what", "i", "have"],
    &["what", "did", "i"],
    &["what", "am", "i"],
    &["what", "are", "we"],
    &["what", "does"],
    &["what", "about"],
    &["what", "will", "i"],
    &["what", "else"],
    &["how", "about"],
    &["how", "is"],
    &["how", "does"],
    &["do", "i", "have"],
    &["have", "i", "got"],
    &["have", "we", "got"],
    &["what", "have", "we"],
    &["got"],
    &["am", "i", "doing"],
    &["am", "i", "meeting"],
    &["is", "there"],
    &["is"],
    &["are", "there"],
    &["anything"],
    &["any"],
    &["where", "am", "i"],
    &["where", "do", "i"],
    &["who", "am", "i"],
    &["show"],
    &["run", "me", "through"],
    &["walk", "me", "through"],
    &["take", "me", "through"],
    &["give", "me"],
    &["what", "is"],
];

fn opens(frame: &Frame) -> bool {
    OPENINGS.iter().any(|opening| frame.starts(opening))
        && (frame.when.is_some() || frame.has(CALENDAR) || frame.says(&["with"]))
}

/// "Tomorrow?" and nothing else.
fn only_time(frame: &Frame) -> bool {
    frame.when.is_some() && (0..frame.texts.len()).all(|at| frame.is_taken(at))
}

/// The name of what is looked for: "design review", "dentist".
fn left_over<'a>(frame: &Frame<'a>) -> Vec<&'a str> {
    let known: &[&[&str]] = &[
        CALENDAR,
        &[
            "double",
            "meeting",
            "walk",
            "take",
            "okay",
            "fine",
            "scheduled",
            "week",
            "weekend",
            "month",
            "go",
            "attending",
            "attend",
            "starts",
            "start",
            "finish",
            "end",
            "begin",
            "earliest",
            "appointment",
            "place",
        ],
    ];
    let mut left = frame.left_over(known);
    left.retain(|word| Part::from_word(word).is_none());
    left.extend(frame.topic.iter().copied());
    left
}
