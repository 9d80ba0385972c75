//! Nobody reaches what is somebody else's, by any id, on any route, in any event,
//! through any tool.
//!
//! The list of what to try is made from the list of routes, the schema of the
//! dialect and the schemas of the tools: something new that takes an id and has no
//! line here fails.

use std::fmt::Write as _;

use axum::http::Method;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::people_tests::{PRIYA, Person, Place, in_days};
use super::{ROUTES, Route, Who};
use crate::client::{Remote, http};

/// One place where an id can be named.
#[derive(Clone)]
struct Slot {
    /// Where, for whoever reads a failure.
    at: String,
    /// What it is the id of.
    thing: &'static str,
    way: Way,
}

#[derive(Clone)]
enum Way {
    /// Parts of the address of a socket.
    Query(&'static str),
    /// The body of a request, with the id under this name.
    Body(&'static str, Value, &'static str),
    /// An address with the id in it, where `ID` stands.
    Address(Method, String, Value),
    /// An address that says where to go on, whether or not that is still there.
    Cursor(&'static str),
    /// An address below something of one's own, which stands for `OWN`.
    Within(&'static str, &'static str),
    /// The session of a file that is handed over.
    File,
    /// The arguments of a tool.
    Tool(String, Value, String),
    /// The payload of an event, in a session of one's own.
    Event(String, Value, String),
}

/// What is asked of every route that is somebody's. No `_`: who adds a route says
/// here which ids it takes.
fn slots_of(route: &Route) -> Vec<(&'static str, &'static str, Way)> {
    let confirm = json!({ "session_id": "", "confirmation_request_id": "", "decision": "accept" });
    match (route.method.as_str(), route.path) {
        ("GET", "/chat/stream") => vec![
            ("session_id", "session", Way::Query("session_id")),
            ("thread_id", "chat", Way::Query("thread_id")),
        ],
        ("POST", "/chat/confirm") => vec![
            ("session_id", "session", Way::Body(route.path, confirm.clone(), "session_id")),
            (
                "confirmation_request_id",
                "card",
                Way::Body(route.path, confirm, "confirmation_request_id"),
            ),
        ],
        ("POST", "/tools/run") => {
            let search = json!({ "tool_name": "gmail.search", "args": { "query": "in:inbox" } });
            vec![("session_id", "session", Way::Body(route.path, search, "session_id"))]
        }
        ("POST", "/chat/session/start") => {
            vec![("thread_id", "chat", Way::Body(route.path, json!({}), "thread_id"))]
        }
        ("POST", "/memory/write") => {
            let keep = json!({ "memory": "Tom is allergic to nuts" });
            vec![("session_id", "session", Way::Body(route.path, keep, "session_id"))]
        }
        ("DELETE", "/memory/{memory_id}") => {
            let path = "/memory/ID".to_owned();
            vec![("memory_id", "memory", Way::Address(Method::DELETE, path, Value::Null))]
        }
        ("GET", "/chat/search") => {
            let path = "/chat/search?q=a&before=ID".to_owned();
            vec![("before", "bubble", Way::Address(Method::GET, path, Value::Null))]
        }
        // A page goes on behind a chat, which is named together with its time.
        ("GET", "/chat/threads") => {
            vec![("before", "chat", Way::Cursor("/chat/threads?before=4102444800000000.ID"))]
        }
        ("GET", "/chat/threads/{thread_id}/messages") => {
            let path = "/chat/threads/ID/messages".to_owned();
            let before = Way::Within("chat", "/chat/threads/OWN/messages?before=ID");
            vec![
                ("id", "chat", Way::Address(Method::GET, path, Value::Null)),
                ("before", "bubble", before),
            ]
        }
        ("POST", "/chat/attachment/upload") => vec![("session_id", "session", Way::File)],
        ("GET" | "DELETE", "/chat/jobs/{job_id}") => {
            let is_deleted = route.method == Method::DELETE;
            let thing = if is_deleted { "spare job" } else { "job" };
            let path = route.path.replace("{job_id}", "ID");
            vec![("id", thing, Way::Address(route.method.clone(), path, Value::Null))]
        }
        (_, "/chat/threads/{thread_id}" | "/chat/attachment/{file_id}")
        | ("GET", "/chat/threads/{thread_id}/export") => {
            let is_chat = route.path.contains("{thread_id}");
            let thing = match (&route.method, is_chat) {
                // What its owner deletes in the end is not asked for after that.
                (&Method::DELETE, true) => "spare chat",
                (&Method::DELETE, false) => "spare file",
                (_, true) => "chat",
                (_, false) => "file",
            };
            let path = route.path.replace("{thread_id}", "ID").replace("{file_id}", "ID");
            let body = json!({ "title": "Mine" });
            vec![("id", thing, Way::Address(route.method.clone(), path, body))]
        }
        // These take no id: they are about whoever asks.
        ("GET", "/chat/jobs" | "/control/jobs" | "/chat/accounts") => Vec::new(),
        ("GET", "/memory/retrieve" | "/memory/export") => Vec::new(),
        ("POST", "/chat/ticket") | ("GET" | "PUT", "/chat/profile" | "/chat/voice") => Vec::new(),
        ("GET" | "PUT", "/control/switches") | ("GET", "/metrics") => Vec::new(),
        // An operator hears of every session, and of nobody's words.
        ("GET", "/control/tail" | "/control/summary" | "/control/turns/{turn_id}") => Vec::new(),
        ("GET", "/control/audit" | "/control/audit/verify" | "/control/audit/export") => Vec::new(),
        (method, path) => panic!("{method} {path} has no line in this test"),
    }
}

/// What the id of a field is the id of.
fn thing_of(field: &str) -> &'static str {
    match field {
        "confirmation_request_id" => "card",
        "cancel_turn_id" => "turn",
        "message_id" | "in_reply_to" => "mail",
        "thread_id" => "mail thread",
        "draft_id" => "draft",
        "file_id" | "attachments" => "file",
        "memory_id" | "also" => "memory",
        "event_id" => "event",
        other => panic!("{other} has no line in this test"),
    }
}

/// Fields that hold a list of names.
const LISTS: &[&str] = &["also", "attachments"];
/// Texts that are what they say, and the name of nothing that is kept.
const PLAIN: &[&str] = &[
    "about",
    "attendees",
    "body",
    "candidate_memory",
    "cc",
    "client",
    "client_ts",
    "context",
    "derived_from",
    "due_at",
    "end",
    "from",
    "intent",
    "like",
    "location",
    "memory",
    "name",
    "pcm16_b64",
    "query",
    "reason",
    "source",
    "start",
    "subject",
    "text",
    "title",
    "to",
    "what",
    "when",
];

/// The fields of an object's schema that name something: every text may, whatever it
/// is called, unless it is known to be plain.
fn id_fields(schema: &Value) -> Vec<String> {
    let fields = schema["properties"].as_object().cloned().unwrap_or_default();
    let named = fields.into_iter().filter(|(_, field)| holds_text(field)).map(|(name, _)| name);
    named.filter(|name| !PLAIN.contains(&name.as_str())).collect()
}

/// Whether a value of this schema can be a text, or hold one in a list.
fn holds_text(schema: &Value) -> bool {
    let is = |kind: &str| {
        let own = &schema["type"];
        own == kind || own.as_array().is_some_and(|kinds| kinds.iter().any(|own| own == kind))
    };
    let refers_to_an_id = schema["$ref"].as_str().is_some_and(|name| name.ends_with("Id"));
    let any = schema["anyOf"].as_array().is_some_and(|any| any.iter().any(holds_text));
    let free = is("string") && schema["enum"].is_null();
    free || refers_to_an_id || any || (is("array") && holds_text(&schema["items"]))
}

fn slots(place: &Place) -> Vec<Slot> {
    let mut slots = Vec::new();
    for route in ROUTES.iter().filter(|route| route.who != Who::Anybody) {
        for (name, thing, way) in slots_of(route) {
            let at = format!("{} {} {name}", route.method, route.path);
            slots.push(Slot { at, thing, way });
        }
    }
    for tool in place.app.registry.house().catalog.tools() {
        for field in id_fields(&tool.input_schema()) {
            let args = match tool.name() {
                "gmail.draft_reply" => json!({ "intent": "Thursday works" }),
                "gmail.send" if field != "draft_id" => {
                    json!({ "to": [PRIYA], "subject": "x", "body": "x" })
                }
                "memory.forget" if field == "also" => json!({ "memory_id": "" }),
                "calendar.move_event" => json!({ "start": in_days(4) }),
                "attachment.search" => json!({ "query": "x" }),
                "attachment.read"
                | "calendar.cancel_event"
                | "gmail.send"
                | "gmail.get_message"
                | "memory.forget" => json!({}),
                other => panic!("{other} has no line in this test"),
            };
            let at = format!("{} {field}", tool.name());
            let thing = thing_of(&field);
            slots.push(Slot { at, thing, way: Way::Tool(tool.name().into(), args, field) });
        }
    }
    let schema = wire::schema::json_schema();
    let events = schema["$defs"]["ClientEvent"]["oneOf"].as_array().unwrap();
    assert!(events.len() >= 7, "the dialect has events");
    for event in events {
        let name = event["properties"]["event_type"]["const"].as_str().unwrap();
        for field in id_fields(&event["properties"]["payload"]) {
            let (thing, payload) = match name {
                "confirm.response" => (thing_of(&field), json!({ "decision": "reject" })),
                "confirm.extend" | "user.interrupt" => (thing_of(&field), json!({})),
                "playback.progress" => ("bubble", json!({ "heard_ms": 5 })),
                "playback.replay" => ("bubble", json!({})),
                "text.input" => (thing_of(&field), json!({ "text": "What is in it?" })),
                other => panic!("{other} has no line in this test"),
            };
            let (at, way) = (format!("{name} {field}"), Way::Event(name.into(), payload, field));
            slots.push(Slot { at, thing, way });
        }
    }
    slots
}

impl Slot {
    /// What a mail or an event is called is its provider's business.
    fn is_of_us(&self) -> bool {
        !["mail", "mail thread", "draft", "event"].contains(&self.thing)
    }

    /// What `asker` hears when they name `id` here. Where an answer repeats the id,
    /// that is left out, and so is what is different every time.
    async fn answer(&self, place: &Place, asker: &Person, owner: &Person, id: &str) -> String {
        let with = |body: &Value, field: &str| {
            let mut body = body.clone();
            body[field] = if LISTS.contains(&field) { json!([id]) } else { id.into() };
            body
        };
        let said = match &self.way {
            Way::Query(name) => {
                let heard = place.talk(asker, &format!("?{name}={id}")).await;
                heard.iter().map(without_names).collect()
            }
            Way::Body(path, body, field) => {
                let mut body = with(body, field);
                // The rest is as it would be if the id were good.
                if body["session_id"] == "" {
                    body["session_id"] = asker.things["session"].clone();
                }
                if body["confirmation_request_id"] == "" {
                    body["confirmation_request_id"] = owner.things["card"].clone();
                }
                told(&place.post(asker, path, body).await)
            }
            Way::Address(method, path, body) => {
                let path = path.replace("ID", id);
                told(&place.request(asker, method.clone(), &path, body.clone()).await)
            }
            Way::Cursor(path) => {
                let path = path.replace("ID", id);
                told(&place.request(asker, Method::GET, &path, Value::Null).await)
            }
            Way::Within(own, path) => {
                let own = asker.things[*own].as_str().unwrap();
                let path = path.replace("OWN", own).replace("ID", id);
                told(&place.request(asker, Method::GET, &path, Value::Null).await)
            }
            Way::File => without_date(&place.upload(asker, Some(id)).await),
            Way::Tool(tool, args, field) => {
                let mut args = with(args, field);
                if args["memory_id"] == "" {
                    args["memory_id"] = asker.things["memory"].clone();
                }
                let wanted = json!({ "tool_name": tool, "args": args });
                told(&place.post(asker, "/tools/run", wanted).await)
            }
            Way::Event(name, payload, field) => {
                let frame = json!({ "event_type": name, "payload": with(payload, field) });
                let heard = place.say(asker, frame).await;
                heard.iter().map(without_names).collect::<String>()
            }
        };
        said.replace(id, "ID")
    }
}

/// An answer as it stands on the wire, without the time it was given.
fn without_date(answer: &str) -> String {
    let is_date = |line: &&str| line.to_ascii_lowercase().starts_with("date:");
    answer.lines().filter(|line| !is_date(line)).collect::<Vec<_>>().join("\n")
}

fn told(answer: &http::Answer) -> String {
    format!("{} {}", answer.status, answer.body)
}

/// An event without the names and times that every event has for itself.
fn without_names(event: &Value) -> String {
    let mut text = String::new();
    if event.is_string() {
        return event.to_string();
    }
    let payload = &event["payload"];
    let mut payload = payload.clone();
    for own in ["client_ts", "server_ts", "expires_at", "in_reply_to", "last_seq", "epoch"] {
        payload.as_object_mut().map(|payload| payload.remove(own));
    }
    writeln!(text, "{} {payload}", event["event_type"]).unwrap();
    text
}

/// An id of the same kind that nobody has.
fn nobodys(id: &str) -> String {
    let turned = |c: char| match c {
        '0'..='8' => char::from(c as u8 + 1),
        '9' => '0',
        other => other,
    };
    let (kind, digits) = id.split_at(id.find('_').map_or(0, |at| at + 1));
    format!("{kind}{}", digits.chars().map(turned).collect::<String>())
}

/// Ids of no kind, and of another one.
fn malformed(id: &str) -> [String; 3] {
    let digits = id.split_once('_').map_or("", |(_, digits)| digits);
    ["nonsense".to_owned(), format!("{id}0"), format!("plan_{digits}")]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_somebody_elses_answers_like_what_is_not_there() {
    let place = Place::with(&["ana", "benjamin", "clara-maria"]).await;
    let slots = slots(&place);
    assert!(slots.len() >= 23, "{}", slots.len());
    let mut tried = 0;
    for slot in &slots {
        for asker in &place.people {
            for owner in place.people.iter().filter(|owner| owner.name != asker.name) {
                let theirs = owner.things[slot.thing].as_str();
                let theirs =
                    theirs.unwrap_or_else(|| panic!("{} has a {}", owner.name, slot.thing));
                let unknown = nobodys(theirs);
                assert_ne!(theirs, unknown);

                let foreign = slot.answer(&place, asker, owner, theirs).await;
                let nothing = slot.answer(&place, asker, owner, &unknown).await;

                let case = format!("{} by {} for {}", slot.at, asker.name, owner.name);
                assert_eq!(foreign, nothing, "{case}");
                if slot.is_of_us() {
                    for malformed in malformed(theirs) {
                        let odd = slot.answer(&place, asker, owner, &malformed).await;
                        // What is no event, or no argument, is refused as that.
                        let is_bad = match slot.way {
                            Way::Event(..) => {
                                odd.contains("bad_payload") || odd.contains("unknown_file")
                            }
                            Way::Tool(..) => odd.contains("bad_arguments"),
                            Way::Cursor(_) => odd.contains("bad_query"),
                            _ => false,
                        };
                        assert!(is_bad || odd == nothing, "{case}: {malformed}: {odd}");
                    }
                }
                let may_be_silent = slot.thing == "bubble";
                assert!(may_be_silent || !foreign.is_empty(), "{case}");
                assert!(!foreign.contains(owner.name), "{case}: {foreign}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, slots.len() * 6);
    // Nothing of it has changed anything: all of it still answers to its owner.
    for person in &place.people {
        for slot in slots.iter().filter(|slot| slot.thing != "bubble") {
            let own = person.things[slot.thing].as_str().unwrap();
            let mine = slot.answer(&place, person, person, own).await;
            let nothing = slot.answer(&place, person, person, &nobodys(own)).await;
            let is_told = match &slot.way {
                Way::Event(name, ..) => name != "user.interrupt",
                Way::Cursor(_) => false,
                _ => true,
            };
            if is_told {
                assert_ne!(mine, nothing, "{} by its owner {}", slot.at, person.name);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_route_that_nobody_listed_cannot_be_reached() {
    let place = Place::with(&["ana"]).await;
    let unlisted = axum::Router::new()
        .route("/chat/unlisted", axum::routing::get(async || "secret"))
        .layer(axum::middleware::from_fn_with_state(place.app.clone(), crate::doors::guard));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(axum::serve(listener, unlisted).into_future());

    let key = Some(place.people[0].key.clone());
    let remote = Remote::new(&address.to_string(), key).unwrap();
    let answer = http::request(&remote, Method::GET, "/chat/unlisted", None).await.unwrap();

    assert_eq!((answer.status, &answer.body["error"]["code"]), (500, &json!("not_listed")));
}
