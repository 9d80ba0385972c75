//! `[models]`: who is asked where the rules have no reading.
//!
//! A key in the environment under the name that everybody uses is all it takes:
//! `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`, `OPENROUTER_API_KEY`; or
//! `OPENAI_BASE_URL` alone, for a server of one's own that asks for none. A model in the
//! process is a file: `SAYSO_LOCAL_MODEL`, or `FUNCTIONGEMMA_PATH`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use brain::Tier;
use models::provider::cost::{self, Price};
use models::provider::{Effort, Line, Patience, Tongue};
use serde::{Deserialize, Serialize};

use super::reach::tier;
use super::speech::Secret;

/// Who may be asked, in which order, how long, and for how much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// Ask models at all.
    pub enabled: bool,
    /// Who is asked first, who then; those without a key are left out.
    pub order: Vec<String>,
    pub connect_seconds: u64,
    /// Until the first piece of an answer.
    pub first_seconds: u64,
    /// Between two pieces.
    pub idle_seconds: u64,
    /// For one question with all its tries.
    pub timeout_seconds: u64,
    /// How often one provider is asked the same.
    pub tries: u32,
    /// What models may cost in 24 hours, in thousandths of a dollar; 0 is any.
    pub cap_millidollars_each: u64,
    pub cap_millidollars_in_all: u64,
    /// The same in tokens.
    pub cap_tokens_each: u64,
    /// Ask which of a few answers was meant, where the rules cannot tell.
    pub interpret: bool,
    /// So long one waits for that.
    pub interpret_ms: u64,
    /// Whether models outside this machine may be asked at all.
    pub cloud: bool,
    /// How sure a model on this machine has to be of its plan, of 100; what it is less sure
    /// of is handed on to one elsewhere, where that may be asked.
    pub least_confidence_percent: u8,
    /// How much a model is to think before it answers: `none`, `minimal`, `low`, `medium` or
    /// `high`; who cannot be asked for so little is asked for the least that it takes.
    pub effort: String,
    /// Dollars for a million tokens, each as `model=input/cached/output`.
    pub prices: Vec<String>,
    pub openai: Place,
    pub anthropic: Place,
    pub gemini: Place,
    pub openrouter: Place,
    pub gguf: Gguf,
}

/// A model in the process; there is one where a file is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gguf {
    /// A GGUF file, or a folder with one.
    pub path: PathBuf,
    /// How many threads do its sums; 0 is half of those there are, at most four.
    pub threads: usize,
    /// How many tokens it keeps in view.
    pub context: usize,
    /// How long an answer may be, in tokens.
    pub most_tokens: usize,
    /// How freely it picks its words, of 100; 0 takes the likeliest.
    pub temperature_percent: u8,
    /// Whether it is told of tools: `auto`, where it was trained to call them, `always`,
    /// `never`.
    pub tools: String,
    /// Also of those that write. What it calls waits on a card like any other.
    pub writes: bool,
}

impl Default for Gguf {
    fn default() -> Self {
        Self {
            path: PathBuf::new(),
            threads: 0,
            context: 4_096,
            most_tokens: 200,
            temperature_percent: 20,
            tools: "auto".to_owned(),
            writes: false,
        }
    }
}

impl Gguf {
    fn check(&self) -> anyhow::Result<()> {
        let Self { threads, context, most_tokens, temperature_percent, tools, .. } = self;
        for (name, number, range) in [
            ("threads", *threads, 0..=64),
            ("context", *context, 256..=131_072),
            ("most_tokens", *most_tokens, 8..=4_096),
            ("temperature_percent", usize::from(*temperature_percent), 0..=200),
        ] {
            if !range.contains(&number) {
                let (least, most) = range.into_inner();
                bail!("`models.gguf.{name} = {number}`: it is a number from {least} to {most}");
            }
        }
        if !matches!(tools.as_str(), "auto" | "always" | "never") {
            bail!("`models.gguf.tools = \"{tools}\"`: it is auto, always or never");
        }
        Ok(())
    }
}

/// What the model in the process is called in `order`.
pub const IN_PROCESS: &str = "gguf";

/// One provider; it is asked where it has a key, or an address of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub url: String,
    pub key: Secret,
    pub model: String,
    /// `chat`, `responses`, `anthropic` or `gemini`; empty is its own.
    pub protocol: String,
    /// `local` where nothing leaves what is the person's own, `cloud` where it does; empty
    /// goes by the address.
    pub tier: String,
}

/// Where each of them is, and which model is asked there.
const HOMES: [(&str, &str, &str); 4] = [
    ("openai", "https://api.openai.com/v1", "gpt-5.4-mini"),
    ("anthropic", "https://api.anthropic.com", "claude-haiku-5-5"),
    ("gemini", "https://generativelanguage.googleapis.com", "gemini-3.5-flash-lite"),
    ("openrouter", "https://openrouter.ai/api/v1", "openai/gpt-5.4-mini"),
];

/// The names that everybody uses, and what they set.
const USUAL: [(&str, &str, &str); 7] = [
    ("OPENAI_API_KEY", "openai", "key"),
    ("OPENAI_BASE_URL", "openai", "url"),
    ("ANTHROPIC_API_KEY", "anthropic", "key"),
    ("ANTHROPIC_BASE_URL", "anthropic", "url"),
    ("GEMINI_API_KEY", "gemini", "key"),
    ("GOOGLE_API_KEY", "gemini", "key"),
    ("OPENROUTER_API_KEY", "openrouter", "key"),
];

impl Default for Models {
    fn default() -> Self {
        let place = |model: &str| Place {
            url: String::new(),
            key: Secret::default(),
            model: model.to_owned(),
            protocol: String::new(),
            tier: String::new(),
        };
        let [openai, anthropic, gemini, openrouter] = HOMES.map(|(_, _, model)| place(model));
        Self {
            enabled: true,
            order: known_names().map(str::to_owned).collect(),
            connect_seconds: 5,
            first_seconds: 15,
            idle_seconds: 15,
            timeout_seconds: 45,
            tries: 2,
            cap_millidollars_each: 1_000,
            cap_millidollars_in_all: 20_000,
            cap_tokens_each: 0,
            interpret: true,
            interpret_ms: 600,
            cloud: true,
            least_confidence_percent: 50,
            effort: Effort::None.name().to_owned(),
            prices: Vec::new(),
            openai,
            anthropic,
            gemini,
            openrouter,
            gguf: Gguf::default(),
        }
    }
}

/// Everybody who can stand in `order`.
fn known_names() -> impl Iterator<Item = &'static str> {
    [IN_PROCESS].into_iter().chain(HOMES.into_iter().map(|(name, ..)| name))
}

impl Models {
    /// Fills in what is set under the names that everybody uses.
    pub fn take_usual(&mut self, env: impl Fn(&str) -> Option<String>) {
        for (name, provider, field) in USUAL {
            let Some(value) = env(name).filter(|value| !value.trim().is_empty()) else { continue };
            let value = value.trim().to_owned();
            let Some(place) = self.place_mut(provider) else { continue };
            match field {
                "key" if place.key.shown().is_none() => place.key = Secret::new(value),
                "url" if place.url.is_empty() => place.url = value,
                _ => {}
            }
        }
        let file = ["SAYSO_LOCAL_MODEL", "FUNCTIONGEMMA_PATH"].into_iter().find_map(&env);
        if let Some(path) = file.filter(|path| !path.trim().is_empty())
            && self.gguf.path.as_os_str().is_empty()
        {
            self.gguf.path = path.trim().into();
        }
    }

    /// The model in the process, where one is set up and asked.
    pub fn in_process(&self) -> Option<&Gguf> {
        let is_set = !self.gguf.path.as_os_str().is_empty();
        let is_asked = self.order.iter().any(|name| name == IN_PROCESS);
        (self.enabled && is_set && is_asked).then_some(&self.gguf)
    }

    pub fn check(&self) -> anyhow::Result<()> {
        self.gguf.check()?;
        for name in self.order.iter().filter(|name| *name != IN_PROCESS) {
            let place = self.place(name).with_context(|| {
                let known = known_names().collect::<Vec<_>>().join(", ");
                format!("`models.order` names {name}; there are: {known}")
            })?;
            let known = place.url.starts_with("https://") || place.url.starts_with("http://");
            if !place.url.is_empty() && !known {
                bail!("`models.{name}.url = \"{}\"`: it is like https://host/v1", place.url);
            }
            if place.model.trim().is_empty() {
                bail!("`models.{name}.model` is empty; name one that it has");
            }
            tongue(name, place)?;
            if !matches!(place.tier.as_str(), "" | "local" | "cloud") {
                bail!("`models.{name}.tier = \"{}\"`: it is local or cloud", place.tier);
            }
        }
        if self.least_confidence_percent > 100 {
            let percent = self.least_confidence_percent;
            bail!("`models.least_confidence_percent = {percent}`: it is a number from 0 to 100");
        }
        self.told_prices()?;
        self.told_effort()?;
        let waits = [
            ("connect", self.connect_seconds),
            ("first", self.first_seconds),
            ("idle", self.idle_seconds),
            ("timeout", self.timeout_seconds),
        ];
        for (name, seconds) in waits {
            if !(1..=300).contains(&seconds) {
                bail!("`models.{name}_seconds = {seconds}`: it is a number from 1 to 300");
            }
        }
        if !(50..=5_000).contains(&self.interpret_ms) {
            let ms = self.interpret_ms;
            bail!("`models.interpret_ms = {ms}`: it is a number from 50 to 5000");
        }
        if !(1..=5).contains(&self.tries) {
            bail!("`models.tries = {}`: it is a number from 1 to 5", self.tries);
        }
        Ok(())
    }

    /// Whoever can be asked, in order.
    pub fn lines(&self) -> anyhow::Result<Vec<Line>> {
        let may_be_asked = |line: &Line| self.enabled && (self.cloud || line.tier == Tier::Local);
        Ok(self.set_up()?.into_iter().filter(may_be_asked).collect())
    }

    /// Whoever has a key or an address and is not asked all the same, by name.
    pub fn held_back(&self) -> Vec<String> {
        let (all, asked) = (self.set_up(), self.lines());
        let (Ok(all), Ok(asked)) = (all, asked) else { return Vec::new() };
        let is_asked = |line: &Line| asked.iter().any(|other| other.name == line.name);
        all.into_iter().filter(|line| !is_asked(line)).map(|line| line.name).collect()
    }

    /// Everybody who has a key, or an address of their own, in order.
    fn set_up(&self) -> anyhow::Result<Vec<Line>> {
        let mut lines = Vec::new();
        for name in &self.order {
            let Some(place) = self.place(name) else { continue };
            let key = place.key.shown();
            if key.is_none() && place.url.is_empty() {
                continue;
            }
            let home = HOMES.iter().find(|(known, ..)| known == name);
            let home = home.map_or("", |(_, home, _)| home);
            let base = if place.url.is_empty() { home } else { &place.url };
            lines.push(Line {
                name: name.clone(),
                tongue: tongue(name, place)?,
                base: base.trim_end_matches('/').to_owned(),
                key,
                model: place.model.trim().to_owned(),
                tier: tier(&place.tier, base),
                effort: self.told_effort()?,
                patience: Patience {
                    connect: Duration::from_secs(self.connect_seconds),
                    first: Duration::from_secs(self.first_seconds),
                    alone: Duration::from_secs(self.timeout_seconds),
                    idle: Duration::from_secs(self.idle_seconds),
                },
            });
        }
        Ok(lines)
    }

    /// Where OpenAI is, or whoever speaks like it, and what is shown there.
    pub fn openai(&self) -> (String, Option<String>) {
        let home =
            HOMES.iter().find(|(name, ..)| *name == "openai").map_or("", |(_, home, _)| home);
        let base = if self.openai.url.is_empty() { home } else { &self.openai.url };
        (base.trim_end_matches('/').to_owned(), self.openai.key.shown())
    }

    fn told_effort(&self) -> anyhow::Result<Effort> {
        Effort::named(&self.effort).with_context(|| {
            let known = Effort::ALL.map(Effort::name).join(", ");
            format!("`models.effort = \"{}\"`: it is one of {known}", self.effort)
        })
    }

    pub fn told_prices(&self) -> anyhow::Result<Vec<(String, Price)>> {
        let read = |text: &String| {
            let (model, price) = text.split_once('=')?;
            Some((model.trim().to_owned(), cost::read_price(price)?))
        };
        let told = |text: &String| {
            read(text).with_context(|| {
                format!("`models.prices` has \"{text}\"; each is like gpt-5-mini=0.25/0.025/2")
            })
        };
        self.prices.iter().map(told).collect()
    }

    fn place(&self, name: &str) -> Option<&Place> {
        match name {
            "openai" => Some(&self.openai),
            "anthropic" => Some(&self.anthropic),
            "gemini" => Some(&self.gemini),
            "openrouter" => Some(&self.openrouter),
            _ => None,
        }
    }

    fn place_mut(&mut self, name: &str) -> Option<&mut Place> {
        match name {
            "openai" => Some(&mut self.openai),
            "anthropic" => Some(&mut self.anthropic),
            "gemini" => Some(&mut self.gemini),
            "openrouter" => Some(&mut self.openrouter),
            _ => None,
        }
    }
}

/// OpenAI's own newer protocol is spoken at home; everybody else speaks the older one.
fn tongue(name: &str, place: &Place) -> anyhow::Result<Tongue> {
    let at_home = place.url.is_empty() || place.url.contains("://api.openai.com");
    Ok(match (place.protocol.as_str(), name) {
        ("chat", _) | ("", "openrouter") => Tongue::Chat,
        ("responses", _) => Tongue::Responses,
        ("", "openai") if at_home => Tongue::Responses,
        ("", "openai") => Tongue::Chat,
        ("anthropic", _) | ("", "anthropic") => Tongue::Anthropic,
        ("gemini", _) | ("", "gemini") => Tongue::Gemini,
        (other, _) => bail!(
            "`models.{name}.protocol = \"{other}\"`: it is chat, responses, anthropic or gemini"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &[(&str, &str)]) -> Models {
        let mut models = Models::default();
        models.take_usual(|name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        });
        models.check().unwrap();
        models
    }

    fn names(models: &Models) -> Vec<(String, Tongue)> {
        models.lines().unwrap().into_iter().map(|line| (line.name, line.tongue)).collect()
    }

    #[test]
    fn one_key_in_the_environment_is_all_it_takes() {
        assert_eq!(names(&with(&[])), []);
        for (key, name, tongue) in [
            ("OPENAI_API_KEY", "openai", Tongue::Responses),
            ("ANTHROPIC_API_KEY", "anthropic", Tongue::Anthropic),
            ("GEMINI_API_KEY", "gemini", Tongue::Gemini),
            ("OPENROUTER_API_KEY", "openrouter", Tongue::Chat),
        ] {
            assert_eq!(names(&with(&[(key, "k")])), [(name.to_owned(), tongue)]);
        }
    }

    #[test]
    fn a_server_of_one_s_own_needs_no_key_and_speaks_the_common_protocol() {
        let models = with(&[("OPENAI_BASE_URL", "http://localhost:11434/v1/")]);
        let lines = models.lines().unwrap();
        assert_eq!(lines[0].base, "http://localhost:11434/v1");
        assert_eq!((lines[0].tongue, lines[0].key.clone()), (Tongue::Chat, None));
        assert_eq!(lines[0].tier, Tier::Local);
        let far = with(&[("OPENAI_BASE_URL", "https://gateway.example/openai")]);
        assert_eq!(far.lines().unwrap()[0].tier, Tier::Cloud);
    }

    #[test]
    fn nothing_leaves_this_machine_where_that_is_not_wanted() {
        let here = ("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1");
        let mut models = with(&[here, ("ANTHROPIC_API_KEY", "k")]);
        models.cloud = false;
        assert_eq!(names(&models), [("openai".to_owned(), Tongue::Chat)]);
        // A gateway on this machine leads elsewhere.
        models.openai.tier = "cloud".to_owned();
        assert_eq!(names(&models), []);
        models.cloud = true;
        let tiers = models.lines().unwrap().iter().map(|line| line.tier).collect::<Vec<_>>();
        assert_eq!(tiers, [Tier::Cloud, Tier::Cloud]);
    }

    #[test]
    fn an_address_that_only_begins_like_this_machine_is_elsewhere() {
        let mut models = with(&[("OPENAI_BASE_URL", "http://localhost:1@evil.example/v1")]);
        assert_eq!(models.lines().unwrap()[0].tier, Tier::Cloud);
        models.cloud = false;
        assert_eq!(names(&models), []);
        assert_eq!(models.held_back(), ["openai"]);
    }

    #[test]
    fn what_is_set_under_our_own_name_counts_more() {
        let mut models = Models::default();
        models.openai.key = Secret::new("own".into());
        models.take_usual(|name| (name == "OPENAI_API_KEY").then(|| "usual".to_owned()));
        assert_eq!(models.lines().unwrap()[0].key.as_deref(), Some("own"));
    }

    #[test]
    fn mistakes_are_told_by_name() {
        let told = |models: &Models| format!("{:#}", models.check().unwrap_err());
        let order = vec!["opena".to_owned()];
        assert!(told(&Models { order, ..Models::default() }).contains("opena"));
        let prices = vec!["x=1".to_owned()];
        assert!(told(&Models { prices, ..Models::default() }).contains("x=1"));
        let mut models = Models::default();
        models.gemini.protocol = "telepathy".into();
        assert!(told(&models).contains("models.gemini.protocol"));
        models = Models::default();
        models.openai.tier = "moon".into();
        assert!(told(&models).contains("models.openai.tier"));
        assert!(told(&Models { tries: 0, ..Models::default() }).contains("models.tries"));
        models = Models::default();
        models.gguf.tools = "sometimes".into();
        assert!(told(&models).contains("models.gguf.tools"));
        models.gguf = Gguf { context: 1, ..Gguf::default() };
        assert!(told(&models).contains("models.gguf.context"));
    }

    #[test]
    fn a_model_in_the_process_is_one_file_under_either_name() {
        assert_eq!(with(&[]).in_process(), None);
        for name in ["SAYSO_LOCAL_MODEL", "FUNCTIONGEMMA_PATH"] {
            let models = with(&[(name, "/models/small.gguf")]);
            let path = models.in_process().map(|gguf| gguf.path.clone());
            assert_eq!(path, Some("/models/small.gguf".into()));
        }
        let mut models =
            with(&[("SAYSO_LOCAL_MODEL", "/ours.gguf"), ("FUNCTIONGEMMA_PATH", "/theirs")]);
        assert_eq!(models.gguf.path, PathBuf::from("/ours.gguf"));
        models.order.retain(|name| name != IN_PROCESS);
        assert_eq!(models.in_process(), None, "whoever is not in the order is not asked");
    }

    #[test]
    fn a_key_is_never_printed() {
        let models = with(&[("OPENAI_API_KEY", "sk-canary")]);
        assert!(!format!("{models:?} {:?}", models.lines().unwrap()).contains("canary"));
    }
}
