//! What a session does about jobs: their progress, their end, and saying so.

use std::sync::Arc;

use brain::{ActionLevel, Event, InputMode, Job, JobState, Outcome, TurnId, TurnState};
use models::{Done, narrator};
use store::rows::ToolRunState;
use store::{JobMark, ToolRunRow};
use tools::attachment::READ_THROUGH;

use crate::actor::{Actor, Note};
use crate::house::House;
use crate::log::Entry;
use crate::mouth::Mouth;
use crate::peril::Moment;
use crate::turn::{self, Desk, Pause, Trouble, Turn, Walked, Wish, begins_to_speak};

impl Actor {
    /// Whoever watches sees how far it is; it is kept with the job.
    pub(crate) fn job_progressed(&mut self, job: &Job) {
        let mut entry = Entry::apart(Moment::JobKept);
        entry.about = Some(job.turn);
        entry.events.push(Event::ToolProgressed {
            call_id: job.call,
            status: job.state.name().to_owned(),
            progress: job.progress,
            message: job.message.clone(),
        });
        self.write(entry, None);
    }

    /// Looks which jobs are over and not written down here, if any can be.
    pub(crate) fn return_jobs(&mut self) {
        if !self.house.desk.owes(self.session) {
            return;
        }
        let (house, notes, session) = (Arc::clone(&self.house), self.notes.clone(), self.session);
        tokio::spawn(async move {
            match house.store.unreturned_jobs(session).await {
                // Without an owner there is nobody to tell.
                Ok(jobs) => drop(notes.send(Note::JobsEnded(jobs)).await),
                Err(error) => tracing::error!(session_id = %session, %error, "no jobs can be read"),
            }
        });
    }

    /// Writes down what came of them, each once.
    pub(crate) fn write_returns(&mut self, jobs: Vec<Job>) {
        for job in jobs {
            if !self.returning.insert(job.id) {
                continue;
            }
            let mut entry = Entry::apart(Moment::JobReturned);
            entry.about = Some(job.turn);
            entry.events.push(Event::ToolReturned {
                call_id: job.call,
                ok: job.state == JobState::Done,
                output: job.result.clone().unwrap_or_default(),
                error: job.error.clone(),
                state: None,
            });
            entry.jobs.push(JobMark::Returned(job.id));
            entry.tool_runs.push(run_of(&job));
            self.write(entry, None);
        }
    }

    /// It is on disk that somebody was told of these.
    pub(crate) fn jobs_marked(&mut self, marks: &[JobMark]) {
        for mark in marks {
            match *mark {
                JobMark::Begun(_) => self.house.desk.bell.notify_waiters(),
                JobMark::Returned(job) => {
                    self.returning.remove(&job);
                    self.house.desk.returned(self.session, job);
                }
                JobMark::Told(job) => self.house.desk.told(self.user, job),
            }
        }
        if marks.iter().any(|mark| matches!(mark, JobMark::Returned(_))) {
            self.next();
        }
    }

    /// Somebody listens here, and there is something to tell.
    pub(crate) fn hears_news(&mut self) -> bool {
        let could =
            self.clients.anybody_listens() && self.house.desk.has_news(self.user, self.session);
        if could {
            self.next();
        }
        could
    }

    /// Tells what is over, where somebody listens.
    pub(crate) fn announce(&mut self) {
        // What came of it stands in the log before it is put into words.
        let is_owed = self.house.desk.owes(self.session);
        if !self.clients.anybody_listens() || self.looks_for_news || is_owed {
            return;
        }
        let jobs = self.house.desk.take_news(self.user, self.session);
        if jobs.is_empty() {
            return;
        }
        self.looks_for_news = true;
        let (house, notes, user) = (Arc::clone(&self.house), self.notes.clone(), self.user);
        tokio::spawn(async move {
            let mut news = Vec::new();
            for job in jobs {
                match house.store.job(user, job.id).await {
                    Ok(Some(known)) if known.state.is_over() && !known.told => news.push(known),
                    // Deleted with its chat, or told: there is nothing to tell any more.
                    Ok(_) => house.desk.told(user, job.id),
                    Err(error) => tracing::error!(job_id = %job.id, %error, "a job is not read"),
                }
            }
            // Without an owner there is nobody to tell.
            let _ = notes.send(Note::News(news)).await;
        });
    }

    /// Begins to tell it, unless somebody has begun something else meanwhile; then it
    /// is told after that.
    pub(crate) fn tell_news(&mut self, jobs: Vec<Job>) {
        self.looks_for_news = false;
        let Some(follows) = jobs.first().map(|job| job.turn) else { return };
        if self.current.is_some() || !self.clients.anybody_listens() {
            return;
        }
        let (clock, ids) = (&*self.house.clock, &*self.house.ids);
        let row = self.log.begin(InputMode::Text, None, clock, ids).clone();
        let turn = Arc::new(Turn {
            id: row.turn,
            session: self.session,
            user: self.user,
            wish: Wish::Words(String::new()),
            voiced: None,
            in_reply_to: None,
            goes_on: None,
            focus: self.focus.clone(),
            recent: None,
            attached: Vec::new(),
            said_before: String::new(),
            open_cards: self.rows.waiting(),
            thinker: None,
        });
        let (house, walked) = (Arc::clone(&self.house), Arc::clone(&turn));
        let desk = Desk { turn: row.turn, notes: self.notes.clone() };
        self.walk(
            &row,
            turn,
            None,
            async move { tell(&walked, follows, &jobs, &house, &desk).await },
        );
    }

    /// Stops the work that an earlier turn began, if it goes on; otherwise says that
    /// there is nothing to stop.
    pub(crate) fn stop_work_of(
        &mut self,
        turn: TurnId,
        client: crate::clients::ClientId,
        otherwise: Event,
    ) {
        let (house, notes) = (Arc::clone(&self.house), self.notes.clone());
        let (user, session) = (self.user, self.session);
        tokio::spawn(async move {
            let open = house.store.open_jobs(user).await.unwrap_or_default();
            let is_it = |job: &&Job| {
                job.turn == turn && job.session == session && house.desk.is_long(&job.kind)
            };
            let stopped = match open.iter().find(is_it) {
                Some(job) => house.desk.cancel(user, job.id, house.clock.now()).await,
                None => Ok(None),
            };
            if !matches!(stopped, Ok(Some(_))) {
                // Without an owner there is nobody to tell.
                let _ = notes.send(Note::Aside(client, Box::new(otherwise))).await;
            }
        });
    }
}

/// Says how jobs ended, in a turn that nobody asked for.
async fn tell(
    turn: &Turn,
    follows: TurnId,
    jobs: &[Job],
    house: &Arc<House>,
    desk: &Desk,
) -> Result<Walked, Trouble> {
    let world = turn::world(turn, house).await.map_err(Trouble::Store)?;
    let mut entry = Entry::new(Moment::Announced, turn.id);
    entry.events = vec![
        Event::TurnStarted {
            input_mode: InputMode::Text,
            in_reply_to: None,
            follows: Some(follows),
            goes_on: None,
        },
        Event::StateChanged {
            from: TurnState::FinalizingInput,
            to: TurnState::Thinking,
            reason: "job".into(),
        },
        begins_to_speak(TurnState::Thinking),
    ];
    let (said, whole, _) =
        Mouth::default().answer(&narrator::jobs::ended(jobs, &world.local_now()));
    entry.events.extend(said);
    let (outcome, error_code) = verdict(jobs);
    entry.events.extend([whole, Event::ended(outcome, error_code)]);
    entry.jobs = jobs.iter().map(|job| JobMark::Told(job.id)).collect();
    desk.write(entry).await?;
    let mut focus = world.focus;
    focus.note(&brought(jobs));
    Ok(Walked { focus, done: Vec::new(), pause: Pause::Over })
}

/// What people can point at from now on: the mails of a summary, as if they had been
/// searched for, and a file, as if it had just been opened.
fn brought(jobs: &[Job]) -> Vec<Done> {
    let found = |job: &Job| {
        let result = job.result.as_ref()?;
        let (tool, found) = match job.kind.as_str() {
            READ_THROUGH => ("attachment.read", result),
            _ => ("gmail.search", result.get("found")?),
        };
        Some(Done { tool: tool.to_owned(), result: Ok(found.clone()) })
    };
    jobs.iter().filter_map(found).collect()
}

fn verdict(jobs: &[Job]) -> (Outcome, Option<String>) {
    let failed: Vec<_> = jobs.iter().filter(|job| job.state != JobState::Done).collect();
    let code = failed.first().map(|job| {
        job.error.as_ref().map_or_else(|| job.state.name().to_owned(), |error| error.code.clone())
    });
    let outcome = match failed.len() {
        0 => Outcome::Success,
        all if all == jobs.len() => Outcome::Failed,
        _ => Outcome::Partial,
    };
    (outcome, code)
}

/// The use of a tool that the job was.
fn run_of(job: &Job) -> ToolRunRow {
    let took = job.ended_at.map(|end| end.duration_since(job.created_at).as_micros());
    let is_done = job.state == JobState::Done;
    ToolRunRow {
        call: job.call,
        turn: job.turn,
        session: job.session,
        tool: job.kind.clone(),
        level: ActionLevel::Read,
        idempotency_key: job.key.clone(),
        state: if is_done { ToolRunState::Done } else { ToolRunState::Failed },
        error_code: job.error.as_ref().map(|error| error.code.clone()),
        started_at: job.created_at,
        took_us: took.and_then(|took| u64::try_from(took).ok()),
    }
}
