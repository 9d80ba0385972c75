//! Keeping something in mind on this machine.

use async_trait::async_trait;
use brain::card::{Field, FieldKind, MemoryPreview, Preview, Warning};
use brain::facts::Remembered;
use brain::{ActionLevel, SaySo};
use jiff::SignedDuration;
use serde_json::Value;

use crate::args::{fields, schema_of};
use crate::local::Personal;
use crate::local::written::Once;
use crate::memory::{Keep, label_of_keep, tidied};
use crate::tool::{Caller, Found, Prepared, Tool, ToolError, Write, agreed};

const NAME: &str = "memory.write";

/// Keeps one statement, once somebody has said yes to exactly that.
pub struct WriteMemory(pub Personal);

#[async_trait]
impl Tool for WriteMemory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Write
    }

    fn description(&self) -> &'static str {
        "Remember one statement for the person. They see all of it first and have to say yes."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Keep>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Remembered>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Keep::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        label_of_keep(args)
    }

    fn writer(&self) -> Option<&dyn Write> {
        Some(self)
    }
}

#[async_trait]
impl Write for WriteMemory {
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError> {
        let keep = Keep::read(&args).map_err(ToolError::BadArguments)?;
        let keep = Keep { memory: tidied(&keep.memory) };
        let known = self.0.alike(caller.user, keep.memory.clone()).await;
        let (known_already, alike) = known.map_err(|error| error.of(NAME))?;
        let warnings = known_already.then(|| Warning {
            code: "known_already".to_owned(),
            text: "You told me this before".to_owned(),
        });
        let same = |text: &String| *text != keep.memory;
        let alike = alike.into_iter().map(|memory| memory.text).filter(same).collect();
        let payload = fields(&keep);
        let preview = MemoryPreview { text: keep.memory, forgets: false, alike };
        Ok(Prepared {
            action_type: "remember",
            title: "Remember this?".to_owned(),
            payload,
            preview: Preview::Memory(Box::new(preview)),
            editable: vec![Field {
                name: "memory".into(),
                label: "Memory".into(),
                kind: FieldKind::Paragraphs,
            }],
            warnings: warnings.into_iter().collect(),
            thread: Vec::new(),
        })
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        let keep = Keep::read(&args).map_err(ToolError::BadArguments)?;
        agreed(NAME, &args, caller, say_so)?;
        let once = Once::new(NAME, &args, caller);
        self.0.keep(once, keep.memory).await.map_err(|error| error.of_write(NAME))
    }

    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError> {
        self.0.earlier(Once::new(NAME, args, caller)).await.map_err(|error| error.of(NAME))
    }

    /// None: what one transaction has put into the file is there for the next
    /// reader, and a try that comes late finds its own key.
    fn settle(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}
