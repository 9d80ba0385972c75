//! What tests put in the place of the world: a clock that moves when told,
//! ids that count, a mind and tools that do as they are scripted, the contract
//! every store keeps, the runner of `talks/*.talk`, a process that can die, and
//! the judge of what it leaves behind.

pub mod aloud;
pub mod clock;
pub mod deadly;
pub mod flaky;
pub mod judge;
pub mod life;
pub mod modelled;
pub mod page;
pub mod parts;
mod port;
pub mod provider;
pub mod realtime;
pub mod senses;
pub mod store_contract;
pub mod talk;
pub mod writer;

pub use clock::{CountingIds, ManualClock, PacedClock};
pub use deadly::Deadly;
pub use flaky::FlakyStore;
pub use life::Life;
pub use modelled::ScriptedModel;
pub use parts::{ByHeart, FakeTool, NoContacts, ScriptedMind};
pub use realtime::FakeRealtime;
pub use senses::FakeSenses;
pub use writer::{FakeWriter, Fortune, Ledger};
