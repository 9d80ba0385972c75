//! Whom a question was put to who has not begun to answer. It is on record from when it was
//! sent: who stops waiting, and who asks somebody else, leaves something behind.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Provider, Trouble};

/// Somebody who was asked in vain, or is being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub provider: String,
    pub model: String,
    /// How often that one was asked by then.
    pub tries: u32,
    /// What it calls this one, where it answered at all.
    pub request_id: Option<String>,
    /// Why it did not answer; nothing, as long as it may.
    pub error_code: Option<&'static str>,
}

/// Everybody who was asked one question, in order; whoever answers it is not among them.
#[derive(Debug, Default)]
pub struct Notes(Mutex<Vec<Attempt>>);

impl Notes {
    /// Takes what is there. Whoever is still being asked failed with `error_code`.
    pub fn taken(&self, error_code: &'static str) -> Vec<Attempt> {
        let mut attempts = std::mem::take(&mut *self.attempts());
        for attempt in &mut attempts {
            attempt.error_code.get_or_insert(error_code);
        }
        attempts
    }

    /// Somebody is asked, for the first time or once more.
    pub fn asked(&self, provider: &dyn Provider, tries: u32) {
        let (name, model) = (provider.name(), provider.model());
        self.attempts().push(Attempt {
            provider: name.to_owned(),
            model: model.to_owned(),
            tries,
            request_id: None,
            error_code: None,
        });
    }

    pub fn failed(&self, trouble: &Trouble, request_id: Option<String>) {
        if let Some(attempt) = self.attempts().last_mut() {
            (attempt.error_code, attempt.request_id) = (Some(trouble.code()), request_id);
        }
    }

    /// Whoever was asked last answers: that is on record elsewhere.
    pub fn began(&self) {
        self.attempts().pop();
    }

    fn attempts(&self) -> MutexGuard<'_, Vec<Attempt>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
