//! The page at `/`, so that the printed address is never empty.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Every file of the page: where it is found, what it is, what it says.
const FILES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../../assets/page/index.html")),
    ("/page.css", CSS, include_str!("../../assets/page/page.css")),
    ("/card.css", CSS, include_str!("../../assets/page/card.css")),
    ("/sign_in.css", CSS, include_str!("../../assets/page/sign_in.css")),
    ("/attach.js", SCRIPT, include_str!("../../assets/page/attach.js")),
    ("/capture.js", SCRIPT, include_str!("../../assets/page/capture.js")),
    ("/page.js", SCRIPT, include_str!("../../assets/page/page.js")),
    ("/card.js", SCRIPT, include_str!("../../assets/page/card.js")),
    ("/cards.js", SCRIPT, include_str!("../../assets/page/cards.js")),
    ("/choices.js", SCRIPT, include_str!("../../assets/page/choices.js")),
    ("/composer.js", SCRIPT, include_str!("../../assets/page/composer.js")),
    ("/conversation.js", SCRIPT, include_str!("../../assets/page/conversation.js")),
    ("/form.js", SCRIPT, include_str!("../../assets/page/form.js")),
    ("/link.js", SCRIPT, include_str!("../../assets/page/link.js")),
    ("/outbox.js", SCRIPT, include_str!("../../assets/page/outbox.js")),
    ("/parts.js", SCRIPT, include_str!("../../assets/page/parts.js")),
    ("/player.js", SCRIPT, include_str!("../../assets/page/player.js")),
    ("/preview.js", SCRIPT, include_str!("../../assets/page/preview.js")),
    ("/receipt.js", SCRIPT, include_str!("../../assets/page/receipt.js")),
    ("/sign_in.js", SCRIPT, include_str!("../../assets/page/sign_in.js")),
    ("/talk.js", SCRIPT, include_str!("../../assets/page/talk.js")),
    ("/thread.js", SCRIPT, include_str!("../../assets/page/thread.js")),
    ("/turn.js", SCRIPT, include_str!("../../assets/page/turn.js")),
    ("/wire.js", SCRIPT, include_str!("../../assets/page/wire.js")),
    ("/zoned.js", SCRIPT, include_str!("../../assets/page/zoned.js")),
];

/// Nothing from elsewhere, nothing inline, nobody may frame it.
const POLICY: &str = "default-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.iter().fold(Router::new(), |router, &(path, kind, body)| {
        router.route(path, get(move || async move { served(kind, body) }))
    })
}

/// Whether a file of the page is found there.
pub fn is_file(path: &str) -> bool {
    FILES.iter().any(|(file, ..)| *file == path)
}

fn served(kind: &'static str, body: &'static str) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, body)
}
