//! The sample keeps its promises on any day, in any zone, at any hour.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use jiff::civil::{Weekday, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan};

use super::*;
use crate::local::{Entry, Mail, When};

const ZONES: [&str; 3] = ["America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata"];

/// Fourteen days, each early, at work and late, in three zones.
static MONTHS: LazyLock<Vec<(Zoned, Delivery)>> = LazyLock::new(|| {
    let poured = |now: &Zoned| delivery(now).unwrap_or_else(|error| panic!("{now}: {error}"));
    moments().into_iter().map(|now| (now.clone(), poured(&now))).collect()
});

fn moments() -> Vec<Zoned> {
    let first = date(2026, 11, 15);
    let clocks = [(0, 3), (10, 30), (23, 58)];
    let mut moments = Vec::new();
    for day in 0..14 {
        for zone in ZONES {
            for (hour, minute) in clocks {
                let at = first.checked_add(day.days()).unwrap().at(hour, minute, 0, 0);
                moments.push(at.to_zoned(TimeZone::get(zone).unwrap()).unwrap());
            }
        }
    }
    moments
}

fn days(entry: &Entry, zone: &TimeZone) -> jiff::civil::Date {
    match &entry.when {
        When::Timed { start, .. } => start.with_time_zone(zone.clone()).date(),
        When::AllDay { first, .. } => *first,
    }
}

fn has_label(mail: &Mail, label: &str) -> bool {
    mail.labels.iter().any(|mine| mine == label)
}

#[test]
fn it_is_as_large_as_promised() {
    let Delivery { mails, entries, contacts, .. } = &MONTHS[0].1;
    let threads: BTreeSet<_> = mails.iter().map(|mail| &mail.thread_id).collect();
    let count = |test: fn(&Mail) -> bool| mails.iter().filter(|mail| test(mail)).count();

    assert!((58..=70).contains(&mails.len()), "{} mails", mails.len());
    assert!((30..=38).contains(&threads.len()), "{} threads", threads.len());
    assert!((37..=44).contains(&entries.len()), "{} events", entries.len());
    assert_eq!(contacts.len(), 16);
    assert_eq!(count(|mail| has_label(mail, "drafts")), 3);
    assert_eq!(count(|mail| mail.unread), 9);
    assert!(count(|mail| has_label(mail, "sent")) >= 10);
    assert!(count(|mail| has_label(mail, "newsletters")) >= 2);
}

#[test]
fn ids_are_unique_and_every_address_is_made_up() {
    let Delivery { mails, entries, contacts, .. } = &MONTHS[0].1;
    let ids: BTreeSet<_> = mails.iter().map(|mail| &mail.id).collect();
    assert_eq!(ids.len(), mails.len());
    let ids: BTreeSet<_> = entries.iter().map(|entry| &entry.id).collect();
    assert_eq!(ids.len(), entries.len());

    let people = mails.iter().flat_map(|m| m.to.iter().chain(&m.cc).chain([&m.from]));
    let people = people.chain(entries.iter().flat_map(|entry| &entry.attendees));
    let addresses = people.map(|person| &person.address).chain(contacts.iter().map(|c| &c.address));
    for address in addresses {
        assert!(address.ends_with(".example"), "{address}");
    }
}

#[test]
fn threads_hang_together_on_any_day() {
    for (now, month) in MONTHS.iter() {
        let mut threads: BTreeMap<&str, Vec<&Mail>> = BTreeMap::new();
        for mail in &month.mails {
            threads.entry(&mail.thread_id).or_default().push(mail);
        }
        for thread in threads.values() {
            let subject = &thread[0].subject;
            assert!(!subject.starts_with("Re:"), "{subject}");
            for pair in thread.windows(2) {
                assert_eq!(pair[1].subject, format!("Re: {subject}"));
                assert!(pair[0].sent_at < pair[1].sent_at, "{} at {now}", pair[1].id);
            }
        }
    }
}

#[test]
fn no_mail_is_from_the_future_or_from_nobody() {
    let me = owner().address.unwrap();
    for (now, month) in MONTHS.iter() {
        for mail in &month.mails {
            assert!(mail.sent_at < now.timestamp(), "{} at {now}", mail.id);
            assert!(!mail.body.is_empty() && !mail.body.contains(['{', '}']), "{}", mail.id);
            let sent_or_draft = has_label(mail, "sent") || has_label(mail, "drafts");
            assert_eq!(mail.from.address == me, sent_or_draft, "{}", mail.id);
            let everybody = mail.to.iter().chain(&mail.cc).chain([&mail.from]);
            assert!(everybody.into_iter().any(|p| p.address == me), "{} reaches Maya", mail.id);
        }
    }
}

#[test]
fn priya_nair_has_written_lately_and_waits_to_be_read() {
    for (now, month) in MONTHS.iter() {
        let lately = now.timestamp() - SignedDuration::from_hours(72);
        let waiting = month.mails.iter().filter(|mail| {
            mail.unread
                && mail.sent_at > lately
                && mail.from.address == "priya.nair@brightloom.example"
        });
        assert!(waiting.count() >= 2, "{now}");
    }
}

#[test]
fn today_has_something_and_tomorrow_at_least_two() {
    for (now, Delivery { entries, .. }) in MONTHS.iter() {
        let on = |ahead: i64| {
            let day = now.date().checked_add(ahead.days()).unwrap();
            entries.iter().filter(|entry| days(entry, now.time_zone()) == day).count()
        };
        assert!(on(0) >= 1, "{now}");
        assert!(on(1) >= 2, "{now}");
    }
}

#[test]
fn colleagues_do_not_meet_for_work_on_weekends() {
    let private = ["easy-run", "pub-quiz", "long-run", "bib-pickup", "half-marathon"];
    for (now, month) in MONTHS.iter() {
        for entry in &month.entries {
            let colleagues = entry.attendees.iter().any(|p| p.address.contains("@brightloom."));
            let for_fun = private.iter().any(|id| entry.id.starts_with(id));
            if colleagues && !for_fun {
                let day = days(entry, now.time_zone()).weekday();
                assert!(!matches!(day, Weekday::Saturday | Weekday::Sunday), "{} {now}", entry.id);
            }
        }
    }
}

#[test]
fn exactly_two_events_get_in_each_others_way() {
    for (now, Delivery { entries, .. }) in MONTHS.iter() {
        let timed: Vec<_> = entries
            .iter()
            .filter_map(|entry| match &entry.when {
                When::Timed { start, end } => Some((entry.id.as_str(), start, end)),
                When::AllDay { .. } => None,
            })
            .collect();
        let mut colliding = Vec::new();
        for (n, (one, start, end)) in timed.iter().enumerate() {
            for (other, other_start, other_end) in &timed[n + 1..] {
                if start < other_end && other_start < end {
                    colliding.push((*one, *other));
                }
            }
        }
        assert_eq!(colliding, [("budget-walkthrough", "packaging-signoff")], "{now}");
    }
}

#[test]
fn one_event_is_in_another_zone_and_two_last_all_day() {
    let entries = &MONTHS[0].1.entries;
    let abroad = entries.iter().filter(|entry| match &entry.when {
        When::Timed { start, .. } => start.time_zone().iana_name() == Some("Europe/Berlin"),
        When::AllDay { .. } => false,
    });
    assert_eq!(abroad.count(), 1);
    let whole: Vec<_> = entries.iter().filter(|e| matches!(e.when, When::AllDay { .. })).collect();
    let busy: Vec<_> = whole.iter().map(|entry| (entry.id.as_str(), entry.busy)).collect();
    assert_eq!(busy, [("ingrid-birthday", false), ("founders-day", true)]);
}

#[tokio::test]
async fn pouring_twice_changes_nothing_and_pours_for_one_person_only() {
    let store = Personal::in_memory().unwrap();
    let now = &moments()[4];
    let [maya, other] = [1, 2].map(|n| format!("user_{n:032x}").parse::<UserId>().unwrap());

    let first = pour(&store, maya, now).await.unwrap();
    let second = pour(&store, maya, now).await.unwrap();

    assert_eq!(first.contacts, 16);
    assert_eq!(second, Poured::default());
    assert_eq!(store.contacts(maya).await.unwrap().len(), 16);
    assert_eq!(store.contacts(other).await.unwrap(), []);
    assert_eq!(pour(&store, other, now).await.unwrap(), first);
}

#[test]
fn the_owner_is_a_person_with_a_good_profile() {
    assert_eq!(owner().check(), Ok(()));
    assert_eq!(owner().name.as_deref(), Some("Maya Lindqvist"));
}
