//! What a session remembers of itself when it wakes up.

use std::collections::HashMap;

use brain::{Envelope, Event, TurnId};
use models::{Done, Focus};

/// Recent events that are looked through; a list that people still point at is
/// among them.
pub(crate) const RECENT: u32 = 100;

/// What people can point at, from what tools brought lately.
pub(crate) fn focus(recent: &[Envelope]) -> Focus {
    let mut focus = Focus::default();
    let mut names = HashMap::new();
    let mut turn: Option<TurnId> = None;
    let mut done: Vec<Done> = Vec::new();
    for envelope in recent {
        if envelope.turn_id != turn {
            focus.note(&std::mem::take(&mut done));
            turn = envelope.turn_id;
        }
        match &envelope.event {
            Event::ToolRequested { call_id, tool_name, .. } => {
                names.insert(*call_id, tool_name.clone());
            }
            Event::ToolReturned { call_id, output, error: None, .. } => {
                if let Some(tool) = names.remove(call_id) {
                    done.push(Done { tool, result: Ok(output.clone()) });
                }
            }
            _ => {}
        }
    }
    focus.note(&done);
    focus
}
