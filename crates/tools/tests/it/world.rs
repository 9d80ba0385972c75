//! A store with one person's month in it, and ways to ask.

use brain::UserId;
use brain::facts::{Agenda, FreeSlots, Letters, OpenedLetter, Person};
use jiff::{Timestamp, Zoned};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tools::local::{Delivery, Entry, Mail, When, sample};
use tools::{Caller, Catalog, Personal, ToolError};

pub const LA: &str = "America/Los_Angeles";

pub struct World {
    pub store: Personal,
    pub catalog: Catalog,
    pub caller: Caller,
}

impl World {
    /// Maya's month, seen on a Sunday noon in San Francisco.
    pub async fn sample() -> Self {
        let world = Self::empty();
        let Caller { user, now, .. } = &world.caller;
        sample::pour(&world.store, *user, now).await.unwrap();
        world
    }

    pub fn empty() -> Self {
        let store = Personal::in_memory().unwrap();
        let caller = Caller {
            user: user(1),
            profile: sample::owner(),
            now: at("2026-11-15T12:00:00-08:00[America/Los_Angeles]"),
            idempotency_key: "key".to_owned(),
        };
        Self { catalog: store.catalog(), store, caller }
    }

    pub fn seen_from(mut self, zone: &str) -> Self {
        self.caller.profile.time_zone = zone.into();
        self.caller.now = self.caller.now.in_tz(zone).unwrap();
        self
    }

    pub fn as_user(&self, number: u128) -> Self {
        Self {
            store: self.store.clone(),
            catalog: self.catalog.clone(),
            caller: Caller { user: user(number), ..self.caller.clone() },
        }
    }

    pub async fn with_mails(self, mails: Vec<Mail>) -> Self {
        self.deliver(Delivery { mails, ..Delivery::default() }).await
    }

    pub async fn with_entries(self, entries: Vec<Entry>) -> Self {
        self.deliver(Delivery { entries, ..Delivery::default() }).await
    }

    async fn deliver(self, delivery: Delivery) -> Self {
        self.store.deliver(self.caller.user, delivery).await.unwrap();
        self
    }

    pub async fn call(&self, tool: &str, args: Value) -> Result<Value, ToolError> {
        self.catalog.get(tool).unwrap().call(args, &self.caller).await
    }

    async fn told<T: DeserializeOwned>(&self, tool: &str, args: Value) -> T {
        serde_json::from_value(self.call(tool, args).await.unwrap()).unwrap()
    }

    pub async fn search(&self, query: &str) -> Letters {
        self.told("gmail.search", json!({ "query": query, "max_results": 50 })).await
    }

    /// The ids of what was found, newest first.
    pub async fn found(&self, query: &str) -> Vec<String> {
        self.search(query).await.messages.into_iter().map(|letter| letter.message_id).collect()
    }

    pub async fn open(&self, id: &str) -> OpenedLetter {
        self.told("gmail.get_message", json!({ "message_id": id })).await
    }

    pub async fn list(&self, start: &str, end: &str) -> Agenda {
        self.told("calendar.list_events", json!({ "date_range": range(start, end) })).await
    }

    pub async fn free(&self, args: Value) -> FreeSlots {
        self.told("calendar.find_free_slots", args).await
    }
}

pub fn user(number: u128) -> UserId {
    format!("user_{number:032x}").parse().unwrap()
}

pub fn at(text: &str) -> Zoned {
    text.parse().unwrap()
}

/// `2026-11-16T09:00` in San Francisco.
pub fn la(text: &str) -> Zoned {
    at(&format!("{text}[{LA}]"))
}

pub fn range(start: &str, end: &str) -> Value {
    json!({ "start": la(start), "end": la(end) })
}

pub fn person(name: &str, address: &str) -> Person {
    Person { name: Some(name.to_owned()), address: address.to_owned() }
}

pub fn mail(id: &str, sent_at: &str) -> Mail {
    Mail {
        id: id.to_owned(),
        thread_id: id.to_owned(),
        from: person("Zoë Açıkgöz", "zoe@example.example"),
        to: vec![person("Maya Lindqvist", "maya@lindqvist.example")],
        cc: Vec::new(),
        subject: "Hello".to_owned(),
        body: "Hello there".to_owned(),
        sent_at: sent_at.parse::<Timestamp>().unwrap(),
        unread: false,
        labels: vec!["inbox".to_owned()],
    }
}

pub fn entry(id: &str, start: Zoned, end: Zoned) -> Entry {
    Entry {
        id: id.to_owned(),
        title: id.to_owned(),
        when: When::Timed { start, end },
        busy: true,
        attendees: Vec::new(),
        location: None,
        notes: None,
    }
}
