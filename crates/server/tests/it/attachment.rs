//! Files that are handed over: what they are, what is not taken, and what is left
//! when something goes wrong.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::{House, PATIENCE};
use crate::http::{Answer, answered, get, request};
use crate::say_so::post;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01";

/// One part of a form: its head, as it stands there, and its contents.
type Part<'a> = (&'a str, &'a [u8]);

fn form(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (head, contents) in parts {
        body.extend_from_slice(b"--edge\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(b"\r\n\r\n");
        body.extend_from_slice(contents);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--edge--\r\n");
    body
}

fn request_head(house: &House, length: usize) -> String {
    format!(
        "POST /chat/attachment/upload HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: {length}\r\n\r\n",
        house.address()
    )
}

fn send(house: &House, body: &[u8]) -> Answer {
    let mut bytes = request_head(house, body.len()).into_bytes();
    bytes.extend_from_slice(body);
    answered(house, &bytes)
}

pub fn upload(house: &House, name: &str, kind: &str, contents: &[u8]) -> Answer {
    let head = format!(
        "Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {kind}"
    );
    send(house, &form(&[(&head, contents)]))
}

/// What is told of a file once somebody has read it.
pub fn once_read(house: &House, id: &str) -> serde_json::Value {
    once_read_for(house, id, &[])
}

/// The same for whoever shows this.
pub fn once_read_for(house: &House, id: &str, shown: &[(&str, &str)]) -> serde_json::Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let file = request(house, "GET", &format!("/chat/attachment/{id}"), shown, "").json();
        if file["state"] != "parsing" {
            return file;
        }
        assert!(Instant::now() < deadline, "nobody reads {id}");
        sleep(Duration::from_millis(20));
    }
}

fn on_disk(house: &House) -> usize {
    std::fs::read_dir(format!("{}/uploads", house.data())).unwrap().count()
}

#[test]
fn a_file_is_kept_as_what_it_is_and_can_be_asked_for() {
    let house = House::open();
    let answer = upload(&house, "../../me & you.png", "image/png", PNG);

    assert_eq!(answer.status, 201, "{}", answer.body);
    let file = answer.json();
    assert_eq!((&file["name"], &file["media_type"]), (&json!("me & you.png"), &json!("image/png")));
    assert_eq!(file["bytes"], PNG.len());
    let id = file["file_id"].as_str().unwrap();
    assert_eq!(std::fs::read(format!("{}/uploads/{id}", house.data())).unwrap(), PNG);
    assert_eq!(file["sha256"].as_str().unwrap().len(), 64);
    let mut read = once_read(&house, id);
    assert_eq!(read["state"], "ready");
    read["state"] = file["state"].clone();
    assert_eq!(read, file);
    let unknown = get(&house, "/chat/attachment/file_00000000000000000000000000000009");
    unknown.assert_problem(404, "unknown_file");
    assert_eq!(get(&house, "/chat/attachment/..").body, unknown.body);
}

#[test]
fn a_wrong_label_is_told_and_does_not_count() {
    let house = House::open();
    let file = upload(&house, "notes.txt", "text/plain", PNG).json();
    assert_eq!(file["media_type"], "image/png");
    assert_eq!(file["mislabelled_as"], "text/plain");
    let file = upload(&house, "cat.png", "image/png", b"no cat at all").json();
    assert_eq!(file["media_type"], "text/plain");
    assert_eq!(file["mislabelled_as"], "image/png");
    let file = upload(&house, "a.ics", "text/calendar", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR").json();
    assert_eq!(
        (&file["media_type"], &file["mislabelled_as"]),
        (&json!("text/calendar"), &json!(null))
    );
}

#[test]
fn what_is_not_taken_is_refused_and_leaves_nothing_behind() {
    let house = House::open();
    let elf = [&b"\x7fELF\x02\x01\x01"[..], &[0; 60]].concat();
    let zip = b"PK\x03\x04\x14\0\0\0\x08\0";
    for (contents, status, code, word) in [
        (&elf[..], 415, "unsupported_type", "program"),
        (zip, 415, "unsupported_type", "archive"),
        (b"\x01\x02\x03\xff\xfe", 415, "unsupported_type", "not a kind of file"),
        (b"caf\xe9", 415, "unsupported_type", "UTF-8"),
        (b"", 400, "empty_file", "empty"),
    ] {
        let answer = upload(&house, "cat.png", "image/png", contents);
        answer.assert_problem(status, code);
        assert!(answer.body.contains(word), "{word}: {}", answer.body);
    }
    assert_eq!(on_disk(&house), 0);
}

#[test]
fn a_form_that_is_broken_is_refused_and_leaves_nothing_behind() {
    let house = House::open();
    let file = "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"";
    let field = "Content-Disposition: form-data; name=\"colour\"";
    let many: Vec<_> = (0..21).map(|_| (field, &b"red"[..])).collect();
    let whole = form(&[(file, b"hello")]);
    for body in [
        form(&[]),
        form(&[(field, b"red")]),
        form(&many),
        form(&[(file, b"one"), (file, b"two")]),
        whole[..whole.len() - 12].to_vec(),
        b"no form at all".to_vec(),
        Vec::new(),
        form(&[(&format!("X: {}\r\n{file}", "x".repeat(2 * 1024 * 1024)), b"hello")]),
    ] {
        send(&house, &body).assert_problem(400, "bad_multipart");
    }
    request(&house, "POST", "/chat/attachment/upload", &[], "{}")
        .assert_problem(400, "bad_multipart");
    assert_eq!(on_disk(&house), 0);
    assert_eq!(upload(&house, "a.txt", "text/plain", b"hello").status, 201);
}

#[test]
fn a_file_of_26_mebibytes_is_refused_and_its_sender_hears_why() {
    let house = House::open();
    let huge = vec![b'x'; 26 * 1024 * 1024];
    let answer = upload(&house, "huge.txt", "text/plain", &huge);
    answer.assert_problem(413, "file_too_large");
    assert_eq!(on_disk(&house), 0);
    let fits = vec![b'x'; 25 * 1024 * 1024];
    assert_eq!(upload(&house, "fits.txt", "text/plain", &fits).status, 201);
}

#[test]
fn nobody_hands_over_more_than_fits() {
    let house = House::open_with(&[("SAYSO_LIMITS_UPLOAD_TOTAL_BYTES", "10")]);
    assert_eq!(upload(&house, "a.txt", "text/plain", b"123456").status, 201);
    upload(&house, "b.txt", "text/plain", b"12345").assert_problem(413, "quota_full");
    assert_eq!(upload(&house, "c.txt", "text/plain", b"1234").status, 201);
    upload(&house, "d.txt", "text/plain", b"1").assert_problem(413, "quota_full");
    assert_eq!(on_disk(&house), 2);
}

#[test]
fn a_file_that_is_taken_back_makes_room() {
    let house = House::open_with(&[("SAYSO_LIMITS_UPLOAD_TOTAL_BYTES", "10")]);
    let kept = upload(&house, "a.txt", "text/plain", b"1234567890").json();
    let path = format!("/chat/attachment/{}", kept["file_id"].as_str().unwrap());
    let delete = || request(&house, "DELETE", &path, &[], "");

    assert_eq!(delete().status, 204);

    delete().assert_problem(404, "unknown_file");
    get(&house, &path).assert_problem(404, "unknown_file");
    assert_eq!(on_disk(&house), 0);
    assert_eq!(upload(&house, "b.txt", "text/plain", b"1234567890").status, 201);
}

#[test]
fn a_file_belongs_to_a_session_and_goes_with_its_chat() {
    let house = House::open();
    let begun = post(&house, "/chat/session/start", &json!({})).json();
    let file = "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"";
    let session = "Content-Disposition: form-data; name=\"session_id\"";
    let with = |id: &str| send(&house, &form(&[(file, b"hello"), (session, id.as_bytes())]));
    let unknown = with("sess_00000000000000000000000000000009");
    unknown.assert_problem(404, "unknown_session");
    assert_eq!(with("x").body, unknown.body);

    let kept = with(begun["session_id"].as_str().unwrap()).json();
    assert_eq!(kept["session_id"], begun["session_id"]);
    assert_eq!(on_disk(&house), 1);
    let path = format!("/chat/threads/{}", begun["thread_id"].as_str().unwrap());
    assert_eq!(request(&house, "DELETE", &path, &[], "").status, 204);

    assert_eq!(on_disk(&house), 0);
    let path = format!("/chat/attachment/{}", kept["file_id"].as_str().unwrap());
    get(&house, &path).assert_problem(404, "unknown_file");
}

#[test]
fn an_upload_that_breaks_off_leaves_nothing_behind() {
    let house = House::open();
    let file = "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"";
    let body = form(&[(file, &vec![b'x'; 100_000])]);
    let mut stream = TcpStream::connect(house.address()).unwrap();
    stream.write_all(request_head(&house, body.len()).as_bytes()).unwrap();
    stream.write_all(&body[..50_000]).unwrap();
    eventually(|| on_disk(&house) == 1);

    stream.shutdown(Shutdown::Both).unwrap();

    eventually(|| on_disk(&house) == 0);
}

#[test]
fn what_a_crash_left_of_an_upload_is_gone_after_the_next_start() {
    let mut house = House::open();
    assert_eq!(upload(&house, "a.txt", "text/plain", b"hello").status, 201);
    house.kill_hard();
    let stray = "file_00000000000000000000000000000009";
    for name in [stray.to_owned(), format!("{stray}.part")] {
        std::fs::write(format!("{}/uploads/{name}", house.data()), "left").unwrap();
    }
    house.restart();
    assert_eq!(on_disk(&house), 1);
}

fn eventually(holds: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < until, "it did not come to hold in {PATIENCE:?}");
        sleep(Duration::from_millis(10));
    }
}
