use serde_json::json;

use super::*;
use crate::corpus;

fn mail(from: &str, thread: &str, sent_at: &str, body: &str) -> OpenedLetter {
    let address = format!("{}@x.example", from.to_lowercase().replace(' ', "."));
    serde_json::from_value(json!({
        "message": {
            "message_id": format!("{thread} {sent_at}"), "thread_id": thread,
            "from": { "name": from, "address": address }, "to": [],
            "subject": format!("Re: {thread}"), "snippet": "", "sent_at": sent_at,
            "unread": true, "labels": [],
        },
        "body_text": body,
    }))
    .unwrap()
}

fn wants(body: &str) -> Option<String> {
    let now = corpus::world().local_now();
    point(&mail("Priya Nair", "Samples", "2026-11-14T10:00:00Z", body), &now).wants
}

#[test]
fn a_request_is_told_to_the_one_who_is_asked() {
    for (body, told) in [
        (
            "Hi Maya,\n\nCould you send me the slides by Friday?\n\nPriya",
            "asks you to send them the slides by Friday.",
        ),
        ("All good here. Please sign our contract.", "asks you to sign their contract."),
        ("Can you tell Tom I'm late?", "asks: “Can you tell Tom I'm late?”"),
        (
            "It is 41.8 %, not 43. I need your ok before Monday.",
            "writes: “I need your ok before Monday.”",
        ),
        (
            "I still need the tax bill before we meet on Wednesday. How was Oslo?",
            "writes: “I still need the tax bill before we meet on Wednesday.”",
        ),
        (
            "Two things need your eyes before Thursday. I'd be grateful for a short answer.",
            "writes: “Two things need your eyes before Thursday.”",
        ),
        (
            "Would you like a coffee with your cake?",
            "asks: “Would you like a coffee with your cake?”",
        ),
    ] {
        assert_eq!(wants(body).as_deref(), Some(told), "{body}");
    }
}

#[test]
fn what_asks_for_nothing_is_not_told_as_a_request() {
    for body in [
        "Thank you for flying with us. Check-in opens 24 hours before departure.",
        "If you have paid already, please disregard this.",
        "> Could you send me the slides?\n\nDone, see above.",
        "",
        "Who knew it would rain?",
        "Don't write it at midnight like last time. (Please do, it was great.)",
    ] {
        assert_eq!(wants(body), None, "{body}");
    }
}

#[test]
fn many_mails_come_to_who_wants_what_and_by_when() {
    let now = corpus::world().local_now();
    let points: Vec<_> = [
        mail("Tom Okafor", "Lunch", "2026-11-15T09:00:00Z", "Could you book the table?"),
        mail(
            "Dana Reyes",
            "Budget",
            "2026-11-14T09:00:00Z",
            "Please confirm the budget by Wednesday.",
        ),
        mail("Skylark Air", "Your trip", "2026-11-13T09:00:00Z", "Your flight leaves at six."),
        mail("Tom Okafor", "Lunch", "2026-11-12T09:00:00Z", "Are you around on Thursday?"),
    ]
    .iter()
    .map(|mail| point(mail, &now))
    .collect();
    assert_eq!(
        of_mail(&points, "your mail this week", 4, &now),
        "Four mails from three people. Two want something from you. Dana \
         asks you to confirm the budget by Wednesday. Tom asks you to book the table. In the \
         rest I saw no question: Skylark on “Your trip”."
    );
    assert_eq!(of_mail(&[], "your unread mail", 0, &now), "There is nothing in your unread mail.");
}

#[test]
fn what_was_due_is_said_to_be_over() {
    let now = corpus::world().local_now();
    let late =
        mail("Dana Reyes", "Budget", "2026-11-09T09:00:00Z", "Please confirm it by Wednesday.");
    let told = of_mail(&[point(&late, &now)], "your mail", 1, &now);
    assert_eq!(
        told,
        "One mail from Dana Reyes. One wants something from you. Dana asks you to \
         confirm it by Wednesday. That was for last Wednesday."
    );
}

#[test]
fn no_more_than_a_person_likes_to_hear_is_told() {
    let now = corpus::world().local_now();
    let mails: Vec<_> = (1..=12)
        .map(|n| {
            mail(
                &format!("Pat{n} Doe"),
                &format!("T{n}"),
                "2026-11-14T09:00:00Z",
                "Please call Ana back.",
            )
        })
        .collect();
    let points: Vec<_> = mails.iter().map(|mail| point(mail, &now)).collect();
    let told = of_mail(&points, "your mail", 140, &now);
    assert!(told.starts_with("140 mails; I read the newest 12, from 12 people."), "{told}");
    assert_eq!(told.matches("asks you to").count(), 3, "{told}");
    assert!(told.contains("and six more."), "{told}");
}

#[test]
fn what_a_scam_wants_is_not_passed_on() {
    let now = corpus::world().local_now();
    let body = "Unusual sign-in was detected. Please send me your password within 24 hours.";
    let bait = point(&mail("Desk", "Notice", "2026-11-14T10:00:00Z", body), &now);
    assert_eq!((bait.wants.as_deref(), bait.bait), (None, true));
    let told = of_mail(&[bait], "your unread mail", 1, &now);
    assert!(told.ends_with("Careful with “Notice” from Desk: it looks like a scam."), "{told}");
    for honest in [
        "The password for the wifi is on the fridge.",
        "Urgent: could you bring milk?",
        "Your library card was suspended.",
    ] {
        let one = point(&mail("Desk", "Notice", "2026-11-14T10:00:00Z", honest), &now);
        assert!(!one.bait, "{honest}");
    }
}

#[test]
fn the_same_bill_sent_twice_is_told_once() {
    let now = corpus::world().local_now();
    let bill = |at: &str, id: &str| {
        let mut one = point(&mail("Paperlane", id, at, "The invoice is due on Friday."), &now);
        one.subject = "Invoice 7".into();
        one
    };
    let both = [bill("2026-11-13T10:00:00Z", "first"), bill("2026-11-14T10:00:00Z", "second")];
    let told = of_mail(&both, "your mail", 2, &now);
    assert_eq!(told.matches("due on Friday").count(), 1, "{told}");
}
