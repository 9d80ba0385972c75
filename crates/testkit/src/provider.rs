//! Providers of models for tests: a server on this machine that speaks each protocol as its
//! author does, and does what a script says: slowly, half, wrongly, or not at all.
//!
//! The official clients talk to it too (`scripts/clients`), so that what we read and what
//! providers send are the same.

mod spelled;
mod strict;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use models::provider::Tongue;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

pub use self::spelled::Part;

use crate::port;

/// The only key that it takes.
pub const KEY: &str = "sk-canary-7Q2mZ9xK4vB1";
/// The models that it tells of.
pub const MODELS: [&str; 2] = ["small-1", "large-1"];

/// What becomes of the next request.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It is answered, in the protocol that it was asked in.
    Answers(Vec<Part>),
    /// It is refused.
    Refuses { status: u16, headers: Vec<(&'static str, &'static str)>, body: Value },
    /// Exactly this text comes, as what it is said to be.
    Tells { status: u16, kind: &'static str, text: String },
    /// Nothing comes, for ever.
    Hangs,
}

impl Reply {
    pub fn says(text: &str) -> Self {
        Self::Answers(vec![Part::Text(text.to_owned())])
    }

    pub fn calls(tool: &str, args: Value) -> Self {
        Self::Answers(vec![Part::Call { tool: tool.to_owned(), args }])
    }

    /// A page for people, from whoever stands at that address.
    pub fn page(status: u16) -> Self {
        let text = "<!doctype html><html><body>Welcome!</body></html>".to_owned();
        Self::Tells { status, kind: "text/html", text }
    }

    /// All of it at once, from somebody who does not stream.
    pub fn whole(answer: &Value) -> Self {
        Self::Tells { status: 200, kind: "application/json", text: answer.to_string() }
    }

    pub fn fails(status: u16) -> Self {
        Self::Refuses { status, headers: Vec::new(), body: json!({ "error": { "message": "no" } }) }
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub path: String,
    pub body: Value,
}

/// Answers by what it was asked.
type Mind = Arc<dyn Fn(&Value) -> Reply + Send + Sync>;

#[derive(Default)]
struct Story {
    replies: VecDeque<Reply>,
    /// What it does when the script is over, where that was said.
    always: Option<Reply>,
    /// Or how it makes up its mind then.
    mind: Option<Mind>,
    asked: Vec<Asked>,
    /// What it said to requests that its author would not take.
    refused: Vec<String>,
    /// It names no request in a header.
    is_nameless: bool,
    hung_up: usize,
    /// It tells of its models whoever asks.
    is_open: bool,
}

/// The server.
#[derive(Clone)]
pub struct FakeProvider {
    address: SocketAddr,
    story: Arc<Mutex<Story>>,
}

impl FakeProvider {
    pub async fn start() -> Self {
        Self::listen(port::any()).await
    }

    pub async fn listen(at: SocketAddr) -> Self {
        let (listener, address) = port::listen(at).await;
        let fake = Self { address, story: Arc::default() };
        let serving = fake.clone();
        port::welcome(listener, move |stream| {
            let fake = serving.clone();
            async move { fake.serve(stream).await }
        });
        fake
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// As `OPENAI_BASE_URL` and the like would name it.
    pub fn base(&self, tongue: Tongue) -> String {
        match tongue {
            Tongue::Chat | Tongue::Responses => format!("http://{}/v1", self.address),
            Tongue::Anthropic | Tongue::Gemini => format!("http://{}", self.address),
        }
    }

    pub fn will(&self, reply: Reply) {
        self.story().replies.push_back(reply);
    }

    /// What becomes of every request that no script is about.
    pub fn always(&self, reply: Reply) {
        self.story().always = Some(reply);
    }

    /// What becomes of every request that no script is about, by what it asks.
    pub fn thinks(&self, mind: impl Fn(&Value) -> Reply + Send + Sync + 'static) {
        self.story().mind = Some(Arc::new(mind));
    }

    /// It tells everybody of its models, as `OpenRouter` does: only `/key` needs one.
    pub fn tells_everybody(&self) {
        self.story().is_open = true;
    }

    /// Every question so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.story().asked.clone()
    }

    /// What it said to requests that its author would not take.
    pub fn refused(&self) -> Vec<String> {
        self.story().refused.clone()
    }

    /// It names no request in a header, only in what it answers.
    pub fn names_nothing(&self) {
        self.story().is_nameless = true;
    }

    /// How often somebody left before the end of an answer.
    pub fn hung_up(&self) -> usize {
        self.story().hung_up
    }

    fn story(&self) -> MutexGuard<'_, Story> {
        self.story.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn serve(&self, stream: TcpStream) {
        let mut line = BufReader::new(stream);
        while let Some(request) = Request::read(&mut line).await {
            if self.reply(&request, &mut line).await.is_none() {
                return;
            }
        }
    }

    /// `None` when the line is to be closed.
    async fn reply(&self, request: &Request, line: &mut BufReader<TcpStream>) -> Option<()> {
        let is_open = self.story().is_open && request.path.ends_with("/models");
        if !request.shows(KEY) && !is_open {
            let body = json!({ "type": "error", "error": {
                "type": "authentication_error", "code": "invalid_api_key",
                "message": "Incorrect API key provided." } });
            return whole(line, 401, &[], &body).await;
        }
        let Some(tongue) = request.tongue() else {
            return whole(line, 200, &[], &models_of(&request.path)).await;
        };
        if let Some(body) = strict::refusal(tongue, &request.body) {
            self.story().refused.push(body.to_string());
            return whole(line, 400, &[], &body).await;
        }
        let (reply, mind, number) = {
            let mut story = self.story();
            let asked = Asked { path: request.path.clone(), body: request.body.clone() };
            story.asked.push(asked);
            let reply = story.replies.pop_front().or_else(|| story.always.clone());
            (reply, story.mind.clone(), story.asked.len())
        };
        let reply = reply.or_else(|| mind.map(|mind| mind(&request.body)));
        let reply = reply.unwrap_or_else(|| by_itself(&request.body));
        match reply {
            Reply::Refuses { status, headers, body } => whole(line, status, &headers, &body).await,
            Reply::Tells { status, kind, text } => told(line, status, kind, &[], &text).await,
            Reply::Hangs => self.wait(Duration::MAX, line).await,
            Reply::Answers(parts) => {
                let sealed = request.body.get("include").is_some();
                let pieces = spelled::pieces(tongue, sealed, &parts);
                self.answer(pieces, number, line).await
            }
        }
    }

    async fn answer(
        &self,
        pieces: Vec<spelled::Piece>,
        number: usize,
        line: &mut BufReader<TcpStream>,
    ) -> Option<()> {
        let names = if self.story().is_nameless {
            String::new()
        } else {
            format!("x-request-id: req_{number}\r\nrequest-id: req_{number}\r\n")
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{names}\
             transfer-encoding: chunked\r\n\r\n"
        );
        line.write_all(head.as_bytes()).await.ok()?;
        for piece in pieces {
            match piece {
                spelled::Piece::Bytes(bytes) => {
                    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                    chunk.extend(bytes);
                    chunk.extend(b"\r\n");
                    if line.write_all(&chunk).await.is_err() {
                        self.story().hung_up += 1;
                        return None;
                    }
                }
                spelled::Piece::Pause(pause) => self.wait(pause, line).await?,
                spelled::Piece::Close => return None,
            }
        }
        line.write_all(b"0\r\n\r\n").await.ok()
    }

    /// Waits; `None` when the other side hangs up meanwhile.
    async fn wait(&self, pause: Duration, line: &mut BufReader<TcpStream>) -> Option<()> {
        let mut more = [0; 1];
        tokio::select! {
            () = tokio::time::sleep(pause) => Some(()),
            _ = line.read(&mut more) => {
                self.story().hung_up += 1;
                None
            }
        }
    }
}

/// What it does where no script says anything: uses the first tool it is told of, unless
/// a tool has brought something already.
fn by_itself(body: &Value) -> Reply {
    let text = body.to_string();
    let names = ["/tools/0/function/name", "/tools/0/name"];
    let gemini = "/tools/0/functionDeclarations/0/name";
    let tool = names.into_iter().chain([gemini]).find_map(|at| body.pointer(at)?.as_str());
    let has_brought = ["tool_call_id", "function_call_output", "tool_result", "functionResponse"]
        .iter()
        .any(|sign| text.contains(sign));
    match tool.filter(|_| !has_brought) {
        Some(tool) => Reply::calls(tool, json!({ "query": "budget" })),
        None => Reply::says("Hello from a fake. Čau!"),
    }
}

fn models_of(path: &str) -> Value {
    if path.starts_with("/v1beta") {
        let model = |name: &str| json!({ "name": format!("models/{name}"), "displayName": name });
        return json!({ "models": MODELS.map(model) });
    }
    let model = |name: &str| {
        json!({
            "id": name, "object": "model", "type": "model", "created": 1_700_000_000,
            "owned_by": "fake", "display_name": name, "created_at": "2026-01-01T00:00:00Z",
        })
    };
    json!({ "object": "list", "data": MODELS.map(model), "has_more": false,
        "first_id": MODELS[0], "last_id": MODELS[1] })
}

async fn whole(
    line: &mut BufReader<TcpStream>,
    status: u16,
    headers: &[(&str, &str)],
    body: &Value,
) -> Option<()> {
    told(line, status, "application/json", headers, &body.to_string()).await
}

async fn told(
    line: &mut BufReader<TcpStream>,
    status: u16,
    kind: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Option<()> {
    let mut head = format!(
        "HTTP/1.1 {status} Told\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.extend([*name, ": ", *value, "\r\n"]);
    }
    line.write_all(format!("{head}\r\n{body}").as_bytes()).await.ok()
}

struct Request {
    path: String,
    head: String,
    body: Value,
}

impl Request {
    async fn read(line: &mut BufReader<TcpStream>) -> Option<Self> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(line.read_u8().await.ok()?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let path = head.split(' ').nth(1)?.to_owned();
        let length = header(&head, "content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        line.read_exact(&mut body).await.ok()?;
        let body = serde_json::from_slice(&body).unwrap_or_default();
        Some(Self { path, head, body })
    }

    /// In whichever way its protocol shows a key.
    fn shows(&self, key: &str) -> bool {
        let bearer = header(&self.head, "authorization").map(|it| it.replace("Bearer ", ""));
        let own = ["x-api-key", "x-goog-api-key"].map(|name| header(&self.head, name));
        bearer.into_iter().chain(own.into_iter().flatten()).any(|shown| shown == key)
    }

    fn tongue(&self) -> Option<Tongue> {
        let path = self.path.split('?').next().unwrap_or_default();
        [
            ("/chat/completions", Tongue::Chat),
            ("/responses", Tongue::Responses),
            ("/messages", Tongue::Anthropic),
            (":streamGenerateContent", Tongue::Gemini),
        ]
        .into_iter()
        .find_map(|(end, tongue)| path.ends_with(end).then_some(tongue))
    }
}

fn header(head: &str, name: &str) -> Option<String> {
    head.lines().find_map(|line| {
        let (known, value) = line.split_once(':')?;
        known.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}
