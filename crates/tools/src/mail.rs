//! Mail: what may be asked, whoever the provider is.
//!
//! Looking is here, writing in `writing`; [`local`] does both on this machine.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::args;
use query::{Place, Query, Term, What, Who};

pub(crate) mod address;
pub mod local;
pub mod query;
pub(crate) mod reply;
pub(crate) mod writing;

const MOST_RESULTS: u32 = 50;
const LONGEST_ID: usize = 200;

/// Written for models; people read `query.rs`.
const QUERY_HELP: &str = "Words, \"phrases\" and operators, all of which must match: from: to: \
    cc: subject: label: is:unread is:read in:inbox in:sent in:drafts in:anywhere newer_than:7d \
    older_than:2m after:2026-11-10 before:2026-11-16 after:2026-11-10T09:00:00Z, each also turned around by a \
    leading minus; {one other} where either is enough. Empty for the newest mail.";

/// What `gmail.search` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    #[serde(default)]
    #[schemars(length(max = 500), description = QUERY_HELP)]
    pub query: String,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    pub max_results: u32,
}

/// What `gmail.get_message` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetMessage {
    /// As `gmail.search` reported it.
    #[schemars(length(min = 1, max = 200))]
    pub message_id: String,
}

impl Search {
    pub(crate) fn read(args: &Value) -> Result<(Self, Query), String> {
        let search: Self = args::read(args)?;
        if !(1..=MOST_RESULTS).contains(&search.max_results) {
            return Err(format!("max_results must be between 1 and {MOST_RESULTS}"));
        }
        let query = Query::parse(&search.query).map_err(|error| error.to_string())?;
        Ok((search, query))
    }
}

impl GetMessage {
    pub(crate) fn read(args: &Value) -> Result<Self, String> {
        let get: Self = args::read(args)?;
        check_id("message_id", &get.message_id)?;
        Ok(get)
    }
}

fn check_id(field: &str, id: &str) -> Result<(), String> {
    if (1..=LONGEST_ID).contains(&id.chars().count()) {
        return Ok(());
    }
    Err(format!("{field} must have between 1 and {LONGEST_ID} characters"))
}

fn ten() -> u32 {
    10
}

/// "Searching unread mail from Priya".
pub(crate) fn label_of_search(args: &Value) -> String {
    let Ok((_, query)) = Search::read(args) else { return "Searching mail".to_owned() };
    let said = |pick: fn(&What) -> Option<String>| {
        query.terms.iter().filter(|term| !term.negated).find_map(|Term { what, .. }| pick(what))
    };
    let kind = said(|what| match what {
        What::Unread => Some("unread mail".to_owned()),
        What::In(Place::Sent) => Some("sent mail".to_owned()),
        What::In(Place::Drafts) => Some("drafts".to_owned()),
        What::In(Place::Inbox) => Some("the inbox".to_owned()),
        _ => None,
    });
    let from = said(|what| match what {
        What::From(who) => Some(format!(" from {}", who.called())),
        _ => None,
    });
    let to = said(|what| match what {
        What::To(who) => Some(format!(" to {}", who.called())),
        _ => None,
    });
    let about = said(|what| match what {
        What::Subject(words) | What::Words(words) => Some(format!(" for \"{words}\"")),
        _ => None,
    });
    let kind = kind.unwrap_or_else(|| "mail".to_owned());
    let details = [from, to, about].into_iter().flatten().collect::<String>();
    format!("Searching {kind}{details}")
}

impl Who {
    /// As one would say it: a name that was typed in lower case gets its capitals.
    fn called(&self) -> String {
        match self {
            Self::Me => "you".to_owned(),
            Self::Address(address) => address.clone(),
            Self::Domain(host) => host.clone(),
            Self::Named(name) => name.split(' ').map(capital).collect::<Vec<_>>().join(" "),
        }
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_search_is_labelled_as_a_person_would_say_it() {
        let label = |query: &str| label_of_search(&json!({ "query": query }));
        assert_eq!(label("from:Priya"), "Searching mail from Priya");
        assert_eq!(label("from:\"priya nair\" is:unread"), "Searching unread mail from Priya Nair");
        assert_eq!(label("in:sent to:tom heron"), "Searching sent mail to Tom for \"heron\"");
        assert_eq!(label("-from:tom newer_than:7d"), "Searching mail");
        assert_eq!(label(""), "Searching mail");
        assert_eq!(label_of_search(&json!({ "query": { "$step": 1 } })), "Searching mail");
    }

    #[test]
    fn limits_are_said_in_words() {
        let says = |args: Value| Search::read(&args).map(|_| ()).unwrap_err();
        assert_eq!(says(json!({ "max_results": 0 })), "max_results must be between 1 and 50");
        assert!(says(json!({ "q": "x" })).contains("unknown field `q`"));
        assert!(says(json!([])).contains("invalid"));
        assert!(GetMessage::read(&json!({ "message_id": "" })).is_err());
    }
}
