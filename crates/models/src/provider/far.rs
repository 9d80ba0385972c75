//! The line to a provider: HTTP, and nothing that decides. Whoever drops an answer hangs
//! up, and the provider stops working for it.
//!
//! Neither what is said nor keys are ever logged.

mod streamed;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use serde_json::Value;

use self::streamed::Streamed;
use super::manners::{self, Manners};
use super::murmur::{Habit, Murmur};
use super::place::is_here;
use super::tongue::Reader;
use super::{
    Answering, Ask, Effort, Examined, Provider, Tongue, Trouble, Wait, thoughts, tongue, trouble,
};
use crate::thinker::Tier;

/// A refusal is short; more of it is not read.
const LONGEST_REFUSAL: usize = 64 * 1024;
/// A list of models may be long.
const LONGEST_LIST: usize = 16 * 1024 * 1024;
/// How often the same is asked in another way, where somebody does not take the first.
const MOST_WAYS: usize = 8;

/// Where the authors of the protocols are themselves: OpenAI, Anthropic, Google.
const AUTHORS: [&str; 3] =
    ["://api.openai.com", "://api.anthropic.com", "://generativelanguage.googleapis.com"];

/// How long one waits for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Until somebody picks up.
    pub connect: Duration,
    /// Until the first piece of an answer.
    pub first: Duration,
    /// The same, where nobody else could be asked instead.
    pub alone: Duration,
    /// Between two pieces.
    pub idle: Duration,
}

/// Where a provider is, and what it wants to be shown.
#[derive(Clone)]
pub struct Line {
    pub name: String,
    pub tongue: Tongue,
    /// With its version or without: see [`Tongue::base`].
    pub base: String,
    pub key: Option<String>,
    pub model: String,
    /// Whether what is said there stays with its person.
    pub tier: Tier,
    /// How much it is to think before it answers.
    pub effort: Effort,
    pub patience: Patience,
}

impl Line {
    /// What is not to leave passes through nobody's hands, whatever the environment says
    /// about proxies; and no proxy knows better than we what is on this machine.
    fn is_direct(&self) -> bool {
        self.tier == Tier::Local || is_here(&self.base)
    }
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
    /// As far as it has been found out.
    manners: Mutex<Manners>,
    /// Whether its thoughts come as words; nothing, where they never do.
    habit: Option<Arc<Habit>>,
}

/// A refusal as it came.
struct No {
    trouble: Trouble,
    status: u16,
    body: Vec<u8>,
    request_id: Option<String>,
}

impl From<Trouble> for No {
    fn from(trouble: Trouble) -> Self {
        Self { trouble, status: 0, body: Vec::new(), request_id: None }
    }
}

impl Far {
    pub fn new(line: Line) -> Result<Self, Trouble> {
        let base = line.tongue.base(&line.base);
        let away = |error: reqwest::Error| Trouble::Away(reason(&error));
        let mut client = Client::builder()
            .connect_timeout(line.patience.connect)
            .pool_idle_timeout(Duration::from_mins(2))
            .tcp_nodelay(true)
            // A key is shown to whoever was named and to nobody they point at.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("sayso/", env!("CARGO_PKG_VERSION")));
        if line.is_direct() {
            client = client.no_proxy();
        }
        let client = client.build().map_err(away)?;
        let mut headers = HeaderMap::new();
        for (name, value) in line.tongue.headers(line.key.as_deref()) {
            // What cannot be sent cannot be right either.
            let mut value = HeaderValue::from_str(&value).map_err(|_| Trouble::WrongKey)?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let at_home = base.contains(AUTHORS[0]);
        let manners = Mutex::new(Manners::new(line.tongue, &line.model, at_home, line.effort));
        let is_author = AUTHORS.iter().any(|author| base.contains(author));
        let habit = (!is_author).then(|| Arc::new(Habit::of(&line.model)));
        Ok(Self { line: Line { base, ..line }, client, headers, manners, habit })
    }

    /// Every model that it tells of, by name. Costs nothing.
    pub async fn models(&self) -> Result<Vec<String>, Trouble> {
        let Line { tongue, base, patience, .. } = &self.line;
        let request = self.client.get(format!("{base}{}", tongue.models_path()));
        let response = self.looked_at(request).await.map_err(|trouble| match trouble {
            // It is the list that is not there, not a model.
            Trouble::NoModel(_) => Trouble::Refused("it tells of no models".to_owned()),
            other => other,
        })?;
        let read = tokio::time::timeout(patience.first, limited(response, LONGEST_LIST)).await;
        let body = read.map_err(|_| Trouble::Slow("tell its models"))??;
        if trouble::is_page(&body) {
            return Err(tongue::web_page());
        }
        let list: Value = serde_json::from_slice(&body)
            .map_err(|_| Trouble::Garbage("its list of models is not JSON".to_owned()))?;
        let models = tongue.models_in(&list);
        models.ok_or_else(|| Trouble::Garbage("it has no list of models".to_owned()))
    }

    async fn looked_at(&self, request: reqwest::RequestBuilder) -> Result<Response, Trouble> {
        let sent = tokio::time::timeout(self.line.patience.first, self.sent(request)).await;
        sent.map_err(|_| Trouble::Slow("answer"))?.map_err(|no| no.trouble)
    }

    /// Who answered, or what is wrong.
    async fn sent(&self, request: reqwest::RequestBuilder) -> Result<Response, No> {
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
        let status = status.as_u16();
        let again = trouble::again_after(header_of(response.headers()), Timestamp::now());
        let request_id = trouble::request_id(header_of(response.headers()));
        let body = limited(response, LONGEST_REFUSAL).await.unwrap_or_default();
        let trouble = Trouble::of(status, &body, again, &self.line.model);
        Err(No { trouble, status, body, request_id })
    }

    /// As it wants to be asked; what it turns out not to take is not sent again.
    async fn asked(&self, ask: &Ask) -> Result<Response, No> {
        let Line { tongue, base, model, .. } = &self.line;
        let address = format!("{base}{}", tongue.path(model));
        let mut ask = thoughts::of_its_own(ask, &thoughts::whose(&self.line.name, model));
        let mut ways = 0;
        loop {
            ways += 1;
            let manners = *self.manners();
            let request = self
                .client
                .post(&address)
                .header("content-type", "application/json")
                .header("accept", "text/event-stream")
                .body(tongue.body(model, &ask, manners));
            let no = match self.sent(request).await {
                Ok(response) => return Ok(response),
                Err(no) => no,
            };
            // What it thought does not fit any more; it thinks anew, this once.
            if ask.has_thoughts() && manners::is_about_thoughts(no.status, &no.body) {
                ask = Cow::Owned(thoughts::forgotten(&ask));
                continue;
            }
            let otherwise = manners.after(no.status, &no.body, model, &ask);
            let otherwise = otherwise.filter(|_| ways < MOST_WAYS);
            let Some(otherwise) = otherwise else { return Err(no) };
            tracing::info!(provider = self.line.name, model, "it is asked in another way");
            *self.manners() = otherwise;
        }
    }

    fn reader(&self) -> Box<dyn Reader> {
        let reader = self.line.tongue.reader();
        match &self.habit {
            Some(habit) => Box::new(Murmur::new(reader, Arc::clone(habit))),
            None => reader,
        }
    }

    fn manners(&self) -> MutexGuard<'_, Manners> {
        self.manners.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.ask_noting(ask, Wait::Briefly, &mut None).await
    }

    async fn ask_noting(
        &self,
        ask: &Ask,
        wait: Wait,
        request_id: &mut Option<String>,
    ) -> Result<Answering, Trouble> {
        let Patience { first, alone, idle, .. } = self.line.patience;
        let first = match wait {
            Wait::Briefly => first,
            Wait::Patiently => first.max(alone),
        };
        let until = tokio::time::Instant::now() + first;
        let asked = tokio::time::timeout_at(until, self.asked(ask)).await;
        let response = asked.map_err(|_| Trouble::Slow("answer"))?.map_err(|no| {
            *request_id = no.request_id;
            no.trouble
        })?;
        *request_id = trouble::request_id(header_of(response.headers()));
        let deltas = Streamed::new(response, self.reader(), until, idle);
        Ok(Answering { request_id: request_id.clone(), deltas: Box::new(deltas) })
    }

    async fn examine(&self) -> Result<Examined, Trouble> {
        let Line { name, base, key, model, .. } = &self.line;
        if let Some(path) = tongue::key_path(name, base).filter(|_| key.is_some()) {
            match self.looked_at(self.client.get(format!("{base}{path}"))).await {
                // A gateway of that name has no such place.
                Ok(_) | Err(Trouble::Nowhere | Trouble::NoModel(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let models = self.models().await?;
        // Some name a version by default: `llama3` is `llama3:latest`.
        let is_it = |known: &String| known == model || known.strip_suffix(":latest") == Some(model);
        if !models.iter().any(is_it) {
            return Err(Trouble::NoModel(model.clone()));
        }
        Ok(Examined { models: models.len() })
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
