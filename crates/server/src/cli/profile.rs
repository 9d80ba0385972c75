//! `sayso profile`: what the assistant knows about you.

use std::process::ExitCode;

use anyhow::{Context, bail};
use axum::http::Method;
use brain::Profile;
use brain::profile::Day;
use clap::{Args, Subcommand};
use jiff::civil::Time;

use super::look::tell_line;
use super::{Server, small_runtime};
use crate::client::{Remote, http};

#[derive(Args)]
#[command(after_help = "Examples:
  sayso profile
  sayso profile set --name Maya --zone Europe/Berlin
  sayso profile set --hours 08:30-16:30 --days mon,tue,wed,thu --meeting 45")]
pub struct ProfileCommand {
    #[command(subcommand)]
    change: Option<Change>,
    #[command(flatten)]
    server: Server,
}

#[derive(Subcommand)]
enum Change {
    /// Change what is named and leave the rest
    Set(Set),
}

#[derive(Args)]
struct Set {
    /// What to call you
    #[arg(long)]
    name: Option<String>,
    /// Your own e-mail address
    #[arg(long)]
    address: Option<String>,
    /// Your time zone, such as Europe/Berlin
    #[arg(long)]
    zone: Option<String>,
    /// When meetings are welcome, such as 09:00-17:30
    #[arg(long, value_name = "FROM-TO", value_parser = hours)]
    hours: Option<(Time, Time)>,
    /// On which days, such as mon,tue,thu
    #[arg(long, value_name = "DAYS", value_delimiter = ',', value_parser = day)]
    days: Option<Vec<Day>>,
    /// How long a meeting is unless you say otherwise, in minutes
    #[arg(long, value_name = "MINUTES")]
    meeting: Option<u32>,
    /// Whether models outside this machine may be asked about what you say
    #[arg(long, value_name = "YES", value_parser = clap::builder::BoolishValueParser::new())]
    cloud: Option<bool>,
}

impl ProfileCommand {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        small_runtime()?.block_on(async move {
            let server = &self.server.remote()?;
            let mut profile = shown(server).await?;
            if let Some(Change::Set(set)) = self.change {
                set.apply(&mut profile);
                profile.check()?;
                let body = serde_json::to_value(&profile)?;
                let answer =
                    http::request(server, Method::PUT, "/chat/profile", Some(&body)).await?;
                if answer.status != 200 {
                    bail!("{}", answer.problem());
                }
            }
            print(&profile);
            Ok(ExitCode::SUCCESS)
        })
    }
}

impl Set {
    fn apply(self, profile: &mut Profile) {
        profile.name = self.name.or(profile.name.take());
        profile.address = self.address.or(profile.address.take());
        if let Some(zone) = self.zone {
            profile.time_zone = zone;
        }
        if let Some((start, end)) = self.hours {
            (profile.working_hours.start, profile.working_hours.end) = (start, end);
        }
        if let Some(days) = self.days {
            profile.working_hours.days = days;
        }
        if let Some(minutes) = self.meeting {
            profile.default_meeting_minutes = minutes;
        }
        profile.cloud_models = self.cloud.unwrap_or(profile.cloud_models);
    }
}

async fn shown(server: &Remote) -> anyhow::Result<Profile> {
    let answer = http::request(server, Method::GET, "/chat/profile", None)
        .await
        .context("start one with `sayso serve`")?;
    if answer.status != 200 {
        bail!("{}", answer.problem());
    }
    serde_json::from_value(answer.body)
        .context("the server sent a profile this version cannot read")
}

fn print(profile: &Profile) {
    let hours = &profile.working_hours;
    let days: Vec<_> = hours.days.iter().map(|day| format!("{day:?}").to_lowercase()).collect();
    tell_line!("name      {}", profile.name.as_deref().unwrap_or("not set"));
    tell_line!("address   {}", profile.address.as_deref().unwrap_or("not set"));
    tell_line!("zone      {}", profile.time_zone);
    tell_line!("hours     {}-{}", hours.start.strftime("%H:%M"), hours.end.strftime("%H:%M"));
    tell_line!("days      {}", days.join(","));
    tell_line!("meeting   {} minutes", profile.default_meeting_minutes);
    tell_line!("cloud     {}", if profile.cloud_models { "may be asked" } else { "is not asked" });
}

fn hours(text: &str) -> Result<(Time, Time), String> {
    let time = |text: &str| Time::strptime("%H:%M", text.trim()).ok();
    let both = text.split_once('-').and_then(|(from, to)| Some((time(from)?, time(to)?)));
    both.ok_or_else(|| "use the form 09:00-17:30".into())
}

fn day(text: &str) -> Result<Day, String> {
    serde_json::from_value(text.to_lowercase().into())
        .map_err(|_| "use mon, tue, wed, thu, fri, sat, sun".into())
}
