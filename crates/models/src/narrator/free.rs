//! Free time in words.

use brain::facts::{DateRange, FreeSlots, Meeting};
use jiff::Zoned;

use super::spelling::{self, capital, clock, day, length, list};
use crate::World;
use crate::gist::AboutFree;

pub fn tell(about: &AboutFree, found: &FreeSlots, world: &World) -> String {
    let told = mine(about, found, world);
    match &about.with {
        Some(_) => format!("{told} I can only see your own calendar."),
        None => told,
    }
}

fn mine(about: &AboutFree, found: &FreeSlots, world: &World) -> String {
    let now = world.local_now();
    let when = about.when.as_deref().unwrap_or("in the coming week");
    if found.date_range.end <= now {
        return format!("That has passed already: {when}.");
    }
    if about.exactly {
        return whether(about, when, found, &now);
    }
    if found.slots.is_empty() {
        return nothing(about, when, found, &now);
    }
    let several_days = found.slots.first().zip(found.slots.last()).is_some_and(|(first, last)| {
        local(&first.start, &now).date() != local(&last.start, &now).date()
    });
    let mut before = None;
    let mut shown = Vec::new();
    for slot in found.slots.iter().take(3) {
        let date = local(&slot.start, &now).date();
        // A day is named once.
        let named = several_days && before.replace(date) != Some(date);
        let day = if named { format!("{} ", day(date, now.date())) } else { String::new() };
        shown.push(format!("{day}{}", hours(slot, &now)));
    }
    let room = list(&shown, 0);
    // Nobody wants to hear how many gaps there are beyond these.
    let more = match found.slots.len() - shown.len() {
        0 if found.busy.is_empty() && !several_days => ", nothing in the way",
        0 => "",
        _ => ", and there is more after that",
    };
    // The days are named one by one; they need no heading.
    if several_days && when.starts_with("on ") {
        return format!("You're free {room}{more}.");
    }
    capital(&format!("{when} you're free {room}{more}."))
}

/// One stretch was named: yes, no, or in part.
fn whether(about: &AboutFree, when: &str, found: &FreeSlots, now: &Zoned) -> String {
    match (found.busy.first(), found.slots.first()) {
        (None, _) if about.clash => format!("No, you're free {when}."),
        (None, _) => format!("Yes, you're free {when}."),
        (Some(busy), None) if about.clash => format!("Yes, you have {}.", taken(busy, now)),
        (Some(busy), None) => format!("No, you have {}.", taken(busy, now)),
        (Some(busy), Some(_)) if about.clash => {
            format!("Yes, in part: you have {}.", taken(busy, now))
        }
        (Some(busy), Some(_)) => {
            let free: Vec<_> = found.slots.iter().take(2).map(|slot| hours(slot, now)).collect();
            format!("Partly. You have {}, and you're free {}.", taken(busy, now), list(&free, 0))
        }
    }
}

fn nothing(about: &AboutFree, when: &str, found: &FreeSlots, now: &Zoned) -> String {
    let wanted = length(found.duration_minutes);
    let head = if about.length_given {
        format!("No room for {wanted} {when}")
    } else {
        capital(&format!("{when} there is no gap of {wanted} or more"))
    };
    match found.busy.first() {
        Some(busy) => format!("{head}. The first thing in the way is {}.", taken(busy, now)),
        // Nothing is in the way: the hours themselves are over, or off.
        None if about.when.as_deref().is_some_and(|when| when.contains("week")) => {
            format!("{head} within your working hours. Ask me about next week, if that helps.")
        }
        None => format!("{head} within your working hours."),
    }
}

/// "Lunch with Tom at 12"
fn taken(event: &Meeting, now: &Zoned) -> String {
    if event.all_day {
        return format!("{} all day", event.title);
    }
    format!("{} at {}", event.title, clock(&local(&event.start, now)))
}

/// "from 9 to 11:30"
fn hours(slot: &DateRange, now: &Zoned) -> String {
    spelling::hours(&local(&slot.start, now), &local(&slot.end, now))
}

fn local(time: &Zoned, now: &Zoned) -> Zoned {
    time.with_time_zone(now.time_zone().clone())
}
