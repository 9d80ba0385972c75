//! A client that says what it is told to and remembers nothing.

use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Response;
use tokio_tungstenite::tungstenite::http::HeaderName;
use tokio_tungstenite::tungstenite::{self, Error, Message, WebSocket};

use crate::event;
use crate::house::{House, PATIENCE};

pub struct Client {
    socket: WebSocket<TcpStream>,
}

/// What can come out of a socket.
#[derive(Debug)]
pub enum Heard {
    Event(Value),
    Closed(u16),
    /// The other side went without a word.
    Gone,
}

impl Client {
    /// Begins a new session.
    pub fn new(house: &House) -> Self {
        Self::at(house, "")
    }

    /// Comes back to a session that exists.
    pub fn back(house: &House, session: &str) -> Self {
        Self::at(house, &format!("?session_id={session}"))
    }

    /// The same where the server may be dead by now.
    #[cfg(feature = "perils")]
    pub fn try_back(house: &House, session: &str) -> Option<Self> {
        let stream = TcpStream::connect(house.address()).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let url = format!("ws://{}/chat/stream?session_id={session}", house.address());
        let (socket, _) = tungstenite::client(url, stream).ok()?;
        Some(Self { socket })
    }

    pub fn at(house: &House, query: &str) -> Self {
        Self::showing(house, query, &[]).0
    }

    /// Comes in with these headers; also what was answered.
    pub fn showing(house: &House, query: &str, headers: &[(&str, &str)]) -> (Self, Response) {
        let stream = TcpStream::connect(house.address()).expect("the server takes connections");
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://{}/chat/stream{query}", house.address());
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let (socket, answer) =
            tungstenite::client(request, stream).expect("the server opens a WebSocket");
        (Self { socket }, answer)
    }

    pub fn say(&mut self, text: &str) {
        self.send(&json!({ "event_type": "text.input", "payload": { "text": text } }));
    }

    pub fn send(&mut self, frame: &Value) {
        self.send_message(Message::text(frame.to_string()));
    }

    /// Sends a frame to a server that may be dead, or has hung up; false if so.
    pub fn try_send(&mut self, frame: &Value) -> bool {
        self.socket.send(Message::text(frame.to_string())).is_ok()
    }

    pub fn send_message(&mut self, message: Message) {
        self.socket.send(message).expect("the server takes frames");
    }

    /// Bytes as they are, for frames that no decent client would send.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.socket.get_mut().write_all(bytes)
    }

    pub fn stream(&self) -> &TcpStream {
        self.socket.get_ref()
    }

    /// One whole turn.
    pub fn turn(&mut self, text: &str) -> Vec<Value> {
        self.say(text);
        self.listen(&format!("the whole turn about \"{text}\""))
    }

    /// The next whole turn, whoever began it. What an earlier one still had to
    /// say is passed over.
    pub fn listen(&mut self, expected: &str) -> Vec<Value> {
        let mut begun = false;
        let mut events = self.until(expected, |event| {
            begun |= event::kind(event) == "turn.start";
            begun && event::ends_turn(event)
        });
        let start = events.iter().position(|event| event::kind(event) == "turn.start");
        events.split_off(start.expect("it has begun"))
    }

    /// Which session this is; also what came before the answer to that question.
    pub fn catch_up(&mut self) -> (String, Vec<Value>) {
        self.send(&json!({ "event_type": "session.ping" }));
        let mut events = self.until("session.pong", |event| event::kind(event) == "session.pong");
        let pong = events.pop().unwrap();
        (pong["session_id"].as_str().unwrap().to_owned(), events)
    }

    pub fn session(&mut self) -> String {
        self.catch_up().0
    }

    /// Everything up to and with the first event that `is_last`.
    pub fn until(&mut self, expected: &str, mut is_last: impl FnMut(&Value) -> bool) -> Vec<Value> {
        let until = Instant::now() + PATIENCE;
        let mut events = Vec::new();
        loop {
            let event = self.event_until(until, expected);
            let last = is_last(&event);
            events.push(event);
            if last {
                return events;
            }
        }
    }

    /// Everything up to and with the first event that `is_last`, or up to the
    /// end of the connection; whether it is still there.
    #[cfg(feature = "perils")]
    pub fn until_gone_or(&mut self, mut is_last: impl FnMut(&Value) -> bool) -> (bool, Vec<Value>) {
        let (until, mut events) = (Instant::now() + PATIENCE, Vec::new());
        loop {
            let Heard::Event(event) = self.hear(until, "an event, or the end") else {
                return (false, events);
            };
            let last = is_last(&event);
            events.push(event);
            if last {
                return (true, events);
            }
        }
    }

    pub fn next(&mut self, expected: &str) -> Value {
        self.event_until(Instant::now() + PATIENCE, expected)
    }

    /// The code it is closed with, and what came before.
    pub fn until_closed(&mut self) -> (Option<u16>, Vec<Value>) {
        let until = Instant::now() + PATIENCE;
        let mut events = Vec::new();
        loop {
            match self.hear(until, "the end of the connection") {
                Heard::Event(event) => events.push(event),
                Heard::Closed(code) => return (Some(code), events),
                Heard::Gone => return (None, events),
            }
        }
    }

    fn event_until(&mut self, until: Instant, expected: &str) -> Value {
        match self.hear(until, expected) {
            Heard::Event(event) => event,
            end => panic!("expected {expected}, but the connection ended: {end:?}"),
        }
    }

    fn hear(&mut self, until: Instant, expected: &str) -> Heard {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "waited {PATIENCE:?} for {expected}");
            self.stream().set_read_timeout(Some(left)).unwrap();
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let event = serde_json::from_str(text.as_str());
                    return Heard::Event(event.expect("every frame of the server is JSON"));
                }
                Ok(Message::Close(Some(frame))) => return Heard::Closed(frame.code.into()),
                Ok(Message::Close(None)) => return Heard::Gone,
                Ok(_) => {}
                Err(Error::Io(error)) if is_timeout(&error) => {}
                Err(_) => return Heard::Gone,
            }
        }
    }
}

pub fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
