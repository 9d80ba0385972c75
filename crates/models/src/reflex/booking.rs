//! Something new for the calendar: what, when, how long, where and with whom.

mod asked;
mod beside;
pub mod cannot;
mod gathered;
mod guests;
mod room;
mod times;
mod title;
mod unspoken;

use std::ops::Range;

use brain::plan::ProposedStep;
use brain::resolve::time::{self, Grain, Impossible, Lean, Reading};
use brain::resolve::words::Word;
use jiff::{ToSpan, Zoned};
use serde_json::{Map, Value, json};

use self::asked::{adds_people, books_people, changes, from_to, spoken_fully};
pub use self::asked::{restated, time_first};
pub use self::gathered::gathered;
use self::times::is_overnight;
pub use self::unspoken::{is_of_the_day, offered, unspoken};
use super::changing;
use super::condition::{self, Hangs};
use super::refer::Company;
use super::vocabulary::is_any;
use super::whom::Whom;
use super::{Lookup, Meaning, phrasing};
use crate::World;
use crate::focus::{Choice, Unclear};
use crate::gist::{Chat, Gist};
use crate::narrator::card;

const VERBS: &[&[&str]] = &[
    &["put", "me", "down", "for"],
    &["put", "down"],
    &["put"],
    &["add"],
    &["create"],
    &["make"],
    &["schedule"],
    &["book"],
    &["set", "something", "up"],
    &["set", "up", "something"],
    &["set", "up"],
    &["put", "something"],
    &["push", "something"],
    &["block", "off"],
    &["block", "out"],
    &["block"],
    &["reserve"],
    &["hold"],
    &["plan"],
    &["pencil", "in"],
    &["pencil"],
    &["arrange"],
    &["organize"],
    &["organise"],
    &["enter"],
    &["invite"],
    &["meet", "with"],
    &["meet"],
];

/// Verbs behind which the guests stand at once: "invite Tom to lunch".
const OF_PEOPLE: &[&str] = &["invite", "meet"];

/// The most minutes a tool takes as a number.
const LONGEST: u32 = 480;

/// Things that others have to book.
const ELSEWHERE: &[&str] = &[
    "table",
    "flight",
    "flights",
    "hotel",
    "restaurant",
    "taxi",
    "ride",
    "ticket",
    "tickets",
    "train",
    "cab",
    "uber",
    "tables",
    "reminder",
    "timer",
    "alarm",
    "draft",
    "filter",
    "folder",
    "label",
    "reservation",
];

/// Can this be put on the calendar by us?
pub fn begins(request: &[Word], heard: &str, world: &World) -> bool {
    let Some(verb) = verb(request) else { return false };
    if changing::moves(request, world) {
        return false;
    }
    if adds_people(request, heard, world).is_some() || from_to(request).is_some() {
        return true;
    }
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let calendar = texts.iter().any(|text| is_any(text, CALENDARS));
    let timed = time::find(request, &world.local_now(), Lean::Ahead).is_some()
        || time::length(&texts).is_some()
        || cannot_be(request, world).is_some();
    let with = texts
        .iter()
        .any(|text| matches!(*text, "with" | "meeting" | "call" | "appointment" | "event"));
    let named = is_any(texts[0], OF_PEOPLE);
    !changes(&texts)
        && (calendar && is_any(texts[0], &["put", "add"])
            || !texts[verb..].iter().any(|text| is_any(text, ELSEWHERE)))
        && (calendar || timed || with || named)
}

/// "Book a table for two on Friday at 8": we can't, but it can stand on the calendar.
pub fn elsewhere(heard: &str, request: &[Word], world: &World) -> Option<Meaning> {
    const BOOKS: &[&str] = &["book", "reserve", "order", "get", "hail"];
    const KINDS: &[(&[&str], &str)] = &[
        (&["table", "tables", "restaurant", "reservation"], "book tables"),
        (&["flight", "flights", "hotel", "ticket", "tickets", "train"], "book travel"),
        (&["taxi", "ride", "cab", "uber"], "book a ride"),
    ];
    let books = request.first().filter(|verb| is_any(&verb.text, BOOKS) && !verb.quoted)?;
    let near = |word: &&Word| !word.quoted;
    let (_, cannot) = KINDS.iter().find(|(things, _)| {
        request.iter().skip(1).take(4).filter(near).any(|word| is_any(&word.text, things))
    })?;
    let [_, first, ..] = request else { return None };
    // "For two" is how many, and no hour.
    let party = |at: usize| {
        let many = |text: &str| time::cardinal(&[text]).is_some();
        at > 0 && request[at - 1].is("for") && many(&request[at].text)
    };
    let timed: Vec<Word> =
        (0..request.len()).filter(|&at| !party(at)).map(|at| request[at].clone()).collect();
    let when = time::find(&timed, &world.local_now(), Lean::Ahead)
        .and_then(|when| when.readings.into_iter().next())
        .filter(|reading| matches!(reading.grain, Grain::Moment | Grain::Hours));
    let alone = books.start == heard.find(|c: char| !c.is_whitespace()).unwrap_or(0)
        && request.last().is_some_and(|last| heard[last.end..].trim().len() < 2);
    Some(match when.filter(|_| alone) {
        Some(reading) => {
            let question =
                format!("I can't {cannot}. Shall it be on your calendar {}?", reading.said);
            let said = &heard[first.start..];
            let choice = Choice::new(
                Unclear::Event,
                format!("On my calendar {}", reading.said),
                format!("add to my calendar {said}"),
            );
            Meaning::Choose { question, choices: vec![choice], awaited: None }
        }
        None => Meaning::Chat(Chat::OutOfReach(cannot)),
    })
}

const CALENDARS: &[&str] = &["calendar", "schedule", "diary", "agenda"];

/// How many words the verb takes.
pub fn verb(request: &[Word]) -> Option<usize> {
    let says = |lead: &&&[&str]| {
        lead.len() < request.len()
            && lead.iter().zip(request).all(|(text, word)| word.is(text) && !word.quoted)
    };
    VERBS.iter().find(says).map(|lead| lead.len())
}

/// The words of the request, each given to what it says.
struct Draft<'a> {
    heard: &'a str,
    words: &'a [Word],
    world: &'a World,
    taken: Vec<bool>,
    people: Vec<(Whom, Range<usize>)>,
    /// "Her", "them": where they stand.
    pronouns: Vec<usize>,
    /// People who are to come too and whom nobody could reach.
    strangers: Vec<(Whom, Range<usize>)>,
    /// The words that say when.
    times: Vec<usize>,
    /// "That evening", where nobody said which.
    undated: Option<usize>,
    place: Option<String>,
    minutes: Option<u32>,
    /// "Call it budget review"
    name: Option<String>,
}

/// The event, or what has to be asked for it. `written` is the mail in the
/// same sentence, whose day "at three" may be about.
pub fn read(
    heard: &str,
    request: &[Word],
    written: &[Word],
    company: &mut Company<'_>,
    world: &World,
) -> Option<Meaning> {
    let adds = adds_people(request, heard, world);
    let request = adds.as_deref().unwrap_or(request);
    let (request, hangs) = condition::tail(request);
    match hangs {
        Some(Hangs::Otherwise) => Some(Meaning::Chat(Chat::Hangs)),
        Some(Hangs::OnRoom) => {
            Some(room::first(added(heard, request, written, company, world)?, world))
        }
        None => added(heard, request, written, company, world),
    }
}

fn added(
    heard: &str,
    request: &[Word],
    written: &[Word],
    company: &mut Company<'_>,
    world: &World,
) -> Option<Meaning> {
    let books = books_people(request, heard, world).or_else(|| spoken_fully(request));
    let request = without_tail(books.as_deref().unwrap_or(request));
    let verb = verb(request)?;
    if let Some(what) = cannot_be(request, world) {
        let awaited = cannot::awaits_better(heard, request, world);
        return Some(Meaning::Cannot { what, awaited });
    }
    let mut draft = Draft {
        heard,
        words: request,
        world,
        taken: vec![false; request.len()],
        people: Vec::new(),
        pronouns: Vec::new(),
        strangers: Vec::new(),
        times: Vec::new(),
        undated: None,
        place: None,
        minutes: None,
        name: None,
    };
    if !is_any(&request[0].text, OF_PEOPLE) {
        draft.take(0..verb);
    }
    let readings = draft.when(written, company.before);
    if let Some(open) = draft.wants_day().or_else(|| draft.wants_my_time()) {
        return Some(open);
    }
    let readings = draft.in_the_evening(readings, written);
    draft.length();
    if let Some(left) = draft.other_days().or_else(|| draft.other_times()) {
        return Some(Meaning::Chat(Chat::Missed(left)));
    }
    draft.calendar();
    draft.left_out();
    draft.guests();
    if let Err(open) = draft.refer(company) {
        return Some(*open);
    }
    draft.named();
    draft.place();
    if let Some(open) = draft.wants_guest() {
        return Some(open);
    }
    if let Some(open) = draft.which_guest() {
        return Some(open);
    }
    if let Some(want) = draft.wants_address() {
        return Some(want);
    }
    if let Some(later) = draft.look_beside(&readings) {
        return Some(later);
    }
    let blocks = matches!(request[0].text.as_str(), "block" | "reserve" | "hold");
    let Some(title) = draft.title(blocks, written) else {
        return Some(draft.wants_title(verb));
    };
    if let Some(question) = draft.which_hour().or_else(|| draft.which_day(&readings)) {
        return Some(Meaning::Ask(question));
    }
    if let Some(gone) = gone(&readings, world) {
        let awaited = cannot::instead_of(draft.awaits_time());
        return Some(Meaning::Cannot { what: gone, awaited });
    }
    let away = draft.people.is_empty() && draft.minutes.is_none() && unspoken::is_away(&title);
    let all_day = draft.minutes == Some(time::WHOLE_DAY) || away;
    let range = match readings.first() {
        // The mail that is to be looked through may tell.
        None if draft.is_fixed() && company.mail_to_come => {
            return Some(Meaning::Later { lookups: Vec::new(), missing: "start" });
        }
        None if draft.is_fixed() => return Some(draft.wants_its_time()),
        None => return Some(draft.offer(None)),
        Some(reading) => match reading.grain {
            Grain::Moment => (reading.range.start.clone(), None),
            // "After three" is no time yet.
            Grain::Hours if reading.is_open_ended() => return Some(draft.offer(Some(reading))),
            // "From three to two": nobody meets all night.
            Grain::Hours if is_overnight(reading) => return Some(draft.wants_hours(reading)),
            // "Between one and three" is when there is room, not how long it takes.
            Grain::Hours if !blocks && draft.says_between() => {
                return Some(draft.offer(Some(reading)));
            }
            Grain::Hours => (reading.range.start.clone(), Some(reading.range.end.clone())),
            Grain::Span if away => (reading.range.start.clone(), Some(reading.range.end.clone())),
            Grain::Day if all_day => (reading.range.start.clone(), Some(reading.range.end.clone())),
            // "Block two hours Thursday morning" is not the whole morning.
            Grain::Part if blocks && draft.minutes.is_none() => {
                (draft.opening(reading), Some(reading.range.end.clone()))
            }
            _ => return Some(draft.offer(Some(reading))),
        },
    };
    Some(draft.booked(title, range))
}

/// "And book it too", "on Friday instead": no part of what it is called.
fn without_tail(request: &[Word]) -> &[Word] {
    match request {
        [rest @ .., last] if rest.len() > 1 && !last.quoted && is_any(&last.text, TAILS) => {
            without_tail(rest)
        }
        [rest @ .., one, two] if rest.len() > 1 && one.is("as") && two.is("well") => rest,
        _ => request,
    }
}

const TAILS: &[&str] = &["too", "also", "instead", "please"];

/// A day there is none of, or more than one day.
fn cannot_be(request: &[Word], world: &World) -> Option<Impossible> {
    let repeats = || {
        let said = time::recurring(request, true)?;
        Some(Impossible::Repeats { said })
    };
    time::impossible(request, &world.local_now()).or_else(repeats).or_else(|| every_day(request))
}

/// "Every day next week" names a week, and is more than one event all the same.
fn every_day(request: &[Word]) -> Option<Impossible> {
    let is_each = |pair: &&[Word]| {
        let each = pair[0].is("every") || pair[0].is("each");
        each && pair[1].is("day") && !pair[0].quoted
    };
    let pair = request.windows(2).find(is_each)?;
    Some(Impossible::Repeats { said: format!("{} day", pair[0].text) })
}

/// Nobody meets yesterday.
fn gone(readings: &[Reading], world: &World) -> Option<Impossible> {
    let reading = readings.first().filter(|reading| reading.range.end <= world.local_now())?;
    let said = reading.said.trim_start_matches("on ");
    Some(Impossible::Time { because: format!("{said} has passed") })
}

impl Draft<'_> {
    /// Everything was said: the step that books it.
    fn booked(&self, title: String, (start, end): (Zoned, Option<Zoned>)) -> Meaning {
        let now = self.world.local_now();
        let when = match &end {
            Some(end) if card::is_whole_days(&start, end) => card::days(&start, end, &now),
            _ => card::moment(&start, &now),
        };
        let when = when.trim_start_matches("on ").to_owned();
        let mut args = Map::new();
        args.insert("title".to_owned(), json!(title));
        args.insert("start".to_owned(), json!(start));
        // Longer than tools take by the minute.
        let long = self.minutes.filter(|minutes| *minutes > LONGEST);
        let long_end =
            long.and_then(|minutes| start.checked_add(i64::from(minutes).minutes()).ok());
        if let Some(end) = end.or(long_end) {
            args.insert("end".to_owned(), json!(end));
        } else if let Some(minutes) = self.minutes {
            args.insert("duration_minutes".to_owned(), json!(minutes));
        }
        let guests: Vec<&str> = self.people.iter().filter_map(|(whom, _)| whom.address()).collect();
        if !guests.is_empty() {
            args.insert("attendees".to_owned(), json!(guests));
        }
        if let Some(place) = &self.place {
            args.insert("location".to_owned(), json!(place));
        }
        Meaning::Look(vec![Lookup {
            steps: vec![ProposedStep {
                tool: "calendar.create_event".into(),
                args: Value::Object(args),
            }],
            gist: Gist::Booking { what: title },
            acknowledgement: format!("On it, {when}."),
        }])
    }

    fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.text)
    }

    fn take(&mut self, places: Range<usize>) {
        places.for_each(|at| self.taken[at] = true);
    }

    fn is_free(&self, at: usize) -> bool {
        at < self.words.len() && !self.taken[at]
    }

    fn length(&mut self) {
        let texts: Vec<&str> = self.words.iter().map(|word| word.text.as_str()).collect();
        let Some((minutes, places)) = time::length(&texts) else { return };
        if places.clone().any(|at| self.taken[at]) {
            return;
        }
        self.minutes = Some(minutes);
        let start =
            places.start - usize::from(places.start > 0 && texts[places.start - 1] == "for");
        self.take(start..places.end);
    }

    /// "On my calendar"
    fn calendar(&mut self) {
        let Some(at) = (0..self.words.len()).find(|&at| is_any(self.text(at), CALENDARS)) else {
            return;
        };
        // "Schedule" was the verb.
        if self.taken[at] {
            return;
        }
        let mut start = at;
        while start > 0
            && self.is_free(start - 1)
            && is_any(self.text(start - 1), &["on", "in", "to", "into", "my", "the", "our"])
        {
            start -= 1;
        }
        self.take(start..at + 1);
    }

    /// "At Blue Bottle", "in room 4", "location room 4": behind everything that
    /// is a time.
    fn place(&mut self) {
        let ends = |draft: &Self, place: usize| {
            let more = &["with", "for", "and", "about", "to", "make"];
            !draft.is_free(place) || is_any(draft.text(place), more)
        };
        let at = (0..self.words.len()).find(|&at| {
            let leads = is_any(self.text(at), &["at", "in"])
                || self.text(at) == "location" && at > 1 && self.text(at + 1) != "is";
            // "Book me in with her": nothing stands behind it.
            let number = self.text(at + 1).chars().all(|c| c.is_ascii_digit() || c == ':');
            self.is_free(at) && leads && !number && !self.is_guest(at + 1) && !ends(self, at + 1)
        });
        let Some(at) = at else { return };
        let end =
            (at + 1..self.words.len()).find(|&place| ends(self, place)).unwrap_or(self.words.len());
        let place =
            phrasing::capital(&self.heard[self.words[at + 1].start..self.words[end - 1].end]);
        self.place = Some(place);
        self.take(at..end);
    }
}
