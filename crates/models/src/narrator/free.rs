//! Free time in words.

use brain::facts::{DateRange, FreeSlots, Meeting};
use jiff::Zoned;

use super::spelling::{capital, clock, day, length, list};
use crate::World;
use crate::gist::AboutFree;

pub fn tell(about: &AboutFree, found: &FreeSlots, world: &World) -> String {
    let now = world.local_now();
    let when = about.when.as_deref().unwrap_or("in the coming week");
    if about.exactly {
        return whether(when, found, &now);
    }
    if found.slots.is_empty() {
        return nothing(about, when, found, &now);
    }
    let several_days = found.slots.first().zip(found.slots.last()).is_some_and(|(first, last)| {
        local(&first.start, &now).date() != local(&last.start, &now).date()
    });
    let shown: Vec<_> = found
        .slots
        .iter()
        .take(3)
        .map(|slot| {
            let hours = hours(slot, &now);
            let date = local(&slot.start, &now).date();
            if several_days { format!("{} {hours}", day(date, now.date())) } else { hours }
        })
        .collect();
    let hidden = found.slots.len() - shown.len();
    let room = list(&shown, hidden);
    let open = if found.busy.is_empty() && !several_days { ", nothing in the way" } else { "" };
    capital(&format!("{when} you're free {room}{open}."))
}

/// One stretch was named: yes, no, or in part.
fn whether(when: &str, found: &FreeSlots, now: &Zoned) -> String {
    match (found.busy.first(), found.slots.first()) {
        (None, _) => format!("Yes, you're free {when}."),
        (Some(busy), None) => format!("No, you have {}.", taken(busy, now)),
        (Some(busy), Some(_)) => {
            let free: Vec<_> = found.slots.iter().take(2).map(|slot| hours(slot, now)).collect();
            format!("Partly. You have {}, and you're free {}.", taken(busy, now), list(&free, 0))
        }
    }
}

fn nothing(about: &AboutFree, when: &str, found: &FreeSlots, now: &Zoned) -> String {
    let wanted = length(found.duration_minutes);
    let assumed = if about.length_given { "" } else { ", which is what I assumed you need" };
    match found.busy.first() {
        Some(busy) => format!(
            "No room for {wanted} {when}{assumed}. The first thing in the way is {}.",
            taken(busy, now)
        ),
        None => format!("No room for {wanted} {when} within your working hours."),
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
    let (start, end) = (local(&slot.start, now), local(&slot.end, now));
    format!("from {} to {}", clock(&start), clock(&end))
}

fn local(time: &Zoned, now: &Zoned) -> Zoned {
    time.with_time_zone(now.time_zone().clone())
}
