//! `sayso doctor`: what is well, what is not, and what to do about it.

mod speech;
mod thinkers;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use axum::http::Method;
use clap::Args;
use jiff::{SignedDuration, Timestamp};
use models::paraphrase::{Encoder, MiniLm, Unavailable};
use store::sqlite::{self, Record, SqliteStore};
use toml::Table;
use tools::Personal;

use super::look::tell_line;
use super::{Choice, look, small_runtime};
use crate::app::{self, Agent};
use crate::client::{Remote, http};
use crate::config::{Retention, Settings};
use crate::doors::{self, tls};
use crate::pins;
use crate::reading;
use crate::telemetry::traces::Receiver;

/// When this version was young; a clock that shows less has stopped or was never set.
const SURELY_PAST: &str = "2026-01-01T00:00:00Z";

/// A clock that is set right now and then is behind what it said before by less.
const A_LITTLE_AHEAD: SignedDuration = SignedDuration::from_mins(2);
/// With less the next mail may not fit.
const LITTLE_ROOM: u64 = 256 << 20;
/// A log is emptied every second or so; one of this size is not.
const LARGE_LOG: u64 = 400 << 20;

#[derive(Args)]
#[command(
    after_help = "Each line is one thing that was looked at: ✓ is well, – works with something
missing, ✗ is wrong and says what to do. It ends with 1 when anything is wrong."
)]
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
    let thinkers = thinkers::look_at(settings).await;
    let mut findings = vec![
        finding("settings", Well("read".into())),
        finding("agent", agent(settings)),
        finding("address", address(settings, running.as_ref())),
        finding("login", login(settings).await),
        finding("tls", tls(settings)),
        finding("data", data(&settings.data, running.is_some())),
        finding("database", databases(&settings.data)),
        finding("audit", audit(&settings.data)),
        finding("disk", disk(&settings.data)),
        finding("access", access(&settings.data)),
        finding("kept", kept(settings)),
        finding("clock", clock(&settings.data)),
        finding("time zone", zone(settings)),
        finding("attachments", attachments().await),
        finding("speech", speech::models(settings)),
        finding("ears", speech::ears(settings).await),
        finding("voice", speech::voice(settings).await),
        finding("live voice", speech::live(settings).await),
        finding("wording", paraphrases(settings)),
        finding("traces", traces(settings).await),
    ];
    findings.extend(thinkers.into_iter().map(|state| finding("models", state)));
    findings
}

/// A Sayso that runs on these settings.
enum Running {
    /// It tells its version.
    Answers(String),
    /// Its certificate is not for the address it listens on, so it is not called.
    HoldsData,
}

async fn is_running(settings: &Settings) -> Option<Running> {
    if settings.tls.is_on() {
        let is_taken = TcpListener::bind(settings.listen).is_err();
        let is_held = settings.data.exists() && app::lock(&settings.data).is_err();
        return (is_taken && is_held).then_some(Running::HoldsData);
    }
    let server = Remote::new(&format!("http://{}", settings.listen), None).ok()?;
    let answer = http::request(&server, Method::GET, "/healthz", None).await.ok()?;
    answer.body["version"].as_str().map(|version| Running::Answers(version.to_owned()))
}

fn agent(settings: &Settings) -> State {
    match Agent::named(&settings.agent) {
        Ok(agent) => match agent.keywords(&settings.speech.keywords) {
            Ok(known) => {
                let (tools, keywords) = (agent.tools.len(), known.iter().count());
                let known = match keywords {
                    0 => String::new(),
                    1 => " and one keyword".to_owned(),
                    some => format!(" and {some} keywords"),
                };
                Well(format!("{} with {tools} tools{known}", agent.name))
            }
            Err(error) => Ill(format!("{error:#}"), "mend `speech.keywords`".into()),
        },
        Err(error) => Ill(error.to_string(), "set `agent` to one of these".into()),
    }
}

fn address(settings: &Settings, running: Option<&Running>) -> State {
    let listen = settings.listen;
    let scheme = if settings.tls.is_on() { "https" } else { "http" };
    match running {
        Some(Running::Answers(version)) => {
            return Well(format!("Sayso {version} answers at {scheme}://{listen}"));
        }
        Some(Running::HoldsData) => {
            return Well(format!("a Sayso runs on this data, at {scheme}://{listen}"));
        }
        None => {}
    }
    match TcpListener::bind(listen) {
        Ok(_) => Well(format!("{scheme}://{listen} is free; `sayso serve` starts there")),
        Err(error) => {
            let advice = "stop what runs there, or start with `sayso serve --listen ADDR`".into();
            Ill(format!("{listen} cannot be used: {error}"), advice)
        }
    }
}

/// Can a child be sent to read a file, with all its limits?
async fn attachments() -> State {
    match reading::try_child().await {
        Ok(()) if cfg!(target_os = "linux") => {
            Well("read by a child without network, files or other processes".into())
        }
        Ok(()) => Note("read by a limited child; its network cannot be closed here".into()),
        Err(reason) => {
            let advice = "it needs seccomp and resource limits; see docs/attachments.md".into();
            Ill(format!("files cannot be read: {reason}"), advice)
        }
    }
}

/// Who can come in?
async fn login(settings: &Settings) -> State {
    if !doors::asks(settings) {
        return Well("nobody is asked; only this machine can reach it".into());
    }
    let file = settings.data.join("sayso.db");
    let keys = if file.exists() {
        match SqliteStore::open(&file) {
            Ok(store) => doors::has_keys(&store).await.unwrap_or(false),
            Err(_) => false,
        }
    } else {
        false
    };
    match doors::check_jwt(settings).await {
        Err(error) => Ill(format!("{error:#}"), "compare with config/example.toml".into()),
        Ok(true) => Well("a token of your login, or a key".into()),
        Ok(false) if keys => Well("a key, made with `sayso keys create`".into()),
        Ok(false) => {
            let (wrong, advice) = doors::nobody_could_come_in(settings);
            Ill(wrong, advice)
        }
    }
}

/// Can others listen on the way?
fn tls(settings: &Settings) -> State {
    match tls::acceptor(&settings.tls) {
        Err(error) => Ill(format!("{error:#}"), "both files are PEM, and belong together".into()),
        Ok(Some(_)) => Well(format!("with {}", settings.tls.cert.display())),
        Ok(None) if settings.listen.ip().is_loopback() => {
            Note("off; not needed within this machine".into())
        }
        Ok(None) => Ill(
            "off: whoever is on the way can read every mail and every key".into(),
            "set `tls.cert` and `tls.key`, or put a proxy that has it in front".into(),
        ),
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
            let Some(at) = app::held_at(folder) else {
                let advice = "stop that one, or choose another folder with --data".into();
                return Ill(format!("another Sayso is using {place}"), advice);
            };
            let advice = format!(
                "if that is the one you mean, look at it with `SAYSO_LISTEN={at} sayso doctor`; \
                 otherwise choose another folder with --data"
            );
            return Ill(format!("another Sayso, at {at}, is using {place}"), advice);
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
        Ok(()) if !app::readable_by_others(folder).is_empty() => {
            let told = "can be read by others on this machine; `chmod -R go= ";
            Note(format!("{place} {told}{place}` makes it yours alone"))
        }
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

/// Every database is read through, beside a server that runs.
fn databases(folder: &Path) -> State {
    let mut told = Vec::new();
    for name in ["sayso.db", "personal.db"] {
        let file = folder.join(name);
        if !file.exists() {
            continue;
        }
        let advice = "stop the server, put a copy back with `sayso restore`, and keep the damaged \
                      file for whoever can read it";
        match sqlite::examine(&file) {
            Ok(Ok(())) => {}
            Ok(Err(ailing)) => {
                let wrong = ailing.0.join("; ");
                return Ill(format!("{name} is damaged: {wrong}"), advice.into());
            }
            Err(error) => return Ill(format!("{name} cannot be read: {error}"), advice.into()),
        }
        let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
        let log = bytes(&folder.join(format!("{name}-wal")));
        if log > LARGE_LOG {
            let advice = "something reads for very long, or the disk is too slow: stop other \
                          programs that have the file open, or start the server anew";
            let wrong = format!("the log of {name} has grown to {} MiB", log >> 20);
            return Ill(wrong, advice.into());
        }
        told.push(format!("{name} {} KiB, log {} KiB", bytes(&file) >> 10, log >> 10));
    }
    if told.is_empty() {
        return Note("none yet".into());
    }
    Well(format!("whole: {}", told.join("; ")))
}

/// Does the record of what was done hold?
fn audit(folder: &Path) -> State {
    let file = folder.join("sayso.db");
    if !file.exists() {
        return Note("none yet".into());
    }
    match super::audit::holds(&file) {
        Ok(()) => Well("no line was changed; `sayso audit verify` shows the last seal".into()),
        Err(error) => Ill(
            format!("the record does not hold: {error:#}"),
            "`sayso audit verify` names the first line; compare with a copy".into(),
        ),
    }
}

/// Is there room to write?
fn disk(folder: &Path) -> State {
    let place = folder.ancestors().find(|place| place.exists()).unwrap_or(Path::new("."));
    let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
    match rustix::fs::statvfs(place) {
        Ok(found) => {
            let free = found.f_bavail.saturating_mul(found.f_frsize);
            let told = format!("{} MiB are free", free >> 20);
            if free < LITTLE_ROOM {
                return Ill(told, "make room, or keep less with `retention` settings".into());
            }
            Well(told)
        }
        Err(error) => Note(format!("how much room there is cannot be told: {error}")),
    }
}

/// May others on this machine read it?
fn access(folder: &Path) -> State {
    let Ok(found) = std::fs::metadata(folder) else {
        return Note("the data folder is not there yet".into());
    };
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        let place = folder.display();
        return Note(format!(
            "others on this machine may enter the data folder ({mode:o}); `chmod 700 {place}` \
             keeps them out"
        ));
    }
    Well("only its owner may enter the data folder".into())
}

/// How long are things kept?
fn kept(settings: &Settings) -> State {
    let days = |days: u32| if days == 0 { "for ever".to_owned() } else { format!("{days} days") };
    let Retention { messages_days, files_days, audit_days, .. } = settings.retention;
    Well(format!(
        "messages {}, files {}, audit {}",
        days(messages_days),
        days(files_days),
        days(audit_days)
    ))
}

/// Does somebody take the traces?
async fn traces(settings: &Settings) -> State {
    match Receiver::of(&settings.telemetry) {
        Ok(None) => Note("off; `telemetry.otlp_endpoint` sends them".into()),
        Err(error) => Ill(format!("{error:#}"), "compare with config/example.toml".into()),
        Ok(Some(receiver)) => match receiver.try_out().await {
            Ok(()) => Well(format!("{} takes them", settings.telemetry.otlp_endpoint)),
            Err(error) => Ill(
                format!("{} does not take them: {error:#}", settings.telemetry.otlp_endpoint),
                "start the receiver, or leave `telemetry.otlp_endpoint` empty".into(),
            ),
        },
    }
}

fn clock(folder: &Path) -> State {
    let now = Timestamp::now();
    let past: Timestamp = SURELY_PAST.parse().expect("a valid time");
    if now < past {
        return Ill(format!("the clock says {now}"), "set the machine's clock".into());
    }
    let newest = Record::open(&folder.join("sayso.db")).and_then(|record| record.newest());
    let newest = newest.ok().flatten().map(|envelope| envelope.ts);
    if let Some(later) = newest.filter(|at| at.duration_since(now) > A_LITTLE_AHEAD) {
        let advice = "set the machine's clock; what is on record comes from the future";
        return Ill(
            format!("the clock says {now}, but something happened at {later}"),
            advice.into(),
        );
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
    let stock = pins::stock(&settings.assets, &["recognising paraphrases"]);
    if !stock.damaged.is_empty() {
        return speech::damaged(&settings.assets, &stock, "the rules answer alone until then");
    }
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
