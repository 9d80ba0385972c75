//! Which part of something on the calendar is asked for: where, who, how long.

use brain::resolve::time::cardinal;

use super::frame::Frame;
use super::vocabulary::{FREE, is_any};
use crate::gist::Detail;

/// Words of these questions; none of them is part of a title.
pub const WORDS: &[&str] = &[
    "late",
    "finish",
    "finished",
    "done",
    "ends",
    "end",
    "ending",
    "over",
    "last",
    "lasts",
    "more",
    "than",
    "least",
    "fewer",
    "less",
    "off",
    "back-to-back",
    "back-to-backs",
    "takes",
    "joining",
    "invited",
    "attendees",
    "attends",
    "clear",
    "nothing",
    "held",
];

/// The part that is asked for; `None` for all of it.
pub fn read(frame: &mut Frame) -> Option<Detail> {
    if let Some(detail) = compared(frame) {
        return Some(detail);
    }
    if asks_if_clear(frame) {
        return Some(Detail::Clear);
    }
    if frame.says(&["back", "to", "back"]) || frame.has(&["back-to-back", "back-to-backs"]) {
        return Some(Detail::BackToBack);
    }
    if frame.says(&["day", "off"]) && frame.starts_with_any(&["when", "what"]) {
        return Some(Detail::DayOff);
    }
    if frame.says(&["how", "long"]) && frame.has(&["until", "till", "til", "before"]) {
        return Some(Detail::Start);
    }
    if frame.says(&["how", "long"]) && !frame.says(&["is", "a"]) {
        return Some(Detail::Length);
    }
    if frame.starts(&["where", "am", "i", "having"])
        || frame.starts(&["where", "is"])
        || frame.starts(&["where", "are"])
    {
        return Some(Detail::Place);
    }
    if asks_who(frame) {
        return Some(Detail::People);
    }
    if is_last(frame) {
        return Some(Detail::Last);
    }
    let asks_when = frame.starts(&["when"]) || frame.starts(&["what", "time"]);
    let ends = frame.has(&[
        "finish", "finished", "done", "end", "ends", "over", "land", "lands", "arrive", "arrives",
    ]);
    // "What time is Leo coming over" asks when he begins.
    let ends = ends && !["coming", "come", "comes"].iter().any(|come| frame.says(&[come, "over"]));
    let late = frame.starts(&["how", "late"]);
    ((asks_when && ends) || late).then_some(Detail::DayEnds)
}

/// "Am I free all day", "is Friday clear".
pub fn asks_if_clear(frame: &Frame) -> bool {
    let asks = frame.starts_with_any(&["is", "am", "are", "do", "will"]);
    let wholly = frame.says(&["all", "day"])
        || frame.says(&["whole", "day"])
        || frame.says(&["entire", "day"])
        || frame.has(&["completely", "totally", "entirely"]);
    let hours = frame
        .reading()
        .is_some_and(|reading| reading.range.end.time() != jiff::civil::Time::midnight());
    asks && !hours
        && (frame.has(&["clear"]) || (wholly && (frame.has(FREE) || frame.has(&["open"]))))
        && frame.when.is_some()
}

/// "More than three", "at least two", "fewer than five".
fn compared(frame: &mut Frame) -> Option<Detail> {
    let (phrase, at): (&[&str], _) =
        [&["more", "than"][..], &["at", "least"], &["fewer", "than"], &["less", "than"]]
            .into_iter()
            .find_map(|phrase| Some((phrase, frame.place_of_phrase(phrase)?)))?;
    let start = at + phrase.len();
    let (number, used) = cardinal(frame.texts.get(start..)?)?;
    let number = usize::try_from(number).ok()?;
    // Lengths are compared elsewhere.
    let unit = frame.texts.get(start + used).copied().unwrap_or("");
    if is_any(unit, &["hour", "hours", "minutes"]) {
        return None;
    }
    frame.take(at..start + used);
    Some(match phrase[0] {
        "more" => Detail::MoreThan(number),
        "at" => Detail::MoreThan(number.checked_sub(1)?),
        _ => Detail::FewerThan(number),
    })
}

fn asks_who(frame: &Frame) -> bool {
    let comes = ["in", "at", "on", "coming", "attending", "invited", "joining", "going"];
    let comes_to =
        matches!(frame.texts.as_slice(), ["who", "is" | "else", next, ..] if is_any(next, &comes));
    let meets = matches!(
        frame.texts.as_slice(),
        ["who", "am" | "do" | "will", "i", ..] | ["who", "are" | "do", "we", ..]
    );
    comes_to || meets || frame.starts(&["who", "attends"])
}

/// "My last meeting tomorrow", but not "when did I last meet Tom".
fn is_last(frame: &Frame) -> bool {
    let back = frame.says(&["did", "i"]) || frame.has(&["was", "were"]);
    let Some(at) = frame.place_of(&["last", "final"]) else { return false };
    let nouns = ["meeting", "appointment", "event", "thing", "call", "one"];
    !back
        && frame.when.is_some()
        && frame.texts.get(at + 1).is_some_and(|text| is_any(text, &nouns))
}
