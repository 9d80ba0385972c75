//! Runs whole conversations that anybody can read.
//!
//! A talk is a text file: lines that do something, and below each the events
//! that come of it, marked with `<`. Frames go through the canonical dialect
//! both ways; only sockets are left out. `BLESS=1` rewrites the `<` lines, and
//! the diff is the review. `talks/README.md` lists what one can write.

use std::path::Path;

pub mod aloud;
mod brains;
mod brief;
mod copycat;
mod desk;
mod facts;
pub mod minds;
mod script;
mod stage;

use script::{Line, Said};
use stage::Stage;

/// A talk that did not go as written.
#[derive(Debug, thiserror::Error)]
pub enum TalkError {
    #[error("{talk}:{line}: {reason}")]
    Unreadable { talk: String, line: usize, reason: String },
    #[error(
        "{talk}:{line}: after `{after}`\n  expected:\n{expected}\n  came:\n{came}\n  (make talk BLESS=1 rewrites it)"
    )]
    Different { talk: String, line: usize, after: String, expected: String, came: String },
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Runs the talk in `path`; with `bless` its `<` lines are rewritten instead. Gives
/// every frame that the person's device was sent, as the web client reads them.
pub async fn run(path: &Path, bless: bool) -> Result<Vec<String>, TalkError> {
    let talk = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path)?;
    let lines = script::parse(&text).map_err(|(line, reason)| TalkError::Unreadable {
        talk: talk.clone(),
        line,
        reason,
    })?;
    let mut stage = Stage::default();
    let mut blessed = String::new();
    for (number, line) in (1..).zip(&lines) {
        match line {
            Line::Remark(text) => blessed.push_str(text),
            Line::Does { text, says, expected } => {
                let came = act(&mut stage, says).await.map_err(|reason| TalkError::Unreadable {
                    talk: talk.clone(),
                    line: line_of(&lines, number),
                    reason,
                })?;
                if !bless && came != *expected {
                    return Err(TalkError::Different {
                        talk,
                        line: line_of(&lines, number),
                        after: text.trim().to_owned(),
                        expected: indented(expected),
                        came: indented(&came),
                    });
                }
                blessed.push_str(text);
                for event in &came {
                    blessed.push_str("\n      < ");
                    blessed.push_str(event);
                }
            }
        }
        blessed.push('\n');
    }
    let frames = stage.leave().await;
    if bless && blessed != text {
        std::fs::write(path, blessed)?;
    }
    Ok(frames)
}

async fn act(stage: &mut Stage, says: &Said) -> Result<Vec<String>, String> {
    stage.perform(says).await?;
    Ok(stage.events().await)
}

/// Where in the file the `number`th entry begins.
fn line_of(lines: &[Line], number: usize) -> usize {
    let before = lines.iter().take(number - 1).map(|line| match line {
        Line::Remark(_) => 1,
        Line::Does { expected, .. } => 1 + expected.len(),
    });
    before.sum::<usize>() + 1
}

fn indented(events: &[String]) -> String {
    events.iter().map(|event| format!("    < {event}")).collect::<Vec<_>>().join("\n")
}
