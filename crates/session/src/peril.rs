//! The moments at which a process may die, by name.
//!
//! Every commit of a session and every step into the outside world names its
//! [`Moment`]; there is no way to write or to call without one. In production
//! nothing happens there. Tests stop the world before or after each of them and
//! look at what is left, so a moment that nobody tests cannot exist: they walk
//! [`Moment::ALL`].

use async_trait::async_trait;

macro_rules! moments {
    ($($(#[$doc:meta])* $name:ident = $spelling:literal,)*) => {
        /// Where a session is when something might happen to it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Moment { $($(#[$doc])* $name,)* }

        impl Moment {
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $spelling,)* }
            }
        }
    };
}

moments! {
    /// Commit: the request, because the mind takes its time.
    Heard = "heard",
    /// Outside: finding out what is meant.
    Thinking = "thinking",
    /// Commit: the request, the plan, the first look-ups.
    Asked = "asked",
    /// Outside: looking something up, or drafting.
    Looking = "looking",
    /// Commit: what look-ups brought, before the next ones.
    Looked = "looked",
    /// Outside: preparing what a card shows.
    Preparing = "preparing",
    /// Commit: the card, before anybody sees it.
    Shown = "shown",
    /// Commit: another revision of the card, or more time for it.
    Changed = "changed",
    /// Commit: the yes, and that it is to be done.
    Agreed = "agreed",
    /// Commit: the no.
    Declined = "declined",
    /// Commit: nobody answered.
    Expired = "expired",
    /// Commit: talk about an open card that decides nothing.
    Discussed = "discussed",
    /// Commit: it is going to be tried now.
    Claimed = "claimed",
    /// Outside: the write itself.
    Sending = "sending",
    /// Commit: what became of the write.
    Settled = "settled",
    /// Outside: asking the provider what became of it.
    Probing = "probing",
    /// Commit: the answer, and the end of the turn.
    Told = "told",
    /// Commit: the outcome of an earlier turn, told in one of its own.
    Followed = "followed",
    /// Commit: somebody takes a job up.
    JobTaken = "job_taken",
    /// Outside: a step of a job.
    JobStepping = "job_stepping",
    /// Commit: how far a job is.
    JobKept = "job_kept",
    /// Commit: how a job ended.
    JobOver = "job_over",
    /// Commit: what a job brought, in the log of its session.
    JobReturned = "job_returned",
    /// Commit: how a job ended, told in a turn of its own.
    Announced = "announced",
    /// Commit: somebody stopped the turn.
    Stopped = "stopped",
    /// Commit: a turn that went wrong, or that a former owner left open.
    Closed = "closed",
    /// Commit: somebody tried what they may not; for the audit alone.
    Refused = "refused",
}

/// On which side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Before,
    After,
}

impl Side {
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// Somebody who may stop the world.
#[async_trait]
pub trait Peril: Send + Sync {
    /// Returns if life goes on.
    async fn pass(&self, moment: Moment, side: Side);
}

/// Nothing ever happens.
#[derive(Clone, Copy, Debug)]
pub struct Calm;

#[async_trait]
impl Peril for Calm {
    async fn pass(&self, _: Moment, _: Side) {}
}
