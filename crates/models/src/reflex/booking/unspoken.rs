//! Something for the calendar that nobody asked to book in so many words:
//! "dinner with Oskar on Saturday at 8", "vacation from Monday to Wednesday".

use brain::plan::Proposal;
use brain::resolve::time::{self, Grain, Lean, When};
use brain::resolve::words::Word;

use crate::focus::{Choice, Unclear};
use crate::gist::Gist;
use crate::reflex::follow::is_of_the_clock;
use crate::reflex::sentence;
use crate::reflex::vocabulary::is_any;
use crate::reflex::whom::{self, Whom};
use crate::{Understanding, World};

pub(super) const MEALS: &[&str] =
    &["lunch", "dinner", "breakfast", "brunch", "coffee", "drinks", "tea"];
const OTHERS: &[&str] = &["meeting", "call", "appointment", "workshop", "sync"];
/// What one has an hour for, and says no more about.
const APPOINTMENTS: &[&str] = &[
    "dentist",
    "doctor",
    "haircut",
    "hairdresser",
    "barber",
    "gym",
    "yoga",
    "pilates",
    "physio",
    "vet",
    "therapy",
    "massage",
    "optician",
    "tennis",
    "swimming",
    "run",
    "running",
    "football",
    "choir",
    "climbing",
    "squash",
    "boxing",
];
/// What takes whole days.
const AWAY: &[&str] = &["vacation", "holiday", "holidays", "pto"];

/// Something one has an hour for: a meal, the gym.
pub fn is_of_the_day(text: &str) -> bool {
    is_any(text, MEALS) || is_any(text, APPOINTMENTS)
}

/// Does it take whole days, unless somebody says otherwise? A holiday party does not.
pub fn is_away(title: &str) -> bool {
    title.split(' ').next_back().is_some_and(|word| is_any(&word.to_lowercase(), AWAY))
}

/// "Dinner with Oskar on Saturday at 8": nobody says "book" who says all else.
/// A meeting or a call with nothing else said of it may as well be asked after.
pub fn unspoken(heard: &str, said: &[Word], world: &World) -> Option<String> {
    let request = sentence::bare(said);
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let when = time::find(request, &world.local_now(), Lean::Ahead)?;
    if let Some(needed) = needed(heard, request, &texts) {
        return Some(needed);
    }
    let open = request.iter().any(|word| word.quoted || word.stop == Some('?'));
    if !open && is_thing_and_time(request, &when) {
        return Some(format!("schedule {}", &heard[request[0].start..]));
    }
    // "15 minute call with Dana"
    let lead = time::length(&texts).filter(|(_, places)| places.start == 0);
    let lead = lead.map_or(0, |(_, places)| places.end);
    let [noun, "with", ..] = &texts[lead..] else { return None };
    let exact = lead > 0 || matches!(when.readings.first()?.grain, Grain::Moment | Grain::Hours);
    let dated = when.words.iter().any(|&at| !is_of_the_clock(texts[at]));
    let length = time::length(&texts).is_some();
    let told = ["is", "was", "were", "are", "will", "has", "moved", "changed", "what", "email"];
    let talks = request.iter().any(|word| {
        word.quoted
            || matches!(word.stop, Some('?' | '!'))
            || is_any(&word.text, &told) && !says_topic(request)
    });
    let asked = request.last().is_some_and(|last| last.stop == Some('?'));
    if asked && is_any(noun, MEALS) && dated {
        return Some(format!("do i have {}", &heard[request[0].start..]));
    }
    let more = length || says_topic(request) || texts.contains(&"about");
    // Nobody asks us to make a phone call with them.
    if *noun == "call" && dated && !more && !talks {
        return Some(format!("do i have a {}", &heard[request[0].start..]));
    }
    let wanted = is_any(noun, MEALS) || is_any(noun, OTHERS) && more;
    let (known, _) = whom::at(request, lead + 2, heard, world)?;
    let reachable = !matches!(known, Whom::Stranger(_));
    (wanted && exact && dated && reachable && !talks)
        .then(|| format!("schedule {}", &heard[request[0].start..]))
}

/// "…, topic is the budget": what it is about, and nothing that is told.
fn says_topic(request: &[Word]) -> bool {
    request
        .windows(2)
        .any(|pair| is_any(&pair[0].text, &["topic", "subject", "title"]) && pair[1].is("is"))
}

/// "I need an appointment with Dr. Cho next week"
fn needed(heard: &str, request: &[Word], texts: &[&str]) -> Option<String> {
    let ["i" | "we", "need" | "want", rest @ ..] = texts else { return None };
    let article = usize::from(matches!(rest.first(), Some(&("a" | "an"))));
    let noun = is_any(rest.get(article)?, &["appointment", "meeting", "call", "slot"]);
    let with = rest.get(article + 1) == Some(&"with");
    let asks = request.iter().any(|word| word.quoted || word.stop == Some('?'));
    (noun && with && !asks).then(|| format!("schedule {}", &heard[request[2].start..]))
}

/// "Dentist on the 2nd at 8:15", "dinner at Ingrid's on Friday at 7", "vacation
/// from Monday to Wednesday": a thing, perhaps a place, and when.
fn is_thing_and_time(request: &[Word], when: &When) -> bool {
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let grain = when.readings.first().map(|reading| reading.grain);
    let exact = matches!(grain, Some(Grain::Moment | Grain::Hours));
    let days = matches!(grain, Some(Grain::Day | Grain::Span));
    let little = ["on", "at", "from", "to", "the", "that", "appointment"];
    let left: Vec<&str> = (1..texts.len())
        .filter(|at| !when.words.contains(at) && !is_any(texts[*at], &little))
        .map(|at| texts[at])
        .collect();
    let [first, second, ..] = texts.as_slice() else { return false };
    let placed = is_any(first, MEALS) && is_any(second, &["at", "in"]) && left.len() <= 4;
    let plain = left.is_empty();
    exact && (placed && !plain || plain && is_any(first, APPOINTMENTS))
        || days && plain && is_any(first, AWAY)
}

/// "I'm on vacation from Monday to Wednesday" tells, and asks for nothing. So
/// it is asked whether it should be on the calendar.
pub fn offered(heard: &str, said: &[Word], world: &World) -> Option<Understanding> {
    let request = sentence::bare(said);
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    if let Some(told) = told_of(heard, request, &texts, world) {
        return Some(told);
    }
    let ["i", "am", "on", away, ..] = texts.as_slice() else { return None };
    let rest = &request[3..];
    let when = time::find(rest, &world.local_now(), Lean::Ahead)?;
    let asked = request.iter().any(|word| word.quoted || word.stop == Some('?'));
    if !is_any(away, AWAY) || asked || !is_thing_and_time(rest, &when) {
        return None;
    }
    let what = &heard[rest[0].start..];
    let said = when.readings.first()?.said.clone();
    Some(Understanding {
        proposal: Proposal::default(),
        question: Some(format!("Shall {away} be on your calendar {said}?")),
        choices: vec![Choice::new(
            Unclear::Event,
            format!("{away} {said}"),
            format!("schedule {what}"),
        )],
        ..Understanding::of(Gist::Question)
    })
}

/// "Dinner is tomorrow at 8" tells of it, and may be meant for the calendar.
fn told_of(heard: &str, request: &[Word], texts: &[&str], world: &World) -> Option<Understanding> {
    let [what, "is", ..] = texts else { return None };
    let known = is_any(what, MEALS) || is_any(what, APPOINTMENTS);
    let open = request.iter().any(|word| word.quoted || word.stop == Some('?'));
    let when = time::find(&request[2..], &world.local_now(), Lean::Ahead)?;
    let whole = when.words.len() + 2 == request.len();
    let exact = matches!(when.readings.first()?.grain, Grain::Moment | Grain::Hours);
    if !known || open || !whole || !exact {
        return None;
    }
    let said = &heard[request[2].start..request[request.len() - 1].end];
    Some(Understanding {
        proposal: Proposal::default(),
        question: Some(format!("Shall {what} be on your calendar {said}?")),
        choices: vec![Choice::new(
            Unclear::Event,
            format!("{what} {said}"),
            format!("schedule {what} {said}"),
        )],
        ..Understanding::of(Gist::Question)
    })
}
