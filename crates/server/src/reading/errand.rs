//! Sends a child out to read a file, and makes a sentence of whatever becomes of it.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use brain::paper::Paper;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

use super::child::Said;

/// However busy this machine is, no file is read for longer.
const LONGEST: Duration = Duration::from_secs(30);
/// More than this is no answer.
const LARGEST_ANSWER: u64 = 8 * 1024 * 1024;

const TOO_LONG: &str =
    "That file takes far too long to read, so I stopped. Attach a smaller part of it.";
const DIED: &str = "That file broke while I read it: it is damaged, or needs more memory than I \
                    give it. Save it again, or attach a smaller part of it.";
const ENDED: &str = "Reading that file was cut short. Ask me again in a moment.";
const NOT_STARTED: &str =
    "I can't read files right now. Your operator can find out why with `sayso doctor`.";

/// What runs as the child. On Linux it is found also after it was replaced on disk.
pub fn ourselves() -> PathBuf {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { running } else { std::env::current_exe().unwrap_or_default() }
}

/// Why a file was not read, in one sentence for its person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is the file's own fault; it would be the same again.
    File(String),
    /// It is our fault, or this machine's; later it may go well.
    Ours(String),
}

impl Unread {
    fn ours(told: &str) -> Self {
        Self::Ours(told.to_owned())
    }
}

/// What is in the file, or why nobody knows. On the way it is told how much of it is
/// done, in percent.
pub async fn run(
    program: &Path,
    file: File,
    media_type: &str,
    done: impl Fn(u8),
) -> Result<Paper, Unread> {
    run_within(LONGEST, program, file, media_type, done).await
}

async fn run_within(
    longest: Duration,
    program: &Path,
    file: File,
    media_type: &str,
    done: impl Fn(u8),
) -> Result<Paper, Unread> {
    let child = Command::new(program)
        .args(["read-file", media_type])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::from(file))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Whatever we do, it does not outlive what we wanted it for.
        .kill_on_drop(true)
        .spawn();
    let mut child = child.map_err(|error| {
        tracing::error!(%error, "nobody can be sent to read a file");
        Unread::ours(NOT_STARTED)
    })?;
    let Ok((answer, status)) = tokio::time::timeout(longest, listen(&mut child, done)).await else {
        // Dropping it would end it too; this way it is gone when we go on.
        let _ = child.kill().await;
        // It has a limit on the processor too: this machine was busy with others.
        return Err(Unread::ours(TOO_LONG));
    };
    match serde_json::from_slice(&answer) {
        Ok(Said::Paper(paper)) => Ok(*paper),
        Ok(Said::Problem(problem)) => Err(Unread::File(problem)),
        Err(_) => Err(died(status)),
    }
}

/// A child with nothing to read; what it complains of is told.
pub async fn try_out(program: &Path) -> Result<(), String> {
    let child = Command::new(program)
        .args(["read-file", "text/plain"])
        .env_clear()
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let said = tokio::time::timeout(LONGEST, child).await.map_err(|_| "it takes too long")?;
    let said = said.map_err(|error| error.to_string())?;
    if said.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&said.stderr).trim().to_owned())
}

async fn listen(child: &mut Child, done: impl Fn(u8)) -> (Vec<u8>, Option<ExitStatus>) {
    let (pipe, asides) = (child.stdout.take(), child.stderr.take());
    let answer = async {
        let mut answer = Vec::new();
        if let Some(pipe) = pipe {
            // What breaks off is no answer, and that is seen when it is read.
            let _ = pipe.take(LARGEST_ANSWER).read_to_end(&mut answer).await;
        }
        answer
    };
    let told = async {
        if let Some(mut asides) = asides {
            let (mut some, mut line) = ([0; 256], Line::default());
            while let Ok(read @ 1..) = asides.read(&mut some).await {
                some[..read].iter().filter_map(|byte| line.take(*byte)).for_each(&done);
            }
        }
    };
    let (answer, ()) = tokio::join!(answer, told);
    // The pipe is closed by now: one that still talks is talking to nobody.
    (answer, child.wait().await.ok())
}

/// A line of the other pipe as it comes in. A child that complains says no number.
#[derive(Default)]
struct Line(Option<u8>, bool);

impl Line {
    /// The number, where a line with nothing else in it has come to its end.
    fn take(&mut self, byte: u8) -> Option<u8> {
        match byte {
            b'\n' => {
                let Self(number, is_spoilt) = std::mem::take(self);
                number.filter(|number| *number <= 100 && !is_spoilt)
            }
            b'0'..=b'9' => {
                let number = self.0.unwrap_or(0).saturating_mul(10);
                self.0 = Some(number.saturating_add(byte - b'0'));
                None
            }
            _ => {
                self.1 = true;
                None
            }
        }
    }
}

fn died(status: Option<ExitStatus>) -> Unread {
    const SIGXCPU: i32 = 24;
    const SIGKILL: i32 = 9;
    let signal = status.and_then(|status| status.signal());
    let code = status.and_then(|status| status.code());
    tracing::warn!(signal, code, "a child died over a file");
    match (signal, code) {
        (Some(SIGXCPU), _) => Unread::File(TOO_LONG.to_owned()),
        // Somebody needed its memory more, or an operator ended it.
        (Some(SIGKILL), _) => Unread::ours(ENDED),
        // It said why it would not begin, and nobody was listening.
        (None, Some(1)) => Unread::ours(NOT_STARTED),
        _ => Unread::File(DIED.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    fn file(text: &str) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.rewind().unwrap();
        file
    }

    #[tokio::test]
    async fn a_child_that_says_nonsense_or_nothing_is_a_sentence() {
        for program in ["/bin/true", "/bin/cat", "/bin/false", "/usr/bin/yes"] {
            let said = run(Path::new(program), file("{}"), "text/plain", |_| {}).await.unwrap_err();
            let (Unread::File(said) | Unread::Ours(said)) = said;
            assert!(said.ends_with('.'), "{program}: {said}");
        }
        let missing = run(Path::new("/no/such/program"), file(""), "text/plain", |_| {}).await;
        assert_eq!(missing, Err(Unread::ours(NOT_STARTED)));
    }

    #[test]
    fn only_numbers_up_to_a_hundred_say_how_far_it_is() {
        let mut line = Line::default();
        let said = b"7\nthread panicked at 12\n\n42\n99999\n-3\n100\n5";
        let heard: Vec<u8> = said.iter().filter_map(|byte| line.take(*byte)).collect();
        assert_eq!(heard, [7, 42, 100]);
    }

    #[tokio::test]
    async fn a_child_that_never_answers_is_ended_and_it_is_not_the_files_fault() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("sleeper");
        std::fs::write(&program, "#!/bin/sh\nexec sleep 60\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        let started = std::time::Instant::now();
        let longest = Duration::from_millis(300);
        let said = run_within(longest, &program, file("x"), "text/plain", |_| {}).await;
        assert_eq!(said, Err(Unread::ours(TOO_LONG)));
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}
