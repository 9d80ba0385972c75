//! What is typed. A terminal can only be read by waiting, so a thread waits.

use std::io::{BufRead, IsTerminal};

use rustyline::ExternalPrinter;
use rustyline::error::ReadlineError;
use tokio::sync::mpsc;

use crate::cli::look::{self, tell, tell_line};

/// The prompt; answers stand under what follows it.
const PROMPT: &str = "you    ";

/// One thing somebody did at the keyboard.
pub enum Typed {
    Text(String),
    CtrlC,
    End,
}

/// A terminal with line editing and history, or a pipe.
pub struct Keyboard {
    is_terminal: bool,
    typed: mpsc::Receiver<Typed>,
    /// Lets the terminal prompt once more.
    go_on: std::sync::mpsc::Sender<()>,
    /// Writes above the line that is being typed.
    above: Option<Above>,
}

type Above = Box<dyn ExternalPrinter + Send>;

impl Keyboard {
    pub fn open() -> Self {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let (send, typed) = mpsc::channel(1);
        let (go_on, may_prompt) = std::sync::mpsc::channel();
        let (lend, above) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            if is_terminal {
                from_terminal(&send, &may_prompt, lend);
            } else {
                drop(lend);
                from_pipe(&send, &may_prompt);
            }
        });
        Self { is_terminal, typed, go_on, above: above.recv().ok() }
    }

    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// The last answer is out; it may be typed again.
    pub fn ask(&mut self) {
        if self.is_terminal {
            tell_line!("");
        }
        // A keyboard that is gone is noticed by `next`.
        let _ = self.go_on.send(());
    }

    /// Shows something while somebody may be typing.
    pub fn show_above(&mut self, text: String) {
        match &mut self.above {
            // A terminal that cannot be written to is noticed when it is read.
            Some(above) => drop(above.print(look::as_wanted(text))),
            None => tell!("{text}"),
        }
    }

    pub async fn next(&mut self) -> Typed {
        self.typed.recv().await.unwrap_or(Typed::End)
    }
}

fn from_terminal(
    send: &mpsc::Sender<Typed>,
    may_prompt: &std::sync::mpsc::Receiver<()>,
    lend: std::sync::mpsc::Sender<Above>,
) {
    let Ok(mut editor) = rustyline::DefaultEditor::new() else {
        drop(lend);
        return from_pipe(send, may_prompt);
    };
    if let Ok(above) = editor.create_external_printer() {
        // Whoever opened the keyboard waits for it.
        let _ = lend.send(Box::new(above));
    }
    drop(lend);
    while may_prompt.recv().is_ok() {
        let typed = match editor.readline(PROMPT) {
            Ok(line) => {
                // Without a history there is still the line.
                let _ = editor.add_history_entry(&line);
                Typed::Text(line)
            }
            Err(ReadlineError::Interrupted) => Typed::CtrlC,
            Err(_) => Typed::End,
        };
        if send.blocking_send(typed).is_err() {
            return;
        }
    }
}

fn from_pipe(send: &mpsc::Sender<Typed>, may_prompt: &std::sync::mpsc::Receiver<()>) {
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if may_prompt.recv().is_err() || send.blocking_send(Typed::Text(line)).is_err() {
            return;
        }
    }
}
