//! What the assistant can do: the catalog and one folder a pack.

pub mod tool;

pub use tool::{Caller, Tool, ToolError};
