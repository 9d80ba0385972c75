//! `sayso keys`: lets other machines and other people in.
//!
//! It works on the data folder itself, whether a server runs or not: whoever may
//! write there decides who comes in. A running server sees it at the next request.

use std::process::ExitCode;

use anyhow::{Context, bail};
use brain::KeyId;
use brain::audit::Line;
use clap::{Args, Subcommand};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use store::sqlite::SqliteStore;
use store::{KeyRow, Keys as _};
use toml::Table;

use super::look::tell_line;
use super::{Choice, look, small_runtime};
use crate::app;
use crate::doors::keys::{LOCAL_NAME, PREFIX, fingerprint, new_id, new_secret, user_named};

const LONGEST_NAME: usize = 64;

#[derive(Args)]
#[command(
    after_help = "A key is shown once, when it is made, and kept only as a fingerprint. Programs
show it as `Authorization: Bearer KEY`, commands take it with --key or SAYSO_KEY,
the page asks for it. Everybody with a key sees their own user's data and nobody
else's; `local` is the user of this machine.

Examples:
  sayso keys create --name laptop                   for yourself, for 90 days
  sayso keys create --name ana-phone --user ana     for somebody else
  sayso keys create --name metrics --operator --expires never
  SAYSO_KEY=$(sayso keys create --name script --expires 1h) sayso say hello
  sayso keys list
  sayso keys revoke key_0192…"
)]
pub struct Keys {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Make a key and print it, this once
    Create(Create),
    /// Show every key there is or was
    List(List),
    /// Lock a key out, for good
    Revoke(Revoke),
}

#[derive(Args)]
struct Create {
    /// What to call it, to know it again
    #[arg(long, value_parser = name)]
    name: String,
    /// Whose data it opens
    #[arg(long, value_name = "USER", default_value = LOCAL_NAME)]
    user: String,
    /// How long it is good: 90d, 12h, 8w, 30m, 45s or never
    #[arg(long, value_name = "TIME", default_value = "90d", value_parser = expires)]
    expires: Expires,
    /// It may also pause writes for everybody and read /metrics
    #[arg(long)]
    operator: bool,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Args)]
struct List {
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Args)]
struct Revoke {
    /// The id that `list` shows
    #[arg(value_name = "ID")]
    key: KeyId,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expires {
    Never,
    After(SignedDuration),
}

impl Keys {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let done = async {
            match self.verb {
                Verb::Create(create) => create.run().await,
                Verb::List(list) => list.run().await,
                Verb::Revoke(revoke) => revoke.run().await,
            }
        };
        small_runtime()?.block_on(done)?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let user = user_named(&self.user).map_err(anyhow::Error::msg).context("in --user")?;
        let now = Timestamp::now();
        let secret = new_secret(PREFIX);
        let key = KeyRow {
            key: new_id(),
            fingerprint: fingerprint(&secret),
            name: self.name,
            user,
            user_name: self.user,
            operator: self.operator,
            created_at: now,
            expires_at: self.expires.after(now)?,
            revoked_at: None,
        };
        let line = Line::new(now, user, "key_created").because(key.key.to_string());
        let store = open(&self.choice, true)?;
        store.add_key(key.clone(), line).await.context("the key could not be kept")?;
        // Only the key goes to standard output, so that a script can take it from there.
        tell_line!("{secret}");
        let until = key.expires_at.map_or("until it is revoked".into(), until);
        let (quiet, plain) = (look::QUIET, look::PLAIN);
        anstream::eprintln!(
            "{quiet}That is {}, {} for {}, {until}. It is shown this once.{plain}",
            key.key,
            key.name,
            key.user_name
        );
        Ok(())
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let keys = open(&self.choice, false)?.keys().await.context("the keys cannot be read")?;
        let now = Timestamp::now();
        for key in &keys {
            if self.json {
                tell_line!("{}", in_json(key, now));
            } else {
                tell_line!("{}", readable(key, now));
            }
        }
        if keys.is_empty() && !self.json {
            tell_line!("no keys yet; `sayso keys create --name laptop` makes one");
        }
        Ok(())
    }
}

impl Revoke {
    async fn run(self) -> anyhow::Result<()> {
        let store = open(&self.choice, false)?;
        let unknown = || format!("there is no key {}; `sayso keys list` shows them", self.key);
        let key = store.key(self.key).await.context("the keys cannot be read")?;
        let user = key.with_context(unknown)?.user;
        let now = Timestamp::now();
        let line = Line::new(now, user, "key_revoked").because(self.key.to_string());
        let revoked = store.revoke_key(self.key, now, line).await;
        let key = revoked.context("the key could not be revoked")?.with_context(unknown)?;
        tell_line!(
            "{} ({}) opens nothing any more; what is connected with it is cut within a minute",
            key.key,
            key.name
        );
        Ok(())
    }
}

/// The keys of a data folder; makes the folder only where somebody wants to keep something.
fn open(choice: &Choice, make: bool) -> anyhow::Result<SqliteStore> {
    let data = choice.settings(Table::new())?.data;
    let file = data.join("sayso.db");
    if make {
        app::make_folder(&data)?;
    } else if !file.exists() {
        bail!("there are no keys in {}; choose its folder with --data", data.display());
    }
    SqliteStore::open(&file).with_context(|| format!("{} cannot be opened", file.display()))
}

fn state(key: &KeyRow, now: Timestamp) -> &'static str {
    match key {
        KeyRow { revoked_at: Some(_), .. } => "revoked",
        _ if key.is_good(now) => "good",
        _ => "expired",
    }
}

/// `key_0192…  good     laptop  for local, until 2027-02-14 10:30`
fn readable(key: &KeyRow, now: Timestamp) -> String {
    let until = key.expires_at.map_or("until revoked".into(), until);
    let operator = if key.operator { ", operator" } else { "" };
    let KeyRow { key: id, name, user_name, .. } = key;
    format!("{id}  {:<8} {name}  for {user_name}{operator}, {until}", state(key, now))
}

fn in_json(key: &KeyRow, now: Timestamp) -> serde_json::Value {
    json!({
        "key_id": key.key,
        "state": state(key, now),
        "name": key.name,
        "user": key.user_name,
        "operator": key.operator,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
    })
}

fn until(end: Timestamp) -> String {
    end.to_zoned(TimeZone::system()).strftime("until %Y-%m-%d %H:%M").to_string()
}

impl Expires {
    fn after(self, now: Timestamp) -> anyhow::Result<Option<Timestamp>> {
        match self {
            Self::Never => Ok(None),
            Self::After(time) => Ok(Some(now.checked_add(time).context("in --expires")?)),
        }
    }
}

fn expires(text: &str) -> Result<Expires, String> {
    if text == "never" {
        return Ok(Expires::Never);
    }
    let unit = |letter: &str| match letter {
        "s" => Some(1),
        "m" => Some(60),
        "h" => Some(3_600),
        "d" => Some(86_400),
        "w" => Some(7 * 86_400),
        _ => None,
    };
    let split = text.split_at_checked(text.len().saturating_sub(1));
    let seconds = split.and_then(|(number, letter)| {
        number.parse::<u32>().ok().filter(|n| *n > 0)?.checked_mul(unit(letter)?)
    });
    let after = |seconds: u32| Expires::After(SignedDuration::from_secs(seconds.into()));
    seconds.map(after).ok_or_else(|| "use the form 90d, 12h, 8w, 30m, 45s or never".into())
}

fn name(text: &str) -> Result<String, String> {
    let is_short = (1..=LONGEST_NAME).contains(&text.trim().len());
    if !is_short || text.chars().any(char::is_control) {
        return Err(format!("a name has between 1 and {LONGEST_NAME} letters"));
    }
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_and_a_letter_or_never() {
        let days = |n: i64| Expires::After(SignedDuration::from_secs(n * 86_400));
        assert_eq!(expires("90d"), Ok(days(90)));
        assert_eq!(expires("2w"), Ok(days(14)));
        assert_eq!(expires("24h"), Ok(days(1)));
        assert_eq!(expires("never"), Ok(Expires::Never));
        for wrong in ["", "d", "0d", "-1d", "1y", "1.5d", "forever", "99999999w", "90 d", "1é"] {
            assert!(expires(wrong).is_err(), "{wrong}");
        }
    }
}
