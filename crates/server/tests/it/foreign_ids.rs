//! A model that names what is somebody else's: it hears the same as of what nobody has, the
//! person hears the same, and the attempt is on record.

use std::collections::BTreeSet;

use models::provider::Tongue;
use serde_json::{Value, json};
use testkit::provider::{FakeProvider, KEY, Reply};
use tokio::runtime::Runtime;

use crate::client::Client;
use crate::doors::{Key, asking};
use crate::event::{kind, of_kind};
use crate::house::{House, run};
use crate::http::request;
use crate::rights::{listed, live};

/// What the rules decline.
const RIDDLE: &str = "why is the sky blue";

/// What ben has, by its ids.
struct Things {
    message: String,
    thread: String,
    draft: String,
    memory: String,
    event: String,
    file: String,
    session: String,
}

fn use_tool(house: &House, key: &Key, tool: &str, args: &Value) -> Value {
    let body = json!({ "tool_name": tool, "args": args }).to_string();
    let bearer = key.bearer();
    let answer = request(house, "POST", "/tools/run", &[("Authorization", &bearer)], &body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

fn id(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no id: {value}")).to_owned()
}

fn things(house: &House, key: &Key) -> Things {
    let file = live(house, key, "plum");
    let mail = &use_tool(house, key, "gmail.search", &json!({ "query": "in:sent plum" }));
    let mail = &mail["output"]["messages"][0];
    let to = ["priya.nair@brightloom.example"];
    let drafted = json!({ "to": to, "subject": "plum", "body": "plum" });
    let drafted = use_tool(house, key, "gmail.create_draft", &drafted);
    let memory = use_tool(house, key, "memory.retrieve", &json!({ "context": "plum" }));
    let event = use_tool(house, key, "calendar.list_events", &listed("plum"));
    let bearer = key.bearer();
    let (mut client, _) = Client::showing(house, "", &[("Authorization", &bearer)]);
    Things {
        message: id(&mail["message_id"]),
        thread: id(&mail["thread_id"]),
        draft: id(&drafted["output"]["draft_id"]),
        memory: id(&memory["output"]["memories"][0]["memory_id"]),
        event: id(&event["output"]["events"][0]["event_id"]),
        file,
        session: client.session(),
    }
}

/// The same shape, and nobody's.
fn made_up(id: &str) -> String {
    let last = if id.ends_with('0') { '1' } else { '0' };
    let mut other = id.to_owned();
    other.pop();
    other.push(last);
    other
}

/// Every argument of every tool that names a thing, with ben's; and those that no tool takes.
fn attempts(of: &Things) -> Vec<(&'static str, &'static str, String, Value)> {
    let send = |field: &str, id: &str| {
        let mut args =
            json!({ "to": ["priya.nair@brightloom.example"], "subject": "Hi", "body": "Hi" });
        args[field] = id.into();
        args
    };
    let Things { message, thread, draft, memory, event, file, session } = of;
    let own = |tool, field, id: &String, args| (tool, field, id.clone(), args);
    vec![
        own("gmail.get_message", "message_id", message, json!({ "message_id": message })),
        own(
            "gmail.draft_reply",
            "message_id",
            message,
            json!({ "message_id": message, "intent": "say yes" }),
        ),
        own(
            "gmail.draft_reply",
            "thread_id",
            thread,
            json!({ "thread_id": thread, "intent": "say yes" }),
        ),
        own("gmail.send", "thread_id", thread, send("thread_id", thread)),
        own("gmail.send", "in_reply_to", message, send("in_reply_to", message)),
        own("gmail.send", "draft_id", draft, json!({ "draft_id": draft })),
        own("memory.forget", "memory_id", memory, json!({ "memory_id": memory })),
        own("calendar.cancel_event", "event_id", event, json!({ "event_id": event })),
        own(
            "calendar.move_event",
            "event_id",
            event,
            json!({ "event_id": event, "start": "2030-05-03T10:00:00+02:00[Europe/Berlin]" }),
        ),
        own("attachment.read", "file_id", file, json!({ "file_id": file })),
        own("attachment.search", "file_id", file, json!({ "file_id": file, "query": "plum" })),
        own(
            "gmail.search",
            "session_id",
            session,
            json!({ "query": "plum", "session_id": session }),
        ),
        own("gmail.search", "user_id", session, json!({ "query": "plum", "user_id": session })),
    ]
}

/// What the person and the model were told, without what differs from turn to turn anyway.
fn told(events: &[Value], id: &str) -> Vec<String> {
    let wanted =
        ["tool_call.result", "assistant_text.final", "confirmation.request", "error", "turn.end"];
    let events = events.iter().filter(|event| wanted.contains(&kind(event)));
    let plain = |event: &Value| {
        let mut payload = event["payload"].clone();
        for passing in ["call_id", "confirmation_request_id", "metrics", "duration_ms"] {
            payload.as_object_mut().map(|fields| fields.remove(passing));
        }
        format!("{} {payload}", kind(event)).replace(id, "ID")
    };
    events.map(plain).collect()
}

/// What the model was told of what it called for, as far as it is about that.
fn brought(fake: &FakeProvider, from: usize, id: &str) -> Vec<String> {
    let asked = fake.asked();
    let results = asked[from..].iter().flat_map(|asked| {
        let messages = asked.body["messages"].as_array().cloned().unwrap_or_default();
        messages
            .into_iter()
            .flat_map(|message| message["content"].as_array().cloned().unwrap_or_default())
    });
    let results = results.filter(|part| part["type"] == "tool_result");
    results.map(|part| part["content"].to_string().replace(id, "ID")).collect()
}

fn audit(house: &House) -> Vec<Value> {
    let told = run(&["audit", "--json", "--data", &house.data()]).out;
    told.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_model_that_names_what_is_anothers_hears_what_it_hears_of_nothing_and_is_on_record() {
    let runtime = Runtime::new().unwrap();
    let fake = runtime.block_on(FakeProvider::start());
    let base = fake.base(Tongue::Anthropic);
    let (house, ana, ben) = asking(&[
        ("ANTHROPIC_API_KEY", KEY),
        ("ANTHROPIC_BASE_URL", &base),
        ("SAYSO_MODELS_ANTHROPIC_MODEL", "small-1"),
        ("SAYSO_LIMITS_TOOLS_PER_MINUTE", "0"),
        ("SAYSO_LIMITS_MODELS_PER_MINUTE", "0"),
    ]);
    let theirs = things(&house, &ben);
    let bearer = ana.bearer();

    for (tool, field, foreign, args) in attempts(&theirs) {
        let unknown = made_up(&foreign);
        let other = serde_json::from_str(&args.to_string().replace(&foreign, &unknown)).unwrap();
        let mut heard = Vec::new();
        for (id, args) in [(foreign, args), (unknown, other)] {
            let (before, from) = (audit(&house).len(), fake.asked().len());
            let (mut client, _) = Client::showing(&house, "", &[("Authorization", &bearer)]);
            fake.will(Reply::calls(tool, args));
            fake.always(Reply::says("There is nothing like that."));
            let events = client.turn(RIDDLE);

            assert_eq!(
                of_kind(&events, "confirmation.request"),
                [] as [&Value; 0],
                "{tool} {field}"
            );
            assert!(!json!(events).to_string().contains("plum tea"), "{tool} {field}: {events:?}");
            let lines = audit(&house).split_off(before);
            let is_noted = |line: &&Value| {
                matches!(line["what"].as_str(), Some("not_found" | "not_shown" | "plan_refused"))
                    && line["turn"] == events[0]["turn_id"]
            };
            let noted: Vec<_> = lines.iter().filter(is_noted).collect();
            assert_eq!(noted.len(), 1, "{tool} {field}: {lines:?}");
            let line =
                (noted[0]["what"].clone(), noted[0]["why"].clone(), noted[0]["tool"].clone());
            heard.push((told(&events, &id), brought(&fake, from, &id), line));
        }
        assert_eq!(heard[0], heard[1], "{tool} {field}: another's and nobody's are told apart");
    }
}

#[test]
fn every_tool_that_takes_an_id_is_tried_with_anothers() {
    let nothing = || String::from("x");
    let things = Things {
        message: nothing(),
        thread: nothing(),
        draft: nothing(),
        memory: nothing(),
        event: nothing(),
        file: nothing(),
        session: nothing(),
    };
    let tried: BTreeSet<(String, String)> = attempts(&things)
        .into_iter()
        .map(|(tool, field, ..)| (tool.to_owned(), field.to_owned()))
        .collect();
    let told: Value = serde_json::from_str(&run(&["tools", "--as", "mcp"]).out).unwrap();
    let tools = told["tools"].as_array().unwrap();
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let fields = tool["inputSchema"]["properties"].as_object().cloned().unwrap_or_default();
        let names_a_thing = |field: &&String| {
            field.split('_').any(|part| matches!(part, "id" | "ids")) || *field == "in_reply_to"
        };
        for field in fields.keys().filter(names_a_thing) {
            let is_tried = tried.contains(&(name.to_owned(), field.clone()));
            assert!(is_tried, "{name} takes {field}, and nobody has tried somebody else's");
        }
    }
}
