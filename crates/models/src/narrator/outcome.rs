//! How a write ended, in words made from its recorded state and nothing else.
//!
//! A success is only claimed where the state proves one, a failure only where
//! it proves that; in between it is said that nobody knows yet. No model has a
//! hand in these sentences.

use brain::card::Preview;
use brain::{Action, ActionState};
use jiff::{Timestamp, Zoned};

use super::card::is_safe_aloud;
use super::spelling::{capital, clock};

/// What kind of write it is; each is spoken of in its own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mail,
    Event,
    Other,
}

impl Kind {
    fn of(tool: &str) -> Self {
        match tool {
            "gmail.send" => Self::Mail,
            "calendar.create_event" => Self::Event,
            _ => Self::Other,
        }
    }

    /// Where it would be found.
    fn place(self) -> &'static str {
        match self {
            Self::Mail => "your mail",
            Self::Event => "your calendar",
            Self::Other => "it",
        }
    }
}

/// The one write of a turn. `now` carries the person's zone.
pub fn tell(action: &Action, now: &Zoned) -> String {
    use ActionState as S;
    let kind = Kind::of(&action.tool);
    let short = match (action.state, kind) {
        (S::IntentLogged | S::Dispatching, Kind::Mail) => "Sending it now.",
        (S::IntentLogged | S::Dispatching, Kind::Event) => "Adding it now.",
        (S::IntentLogged | S::Dispatching, Kind::Other) => "Doing it now.",
        (S::Confirmed, Kind::Mail) => "Sent.",
        (S::Confirmed, Kind::Event) => "Done, it's on your calendar.",
        (S::Confirmed, Kind::Other) => "Done.",
        (S::ReconciledNotDone, Kind::Mail) => "It did not go out, so I'm sending it now.",
        (S::ReconciledNotDone, Kind::Event) => "It did not get there, so I'm adding it now.",
        (S::ReconciledNotDone, Kind::Other) => "It did not happen, so I'm doing it now.",
        (S::ReconciledDone, _) => return reconciled(action, kind, "it", now),
        (S::FailedClean | S::MaybeSent | S::NeedsUser, _) => return named(action, now),
    };
    short.to_owned()
}

/// Several writes of one turn, each by its name and with its own state.
pub fn several(actions: &[&Action], now: &Zoned) -> String {
    match actions {
        [one] => tell(one, now),
        all => later(all, now),
    }
}

/// Told when people have talked of other things meanwhile: each by its name.
pub fn later(actions: &[&Action], now: &Zoned) -> String {
    match actions {
        [] => "Nothing was waiting.".to_owned(),
        all => all.iter().map(|action| named(action, now)).collect::<Vec<_>>().join(" "),
    }
}

/// After a no.
pub fn rejected(preview: &Preview) -> String {
    match preview {
        Preview::Email(email) if email.has_draft => "Okay, left it as a draft.",
        Preview::Email(_) => "Okay, I won't send it.",
        Preview::Event(_) => "Okay, I won't add it.",
        Preview::Lines { .. } => "Okay, I won't do it.",
    }
    .to_owned()
}

/// Nobody answered in time.
pub fn expired(called: &str) -> String {
    format!("No answer came, so I put {called} aside. Ask again if you still want it.")
}

/// A step that was not even begun. `because` is the code of the error, or
/// `not_agreed` where a step that it needs was answered with a no.
pub fn not_run(called: &str, because: &str) -> String {
    format!("I left {called} alone: {}.", reason(because, "it"))
}

/// "Cancel!", when it has begun.
pub fn too_late(action: &Action, now: &Zoned) -> String {
    use ActionState as S;
    let kind = Kind::of(&action.tool);
    match (action.state, kind) {
        (S::IntentLogged, _) => {
            format!("I can't promise to stop {}, it is about to begin.", name(action))
        }
        (S::Dispatching, Kind::Mail) => "Too late, it is already going out.".to_owned(),
        (S::Dispatching, Kind::Event) => "Too late, it is already being added.".to_owned(),
        (S::Dispatching, Kind::Other) => "Too late, it is already under way.".to_owned(),
        (S::Confirmed | S::ReconciledDone, _) => format!("Too late. {}", named(action, now)),
        (S::MaybeSent | S::NeedsUser, _) => {
            format!("It may be too late for that. {}", named(action, now))
        }
        (S::FailedClean | S::ReconciledNotDone, _) => {
            format!("There is nothing to stop. {}", not_there(action, kind))
        }
    }
}

/// A whole sentence that says which write it is about.
fn named(action: &Action, now: &Zoned) -> String {
    use ActionState as S;
    let kind = Kind::of(&action.tool);
    let called = name(action);
    let once = match kind {
        Kind::Mail => "send it twice",
        Kind::Event => "add it twice",
        Kind::Other => "do it twice",
    };
    match action.state {
        S::IntentLogged | S::Dispatching => match kind {
            Kind::Mail => format!("{} is going out now.", capital(called)),
            Kind::Event => format!("I'm adding {called} now."),
            Kind::Other => format!("I'm at {called} now."),
        },
        S::Confirmed => done(kind, called),
        S::FailedClean => {
            let code = action.error.as_ref().map_or("", |error| error.code.as_str());
            let not = not_there(action, kind);
            format!("{}: {}.", not.trim_end_matches('.'), reason(code, kind.place()))
        }
        S::MaybeSent => {
            format!("I can't tell yet {}. I'm checking, and I won't {once}.", whether(kind, called))
        }
        S::ReconciledDone => reconciled(action, kind, called, now),
        S::ReconciledNotDone => format!("{} I'm at it again.", not_there(action, kind)),
        S::NeedsUser => {
            let look = match kind {
                Kind::Mail => "Please look in your Sent folder",
                Kind::Event => "Please look there",
                Kind::Other => "Please have a look yourself",
            };
            format!(
                "I still can't tell {}. {look}, and ask again only if two of it would be fine.",
                whether(kind, called)
            )
        }
    }
}

/// What it is called, unless that would sound like a yes to another card.
fn name(action: &Action) -> &str {
    if is_safe_aloud(&action.called) { &action.called } else { "that" }
}

fn done(kind: Kind, called: &str) -> String {
    let called = capital(called);
    match kind {
        Kind::Mail => format!("{called} went out."),
        Kind::Event => format!("{called} is on your calendar."),
        Kind::Other => format!("{called} is done."),
    }
}

/// Found out afterwards, with the time where the provider told it.
fn reconciled(action: &Action, kind: Kind, called: &str, now: &Zoned) -> String {
    let at = action.result.as_ref().and_then(|result| {
        let time = result.get("sent_at").or_else(|| result.get("created_at"))?;
        time.as_str()?.parse::<Timestamp>().ok()
    });
    let at = at.map(|at| at.to_zoned(now.time_zone().clone()));
    let at = at.map(|at| format!(", at {}", clock(&at))).unwrap_or_default();
    let called = capital(called);
    match kind {
        Kind::Mail => format!("{called} did go out{at}."),
        Kind::Event => format!("{called} is on your calendar after all{at}."),
        Kind::Other => format!("{called} was done after all{at}."),
    }
}

fn not_there(action: &Action, kind: Kind) -> String {
    let called = capital(name(action));
    match kind {
        Kind::Mail => format!("{called} did not go out."),
        Kind::Event => format!("{called} did not get into your calendar."),
        Kind::Other => format!("{called} did not happen."),
    }
}

fn whether(kind: Kind, called: &str) -> String {
    match kind {
        Kind::Mail => format!("whether {called} went out"),
        Kind::Event => format!("whether {called} is on your calendar"),
        Kind::Other => format!("whether {called} happened"),
    }
}

/// Why not, in plain words. `place` is what could not be reached.
fn reason(code: &str, place: &str) -> String {
    match code {
        "refused" | "rejected_by_provider" => "it was turned down".to_owned(),
        "not_found" => "what it belongs to is gone".to_owned(),
        "writes_paused" => "all changes are paused right now".to_owned(),
        "tool_off" => "that is switched off right now".to_owned(),
        "unknown_recipient" => "I don't know where that address comes from".to_owned(),
        "unreachable" | "not_reached" | "transient" => format!("I couldn't reach {place}"),
        "lapsed" => "your answer had become too old to act on".to_owned(),
        "not_allowed" => "I need your permission for that first".to_owned(),
        "bad_arguments" | "nothing_there" => "something it needs is missing".to_owned(),
        "not_agreed" => "it needs the step before it, and that one was turned down".to_owned(),
        "expired_before" => "it needs the step before it, and nobody answered that one".to_owned(),
        "failed_before" => "it needs the step before it, and that one did not work".to_owned(),
        "unknown_before" => {
            "it needs the step before it, and I can't tell how that one ended".to_owned()
        }
        "changed" => "it was changed elsewhere in the meantime".to_owned(),
        _ => "something went wrong before it began".to_owned(),
    }
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
