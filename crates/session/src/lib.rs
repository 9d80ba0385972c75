//! The one who does things.
//!
//! One task owns one session (`actor`); everybody else holds a
//! [`SessionHandle`]. Follow one request: [`registry`] finds the session, the
//! actor takes the input, `turn` walks it through the rooms, `act` uses tools,
//! `mouth` speaks, `log` numbers and writes what happened.

pub mod clients;
pub mod handle;
pub mod house;
pub mod registry;

mod act;
mod actor;
mod floor;
mod landing;
mod log;
mod mouth;
mod recall;
mod report;
mod turn;

pub use clients::{ClientId, Cut, Joined};
pub use handle::{Gone, SessionHandle};
pub use house::{Clock, ContactBook, House, Ids, SystemClock, TimeOrderedIds};
pub use registry::{OpenError, Registry};
