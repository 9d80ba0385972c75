//! What is said while an event is to go, or to be at another time.

use brain::card::{EventChange, Preview, Stretch};

use super::tests::{check, lunch, mail, outline, to};

fn changing(moved_from: Option<Stretch>) -> Preview {
    let Preview::Event(mut event) = lunch() else { panic!("lunch is an event") };
    let (repeats, organizer, tells_guests) = (false, None, false);
    event.change = Some(EventChange { moved_from, repeats, organizer, tells_guests });
    Preview::Event(event)
}

fn cancels() -> Preview {
    changing(None)
}

/// From Monday at noon to Thursday at noon.
fn moves() -> Preview {
    let at = |time: &str| format!("2026-11-16T{time}[America/Los_Angeles]").parse().unwrap();
    changing(Some(Stretch { start: at("12:00"), end: at("12:30") }))
}

#[test]
fn cancel_is_no_answer_to_whether_it_should_be_cancelled() {
    check(
        &[cancels()],
        &[
            ("yes", "accept 0"),
            ("yes, cancel it", "accept 0"),
            ("yes please, cancel lunch", "accept 0"),
            ("go ahead and delete it", "accept 0"),
            ("cancel", "hold"),
            ("cancel it", "hold"),
            ("just cancel that", "hold"),
            ("cancel lunch", "hold"),
            ("keep it", "reject 0"),
            ("no, keep it", "reject 0"),
            ("no", "reject 0"),
            ("don't cancel it", "reject 0"),
            ("never mind", "reject 0"),
            ("yes, book it", "hold"),
            ("yes, move it", "cannot"),
            ("send it", "hold"),
        ],
    );
    let moved = outline(&to("make it four", &[cancels()]));
    assert_eq!(moved, "cannot");
}

#[test]
fn of_an_event_that_moves_only_the_time_can_be_another_one() {
    check(
        &[moves()],
        &[
            ("yes", "accept 0"),
            ("yes, move it", "accept 0"),
            ("no", "reject 0"),
            ("leave it", "reject 0"),
            ("make it four", "revise start=19T16:00 end=19T16:30"),
            ("friday instead", "revise start=20T12:00 end=20T12:30"),
            ("make it an hour", "revise end=19T13:00"),
            ("yes, cancel it", "hold"),
            ("yes, book it", "hold"),
        ],
    );
    for said in ["call it brunch", "add ana", "without tom"] {
        let reply = outline(&to(said, &[moves()]));
        assert_eq!(reply, "cannot", "{said}");
    }
}

#[test]
fn cancel_is_a_no_to_anything_else_that_is_asked() {
    for said in ["cancel", "cancel it", "cancel that", "cancel that one"] {
        assert_eq!(outline(&to(said, &[mail()])), "reject 0", "{said}");
        assert_eq!(outline(&to(said, &[lunch()])), "reject 0", "{said}");
    }
    for said in ["cancel lunch", "cancel the lunch with tom", "cancel the meeting"] {
        assert_eq!(outline(&to(said, &[lunch()])), "reject 0", "{said}");
    }
    for said in ["cancel the design review", "cancel my dentist appointment"] {
        assert_eq!(outline(&to(said, &[lunch()])), "other", "{said}");
    }
}
