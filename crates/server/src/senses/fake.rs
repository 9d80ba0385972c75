//! A speech service for tests: it speaks OpenAI's protocol, and hears and says what it
//! is told to.

use std::collections::HashMap;
use std::io::Cursor;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub const KEY: &str = "sk-test-123";

/// What it was asked, and what it answers.
#[derive(Clone, Default)]
pub struct FakeService(Arc<Mutex<Story>>);

#[derive(Default)]
pub struct Story {
    /// Instead of an answer.
    pub fails: Option<u16>,
    pub waits: Duration,
    /// What it hears in whatever comes.
    pub hears: String,
    /// Instead of JSON.
    pub garbage: bool,
    pub asked: usize,
    /// Fields of the last form, and the rate and samples of its sound.
    pub fields: HashMap<String, String>,
    pub sound: Option<(u32, usize)>,
    /// The last thing it was to say.
    pub request: Value,
    /// What it says, samples at 24 thousand a second.
    pub samples: Vec<i16>,
    /// The rate of a file of sound.
    pub wav_rate: u32,
}

impl FakeService {
    /// Listens; up to and with `/v1`.
    pub async fn start(&self) -> String {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        let address = listener.local_addr().unwrap();
        let routes = Router::new()
            .route("/v1/audio/transcriptions", post(transcribe))
            .route("/v1/audio/speech", post(speak))
            .with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        format!("http://{address}/v1")
    }

    pub fn story(&self) -> MutexGuard<'_, Story> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What goes wrong, if anything is to.
    async fn trouble(&self, headers: &HeaderMap) -> Option<Response> {
        let (fails, waits) = {
            let mut story = self.story();
            story.asked += 1;
            (story.fails, story.waits)
        };
        tokio::time::sleep(waits).await;
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if shown != Some(&format!("Bearer {KEY}")) {
            return Some(error(401, "Incorrect API key provided", "invalid_api_key"));
        }
        fails.map(|status| error(status, "it is told to fail", "told_to_fail"))
    }
}

fn error(status: u16, message: &str, code: &str) -> Response {
    let body = json!({ "error": {
        "message": message, "type": "invalid_request_error", "param": null, "code": code,
    }});
    (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
}

async fn transcribe(State(fake): State<FakeService>, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(trouble) = fake.trouble(&headers).await {
        return trouble;
    }
    let kind = headers[header::CONTENT_TYPE].to_str().unwrap();
    let edge = kind.split("boundary=").nth(1).unwrap_or_default().trim_matches('"');
    let (fields, file) = form(&body, edge);
    let Some(file) = file else { return error(400, "file is required", "missing_file") };
    if !fields.contains_key("model") {
        return error(400, "you must provide a model parameter", "missing_model");
    }
    // As OpenAI has it: the newer ones take a list, the others one, and nobody takes both.
    let takes_a_list = fields["model"].contains("gpt-transcribe");
    if fields.contains_key(if takes_a_list { "language" } else { "languages[]" }) {
        return error(400, "this model does not take that field", "unsupported_parameter");
    }
    let Ok(wav) = hound::WavReader::new(Cursor::new(file)) else {
        return error(400, "Invalid file format.", "bad_file");
    };
    let mut story = fake.story();
    story.sound = Some((wav.spec().sample_rate, wav.len() as usize));
    let text = story.hears.clone();
    let plain = story.garbage || fields.get("response_format").is_some_and(|it| it == "text");
    story.fields = fields;
    if plain { text.into_response() } else { Json(json!({ "text": text })).into_response() }
}

/// The fields of a form, and the file in it.
fn form(body: &[u8], edge: &str) -> (HashMap<String, String>, Option<Vec<u8>>) {
    let find = |from: usize, what: &[u8]| {
        body[from..].windows(what.len()).position(|window| window == what).map(|at| from + at)
    };
    let (mut fields, mut file) = (HashMap::new(), None);
    let line = format!("--{edge}");
    let mut at = find(0, line.as_bytes());
    while let Some(start) = at {
        let Some(head_end) = find(start, b"\r\n\r\n") else { break };
        let head = String::from_utf8_lossy(&body[start..head_end]).into_owned();
        let until = find(head_end, format!("\r\n{line}").as_bytes()).unwrap_or(body.len());
        let content = &body[head_end + 4..until];
        let name = head.split("name=\"").nth(1).and_then(|rest| rest.split('"').next());
        if head.contains("filename=") {
            file = Some(content.to_vec());
        } else if let Some(name) = name {
            fields.insert(name.to_owned(), String::from_utf8_lossy(content).into_owned());
        }
        at = (until < body.len()).then_some(until + 2);
    }
    (fields, file)
}

async fn speak(State(fake): State<FakeService>, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(trouble) = fake.trouble(&headers).await {
        return trouble;
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    for field in ["model", "input", "voice"] {
        if !request[field].is_string() {
            return error(400, &format!("{field} is required"), "missing");
        }
    }
    let mut story = fake.story();
    let is_wav = request["response_format"] == "wav";
    story.request = request;
    if story.garbage {
        return vec![1_u8, 2, 3].into_response();
    }
    let pcm: Vec<u8> = story.samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let bytes = if is_wav { wav(story.wav_rate, &story.samples) } else { pcm };
    // In pieces, as a service sends what it has not said to its end yet.
    let pieces: Vec<_> = bytes.chunks(1_000).map(Bytes::copy_from_slice).collect();
    let stream = futures_util::stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
    let kind = if is_wav { "audio/wav" } else { "audio/pcm" };
    ([(header::CONTENT_TYPE, kind)], Body::from_stream(stream)).into_response()
}

fn wav(rate: u32, samples: &[i16]) -> Vec<u8> {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: rate,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, spec).unwrap();
    for sample in samples {
        writer.write_sample(*sample).unwrap();
    }
    writer.finalize().unwrap();
    file.into_inner()
}
