//! What tests put in the place of the world: a clock that moves when told,
//! ids that count, a mind and tools that do as they are scripted, the contract
//! every store keeps, and the runner of `talks/*.talk`.

pub mod clock;
pub mod flaky;
pub mod parts;
pub mod store_contract;
pub mod talk;

pub use clock::{CountingIds, ManualClock};
pub use flaky::FlakyStore;
pub use parts::{FakeTool, NoContacts, ScriptedMind};
