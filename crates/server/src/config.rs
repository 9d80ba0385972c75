//! Settings: built-in defaults < file < `SAYSO_*` environment < flags.
//!
//! Every setting has a default and stands in `config/example.toml`. The
//! environment's name of a setting is its path: `limits.message_bytes` is
//! `SAYSO_LIMITS_MESSAGE_BYTES`.

mod models;
mod reach;
mod speech;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

#[cfg(feature = "local-model")]
pub use self::models::Gguf;
pub use self::models::Models;
pub use self::speech::{LiveService, SoundFormat, Speech, SpeechService};

/// Read when no file is named and it is there.
pub const DEFAULT_FILE: &str = "sayso.toml";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The folder that holds everything Sayso keeps.
    pub data: PathBuf,
    /// The folder that `make assets` puts models into.
    pub assets: PathBuf,
    /// Let a small model on this machine recognise what the rules do not.
    pub paraphrases: bool,
    pub speech: Speech,
    pub models: Models,
    /// Which agent answers.
    pub agent: String,
    /// Fill an empty data folder with a sample mailbox and calendar.
    pub demo: bool,
    /// The time zone of people who have not told theirs; empty means this machine's.
    pub time_zone: String,
    /// What to log: `error`, `warn`, `info`, `debug`, `trace`, or a filter by module.
    pub log: String,
    pub log_format: LogFormat,
    /// Pages of these origins may talk to us too, such as `https://chat.example`.
    pub origins: Vec<String>,
    pub tls: Tls,
    pub proxies: Proxies,
    pub auth: Auth,
    pub limits: Limits,
    pub telemetry: Telemetry,
    pub retention: Retention,
    pub ui: Ui,
}

/// Where traces of turns are sent; nowhere while `otlp_endpoint` is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Telemetry {
    /// An OTLP receiver that speaks HTTP, such as `http://127.0.0.1:4318`.
    pub otlp_endpoint: String,
    /// What it wants to be shown, each as `name=value`.
    pub otlp_headers: Vec<String>,
    /// What we are called there.
    pub service_name: String,
}

/// What the pages show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ui {
    /// Let everybody open the inspector beside the chat.
    pub inspector: bool,
}

/// How long things are kept, in days; 0 is for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// What was said, asked and done in a turn, from its end on.
    pub messages_days: u32,
    /// Files, from when they were handed over on.
    pub files_days: u32,
    /// The record of what was done in whose name.
    pub audit_days: u32,
    /// How often we look for what is too old.
    pub sweep_minutes: u32,
}

impl Default for Telemetry {
    fn default() -> Self {
        Self {
            otlp_endpoint: String::new(),
            otlp_headers: Vec::new(),
            service_name: "sayso".into(),
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { messages_days: 0, files_days: 0, audit_days: 0, sweep_minutes: 60 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    Text,
    Json,
}

/// Both or neither, in PEM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    pub cert: PathBuf,
    pub key: PathBuf,
}

impl Tls {
    pub fn is_on(&self) -> bool {
        !self.cert.as_os_str().is_empty() || !self.key.as_os_str().is_empty()
    }
}

/// Which proxies are believed about where a request comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxies {
    /// Their addresses, or networks such as `10.0.0.0/8`.
    pub trusted: Vec<String>,
    /// The header in which all of them say it.
    pub header: ForwardedIn,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForwardedIn {
    #[default]
    XForwardedFor,
    Forwarded,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// Ask who it is on this machine's own addresses too.
    pub required: bool,
    /// How often whoever is connected is checked again, in seconds.
    pub recheck_seconds: u64,
    /// Wrong keys and tokens that one address may show in a minute; 0 is any number.
    pub failures_per_minute: u32,
    pub jwt: Jwt,
}

/// Tokens of a login of one's own; off while `issuer` is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jwt {
    pub issuer: String,
    pub audience: String,
    pub jwks_file: PathBuf,
    pub jwks_url: String,
}

impl Jwt {
    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }
}

impl Default for Auth {
    fn default() -> Self {
        let jwt = Jwt::default();
        Self { required: false, recheck_seconds: 30, failures_per_minute: 20, jwt }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The largest message, in bytes.
    pub message_bytes: usize,
    /// Open streams at the same time.
    pub connections: usize,
    /// How many of them one person may have, where people are asked who they are.
    pub connections_per_person: usize,
    /// How many of them may be in one session, there too.
    pub connections_per_session: usize,
    /// Connections of any kind that one address may have open; 0 is no limit.
    pub connections_per_address: usize,
    /// Messages a second on one connection, whatever they hold. 0 is no limit, here and
    /// wherever something is counted by the minute.
    pub messages_per_second: u32,
    /// Requests a minute in one session; a person has four times as much in all their
    /// sessions, an address twenty times.
    pub text_per_minute: u32,
    /// The same for seconds of sound.
    pub audio_seconds_per_minute: u32,
    /// The same for tools that are used, in conversations and over HTTP.
    pub tools_per_minute: u32,
    /// The same for questions to models.
    pub models_per_minute: u32,
    /// Sessions that may begin in a minute, counted in the same way.
    pub sessions_per_minute: u32,
    /// How often somebody may come back to a session in a minute and be told what they
    /// missed, counted in the same way where people are asked who they are.
    pub returns_per_minute: u32,
    /// What may be looked up over HTTP in a minute, counted in the same way.
    pub reads_per_minute: u32,
    /// What may be changed over HTTP in a minute, and answers to cards.
    pub changes_per_minute: u32,
    /// Turns that may be worked on at the same time.
    pub turns: usize,
    /// How many of them one person may have, where people are asked who they are.
    pub turns_per_person: usize,
    /// Sessions of one person in which nothing has happened yet, there too.
    pub unused_sessions: u64,
    /// The largest file that may be handed over, in bytes.
    pub upload_bytes: u64,
    /// All files of one person together, in bytes.
    pub upload_total_bytes: u64,
    /// How many files one person may have.
    pub upload_files: u64,
    /// How many of them may be on their way at the same time.
    pub uploads_per_person: usize,
}

impl Limits {
    /// Refuses numbers under which nobody could use the server, or that it could not
    /// keep. Where 0 means no limit there is nothing to check.
    fn check(&self) -> anyhow::Result<()> {
        const MANY: u64 = 1_000_000;
        let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        for (name, number, range) in [
            ("message_bytes", number(self.message_bytes), 1024..=16 * 1024 * 1024),
            ("connections", number(self.connections), 1..=MANY),
            ("connections_per_person", number(self.connections_per_person), 1..=MANY),
            ("connections_per_session", number(self.connections_per_session), 1..=MANY),
            ("connections_per_address", number(self.connections_per_address), 0..=MANY),
            ("turns", number(self.turns), 1..=MANY),
            ("turns_per_person", number(self.turns_per_person), 1..=MANY),
            ("unused_sessions", self.unused_sessions, 1..=MANY),
            ("upload_bytes", self.upload_bytes, 1..=1 << 40),
            ("upload_total_bytes", self.upload_total_bytes, 1..=1 << 50),
            ("upload_files", self.upload_files, 1..=MANY),
            ("uploads_per_person", number(self.uploads_per_person), 1..=MANY),
        ] {
            if !range.contains(&number) {
                let (least, most) = range.into_inner();
                bail!("`limits.{name} = {number}`: it is a number from {least} to {most}");
            }
        }
        Ok(())
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8787)),
            data: "data".into(),
            assets: "assets".into(),
            paraphrases: true,
            speech: Speech::default(),
            models: Models::default(),
            agent: "assistant".into(),
            demo: false,
            time_zone: String::new(),
            log: "info".into(),
            log_format: LogFormat::Text,
            origins: Vec::new(),
            tls: Tls::default(),
            proxies: Proxies::default(),
            auth: Auth::default(),
            limits: Limits::default(),
            telemetry: Telemetry::default(),
            retention: Retention::default(),
            ui: Ui::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 256 * 1024,
            connections: 10_000,
            connections_per_person: 64,
            connections_per_session: 16,
            connections_per_address: 1_000,
            messages_per_second: 200,
            text_per_minute: 120,
            audio_seconds_per_minute: 180,
            tools_per_minute: 240,
            models_per_minute: 30,
            sessions_per_minute: 60,
            returns_per_minute: 60,
            reads_per_minute: 300,
            changes_per_minute: 120,
            turns: 2_000,
            turns_per_person: 100,
            unused_sessions: 500,
            upload_bytes: 25 * 1024 * 1024,
            upload_total_bytes: 1024 * 1024 * 1024,
            upload_files: 10_000,
            uploads_per_person: 4,
        }
    }
}

/// Puts the layers on top of one another. `flags` holds only what was given.
pub fn load(
    file: Option<&Path>,
    env: impl Fn(&str) -> Option<String>,
    flags: Table,
) -> anyhow::Result<Settings> {
    let mut settings =
        Table::try_from(Settings::default()).context("the defaults can be written")?;
    if let Some((path, text)) = read(file)? {
        let table = text.parse().with_context(|| format!("{} is not TOML", path.display()))?;
        overlay(&mut settings, table);
        // What the file says wrong is told with the file's name, before other layers.
        Settings::deserialize(settings.clone())
            .with_context(|| format!("in {}", path.display()))?;
    }
    from_env(&mut settings, "SAYSO", &env)?;
    whisper_path(&mut settings, &env);
    overlay(&mut settings, flags);
    let mut settings = Settings::deserialize(settings).context("in the settings")?;
    settings.models.take_usual(&env);
    settings.models.check().context("in the settings")?;
    settings.limits.check().context("in the settings")?;
    settings.speech.check().context("in the settings")?;
    Ok(settings)
}

fn read(file: Option<&Path>) -> anyhow::Result<Option<(PathBuf, String)>> {
    let path = file.unwrap_or(Path::new(DEFAULT_FILE));
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some((path.to_owned(), text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && file.is_none() => Ok(None),
        Err(error) => {
            Err(error).with_context(|| format!("the settings in {} cannot be read", path.display()))
        }
    }
}

fn overlay(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => overlay(below, above),
            (_, value) => drop(below.insert(key, value)),
        }
    }
}

fn from_env(
    settings: &mut Table,
    prefix: &str,
    env: &impl Fn(&str) -> Option<String>,
) -> anyhow::Result<()> {
    for (key, value) in settings.iter_mut() {
        let name = format!("{prefix}_{}", key.to_uppercase());
        if let Value::Table(inner) = value {
            from_env(inner, &name, env)?;
        } else if let Some(text) = env(&name) {
            *value = parsed_like(value, &text).with_context(|| format!("in {name}"))?;
        }
    }
    Ok(())
}

/// The name that others know this folder by, where we were told no other.
fn whisper_path(settings: &mut Table, env: &impl Fn(&str) -> Option<String>) {
    let speech = settings.get_mut("speech").and_then(Value::as_table_mut);
    let whisper = speech.and_then(|speech| speech.get_mut("whisper"));
    let told = env("WHISPER_PATH").filter(|path| !path.is_empty());
    if let (Some(whisper), Some(path)) = (whisper, told)
        && whisper.as_str() == Some("")
    {
        *whisper = Value::String(path);
    }
}

fn parsed_like(value: &Value, text: &str) -> anyhow::Result<Value> {
    Ok(match value {
        Value::Integer(_) => {
            Value::Integer(text.parse().with_context(|| format!("\"{text}\" is not a number"))?)
        }
        Value::Boolean(_) => match text {
            "1" | "true" | "yes" | "on" => Value::Boolean(true),
            "0" | "false" | "no" | "off" | "" => Value::Boolean(false),
            _ => bail!("\"{text}\" is neither true nor false"),
        },
        Value::Array(_) => {
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            Value::Array(parts.map(|part| Value::String(part.to_owned())).collect())
        }
        _ => Value::String(text.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none(_: &str) -> Option<String> {
        None
    }

    fn flags(text: &str) -> Table {
        text.parse().unwrap()
    }

    #[test]
    fn whisper_is_found_by_the_name_that_others_use() {
        let env = |name: &str| (name == "WHISPER_PATH").then(|| "/models/base".to_owned());
        let settings = load(None, env, Table::new()).unwrap();
        assert_eq!(settings.speech.whisper, Path::new("/models/base"));
        let ours = |name: &str| match name {
            "SAYSO_SPEECH_WHISPER" => Some("/ours".to_owned()),
            _ => env(name),
        };
        let settings = load(None, ours, Table::new()).unwrap();
        assert_eq!(settings.speech.whisper, Path::new("/ours"));
        let both = flags("speech.transcription.url = 'https://x.example/v1'");
        let error = format!("{:#}", load(None, env, both).unwrap_err());
        assert!(error.contains("are both set; keep one of them"), "{error}");
    }

    #[test]
    fn the_example_shows_every_setting_with_its_default() {
        let example: Table = include_str!("../../../config/example.toml").parse().unwrap();
        assert_eq!(example, Table::try_from(Settings::default()).unwrap());
    }

    #[test]
    fn flags_win_over_the_environment_and_the_environment_over_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(
            &file,
            "agent = 'file'\nlog = 'file'\ndemo = true\n[limits]\nconnections = 7",
        )
        .unwrap();
        let env = |name: &str| match name {
            "SAYSO_LOG" => Some("env".to_owned()),
            "SAYSO_AGENT" => Some("env".to_owned()),
            "SAYSO_LIMITS_MESSAGE_BYTES" => Some("9000".to_owned()),
            "SAYSO_ORIGINS" => Some("https://a.example, https://b.example,".to_owned()),
            "SAYSO_AUTH_JWT_ISSUER" => Some("https://login.example".to_owned()),
            _ => None,
        };

        let settings = load(Some(file.path()), env, flags("agent = 'flag'")).unwrap();

        let expected = Settings {
            agent: "flag".into(),
            log: "env".into(),
            demo: true,
            limits: Limits { connections: 7, message_bytes: 9_000, ..Limits::default() },
            origins: vec!["https://a.example".into(), "https://b.example".into()],
            auth: Auth {
                jwt: Jwt { issuer: "https://login.example".into(), ..Jwt::default() },
                ..Auth::default()
            },
            ..Settings::default()
        };
        assert_eq!(settings, expected);
    }

    #[test]
    fn a_limit_under_which_nobody_could_come_in_is_told_by_name() {
        for (name, value) in [
            ("SAYSO_LIMITS_TURNS", "0"),
            ("SAYSO_LIMITS_TURNS", "9000000000000000000"),
            ("SAYSO_LIMITS_CONNECTIONS", "0"),
            ("SAYSO_LIMITS_MESSAGE_BYTES", "0"),
            ("SAYSO_LIMITS_UPLOAD_BYTES", "0"),
            ("SAYSO_LIMITS_UPLOAD_TOTAL_BYTES", "0"),
        ] {
            let env = |asked: &str| (asked == name).then(|| value.to_owned());
            let error = format!("{:#}", load(None, env, Table::new()).unwrap_err());
            let setting = name["SAYSO_LIMITS_".len()..].to_lowercase();
            assert!(error.contains(&format!("limits.{setting}")), "{error}");
        }
        // Where 0 means no limit, it does.
        let env = |name: &str| name.ends_with("_PER_MINUTE").then(|| "0".to_owned());
        assert!(load(None, env, Table::new()).is_ok());
    }

    #[test]
    fn a_mistake_is_told_with_the_place_it_was_made_in() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "lisen = '127.0.0.1:1'").unwrap();
        let error = format!("{:#}", load(Some(file.path()), none, Table::new()).unwrap_err());
        assert!(
            error.contains("lisen") && error.contains(file.path().to_str().unwrap()),
            "{error}"
        );

        let env = |name: &str| (name == "SAYSO_DEMO").then(|| "perhaps".to_owned());
        let error = format!("{:#}", load(None, env, Table::new()).unwrap_err());
        assert!(error.contains("SAYSO_DEMO"), "{error}");

        let missing = Path::new("no/such/file.toml");
        let error = format!("{:#}", load(Some(missing), none, Table::new()).unwrap_err());
        assert!(error.contains("no/such/file.toml"), "{error}");
    }
}
