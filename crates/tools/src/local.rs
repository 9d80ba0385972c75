//! A mailbox, a calendar, an address book and a memory on this machine.
//!
//! The provider behind the local packs: what an outside mail server would be
//! to other packs, this file is to ours. It is a system of its own, apart from
//! the record of sessions, and it may be deleted without losing a conversation.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use brain::UserId;
use brain::facts::Memory;
use brain::resolve::people::Contact;
use rusqlite::Connection;

use crate::calendar::local::{CancelEvent, CreateEvent, FindFreeSlots, ListEvents, MoveEvent};
use crate::catalog::Catalog;
use crate::mail::local::{DraftMail, NewMail, OpenMail, SearchMail, SendMail};
use crate::memory::local::{ForgetMemory, PauseMemory, Recall, SuggestMemory, WriteMemory};
use crate::memory::meaning::Meaning;
use crate::voice::local::{ChangePace, ForgetPronunciation, ListPronunciations, PronounceName};

mod changes;
mod datebook;
mod db;
mod holdings;
pub(crate) mod mailbox;
mod manner;
pub(crate) mod memories;
pub(crate) mod outbox;
pub(crate) mod people;
mod rights;
pub mod sample;
pub(crate) mod written;

pub use datebook::{Entry, When};
pub use db::StoreError;
pub use holdings::Holdings;
pub use mailbox::Mail;
pub use manner::Manner;
pub use memories::{Behind, Occasion};

use db::Db;
use mailbox::{json, unjson};
use memories::meanings::Hearing;

/// Everybody's mail, events, contacts and memories; each call sees one person's only.
/// Cheap to clone.
#[derive(Clone)]
pub struct Personal {
    db: Arc<Db>,
    hearing: Hearing,
}

/// What is to be put in at once.
#[derive(Clone, Debug, Default)]
pub struct Delivery {
    pub mails: Vec<Mail>,
    pub entries: Vec<Entry>,
    pub contacts: Vec<Contact>,
    pub memories: Vec<Memory>,
}

impl Personal {
    /// Opens the file, making or updating it as needed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { db: Arc::new(Db::open(path)?), hearing: Hearing::of(None) })
    }

    /// For tests and for trying things out: gone when dropped.
    pub fn in_memory() -> Result<Self, StoreError> {
        Ok(Self { db: Arc::new(Db::in_memory()?), hearing: Hearing::of(None) })
    }

    /// The same with somebody who hears what memories mean, besides their words.
    #[must_use]
    pub fn hearing(self, meaning: Arc<dyn Meaning>) -> Self {
        Self { hearing: Hearing::of(Some(meaning)), ..self }
    }

    /// The tools that read and write this file.
    pub fn catalog(&self) -> Catalog {
        self.add_to(Catalog::new())
    }

    #[must_use]
    pub fn add_to(&self, catalog: Catalog) -> Catalog {
        catalog
            .with(Arc::new(SearchMail(self.clone())))
            .with(Arc::new(OpenMail(self.clone())))
            .with(Arc::new(DraftMail(self.clone())))
            .with(Arc::new(NewMail(self.clone())))
            .with(Arc::new(SendMail(self.clone())))
            .with(Arc::new(ListEvents(self.clone())))
            .with(Arc::new(FindFreeSlots(self.clone())))
            .with(Arc::new(CreateEvent(self.clone())))
            .with(Arc::new(CancelEvent(self.clone())))
            .with(Arc::new(MoveEvent(self.clone())))
            .with(Arc::new(Recall(self.clone())))
            .with(Arc::new(SuggestMemory(self.clone())))
            .with(Arc::new(WriteMemory(self.clone())))
            .with(Arc::new(ForgetMemory(self.clone())))
            .with(Arc::new(PauseMemory(self.clone())))
            .with(Arc::new(PronounceName(self.clone())))
            .with(Arc::new(ListPronunciations(self.clone())))
            .with(Arc::new(ForgetPronunciation(self.clone())))
            .with(Arc::new(ChangePace(self.clone())))
    }

    /// The people this person knows, by name.
    pub async fn contacts(&self, user: UserId) -> Result<Vec<Contact>, StoreError> {
        self.db.run(move |connection| contacts(connection, user)).await
    }

    /// All of it or nothing. An id that is there already is an error; somebody
    /// who is known already stays as they are.
    pub async fn deliver(&self, user: UserId, delivery: Delivery) -> Result<(), StoreError> {
        self.db
            .run(move |connection| {
                let step = connection.transaction()?;
                put_all(&step, user, &delivery)?;
                Ok(step.commit()?)
            })
            .await
    }
}

impl fmt::Debug for Personal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Personal")
    }
}

fn put_all(connection: &Connection, user: UserId, what: &Delivery) -> Result<(), StoreError> {
    for mail in &what.mails {
        mailbox::put(connection, user, mail)?;
    }
    for entry in &what.entries {
        datebook::put(connection, user, entry)?;
    }
    for memory in &what.memories {
        memories::put(connection, user, memory, "delivery")?;
    }
    for Contact { name, address, nicknames, pronouns } in &what.contacts {
        connection.execute(
            "INSERT INTO contacts (user_id, address, name, nicknames, pronouns) \
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
            (user.to_string(), address, name, json(nicknames), pronouns.map(|it| json(&it))),
        )?;
    }
    Ok(())
}

fn contacts(connection: &Connection, user: UserId) -> Result<Vec<Contact>, StoreError> {
    let mut listing = connection.prepare_cached(
        "SELECT name, address, nicknames, pronouns FROM contacts WHERE user_id = ?1 \
         ORDER BY name, address",
    )?;
    let rows = listing.query_map([user.to_string()], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, row.get(3)?))
    })?;
    rows.map(|row| {
        let (name, address, nicknames, pronouns): (String, String, String, Option<String>) = row?;
        let bad = |column| StoreError::BadRow { table: "contacts", column, id: address.clone() };
        let pronouns = pronouns.map(|it| unjson(&it).ok_or_else(|| bad("pronouns"))).transpose()?;
        let nicknames = unjson(&nicknames).ok_or_else(|| bad("nicknames"))?;
        Ok(Contact { name, address, nicknames, pronouns })
    })
    .collect()
}
