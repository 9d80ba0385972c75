//! The line to the server, which may break.

use std::time::Duration;

use anyhow::bail;
use brain::{Envelope, SessionId};

use crate::cli::look::{self, tell_line};
use crate::client::{Client, NotWelcome, Remote, reached};

/// Waits between tries to reach a server that went away.
const BACK_OFF: [Duration; 5] = [
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];

pub struct Line {
    pub server: Remote,
    pub session: SessionId,
    pub client: Client,
    pub last_seq: u64,
    /// Calls since anybody last answered.
    pub calls: usize,
}

impl Line {
    pub async fn next(&mut self) -> anyhow::Result<Envelope> {
        let envelope = self.client.next().await?;
        self.calls = 0;
        self.last_seq = reached(&envelope).unwrap_or(self.last_seq);
        Ok(envelope)
    }

    /// What happens while nobody waits. Answers the server's pings besides.
    pub async fn idle(&mut self) -> Envelope {
        match self.next().await {
            Ok(envelope) => envelope,
            // The next thing that is typed calls again, and says if nobody answers.
            Err(_) => std::future::pending().await,
        }
    }

    pub async fn call_again(&mut self) -> anyhow::Result<()> {
        tell_line!("{}The line broke; calling again.{}", look::QUIET, look::PLAIN);
        while let Some(wait) = BACK_OFF.get(self.calls) {
            self.calls += 1;
            match Client::connect(&self.server, Some(self.session), self.last_seq).await {
                Ok(client) => {
                    self.client = client;
                    return Ok(());
                }
                Err(error) if error.is::<NotWelcome>() => return Err(error),
                Err(_) => tokio::time::sleep(*wait).await,
            }
        }
        bail!("nobody answers at {}; {} brings you back later", self.server, self.way_back())
    }

    pub fn way_back(&self) -> String {
        way_back(&self.server.to_string(), self.session)
    }
}

/// The command that goes on with a session.
pub fn way_back(server: &str, session: SessionId) -> String {
    let server = if server == crate::cli::DEFAULT_SERVER {
        String::new()
    } else {
        format!(" --server {server}")
    };
    format!("sayso chat --session {session}{server}")
}
