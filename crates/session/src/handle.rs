//! How everybody else reaches a session.

use brain::confirmation::Answer;
use brain::event::Question;
use brain::input::Decision;
use brain::{CallError, Cursor, Event, Input, Job, SessionId, UserId};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use crate::clients::{ClientId, Joined};

/// What clients want, before their sockets are read no further.
const CONTROL_QUEUE: usize = 64;

/// The session's task is gone; ask the registry again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

/// A way to reach a session. Cheap to clone.
#[derive(Clone)]
pub struct SessionHandle {
    pub id: SessionId,
    pub user: UserId,
    control: mpsc::Sender<Control>,
}

/// Where a client begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With what happens next.
    Now,
    /// It will say so itself; until then nothing of the session is told.
    Later,
    /// Where it stopped reading, if that can still be told.
    After(Cursor),
    /// With everything there is.
    Anew,
}

/// What must not be dropped.
pub(crate) enum Control {
    Join(Start, oneshot::Sender<Joined>),
    Leave(ClientId),
    Input {
        client: ClientId,
        event_id: Option<String>,
        input: Input,
    },
    /// Tell this client alone.
    Reply {
        client: ClientId,
        event: Event,
    },
    /// An answer to a card, from outside any connection.
    Answer {
        question: String,
        answer: Answer,
        tell: oneshot::Sender<Answered>,
    },
    /// How far a job of this session is.
    Progressed(Box<Job>),
    /// Jobs of this session are over.
    JobsEnded,
    /// Its person has not heard of something; says whether it is told here.
    News(oneshot::Sender<bool>),
    /// It is not there any more.
    Deleted,
    /// Use one tool, as it stands.
    Run {
        name: Option<String>,
        tool: String,
        args: Value,
        tell: oneshot::Sender<Ran>,
    },
}

/// What became of an answer to a card.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// It counts, and it is on disk.
    Resolved { decision: Decision, revision: u32 },
    /// The card was changed and asks again.
    Changed(Box<Question>),
    /// It changes nothing.
    Refused { code: String, message: String },
}

/// What became of using one tool.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    Did(Value),
    /// It writes: a card is open.
    Asks(Box<Question>),
    Failed(CallError),
}

impl SessionHandle {
    /// A handle, and what it hands over.
    pub(crate) fn new(id: SessionId, user: UserId) -> (Self, mpsc::Receiver<Control>) {
        let (control, inbox) = mpsc::channel(CONTROL_QUEUE);
        (Self { id, user, control }, inbox)
    }

    pub(crate) async fn join(&self, start: Start) -> Result<Joined, Gone> {
        let (tell, told) = oneshot::channel();
        self.control.send(Control::Join(start, tell)).await.map_err(|_| Gone)?;
        told.await.map_err(|_| Gone)
    }

    pub async fn leave(&self, client: ClientId) {
        // A session that is gone has been left already.
        let _ = self.control.send(Control::Leave(client)).await;
    }

    /// Hands an input over. Waits while the session is busy taking others in.
    pub async fn send(
        &self,
        client: ClientId,
        event_id: Option<String>,
        input: Input,
    ) -> Result<(), Gone> {
        let message = Control::Input { client, event_id, input };
        self.control.send(message).await.map_err(|_| Gone)
    }

    /// Answers a card from outside any connection. Returns once it is on disk.
    pub async fn answer(&self, question: String, answer: Answer) -> Result<Answered, Gone> {
        let (tell, told) = oneshot::channel();
        let message = Control::Answer { question, answer, tell };
        self.control.send(message).await.map_err(|_| Gone)?;
        told.await.map_err(|_| Gone)
    }

    /// Uses one tool, as it stands, in a turn of its own. `name` is the
    /// caller's own, so that asking twice does not do it twice.
    pub async fn run(&self, name: Option<String>, tool: String, args: Value) -> Result<Ran, Gone> {
        let (tell, told) = oneshot::channel();
        let message = Control::Run { name, tool, args, tell };
        self.control.send(message).await.map_err(|_| Gone)?;
        told.await.map_err(|_| Gone)
    }

    /// A job of this session is further on. What comes too often is left out.
    pub(crate) fn progressed(&self, job: &Job) {
        // It passes; how far the job is stands in the store.
        let _ = self.control.try_send(Control::Progressed(Box::new(job.clone())));
    }

    pub(crate) async fn jobs_ended(&self) {
        // Whoever owns it next finds them.
        let _ = self.control.send(Control::JobsEnded).await;
    }

    /// Whether somebody listens here who is told what is new.
    pub(crate) async fn has_news(&self) -> bool {
        let (tell, told) = oneshot::channel();
        let sent = self.control.send(Control::News(tell)).await;
        sent.is_ok() && told.await.unwrap_or(false)
    }

    /// Tells its task that nothing of it is left.
    pub(crate) async fn delete(&self) {
        // A session that sleeps has nobody to tell.
        let _ = self.control.send(Control::Deleted).await;
    }

    /// Answers one client without anybody else hearing it.
    pub async fn reply(&self, client: ClientId, event: Event) -> Result<(), Gone> {
        self.control.send(Control::Reply { client, event }).await.map_err(|_| Gone)
    }
}
