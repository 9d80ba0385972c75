//! Work that goes on while people talk on ends once and is told once.

use std::collections::BTreeMap;

use brain::{CallId, Event, JobState};

use super::Record;
use crate::life::Device;
use crate::parts::Counting;

pub(super) fn judge(record: &Record, devices: &[Device]) -> Vec<String> {
    let mut complaints = Vec::new();
    for job in record.jobs.iter().filter(|job| job.state != JobState::Held) {
        if job.is_open() {
            complaints.push(format!("work: {} is {}, and not told", job.id, job.state.name()));
        }
        let of_call = |event: &Event| match event {
            Event::ToolReturned { call_id, .. } => *call_id == job.call,
            _ => false,
        };
        let returned = record.events.iter().filter(|envelope| of_call(&envelope.event)).count();
        if returned != 1 {
            complaints.push(format!("work: {} came back {returned} times", job.id));
        }
    }
    let done = record.jobs.iter().filter(|job| job.state == JobState::Done).count();
    let says =
        |event: &Event| matches!(event, Event::Said { text } if text.contains(Counting::RESULT));
    let told = record.events.iter().filter(|envelope| says(&envelope.event)).count();
    // Several may be told in one breath.
    let said: usize = record
        .events
        .iter()
        .map(|envelope| match &envelope.event {
            Event::Said { text } => text.matches(Counting::RESULT).count(),
            _ => 0,
        })
        .sum();
    if said != done || told > done {
        complaints.push(format!("work: {done} were done and told {said} times"));
    }
    complaints.extend(devices.iter().flat_map(goes_back));
    complaints
}

/// Progress that went back, as one device saw it.
fn goes_back(device: &Device) -> Vec<String> {
    let mut seen: Vec<_> = device.seen().collect();
    seen.sort_by_key(|envelope| envelope.seq);
    let mut latest: BTreeMap<CallId, f32> = BTreeMap::new();
    let mut complaints = Vec::new();
    for envelope in seen {
        if let Event::ToolProgressed { call_id, progress, .. } = &envelope.event {
            let before = latest.insert(*call_id, *progress).unwrap_or_default();
            if before > *progress {
                complaints.push(format!("work: {call_id} went back from {before} to {progress}"));
            }
        }
    }
    complaints
}
