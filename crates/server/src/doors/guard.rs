//! Stands before every route: where does it come from, who is it, may they?

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::lobby::Peer;
use super::origin::From;
use super::shown::{Shown, shown};
use super::{Counted, Doors, Login, NotWelcome, Ticket, Visitor, keys, proxy};
use crate::app::App;
use crate::limits::Wait;
use crate::routes::{self, Problem, ROUTES, Route, STREAM, Who};

/// What a page of a listed origin may send.
const ALLOWED_HEADERS: &str = "authorization, content-type";
const ALLOWED_METHODS: &str = "GET, POST, PUT, PATCH, DELETE";

const NOT_VALID: &str = "that key, token or ticket is not valid, or not any more";

/// Somebody else has used that ticket.
pub fn ticket_is_used() -> Response {
    refused("not_any_more");
    Refusal::Stranger(NOT_VALID).into_response()
}

pub async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let doors = &app.doors;
    let from = doors.origins.from(request.headers());
    let foreign = match &from {
        From::Here | From::Listed(_) => None,
        From::Elsewhere => {
            Some("requests must come from this server's own pages, or from one of `origins`")
        }
        From::ForeignHost => {
            Some("the Host of a request must be localhost or this machine's own, like 127.0.0.1")
        }
    };
    if let Some(message) = foreign {
        refused("foreign_origin");
        return Problem::new(StatusCode::FORBIDDEN, "foreign_origin", message).into_response();
    }
    let mut response = if is_preflight(&request) {
        StatusCode::NO_CONTENT.into_response()
    } else {
        match doors.admit(&mut request).await.and_then(|()| app.has_had_enough(&request)) {
            Ok(()) => next.run(request).await,
            Err(refusal) => refusal.into_response(),
        }
    };
    if let From::Listed(origin) = from {
        tell_browser(response.headers_mut(), origin);
    }
    response
}

impl App {
    /// What a request looks up or changes is counted here; streams count what they
    /// carry by themselves.
    fn has_had_enough(&self, request: &Request) -> Result<(), Refusal> {
        let Some(Counted(whose)) = request.extensions().get() else { return Ok(()) };
        let counted = match *request.method() {
            _ if request.uri().path() == STREAM => return Ok(()),
            Method::GET | Method::HEAD => ("read", self.allowances.read(whose)),
            _ => ("change", self.allowances.change(whose)),
        };
        let (scope, counted) = counted;
        counted.map_err(|wait| Refusal::Said(Problem::held_back(scope, wait)))
    }
}

/// A browser asks whether a page may, before it lets it.
fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn tell_browser(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    let allowed = HeaderValue::from_static;
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed(ALLOWED_HEADERS));
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, allowed(ALLOWED_METHODS));
}

/// Why somebody is not let in.
enum Refusal {
    Said(Problem),
    /// Nobody, or somebody we do not know; which of the two is told, and no more.
    Stranger(&'static str),
    TooMany(Duration),
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::Said(problem) => problem.into_response(),
            Self::Stranger(message) => {
                let problem = Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", message);
                ([(header::WWW_AUTHENTICATE, "Bearer")], problem).into_response()
            }
            Self::TooMany(wait) => {
                // Never 0: that would mean at once.
                let seconds = wait.as_secs() + 1;
                let message = format!(
                    "too many wrong keys or tokens from your address; try again in {seconds} s"
                );
                let status = StatusCode::TOO_MANY_REQUESTS;
                let wait = Wait(Duration::from_secs(seconds));
                Problem::new(status, "too_many_failures", message).after(wait).into_response()
            }
        }
    }
}

impl Doors {
    /// Finds out who it is and whether they may; then the request carries its [`Visitor`].
    async fn admit(&self, request: &mut Request) -> Result<(), Refusal> {
        let Some(route) = route(request).map_err(Refusal::Said)? else { return Ok(()) };
        if route.who == Who::Anybody {
            return Ok(());
        }
        let mut ticket = None;
        let visitor = match &self.login {
            None => Visitor::at_home(),
            Some(login) => {
                let (headers, uri) = (request.headers(), request.uri());
                let shown = shown(headers, uri, route.is_socket);
                let stays_here = login.secrets_in_urls && !proxy::has_passed_on(headers);
                if matches!(shown, Shown::InUrl(_)) && !stays_here {
                    refused("secret_in_url");
                    return Err(Refusal::Stranger(
                        "a key or token does not belong into an address: \
                         `POST /chat/ticket` gives a ticket that does",
                    ));
                }
                if let Shown::Ticket(shown) = &shown {
                    ticket = Some(shown.clone());
                }
                self.ask_who(login, self.address(request), shown).await?
            }
        };
        if route.who == Who::Operator && !visitor.operator {
            refused("operators_only");
            let message = "this concerns everybody; it takes a key made with --operator";
            let problem = Problem::new(StatusCode::FORBIDDEN, "operators_only", message);
            return Err(Refusal::Said(problem));
        }
        let counted = Counted(visitor.counted(self.address(request)));
        request.extensions_mut().insert(Ticket(ticket));
        request.extensions_mut().insert(visitor);
        request.extensions_mut().insert(counted);
        Ok(())
    }

    /// Where it comes from, as far as we believe it.
    fn address(&self, request: &Request) -> IpAddr {
        let peer = request.extensions().get::<ConnectInfo<Peer>>();
        let peer = peer.map(|ConnectInfo(peer)| peer.address.ip());
        let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        self.proxies.behind(peer, request.headers())
    }

    async fn ask_who(
        &self,
        login: &Login,
        address: IpAddr,
        shown: Shown,
    ) -> Result<Visitor, Refusal> {
        if matches!(shown, Shown::Nothing) {
            refused("nothing_shown");
            return Err(Refusal::Stranger(
                "say who you are: `Authorization: Bearer` with a key or token",
            ));
        }
        if let Some(wait) = login.failures.wait(address, Instant::now()) {
            refused("too_many_failures");
            return Err(Refusal::TooMany(wait));
        }
        match self.known(login, shown).await? {
            Ok(visitor) => return Ok(visitor),
            // A tab whose token has run out asks again and again, and guesses nothing.
            Err(NotWelcome::AnyMore) => refused("not_any_more"),
            Err(NotWelcome::Unknown) => {
                refused("unknown");
                if login.failures.note(address, Instant::now()) {
                    let told = "too many wrong keys or tokens; the address has to wait";
                    tracing::warn!(%address, "{told}");
                }
            }
        }
        Err(Refusal::Stranger(NOT_VALID))
    }

    async fn known(
        &self,
        login: &Login,
        shown: Shown,
    ) -> Result<Result<Visitor, NotWelcome>, Refusal> {
        let secret = match shown {
            Shown::Nothing => return Ok(Err(NotWelcome::Unknown)),
            Shown::Ticket(ticket) => {
                let visitor = match self.tickets.show(&ticket) {
                    Ok(visitor) => visitor,
                    Err(why) => return Ok(Err(why)),
                };
                // It was bought with something that may have been revoked since.
                let welcome = self.still_welcome(&visitor).await;
                return Ok(welcome.map(|()| visitor).map_err(|_| NotWelcome::AnyMore));
            }
            Shown::InUrl(secret) => {
                tracing::warn!("a key or token came in an address, where others may write it down");
                secret
            }
            Shown::Bearer(secret) => secret,
        };
        if !secret.starts_with(keys::PREFIX)
            && let Some(jwt) = &login.jwt
        {
            return Ok(jwt.visitor(&secret).await);
        }
        keys::visitor(&*self.store, &secret).await.map_err(|error| {
            Refusal::Said(Problem::store_unavailable("a key could not be looked up", &error))
        })
    }

    /// A ticket for somebody who was let in; `None` while they have too many.
    pub fn sell_ticket(&self, visitor: Visitor) -> Option<String> {
        self.tickets.sell(visitor)
    }
}

/// What this request needs; `None` where there is nothing to be reached.
fn route(request: &Request) -> Result<Option<&'static Route>, Problem> {
    let Some(path) = request.extensions().get::<MatchedPath>() else { return Ok(None) };
    let path = path.as_str();
    if routes::is_page(path) {
        return Ok(None);
    }
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let mut there = ROUTES.iter().filter(|route| route.path == path).peekable();
    if there.peek().is_none() {
        // Nobody has said who may use it; so nobody may.
        tracing::error!(path, "a route does not stand in the list of routes");
        let message = "nobody has said who may use this";
        return Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "not_listed", message));
    }
    match there.find(|route| route.method == method) {
        Some(route) => Ok(Some(route)),
        None => Err(routes::not_that_way(request.method(), request.uri().path())),
    }
}

fn refused(why: &'static str) {
    metrics::counter!("sayso_refused_total", "why" => why).increment(1);
}
