//! The rest of a list, three at a time.

use brain::facts::{Agenda, Letters, Meeting};
use jiff::Zoned;

use super::letters::{self, thread_item, with_whole_names};
use super::spelling::{capital, list, moment};
use crate::gist::{AboutLetters, Gist};
use crate::{Done, World};

const NO_MORE: &str = "That was all of them.";

pub fn letters(about: &AboutLetters, found: &Letters, skip: usize, world: &World) -> String {
    let now = world.local_now();
    let threads = letters::threads(&found.messages);
    let Some(left) = threads.get(skip..).filter(|left| !left.is_empty()) else {
        return NO_MORE.to_owned();
    };
    let shown = left.len().min(3);
    let named = with_whole_names(about, &left[..shown]);
    let items: Vec<_> = left[..shown].iter().map(|it| thread_item(&named, it, &now)).collect();
    let told: usize = threads[..skip + shown].iter().map(Vec::len).sum();
    let hidden = (found.total as usize).max(found.messages.len()) - told;
    format!("{}.", capital(&list(&items, hidden)))
}

pub fn agenda(found: &Agenda, skip: usize, world: &World) -> String {
    let now = world.local_now();
    let (left, untold) = ahead(found, &now);
    let skip = skip.saturating_sub(untold);
    let Some(left) = left.get(skip..).filter(|left| !left.is_empty()) else {
        return NO_MORE.to_owned();
    };
    let item = |event: &&Meeting| {
        let start = event.start.with_time_zone(now.time_zone().clone());
        if event.all_day {
            let day = super::spelling::day(start.date(), now.date());
            return format!("{} all day {day}", event.title);
        }
        format!("{} {}", event.title, moment(&start, &now))
    };
    let items: Vec<_> = left.iter().take(3).map(item).collect();
    let unseen = (found.total as usize).saturating_sub(found.events.len());
    format!("{}.", capital(&list(&items, left.len() - items.len() + unseen)))
}

/// What is still to come, or everything where the time named is over. Of a
/// day that is all behind, only the last was told, so the first three are not.
fn ahead<'a>(found: &'a Agenda, now: &Zoned) -> (Vec<&'a Meeting>, usize) {
    let all = found.events.iter();
    let ahead: Vec<_> = all.clone().filter(|event| event.end > *now).collect();
    if found.date_range.end <= *now {
        return (all.collect(), 0);
    }
    match (ahead.is_empty(), found.events.as_slice()) {
        (true, [earlier @ .., _]) => (earlier.iter().collect(), 3),
        _ => (ahead, 0),
    }
}

/// How to hear the rest of a long list. Said once.
pub fn offer(gist: &Gist, done: &[Done], world: &World) -> &'static str {
    if world.focus.offered_more {
        return "";
    }
    let value = done.first().and_then(|step| step.result.as_ref().ok());
    let total = value.and_then(|value| value["total"].as_u64()).unwrap_or(0);
    let lists = match gist {
        Gist::Letters(about) => about.want.is_list(),
        Gist::Agenda(about) => about.want.is_list(),
        _ => false,
    };
    if lists && total > 6 { " Say “more” for the rest." } else { "" }
}
