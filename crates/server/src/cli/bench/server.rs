//! A server of its own, on sample data in a folder that goes with it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};
use speech::resample::EARS_RATE;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{Client, Remote, new_id};

/// Runs until it is dropped.
pub struct Server {
    child: Child,
    remote: Remote,
    address: String,
    folder: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Server {
    /// On one core, where the system lets us say so.
    pub fn start(assets: &Path, on_one_core: bool) -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("sayso-bench-{}", new_id()));
        let sayso = std::env::current_exe()?;
        let mut command = if on_one_core {
            let mut command = Command::new("taskset");
            command.args(["-c", "0"]).arg(sayso);
            command
        } else {
            Command::new(sayso)
        };
        command.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--data"]).arg(&folder);
        command.arg("--assets").arg(assets).env("SAYSO_LOG", "warn");
        for limit in ["TEXT_PER_MINUTE", "AUDIO_SECONDS_PER_MINUTE", "SESSIONS_PER_MINUTE"] {
            command.env(format!("SAYSO_LIMITS_{limit}"), "0");
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let lines = BufReader::new(child.stdout.take().context("it was piped")?).lines();
        let mut lines = lines.map_while(Result::ok);
        let address = lines.find_map(|line| Some(line.split_once("http://")?.1.trim().to_owned()));
        let Some(address) = address else {
            let _ = child.wait();
            bail!("the server did not start; `sayso serve` says why");
        };
        std::thread::spawn(move || lines.for_each(drop));
        let remote = Remote::new(&format!("http://{address}"), None)?;
        Ok(Self { child, remote, address, folder })
    }

    pub async fn client(&self, plays: bool) -> anyhow::Result<Client> {
        let mut client = Client::connect(&self.remote, None, 0).await?;
        client.hello(EARS_RATE, 1, plays).await?;
        client.catch_up().await?;
        Ok(client)
    }

    pub fn memory_mb(&self) -> u64 {
        memory_mb(&self.child.id().to_string()).unwrap_or(0)
    }

    /// The sum of all that was ever counted under this name, in seconds.
    pub async fn sum_of(&self, metric: &str) -> anyhow::Result<f64> {
        let mut stream = TcpStream::connect(&self.address).await?;
        let request =
            format!("GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let sum = answer.lines().find_map(|line| line.strip_prefix(&format!("{metric}_sum ")));
        Ok(sum.and_then(|sum| sum.trim().parse().ok()).unwrap_or(0.0))
    }
}

/// What a process holds of the machine's memory.
pub fn memory_mb(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1_024)
}
