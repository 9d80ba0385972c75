//! One thing that needs a yes: a note somewhere else.

use std::sync::Arc;

use brain::input::Decision;
use brain::plan::{Proposal, ProposedStep};
use brain::{Event, Input};
use serde_json::json;
use session::{Joined, SessionHandle};
use testkit::parts::Thought;
use testkit::writer::{FakeWriter, Fortune};
use tools::Catalog;

use crate::{Stage, events};

pub const TOOL: &str = "crm.note";

pub fn writer(fortune: Fortune) -> Arc<FakeWriter> {
    Arc::new(FakeWriter::new(TOOL, vec![fortune]))
}

pub fn with(writer: &Arc<FakeWriter>) -> Catalog {
    Catalog::new().with(Arc::clone(writer) as Arc<dyn tools::Tool>)
}

/// A thought that leads to a card for a note.
pub fn thought(text: &str) -> Thought {
    let step = ProposedStep { tool: TOOL.into(), args: json!({ "text": text }) };
    let proposal = Proposal { steps: vec![step], ..Proposal::default() };
    Thought { proposal, ..Thought::default() }
}

/// Asks for a note; the yes to its card.
pub async fn asked_for(stage: &Stage, session: &SessionHandle, client: &mut Joined) -> Input {
    stage.mind.will_think(thought("called"));
    let input = Input::Text { text: "note that".into(), attachments: Vec::new() };
    session.send(client.client, None, input).await.unwrap();
    let shown = events(client).await;
    let card = shown.iter().find_map(|envelope| match &envelope.event {
        Event::AskedToConfirm(question) => Some(question.confirmation_request_id),
        _ => None,
    });
    Input::Answer {
        question: card.expect("a card").to_string(),
        decision: Decision::Accept,
        edited: None,
        revision: Some(1),
        channel: brain::confirmation::Channel::Click,
    }
}
