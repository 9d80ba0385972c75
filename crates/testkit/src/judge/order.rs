//! Events come in an order that the diagram allows, and everybody sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use brain::{Envelope, Event, TurnId, TurnState};

use super::Record;
use crate::life::{Connection, Device};
use crate::page::Page;

/// Every turn follows the diagram and has ended.
pub(super) fn turns(record: &Record) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut turns: BTreeMap<TurnId, Vec<&Envelope>> = BTreeMap::new();
    for envelope in &record.events {
        match envelope.turn_id {
            Some(turn) => turns.entry(turn).or_default().push(envelope),
            None => complaints.push(format!("order: {} of no turn", envelope.event.name())),
        }
    }
    for (turn, events) in turns {
        complaints.extend(walks(&events).map(|problem| format!("order: {turn}: {problem}")));
        let ends = events.iter().filter(|envelope| {
            matches!(envelope.event, Event::TurnEnded { .. } | Event::TurnCancelled { .. })
        });
        let ends = ends.count();
        let row = record.turns.get(&turn);
        if ends != 1 || row.is_none_or(|row| row.ended_at.is_none()) {
            complaints.push(format!("order: {turn} ended {ends} times"));
        }
    }
    complaints
}

/// Where the kept events of a turn cannot come from; the changes of state in
/// between are not kept, so every state that they could be in is followed.
fn walks(events: &[&Envelope]) -> Option<String> {
    let mut states = BTreeSet::from([TurnState::Idle.name()]);
    for envelope in events {
        let from = reachable(&states);
        let next = |state: TurnState| state.next(&envelope.event).ok();
        let after: BTreeSet<_> =
            from.iter().filter_map(|state| next(*state)).map(TurnState::name).collect();
        if after.is_empty() {
            return Some(format!("{} cannot happen while {states:?}", envelope.event.name()));
        }
        states = after;
    }
    None
}

/// What these states may have become without a kept event.
fn reachable(states: &BTreeSet<&'static str>) -> Vec<TurnState> {
    let passing = [
        (TurnState::FinalizingInput, TurnState::Thinking),
        (TurnState::Thinking, TurnState::ExecutingTools),
        (TurnState::Thinking, TurnState::Speaking),
        (TurnState::ExecutingTools, TurnState::Speaking),
    ];
    let mut reached: Vec<_> =
        TurnState::ALL.into_iter().filter(|state| states.contains(state.name())).collect();
    for (from, to) in passing {
        if reached.contains(&from) && !reached.contains(&to) {
            reached.push(to);
        }
    }
    reached
}

/// Numbers only go up.
pub(super) fn numbers(events: &[Envelope]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut last_of: BTreeMap<TurnId, u64> = BTreeMap::new();
    for pair in events.windows(2) {
        let place = |envelope: &Envelope| (envelope.seq, envelope.epoch);
        if pair[0].seq >= pair[1].seq || pair[0].epoch > pair[1].epoch {
            complaints.push(format!("numbers: {:?} then {:?}", place(&pair[0]), place(&pair[1])));
        }
    }
    for envelope in events {
        let (Some(turn), Some(number)) = (envelope.turn_id, envelope.turn_seq) else { continue };
        if last_of.insert(turn, number).is_some_and(|last| last >= number) {
            complaints.push(format!("numbers: {turn} went back to {number}"));
        }
    }
    complaints
}

/// What devices saw is what is on record.
pub(super) fn devices(events: &[Envelope], devices: &[Device]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, device) in (1..).zip(devices) {
        for (nth, connection) in (1..).zip(&device.connections) {
            let is_last = nth == device.connections.len();
            if let Some(problem) = differs(events, connection, is_last) {
                complaints.push(format!("seen: device {number}, connection {nth}: {problem}"));
            }
        }
        let (shows, kept) = (page(device).shown(), Page::of(events).shown());
        if shows != kept {
            complaints.push(format!("seen: device {number} shows {shows:?}\n      not {kept:?}"));
        }
    }
    complaints
}

/// What stands on its screen in the end. A number that it came back behind had
/// been forgotten with everything that followed.
fn page(device: &Device) -> Page {
    let mut remembered: Vec<Arc<Envelope>> = Vec::new();
    for connection in &device.connections {
        remembered.retain(|one| one.seq.is_none_or(|seq| seq <= connection.after));
        remembered.extend(connection.seen());
    }
    Page::of(remembered.iter().map(|one| &**one))
}

fn differs(events: &[Envelope], connection: &Connection, is_last: bool) -> Option<String> {
    let seen = connection.seen();
    let numbered: Vec<_> = seen.iter().filter_map(|envelope| envelope.seq).collect();
    if numbered.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Some(format!("numbers went back: {numbered:?}"));
    }
    let kept = |envelope: &Envelope| envelope.event.is_kept() && envelope.seq.is_some();
    let came: Vec<_> = seen.iter().filter(|envelope| kept(envelope)).map(|one| &**one).collect();
    let until = if is_last { Some(u64::MAX) } else { came.last().and_then(|last| last.seq) };
    let behind = events.iter().filter(|envelope| envelope.seq > Some(connection.after));
    let there: Vec<_> = behind.filter(|envelope| envelope.seq <= until).collect();
    if came == there {
        return None;
    }
    let names = |events: &[&Envelope]| {
        let one =
            |event: &&Envelope| format!("{} {}", event.seq.unwrap_or_default(), event.event.name());
        events.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    Some(format!("came: {}\n      there: {}", names(&came), names(&there)))
}
