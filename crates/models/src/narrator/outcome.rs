//! How a write ended, in words made from its recorded state and nothing else.
//!
//! A success is only claimed where the state proves one, a failure only where
//! it proves that; in between it is said that nobody knows yet. No model has a
//! hand in these sentences.

use brain::card::Preview;
use brain::confirmation::ConfirmationState;
use brain::{Action, ActionState, Confirmation};
use jiff::{Timestamp, Zoned};
use serde_json::Value;

use super::card::{self, is_safe_aloud};
use super::spelling::{capital, clock, day};

/// What kind of write it is; each is spoken of in its own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mail,
    Event,
    Cancelling,
    Moving,
    Note,
    Forgetting,
    Other,
}

impl Kind {
    fn of(tool: &str) -> Self {
        match tool {
            "gmail.send" => Self::Mail,
            "calendar.create_event" => Self::Event,
            "calendar.cancel_event" => Self::Cancelling,
            "calendar.move_event" => Self::Moving,
            "memory.write" => Self::Note,
            "memory.forget" => Self::Forgetting,
            _ => Self::Other,
        }
    }

    /// Where it would be found.
    fn place(self) -> &'static str {
        match self {
            Self::Mail => "your mail",
            Self::Event | Self::Cancelling | Self::Moving => "your calendar",
            Self::Note | Self::Forgetting => "my memory",
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
        (S::IntentLogged | S::Dispatching, Kind::Cancelling) => "Cancelling it now.",
        (S::IntentLogged | S::Dispatching, Kind::Moving) => "Moving it now.",
        (S::IntentLogged | S::Dispatching, Kind::Note) => "Noting it now.",
        (S::IntentLogged | S::Dispatching, Kind::Forgetting) => "Letting it go now.",
        (S::IntentLogged | S::Dispatching, Kind::Other) => "Doing it now.",
        (S::Confirmed, Kind::Mail) => "Sent.",
        (S::Confirmed, Kind::Event) => "Done, it's on your calendar.",
        (S::Confirmed, Kind::Cancelling) => "Cancelled.",
        (S::Confirmed, Kind::Moving) => return moved("Moved", action, now),
        (S::Confirmed, Kind::Note) => "Noted.",
        (S::Confirmed, Kind::Forgetting) => "Forgotten.",
        (S::Confirmed, Kind::Other) => "Done.",
        (S::ReconciledNotDone, Kind::Mail) => "It did not go out, so I'm sending it now.",
        (S::ReconciledNotDone, Kind::Event) => "It did not get there, so I'm adding it now.",
        (S::ReconciledNotDone, Kind::Cancelling) => "It was still there, so I'm cancelling it now.",
        (S::ReconciledNotDone, Kind::Moving) => "It had not moved, so I'm moving it now.",
        (S::ReconciledNotDone, Kind::Note) => "It was not kept, so I'm noting it now.",
        (S::ReconciledNotDone, Kind::Forgetting) => "It was still there, so I'm letting it go now.",
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

/// The one write of a turn in which there were others, or whose card was shown
/// a while ago: "it" alone would not say which.
pub fn of_one(action: &Action, now: &Zoned) -> String {
    let called = name(action);
    let to = called.strip_prefix("the mail ").or_else(|| called.strip_prefix("the reply "));
    match (action.state, to) {
        (ActionState::Confirmed, Some(to)) => format!("Sent {to}."),
        _ if Kind::of(&action.tool) == Kind::Other => tell(action, now),
        _ => named(action, now),
    }
}

/// Somebody asks what became of it: from the card and the write as they are
/// recorded. `action` is there once the card was accepted.
pub fn asked(card: &Confirmation, action: Option<&Action>, now: &Zoned) -> String {
    use ConfirmationState as C;
    let preview = &card.card.preview;
    let called = card::called(preview);
    let called = if is_safe_aloud(&called) { called.as_str() } else { "that" };
    let not = not_there(called, Kind::of(&card.tool));
    let not = not.trim_end_matches('.');
    match (card.state, action) {
        (C::Accepted, Some(action)) if action.state == ActionState::Confirmed => {
            done_at(action, Kind::of(&action.tool), now)
        }
        (C::Accepted, Some(action)) => named(action, now),
        // A yes and its write are one commit.
        (C::Accepted, None) => {
            format!("I can't find out {}.", whether(Kind::of(&card.tool), called))
        }
        (C::Pending | C::Superseded, _) => {
            format!("Not yet: {called} waits for your answer.")
        }
        (C::Rejected, _) => match preview {
            Preview::Email(email) if email.has_draft => {
                format!("{not}: you turned it down, so it stayed a draft.")
            }
            _ => format!("{not}: you turned it down."),
        },
        (C::Expired, _) => format!("{not}: no answer came, so I put it aside."),
    }
}

/// Told when people have talked of other things meanwhile: each by its name.
pub fn later(actions: &[&Action], now: &Zoned) -> String {
    match actions {
        [] => "Nothing was waiting.".to_owned(),
        all => all.iter().map(|action| named(action, now)).collect::<Vec<_>>().join(" "),
    }
}

/// What was done some time ago, told by whoever did it.
pub fn by_me(action: &Action, now: &Zoned) -> String {
    let called = name(action);
    match Kind::of(&action.tool) {
        Kind::Mail => format!("I sent {called}."),
        Kind::Event => format!("I put {called} on your calendar."),
        Kind::Cancelling => format!("I cancelled {called}."),
        Kind::Moving => moved(&format!("I moved {called}"), action, now),
        Kind::Note => format!("I kept {called}."),
        Kind::Forgetting => format!("I forgot {called}."),
        Kind::Other => named(action, now),
    }
}

/// After a no.
pub fn rejected(preview: &Preview) -> String {
    match preview {
        Preview::Email(email) if email.has_draft => "Okay, left it as a draft.",
        Preview::Email(_) => "Okay, I won't send it.",
        Preview::Event(event) if event.cancels() => "Okay, it stays.",
        Preview::Event(event) if event.change.is_some() => "Okay, I left it where it was.",
        Preview::Event(_) => "Okay, I won't add it.",
        Preview::Memory(memory) if memory.forgets && !memory.also.is_empty() => {
            "Okay, I still have them."
        }
        Preview::Memory(memory) if memory.forgets => "Okay, I still have it.",
        Preview::Memory(_) => "Okay, I won't keep it.",
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

/// What a write that was never shown would have been.
pub fn unshown(tool: &str, args: &Value) -> String {
    match (Kind::of(tool), args["title"].as_str()) {
        (Kind::Event, Some(title)) => title.to_owned(),
        (Kind::Event, None) | (Kind::Cancelling | Kind::Moving, _) => "the event".to_owned(),
        (Kind::Mail, _) => "the mail".to_owned(),
        (Kind::Note | Kind::Forgetting, _) => "the memory".to_owned(),
        (Kind::Other, _) => "the rest".to_owned(),
    }
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
        (S::Dispatching, Kind::Cancelling) => "Too late, it is already going.".to_owned(),
        (S::Dispatching, Kind::Moving) => "Too late, it is already being moved.".to_owned(),
        (S::Dispatching, Kind::Note) => "Too late, it is already being noted.".to_owned(),
        (S::Dispatching, Kind::Forgetting) => "Too late, it is already going.".to_owned(),
        (S::Dispatching, Kind::Other) => "Too late, it is already under way.".to_owned(),
        (S::Confirmed | S::ReconciledDone, Kind::Note) => {
            format!("Too late. {} Say “forget that” to let it go.", named(action, now))
        }
        (S::Confirmed | S::ReconciledDone, Kind::Event) => {
            let told = named(action, now);
            format!("Too late. {told} Say “cancel {}” to take it off.", name(action))
        }
        (S::Confirmed | S::ReconciledDone, _) => format!("Too late. {}", named(action, now)),
        (S::MaybeSent | S::NeedsUser, _) => {
            format!("It may be too late for that. {}", named(action, now))
        }
        (S::FailedClean | S::ReconciledNotDone, _) => {
            format!("There is nothing to stop. {}", not_there(name(action), kind))
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
        Kind::Moving => "move it twice",
        Kind::Note => "note it twice",
        Kind::Cancelling | Kind::Forgetting | Kind::Other => "do it twice",
    };
    match action.state {
        S::IntentLogged | S::Dispatching => match kind {
            Kind::Mail => format!("{} is going out now.", capital(called)),
            Kind::Event => format!("I'm adding {called} now."),
            Kind::Cancelling => format!("I'm cancelling {called} now."),
            Kind::Moving => format!("I'm moving {called} now."),
            Kind::Note => format!("I'm keeping {called} now."),
            Kind::Forgetting => format!("I'm letting go of {called} now."),
            Kind::Other => format!("I'm at {called} now."),
        },
        S::Confirmed => done(action, kind, now),
        S::FailedClean => {
            let code = action.error.as_ref().map_or("", |error| error.code.as_str());
            let not = not_there(called, kind);
            match (kind, code) {
                (Kind::Forgetting, "not_found") => {
                    return format!("{} was gone already.", capital(called));
                }
                (Kind::Cancelling, "not_found") => {
                    return format!("{}: it was gone already.", not.trim_end_matches('.'));
                }
                (Kind::Moving, "not_found") => {
                    return format!(
                        "{}: it is gone from your calendar.",
                        not.trim_end_matches('.')
                    );
                }
                _ => {}
            }
            format!("{}: {}.", not.trim_end_matches('.'), reason(code, kind.place()))
        }
        S::MaybeSent => {
            format!("I can't tell yet {}. I'm checking, and I won't {once}.", whether(kind, called))
        }
        S::ReconciledDone => reconciled(action, kind, called, now),
        S::ReconciledNotDone => format!("{} I'm at it again.", not_there(called, kind)),
        S::NeedsUser => {
            let look = match kind {
                Kind::Mail => "Please look in your Sent folder",
                Kind::Event | Kind::Cancelling | Kind::Moving => "Please look there",
                Kind::Note | Kind::Forgetting => "Please ask me what I know",
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

fn done(action: &Action, kind: Kind, now: &Zoned) -> String {
    let called = capital(name(action));
    match kind {
        Kind::Mail => format!("{called} went out."),
        Kind::Event => format!("{called} is on your calendar."),
        Kind::Cancelling => format!("{called} is cancelled."),
        Kind::Moving => moved(&format!("{called} is moved"), action, now),
        Kind::Note => format!("{called} is kept."),
        Kind::Forgetting => format!("{called} is forgotten."),
        Kind::Other => format!("{called} is done."),
    }
}

/// "Moved to Friday at noon.", where it is on record to when.
fn moved(lead: &str, action: &Action, now: &Zoned) -> String {
    let at = |field: &str| {
        let time = action.result.as_ref()?.get(field)?.as_str()?.parse::<Zoned>().ok()?;
        Some(time.with_time_zone(now.time_zone().clone()))
    };
    let Some(start) = at("start") else { return format!("{lead}.") };
    let whole = at("end").is_some_and(|end| card::is_whole_days(&start, &end));
    let when = if whole { day(start.date(), now.date()) } else { card::moment(&start, now) };
    format!("{lead} to {}.", when.trim_start_matches("on "))
}

/// With the time: who asks wants to know more than "it did".
fn done_at(action: &Action, kind: Kind, now: &Zoned) -> String {
    let done = done(action, kind, now);
    match (provider_time(action, now), kind) {
        (Some(at), Kind::Mail) => format!("{} at {at}.", done.trim_end_matches('.')),
        _ => done,
    }
}

/// When it happened, where the provider told it.
fn provider_time(action: &Action, now: &Zoned) -> Option<String> {
    let result = action.result.as_ref()?;
    let time = result.get("sent_at").or_else(|| result.get("created_at"))?;
    let at = time.as_str()?.parse::<Timestamp>().ok()?;
    Some(clock(&at.to_zoned(now.time_zone().clone())))
}

/// Found out afterwards, with the time where the provider told it.
fn reconciled(action: &Action, kind: Kind, called: &str, now: &Zoned) -> String {
    let at = provider_time(action, now).map(|at| format!(", at {at}")).unwrap_or_default();
    let called = capital(called);
    match kind {
        Kind::Mail => format!("{called} did go out{at}."),
        Kind::Event => format!("{called} is on your calendar after all{at}."),
        Kind::Cancelling => format!("{called} was cancelled after all{at}."),
        Kind::Moving => format!("{called} was moved after all{at}."),
        Kind::Note => format!("{called} was kept after all{at}."),
        Kind::Forgetting => format!("{called} was forgotten after all{at}."),
        Kind::Other => format!("{called} was done after all{at}."),
    }
}

fn not_there(called: &str, kind: Kind) -> String {
    let called = capital(called);
    match kind {
        Kind::Mail => format!("{called} did not go out."),
        Kind::Event => format!("{called} did not get into your calendar."),
        Kind::Cancelling => format!("{called} was not cancelled."),
        Kind::Moving => format!("{called} was not moved."),
        Kind::Note => format!("{called} was not kept."),
        Kind::Forgetting => format!("{called} was not forgotten."),
        Kind::Other => format!("{called} did not happen."),
    }
}

fn whether(kind: Kind, called: &str) -> String {
    match kind {
        Kind::Mail => format!("whether {called} went out"),
        Kind::Event => format!("whether {called} is on your calendar"),
        Kind::Cancelling => format!("whether {called} was cancelled"),
        Kind::Moving => format!("whether {called} was moved"),
        Kind::Note => format!("whether {called} was kept"),
        Kind::Forgetting => format!("whether {called} was forgotten"),
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
        "memory_paused" => "memory is paused in this chat".to_owned(),
        "rate_limit" => "that was a lot in a minute; ask me again shortly".to_owned(),
        "changed" => "it was changed elsewhere in the meantime".to_owned(),
        _ => "something went wrong before it began".to_owned(),
    }
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
