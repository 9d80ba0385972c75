//! Work that goes on while people talk on, and what may become of it.
//!
//! A job is held until the turn that tells of it is on disk, then it waits, is
//! worked on step by step, and ends once. Whoever works on it has a lease with a
//! number; [`Job::learn`] takes nothing from anybody whose number is not the last
//! one given out. Time comes in as a value.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::CallError;
use crate::ids::{CallId, JobId, SessionId, TurnId, UserId};

/// One piece of work, as far as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    pub id: JobId,
    pub user: UserId,
    /// Where it was asked for.
    pub session: SessionId,
    pub turn: TurnId,
    pub call: CallId,
    /// The same however often the step that asked for it is tried.
    pub key: String,
    /// What kind of work it is: `mail.summarize`.
    pub kind: String,
    pub args: Value,
    /// What a person would call it: "the digest of your week".
    pub called: String,
    pub lane: Lane,
    pub priority: Priority,
    pub state: JobState,
    /// Nobody takes it up before this: its time, the end of a lease, a pause.
    pub wake_at: Timestamp,
    /// The number of the last lease; every new one is higher.
    pub lease: u64,
    /// Failed tries since the last step that went well.
    pub failures: u32,
    /// Where the next step begins; null before the first.
    pub checkpoint: Value,
    /// From 0 to 1; it never goes back.
    pub progress: f32,
    /// What was done last, in a few words.
    pub message: String,
    pub result: Option<Value>,
    pub error: Option<CallError>,
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    /// Its result stands in the log of its session.
    pub returned: bool,
    /// Its person has heard of its end, or need not.
    pub told: bool,
}

/// Each lane has room of its own, so that a hundred reminders leave room for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Takes time.
    Work,
    /// Waits for its time.
    Reminder,
}

/// What is taken up first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// When nobody waits for anything else.
    Later,
    Usual,
    /// Its time has come.
    Now,
}

impl Priority {
    /// The first to be taken up comes first.
    pub const ALL: [Self; 3] = [Self::Now, Self::Usual, Self::Later];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Nobody was told of it yet.
    Held,
    /// Waits for its time, or for somebody to take it up.
    Queued,
    /// Somebody has a lease.
    Running,
    Done,
    Failed,
    Cancelled,
}

impl JobState {
    pub const ALL: [Self; 6] =
        [Self::Held, Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Cancelled];

    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }

    /// Its spelling in the store and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What whoever works on a job has to report.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A step takes longer than the lease.
    StillAtIt {
        until: Timestamp,
    },
    /// A step went well.
    Went {
        checkpoint: Value,
        progress: f32,
        message: String,
        until: Timestamp,
    },
    /// A step did not go well and is tried again.
    PutOff {
        again_at: Timestamp,
    },
    /// Whoever worked on it stops in good order.
    LetGo,
    Done(Value),
    Failed(CallError),
}

/// Somebody else has the job by now, or nobody needs it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostLease;

impl Job {
    /// The same in the hands of somebody until then, with a number nobody had before.
    #[must_use]
    pub fn taken_up(&self, until: Timestamp) -> Self {
        Self { state: JobState::Running, lease: self.lease + 1, wake_at: until, ..self.clone() }
    }

    /// Could somebody take it up now?
    pub fn is_due(&self, now: Timestamp) -> bool {
        matches!(self.state, JobState::Queued | JobState::Running) && self.wake_at <= now
    }

    /// As it is after that, if it is still the job of whoever says so.
    pub fn learn(&self, lease: u64, news: News, now: Timestamp) -> Result<Self, LostLease> {
        if self.state != JobState::Running || self.lease != lease {
            return Err(LostLease);
        }
        let mut next = self.clone();
        match news {
            News::StillAtIt { until } => next.wake_at = until,
            News::Went { checkpoint, progress, message, until } => {
                (next.checkpoint, next.message, next.failures) = (checkpoint, message, 0);
                next.progress = progress.clamp(self.progress, 1.0);
                next.wake_at = until;
            }
            News::PutOff { again_at } => {
                (next.state, next.wake_at) = (JobState::Queued, again_at);
                next.failures += 1;
            }
            News::LetGo => (next.state, next.wake_at) = (JobState::Queued, now),
            News::Done(result) => {
                (next.state, next.progress) = (JobState::Done, 1.0);
                (next.result, next.ended_at) = (Some(result), Some(now));
            }
            News::Failed(error) => {
                next.state = JobState::Failed;
                (next.error, next.ended_at) = (Some(error), Some(now));
            }
        }
        Ok(next)
    }

    /// Its person does not want it any more. Whoever works on it has lost it, and
    /// whoever said so knows of it. None where it is over already.
    pub fn cancelled(&self, now: Timestamp) -> Option<Self> {
        let message = "its person stopped it".to_owned();
        let error = CallError { code: "cancelled".into(), message, retryable: false };
        (!self.state.is_over()).then(|| Self {
            state: JobState::Cancelled,
            error: Some(error),
            ended_at: Some(now),
            told: true,
            ..self.clone()
        })
    }

    /// Something of it is still to be done or told.
    pub fn is_open(&self) -> bool {
        !(self.state.is_over() && self.told && self.returned)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ids::Uuid;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn job() -> Job {
        Job {
            id: JobId(Uuid::nil()),
            user: UserId(Uuid::nil()),
            session: SessionId(Uuid::nil()),
            turn: TurnId(Uuid::nil()),
            call: CallId(Uuid::nil()),
            key: "turn.1".into(),
            kind: "mail.summarize".into(),
            args: json!({}),
            called: "the summary of your mail".into(),
            lane: Lane::Work,
            priority: Priority::Usual,
            state: JobState::Queued,
            wake_at: at(10),
            lease: 0,
            failures: 0,
            checkpoint: Value::Null,
            progress: 0.0,
            message: String::new(),
            result: None,
            error: None,
            created_at: at(1),
            ended_at: None,
            returned: false,
            told: false,
        }
    }

    fn went(progress: f32) -> News {
        News::Went { checkpoint: json!(1), progress, message: "one".into(), until: at(40) }
    }

    #[test]
    fn it_is_nobodys_before_its_time_and_anybodys_once_a_lease_is_over() {
        let job = job();
        assert!(!job.is_due(at(9)) && job.is_due(at(10)));
        let taken = job.taken_up(at(30));
        assert!(!taken.is_due(at(29)) && taken.is_due(at(30)));
        for state in JobState::ALL {
            let waits = matches!(state, JobState::Queued | JobState::Running);
            assert_eq!(Job { state, ..job.clone() }.is_due(at(99)), waits, "{}", state.name());
        }
    }

    #[test]
    fn whoever_lost_the_lease_can_report_nothing() {
        let first = job().taken_up(at(30));
        let second = first.taken_up(at(60));
        for news in [
            News::StillAtIt { until: at(90) },
            went(0.5),
            News::PutOff { again_at: at(90) },
            News::LetGo,
            News::Done(json!({})),
        ] {
            assert_eq!(second.learn(first.lease, news.clone(), at(31)), Err(LostLease));
            assert!(second.learn(second.lease, news, at(31)).is_ok());
        }
        let stopped = second.cancelled(at(31)).unwrap();
        assert_eq!(stopped.learn(second.lease, went(0.9), at(32)), Err(LostLease));
    }

    #[test]
    fn progress_never_goes_back_and_a_step_that_went_well_forgives_the_failures() {
        let taken = Job { failures: 2, progress: 0.6, ..job().taken_up(at(30)) };
        let next = taken.learn(1, went(0.4), at(11)).unwrap();
        assert!((next.progress - 0.6).abs() < f32::EPSILON);
        assert_eq!((next.failures, next.wake_at), (0, at(40)));
        let next = next.learn(1, went(7.0), at(12)).unwrap();
        assert!((next.progress - 1.0).abs() < f32::EPSILON);
    }

    #[test]
    fn what_is_put_off_waits_and_what_is_let_go_does_not() {
        let taken = job().taken_up(at(30));
        let later = taken.learn(1, News::PutOff { again_at: at(99) }, at(11)).unwrap();
        assert_eq!((later.state, later.wake_at, later.failures), (JobState::Queued, at(99), 1));
        let free = taken.learn(1, News::LetGo, at(11)).unwrap();
        assert_eq!((free.state, free.wake_at, free.failures), (JobState::Queued, at(11), 0));
    }

    #[test]
    fn it_ends_once() {
        let taken = job().taken_up(at(30));
        let done = taken.learn(1, News::Done(json!("x")), at(12)).unwrap();
        assert_eq!((done.state, done.ended_at), (JobState::Done, Some(at(12))));
        assert!(
            done.learn(1, News::Failed(taken.cancelled(at(1)).unwrap().error.unwrap()), at(13))
                .is_err()
        );
        assert_eq!(done.cancelled(at(14)), None);
        assert!(done.is_open() && !Job { told: true, returned: true, ..done }.is_open());
    }
}
