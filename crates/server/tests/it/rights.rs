//! Everything of one person, to take away or to take out; nothing of anybody else.

use std::path::Path;
use std::time::Instant;

use serde_json::json;
use tempfile::TempDir;

use crate::attachment::once_read_for;
use crate::client::Client;
use crate::doors::{Key, asking};
use crate::house::{House, PATIENCE, run, run_with};
use crate::http::request;

/// Words that stand nowhere else.
const ANAS: &str = "zanzibarquokka";
const BENS: &str = "timbuktunumbat";

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: std::path::PathBuf| {
        if path.is_dir() {
            return files(&path);
        }
        vec![(path.display().to_string(), std::fs::read(&path).unwrap_or_default())]
    };
    entries.flat_map(of).collect()
}

fn holding(folder: &str, word: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        text.contains(word)
    };
    let found = files(Path::new(folder)).into_iter().filter(|(_, bytes)| holds(bytes));
    found.map(|(name, _)| name).collect()
}

/// No byte of it is left, in any file, also where the database has let go of it. What was
/// taken out leaves the log of the database as soon as nobody reads there.
pub fn assert_nowhere(folder: &str, word: &str) {
    let until = Instant::now() + PATIENCE;
    loop {
        let found = holding(folder, word);
        if found.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "{word} is still in {found:?}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// When everybody here has something on.
const LATER: &str = "2030-05-01T10:00:00+02:00[Europe/Berlin]";

/// Looks that up.
pub fn listed(word: &str) -> serde_json::Value {
    let end = "2030-05-02T10:00:00+02:00[Europe/Berlin]";
    json!({ "date_range": { "start": LATER, "end": end }, "query": word })
}

/// Says the word in every way there is: a chat, a memory, a mail, a file, a profile. Gives
/// the id of the file.
pub fn live(house: &House, key: &Key, word: &str) -> String {
    let bearer = key.bearer();
    let shown = [("Authorization", bearer.as_str())];
    let (mut client, _) = Client::showing(house, "", &shown);
    client.turn(&format!("any new mail about {word}?"));
    let run = |tool: &str, args: serde_json::Value| {
        let body = json!({ "tool_name": tool, "args": args }).to_string();
        let asked = request(house, "POST", "/tools/run", &shown, &body).json();
        let yes = json!({
            "session_id": asked["session_id"],
            "confirmation_request_id": asked["confirmation_request_id"],
            "decision": "accept",
        });
        let agreed = request(house, "POST", "/chat/confirm", &shown, &yes.to_string());
        assert_eq!(agreed.status, 200, "{}", agreed.body);
    };
    run("memory.write", json!({ "memory": format!("likes {word} tea") }));
    let mail = json!({ "to": ["priya.nair@brightloom.example"], "subject": word, "body": word });
    run("gmail.send", mail);
    run("calendar.create_event", json!({ "title": word, "start": LATER, "duration_minutes": 30 }));
    let profile = json!({ "time_zone": "Europe/Berlin", "name": word }).to_string();
    assert_eq!(request(house, "PUT", "/chat/profile", &shown, &profile).status, 200);
    let form = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{word}.txt\"\r\n\r\n\
         {word}\r\n--edge--\r\n"
    );
    let kind = ("Content-Type", "multipart/form-data; boundary=edge");
    let file = request(house, "POST", "/chat/attachment/upload", &[shown[0], kind], &form);
    assert_eq!(file.status, 201, "{}", file.body);
    let id = file.json()["file_id"].as_str().unwrap().to_owned();
    assert_eq!(once_read_for(house, &id, &shown)["state"], "ready");
    // Both writes are over once the mailbox shows them.
    let until = Instant::now() + PATIENCE;
    for (tool, args) in [
        ("gmail.search", json!({ "query": format!("in:sent {word}") })),
        ("memory.retrieve", json!({ "context": word })),
        ("calendar.list_events", listed(word)),
    ] {
        let body = json!({ "tool_name": tool, "args": args }).to_string();
        loop {
            let found = request(house, "POST", "/tools/run", &shown, &body).json();
            let some =
                |name: &str| found["output"][name].as_array().is_some_and(|it| !it.is_empty());
            if some("messages") || some("memories") || some("events") {
                break;
            }
            assert!(Instant::now() < until, "{tool} never showed it: {found}");
        }
    }
    id
}

fn settled(house: &House) {
    let until = Instant::now() + PATIENCE;
    loop {
        let file = format!("{}/sayso.db", house.data());
        let db = rusqlite::Connection::open(file).unwrap();
        let sql = "SELECT count(*) FROM actions WHERE settled = 0";
        if db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() == 0 {
            return;
        }
        assert!(Instant::now() < until, "a write is never settled");
    }
}

#[test]
fn an_export_goes_on_where_a_file_is_gone() {
    let house = House::open();
    let id = |name: &str| {
        let answer = crate::attachment::upload(&house, name, "text/plain", name.as_bytes());
        answer.json()["file_id"].as_str().unwrap().to_owned()
    };
    let (gone, kept) = (id("gone.txt"), id("kept.txt"));
    std::fs::remove_file(format!("{}/uploads/{gone}", house.data())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("export");
    let ran = run(&["user", "export", "local", to.to_str().unwrap(), "--data", &house.data()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(to.join("files").join(kept).join("kept.txt").exists());
    assert!(!to.join("files").join(gone).exists());
}

#[test]
fn an_export_has_everything_of_one_person_and_nothing_of_another() {
    let (house, ana, ben) = asking(&[]);
    live(&house, &ana, ANAS);
    live(&house, &ben, BENS);
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("ana");
    let to = to.to_str().unwrap();

    let ran = run(&["user", "export", "ana", to, "--data", &house.data()]);

    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let found = holding(to, ANAS);
    for part in ["sessions/", "mails.jsonl", "memories.jsonl", "user_profile.jsonl", "files/"] {
        assert!(found.iter().any(|name| name.contains(part)), "{part}: {found:?}");
    }
    let read = |name: &String| name.contains("files/") && name.contains(".json");
    assert!(found.iter().any(read), "what was read in the file: {found:?}");
    for part in ["keys.jsonl", "audit.jsonl", "contacts.jsonl", "events.jsonl", "about.json"] {
        assert!(Path::new(to).join(part).exists(), "{part}");
    }
    assert_eq!(holding(to, BENS), Vec::<String>::new());
    let keys = std::fs::read_to_string(Path::new(to).join("keys.jsonl")).unwrap();
    assert!(keys.contains("\"user_name\":\"ana\"") && !keys.contains("fingerprint"), "{keys}");
    let again = run(&["user", "export", "ana", to, "--data", &house.data()]);
    assert!(again.code != 0 && again.err.contains("is there already"), "{}", again.err);

    let sessions = std::fs::read_dir(Path::new(to).join("sessions")).unwrap();
    for session in sessions {
        let path = session.unwrap().path();
        let ran = run(&["replay", path.to_str().unwrap()]);
        assert!(ran.code == 0 || ran.err.contains("nothing to tell"), "{}", ran.err);
    }
}

#[test]
fn deleting_a_person_leaves_nothing_of_them_but_the_audit_and_all_of_the_others() {
    let (mut house, ana, ben) = asking(&[]);
    live(&house, &ana, ANAS);
    live(&house, &ben, BENS);
    settled(&house);
    let data = house.data();
    let unsure = run_with(&["user", "delete", "ana", "--data", &data], &[], "anna\n");
    assert!(unsure.code == 1 && unsure.out.contains("Nothing was deleted"), "{}", unsure.out);
    let before = holding(&data, ANAS);
    assert!(before.iter().any(|name| name.contains("papers/")), "{before:?}");

    let ran = run_with(&["user", "delete", "ana", "--data", &data], &[], "ana\n");

    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the audit stays"), "{}", ran.out);
    assert_nowhere(&data, ANAS);
    let shown = ana.bearer();
    let answer = request(&house, "GET", "/chat/profile", &[("Authorization", &shown)], "");
    answer.assert_problem(401, "unauthenticated");
    house.kill_hard();
    assert_nowhere(&data, ANAS);
    assert!(!holding(&data, BENS).is_empty(), "ben's are still there");
    let lines = run(&["audit", "--data", &data]).out;
    assert!(lines.contains("gmail.send") && lines.contains("user_deleted"), "{lines}");
    assert_eq!(run(&["audit", "verify", "--data", &data]).code, 0);

    house.restart();
    let theirs = ben.bearer();
    let theirs = request(&house, "GET", "/chat/threads", &[("Authorization", &theirs)], "").json();
    assert!(!theirs["threads"].as_array().unwrap().is_empty());
}

#[test]
fn nobody_is_deleted_by_a_name_that_is_none() {
    let house = House::open();
    let ran = run(&["user", "delete", "No Body", "--yes", "--data", &house.data()]);
    assert!(ran.code != 0 && ran.err.contains("small letters"), "{}", ran.err);
    for verb in [&["export", "nobody", "x"][..], &["delete", "nobody", "--yes"]] {
        let data = house.data();
        let ran = run(&[&["user"], verb, &["--data", &data]].concat());
        assert!(ran.code != 0 && ran.err.contains("nothing of nobody"), "{}{}", ran.out, ran.err);
    }
    let elsewhere = run(&["user", "export", "local", "x", "--data", "/nowhere"]);
    assert!(elsewhere.code != 0 && elsewhere.err.contains("--data"), "{}", elsewhere.err);
}
