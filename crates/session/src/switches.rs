//! The switch that stops writes, all of them or one tool's, at once.

use std::sync::{PoisonError, RwLock};

use brain::policy::Switch;
use jiff::Timestamp;
use store::SwitchRow;

/// What is switched off. Asked before every card, every yes and every try.
#[derive(Debug, Default)]
pub struct Switches {
    off: RwLock<Vec<SwitchRow>>,
}

impl Switches {
    /// As they are on disk.
    pub fn load(&self, off: Vec<SwitchRow>) {
        *self.off.write().unwrap_or_else(PoisonError::into_inner) = off;
    }

    /// Off from now on, before it is on disk.
    pub(crate) fn add(&self, tool: Option<String>, since: Timestamp) {
        self.off.write().unwrap_or_else(PoisonError::into_inner).push(SwitchRow { tool, since });
    }

    /// May this tool write right now?
    pub fn of(&self, tool: &str) -> Switch {
        let off = self.off.read().unwrap_or_else(PoisonError::into_inner);
        if off.iter().any(|row| row.tool.as_deref() == Some(tool)) {
            Switch::ToolOff
        } else if off.iter().any(|row| row.tool.is_none()) {
            Switch::Paused
        } else {
            Switch::On
        }
    }

    pub fn all(&self) -> Vec<SwitchRow> {
        self.off.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
