//! `sayso memory`: what you asked to be remembered, and letting it go.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::{Context, bail};
use axum::http::Method;
use brain::SessionId;
use brain::event::Question;
use brain::facts::{Memories, Memory};
use clap::{Args, Subcommand};
use jiff::tz::TimeZone;
use serde::Deserialize;

use super::look::tell_line;
use super::paper::harmless;
use super::{Server, approve, small_runtime};
use crate::client::{Remote, http};

#[derive(Args)]
#[command(after_help = "Examples:
  sayso memory                                the newest of what you told it
  sayso memory search who is allergic to what
  sayso memory forget memory_0123abcd         shows it, and waits for a yes")]
pub struct MemoryCommand {
    #[command(subcommand)]
    wish: Option<Wish>,
    #[command(flatten)]
    server: Server,
}

#[derive(Subcommand)]
enum Wish {
    /// The newest first
    List,
    /// What is about something, in any words, the best first
    Search {
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Let one of them go, after a yes
    Forget { memory_id: String },
}

/// What writes asks first.
#[derive(Deserialize)]
struct Asks {
    session_id: SessionId,
    card: Question,
}

impl MemoryCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        small_runtime()?.block_on(async move {
            let server = &self.server.remote()?;
            match self.wish.unwrap_or(Wish::List) {
                Wish::List => print(&found(server, "").await?, "Nothing yet"),
                Wish::Search { words } => {
                    print(&found(server, &words.join(" ")).await?, "Nothing about that");
                }
                Wish::Forget { memory_id } => return forget(server, &memory_id).await,
            }
            Ok(ExitCode::SUCCESS)
        })
    }
}

async fn found(server: &Remote, context: &str) -> anyhow::Result<Memories> {
    let path = format!("/memory/retrieve?max_results=50&context={}", spelled(context));
    let answer = http::request(server, Method::GET, &path, None).await?;
    if answer.status != 200 {
        bail!("{}", answer.problem());
    }
    serde_json::from_value(answer.body).context("the server's answer cannot be read")
}

async fn forget(server: &Remote, id: &str) -> anyhow::Result<ExitCode> {
    let path = format!("/memory/{}", spelled(id));
    let answer = http::request(server, Method::DELETE, &path, None).await?;
    if answer.status != 202 {
        bail!("{}", answer.problem());
    }
    let Asks { session_id, card } =
        serde_json::from_value(answer.body).context("the server's answer cannot be read")?;
    anstream::print!("{} [y/N] ", harmless(&card.card.speakable));
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    if !matches!(line.trim().to_lowercase().as_str(), "y" | "yes") {
        tell_line!("Okay, I still have it.");
        return Ok(ExitCode::FAILURE);
    }
    approve::accept(server, session_id, &card).await?;
    tell_line!("Forgotten.");
    Ok(ExitCode::SUCCESS)
}

fn print(found: &Memories, nothing: &str) {
    if found.memories.is_empty() {
        tell_line!("{nothing}. Say “remember that …”, and it asks before it keeps.");
    }
    if found.loosely {
        tell_line!("Nothing quite about that. The nearest:");
    }
    for memory in &found.memories {
        tell_line!("{}", line(memory));
    }
}

/// When it was told, what it says, whose words they are and its id.
fn line(memory: &Memory) -> String {
    let day = memory.created_at.to_zoned(TimeZone::system()).date();
    let whose = match &memory.source.derived_from {
        Some(whose) => format!("from {}", harmless(whose)),
        None => "you told me".to_owned(),
    };
    let text = memory.text.replace('\n', " / ");
    format!("{day}  {}  ({whose}, {})", harmless(&text), memory.memory_id)
}

/// As an address takes it.
fn spelled(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let spell =
        |byte: u8| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(spell).collect()
}

#[cfg(test)]
mod tests {
    use brain::facts::MemorySource;

    use super::*;

    #[test]
    fn a_line_says_whose_words_they_are() {
        let mut memory = Memory {
            memory_id: "memory_1".into(),
            text: "Tom is vegetarian".into(),
            created_at: "2026-11-10T12:00:00Z".parse().unwrap(),
            source: MemorySource::default(),
        };
        assert!(line(&memory).ends_with("Tom is vegetarian  (you told me, memory_1)"));
        memory.source.derived_from = Some("a mail from \u{1b}[2JEve".into());
        assert!(line(&memory).contains("(from a mail from \u{fffd}[2JEve, memory_1)"));
    }

    #[test]
    fn anything_can_be_asked_for_in_an_address() {
        assert_eq!(spelled("who's at 5 & Zoë"), "who%27s%20at%205%20%26%20Zo%C3%AB");
    }
}
