//! A house that asks who it is: who comes in, who does not, and who has to go.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::event::{one, text};
use crate::house::{HOME, House, PATIENCE, data, run, run_with};
use crate::http::{Answer, request, upgrade};

/// A key as it was shown, once.
pub struct Key {
    pub id: String,
    pub secret: String,
}

impl Key {
    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.secret)
    }
}

/// Makes a key for `user`.
pub fn key(data: &str, user: &str, more: &[&str]) -> Key {
    let args =
        [&["keys", "create", "--name", "test", "--user", user, "--data", data], more].concat();
    let ran = run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let id = ran.err.split([' ', ',']).find(|word| word.starts_with("key_")).expect("its id");
    Key { id: id.to_owned(), secret: ran.out.trim().to_owned() }
}

/// A house with two people, each with a key; it checks every second.
pub fn asking(env: &[(&'static str, &str)]) -> (House, Key, Key) {
    asking_at(HOME, env)
}

fn asking_at(listen: &'static str, env: &[(&'static str, &str)]) -> (House, Key, Key) {
    let folder = TempDir::new().unwrap();
    let place = data(folder.path());
    let (ana, ben) = (key(&place, "ana", &[]), key(&place, "ben", &[]));
    let mut settings = vec![("SAYSO_AUTH_REQUIRED", "1"), ("SAYSO_AUTH_RECHECK_SECONDS", "1")];
    settings.extend_from_slice(env);
    let settings = settings.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    (House::open_in(folder, listen, settings), ana, ben)
}

pub fn get_as(house: &House, path: &str, bearer: &str) -> Answer {
    request(house, "GET", path, &[("Authorization", bearer)], "")
}

fn post_as(house: &House, path: &str, bearer: &str, body: &Value) -> Answer {
    request(house, "POST", path, &[("Authorization", bearer)], &body.to_string())
}

pub fn ticket(house: &House, key: &Key) -> String {
    let answer = post_as(house, "/chat/ticket", &key.bearer(), &json!({}));
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert!(answer.json()["expires_in_ms"].as_u64().unwrap() <= 60_000);
    answer.json()["ticket"].as_str().unwrap().to_owned()
}

#[test]
fn beyond_this_machine_it_starts_with_a_key_and_warns_without_tls() {
    let (house, ana, _) = asking_at("0.0.0.0:0", &[]);

    assert_eq!(get_as(&house, "/chat/profile", &ana.bearer()).status, 200);
    request(&house, "GET", "/chat/profile", &[], "").assert_problem(401, "unauthenticated");
    assert!(house.log().contains("without TLS"), "{}", house.log());
}

#[test]
fn without_a_key_nothing_of_anybody_is_told() {
    let (house, ..) = asking(&[]);
    for (method, path) in [
        ("GET", "/chat/profile"),
        ("PUT", "/chat/profile"),
        ("GET", "/chat/accounts"),
        ("GET", "/memory/export"),
        ("GET", "/chat/voice"),
        ("PUT", "/chat/voice"),
        ("POST", "/chat/ticket"),
        ("POST", "/chat/confirm"),
        ("POST", "/tools/run"),
        ("GET", "/control/switches"),
        ("PUT", "/control/switches"),
        ("GET", "/metrics"),
    ] {
        let answer = request(&house, method, path, &[], "{}");
        answer.assert_problem(401, "unauthenticated");
        assert_eq!(answer.headers["www-authenticate"], "Bearer", "{path}");
    }
    upgrade(&house, "/chat/stream", &[]).assert_problem(401, "unauthenticated");
    for path in ["/", "/icon.svg", "/healthz", "/readyz"] {
        assert_eq!(request(&house, "GET", path, &[], "").status, 200, "{path}");
    }
}

#[test]
fn wrong_revoked_and_expired_keys_are_answered_alike() {
    let (house, ana, _) = asking(&[]);
    let gone = key(&house.data(), "ana", &[]);
    let short = key(&house.data(), "ana", &["--expires", "1s"]);
    assert_eq!(get_as(&house, "/chat/profile", &gone.bearer()).status, 200);
    assert_eq!(run(&["keys", "revoke", &gone.id, "--data", &house.data()]).code, 0);
    std::thread::sleep(Duration::from_millis(1_100));

    let wrong = [
        gone.bearer(),
        short.bearer(),
        format!("{}x", ana.bearer()),
        ana.bearer().to_uppercase(),
        "Bearer ".to_owned(),
        "Bearer nonsense".to_owned(),
        format!("Basic {}", ana.secret),
        ana.secret.clone(),
        format!("Bearer {}", ana.id),
        format!("Bearer {}", "x".repeat(20_000)),
    ];
    let bodies: Vec<_> = wrong
        .iter()
        .map(|bearer| {
            let answer = get_as(&house, "/chat/profile", bearer);
            answer.assert_problem(401, "unauthenticated");
            answer.body
        })
        .collect();
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert_eq!(get_as(&house, "/chat/profile", &ana.bearer()).status, 200);
}

#[test]
fn everybody_has_their_own_data() {
    let (house, ana, ben) = asking(&[]);
    let profile = json!({ "time_zone": "Europe/Berlin", "name": "Ana" }).to_string();
    let shown = [("Authorization", ana.bearer())];
    let shown = shown.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(request(&house, "PUT", "/chat/profile", &shown, &profile).status, 200);

    assert_eq!(get_as(&house, "/chat/profile", &ana.bearer()).json()["name"], "Ana");
    assert_ne!(get_as(&house, "/chat/profile", &ben.bearer()).json()["name"], "Ana");
    let second = key(&house.data(), "ana", &[]);
    assert_eq!(get_as(&house, "/chat/profile", &second.bearer()).json()["name"], "Ana");

    let (mut client, _) = Client::showing(&house, "", &[("Authorization", &ana.bearer())]);
    let turn = client.turn("What meetings do I have tomorrow?");
    assert!(!text(one(&turn, "assistant_text.final")).is_empty());
    let session = client.session();
    let query = format!("?session_id={session}");
    let (mut foreign, _) = Client::showing(&house, &query, &[("Authorization", &ben.bearer())]);
    assert_eq!(foreign.until_closed(), (Some(4404), Vec::new()));
}

#[test]
fn a_revoked_key_loses_its_open_sockets_and_nobody_elses() {
    let (house, ana, ben) = asking(&[]);
    let second = key(&house.data(), "ana", &[]);
    let open = |key: &Key| Client::showing(&house, "", &[("Authorization", &key.bearer())]).0;
    let (mut cut, mut mine, mut theirs) = (open(&ana), open(&second), open(&ben));
    let by_ticket = format!("?ticket={}", ticket(&house, &ana));
    let (mut ticketed, _) = Client::showing(&house, &by_ticket, &[]);
    for client in [&mut cut, &mut mine, &mut theirs, &mut ticketed] {
        client.session();
    }

    assert_eq!(run(&["keys", "revoke", &ana.id, "--data", &house.data()]).code, 0);

    assert_eq!(cut.until_closed().0, Some(4401));
    assert_eq!(ticketed.until_closed().0, Some(4401));
    mine.session();
    theirs.session();
}

/// Opens a tail, and reads its first line; what is left of it comes after that.
fn tail(house: &House, key: &Key) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(house.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let (address, bearer) = (house.address(), key.bearer());
    let asked = format!(
        "GET /control/tail HTTP/1.1\r\nHost: {address}\r\nAuthorization: {bearer}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(asked.as_bytes()).unwrap();
    let (mut reader, mut line) = (BufReader::new(stream), String::new());
    while !line.contains("listening") {
        line.clear();
        assert_ne!(reader.read_line(&mut line).unwrap(), 0, "it ended before it began");
    }
    reader
}

#[test]
fn an_operator_who_has_to_go_hears_no_more_of_everybody() {
    let (house, ..) = asking(&[]);
    let revoked = key(&house.data(), "ana", &["--operator"]);
    let mut listens = tail(&house, &revoked);
    assert_eq!(run(&["keys", "revoke", &revoked.id, "--data", &house.data()]).code, 0);
    let mut rest = String::new();
    listens.read_to_string(&mut rest).expect("a tail ends with the key it was opened with");

    let short = key(&house.data(), "ana", &["--operator", "--expires", "15s"]);
    let ended = tail(&house, &short).read_to_string(&mut rest);
    ended.expect("a tail ends when its key does");
}

#[test]
fn a_key_that_ends_takes_its_socket_along() {
    let (house, ..) = asking(&[("SAYSO_AUTH_RECHECK_SECONDS", "60")]);
    let short = key(&house.data(), "ana", &["--expires", "15s"]);
    let begun = Instant::now();
    let (mut client, _) = Client::showing(&house, "", &[("Authorization", &short.bearer())]);

    assert_eq!(client.until_closed().0, Some(4401));
    // Not only when it is looked again.
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

#[test]
fn a_socket_takes_a_key_among_its_subprotocols_and_does_not_repeat_it() {
    let (house, ana, _) = asking(&[]);
    let offered = format!("sayso.v1, sayso.bearer.{}", ana.secret);

    let (mut client, answer) = Client::showing(&house, "", &[("Sec-WebSocket-Protocol", &offered)]);

    assert_eq!(answer.headers()["sec-websocket-protocol"], "sayso.v1");
    client.session();
}

#[test]
fn a_ticket_opens_one_socket_once() {
    let (house, ana, _) = asking(&[]);
    let (first, second) = (ticket(&house, &ana), ticket(&house, &ana));
    assert_ne!(first, second);
    let query = format!("?ticket={first}");

    Client::showing(&house, &query, &[]).0.session();

    let path = format!("/chat/stream{query}");
    upgrade(&house, &path, &[]).assert_problem(401, "unauthenticated");
    // It opens nothing else.
    let elsewhere = format!("/chat/profile?ticket={second}");
    request(&house, "GET", &elsewhere, &[], "").assert_problem(401, "unauthenticated");
    get_as(&house, "/chat/profile", &format!("Bearer {second}"))
        .assert_problem(401, "unauthenticated");
    Client::showing(&house, &format!("?ticket={second}"), &[]).0.session();
}

#[test]
fn a_ticket_is_not_used_up_by_a_request_that_fails() {
    let (house, ana, _) = asking(&[("SAYSO_AUTH_FAILURES_PER_MINUTE", "1")]);
    let bought = ticket(&house, &ana);
    let path = format!("/chat/stream?ticket={bought}");
    upgrade(&house, &format!("{path}&last_seq=x"), &[]).assert_problem(400, "bad_query");
    request(&house, "GET", &path, &[], "").assert_problem(400, "not_a_websocket");

    Client::showing(&house, &format!("?ticket={bought}"), &[]).0.session();

    // Who shows it again has not guessed it.
    for _ in 0..3 {
        upgrade(&house, &path, &[]).assert_problem(401, "unauthenticated");
    }
    assert_eq!(get_as(&house, "/chat/profile", &ana.bearer()).status, 200);
}

#[test]
fn a_key_that_was_good_once_is_no_guess() {
    let (house, ana, ben) = asking(&[("SAYSO_AUTH_FAILURES_PER_MINUTE", "1")]);
    assert_eq!(run(&["keys", "revoke", &ana.id, "--data", &house.data()]).code, 0);
    for _ in 0..3 {
        get_as(&house, "/chat/profile", &ana.bearer()).assert_problem(401, "unauthenticated");
    }
    assert_eq!(get_as(&house, "/chat/profile", &ben.bearer()).status, 200);
}

#[test]
fn another_address_of_this_machine_is_this_machine() {
    let house = House::open_in(TempDir::new().unwrap(), "127.0.0.2:0", Vec::new());
    assert_eq!(request(&house, "GET", "/", &[], "").status, 200);
    Client::new(&house).session();
}

#[test]
fn a_ticket_is_worth_what_its_key_is_worth() {
    let (house, ana, _) = asking(&[]);
    let bought = ticket(&house, &ana);
    assert_eq!(run(&["keys", "revoke", &ana.id, "--data", &house.data()]).code, 0);

    let path = format!("/chat/stream?ticket={bought}");
    upgrade(&house, &path, &[]).assert_problem(401, "unauthenticated");
}

#[test]
fn a_key_in_an_address_is_taken_on_this_machine_only_and_with_a_warning() {
    let (home, ana, _) = asking(&[]);
    Client::showing(&home, &format!("?session_token={}", ana.secret), &[]).0.session();
    assert!(home.log().contains("came in an address"), "{}", home.log());
    assert!(!home.log().contains(&ana.secret));

    let (abroad, ana, _) = asking_at("0.0.0.0:0", &[]);
    let path = format!("/chat/stream?session_token={}", ana.secret);
    let answer = upgrade(&abroad, &path, &[]);
    answer.assert_problem(401, "unauthenticated");
    assert!(answer.body.contains("/chat/ticket") && !answer.body.contains(&ana.secret));
}

#[test]
fn pages_of_other_origins_come_in_only_when_they_are_listed() {
    let (house, ana, _) = asking(&[("SAYSO_ORIGINS", "https://chat.example")]);
    let from = |origin| [("Origin", origin), ("Authorization", "")];
    let bearer = ana.bearer();
    let ask = |origin| {
        let headers =
            from(origin).map(|(n, v)| (n, if v.is_empty() { bearer.as_str() } else { v }));
        request(&house, "GET", "/chat/profile", &headers, "")
    };

    let listed = ask("https://chat.example");
    assert_eq!(listed.status, 200);
    assert_eq!(listed.headers["access-control-allow-origin"], "https://chat.example");
    for foreign in ["https://evil.example", "http://chat.example", "null"] {
        let answer = ask(foreign);
        answer.assert_problem(403, "foreign_origin");
        assert!(!answer.headers.contains_key("access-control-allow-origin"));
        let socket = [("Origin", foreign), ("Authorization", bearer.as_str())];
        upgrade(&house, "/chat/stream", &socket).assert_problem(403, "foreign_origin");
    }
    let asks = [("Origin", "https://chat.example"), ("Access-Control-Request-Method", "POST")];
    let preflight = request(&house, "OPTIONS", "/chat/ticket", &asks, "");
    assert_eq!(preflight.status, 204);
    assert!(preflight.headers["access-control-allow-headers"].contains("authorization"));
    // A browser hears why, also where nobody was let in.
    let refused = request(&house, "GET", "/chat/profile", &asks[..1], "");
    assert_eq!(refused.status, 401);
    assert_eq!(refused.headers["access-control-allow-origin"], "https://chat.example");
}

#[test]
fn what_concerns_everybody_takes_an_operator() {
    let (house, ana, _) = asking(&[]);
    let operator = key(&house.data(), "ana", &["--operator"]);
    let pause = json!({ "off": true }).to_string();
    let put = |bearer: &str| {
        request(&house, "PUT", "/control/switches", &[("Authorization", bearer)], &pause)
    };

    put(&ana.bearer()).assert_problem(403, "operators_only");
    get_as(&house, "/metrics", &ana.bearer()).assert_problem(403, "operators_only");
    assert_eq!(get_as(&house, "/control/switches", &ana.bearer()).json()["paused"], false);
    assert_eq!(put(&operator.bearer()).status, 200);
    assert_eq!(get_as(&house, "/control/switches", &ana.bearer()).json()["paused"], true);
    assert_eq!(get_as(&house, "/metrics", &operator.bearer()).status, 200);
}

#[test]
fn whoever_guesses_waits() {
    // How many it takes is told where they are counted; here one takes a minute to fade.
    let (house, ana, _) = asking(&[("SAYSO_AUTH_FAILURES_PER_MINUTE", "1")]);
    get_as(&house, "/chat/profile", "Bearer sayso_key_1").assert_problem(401, "unauthenticated");

    let answer = get_as(&house, "/chat/profile", "Bearer sayso_key_2");

    answer.assert_problem(429, "too_many_failures");
    let wait: u64 = answer.headers["retry-after"].parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    upgrade(&house, "/chat/stream?ticket=x", &[]).assert_problem(429, "too_many_failures");
    // Who shows nothing guesses nothing, and the page is there for everybody.
    request(&house, "GET", "/chat/profile", &[], "").assert_problem(401, "unauthenticated");
    assert_eq!(request(&house, "GET", "/", &[], "").status, 200);
    assert!(house.log().contains("has to wait"), "{}", house.log());
    get_as(&house, "/chat/profile", &ana.bearer()).assert_problem(429, "too_many_failures");
}

#[test]
fn commands_show_a_key_and_say_what_is_missing_without_one() {
    let (house, ana, _) = asking(&[]);
    let said = run(&["say", "--server", &house.url(), "--key", &ana.secret, "hello"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let profile = ["profile", "--server", &house.url()];
    let env = [("SAYSO_KEY", ana.secret.as_str())];
    assert_eq!(run_with(&profile, &env, "").code, 0);

    let chat = ["chat", "--server", &house.url()];
    let say = ["say", "--server", &house.url(), "hello"];
    for args in [&profile[..], &chat, &say] {
        let ran = run(args);
        assert_ne!(ran.code, 0);
        assert!(ran.err.contains("SAYSO_KEY"), "{}", ran.err);
    }
    let help = run_with(&["say", "--help"], &env, "");
    assert!(!help.out.contains(&ana.secret), "{}", help.out);
}

#[test]
fn keys_are_listed_without_their_secrets_and_are_on_record() {
    let folder = TempDir::new().unwrap();
    let place = data(folder.path());
    let (mine, other) = (key(&place, "local", &["--expires", "never"]), key(&place, "ana", &[]));
    assert_eq!(run(&["keys", "revoke", &other.id, "--data", &place]).code, 0);

    let list = run(&["keys", "list", "--data", &place]);
    let json = run(&["keys", "list", "--json", "--data", &place]);
    let audit = run(&["audit", "--json", "--data", &place]);

    let rows: Vec<Value> =
        json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["key_id"], &rows[0]["state"]), (&json!(mine.id), &json!("good")));
    assert_eq!((&rows[1]["user"], &rows[1]["state"]), (&json!("ana"), &json!("revoked")));
    assert_eq!(list.out.lines().count(), 2, "{}", list.out);
    let lines: Vec<Value> =
        audit.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = lines.iter().map(|line| line["what"].as_str().unwrap()).collect();
    assert_eq!(told, ["key_created", "key_created", "key_revoked"]);
    for out in [&list.out, &json.out, &audit.out] {
        assert!(!out.contains(&mine.secret) && !out.contains(&other.secret), "{out}");
    }
    let nobody = run(&["keys", "revoke", &format!("key_{}", "0".repeat(32)), "--data", &place]);
    assert!(nobody.code != 0 && nobody.err.contains("there is no key"), "{nobody:?}");
}

#[test]
fn the_keys_of_one_machine_stay_with_its_person() {
    // Whoever has worked without a login finds everything again with their first key.
    let mut house = House::open();
    let session = Client::new(&house).session();
    let mine = key(&house.data(), "local", &[]);
    house.stop();
    house.set("SAYSO_AUTH_REQUIRED", "1");
    house.restart();

    let query = format!("?session_id={session}");
    let (mut client, _) = Client::showing(&house, &query, &[("Authorization", &mine.bearer())]);
    assert_eq!(client.session(), session);
}

#[test]
fn doctor_tells_whether_anybody_could_come_in() {
    let folder = TempDir::new().unwrap();
    let place = data(folder.path());
    let env = [("SAYSO_LISTEN", "0.0.0.0:0")];
    let doctor = ["doctor", "--data", &place];

    let before = run_with(&doctor, &env, "");
    key(&place, "local", &[]);
    let after = run_with(&doctor, &env, "");

    assert!(before.out.contains("nobody has a key yet"), "{}", before.out);
    assert!(before.out.contains("sayso keys create"), "{}", before.out);
    assert!(after.out.contains("a key, made with"), "{}", after.out);
    assert!(after.out.contains("whoever is on the way"), "{}", after.out);
}
