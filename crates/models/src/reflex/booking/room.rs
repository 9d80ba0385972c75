//! "If it's free": the calendar is looked at before anything is put on it.

use brain::plan::ProposedStep;
use jiff::{ToSpan, Zoned};
use serde_json::{Value, json};

use crate::World;
use crate::gist::{Chat, Gist};
use crate::narrator::card;
use crate::reflex::{Lookup, Meaning, when};

/// What would be booked, once it is known that there is room for it.
pub(super) fn first(booked: Meaning, world: &World) -> Meaning {
    let Meaning::Look(lookups) = &booked else { return booked };
    let [Lookup { steps, .. }] = lookups.as_slice() else { return booked };
    let Some((start, end)) = steps.first().and_then(|step| stretch(&step.args, world)) else {
        return booked;
    };
    let minutes = end.duration_since(&start).as_mins();
    let args = json!({
        "date_range": when::as_range(&start, &end),
        "duration_minutes": minutes.clamp(5, i64::from(super::LONGEST)),
        "constraints": { "working_hours": false },
    });
    match world.focus.glances.iter().find(|glance| glance.args == args) {
        Some(glance) if glance.found.slots.is_empty() => {
            Meaning::Chat(Chat::Taken(card::moment(&start, &world.local_now())))
        }
        Some(_) => booked,
        None => Meaning::Later {
            lookups: vec![Lookup {
                steps: vec![ProposedStep { tool: "calendar.find_free_slots".into(), args }],
                gist: Gist::Glance,
                acknowledgement: "Checking your calendar.".to_owned(),
            }],
            missing: "condition",
        },
    }
}

fn stretch(args: &Value, world: &World) -> Option<(Zoned, Zoned)> {
    let moment = |name: &str| args[name].as_str().and_then(|text| text.parse::<Zoned>().ok());
    let start = moment("start")?;
    let usual = u64::from(world.profile.default_meeting_minutes);
    let minutes = args["duration_minutes"].as_u64().unwrap_or(usual);
    let end =
        moment("end").or_else(|| start.checked_add(i64::try_from(minutes).ok()?.minutes()).ok())?;
    Some((start, end))
}
