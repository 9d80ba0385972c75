//! Which protocol a provider speaks: where to send what, and who reads the answer. Pure.

use serde_json::Value;

use super::manners::{Field, Manners};
use super::sse::Event;
use super::{Ask, Delta, ToolSpec, Trouble, anthropic, chat, gemini, ids, responses};

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    /// OpenAI's Chat Completions, which nearly everybody speaks.
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
}

/// Reads one answer, event by event. What it does not know it passes over.
pub trait Reader: Send {
    fn read(&mut self, data: &Value) -> Result<Vec<Delta>, Trouble>;
    /// An answer that somebody gives as one whole, where it was asked for as a stream.
    fn read_whole(&mut self, answer: &Value) -> Result<Vec<Delta>, Trouble> {
        self.read(answer)
    }

    /// Everything was said; what comes after is at most what it cost.
    fn is_whole(&self) -> bool;

    /// Nothing comes after this, also where the line stays open.
    fn is_over(&self) -> bool;

    /// How often it was seen to think to itself: that says that it is at work, and nothing
    /// that is for anybody.
    fn thoughts(&self) -> usize;

    /// What the provider calls this answer, where it has said so.
    fn id(&self) -> Option<&str>;
}

impl Tongue {
    pub const ALL: [Self; 4] = [Self::Chat, Self::Responses, Self::Anthropic, Self::Gemini];

    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The base address, whether it was named up to the version or only up to the host.
    pub fn base(self, address: &str) -> String {
        let address = address.trim_end_matches('/');
        match self {
            Self::Chat | Self::Responses => versioned(address),
            Self::Anthropic => address.strip_suffix("/v1").unwrap_or(address).to_owned(),
            Self::Gemini => {
                let bare = ["/v1beta", "/v1"].iter().find_map(|it| address.strip_suffix(it));
                bare.unwrap_or(address).to_owned()
            }
        }
    }

    /// Where a model is asked, below the base address.
    pub fn path(self, model: &str) -> String {
        match self {
            Self::Chat => "/chat/completions".to_owned(),
            Self::Responses => "/responses".to_owned(),
            Self::Anthropic => "/v1/messages".to_owned(),
            Self::Gemini => format!("/v1beta/models/{model}:streamGenerateContent?alt=sse"),
        }
    }

    /// Where it tells which models it has.
    pub fn models_path(self) -> &'static str {
        match self {
            Self::Chat | Self::Responses => "/models",
            Self::Anthropic => "/v1/models?limit=1000",
            Self::Gemini => "/v1beta/models?pageSize=1000",
        }
    }

    /// The models in such a list, by name.
    pub fn models_in(self, list: &Value) -> Option<Vec<String>> {
        let (field, name) = match self {
            Self::Chat | Self::Responses | Self::Anthropic => ("data", "id"),
            Self::Gemini => ("models", "name"),
        };
        let models = list.get(field)?.as_array()?;
        let bare = |name: &str| name.trim_start_matches("models/").to_owned();
        Some(models.iter().filter_map(|model| model[name].as_str().map(bare)).collect())
    }

    /// What is shown with every request. The values are secrets.
    pub fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        match self {
            Self::Chat | Self::Responses => {
                headers.extend(key.map(|key| ("authorization", format!("Bearer {key}"))));
            }
            Self::Anthropic => {
                headers.extend(key.map(|key| ("x-api-key", key.to_owned())));
                headers.push(("anthropic-version", "2023-06-01".to_owned()));
            }
            Self::Gemini => headers.extend(key.map(|key| ("x-goog-api-key", key.to_owned()))),
        }
        headers
    }

    /// What is sent, as whoever it is sent to wants it.
    pub fn body(self, model: &str, ask: &Ask, manners: Manners) -> String {
        let body = match self {
            Self::Chat => chat::body(model, &ids::told_apart(ask), manners),
            Self::Responses => responses::body(model, &ids::told_apart(ask), manners),
            Self::Anthropic => anthropic::body(model, &ids::told_apart(ask), manners),
            // It goes by names.
            Self::Gemini => gemini::body(model, ask, manners),
        };
        let mut body = body.to_string();
        if !ask.tools.is_empty() && manners.takes(Field::Tools) {
            // Most of what is sent, and always the same: it is spelled out once.
            let end = body.pop();
            body.push_str(",\"tools\":");
            body.push_str(ask.tools.spelled(self));
            body.extend(end);
        }
        body
    }

    pub(super) fn tools(self, tools: &[ToolSpec]) -> Value {
        match self {
            Self::Chat => tools.iter().map(chat::tool).collect(),
            Self::Responses => tools.iter().map(responses::tool).collect(),
            Self::Anthropic => anthropic::tools(tools),
            Self::Gemini => gemini::tools(tools),
        }
    }

    pub fn reader(self) -> Box<dyn Reader> {
        match self {
            Self::Chat => Box::new(chat::Chunks::default()),
            Self::Responses => Box::new(responses::Events::default()),
            Self::Anthropic => Box::new(anthropic::Events::default()),
            Self::Gemini => Box::new(gemini::Chunks::default()),
        }
    }
}

/// Who speaks as OpenAI does, but without a version in the address.
const UNVERSIONED: [&str; 1] = ["://api.perplexity.ai"];

/// An address of OpenAI's kind: where only a host is named, the version is put behind it.
pub fn versioned(address: &str) -> String {
    let address = address.trim_end_matches('/');
    let is_host = address.split_once("://").is_some_and(|(_, rest)| !rest.contains('/'));
    if is_host && !UNVERSIONED.iter().any(|host| address.ends_with(host)) {
        return format!("{address}/v1");
    }
    address.to_owned()
}

/// Everything one event holds. Some glue several objects into one line.
pub fn read_event(reader: &mut dyn Reader, event: &Event) -> Result<Vec<Delta>, Trouble> {
    let data = event.data.trim();
    if data.is_empty() || data == "[DONE]" {
        return Ok(Vec::new());
    }
    let mut deltas = Vec::new();
    for value in serde_json::Deserializer::from_str(data).into_iter::<Value>() {
        let value = value.map_err(|_| Trouble::Garbage("it is not JSON".to_owned()))?;
        deltas.extend(reader.read(&value)?);
    }
    Ok(deltas)
}

/// Everything in an answer that is one whole: an object, several, or a list of them.
pub fn read_whole(reader: &mut dyn Reader, body: &[u8]) -> Result<Vec<Delta>, Trouble> {
    let mut deltas = Vec::new();
    for value in serde_json::Deserializer::from_slice(body).into_iter::<Value>() {
        let value = value.map_err(|_| Trouble::Garbage("it is not JSON".to_owned()))?;
        let all = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
        for one in all {
            if let Some(error) = one.get("error").filter(|error| !error.is_null()) {
                return Err(Trouble::in_stream(error));
            }
            deltas.extend(reader.read_whole(one)?);
        }
    }
    if reader.is_whole() {
        return Ok(deltas);
    }
    Err(Trouble::Garbage("it is JSON, but nothing that a model says".to_owned()))
}

/// What a page for people says about an address.
pub fn web_page() -> Trouble {
    Trouble::Garbage("it is a web page; the base address may lack /v1".to_owned())
}

/// Where a key is looked at, of those who tell everybody of their models.
pub fn key_path(name: &str, base: &str) -> Option<&'static str> {
    (name == "openrouter" || base.contains("://openrouter.ai")).then_some("/key")
}

/// Whether this is how the stream says that it is over.
pub fn is_last(event: &Event) -> bool {
    event.data.trim() == "[DONE]"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_be_named_with_its_version_or_without() {
        for (tongue, named, asked) in [
            (Tongue::Chat, "http://localhost:11434", "http://localhost:11434/v1"),
            (Tongue::Chat, "http://localhost:11434/v1/", "http://localhost:11434/v1"),
            (Tongue::Chat, "https://api.z.ai/api/paas/v4", "https://api.z.ai/api/paas/v4"),
            (Tongue::Chat, "https://api.perplexity.ai", "https://api.perplexity.ai"),
            (Tongue::Responses, "https://api.openai.com/", "https://api.openai.com/v1"),
            (Tongue::Anthropic, "https://api.anthropic.com/v1", "https://api.anthropic.com"),
            (Tongue::Anthropic, "https://gate.example/claude", "https://gate.example/claude"),
            (Tongue::Gemini, "https://g.example/v1beta/", "https://g.example"),
            (Tongue::Gemini, "https://g.example/v1", "https://g.example"),
            (Tongue::Gemini, "https://g.example", "https://g.example"),
        ] {
            assert_eq!(tongue.base(named), asked, "{tongue:?}");
        }
    }
}
