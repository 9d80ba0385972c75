//! Servers in processes of their own, so that their memory can be told apart.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context;

/// In what the kernel counts processor time.
const TICK: Duration = Duration::from_millis(10);

pub struct Server {
    pub address: String,
    child: Child,
    _data: tempfile::TempDir,
}

impl Server {
    /// With look-ups that take this long, as far away providers do.
    pub fn sayso_far_away(look_up: Duration) -> anyhow::Result<Self> {
        Self::sayso_with(&[("SAYSO_WAIT_AT", format!("looking:{}", look_up.as_millis()))])
    }

    pub fn sayso() -> anyhow::Result<Self> {
        Self::sayso_with(&[])
    }

    fn sayso_with(variables: &[(&str, String)]) -> anyhow::Result<Self> {
        let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_sayso"));
        command.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
        // One line a turn is what a server writes in use; the terminal is not measured.
        command.env("SAYSO_LOG", "info").stderr(Stdio::null());
        // Nobody speaks like a bench, and nobody may.
        command.env("SAYSO_LIMITS_TEXT_PER_MINUTE", "0");
        command.env("SAYSO_LIMITS_TOOLS_PER_MINUTE", "0");
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        Self::start(command, data)
    }

    /// With a model at this address, asked as often as anybody likes; what it costs is
    /// counted all the same.
    pub fn sayso_with_a_model(upstream: &str) -> anyhow::Result<Self> {
        Self::sayso_with(&[
            ("OPENAI_BASE_URL", format!("http://{upstream}/v1")),
            ("OPENAI_API_KEY", testkit::provider::KEY.to_owned()),
            ("SAYSO_MODELS_OPENAI_MODEL", testkit::provider::MODELS[0].to_owned()),
            ("SAYSO_LIMITS_MODELS_PER_MINUTE", "0".to_owned()),
            ("SAYSO_MODELS_CAP_MILLIDOLLARS_EACH", "1000000000".to_owned()),
            ("SAYSO_MODELS_CAP_MILLIDOLLARS_IN_ALL", "1000000000".to_owned()),
        ])
    }

    pub fn upstream() -> anyhow::Result<Self> {
        Self::ourselves(super::minds::UPSTREAM, "1")
    }

    pub fn relay(upstream: &str) -> anyhow::Result<Self> {
        Self::ourselves(super::minds::RELAY, upstream)
    }

    fn ourselves(variable: &str, value: &str) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.env(variable, value);
        Self::start(command, tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?)
    }

    pub fn echo() -> anyhow::Result<Self> {
        Self::ourselves(super::echo::VARIABLE, "127.0.0.1:0")
    }

    fn start(mut command: Command, data: tempfile::TempDir) -> anyhow::Result<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().context("it was piped")?).lines();
        let address = lines
            .find_map(|line| Some(line.ok()?.split_once("http://")?.1.trim().to_owned()))
            .context("the server prints its address")?;
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Self { address, child, _data: data })
    }

    /// The processor time it has had so far.
    pub fn cpu(&self) -> anyhow::Result<Duration> {
        cpu_of(&self.child.id().to_string())
    }

    /// What it holds of the machine's memory, in KiB.
    pub fn memory_kib(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number =
            line.and_then(|line| line.split_whitespace().next()).context("VmRSS is told")?;
        Ok(number.parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processor time a turn, in milliseconds.
pub fn each(before: Duration, after: Duration, turns: &super::figures::Figures) -> f64 {
    after.saturating_sub(before).as_secs_f64() * 1000.0 / turns.count() as f64
}

/// The processor time that this process has had so far.
pub fn own_cpu() -> anyhow::Result<Duration> {
    cpu_of("self")
}

fn cpu_of(process: &str) -> anyhow::Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name may hold anything; the numbers stand behind its bracket.
    let (_, numbers) = stat.rsplit_once(')').context("a process has a name")?;
    let ticks = numbers.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    let ticks = ticks.sum::<Result<u64, _>>().context("user and system time are numbers")?;
    Ok(TICK * u32::try_from(ticks)?)
}

pub fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
