//! What was done in this conversation, as it is on record: what a model may tell of it, and
//! what is told where a model tells something else. Pure.
//!
//! A sentence is held true only where every word of it is known of one deed: another person,
//! another day or another verb, and the record does not have it. Whoever is refused that way
//! loses nothing, for then the record tells of the deed itself.

use std::sync::Arc;

use brain::{Action, ActionState};
use jiff::{Timestamp, Zoned};
use serde_json::Value;

use crate::Done;
use crate::narrator::{outcome, spelling};

/// Said where a model said that it had done something, and nothing ever was.
pub const NOT_DONE: &str = "Nothing has been done; I only act when you say yes.";
/// The same, where something was done before, or may have been.
const NOTHING_NEW: &str = "I did nothing new for that; I only act when you say yes.";
/// So many deeds are told of at once: the latest.
const MOST_TOLD: usize = 3;

/// Everything that was settled in a conversation, cheap to hand on.
#[derive(Clone, Debug, Default)]
pub struct Record(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    deeds: Vec<Deed>,
    /// How the latest of them ended, whichever way.
    told: String,
    /// There was more than was looked through.
    may_be_more: bool,
}

/// Something that was done, and is not undone.
#[derive(Debug)]
struct Deed {
    kind: &'static Kind,
    /// Who or what it was done to.
    names: Vec<String>,
    /// When that is, and for how long.
    times: Vec<String>,
    event: Option<String>,
}

/// By which words deeds of one tool are told.
#[derive(Debug)]
struct Kind {
    tools: &'static [&'static str],
    /// One of these has to be said.
    verbs: &'static [&'static str],
    /// These may be.
    things: &'static [&'static str],
}

const MAIL: [&str; 5] = ["mail", "email", "message", "note", "reply"];
const EVENT: [&str; 6] = ["calendar", "meeting", "event", "appointment", "entry", "slot"];
const NOTE: [&str; 4] = ["memory", "note", "fact", "mind"];

const KINDS: [Kind; 8] = [
    Kind {
        tools: &["gmail.send"],
        verbs: &["sent", "emailed", "mailed", "replied", "answered", "wrote", "written"],
        things: &MAIL,
    },
    Kind {
        tools: &["calendar.create_event"],
        verbs: &["booked", "scheduled", "added", "put", "created", "blocked"],
        things: &EVENT,
    },
    Kind {
        tools: &["calendar.move_event"],
        verbs: &["moved", "rescheduled", "shifted", "pushed"],
        things: &EVENT,
    },
    Kind {
        tools: &["calendar.cancel_event"],
        verbs: &["cancelled", "canceled", "removed", "deleted"],
        things: &EVENT,
    },
    Kind {
        tools: &["memory.write"],
        verbs: &["remembered", "noted", "saved", "kept", "stored"],
        things: &NOTE,
    },
    Kind {
        tools: &["memory.forget"],
        verbs: &["forgot", "forgotten", "deleted", "removed", "erased"],
        things: &NOTE,
    },
    Kind {
        tools: &["reminders.set"],
        verbs: &["set", "added", "created"],
        things: &["reminder", "timer", "remind"],
    },
    Kind {
        tools: &["gmail.create_draft", "gmail.draft_reply"],
        verbs: &["drafted", "saved", "prepared", "kept", "created"],
        things: &["draft", "drafts", "mail", "email", "message", "note", "reply"],
    },
];

/// What says nothing of its own. No number, no name and no verb of a deed is among these.
const PLAIN: [&str; 67] = [
    "i", "ve", "have", "we", "you", "your", "me", "my", "it", "that", "this", "a", "an", "the",
    "with", "on", "at", "for", "to", "from", "of", "in", "into", "and", "as", "is", "was", "be",
    "been", "has", "had", "did", "just", "already", "now", "then", "yes", "sure", "right",
    "earlier", "before", "so", "because", "since", "which", "what", "usual", "default", "normal",
    "standard", "length", "long", "short", "time", "day", "minutes", "minute", "asked", "wanted",
    "said", "card", "when", "after", "under", "titled", "called", "about",
];

impl Record {
    /// Of these writes, and of what was left behind without one, each the oldest first.
    pub fn of(actions: &[Action], left: &[Done], now: &Zoned, may_be_more: bool) -> Self {
        let told = latest(actions, left, now);
        let mut deeds: Vec<Deed> = left.iter().filter_map(|done| Deed::left(done, now)).collect();
        for action in actions {
            // Of what is under way or unclear nobody may say that it was done.
            let deed = action.state.is_done().then(|| Deed::agreed(action, now)).flatten();
            let event = action.args["event_id"].as_str();
            if !action.state.is_not_done() && event.is_some() {
                // Whatever was booked is not what it was.
                deeds.retain(|before| before.event.as_deref() != event);
            }
            deeds.extend(deed);
        }
        Self(Arc::new(Kept { deeds, told, may_be_more }))
    }

    /// Nobody could look: something may have been done.
    pub fn unknown() -> Self {
        Self(Arc::new(Kept { may_be_more: true, ..Kept::default() }))
    }

    /// Nothing was done that a sentence could be true of.
    pub fn is_empty(&self) -> bool {
        self.0.deeds.is_empty()
    }

    /// It has nothing to tell, and nothing can be missing.
    pub fn has_nothing(&self) -> bool {
        self.0.told.is_empty() && !self.0.may_be_more
    }

    /// Whether a sentence says what was done and nothing else.
    pub fn holds(&self, sentence: &str) -> bool {
        if sentence.trim_end().ends_with('?') {
            return false;
        }
        let words = words_of(sentence);
        self.0.deeds.iter().any(|deed| deed.is_told_by(&words))
    }

    /// What is said in place of what a model said it had done. Where a deed was asked for just
    /// now, what was done before is no answer to that.
    pub fn instead(&self, is_ordered: bool) -> &str {
        match (self.has_nothing(), self.0.told.is_empty() || is_ordered) {
            (true, _) => NOT_DONE,
            (false, true) => NOTHING_NEW,
            (false, false) => &self.0.told,
        }
    }

    /// Whether this was said by us.
    pub fn is_told_in(&self, answered: &str) -> bool {
        let told = self.0.told.as_str();
        [NOT_DONE, NOTHING_NEW].iter().any(|it| answered.contains(it))
            || !told.is_empty() && answered.contains(told)
    }
}

impl Deed {
    fn agreed(action: &Action, now: &Zoned) -> Option<Self> {
        let result = action.result.as_ref().unwrap_or(&Value::Null);
        let called = action.called.as_str();
        Self::of(&action.tool, &action.args, result, called, now)
    }

    fn left(done: &Done, now: &Zoned) -> Option<Self> {
        let result = done.result.as_ref().ok()?;
        Self::of(&done.tool, &result["args"], result, "", now)
    }

    fn of(tool: &str, args: &Value, result: &Value, called: &str, now: &Zoned) -> Option<Self> {
        let kind = KINDS.iter().find(|kind| kind.tools.contains(&tool))?;
        let (mut names, mut times) = (words_of(called), Vec::new());
        for value in [args, result] {
            // What a mail says is nobody it was sent to.
            let is_kept = tool.starts_with("memory.") || tool.starts_with("reminders.");
            let kept: &[&str] = if is_kept { &["memory", "text"] } else { &[] };
            for field in ["title", "subject", "name"].iter().chain(kept) {
                names.extend(words_of(value[field].as_str().unwrap_or_default()));
            }
            for field in ["to", "cc", "attendees"] {
                value[field].as_array().into_iter().flatten().for_each(|it| person(it, &mut names));
            }
            let at = |field: &str| time(value[field].as_str()?, now);
            for time in ["start", "end", "due_at", "sent_at"].iter().filter_map(|it| at(it)) {
                said_of(&time, now, &mut times);
            }
            if let (Some(start), Some(end)) = (at("start"), at("end")) {
                let minutes = start.duration_until(&end).as_mins();
                times.push(minutes.to_string());
                times.extend(minutes_in_words(minutes));
            }
        }
        names.retain(|word| !PLAIN.contains(&word.as_str()));
        let event = [result, args].iter().find_map(|it| it["event_id"].as_str());
        let event = event.map(str::to_owned);
        Some(Self { kind, names, times, event })
    }

    /// It is named, its verb is said, and nothing else is.
    fn is_told_by(&self, words: &[String]) -> bool {
        let is_named = |word: &String| self.names.contains(word);
        let is_verb = |word: &String| self.kind.verbs.contains(&word.as_str());
        let is_known = |word: &String| {
            let plain = word.as_str();
            is_named(word)
                || is_verb(word)
                || self.times.contains(word)
                || PLAIN.contains(&plain)
                || self.kind.things.contains(&plain)
        };
        // "Sent" may stand in the title of a meeting as well.
        let has_verb = words.iter().any(|word| is_verb(word) && !is_named(word));
        has_verb && words.iter().any(is_named) && words.iter().all(is_known)
    }
}

/// How the latest of it ended, in our own words.
fn latest(actions: &[Action], left: &[Done], now: &Zoned) -> String {
    let last = actions.last().map(|action| action.turn);
    let of_turn: Vec<&Action> =
        actions.iter().filter(|action| Some(action.turn) == last).take(MOST_TOLD).collect();
    let told = of_turn.iter().map(|action| match action.state {
        ActionState::Confirmed | ActionState::ReconciledDone => outcome::by_me(action, now),
        _ => outcome::later(&[*action], now),
    });
    let told: Vec<String> = told.collect();
    match left.last() {
        Some(left) if told.is_empty() => left_told(left),
        _ => told.join(" "),
    }
}

/// A draft or a reminder that was left behind.
fn left_told(done: &Done) -> String {
    let Ok(result) = &done.result else { return String::new() };
    match (done.tool.as_str(), result["called"].as_str()) {
        ("reminders.set", Some(called)) => format!("I set {called}."),
        ("gmail.create_draft" | "gmail.draft_reply", _) => {
            let mut names = Vec::new();
            let to = result["to"].as_array().into_iter().flatten();
            names.extend(to.filter_map(|it| it["name"].as_str().map(str::to_owned)));
            match names.as_slice() {
                [] => "I kept a draft.".to_owned(),
                names => format!("I kept a draft to {}.", spelling::list(names, 0)),
            }
        }
        _ => String::new(),
    }
}

fn words_of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Somebody's name, or what stands before the sign of their address.
fn person(value: &Value, names: &mut Vec<String>) {
    let text = |field: &str| value[field].as_str().unwrap_or_default();
    let address = value.as_str().unwrap_or_else(|| text("address"));
    names.extend(words_of(address.split('@').next().unwrap_or_default()));
    names.extend(words_of(text("name")));
}

fn time(text: &str, now: &Zoned) -> Option<Zoned> {
    let zone = now.time_zone();
    let zoned = || Some(text.parse::<Zoned>().ok()?.with_time_zone(zone.clone()));
    zoned().or_else(|| Some(text.parse::<Timestamp>().ok()?.to_zoned(zone.clone())))
}

/// Every way in which a moment is said.
fn said_of(time: &Zoned, now: &Zoned, times: &mut Vec<String>) {
    let (hour, minute) = (time.hour(), time.minute());
    let short = if hour % 12 == 0 { 12 } else { hour % 12 };
    times.extend(words_of(&time.strftime("%A %B %b").to_string()));
    times.extend(words_of(&spelling::day(time.date(), now.date())));
    times.extend(words_of(&spelling::clock(time)));
    times.extend([format!("{}", time.day()), ordinal(time.day()), hour.to_string()]);
    times.extend([short.to_string(), format!("{minute:02}")]);
    let spelled = usize::try_from(short).ok().and_then(|short| HOURS.get(short));
    times.extend(spelled.map(|it| (*it).to_owned()));
    let half = if hour < 12 { ["am", "morning"] } else { ["pm", "afternoon"] };
    times.extend(half.map(str::to_owned));
    match (hour, minute) {
        (12, 0) => times.push("noon".to_owned()),
        (0, 0) => times.push("midnight".to_owned()),
        _ => {}
    }
}

const HOURS: [&str; 13] = [
    "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

fn ordinal(day: i8) -> String {
    let ending = match (day % 10, day / 10) {
        (1, 0 | 2 | 3) => "st",
        (2, 0 | 2) => "nd",
        (3, 0 | 2) => "rd",
        _ => "th",
    };
    format!("{day}{ending}")
}

/// "Half an hour", "an hour", "thirty".
fn minutes_in_words(minutes: i64) -> impl Iterator<Item = String> {
    let words: &[&str] = match minutes {
        15 => &["fifteen", "quarter"],
        30 => &["thirty", "half", "hour"],
        45 => &["forty", "five"],
        60 => &["sixty", "hour", "one"],
        90 => &["ninety"],
        _ => &[],
    };
    words.iter().map(|word| (*word).to_owned())
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
