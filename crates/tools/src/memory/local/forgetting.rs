//! Letting something go that was kept on this machine.

use async_trait::async_trait;
use brain::card::{MemoryPreview, Preview};
use brain::facts::Forgotten;
use brain::{ActionLevel, SaySo};
use jiff::SignedDuration;
use serde_json::Value;

use crate::args::{fields, schema_of};
use crate::local::Personal;
use crate::local::written::Once;
use crate::memory::{Also, Forget, LetGo, Letting};
use crate::tool::{Caller, Found, Prepared, Tool, ToolError, Write, agreed};

const NAME: &str = "memory.forget";

/// Deletes memories, once somebody has said yes to exactly that.
pub struct ForgetMemory(pub Personal);

#[async_trait]
impl Tool for ForgetMemory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Write
    }

    fn description(&self) -> &'static str {
        "Forget one memory, by the id that memory.retrieve brought, and others with it. The \
         person sees all their words first and has to say yes."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Forget>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Forgotten>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Forget::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Forgetting something".to_owned()
    }

    fn writer(&self) -> Option<&dyn Write> {
        Some(self)
    }
}

#[async_trait]
impl Write for ForgetMemory {
    /// What was said of it in the arguments does not count: the card shows
    /// what is there.
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError> {
        let forget = Forget::read(&args).map_err(ToolError::BadArguments)?;
        let found = self.0.memory(caller.user, forget.memory_id).await;
        let found = found.map_err(|error| error.of(NAME))?;
        let mut also: Vec<LetGo> = Vec::new();
        for id in forget.also.iter().map(Also::id) {
            let known = |one: &LetGo| one.memory_id == id;
            if id == found.memory_id || also.iter().any(known) {
                continue;
            }
            let one = self.0.memory(caller.user, id.to_owned()).await;
            let one = one.map_err(|error| error.of(NAME))?;
            also.push(LetGo { memory_id: one.memory_id, memory: one.text });
        }
        let preview = MemoryPreview {
            text: found.text.clone(),
            forgets: true,
            alike: Vec::new(),
            also: also.iter().map(|one| one.memory.clone()).collect(),
            derived_from: found.source.derived_from,
        };
        let title = match also.len() {
            0 => "Forget this?".to_owned(),
            more => format!("Forget these {}?", more + 1),
        };
        Ok(Prepared {
            action_type: "forget",
            title,
            payload: fields(&Letting { memory_id: found.memory_id, memory: found.text, also }),
            preview: Preview::Memory(Box::new(preview)),
            editable: Vec::new(),
            warnings: Vec::new(),
            thread: Vec::new(),
        })
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        let letting = Letting::read(&args).map_err(ToolError::BadArguments)?;
        agreed(NAME, &args, caller, say_so)?;
        let once = Once::new(NAME, &args, caller);
        self.0.let_go(once, letting).await.map_err(|error| error.of_write(NAME))
    }

    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError> {
        self.0.earlier(Once::new(NAME, args, caller)).await.map_err(|error| error.of(NAME))
    }

    /// None: what one transaction has taken out of the file is gone for the
    /// next reader.
    fn settle(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}
