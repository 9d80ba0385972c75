//! `sayso doctor`: what is well, what is not, and what to do about it.

use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use axum::http::Method;
use clap::Args;
use jiff::Timestamp;
use models::paraphrase::{Encoder, MiniLm, Unavailable};
use store::sqlite::SqliteStore;
use toml::Table;
use tools::Personal;

use super::look::tell_line;
use super::{Choice, look, small_runtime};
use crate::app::{self, Agent};
use crate::client::http;
use crate::config::Settings;

/// When this version was young; a clock that shows less has stopped or was never set.
const SURELY_PAST: &str = "2026-01-01T00:00:00Z";

#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    choice: Choice,
}

/// One thing that was looked at.
struct Finding {
    what: &'static str,
    state: State,
}

enum State {
    Well(String),
    /// Works, with something missing.
    Note(String),
    /// What is wrong, and what to do.
    Ill(String, String),
}

use State::{Ill, Note, Well};

impl Doctor {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let settings = match self.choice.settings(Table::new()) {
            Ok(settings) => settings,
            Err(error) => {
                let advice = "compare with config/example.toml".to_owned();
                report(&[Finding { what: "settings", state: Ill(format!("{error:#}"), advice) }]);
                return Ok(ExitCode::FAILURE);
            }
        };
        let findings = small_runtime()?.block_on(look_around(&settings));
        report(&findings);
        let ill = findings.iter().any(|finding| matches!(finding.state, Ill(..)));
        Ok(if ill { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

async fn look_around(settings: &Settings) -> Vec<Finding> {
    let finding = |what, state| Finding { what, state };
    let running = is_running(settings).await;
    vec![
        finding("settings", Well("read".into())),
        finding("agent", agent(settings)),
        finding("address", address(settings, running.as_ref())),
        finding("data", data(&settings.data, running.is_some())),
        finding("clock", clock()),
        finding("time zone", zone(settings)),
        finding("speech", Note("not in this version; typing works".into())),
        finding("models", Note("the built-in rules answer; no model is needed".into())),
        finding("wording", paraphrases(settings)),
    ]
}

/// The version of the Sayso that answers at the address, if one does.
async fn is_running(settings: &Settings) -> Option<String> {
    let server = format!("http://{}", settings.listen);
    let answer = http::request(&server, Method::GET, "/healthz", None).await.ok()?;
    answer.body["version"].as_str().map(str::to_owned)
}

fn agent(settings: &Settings) -> State {
    match Agent::named(&settings.agent) {
        Ok(agent) => Well(format!("{} with {} tools", agent.name, agent.tools.len())),
        Err(error) => Ill(error.to_string(), "set `agent` to one of these".into()),
    }
}

fn address(settings: &Settings, running: Option<&String>) -> State {
    let listen = settings.listen;
    if !listen.ip().is_loopback() {
        let wrong =
            format!("{listen} can be reached from other machines and there is no login yet");
        return Ill(wrong, "set `listen` to 127.0.0.1:8787".into());
    }
    if let Some(version) = running {
        return Well(format!("Sayso {version} answers at http://{listen}"));
    }
    match TcpListener::bind(listen) {
        Ok(_) => Well(format!("http://{listen} is free; `sayso serve` starts there")),
        Err(error) => {
            let advice = "stop what runs there, or start with `sayso serve --listen ADDR`".into();
            Ill(format!("{listen} cannot be used: {error}"), advice)
        }
    }
}

fn data(folder: &Path, running: bool) -> State {
    let place = folder.display();
    if running {
        return Well(format!("{place} is in use by the running server"));
    }
    let is_new = !folder.exists();
    let lock = match app::lock(folder) {
        Ok(lock) => lock,
        Err(error) if error.to_string().starts_with("another Sayso") => {
            let advice = "stop that one, or choose another folder with --data".into();
            return Ill(format!("another Sayso, at another address, is using {place}"), advice);
        }
        Err(error) => {
            let advice = "choose a folder you may write to with --data, or mend its owner";
            return Ill(format!("{error:#}"), advice.into());
        }
    };
    if is_new {
        // It was made only to see whether it can be.
        drop(lock);
        let _ = std::fs::remove_dir_all(folder);
        return Well(format!("{place} will be made by `sayso serve`"));
    }
    match open_both(folder) {
        Ok(()) => Well(format!("{place} can be read and written")),
        Err(error) => {
            let advice = "if the file is damaged, move it away or bring it back from a copy";
            Ill(format!("{error:#}"), advice.into())
        }
    }
}

fn open_both(folder: &Path) -> anyhow::Result<()> {
    let (sessions, personal) = (folder.join("sayso.db"), folder.join("personal.db"));
    SqliteStore::open(&sessions).with_context(|| sessions.display().to_string())?;
    Personal::open(&personal).with_context(|| personal.display().to_string())?;
    Ok(())
}

fn clock() -> State {
    let now = Timestamp::now();
    let past: Timestamp = SURELY_PAST.parse().expect("a valid time");
    if now < past {
        return Ill(format!("the clock says {now}"), "set the machine's clock".into());
    }
    Well(now.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

fn zone(settings: &Settings) -> State {
    match app::zone_name(settings) {
        Ok(zone) if settings.time_zone.is_empty() => Well(format!("{zone}, this machine's")),
        Ok(zone) => Well(zone),
        Err(error) => {
            Ill(format!("{error:#}"), "leave `time_zone` empty for this machine's".into())
        }
    }
}

/// Is there a model that recognises what the rules do not?
fn paraphrases(settings: &Settings) -> State {
    if !settings.paraphrases {
        return Note("paraphrases are off; `paraphrases = true` turns them on".into());
    }
    let folder = settings.assets.display();
    let heard = MiniLm::load(&settings.assets).and_then(|model| model.encode("any new mail?"));
    match heard {
        Ok(_) => Well(format!("paraphrases are recognised, with the model in {folder}/minilm")),
        Err(Unavailable::Missing(_)) => Note(format!(
            "paraphrases are not recognised: no model in {folder}/minilm; `make assets` fetches it"
        )),
        Err(error) => Ill(error.to_string(), "the rules answer alone until then".to_owned()),
    }
}

fn report(findings: &[Finding]) {
    for Finding { what, state } in findings {
        let plain = look::PLAIN;
        match state {
            Well(found) => tell_line!("{}✓{plain} {what:<10} {found}", look::GOOD),
            Note(found) => tell_line!("{}–{plain} {what:<10} {found}", look::QUIET),
            Ill(wrong, advice) => {
                tell_line!("{}✗{plain} {what:<10} {wrong}", look::TROUBLE);
                tell_line!("  {:<10} → {advice}", "");
            }
        }
    }
}
