//! The pages people see: the build of `web/`, carried in the binary.
//!
//! What is named after its contents is kept by browsers for good; the rest is asked
//! for again and answered with "as it was" where it is. A file goes out as small as
//! the browser takes it; the smaller copies are made when the pages are built.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Web;

/// Every part in every state at `/gallery`, where `make gallery` has made it.
#[cfg(debug_assertions)]
mod gallery {
    use rust_embed::{EmbeddedFile, RustEmbed};

    #[derive(RustEmbed)]
    #[folder = "../../web/.gallery"]
    #[allow_missing = true]
    struct Built;

    fn is_part(name: &str) -> bool {
        name == "gallery.html" || name.starts_with(super::HASHED)
    }

    pub fn names() -> impl Iterator<Item = String> {
        Built::iter().map(String::from).filter(|name| is_part(name))
    }

    pub fn get(name: &str) -> Option<EmbeddedFile> {
        Built::get(name).filter(|_| is_part(name))
    }
}

/// Not in a release.
#[cfg(not(debug_assertions))]
mod gallery {
    use rust_embed::EmbeddedFile;

    pub fn names() -> impl Iterator<Item = String> {
        std::iter::empty()
    }

    pub fn get(_: &str) -> Option<EmbeddedFile> {
        None
    }
}

/// A file by its name in the build.
fn file(name: &str) -> Option<EmbeddedFile> {
    Web::get(name).or_else(|| gallery::get(name))
}

/// Nothing from elsewhere, nothing inline, nobody may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
    media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PERMISSIONS: &str = "microphone=(self), camera=(), geolocation=()";
/// Files under it are named after their contents.
const HASHED: &str = "assets/";
const FOR_GOOD: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";
/// Smaller copies, the smallest first.
const CODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Where every file is found, and what it is called in the build.
static FILES: LazyLock<BTreeSet<(String, String)>> = LazyLock::new(|| {
    let is_copy = |name: &str| CODINGS.iter().any(|(_, ending)| name.ends_with(ending));
    Web::iter()
        .map(String::from)
        .chain(gallery::names())
        .filter(|name| !is_copy(name))
        .map(|name| (address_of(&name), name))
        .collect()
});

/// `index.html` is the page itself, `ops.html` is `/ops`.
fn address_of(name: &str) -> String {
    match name.strip_suffix(".html") {
        Some("index") => "/".to_owned(),
        Some(page) => format!("/{page}"),
        None => format!("/{name}"),
    }
}

/// The page that may be marked, and what marks it: the inspector can be opened there.
const MARKED: &str = "index.html";
const MARK: (&str, &str) = ("<html ", "<html data-debug ");

pub fn router<S: Clone + Send + Sync + 'static>(is_inspected: bool) -> Router<S> {
    FILES.iter().fold(Router::new(), |router, (address, name)| {
        let is_marked = is_inspected && name == MARKED;
        let serve = move |asked: HeaderMap| async move { served(name, &asked, is_marked) };
        router.route(address, get(serve))
    })
}

/// Whether a file of the pages is found there.
pub fn is_file(path: &str) -> bool {
    FILES.iter().any(|(address, _)| address == path)
}

fn served(name: &'static str, asked: &HeaderMap, is_marked: bool) -> Response {
    let Some(file) = file(name) else { return StatusCode::NOT_FOUND.into_response() };
    let (coding, file) = match smallest(name, asked) {
        _ if is_marked => (None, marked(file)),
        Some(smaller) => smaller,
        None => (None, file),
    };
    let tag = tag(&file, if is_marked { Some("marked") } else { coding });
    let mut answer = if asked.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.data).into_response()
    };
    let headers = answer.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_TYPE, kind_of(name));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::HeaderName::from_static("permissions-policy"), PERMISSIONS);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::VARY, "accept-encoding");
    set(header::CACHE_CONTROL, if name.starts_with(HASHED) { FOR_GOOD } else { ASK_AGAIN });
    if let Some(coding) = coding {
        set(header::CONTENT_ENCODING, coding);
    }
    headers.insert(header::ETAG, tag);
    answer
}

fn marked(file: EmbeddedFile) -> EmbeddedFile {
    let (plain, mark) = MARK;
    let text = String::from_utf8_lossy(&file.data).replacen(plain, mark, 1);
    EmbeddedFile { data: text.into_bytes().into(), ..file }
}

/// The smallest copy that the browser says it can read.
fn smallest(name: &str, asked: &HeaderMap) -> Option<(Option<&'static str>, EmbeddedFile)> {
    let takes = asked.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
    let takes = |coding: &str| {
        takes.split(',').any(|one| {
            let (name, rest) = one.split_once(';').unwrap_or((one, ""));
            name.trim() == coding
                && !rest.replace(' ', "").starts_with("q=0;")
                && rest.replace(' ', "") != "q=0"
        })
    };
    let (coding, ending) = CODINGS
        .into_iter()
        .find(|(coding, ending)| takes(coding) && Web::get(&format!("{name}{ending}")).is_some())?;
    Some((Some(coding), Web::get(&format!("{name}{ending}"))?))
}

/// The same bytes have the same one.
fn tag(file: &EmbeddedFile, coding: Option<&'static str>) -> HeaderValue {
    let mut tag = String::from("\"");
    for byte in &file.metadata.sha256_hash()[..12] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push_str(coding.unwrap_or_default());
    tag.push('"');
    HeaderValue::from_str(&tag).expect("letters and digits")
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
