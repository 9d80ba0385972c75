//! What has become of the calendar, for whoever says "move it to Friday" next.

use brain::facts::{Booked, Cancelled, Meeting, Moved};
use brain::plan::ProposedStep;

use super::{Focus, shown};
use crate::Done;

impl Focus {
    /// What was written after a yes: what was put on the calendar or moved is "it", and what
    /// is gone is nothing to point at.
    pub fn note_written(&mut self, done: &[Done]) {
        for step in done {
            match step.tool.as_str() {
                "calendar.create_event" => {
                    let Some(booked) = shown::<Booked>(step) else { continue };
                    let Booked { event_id, title, start, end, attendees } = booked;
                    let all_day = false;
                    self.booked = Some(Meeting {
                        event_id,
                        title,
                        start,
                        end,
                        all_day,
                        attendees,
                        location: None,
                        conflicts_with: Vec::new(),
                        organizer: None,
                        repeats: false,
                    });
                }
                "calendar.move_event" => {
                    let Some(moved) = shown::<Moved>(step) else { continue };
                    self.note_moved(moved);
                }
                "calendar.cancel_event" => {
                    let Some(gone) = shown::<Cancelled>(step) else { continue };
                    let stays = |one: &Meeting| one.event_id != gone.event_id;
                    self.meetings =
                        self.meetings.iter().filter(|one| stays(one)).cloned().collect();
                    self.meeting = self.meeting.take().filter(|one| stays(one));
                    self.booked = self.booked.take().filter(|one| stays(one));
                }
                // Something else was done since: "undo that" would be about it.
                _ => self.booked = None,
            }
        }
    }

    /// What is to be changed is what is spoken of, whatever the answer will be.
    pub(super) fn speak_of_event(&mut self, steps: &[ProposedStep]) {
        let Some(id) = steps.iter().find_map(|step| step.args["event_id"].as_str()) else { return };
        let spotted = self.spotted.iter().flat_map(|spotted| &spotted.found.events);
        let mut known = spotted.chain(self.meetings.iter()).chain(&self.booked);
        if let Some(meeting) = known.find(|one| one.event_id == id).cloned() {
            self.booked = Some(meeting);
        }
    }

    fn note_moved(&mut self, moved: Moved) {
        let Moved { event_id, title, start, end, attendees, .. } = moved;
        let known = self.meetings.iter().chain(&self.booked).find(|one| one.event_id == event_id);
        let known = known.cloned();
        let meeting = Meeting {
            all_day: known.as_ref().is_some_and(|one| one.all_day),
            repeats: known.as_ref().is_some_and(|one| one.repeats),
            location: known.and_then(|one| one.location),
            conflicts_with: Vec::new(),
            organizer: None,
            event_id,
            title,
            start,
            end,
            attendees,
        };
        let is = |one: &Meeting| one.event_id == meeting.event_id;
        let there = |one: &Meeting| if is(one) { meeting.clone() } else { one.clone() };
        self.meetings = self.meetings.iter().map(there).collect();
        self.meeting = self.meeting.take().map(|one| there(&one));
        self.booked = Some(meeting);
    }
}
