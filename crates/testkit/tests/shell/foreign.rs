//! A live voice that names what is somebody else's hears what it hears of nothing, and the
//! attempt is on record.

use brain::ids::Uuid;
use brain::{Event, Profile, UserId};
use jiff::Zoned;
use serde_json::{Value, json};
use store::Audit;
use testkit::FakeRealtime;
use testkit::realtime::Answer;
use tools::local::sample;
use tools::tool::Heard;
use tools::{Caller, Personal};

use crate::room::{Room, codes, said};

const OTHER: UserId = UserId(Uuid::from_u128(0xB0B));

/// The newest mail of somebody else.
async fn mail_of(personal: &Personal, user: UserId, now: &Zoned) -> (String, String) {
    let caller = Caller {
        user,
        profile: Profile::new("UTC"),
        now: now.clone(),
        idempotency_key: "one".into(),
        place: None,
        heard: Heard::default(),
    };
    let catalog = personal.catalog();
    let search = catalog.get("gmail.search").expect("a tool");
    let found = search.call(json!({ "query": "in:inbox" }), &caller).await.expect("mails");
    let newest = &found["messages"][0];
    let id = |name: &str| newest[name].as_str().expect("an id").to_owned();
    (id("message_id"), id("thread_id"))
}

/// What the line was told of what it called for.
fn brought(room: &Room, id: &str) -> Vec<String> {
    let results = room.fake.came(1).into_iter();
    let results = results.filter(|event| event["item"]["type"] == "function_call_output");
    results.map(|event| event["item"]["output"].to_string().replace(id, "ID")).collect()
}

/// What it calls a tool with, to get at what has this id.
fn naming(tool: &str, id: &str) -> Value {
    match tool {
        "gmail.get_message" => json!({ "message_id": id }),
        "gmail.draft_reply" => json!({ "message_id": id, "intent": "agree" }),
        "gmail.send" => {
            let to = ["priya.nair@brightloom.example"];
            json!({ "to": to, "subject": "Hi", "body": "Hi", "thread_id": id })
        }
        // Whose it is comes from the door, never from an argument.
        _ => json!({ "query": "mail", "user_id": id }),
    }
}

#[tokio::test]
async fn a_live_voice_that_names_what_is_anothers_hears_what_it_hears_of_nothing() {
    let now: Zoned = "2031-03-03T09:00:00+00:00[UTC]".parse().unwrap();
    let personal = Personal::in_memory().unwrap();
    sample::pour(&personal, OTHER, &now).await.unwrap();
    let (message, thread) = mail_of(&personal, OTHER, &now).await;
    let made_up = |id: &str| format!("{}~", &id[..id.len() - 1]);
    for (tool, foreign) in [
        ("gmail.get_message", &message),
        ("gmail.draft_reply", &message),
        ("gmail.send", &thread),
        ("gmail.search", &message),
    ] {
        let mut heard = Vec::new();
        for id in [foreign.clone(), made_up(foreign)] {
            let fake = FakeRealtime::start().await;
            let mut room = Room::of(Profile::new("UTC"), fake, personal.catalog(), None).await;
            room.line(1).await;
            room.fake.will(Answer::calls(&[(tool, naming(tool, &id))]));
            room.fake.thinks(|_| Answer::says("There is nothing like that."));
            room.say("please have a look at that for me").await;
            let events = room.until_over().await;

            let asked = events.iter().any(|one| matches!(one.event, Event::AskedToConfirm(_)));
            assert!(!asked, "{tool}: no card about what is not theirs");
            let lines = room.store.audit(0, 100).await.unwrap();
            let noted: Vec<_> = lines
                .into_iter()
                .map(|entry| (entry.line.what, entry.line.why, entry.line.tool))
                .filter(|(what, ..)| {
                    ["not_found", "not_shown", "plan_refused"].contains(&what.as_str())
                })
                .collect();
            assert_eq!(noted.len(), 1, "{tool}: {noted:?}");
            let codes: Vec<_> = codes(&events).into_iter().map(str::to_owned).collect();
            heard.push((said(&events), codes, brought(&room, &id), noted));
            assert_eq!(room.fake.mistakes(), [""; 0]);
        }
        assert_eq!(heard[0], heard[1], "{tool}: another's and nobody's are told apart");
    }
}
