//! What is asked of an event: that it goes, or that it is at another time.

use brain::resolve::time::{self, Lean};
use brain::resolve::words::{Word, words};

use super::meant::MEALS;
use crate::World;
use crate::reflex::sentence::behind;
use crate::reflex::vocabulary::{MAIL, is_any};

/// A change that is asked for.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    pub wish: Wish,
    /// The words that name the event.
    pub object: &'a [Word],
    /// The verb is said of nothing but a calendar.
    pub is_sure: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    Cancel,
    /// To when, as one would change a card: "four", "half an hour later"; empty where
    /// nobody said.
    Move(String),
    /// By so much, and nobody said which way.
    EitherWay(String),
}

/// Verbs that take something off a calendar. Of the others it is looked up first whether
/// there is such an event.
const CANCELS: &[(&[&str], bool)] = &[
    (&["cancel"], true),
    (&["call", "off"], true),
    (&["skip"], false),
    (&["delete"], false),
    (&["remove"], false),
    (&["erase"], false),
    (&["drop"], false),
    (&["scrap"], false),
    (&["scratch"], false),
    (&["get", "rid", "of"], false),
];

const MOVES: &[&[&str]] = &[
    &["move"],
    &["reschedule"],
    &["postpone"],
    &["push"],
    &["shift"],
    &["delay"],
    &["put", "off"],
    &["rebook"],
    &["change"],
    &["bring", "forward"],
    &["bring"],
];

/// What none of this is about, whatever the verb.
const NOT_EVENTS: &[&str] = &[
    "reminder",
    "reminders",
    "timer",
    "timers",
    "alarm",
    "alarms",
    "draft",
    "drafts",
    "note",
    "notes",
    "memory",
    "memories",
    "file",
    "files",
    "attachment",
    "attachments",
    "document",
    "contact",
    "contacts",
    "newsletter",
    "pronunciation",
    "digest",
    "summary",
    "job",
    "folder",
    "label",
    "title",
    "subject",
    "name",
    "password",
    "voice",
    "language",
    "nothing",
    "mind",
    "order",
];

/// More than one of them, or the day itself.
const MANY: &[&str] = &[
    "everything",
    "all",
    "anything",
    "every",
    "meetings",
    "events",
    "appointments",
    "calls",
    "both",
    "them",
    "those",
    "these",
    "rest",
    "plans",
    "each",
];

impl Asked<'_> {
    pub fn is_of_many(&self) -> bool {
        self.object.iter().any(|word| is_any(&word.text, MANY) && !word.quoted)
    }
}

/// The change that these words ask for, if they do.
pub fn read<'a>(request: &'a [Word], world: &World) -> Option<Asked<'a>> {
    let request = without_tail(request);
    let asked = cancelled(request, world)
        .or_else(|| taken_off(request, world))
        .or_else(|| cleared(request, world))
        .or_else(|| moved(request, world))
        .or_else(|| done_instead(request, world))?;
    let other =
        |word: &Word| !word.quoted && (is_any(&word.text, NOT_EVENTS) || is_any(&word.text, MAIL));
    (!asked.object.is_empty() && !asked.object.iter().any(other)).then_some(asked)
}

fn cancelled<'a>(request: &'a [Word], world: &World) -> Option<Asked<'a>> {
    // "Call the offsite off"
    if let [call, object @ .., off] = request
        && call.is("call")
        && off.is("off")
        && !object.is_empty()
    {
        return Some(Asked { wish: Wish::Cancel, object, is_sure: true });
    }
    let (rest, is_sure) =
        CANCELS.iter().find_map(|(verb, sure)| Some((behind(request, verb)?, *sure)))?;
    let object = without_calendar(rest);
    // "Delete it from my calendar" leaves no doubt.
    let is_sure = is_sure || object.len() < rest.len();
    // "Remove Tom from the design review" is about who comes, and the review stays.
    let parted = object.iter().position(|word| is_any(&word.text, &["from", "off", "out"]));
    if parted.is_some_and(|at| !is_sure && !is_time(&object[at + 1..], world)) {
        return None;
    }
    Some(Asked { wish: Wish::Cancel, object, is_sure })
}

/// "Take the run off my calendar", "take the run off Saturday".
fn taken_off<'a>(request: &'a [Word], world: &World) -> Option<Asked<'a>> {
    let rest = behind(request, &["take"])?;
    let at = rest.iter().rposition(|word| word.is("off") && !word.quoted)?;
    let (object, tail) = (&rest[..at], &rest[at + 1..]);
    let of_calendar = !tail.is_empty() && without_calendar(&rest[at..]).is_empty();
    let of_a_day = !tail.is_empty() && is_time(tail, world);
    let named = object.first().is_some_and(|first| is_any(&first.text, ARTICLES));
    // "Take Saturday off" is a holiday, and "take me off the review" is about who comes.
    let object = if of_a_day { rest } else { object };
    (named && (of_calendar || of_a_day)).then_some(Asked {
        wish: Wish::Cancel,
        object,
        is_sure: true,
    })
}

/// "Clear my Friday afternoon": whatever is on then.
fn cleared<'a>(request: &'a [Word], world: &World) -> Option<Asked<'a>> {
    let rest = behind(request, &["clear"])?;
    let [my, when @ ..] = rest else { return None };
    let whole = is_any(&my.text, &["my", "the"]) && is_time(when, world);
    // All of it is more than one event.
    let many = rest.iter().any(|word| is_any(&word.text, &["calendar", "schedule", "diary"]));
    (whole || many).then_some(Asked { wish: Wish::Cancel, object: &EVERYTHING, is_sure: true })
}

static EVERYTHING: std::sync::LazyLock<Vec<Word>> =
    std::sync::LazyLock::new(|| words("everything"));

fn moved<'a>(request: &'a [Word], world: &World) -> Option<Asked<'a>> {
    let (lead, rest) = MOVES.iter().find_map(|verb| Some((*verb, behind(request, verb)?)))?;
    let earlier = lead[0] == "bring";
    // The first place from which everything says when, so that "the trip to London to Friday"
    // is a trip to London; "on Thursday to Friday" is when it is, and where it goes.
    let loosely = |at: &usize| is_any(&rest[*at].text, &["on", "for"]);
    let target = |at: usize| Some((at, target(&rest[at..], earlier, world)?));
    let found = (1..rest.len())
        .filter(|at| !loosely(at))
        .find_map(target)
        .or_else(|| (1..rest.len()).filter(loosely).find_map(target));
    let is_sure = !is_any(lead[0], &["change", "bring", "put", "push"]);
    match found {
        Some((at, wish)) => Some(Asked { wish, object: &rest[..at], is_sure: true }),
        // "Reschedule the call with Ana": when, has to be asked.
        None if is_sure => {
            Some(Asked { wish: Wish::Move(String::new()), object: rest, is_sure: true })
        }
        None => None,
    }
}

/// "Do the review on Thursday instead", "make the design review half past three instead".
pub fn done_instead<'a>(request: &'a [Word], world: &World) -> Option<Asked<'a>> {
    const VERBS: &[&[&str]] = &[
        &["could", "we", "do"],
        &["could", "we", "have"],
        &["shall", "we", "do"],
        &["should", "we", "do"],
        &["do"],
        &["have"],
        &["make"],
        &["hold"],
        &["put"],
    ];
    let (rest, instead) = request.split_last().map(|(last, rest)| (rest, last))?;
    let asks = is_any(&instead.text, &["instead", "rather"]) && !instead.quoted;
    let rest = VERBS.iter().find_map(|verb| behind(rest, verb)).filter(|_| asks)?;
    let is_name = |word: &Word| is_any(&word.text, ARTICLES) || is_any(&word.text, MEALS);
    let named = rest.first().is_some_and(|first| is_name(first) || first.quoted);
    let at = (1..rest.len()).find(|at| is_time(&rest[*at..], world)).filter(|_| named)?;
    let wish = Wish::Move(said(&rest[at..]));
    Some(Asked { wish, object: &rest[..at], is_sure: true })
}

const ARTICLES: &[&str] = &["the", "my", "our", "that", "this", "it"];

/// What stands behind the event, where all of it says when it is to be.
fn target(tail: &[Word], earlier: bool, world: &World) -> Option<Wish> {
    const LINKS: &[&str] = &["to", "until", "till", "for", "on", "by"];
    let first = tail.first().filter(|first| !first.quoted)?;
    let way = match first.text.as_str() {
        "back" | "out" => Some(Way::Later),
        "forward" | "ahead" | "up" if earlier => Some(Way::Earlier),
        "forward" | "ahead" | "up" => Some(Way::Either),
        _ => None,
    };
    let rest = if way.is_some() { &tail[1..] } else { tail };
    let linked = rest.first().is_some_and(|word| is_any(&word.text, LINKS));
    let rest = if linked { &rest[1..] } else { rest };
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    if let Some((span, told)) = by(&texts) {
        return match (told, way) {
            (Some(way), _) => Some(Wish::Move(format!("{span} {way}"))),
            (None, Some(Way::Either)) => Some(Wish::EitherWay(span)),
            (None, Some(Way::Earlier)) => Some(Wish::Move(format!("{span} earlier"))),
            (None, Some(Way::Later)) => Some(Wish::Move(format!("{span} later"))),
            // "Delay lunch by half an hour"
            (None, None) if first.is("by") && earlier => {
                Some(Wish::Move(format!("{span} earlier")))
            }
            (None, None) if first.is("by") => Some(Wish::Move(format!("{span} later"))),
            (None, None) => None,
        };
    }
    let says = (linked || way.is_some()) && !rest.is_empty() && is_time(rest, world);
    says.then(|| Wish::Move(said(rest)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Earlier,
    Later,
    Either,
}

/// "Half an hour", "fifteen minutes earlier": a length, and which way.
fn by(texts: &[&str]) -> Option<(String, Option<&'static str>)> {
    let (_, places) = time::length(texts)?;
    let way = match &texts[places.end..] {
        [] => None,
        ["later" | "back"] => Some("later"),
        ["earlier" | "sooner"] => Some("earlier"),
        _ => return None,
    };
    (places.start == 0).then(|| (texts[places].join(" "), way))
}

/// Does all of it say when, and nothing else?
pub fn is_time(said: &[Word], world: &World) -> bool {
    let said = without_same_time(said);
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let (start, end) = match time::length(&texts) {
        Some((_, places)) if places.start > 0 => {
            let introduced = is_any(texts[places.start - 1], &["for"]);
            (places.start - usize::from(introduced), places.end)
        }
        _ => (0, 0),
    };
    let rest: Vec<&str> = [&texts[..start], &texts[end..]].concat();
    let whole = |text: &str| !time::readings(text, &world.local_now(), Lean::Ahead).is_empty();
    let plain = rest.join(" ");
    !rest.is_empty()
        && !said.iter().any(|word| word.quoted)
        && (whole(&plain) || whole(&format!("at {plain}")))
}

fn without_same_time(said: &[Word]) -> &[Word] {
    let tails: [&[&str]; 3] =
        [&["at", "the", "same", "time"], &["the", "same", "time"], &["same", "time"]];
    let ends = |tail: &&&[&str]| {
        let from = said.len().checked_sub(tail.len()).filter(|from| *from > 0);
        from.is_some_and(|from| said[from..].iter().zip(**tail).all(|(word, text)| word.is(text)))
    };
    tails.iter().find(ends).map_or(said, |tail| &said[..said.len() - tail.len()])
}

/// The words one after another, as they are read again.
fn said(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// "Please" and "then" are no part of it.
fn without_tail(request: &[Word]) -> &[Word] {
    match request {
        [rest @ .., last]
            if rest.len() > 1
                && !last.quoted
                && is_any(&last.text, &["please", "then", "now", "thanks", "today's"]) =>
        {
            without_tail(rest)
        }
        _ => request,
    }
}

/// "… from my calendar", "… off my calendar".
fn without_calendar(object: &[Word]) -> &[Word] {
    let [rest @ .., link, my, calendar] = object else { return object };
    let is_it = is_any(&link.text, &["from", "off", "on", "in"])
        && is_any(&my.text, &["my", "the", "our"])
        && is_any(&calendar.text, &["calendar", "schedule", "diary", "agenda"]);
    if is_it { rest } else { object }
}
