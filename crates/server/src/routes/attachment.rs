//! `POST /chat/attachment/upload`: takes one file in, piece by piece, straight to disk.
//! `GET`, `DELETE /chat/attachment/{file_id}`: what it is, and its end. Nobody gets its
//! contents here.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, Extension, FromRequest, Multipart, Request, State};
use axum::http::StatusCode;
use axum::response::Json;
use axum::routing::{MethodRouter, post};
use brain::paper::Reading;
use brain::{FileId, SessionId, UserId};
use futures_util::Stream;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use session::Full;
use store::{FileRow, Handed, StoreError};

use super::Problem;
use super::id::Id;
use crate::app::App;
use crate::doors::Visitor;
use crate::uploads::kind::{Refused, is_mislabelled};
use crate::uploads::{Incoming, name};

/// Parts of one request, one of them the file.
const MOST_PARTS: usize = 20;
/// What stands in a part that is no file.
const LONGEST_FIELD: usize = 1024;
/// What may be read without a byte of it reaching a file: heads of parts.
const LARGEST_HEAD: usize = 1024 * 1024;
/// Who sends nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(30);
/// However slowly it comes, it does not hold a place for longer.
const LONGEST: Duration = Duration::from_mins(10);
/// A request so many times too large is not even read to its end. A smaller one is,
/// so that its sender is not cut off in the middle of it and hears why.
const UNREADABLE: u64 = 4;

/// A file that was handed over.
#[derive(Serialize, JsonSchema)]
pub struct Attachment {
    file_id: FileId,
    /// What it is called. Never a path.
    name: String,
    /// What it is, by its contents.
    media_type: String,
    bytes: u64,
    sha256: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    #[schemars(with = "String", extend("format" = "date-time"))]
    created_at: Timestamp,
    /// What the request called it, where that is something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    mislabelled_as: Option<String>,
    /// How far its reading has come: `parsing`, `ready` or `failed`. Questions about it
    /// can be asked at once.
    state: &'static str,
    /// Why it failed and what to do, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The room that takes files in; it has its own limit.
pub fn upload_room(upload_bytes: u64) -> MethodRouter<Arc<App>> {
    let most = upload_bytes.saturating_mul(UNREADABLE).saturating_add(LARGEST_HEAD as u64);
    post(upload).layer(DefaultBodyLimit::max(usize::try_from(most).unwrap_or(usize::MAX)))
}

async fn upload(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
) -> Result<(StatusCode, Json<Attachment>), Problem> {
    let user = visitor.user;
    let most = app.limits.uploads_per_person;
    let _place = app.uploads.places.take([(user, most)]).map_err(too_many)?;
    let house = app.registry.house();
    if house.store.file_bytes(user).await.map_err(unwritten)? >= app.limits.upload_total_bytes
        || house.store.file_count(user).await.map_err(unwritten)? >= app.limits.upload_files
    {
        return Err(full());
    }
    let unseen = Arc::new(AtomicUsize::new(0));
    let request = request.map(|body| {
        let stream = body.into_data_stream();
        Body::from_stream(Pieces { stream, unseen: Arc::clone(&unseen), rests: false })
    });
    let mut parts = Multipart::from_request(request, &()).await.map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, "bad_multipart", error.body_text())
    })?;
    let reader = Parts { app: &app, user, unseen: &unseen };
    let taken = tokio::time::timeout(LONGEST, reader.take(&mut parts)).await;
    match taken.unwrap_or_else(|_| Err(too_slow())) {
        Ok((incoming, session)) => {
            let kept = keep(Arc::clone(&app), user, incoming, session).await?;
            Ok((StatusCode::CREATED, Json(kept)))
        }
        Err(problem) => {
            unseen.store(0, Ordering::Relaxed);
            // Hanging up on what is still being sent would swallow our answer on its way.
            let _ = tokio::time::timeout(PATIENCE, drain(&mut parts, &unseen)).await;
            Err(problem)
        }
    }
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
) -> Result<Json<Attachment>, Problem> {
    let id: FileId = id.parse().map_err(|_| unknown())?;
    let found = app.registry.house().store.file(visitor.user, id).await.map_err(unwritten)?;
    Ok(Json(Attachment::new(found.ok_or_else(unknown)?, None)))
}

/// Takes a file back, and makes room for another.
pub async fn delete(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
    Id(id): Id,
) -> Result<StatusCode, Problem> {
    let id: FileId = id.parse().map_err(|_| unknown())?;
    let user = visitor.user;
    if !app.registry.house().store.take_back(user, id).await.map_err(unwritten)? {
        return Err(unknown());
    }
    app.uploads.forget(&[id]).await;
    Ok(StatusCode::NO_CONTENT)
}

/// Malformed, unknown and somebody else's ids are alike.
fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "unknown_file", "there is no such file")
}

/// What was taken in, and what the request said about it.
struct Taken {
    incoming: Incoming,
    id: FileId,
    name: String,
    media_type: &'static str,
    declared: String,
}

struct Parts<'a> {
    app: &'a App,
    user: UserId,
    unseen: &'a AtomicUsize,
}

impl Parts<'_> {
    async fn take(&self, parts: &mut Multipart) -> Result<(Taken, Option<SessionId>), Problem> {
        let (mut file, mut session, mut count) = (None, None, 0);
        while let Some(part) = in_time(parts.next_field()).await? {
            count += 1;
            if count > MOST_PARTS {
                return Err(bad(format!("a request has at most {MOST_PARTS} parts")));
            }
            if part.file_name().is_some() {
                if file.is_some() {
                    return Err(bad("hand over one file at a time"));
                }
                file = Some(self.file(part).await?);
            } else if part.name() == Some("session_id") {
                session = Some(self.session(part).await?);
            } else {
                return Err(bad("a part is the file, with its name, or `session_id`"));
            }
        }
        let file = file.ok_or_else(|| bad("there is no file: one part has to have a file name"))?;
        Ok((file, session))
    }

    async fn file(&self, mut part: Field<'_>) -> Result<Taken, Problem> {
        let name = name::tidy(part.file_name().unwrap_or_default());
        let declared = part.content_type().unwrap_or_default().to_owned();
        let id = FileId(self.app.registry.house().ids.next());
        let mut incoming = self.app.uploads.begin(id).await.map_err(|e| no_room(&e))?;
        let most = self.app.limits.upload_bytes;
        while let Some(piece) = in_time(part.chunk()).await? {
            self.unseen.store(0, Ordering::Relaxed);
            if incoming.bytes.saturating_add(piece.len() as u64) > most {
                let message = format!("a file has at most {}", spelled(most));
                return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "file_too_large", message));
            }
            incoming.write(&piece).await.map_err(|error| no_room(&error))?;
        }
        let media_type = incoming.look.kind(&name).map_err(|refused| not_taken(&refused))?;
        Ok(Taken { incoming, id, name, media_type, declared })
    }

    async fn session(&self, mut part: Field<'_>) -> Result<SessionId, Problem> {
        let mut text = Vec::new();
        while let Some(piece) = in_time(part.chunk()).await? {
            text.extend_from_slice(&piece);
            if text.len() > LONGEST_FIELD {
                return Err(no_session());
            }
        }
        let id = str::from_utf8(&text).ok().and_then(|text| text.parse().ok());
        let id: SessionId = id.ok_or_else(no_session)?;
        let row = self.app.registry.house().store.find(id).await.map_err(unwritten)?;
        if row.is_none_or(|row| row.user != self.user) {
            return Err(no_session());
        }
        Ok(id)
    }
}

/// Puts it in its place and on record. Goes on also when whoever sent it has hung up,
/// so that the one is never there without the other.
async fn keep(
    app: Arc<App>,
    user: UserId,
    taken: Taken,
    session: Option<SessionId>,
) -> Result<Attachment, Problem> {
    let keep = async move {
        let Taken { incoming, id, name, media_type, declared } = taken;
        let bytes = incoming.bytes;
        let arrived = incoming.arrive().await.map_err(|error| no_room(&error))?;
        let house = app.registry.house();
        let row = FileRow {
            file: id,
            user,
            session,
            name,
            media_type: media_type.into(),
            bytes,
            sha256: arrived.sha256.clone(),
            created_at: house.clock.now(),
            reading: Reading::Parsing,
        };
        let most = app.limits.upload_total_bytes;
        match house.store.hand_over(row.clone(), most).await.map_err(unwritten)? {
            Handed::Kept => {
                arrived.keep();
                app.reader.begin(row.clone());
                let wrong = is_mislabelled(&declared, media_type).then_some(declared);
                Ok(Attachment::new(row, wrong))
            }
            Handed::Full => Err(full()),
            Handed::NoSession => Err(no_session()),
        }
    };
    tokio::spawn(keep).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a file was not taken in to its end");
        let message = "something broke on our side; try again";
        Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", message))
    })
}

impl Attachment {
    fn new(row: FileRow, mislabelled_as: Option<String>) -> Self {
        Self {
            file_id: row.file,
            name: row.name,
            media_type: row.media_type,
            bytes: row.bytes,
            sha256: row.sha256,
            session_id: row.session,
            created_at: row.created_at,
            mislabelled_as,
            state: row.reading.name(),
            problem: row.reading.problem().map(str::to_owned),
        }
    }
}

/// Reads a body piece by piece. The reader of parts takes whatever is there into its
/// memory before it hands anything on; so there is never more than one piece there,
/// and an end to what it may keep to itself.
struct Pieces {
    stream: BodyDataStream,
    /// Bytes since the last that reached a file.
    unseen: Arc<AtomicUsize>,
    /// The next thing is to say that nothing is there.
    rests: bool,
}

impl Stream for Pieces {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.rests) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = std::task::ready!(Pin::new(&mut self.stream).poll_next(cx));
        if let Some(Ok(piece)) = &next {
            self.rests = true;
            let unseen = self.unseen.fetch_add(piece.len(), Ordering::Relaxed) + piece.len();
            if unseen > LARGEST_HEAD {
                let message = std::io::Error::other("the head of a part is too large");
                return Poll::Ready(Some(Err(axum::Error::new(message))));
            }
        }
        Poll::Ready(next)
    }
}

async fn drain(parts: &mut Multipart, unseen: &AtomicUsize) {
    while let Ok(Some(mut part)) = parts.next_field().await {
        while let Ok(Some(_)) = part.chunk().await {
            unseen.store(0, Ordering::Relaxed);
        }
    }
}

async fn in_time<T>(
    reading: impl Future<Output = Result<T, MultipartError>>,
) -> Result<T, Problem> {
    match tokio::time::timeout(PATIENCE, reading).await {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(error)) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let message = "the request is larger than this server takes";
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "file_too_large", message))
        }
        Ok(Err(error)) => Err(bad(error.body_text())),
        Err(_) => Err(too_slow()),
    }
}

fn too_many(full: Full) -> Problem {
    let code = "too_many_uploads";
    match full {
        Full::Everybody => {
            Problem::overloaded(code, "too many files are on their way; try again in a moment")
        }
        Full::Share => {
            Problem::share_taken(code, "too many files of yours are on their way; wait for one")
        }
    }
}

fn too_slow() -> Problem {
    let message = "the file came too slowly; try again";
    Problem::new(StatusCode::REQUEST_TIMEOUT, "too_slow", message)
}

fn bad(message: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "bad_multipart", message)
}

fn not_taken(refused: &Refused) -> Problem {
    let (status, code) = if *refused == Refused::Empty {
        (StatusCode::BAD_REQUEST, "empty_file")
    } else {
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_type")
    };
    Problem::new(status, code, refused.to_string())
}

fn no_session() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "unknown_session", "there is no such session")
}

fn full() -> Problem {
    let message = "you have handed over as much as fits; delete a file first";
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "quota_full", message)
}

fn no_room(error: &std::io::Error) -> Problem {
    tracing::error!(%error, "a file could not be written");
    let message = "the file cannot be kept right now; try again in a moment";
    Problem::overloaded("store_unavailable", message)
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unwritten(error: StoreError) -> Problem {
    Problem::store_unavailable("a file could not be put on record", &error)
}

/// "25 MB", as people know the size of a file.
fn spelled(bytes: u64) -> String {
    const KIB: u64 = 1024;
    match bytes {
        whole if whole >= KIB * KIB && whole.is_multiple_of(KIB * KIB) => {
            format!("{} MB", whole / KIB / KIB)
        }
        whole if whole >= KIB && whole.is_multiple_of(KIB) => format!("{} KB", whole / KIB),
        bytes => format!("{bytes} bytes"),
    }
}
