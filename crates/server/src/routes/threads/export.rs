//! `GET /chat/threads/{id}/export`: a whole chat, for programs or for people.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Json, Response};
use brain::snapshot::Bubble;
use brain::{Role, ThreadId};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search::title_of;
use super::{Asked, find, read_query, unreadable};
use crate::app::App;
use crate::doors::Visitor;
use crate::routes::Problem;

/// A longer chat is exported from its newest messages on.
const LONGEST: u32 = 10_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportWanted {
    #[serde(default)]
    format: Format,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Format {
    #[default]
    Json,
    Markdown,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ExportedThread")]
pub struct Whole {
    thread_id: ThreadId,
    title: String,
    #[schemars(with = "String", extend("format" = "date-time"))]
    created_at: Timestamp,
    #[schemars(with = "String", extend("format" = "date-time"))]
    exported_at: Timestamp,
    /// Oldest first.
    messages: Vec<Bubble>,
    /// There are older ones than those.
    has_more: bool,
}

pub async fn export(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    asked: Asked<ExportWanted>,
) -> Result<Response, Problem> {
    let ExportWanted { format } = read_query(asked)?;
    let user = visitor.user;
    let row = find(&app, user, &id).await?;
    let house = app.registry.house();
    let said = house.store.said_in(user, row.thread, None, LONGEST).await.map_err(unreadable)?;
    let messages: Vec<_> = said.unwrap_or_default().iter().filter_map(session::bubble).collect();
    let exported = Whole {
        thread_id: row.thread,
        title: title_of(&row),
        created_at: row.created_at,
        exported_at: house.clock.now(),
        has_more: row.messages > u64::from(LONGEST),
        messages,
    };
    let saved_as = |ending: &str| {
        let name = format!("attachment; filename=\"{}.{ending}\"", exported.thread_id);
        [(header::CONTENT_DISPOSITION, name)]
    };
    Ok(match format {
        Format::Json => (saved_as("json"), Json(exported)).into_response(),
        Format::Markdown => {
            let zone = house.acquaintance(user).await.map_err(unreadable)?.profile.zone();
            let kind = [(header::CONTENT_TYPE, "text/markdown; charset=utf-8")];
            (kind, saved_as("md"), markdown(&exported, &zone)).into_response()
        }
    })
}

/// What was said is quoted line by line, so that nothing in it looks like ours.
fn markdown(exported: &Whole, zone: &TimeZone) -> String {
    let mut text = format!("# {}\n", exported.title);
    if exported.has_more {
        text.push_str("\nThere are older messages than these.\n");
    }
    for message in &exported.messages {
        let who = match message.role {
            Role::User => "You",
            Role::Assistant => "Sayso",
            Role::Tool | Role::System => "System",
        };
        let at = message.ts.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n**{who}**, {at}\n\n");
        for line in message.text.lines() {
            let _ = writeln!(text, "> {line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use brain::MessageId;
    use brain::ids::Uuid;

    use super::*;

    #[test]
    fn what_was_said_cannot_look_like_a_heading() {
        let message = Bubble {
            message_id: MessageId(Uuid::nil()),
            turn_id: None,
            role: Role::User,
            text: "hello\n# not a title".into(),
            ts: Timestamp::UNIX_EPOCH,
            partial: false,
            attachments: Vec::new(),
        };
        let exported = Whole {
            thread_id: ThreadId(Uuid::nil()),
            title: "Greetings".into(),
            created_at: Timestamp::UNIX_EPOCH,
            exported_at: Timestamp::UNIX_EPOCH,
            messages: vec![message],
            has_more: false,
        };
        assert_eq!(
            markdown(&exported, &TimeZone::UTC),
            "# Greetings\n\n**You**, 1970-01-01 00:00\n\n> hello\n> # not a title\n"
        );
    }
}
