//! What every store promises about work that goes on while people talk on.

use brain::ids::Uuid;
use brain::job::{Lane, News, Priority};
use brain::{CallId, Job, JobId, JobState, SessionId, ThreadId, TurnId, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{Batch, Deleted, Held, JobMark, Room, Store, StoreError};

use super::cards::{PERSON, after};
use super::{batch, begin, new_session, said};

const ROOM: Room = Room { per_user: 100, overall: 1_000 };
const OTHER: UserId = UserId(Uuid::from_u128(2));

pub(super) async fn keeps_its_promises(store: &dyn Store) {
    a_job_is_held_until_its_person_is_told_of_it(store).await;
    the_same_key_is_the_same_job(store).await;
    what_comes_first_is_taken_up_first(store).await;
    whoever_lost_the_lease_can_write_nothing(store).await;
    a_job_goes_on_from_its_checkpoint(store).await;
    a_job_is_stopped_by_its_person_alone(store).await;
    there_is_so_much_room_and_no_more(store).await;
    an_end_is_returned_once_and_told_once(store).await;
    work_goes_with_its_chat_and_reminders_stay(store).await;
    what_was_over_long_ago_is_let_go(store).await;
}

/// Job `number`, asked for in a session and held.
pub fn job(session: SessionId, number: u128) -> Job {
    Job {
        id: JobId(Uuid::from_u128(number)),
        user: PERSON,
        session,
        turn: TurnId(Uuid::from_u128(number)),
        call: CallId(Uuid::from_u128(number)),
        key: format!("job {number}"),
        kind: "mail.summarize".into(),
        args: json!({ "query": "is:unread \"é\"" }),
        called: "the summary of your mail".into(),
        lane: Lane::Work,
        priority: Priority::Usual,
        state: JobState::Held,
        wake_at: after(0),
        lease: 0,
        failures: 0,
        checkpoint: Value::Null,
        progress: 0.0,
        message: String::new(),
        result: None,
        error: None,
        created_at: after(0),
        ended_at: None,
        returned: false,
        told: false,
    }
}

async fn mark(store: &dyn Store, session: SessionId, mark: JobMark) -> Result<(), StoreError> {
    store.append(Batch { jobs: vec![mark], ..Batch::new(session, 1) }).await
}

async fn queued(store: &dyn Store, job: &Job) {
    assert_eq!(store.hold(job.clone(), ROOM).await, Ok(Held::Kept(job.id)));
    mark(store, job.session, JobMark::Begun(job.id)).await.unwrap();
}

async fn take_up(store: &dyn Store, now: i64) -> Option<Job> {
    store.take_up(after(now), after(now + 30)).await.unwrap()
}

/// Nothing waits behind this test that another one would find.
async fn clear(store: &dyn Store) {
    for user in [PERSON, OTHER] {
        for job in store.open_jobs(user).await.unwrap() {
            store.cancel_job(user, job.id, after(9_000)).await.unwrap();
        }
    }
    assert_eq!(store.next_job_at().await, Ok(None));
}

async fn went(store: &dyn Store, job: &Job, at: i64) -> Option<Job> {
    let (checkpoint, message) = (json!({ "at": at }), format!("step {at}"));
    let news = News::Went { checkpoint, progress: 0.5, message, until: after(at + 30) };
    store.report(job.id, job.lease, news, after(at)).await.unwrap()
}

async fn a_job_is_held_until_its_person_is_told_of_it(store: &dyn Store) {
    let session = begin(store, 8_001).await;
    let job = job(session, 8_001);
    assert_eq!(store.hold(job.clone(), ROOM).await, Ok(Held::Kept(job.id)));
    assert_eq!(take_up(store, 5).await, None);
    assert_eq!(store.job(PERSON, job.id).await, Ok(Some(job.clone())));
    assert_eq!(store.job(OTHER, job.id).await, Ok(None));

    // A batch that is refused begins nothing.
    let stale = Batch { jobs: vec![JobMark::Begun(job.id)], ..Batch::new(session, 9) };
    assert_eq!(store.append(stale).await, Err(StoreError::Stale(session)));
    assert_eq!(take_up(store, 5).await, None);

    mark(store, session, JobMark::Begun(job.id)).await.unwrap();
    let again = mark(store, session, JobMark::Begun(job.id)).await;
    assert!(matches!(again, Err(StoreError::Contradiction(_))), "{again:?}");
    let taken = take_up(store, 5).await.unwrap();
    assert_eq!(taken, Job { state: JobState::Queued, ..job }.taken_up(after(35)));
    clear(store).await;

    // One of which nobody ever spoke is let go when the next one comes.
    let forgotten = super::jobs::job(session, 8_002);
    store.hold(forgotten.clone(), ROOM).await.unwrap();
    let later = Job { created_at: after(700), ..super::jobs::job(session, 8_003) };
    store.hold(later, ROOM).await.unwrap();
    assert_eq!(store.job(PERSON, forgotten.id).await, Ok(None));
    clear(store).await;
}

async fn the_same_key_is_the_same_job(store: &dyn Store) {
    let session = begin(store, 8_010).await;
    let first = job(session, 8_010);
    queued(store, &first).await;
    let again = Job { key: first.key.clone(), ..job(session, 8_011) };
    assert_eq!(store.hold(again.clone(), ROOM).await, Ok(Held::Kept(first.id)));
    assert_eq!(store.job(PERSON, again.id).await, Ok(None));
    clear(store).await;
}

async fn what_comes_first_is_taken_up_first(store: &dyn Store) {
    let session = begin(store, 8_020).await;
    let at = |number, priority, wake_at| Job { priority, wake_at, ..job(session, number) };
    for job in [
        at(8_021, Priority::Later, after(1)),
        at(8_022, Priority::Usual, after(3)),
        at(8_023, Priority::Usual, after(2)),
        at(8_024, Priority::Now, after(8)),
    ] {
        queued(store, &job).await;
    }
    assert_eq!(store.next_job_at().await, Ok(Some(after(1))));
    assert_eq!(take_up(store, 0).await, None);
    let mut order = Vec::new();
    for now in [5, 8, 8, 8, 8] {
        order.extend(take_up(store, now).await.map(|job| job.id.0.as_u128()));
    }
    assert_eq!(order, [8_023, 8_024, 8_022, 8_021]);
    // The first lease is over; then that job is anybody's again.
    assert_eq!(store.next_job_at().await, Ok(Some(after(35))));
    assert_eq!(
        take_up(store, 35).await.map(|job| (job.id.0.as_u128(), job.lease)),
        Some((8_023, 2))
    );
    clear(store).await;
}

async fn whoever_lost_the_lease_can_write_nothing(store: &dyn Store) {
    let session = begin(store, 8_030).await;
    queued(store, &job(session, 8_030)).await;
    let first = take_up(store, 1).await.unwrap();
    assert_eq!(store.let_go(after(2)).await, Ok(1));
    let second = take_up(store, 3).await.unwrap();
    assert_eq!((first.lease, second.lease), (1, 2));

    assert_eq!(went(store, &first, 4).await, None);
    let done = News::Done(json!("stolen"));
    assert_eq!(store.report(first.id, first.lease, done, after(5)).await, Ok(None));
    assert_eq!(store.job(PERSON, first.id).await, Ok(Some(second.clone())));
    assert!(went(store, &second, 6).await.is_some());
    let nobody = JobId(Uuid::from_u128(1));
    assert_eq!(store.report(nobody, 1, News::LetGo, after(7)).await, Ok(None));
    clear(store).await;
}

async fn a_job_goes_on_from_its_checkpoint(store: &dyn Store) {
    let session = begin(store, 8_040).await;
    queued(store, &job(session, 8_040)).await;
    let taken = take_up(store, 1).await.unwrap();
    let further = went(store, &taken, 2).await.unwrap();
    let put_off = News::PutOff { again_at: after(60) };
    let waits = store.report(taken.id, 1, put_off, after(3)).await.unwrap().unwrap();
    assert_eq!((waits.failures, waits.state), (1, JobState::Queued));
    assert_eq!(take_up(store, 59).await, None);

    let again = take_up(store, 60).await.unwrap();
    assert_eq!((&again.checkpoint, again.lease), (&further.checkpoint, 2));
    assert_eq!((again.message.as_str(), again.failures), ("step 2", 1));
    assert!((again.progress - 0.5).abs() < f32::EPSILON);
    clear(store).await;
}

async fn a_job_is_stopped_by_its_person_alone(store: &dyn Store) {
    let session = begin(store, 8_050).await;
    queued(store, &job(session, 8_050)).await;
    let taken = take_up(store, 1).await.unwrap();
    assert_eq!(store.cancel_job(OTHER, taken.id, after(2)).await, Ok(None));

    let stopped = store.cancel_job(PERSON, taken.id, after(2)).await.unwrap().unwrap();
    assert_eq!((stopped.state, stopped.told), (JobState::Cancelled, true));
    assert_eq!(went(store, &taken, 3).await, None);
    // Stopped before anybody was told of it, it does not begin after all.
    let early = job(session, 8_051);
    store.hold(early.clone(), ROOM).await.unwrap();
    store.cancel_job(PERSON, early.id, after(2)).await.unwrap();
    mark(store, session, JobMark::Begun(early.id)).await.unwrap();
    mark(store, session, JobMark::Returned(early.id)).await.unwrap();
    let again = store.cancel_job(PERSON, taken.id, after(4)).await;
    assert_eq!(again, Ok(Some(stopped.clone())));
    assert_eq!(store.unreturned_jobs(session).await, Ok(vec![stopped]));
    assert_eq!(take_up(store, 99).await, None);
}

async fn there_is_so_much_room_and_no_more(store: &dyn Store) {
    let session = begin(store, 8_060).await;
    let room = Room { per_user: 2, overall: 3 };
    for number in [8_061, 8_062] {
        let id = JobId(Uuid::from_u128(number));
        assert_eq!(store.hold(job(session, number), room).await, Ok(Held::Kept(id)));
    }
    assert_eq!(store.hold(job(session, 8_063), room).await, Ok(Held::FullForUser));
    let reminder = Job { lane: Lane::Reminder, ..job(session, 8_064) };
    assert_eq!(store.hold(reminder.clone(), room).await, Ok(Held::Kept(reminder.id)));
    for (number, held) in [(8_065, Held::Kept(JobId(Uuid::from_u128(8_065)))), (8_066, Held::Full)]
    {
        let job = Job { user: OTHER, ..job(session, number) };
        assert_eq!(store.hold(job, room).await, Ok(held));
    }
    // What is over makes room.
    store.cancel_job(PERSON, JobId(Uuid::from_u128(8_061)), after(1)).await.unwrap();
    assert!(matches!(store.hold(job(session, 8_067), room).await, Ok(Held::Kept(_))));
    clear(store).await;
}

async fn an_end_is_returned_once_and_told_once(store: &dyn Store) {
    let (session, elsewhere) = (begin(store, 8_070).await, begin(store, 8_071).await);
    queued(store, &job(session, 8_070)).await;
    let taken = take_up(store, 1).await.unwrap();
    for early in [JobMark::Returned(taken.id), JobMark::Told(taken.id)] {
        assert!(mark(store, session, early).await.is_err(), "{early:?}");
    }
    let done = store.report(taken.id, 1, News::Done(json!({ "n": 1 })), after(9)).await;
    let done = done.unwrap().unwrap();
    let untold = |jobs: Vec<Job>| jobs.into_iter().any(|job| job.id == taken.id);
    assert!(untold(store.unsettled_jobs().await.unwrap()));
    assert!(store.restless().await.unwrap().contains(&(session, PERSON)));
    assert_eq!(store.unreturned_jobs(session).await, Ok(vec![done]));

    // Only its own session writes the result down; anybody of its person may tell.
    assert!(mark(store, elsewhere, JobMark::Returned(taken.id)).await.is_err());
    mark(store, session, JobMark::Returned(taken.id)).await.unwrap();
    mark(store, elsewhere, JobMark::Told(taken.id)).await.unwrap();
    for again in [JobMark::Returned(taken.id), JobMark::Told(taken.id)] {
        let told =
            Batch { jobs: vec![again], ..batch(session, 1, vec![said(session, 1, 5, "twice")]) };
        assert!(matches!(store.append(told).await, Err(StoreError::Contradiction(_))));
    }
    assert_eq!(store.read(session, 0, 9).await, Ok(Vec::new()));
    assert!(!untold(store.unsettled_jobs().await.unwrap()));
    assert_eq!(store.unreturned_jobs(session).await, Ok(Vec::new()));
    assert!(!store.restless().await.unwrap().contains(&(session, PERSON)));
}

async fn work_goes_with_its_chat_and_reminders_stay(store: &dyn Store) {
    let session = begin(store, 8_080).await;
    let work = job(session, 8_081);
    let reminder = Job { lane: Lane::Reminder, returned: true, ..job(session, 8_082) };
    queued(store, &work).await;
    queued(store, &reminder).await;
    let thread = ThreadId(new_session(8_080).thread.0);
    let line = brain::audit::Line::new(after(1), PERSON, "session_deleted");
    let deleted = store.delete_thread(PERSON, thread, after(1), line).await.unwrap();
    assert!(matches!(deleted, Deleted::Gone { .. }), "{deleted:?}");
    assert_eq!(store.job(PERSON, work.id).await, Ok(None));
    assert!(store.job(PERSON, reminder.id).await.unwrap().is_some());
    clear(store).await;
}

async fn what_was_over_long_ago_is_let_go(store: &dyn Store) {
    let session = begin(store, 8_090).await;
    let old = |number: u128| {
        let created_at = after(10_000 + i64::try_from(number).unwrap());
        Job { user: OTHER, created_at, returned: true, ..job(session, 9_000 + number) }
    };
    for number in 1..=105 {
        store.hold(old(number), ROOM).await.unwrap();
        store.cancel_job(OTHER, old(number).id, Timestamp::UNIX_EPOCH).await.unwrap();
    }
    let jobs = store.jobs(Some(OTHER), 500).await.unwrap();
    assert!((100..=102).contains(&jobs.len()), "{}", jobs.len());
    assert_eq!(jobs[0].id, old(105).id);
    assert_eq!(store.jobs(Some(OTHER), 2).await.unwrap().len(), 2);
    assert_eq!(store.jobs(None, 1).await.unwrap()[0].id, old(105).id);
    assert_eq!(store.job(OTHER, old(1).id).await, Ok(None));
}
