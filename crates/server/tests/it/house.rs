//! A server of one's own, on its own data, for as long as a test runs.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Where a server listens unless a test says otherwise.
pub const HOME: &str = "127.0.0.1:0";
/// Nothing here takes longer unless it is broken, also where many tests share few cores.
pub const PATIENCE: Duration = Duration::from_mins(1);

pub struct House {
    folder: TempDir,
    listen: &'static str,
    env: Vec<(&'static str, String)>,
    server: Running,
}

struct Running {
    process: Child,
    address: SocketAddr,
    scheme: &'static str,
    /// Ends when the process does.
    lines: Receiver<String>,
}

impl House {
    /// A server with the sample mailbox and calendar.
    pub fn open() -> Self {
        Self::open_with(&[])
    }

    pub fn open_with(env: &[(&'static str, &'static str)]) -> Self {
        let env = env.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self::open_in(TempDir::new().unwrap(), HOME, env)
    }

    /// A server on data that is there already.
    pub fn open_in(
        folder: TempDir,
        listen: &'static str,
        env: Vec<(&'static str, String)>,
    ) -> Self {
        let server = start(folder.path(), listen, &env);
        Self { folder, listen, env, server }
    }

    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    pub fn url(&self) -> String {
        format!("{}://{}", self.server.scheme, self.address())
    }

    pub fn data(&self) -> String {
        data(self.folder.path())
    }

    /// What the server has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// As if the power had failed.
    pub fn kill_hard(&mut self) {
        self.server.process.kill().unwrap();
        self.server.process.wait().unwrap();
    }

    /// Asks the server to stop and waits until it has.
    pub fn stop(&mut self) -> ExitStatus {
        self.ask_to_stop();
        self.stopped()
    }

    pub fn ask_to_stop(&self) {
        self.signal("-TERM");
    }

    /// Asks the server to read its certificate again.
    pub fn ask_to_read_again(&self) {
        self.signal("-HUP");
    }

    fn signal(&self, name: &str) {
        let id = self.server.process.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    pub fn stopped(&mut self) -> ExitStatus {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.server.lines.recv_timeout(left) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return self.server.process.wait().unwrap(),
                Err(RecvTimeoutError::Timeout) => panic!("the server did not stop in {PATIENCE:?}"),
            }
        }
    }

    /// From the next start on.
    pub fn set(&mut self, name: &'static str, value: &str) {
        self.env.push((name, value.to_owned()));
    }

    /// What it holds of the machine's memory.
    pub fn memory_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.server.process.id());
        let status = std::fs::read_to_string(path).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// The same data, a new process.
    pub fn restart(&mut self) {
        self.server = start(self.folder.path(), self.listen, &self.env);
    }

    /// The same data, a new process in another environment, this time only.
    /// False where it died before it could be reached.
    #[cfg(feature = "perils")]
    pub fn restart_with(&mut self, env: &[(&str, &str)]) -> bool {
        let env: Vec<_> = env.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let started = try_start(self.folder.path(), self.listen, &env);
        let came_up = started.is_some();
        let anew = || start(self.folder.path(), self.listen, &self.env);
        self.server = started.unwrap_or_else(anew);
        came_up
    }

    /// Waits until the process has ended by itself; false where it goes on.
    #[cfg(feature = "perils")]
    pub fn has_died(&mut self) -> bool {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if self.server.process.try_wait().unwrap().is_some() {
                return true;
            }
            thread::sleep(Duration::from_millis(5));
        }
        false
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be over already; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn data(folder: &Path) -> String {
    folder.join("data").to_str().unwrap().to_owned()
}

fn start(folder: &Path, listen: &str, env: &[(&str, String)]) -> Running {
    try_start(folder, listen, env).unwrap_or_else(|| {
        let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
        panic!("the server ended before it printed its address; it said:\n{log}")
    })
}

fn try_start(folder: &Path, listen: &str, env: &[(&str, String)]) -> Option<Running> {
    let log = File::options().create(true).append(true).open(folder.join("log")).unwrap();
    let mut process = sayso(folder)
        .args(["serve", "--demo", "--listen", listen, "--data", &data(folder)])
        .envs(env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .unwrap();
    let lines = lines(process.stdout.take().unwrap());
    let Some((scheme, address)) = printed_address(&lines) else {
        // It may be over already; then there is nothing to end.
        let _ = process.kill();
        let _ = process.wait();
        return None;
    };
    Some(Running { process, address, scheme, lines })
}

fn lines(stdout: ChildStdout) -> Receiver<String> {
    let (tell, lines) = channel();
    thread::spawn(move || {
        // The test may be over before the server is.
        BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| tell.send(line))
    });
    lines
}

/// `None` when it ended without a word. One that is merely slow is none that died.
fn printed_address(lines: &Receiver<String>) -> Option<(&'static str, SocketAddr)> {
    let until = Instant::now() + PATIENCE;
    loop {
        let line = match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                panic!("the server did not print its address in {PATIENCE:?}")
            }
        };
        for scheme in ["http", "https"] {
            let Some((_, address)) = line.split_once(&format!("Open      {scheme}://")) else {
                continue;
            };
            let mut address: SocketAddr = address.trim().parse().expect("an address");
            if address.ip().is_unspecified() {
                address.set_ip([127, 0, 0, 1].into());
            }
            return Some((scheme, address));
        }
    }
}

/// The binary in a world without settings.
/// One command, with nothing of this process's settings.
pub fn sayso(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sayso"));
    // Whoever runs the tests may have keys of their own; none is used here.
    let is_set = |name: &str| {
        name.starts_with("SAYSO_") || name.ends_with("_API_KEY") || name.ends_with("_BASE_URL")
    };
    for (name, _) in std::env::vars().filter(|(name, _)| is_set(name)) {
        command.env_remove(name);
    }
    command.current_dir(folder);
    command
}

/// What a command said and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs one command to its end.
pub fn run(args: &[&str]) -> Ran {
    run_with(args, &[], "")
}

pub fn run_with(args: &[&str], env: &[(&str, &str)], input: &str) -> Ran {
    let folder = TempDir::new().unwrap();
    let mut process = sayso(folder.path())
        .args(args)
        .envs(env.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (out, err) = (whole(process.stdout.take()), whole(process.stderr.take()));
    // A command that fails at once does not read.
    let _ = process.stdin.take().unwrap().write_all(input.as_bytes());
    let until = Instant::now() + PATIENCE;
    let mut read = |from: &Receiver<String>| {
        let left = until.saturating_duration_since(Instant::now());
        from.recv_timeout(left).unwrap_or_else(|_| {
            process.kill().unwrap();
            panic!("`sayso {}` did not end in {PATIENCE:?}", args.join(" "))
        })
    };
    let (out, err) = (read(&out), read(&err));
    let code = process.wait().unwrap().code().expect("it ended by itself");
    Ran { code, out, err }
}

fn whole(from: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let mut from = from.expect("it is a pipe");
    let (tell, told) = channel();
    thread::spawn(move || {
        let mut text = String::new();
        from.read_to_string(&mut text).expect("commands print text");
        tell.send(text)
    });
    told
}
