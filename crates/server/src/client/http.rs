//! One HTTP request to a server.

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::body::Body;
use axum::http::{Method, Request, header};
use http_body_util::{BodyExt, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::error::Elapsed;

use super::Remote;

/// Nothing that is asked for here takes longer.
const PATIENCE: Duration = Duration::from_mins(1);
/// Nor is any answer larger.
const LARGEST: usize = 16 * 1024 * 1024;
const JSON: &str = "application/json";

/// What came back: the status and the body, `null` where it was not JSON.
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    /// The server's own words for what went wrong.
    pub fn problem(&self) -> String {
        let message = self.body["error"]["message"].as_str();
        let message =
            message.map_or_else(|| format!("the server answered {}", self.status), str::to_owned);
        if self.status == 401 { format!("{message}; {}", super::SHOW_A_KEY) } else { message }
    }
}

pub async fn request(
    server: &Remote,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> anyhow::Result<Answer> {
    let body = body.map(Value::to_string).unwrap_or_default();
    send(server, method, path, JSON, body.into()).await
}

/// Hands a file over; what comes back tells its id.
pub async fn hand_over(server: &Remote, name: &str, contents: &[u8]) -> anyhow::Result<Answer> {
    // Long enough that no file has it by accident.
    let edge = format!("sayso-{}", uuid::Uuid::now_v7().simple());
    let name: String = name.chars().filter(|c| !c.is_control() && *c != '"').collect();
    let mut body = format!(
        "--{edge}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(contents);
    body.extend_from_slice(format!("\r\n--{edge}--\r\n").as_bytes());
    let kind = format!("multipart/form-data; boundary={edge}");
    send(server, Method::POST, "/chat/attachment/upload", &kind, body).await
}

/// What came back, as it came.
pub struct Raw {
    pub status: u16,
    pub body: Vec<u8>,
}

/// Sends something and takes whatever comes back.
pub async fn post(
    server: &Remote,
    path: &str,
    kind: &str,
    body: Vec<u8>,
    patience: Duration,
) -> anyhow::Result<Raw> {
    let line = call(server).await.with_context(|| format!("nobody answers at {server}"))?;
    let request = written(server, Method::POST, path, kind, body)?;
    exchange(line, request, patience).await.with_context(|| format!("{server} does not answer"))?
}

/// The outer failure is that nothing came in time.
async fn exchange(
    (mut sender, connection): Line,
    request: Request<Body>,
    patience: Duration,
) -> Result<anyhow::Result<Raw>, Elapsed> {
    let answered = async {
        let response = sender.send_request(request).await?;
        let status = response.status().as_u16();
        let body = Limited::new(response.into_body(), LARGEST).collect().await;
        let body = body.map_err(anyhow::Error::from_boxed)?.to_bytes().to_vec();
        anyhow::Ok(Raw { status, body })
    };
    let answer = tokio::time::timeout(patience, answered).await;
    connection.abort();
    answer
}

async fn send(
    server: &Remote,
    method: Method,
    path: &str,
    kind: &str,
    body: Vec<u8>,
) -> anyhow::Result<Answer> {
    let line = call_sayso(server).await?;
    let request = written(server, method, path, kind, body)?;
    let raw = exchange(line, request, PATIENCE).await;
    let raw = raw.with_context(|| format!("{server} does not answer"))??;
    Ok(Answer { status: raw.status, body: serde_json::from_slice(&raw.body).unwrap_or_default() })
}

/// Listens to a stream of lines until it ends, or until `take` has heard enough.
pub async fn lines(
    server: &Remote,
    path: &str,
    mut take: impl FnMut(&str) -> ControlFlow<()>,
) -> anyhow::Result<()> {
    let (mut sender, connection) = call_sayso(server).await?;
    let request = written(server, Method::GET, path, JSON, Vec::new())?;
    let response = sender.send_request(request).await?;
    let status = response.status().as_u16();
    let mut body = response.into_body();
    if status != 200 {
        let bytes = Limited::new(body, LARGEST).collect().await;
        let bytes = bytes.map_err(anyhow::Error::from_boxed)?.to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or_default();
        bail!("{}", Answer { status, body }.problem());
    }
    let mut text = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame?.into_data() else { continue };
        text.extend_from_slice(&piece);
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            if take(String::from_utf8_lossy(&line).trim_end()).is_break() {
                connection.abort();
                return Ok(());
            }
        }
    }
    Ok(())
}

type Line = (http1::SendRequest<Body>, JoinHandle<hyper::Result<()>>);

async fn call_sayso(server: &Remote) -> anyhow::Result<Line> {
    call(server).await.with_context(|| format!("no Sayso answers at {server}"))
}

async fn call(server: &Remote) -> anyhow::Result<Line> {
    let stream = server.open().await?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    Ok((sender, tokio::spawn(connection)))
}

fn written(
    server: &Remote,
    method: Method,
    path: &str,
    kind: &str,
    body: Vec<u8>,
) -> anyhow::Result<Request<Body>> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, server.base())
        .header(header::CONTENT_TYPE, kind);
    if let Some(key) = server.key() {
        request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    Ok(request.body(Body::from(body))?)
}
