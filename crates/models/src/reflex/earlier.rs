//! What the earlier parts of a sentence mean for the later ones: what is booked, what
//! is looked through first, and what hangs on it.

use brain::resolve::time::{self, Grain, Lean};
use brain::resolve::words::{Word, words};
use jiff::Zoned;

use super::{Lookup, Meaning, Part, condition, meaning, sentence, writes};
use crate::World;
use crate::gist::{Chat, Folder, Gist};

/// What the sentence puts on the calendar last, and when.
pub(super) fn booked<'a>(found: &'a [Part], world: &World) -> Option<(&'a str, Zoned)> {
    let is_booking =
        |lookup: &&Lookup| matches!(lookup.gist, Gist::Booking { .. } | Gist::Remember { .. });
    let lookup = found.iter().rev().find_map(|part| match &part.meaning {
        Meaning::Look(lookups) => lookups.iter().rev().find(is_booking),
        _ => None,
    })?;
    match &lookup.gist {
        Gist::Booking { what } => {
            let start = lookup.steps.last()?.args.get("start")?.as_str()?.parse().ok()?;
            Some((what, start))
        }
        // "Remember that her birthday is on the 5th and remind me a week before"
        Gist::Remember { what } => {
            let when = time::find(&words(what), &world.local_now(), Lean::Ahead)?;
            let day = when.readings.into_iter().find(|reading| reading.grain == Grain::Day)?;
            let nine = day.range.start.with().hour(9).build().ok()?;
            Some((what, nine))
        }
        _ => None,
    }
}

/// What hangs on something: what can be looked up first, or that nobody waits for it.
pub(super) fn hanging(
    words: &[Word],
    heard: &str,
    before: &mut Vec<Part>,
    world: &World,
) -> Vec<Part> {
    let end = words[words.len() - 1].end;
    let start = words[0].start;
    if let Some(meaning) = condition::looked_up(words, heard, world) {
        // "Check my mail and if Tom wrote": that is the look.
        before.retain(|part| !looks_for_mail(&part.meaning));
        return vec![Part { span: start..end, meaning }];
    }
    let condition = writes::before_the_request(words, heard, world);
    let looked = meaning(condition, heard, world);
    let timed = time::find(condition, &world.local_now(), Lean::Ahead).is_some();
    let tells = looks_for_mail(&looked) || timed && matches!(looked, Meaning::Look(_));
    let looked = tells.then_some(looked);
    let parts = looked.into_iter().chain([Meaning::Chat(Chat::Hangs)]);
    parts.map(|meaning| Part { span: start..end, meaning }).collect()
}

/// Does it look through what others wrote?
pub(super) fn looks_for_mail(meaning: &Meaning) -> bool {
    let Meaning::Look(lookups) = meaning else { return false };
    lookups.iter().any(|lookup| match &lookup.gist {
        Gist::Letters(about) => about.folder == Folder::Received,
        Gist::Letter { .. } => true,
        _ => false,
    })
}

/// "Who is in the design review": whoever that is, "them" are those.
pub(super) fn asks_who_comes(clause: &[Word], meaning: &Meaning) -> bool {
    let Meaning::Look(lookups) = meaning else { return false };
    let who = sentence::bare(clause).first().is_some_and(|first| first.is("who"));
    who && lookups.iter().any(|lookup| matches!(lookup.gist, Gist::Agenda(_)))
}
