//! `--approve`: the kinds of cards that a command may say yes to by itself.

use anyhow::bail;
use axum::http::Method;
use brain::SessionId;
use brain::event::Question;
use brain::policy::Care;
use clap::Args;
use serde_json::json;

use crate::client::{Remote, http};

/// What there is to say yes to.
const TYPES: [&str; 2] = ["send_email", "create_event"];

#[derive(Args)]
pub struct Approve {
    #[arg(
        long,
        value_name = "TYPES",
        value_delimiter = ',',
        value_parser = action_type,
        help = "Say yes by itself to cards of these types: send_email,create_event; \
                never to one that warns of something or has an address out of a text"
    )]
    approve: Vec<String>,
}

impl Approve {
    /// Whether a card may be said yes to without anybody looking at it. One that
    /// needs a second look may not.
    pub fn covers(&self, question: &Question) -> bool {
        question.card.voice != Care::Readback
            && question.card.warnings.is_empty()
            && self.approve.contains(&question.card.action_type)
    }
}

/// Says yes to exactly the revision that came, and says on record that no hand
/// was on the card.
pub async fn accept(server: &Remote, session: SessionId, card: &Question) -> anyhow::Result<()> {
    let body = json!({
        "session_id": session,
        "confirmation_request_id": card.confirmation_request_id,
        "revision": card.revision,
        "decision": "accept",
    });
    let answer = http::request(server, Method::POST, "/chat/confirm", Some(&body)).await?;
    if answer.status != 200 {
        bail!("{}", answer.problem());
    }
    Ok(())
}

fn action_type(text: &str) -> Result<String, String> {
    if TYPES.contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("there is no such type of action; there are {}", TYPES.join(" and ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_not_a_type_of_action() {
        assert_eq!(action_type("send_email").as_deref(), Ok("send_email"));
        for wrong in ["", "gmail.send", "all*", "Send Email"] {
            assert!(action_type(wrong).is_err(), "{wrong}");
        }
    }
}
