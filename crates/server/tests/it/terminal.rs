//! A person at a terminal: types a line, reads what comes.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::house::{House, PATIENCE};

/// Stands before what is typed.
const PROMPT: &str = "you    ";

pub struct Terminal {
    process: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// What was shown and not yet looked at, without colours.
    text: String,
}

impl Terminal {
    /// `sayso chat` on a screen of its own.
    pub fn chat(house: &House, words: &[&str], env: &[(&str, &str)]) -> Self {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&keys).unwrap();
        unlockpt(&keys).unwrap();
        let size = Winsize { ws_row: 50, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        let name = ptsname(&keys, Vec::new()).unwrap().into_string().unwrap();
        let screen = File::options().read(true).write(true).open(name).unwrap();
        tcsetwinsize(&screen, size).unwrap();
        let same = || Stdio::from(OwnedFd::from(screen.try_clone().unwrap()));
        let process = Command::new(env!("CARGO_BIN_EXE_sayso"))
            .args(["chat", "--server", &house.url()])
            .args(words)
            .env("TERM", "xterm")
            .env_remove("VISUAL")
            .envs(env.iter().copied())
            .stdin(same())
            .stdout(same())
            .stderr(same())
            .spawn()
            .unwrap();
        let keys = File::from(keys);
        let shown = reading(keys.try_clone().unwrap());
        Self { process, keys, shown, text: String::new() }
    }

    /// Types at the next prompt.
    pub fn type_line(&mut self, line: &str) {
        self.until(PROMPT);
        // A card that has just come does not take a yes; nobody has read it by then.
        thread::sleep(Duration::from_millis(500));
        self.keys.write_all(format!("{line}\r").as_bytes()).unwrap();
    }

    /// Waits until `wanted` is on the screen, and gives back all up to its end.
    pub fn until(&mut self, wanted: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.text.find(wanted) {
                let rest = self.text.split_off(at + wanted.len());
                return std::mem::replace(&mut self.text, rest);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => {
                    let text = anstream::adapter::strip_bytes(&bytes).into_vec();
                    self.text.push_str(&String::from_utf8_lossy(&text).replace('\r', ""));
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("waited for {wanted:?}; the screen shows:\n{}", self.text)
                }
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may be over already; then there is nothing to end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn reading(mut screen: File) -> Receiver<Vec<u8>> {
    let (tell, shown) = channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(read @ 1..) = screen.read(&mut bytes) {
            if tell.send(bytes[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    shown
}
