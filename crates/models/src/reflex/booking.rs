//! Something new for the calendar: what, when, how long, where and with whom.

use std::ops::Range;

use brain::plan::ProposedStep;
use brain::resolve::time::{self, Grain, Impossible, Lean, Reading, When};
use brain::resolve::words::Word;
use jiff::{ToSpan, Zoned};
use serde_json::{Map, Value, json};

use super::follow::names_no_day;
use super::propose::{self, Meal, Offer};
use super::refer::{Company, PRONOUNS, Referent};
use super::vocabulary::{EMPTY, is_any};
use super::whom::{self, Whom};
use super::{Lookup, Meaning, Question, Want, phrasing};
use crate::World;
use crate::focus::{Awaited, Choice, Missing, Unclear};
use crate::gist::{Chat, Gist, Wall};
use crate::narrator::card;
use crate::narrator::spelling::list;

const VERBS: &[&[&str]] = &[
    &["put", "me", "down", "for"],
    &["put", "down"],
    &["put"],
    &["add"],
    &["create"],
    &["make"],
    &["schedule"],
    &["book"],
    &["set", "up"],
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
pub fn begins(request: &[Word], world: &World) -> bool {
    let Some(verb) = verb(request) else { return false };
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
        && !texts[verb..].iter().any(|text| is_any(text, ELSEWHERE))
        && (calendar || timed || with || named)
}

/// "Add Tom to the meeting" is about one that is there already.
fn changes(texts: &[&str]) -> bool {
    let there = ["meeting", "call", "event", "invite", "invitation", "appointment"];
    matches!(texts, ["add" | "put" | "invite", .., "to" | "into", "the" | "that" | "this" | "my", last]
        if is_any(last, &there))
}

/// "Find time with Ana next week and book it" wants a meeting, not a list of
/// gaps; said again, as one would ask for that.
pub fn restated(heard: &str, said: &[Word]) -> Option<String> {
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let (body, end) = [
        &["and", "book", "it"][..],
        &["and", "schedule", "it"],
        &["and", "put", "it", "on", "my", "calendar"],
        &["and", "put", "it", "in", "my", "calendar"],
    ]
    .iter()
    .find_map(|end| Some((texts.strip_suffix(*end)?, end.len())))?;
    let verb = usize::from(matches!(body.first(), Some(&("find" | "get" | "look"))));
    let me = usize::from(matches!(body.get(verb), Some(&("me" | "us" | "for"))));
    let size = body[verb + me..].iter().take_while(|text| is_any(text, &["a", "some"])).count();
    let from = verb + me + size;
    let thing =
        usize::from(matches!(body.get(from), Some(&("time" | "slot" | "gap" | "spot" | "room"))));
    let rest = said.get(from + thing..said.len() - end).filter(|rest| !rest.is_empty())?;
    let named = thing == 1 || time::length(body).is_some();
    let marks = |word: &Word| word.quoted || word.stop.is_some_and(|stop| stop != ',');
    (verb == 1 && named && !rest.iter().any(marks)).then(|| {
        let rest = &heard[rest[0].start..rest[rest.len() - 1].end];
        format!("schedule a meeting {}", rest.trim_start_matches("an ").trim_start_matches("a "))
    })
}

const CALENDARS: &[&str] = &["calendar", "schedule", "diary", "agenda"];

fn verb(request: &[Word]) -> Option<usize> {
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
    /// The words that say when.
    times: Vec<usize>,
    place: Option<String>,
    minutes: Option<u32>,
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
    let verb = verb(request)?;
    if let Some(what) = cannot_be(request, world) {
        return Some(Meaning::Chat(Chat::Wall(Wall::NoSuch(what))));
    }
    let mut draft = Draft {
        heard,
        words: request,
        world,
        taken: vec![false; request.len()],
        people: Vec::new(),
        pronouns: Vec::new(),
        times: Vec::new(),
        place: None,
        minutes: None,
    };
    if !is_any(&request[0].text, OF_PEOPLE) {
        draft.take(0..verb);
    }
    let readings = draft.when(written, company.before);
    draft.length();
    draft.calendar();
    draft.guests();
    if let Err(open) = draft.refer(company) {
        return Some(*open);
    }
    draft.place();
    if let Some(question) = draft.which_guest() {
        return Some(Meaning::Ask(question));
    }
    if let Some(want) = draft.wants_address() {
        return Some(want);
    }
    let blocks = matches!(request[0].text.as_str(), "block" | "reserve" | "hold");
    let Some(title) = draft.title(blocks, written) else {
        return Some(draft.wants_title(verb));
    };
    if let Some(question) = draft.which_day(&readings) {
        return Some(Meaning::Ask(question));
    }
    if let Some(gone) = gone(&readings, world) {
        return Some(Meaning::Chat(Chat::Wall(Wall::NoSuch(gone))));
    }
    let all_day = draft.minutes == Some(time::WHOLE_DAY);
    let range = match readings.first() {
        None => return Some(draft.offer(None)),
        Some(reading) => match reading.grain {
            Grain::Moment => (reading.range.start.clone(), None),
            // "After three" is no time yet.
            Grain::Hours if reading.is_open_ended() => return Some(draft.offer(Some(reading))),
            Grain::Hours => (reading.range.start.clone(), Some(reading.range.end.clone())),
            Grain::Day if all_day => (reading.range.start.clone(), Some(reading.range.end.clone())),
            // "Block two hours Thursday morning" is not the whole morning.
            Grain::Part if blocks && draft.minutes.is_none() => {
                (draft.opening(reading), Some(reading.range.end.clone()))
            }
            _ => return Some(draft.offer(Some(reading))),
        },
    };
    let now = world.local_now();
    let when = card::moment(&range.0, &now);
    let when = when.trim_start_matches("on ").to_owned();
    let mut args = Map::new();
    args.insert("title".to_owned(), json!(title));
    args.insert("start".to_owned(), json!(range.0));
    // Longer than tools take by the minute.
    let long = draft.minutes.filter(|minutes| *minutes > LONGEST);
    let long_end = long.and_then(|minutes| range.0.checked_add(i64::from(minutes).minutes()).ok());
    if let Some(end) = range.1.or(long_end) {
        args.insert("end".to_owned(), json!(end));
    } else if let Some(minutes) = draft.minutes {
        args.insert("duration_minutes".to_owned(), json!(minutes));
    }
    let guests: Vec<&str> = draft.people.iter().filter_map(|(whom, _)| whom.address()).collect();
    if !guests.is_empty() {
        args.insert("attendees".to_owned(), json!(guests));
    }
    if let Some(place) = &draft.place {
        args.insert("location".to_owned(), json!(place));
    }
    Some(Meaning::Look(vec![Lookup {
        steps: vec![ProposedStep {
            tool: "calendar.create_event".into(),
            args: Value::Object(args),
        }],
        gist: Gist::Booking { what: title },
        acknowledgement: format!("On it, {when}."),
    }]))
}

/// A day there is none of, or more than one day.
fn cannot_be(request: &[Word], world: &World) -> Option<Impossible> {
    let repeats = || {
        let said = time::recurring(request, true)?;
        Some(Impossible::Repeats { said })
    };
    time::impossible(request, &world.local_now()).or_else(repeats)
}

/// Nobody meets yesterday.
fn gone(readings: &[Reading], world: &World) -> Option<Impossible> {
    let reading = readings.first().filter(|reading| reading.range.end <= world.local_now())?;
    let said = reading.said.trim_start_matches("on ");
    Some(Impossible::Time { because: format!("{said} has passed") })
}

impl Draft<'_> {
    fn text(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.text)
    }

    fn take(&mut self, places: Range<usize>) {
        places.for_each(|at| self.taken[at] = true);
    }

    fn is_free(&self, at: usize) -> bool {
        at < self.words.len() && !self.taken[at]
    }

    /// When it is to be. An hour without a day is on the day of the mail
    /// before it, where that names one.
    fn when(&mut self, written: &[Word], before: &[Word]) -> Vec<Reading> {
        let now = self.world.local_now();
        let find = |words: &[Word]| time::find(words, &now, Lean::Ahead);
        let Some(found) = find(self.words) else {
            // "What's on Thursday, and book lunch with Tom".
            let day = find(before).filter(is_one_day);
            let Some(said) = find(written) else {
                return day.map_or_else(Vec::new, |when| when.readings);
            };
            let hour: Vec<Word> = said.words.iter().map(|&at| written[at].clone()).collect();
            return on_day(&hour, before, &now).unwrap_or(said.readings);
        };
        let own: Vec<Word> = found.words.iter().map(|&at| self.words[at].clone()).collect();
        for &at in &found.words {
            self.taken[at] = true;
        }
        self.times.clone_from(&found.words);
        on_day(&own, written, &now).unwrap_or(found.readings)
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

    /// "With her, Tom and Ana", "and invite Lena".
    fn guests(&mut self) {
        let links = (0..self.words.len())
            .filter(|&at| {
                let leads = at == 0 && is_any(self.text(at), OF_PEOPLE);
                let link = is_any(self.text(at), &["with", "invite", "inviting"]);
                self.is_free(at) && (link && self.text(at.wrapping_sub(1)) != "meet" || leads)
            })
            .collect::<Vec<_>>();
        for at in links {
            // "Meet with Tom"
            let with = self.text(at) == "meet" && self.text(at + 1) == "with";
            let first = at + 1 + usize::from(with);
            let mut next = first;
            while let Some(end) = self.guest(next, next == first) {
                let and = usize::from(self.text(end) == "and" && self.is_free(end));
                let comma = self.words[end - 1].stop == Some(',');
                next = end;
                if and + usize::from(comma) == 0 || !self.is_named(end + and) {
                    break;
                }
                next = end + and;
            }
            if self.text(at) != "with" {
                let before = usize::from(at > 0 && self.text(at - 1) == "and");
                self.take(at - before..next);
            }
        }
    }

    /// One guest from this place on, and where the next could stand. Only the
    /// first may be a stranger: "with Zoe and dinner after".
    fn guest(&mut self, at: usize, first: bool) -> Option<usize> {
        if !self.is_free(at) {
            return None;
        }
        if is_any(self.text(at), PRONOUNS) {
            self.pronouns.push(at);
            return Some(at + 1);
        }
        let (whom, used) = whom::at(self.words, at, self.heard, self.world)?;
        if matches!(whom, Whom::Stranger(_)) && !first {
            return None;
        }
        self.people.push((whom, at..at + used));
        Some(at + used)
    }

    fn is_named(&self, at: usize) -> bool {
        let named = whom::at(self.words, at, self.heard, self.world);
        self.is_free(at)
            && (is_any(self.text(at), PRONOUNS)
                || matches!(named, Some((whom, _)) if !matches!(whom, Whom::Stranger(_))))
    }

    /// Puts people where "her" and "them" stand.
    fn refer(&mut self, company: &mut Company<'_>) -> Result<(), Box<Meaning>> {
        for at in std::mem::take(&mut self.pronouns) {
            let word = &self.words[at];
            let beside: Vec<Whom> = self.people.iter().map(|(whom, _)| whom.clone()).collect();
            match company.of(&word.text, &beside) {
                Referent::One(whom) => {
                    company.meant(&word.text, whom.clone());
                    self.people.push((whom, at..at + 1));
                }
                Referent::All(people) => {
                    self.people.extend(people.into_iter().map(|whom| (whom, at..at + 1)));
                }
                open => return Err(Box::new(company.open(open, word))),
            }
        }
        self.people.sort_by_key(|(_, places)| places.start);
        Ok(())
    }

    /// "At Blue Bottle", "in room 4": behind everything that is a time.
    fn place(&mut self) {
        let at = (0..self.words.len()).find(|&at| {
            self.is_free(at)
                && is_any(self.text(at), &["at", "in"])
                && self.is_free(at + 1)
                && !self.is_guest(at + 1)
        });
        let Some(at) = at else { return };
        let end = (at + 1..self.words.len())
            .find(|&place| {
                !self.is_free(place)
                    || is_any(self.text(place), &["with", "for", "and", "about", "to"])
            })
            .unwrap_or(self.words.len());
        let place =
            phrasing::capital(&self.heard[self.words[at + 1].start..self.words[end - 1].end]);
        self.place = Some(place);
        self.take(at..end);
    }

    fn is_guest(&self, at: usize) -> bool {
        self.people.iter().any(|(_, places)| places.contains(&at))
    }

    /// Two of one name.
    fn which_guest(&self) -> Option<Question> {
        self.people.iter().find_map(|(whom, places)| {
            let Whom::OneOf(names) = whom else { return None };
            let span = self.words[places.start].start..self.words[places.end - 1].end;
            let choices = names.iter().map(|name| (name.clone(), name.clone())).collect();
            Some(Question { about: Unclear::Recipient, lead: None, span, choices })
        })
    }

    /// Whoever is to be invited has to be reached.
    fn wants_address(&self) -> Option<Meaning> {
        let invites = |at: usize| is_any(self.text(at), &["invite", "inviting"]);
        if !(0..self.words.len()).any(invites) {
            return None;
        }
        self.people.iter().find_map(|(whom, places)| {
            let Whom::Stranger(name) = whom else { return None };
            let span = self.words[places.start].start..self.words[places.end - 1].end;
            Some(whom::unreachable(name, &span, self.heard))
        })
    }

    /// "Friday the 20th or Friday the 27th?"
    fn which_day(&self, readings: &[Reading]) -> Option<Question> {
        let first = readings.first()?;
        let date = |reading: &Reading| reading.range.start.date();
        let other = readings.iter().find(|other| date(other) != date(first))?;
        let now = self.world.local_now();
        let when = time::find(self.words, &now, Lean::Ahead)?;
        let (start, end) = (when.words.first()?, when.words.last()?);
        let choice = |reading: &Reading| {
            let said = reading.said.trim_start_matches("on ");
            let clock = match reading.grain {
                Grain::Moment => format!(" at {}", reading.range.start.strftime("%H:%M")),
                Grain::Hours => {
                    let (start, end) = (&reading.range.start, &reading.range.end);
                    format!(" from {} to {}", start.strftime("%H:%M"), end.strftime("%H:%M"))
                }
                _ => String::new(),
            };
            (said.to_owned(), format!("on {}{clock}", date(reading)))
        };
        let span = self.words[*start].start..self.words[*end].end;
        let choices = vec![choice(first), choice(other)];
        Some(Question { about: Unclear::Time, lead: None, span, choices })
    }

    /// "Lunch with Tom": the words nobody else took, people by their names.
    fn title(&self, blocks: bool, written: &[Word]) -> Option<String> {
        let quoted: Vec<&Word> = self.words.iter().filter(|word| word.quoted).collect();
        if let (Some(first), Some(last)) = (quoted.first(), quoted.last()) {
            return Some(self.heard[first.start..last.end].to_owned());
        }
        let mut pieces: Vec<String> = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            if let Some((whom, places)) = self
                .people
                .iter()
                .find(|(_, places)| places.start == at)
                .filter(|_| self.is_free(at))
            {
                let comma = self.words[places.end - 1].stop == Some(',');
                let comma = if comma && self.is_guest(places.end) { "," } else { "" };
                pieces.push(format!("{}{comma}", whom.short()));
                at = places.end;
                continue;
            }
            let word = &self.words[at];
            let same = at > 0 && self.words[at - 1].start == word.start;
            if self.is_free(at) && !same {
                pieces.push(self.heard[word.start..word.end].to_owned());
            }
            at += 1;
        }
        let pieces = trimmed(&pieces);
        let title = phrasing::capital(&pieces.join(" "));
        if is_any(self.text(0), OF_PEOPLE) {
            let names: Vec<String> = self.people.iter().map(|(whom, _)| whom.short()).collect();
            let what = if title.is_empty() { "Meeting" } else { &title };
            return Some(format!("{what} with {}", list(&names, 0)));
        }
        let with_only = pieces.first().is_some_and(|first| first.eq_ignore_ascii_case("with"));
        if with_only {
            return Some(format!("Meeting {}", pieces.join(" ")));
        }
        if title.is_empty() && blocks {
            return Some("Busy".to_owned());
        }
        if !title.is_empty() {
            return Some(title);
        }
        // "And put it on my calendar", beside a mail to Priya.
        let (people, _) = written.iter().enumerate().find_map(|(at, _)| {
            let (found, end) = whom::list(written, at, self.heard, self.world);
            matches!(found.as_slice(), [Whom::Known { .. }]).then_some((found, end))
        })?;
        Some(format!("Meeting with {}", people[0].short()))
    }

    /// A few free starts to choose from, within the time that was named.
    fn offer(&self, reading: Option<&Reading>) -> Meaning {
        let now = self.world.local_now();
        let usual = self.world.profile.default_meeting_minutes;
        let minutes = self.minutes.unwrap_or(usual).clamp(5, LONGEST);
        let said = reading.map(|reading| reading.said.clone());
        let meal = self.words.iter().find_map(|word| Meal::of(&word.text));
        match propose::offer(reading, minutes, meal, self.world) {
            Offer::Look(lookup) => Meaning::Later { lookups: vec![*lookup], missing: "start" },
            Offer::Full => {
                let said = said.unwrap_or_else(|| "in the coming week".to_owned());
                let question = format!("You have no room {said}. When else?");
                Meaning::Want(Want { question, awaited: self.awaits_time() })
            }
            Offer::Starts(starts) => {
                let names = propose::called(&starts, &now);
                let Awaited { before, after, .. } = self.awaits_time();
                let choice = |(name, start): (&String, &Zoned)| Choice {
                    about: Unclear::Time,
                    name: name.clone(),
                    sentence: format!("{before} {}{after}", propose::spelled(start)),
                };
                let question = propose::question(&starts, said.as_deref(), &now);
                let choices = names.iter().zip(&starts).map(choice).collect();
                Meaning::Choose { question, choices, awaited: self.awaits_time() }
            }
        }
    }

    /// A morning that is blocked begins with work, not at dawn.
    fn opening(&self, reading: &Reading) -> Zoned {
        let (start, hours) = (&reading.range.start, &self.world.profile.working_hours);
        let works = hours.includes(start.date().weekday());
        let opens = start.with().time(hours.start).build().ok();
        let later = opens.filter(|opens| works && start < opens && *opens < reading.range.end);
        later.unwrap_or_else(|| start.clone())
    }

    /// The request without the time it named; a better one goes in there.
    fn awaits_time(&self) -> Awaited {
        let end = self.words.last().map_or(self.heard.len(), |last| last.end);
        let hole = match (self.times.first(), self.times.last()) {
            (Some(&first), Some(&last)) if last - first + 1 == self.times.len() => {
                self.words[first].start..self.words[last].end
            }
            _ => end..end,
        };
        let after = self.heard[hole.end..].trim_end_matches(['.', '?', '!', ' ']);
        Awaited {
            what: Missing::Time,
            before: self.heard[..hole.start].trim_end().to_owned(),
            after: after.to_owned(),
            day: Some(self.heard[hole].to_owned()).filter(|day| !day.is_empty()),
        }
    }

    fn wants_title(&self, verb: usize) -> Meaning {
        let end = self.words[verb - 1].end;
        // "It" gives way to the name.
        let it = (verb..self.words.len()).find(|&at| matches!(self.text(at), "it" | "that"));
        let rest = it.filter(|&at| at == verb).map_or(end, |at| self.words[at].end);
        let awaited = Awaited {
            what: Missing::Title,
            before: self.heard[..end].to_owned(),
            after: self.heard[rest..].trim_end_matches(['.', '?', '!']).to_owned(),
            day: None,
        };
        Meaning::Want(Want { question: "What should it be called?".to_owned(), awaited })
    }
}

/// An hour without a day is on the day that was spoken of before it.
fn on_day(hour: &[Word], spoken: &[Word], now: &Zoned) -> Option<Vec<Reading>> {
    let find = |words: &[Word]| time::find(words, now, Lean::Ahead);
    if !names_no_day(hour) {
        return None;
    }
    let day = find(spoken)?.words.into_iter().map(|at| spoken[at].clone());
    let both: Vec<Word> = day.chain(hour.iter().cloned()).collect();
    Some(find(&both).filter(|when| when.words.len() == both.len())?.readings)
}

fn is_one_day(when: &When) -> bool {
    when.readings.first().is_some_and(|reading| matches!(reading.grain, Grain::Day | Grain::Part))
}

/// Without the little words around it.
fn trimmed(pieces: &[String]) -> &[String] {
    let little = |piece: &String| {
        let lower = piece.to_lowercase();
        is_any(&lower, EMPTY) && !is_any(&lower, &["with", "catch", "run", "check", "date"])
            || is_any(&lower, &["for", "called", "titled", "named", "calendar", "event", "entry"])
    };
    let mut pieces = pieces;
    while let [first, rest @ ..] = pieces
        && little(first)
    {
        pieces = rest;
    }
    while let [rest @ .., last] = pieces
        && (little(last) || last.eq_ignore_ascii_case("with"))
    {
        pieces = rest;
    }
    pieces
}
