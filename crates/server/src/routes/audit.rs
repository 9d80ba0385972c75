//! `/control/audit`: what was done in whose name, for operators: to look through, to check
//! that nobody has touched it, and to take along. Lines carry ids, states and
//! fingerprints, never what people wrote.

use std::str::FromStr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use brain::Seal;
use brain::audit::{Check, Entry};
use futures_util::stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{AuditWanted, Fitting, Store, StoreError};

use super::Problem;
use super::threads::{Asked, LONGEST_QUERY, bad_query, how_many, read_query};
use crate::app::App;

mod sheet;

/// Lines that are read at a time.
const PAGE: u32 = 500;
/// Lines that are checked for one answer.
const CHECKED: u64 = 20_000;

/// What lines have to be about.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListWanted {
    /// `asked`, `accepted`, `confirmed` and the like.
    #[serde(default)]
    #[schemars(length(max = 200))]
    what: String,
    /// `gmail.send` and the like.
    #[serde(default)]
    #[schemars(length(max = 200))]
    tool: String,
    #[serde(default)]
    #[schemars(regex(pattern = "^(sess_[0-9a-f]{32})?$"))]
    session: String,
    #[serde(default)]
    #[schemars(regex(pattern = "^(turn_[0-9a-f]{32})?$"))]
    turn: String,
    #[serde(default)]
    #[schemars(regex(pattern = "^(cr_[0-9a-f]{32})?$"))]
    confirmation: String,
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1, max = 100))]
    limit: Option<String>,
    /// `next` of the page before.
    #[serde(default)]
    #[schemars(regex(pattern = "^[0-9]{0,15}$"))]
    before: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AuditLines")]
pub struct Lines {
    /// Newest first.
    lines: Vec<Told>,
    /// What `before` has to be for the next page; null on the last. A page may be short
    /// and not the last: so many lines are looked through for it.
    next: Option<u64>,
}

/// One line of the audit.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AuditLine")]
struct Told {
    number: u64,
    #[serde(flatten)]
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    line: brain::audit::Line,
    /// Seals this line together with all before it.
    #[schemars(with = "String")]
    hash: Seal,
}

pub async fn list(
    State(app): State<Arc<App>>,
    asked: Asked<ListWanted>,
) -> Result<Json<Lines>, Problem> {
    let wanted = read_query(asked)?;
    let before = given(&wanted.before).map_err(|_| bad_query("`before` is a number"))?;
    let limit = how_many(wanted.limit.as_deref())?;
    let fitting = fitting(&wanted)?;
    let found = store_of(&app).audit_back(AuditWanted { before, limit, fitting }).await;
    let found = found.map_err(unreadable)?;
    let told = |Entry { number, line, hash, .. }| Told { number, line, hash };
    Ok(Json(Lines { lines: found.entries.into_iter().map(told).collect(), next: found.next }))
}

fn fitting(wanted: &ListWanted) -> Result<Fitting, Problem> {
    Ok(Fitting {
        what: named(&wanted.what)?,
        tool: named(&wanted.tool)?,
        user: None,
        session: id(&wanted.session, "session")?,
        turn: id(&wanted.turn, "turn")?,
        confirmation: id(&wanted.confirmation, "confirmation")?,
    })
}

/// A name to look for; what is left empty is not given.
pub(super) fn named(text: &str) -> Result<Option<String>, Problem> {
    if text.chars().count() > LONGEST_QUERY {
        return Err(bad_query(format!("a name has at most {LONGEST_QUERY} characters")));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn id<T: FromStr>(text: &str, what: &str) -> Result<Option<T>, Problem> {
    given(text).map_err(|_| bad_query(format!("`{what}` is no id of a {what}")))
}

/// What is left empty is not given.
fn given<T: FromStr>(text: &str) -> Result<Option<T>, T::Err> {
    if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckWanted {
    /// Go on behind this line, as the answer before said. Without its seal, or the seal
    /// without it, it is looked at from its beginning.
    #[serde(default)]
    #[schemars(regex(pattern = "^[0-9]{0,15}$"))]
    after: String,
    /// The seal of that line, as the answer before said.
    #[serde(default)]
    #[schemars(regex(pattern = "^([0-9a-f]{64})?$"))]
    hash: String,
}

/// Whether the record is whole, as far as it was looked at.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AuditChecked")]
pub struct Checked {
    /// Every line that was looked at holds.
    whole: bool,
    /// The last line that holds, and its seal: keep both elsewhere, and nobody can cut the
    /// end off unseen.
    lines: u64,
    #[schemars(with = "String")]
    last_hash: Seal,
    /// The last line there is. Where `lines` is less and all is whole, ask again with
    /// `after` and `hash`.
    of: u64,
    /// So many of the first lines were let go, as the settings say.
    #[serde(skip_serializing_if = "Option::is_none")]
    let_go: Option<u64>,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub async fn verify(
    State(app): State<Arc<App>>,
    asked: Asked<CheckWanted>,
) -> Result<Json<Checked>, Problem> {
    let CheckWanted { after, hash } = read_query(asked)?;
    let store = store_of(&app);
    let reach = store.audit_reach().await.map_err(unreadable)?;
    let after = given(&after).map_err(|_| bad_query("`after` is a number"))?;
    let hash = given(&hash).map_err(|_| bad_query("`hash` is the seal of a line"))?;
    let known = after.zip(hash).or(reach.anchor);
    let mut check = known.map_or_else(Check::default, |(number, seal)| Check::after(number, seal));
    let reason = look_through(&**store, &mut check).await?;
    let (lines, last_hash) = check.held();
    Ok(Json(Checked {
        whole: reason.is_none(),
        lines,
        last_hash,
        of: reach.last.max(lines),
        let_go: reach.anchor.map(|(number, _)| number),
        reason,
    }))
}

/// What is wrong with the next lines, if anything.
async fn look_through(store: &dyn Store, check: &mut Check) -> Result<Option<String>, Problem> {
    let (begin, _) = check.held();
    let mut size = PAGE;
    loop {
        let (held, _) = check.held();
        if held.saturating_sub(begin) >= CHECKED {
            return Ok(None);
        }
        let page = match store.audit(held, size).await {
            Ok(page) => page,
            // Somewhere in this page; line by line it shows where.
            Err(StoreError::Corrupt { .. }) if size > 1 => {
                size = 1;
                continue;
            }
            Err(StoreError::Corrupt { .. }) => {
                return Ok(Some(format!("line {} cannot be read", held + 1)));
            }
            Err(error) => return Err(unreadable(error)),
        };
        if page.is_empty() {
            return Ok(None);
        }
        if let Err(broken) = page.iter().try_for_each(|entry| check.take(entry)) {
            return Ok(Some(broken.to_string()));
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportWanted {
    #[serde(default)]
    format: Format,
    #[serde(default)]
    #[schemars(length(max = 200))]
    what: String,
    #[serde(default)]
    #[schemars(length(max = 200))]
    tool: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Format {
    /// As `sayso audit --json` prints it: every seal can be checked.
    #[default]
    Jsonl,
    /// For a spreadsheet; no cell of it is a formula.
    Csv,
}

/// All of it, oldest first, sent as it is read.
pub async fn export(
    State(app): State<Arc<App>>,
    asked: Asked<ExportWanted>,
) -> Result<Response, Problem> {
    let ExportWanted { format, what, tool } = read_query(asked)?;
    let fitting = Fitting { what: named(&what)?, tool: named(&tool)?, ..Fitting::default() };
    let (kind, ending, begins) = match format {
        Format::Jsonl => ("application/x-ndjson", "jsonl", String::new()),
        Format::Csv => ("text/csv; charset=utf-8", "csv", sheet::head()),
    };
    let store = Arc::clone(store_of(&app));
    let writing = Writing { store, format, fitting, after: 0, begins: Some(begins), over: false };
    let body = stream::unfold(writing, |mut writing| async move {
        let piece = writing.next().await?;
        Some((piece, writing))
    });
    let name = format!("attachment; filename=\"sayso-audit.{ending}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(body)).into_response())
}

/// An export on its way.
struct Writing {
    store: Arc<dyn Store>,
    format: Format,
    fitting: Fitting,
    after: u64,
    begins: Option<String>,
    over: bool,
}

impl Writing {
    /// A piece of it; an error cuts the answer off, so that nobody takes it for whole.
    async fn next(&mut self) -> Option<Result<Bytes, StoreError>> {
        if self.over {
            return None;
        }
        if let Some(begins) = self.begins.take() {
            return Some(Ok(begins.into()));
        }
        let page = match self.store.audit(self.after, PAGE).await {
            Ok(page) => page,
            Err(error) => {
                self.over = true;
                tracing::error!(%error, "an export of the audit broke off");
                return Some(Err(error));
            }
        };
        self.after = page.last()?.number;
        let fitting = page.iter().filter(|entry| self.fitting.fits(&entry.line));
        let written = fitting.map(|entry| match self.format {
            Format::Jsonl => serde_json::to_string(entry).expect("a line is plain data") + "\n",
            Format::Csv => sheet::row(entry),
        });
        Some(Ok(written.collect::<String>().into()))
    }
}

fn store_of(app: &App) -> &Arc<dyn Store> {
    &app.registry.house().store
}

/// A line that was touched is told apart from a disk that does not answer.
fn unreadable(error: StoreError) -> Problem {
    match error {
        StoreError::Corrupt { .. } => Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "audit_unreadable",
            "a line of the audit cannot be read; `sayso audit verify` says which",
        ),
        error => Problem::store_unavailable("the audit cannot be read", &error),
    }
}
