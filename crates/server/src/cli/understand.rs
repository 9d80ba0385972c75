//! `sayso understand`: how sentences are read, for people who tune it and for scripts.

use std::cell::OnceCell;
use std::fs;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use brain::Profile;
use brain::mode::{self, Signals};
use brain::plan::{self, Plan};
use brain::resolve::keywords::Keywords;
use brain::resolve::people::Contact;
use clap::Args;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use models::paraphrase::{By, Doubt, Paraphrases, Reading, Unavailable, figures};
use models::reflex::consent::Consent;
use models::{Focus, Understanding, World, corpus, reflex};
use serde::Serialize;
use serde_json::Value;
use session::JobDesk;
use session::jobs::kinds;
use store::memory::MemoryStore;
use tools::attachment::NoPapers;
use tools::{Catalog, Personal};

use super::Choice;
use super::look::tell_line;
use crate::app::{Agent, catalog};

#[derive(Args)]
#[command(after_help = "Each sentence on standard input becomes one JSON line:
  text      the sentence
  agent     who would answer
  tools     what would be used, in order
  args      with which arguments
  question  what would be asked first, or null
  decision  direct_response or backend_orchestrated; with --pending what the
            sentence means for the card: accept, reject, edit, explain or unclear
and where the rules were unsure and the model of paraphrases was asked:
  by        rules, or paraphrase where it was clear enough
  intent    what the sentence is nearest to
  score     how near, 1 at most
  margin    how much nearer than the next
Keywords of the agent and of the settings (`speech.keywords`) count as they do in the
server; without the model of paraphrases the rules read alone.

Examples:
  echo \"what meetings do i have tomorrow\" | sayso understand
  sayso understand --now 2026-11-15T10:30:00 --zone Europe/Berlin < sentences.txt
  sayso understand --corpus")]
pub struct Understand {
    /// Pretend it is this moment: 2026-11-15T10:30:00, with or without an offset
    #[arg(long, value_name = "TIMESTAMP")]
    now: Option<String>,
    /// Pretend to be in this time zone [default: this machine's]
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Know these people: [{"name": …, "address": …, "nicknames": […]}]
    #[arg(long, value_name = "FILE.json")]
    contacts: Option<PathBuf>,
    /// Answer as this agent
    #[arg(long, value_name = "NAME", default_value = "assistant")]
    agent: String,
    /// Read each sentence as an answer to this open card first
    #[arg(long, value_name = "CARD.json")]
    pending: Option<PathBuf>,
    /// Run the built-in corpus and print its accuracy and a confusion table
    #[arg(long, conflicts_with_all = ["now", "zone", "contacts", "pending"])]
    corpus: bool,
    #[command(flatten)]
    choice: Choice,
}

/// One line of the output.
#[derive(Serialize)]
struct Read<'a> {
    text: &'a str,
    agent: &'a str,
    tools: Vec<&'a str>,
    args: Vec<&'a Value>,
    question: Option<&'a str>,
    decision: String,
    #[serde(flatten)]
    asked: Option<Asked>,
}

/// What the model said, where it was asked.
#[derive(Serialize)]
struct Asked {
    by: &'static str,
    intent: &'static str,
    score: f64,
    margin: f64,
}

impl Understand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let settings = self.choice.settings(toml::Table::new())?;
        if self.corpus {
            return figures(&settings.assets);
        }
        let agent = Agent::named(&self.agent)?;
        let desk = JobDesk::new(Arc::new(MemoryStore::default()), kinds::shipped());
        let all = catalog(&Personal::in_memory()?, Arc::new(NoPapers), &desk);
        let catalog = agent.allowed(&all)?;
        let world = self.world(agent.keywords(&settings.speech.keywords)?)?;
        let reader = Reader::new(settings.assets);
        let card: Option<Value> = self.pending.as_ref().map(read_json).transpose()?;
        for line in std::io::stdin().lock().lines() {
            let line = line.context("standard input must be text")?;
            if line.trim().is_empty() {
                continue;
            }
            tell_line!("{}", one(&line, &agent, &catalog, &world, &reader, card.is_some())?);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn world(&self, keywords: Keywords) -> anyhow::Result<World> {
        let zone = match &self.zone {
            Some(name) => TimeZone::get(name).with_context(|| format!("--zone {name}"))?,
            None => TimeZone::system(),
        };
        let now = match &self.now {
            Some(text) => moment(text, &zone)?,
            None => Zoned::now().with_time_zone(zone),
        };
        let profile = Profile::new(now.time_zone().iana_name().unwrap_or("UTC"));
        let contacts: Vec<Contact> =
            self.contacts.as_ref().map(read_json).transpose()?.unwrap_or_default();
        Ok(World { now, profile, contacts: contacts.into(), keywords, focus: Focus::default() })
    }
}

/// The corpus by rules; beside it, where the model is there, how
/// paraphrases are read with it and without.
fn figures(assets: &Path) -> anyhow::Result<ExitCode> {
    let world = corpus::world();
    let report = corpus::run(&corpus::cases(), &world, reflex::read);
    tell_line!("{report}");
    match Paraphrases::load(assets) {
        Ok(model) => {
            let read = |heard: &str, world: &World| model.read(heard, world);
            let both = |heard: &str, world: &World| read(heard, world).understanding;
            let corpus = corpus::run(&corpus::cases(), &world, both);
            tell_line!("{:44} {}\n", "overall, with the model of paraphrases", corpus.overall);
            tell_line!("{}", figures::run(&figures::fresh(), &world, read));
        }
        Err(error @ Unavailable::Missing(_)) => {
            tell_line!("no figures of paraphrases: {error}");
        }
        Err(error) => return Err(error.into()),
    }
    Ok(ExitCode::SUCCESS)
}

fn one(
    text: &str,
    agent: &Agent,
    catalog: &Catalog,
    world: &World,
    reader: &Reader,
    pending: bool,
) -> anyhow::Result<String> {
    let consent = pending.then(|| reflex::consent::read(text));
    let (mut understood, asked) = reader.read(text, world);
    let id = brain::PlanId(uuid::Uuid::nil());
    let check = |understood: &Understanding| plan::check(understood.proposal.clone(), id, catalog);
    let plan = if let Ok(plan) = check(&understood) {
        plan
    } else {
        understood = Understanding::misunderstood();
        check(&understood).context("a plan without steps is always a plan")?
    };
    let decision = match consent {
        Some(consent) => for_the_card(consent).to_owned(),
        None => decision(&understood, &plan),
    };
    let read = Read {
        text,
        agent: &agent.name,
        tools: plan.steps.iter().map(|step| step.tool.as_str()).collect(),
        args: plan.steps.iter().map(|step| &step.args).collect(),
        question: understood.question.as_deref(),
        decision,
        asked,
    };
    Ok(serde_json::to_string(&read)?)
}

/// Reads by rules; the model is loaded for the first sentence they doubt.
struct Reader {
    assets: PathBuf,
    model: OnceCell<Option<Paraphrases>>,
}

impl Reader {
    fn new(assets: PathBuf) -> Self {
        Self { assets, model: OnceCell::new() }
    }

    fn read(&self, text: &str, world: &World) -> (Understanding, Option<Asked>) {
        let by_rules = reflex::read(text, world);
        if Doubt::about(&by_rules, text, world).is_none() {
            return (by_rules, None);
        }
        let model = self.model.get_or_init(|| Paraphrases::load(&self.assets).ok());
        let Some(model) = model else { return (by_rules, None) };
        let Reading { understanding, by, nearest } = model.read(text, world);
        let asked = nearest.map(|nearest| Asked {
            by: match by {
                By::Rules => "rules",
                By::Paraphrase => "paraphrase",
            },
            intent: nearest.intent(),
            score: to_the_hundredth(nearest.score),
            margin: to_the_hundredth(nearest.margin),
        });
        (understanding, asked)
    }
}

fn to_the_hundredth(share: f32) -> f64 {
    (f64::from(share) * 100.0).round() / 100.0
}

fn for_the_card(consent: Consent) -> &'static str {
    match consent {
        Consent::Accept => "accept",
        Consent::Reject => "reject",
        Consent::Edit => "edit",
        Consent::Explain => "explain",
        Consent::Unclear => "unclear",
    }
}

fn decision(understood: &Understanding, plan: &Plan) -> String {
    let mode = mode::select(&Signals {
        realtime_healthy: false,
        tools: plan.steps.iter().map(|step| step.action_level).collect(),
        ambiguous: understood.question.is_some() || !plan.ambiguity.is_empty(),
        long_running: false,
    });
    mode.execution.name().to_owned()
}

fn moment(text: &str, zone: &TimeZone) -> anyhow::Result<Zoned> {
    if let Ok(zoned) = text.parse::<Zoned>() {
        return Ok(zoned);
    }
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Ok(timestamp.to_zoned(zone.clone()));
    }
    let civil: jiff::civil::DateTime = text
        .parse()
        .with_context(|| format!("--now \"{text}\" is not a time like 2026-11-15T10:30:00"))?;
    Ok(civil.to_zoned(zone.clone())?)
}

fn read_json<T: serde::de::DeserializeOwned>(path: &PathBuf) -> anyhow::Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} is not what was expected", path.display()))
}
