use brain::ids::Uuid;
use brain::job::Priority;
use brain::{CallError, CallId, JobId, SessionId, TurnId, UserId};
use serde_json::json;

use super::*;
use crate::corpus;

fn reminder(args: Value) -> Job {
    Job {
        id: JobId(Uuid::nil()),
        user: UserId(Uuid::nil()),
        session: SessionId(Uuid::nil()),
        turn: TurnId(Uuid::nil()),
        call: CallId(Uuid::nil()),
        key: String::new(),
        kind: "reminders.set".into(),
        args,
        called: "the summary of your mail".into(),
        lane: Lane::Reminder,
        priority: Priority::Now,
        state: JobState::Done,
        wake_at: Timestamp::UNIX_EPOCH,
        lease: 1,
        failures: 0,
        checkpoint: Value::Null,
        progress: 1.0,
        message: String::new(),
        result: None,
        error: None,
        created_at: Timestamp::UNIX_EPOCH,
        ended_at: None,
        returned: true,
        told: false,
    }
}

fn told(job: &Job) -> String {
    ended(std::slice::from_ref(job), &corpus::world().local_now())
}

#[test]
fn a_reminder_is_the_persons_own_words_and_late_is_said() {
    let now = corpus::world().local_now();
    let at = |due: &Zoned| reminder(json!({ "text": "call my mom", "due_at": due }));
    assert_eq!(told(&at(&now)), "Reminder: call your mom.");
    let earlier = now.checked_sub(SignedDuration::from_mins(40)).unwrap();
    let said = told(&at(&earlier));
    assert!(said.starts_with("You wanted to be reminded today at "), "{said}");
    assert!(said.ends_with(", 40 minutes ago: call your mom."), "{said}");
}

#[test]
fn a_timer_is_up_or_was() {
    let now = corpus::world().local_now();
    let timer = json!({ "timer_seconds": 600, "due_at": now });
    assert_eq!(told(&reminder(timer)), "Your 10 minute timer is up.");
    let earlier = now.checked_sub(SignedDuration::from_hours(2)).unwrap();
    let late = json!({ "timer_seconds": 30, "due_at": earlier });
    assert_eq!(told(&reminder(late)), "Your 30 second timer was up 2 hours ago.");
}

#[test]
fn work_that_failed_is_not_called_ready() {
    let done = Job {
        lane: Lane::Work,
        result: Some(json!({ "text": "One mail." })),
        ..reminder(json!({}))
    };
    assert_eq!(told(&done), "The summary of your mail is ready. One mail.");
    let error = CallError { code: "unreachable".into(), message: "x".into(), retryable: true };
    let failed = Job { state: JobState::Failed, error: Some(error), ..done };
    let said = told(&failed);
    assert!(said.starts_with("I couldn't finish the summary of your mail: "), "{said}");
}

#[test]
fn what_is_running_is_work_and_timers_and_a_reminder_only_waits() {
    let now = corpus::world().local_now();
    let waiting = |called: &str, progress, timer_seconds: Option<u32>| Waiting {
        called: called.into(),
        progress,
        due_at: Some(now.timestamp() + jiff::SignedDuration::from_mins(4)),
        text: Some("call Tom".to_owned()).filter(|_| timer_seconds.is_none()),
        timer_seconds,
    };
    let (file, digest) =
        (waiting("reading six.csv", 0.25, None), waiting("the digest of this week", 0.0, None));
    let (timer, reminder) =
        (waiting("the timer", 0.0, Some(600)), waiting("the reminder “call Tom”", 0.0, None));
    assert_eq!(under_way(&[], &[], &now), "Nothing is running right now.");
    let only_timer = under_way(&[], std::slice::from_ref(&timer), &now);
    assert_eq!(only_timer, "Your 10 minute timer, with 4 minutes left.");
    let only_reminder = under_way(&[], std::slice::from_ref(&reminder), &now);
    let set = "Nothing is running right now. One reminder is set: call Tom, today at 10:34 am.";
    assert_eq!(only_reminder, set);
    let all = under_way(&[file, digest], &[timer, reminder], &now);
    assert!(all.starts_with("I'm reading six.csv, 25 % done. Then the digest of this week, "));
    assert!(all.contains(" Your 10 minute timer, with 4 minutes left. One reminder is set: "));
}
