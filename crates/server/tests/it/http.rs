//! Requests written out by hand, so that they can be wrong in any way.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use crate::house::{House, PATIENCE};

pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    /// Every refusal says what is wrong, to programs and to people.
    pub fn assert_problem(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        let problem = self.json();
        assert_eq!(problem["error"]["code"], code, "{problem}");
        assert!(!problem["error"]["message"].as_str().unwrap().is_empty(), "{problem}");
    }
}

pub fn get(house: &House, path: &str) -> Answer {
    request(house, "GET", path, &[], "")
}

/// `headers` win over the usual ones of the same name.
pub fn request(
    house: &House,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let (address, length) = (house.address().to_string(), body.len().to_string());
    let usual =
        [("Host", address.as_str()), ("Connection", "close"), ("Content-Length", length.as_str())];
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    let given = |name: &str| headers.iter().any(|(other, _)| *other == name);
    for (name, value) in usual.iter().filter(|(name, _)| !given(name)).chain(headers) {
        text.extend([name, ": ", value, "\r\n"]);
    }
    text.push_str("\r\n");
    text.push_str(body);
    answered(house, text.as_bytes())
}

/// An attempt to open a WebSocket that is expected to be refused.
pub fn upgrade(house: &House, path: &str, headers: &[(&str, &str)]) -> Answer {
    let handshake = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    request(house, "GET", path, &[&handshake, headers].concat(), "")
}

pub fn answered(house: &House, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(house.address()).expect("the server takes connections");
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // A server may refuse a long request before it has read it all.
    let _ = stream.write_all(request);
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        let read = reader.read_line(&mut line);
        read.unwrap_or_else(|error| panic!("expected an answer within {PATIENCE:?}: {error}"));
        line.trim_end().to_owned()
    };
    let status = line();
    let status = status.split(' ').nth(1).and_then(|status| status.parse().ok());
    let head = std::iter::from_fn(|| Some(line()).filter(|line| !line.is_empty()));
    let headers: HashMap<_, _> = head
        .filter_map(|line| line.split_once(": ").map(|(n, v)| (n.to_lowercase(), v.to_owned())))
        .collect();
    let body = if headers.get("transfer-encoding").is_some_and(|how| how == "chunked") {
        chunks(&mut reader)
    } else {
        let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("the body is as long as the header says");
        body
    };
    Answer {
        status: status.expect("an answer begins with a status"),
        headers,
        body: String::from_utf8(body).expect("answers are text"),
    }
}

/// A body that comes piece by piece, up to the piece that is empty.
fn chunks(reader: &mut impl BufRead) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let mut size = String::new();
        reader.read_line(&mut size).expect("a piece begins with its size");
        let size = usize::from_str_radix(size.trim_end(), 16).expect("a size in hex");
        let mut piece = vec![0; size + 2];
        reader.read_exact(&mut piece).expect("a piece is as long as it says");
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&piece[..size]);
    }
}
