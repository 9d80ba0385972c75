//! An invitation in a file becomes an event, once its person has seen it.
//!
//! Everything on the card comes from the file, so the file is opened in the same
//! turn: whoever stands in it as a guest is known to come from a text.

use brain::Attached;
use brain::facts::Person;
use brain::paper::{Invite, Kind, OpenedFile};
use brain::plan::ProposedStep;
use brain::resolve::time::{self, Lean, cardinal, month_name, spell_clock};
use brain::resolve::words::Word;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};
use serde_json::json;

use super::target::Target;
use super::{any, asked, which, whole};
use crate::focus::{Choice, Unclear};
use crate::gist::{Chat, Gist};
use crate::reflex::{Lookup, Meaning, Part, together};
use crate::{Understanding, World};

/// So many guests fit on a card.
const MOST_GUESTS: usize = 50;
/// So many events are offered to choose from.
const MOST_CHOICES: usize = 9;

const PUTS: &[&str] =
    &["add", "put", "import", "accept", "save", "create", "enter", "book", "make", "schedule"];
const POINTS: &[&str] = &["it", "this", "that", "them", "these", "those", "both", "all"];

/// "Add this to my calendar", with an invitation at hand; also later, and by its name.
pub fn is_wanted(texts: &[&str], said: &[Word], target: &Target<'_>, world: &World) -> bool {
    if !texts.first().is_some_and(|first| PUTS.contains(first)) {
        return false;
    }
    let at_hand = target.named || target.handed || target.pointed;
    let calendar = target.files.iter().any(|file| file.kind() == Kind::Calendar);
    let onto =
        any(texts, &["calendar", "event", "events", "invite", "invitation", "meeting", "ics"]);
    if at_hand && onto && (calendar || target.handed) {
        return true;
    }
    // "Schedule this", "add all of them": nothing else was said that it could be.
    let points = any(texts, POINTS);
    if at_hand && calendar && points && texts.len() <= 5 {
        return true;
    }
    // Whoever says when has something of their own in mind; a mail that lies open may
    // be what is meant.
    let timed = time::find(said, &world.local_now(), Lean::Ahead).is_some();
    let nearest = world.focus.on_file || world.focus.opened.is_none();
    calendar && !timed && nearest && (onto && texts.len() <= 8 || texts.len() <= 4)
}

/// None where no event of the file is meant after all.
pub fn read(
    heard: &str,
    texts: &[&str],
    target: &Target<'_>,
    world: &World,
) -> Option<Understanding> {
    let calendars: Vec<_> =
        target.files.iter().copied().filter(|file| file.kind() == Kind::Calendar).collect();
    if calendars.is_empty() {
        let told = "There is no event in that file that I could put on your calendar. Tell me \
                    what and when, and I'll get it ready.";
        return Some(whole(heard, Meaning::Chat(Chat::AboutFile(told.to_owned()))));
    }
    let Some(file) = target.one_of(&calendars, world) else {
        return Some(which(heard, &calendars));
    };
    match opened(file, world) {
        Some(found) => book(heard, texts, found, world),
        None => Some(open_first(heard, file)),
    }
}

/// "Am I free for this?", "does it clash with anything?", "am I free for the dentist?"
pub fn is_free_asked(texts: &[&str], said: &[Word], target: &Target<'_>, world: &World) -> bool {
    let calendar = target.files.iter().any(|file| file.kind() == Kind::Calendar);
    let free = any(texts, &["free", "clash", "clashes", "conflict", "conflicts", "busy"]);
    let make = super::behind(texts, &[&["can", "i", "make"], &["do", "i", "have", "time"]]);
    let points = any(texts, &["it", "this", "that", "then", "invite", "invitation"]);
    let at_hand = target.handed || target.pointed || target.named;
    let named = super::behind(texts, &[&["free", "for", "the"]]).is_some()
        && target.on_file
        && time::find(said, &world.local_now(), Lean::Ahead).is_none();
    calendar && (at_hand && points && (free || make.is_some()) || named)
}

/// Looks at the calendar for the time that the file says. None where no event of the
/// file is meant after all.
pub fn free(
    heard: &str,
    texts: &[&str],
    target: &Target<'_>,
    world: &World,
) -> Option<Understanding> {
    let calendars: Vec<_> =
        target.files.iter().copied().filter(|file| file.kind() == Kind::Calendar).collect();
    let Some(file) = target.one_of(&calendars, world) else {
        return Some(which(heard, &calendars));
    };
    let Some(found) = opened(file, world) else { return Some(open_first(heard, file)) };
    if found.problem.is_some() {
        return Some(whole(heard, Meaning::Chat(Chat::AboutFile(String::new()))));
    }
    let titled: Vec<_> = found.events.iter().filter(|it| is_meant(&it.title, texts)).collect();
    let event = match (found.events.as_slice(), numbered(texts), titled.as_slice()) {
        (several, Some(number), _) if number <= several.len() => &several[number - 1],
        (_, _, [one]) => *one,
        ([one], ..) if any(texts, POINTS) || any(texts, FILES) => one,
        (several, ..) if any(texts, POINTS) || any(texts, FILES) => {
            return Some(which_event(several, "am I free for event {} of the file"));
        }
        _ => return None,
    };
    let (start, end) = times(event, world)?;
    let day = format!("{} {}, {}", month_name(start.month()), start.day(), start.year());
    let clock = |at: &Zoned| at.strftime("%H:%M").to_string();
    let sentence = match end.filter(|end| !event.all_day && end.date() == start.date()) {
        Some(end) => format!("am I free on {day} from {} to {}", clock(&start), clock(&end)),
        None if event.all_day => format!("what's on my calendar on {day}"),
        None => format!("am I free on {day} at {}", clock(&start)),
    };
    let mut afresh = world.clone();
    (afresh.focus.files, afresh.focus.on_file) = (std::sync::Arc::from([]), false);
    let mut read = crate::reflex::read(&sentence, &afresh);
    if let Gist::Free(about) = &mut read.gist {
        about.clash = any(texts, &["clash", "clashes", "conflict", "conflicts", "busy"]);
    }
    Some(read)
}

/// "Event 2 of the file"
fn numbered(texts: &[&str]) -> Option<usize> {
    let at = texts.iter().position(|text| *text == "event")?;
    let (number, _) = cardinal(&texts[at + 1..])?;
    Some(number as usize).filter(|number| *number > 0)
}

fn opened<'a>(file: &Attached, world: &'a World) -> Option<&'a OpenedFile> {
    let opened = world.focus.opened_file.as_deref();
    opened.filter(|found| found.file.file_id == file.file_id)
}

fn open_first(heard: &str, file: &Attached) -> Understanding {
    let args = json!({ "file_id": file.file_id.to_string() });
    let lookup = Lookup {
        steps: vec![ProposedStep { tool: "attachment.read".to_owned(), args }],
        gist: Gist::OpenPaper,
        acknowledgement: "Opening the invitation.".to_owned(),
    };
    whole(heard, Meaning::Later { lookups: vec![lookup], missing: "start" })
}

fn book(heard: &str, texts: &[&str], found: &OpenedFile, world: &World) -> Option<Understanding> {
    let chat = |told: String| Some(whole(heard, Meaning::Chat(Chat::AboutFile(told))));
    if found.problem.is_some() {
        return chat("Nothing was put on your calendar.".to_owned());
    }
    let titled: Vec<_> = found.events.iter().filter(|it| is_meant(&it.title, texts)).collect();
    let points = any(texts, POINTS) || any(texts, FILES);
    let events: Vec<&Invite> = match (found.events.as_slice(), numbered(texts)) {
        ([], _) => return chat("There is no event in that file.".to_owned()),
        (several, Some(number)) if number <= several.len() => {
            vec![&several[number - 1]]
        }
        _ if titled.len() == 1 => titled,
        (several, _) if any(texts, &["all", "both", "everything", "them", "events"]) => {
            several.iter().take(MOST_CHOICES).collect()
        }
        ([one], _) if points => vec![one],
        (several, _) if points || titled.len() > 1 => {
            return Some(which_event(several, "put event {} of the file on my calendar"));
        }
        // "Add milk": no event of the file is called that.
        _ => return None,
    };
    let span = 0..heard.len();
    let mut parts = Vec::new();
    for event in &events {
        let (lookup, told) = match card(event, world) {
            Ok(ready) => (Some(ready.0), ready.1),
            Err(told) => (None, Some(told)),
        };
        let look = lookup.map(|lookup| Meaning::Look(vec![lookup]));
        // What is said beside several cards says of which of them it speaks.
        let told = told.map(|told| match events.len() {
            1 => told,
            _ => format!("{}: {told}", event.title),
        });
        let told = told.map(|told| Meaning::Chat(Chat::AboutFile(told)));
        let both = look.into_iter().chain(told);
        parts.extend(both.map(|meaning| Part { span: span.clone(), meaning }));
    }
    if found.events.len() > MOST_CHOICES && events.len() == MOST_CHOICES {
        let told = format!("These are the first {MOST_CHOICES} of the file.");
        parts.push(Part { span, meaning: Meaning::Chat(Chat::AboutFile(told)) });
    }
    Some(together(parts, heard))
}

/// What "the event" and "the invitation" are called without a name.
const FILES: &[&str] =
    &["event", "invite", "invitation", "meeting", "ics", "file", "attachment", "appointment"];

/// Is this event named? What is only about putting it there names nothing.
fn is_meant(title: &str, texts: &[&str]) -> bool {
    let said: Vec<&str> = texts
        .iter()
        .skip(1)
        .copied()
        .filter(|text| !FILES.contains(text) && !POINTS.contains(text))
        .collect();
    super::is_titled(title, &said.join(" "))
}

/// The card of one event and what it alone would not tell, or why there is none.
fn card(event: &Invite, world: &World) -> Result<(Lookup, Option<String>), String> {
    if event.cancelled {
        return Err(format!("The file says that {} is cancelled.", event.title));
    }
    let Some((start, end)) = times(event, world) else {
        return Err(format!("The file does not say when {} is. When should it be?", event.title));
    };
    let mut args = json!({ "title": event.title, "start": start.to_string() });
    if let Some(end) = end {
        args["end"] = end.to_string().into();
    }
    if let Some(place) = &event.location {
        args["location"] = place.as_str().into();
    }
    let guests = guests(event, world);
    if !guests.is_empty() {
        args["attendees"] = guests.into();
    }
    let lookup = Lookup {
        steps: vec![ProposedStep { tool: "calendar.create_event".to_owned(), args }],
        gist: Gist::Booking { what: event.title.clone() },
        acknowledgement: "Getting it ready.".to_owned(),
    };
    Ok((lookup, remarks(event, &start)))
}

/// One question, and for each event the sentence with its number.
fn which_event(events: &[Invite], sentence: &str) -> Understanding {
    let choice = |(number, event): (usize, &Invite)| {
        let sentence = sentence.replace("{}", &number.to_string());
        Choice::new(Unclear::Event, event.title.clone(), sentence)
    };
    let choices: Vec<_> = (1..).zip(events).take(MOST_CHOICES).map(choice).collect();
    let names: Vec<_> = choices.iter().map(|choice| choice.name.as_str()).collect();
    let listed = match names.as_slice() {
        [others @ .., last] if names.len() <= 3 => format!("{} or {last}", others.join(", ")),
        [first, second, ..] => format!("{first}, {second} or one of {} more", events.len() - 2),
        _ => String::new(),
    };
    asked(format!("Which event: {listed}?"), choices)
}

/// On the person's own clock, whichever the file is on.
fn times(event: &Invite, world: &World) -> Option<(Zoned, Option<Zoned>)> {
    let mine = world.profile.zone();
    let zone = event.zone.as_deref().filter(|_| !event.all_day);
    let zone = zone.and_then(|name| TimeZone::get(name).ok()).unwrap_or_else(|| mine.clone());
    let on_mine = |at: jiff::civil::DateTime| {
        at.to_zoned(zone.clone()).ok().map(|at| at.with_time_zone(mine.clone()))
    };
    let start = on_mine(event.start?)?;
    let end = event.end.and_then(on_mine).filter(|end| *end > start);
    let end = match end {
        None if event.all_day => start.checked_add(1.day()).ok(),
        end => end,
    };
    Some((start, end))
}

/// Everybody in the file but the person; whoever has no address cannot be asked.
fn guests(event: &Invite, world: &World) -> Vec<String> {
    let own = world.profile.address.as_deref().unwrap_or_default();
    let mut guests: Vec<String> = Vec::new();
    for Person { address, .. } in event.organizer.iter().chain(&event.attendees) {
        let known = guests.iter().any(|guest| guest.eq_ignore_ascii_case(address));
        if !known && !address.eq_ignore_ascii_case(own) && address.contains('@') {
            guests.push(address.clone());
        }
    }
    guests.truncate(MOST_GUESTS);
    guests
}

/// What the card alone would not tell.
fn remarks(event: &Invite, start: &Zoned) -> Option<String> {
    let mut told = Vec::new();
    if let Some(repeats) = &event.repeats {
        told.push(format!("It comes {repeats}; I can only put the first one on your calendar."));
    }
    if let Some(zone) = &event.unknown_zone {
        told.push(format!("The file is on a clock I don't know ({zone}), so I took your own."));
    }
    if event.notes.is_some() {
        told.push("Its notes stay in the file; they are not put on your calendar.".to_owned());
    }
    let days =
        event.start.zip(event.end).map_or(1, |(start, end)| (end.date() - start.date()).get_days());
    if event.all_day && days > 1 {
        told.push("It is for whole days.".to_owned());
    } else if event.all_day {
        told.push("It is for the whole day.".to_owned());
    } else if let (Some(zone), Some(at)) = (&event.zone, event.start)
        && zone != "UTC"
        && at != start.datetime()
    {
        let place = zone.rsplit('/').next().unwrap_or(zone).replace('_', " ");
        told.push(format!("The file says {} in {place}.", spell_clock(at.time())));
    }
    (!told.is_empty()).then(|| told.join(" "))
}
