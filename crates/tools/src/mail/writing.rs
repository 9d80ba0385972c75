//! Writing mail: what may be asked, whoever the provider is.
//!
//! [`Send`] is what anybody may hand in; [`Outgoing`] is the same with nothing
//! left open, which is what a card shows and what is sent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::reply::Tone;
use super::{address, check_id};
use crate::unseen::has_unseen;
use crate::{args, text};

const LONGEST_INTENT: usize = 8_000;
const LONGEST_SUBJECT: usize = 300;
const LONGEST_BODY: usize = 50_000;
const MOST_RECIPIENTS: usize = 20;

/// What `gmail.draft_reply` takes: `message_id` or `thread_id`, and what to say.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftReply {
    /// The mail to answer, as `gmail.search` reported it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    pub message_id: Option<String>,
    /// Or the thread: its newest mail from somebody else is answered.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    pub thread_id: Option<String>,
    /// What the answer is to say, in the person's own words.
    #[schemars(length(min = 1, max = 8000))]
    pub intent: String,
    /// Changes how it begins and ends.
    #[serde(default)]
    pub tone: Tone,
}

/// What `gmail.create_draft` takes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateDraft {
    /// Plain addresses: `priya@example.com`. At most 20.
    #[schemars(length(min = 1, max = 20), inner(length(min = 1, max = 254)))]
    pub to: Vec<String>,
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 254)))]
    pub cc: Vec<String>,
    /// One line.
    #[schemars(length(max = 300))]
    pub subject: String,
    #[schemars(length(min = 1, max = 50000))]
    pub body: String,
}

/// What `gmail.send` takes. With `draft_id` all else may be left out.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Send {
    /// Plain addresses: `priya@example.com`. At most 20 with `cc`.
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 254)))]
    pub to: Option<Vec<String>>,
    #[serde(default)]
    #[schemars(length(max = 20), inner(length(min = 1, max = 254)))]
    pub cc: Option<Vec<String>>,
    /// One line.
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub subject: Option<String>,
    #[serde(default)]
    #[schemars(length(min = 1, max = 50000))]
    pub body: Option<String>,
    /// The thread that it continues.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    pub thread_id: Option<String>,
    /// The mail that it answers.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    pub in_reply_to: Option<String>,
    /// The draft that it was; it is no draft any more once this is sent.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    pub draft_id: Option<String>,
    /// Leave it out: it is always the person's own address.
    #[serde(default)]
    #[schemars(length(max = 254))]
    pub from: Option<String>,
}

/// A mail that could go out as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outgoing {
    pub from: String,
    pub to: Vec<String>,
    pub cc: Vec<String>,
    pub subject: String,
    pub body: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_reply_to: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_id: Option<String>,
}

impl DraftReply {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let draft: Self = args::read(args)?;
        if draft.message_id.is_none() && draft.thread_id.is_none() {
            return Err("say what to answer: message_id or thread_id".to_owned());
        }
        check_ids([("message_id", &draft.message_id), ("thread_id", &draft.thread_id)])?;
        if draft.intent.chars().count() > LONGEST_INTENT || text::lines(&draft.intent).is_empty() {
            return Err(format!("intent must have between 1 and {LONGEST_INTENT} characters"));
        }
        check_text("intent", &draft.intent)?;
        Ok(draft)
    }
}

impl CreateDraft {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let draft: Self = args::read(args)?;
        check_recipients(&draft.to, &draft.cc)?;
        check_subject(&draft.subject)?;
        check_body(&draft.body)?;
        Ok(draft)
    }
}

impl Send {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let send: Self = args::read(args)?;
        check_ids([
            ("thread_id", &send.thread_id),
            ("in_reply_to", &send.in_reply_to),
            ("draft_id", &send.draft_id),
        ])?;
        if send.draft_id.is_none() && (send.to.is_none() || send.body.is_none()) {
            return Err("a mail needs to and body, or the draft_id of one".to_owned());
        }
        if let Some(to) = &send.to {
            check_recipients(to, send.cc.as_deref().unwrap_or_default())?;
        } else {
            check_addresses(send.cc.as_deref().unwrap_or_default())?;
        }
        send.subject.as_deref().map_or(Ok(()), check_subject)?;
        send.body.as_deref().map_or(Ok(()), check_body)?;
        send.from.as_deref().map_or(Ok(()), address::check)?;
        Ok(send)
    }
}

impl Outgoing {
    /// Exactly what was shown, as it comes back to be sent.
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let mail: Self = args::read(args)?;
        mail.check()?;
        Ok(mail)
    }

    /// One spelling of it, so that the same mail is the same card.
    #[must_use]
    pub(crate) fn tidied(mut self) -> Self {
        let trimmed = |list: Vec<String>| list.iter().map(|one| one.trim().to_owned()).collect();
        self.to = address::distinct(trimmed(self.to), &[]);
        self.cc = address::distinct(trimmed(self.cc), &self.to);
        self.subject = self.subject.trim().to_owned();
        self.body = text::lines(&self.body);
        self
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        check_recipients(&self.to, &self.cc)?;
        check_subject(&self.subject)?;
        check_body(&self.body)?;
        address::check(&self.from)
    }

    pub(crate) fn recipients(&self) -> impl Iterator<Item = &String> {
        self.to.iter().chain(&self.cc)
    }
}

fn check_ids<const N: usize>(ids: [(&str, &Option<String>); N]) -> Result<(), String> {
    ids.iter()
        .filter_map(|(field, id)| Some((field, id.as_deref()?)))
        .try_for_each(|(field, id)| check_id(field, id))
}

fn check_recipients(to: &[String], cc: &[String]) -> Result<(), String> {
    if to.is_empty() {
        return Err("there is nobody to send it to".to_owned());
    }
    if to.len() + cc.len() > MOST_RECIPIENTS {
        return Err(format!("a mail goes to at most {MOST_RECIPIENTS} people"));
    }
    check_addresses(to)?;
    check_addresses(cc)
}

fn check_addresses(list: &[String]) -> Result<(), String> {
    if list.len() > MOST_RECIPIENTS {
        return Err(format!("a mail goes to at most {MOST_RECIPIENTS} people"));
    }
    list.iter().try_for_each(|address| address::check(address.trim()))
}

/// It becomes a header, so it must not be able to become two.
fn check_subject(subject: &str) -> Result<(), String> {
    if subject.contains(text::breaks_line) {
        return Err("a subject is one line without control characters".to_owned());
    }
    if subject.chars().count() > LONGEST_SUBJECT {
        return Err(format!("a subject is at most {LONGEST_SUBJECT} characters long"));
    }
    check_seen("subject", subject)
}

fn check_body(body: &str) -> Result<(), String> {
    if body.chars().count() > LONGEST_BODY || text::lines(body).is_empty() {
        return Err(format!("a mail's body must have between 1 and {LONGEST_BODY} characters"));
    }
    check_text("body", body)
}

/// What cannot be seen on a card must not be done by it.
pub(crate) fn check_text(field: &str, text: &str) -> Result<(), String> {
    if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(format!("{field} must not contain control characters"));
    }
    check_seen(field, &text::lines(text))
}

pub(crate) fn check_seen(field: &str, text: &str) -> Result<(), String> {
    if has_unseen(text) {
        return Err(format!("{field} must not contain characters that cannot be seen"));
    }
    Ok(())
}

/// "Sending the mail to priya@example.com and 2 others".
pub(crate) fn label_of_send(args: &Value) -> String {
    let to = Send::read(args).ok().and_then(|send| send.to).unwrap_or_default();
    match to.as_slice() {
        [] => "Sending the mail".to_owned(),
        [one] => format!("Sending the mail to {one}"),
        [one, _] => format!("Sending the mail to {one} and 1 other"),
        [one, others @ ..] => format!("Sending the mail to {one} and {} others", others.len()),
    }
}

#[cfg(test)]
#[path = "writing_tests.rs"]
mod tests;
