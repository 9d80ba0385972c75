//! "Gym on Monday, Wednesday and Friday at 7": one event a day.
//!
//! Each is said by itself, so that each has its own card. What comes round every week is
//! another matter, and so is a row of days that somebody is told of.

use brain::resolve::time::{self, Lean, weekday_named};
use brain::resolve::words::Word;
use jiff::ToSpan;

use super::vocabulary::is_any;
use super::writes::{self, Kind};
use crate::World;

/// Nobody books more at once.
const MOST: usize = 5;
/// Before a row of days these make something else of it.
const NOT_EACH: &[&str] = &["between", "from", "every", "each", "either", "until", "till"];

/// The sentence with each of them said by itself, where an event is for several days.
pub fn spelled_out(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let (first, days) = (0..said.len()).find_map(|at| Some((at, row(said, at)?)))?;
    let last = *days.last()?;
    if first > 0 && is_any(&said[first - 1].text, NOT_EACH) || days.len() > MOST {
        return None;
    }
    let part = writes::parts(said, heard, world).into_iter().find(|part| {
        let (start, end) = (part.words[0].start, part.words[part.words.len() - 1].end);
        part.kind == Kind::Event && start <= said[first].start && said[last].end <= end
    })?;
    let (start, end) = (part.words[0].start, part.words[part.words.len() - 1].end);
    let (head, tail) = (&heard[start..said[first].start], &heard[said[last].end..end]);
    // "Mon and Tue", said on a Tuesday, is that Monday and the day behind it.
    let now = world.local_now();
    let start_day = time::find(&said[first..=first], &now, Lean::Ahead)?;
    let start_day = start_day.readings.first()?.range.start.date();
    let on = if head.trim_end().ends_with(" on") { "" } else { "on " };
    let each = days.iter().map(|&day| {
        let behind = if day == first { 0 } else { days_behind(said, first, day)? };
        let date = start_day.checked_add(behind.days()).ok()?;
        let name = match behind {
            0 => heard[said[day].start..said[day].end].to_owned(),
            _ => format!("{on}{date}"),
        };
        Some(format!("{head}{name}{tail}"))
    });
    let each = each.collect::<Option<Vec<_>>>()?.join(", and ");
    Some(format!("{}{each}{}", &heard[..start], &heard[end..]))
}

/// How many days lie between the first and this one.
fn days_behind(said: &[Word], first: usize, day: usize) -> Option<i64> {
    let of = |at: usize| weekday_named(&said[at].text, true);
    Some(i64::from(of(first)?.until(of(day)?)))
}

/// The places of the days that stand here in a row, if there are two at least.
fn row(said: &[Word], at: usize) -> Option<Vec<usize>> {
    let day = |at: usize| {
        let word = said.get(at).filter(|word| !word.quoted)?;
        weekday_named(&word.text, true)
    };
    let is_day = |at: usize| day(at).is_some();
    let mut days = Vec::new();
    let mut next = at;
    while is_day(next) {
        days.push(next);
        let parted = said[next].stop.is_some_and(|stop| stop != ',');
        let and = said.get(next + 1).is_some_and(|word| is_any(&word.text, &["and", "plus"]));
        next += 1 + usize::from(and);
        if parted {
            break;
        }
    }
    let twice = (1..days.len()).any(|at| days[..at].iter().any(|&one| day(one) == day(days[at])));
    (days.len() > 1 && !twice).then_some(days)
}

#[cfg(test)]
mod tests {
    use brain::resolve::words::words;

    use super::*;
    use crate::corpus;

    fn meant(heard: &str) -> Option<String> {
        spelled_out(heard, &words(heard), &corpus::world())
    }

    #[test]
    fn an_event_for_several_days_is_one_for_each() {
        for (heard, plain) in [
            (
                "put gym on mon wed and fri at 7am",
                "put gym on mon at 7am, and put gym on 2026-11-18 at 7am, and put gym on 2026-11-20 at 7am",
            ),
            (
                "book yoga Monday and Thursday at 6 pm for an hour",
                "book yoga Monday at 6 pm for an hour, and book yoga on 2026-11-19 at 6 pm for an hour",
            ),
        ] {
            assert_eq!(meant(heard).as_deref(), Some(plain), "{heard}");
        }
    }

    #[test]
    fn what_is_asked_told_or_comes_round_stays_as_it_is() {
        for heard in [
            "am i free on monday and wednesday",
            "tell ana i'm away on monday and tuesday",
            "put gym on my calendar every monday and wednesday at 7am",
            "book a room between monday and wednesday",
            "book lunch with tom on monday and dinner with ana on wednesday",
        ] {
            assert_eq!(meant(heard), None, "{heard}");
        }
    }
}
