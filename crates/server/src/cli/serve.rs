//! `sayso serve`: opens the house.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use jiff::SignedDuration;
use models::Tier;
use session::OpenError;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use toml::Table;
use tools::local::sample::Poured;

use super::look::tell_line;
use super::{Choice, look};
use crate::app::App;
use crate::config::Settings;
use crate::doors::lobby::Lobby;
use crate::doors::locksmith::Locksmith;
use crate::doors::proxy::Proxies;
use crate::doors::tls;
use crate::pins;
use crate::senses::Models;
use crate::telemetry::traces::{Receiver, Traces};
use crate::{routes, telemetry};

/// A session in which nothing happened for so long is not used any more.
const UNUSED_FOR: SignedDuration = SignedDuration::from_hours(24);
const SWEEP_EVERY: Duration = Duration::from_hours(1);
/// Connections that are still open after this are cut.
const GOODBYE: Duration = Duration::from_secs(5);

#[derive(Args)]
#[command(after_help = "Settings come from sayso.toml, then SAYSO_* variables, then these flags;
config/example.toml lists them all. Ctrl+C stops the server; what was said is kept.")]
pub struct Serve {
    #[command(flatten)]
    choice: Choice,
    /// Listen on ADDR [default: 127.0.0.1:8787]
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Let NAME answer [default: assistant]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Serve https with this certificate and its key, both in PEM
    #[arg(long, num_args = 2, value_names = ["CERT", "KEY"])]
    tls: Option<Vec<String>>,
    /// Fill an empty data folder with a sample mailbox and calendar
    #[arg(long)]
    demo: bool,
}

impl Serve {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let settings = self.choice.settings(self.flags())?;
        telemetry::start_log(&settings)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .context("the runtime cannot start")?;
        runtime.block_on(serve(&settings))?;
        Ok(ExitCode::SUCCESS)
    }

    fn flags(&self) -> Table {
        let mut flags = Table::new();
        if let Some(listen) = self.listen {
            flags.insert("listen".into(), listen.to_string().into());
        }
        if let Some(agent) = &self.agent {
            flags.insert("agent".into(), agent.clone().into());
        }
        if let Some([cert, key]) = self.tls.as_deref() {
            let tls = [("cert", cert), ("key", key)];
            let tls = tls.map(|(name, path)| (name.to_owned(), path.clone().into()));
            flags.insert("tls".into(), Table::from_iter(tls).into());
        }
        if self.demo {
            flags.insert("demo".into(), true.into());
        }
        flags
    }
}

async fn serve(settings: &Settings) -> anyhow::Result<()> {
    // Before anybody knows that we are there: whoever sees the greeting may stop us.
    let asked_to_stop = asked_to_stop()?;
    let locksmith = Locksmith::new(&settings.tls)?;
    let proxies = Proxies::new(&settings.proxies)?;
    let listener = tls::listen(settings.listen).with_context(|| {
        format!("cannot listen on {}; is another server running there?", settings.listen)
    })?;
    let (app, poured) = App::open(settings, telemetry::start_metrics()?).await?;
    let address = listener.local_addr().context("the listener has an address")?;
    app.listens_at(address)?;
    let beside = Beside::start(settings, &app)?;
    pick_up(&app).await?;
    greet(settings, &app, poured, address);

    let stopping = CancellationToken::new();
    let lock = locksmith.as_ref().map(Locksmith::lock);
    let lobby = Lobby::new(listener, lock, proxies, &settings.limits);
    let locksmith = locksmith.map(|locksmith| tokio::spawn(locksmith.work()));
    let served = tokio::spawn(lobby.serve(routes::router(app.clone()), stopping.clone()));
    let sweeping = tokio::spawn(sweep(Arc::clone(&app)));
    warm_up(app.models.clone());
    asked_to_stop.await;
    sweeping.abort();
    if let Some(locksmith) = locksmith {
        locksmith.abort();
    }
    tell_line!("\nStopping. Everything said so far is kept.");
    stopping.cancel();
    app.sockets.close();
    app.registry.close().await;
    // A client that does not take the goodbye, or an idle keep-alive connection,
    // would hold us up for nothing.
    let _ = tokio::time::timeout(GOODBYE, async { tokio::join!(app.sockets.wait(), served) }).await;
    beside.end().await;
    Ok(())
}

/// Has the models for speech ready before somebody speaks; nobody waits for it.
fn warm_up(models: Models) {
    tokio::task::spawn_blocking(move || {
        match models.warm_up() {
            Ok(()) => tracing::debug!("ready to hear and to speak"),
            Err(error) => tracing::warn!(%error, "speech is not ready"),
        }
        for (setting, error) in models.unusable() {
            tracing::warn!(setting, %error, "it cannot be used; the built-in models do it");
        }
    });
}

/// Sessions that somebody began and never used are forgotten after a day.
async fn sweep(app: Arc<App>) {
    let mut hours = tokio::time::interval(SWEEP_EVERY);
    loop {
        hours.tick().await;
        match app.registry.forget_unused_sessions(UNUSED_FOR).await {
            Ok(0) => {}
            Ok(sessions) => tracing::info!(sessions, "forgot sessions that were never used"),
            Err(error) => tracing::warn!(%error, "unused sessions cannot be forgotten"),
        }
    }
}

/// What runs beside the conversations, and ends behind the last of them.
struct Beside {
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

impl Beside {
    fn start(settings: &Settings, app: &App) -> anyhow::Result<Self> {
        let (stop, mut tasks) = (CancellationToken::new(), Vec::new());
        let leavings = app.leavings.lock().unwrap_or_else(PoisonError::into_inner).take();
        tasks.extend(leavings.map(|(sweeper, ended)| sweeper.start(ended, stop.clone())));
        if let Some(receiver) = Receiver::of(&settings.telemetry)? {
            let house = app.registry.house();
            let events = house.watchers.subscribe();
            tasks.push(Traces::start(receiver, house.store.clone(), events, stop.clone()));
        }
        Ok(Self { stop, tasks })
    }

    async fn end(self) {
        self.stop.cancel();
        let ends = async {
            for task in self.tasks {
                // One that panicked has nothing left to end.
                let _ = task.await;
            }
        };
        // What is not done by then is done at the next start.
        let _ = tokio::time::timeout(GOODBYE, ends).await;
    }
}

/// What was agreed to before we stopped is brought to its end.
async fn pick_up(app: &App) -> anyhow::Result<()> {
    let woken = app.registry.wake_restless().await.map_err(|error| match error {
        OpenError::Store(error) => anyhow::Error::new(error),
        OpenError::Unknown => anyhow::anyhow!("a session is not there any more"),
        OpenError::Stopping => anyhow::anyhow!("the server is stopping"),
    });
    let woken = woken.context("what was agreed to earlier cannot be picked up")?;
    app.registry.work().await.context("long work that was left cannot be picked up")?;
    if woken > 0 {
        tracing::info!(sessions = woken, "went on with what was agreed to earlier");
    }
    let unread = app.reader.pick_up().await.context("which files are unread cannot be read")?;
    if unread > 0 {
        tracing::info!(files = unread, "went on reading files");
    }
    Ok(())
}

fn greet(settings: &Settings, app: &App, poured: Option<Poured>, address: SocketAddr) {
    let (name, quiet, good, plain) = (look::NAME, look::QUIET, look::GOOD, look::PLAIN);
    tell_line!("\n  {name}Sayso{plain} {} acts only on your say-so.\n", env!("CARGO_PKG_VERSION"));
    let scheme = if settings.tls.is_on() { "https" } else { "http" };
    let address = reached_at(address);
    tell_line!("  Open      {good}{scheme}://{address}{plain}");
    let server = if address == Settings::default().listen && !settings.tls.is_on() {
        String::new()
    } else {
        format!(" --server {scheme}://{address}")
    };
    // As it was started: it need not be on anybody's PATH.
    let me = std::env::args().next().unwrap_or_else(|| "sayso".into());
    tell_line!("  Or type   {me} chat{server}   {quiet}in a second terminal{plain}");
    tell_line!("  Data      {}", settings.data.display());
    tell_line!("  Agent     {}: {}", app.agent.name, app.agent.description);
    greet_abilities(settings, app);
    greet_held_back(settings);
    greet_login(settings, app);
    greet_paused(app);
    if app.is_empty {
        tell_line!("  Mailbox   empty, and so is the calendar; `--demo` fills them with samples");
    }
    if let Some(Poured { mails, events, contacts }) = poured {
        tell_line!(
            "  Sample    {mails} mails, {events} events and {contacts} contacts of Maya Lindqvist"
        );
    }
    tell_line!("\n  Try: \"What meetings do I have tomorrow?\"   {quiet}Ctrl+C stops.{plain}\n");
}

/// An address that can be typed: one that stands for all of them is none.
fn reached_at(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

/// What it can do, with whom, and what it cannot.
fn greet_abilities(settings: &Settings, app: &App) {
    let senses = &app.registry.house().senses;
    let (on, off) = match (senses.hearing.is_some(), senses.speaking.is_some()) {
        (true, true) => ("talking and typing", None),
        (true, false) => ("listening and typing", Some("speaking")),
        (false, true) => ("typing and speaking", Some("listening")),
        (false, false) => {
            ("typed chat", Some("talking aloud (`make assets` fetches what it needs)"))
        }
    };
    let outside = outside(settings);
    let alone = if outside.is_empty() { ", offline, no key" } else { "" };
    tell_line!("  On        {on}, mail and calendar{alone}");
    if !outside.is_empty() {
        let outside = outside.join(", ");
        tell_line!(
            "  Outside   {outside}; `sayso doctor` tries them, `models.cloud = false` stops them"
        );
    }
    tell_line!("  Asks      before a mail goes out or an event is made, every time");
    let nobody = outside.is_empty().then_some("cloud models");
    let off: Vec<&str> = off.into_iter().chain(nobody).collect();
    if !off.is_empty() {
        tell_line!("  Off       {}", off.join(", "));
    }
    let torn = pins::torn(&settings.assets, &["hearing", "speaking"]);
    if !torn.is_empty() {
        let (doubt, plain) = (look::DOUBT, look::PLAIN);
        let (files, are) = (torn.join(", "), if torn.len() == 1 { "is" } else { "are" });
        tell_line!("  {doubt}Warning{plain}   {files} {are} not whole, so what needs that is off;");
        tell_line!("            `make assets` fetches it again");
    }
}

/// Whoever outside this machine is told what people say.
fn outside(settings: &Settings) -> Vec<String> {
    let lines = settings.models.lines().unwrap_or_default().into_iter();
    let far = lines.filter(|line| line.tier == Tier::Cloud);
    let mut names: Vec<String> =
        far.map(|line| format!("{} ({})", line.name, line.model)).collect();
    let live = settings.live().filter(|(_, tier)| *tier == Tier::Cloud);
    names.extend(live.map(|(live, _)| format!("a live voice ({})", live.model)));
    names.extend(settings.services_outside());
    names
}

/// What the settings name and forbid at once.
fn greet_held_back(settings: &Settings) {
    let (doubt, plain) = (look::DOUBT, look::PLAIN);
    for held in settings.held_back() {
        tell_line!("  {doubt}Warning{plain}   {};", held.told());
        tell_line!("            {}", held.advice());
        tracing::warn!(
            setting = held.table,
            base = held.base,
            "a service outside this machine is set up and not used: models.cloud is false"
        );
    }
}

/// Who may come in, and who may listen on the way.
fn greet_login(settings: &Settings, app: &App) {
    let (doubt, plain) = (look::DOUBT, look::PLAIN);
    if app.doors.ask() {
        let jwt = if settings.auth.jwt.is_on() { ", or a token of your login" } else { "" };
        tell_line!("  Login     a key made with `sayso keys create`{jwt}");
    }
    if !settings.listen.ip().is_loopback() && !settings.tls.is_on() {
        tell_line!(
            "  {doubt}Warning{plain}   without TLS: whoever is on the way can read every mail and every key;"
        );
        tell_line!("            start with `--tls CERT KEY`, or only behind a proxy that has it");
        tracing::warn!(
            "listening beyond this machine without TLS: keys and mail can be read on the way"
        );
    }
}

fn greet_paused(app: &App) {
    let off = app.registry.house().switches.all();
    let (doubt, plain) = (look::DOUBT, look::PLAIN);
    for row in off {
        match row.tool {
            None => {
                tell_line!("  {doubt}Paused{plain}    all writes; `sayso resume` lets them go on");
            }
            Some(tool) => tell_line!(
                "  {doubt}Paused{plain}    {tool}; `sayso resume --tool {tool}` lets it go on"
            ),
        }
    }
}

/// Listens from now on; comes when somebody wants us to stop.
fn asked_to_stop() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let cannot = "signals cannot be listened to";
    let mut term = signal(SignalKind::terminate()).context(cannot)?;
    let mut interrupt = signal(SignalKind::interrupt()).context(cannot)?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = term.recv() => {}
        }
    })
}
