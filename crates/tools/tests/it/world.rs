//! A store with one person's month in it, and ways to ask.

use std::cell::Cell;
use std::path::Path;

use brain::confirmation::{Channel, ConfirmationState, PATIENCE};
use brain::facts::{
    Agenda, FreeSlots, Letters, Memories, Memory, MemorySource, OpenedLetter, Person,
};
use brain::ids::Uuid;
use brain::policy::Care;
use brain::{
    ActionId, Card, Confirmation, ConfirmationId, Preview, SaySo, Seal, SessionId, TurnId, UserId,
};
use jiff::{Timestamp, Zoned};
use proptest::prelude::{Strategy, prop_assert_eq};
use proptest::test_runner::{Config, TestRunner};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tools::local::{Delivery, Entry, Mail, When, sample};
use tools::{Caller, Catalog, Found, Heard, Personal, Prepared, ToolError, Write};

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

    /// The same month in a file.
    pub async fn sample_at(path: &Path) -> Self {
        let world = Self::with(Personal::open(path).unwrap());
        let Caller { user, now, .. } = &world.caller;
        sample::pour(&world.store, *user, now).await.unwrap();
        world
    }

    pub fn empty() -> Self {
        Self::with(Personal::in_memory().unwrap())
    }

    fn with(store: Personal) -> Self {
        let caller = Caller {
            user: user(1),
            profile: sample::owner(),
            now: at("2026-11-15T12:00:00-08:00[America/Los_Angeles]"),
            idempotency_key: "key".to_owned(),
            place: None,
            heard: Heard::default(),
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

    pub async fn with_memories(self, memories: Vec<Memory>) -> Self {
        self.deliver(Delivery { memories, ..Delivery::default() }).await
    }

    async fn deliver(self, delivery: Delivery) -> Self {
        self.store.deliver(self.caller.user, delivery).await.unwrap();
        self
    }

    pub async fn call(&self, tool: &str, args: Value) -> Result<Value, ToolError> {
        self.catalog.get(tool).unwrap().call(args, &self.caller).await
    }

    /// The same person with another provider.
    pub fn served_by(&self, store: Personal) -> Self {
        Self { catalog: store.catalog(), store, caller: self.caller.clone() }
    }

    /// The same person with another step to do.
    pub fn with_key(&self, key: &str) -> Self {
        let caller = Caller { idempotency_key: key.to_owned(), ..self.caller.clone() };
        Self { store: self.store.clone(), catalog: self.catalog.clone(), caller }
    }

    pub fn writer(&self, tool: &str) -> &dyn Write {
        self.catalog.get(tool).unwrap().writer().unwrap()
    }

    pub async fn prepare(&self, tool: &str, args: Value) -> Result<Prepared, ToolError> {
        self.writer(tool).prepare(args, &self.caller).await
    }

    /// Shows it, and somebody says yes.
    pub async fn agree(&self, tool: &str, args: Value) -> Agreed<'_> {
        let prepared = self.prepare(tool, args).await.unwrap();
        let tool = self.catalog.get(tool).unwrap().name();
        Agreed { world: self, tool, payload: Value::Object(prepared.payload) }
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

    pub async fn recall(&self, context: &str) -> Memories {
        self.told("memory.retrieve", json!({ "context": context, "max_results": 50 })).await
    }

    pub async fn free(&self, args: Value) -> FreeSlots {
        self.told("calendar.find_free_slots", args).await
    }
}

/// Whatever a tool prepares from such arguments, it prepares the same from that.
pub fn assert_prepared_is_stable(tool: &str, args: impl Strategy<Value = Value>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let world = runtime.block_on(World::sample());
    let prepared = Cell::new(0);
    let tried = TestRunner::new(Config::with_cases(512)).run(&args, |args| {
        runtime.block_on(async {
            let Ok(once) = world.prepare(tool, args).await else { return Ok(()) };
            prepared.set(prepared.get() + 1);
            let again = world.prepare(tool, Value::Object(once.payload.clone())).await;
            prop_assert_eq!(again.unwrap(), once);
            Ok(())
        })
    });
    tried.unwrap();
    assert!(prepared.get() > 50, "only {} could be prepared", prepared.get());
}

/// A write that somebody said yes to.
pub struct Agreed<'a> {
    world: &'a World,
    pub tool: &'static str,
    pub payload: Value,
}

impl Agreed<'_> {
    /// Tries it as action `number`.
    pub async fn done(&self, number: u128) -> Result<Value, ToolError> {
        let yes = say_so(number, self.tool, &self.payload);
        let writer = self.world.writer(self.tool);
        writer.write(self.payload.clone(), &self.caller(number), &yes).await
    }

    /// Asks what became of action `number`.
    pub async fn found(&self, number: u128) -> Found {
        let writer = self.world.writer(self.tool);
        writer.probe(&self.payload, &self.caller(number)).await.unwrap()
    }

    /// As whoever carries out action `number`.
    pub fn caller(&self, number: u128) -> Caller {
        let idempotency_key = ActionId(Uuid::from_u128(number)).to_string();
        Caller { idempotency_key, ..self.world.caller.clone() }
    }
}

/// A yes to exactly this, for action `number`.
pub fn say_so(number: u128, tool: &str, payload: &Value) -> SaySo {
    let id = Uuid::from_u128(number);
    let card = Card {
        action_type: "send_email".to_owned(),
        title: "Send this mail?".to_owned(),
        speakable: "Ready for it to go out?".to_owned(),
        preview: Preview::Lines { lines: Vec::new() },
        payload: payload.as_object().unwrap().clone(),
        editable: Vec::new(),
        warnings: Vec::new(),
        voice: Care::Allow,
    };
    let asked = Confirmation {
        id: ConfirmationId(id),
        revision: 1,
        action: ActionId(id),
        session: SessionId(id),
        user: user(1),
        turn: TurnId(id),
        step: 1,
        tool: tool.to_owned(),
        seal: Seal::of(tool, payload),
        card,
        state: ConfirmationState::Pending,
        asked_at: Timestamp::UNIX_EPOCH,
        expires_at: Timestamp::UNIX_EPOCH + PATIENCE,
        decided: None,
    };
    assert_eq!(asked.say_so(), None, "nobody has said yes yet");
    let accepted = ConfirmationState::Accepted;
    asked.decided(accepted, Timestamp::UNIX_EPOCH, Channel::Click).say_so().unwrap()
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

pub fn memory(id: &str, text: &str) -> Memory {
    let created_at = "2026-11-01T10:00:00Z".parse::<Timestamp>().unwrap();
    let source = MemorySource::default();
    Memory { memory_id: id.to_owned(), text: text.to_owned(), created_at, source }
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
        organizer: None,
        series: None,
    }
}
