//! The binary `sayso`: configuration, wiring, routes and the command line.
//! Nobody depends on it.

use std::process::ExitCode;

mod app;
mod brief;
mod cli;
mod client;
mod config;
mod doors;
mod limits;
#[cfg(feature = "perils")]
mod perils;
mod pins;
mod reading;
mod routes;
mod senses;
mod sweep;
mod telemetry;
mod uploads;
mod watch;

fn main() -> ExitCode {
    cli::run()
}
