//! What every address is for, what it takes, and every answer it may give.

use brain::Profile;
use brain::event::Question;
use brain::facts::Memories;
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::page::Book;
use crate::routes::{
    accounts, attachment, audit, begin, confirm, memory, run, stream, switches, tail, threads,
    voice, watch,
};
use crate::watch::waterfall::Waterfall;

/// What may always happen on the way to the store.
const STORE: (u16, &str) =
    (503, "`store_unavailable`, `stopping`: nothing was done; try again in a moment");
/// What every address refuses.
const FOREIGN: (u16, &str) =
    (403, "`foreign_origin`: not from a page that may; `operators_only`: it concerns everybody");
const BAD_QUERY: (u16, &str) = (400, "`bad_query`: the message says what is wrong");
const NO_THREAD: (u16, &str) =
    (404, "`unknown_thread`: unknown, deleted, malformed and somebody else's are alike");

const CONFIRM: &str = "/chat/confirm";
const THREAD: &str = "/chat/threads/{thread_id}";
const MESSAGES: &str = "/chat/threads/{thread_id}/messages";
const EXPORT: &str = "/chat/threads/{thread_id}/export";
const FILE: &str = "/chat/attachment/{file_id}";
const MEMORY: &str = "/memory/{memory_id}";

pub fn document(asks: bool) -> Value {
    let mut book = Book::new();
    sessions(&mut book);
    tickets(&mut book);
    answers(&mut book);
    chats(&mut book);
    one_chat(&mut book);
    files(&mut book);
    jobs(&mut book);
    person(&mut book);
    memories(&mut book);
    watching(&mut book);
    house(&mut book);
    let info = json!({
        "title": "Sayso",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "A voice-and-text agent server that acts only on your say-so. \
                        Every refusal is {\"error\": {\"code\", \"message\"}}.",
        "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
    });
    book.finish(&info, asks)
}

fn sessions(book: &mut Book) {
    book.way("post", "/chat/session/start", "Begin a session")
        .more("`stream_url` is what to open next.")
        .body_or_none::<begin::Wanted>()
        .answers::<begin::Started>(201, "It has begun")
        .leads_to(201, ("patch", THREAD), &[("thread_id", "thread_id")])
        .leads_to(201, ("get", MESSAGES), &[("thread_id", "thread_id")])
        .leads_to(201, ("get", EXPORT), &[("thread_id", "thread_id")])
        .leads_to(201, ("delete", THREAD), &[("thread_id", "thread_id")])
        .refuses(&[
            (400, "`bad_body`, `too_deep`, `user_in_body`"),
            FOREIGN,
            (404, "`unknown_thread`, `unknown_agent`"),
            (413, "`bad_body`: more than 256 KiB"),
            STORE,
        ])
        .done();
    book.way("get", "/chat/voice", "How fast you are spoken to")
        .answers::<voice::Shown>(200, "The pace, and the language that is understood")
        .refuses(&[FOREIGN, STORE])
        .done();
    book.way("put", "/chat/voice", "Say how fast you want to be spoken to")
        .body::<voice::Wanted>()
        .example("a little faster", &json!({ "percent": 115 }))
        .answers::<voice::Shown>(200, "How it is from now on")
        .refuses(&[
            (400, "`bad_voice`: the message says what is wrong"),
            FOREIGN,
            (409, "`language_not_understood`: the message says which is"),
            (413, "`bad_body`: more than 256 KiB"),
            STORE,
        ])
        .done();
    book.way("get", "/chat/accounts", "Whose mail and calendar it works with")
        .more("Where they are, and whether what is sent and booked reaches anybody.")
        .answers::<accounts::Shown>(200, "Those there are")
        .refuses(&[FOREIGN, STORE])
        .done();
    book.way("get", "/chat/stream", "The conversation, as a WebSocket")
        .more("Speaks the canonical dialect. Without an upgrade it is refused.")
        .query::<stream::Wanted>()
        .answers_with(101, "The stream is open", &Value::Null)
        .refuses(&[
            (400, "`bad_query`, `not_a_websocket`"),
            FOREIGN,
            (426, "`not_a_websocket`"),
            (503, "`too_many_connections`"),
        ])
        .done();
}

/// What became of an answer to a card.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
#[schemars(tag = "status", rename_all = "snake_case")]
enum Confirmed {
    /// It counts, and it is on disk.
    Resolved { decision: brain::input::Decision, revision: u32 },
    /// An edit that deserves another look: the card asks again.
    Changed { card: Box<Question> },
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
struct ToolRan {
    ok: bool,
    /// What the tool brought.
    output: Value,
    session_id: brain::SessionId,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
struct ToolAsks {
    confirmation_request_id: brain::ConfirmationId,
    revision: u32,
    #[schemars(with = "String")]
    expires_at: jiff::Timestamp,
    session_id: brain::SessionId,
    card: Question,
}

/// What a browser buys to open a socket with.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
struct Ticket {
    ticket: String,
    expires_in_ms: u64,
}

fn tickets(book: &mut Book) {
    book.way("post", "/chat/ticket", "Buy a ticket for one socket")
        .answers::<Ticket>(200, "Good for one socket, within a minute")
        .refuses(&[FOREIGN, STORE])
        .done();
}

fn answers(book: &mut Book) {
    book.way("post", CONFIRM, "Answer a card from outside any connection")
        .body::<confirm::Said>()
        .answers::<Confirmed>(200, "It counts, or the card was changed and asks again")
        .refuses(&[
            (400, "`bad_body`, `too_deep`, `user_in_body`"),
            FOREIGN,
            (404, "`unknown_confirmation`: no such card, or no such session"),
            (409, "`confirmation_stale`, `confirmation_resolved`, `confirmation_needs_readback`"),
            (410, "`confirmation_expired`"),
            (413, "`bad_body`: more than 256 KiB"),
            (422, "`bad_edit`, `unknown_recipient`: the card is as it was"),
            (423, "`writes_paused`, `tool_off`: the card stays open"),
            STORE,
        ])
        .done();
    let to = ["priya.nair@brightloom.example"];
    let mail = json!({ "to": to, "subject": "Thursday", "body": "Thursday works." });
    let no = json!({
        "session_id": "$response.body#/session_id",
        "confirmation_request_id": "$response.body#/confirmation_request_id",
        "decision": "reject",
    });
    book.way("post", "/tools/run", "Use one tool, as it stands")
        .more("What writes asks first, whatever the request says.")
        .body::<run::Wanted>()
        .example("look", &json!({ "tool_name": "gmail.search", "args": { "query": "from:priya" } }))
        .example("write", &json!({ "tool_name": "gmail.send", "args": mail }))
        .answers::<ToolRan>(200, "What looks or drafts was done")
        .answers::<ToolAsks>(202, "What writes asks first")
        .leads_to_body(202, ("post", CONFIRM), &no)
        .refuses(&[
            (400, "`bad_body`, `too_deep`, `user_in_body`"),
            FOREIGN,
            (404, "`unknown_tool`, `unknown_session`, `not_found`"),
            (409, "`duplicate_request`, `too_many_cards`"),
            (413, "`bad_body`: more than 256 KiB"),
            (422, "`bad_arguments`, `unknown_recipient`, `refused`: the tool says why"),
            (423, "`writes_paused`, `tool_off`, `memory_paused`"),
            (429, "`queue_full`"),
            (502, "the tool's own code"),
            STORE,
            (504, "`timeout`"),
        ])
        .done();
}

fn chats(book: &mut Book) {
    book.way("get", "/chat/threads", "Your chats, the one with the newest message first")
        .query::<threads::ListWanted>()
        .answers::<threads::ThreadList>(200, "A page of them")
        .refuses(&[BAD_QUERY, FOREIGN, STORE])
        .done();
    book.way("get", "/chat/search", "What was said, in all your chats")
        .query::<threads::search::SearchWanted>()
        .answers::<threads::search::SearchFound>(200, "A page of it, the newest first")
        .refuses(&[
            BAD_QUERY,
            FOREIGN,
            (404, "`unknown_message`: unknown and somebody else's are alike"),
            STORE,
        ])
        .done();
}

fn one_chat(book: &mut Book) {
    book.way("get", THREAD, "One chat")
        .answers::<threads::Chat>(200, "As the list shows it")
        .refuses(&[FOREIGN, NO_THREAD, STORE])
        .done();
    book.way("patch", THREAD, "Name a chat")
        .body::<threads::Named>()
        .answers::<threads::Chat>(200, "It is called so from now on")
        .refuses(&[
            (400, "`bad_body`, `too_deep`, `user_in_body`, `bad_title`"),
            FOREIGN,
            NO_THREAD,
            (413, "`bad_body`: more than 256 KiB"),
            STORE,
        ])
        .done();
    book.way("delete", THREAD, "Delete a chat")
        .more("Everything said, asked and done in it goes; the audit stays.")
        .answers_with(204, "It is gone", &Value::Null)
        .refuses(&[
            FOREIGN,
            NO_THREAD,
            (409, "`card_open`, `write_open`: something in it is open"),
            STORE,
        ])
        .done();
    book.way("get", MESSAGES, "What was said in a chat")
        .query::<threads::MessagesWanted>()
        .answers::<threads::Said>(200, "The latest, oldest first")
        .refuses(&[
            BAD_QUERY,
            FOREIGN,
            (404, "`unknown_thread`, `unknown_message`: unknown and somebody else's are alike"),
            STORE,
        ])
        .done();
    let exported = book.shape::<threads::export::Whole>();
    let content = json!({
        "application/json": { "schema": exported },
        "application/x-ndjson": { "schema": { "type": "string" } },
        "text/markdown": { "schema": { "type": "string" } },
    });
    book.way("get", EXPORT, "A whole chat")
        .query::<threads::export::ExportWanted>()
        .answers_with(200, "All of it, or its newest 10,000 messages", &content)
        .refuses(&[BAD_QUERY, FOREIGN, NO_THREAD, STORE])
        .done();
}

fn files(book: &mut Book) {
    let file = json!({
        "type": "string",
        "contentMediaType": "application/octet-stream",
        "minLength": 1,
        "examples": ["Notes of Thursday"],
    });
    let session = json!({ "type": "string", "pattern": "^sess_[0-9a-f]{32}$" });
    let form = json!({
        "type": "object",
        "required": ["file"],
        "properties": { "file": file, "session_id": session },
        "additionalProperties": false,
    });
    book.way("post", "/chat/attachment/upload", "Hand over one file")
        .more(
            "What it is follows from its contents, not from what it is called. It is read at once, \
             beside everything else: `state` says how far that has come.",
        )
        .form(&json!({ "multipart/form-data": { "schema": form } }))
        .answers::<attachment::Attachment>(201, "It is kept")
        .leads_to(201, ("get", FILE), &[("file_id", "file_id")])
        .refuses(&[
            (400, "`bad_multipart`, `empty_file`"),
            FOREIGN,
            (404, "`unknown_session`"),
            (408, "`too_slow`"),
            (413, "`file_too_large`, `quota_full`"),
            (415, "`unsupported_type`: the message says what it is"),
            (503, "`too_many_uploads`, `store_unavailable`: try again in a moment"),
        ])
        .done();
    book.way("get", FILE, "What a file is")
        .answers::<attachment::Attachment>(
            200,
            "What it is and whether it was read, not what is in it",
        )
        .refuses(&[FOREIGN, (404, "`unknown_file`"), STORE])
        .done();
    book.way("delete", FILE, "Take a file back")
        .answers_with(204, "It is gone", &Value::Null)
        .refuses(&[FOREIGN, (404, "`unknown_file`"), STORE])
        .done();
}

fn person(book: &mut Book) {
    book.way("get", "/chat/profile", "Who you are")
        .answers::<Profile>(200, "What you told us")
        .refuses(&[FOREIGN, STORE])
        .done();
    book.way("put", "/chat/profile", "Say who you are")
        .body::<Profile>()
        .example("Maya", &json!({ "time_zone": "Europe/Berlin", "name": "Maya" }))
        .answers::<Profile>(200, "What is known of you from now on")
        .refuses(&[
            (400, "`bad_profile`: the message says what is wrong"),
            FOREIGN,
            (413, "`bad_body`: more than 256 KiB"),
            STORE,
        ])
        .done();
}

/// Long work, reminders and timers.
fn jobs(book: &mut Book) {
    let unknown = (404, "`unknown_job`: there is none, or it is somebody else's");
    book.way("get", "/chat/jobs", "Long work, reminders and timers of yours, newest first")
        .answers::<Jobs>(200, "At most 200 of them")
        .refuses(&[FOREIGN, STORE])
        .done();
    book.way("get", "/chat/jobs/{job_id}", "One of them, with what came of it")
        .answers::<OneJob>(200, "As it stands")
        .refuses(&[FOREIGN, unknown, STORE])
        .done();
    book.way("delete", "/chat/jobs/{job_id}", "Stop it; one that is over stays as it is")
        .answers::<OneJob>(200, "As it stands then")
        .refuses(&[FOREIGN, unknown, STORE])
        .done();
    book.way("get", "/control/jobs", "Everybody's, without what they are about; for operators")
        .answers::<Jobs>(200, "At most 200 of them")
        .refuses(&[FOREIGN, STORE])
        .done();
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
struct Jobs {
    jobs: Vec<OneJob>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
#[schemars(rename = "Job", inline)]
struct OneJob {
    job_id: String,
    /// `mail.summarize`
    kind: String,
    /// What a person would call it.
    called: Option<String>,
    /// held, queued, running, done, failed or cancelled.
    state: String,
    /// From 0 to 1; it never goes back.
    progress: f32,
    message: Option<String>,
    created_at: String,
    ended_at: Option<String>,
    /// Of a reminder: when it is to ring.
    due_at: Option<String>,
    result: Option<serde_json::Value>,
    error: Option<serde_json::Value>,
}

fn memories(book: &mut Book) {
    book.way("get", "/memory/retrieve", "What you asked to be remembered")
        .more("By what it means and by its words, the best first; without words the newest.")
        .query::<memory::Wanted>()
        .answers::<Memories>(200, "What was found")
        .leads_to(200, ("delete", MEMORY), &[("memory_id", "memories/0/memory_id")])
        .refuses(&[BAD_QUERY, FOREIGN, STORE])
        .done();
    let content = json!({ "application/x-ndjson": { "schema": { "type": "string" } } });
    book.way("get", "/memory/export", "All that you asked to be remembered")
        .answers_with(200, "Oldest first, one a line", &content)
        .refuses(&[FOREIGN, STORE])
        .done();
    book.way("post", "/memory/write", "Ask for something to be remembered")
        .more("It is kept after a yes at `/chat/confirm`, and not before.")
        .body::<memory::ToKeep>()
        .example("nuts", &json!({ "memory": "Tom is allergic to nuts" }))
        .answers::<ToolAsks>(202, "It asks first")
        .refuses(MEMORY_REFUSED)
        .done();
    book.way("delete", MEMORY, "Ask for something to be forgotten")
        .more("It is gone after a yes at `/chat/confirm`, and not before.")
        .answers::<ToolAsks>(202, "It asks first")
        .refuses(MEMORY_REFUSED)
        .done();
}

/// What keeping and forgetting refuse.
const MEMORY_REFUSED: &[(u16, &str)] = &[
    (400, "`bad_body`, `too_deep`, `user_in_body`"),
    FOREIGN,
    (404, "`unknown_session`, `not_found`, `unknown_tool`"),
    (409, "`duplicate_request`, `too_many_cards`"),
    (413, "`bad_body`: more than 256 KiB"),
    (422, "`bad_arguments`, `refused`: the message says why"),
    (423, "`writes_paused`, `tool_off`, `memory_paused`"),
    (429, "`queue_full`"),
    (502, "the tool's own code"),
    STORE,
    (504, "`timeout`"),
];

/// How the switches stand.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
struct Switches {
    /// Nothing may be written.
    paused: bool,
    #[schemars(with = "Option<String>")]
    paused_since: Option<jiff::Timestamp>,
    tools_off: Vec<ToolOff>,
    can_be_paused: Vec<String>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
#[schemars(inline)]
struct ToolOff {
    tool_name: String,
    #[schemars(with = "String")]
    since: jiff::Timestamp,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
struct Alive {
    status: String,
    version: String,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
struct Ready {
    status: String,
}

/// For whoever looks after the server.
fn watching(book: &mut Book) {
    book.way("get", "/control/summary", "How the house is doing; for operators")
        .more("Figures of a while. What was never measured is absent, not zero.")
        .query::<watch::Wanted>()
        .answers::<watch::Overview>(200, "The figures")
        .leads_to(200, ("get", "/control/turns/{turn_id}"), &[("turn_id", "slowest/0/turn_id")])
        .refuses(&[BAD_QUERY, FOREIGN, STORE])
        .done();
    book.way("get", "/control/turns/{turn_id}", "One turn in slow motion; for operators")
        .answers::<Waterfall>(200, "What was going on when, without a word of it")
        .refuses(&[FOREIGN, (404, "`unknown_turn`: unknown and malformed are alike"), STORE])
        .done();
    let touched = (500, "`audit_unreadable`: a line was touched");
    book.way("get", "/control/audit", "What was done in whose name; for operators")
        .query::<audit::ListWanted>()
        .answers::<audit::Lines>(200, "A page of it, the newest first")
        .refuses(&[BAD_QUERY, FOREIGN, touched, STORE])
        .done();
    book.way("get", "/control/audit/verify", "Whether the audit is whole; for operators")
        .more("At most 20,000 lines are looked at; ask again with `after` and `hash` for more.")
        .query::<audit::CheckWanted>()
        .answers::<audit::Checked>(200, "As far as it was looked at")
        .refuses(&[BAD_QUERY, FOREIGN, STORE])
        .done();
    let content = json!({
        "application/x-ndjson": { "schema": { "type": "string" } },
        "text/csv": { "schema": { "type": "string" } },
    });
    book.way("get", "/control/audit/export", "All of the audit; for operators")
        .query::<audit::ExportWanted>()
        .answers_with(200, "Oldest first", &content)
        .refuses(&[BAD_QUERY, FOREIGN, STORE])
        .done();
}

fn house(book: &mut Book) {
    book.way("get", "/control/switches", "What may be written at all")
        .answers::<Switches>(200, "How the switches stand")
        .refuses(&[FOREIGN])
        .done();
    book.way("put", "/control/switches", "Pause writes, or let them go on")
        .body::<switches::Turned>()
        .answers::<Switches>(200, "How they stand from now on")
        .refuses(&[
            (400, "`bad_body`, `too_deep`, `user_in_body`"),
            FOREIGN,
            (404, "`unknown_tool`"),
            (413, "`bad_body`: more than 256 KiB"),
            STORE,
        ])
        .done();
    let lines = json!({ "application/x-ndjson": { "schema": { "type": "string" } } });
    book.way("get", "/control/tail", "What happens, as it happens")
        .more("One JSON object a line, for as long as one listens. Never what people say.")
        .query::<tail::Wanted>()
        .answers_with(200, "The lines", &lines)
        .refuses(&[BAD_QUERY, FOREIGN])
        .done();
    book.way("get", "/healthz", "We run").answers::<Alive>(200, "We do").refuses(&[FOREIGN]).done();
    book.way("get", "/readyz", "We can do our work")
        .answers::<Ready>(200, "We can")
        .refuses(&[FOREIGN, (503, "`not_ready`: the log says why")])
        .done();
    let text = json!({ "text/plain": { "schema": { "type": "string" } } });
    book.way("get", "/metrics", "Figures, for Prometheus")
        .answers_with(200, "The figures", &text)
        .refuses(&[FOREIGN])
        .done();
    let any = json!({ "application/json": { "schema": { "type": "object" } } });
    book.way("get", "/openapi.json", "This document")
        .answers_with(200, "It", &any)
        .refuses(&[FOREIGN])
        .done();
}
