//! Questions about what was just shown of the calendar: "who is in the first one?"

use brain::facts::Meeting;
use brain::plan::ProposedStep;
use brain::resolve::time::ordinal;
use jiff::ToSpan;
use serde_json::json;

use super::frame::Frame;
use super::vocabulary::{MAIL, is_any};
use super::{Lookup, Meaning, Question, when};
use crate::focus::Unclear;
use crate::gist::{AboutAgenda, Chat, Detail, Gist, Want};

/// How many of a list were told.
const TOLD: usize = 3;
/// How far "and after that" looks.
const SOON_DAYS: i64 = 14;

/// A question about something shown; `None` when it is about anything else.
pub fn read(frame: &Frame) -> Option<Meaning> {
    let shown = &frame.world.focus.meetings;
    if shown.is_empty() || frame.when.is_some() || frame.has(MAIL) {
        return None;
    }
    if asks_on(frame) {
        return Some(after(frame, shown));
    }
    let (place, span) = pointed(frame, shown)?;
    let detail = detail(frame, span.clone())?;
    // Letters are pointed at with the same words.
    if detail == Detail::Whole && !frame.world.focus.letters.is_empty() {
        return None;
    }
    match place {
        Some(place) => Some(Meaning::Chat(match shown.get(place) {
            Some(meeting) => Chat::Shown(Box::new(meeting.clone()), detail),
            None => Chat::Missed(frame.texts[span].join(" ")),
        })),
        None => Some(Meaning::Ask(Question {
            about: Unclear::Event,
            lead: None,
            span: frame.span(span),
            choices: shown
                .iter()
                .take(TOLD)
                .map(|meeting| (meeting.title.clone(), meeting.title.clone()))
                .collect(),
        })),
    }
}

/// "And after that?"
fn asks_on(frame: &Frame) -> bool {
    let asked: &[&[&str]] = &[
        &["after", "that"],
        &["what", "is", "after", "that"],
        &["what", "comes", "after", "that"],
        &["what", "do", "i", "have", "after", "that"],
        &["what", "then"],
        &["then", "what"],
        &["what", "else"],
        &["what", "is", "next", "after", "that"],
        &["what", "is", "the", "rest"],
        &["the", "rest"],
        &["and", "the", "rest"],
        &["what", "are", "the", "others"],
    ];
    asked.contains(&frame.texts.as_slice())
}

/// What was counted but not told, or else what comes next on the calendar.
fn after(frame: &Frame, shown: &[Meeting]) -> Meaning {
    let told = frame.world.focus.meeting.as_ref();
    let told = told.and_then(|told| shown.iter().position(|meeting| meeting == told));
    if let Some(next) = told.and_then(|place| shown.get(place + 1)) {
        return Meaning::Chat(Chat::ShownNext(vec![next.clone()]));
    }
    if told.is_none() && shown.len() > TOLD {
        return Meaning::Chat(Chat::ShownNext(shown[TOLD..].to_vec()));
    }
    let last = shown.iter().map(|meeting| &meeting.end).max();
    let start = last.map_or(frame.now.clone(), |end| end.max(&frame.now).clone());
    let end = start.saturating_add(SOON_DAYS.days());
    let args = json!({ "date_range": when::as_range(&start, &end), "max_results": 1 });
    Meaning::Look(vec![Lookup {
        steps: vec![ProposedStep { tool: "calendar.list_events".into(), args }],
        gist: Gist::Agenda(AboutAgenda { want: Want::One, ..AboutAgenda::default() }),
        acknowledgement: "Checking what comes after that.".to_owned(),
    }])
}

/// Which one, if that is clear, and the words that point.
fn pointed(frame: &Frame, shown: &[Meeting]) -> Option<(Option<usize>, std::ops::Range<usize>)> {
    let texts = &frame.texts;
    let noun = |at: usize| {
        texts.get(at).is_some_and(|text| {
            is_any(text, &["one", "meeting", "event", "thing", "appointment", "item"])
        })
    };
    for at in 0..texts.len() {
        let the = usize::from(texts[at] == "the");
        if let Some((n, used)) = ordinal(&texts[at + the..])
            && (noun(at + the + used) || at + the + used == texts.len())
        {
            let place = usize::try_from(n).ok()?.checked_sub(1)?;
            let end = at + the + used + usize::from(noun(at + the + used));
            return Some((Some(place), at..end));
        }
        if texts.get(at + the) == Some(&"last") && noun(at + the + 1) {
            return Some((shown.len().checked_sub(1), at..at + the + 2));
        }
        if matches!(texts[at], "it" | "that" | "this") {
            let end = at + 1 + usize::from(noun(at + 1));
            let told = frame.world.focus.meeting.as_ref();
            let told = told.and_then(|told| shown.iter().position(|meeting| meeting == told));
            return Some((told.or((shown.len() == 1).then_some(0)), at..end));
        }
    }
    // "Who's invited?" says it without a word for it.
    let comes = ["invited", "coming", "attending", "going"];
    let asks = matches!(texts.as_slice(), ["who", "is", verb] if is_any(verb, &comes));
    let only = || (shown.len() == 1).then_some(0);
    asks.then(only)?.map(|place| (Some(place), texts.len()..texts.len()))
}

/// What is asked of it. Every other word has to be one of the question's.
fn detail(frame: &Frame, pointing: std::ops::Range<usize>) -> Option<Detail> {
    let others: Vec<&str> = (0..frame.texts.len())
        .filter(|at| !pointing.contains(at))
        .map(|at| frame.texts[at])
        .filter(|text| !matches!(*text, "and" | "so" | "exactly" | "again" | "please"))
        .collect();
    Some(match others.as_slice() {
        ["where", "is"] | ["where"] | ["what", "is", "the", "place", "of"] => Detail::Place,
        ["where", "is", "happening" | "held"] | ["where", "does", "take", "place"] => Detail::Place,
        [
            "who",
            "is",
            "in" | "at" | "on" | "coming" | "attending" | "with" | "there" | "invited" | "going",
        ]
        | ["who", "is", "coming" | "invited" | "going", "to"]
        | ["who", "else", "is", "in" | "at" | "on"]
        | ["who", "attends" | "with"]
        | ["who", "is" | "am", "i"]
        | ["with", "whom"] => Detail::People,
        ["how", "long", "is" | "does"]
        | ["how", "long", "does", "take" | "last" | "go"]
        | ["how", "long", "will", "take" | "be"] => Detail::Length,
        ["when", "does", "end" | "finish"]
        | ["what", "time", "does", "end" | "finish"]
        | ["when", "is", "over" | "done"] => Detail::End,
        ["when", "is"] | ["what", "time", "is"] | ["when", "does", "start" | "begin"] => {
            Detail::Start
        }
        ["what", "time", "does", "start" | "begin"] => Detail::Start,
        ["what", "is" | "was"] | ["what", "is", "about"] | ["about"] => Detail::Whole,
        ["what", "about"] | ["tell", "me", "about"] | ["tell", "me", "more", "about"] => {
            Detail::Whole
        }
        // "The second one", alone.
        [] if !matches!(frame.texts[pointing.start], "it" | "that" | "this") => Detail::Whole,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::gist::{Chat, Detail, Gist};
    use crate::{Done, Understanding, World, corpus, reflex};

    fn event(id: &str, title: &str, hour: u8) -> Value {
        let at = |hour| format!("2026-11-16T{hour:02}:00:00-08:00[America/Los_Angeles]");
        json!({ "event_id": id, "title": title, "start": at(hour), "end": at(hour + 1) })
    }

    fn after_showing(events: &[Value]) -> World {
        let mut world = corpus::world();
        let range = json!({
            "start": "2026-11-16T00:00:00-08:00[America/Los_Angeles]",
            "end": "2026-11-17T00:00:00-08:00[America/Los_Angeles]",
        });
        let agenda = json!({ "date_range": range, "events": events, "total": events.len() });
        world.focus.note(&[Done { tool: "calendar.list_events".into(), result: Ok(agenda) }]);
        world
    }

    fn shown(understood: &Understanding) -> Option<(&str, Detail)> {
        match &understood.gist {
            Gist::Chat(Chat::Shown(meeting, detail)) => Some((&meeting.event_id, *detail)),
            _ => None,
        }
    }

    #[test]
    fn what_was_shown_can_be_asked_about() {
        let world = after_showing(&[event("a", "Stand-up", 9), event("b", "Lunch", 12)]);
        let cases = [
            ("who is in the first one?", Some(("a", Detail::People))),
            ("where is the second one", Some(("b", Detail::Place))),
            ("how long is the last one", Some(("b", Detail::Length))),
            ("What's the second one?", Some(("b", Detail::Whole))),
            ("when does the first one end", Some(("a", Detail::End))),
            ("what is the fourth one", None),
        ];
        for (sentence, expected) in cases {
            assert_eq!(shown(&reflex::read(sentence, &world)), expected, "{sentence}");
        }
    }

    #[test]
    fn it_is_the_only_one_or_a_question() {
        let one = after_showing(&[event("a", "Stand-up", 9)]);
        assert_eq!(shown(&reflex::read("where is it", &one)), Some(("a", Detail::Place)));
        assert_eq!(shown(&reflex::read("who's invited?", &one)), Some(("a", Detail::People)));
        let two = after_showing(&[event("a", "Stand-up", 9), event("b", "Lunch", 12)]);
        let asked = reflex::read("where is it", &two);
        assert_eq!(asked.question.as_deref(), Some("Stand-up or Lunch?"));
    }

    #[test]
    fn after_that_goes_on_where_the_list_ended() {
        let world = after_showing(&[event("a", "Stand-up", 9)]);
        let understood = reflex::read("and after that?", &world);
        let start = &understood.proposal.steps[0].args["date_range"]["start"];
        assert_eq!(*start, json!("2026-11-16T10:00:00-08:00[America/Los_Angeles]"));

        let many: Vec<_> = (9..14).map(|hour| event("x", "Something", hour)).collect();
        let understood = reflex::read("and after that?", &after_showing(&many));
        assert!(matches!(understood.gist, Gist::Chat(Chat::ShownNext(rest)) if rest.len() == 2));
    }
}
