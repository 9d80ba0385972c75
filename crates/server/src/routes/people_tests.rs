//! People with a server of their own, each with one of everything that has an id.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::Method;
use brain::audit::Line;
use futures_util::{SinkExt, StreamExt};
use jiff::Timestamp;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::{Map, Value, json};
use store::sqlite::SqliteStore;
use store::{KeyRow, Keys};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use tokio_util::sync::CancellationToken;

use super::router;
use crate::app::App;
use crate::client::{Remote, http};
use crate::config::{Auth, Limits, Settings};
use crate::doors::keys::{PREFIX, fingerprint, new_id, new_secret, user_named};
use crate::doors::lobby::Lobby;
use crate::doors::proxy::Proxies;

/// Nothing here takes longer unless it is broken, also where many tests share few cores.
const PATIENCE: Duration = Duration::from_mins(1);
pub const PRIYA: &str = "priya.nair@brightloom.example";

/// A server with people in it.
pub struct Place {
    address: SocketAddr,
    pub app: Arc<App>,
    pub people: Vec<Person>,
    _folder: TempDir,
}

/// Somebody, and what is theirs.
pub struct Person {
    pub name: &'static str,
    pub key: String,
    /// By the kind of thing.
    pub things: Map<String, Value>,
}

/// A time that is not far off, whenever this is run.
pub fn in_days(days: i64) -> jiff::Zoned {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    now.saturating_add(jiff::SignedDuration::from_hours(24 * days))
}

impl Place {
    pub async fn with(names: &[&'static str]) -> Self {
        let folder = TempDir::new().unwrap();
        let settings = Settings {
            data: folder.path().into(),
            demo: true,
            auth: Auth { required: true, failures_per_minute: 0, ..Auth::default() },
            // Somebody here comes back a hundred times.
            limits: Limits { returns_per_minute: 0, ..Limits::default() },
            ..Settings::default()
        };
        let mut keys = Vec::new();
        for name in names {
            keys.push((*name, add_key(folder.path(), name).await));
        }
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let (app, _) = App::open(&settings, metrics).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let lobby =
            Lobby::new(listener, None, Proxies::new(&settings.proxies).unwrap(), &settings.limits);
        tokio::spawn(lobby.serve(router(app.clone()), CancellationToken::new()));
        let mut place = Self { address, app, people: Vec::new(), _folder: folder };
        for (name, key) in keys {
            let person = Person { name, key, things: Map::new() };
            let things = place.things_of(&person).await;
            place.people.push(Person { things, ..person });
        }
        place
    }

    /// One of everything that has an id.
    async fn things_of(&self, person: &Person) -> Map<String, Value> {
        let ask = |tool: &'static str, args: Value| {
            self.post(person, "/tools/run", json!({ "tool_name": tool, "args": args }))
        };
        let mail = json!({ "to": [PRIYA], "subject": person.name, "body": "Thursday works." });
        let card = ask("gmail.send", mail.clone()).await.body;
        let draft = ask("gmail.create_draft", mail.clone()).await.body["output"].clone();
        for (tool, args) in [
            ("gmail.send", mail),
            ("memory.write", json!({ "memory": "Tom likes tea" })),
            ("calendar.create_event", json!({ "title": person.name, "start": in_days(2) })),
        ] {
            let card = ask(tool, args).await.body;
            let yes = json!({
                "session_id": card["session_id"],
                "confirmation_request_id": card["confirmation_request_id"],
                "decision": "accept",
            });
            assert_eq!(self.post(person, "/chat/confirm", yes).await.status, 200);
        }
        let until = Instant::now() + PATIENCE;
        let soon = json!({ "start": in_days(1), "end": in_days(3) });
        let agenda = json!({ "date_range": soon, "query": person.name });
        let (sent, memory, event) = loop {
            let query = format!("in:sent {}", person.name);
            let sent = ask("gmail.search", json!({ "query": query })).await.body;
            let kept = ask("memory.retrieve", json!({ "context": "tea" })).await.body;
            let booked = ask("calendar.list_events", agenda.clone()).await.body;
            let (sent, kept) = (&sent["output"]["messages"][0], &kept["output"]["memories"][0]);
            // Some day of the week a sample event has a guest of the same name.
            let events = booked["output"]["events"].as_array().into_iter().flatten();
            let booked = events.into_iter().find(|event| event["title"] == person.name);
            if let Some(booked) = booked.filter(|_| sent.is_object() && kept.is_object()) {
                break (sent.clone(), kept.clone(), booked.clone());
            }
            assert!(Instant::now() < until, "what was agreed to is done");
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let session = card["session_id"].as_str().unwrap();
        let heard = self.talk(person, &format!("?session_id={session}")).await;
        let turn = heard.iter().find(|event| event["event_type"] == "turn.start").unwrap();
        let start = || self.post(person, "/chat/session/start", json!({}));
        let due_at = "2099-01-01T09:00:00+00:00[UTC]";
        let reminder = || ask("reminders.set", json!({ "text": "tea", "due_at": due_at }));
        let file = |answer: String| {
            let body = answer.split_once("\r\n\r\n").unwrap().1.to_owned();
            serde_json::from_str::<Value>(&body).unwrap()["file_id"].clone()
        };
        let thing = json!({
            "chat": start().await.body["thread_id"],
            "spare chat": start().await.body["thread_id"],
            "job": reminder().await.body["output"]["job_id"],
            "spare job": reminder().await.body["output"]["job_id"],
            "file": file(self.upload(person, None).await),
            "spare file": file(self.upload(person, None).await),
            "session": session,
            "card": card["confirmation_request_id"],
            "turn": turn["turn_id"],
            "bubble": heard.iter().rev().find_map(|event| event["message_id"].as_str()),
            "draft": draft["draft_id"],
            "mail thread": sent["thread_id"],
            "mail": sent["message_id"],
            "memory": memory["memory_id"],
            "event": event["event_id"],
        });
        let Value::Object(things) = thing else { unreachable!() };
        things
    }

    pub async fn post(&self, person: &Person, path: &str, body: Value) -> http::Answer {
        self.request(person, Method::POST, path, body).await
    }

    pub async fn request(
        &self,
        person: &Person,
        method: Method,
        path: &str,
        body: Value,
    ) -> http::Answer {
        let remote = Remote::new(&self.address.to_string(), Some(person.key.clone())).unwrap();
        http::request(&remote, method, path, Some(&body)).await.unwrap()
    }

    /// Hands a small file over, in that session; the answer as it stands on the wire.
    pub async fn upload(&self, person: &Person, session: Option<&str>) -> String {
        let part = "--edge\r\nContent-Disposition: form-data; name=";
        let session = session.map(|id| format!("{part}\"session_id\"\r\n\r\n{id}\r\n"));
        let body = format!(
            "{}{part}\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--edge--\r\n",
            session.unwrap_or_default()
        );
        let request = format!(
            "POST /chat/attachment/upload HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            person.key,
            body.len()
        );
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    /// What is said to somebody who connects there, up to the answer to a ping, or
    /// why they were turned away.
    pub async fn talk(&self, person: &Person, query: &str) -> Vec<Value> {
        match self.connect(person, query).await {
            Ok(mut socket) => until_pong(&mut socket).await,
            Err(refusal) => vec![json!(refusal)],
        }
    }

    /// What is said about a frame of somebody in a session of their own.
    pub async fn say(&self, person: &Person, mut frame: Value) -> Vec<Value> {
        let query = format!("?session_id={}", person.things["session"].as_str().unwrap());
        let mut socket = self.connect(person, &query).await.unwrap();
        until_pong(&mut socket).await;
        let name = crate::client::new_id();
        frame["event_id"] = name.as_str().into();
        socket.send(Message::text(frame.to_string())).await.unwrap();
        // This one is not answered; what is told about it is told before the next answer.
        if frame["event_type"] == "playback.progress" {
            return until_pong(&mut socket).await;
        }
        // What is said begins a turn, and what came of it is known when that is over.
        let begins_a_turn = frame["event_type"] == "text.input";
        let (mut heard, mut is_taken) = (Vec::new(), false);
        loop {
            let next = tokio::time::timeout(PATIENCE, socket.next()).await;
            let message = next.expect("an answer").expect("it stays open").unwrap();
            let Message::Text(text) = message else { continue };
            let event: Value = serde_json::from_str(&text).unwrap();
            is_taken |= event["payload"]["in_reply_to"] == name.as_str();
            let is_over = event["payload"]["to"] == "idle" || event["event_type"] == "error";
            heard.push(event);
            if is_taken && (is_over || !begins_a_turn) {
                return heard;
            }
        }
    }

    async fn connect(&self, person: &Person, query: &str) -> Result<Socket, String> {
        let url = format!("ws://{}/chat/stream{query}", self.address);
        let mut request = url.into_client_request().unwrap();
        let bearer = format!("Bearer {}", person.key).parse().unwrap();
        request.headers_mut().insert("authorization", bearer);
        let stream = TcpStream::connect(self.address).await.unwrap();
        client_async(request, stream).await.map(|(socket, _)| socket).map_err(|e| e.to_string())
    }
}

type Socket = WebSocketStream<TcpStream>;

async fn until_pong(socket: &mut Socket) -> Vec<Value> {
    let ping = json!({ "event_type": "session.ping" }).to_string();
    // It may be closed already; why is still to be read.
    let _ = socket.send(Message::text(ping)).await;
    let mut heard = Vec::new();
    loop {
        let next = tokio::time::timeout(PATIENCE, socket.next()).await;
        match next.expect("an answer to a ping") {
            Some(Ok(Message::Text(text))) => {
                let event: Value = serde_json::from_str(&text).unwrap();
                if event["event_type"] == "session.pong" {
                    return heard;
                }
                heard.push(event);
            }
            Some(Ok(Message::Close(frame))) => heard.push(json!(format!("{frame:?}"))),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return heard,
        }
    }
}

async fn add_key(folder: &std::path::Path, name: &str) -> String {
    let secret = new_secret(PREFIX);
    let row = KeyRow {
        key: new_id(),
        fingerprint: fingerprint(&secret),
        name: "test".into(),
        user: user_named(name).unwrap(),
        user_name: name.into(),
        operator: true,
        created_at: Timestamp::now(),
        expires_at: None,
        revoked_at: None,
    };
    let line = Line::new(Timestamp::now(), row.user, "key_created");
    SqliteStore::open(&folder.join("sayso.db")).unwrap().add_key(row, line).await.unwrap();
    secret
}
