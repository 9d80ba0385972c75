//! Traces as a receiver of OTLP gets them: real protobuf over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use serde_json::json;
use tempfile::TempDir;

use crate::client::Client;
use crate::event::assert_succeeded;
use crate::house::{HOME, House, PATIENCE, run_with};
use crate::say_so::{ask, assert_sent_once, confirm};

const CANARY: &str = "zanzibarquokka";

/// A request as it came: its first line, its headers, its body.
struct Got {
    head: String,
    body: Vec<u8>,
}

/// Takes whatever is sent, after refusing the first `refused` times.
fn receiver(refused: usize) -> (String, Receiver<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let (tell, got) = channel();
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut line) = (String::new(), String::new());
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                head.push_str(&line);
                line.clear();
            }
            let length = head.lines().find_map(|line| {
                line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned)
            });
            let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
            reader.read_exact(&mut body).unwrap();
            let status = if number < refused { "503 Busy" } else { "200 OK" };
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
            if number >= refused && tell.send(Got { head, body }).is_err() {
                return;
            }
        }
    });
    (endpoint, got)
}

fn traced(endpoint: &str) -> House {
    let env = vec![
        ("SAYSO_TELEMETRY_OTLP_ENDPOINT", endpoint.to_owned()),
        ("SAYSO_TELEMETRY_OTLP_HEADERS", "x-team=herons".to_owned()),
    ];
    House::open_in(TempDir::new().unwrap(), HOME, env)
}

fn spans(got: &[Got]) -> Vec<Span> {
    let requests = got.iter().map(|got| ExportTraceServiceRequest::decode(&got.body[..]).unwrap());
    let resources = requests.flat_map(|request| request.resource_spans);
    resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
}

fn text(span: &Span, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Any::StringValue(text) => Some(text.clone()),
        Any::IntValue(number) => Some(number.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_turn_becomes_a_trace_of_what_was_done_without_a_word_of_what_was_said() {
    let (endpoint, received) = receiver(0);
    let mut house = traced(&endpoint);
    let mut client = Client::new(&house);
    assert_succeeded(&client.turn("What meetings do I have tomorrow?"));
    client.turn(&format!("any new mail about {CANARY}?"));
    let card = ask(&house, CANARY);
    assert_eq!(confirm(&house, &card, "accept", json!({})).status, 200);
    assert_sent_once(&house, CANARY);

    assert!(house.stop().success());

    let got: Vec<_> = received.try_iter().collect();
    for one in &got {
        assert!(one.head.starts_with("POST /v1/traces HTTP/1.1"), "{}", one.head);
        assert!(one.head.to_lowercase().contains("content-type: application/x-protobuf"));
        assert!(one.head.to_lowercase().contains("x-team: herons"), "{}", one.head);
        let words = String::from_utf8_lossy(&one.body).to_lowercase();
        for word in [CANARY, "meetings", "thursday works", "brightloom"] {
            assert!(!words.contains(word), "{word}");
        }
    }
    let spans = spans(&got);
    let roots: Vec<_> = spans.iter().filter(|span| span.name == "turn").collect();
    assert!(roots.len() >= 3, "{} turns", roots.len());
    for span in &spans {
        assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8), "{}", span.name);
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano);
        if span.name != "turn" {
            let parent = roots.iter().find(|root| root.span_id == span.parent_span_id);
            assert_eq!(parent.expect("it has a parent").trace_id, span.trace_id);
        }
    }
    let listing = spans.iter().find(|span| span.name == "tool calendar.list_events").unwrap();
    assert_eq!(text(listing, "sayso.tool.state").as_deref(), Some("done"));
    let root = roots.iter().find(|root| root.span_id == listing.parent_span_id).unwrap();
    assert_eq!(text(root, "sayso.outcome").as_deref(), Some("success"));
    assert_eq!(text(root, "sayso.mode").as_deref(), Some("direct_response"));
    assert!(text(root, "sayso.first_token_us").is_some());
    assert_eq!(text(root, "sayso.first_audio_us"), None, "absent, not zero");
    assert!(spans.iter().any(|span| span.name == "understand"));
    let yes = spans.iter().find(|span| span.name == "confirmation").unwrap();
    assert_eq!(text(yes, "sayso.confirmation.state").as_deref(), Some("accepted"));
    let write = spans.iter().find(|span| span.name == "write gmail.send").unwrap();
    assert_eq!(text(write, "sayso.write.state").as_deref(), Some("confirmed"));
    let request = ExportTraceServiceRequest::decode(&got[0].body[..]).unwrap();
    let resource = request.resource_spans[0].resource.clone().unwrap();
    assert!(resource.attributes.iter().any(|attribute| attribute.key == "service.name"));
}

#[test]
fn a_receiver_that_is_busy_at_first_gets_the_trace_later() {
    let (endpoint, received) = receiver(1);
    let house = traced(&endpoint);
    assert_succeeded(&Client::new(&house).turn("hello"));

    let got = received.recv_timeout(PATIENCE).expect("it is tried again");

    assert!(spans(&[got]).iter().any(|span| span.name == "turn"));
}

#[test]
fn nobody_waits_for_a_receiver_that_is_away() {
    let mut house = traced("http://127.0.0.1:1");
    assert_succeeded(&Client::new(&house).turn("hello"));
    assert!(house.stop().success());

    let (data, env) = (house.data(), [("SAYSO_TELEMETRY_OTLP_ENDPOINT", "http://127.0.0.1:1")]);
    let ran = run_with(&["doctor", "--data", &data], &env, "");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("✗ traces"), "{}", ran.out);
    assert!(ran.out.contains("→ start the receiver"), "{}", ran.out);
}
