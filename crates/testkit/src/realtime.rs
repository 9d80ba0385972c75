//! A live voice for tests: a server on this machine that speaks OpenAI's Realtime as its
//! author does, and does what a script says. It is strict: whatever a client does that the
//! real one would refuse is refused, and remembered as a mistake.
//!
//! Between what it says it sends events that nobody knows, and text that is no event.

mod talk;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use models::planner::{self, Planner};
use models::provider::cost::Price;
use models::provider::{Order, ToolSpec, Trouble};
use models::realtime::socket::Realtime;
use models::realtime::{Item, Line, Live, Prices, Setup};
use models::{Thinker, Tier};
use serde_json::Value;
use session::LiveVoice;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};

use tools::{Catalog, Tool};

use crate::port;
use crate::provider::KEY;
use crate::senses::LETTER_MS;

/// The only model that it has.
pub const MODEL: &str = "live-1";

/// What it answers the next time it is asked to.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub says: String,
    pub calls: Vec<(String, Value)>,
    /// Before it begins.
    pub after: Duration,
    /// Between two words.
    pub between: Duration,
    pub ends: Ends,
}

/// How an answer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    #[default]
    Well,
    /// The line breaks when half of its words are out.
    Breaks,
    /// Nothing comes any more when half of its words are out.
    Stalls,
    /// It says that it failed, before the first word.
    Fails,
}

impl Answer {
    pub fn says(text: &str) -> Self {
        Self { says: text.to_owned(), ..Self::default() }
    }

    pub fn calls(calls: &[(&str, Value)]) -> Self {
        let calls = calls.iter().map(|(tool, args)| ((*tool).to_owned(), args.clone())).collect();
        Self { calls, ..Self::default() }
    }
}

/// Answers by what is in a conversation.
type Mind = Arc<dyn Fn(&[Kept]) -> Answer + Send + Sync>;

#[derive(Default)]
struct Story {
    answers: VecDeque<Answer>,
    /// What it answers when the script is over: by what is in the conversation.
    mind: Option<Mind>,
    /// What is written down of the next sounds.
    hears: VecDeque<String>,
    /// It reads something else than it was given.
    misreads: bool,
    /// It sends nothing but what its author would.
    is_plain: bool,
    /// Nobody gets in.
    is_shut: bool,
    /// Everything that clients sent, by line.
    came: Vec<(usize, Value)>,
    mistakes: Vec<String>,
    lines: usize,
    /// What is in the newest conversation: whose it is, and what it says.
    items: Vec<Kept>,
}

/// Something in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub id: String,
    pub role: String,
    pub text: String,
    /// Of its sound.
    pub ms: u64,
}

/// The server.
#[derive(Clone)]
pub struct FakeRealtime {
    address: SocketAddr,
    story: Arc<Mutex<Story>>,
    /// Counts how often all lines were closed.
    closes: Arc<watch::Sender<u64>>,
}

impl FakeRealtime {
    pub async fn start() -> Self {
        let (listener, address) = port::listen(port::any()).await;
        let closes = Arc::new(watch::Sender::new(0));
        let fake = Self { address, story: Arc::default(), closes };
        let serving = fake.clone();
        port::welcome(listener, move |stream| {
            let fake = serving.clone();
            async move { fake.serve(stream).await }
        });
        fake
    }

    /// As `OPENAI_BASE_URL` would name it.
    pub fn base(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub fn will(&self, answer: Answer) {
        self.story().answers.push_back(answer);
    }

    /// What it answers whenever no script is about it.
    pub fn thinks(&self, mind: impl Fn(&[Kept]) -> Answer + Send + Sync + 'static) {
        self.story().mind = Some(Arc::new(mind));
    }

    /// What the next sound says.
    pub fn will_hear(&self, text: &str) {
        self.story().hears.push_back(text.to_owned());
    }

    pub fn misreads(&self, misreads: bool) {
        self.story().misreads = misreads;
    }

    /// For clients that cannot bear what is no event.
    pub fn speaks_plainly(&self) {
        self.story().is_plain = true;
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whoever comes from now on does not get in.
    pub fn shuts(&self, is_shut: bool) {
        self.story().is_shut = is_shut;
    }

    /// The time of every conversation is up.
    pub fn ends_all(&self) {
        self.closes.send_modify(|closes| *closes += 1);
    }

    /// How many lines were opened.
    pub fn lines(&self) -> usize {
        self.story().lines
    }

    /// What clients sent over a line, sound left out.
    pub fn came(&self, line: usize) -> Vec<Value> {
        let story = self.story();
        let of_line = story.came.iter().filter(|(known, _)| *known == line);
        of_line.map(|(_, event)| event.clone()).collect()
    }

    /// What clients did that they may not.
    pub fn mistakes(&self) -> Vec<String> {
        self.story().mistakes.clone()
    }

    /// What is in the newest conversation.
    pub fn items(&self) -> Vec<Kept> {
        self.story().items.clone()
    }

    /// By the script, by its own mind, or not at all.
    fn next_answer(&self) -> Answer {
        let (next, mind, items) = {
            let mut story = self.story();
            (story.answers.pop_front(), story.mind.clone(), story.items.clone())
        };
        let fails = || Answer { ends: Ends::Fails, ..Answer::default() };
        next.or_else(|| mind.map(|mind| mind(&items))).unwrap_or_else(fails)
    }

    fn story(&self) -> MutexGuard<'_, Story> {
        self.story.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers whoever is at the other end.
    pub async fn serve<S: AsyncRead + AsyncWrite + Send + Unpin>(&self, stream: S) {
        let mut model = String::new();
        let is_shut = self.story().is_shut;
        // The answer of a handshake is as large as its author made it.
        #[expect(clippy::result_large_err, reason = "the library says what it has to be")]
        let look = |request: &Request, response: Response| {
            let refuse = |status: u16, code: &str| {
                let body = serde_json::json!({ "error": { "code": code, "message": code } });
                let refusal = Response::builder().status(status).body(Some(body.to_string()));
                let refusal: ErrorResponse = refusal.expect("a status and a text");
                Err(refusal)
            };
            let shown = request.headers().get("authorization").and_then(|it| it.to_str().ok());
            if shown != Some(&format!("Bearer {KEY}")) {
                return refuse(401, "invalid_api_key");
            }
            if is_shut {
                return refuse(503, "server_error");
            }
            let query = request.uri().query().unwrap_or_default();
            query.trim_start_matches("model=").clone_into(&mut model);
            Ok(response)
        };
        let Ok(socket) = accept_hdr_async(stream, look).await else { return };
        let line = {
            let mut story = self.story();
            story.lines += 1;
            story.items.clear();
            story.lines
        };
        talk::Talk::new(self.clone(), line, socket, &model).run().await;
    }
}

/// So long a text is heard.
fn sound_ms(text: &str) -> u64 {
    text.chars().count() as u64 * LETTER_MS
}

/// How a client reaches a live voice at `base`.
pub fn client(base: String, key: &str, model: &str, tools: Vec<ToolSpec>) -> Realtime {
    let price = Price { input: 4.0, cached: 0.4, output: 16.0 };
    Realtime {
        name: "realtime".into(),
        base,
        key: Some(key.to_owned()),
        setup: Setup {
            model: model.to_owned(),
            voice: "cedar".into(),
            transcription: "write-1".into(),
            language: "en".into(),
            instructions: planner::system(),
            tools,
            prices: Prices { text: price, sound: price, writing: price, writing_a_minute: 0.017 },
        },
        patience: Duration::from_secs(3),
    }
}

/// A house's live voice that thinks with these tools, reached as `reach` makes of it.
pub fn lent(catalog: &Catalog, reach: impl FnOnce(Vec<ToolSpec>) -> Arc<dyn Live>) -> LiveVoice {
    let spec = |tool: &Arc<dyn Tool>| ToolSpec {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        schema: tool.input_schema(),
    };
    let specs: Vec<ToolSpec> = catalog.for_models().tools().map(spec).collect();
    LiveVoice {
        live: reach(planner::specs(specs.clone())),
        tier: Tier::Cloud,
        thinks: Box::new(move |provider| -> Arc<dyn Thinker> {
            let order = |providers| Arc::new(Order::new(providers, 1, Vec::new()));
            let (nobody, own) = (order(Vec::new()), order(vec![provider]));
            Arc::new(Planner::new(nobody, own, specs.clone(), Duration::from_secs(20), 50))
        }),
    }
}

/// The same server without a network in between: what is sent has come, so that time may be
/// virtual.
pub struct Piped {
    pub realtime: Realtime,
    pub fake: FakeRealtime,
}

/// So much may be on its way.
const PIPE: usize = 1024 * 1024;

#[async_trait]
impl Live for Piped {
    fn name(&self) -> &str {
        &self.realtime.name
    }

    fn model(&self) -> &str {
        &self.realtime.setup.model
    }

    async fn open(&self, before: Vec<Item>) -> Result<Box<dyn Line>, Trouble> {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        let fake = self.fake.clone();
        tokio::spawn(async move { fake.serve(theirs).await });
        self.realtime.open_over(ours, before).await
    }

    async fn examine(&self) -> Result<(), Trouble> {
        self.open(Vec::new()).await.map(drop)
    }
}
