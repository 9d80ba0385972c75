//! Work that goes on while people talk on, and reminders that wait for their time.
//!
//! A [`JobKind`] says what is done, step by step. A turn puts a job into the store
//! (`act`), a worker takes it up under a lease (`worker`), its session writes down
//! what came of it and says so in a turn of its own (`news`). The [`JobDesk`] is what
//! they all share: the kinds there are, and what is over and not told yet.

mod desk;
mod kind;
pub mod kinds;
mod news;
mod tools;
mod worker;

pub(crate) use desk::Order;
pub use desk::{JobDesk, shown};
pub use kind::{Help, JobKind, Step};
pub(crate) use worker::employ;
