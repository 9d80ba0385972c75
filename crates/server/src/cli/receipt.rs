//! What became of a write, in plain words, from what is on record.

use anstyle::Style;
use brain::{ActionState, CallError};

use super::look;

/// A mark with its colour, and the words.
pub fn words(
    tool: &str,
    state: ActionState,
    error: Option<&CallError>,
) -> (Style, &'static str, String) {
    let (done, not_done, whether) = match tool {
        "gmail.send" => ("sent", "not sent", "it went out"),
        "calendar.create_event" => {
            ("on the calendar", "not on the calendar", "it is on the calendar")
        }
        "calendar.cancel_event" => ("cancelled", "not cancelled", "it was cancelled"),
        "calendar.move_event" => ("moved", "not moved", "it was moved"),
        "memory.write" => ("noted", "not noted", "it was noted"),
        "memory.forget" => ("forgotten", "not forgotten", "it was forgotten"),
        _ => ("done", "not done", "it was done"),
    };
    let because = error.map(|error| format!(": {}", error.message)).unwrap_or_default();
    match state {
        ActionState::Confirmed | ActionState::ReconciledDone => (look::GOOD, "✓", done.to_owned()),
        ActionState::FailedClean | ActionState::ReconciledNotDone => {
            (look::TROUBLE, "✗", format!("{not_done}{because}"))
        }
        ActionState::MaybeSent | ActionState::IntentLogged | ActionState::Dispatching => (
            look::DOUBT,
            "?",
            format!("not known yet whether {whether}; checking, and not trying again meanwhile"),
        ),
        ActionState::NeedsUser => {
            (look::DOUBT, "?", format!("nobody can tell whether {whether}; please look yourself"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_proven_is_claimed() {
        for state in ActionState::ALL {
            let (_, mark, text) = words("gmail.send", state, None);
            assert_eq!(text == "sent" && mark == "✓", state.is_done(), "{state:?}: {text}");
            let says_not = text.starts_with("not sent");
            assert!(!says_not || state.is_not_done(), "{state:?}: {text}");
        }
    }
}
