//! What may follow what: the same for every backend.
//!
//! A backend reads what it has, asks here, and keeps the answer, all in one
//! transaction. Nothing here reads or writes.

use brain::confirmation::ConfirmationState;
use brain::{Action, ActionState, Confirmation, Job, JobState, SaySo, SessionId};
use jiff::Timestamp;

use crate::{Batch, Held, JobMark, Room, StoreError, ToolRunRow};

/// The revisions of a batch in the order they have to be kept: an older one is
/// closed before a newer one opens.
pub(crate) fn oldest_first(confirmations: &[Confirmation]) -> Vec<&Confirmation> {
    let mut ordered: Vec<_> = confirmations.iter().collect();
    ordered.sort_by_key(|confirmation| confirmation.revision);
    ordered
}

/// What to keep of `new`, one of the questions of `batch`, given the newest
/// revision there is.
pub(crate) fn confirmation(
    batch: &Batch,
    newest: Option<&Confirmation>,
    new: &Confirmation,
) -> Result<Confirmation, StoreError> {
    use ConfirmationState as S;

    if new.session != batch.session {
        return Err(StoreError::Contradiction(format!("{} in another session", new.id)));
    }
    let same = |other: &&Confirmation| (other.id, other.revision) == (new.id, new.revision);
    if batch.confirmations.iter().filter(same).count() > 1 {
        return Err(StoreError::Contradiction(format!("{} asked and answered at once", new.id)));
    }
    let Some(newest) = newest else { return first(new) };
    if (newest.session, newest.user, newest.turn) != (new.session, new.user, new.turn) {
        return Err(StoreError::Contradiction(format!("{} for somebody else", new.id)));
    }
    match newest.state {
        S::Pending if newest.revision == new.revision => answered(newest, new),
        S::Pending if newest.revision < new.revision => {
            Err(StoreError::Contradiction(format!("two open revisions of {}", new.id)))
        }
        S::Superseded if newest.revision < new.revision => next(batch, newest, new),
        S::Pending | S::Superseded | S::Accepted | S::Rejected | S::Expired => {
            Err(StoreError::Decided(new.id))
        }
    }
}

/// Nobody has answered before they are asked.
fn first(new: &Confirmation) -> Result<Confirmation, StoreError> {
    if new.revision == 1 && is_waiting(new) {
        return Ok(new.clone());
    }
    Err(StoreError::Contradiction(format!("{} that nobody was asked", new.id)))
}

/// An edit is asked anew, or is the person's yes to what they typed; then the
/// card they typed it on makes way in the same batch.
fn next(batch: &Batch, old: &Confirmation, new: &Confirmation) -> Result<Confirmation, StoreError> {
    let makes_way = |other: &Confirmation| (other.id, other.revision) == (old.id, old.revision);
    let is_edit = batch.confirmations.iter().any(makes_way);
    let follows = old.revision.checked_add(1) == Some(new.revision);
    let is_yes = is_edit && is_yes_before(new, old.expires_at.min(new.expires_at));
    if follows && (is_waiting(new) || is_yes) {
        return Ok(new.clone());
    }
    let odd = format!("revision {} of {} after revision {}", new.revision, new.id, old.revision);
    Err(StoreError::Contradiction(odd))
}

fn is_waiting(new: &Confirmation) -> bool {
    new.state == ConfirmationState::Pending && new.decided.is_none()
}

fn is_yes_before(new: &Confirmation, end: Timestamp) -> bool {
    let in_time = new.decided.is_some_and(|decided| decided.at < end);
    new.state == ConfirmationState::Accepted && in_time
}

/// An answer, or more time for one. What was shown stays what was shown, and
/// nobody answers and buys the time for it at once.
fn answered(shown: &Confirmation, new: &Confirmation) -> Result<Confirmation, StoreError> {
    use ConfirmationState as S;

    if (shown.seal, shown.action) != (new.seal, new.action) {
        let other = format!("{} with other contents under one revision", new.id);
        return Err(StoreError::Contradiction(other));
    }
    let fits = match new.state {
        S::Pending => is_waiting(new),
        S::Accepted => is_yes_before(new, shown.expires_at),
        S::Rejected | S::Expired | S::Superseded => true,
    };
    if !fits {
        return Err(StoreError::Contradiction(format!(
            "{} answered too late, or by nobody",
            new.id
        )));
    }
    let expires_at = if is_waiting(new) { new.expires_at } else { shown.expires_at };
    Ok(Confirmation { state: new.state, expires_at, decided: new.decided, ..shown.clone() })
}

/// Whether `asked`, the newest revision of its question, was a yes to exactly
/// this write.
pub(crate) fn agreed(
    owner: SessionId,
    asked: Option<&Confirmation>,
    new: &Action,
) -> Result<(), StoreError> {
    let is_agreed = asked.is_some_and(|asked| {
        let covers = |yes: SaySo| yes.action() == new.id && yes.covers(&new.tool, &new.args);
        asked.say_so().is_some_and(covers)
            && (asked.id, asked.revision, asked.seal) == (new.confirmation, new.revision, new.seal)
            && (asked.session, asked.user, asked.turn) == (new.session, new.user, new.turn)
    });
    if new.session == owner && is_agreed { Ok(()) } else { Err(StoreError::OutOfStep(new.id)) }
}

/// What to keep of `new`, given the write as it was kept last. A write begins
/// with the intent, before anything has left.
pub(crate) fn action(kept: Option<&Action>, new: &Action) -> Result<Action, StoreError> {
    let Some(kept) = kept else {
        let is_intent = new.state == ActionState::IntentLogged && new.attempt == 0;
        return if is_intent { Ok(new.clone()) } else { Err(StoreError::OutOfStep(new.id)) };
    };
    let goes_back = new.attempt < kept.attempt || new.epoch < kept.epoch;
    let restarts = kept.state.is_over() && new.state != kept.state;
    let is_another = new.confirmation != kept.confirmation;
    if goes_back || restarts || is_another || is_bad_claim(kept, new) {
        return Err(StoreError::OutOfStep(new.id));
    }
    let told = kept.told || new.told;
    let latest = if kept.state.is_over() { kept } else { new };
    Ok(Action { told, ..latest.clone() })
}

/// Nothing is begun unless it is proven that it has not been done, and one
/// attempt is begun once.
fn is_bad_claim(kept: &Action, new: &Action) -> bool {
    new.state == ActionState::Dispatching
        && (!kept.state.is_not_done() || new.attempt == kept.attempt)
}

/// Two uses of tools that cannot both be on record: a key belongs to one turn,
/// and a call has one key.
pub(crate) fn excludes(known: &ToolRunRow, run: &ToolRunRow) -> bool {
    let has_key = known.idempotency_key == run.idempotency_key;
    let is_call = (known.turn, known.call) == (run.turn, run.call);
    if has_key { known.turn != run.turn } else { is_call }
}

pub(crate) fn misnamed(run: &ToolRunRow) -> StoreError {
    let ToolRunRow { call, turn, idempotency_key, .. } = run;
    StoreError::Contradiction(format!(
        "{call} of {turn} as {idempotency_key}: the key is another turn's, or the call has another"
    ))
}

/// It is over, and its person knows.
pub(crate) fn is_settled(action: &Action) -> bool {
    action.state.is_over() && action.told
}

/// Whether there is room for one more job, given how many of its lane are open.
pub(crate) fn has_room(room: Room, of_user: usize, of_all: usize) -> Option<Held> {
    if of_user >= room.per_user {
        Some(Held::FullForUser)
    } else if of_all >= room.overall {
        Some(Held::Full)
    } else {
        None
    }
}

/// A job as it is after `mark`, which a batch of `owner` says of it. Each is said
/// once: of two sessions that tell of one job, one is too late.
pub(crate) fn marked(
    owner: SessionId,
    kept: Option<&Job>,
    mark: JobMark,
) -> Result<Job, StoreError> {
    let refused = || StoreError::Contradiction(format!("{mark:?}, which does not follow"));
    let mut job = kept.ok_or_else(refused)?.clone();
    let is_next = match mark {
        // Its person may have stopped it before they heard that it was taken on.
        JobMark::Begun(_) => {
            let is_new = matches!(job.state, JobState::Held | JobState::Cancelled);
            is_new && job.session == owner
        }
        JobMark::Returned(_) => job.state.is_over() && !job.returned && job.session == owner,
        JobMark::Told(_) => job.state.is_over() && !job.told,
    };
    if !is_next {
        return Err(refused());
    }
    match mark {
        JobMark::Begun(_) if job.state == JobState::Held => job.state = JobState::Queued,
        JobMark::Begun(_) => {}
        JobMark::Returned(_) => job.returned = true,
        JobMark::Told(_) => job.told = true,
    }
    Ok(job)
}
