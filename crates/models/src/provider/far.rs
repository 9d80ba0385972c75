//! The line to a provider: HTTP, and nothing that decides. Whoever drops an answer hangs
//! up, and the provider stops working for it.
//!
//! Neither what is said nor keys are ever logged.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use serde_json::Value;

use super::sse::Cutter;
use super::tongue::{self, Reader};
use super::{Answering, Ask, Delta, Deltas, Examined, Provider, Tongue, Trouble, trouble};

/// A refusal is short; more of it is not read.
const LONGEST_REFUSAL: usize = 64 * 1024;
/// A list of models may be long.
const LONGEST_LIST: usize = 16 * 1024 * 1024;

/// How long one waits for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Until somebody picks up.
    pub connect: Duration,
    /// Until the first piece of an answer.
    pub first: Duration,
    /// Between two pieces.
    pub idle: Duration,
}

/// Where a provider is, and what it wants to be shown.
#[derive(Clone)]
pub struct Line {
    pub name: String,
    pub tongue: Tongue,
    /// Without a slash at its end.
    pub base: String,
    pub key: Option<String>,
    pub model: String,
    pub patience: Patience,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, base, model, .. } = self;
        write!(f, "{name} ({model} at {base})")
    }
}

/// A provider at the other end of a line.
pub struct Far {
    line: Line,
    client: Client,
    headers: HeaderMap,
    at_home: bool,
}

impl Far {
    pub fn new(line: Line) -> Result<Self, Trouble> {
        let base = line.base.trim_end_matches('/').to_owned();
        let away = |error: reqwest::Error| Trouble::Away(reason(&error));
        let client = Client::builder()
            .connect_timeout(line.patience.connect)
            .pool_idle_timeout(Duration::from_mins(2))
            .tcp_nodelay(true)
            // A key is shown to whoever was named and to nobody they point at.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("sayso/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(away)?;
        let mut headers = HeaderMap::new();
        for (name, value) in line.tongue.headers(line.key.as_deref()) {
            // What cannot be sent cannot be right either.
            let mut value = HeaderValue::from_str(&value).map_err(|_| Trouble::WrongKey)?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let at_home = base.contains("://api.openai.com");
        Ok(Self { line: Line { base, ..line }, client, headers, at_home })
    }

    /// Who answered, or what is wrong.
    async fn sent(&self, request: reqwest::RequestBuilder) -> Result<Response, Trouble> {
        let response = request.headers(self.headers.clone()).send().await.map_err(|error| {
            if error.is_connect() || !error.is_timeout() {
                Trouble::Away(reason(&error))
            } else {
                Trouble::Slow("answer")
            }
        })?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let again = trouble::again_after(header_of(response.headers()));
        let body = limited(response, LONGEST_REFUSAL).await.unwrap_or_default();
        Err(Trouble::of(status.as_u16(), &body, again, &self.line.model))
    }
}

#[async_trait]
impl Provider for Far {
    fn name(&self) -> &str {
        &self.line.name
    }

    fn model(&self) -> &str {
        &self.line.model
    }

    async fn ask(&self, ask: &Ask) -> Result<Answering, Trouble> {
        let Line { tongue, base, model, patience, .. } = &self.line;
        let body = tongue.body(model, ask, self.at_home);
        let request = self.client.post(format!("{base}{}", tongue.path(model)));
        let request = request
            .header("content-type", "application/json")
            .header("accept", "text/event-stream")
            .body(body);
        let sent = tokio::time::timeout(patience.first, self.sent(request)).await;
        let response = sent.map_err(|_| Trouble::Slow("answer"))??;
        let request_id = trouble::request_id(header_of(response.headers()));
        let deltas = Streamed {
            response,
            cutter: Cutter::default(),
            reader: tongue.reader(),
            ready: VecDeque::new(),
            patience: patience.first,
            idle: patience.idle,
            is_over: false,
        };
        Ok(Answering { request_id, deltas: Box::new(deltas) })
    }

    async fn examine(&self) -> Result<Examined, Trouble> {
        let Line { tongue, base, model, patience, .. } = &self.line;
        let request = self.client.get(format!("{base}{}", tongue.models_path()));
        let sent = tokio::time::timeout(patience.first, self.sent(request)).await;
        let response =
            sent.map_err(|_| Trouble::Slow("answer"))?.map_err(|trouble| match trouble {
                // It is the list that is not there, not a model.
                Trouble::NoModel(_) => Trouble::Refused("it tells of no models".to_owned()),
                other => other,
            })?;
        let read = tokio::time::timeout(patience.first, limited(response, LONGEST_LIST)).await;
        let body = read.map_err(|_| Trouble::Slow("tell its models"))??;
        let list: Value = serde_json::from_slice(&body)
            .map_err(|_| Trouble::Garbage("its list of models is not JSON".to_owned()))?;
        let models = tongue.models_in(&list);
        let models =
            models.ok_or_else(|| Trouble::Garbage("it has no list of models".to_owned()))?;
        // Some name a version by default: `llama3` is `llama3:latest`.
        let is_it = |known: &String| known == model || known.strip_suffix(":latest") == Some(model);
        if !models.iter().any(is_it) {
            return Err(Trouble::NoModel(model.clone()));
        }
        Ok(Examined { models: models.len() })
    }
}

/// An answer on its way.
struct Streamed {
    response: Response,
    cutter: Cutter,
    reader: Box<dyn Reader>,
    ready: VecDeque<Delta>,
    /// For the next piece.
    patience: Duration,
    idle: Duration,
    is_over: bool,
}

#[async_trait]
impl Deltas for Streamed {
    async fn next(&mut self) -> Result<Option<Delta>, Trouble> {
        loop {
            if let Some(delta) = self.ready.pop_front() {
                return Ok(Some(delta));
            }
            if self.is_over {
                return Ok(None);
            }
            let piece = tokio::time::timeout(self.patience, self.response.chunk()).await;
            match piece.map_err(|_| Trouble::Slow("go on"))? {
                Ok(Some(bytes)) => {
                    let endless = |_| Trouble::Garbage("an event without an end".to_owned());
                    for event in self.cutter.take(&bytes).map_err(endless)? {
                        self.take(&event)?;
                    }
                    if !self.ready.is_empty() {
                        self.patience = self.idle;
                    }
                }
                Ok(None) => self.finish()?,
                // It had begun: the line broke.
                Err(_) => return Err(Trouble::CutOff),
            }
        }
    }
}

impl Streamed {
    fn take(&mut self, event: &super::sse::Event) -> Result<(), Trouble> {
        self.ready.extend(tongue::read_event(&mut *self.reader, event)?);
        self.is_over |= tongue::is_last(event);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Trouble> {
        if let Some(event) = self.cutter.finish() {
            self.take(&event)?;
        }
        self.is_over = true;
        if self.reader.is_whole() { Ok(()) } else { Err(Trouble::CutOff) }
    }
}

fn header_of(headers: &HeaderMap) -> impl Fn(&str) -> Option<String> {
    |name| headers.get(name)?.to_str().ok().map(str::to_owned)
}

async fn limited(mut response: Response, most: usize) -> Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| Trouble::CutOff)? {
        body.extend_from_slice(&piece);
        if body.len() > most {
            return Err(Trouble::Garbage("far too much".to_owned()));
        }
    }
    Ok(body)
}

/// The innermost reason, without the address: a key may stand in one.
fn reason(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    if inner.source().is_none() && inner.is::<reqwest::Error>() {
        return "the line cannot be opened".to_owned();
    }
    trouble::shortened(&inner.to_string())
}
