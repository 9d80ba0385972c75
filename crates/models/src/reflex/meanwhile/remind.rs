//! "Remind me at five to call Tom", "set a timer for ten minutes".

use brain::resolve::time::{self, Grain, Impossible, Lean, Reading, When, cardinal};
use brain::resolve::words::{Word, words};
use jiff::{SignedDuration, Zoned};
use serde_json::json;

use super::super::follow::names_no_day;
use super::super::vocabulary::is_any;
use super::super::{Meaning, Want, sentence};
use super::{ahead, behind, look, said};
use crate::World;
use crate::focus::{Awaited, Missing};
use crate::gist::{Chat, Meanwhile, Wall};

/// A day without an hour means this one.
const MORNING: i8 = 9;
const LONGEST: usize = 500;
const LONGEST_TIMER: u64 = 7 * 86_400;

const LEADS: &[&[&str]] = &[
    &["remind", "me"],
    &["set", "me", "a", "reminder"],
    &["set", "a", "reminder"],
    &["set", "reminder"],
    &["give", "me", "a", "reminder"],
    &["make", "a", "reminder"],
    &["stick", "a", "reminder", "in"],
    &["put", "a", "reminder", "in"],
    &["pop", "a", "reminder", "in"],
    &["stick", "in", "a", "reminder"],
    &["put", "in", "a", "reminder"],
    &["pop", "in", "a", "reminder"],
    &["set", "up", "a", "reminder"],
    &["create", "a", "reminder"],
    &["add", "a", "reminder"],
    &["add", "reminder"],
    &["put", "a", "reminder"],
    &["new", "reminder"],
    &["i", "need", "a", "reminder"],
    &["do", "not", "let", "me", "forget"],
];

const ASKS: &[&str] = &["what", "when", "who", "where", "how", "which", "why", "if"];

/// Does it begin like one? "Remind me what's on" asks for something else.
pub fn is_asked(request: &[Word]) -> bool {
    let rest = LEADS.iter().find_map(|lead| behind(request, lead));
    rest.map_or_else(|| is_bare(request), |rest| !is_any(&rest[0].text, ASKS))
}

/// "At 7:30", of something at 8:15 in the morning, is not in the evening.
fn bring_before(read: &mut Meaning, starts: &Zoned, now: &Zoned) {
    let Meaning::Look(lookups) = read else { return };
    for step in lookups.iter_mut().flat_map(|lookup| &mut lookup.steps) {
        let due = step.args.get("due_at").and_then(|due| due.as_str()?.parse::<Zoned>().ok());
        let earlier = due
            .filter(|due| due > starts)
            .and_then(|due| due.checked_sub(SignedDuration::from_hours(12)).ok());
        if let Some(earlier) = earlier.filter(|earlier| earlier < starts && earlier > now) {
            step.args["due_at"] = json!(earlier);
        }
    }
}

/// "And remind me": of what, and when?
fn is_bare(request: &[Word]) -> bool {
    matches!(request, [remind, me] if remind.is("remind") && me.is("me") && !me.quoted)
}

/// A reminder among other requests. Without words of its own it is about what
/// was booked before it; what it lacks is asked for, with the rest kept around it.
pub fn beside(
    heard: &str,
    request: &[Word],
    booked: Option<(&str, Zoned)>,
    world: &World,
) -> Option<Meaning> {
    let lead = LEADS.iter().find_map(|lead| behind(request, lead));
    let starts = booked.as_ref().map(|(title, starts)| (*title, starts));
    if let Some(read) = lead.and_then(|rest| ahead::read(heard, rest, starts, world)) {
        return Some(within(read, heard, request));
    }
    let read = if is_bare(request) {
        want("What should I remind you of?", Missing::Words, heard, request)
    } else {
        read(heard, request, world)?
    };
    let end = request.last()?.end;
    if let Meaning::Want(want) = &read
        && let (Missing::Words, Some((title, starts))) = (want.awaited.what, booked)
    {
        // "Remind me at 7:30" of something on Friday is on Friday.
        let lead = LEADS.iter().find_map(|lead| behind(request, lead))?;
        let time = &heard[lead[0].start..end];
        let day = if names_no_day(lead) { format!(" on {}", starts.date()) } else { String::new() };
        let said = format!("remind me {time}{day} to {title}");
        let mut read = self::read(&said, &words(&said), world)?;
        if !day.is_empty() {
            bring_before(&mut read, &starts, &world.local_now());
        }
        return Some(read);
    }
    Some(within(read, heard, request))
}

/// What is asked for keeps the rest of the sentence around it.
fn within(mut read: Meaning, heard: &str, request: &[Word]) -> Meaning {
    if let (Meaning::Want(want), [first, .., last]) = (&mut read, request) {
        want.awaited.before.insert_str(0, &heard[..first.start]);
        let after = heard[last.end..].trim_end_matches(['.', '?', '!', ' ']);
        after.clone_into(&mut want.awaited.after);
    }
    read
}

pub fn read(heard: &str, request: &[Word], world: &World) -> Option<Meaning> {
    let now = world.local_now();
    let turned = time_first(request, &now);
    let request = turned.as_deref().unwrap_or(request);
    let rest = LEADS.iter().find_map(|lead| behind(request, lead)).or_else(|| {
        // "Remember to call Tom": what follows has to be something to do.
        let leads: [&[&str]; 2] = [&["remember"], &["do", "not", "forget"]];
        let rest = leads.iter().find_map(|lead| behind(request, lead))?;
        (rest[0].is("to") && rest.len() > 1).then_some(rest)
    })?;
    let rest = behind(rest, &["for", "me"]).unwrap_or(rest);
    // "Remind me when Dana writes back": nobody watches whether she does.
    let asks = rest.last().is_some_and(|last| is_any(&last.text, &["is", "are", "was", "starts"]));
    if sentence::is_condition(rest) && !asks {
        return Some(Meaning::Chat(Chat::Hangs));
    }
    if is_any(&rest[0].text, ASKS) {
        return None;
    }
    let rest = without_thanks(rest);
    if let Some(read) = ahead::read(heard, rest, None, world) {
        return Some(read);
    }
    if let Some(again @ Impossible::Repeats { .. }) = time::impossible(rest, &now) {
        return Some(only_once(heard, rest, again, &now));
    }
    if let Some((seconds, task)) = in_seconds(rest) {
        let due = now.checked_add(SignedDuration::from_secs(seconds)).ok()?;
        let args = json!({ "text": said(heard, &task), "due_at": due });
        return Some(look(Meanwhile::Remind { assumed: false }, args, "Noted."));
    }
    let (when, task) = parted(rest, &now);
    let text = said(heard, &task);
    if text.chars().count() > LONGEST {
        return None;
    }
    let chosen = when.as_ref().and_then(|when| moment(when, &now));
    match chosen {
        _ if text.is_empty() => {
            Some(want("What should I remind you of?", Missing::Words, heard, request))
        }
        None => {
            let before = format!("remind me to {text}");
            Some(missing("When should I remind you?", Missing::Time, before))
        }
        Some((due, assumed)) => {
            let args = json!({ "text": text, "due_at": due });
            Some(look(Meanwhile::Remind { assumed }, args, "Noted."))
        }
    }
}

/// "Every Monday at 9 to send the timesheet": one of them can be had, once its day is said.
fn only_once(heard: &str, rest: &[Word], again: Impossible, now: &Zoned) -> Meaning {
    const ROUNDS: &[&str] = &["day", "week", "month", "morning", "evening", "weekday", "night"];
    let at = rest.iter().position(|word| is_any(&word.text, &["every", "each"]));
    let repeats = |place: usize| {
        let day = |word: &Word| time::is_weekday(&word.text) || is_any(&word.text, ROUNDS);
        let on = place + 1 == at.unwrap_or(0) && rest[place].is("on");
        on || Some(place) == at || at.is_some_and(|at| place == at + 1 && day(&rest[place]))
    };
    let once: Vec<Word> =
        (0..rest.len()).filter(|place| !repeats(*place)).map(|place| rest[place].clone()).collect();
    let (_, task) = parted(&once, now);
    let text = said(heard, &task);
    let linked = |word: &Word| is_any(&word.text, &["to", "that", "about"]);
    let apart = |word: &&Word| !task.iter().any(|other| other.start == word.start) && !linked(word);
    let clock = said(heard, &once.iter().filter(apart).collect::<Vec<_>>());
    if at.is_none() || text.is_empty() {
        return Meaning::Chat(Chat::Wall(Wall::NoSuch(again)));
    }
    let before = format!("remind me to {text} {clock}").trim_end().to_owned();
    let (after, day, instead_of) = (String::new(), None, None);
    let awaited = Awaited { what: Missing::Time, before, after, day, instead_of };
    Meaning::Cannot { what: again, awaited }
}

/// "In 20 seconds to breathe", "to breathe in 20 seconds": a time too short for
/// a clock.
fn in_seconds(rest: &[Word]) -> Option<(i64, Vec<&Word>)> {
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let unit = texts.iter().position(|text| is_any(text, SECONDS))?;
    let start = texts[..unit].iter().rposition(|text| *text == "in")?;
    let (number, used) = cardinal(&texts[start + 1..unit])?;
    let links = ["to", "that", "about"];
    let outside = rest.iter().enumerate().filter(|(at, _)| !(start..=unit).contains(at));
    let mut task: Vec<&Word> = outside.map(|(_, word)| word).collect();
    if task.first().is_some_and(|first| is_any(&first.text, &links)) {
        task.remove(0);
    }
    let whole = start + 1 + used == unit && number > 0 && !rest[unit].quoted;
    (whole && !task.is_empty()).then(|| (i64::from(number), task))
}

const SECONDS: &[&str] = &["second", "seconds", "sec", "secs"];

/// "In ten minutes, remind me to": the same with the time behind.
fn time_first(request: &[Word], now: &Zoned) -> Option<Vec<Word>> {
    let (head, tail) = request.split_at(behind_its_time(request, now)?);
    let lead = tail.iter().take(LEADS[0].len());
    Some(lead.chain(head).chain(&tail[LEADS[0].len()..]).cloned().collect())
}

/// Where "remind me" stands, with nothing but a time before it.
pub fn behind_its_time(request: &[Word], now: &Zoned) -> Option<usize> {
    let at = (1..request.len()).find(|at| behind(&request[*at..], LEADS[0]).is_some())?;
    let head = &request[..at];
    // "Every weekday, remind me": only once, and that is said.
    if matches!(time::impossible(head, now), Some(Impossible::Repeats { .. })) && head.len() <= 3 {
        return Some(at);
    }
    let when = time::find(head, now, Lean::Ahead)?;
    covers(&when, head).then_some(at)
}

fn want(question: &str, what: Missing, heard: &str, request: &[Word]) -> Meaning {
    let end = request.last().map_or(heard.len(), |last| last.end);
    missing(question, what, heard[request[0].start..end].to_owned())
}

pub fn missing(question: &str, what: Missing, before: String) -> Meaning {
    let (after, day, instead_of) = (String::new(), None, None);
    let awaited = Awaited { what, before, after, day, instead_of };
    Meaning::Want(Want { question: question.to_owned(), awaited })
}

/// When, and what to do then. "At five to call Tom", "to call Tom at five".
fn parted<'a>(rest: &'a [Word], now: &Zoned) -> (Option<When>, Vec<&'a Word>) {
    let link =
        rest.iter().position(|word| !word.quoted && is_any(&word.text, &["to", "that", "about"]));
    if let Some(at) = link.filter(|at| *at > 0) {
        let (head, task) = (&rest[..at], &rest[at + 1..]);
        let when = time::find(head, now, Lean::Ahead);
        if when.as_ref().is_some_and(|when| covers(when, head)) && !task.is_empty() {
            return (when, task.iter().collect());
        }
    }
    let task = match link {
        Some(0) => &rest[1..],
        _ => rest,
    };
    let task = match task {
        [first, others @ ..] if first.text == ":" => others,
        all => all,
    };
    let Some(when) = time::find(task, now, Lean::Ahead) else {
        return (None, task.iter().collect());
    };
    let left = task.iter().enumerate().filter(|(at, _)| !when.words.contains(at));
    let mut left: Vec<&Word> = left.map(|(_, word)| word).collect();
    if left.first().is_some_and(|first| is_any(&first.text, &["to", "that", "about"])) {
        left.remove(0);
    }
    if left.last().is_some_and(|last| is_any(&last.text, &["at", "on", "by", "in"])) {
        left.pop();
    }
    (Some(when), left)
}

/// Nothing but when is said there.
fn covers(when: &When, words: &[Word]) -> bool {
    let small = ["at", "on", "in", "for", "by", "please"];
    (0..words.len()).all(|at| when.words.contains(&at) || is_any(&words[at].text, &small))
}

/// The first time that is still to come, and whether its hour is our assumption.
fn moment(when: &When, now: &Zoned) -> Option<(Zoned, bool)> {
    when.readings.iter().find_map(|reading| {
        let (due, assumed) = at(reading)?;
        (due > *now).then(|| (due.clone(), assumed || is_half_guessed(&due, when)))
    })
}

/// "At quarter to eight" can be in the morning and in the evening: where both lie ahead,
/// which of them was taken is said to be a guess. At nine and at three nobody wonders.
fn is_half_guessed(due: &Zoned, when: &When) -> bool {
    let either = matches!(due.hour() % 12, 6..=8);
    let half_a_day = |other: &Reading| {
        other.grain == Grain::Moment
            && due.duration_until(&other.range.start).abs() == SignedDuration::from_hours(12)
    };
    either && when.readings.iter().any(half_a_day)
}

fn at(reading: &Reading) -> Option<(Zoned, bool)> {
    let start = reading.range.start.clone();
    match reading.grain {
        // Nobody wants to be woken by it at the first light.
        Grain::Part if start.hour() < MORNING => {
            let nine = start.with().hour(MORNING).build().ok()?;
            Some(if nine < reading.range.end { (nine, true) } else { (start, false) })
        }
        Grain::Moment | Grain::Hours | Grain::Part => Some((start, false)),
        Grain::Day => {
            let nine = start.date().at(MORNING, 0, 0, 0);
            Some((nine.to_zoned(start.time_zone().clone()).ok()?, true))
        }
        Grain::Weekend | Grain::Week | Grain::Month | Grain::Ahead | Grain::Span => None,
    }
}

/// "Please" and "thanks" are not part of it.
fn without_thanks(words: &[Word]) -> &[Word] {
    let mut words = words;
    while let [front @ .., last] = words {
        if front.is_empty() || !is_any(&last.text, &["please", "thanks"]) {
            break;
        }
        words = front;
    }
    words
}

/// "Set a timer for ten minutes for the pasta", "start a 5 minute timer".
pub fn timer(heard: &str, request: &[Word], world: &World) -> Option<Meaning> {
    const VERBS: &[&str] = &["set", "start", "make", "begin", "put", "run", "give", "timer", "a"];
    // "Start a one and a half minute timer"
    const LONGEST_LEAD: usize = 7;
    let texts: Vec<&str> = request.iter().map(|word| word.text.as_str()).collect();
    let place = texts.iter().position(|text| matches!(*text, "timer" | "countdown"))?;
    let starts = is_any(texts[0], VERBS) || starts_with_number(texts[0]);
    if !starts || request.iter().any(|word| word.quoted) || place > LONGEST_LEAD {
        return None;
    }
    let plain: Vec<String> = texts.iter().map(|text| text.replace('-', " ")).collect();
    let plain: Vec<&str> = plain.iter().flat_map(|text| text.split(' ')).collect();
    let Some(seconds) = seconds(&plain) else {
        return Some(missing("For how long?", Missing::Title, "set a timer for".to_owned()));
    };
    let label = request
        .iter()
        .rposition(|word| word.is("for"))
        .filter(|at| *at > place && seconds_in(&texts[*at..]).is_none() && *at + 1 < request.len());
    let label = label.map(|at| said(heard, &request[at + 1..].iter().collect::<Vec<_>>()));
    let span = SignedDuration::from_secs(i64::try_from(seconds).ok()?);
    let due = world.local_now().checked_add(span).ok()?;
    let mut args = json!({ "timer_seconds": seconds, "due_at": due });
    if let Some(label) = label.filter(|label| label.chars().count() <= LONGEST) {
        args["text"] = label.into();
    }
    Some(look(Meanwhile::Remind { assumed: false }, args, "Sure."))
}

fn starts_with_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) || time::is_number_word(text)
}

fn seconds(texts: &[&str]) -> Option<u64> {
    seconds_in(texts).filter(|seconds| (1..=LONGEST_TIMER).contains(seconds))
}

/// Minutes and hours by the grammar of lengths; seconds by hand.
fn seconds_in(texts: &[&str]) -> Option<u64> {
    let unit = texts.iter().position(|text| is_any(text, SECONDS));
    let fraction = unit.and_then(|unit| {
        let start = (0..unit)
            .find(|at| cardinal(&texts[*at..unit]).is_some_and(|(_, used)| used == unit - at))?;
        cardinal(&texts[start..unit]).map(|(number, _)| u64::from(number))
    });
    // "A 5 minute timer" is as long as "5 minutes".
    let singular = ["minute", "min", "hour"];
    let counted: Vec<&str> = texts
        .iter()
        .map(|text| match *text {
            "minute" | "min" => "minutes",
            "hour" => "hour",
            other => other,
        })
        .collect();
    let long = |texts: &[&str]| time::length_in_seconds(texts);
    let whole = long(texts).or_else(|| {
        texts.iter().any(|text| singular.contains(text)).then(|| long(&counted)).flatten()
    });
    match (whole, fraction) {
        (None, None) => None,
        (whole, fraction) => {
            let whole = whole.map_or(0, |(seconds, _)| u64::from(seconds));
            Some(whole + fraction.unwrap_or(0))
        }
    }
}

pub fn listed(texts: &[&str]) -> Option<Meaning> {
    const LEFT: &[&[&str]] = &[
        &["how", "long", "is", "left"],
        &["how", "much", "time", "is", "left"],
        &["how", "much", "longer"],
        &["how", "long", "to", "go"],
    ];
    if LEFT.contains(&texts) {
        return Some(look(Meanwhile::Reminders, json!({}), "Let me see."));
    }
    let things = ["reminders", "timers", "reminder", "timer"];
    let place = texts.iter().position(|text| things.contains(text))?;
    let lead = texts[..place].join(" ");
    let asks = [
        "what",
        "what are my",
        "which",
        "list",
        "list my",
        "list all my",
        "show",
        "show me my",
        "show my",
        "show me all my",
        "my",
        "any",
        "do i have any",
        "what are the",
        "are there any",
        "have i any",
        "tell me my",
        "how many",
        "read me my",
        "show me the",
        "all my",
    ];
    let left = [
        "how long is left on the",
        "how much time is left on the",
        "how much longer on the",
        "how much is left on the",
        "how much time is on the",
        "how long is left on my",
        "how much time is left on my",
    ];
    let plural = texts[place].ends_with('s');
    let rest = texts[place + 1..].join(" ");
    let plain_rest = [
        "",
        "do i have",
        "are set",
        "set",
        "are there",
        "have i set",
        "i have",
        "for today",
        "today",
        "are coming up",
        "do you have",
    ];
    let is_list = plural && asks.contains(&lead.as_str()) && plain_rest.contains(&rest.as_str());
    (is_list || left.contains(&lead.as_str()))
        .then(|| look(Meanwhile::Reminders, json!({}), "Let me see."))
}

/// "Cancel the reminder to call Tom", "stop the timer", "drop all my reminders".
pub fn dropped(heard: &str, request: &[Word], world: &World) -> Option<Meaning> {
    const VERBS: &[&str] = &["cancel", "delete", "remove", "drop", "stop", "clear", "forget"];
    let verb = request.first().filter(|first| is_any(&first.text, VERBS))?;
    if world.focus.on_reminders
        && let Some(listed) =
            pointed(&request[1..], world).or_else(|| one_of_them(heard, &request[1..]))
    {
        return Some(listed);
    }
    let things = ["reminder", "reminders", "timer", "timers", "alarm", "alarms"];
    let place = request.iter().position(|word| is_any(&word.text, &things))?;
    if place > 6 || request.iter().any(|word| word.quoted) || verb.stop.is_some() {
        return None;
    }
    let all = request[1..place].iter().any(|word| is_any(&word.text, &["all", "every"]))
        || request[place].text.ends_with('s');
    let is_timer = request[place].text.starts_with("timer");
    let fillers = ["the", "my", "that", "all", "every", "of", "a", "this", "those", "these"];
    let before = request[1..place].iter().filter(|word| !is_any(&word.text, &fillers));
    let behind = request[place + 1..].iter();
    let mut about: Vec<&Word> = before.chain(behind).collect();
    if about.first().is_some_and(|first| is_any(&first.text, &["to", "about", "for", "that"])) {
        about.remove(0);
    }
    let words = said(heard, &about);
    let text = if is_timer { format!("timer {words}").trim().to_owned() } else { words };
    let args = if all && (text.is_empty() || is_timer) {
        json!({ "all": true, "about": text })
    } else {
        json!({ "about": text })
    };
    Some(look(Meanwhile::DropReminder, args, "Okay."))
}

/// "Delete that one", "cancel the second", of those that were told of.
fn pointed(named: &[Word], world: &World) -> Option<Meaning> {
    let texts: Vec<&str> = named.iter().map(|word| word.text.as_str()).collect();
    let texts = texts.strip_suffix(&["please"]).unwrap_or(&texts);
    let told = &world.focus.reminders;
    let place = match texts {
        ["it" | "that" | "this"] | ["that" | "this", "one"] => (told.len() == 1).then_some(0),
        ["the", rest @ ..] => {
            let (n, used) = time::ordinal(rest)?;
            let points = matches!(rest[used..], [] | ["one"]);
            usize::try_from(n).ok().filter(|_| points)?.checked_sub(1)
        }
        _ => return None,
    };
    // Where nobody knows which, whoever looks after them asks.
    let text = place.and_then(|place| told.get(place).cloned().flatten()).unwrap_or_default();
    Some(look(Meanwhile::DropReminder, json!({ "about": text }), "Okay."))
}

/// "The dentist one", "that one about the timesheet", where reminders were told of last.
fn one_of_them(heard: &str, named: &[Word]) -> Option<Meaning> {
    const LITTLE: &[&str] = &["the", "that", "my", "about", "to", "for", "with", "this", "please"];
    const LONGEST_NAME: usize = 6;
    let one = named.iter().position(|word| word.is("one") && !word.quoted)?;
    let about: Vec<&Word> = named
        .iter()
        .enumerate()
        .filter(|(at, word)| *at != one && !is_any(&word.text, LITTLE))
        .map(|(_, word)| word)
        .collect();
    let text = said(heard, &about);
    let points = named.first().is_some_and(|first| is_any(&first.text, &["the", "that", "my"]));
    (points && !text.is_empty() && about.len() <= LONGEST_NAME)
        .then(|| look(Meanwhile::DropReminder, json!({ "about": text }), "Okay."))
}
