//! Golden files pin the spelling of the canonical dialect in both directions,
//! and the documentation and the exported types show just that.
//! `make schema` (or BLESS=1) rewrites what is stale; the diff is the review.

use std::fmt::Write;
use std::path::PathBuf;

use brain::card::{EmailPreview, Field, FieldKind, Recipient};
use brain::confirmation::Channel;
use brain::event::{
    AudioFormat, CallMode, InputMode, Outcome, Place, PlanChoice, PlanUpdate, Progress, Question,
    Spelling, StepStatus,
};
use brain::ids::Uuid;
use brain::input::Decision;
use brain::mode::{Execution, Reason};
use brain::plan::{Plan, Step};
use brain::policy::{Care, Source};
use brain::snapshot::{
    Bubble, Came, Capabilities, Given, Lost, Pending, RunningJob, Scope, Settled, Speaking,
    Standing, Welcome,
};
use brain::{
    ActionLevel, ActionState, CallError, CallId, Card, ConfirmationId, Envelope, Event, EventId,
    JobId, MessageId, PlanId, Preview, Role, Seal, SessionId, Snapshot, Tier, TurnId, TurnState,
};
use serde_json::{Value, json};
use wire::canonical::Canonical;
use wire::{Dialect, Frame};

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn session() -> SessionId {
    SessionId(id(1))
}

/// One of each kind, in the order a conversation might have them.
fn every_event() -> Vec<Event> {
    [events_of_a_turn(), what_comes_of_a_turn(), sound_of_a_turn(), events_aside()].concat()
}

fn events_of_a_turn() -> Vec<Event> {
    let call_id = CallId(id(7));
    vec![
        Event::TurnStarted {
            input_mode: InputMode::Text,
            in_reply_to: Some("evt_from_client".into()),
            follows: None,
            goes_on: None,
        },
        Event::StateChanged {
            from: TurnState::Idle,
            to: TurnState::FinalizingInput,
            reason: "turn.start".into(),
        },
        Event::HeardDelta {
            text: "what meetings".into(),
            confidence: 0.75,
            stable: Some("what".into()),
            unstable: Some("meetings".into()),
        },
        Event::Heard {
            text: "What meetings do I have tomorrow?".into(),
            confidence: 0.75,
            in_reply_to: None,
            attachments: vec![brain::Attached {
                file_id: brain::FileId(id(9)),
                name: "plan.pdf".into(),
                media_type: "application/pdf".into(),
            }],
            more: false,
            doubted: vec![[5, 13]],
        },
        Event::SaidDelta { text: "Checking tomorrow.".into() },
        Event::ToolRequested {
            call_id,
            tool_name: "calendar.list_events".into(),
            arguments: json!({ "date_range": {
                "start": "2026-11-16T00:00:00-08:00[America/Los_Angeles]",
                "end": "2026-11-17T00:00:00-08:00[America/Los_Angeles]",
            }}),
            idempotency_key: "turn_00000000000000000000000000000002.1".into(),
            mode: CallMode::Direct,
            action_level: ActionLevel::Read,
            label: "Looking at tomorrow".into(),
            confirmation_request_id: None,
        },
        Event::ToolQueued { call_id, job_id: JobId(id(8)), message: "Queued".into() },
        Event::ToolProgressed {
            call_id,
            status: "running".into(),
            progress: 0.5,
            message: "Reading the calendar".into(),
        },
        Event::ToolReturned {
            call_id,
            ok: true,
            output: json!({ "events": [] }),
            error: None,
            state: None,
        },
        Event::ToolReturned {
            call_id,
            ok: false,
            output: Value::Null,
            error: Some(CallError {
                code: "unreachable".into(),
                message: "calendar.list_events is not reachable right now".into(),
                retryable: true,
            }),
            state: None,
        },
    ]
}

fn what_comes_of_a_turn() -> Vec<Event> {
    vec![
        Event::Planned(Box::new(plan_update())),
        Event::AskedToConfirm(Box::new(question(1, "Thursday works.", &[]))),
        Event::QuestionChanged(Box::new(question(2, "Friday works.", &["body"]))),
        Event::Answered {
            confirmation_request_id: ConfirmationId(id(9)),
            revision: 2,
            decision: Decision::Accept,
            channel: Channel::Click,
            edited_fields: Vec::new(),
            in_reply_to: Some("evt_from_client".into()),
        },
        Event::ToolReturned {
            call_id: CallId(id(7)),
            ok: true,
            output: json!({ "message_id": "mail_1", "thread_id": "thread_1" }),
            error: None,
            state: Some(ActionState::Confirmed),
        },
        Event::WentUnanswered { confirmation_request_id: ConfirmationId(id(9)), revision: 1 },
        Event::Said { text: "Checking tomorrow. Nothing on your calendar.".into() },
        Event::TurnEnded {
            outcome: Outcome::Success,
            error_code: None,
            tier: Some(Tier::Local),
            model: Some("qwen3".into()),
            heard_chars: Some(25),
        },
        Event::TurnCancelled {
            cancel_turn_id: TurnId(id(2)),
            heard_ms: Some(840),
            heard_chars: Some(18),
            in_reply_to: Some("evt_from_client".into()),
        },
    ]
}

fn sound_of_a_turn() -> Vec<Event> {
    vec![
        Event::SoundBegan { audio_format: AudioFormat::Pcm16, sample_rate: 24_000 },
        Event::Sounded {
            pcm16_b64: "AAD//wEA".into(),
            start_ms: 1_200,
            duration_ms: 120,
            text_start: 9,
            text_end: 18,
        },
        Event::SoundLevel { gain: 0.2 },
        Event::SoundEnded { interrupted: true, heard_chars: Some(18) },
    ]
}

/// What belongs to a connection, not to a turn.
fn events_aside() -> Vec<Event> {
    vec![
        Event::Welcomed(Box::new(welcome())),
        Event::CaughtUp(standing()),
        Event::Resynced(Box::new(snapshot())),
        Event::Repeated { in_reply_to: "evt_from_client".into() },
        Event::HeldBack {
            scope: Scope::Text,
            retry_after_ms: 1500,
            user_message: "That was a lot at once. Give me a moment.".into(),
            in_reply_to: Some("evt_from_client".into()),
        },
        Event::Ponged {
            client_ts: Some("2026-01-17T12:34:56.700Z".into()),
            server_ts: "2026-01-17T12:34:56.789Z".parse().unwrap(),
        },
        Event::Failed {
            code: "speech_unavailable".into(),
            message: "this server has no ears; `make assets` fetches them. Send text.input".into(),
            user_message: "I can't hear here. Please type.".into(),
            retryable: false,
            in_reply_to: Some("evt_from_client".into()),
        },
    ]
}

fn welcome() -> Welcome {
    Welcome {
        protocol: 1,
        agent: "assistant".into(),
        epoch: 1,
        last_seq: 24,
        capabilities: Capabilities {
            hears: false,
            speaks: false,
            binary_audio: true,
            replay_events: 10_000,
            replay_hours: 24,
            recent_events: 200,
        },
    }
}

fn standing() -> Standing {
    Standing {
        epoch: 1,
        last_seq: 24,
        state: TurnState::AwaitingConfirmation,
        turn_id: Some(TurnId(id(2))),
    }
}

fn snapshot() -> Snapshot {
    let bubble = |number, role, text: &str, partial| Bubble {
        message_id: MessageId(id(number)),
        turn_id: Some(TurnId(id(2))),
        role,
        text: text.into(),
        ts: "2026-01-17T12:34:56.789Z".parse().unwrap(),
        partial,
        attachments: Vec::new(),
    };
    let question = question(2, "Friday works.", &["body"]);
    Snapshot {
        reason: Lost::TooOld,
        standing: standing(),
        messages: vec![
            bubble(5, Role::User, "Reply to Priya that Friday works", false),
            bubble(6, Role::Assistant, "Here is the", true),
        ],
        has_more: true,
        pending_confirmations: vec![Pending { question, remaining_ms: 540_000 }],
        settled_confirmations: vec![settled()],
        running_jobs: vec![RunningJob {
            job_id: JobId(id(8)),
            progress: 0.5,
            message: "Reading 200 mails".into(),
        }],
        speaking: Some(Speaking { message_id: MessageId(id(6)), heard_ms: 840 }),
    }
}

/// A reply that was sent.
fn settled() -> Settled {
    let ts = "2026-01-17T12:34:56.789Z".parse().unwrap();
    let came = Came {
        call_id: CallId(id(4)),
        ts,
        ok: true,
        output: json!({ "message_id": "msg_1" }),
        error: None,
        state: Some(ActionState::Confirmed),
    };
    let (decision, channel) = (Decision::Accept, Channel::Click);
    Settled {
        question: question(1, "Thursday works.", &[]),
        turn_id: Some(TurnId(id(2))),
        ts,
        answer: Some(Given { decision, channel, edited_fields: Vec::new() }),
        result: Some(came),
    }
}

/// A reply that waits for a yes, beside a question about somebody else.
fn plan_update() -> PlanUpdate {
    let step = |step_index, tool: &str, args, action_level| Step {
        step_index,
        tool: tool.to_owned(),
        args,
        action_level,
        requires_confirmation: action_level == ActionLevel::Write,
    };
    let progress = |step_index, status, label: &str, depends_on| Progress {
        step_index,
        status,
        label: label.to_owned(),
        depends_on,
    };
    let choice = |name: &str| PlanChoice {
        name: name.to_owned(),
        means: format!("tell {name} that Thursday works"),
    };
    let send =
        json!({ "to": ["priya@example.com"], "subject": { "$step": 1, "pointer": "/subject" } });
    let mut ambiguity = serde_json::Map::new();
    ambiguity.insert("recipient_candidates".to_owned(), json!(["Sam Whitfield", "Sam Adeyemi"]));
    PlanUpdate {
        plan: Plan {
            plan_id: PlanId(id(8)),
            steps: vec![
                step(1, "gmail.draft_reply", json!({ "message_id": "mail_1" }), ActionLevel::Draft),
                step(2, "gmail.send", send, ActionLevel::Write),
            ],
            missing_fields: vec!["recipient_email".to_owned()],
            ambiguity,
        },
        execution_mode: Execution::BackendOrchestrated,
        reason: Reason::AnyWrite,
        progress: vec![
            progress(1, StepStatus::Done, "Drafting a reply", Vec::new()),
            progress(2, StepStatus::Asking, "Sending mail", vec![1]),
        ],
        choices: vec![choice("Sam Whitfield"), choice("Sam Adeyemi")],
    }
}

/// A card, as somebody would see it.
fn question(revision: u32, body: &str, changed: &[&str]) -> Question {
    let to = Recipient {
        name: Some("Priya Nair".into()),
        address: "priya@brightloom.example".into(),
        source: Source::Thread,
    };
    let payload = json!({
        "from": "maya@lindqvist.example",
        "to": [to.address],
        "cc": [],
        "subject": "Re: Samples for Thursday",
        "body": body,
    });
    let field =
        |name: &str, label: &str, kind| Field { name: name.into(), label: label.into(), kind };
    let card = Card {
        action_type: "send_email".into(),
        title: "Send this reply?".into(),
        speakable: format!("Here is the reply to Priya: {body} Ready for it to go out?"),
        preview: Preview::Email(Box::new(EmailPreview {
            from: Some("maya@lindqvist.example".into()),
            to: vec![to],
            cc: Vec::new(),
            subject: "Re: Samples for Thursday".into(),
            body_text: body.into(),
            in_reply_to: Some("Priya Nair, Samples for Thursday".into()),
            has_draft: true,
        })),
        payload: payload.as_object().unwrap().clone(),
        editable: vec![
            field("to", "To", FieldKind::People),
            field("subject", "Subject", FieldKind::Text),
            field("body", "Text", FieldKind::Paragraphs),
        ],
        warnings: Vec::new(),
        voice: Care::Allow,
    };
    Question {
        confirmation_request_id: ConfirmationId(id(9)),
        revision,
        action_level: ActionLevel::Write,
        tool_name: "gmail.send".into(),
        payload_hash: Seal::of("gmail.send", &payload),
        card,
        changed: changed.iter().map(|name| (*name).to_owned()).collect(),
        allowed_decisions: vec![Decision::Accept, Decision::Edit, Decision::Reject],
        step: Place { index: 3, total: 3 },
        expires_at: "2026-01-17T12:44:56.789Z".parse().unwrap(),
    }
}

fn envelope(event: Event, number: u64) -> Envelope {
    // Some belong to the connection; everything else to a turn.
    let of_turn = !matches!(
        event,
        Event::Ponged { .. }
            | Event::Failed { .. }
            | Event::Welcomed(_)
            | Event::CaughtUp(_)
            | Event::Resynced(_)
            | Event::Repeated { .. }
            | Event::HeldBack { .. }
    );
    // Sound is for whoever listens now, and never replayed.
    let is_sound = matches!(
        event,
        Event::SoundBegan { .. }
            | Event::Sounded { .. }
            | Event::SoundLevel { .. }
            | Event::SoundEnded { .. }
    );
    let is_numbered = of_turn && !is_sound;
    let message = match &event {
        Event::HeardDelta { .. } | Event::Heard { .. } => Some(MessageId(id(5))),
        Event::SaidDelta { .. }
        | Event::Said { .. }
        | Event::SoundBegan { .. }
        | Event::Sounded { .. }
        | Event::SoundLevel { .. }
        | Event::SoundEnded { .. } => Some(MessageId(id(6))),
        _ => None,
    };
    Envelope {
        event_id: EventId(id(100 + u128::from(number))),
        role: event.role(),
        event,
        ts: "2026-01-17T12:34:56.789Z".parse().unwrap(),
        session_id: session(),
        epoch: 1,
        turn_id: of_turn.then_some(TurnId(id(2))),
        message_id: message,
        seq: is_numbered.then_some(number),
        turn_seq: is_numbered.then_some(number),
        spelling: Spelling::default(),
    }
}

/// What clients send, good and bad.
fn client_frames() -> Vec<String> {
    let golden = include_str!("golden/canonical/client.jsonl");
    let lines = golden.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| line["frame"].as_str().unwrap().to_owned()).collect()
}

fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Compares with the committed file, or rewrites it when asked to.
fn check(path: &str, fresh: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(file(path), fresh).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(file(path)).unwrap_or_default();
    assert!(committed == fresh, "{path} is stale; `make schema` rewrites it");
}

fn server_lines() -> Vec<String> {
    let mut dialect = Canonical::new(session());
    let envelopes = every_event().into_iter().zip(1..).map(|(event, n)| envelope(event, n));
    let frames = envelopes.flat_map(|envelope| dialect.encode(&envelope));
    let texts = frames.map(|frame| match frame {
        Frame::Text(text) => text,
        Frame::Binary(_) => panic!("the canonical dialect is text"),
    });
    texts.collect()
}

#[test]
fn every_event_is_spelled_as_the_golden_file_says() {
    check("crates/wire/tests/golden/canonical/server.jsonl", &(server_lines().join("\n") + "\n"));
}

#[test]
fn every_event_reads_back_as_it_was_written() {
    for (line, number) in server_lines().iter().zip(1..) {
        let read: Envelope = serde_json::from_str(line).unwrap();
        assert_eq!(read, envelope(read.event.clone(), number));
    }
}

#[test]
fn absent_and_null_fields_of_an_envelope_mean_the_same() {
    let mut value: Value = serde_json::from_str(&server_lines()[0]).unwrap();
    let absent: Envelope = serde_json::from_value(value.clone()).unwrap();
    value["message_id"] = Value::Null;
    assert_eq!(serde_json::from_value::<Envelope>(value).unwrap(), absent);
}

#[test]
fn every_client_frame_is_read_as_the_golden_file_says() {
    let mut fresh = String::new();
    for frame in client_frames() {
        let gives = match Canonical::new(session()).decode(Frame::Text(frame.clone())) {
            Ok(received) => format!("{:?}", received[0].input),
            Err(malformed) => format!("error {}", malformed.code),
        };
        writeln!(fresh, "{}", json!({ "frame": frame, "gives": gives })).unwrap();
    }
    check("crates/wire/tests/golden/canonical/client.jsonl", &fresh);
}

#[test]
fn the_exported_schema_and_types_are_fresh() {
    let schema = serde_json::to_string_pretty(&wire::schema::json_schema()).unwrap() + "\n";
    check("docs/wire/canonical.schema.json", &schema);
    check("web/sdk/wire.gen.ts", &wire::schema::typescript());
}

#[test]
fn what_is_sent_fits_the_exported_schema() {
    let mut schema = wire::schema::json_schema();
    schema["$ref"] = "#/$defs/Envelope".into();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for line in server_lines() {
        let value: Value = serde_json::from_str(&line).unwrap();
        assert!(validator.is_valid(&value), "{line}: {:?}", validator.validate(&value).err());
    }
    assert!(!validator.is_valid(&json!({ "event_type": "turn.start" })));
}

/// Each `<!-- name -->` in the documentation is followed by that golden frame.
#[test]
fn the_documentation_shows_the_golden_frames() {
    let path = "docs/wire/canonical.md";
    let page = std::fs::read_to_string(file(path)).unwrap();
    let server = server_lines().into_iter().map(|line| serde_json::from_str(&line).unwrap());
    let client = client_frames().into_iter().filter_map(|frame| serde_json::from_str(&frame).ok());
    let frames: Vec<Value> = server.chain(client).collect();
    let mut fresh = String::new();
    let mut shown = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        writeln!(fresh, "{line}").unwrap();
        let Some(name) = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let frame = frames.iter().find(|frame| frame["event_type"] == name);
        let frame = frame.unwrap_or_else(|| panic!("no golden frame is called {name}"));
        let pretty = serde_json::to_string_pretty(frame).unwrap();
        writeln!(fresh, "```json\n{pretty}\n```").unwrap();
        shown.push(name);
        // What stood there before is replaced.
        lines.by_ref().take_while(|line| *line != "```").for_each(drop);
    }
    for event in every_event() {
        assert!(shown.contains(&event.name()), "{} is not in {path}", event.name());
    }
    check(path, &fresh);
}
