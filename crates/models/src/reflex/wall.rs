//! What a clock and a wall calendar answer: "is it Monday", "the date tomorrow".

use brain::resolve::time::{Grain, city, impossible, weekday_named};
use jiff::ToSpan;
use jiff::civil::Date;

use super::frame::Frame;
use super::vocabulary::is_any;
use crate::gist::{Chat, Wall};

pub fn read(frame: &Frame) -> Option<Chat> {
    if let Some(what) = impossible(frame.words(), &frame.now) {
        return Some(Chat::Wall(Wall::NoSuch(what)));
    }
    clock_elsewhere(frame).or_else(|| is_it(frame)).or_else(|| date_of(frame))
}

fn clock_elsewhere(frame: &Frame) -> Option<Chat> {
    let asked: &[&[&str]] = &[
        &["what", "time", "is", "it", "in"],
        &["what", "time", "it", "is", "in"],
        &["what", "is", "the", "time", "in"],
        &["what", "is", "the", "current", "time", "in"],
    ];
    let place = asked.iter().find_map(|asked| frame.texts.strip_prefix(*asked))?;
    let place = place.strip_suffix(&["right", "now"]).unwrap_or(place);
    let place = place.strip_suffix(&["now"]).unwrap_or(place);
    Some(match city(place) {
        Some((zone, used)) if used == place.len() => Chat::Wall(Wall::ClockIn(zone)),
        _ => Chat::Missed(format!("the time in {}", place.join(" "))),
    })
}

/// "Is it Monday", "is tomorrow Tuesday".
fn is_it(frame: &Frame) -> Option<Chat> {
    let rest = frame.texts.strip_prefix(&["is"])?;
    let (subject, rest) = rest.split_first()?;
    let today = frame.now.date();
    let date = match *subject {
        "it" | "today" => today,
        "tomorrow" => today.saturating_add(1.day()),
        _ => return None,
    };
    let filler = ["a", "already", "today", "still", "really", "yet", "now"];
    let mut names = rest.iter().filter(|text| !is_any(text, &filler));
    let asked = names.next().and_then(|name| weekday_named(name, true));
    let Some(asked) = asked else { return is_date(frame, date) };
    let alone = names.next().is_none();
    alone.then(|| Chat::Wall(Wall::IsIt { date, right: date.weekday() == asked }))
}

/// "Is it the 15th"
fn is_date(frame: &Frame, date: Date) -> Option<Chat> {
    let reading = frame.reading().filter(|reading| reading.grain == Grain::Day)?;
    let only = (2..frame.texts.len()).all(|at| frame.is_taken(at));
    let right = reading.range.start.date() == date;
    only.then_some(Chat::Wall(Wall::IsIt { date, right }))
}

/// "What's the date tomorrow", "what day is the 24th".
fn date_of(frame: &Frame) -> Option<Chat> {
    let reading = frame.reading()?;
    let asks = frame.starts_with_any(&["what", "which"]) && frame.has(&["date", "day", "weekday"]);
    let others = [
        "what", "which", "is", "the", "date", "day", "weekday", "of", "it", "on", "does", "fall",
        "will", "be", "was", "a", "week",
    ];
    let only = (0..frame.texts.len())
        .filter(|&at| !frame.is_taken(at))
        .all(|at| is_any(frame.texts[at], &others));
    (asks && only).then(|| Chat::Wall(Wall::DateOf(reading.range.start.date())))
}

#[cfg(test)]
mod tests {
    use crate::{corpus, narrator, reflex};

    /// What is proposed for a sentence, or else what is said to it.
    fn answer(sentence: &str) -> String {
        let world = corpus::world();
        let understood = reflex::read(sentence, &world);
        if let Some(step) = understood.proposal.steps.first() {
            return format!("{} {}", step.tool, step.args);
        }
        let question = understood.question.clone();
        question.unwrap_or_else(|| narrator::tell(&understood, &[], &world))
    }

    #[test]
    fn what_repeats_is_not_booked_on_one_day() {
        let once = |said: &str| {
            format!("I can only do one day at a time, not {said}. Which day do you mean?")
        };
        assert_eq!(answer("book yoga every friday at 3pm"), once("every Friday"));
        assert_eq!(answer("schedule a weekly sync with tom friday at 3pm"), once("weekly"));
        assert_eq!(answer("put stand-up on my calendar each weekday at 9"), once("each weekday"));
        assert_eq!(answer("what do i have every friday"), once("every Friday"));
        let lunch = answer("block 30 minutes for lunch every day next week");
        assert_eq!(lunch, once("every day"));
        assert!(answer("book the weekly report friday at 3pm").contains("create_event"));
        assert!(answer("what's on every day this week").contains("2026-11-09"));
    }

    #[test]
    fn a_day_there_is_none_of_is_not_booked_on_another() {
        let none =
            |because: &str| format!("There is no such day: {because}. Which one do you mean?");
        let leap = "2027 has no February 29";
        assert_eq!(answer("book lunch on february 29 at noon"), none(leap));
        assert_eq!(answer("book lunch on the 32nd at noon"), none("no month has 32 days"));
        let tuesday = none("November 17 is a Tuesday");
        assert_eq!(answer("book lunch monday the 17th at noon"), tuesday);
        assert_eq!(
            answer("book lunch yesterday at noon"),
            "That can't be: yesterday at 12 has passed. Which time do you mean?"
        );
    }

    #[test]
    fn a_length_in_a_part_of_the_day_is_not_the_whole_of_it() {
        let asked = answer("block 2 hours thursday morning for writing");
        assert!(asked.contains("find_free_slots") && asked.contains(":120"), "{asked}");
        let booked = answer("book a 1h call with tom tomorrow at 3pm");
        assert!(booked.contains("\"duration_minutes\":60"), "{booked}");
        assert!(booked.contains("2026-11-16T15:00"), "{booked}");
        let asked = answer("book a call with tom tomorrow after 3pm");
        assert!(asked.contains("find_free_slots") && asked.contains("2026-11-16T15:00"), "{asked}");
        let narrowed = answer("book a call with tom tomorrow after 3pm at 4pm");
        assert!(narrowed.contains("2026-11-16T16:00"), "{narrowed}");
        let whole = answer("block the whole day friday for writing");
        assert!(
            whole.contains("2026-11-20T00:00") && whole.contains("2026-11-21T00:00"),
            "{whole}"
        );
    }
}
