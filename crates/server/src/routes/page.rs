//! The page at `/`, so that the printed address is never empty.

use axum::http::header;
use axum::response::IntoResponse;

/// Nothing from elsewhere, nothing inline, nobody may frame it.
const POLICY: &str = "default-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub async fn index() -> impl IntoResponse {
    served("text/html; charset=utf-8", include_str!("../../assets/page/index.html"))
}

pub async fn style() -> impl IntoResponse {
    served("text/css; charset=utf-8", include_str!("../../assets/page/page.css"))
}

pub async fn script() -> impl IntoResponse {
    served("text/javascript; charset=utf-8", include_str!("../../assets/page/page.js"))
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
