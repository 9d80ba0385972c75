//! Sends a trace of every turn that is over to an OTLP receiver, over HTTP.
//!
//! It watches like anybody else may: nobody in a conversation waits for it. When the
//! receiver is slow or away, spans are kept up to a limit, tried a few times, and then
//! dropped and counted.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, header};
use brain::{Envelope, Event};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::InstrumentationScope;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;
use store::Store;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::spans::{self, Walked};
use crate::client::Remote;
use crate::config::Telemetry;

/// Spans wait so long for others to go with them.
const TOGETHER: Duration = Duration::from_secs(1);
/// And so many go at once at most.
const AT_ONCE: usize = 512;
/// A receiver that has not answered by then is tried again.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between the tries of one batch.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(3)];
/// What a receiver says is not read beyond this.
const LARGEST_ANSWER: usize = 64 * 1024;

/// Where traces go.
#[derive(Clone)]
pub struct Receiver {
    remote: Remote,
    path: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    resource: Resource,
}

/// What became of one try.
#[derive(Debug)]
enum Refused {
    /// It may take it later.
    Later(anyhow::Error),
    /// It will never take this.
    Never(anyhow::Error),
}

impl Receiver {
    /// `None` while nobody has named one.
    pub fn of(settings: &Telemetry) -> anyhow::Result<Option<Self>> {
        let endpoint = settings.otlp_endpoint.trim_end_matches('/');
        if endpoint.is_empty() {
            return Ok(None);
        }
        let (remote, path) = Remote::split(endpoint).context("in `telemetry.otlp_endpoint`")?;
        let headers = settings.otlp_headers.iter().map(|header| {
            let (name, value) = header
                .split_once('=')
                .with_context(|| "`telemetry.otlp_headers` holds name=value".to_owned())?;
            let mut value: HeaderValue = value.trim().parse().context("a header is plain text")?;
            value.set_sensitive(true);
            Ok((name.trim().parse().context("a header has a plain name")?, value))
        });
        let attributes = vec![
            spans::text("service.name", &settings.service_name),
            spans::text("service.version", env!("CARGO_PKG_VERSION")),
        ];
        Ok(Some(Self {
            remote,
            path: format!("{}/v1/traces", path.trim_end_matches('/')),
            headers: headers.collect::<anyhow::Result<_>>()?,
            resource: Resource { attributes, ..Resource::default() },
        }))
    }

    /// Nothing, sent to see whether it is taken.
    pub async fn try_out(&self) -> anyhow::Result<()> {
        match self.send(&self.request(Vec::new())).await {
            Ok(()) => Ok(()),
            Err(Refused::Later(error) | Refused::Never(error)) => Err(error),
        }
    }

    fn request(&self, spans: Vec<Span>) -> Vec<u8> {
        let scope = InstrumentationScope {
            name: "sayso".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            ..InstrumentationScope::default()
        };
        let spans = ScopeSpans { scope: Some(scope), spans, ..ScopeSpans::default() };
        let resource = Some(self.resource.clone());
        let spans =
            ResourceSpans { resource, scope_spans: vec![spans], ..ResourceSpans::default() };
        ExportTraceServiceRequest { resource_spans: vec![spans] }.encode_to_vec()
    }

    async fn send(&self, body: &[u8]) -> Result<(), Refused> {
        let answered = tokio::time::timeout(PATIENCE, self.post(body)).await;
        let status = match answered {
            Ok(Ok(status)) => status,
            Ok(Err(error)) => return Err(Refused::Later(error)),
            Err(_) => return Err(Refused::Later(anyhow::anyhow!("no answer in time"))),
        };
        let told = || anyhow::anyhow!("it answered {status}");
        match status {
            200..=299 => Ok(()),
            429 | 502 | 503 | 504 => Err(Refused::Later(told())),
            _ => Err(Refused::Never(told())),
        }
    }

    async fn post(&self, body: &[u8]) -> anyhow::Result<u16> {
        let stream = self.remote.open().await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(&self.path)
            .header(header::HOST, self.remote.base())
            .header(header::CONTENT_TYPE, "application/x-protobuf");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request = request.body(Body::from(body.to_vec()))?;
        let answered = async {
            let response = sender.send_request(request).await?;
            let status = response.status().as_u16();
            let answer = Limited::new(response.into_body(), LARGEST_ANSWER).collect().await;
            if answer.is_err() {
                bail!("its answer broke off");
            }
            Ok(status)
        };
        let status = answered.await;
        connection.abort();
        status
    }
}

/// Runs beside the conversations until it is told to stop.
pub struct Traces {
    receiver: Receiver,
    store: Arc<dyn Store>,
    waiting: Vec<Span>,
}

impl Traces {
    /// Returns once everything that was over before `stop` has been sent, or could not be.
    pub fn start(
        receiver: Receiver,
        store: Arc<dyn Store>,
        events: broadcast::Receiver<Arc<Envelope>>,
        stop: CancellationToken,
    ) -> JoinHandle<()> {
        let traces = Self { receiver, store, waiting: Vec::new() };
        tokio::spawn(traces.run(events, stop))
    }

    async fn run(
        mut self,
        mut events: broadcast::Receiver<Arc<Envelope>>,
        stop: CancellationToken,
    ) {
        let mut send_at: Option<Instant> = None;
        loop {
            let is_due = async {
                match send_at {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                event = events.recv() => match event {
                    Ok(envelope) => self.take(&envelope).await,
                    Err(RecvError::Lagged(missed)) => {
                        tracing::warn!(missed, "too much happened at once to be traced");
                    }
                    Err(RecvError::Closed) => break,
                },
                () = is_due => {
                    self.flush(true).await;
                }
                () = stop.cancelled() => break,
            }
            if self.waiting.len() >= AT_ONCE {
                self.flush(true).await;
            }
            send_at = match (self.waiting.is_empty(), send_at) {
                (true, _) => None,
                (false, known) => known.or_else(|| Some(Instant::now() + TOGETHER)),
            };
        }
        while let Ok(envelope) = events.try_recv() {
            self.take(&envelope).await;
        }
        // Nobody stays for a receiver that is away.
        self.flush(false).await;
    }

    async fn take(&mut self, envelope: &Envelope) {
        let is_end =
            matches!(envelope.event, Event::TurnEnded { .. } | Event::TurnCancelled { .. });
        let Some(turn) = envelope.turn_id.filter(|_| is_end) else { return };
        match Walked::read(&*self.store, turn).await {
            Ok(Some(walked)) => self.waiting.extend(spans::of(&walked)),
            // A temporary chat may be over by now.
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, turn_id = %turn, "a turn could not be traced"),
        }
    }

    async fn flush(&mut self, patient: bool) {
        let spans = std::mem::take(&mut self.waiting);
        if spans.is_empty() {
            return;
        }
        let count = spans.len() as u64;
        let body = self.receiver.request(spans);
        let mut pauses = PAUSES.iter().filter(|_| patient);
        loop {
            match (self.receiver.send(&body).await, pauses.next()) {
                (Ok(()), _) => {
                    metrics::counter!("sayso_spans_sent_total").increment(count);
                    return;
                }
                (Err(Refused::Later(_)), Some(pause)) => tokio::time::sleep(*pause).await,
                (Err(Refused::Later(error) | Refused::Never(error)), _) => {
                    tracing::warn!(%error, spans = count, "traces were not taken and are dropped");
                    metrics::counter!("sayso_spans_dropped_total").increment(count);
                    return;
                }
            }
        }
    }
}
