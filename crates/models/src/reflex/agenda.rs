//! What is on the calendar.

mod plainly;

use brain::plan::ProposedStep;
use brain::resolve::time::{Grain, Part, Zone, zone_in};
use brain::resolve::words::Word;
use jiff::{ToSpan, Zoned};
use serde_json::json;

pub use self::plainly::said_plainly;
use super::frame::Frame;
use super::vocabulary::{CALENDAR, CONFLICTS, is_any};
use super::who::{self, Who};
use super::{Lookup, Meaning, detail, when};
use crate::World;
use crate::gist::{AboutAgenda, Chat, Detail, Gist, Want};

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
    if is_a_meal(frame) {
        frame.forget_when();
    }
    if let Some(part) = when::unknown_zone(frame) {
        return Some(Meaning::Chat(Chat::Missed(part)));
    }
    // Two days would have to be weighed against each other.
    if frame.texts.contains(&"or") && frame.has(&["more", "fewer", "less"]) {
        return Some(Meaning::Chat(Chat::Missed("comparing the two".to_owned())));
    }
    let zone = told_in(frame);
    let detail = detail::read(frame);
    let named = frame.has(CALENDAR)
        || frame.says(&["double", "booked"])
        || frame.says(&["my", "day"])
        || frame.says(&["coming", "up"])
        || frame.says(&["have", "going", "on"])
        || matches!(detail, Some(Detail::BackToBack | Detail::DayOff | Detail::DayEnds));
    let next = says_next(frame) && detail != Some(Detail::DayOff);
    let asks_when = asks_when(frame);
    let opens = opens(frame);
    let only_time = only_time(frame);
    if !(named || next || asks_when || opens || only_time || detail.is_some()) {
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
    // Nobody names an event so: it is better to say what was not understood.
    if let Some(at) = left.iter().position(|word| is_any(word, NO_TITLE)) {
        return Some(Meaning::Chat(Chat::Missed(format!("“{}”", left[at]))));
    }
    let searches = !(people.is_empty() && left.is_empty());
    // "Where is Ana" is not about a meeting.
    if left.is_empty()
        && frame.when.is_none()
        && !(named || next || frame.has(&["with"]))
        && matches!(detail, Some(Detail::Place | Detail::Length | Detail::People))
    {
        return None;
    }
    let is_fair = named || next || (asks_when && searches);
    let asks_for_one = frame.starts(&["do", "i", "have"]) || frame.starts_with_any(&["is", "are"]);
    let fits = left.is_empty() || asks_for_one || asks_when || detail.is_some();
    // Without a time and without the calendar being named, "do I have a dog"
    // is not for us.
    let grounded = frame.when.is_some() || named || next || asks_when || searches;
    if !(is_fair || (fits && grounded)) || left.len() > 4 {
        return None;
    }
    // "When do I finish" is about the day, "when does the review end" about one thing.
    let detail = match detail {
        Some(Detail::DayEnds) if searches => Some(Detail::End),
        other => other,
    };
    let asked = |people: &[Who]| {
        let asks = Asks { next, when: asks_when, detail, zone: zone.clone() };
        look(frame, people, &left, asks)
    };
    Some(Meaning::Look(if either && people.len() > 1 {
        people.chunks(1).map(asked).collect()
    } else {
        vec![asked(&people)]
    }))
}

/// "Leave for lunch with Tom" names a meeting, not an hour.
fn is_a_meal(frame: &Frame) -> bool {
    let Some(when) = &frame.when else { return false };
    let said: Vec<_> = when.words.iter().map(|&at| frame.texts[at]).collect();
    let after = when.words.last().and_then(|last| frame.texts.get(last + 1));
    said.last() == Some(&"lunch") && said.len() <= 2 && after == Some(&"with")
}

/// What kind of answer the words ask for.
struct Asks {
    next: bool,
    when: bool,
    detail: Option<Detail>,
    zone: Option<Zone>,
}

/// "In London time": the answer is wanted on clocks there. A zone beside a
/// clock time was read with it.
fn told_in(frame: &mut Frame) -> Option<Zone> {
    let (zone, places) = zone_in(frame.words())?;
    let with_clock = frame
        .reading()
        .is_some_and(|reading| matches!(reading.grain, Grain::Moment | Grain::Hours));
    frame.take(places);
    (!with_clock).then_some(zone)
}

fn look(frame: &Frame, people: &[Who], left: &[&str], asks: Asks) -> Lookup {
    let topic = left.join(" ");
    let found: Vec<_> = people.iter().map(|who| name_and_query(who, frame.world)).collect();
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    let mut sought: Vec<_> = found.iter().map(|(_, query)| query.clone()).collect();
    sought.extend((!topic.is_empty()).then(|| topic.clone()));
    let query = (!sought.is_empty()).then(|| sought.join(" "));
    let soon = asks.next || asks.detail == Some(Detail::DayOff);
    let (start, end, said) = range(frame, query.is_some(), soon);
    let mut args = json!({ "date_range": when::as_range(&start, &end) });
    if let Some(query) = &query {
        args["query"] = json!(query);
    }
    if frame.when.is_none() && (query.is_some() || asks.next) && !looks_back(frame) {
        args["max_results"] = json!(if query.is_some() { 3 } else { 1 });
    }
    let want = want(frame, asks.next && query.is_none(), asks.when);
    let about = AboutAgenda {
        when: said,
        who: (!names.is_empty()).then(|| names.join(" and ")),
        topic: (!topic.is_empty()).then_some(topic),
        want,
        detail: asks.detail,
        zone: asks.zone,
    };
    let acknowledgement = match about.when.as_deref().and_then(when::named_for_checking) {
        Some(said) => format!("Checking {said}."),
        None => "Checking your calendar.".to_owned(),
    };
    Lookup {
        steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
        gist: Gist::Agenda(about),
        acknowledgement,
    }
}

/// What to call somebody, and what finds them. A first name that two people
/// share would find both, so then it is the address that is looked for.
fn name_and_query(who: &Who, world: &World) -> (String, String) {
    let called = who.called();
    let first = called.to_lowercase();
    let first_of = |name: &str| name.split(' ').next().map(str::to_lowercase);
    let is_shared = world
        .contacts
        .iter()
        .filter(|contact| first_of(&contact.name).as_deref() == Some(&first))
        .count()
        > 1;
    let contact = who
        .address()
        .filter(|_| is_shared)
        .and_then(|address| world.contacts.iter().find(|contact| contact.address == address));
    match contact {
        Some(contact) => (contact.name.clone(), contact.address.to_lowercase()),
        None => (called, first),
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
    } else if frame.says(&["how", "many", "hours"]) || frame.says(&["how", "much", "time"]) {
        Want::Busy
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
    frame.says(&["did", "i"])
        || frame.says(&["did", "we"])
        || frame.says(&["last", "time"])
        || (frame.has(&["was", "were"]) && !frame.says(&["when", "is"]))
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

/// Words that are asked with, and that no event is called by.
const NO_TITLE: &[&str] = &[
    "news",
    "busier",
    "quieter",
    "visiting",
    "need",
    "needs",
    "have",
    "must",
    "prepare",
    "crazy",
    "lot",
    "home",
    "anywhere",
    "somewhere",
    "miss",
    "missed",
    "eat",
    "sleep",
    "wake",
    "best",
    "better",
    "worst",
    "worth",
    "allowed",
    "bad",
    "hard",
    "easy",
    "early",
    "late",
    "later",
    "sooner",
    "earlier",
    "too",
    "enough",
    "instead",
    "because",
    "since",
    "without",
    "except",
    "average",
    "usually",
    "always",
    "often",
    "longest",
    "shortest",
    "most",
    "least",
    "biggest",
    "busiest",
    "quietest",
    "important",
    "urgent",
    "really",
    "available",
    "tired",
    "happy",
    "sick",
    "change",
    "changed",
    "moved",
    "cancelled",
    "canceled",
    "accepted",
    "declined",
    "confirmed",
    "new",
    "same",
    "different",
    "other",
    "another",
    "not",
    "never",
    "no",
    "why",
    "how",
];

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
    &["what", "comes"],
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
    &["how", "was"],
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
    &["talk", "me", "through"],
    &["list"],
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
            "met",
            "called",
            "named",
            "plan",
            "rundown",
            "overview",
            "talk",
            "list",
            "know",
            "looks",
            "soon",
            "free",
            "open",
            "completely",
            "totally",
            "entirely",
            "whole",
            "visit",
            "fly",
            "flying",
            "leave",
            "leaves",
            "land",
            "lands",
            "depart",
            "departs",
            "arrive",
            "arrives",
            "until",
            "till",
            "til",
            "work",
            "working",
        ],
        detail::WORDS,
    ];
    let mut left = frame.left_over(known);
    left.retain(|word| Part::from_word(word).is_none());
    left.extend(frame.topic.iter().copied());
    left
}

/// "Who is the design review with" asks who is in it.
pub fn with_whom(heard: &str, said: &[Word]) -> Option<String> {
    let begins = |at: usize| {
        at == 0 || said[at - 1].stop.is_some() || is_any(&said[at - 1].text, &["and", "then", "so"])
    };
    (0..said.len().saturating_sub(3)).find_map(|at| {
        let [who, is, the, ..] = &said[at..] else { return None };
        let asks = who.is("who") && is.is("is") && is_any(&the.text, &["the", "my", "our"]);
        if !asks || !begins(at) || who.quoted {
            return None;
        }
        let ends = |place: &usize| said[*place].stop.is_some() || *place + 1 == said.len();
        let last = (at + 3..said.len().min(at + 10)).find(ends)?;
        let (what, end) = (&heard[the.start..said[last - 1].end], said[last].end);
        (said[last].is("with") && last > at + 3)
            .then(|| format!("{}who is in {what}{}", &heard[..who.start], &heard[end..]))
    })
}

/// "What's on", and nothing more: today.
pub fn unfinished(said: &[Word]) -> Option<String> {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let whole = match texts.as_slice() {
        ["what", "is", "on"] | ["plan", "my", "day"] => "what is on today",
        // What is there comes before any plan.
        ["plan", "my", "week"] | ["help", "me", "plan", "my", "week"] => "what is on this week",
        _ => return None,
    };
    Some(whole.to_owned())
}
