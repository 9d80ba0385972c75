//! A day that is named without its week, for a card of a later one.

use brain::card::EventPreview;
use brain::resolve::time::{self, Grain, Reading};
use brain::resolve::words::Word;
use jiff::civil::Date;
use jiff::{ToSpan, Zoned};

use crate::narrator::card::hour;
use crate::narrator::spelling::day;
use crate::reflex::vocabulary::is_any;

/// The Monday of the week that the card is for, where that is a later one and just the
/// name of a day was said: "Wednesday", of a card for next Tuesday, is the day after it.
pub fn week_of(said: &[Word], event: &EventPreview, now: &Zoned) -> Option<Date> {
    const WHICH: &[&str] = &["next", "this", "last", "coming", "following", "week", "weeks", "the"];
    let named = said.iter().any(|word| time::weekday_named(&word.text, true).is_some());
    let dated = said.iter().any(|word| is_any(&word.text, WHICH));
    let card = monday(event.start.with_time_zone(now.time_zone().clone()).date());
    (named && !dated && card > monday(now.date())).then_some(card)
}

fn monday(date: Date) -> Date {
    let behind = i64::from(date.weekday().to_monday_zero_offset());
    date.saturating_sub(behind.days())
}

/// The same day of the week and the same hour, in the week of this Monday.
pub fn in_week(time: &Zoned, week: Date, now: &Zoned) -> Option<Zoned> {
    let local = time.with_time_zone(now.time_zone().clone());
    let behind = i64::from(local.date().weekday().to_monday_zero_offset());
    let date = week.checked_add(behind.days()).ok()?;
    let moved = local.with().date(date).build().ok()?;
    Some(moved.with_time_zone(time.time_zone().clone()))
}

/// A day that is not in this week is said with its date.
pub fn dated(reading: &Reading, start: &Zoned, now: &Zoned) -> String {
    let local = start.with_time_zone(now.time_zone().clone());
    let day = day(local.date(), now.date());
    let day = day.trim_start_matches("on ");
    match reading.grain {
        Grain::Day => day.to_owned(),
        _ => format!("{day} at {}", hour(&local)),
    }
}

#[cfg(test)]
mod tests {
    use brain::card::{EventPreview, Preview};

    use super::super::super::tests::{check, lunch};

    fn next_tuesday() -> Preview {
        let Preview::Event(event) = lunch() else { unreachable!("lunch is an event") };
        let at = |hour: &str| {
            let time = format!("2026-11-24T{hour}:00-08:00[America/Los_Angeles]");
            time.parse().expect("a time")
        };
        Preview::Event(Box::new(EventPreview { start: at("10:00"), end: at("10:30"), ..*event }))
    }

    #[test]
    fn a_day_without_its_week_is_in_the_week_of_the_card() {
        check(
            &[next_tuesday()],
            &[
                ("make it wednesday", "revise start=25T10:00 end=25T10:30"),
                ("no, make it wed, same time", "revise start=25T10:00 end=25T10:30"),
                ("monday at 4", "revise start=23T16:00 end=23T16:30"),
                ("make it this wednesday", "revise start=18T10:00 end=18T10:30"),
            ],
        );
        check(&[lunch()], &[("make it friday", "revise start=20T12:00 end=20T12:30")]);
    }
}
