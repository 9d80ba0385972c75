//! An invitation in a file becomes an event, once its person has seen it.
//!
//! Everything on the card comes from the file, so the file is opened in the same
//! turn: whoever stands in it as a guest is known to come from a text.

use brain::facts::Person;
use brain::paper::{Invite, Kind, OpenedFile};
use brain::plan::ProposedStep;
use brain::resolve::time::{cardinal, spell_clock};
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

/// "Add this to my calendar", with an invitation at hand.
pub fn is_wanted(texts: &[&str], target: &Target<'_>) -> bool {
    const PUTS: &[&str] =
        &["add", "put", "import", "accept", "save", "create", "enter", "book", "make"];
    let at_hand = target.named || target.handed || target.pointed;
    let puts = texts.first().is_some_and(|first| PUTS.contains(first));
    let onto = any(texts, &["calendar", "event", "invite", "invitation", "meeting", "ics"]);
    let calendar = target.files.iter().any(|file| file.kind() == Kind::Calendar);
    at_hand && puts && onto && (calendar || target.handed)
}

pub fn read(heard: &str, texts: &[&str], target: &Target<'_>, world: &World) -> Understanding {
    let calendars: Vec<_> =
        target.files.iter().copied().filter(|file| file.kind() == Kind::Calendar).collect();
    if calendars.is_empty() {
        let told = "There is no event in that file that I could put on your calendar. Tell me \
                    what and when, and I'll get it ready.";
        return whole(heard, Meaning::Chat(Chat::AboutFile(told.to_owned())));
    }
    let Some(file) = target.one_of(&calendars, world) else {
        return which(heard, &calendars);
    };
    let opened = world.focus.opened_file.as_deref();
    let Some(found) = opened.filter(|found| found.file.file_id == file.file_id) else {
        let args = json!({ "file_id": file.file_id.to_string() });
        let lookup = Lookup {
            steps: vec![ProposedStep { tool: "attachment.read".to_owned(), args }],
            gist: Gist::OpenPaper,
            acknowledgement: "Opening the invitation.".to_owned(),
        };
        return whole(heard, Meaning::Later { lookups: vec![lookup], missing: "start" });
    };
    book(heard, texts, found, world)
}

fn book(heard: &str, texts: &[&str], found: &OpenedFile, world: &World) -> Understanding {
    let chat = |told: String| whole(heard, Meaning::Chat(Chat::AboutFile(told)));
    let at = texts.iter().position(|text| *text == "event");
    let number = at.and_then(|at| cardinal(&texts[at + 1..])).map(|(number, _)| number as usize);
    let event = match (found.events.as_slice(), number) {
        _ if found.problem.is_some() => {
            return chat("Nothing was put on your calendar.".to_owned());
        }
        ([], _) => return chat("There is no event in that file.".to_owned()),
        ([one], None) => one,
        (several, Some(number)) if (1..=several.len()).contains(&number) => &several[number - 1],
        (several, _) => return which_event(several),
    };
    if event.cancelled {
        return chat(format!("The file says that {} is cancelled.", event.title));
    }
    let Some((start, end)) = times(event, world) else {
        return chat(format!("The file does not say when {} is. When should it be?", event.title));
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
    let span = 0..heard.len();
    let mut parts = vec![Part { span: span.clone(), meaning: Meaning::Look(vec![lookup]) }];
    if let Some(told) = remarks(event, &start) {
        parts.push(Part { span, meaning: Meaning::Chat(Chat::AboutFile(told)) });
    }
    together(parts, heard)
}

fn which_event(events: &[Invite]) -> Understanding {
    let choice = |(number, event): (usize, &Invite)| {
        let sentence = format!("put event {number} of the file on my calendar");
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
    if event.all_day {
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
