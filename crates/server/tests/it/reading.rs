//! Files are read by a child that can do nothing else, and asked about in words.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::attachment::{once_read, upload};
use crate::client::Client;
use crate::house::House;
use crate::http::get;

const SAYSO: &str = env!("CARGO_BIN_EXE_sayso");

fn talk_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../talks/files").join(name)
}

fn handed(house: &House, name: &str, contents: &[u8]) -> String {
    let answer = upload(house, name, "application/octet-stream", contents);
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()["file_id"].as_str().unwrap().to_owned()
}

fn problem(file: &Value) -> &str {
    file["problem"].as_str().unwrap_or_default()
}

fn papers(house: &House) -> usize {
    std::fs::read_dir(format!("{}/papers", house.data())).unwrap().count()
}

/// The child alone, with this on its standard input.
fn child(media_type: &str, contents: &[u8]) -> Output {
    let mut child = Command::new(SAYSO)
        .args(["read-file", media_type])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_clear()
        .spawn()
        .unwrap();
    // It may die before it has read anything.
    let _ = child.stdin.take().unwrap().write_all(contents);
    child.wait_with_output().unwrap()
}

fn say(house: &House, file: &Path, question: &str) -> (Option<i32>, String) {
    let server = format!("http://{}", house.address());
    let said = Command::new(SAYSO)
        .args(["say", "--server", &server, "--attach"])
        .arg(file)
        .arg(question)
        .env_remove("SAYSO_KEY")
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    (said.status.code(), format!("{out}{err}"))
}

#[test]
fn a_question_from_the_command_line_is_answered_from_the_file() {
    let house = House::open();
    for (name, question, answer) in [
        ("lease.pdf", "when does the lease begin?", "On page 1: “The lease begins on December 1"),
        ("rules.docx", "what does it say about quiet hours?", "“Quiet hours are from ten"),
        ("sales.csv", "what is the total of amount?", "The total of amount is 1,300."),
        ("order.eml", "who is it from?", "Priya Nair, priya.nair@brightloom.example."),
        ("notes.txt", "what does it say about the deadline?", "27 November"),
        ("cat.png", "how big is it?", "64 by 48 pixels."),
    ] {
        let (code, said) = say(&house, &talk_file(name), question);
        assert!(code == Some(0) && said.contains(answer), "{name}: {code:?} {said}");
    }
    // A script learns that nothing was answered.
    for (name, why) in [
        ("torn.pdf", "That PDF is damaged"),
        ("locked.pdf", "protected with a password"),
        ("bomb.docx", "it unpacks to far too much"),
    ] {
        let (code, said) = say(&house, &talk_file(name), "what is in this?");
        assert!(code == Some(3) && said.contains(why), "{name}: {code:?} {said}");
    }
    let (code, said) = say(&house, Path::new("/no/such/file.pdf"), "what is this?");
    assert!(code == Some(1) && said.contains("/no/such/file.pdf cannot be read"), "{said}");
}

#[test]
fn what_cannot_be_read_says_what_is_wrong_and_the_server_goes_on() {
    let house = House::open();
    let bomb = std::fs::read(talk_file("bomb.docx")).unwrap();
    let file = once_read(&house, &handed(&house, "bomb.docx", &bomb));
    assert_eq!(file["state"], "failed");
    assert!(problem(&file).contains("unpacks to far too much"), "{file}");

    let locked = std::fs::read(talk_file("locked.pdf")).unwrap();
    let file = once_read(&house, &handed(&house, "locked.pdf", &locked));
    assert!(problem(&file).contains("password"), "{file}");

    // Twenty megabytes of nothing that pretend to be a PDF.
    let mut huge = b"%PDF-1.7\n".to_vec();
    huge.resize(20 * 1024 * 1024, b'[');
    let file = once_read(&house, &handed(&house, "huge.pdf", &huge));
    assert_eq!(file["state"], "failed", "{file}");
    assert!(problem(&file).ends_with('.'), "{file}");

    let far_too_large = vec![b'a'; 50 * 1024 * 1024];
    let answer = upload(&house, "fifty.pdf", "application/pdf", &far_too_large);
    answer.assert_problem(413, "file_too_large");
    assert_eq!(get(&house, "/healthz").status, 200);
}

#[test]
fn what_was_read_goes_with_the_file() {
    let house = House::open();
    let lease = std::fs::read(talk_file("lease.pdf")).unwrap();
    let id = handed(&house, "lease.pdf", &lease);
    assert_eq!(once_read(&house, &id)["state"], "ready");
    assert_eq!(papers(&house), 1);
    let gone = crate::http::request(&house, "DELETE", &format!("/chat/attachment/{id}"), &[], "");
    assert_eq!(gone.status, 204, "{}", gone.body);
    assert_eq!(papers(&house), 0);
}

#[test]
fn a_child_reads_and_says_one_line() {
    let lease = std::fs::read(talk_file("lease.pdf")).unwrap();
    let said = child("application/pdf", &lease);
    assert!(said.status.success(), "{said:?}");
    let line: Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(line["paper"]["extent"]["pages"], 3);
    let empty: Value = serde_json::from_slice(&child("text/plain", b"").stdout).unwrap();
    assert!(empty["problem"].as_str().unwrap().starts_with("That file is empty"), "{empty}");
}

#[cfg(all(feature = "perils", target_os = "linux"))]
#[test]
fn a_child_has_no_network_no_files_no_others_and_no_environment() {
    for (peril, told) in [
        ("peril/network", "no network"),
        ("peril/files", "no files"),
        ("peril/world", "told 0"),
        ("peril/signal", "no signals"),
    ] {
        let said = child(peril, b"x");
        let line: Value = serde_json::from_slice(&said.stdout).unwrap_or_default();
        assert_eq!(line["problem"], told, "{peril}: {said:?}");
    }
}

#[cfg(all(feature = "perils", target_os = "linux"))]
#[test]
fn a_child_that_wants_too_much_dies_alone() {
    for peril in ["peril/memory", "peril/death"] {
        let said = child(peril, b"x");
        assert!(!said.status.success() && said.stdout.is_empty(), "{peril}: {said:?}");
    }
}

#[cfg(all(feature = "perils", target_os = "linux"))]
#[test]
fn a_child_that_computes_for_ever_is_ended_by_its_own_limit() {
    use std::os::unix::process::ExitStatusExt;
    const SIGXCPU: i32 = 24;
    let said = child("peril/spin", b"x");
    assert_eq!(said.status.signal(), Some(SIGXCPU), "{said:?}");
    assert!(said.stdout.is_empty());
}

#[cfg(all(feature = "perils", target_os = "linux"))]
#[test]
fn a_child_that_talks_for_ever_ends_when_nobody_listens() {
    use std::io::Read;
    const LARGEST_ANSWER: u64 = 8 * 1024 * 1024;
    let mut child = Command::new(SAYSO)
        .args(["read-file", "peril/chatter"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .env_clear()
        .spawn()
        .unwrap();
    let mut heard = Vec::new();
    child.stdout.take().unwrap().take(LARGEST_ANSWER).read_to_end(&mut heard).unwrap();
    assert_eq!(heard.len() as u64, LARGEST_ANSWER);
    assert!(!child.wait().unwrap().success());
}

#[test]
fn what_we_could_not_keep_is_read_again_when_somebody_asks() {
    let house = House::open();
    let (papers, aside) = (format!("{}/papers", house.data()), format!("{}/aside", house.data()));
    std::fs::rename(&papers, &aside).unwrap();
    let lease = std::fs::read(talk_file("lease.pdf")).unwrap();
    let id = handed(&house, "lease.pdf", &lease);
    let shown = || get(&house, &format!("/chat/attachment/{id}")).json();
    std::thread::sleep(std::time::Duration::from_secs(6));
    // It is our trouble, so the file is not given up.
    assert_eq!(shown()["state"], "parsing", "{}", shown());
    std::fs::rename(&aside, &papers).unwrap();
    let mut client = Client::new(&house);
    let payload = json!({ "text": "when does the lease begin?", "attachments": [id] });
    client.send(&json!({ "event_type": "text.input", "payload": payload }));
    let said = client.listen("turn.end");
    let told = said.iter().any(|event| event.to_string().contains("December 1"));
    assert!(told, "{said:?}");
    assert_eq!(shown()["state"], "ready", "{}", shown());
}

#[test]
fn what_excel_writes_on_windows_is_read() {
    let house = House::open();
    let sales = b"Kunde;Betrag\nM\xfcller;1.234,50\nSch\xf6n;99,90\n";
    let file = once_read(&house, &handed(&house, "sales.csv", sales));
    assert_eq!((&file["state"], &file["media_type"]), (&"ready".into(), &"text/csv".into()));
}

#[cfg(feature = "perils")]
#[test]
fn a_file_that_takes_long_is_a_job_that_lasts_through_a_restart_and_says_when_it_is_done() {
    use crate::event::{kind, of_kind, one, text};
    use crate::house::run;

    let mut house = House::open();
    let holds = format!("{}/holds", house.data());
    std::fs::create_dir(&holds).unwrap();
    std::fs::write(format!("{holds}/reading"), "").unwrap();
    house.stop();
    assert!(house.restart_with(&[("SAYSO_HOLD_IN", &holds)]));
    let sales = std::fs::read(talk_file("sales.csv")).unwrap();
    let id = handed(&house, "sales.csv", &sales);
    let mut client = Client::new(&house);
    let session = client.session();
    let payload = json!({ "text": "what is in this?", "attachments": [id] });
    client.send(&json!({ "event_type": "text.input", "payload": payload }));
    let turn = client.listen("turn.end");

    let said = text(one(&turn, "assistant_text.final"));
    assert!(said.contains("I'll tell you when I'm done"), "{said}");
    let queued = &one(&turn, "tool_call.queued")["payload"];
    let job = queued["job_id"].as_str().unwrap().to_owned();
    let listed = run(&["jobs", "--server", &house.url()]);
    assert!(listed.out.contains(&job) && listed.out.contains("sales.csv"), "{listed:?}");
    client.until("how far it is", |event| kind(event) == "tool_call.progress");
    drop(client);
    house.kill_hard();
    std::fs::remove_file(format!("{holds}/reading")).unwrap();
    house.restart();

    let mut back = Client::back(&house, &session);
    let is_told =
        |event: &Value| kind(event) == "assistant_text.final" && text(event).contains("sales.csv");
    let events = back.until("the end of it", is_told);
    let said = text(events.last().unwrap());
    assert!(said.starts_with("I'm done reading sales.csv. A table of"), "{said}");
    assert!(of_kind(&events, "turn.start").last().unwrap()["payload"]["follows"].is_string());
    // And it is what one talks about from now on.
    let turn = back.turn("how many columns does it have?");
    assert!(text(one(&turn, "assistant_text.final")).contains("columns."), "{turn:?}");
}
