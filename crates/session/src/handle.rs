//! How everybody else reaches a session.

use brain::{Event, Input, SessionId, UserId};
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

/// What must not be dropped.
pub(crate) enum Control {
    Join(oneshot::Sender<Joined>),
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
}

impl SessionHandle {
    /// A handle, and what it hands over.
    pub(crate) fn new(id: SessionId, user: UserId) -> (Self, mpsc::Receiver<Control>) {
        let (control, inbox) = mpsc::channel(CONTROL_QUEUE);
        (Self { id, user, control }, inbox)
    }

    pub(crate) async fn join(&self) -> Result<Joined, Gone> {
        let (tell, told) = oneshot::channel();
        self.control.send(Control::Join(tell)).await.map_err(|_| Gone)?;
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

    /// Answers one client without anybody else hearing it.
    pub async fn reply(&self, client: ClientId, event: Event) -> Result<(), Gone> {
        self.control.send(Control::Reply { client, event }).await.map_err(|_| Gone)
    }
}
