//! Changes to an event: when, how long, what, where, and with whom.

mod week;

use brain::card::{EventPreview, Recipient};
use brain::resolve::time::{self, Grain, Lean, Reading};
use brain::resolve::words::{Word, words};
use jiff::civil::Time;
use jiff::{SignedDuration, Zoned};
use serde_json::{Map, Value, json};

use self::week::{dated, in_week, week_of};
use super::change::{Change, PUTS_ON, TAKES_OFF, Wish};
use super::place;
use crate::World;
use crate::narrator::card::{hour, short_name};
use crate::narrator::spelling::{capital, count, full_clock, hours, length};
use crate::reflex::follow::names_no_day;
use crate::reflex::phrasing;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::Whom;

pub fn read(wish: &Wish<'_>, event: &EventPreview, payload: &Map<String, Value>) -> Option<Change> {
    if event.cancels() {
        // Something else is to become of it: that is another card.
        let other = elsewhere(wish.heard, &event.start, &event.end, wish.world)?;
        let say = "This only cancels it. Say no, and then when it should be.";
        return matches!(other, Change::To(..)).then(|| Change::cannot(say));
    }
    if event.change.is_some() {
        let when = picked(wish, event, payload)
            .or_else(|| sometime(wish, event))
            .or_else(|| time(wish, event, payload));
        let other = || title(wish).or_else(|| people(wish, event)).or_else(|| place::read(wish));
        return when.or_else(|| other().map(|_| Change::cannot("I can only change when it is.")));
    }
    title(wish)
        .or_else(|| place::none(wish))
        .or_else(|| people(wish, event))
        .or_else(|| picked(wish, event, payload))
        .or_else(|| sometime(wish, event))
        .or_else(|| time(wish, event, payload))
        .or_else(|| place::read(wish))
}

/// Where something that is on the calendar comes to, when it is asked for like a change of a
/// card: "make it four", "push it back half an hour".
pub fn elsewhere(said: &str, start: &Zoned, end: &Zoned, world: &World) -> Option<Change> {
    let event = EventPreview {
        title: String::new(),
        start: start.clone(),
        end: end.clone(),
        minutes: 0,
        length_assumed: false,
        attendees: Vec::new(),
        invites_guests: false,
        location: None,
        conflicts: Vec::new(),
        free_instead: Vec::new(),
        change: None,
    };
    let mut payload = Map::new();
    payload.insert("end".to_owned(), json!(end));
    let words = words(said);
    let wish = Wish::of(said, &words, world)?;
    sometime(&wish, &event).or_else(|| time(&wish, &event, &payload))
}

const TITLES: &[&[&str]] = &[
    &["call", "it"],
    &["name", "it"],
    &["title", "it"],
    &["rename", "it", "to"],
    &["rename", "it"],
    &["change", "the", "title", "to"],
    &["change", "the", "name", "to"],
    &["set", "the", "title", "to"],
    &["make", "the", "title"],
    &["the", "title", "should", "be"],
    &["it", "should", "be", "called"],
    &["the", "title", "is"],
    &["title", "is"],
    &["title"],
];

fn title(wish: &Wish<'_>) -> Option<Change> {
    let words = match wish.behind_any(TITLES)? {
        // "The title is just Piano lesson"
        [just, rest @ ..]
            if is_any(&just.text, &["just", "simply", "only"]) && !rest.is_empty() =>
        {
            rest
        }
        words => words,
    };
    let title = phrasing::capital(&wish.raw(words));
    let said = format!("Called “{title}”.");
    Some(Change::one("title", title, said))
}

const ADDS: &[&[&str]] = &[
    &["add"],
    &["invite"],
    &["also", "invite"],
    &["include"],
    &["bring"],
    &["with"],
    &["also", "add"],
    &["also"],
];
const DROPS: &[&[&str]] = &[
    &["without"],
    &["remove"],
    &["uninvite"],
    &["leave", "out"],
    &["not", "with"],
    &["drop"],
    &["take", "off"],
];

/// The card without these people.
pub(super) fn without(gone: &[Whom], event: &EventPreview, world: &World) -> Change {
    let now = event.attendees.iter().map(|one| one.address.as_str());
    let is_gone = |address: &&str| gone.iter().any(|whom| is(whom, address));
    let left: Vec<&str> = now.filter(|address| !is_gone(address)).collect();
    let names = told(gone, world);
    if left.len() == event.attendees.len() {
        return Change::cannot(format!("{names} isn't invited."));
    }
    let change = Change::one("attendees", json!(left), format!("Without {names}."));
    let stays = |one: &&Recipient| left.contains(&one.address.as_str());
    renamed(change, event, &names_of(event.attendees.iter().filter(stays)))
}

/// The name of an event lists its guests: "Lunch with Tom and Omar". It then lists those
/// who are left.
fn renamed(change: Change, event: &EventPreview, left: &str) -> Change {
    let Change::To(mut fields, said) = change else { return change };
    let all = names_of(event.attendees.iter());
    let listed = if left.is_empty() { format!(" with {all}") } else { all };
    if let Some(front) = event.title.strip_suffix(&listed).filter(|front| !front.is_empty()) {
        fields.insert("title".to_owned(), json!(format!("{front}{left}")));
    }
    Change::To(fields, said)
}

fn names_of<'a>(guests: impl Iterator<Item = &'a Recipient>) -> String {
    let names: Vec<String> = guests.map(|one| short_name(one).to_owned()).collect();
    crate::narrator::spelling::list(&names, 0)
}

/// One of the guests gives way to others, also in the name of it.
pub(super) fn in_place_of(
    wrong: &Whom,
    right: &[Whom],
    event: &EventPreview,
    world: &World,
) -> Option<Change> {
    let kept = event.attendees.iter().map(|one| one.address.as_str()).filter(|one| !is(wrong, one));
    let all: Vec<&str> = kept.chain(right.iter().filter_map(Whom::address)).collect();
    let said = format!("{} instead of {}.", told(right, world), wrong.told(world));
    let Change::To(mut fields, said) = Change::one("attendees", json!(all), said) else {
        return None;
    };
    let named = |word: &str| if word == wrong.short() { listed(right) } else { word.to_owned() };
    let title = event.title.split(' ').map(named).collect::<Vec<_>>().join(" ");
    if title != event.title {
        fields.insert("title".to_owned(), json!(title));
    }
    Some(Change::To(fields, said))
}

fn people(wish: &Wish<'_>, event: &EventPreview) -> Option<Change> {
    let now: Vec<&str> = event.attendees.iter().map(|one| one.address.as_str()).collect();
    if let Some(named) = wish.between(TAKES_OFF).or_else(|| wish.behind_any(DROPS)) {
        let gone = match wish.people(named)? {
            Ok(gone) => gone,
            Err(change) => return Some(change),
        };
        return Some(without(&gone, event, wish.world));
    }
    let adds = wish.between(PUTS_ON).or_else(|| wish.behind_any(ADDS));
    let more = match wish.people(adds?)? {
        Ok(more) => more,
        Err(change) => return Some(change),
    };
    let new: Vec<&Whom> =
        more.iter().filter(|whom| !now.iter().any(|address| is(whom, address))).collect();
    if new.is_empty() {
        return Some(Change::cannot(format!("{} is invited already.", told(&more, wish.world))));
    }
    let all: Vec<&str> =
        now.iter().copied().chain(new.iter().filter_map(|whom| whom.address())).collect();
    let said = format!("With {} too.", told(&more, wish.world));
    Some(Change::one("attendees", json!(all), said))
}

pub fn is(whom: &Whom, address: &str) -> bool {
    whom.address().is_some_and(|mine| mine.eq_ignore_ascii_case(address))
}

/// As they are called in what is said of a change: whole names where others are called alike.
pub fn told(people: &[Whom], world: &World) -> String {
    let names: Vec<String> = people.iter().map(|whom| whom.told(world)).collect();
    crate::narrator::spelling::list(&names, 0)
}

fn listed(people: &[Whom]) -> String {
    let names: Vec<String> = people.iter().map(Whom::short).collect();
    crate::narrator::spelling::list(&names, 0)
}

const LEADS: &[&[&str]] = &[
    &["make", "it"],
    &["make", "that"],
    &["move", "it", "to"],
    &["move", "that", "to"],
    &["move", "it"],
    &["change", "it", "to"],
    &["change", "that", "to"],
    &["change", "the", "time", "to"],
    &["change", "the", "day", "to"],
    &["change", "the", "date", "to"],
    &["change", "the", "length", "to"],
    &["change", "the", "duration", "to"],
    &["reschedule", "it", "to"],
    &["reschedule", "it", "for"],
    &["set", "it", "to"],
    &["set", "it", "for"],
    &["how", "about"],
    &["what", "about"],
    &["do", "it"],
    &["do"],
    &["try"],
    &["take"],
    &["lets", "do"],
    &["lets", "try"],
    &["make", "it", "for"],
    &["lets", "make", "it"],
    &["lets", "say"],
    &["say"],
    &["push", "it", "to"],
    &["push", "it", "back"],
    &["push", "it"],
    &["start", "at"],
    &["start", "it", "at"],
    &["it", "should", "be"],
    &["book", "it", "for"],
    &["book", "it"],
    &["schedule", "it", "for"],
    &["schedule", "it"],
    &["put", "it"],
    &["shorten", "it", "to"],
    &["extend", "it", "to"],
    &["only"],
];

/// Only when it is, or how long.
pub(super) fn retimed(
    wish: &Wish<'_>,
    event: &EventPreview,
    payload: &Map<String, Value>,
) -> Option<Change> {
    wish.words.first()?;
    time(wish, event, payload)
}

fn time(wish: &Wish<'_>, event: &EventPreview, payload: &Map<String, Value>) -> Option<Change> {
    let back = wish.behind(&["push", "it", "back"]).is_some();
    // "In a minute" is no time for a meeting.
    if wish.words[0].is("in") {
        return None;
    }
    let said = wish.behind_any(LEADS).unwrap_or(wish.words);
    // The day changes, and the hour stays.
    let said = without_same_time(said);
    let said = match said {
        [little, rest @ ..] if !rest.is_empty() && (little.is("by") || little.is("to")) => rest,
        _ => said,
    };
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    if let Some(start) = of_its_hour(&texts, &event.start) {
        let end = start.checked_add(event.start.duration_until(&event.end)).ok()?;
        let told = format!("{} instead.", capital(&o_clock(&start)));
        return Some(set(event, payload, &start, &end, told));
    }
    let minutes = time::length(&texts);
    if let Some((minutes, places)) = &minutes {
        let later = texts.get(places.end).copied().or(back.then_some("later"));
        let whole = places.start == 0 && texts.len() <= places.end + 1;
        let span = SignedDuration::from_mins(i64::from(*minutes));
        match later {
            Some("later") if whole => return Some(moved(event, payload, span, *minutes, "later")),
            Some("earlier" | "sooner") if whole => {
                return Some(moved(event, payload, -span, *minutes, "earlier"));
            }
            _ => {}
        }
    }
    let (minutes, said) = without_length(said, minutes);
    if said.is_empty() {
        let minutes = minutes?;
        let end = event.start.checked_add(SignedDuration::from_mins(i64::from(minutes))).ok()?;
        let told = format!("{} instead.", capital(&length(minutes)));
        return Some(set(event, payload, &event.start, &end, told));
    }
    let reading = match readings(&said, event, wish)? {
        Ok(reading) => reading,
        Err(change) => return Some(change),
    };
    let zone = event.start.time_zone().clone();
    let here = |time: &Zoned| time.with_time_zone(zone.clone());
    let lasts = match minutes {
        Some(minutes) => SignedDuration::from_mins(i64::from(minutes)),
        None => event.start.duration_until(&event.end),
    };
    let now = wish.world.local_now();
    let start = match reading.grain {
        // "After three" is no time yet.
        Grain::Hours if reading.is_open_ended() => {
            return Some(Change::missed(format!("What time {}?", reading.said)));
        }
        Grain::Moment | Grain::Hours => here(&reading.range.start),
        Grain::Day => here(&on_its_day(&reading, event, &now)?),
        // "Not tonight, tomorrow night": at the hour it has.
        Grain::Part if wish.corrects && keeps_its_hour(&reading, event, &now) => {
            here(&on_its_day(&reading, event, &now)?)
        }
        _ => return Some(Change::missed(format!("What time {}?", reading.said))),
    };
    let end = match reading.grain {
        Grain::Hours => here(&reading.range.end),
        _ => start.checked_add(lasts).ok()?,
    };
    let (start, end, spoken) = if let Some(monday) = week_of(&said, event, &now) {
        let (start, end) = (in_week(&start, monday, &now)?, in_week(&end, monday, &now)?);
        let spoken = dated(&reading, &start, &now);
        (start, end, spoken)
    } else {
        let spoken = spoken(&reading, &start, &end, &said, &now);
        (start, end, spoken)
    };
    if start == event.start && end == event.end {
        return Some(Change::cannot("That is when it is already."));
    }
    let told = format!("{} instead.", capital(&spoken));
    Some(set(event, payload, &start, &end, told))
}

/// The hour it has, on another day.
fn on_its_day(reading: &Reading, event: &EventPreview, now: &Zoned) -> Option<Zoned> {
    let local = event.start.with_time_zone(now.time_zone().clone());
    local.with().date(reading.range.start.date()).build().ok()
}

fn keeps_its_hour(reading: &Reading, event: &EventPreview, now: &Zoned) -> bool {
    let range = &reading.range;
    on_its_day(reading, event, now).is_some_and(|start| range.start <= start && start < range.end)
}

/// "Friday at the same time" is Friday.
fn without_same_time(said: &[Word]) -> &[Word] {
    let tails: [&[&str]; 4] = [
        &["at", "the", "same", "time"],
        &["the", "same", "time"],
        &["at", "same", "time"],
        &["same", "time"],
    ];
    let ends = |tail: &&&[&str]| {
        let from = said.len().checked_sub(tail.len()).filter(|from| *from > 0);
        from.is_some_and(|from| said[from..].iter().zip(**tail).all(|(word, text)| word.is(text)))
    };
    tails.iter().find(ends).map_or(said, |tail| &said[..said.len() - tail.len()])
}

/// "At half past": of the hour it has.
fn of_its_hour(texts: &[&str], start: &Zoned) -> Option<Zoned> {
    let texts = texts.strip_prefix(&["at"]).unwrap_or(texts);
    let texts = texts.strip_prefix(&["a"]).unwrap_or(texts);
    let minutes = match texts {
        ["half", "past"] => 30,
        ["quarter", "past"] => 15,
        ["quarter", "to"] => -15,
        ["on", "the", "hour"] => 0,
        _ => return None,
    };
    let hour = start.with().minute(0).second(0).build().ok()?;
    hour.checked_add(SignedDuration::from_mins(minutes)).ok().filter(|moved| moved != start)
}

/// "The second": of the times that are free instead.
fn picked(wish: &Wish<'_>, event: &EventPreview, payload: &Map<String, Value>) -> Option<Change> {
    let texts = wish.texts();
    let texts = ["make", "it"]
        .iter()
        .fold(texts.as_slice(), |rest, text| rest.strip_prefix(&[*text]).unwrap_or(rest));
    let texts =
        texts.strip_prefix(&["the"]).or(texts.strip_prefix(&["take", "the"])).unwrap_or(texts);
    let of_them = |rest: &[&str]| {
        matches!(rest, [] | ["one" | "time" | "slot" | "option"] | ["free", "one" | "slot"])
    };
    let nth = match texts {
        ["whatever", "is", "next", "free"] | ["next" | "first", "free", ..] if texts.len() <= 4 => {
            1
        }
        ["whenever", "i", "am", "free"] | ["whatever", "is", "free"] => 1,
        ["last", rest @ ..] if of_them(rest) => event.free_instead.len(),
        ["option" | "number", rest @ ..] => {
            let (n, used) = time::cardinal(rest)?;
            usize::try_from(n).ok().filter(|_| used == rest.len())?
        }
        _ => {
            let (n, used) = time::ordinal(texts)?;
            usize::try_from(n).ok().filter(|_| of_them(&texts[used..]))?
        }
    };
    let start = event.free_instead.get(nth.checked_sub(1)?)?;
    let end = start.checked_add(event.start.duration_until(&event.end)).ok()?;
    let told = format!("{} instead.", capital(&o_clock(start)));
    Some(set(event, payload, start, &end, told))
}

/// "Later in the day": when, they have to say; what is free is told.
fn sometime(wish: &Wish<'_>, event: &EventPreview) -> Option<Change> {
    let texts = wish.texts();
    let texts = texts.strip_prefix(&["make", "it"]).unwrap_or(&texts);
    let texts =
        texts.strip_prefix(&["a", "bit"]).or(texts.strip_prefix(&["a", "little"])).unwrap_or(texts);
    let later = match texts {
        ["later" | "earlier" | "sooner"] => texts[0] == "later",
        ["later" | "earlier", "in", "the", "day"]
        | ["later" | "earlier", "that" | "the", "same", "day"]
        | ["later" | "earlier", "that" | "on" | "the", "day"] => texts[0] == "later",
        _ => return None,
    };
    let fits = |start: &&Zoned| if later { **start > event.start } else { **start < event.start };
    let free: Vec<String> = event.free_instead.iter().filter(fits).map(full_clock).collect();
    Some(Change::missed(match free.as_slice() {
        [] => "At what time?".to_owned(),
        [one] => format!("At what time? {} is free.", capital(one)),
        several => {
            format!(
                "At what time? {} are free.",
                capital(&crate::narrator::spelling::list(several, 0))
            )
        }
    }))
}

/// Does it begin like one of several: "the second", "the last"?
pub fn points(said: &[Word]) -> bool {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_prefix(&["the"]).unwrap_or(&texts);
    time::ordinal(texts).is_some() || texts.first() == Some(&"last")
}

fn moved(
    event: &EventPreview,
    payload: &Map<String, Value>,
    by: SignedDuration,
    minutes: u32,
    which: &str,
) -> Change {
    match (event.start.checked_add(by), event.end.checked_add(by)) {
        (Ok(start), Ok(end)) => {
            let told = format!("{} {which}, at {}.", capital(&length(minutes)), hour(&start));
            set(event, payload, &start, &end, told)
        }
        _ => Change::cannot("There is no such time."),
    }
}

/// "Friday for an hour" without the hour.
fn without_length(
    said: &[Word],
    length: Option<(u32, std::ops::Range<usize>)>,
) -> (Option<u32>, Vec<Word>) {
    let Some((minutes, places)) = length else { return (None, said.to_vec()) };
    let before = places.start.checked_sub(1).filter(|&at| said[at].is("for") || said[at].is("to"));
    let long = said.get(places.end).filter(|word| word.is("long")).map(|_| places.end);
    let kept = said
        .iter()
        .enumerate()
        .filter(|(at, _)| !places.contains(at) && Some(*at) != before && Some(*at) != long);
    (Some(minutes), kept.map(|(_, word)| word.clone()).collect())
}

/// The one time these words are, and nothing but a time.
fn readings(
    said: &[Word],
    event: &EventPreview,
    wish: &Wish<'_>,
) -> Option<Result<Reading, Change>> {
    let now = wish.world.local_now();
    let day = event.start.with_time_zone(now.time_zone().clone());
    // "Four" is four on the day it is on, also where it is four in Berlin.
    let zone = time::zone_in(said).map_or(0..0, |(_, places)| places);
    let clock: Vec<Word> = said
        .iter()
        .enumerate()
        .filter(|(at, _)| !zone.contains(at))
        .map(|(_, w)| w.clone())
        .collect();
    let base =
        if names_no_day(&clock) { day.with().time(Time::midnight()).build().ok()? } else { now };
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let whole = |words: &[Word]| {
        time::find(words, &base, Lean::Ahead).filter(|when| when.words.len() == words.len())
    };
    let when = whole(said).or_else(|| whole(&words(&format!("at {}", texts.join(" ")))))?;
    let first = when.readings.first()?;
    if first.grain == Grain::Moment {
        // Of both halves of the day, the one that is nearer to the time it had.
        let away = |reading: &&Reading| {
            let minutes = |time: Time| i32::from(time.hour()) * 60 + i32::from(time.minute());
            (minutes(reading.range.start.time()) - minutes(day.time())).abs()
        };
        return when.readings.iter().min_by_key(away).cloned().map(Ok);
    }
    let other =
        when.readings.iter().find(|other| other.range.start.date() != first.range.start.date());
    let bare = |reading: &Reading| reading.said.trim_start_matches("on ").to_owned();
    let is_settled = week_of(said, event, &wish.world.local_now()).is_some();
    Some(match other.filter(|_| !is_settled) {
        Some(other) => Err(Change::missed(format!("{} or {}?", bare(first), bare(other)))),
        None => Ok(first.clone()),
    })
}

fn set(
    event: &EventPreview,
    payload: &Map<String, Value>,
    start: &Zoned,
    end: &Zoned,
    said: String,
) -> Change {
    let mut fields = Map::new();
    if *start != event.start {
        fields.insert("start".to_owned(), json!(start));
    }
    let has_length = payload.contains_key("duration_minutes");
    if has_length && start.duration_until(end) != event.start.duration_until(&event.end) {
        fields.insert("duration_minutes".to_owned(), json!(start.duration_until(end).as_mins()));
    }
    if payload.contains_key("end") || !has_length {
        fields.insert("end".to_owned(), json!(end));
    }
    Change::To(fields, said)
}

/// "four o'clock", "Friday at 4", "from 3 to 4"
fn spoken(reading: &Reading, start: &Zoned, end: &Zoned, said: &[Word], now: &Zoned) -> String {
    let start = start.with_time_zone(now.time_zone().clone());
    let end = end.with_time_zone(now.time_zone().clone());
    match reading.grain {
        Grain::Hours => hours(&start, &end),
        Grain::Moment if names_no_day(said) => o_clock(&start),
        _ => reading.said.trim_start_matches("on ").to_owned(),
    }
}

fn o_clock(time: &Zoned) -> String {
    match (time.hour(), time.minute()) {
        (12, 0) => "noon".to_owned(),
        (hour @ 8..=17, 0) => {
            let face = usize::from(u8::try_from((hour + 11) % 12 + 1).unwrap_or(12));
            let named = if face == 11 { "eleven".to_owned() } else { count(face) };
            format!("{named} o'clock")
        }
        _ => full_clock(time),
    }
}
