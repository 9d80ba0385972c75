//! The model as somebody who can be asked, like any other.
//!
//! One thread owns the model: it loads it, answers one question at a time and is the only one
//! that does sums. Whoever asks waits in a short queue and hears pieces as they come; whoever
//! stops listening is forgotten between two tokens.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use models::planner;
use models::provider::{
    Answering, Ask, Delta, Deltas, Examined, Message, Provider, ToolSpec, Trouble,
};
use tokio::sync::mpsc;

use crate::argument::{Argument, first_sentence};
use crate::family::{Family, Tool, outward};
use crate::load::Opened;
use crate::memory;
use crate::model::{Figures, Listener, Model, Question};
use crate::tokenizer::Tokenizer;
use crate::trouble::{BadFile, size};

/// What it is called among those who can be asked.
pub const NAME: &str = "gguf";
/// So many questions wait; more are refused.
const LONGEST_QUEUE: usize = 4;
/// So many pieces of an answer wait for whoever listens.
const LONGEST_ANSWER: usize = 64;

/// Told to a model that has no tools: the shorter, the better it follows.
const IN_WORDS: &str = "You are a helpful AI assistant named Sayso. Answer in one or two short \
                        sentences of plain English.";

/// What is loaded, and how it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// A GGUF file, or a folder with one.
    pub path: PathBuf,
    /// How many tokens are kept in view.
    pub context: usize,
    pub threads: usize,
    pub most_tokens: usize,
    pub temperature: f32,
    pub tools: Tools,
    /// Tools that it is never told of.
    pub withheld: Vec<String>,
    /// Until the first piece of an answer, and between two.
    pub first: Duration,
    pub idle: Duration,
}

/// Whether it is told of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tools {
    /// Where it was trained to call them.
    IfItKnows,
    Always,
    Never,
}

/// How far it is.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    Loading,
    Ready,
    Failed(BadFile),
}

/// Somebody in the process.
pub struct Local {
    model: String,
    plan: Plan,
    stage: Arc<Mutex<Stage>>,
    desk: mpsc::Sender<Job>,
}

struct Job {
    ask: Ask,
    listener: Heard,
}

impl Local {
    /// Begins to load it, on a thread of its own. `standing` is what every question begins
    /// with; it is read ahead.
    pub fn start(plan: Plan, standing: Option<Ask>) -> std::io::Result<Self> {
        let stage = Arc::new(Mutex::new(Stage::Loading));
        let (desk, jobs) = mpsc::channel(LONGEST_QUEUE);
        let (its_plan, its_stage) = (plan.clone(), Arc::clone(&stage));
        std::thread::Builder::new()
            .name("local-model".to_owned())
            .spawn(move || work(&its_plan, standing.as_ref(), &its_stage, jobs))?;
        let model = plan.path.file_stem().map_or(NAME.into(), |it| it.to_string_lossy());
        Ok(Self { model: model.into_owned(), plan, stage, desk })
    }
}

#[async_trait]
impl Provider for Local {
    fn name(&self) -> &str {
        NAME
    }

    fn model(&self) -> &str {
        &self.model
    }

    async fn ask(&self, ask: &Ask) -> Result<Answering, Trouble> {
        if let Stage::Failed(bad) = &*locked(&self.stage) {
            return Err(unusable(&self.plan.path, bad));
        }
        let (pieces, heard) = mpsc::channel(LONGEST_ANSWER);
        let job = Job { ask: ask.clone(), listener: Heard(pieces) };
        self.desk.try_send(job).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => Trouble::TooMany { again_after: None },
            mpsc::error::TrySendError::Closed(_) => {
                Trouble::Unusable("it has stopped; start the server anew".to_owned())
            }
        })?;
        let Plan { first, idle, .. } = self.plan;
        let stage = Arc::clone(&self.stage);
        let deltas = Streamed { heard, stage, patience: first, idle, is_over: false };
        Ok(Answering { request_id: None, deltas: Box::new(deltas) })
    }

    async fn examine(&self) -> Result<Examined, Trouble> {
        match &*locked(&self.stage) {
            Stage::Loading => Err(Trouble::Slow("load")),
            Stage::Ready => Ok(Examined { models: 1 }),
            Stage::Failed(bad) => Err(unusable(&self.plan.path, bad)),
        }
    }
}

fn unusable(path: &Path, bad: &BadFile) -> Trouble {
    Trouble::Unusable(format!("{} {bad}", path.display()))
}

fn locked(stage: &Mutex<Stage>) -> std::sync::MutexGuard<'_, Stage> {
    stage.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An answer on its way.
struct Streamed {
    heard: mpsc::Receiver<Result<Delta, Trouble>>,
    stage: Arc<Mutex<Stage>>,
    /// For the next piece.
    patience: Duration,
    idle: Duration,
    is_over: bool,
}

#[async_trait]
impl Deltas for Streamed {
    async fn next(&mut self) -> Result<Option<Delta>, Trouble> {
        if self.is_over {
            return Ok(None);
        }
        let piece = tokio::time::timeout(self.patience, self.heard.recv()).await;
        let piece = piece.map_err(|_| match &*locked(&self.stage) {
            Stage::Loading => Trouble::Slow("load"),
            Stage::Ready | Stage::Failed(_) => Trouble::Slow("answer"),
        })?;
        self.patience = self.idle;
        let delta = piece.unwrap_or(Err(Trouble::CutOff))?;
        self.is_over = matches!(delta, Delta::End(_));
        Ok(Some(delta))
    }
}

/// Whoever waits for an answer.
struct Heard(mpsc::Sender<Result<Delta, Trouble>>);

impl Listener for Heard {
    fn hear(&mut self, delta: Delta) -> bool {
        self.0.blocking_send(Ok(delta)).is_ok()
    }

    fn is_there(&self) -> bool {
        !self.0.is_closed()
    }
}

/// The life of the thread: it loads, then answers until nobody can ask any more.
fn work(plan: &Plan, standing: Option<&Ask>, stage: &Mutex<Stage>, mut jobs: mpsc::Receiver<Job>) {
    let begun = Instant::now();
    let Plan { path, context, threads, temperature, .. } = plan;
    let mut model = match Model::load(path, *context, *threads, *temperature) {
        Ok(model) => model,
        Err(bad) => {
            let file = path.display();
            tracing::warn!("the local model {file} {bad}");
            *locked(stage) = Stage::Failed(bad.clone());
            while let Some(Job { listener, .. }) = jobs.blocking_recv() {
                let _ = listener.0.blocking_send(Err(unusable(path, &bad)));
            }
            return;
        }
    };
    let (file, took) = (path.display(), begun.elapsed());
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(ms, family = model.family.name(), "the local model {file} is loaded");
    *locked(stage) = Stage::Ready;
    if let Some(standing) = standing {
        model.warm(&question(standing, plan, model.family));
    }
    while let Some(Job { ask, mut listener }) = jobs.blocking_recv() {
        if !listener.is_there() {
            continue;
        }
        let question = question(&ask, plan, model.family);
        match model.answer(&question, &mut listener) {
            Ok(figures) => {
                let Figures { prompt, known, said, .. } = figures;
                let (reading, saying) = (figures.reading.as_millis(), figures.saying.as_millis());
                tracing::debug!(prompt, known, reading, said, saying, "the local model answered");
            }
            Err(trouble) => drop(listener.0.blocking_send(Err(trouble))),
        }
    }
}

/// What is put to the model: of the tools only those it may know, in few words.
fn question(ask: &Ask, plan: &Plan, family: Family) -> Question {
    let is_told = match plan.tools {
        Tools::IfItKnows => family.knows_tools(),
        Tools::Always => true,
        Tools::Never => false,
    };
    let offered = ask.tools.iter().filter(|tool| is_told && !plan.withheld.contains(&tool.name));
    let tools: Vec<Tool> = offered.map(tool).collect();
    let is_bare = tools.is_empty() && ask.shape.is_none();
    let most = usize::try_from(ask.most_tokens).unwrap_or(usize::MAX);
    Question {
        system: if is_bare { IN_WORDS.to_owned() } else { ask.system.clone() },
        messages: ask.messages.iter().map(|message| told(message, is_bare)).collect(),
        tools,
        shape: ask.shape.as_ref().map(|shape| shape.schema.clone()),
        most_tokens: most.min(plan.most_tokens),
    }
}

/// Whoever has no tools is told the sentence alone: the rest would only be repeated.
fn told(message: &Message, is_bare: bool) -> Message {
    match message {
        Message::Person(text) if is_bare => Message::Person(planner::sentence_in(text).to_owned()),
        other => other.clone(),
    }
}

fn tool(spec: &ToolSpec) -> Tool {
    Tool {
        name: outward(&spec.name),
        about: first_sentence(&spec.description),
        takes: Argument::of(&spec.schema),
    }
}

/// What is found when a file is looked at, for whoever set it up.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    pub called: String,
    pub kind: &'static str,
    pub family: &'static str,
    pub knows_tools: bool,
    pub needed: u64,
    pub tokens_a_second: f64,
    pub loading: Duration,
}

impl Looked {
    /// In one line.
    pub fn told(&self) -> String {
        let Self { called, kind, family, knows_tools, needed, tokens_a_second, loading } = self;
        let tools = if *knows_tools { "calls tools" } else { "words alone" };
        format!(
            "{called} ({kind}, talks like {family}, {tools}) is in the process: loaded in {:.1} s, \
             {tokens_a_second:.0} tokens a second, up to {} of memory",
            loading.as_secs_f64(),
            size(*needed)
        )
    }
}

/// Loads it and lets it say a few words. Takes as long as that takes.
pub fn try_out(plan: &Plan) -> Result<Looked, BadFile> {
    let opened = Opened::look(&plan.path, plan.context)?;
    let (kind, needed) = (opened.shape.kind.name(), opened.needed);
    let file = opened.path.file_stem().map(|it| it.to_string_lossy().into_owned());
    let called = opened.head.text("general.name").map(str::to_owned).or(file);
    Tokenizer::of(&opened.head)?;
    memory::check(needed)?;
    let begun = Instant::now();
    let mut model = Model::load(&plan.path, plan.context, plan.threads, plan.temperature)?;
    let loading = begun.elapsed();
    let hello = Message::Person("Say hello.".to_owned());
    let system = IN_WORDS.to_owned();
    let question =
        Question { system, messages: vec![hello], most_tokens: 16, ..Question::default() };
    let figures = model.answer(&question, &mut Deaf).unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "they are a few")]
    let tokens_a_second = figures.said as f64 / figures.saying.as_secs_f64().max(1e-9);
    Ok(Looked {
        called: called.unwrap_or_else(|| NAME.to_owned()),
        kind,
        family: model.family.name(),
        knows_tools: model.family.knows_tools(),
        needed,
        tokens_a_second,
        loading,
    })
}

/// Hears everything and keeps nothing.
struct Deaf;

impl Listener for Deaf {
    fn hear(&mut self, _: Delta) -> bool {
        true
    }

    fn is_there(&self) -> bool {
        true
    }
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
