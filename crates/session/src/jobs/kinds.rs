//! The kinds of work that ship with Sayso.

use std::sync::Arc;

use super::JobKind;

mod mails;
mod reminder;
mod summary;
mod week;

pub use reminder::Reminder;
pub use summary::Summary;
pub use week::Week;

/// All of them.
pub fn shipped() -> Vec<Arc<dyn JobKind>> {
    vec![Arc::new(Summary), Arc::new(Week), Arc::new(Reminder)]
}
