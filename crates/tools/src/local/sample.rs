//! A month in the life of somebody who does not exist, around any day.
//!
//! The fixtures lie in `sample/` as text that people can read; every date in
//! them is relative, so the mailbox is fresh on the day it is poured.

use std::collections::BTreeMap;

use brain::facts::Person;
use brain::resolve::people::{Contact, Pronouns};
use brain::{Profile, UserId};
use jiff::Zoned;
use rusqlite::{Connection, TransactionBehavior};
use serde::Deserialize;

use super::{Delivery, Personal, StoreError, put_all};

mod events;
mod mails;

const CONTACTS: &str = include_str!("../../sample/contacts.toml");

/// How much was put in; nothing when the person had mail or events already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Poured {
    pub mails: usize,
    pub events: usize,
    pub contacts: usize,
}

/// A fixture that does not fit together. Tests see to it that none ships.
#[derive(Debug, thiserror::Error)]
#[error("in the sample data, {place}: {problem}")]
pub struct BadSample {
    place: String,
    problem: String,
}

impl BadSample {
    fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

/// Whose month it is, for a profile to begin with.
pub fn owner() -> Profile {
    let Owner { name, address, time_zone } =
        Cast::read().expect("the sample's people are read by a test").owner;
    Profile { name: Some(name), address: Some(address), ..Profile::new(time_zone) }
}

/// Whoever has the sample has this thread of mails: nothing takes it out.
pub(super) fn first_thread() -> Result<String, BadSample> {
    mails::first_thread()
}

/// Fills an empty mailbox and calendar, as seen at `now` and in its zone.
/// Somebody who has mail or events keeps what they have.
pub async fn pour(store: &Personal, user: UserId, now: &Zoned) -> Result<Poured, StoreError> {
    let delivery = delivery(now)?;
    store
        .db
        .run(move |connection| {
            let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if !is_empty(&step, user)? {
                return Ok(Poured::default());
            }
            put_all(&step, user, &delivery)?;
            step.commit()?;
            Ok(Poured {
                mails: delivery.mails.len(),
                events: delivery.entries.len(),
                contacts: delivery.contacts.len(),
            })
        })
        .await
}

fn is_empty(connection: &Connection, user: UserId) -> Result<bool, StoreError> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM mails WHERE user_id = ?1) \
               AND NOT EXISTS (SELECT 1 FROM events WHERE user_id = ?1)";
    Ok(connection.query_row(sql, [user.to_string()], |row| row.get(0))?)
}

pub(super) fn delivery(now: &Zoned) -> Result<Delivery, BadSample> {
    let cast = Cast::read()?;
    let calendar = events::placed(now, &cast)?;
    let mails = mails::placed(now, &cast, &calendar)?;
    Ok(Delivery {
        mails,
        entries: calendar.entries,
        contacts: cast.contacts,
        // What somebody wants remembered, only they can say.
        memories: Vec::new(),
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Owner {
    name: String,
    address: String,
    time_zone: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CastFile {
    owner: Owner,
    contact: Vec<Known>,
    stranger: Vec<Known>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    key: String,
    name: String,
    address: String,
    #[serde(default)]
    nicknames: Vec<String>,
    #[serde(default)]
    pronouns: Option<Pronouns>,
}

/// Everybody who appears, by the short name the fixtures use.
struct Cast {
    owner: Owner,
    contacts: Vec<Contact>,
    people: BTreeMap<String, Person>,
}

/// The short name of whoever owns the mailbox.
const ME: &str = "me";

impl Cast {
    fn read() -> Result<Self, BadSample> {
        let CastFile { owner, contact, stranger } = toml::from_str(CONTACTS)
            .map_err(|error| BadSample::new("contacts.toml", error.to_string()))?;
        let person = |name: &str, address: &str| Person {
            name: Some(name.to_owned()),
            address: address.to_owned(),
        };
        let mut people = BTreeMap::from([(ME.to_owned(), person(&owner.name, &owner.address))]);
        for known in contact.iter().chain(&stranger) {
            let before = people.insert(known.key.clone(), person(&known.name, &known.address));
            if before.is_some() {
                return Err(BadSample::new(&known.key, "two people have that key"));
            }
        }
        let contacts = contact
            .into_iter()
            .map(|Known { name, address, nicknames, pronouns, .. }| Contact {
                name,
                address,
                nicknames,
                pronouns,
            })
            .collect();
        Ok(Self { owner, contacts, people })
    }

    fn person(&self, key: &str) -> Result<Person, BadSample> {
        let missing = || BadSample::new(key, "nobody in contacts.toml has that key");
        self.people.get(key).cloned().ok_or_else(missing)
    }

    fn persons(&self, keys: &[String]) -> Result<Vec<Person>, BadSample> {
        keys.iter().map(|key| self.person(key)).collect()
    }
}

#[cfg(test)]
#[path = "sample_tests.rs"]
mod tests;
