//! Long work, reminders and timers in words: what was taken on, what is under way,
//! and how it ended.

use brain::job::Lane;
use brain::resolve::time::{name_of, nth};
use brain::{Job, JobState};
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Deserialize;
use serde_json::Value;

use super::spelling::{capital, count, day, full_clock, length, list, list_or};
use super::{Problem, brought};
use crate::gist::Meanwhile;
use crate::{Done, World};

/// What is told so long after its time is told as late.
const LATE: SignedDuration = SignedDuration::from_secs(90);
/// So many are told one by one.
const TOLD: usize = 3;

/// What came of asking for it.
pub fn tell(what: &Meanwhile, done: &mut &[Done], world: &World) -> String {
    let now = world.local_now();
    match what {
        Meanwhile::Work { tool } => match took_on(done, tool) {
            Ok(Taken { outlook, .. }) => {
                let outlook = outlook.map(|outlook| format!("{outlook} ")).unwrap_or_default();
                format!("{outlook}I'll tell you when it's ready; keep talking if you like.")
            }
            Err(refused) => refused.unwrap_or_else(|| "I couldn't start on that.".to_owned()),
        },
        Meanwhile::Remind { assumed } => match took_on(done, "reminders.set") {
            Ok(taken) if taken.outlives_chat => {
                let told = set(&taken, *assumed, &now);
                format!("{told} I keep its words until then, also when this chat is gone.")
            }
            Ok(taken) => set(&taken, *assumed, &now),
            Err(refused) => refused.unwrap_or_else(|| "I couldn't keep that reminder.".to_owned()),
        },
        Meanwhile::Reminders => match brought::<Listed>(done, "reminders.list") {
            Ok(listed) => reminders(&listed.jobs, &now),
            Err(problem) => problem.told("your reminders"),
        },
        Meanwhile::DropReminder => match brought::<Stopped>(done, "reminders.cancel") {
            Ok(stopped) => dropped(&stopped, &now),
            Err(problem) => problem.told("your reminders"),
        },
        Meanwhile::Jobs => match brought::<Listed>(done, "jobs.list") {
            Ok(listed) => worked_on(&listed.jobs).unwrap_or_else(nothing_runs),
            Err(problem) => problem.told("what is under way"),
        },
        Meanwhile::Running => {
            let work = brought::<Listed>(done, "jobs.list");
            let waiting = brought::<Listed>(done, "reminders.list");
            match (work, waiting) {
                (Ok(work), Ok(waiting)) => under_way(&work.jobs, &waiting.jobs, &now),
                (Err(problem), _) | (_, Err(problem)) => problem.told("what is under way"),
            }
        }
        Meanwhile::StopJob => match brought::<Stopped>(done, "jobs.cancel") {
            Ok(stopped) => stopped_work(&stopped),
            Err(problem) => problem.told("what is under way"),
        },
    }
}

#[derive(Deserialize)]
struct Taken {
    outlook: Option<String>,
    due_at: Option<Timestamp>,
    #[serde(default)]
    args: Value,
    /// It was set in a chat that leaves nothing else behind.
    #[serde(default)]
    outlives_chat: bool,
}

#[derive(Deserialize)]
struct Listed {
    jobs: Vec<Waiting>,
}

#[derive(Deserialize)]
struct Stopped {
    stopped: Vec<Waiting>,
    choices: Vec<Waiting>,
}

/// One of them, as the tools that look after them report it.
#[derive(Deserialize)]
struct Waiting {
    called: String,
    progress: f32,
    due_at: Option<Timestamp>,
    text: Option<String>,
    timer_seconds: Option<u32>,
}

/// What was taken on, or why not, where the person can do something about it.
fn took_on(done: &mut &[Done], tool: &str) -> Result<Taken, Option<String>> {
    let full = done
        .first()
        .filter(|step| step.tool == tool)
        .is_some_and(|step| step.result.as_ref().is_err_and(|error| error.code == "too_many_jobs"));
    match brought::<Taken>(done, tool) {
        Ok(taken) => Ok(taken),
        Err(_) if full => {
            Err(Some("You have as many of those as I can keep. Cancel one first.".to_owned()))
        }
        Err(Problem::Away) => {
            Err(Some("I can't keep track of that right now. Try again in a moment.".to_owned()))
        }
        Err(_) => Err(None),
    }
}

fn set(taken: &Taken, assumed: bool, now: &Zoned) -> String {
    let seconds = taken.args.get("timer_seconds").and_then(Value::as_u64);
    let text = taken.args.get("text").and_then(Value::as_str).unwrap_or_default();
    let at = taken.due_at.map(|due| when(due, now)).unwrap_or_default();
    if let Some(seconds) = seconds {
        let what = if text.is_empty() { String::new() } else { format!(" for {}", to_you(text)) };
        return format!("{} timer{what}, starting now.", capital(&long(seconds)));
    }
    let unless = if assumed { ", unless you say otherwise" } else { "" };
    format!("I'll remind you {at}{unless}: {}.", to_you(text))
}

fn reminders(waiting: &[Waiting], now: &Zoned) -> String {
    let [first, ..] = waiting else { return "No reminders are set.".to_owned() };
    if waiting.len() == 1 {
        return format!("One: {}.", item(first, now));
    }
    let mut told = format!("{}.", capital(&count(waiting.len())));
    for one in waiting.iter().take(TOLD) {
        told.extend([format!(" {}.", capital(&item(one, now)))]);
    }
    if waiting.len() > TOLD {
        told.extend([format!(" And {} more.", count(waiting.len() - TOLD))]);
    }
    told
}

/// "call Tom, today at 5 pm", "your 10 minute timer, with 4 minutes left"
fn item(one: &Waiting, now: &Zoned) -> String {
    let due = one.due_at.unwrap_or_else(|| now.timestamp());
    if let Some(seconds) = one.timer_seconds {
        let left = due.duration_since(now.timestamp()).as_secs().max(0);
        let left = span(u64::try_from(left).unwrap_or(0));
        return format!("your {} timer, with {left} left", long(seconds.into()));
    }
    format!("{}, {}", to_you(one.text.as_deref().unwrap_or(&one.called)), when(due, now))
}

fn dropped(stopped: &Stopped, now: &Zoned) -> String {
    match (stopped.stopped.as_slice(), stopped.choices.as_slice()) {
        ([], []) => "There is no reminder like that, so nothing was dropped.".to_owned(),
        ([], choices) => which(&choices.iter().map(|one| item(one, now)).collect::<Vec<_>>()),
        ([one], _) if one.timer_seconds.is_some() => "I stopped the timer.".to_owned(),
        ([one], _) => format!("I dropped this one: {}.", item(one, now)),
        ([_, _], _) => "I dropped both.".to_owned(),
        (several, _) => format!("I dropped all {}.", count(several.len())),
    }
}

fn stopped_work(stopped: &Stopped) -> String {
    match (stopped.stopped.as_slice(), stopped.choices.as_slice()) {
        ([], []) => "Nothing like that is running.".to_owned(),
        ([], choices) => which(&choices.iter().map(|one| one.called.clone()).collect::<Vec<_>>()),
        ([one], _) => format!("I stopped {}.", one.called),
        (several, _) => format!("I stopped all {}.", count(several.len())),
    }
}

/// Several fit; the answer names one of them.
fn which(choices: &[String]) -> String {
    let (few, hidden) = (&choices[..choices.len().min(TOLD)], choices.len().saturating_sub(TOLD));
    let more = if hidden > 0 { format!(", among {}", count(choices.len())) } else { String::new() };
    format!("Which one{more}: {}? Nothing was dropped yet.", list_or(few))
}

/// What is worked on, and the timers that run. A reminder only waits.
fn under_way(work: &[Waiting], waiting: &[Waiting], now: &Zoned) -> String {
    let (timers, reminders): (Vec<_>, Vec<_>) =
        waiting.iter().partition(|one| one.timer_seconds.is_some());
    let timers: Vec<_> = timers.into_iter().map(|one| item(one, now)).collect();
    let shown = &timers[..timers.len().min(TOLD)];
    let timers = match shown {
        [] => None,
        shown => Some(capital(&list(shown, timers.len() - shown.len()))),
    };
    let reminders = match reminders.as_slice() {
        [] => None,
        [one] => Some(format!("One reminder is set: {}.", item(one, now))),
        several => Some(format!("{} reminders are set.", capital(&count(several.len())))),
    };
    let told = match (worked_on(work), timers) {
        (Some(work), Some(timers)) => format!("{work} {timers}."),
        (Some(work), None) => work,
        (None, Some(timers)) => format!("{timers}."),
        (None, None) => nothing_runs(),
    };
    reminders.map_or(told.clone(), |reminders| format!("{told} {reminders}"))
}

fn nothing_runs() -> String {
    "Nothing is running right now.".to_owned()
}

fn worked_on(work: &[Waiting]) -> Option<String> {
    let (first, rest) = work.split_first()?;
    let percent = |one: &Waiting| match one.progress {
        progress if progress < 0.01 => "just begun".to_owned(),
        progress => format!("{:.0} % done", progress * 100.0),
    };
    // One is called by what is done, the others by what comes of it.
    let on = if first.called.starts_with("reading ") { "" } else { "on " };
    let mut told = format!("I'm {on}{}, {}.", first.called, percent(first));
    for one in rest.iter().take(TOLD - 1) {
        told.extend([format!(" Then {}, {}.", one.called, percent(one))]);
    }
    if work.len() > TOLD {
        told.extend([format!(" And {} more.", count(work.len() - TOLD))]);
    }
    Some(told)
}

/// How jobs ended that nobody was told of.
pub fn ended(jobs: &[Job], now: &Zoned) -> String {
    jobs.iter().map(|job| end(job, now)).collect::<Vec<_>>().join(" ")
}

fn end(job: &Job, now: &Zoned) -> String {
    if job.lane == Lane::Reminder {
        return rings(job, now);
    }
    let called = capital(&job.called);
    match job.state {
        JobState::Done => {
            let text = job.result.as_ref().and_then(|result| result.get("text")?.as_str());
            match text {
                // It is called by what was done, not by what came of it.
                Some(text) if job.called.starts_with("reading ") => {
                    format!("I'm done {}. {text}", job.called)
                }
                Some(text) => format!("{called} is ready. {text}"),
                None => format!("{called} is ready."),
            }
        }
        JobState::Cancelled => format!("{called} was stopped."),
        _ => {
            let error = job.error.as_ref();
            let why = if error.is_some_and(|error| error.retryable) {
                "what I need for it could not be reached"
            } else {
                "something went wrong on my side"
            };
            format!("I couldn't finish {}: {why}. Ask me again and I'll start over.", job.called)
        }
    }
}

/// Its time has come, or came while nobody could be told.
fn rings(job: &Job, now: &Zoned) -> String {
    let due = job.args.get("due_at").and_then(Value::as_str);
    let due = due.and_then(|due| due.parse::<Zoned>().ok()).map(|due| due.timestamp());
    let late = due.map(|due| now.timestamp().duration_since(due)).filter(|late| *late > LATE);
    let text = job.args.get("text").and_then(Value::as_str).unwrap_or_default();
    let seconds = job.args.get("timer_seconds").and_then(Value::as_u64);
    let ago = |late: SignedDuration| span(u64::try_from(late.as_secs()).unwrap_or(0));
    match (seconds, late) {
        (Some(seconds), None) if text.is_empty() => format!("Your {} timer is up.", long(seconds)),
        (Some(_), None) => format!("Time's up: {}.", to_you(text)),
        (Some(seconds), Some(late)) => {
            format!("Your {} timer was up {} ago.", long(seconds), ago(late))
        }
        (None, None) => format!("Reminder: {}.", to_you(text)),
        (None, Some(late)) => {
            let at = due.map(|due| when(due, now)).unwrap_or_default();
            format!("You wanted to be reminded {at}, {} ago: {}.", ago(late), to_you(text))
        }
    }
}

/// "today at 5 pm". So far ahead that the weekday could be the next one's, the date is
/// said too: "on Saturday the 21st at 9 am".
fn when(due: Timestamp, now: &Zoned) -> String {
    let due = due.to_zoned(now.time_zone().clone());
    let date = due.date();
    let day = match (date - now.date()).get_days() {
        5 | 6 => format!("on {} the {}", name_of(date.weekday()), nth(date)),
        _ => day(date, now.date()),
    };
    format!("{day} at {}", full_clock(&due))
}

/// "10 minutes", "an hour and a half", "30 seconds"
fn span(seconds: u64) -> String {
    const DAY: u64 = 86_400;
    let many = |number: u64, one: &str| {
        if number == 1 { format!("one {one}") } else { format!("{number} {one}s") }
    };
    match seconds {
        0..=59 => many(seconds, "second"),
        60..=119 => "one minute".to_owned(),
        120..DAY => length(u32::try_from(seconds / 60).unwrap_or(u32::MAX)),
        _ => many(seconds / DAY, "day"),
    }
}

/// The same before a noun: "10 minute", "2 hour".
fn long(seconds: u64) -> String {
    let span = span(seconds);
    match span.as_str() {
        "an hour" => "one hour".to_owned(),
        "an hour and a half" => "90 minute".to_owned(),
        plain if plain.contains(" and ") => format!("{} minute", seconds / 60),
        plain => plain.strip_suffix('s').unwrap_or(plain).to_owned(),
    }
}

/// The person's words, said back to them: "call my mom" is "call your mom".
fn to_you(text: &str) -> String {
    let turn = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        let other = match bare.to_lowercase().as_str() {
            "my" => "your",
            "me" | "i" => "you",
            "mine" => "yours",
            "myself" => "yourself",
            "i'm" | "i’m" => "you're",
            _ => return word.to_owned(),
        };
        word.replacen(bare, other, 1)
    };
    let text = text.trim().trim_end_matches(['.', '!']);
    text.split(' ').map(turn).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;
