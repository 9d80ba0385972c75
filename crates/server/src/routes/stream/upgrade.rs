//! From a request to a WebSocket.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::pieces::Pieces;
use crate::doors::PROTOCOL;
use crate::routes::Problem;

pub type Socket = WebSocketStream<Pieces<TokioIo<Upgraded>>>;

/// Somebody who wants to talk over a WebSocket.
pub struct Upgrade {
    key: HeaderValue,
    /// The dialect that is spoken, if they asked for one we speak.
    protocol: Option<HeaderValue>,
    line: OnUpgrade,
}

/// What a request has to be, or why it is no beginning of a WebSocket.
pub struct Wished(pub Result<Upgrade, Problem>);

impl<S: Sync> FromRequestParts<S> for Wished {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(read(parts)))
    }
}

fn read(parts: &mut Parts) -> Result<Upgrade, Problem> {
    let (bad, headers) = (StatusCode::BAD_REQUEST, &parts.headers);
    if parts.method != Method::GET {
        return Err(refused(StatusCode::METHOD_NOT_ALLOWED, "a WebSocket begins with a GET"));
    }
    for (name, wanted) in [
        (header::CONNECTION, "upgrade"),
        (header::UPGRADE, "websocket"),
        (header::SEC_WEBSOCKET_VERSION, "13"),
    ] {
        if !listed(headers, &name).any(|one| one.eq_ignore_ascii_case(wanted)) {
            return Err(refused(bad, &format!("the header `{name}` must be {wanted}")));
        }
    }
    let key = headers.get(header::SEC_WEBSOCKET_KEY).cloned();
    let key = key.ok_or_else(|| refused(bad, "the header `sec-websocket-key` is missing"))?;
    let asked = listed(headers, &header::SEC_WEBSOCKET_PROTOCOL).any(|one| one == PROTOCOL);
    let protocol = asked.then(|| HeaderValue::from_static(PROTOCOL));
    let line = parts.extensions.remove::<OnUpgrade>();
    let cannot = || refused(StatusCode::UPGRADE_REQUIRED, "this connection cannot be upgraded");
    Ok(Upgrade { key, protocol, line: line.ok_or_else(cannot)? })
}

fn refused(status: StatusCode, message: &str) -> Problem {
    Problem::new(status, "not_a_websocket", message)
}

/// What a header names, one by one.
fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

impl Upgrade {
    /// The answer, and the socket once that was taken; none where the other side has
    /// gone by then.
    pub fn begin(
        self,
        config: WebSocketConfig,
        pieces_per_second: u32,
    ) -> (Response, impl Future<Output = Option<Socket>> + Send) {
        let mut answer = Response::new(Body::empty());
        *answer.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = answer.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        let accept = derive_accept_key(self.key.as_bytes());
        let accept = HeaderValue::try_from(accept).expect("base64 is plain text");
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        headers.extend(self.protocol.map(|ours| (header::SEC_WEBSOCKET_PROTOCOL, ours)));
        let socket = async move {
            let line = self.line.await.ok()?;
            let pieces = Pieces::new(TokioIo::new(line), pieces_per_second);
            Some(WebSocketStream::from_raw_socket(pieces, Role::Server, Some(config)).await)
        };
        (answer, socket)
    }
}
