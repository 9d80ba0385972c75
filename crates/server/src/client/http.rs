//! One HTTP request to a server on this machine.

use anyhow::Context;
use axum::body::Body;
use axum::http::{Method, Request, header};
use http_body_util::BodyExt;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// What came back: the status and the body, `null` where it was not JSON.
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    /// The server's own words for what went wrong.
    pub fn problem(&self) -> String {
        let message = self.body["error"]["message"].as_str();
        message.map_or_else(|| format!("the server answered {}", self.status), str::to_owned)
    }
}

pub async fn request(
    server: &str,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> anyhow::Result<Answer> {
    let base = super::base(server)?;
    let address = if base.contains(':') { base.to_owned() } else { format!("{base}:80") };
    let stream = TcpStream::connect(address)
        .await
        .with_context(|| format!("no Sayso answers at {server}"))?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, base)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.map(Value::to_string).unwrap_or_default()))?;
    let response = sender.send_request(request).await?;
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await?.to_bytes();
    connection.abort();
    Ok(Answer { status, body: serde_json::from_slice(&bytes).unwrap_or_default() })
}
