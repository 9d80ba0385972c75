//! An event that is to go or to move, before the question: what it is, what becomes of it, and
//! what does not happen by itself.

use brain::card::{EventChange, EventPreview, Recipient, Stretch};
use brain::resolve::people::Contact;
use jiff::Zoned;

use super::{
    days, has_namesake, hour, is_whole_days, moment, people_among, place_of, short_name, taken,
};
use crate::World;
use crate::narrator::spelling::{day, length};

pub(super) fn changed(event: &EventPreview, change: &EventChange, world: &World) -> String {
    let now = world.local_now();
    let told = match &change.moved_from {
        Some(from) => {
            format!("{} {}.{}", event.title, moves(event, from, &now), taken(event, &now))
        }
        None => {
            format!(
                "{}{}, {}.",
                event.title,
                with(event, &world.contacts),
                when(&event.start, &event.end, &now)
            )
        }
    };
    format!("{told}{}", besides(event, change))
}

/// "moves from 3 to 4 tomorrow", "moves from tomorrow at 3 to Friday at noon"
fn moves(event: &EventPreview, from: &Stretch, now: &Zoned) -> String {
    let local = |time: &Zoned| time.with_time_zone(now.time_zone().clone());
    let (before, after) = (local(&from.start), local(&event.start));
    let bare = |said: String| said.trim_start_matches("on ").to_owned();
    let lasts = from.start.duration_until(&from.end) == event.start.duration_until(&event.end);
    let lasts = if lasts { String::new() } else { format!(", {}", length(event.minutes)) };
    let (old, new) = if is_whole_days(&before, &local(&from.end)) {
        (bare(day(before.date(), now.date())), bare(day(after.date(), now.date())))
    } else if before.date() == after.date() {
        let that_day = day(after.date(), now.date());
        (hour(&before), format!("{} {that_day}", hour(&after)))
    } else {
        (bare(moment(&before, now)), bare(moment(&after, now)))
    };
    format!("moves from {old} to {new}{lasts}")
}

fn when(start: &Zoned, end: &Zoned, now: &Zoned) -> String {
    let local = |time: &Zoned| time.with_time_zone(now.time_zone().clone());
    let (start, end) = (local(start), local(end));
    let said =
        if is_whole_days(&start, &end) { days(&start, &end, now) } else { moment(&start, now) };
    said.trim_start_matches("on ").to_owned()
}

/// Who stands in the title has been named, unless it may be somebody else of that name.
pub(super) fn with(event: &EventPreview, known: &[Contact]) -> String {
    let is_named = |one: &&Recipient| {
        let name = if has_namesake(one, known) { one.called() } else { short_name(one) };
        place_of(name, &event.title).is_some()
    };
    let others: Vec<Recipient> =
        event.attendees.iter().filter(|one| !is_named(one)).cloned().collect();
    if others.is_empty() {
        String::new()
    } else {
        format!(", with {}", people_among(&others, known))
    }
}

fn besides(event: &EventPreview, change: &EventChange) -> String {
    let theirs = change.organizer.as_ref().map(|whose| {
        format!(" It is an invitation from {whose}, so it goes from your calendar alone.")
    });
    let one = change.repeats.then(|| " Only this one; the others stay.".to_owned());
    let told = match event.attendees.as_slice() {
        _ if change.tells_guests => None,
        [] => None,
        [one] => Some(format!(" {} isn't told by this.", short_name(one))),
        [..] => Some(" The guests aren't told by this.".to_owned()),
    };
    theirs.into_iter().chain(one).chain(told).collect()
}
