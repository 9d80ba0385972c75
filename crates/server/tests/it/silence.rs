//! Whoever connects and says nothing, or never comes to the end of it, is hung up on.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;

use crate::house::{HOME, House, PATIENCE, data};
use crate::http::get;

/// Says that much and nothing more; what comes until the other side hangs up.
fn heard_after(address: SocketAddr, start: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(start.as_bytes()).unwrap();
    let mut heard = String::new();
    stream.read_to_string(&mut heard).expect("the server hangs up");
    heard
}

#[test]
fn a_connection_that_never_says_what_it_wants_is_closed() {
    let house = House::open();
    std::thread::scope(|scope| {
        for start in ["", "GET", "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "] {
            let address = house.address();
            scope.spawn(move || assert_eq!(heard_after(address, start), "", "{start:?}"));
        }
    });
    assert_eq!(get(&house, "/healthz").status, 200);
}

#[test]
fn a_body_that_never_comes_is_not_waited_for() {
    let house = House::open();
    let start = "PUT /chat/profile HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
                 Content-Length: 500\r\n\r\n{\"ti";
    let heard = heard_after(house.address(), start);
    assert!(heard.starts_with("HTTP/1.1 408 "), "{heard}");
    assert!(heard.contains("\"too_slow\""), "{heard}");
}

#[test]
fn what_is_kept_is_readable_by_nobody_else_also_in_a_folder_that_was_there() {
    let folder = TempDir::new().unwrap();
    let place = data(folder.path());
    std::fs::create_dir(&place).unwrap();
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o755)).unwrap();

    let house = House::open_in(folder, HOME, Vec::new());

    for name in ["sayso.db", "personal.db", "uploads"] {
        let mode = std::fs::metadata(format!("{}/{name}", house.data())).unwrap().permissions();
        assert_eq!(mode.mode() & 0o077, 0, "{name}: {:o}", mode.mode());
    }
}

#[test]
fn anybody_may_ask_whether_it_is_ready_and_learns_no_more() {
    let house = House::open();
    assert_eq!(get(&house, "/readyz").json(), serde_json::json!({ "status": "ready" }));
}
