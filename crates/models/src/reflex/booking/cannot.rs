//! A time that cannot be: where it stood, and what of it still holds when a
//! better one is said.

use brain::resolve::time::{self, Lean, month_name, ordinal};
use brain::resolve::words::{Word, words};

use super::cannot_be;
use crate::World;
use crate::focus::{Awaited, Missing};
use crate::reflex::follow::{is_of_the_clock, names_no_day};
use crate::reflex::vocabulary::is_any;

/// The most words that are one such time: "on the thirtieth of february".
const LONGEST: usize = 6;

/// Stands before a time and goes with it.
const BEFORE: &[&str] = &["on", "at", "by", "from", "the"];

/// The request with a hole where the impossible time stood.
pub fn awaits_better(heard: &str, request: &[Word], world: &World) -> Awaited {
    let end = request.last().map_or(heard.len(), |last| last.end);
    let hole = place(request, world).map_or(end..end, |(first, last)| {
        let lead = request[..first].iter().rev();
        let lead = lead.take_while(|word| is_any(&word.text, BEFORE) && !word.quoted).count();
        request[first - lead].start..request[last].end
    });
    let after = heard[hole.end..].trim_end_matches(['.', '?', '!', ' ']);
    Awaited {
        what: Missing::Time,
        before: heard[..hole.start].trim_end().to_owned(),
        after: after.to_owned(),
        day: None,
        instead_of: Some(heard[hole].to_owned()),
    }
}

/// The same for a time that has passed.
pub fn instead_of(awaited: Awaited) -> Awaited {
    Awaited { day: None, instead_of: awaited.day.clone(), ..awaited }
}

/// The fewest words that cannot be, without which the rest can.
fn place(request: &[Word], world: &World) -> Option<(usize, usize)> {
    let is_it = |first: usize, last: usize| {
        let rest: Vec<Word> =
            request[..first].iter().chain(&request[last + 1..]).cloned().collect();
        cannot_be(&request[first..=last], world).is_some() && cannot_be(&rest, world).is_none()
    };
    (1..=LONGEST.min(request.len())).find_map(|length| {
        let mut starts = 0..=request.len() - length;
        let first = starts.find(|&first| is_it(first, first + length - 1))?;
        Some((first, first + length - 1))
    })
}

/// The better time with what the first one said and it does not: "the 28th",
/// of February; "tomorrow", at three.
pub fn completed(better: &str, instead_of: &str, world: &World) -> String {
    let (said, first) = (words(better), words(instead_of));
    let texts: Vec<&str> = said.iter().map(|word| word.text.as_str()).collect();
    let day = (0..texts.len()).find(|&at| ordinal(&texts[at..]).is_some());
    let month = first.iter().find(|word| is_month(&word.text));
    let mut better = better.to_owned();
    if let (Some(day), Some(month)) = (day, month)
        && !said.iter().any(|word| is_month(&word.text))
        && texts[..day].iter().all(|text| is_any(text, BEFORE))
    {
        better = format!("on {} {}", month.text, &better[said[day].start..]);
    }
    let now = world.local_now();
    let is_hour = |word: &Word| {
        let alone = [Word { start: 0, end: 0, ..word.clone() }];
        is_of_the_clock(&word.text)
            && (names_no_day(&alone) && time::cardinal(&[&word.text]).is_some()
                || time::find(&alone, &now, Lean::Ahead).is_some()
                || word.text.starts_with(|c: char| c.is_ascii_digit()))
    };
    let has_hour = said.iter().any(is_hour);
    let clock = first.iter().position(is_hour).filter(|_| !has_hour);
    if let Some(clock) = clock {
        let from = clock - usize::from(clock > 0 && first[clock - 1].is("at"));
        let end = first[clock..].iter().take_while(|word| is_of_the_clock(&word.text)).count();
        let kept = &instead_of[first[from].start..first[clock + end - 1].end];
        let at = if first[from].is("at") || is_any(&first[from].text, BEFORE) { "" } else { "at " };
        better = format!("{better} {at}{kept}");
    }
    better
}

fn is_month(text: &str) -> bool {
    let named = |month: i8| {
        let name = month_name(month).to_lowercase();
        name == text || text.len() == 3 && name.starts_with(text)
    };
    (1..=12).any(named)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{corpus, reflex};

    /// Where the second sentence leads, after the first one could not be.
    fn better(first: &str, second: &str) -> serde_json::Value {
        let mut world = corpus::world();
        world.focus.wait_for_answer(&reflex::read("schedule a meeting with lena", &world));
        world.focus.wait_for_answer(&reflex::read(first, &world));
        let read = reflex::read(second, &world);
        let step = read.proposal.steps.first();
        assert!(step.is_some_and(|step| step.tool == "calendar.create_event"), "{read:?}");
        read.proposal.steps[0].args.clone()
    }

    #[test]
    fn a_better_time_completes_the_request_that_could_not_be() {
        let cases = [
            ("book a meeting with tom yesterday at 3", "tomorrow at 4", "2026-11-16T16:00"),
            ("book a meeting with tom yesterday at 3", "i meant tomorrow", "2026-11-16T15:00"),
            ("book a meeting with tom yesterday at 3", "9", "2026-11-16T09:00"),
            ("book a meeting with tom on february 30th at noon", "the 28th", "2027-02-28T12:00"),
            ("book a meeting with tom every friday at 10", "just this friday", "2026-11-20T10:00"),
        ];
        for (first, second, start) in cases {
            let booked = better(first, second);
            let told = format!("{start}:00-08:00[America/Los_Angeles]");
            assert_eq!(booked["start"], json!(told), "{first}, {second}");
            assert_eq!(booked["title"], json!("Meeting with Tom"), "{first}, {second}");
        }
    }

    #[test]
    fn an_older_question_is_over_when_a_newer_one_is_asked() {
        let mut world = corpus::world();
        world.focus.wait_for_answer(&reflex::read("tell sam i'm late", &world));
        assert!(!world.focus.asked.is_empty());
        for said in ["book a meeting with tom yesterday at 3", "what's on on february 30th"] {
            let mut world = world.clone();
            world.focus.wait_for_answer(&reflex::read(said, &world));
            assert!(world.focus.asked.is_empty() && world.focus.set_aside.is_empty(), "{said}");
        }
    }
}
