//! Reading through many mails, a few at a time: first which ones, then each of them.

use brain::CallError;
use brain::facts::{Letters, OpenedLetter};
use jiff::{SignedDuration, Timestamp};
use models::digest::{self, Point};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::jobs::Help;

/// More than these nobody wants to hear of in one breath; the newest are read.
const MOST: usize = 200;
/// As many as a search brings at a time.
const PAGE: u32 = 50;
/// Read in one step.
const TOGETHER: usize = 5;

/// How far it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Reading {
    ids: Vec<String>,
    /// The next page holds what is older than this; none once all are known.
    before: Option<Timestamp>,
    is_listed: bool,
    pub points: Vec<Point>,
    read: usize,
    pub total: usize,
}

impl Reading {
    /// One step on.
    pub async fn go_on(&mut self, query: &str, help: &Help) -> Result<(), CallError> {
        if self.is_listed { self.read_some(help).await } else { self.list(query, help).await }
    }

    pub fn is_over(&self) -> bool {
        self.is_listed && self.read >= self.ids.len()
    }

    /// From 0 to 1; which ones they are is the smaller part.
    pub fn progress(&self) -> f32 {
        if !self.is_listed {
            return 0.02;
        }
        let all = u16::try_from(self.ids.len().max(1)).unwrap_or(u16::MAX);
        let read = u16::try_from(self.read).unwrap_or(u16::MAX);
        0.05 + 0.9 * f32::from(read) / f32::from(all)
    }

    pub fn message(&self) -> String {
        if self.is_listed {
            format!("{} of {} mails read", self.read, self.ids.len())
        } else {
            "Looking which mails there are".to_owned()
        }
    }

    async fn list(&mut self, query: &str, help: &Help) -> Result<(), CallError> {
        let older = self.before.map(|before| format!(" before:{before:.0}")).unwrap_or_default();
        let args = json!({ "query": format!("{query}{older}"), "max_results": PAGE });
        let found: Letters = help.look("gmail.search", args).await?;
        self.total = self.total.max(found.total as usize);
        let before = self.ids.len();
        for letter in &found.messages {
            if !self.ids.contains(&letter.message_id) && self.ids.len() < MOST {
                self.ids.push(letter.message_id.clone());
            }
        }
        let oldest = found.messages.last().map(|letter| letter.sent_at);
        // Those of the same second are found again rather than lost.
        self.before = oldest.and_then(|at| at.checked_add(SignedDuration::from_secs(1)).ok());
        let is_page = found.messages.len() == PAGE as usize;
        self.is_listed = !is_page || self.ids.len() == before || self.ids.len() >= MOST;
        Ok(())
    }

    async fn read_some(&mut self, help: &Help) -> Result<(), CallError> {
        let now = help.now().await?;
        let some: Vec<_> = self.ids.iter().skip(self.read).take(TOGETHER).cloned().collect();
        for id in some {
            match help.look::<OpenedLetter>("gmail.get_message", json!({ "message_id": id })).await
            {
                Ok(mail) => self.points.push(digest::point(&mail, &now)),
                // It was deleted meanwhile.
                Err(error) if error.code == "not_found" => {}
                Err(error) => return Err(error),
            }
            self.read += 1;
        }
        Ok(())
    }
}

/// How many mails that will be.
pub(super) async fn outlook(query: &str, help: &Help) -> Option<String> {
    let args = json!({ "query": query, "max_results": 1 });
    let found: Letters = help.look("gmail.search", args).await.ok()?;
    match found.total {
        0 => None,
        1 => Some("That's one mail.".to_owned()),
        many => Some(format!("That's {many} mails.")),
    }
}
