//! The line to OpenAI's Realtime, or to whoever speaks like it: a WebSocket, and nothing
//! that decides. Neither what is said nor keys are ever logged.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Uri};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::conversation::{Conversation, Outcome};
use super::{Item, Line, Live, News, Setup, Tell};
use crate::provider::{Trouble, tongue, trouble};

/// An event is a piece of sound at most.
const LONGEST_EVENT: usize = 4 * 1024 * 1024;

/// Where a live voice is, and what it wants to be shown.
#[derive(Clone)]
pub struct Realtime {
    pub name: String,
    /// `https://host/v1`, as for every other door of the same provider.
    pub base: String,
    pub key: Option<String>,
    pub setup: Setup,
    /// Until the line is open and the conversation has begun.
    pub patience: Duration,
}

impl fmt::Debug for Realtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} at {})", self.name, self.setup.model, self.base)
    }
}

/// With TLS or without.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

type Socket = WebSocketStream<Box<dyn Stream>>;

impl Realtime {
    async fn dial(&self) -> Result<Socket, Trouble> {
        let uri = self.address()?;
        let is_private = uri.scheme_str() == Some("wss");
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = uri.port_u16().unwrap_or(if is_private { 443 } else { 80 });
        let stream = TcpStream::connect((host.as_str(), port)).await.map_err(|e| away(&e))?;
        stream.set_nodelay(true).map_err(|error| away(&error))?;
        let stream: Box<dyn Stream> = if is_private {
            let name = ServerName::try_from(host).map_err(|error| away(&error))?;
            Box::new(connector().connect(name, stream).await.map_err(|error| away(&error))?)
        } else {
            Box::new(stream)
        };
        self.shake_hands(stream).await
    }

    fn address(&self) -> Result<Uri, Trouble> {
        let url = format!("{}/realtime?model={}", socket_base(&self.base), self.setup.model);
        url.parse().map_err(|error| away(&error))
    }

    async fn shake_hands(&self, stream: Box<dyn Stream>) -> Result<Socket, Trouble> {
        let request = self.address()?.into_client_request();
        let mut request = request.map_err(|error| away(&error))?;
        if let Some(key) = &self.key {
            let shown = HeaderValue::from_str(&format!("Bearer {key}"));
            let mut shown = shown.map_err(|_| Trouble::WrongKey)?;
            shown.set_sensitive(true);
            request.headers_mut().insert(AUTHORIZATION, shown);
        }
        let config = WebSocketConfig::default()
            .max_message_size(Some(LONGEST_EVENT))
            .max_frame_size(Some(LONGEST_EVENT));
        match client_async_with_config(request, stream, Some(config)).await {
            Ok((socket, _)) => Ok(socket),
            Err(SocketError::Http(response)) => {
                let header =
                    |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
                let body = response.body().as_deref().unwrap_or_default();
                let again = trouble::again_after(header, jiff::Timestamp::now());
                Err(Trouble::of(response.status().as_u16(), body, again, &self.setup.model))
            }
            Err(error) => Err(away(&error)),
        }
    }

    /// Opens a conversation over a way that somebody else has made.
    pub async fn open_over(
        &self,
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        before: Vec<Item>,
    ) -> Result<Box<dyn Line>, Trouble> {
        let socket = self.shake_hands(Box::new(stream)).await?;
        Ok(Box::new(self.begin(socket, before).await?))
    }

    /// Up to the conversation that is ready.
    async fn begin(&self, mut socket: Socket, before: Vec<Item>) -> Result<Spoken, Trouble> {
        self.greeted(&mut socket, "session.created").await?;
        let (conversation, frames) = Conversation::begin(&self.setup, before);
        let (outbox, news) = (frames.into(), VecDeque::new());
        let mut spoken = Spoken { socket, conversation, outbox, news };
        spoken.send().await?;
        self.greeted(&mut spoken.socket, "session.updated").await?;
        Ok(spoken)
    }

    async fn dial_and_begin(&self, before: Vec<Item>) -> Result<Spoken, Trouble> {
        let begun = async { self.begin(self.dial().await?, before).await };
        let begun = tokio::time::timeout(self.patience, begun).await;
        begun.map_err(|_| Trouble::Slow("answer"))?
    }

    /// Waits for this event; whatever comes before it says why it does not come.
    async fn greeted(&self, socket: &mut Socket, wanted: &str) -> Result<(), Trouble> {
        loop {
            let event = next_event(socket).await?;
            let Some(event) = event else { continue };
            if event["type"] == wanted {
                return Ok(());
            }
            if event["type"] == "error" {
                return Err(refused(&event["error"], &self.setup.model));
            }
        }
    }
}

fn away(error: &dyn fmt::Display) -> Trouble {
    Trouble::Away(trouble::shortened(&error.to_string()))
}

/// What an error before the conversation means.
fn refused(error: &Value, model: &str) -> Trouble {
    let code = error["code"].as_str().unwrap_or_default();
    match code {
        "invalid_api_key" => Trouble::WrongKey,
        "model_not_found" => Trouble::NoModel(model.to_owned()),
        "insufficient_quota" => Trouble::NothingLeft,
        // It will not take the same another time.
        _ if error["type"] == "invalid_request_error" => {
            let said = error["message"].as_str().unwrap_or(code);
            Trouble::Unusable(trouble::shortened(said))
        }
        _ => Trouble::in_stream(error),
    }
}

/// The same place, by another scheme.
fn socket_base(base: &str) -> String {
    let base = tongue::versioned(base);
    for (http, socket) in [("https://", "wss://"), ("http://", "ws://")] {
        if let Some(rest) = base.strip_prefix(http) {
            return format!("{socket}{rest}");
        }
    }
    base
}

/// Trusts whom this machine trusts.
fn connector() -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider knows the usual versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config))
}

#[async_trait]
impl Live for Realtime {
    fn name(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &str {
        &self.setup.model
    }

    async fn open(&self, before: Vec<Item>) -> Result<Box<dyn Line>, Trouble> {
        Ok(Box::new(self.dial_and_begin(before).await?))
    }

    async fn examine(&self) -> Result<(), Trouble> {
        let mut spoken = self.dial_and_begin(Vec::new()).await?;
        // It need not wait for us; whether it says goodbye changes nothing.
        let _ = spoken.socket.close(None).await;
        Ok(())
    }
}

/// An open conversation.
struct Spoken {
    socket: Socket,
    conversation: Conversation,
    /// Not sent yet: whoever waited for news may have stopped waiting in the middle of it.
    outbox: VecDeque<Value>,
    news: VecDeque<News>,
}

impl Spoken {
    async fn send(&mut self) -> Result<(), Trouble> {
        while let Some(frame) = self.outbox.front() {
            let message = Message::text(frame.to_string());
            self.socket.feed(message).await.map_err(|_| Trouble::CutOff)?;
            self.outbox.pop_front();
        }
        self.socket.flush().await.map_err(|_| Trouble::CutOff)
    }

    fn look_at_clock(&mut self) {
        let now = tokio::time::Instant::now().into_std();
        self.outbox.extend(self.conversation.at(now));
    }
}

/// Never, where nothing is waited for.
async fn passed(until: Option<tokio::time::Instant>) {
    match until {
        Some(until) => tokio::time::sleep_until(until).await,
        None => std::future::pending().await,
    }
}

#[async_trait]
impl Line for Spoken {
    async fn tell(&mut self, tell: Tell) -> Result<(), Trouble> {
        if tell == Tell::Knock {
            let knock = self.socket.send(Message::Ping("sayso".into())).await;
            return knock.map_err(|_| Trouble::CutOff);
        }
        self.look_at_clock();
        self.outbox.extend(self.conversation.tell(tell));
        self.send().await
    }

    async fn next(&mut self) -> Result<News, Trouble> {
        loop {
            if !self.outbox.is_empty() {
                self.send().await?;
            }
            if let Some(news) = self.news.pop_front() {
                return Ok(news);
            }
            let until = self.conversation.until().map(tokio::time::Instant::from_std);
            let message = tokio::select! {
                message = self.socket.next() => message.ok_or(Trouble::CutOff)?,
                () = passed(until) => {
                    self.look_at_clock();
                    continue;
                }
            };
            match message.map_err(|_| Trouble::CutOff)? {
                Message::Pong(_) => return Ok(News::Knocked),
                Message::Close(_) => return Err(Trouble::CutOff),
                Message::Text(text) => {
                    // What is not JSON is not for us; the next one may be.
                    let event = serde_json::from_str(text.as_str()).unwrap_or(Value::Null);
                    let Outcome { frames, news } = self.conversation.read(&event);
                    self.outbox.extend(frames);
                    self.news.extend(news);
                    self.look_at_clock();
                }
                Message::Binary(_) | Message::Ping(_) | Message::Frame(_) => {}
            }
        }
    }
}

async fn next_event(socket: &mut Socket) -> Result<Option<Value>, Trouble> {
    match socket.next().await.ok_or(Trouble::CutOff)?.map_err(|_| Trouble::CutOff)? {
        Message::Text(text) => Ok(serde_json::from_str(text.as_str()).ok()),
        Message::Close(_) => Err(Trouble::CutOff),
        Message::Binary(_) | Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::provider::cost::Price;
    use crate::realtime::Prices;

    #[test]
    fn a_provider_s_usual_address_leads_to_its_socket() {
        for (base, socket) in [
            ("https://api.openai.com/v1", "wss://api.openai.com/v1"),
            ("http://127.0.0.1:1/v1/", "ws://127.0.0.1:1/v1"),
            ("https://api.openai.com", "wss://api.openai.com/v1"),
            ("wss://gateway.example/live", "wss://gateway.example/live"),
        ] {
            assert_eq!(socket_base(base), socket);
        }
    }

    #[test]
    fn what_is_wrong_with_the_settings_does_not_pass_by_itself() {
        let error = json!({ "type": "invalid_request_error", "code": "invalid_value",
            "message": "Turn detection is not supported for this transcription model." });
        let trouble = refused(&error, "live-1");
        assert!(trouble.lasts() && trouble.to_string().contains("Turn detection"), "{trouble}");
        let busy = json!({ "type": "server_error", "message": "later" });
        assert!(!refused(&busy, "live-1").lasts());
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_busy_and_never_says_when_it_is_over_is_asked_again() {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let server = tokio::spawn(async move {
            let mut socket = tokio_tungstenite::accept_async(theirs).await.unwrap();
            let mut busy = true;
            socket.send(Message::text(r#"{"type":"session.created"}"#)).await.unwrap();
            while let Some(Ok(Message::Text(text))) = socket.next().await {
                let asked: Value = serde_json::from_str(text.as_str()).unwrap();
                let event = &asked["event_id"];
                let told = match asked["type"].as_str() {
                    Some("session.update") => vec![json!({ "type": "session.updated" })],
                    Some("response.create") if std::mem::take(&mut busy) => {
                        let code = "conversation_already_has_active_response";
                        let error = json!({ "code": code, "event_id": event });
                        vec![json!({ "type": "error", "error": error })]
                    }
                    Some("response.create") => {
                        let begun = json!({ "id": "r1", "metadata": { "sayso": event } });
                        let over = json!({ "id": "r1", "status": "completed", "output": [] });
                        vec![
                            json!({ "type": "response.created", "response": begun }),
                            json!({ "type": "response.done", "response": over }),
                        ]
                    }
                    _ => Vec::new(),
                };
                for event in told {
                    socket.send(Message::text(event.to_string())).await.unwrap();
                }
            }
        });
        let price = Price { input: 1.0, cached: 1.0, output: 1.0 };
        let live = Realtime {
            name: "fake".into(),
            base: "http://localhost".into(),
            key: None,
            setup: Setup {
                model: "live-1".into(),
                voice: "cedar".into(),
                transcription: "write-1".into(),
                language: "en".into(),
                instructions: String::new(),
                tools: Vec::new(),
                prices: Prices {
                    text: price,
                    sound: price,
                    writing: price,
                    writing_a_minute: 0.017,
                },
            },
            patience: Duration::from_secs(5),
        };
        let mut line = live.open_over(ours, Vec::new()).await.unwrap();
        let began = tokio::time::Instant::now();

        line.tell(Tell::Answer(1)).await.unwrap();
        while !matches!(line.next().await.unwrap(), News::Over { answer: 1, end: Ok(_), .. }) {}

        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
        drop(line);
        server.await.unwrap();
    }
}
