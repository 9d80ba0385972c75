//! What the earlier parts of a sentence mean for the later ones: what is booked, what
//! is looked through first, and what hangs on it.

use brain::plan::ProposedStep;
use brain::resolve::time::{self, Grain, Lean};
use brain::resolve::words::{Word, words};
use jiff::{ToSpan, Zoned};
use serde_json::json;

use super::{Lookup, Meaning, Part, condition, meaning, same, sentence, when, writes};
use crate::World;
use crate::gist::{AboutAgenda, Chat, Folder, Gist, Want};

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

/// Only one thing is in view at a time: what the next reminder waits for is looked up once
/// the one before it is set.
pub(super) fn one_at_a_time(meaning: Meaning, found: &[Part]) -> Meaning {
    let looks = |part: &Part| matches!(&part.meaning, Meaning::Later { lookups, .. } if !lookups.is_empty());
    match meaning {
        Meaning::Later { missing, .. } if found.iter().any(looks) => {
            Meaning::Later { lookups: Vec::new(), missing }
        }
        meaning => meaning,
    }
}

/// "… and am I free when he's coming": when that is has to be known first.
pub(super) fn waits_for_coming(
    clause: &[Word],
    heard: &str,
    mail_to_come: bool,
    world: &World,
) -> Option<Meaning> {
    let coming = same::coming(clause, heard, world)?;
    let missing = "date_range";
    if mail_to_come {
        return Some(Meaning::Later { lookups: Vec::new(), missing });
    }
    let (first, last) = (&clause[coming.places.start], &clause[coming.places.end - 1]);
    let missed = Meaning::Chat(Chat::Missed(format!("“{}”", &heard[first.start..last.end])));
    let Some(name) = coming.name else { return Some(missed) };
    let now = world.local_now();
    let today = now.start_of_day().unwrap_or_else(|_| now.clone());
    let range = when::as_range(&today, &today.saturating_add(FAR_DAYS.days()));
    let args = json!({ "date_range": range, "query": name, "max_results": 1 });
    if world.focus.list.as_ref().is_some_and(|list| list.step.args == args) {
        return Some(missed);
    }
    let about = AboutAgenda { topic: Some(name), want: Want::Moment, ..AboutAgenda::default() };
    let lookup = Lookup {
        steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
        gist: Gist::Agenda(about),
        acknowledgement: "Checking your calendar.".to_owned(),
    };
    Some(Meaning::Later { lookups: vec![lookup], missing })
}

/// How far one looks for somebody's visit.
const FAR_DAYS: i64 = 60;
