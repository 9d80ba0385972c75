//! Calendar files as programs write them.

use super::*;

fn file(event: &str) -> String {
    let event = event.trim().replace('\n', "\r\n");
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n{event}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
}

fn one(event: &str) -> Invite {
    read(file(event).as_bytes()).unwrap().events.remove(0)
}

fn at(text: &str) -> DateTime {
    text.parse().unwrap()
}

#[test]
fn an_invitation_is_read_with_its_clock_and_its_people() {
    let invite = one("UID:1\nSUMMARY:Design review\nDTSTART;TZID=Europe/Berlin:20261120T150000\n\
         DTEND;TZID=Europe/Berlin:20261120T160000\nLOCATION:Room 4\n\
         ORGANIZER;CN=Priya Nair:mailto:priya@brightloom.example\n\
         ATTENDEE;CN=Maya:MAILTO:maya@sayso.example\nATTENDEE:mailto:tom@x.example");
    assert_eq!(
        (invite.title.as_str(), invite.zone.as_deref()),
        ("Design review", Some("Europe/Berlin"))
    );
    assert_eq!(
        (invite.start, invite.end),
        (Some(at("2026-11-20T15:00")), Some(at("2026-11-20T16:00")))
    );
    assert_eq!(invite.organizer.unwrap().address, "priya@brightloom.example");
    let people: Vec<_> = invite.attendees.iter().map(|one| one.address.as_str()).collect();
    assert_eq!(people, ["maya@sayso.example", "tom@x.example"]);
    assert_eq!((invite.repeats, invite.all_day, invite.cancelled), (None, false, false));
}

#[test]
fn clocks_are_known_by_any_of_their_names() {
    let zone = |start: &str| {
        let invite = one(&format!("SUMMARY:x\n{start}"));
        (invite.zone, invite.unknown_zone)
    };
    assert_eq!(zone("DTSTART:20261120T150000Z"), (Some("UTC".into()), None));
    assert_eq!(zone("DTSTART:20261120T150000"), (None, None));
    let windows = zone("DTSTART;TZID=Pacific Standard Time:20261120T150000");
    assert_eq!(windows, (Some("America/Los_Angeles".into()), None));
    let nowhere = zone("DTSTART;TZID=Mars/Olympus:20261120T150000");
    assert_eq!(nowhere, (None, Some("Mars/Olympus".into())));
}

#[test]
fn days_lengths_and_repetitions_are_told() {
    let holiday = one("SUMMARY:Holiday\nDTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261226");
    assert!(holiday.all_day);
    assert_eq!(
        (holiday.start, holiday.end),
        (Some(at("2026-12-24T00:00")), Some(at("2026-12-26T00:00")))
    );
    let weekly =
        one("SUMMARY:x\nDTSTART:20261120T150000Z\nDURATION:PT45M\nRRULE:FREQ=WEEKLY;INTERVAL=2");
    assert_eq!(weekly.end, Some(at("2026-11-20T15:45")));
    assert_eq!(weekly.repeats.as_deref(), Some("every two weeks"));
    let off = one("SUMMARY:x\nDTSTART:20261120T150000Z\nSTATUS:CANCELLED");
    assert!(off.cancelled);
}

#[test]
fn a_file_without_an_event_and_a_torn_one_say_so() {
    let none = read(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n").unwrap_err();
    assert_eq!(none, Unreadable::Broken("calendar file", "there is no event in it"));
    let torn = read(b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\n").unwrap_err();
    assert!(matches!(torn, Unreadable::Broken(..)), "{torn}");
}

#[test]
fn parts_within_parts_do_not_go_on_for_ever() {
    let deep = "BEGIN:VEVENT\r\n".repeat(200_000);
    let refused = read(format!("BEGIN:VCALENDAR\r\n{deep}").as_bytes());
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn a_flight_ends_on_the_clock_on_which_it_began() {
    let flight = one("UID:f1\nSUMMARY:KL641\nDTSTART;TZID=Europe/Amsterdam:20261201T130000\n\
         DTEND;TZID=America/New_York:20261201T150000");
    assert_eq!(flight.end, Some(at("2026-12-01T21:00")));
    let pacific = one("UID:f3\nSUMMARY:NH106\nDTSTART;TZID=Asia/Tokyo:20261207T180000\n\
         DTEND;TZID=America/Los_Angeles:20261207T110000");
    assert_eq!(pacific.end, Some(at("2026-12-08T04:00")));
    let utc = one("UID:f4\nSUMMARY:x\nDTSTART;TZID=Europe/Amsterdam:20261201T130000\n\
         DTEND:20261201T130000Z");
    assert_eq!(utc.end, Some(at("2026-12-01T14:00")));
}

#[test]
fn a_file_that_calls_off_is_no_invitation() {
    let file = file("UID:c1\nSUMMARY:Board call\nDTSTART:20261126T190000Z")
        .replace("VERSION:2.0", "VERSION:2.0\r\nMETHOD:CANCEL");
    assert!(read(file.as_bytes()).unwrap().events[0].cancelled);
}

#[test]
fn a_single_date_that_was_moved_is_read_where_it_comes_alone() {
    let moved = "UID:o1\nRECURRENCE-ID:20261126T180000Z\nSUMMARY:Yoga moved\n\
                 DTSTART:20261126T190000Z\nDESCRIPTION:Bring a mat";
    let alone = one(moved);
    assert!(alone.single);
    assert_eq!((alone.title.as_str(), alone.notes.as_deref()), ("Yoga moved", Some("Bring a mat")));
    let series = "UID:o1\nSUMMARY:Yoga\nDTSTART:20261119T180000Z\nRRULE:FREQ=WEEKLY";
    let both = file(&format!("{series}\nEND:VEVENT\nBEGIN:VEVENT\n{moved}"));
    let events = read(both.as_bytes()).unwrap().events;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].title, "Yoga");
}

#[test]
fn how_often_until_when_and_when_not_is_told_of_one_that_comes_again() {
    let repeats = |rule: &str| {
        let event = format!("UID:1\nSUMMARY:Pottery\nDTSTART:20261118T183000\n{rule}");
        one(&event).repeats.unwrap()
    };
    assert_eq!(
        repeats("RRULE:FREQ=WEEKLY;COUNT=8\nEXDATE:20261125T183000"),
        "every week, 8 times in all, but not on November 25, 2026"
    );
    assert_eq!(
        repeats("RRULE:FREQ=DAILY;UNTIL=20270106T000000Z\nEXDATE:20261224,20261225"),
        "every day until January 6, 2027, but not on December 24, 2026 and December 25, 2026"
    );
}
