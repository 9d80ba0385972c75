//! What any clock and wall calendar could tell.

use brain::resolve::time::{Impossible, month_name, name_of};
use jiff::Zoned;
use jiff::civil::Date;

use super::spelling::{capital, day, full_clock};
use crate::gist::Wall;

pub fn tell(wall: &Wall, now: &Zoned) -> String {
    match wall {
        Wall::DateOf(date) => {
            let near = match (*date - now.date()).get_days() {
                -1..=1 => capital(&day(*date, now.date())),
                _ => "That".to_owned(),
            };
            format!("{near} is {}.", spelled(*date))
        }
        Wall::IsIt { date, right } => {
            let near = day(*date, now.date());
            let yes = if *right { "Yes" } else { "No" };
            format!("{yes}, {near} is {}.", spelled(*date))
        }
        Wall::ClockIn(zone) => {
            let there = now.with_time_zone(zone.zone.clone());
            let place = zone.city.as_deref().unwrap_or(&zone.name);
            let date = if there.date() == now.date() {
                String::new()
            } else {
                format!(", {}", day(there.date(), now.date()))
            };
            format!("It's {} in {place}{date}.", full_clock(&there))
        }
        Wall::NoSuch(Impossible::Day { because }) => {
            format!("There is no such day: {because}. Which one do you mean?")
        }
        Wall::NoSuch(Impossible::Time { because }) => {
            format!("That can't be: {because}. Which time do you mean?")
        }
        Wall::NoSuch(Impossible::Repeats { said }) => {
            format!("I can only do one day at a time, not {said}. Which day do you mean?")
        }
    }
}

/// "Monday, November 16"
pub fn spelled(date: Date) -> String {
    format!("{}, {} {}", name_of(date.weekday()), month_name(date.month()), date.day())
}
