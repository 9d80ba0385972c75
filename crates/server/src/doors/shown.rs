//! What somebody shows at the door.

use axum::extract::Query;
use axum::http::{HeaderMap, Uri, header};
use serde::Deserialize;

/// The dialect's name among a socket's subprotocols.
pub const PROTOCOL: &str = "sayso.v1";
/// A browser cannot set headers on a socket, but it can ask for a subprotocol.
const BEARER_PROTOCOL: &str = "sayso.bearer.";

/// A key or token, and the way it was shown. Never printed.
pub enum Shown {
    Nothing,
    Bearer(String),
    Ticket(String),
    /// A long-lived one, in an address that others may write down.
    InUrl(String),
}

/// Sockets may show what they have in ways that other requests may not.
pub fn shown(headers: &HeaderMap, uri: &Uri, is_socket: bool) -> Shown {
    if let Some(authorization) = headers.get(header::AUTHORIZATION) {
        return Shown::Bearer(bearer(authorization.to_str().unwrap_or_default()));
    }
    if !is_socket {
        return Shown::Nothing;
    }
    if let Some(secret) = subprotocol(headers) {
        return Shown::Bearer(secret);
    }
    let Ok(Query(InQuery { ticket, session_token })) = Query::try_from_uri(uri) else {
        return Shown::Nothing;
    };
    if !ticket.is_empty() {
        Shown::Ticket(ticket)
    } else if !session_token.is_empty() {
        Shown::InUrl(session_token)
    } else {
        Shown::Nothing
    }
}

#[derive(Deserialize)]
struct InQuery {
    #[serde(default)]
    ticket: String,
    #[serde(default)]
    session_token: String,
}

/// Anything else than a bearer is shown in vain.
fn bearer(authorization: &str) -> String {
    let (scheme, secret) = authorization.split_once(' ').unwrap_or_default();
    if scheme.eq_ignore_ascii_case("bearer") { secret.trim().to_owned() } else { String::new() }
}

fn subprotocol(headers: &HeaderMap) -> Option<String> {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL);
    let mut offered = offered.iter().filter_map(|line| line.to_str().ok());
    offered.find_map(|line| {
        line.split(',').find_map(|one| one.trim().strip_prefix(BEARER_PROTOCOL).map(str::to_owned))
    })
}
