//! What the assistant can do: the catalog and one folder a pack.
//!
//! [`tool`] says what a tool is, [`catalog`] holds those that are switched on,
//! [`mail`], [`calendar`], [`memory`], [`attachment`] and [`voice`] are packs, and [`local`] is
//! the provider behind them on a machine that has no account anywhere else.

mod args;
pub mod attachment;
pub mod calendar;
pub mod catalog;
pub mod local;
pub mod mail;
pub mod memory;
mod text;
pub mod tool;
mod unseen;
pub mod voice;
pub mod warning;

pub use catalog::Catalog;
pub use local::Personal;
pub use tool::{Caller, Found, Heard, Longer, Place, Prepared, Tool, ToolError, Write};
