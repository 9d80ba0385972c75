//! A provider that can be written to, and that fails the way providers do.
//!
//! It keeps a ledger of what really happened, by key, and refuses whatever
//! nobody said yes to: a write without its say-so is a bug of ours, and the
//! ledger remembers that too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use brain::card::{EmailPreview, Field, FieldKind, Line, Preview, Recipient};
use brain::policy::Source;
use brain::{ActionLevel, SaySo, Seal};
use jiff::SignedDuration;
use serde_json::{Map, Value, json};
use tools::{Caller, Found, Prepared, Tool, ToolError, Write};

/// Longer than any write of ours that is done late: what is not there by then was not done.
const SETTLE: SignedDuration = SignedDuration::from_secs(40);

/// What becomes of the next write.
#[derive(Clone, Debug)]
pub enum Fortune {
    /// It is done and says so.
    Does(Value),
    /// It is not done and says so.
    Refuses(String),
    /// It is done, and the answer gets lost.
    LosesAnswer,
    /// It is not done, and the answer gets lost.
    LosesRequest,
    /// The answer gets lost, and it is done so much later.
    DoesLater(Duration),
    /// It is done, the answer gets lost, and nobody can say afterwards.
    LosesEverything,
    /// Never answers and does nothing.
    Hangs,
    /// It is done after so long, whoever asked for it, and says so to whoever still listens.
    Takes(Duration),
    /// Cannot be reached so often, then does it.
    Unreachable(usize),
}

/// What happened, by key.
#[derive(Debug, Default)]
pub struct Ledger {
    done: Mutex<BTreeMap<String, Vec<Seal>>>,
    /// Writes that nobody had said yes to.
    stolen: Mutex<usize>,
}

impl Ledger {
    /// How often something was done with each key.
    pub fn effects(&self) -> BTreeMap<String, Vec<Seal>> {
        self.done().clone()
    }

    /// How often a write came without its say-so.
    pub fn stolen(&self) -> usize {
        *self.stolen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn done(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Seal>>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, key: &str, seal: Seal) {
        self.done().entry(key.to_owned()).or_default().push(seal);
    }
}

/// A tool that writes into a ledger. Unlike a good provider it does not look at
/// the key before it acts: doing it once is up to whoever calls.
#[derive(Debug)]
pub struct FakeWriter {
    name: &'static str,
    fortunes: Mutex<Vec<Fortune>>,
    pub ledger: Arc<Ledger>,
    settle: SignedDuration,
    /// How long it takes to draw a card.
    draws_in: Duration,
    /// Keys of which nobody can say anything any more.
    blind: Mutex<BTreeSet<String>>,
}

impl FakeWriter {
    /// Follows `fortunes`, the last of them for ever.
    pub fn new(name: &'static str, fortunes: Vec<Fortune>) -> Self {
        Self {
            name,
            fortunes: Mutex::new(fortunes),
            ledger: Arc::default(),
            settle: SETTLE,
            draws_in: Duration::ZERO,
            blind: Mutex::default(),
        }
    }

    /// Takes its time to draw a card.
    #[must_use]
    pub fn slowly(self) -> Self {
        Self { draws_in: Duration::from_secs(2), ..self }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    fn fortune(&self) -> Fortune {
        let mut fortunes = self.fortunes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Fortune::Unreachable(times)) = fortunes.first_mut()
            && *times > 0
        {
            *times -= 1;
            return Fortune::Unreachable(1);
        }
        match fortunes.len() {
            0 => Fortune::Does(json!({ "ok": true })),
            1 => match &fortunes[0] {
                Fortune::Unreachable(_) => Fortune::Does(json!({ "ok": true })),
                other => other.clone(),
            },
            _ => fortunes.remove(0),
        }
    }

    fn do_later(&self, later: Duration, key: String, seal: Seal) -> tokio::task::JoinHandle<()> {
        let ledger = Arc::clone(&self.ledger);
        tokio::spawn(async move {
            tokio::time::sleep(later).await;
            ledger.note(&key, seal);
        })
    }

    fn blind(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.blind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lost(&self) -> ToolError {
        ToolError::Transient { tool: self.name, source: "the line went dead".into() }
    }
}

#[async_trait]
impl Tool for FakeWriter {
    fn name(&self) -> &'static str {
        self.name
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Write
    }

    fn description(&self) -> &'static str {
        "Writes into a ledger."
    }

    fn input_schema(&self) -> Value {
        json!({ "type": "object" })
    }

    fn output_schema(&self) -> Value {
        json!(true)
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        if args.is_object() { Ok(()) } else { Err("arguments are an object".into()) }
    }

    fn label(&self, _: &Value) -> String {
        format!("Using {}", self.name)
    }

    fn writer(&self) -> Option<&dyn Write> {
        Some(self)
    }
}

#[async_trait]
impl Write for FakeWriter {
    async fn prepare(&self, args: Value, _: &Caller) -> Result<Prepared, ToolError> {
        if !self.draws_in.is_zero() {
            tokio::time::sleep(self.draws_in).await;
        }
        let Value::Object(mut payload) = args else {
            return Err(ToolError::BadArguments("arguments are an object".into()));
        };
        if let Some(Value::String(body)) = payload.get_mut("body") {
            // Like a good tool it tidies up, so what is shown may not be what was typed.
            *body = body.trim().to_owned();
        }
        let (preview, action_type) = match payload.get("to").and_then(Value::as_array) {
            Some(to) => (mail(to, &payload), "send_email"),
            None => (lines(&payload), "other"),
        };
        let field = |name: &String| Field {
            name: name.clone(),
            label: name.clone(),
            kind: FieldKind::Text,
        };
        Ok(Prepared {
            action_type,
            title: "Do this?".into(),
            editable: payload.keys().map(field).collect(),
            payload,
            preview,
            warnings: Vec::new(),
            thread: Vec::new(),
        })
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        if !say_so.covers(self.name, &args) || say_so.action().to_string() != caller.idempotency_key
        {
            *self.ledger.stolen.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            let reason = "nobody said yes to this".to_owned();
            return Err(ToolError::Refused { tool: self.name, reason });
        }
        let (key, seal) = (caller.idempotency_key.clone(), Seal::of(self.name, &args));
        match self.fortune() {
            Fortune::Does(value) => {
                self.ledger.note(&key, seal);
                Ok(value)
            }
            Fortune::Refuses(reason) => Err(ToolError::Refused { tool: self.name, reason }),
            Fortune::LosesAnswer => {
                self.ledger.note(&key, seal);
                Err(self.lost())
            }
            Fortune::LosesRequest => Err(self.lost()),
            Fortune::DoesLater(later) => {
                self.do_later(later, key, seal);
                Err(self.lost())
            }
            Fortune::Takes(long) => {
                // Done also when nobody waits for it any more.
                let _ = self.do_later(long, key, seal).await;
                Ok(json!({ "ok": true }))
            }
            Fortune::LosesEverything => {
                self.ledger.note(&key, seal);
                self.blind().insert(key);
                Err(self.lost())
            }
            Fortune::Hangs => std::future::pending().await,
            Fortune::Unreachable(_) => {
                Err(ToolError::NotReached { tool: self.name, source: "nobody is there".into() })
            }
        }
    }

    async fn probe(&self, _: &Value, caller: &Caller) -> Result<Found, ToolError> {
        if self.blind().contains(&caller.idempotency_key) {
            return Ok(Found::Unclear);
        }
        let done = self.ledger.done().contains_key(&caller.idempotency_key);
        Ok(if done { Found::Done(json!({ "found": true })) } else { Found::Absent })
    }

    fn settle(&self) -> SignedDuration {
        self.settle
    }
}

fn mail(to: &[Value], payload: &Map<String, Value>) -> Preview {
    let text = |name: &str| payload.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
    let person = |address: &Value| Recipient {
        name: None,
        address: address.as_str().unwrap_or_default().to_owned(),
        source: Source::Unknown,
    };
    Preview::Email(Box::new(EmailPreview {
        from: None,
        to: to.iter().map(person).collect(),
        cc: Vec::new(),
        subject: text("subject"),
        body_text: text("body"),
        in_reply_to: None,
        has_draft: false,
    }))
}

fn lines(payload: &Map<String, Value>) -> Preview {
    let line =
        |(label, value): (&String, &Value)| Line { label: label.clone(), value: value.to_string() };
    Preview::Lines { lines: payload.iter().map(line).collect() }
}
