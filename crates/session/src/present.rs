//! Turns a write that is wanted into a card that can be shown.
//!
//! The tool freezes the arguments and draws the preview; where each recipient
//! comes from and how much of a yes it needs is decided here, by `brain::policy`,
//! whoever proposed it.

use std::sync::Arc;
use std::time::Duration;

use brain::card::Warning;
use brain::policy::{Because, Care, Known, Ruling, Source, rule, source};
use brain::{ActionLevel, CallError, Card};
use models::{World, narrator};
use serde_json::Value;
use tools::{Caller, Tool};

use crate::act::as_call_error;
use crate::house::House;
use crate::peril::{Moment, Side};

/// A tool that has not drawn its card by then has failed.
const PATIENCE: Duration = Duration::from_secs(15);

/// Warnings about an address that make a plain yes too little.
const DOUBTFUL: [&str; 2] = [tools::warning::OTHER_ADDRESS, tools::warning::ODD_ADDRESS];

/// Where words come from, for whom they may name.
pub(crate) struct Words<'a> {
    /// The person's own.
    pub said: &'a str,
    /// What tools brought in this turn.
    pub read: Vec<String>,
}

/// The card for one use of a tool that writes, or why it is not even shown.
pub(crate) async fn card(
    tool: &Arc<dyn Tool>,
    args: Value,
    words: &Words<'_>,
    caller: &Caller,
    world: &World,
    house: &House,
) -> Result<Card, CallError> {
    let Some(writer) = tool.writer() else {
        return Err(refused("refused", format!("{} does not write", tool.name())));
    };
    house.peril.pass(Moment::Preparing, Side::Before).await;
    let prepared = tokio::time::timeout(PATIENCE, writer.prepare(args, caller)).await;
    house.peril.pass(Moment::Preparing, Side::After).await;
    let mut prepared = match prepared {
        Ok(Ok(prepared)) => prepared,
        Ok(Err(error)) => return Err(as_call_error(&error)),
        Err(_) => {
            return Err(refused("timeout", format!("{} did not answer in time", tool.name())));
        }
    };
    let contacts: Vec<_> = world.contacts.iter().map(|c| c.address.as_str()).collect();
    let thread: Vec<_> = prepared.thread.iter().map(String::as_str).collect();
    let content: Vec<_> = words.read.iter().map(String::as_str).collect();
    let known = Known { said: words.said, contacts: &contacts, thread: &thread, content: &content };
    for recipient in prepared.preview.recipients_mut() {
        recipient.source = source(&recipient.address, &known);
    }
    let sources: Vec<_> = prepared.preview.recipients().map(|one| one.source).collect();
    let voice = match rule(ActionLevel::Write, house.switches.of(tool.name()), &sources) {
        Ruling::Ask(care) => care,
        Ruling::Refuse(because) => return Err(not_shown(because, &prepared.preview)),
        // The rule for writes has no such answer; if it ever had, nothing is done.
        Ruling::Go => return Err(refused("refused", "a write needs a yes".into())),
    };
    let is_doubtful = |warning: &Warning| DOUBTFUL.contains(&warning.code.as_str());
    let doubtful = prepared.warnings.iter().any(is_doubtful);
    let voice = if doubtful { Care::Readback } else { voice };
    let mut warnings = prepared.warnings;
    if voice == Care::Readback {
        warnings.extend(from_a_text(&prepared.preview));
    }
    let speakable = narrator::card::ask(&prepared.preview, world);
    Ok(Card {
        action_type: prepared.action_type.to_owned(),
        title: prepared.title,
        speakable,
        preview: prepared.preview,
        payload: prepared.payload,
        editable: prepared.editable,
        warnings,
        voice,
    })
}

fn from_a_text(preview: &brain::Preview) -> impl Iterator<Item = Warning> {
    preview.recipients().filter(|one| one.source == Source::Content).map(|one| Warning {
        code: "content_recipient".into(),
        text: format!("{} comes from a text, not from you", one.address),
    })
}

fn not_shown(because: Because, preview: &brain::Preview) -> CallError {
    let unknown = preview.recipients().find(|one| one.source == Source::Unknown);
    let message = match because {
        Because::Paused => "all writes are paused".to_owned(),
        Because::ToolOff => "this tool is switched off".to_owned(),
        Because::UnknownRecipient => {
            let address = unknown.map_or("", |one| one.address.as_str());
            format!("{address} is in no contact, no mail at hand and not in the request")
        }
    };
    refused(because.code(), message)
}

pub(crate) fn refused(code: &str, message: String) -> CallError {
    CallError { code: code.to_owned(), message, retryable: false }
}
