//! `attachment.parse`: a file that takes longer to read than anybody waits for.
//!
//! Whoever reads it is at it anyway; this job says how far it is, lasts through a
//! restart, and answers what was asked once there is an answer.

use std::time::Duration;

use async_trait::async_trait;
use brain::paper::{OpenedFile, Reading};
use brain::{CallError, FileId, UserId};
use models::narrator;
use serde::Deserialize;
use serde_json::{Value, json};
use session::jobs::{Help, JobKind, Step};
use tools::attachment::READ_THROUGH;

use super::Reader;

/// So often it says how far it is.
const STEP: Duration = Duration::from_secs(1);
/// So often at most: what is not read in half an hour will not be.
const MOST_STEPS: u64 = 1_800;
const LONGEST: usize = 500;
/// The last part is putting it into words.
const READ: f32 = 0.95;

/// Reads a file to its end and answers what was asked of it.
pub struct ReadThrough(pub Reader);

/// The file, and what was asked of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    file_id: String,
    name: String,
    #[serde(default)]
    query: Option<String>,
    #[serde(default)]
    max_results: Option<u32>,
    #[serde(default)]
    page: Option<u32>,
}

impl Args {
    fn read(args: &Value) -> Result<(FileId, Self), String> {
        let read = Self::deserialize(args).map_err(|error| error.to_string())?;
        let is_long = |text: &str| text.chars().count() > LONGEST;
        if is_long(&read.name) || read.query.as_deref().is_some_and(is_long) {
            return Err(format!("name and query are at most {LONGEST} characters long"));
        }
        let file = read.file_id.parse();
        let file = file.map_err(|_| "file_id must be the id of a file that was attached")?;
        Ok((file, read))
    }

    /// The look-up that could not wait.
    fn look_up(&self) -> (&'static str, Value) {
        let mut args = json!({ "file_id": self.file_id });
        let Some(query) = &self.query else {
            if let Some(page) = self.page {
                args["page"] = page.into();
            }
            return ("attachment.read", args);
        };
        args["query"] = query.as_str().into();
        if let Some(most) = self.max_results {
            args["max_results"] = most.into();
        }
        ("attachment.search", args)
    }
}

#[async_trait]
impl JobKind for ReadThrough {
    fn name(&self) -> &'static str {
        READ_THROUGH
    }

    fn description(&self) -> &'static str {
        "Read a file that the person attached to its end, and answer what was asked of it. Takes \
         a while; the person hears of it when it is done."
    }

    fn input_schema(&self) -> Value {
        json!({
            "type": "object",
            "required": ["file_id", "name"],
            "additionalProperties": false,
            "properties": {
                "file_id": { "type": "string" },
                "name": { "type": "string", "maxLength": LONGEST },
                "query": { "type": "string", "maxLength": LONGEST },
                "max_results": { "type": "integer" },
                "page": { "type": "integer" },
            },
        })
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Args::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        match Args::read(args) {
            Ok((_, args)) => format!("Reading {}", args.name),
            Err(_) => "Reading the file".to_owned(),
        }
    }

    fn called(&self, args: &Value) -> String {
        match Args::read(args) {
            Ok((_, args)) => format!("reading {}", args.name),
            Err(_) => "reading the file".to_owned(),
        }
    }

    async fn step(&self, args: &Value, checkpoint: &Value, help: &Help) -> Result<Step, CallError> {
        let (file, args) = Args::read(args).map_err(|why| fault("bad_arguments", why, false))?;
        let kept = |name: &str| checkpoint.get(name).and_then(Value::as_u64).unwrap_or(0);
        let before = u8::try_from(kept("percent")).unwrap_or(100).min(100);
        let steps = kept("steps") + 1;
        if let Some(percent) = self.0.how_far(help.user, file).await? {
            if steps > MOST_STEPS {
                return Err(fault("timeout", "the file is not read to its end".into(), false));
            }
            // Whoever begins again after a restart is not further back for it.
            let percent = percent.max(before);
            return Ok(Step::More {
                checkpoint: json!({ "percent": percent, "steps": steps }),
                progress: f32::from(percent) / 100.0 * READ,
                message: format!("{percent} % of {} read", args.name),
            });
        }
        let (tool, look_up) = args.look_up();
        let found: OpenedFile = help.look(tool, look_up).await?;
        let world = help.world().await?;
        let text = narrator::read_through(args.query.as_deref(), args.page, &found, &world);
        let mut result = serde_json::to_value(&found).expect("what was found is plain data");
        result["text"] = text.into();
        Ok(Step::Done(result))
    }
}

impl Reader {
    /// How much of a file is read, in percent; none once there is an end of it, good
    /// or bad. Waits a little for that.
    async fn how_far(&self, user: UserId, file: FileId) -> Result<Option<u8>, CallError> {
        let away = |error: store::StoreError| fault("unreachable", error.to_string(), true);
        let row = self.store.file(user, file).await.map_err(away)?;
        let Some(row) = row else {
            return Err(fault("not_found", "that file is not there any more".to_owned(), false));
        };
        if row.reading != Reading::Parsing {
            return Ok(None);
        }
        // The next try, after a pause, begins anew.
        if let Some(trouble) = self.desk().troubles.remove(&file) {
            return Err(fault("unreachable", trouble, true));
        }
        self.begin(row);
        let row = self.settled(user, file, STEP).await.map_err(away)?;
        if row.is_none_or(|row| row.reading != Reading::Parsing) {
            return Ok(None);
        }
        Ok(Some(self.desk().at_work.get(&file).copied().unwrap_or(0)))
    }
}

fn fault(code: &str, message: String, retryable: bool) -> CallError {
    CallError { code: code.to_owned(), message, retryable }
}
