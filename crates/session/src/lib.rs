//! The one who does things.
//!
//! One task owns one session (`actor`); everybody else holds a
//! [`SessionHandle`]. Follow one request: [`registry`] finds the session, the
//! actor takes the input, `turn` walks it through the rooms, `act` uses tools,
//! `mouth` puts it into words, `log` numbers and writes what happened. A write is drawn on a
//! card by `present`, decided in `gate` and carried out by `write`. Sound comes in
//! by `ears` and `hearing`; what was shown is spoken by `voice` and `aloud`. Somebody
//! elsewhere who hears, thinks and speaks is [`shell`].

pub mod clients;
pub mod handle;
pub mod house;
pub mod jobs;
pub mod meter;
pub mod peril;
pub mod places;
pub mod registry;
pub mod senses;
pub mod shell;
pub mod switches;

mod act;
mod actor;
mod again;
mod aloud;
mod asker;
mod budget;
mod deeds;
mod deeper;
mod ears;
mod fair;
mod fate;
mod floor;
mod gate;
mod gatekeeper;
mod hearing;
mod inbox;
mod interpreting;
mod keep;
mod landing;
mod listen;
mod log;
mod loudspeaker;
mod mend;
mod microphone;
mod mouth;
mod names;
mod pace;
mod patience;
mod present;
mod queue;
mod recall;
mod redraw;
mod replay;
mod report;
mod rewording;
mod rows;
mod stage;
mod telling;
mod thinking;
mod turn;
mod unmet;
mod view;
mod voice;
mod waiting_room;
mod work;
mod write;

pub use clients::{ClientId, Cut, Joined};
pub use handle::{Answered, Gone, Ran, SessionHandle, Start};
pub use house::{
    Clock, ContactBook, House, Ids, Manners, Recollection, SystemClock, TimeOrderedIds,
};
pub use jobs::{JobDesk, JobKind};
pub use places::{Full, Place, Places};
pub use registry::{OpenError, Registry};
pub use replay::bubble;
pub use senses::{Hearing, Senses, Speaking};
pub use shell::LiveVoice;
