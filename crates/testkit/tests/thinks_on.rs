//! What a model is told where the rules have looked something up in vain.

use std::sync::Arc;
use std::time::Duration;

use brain::ids::Uuid;
use brain::{ActionLevel, Event, Input, Profile, UserId};
use models::Reflex;
use models::provider::Message;
use serde_json::json;
use session::{House, Registry, Start};
use store::Store;
use store::memory::MemoryStore;
use testkit::modelled::Round;
use testkit::parts::Script;
use testkit::{FakeTool, NoContacts, ScriptedModel};
use tools::Catalog;

const USER: UserId = UserId(Uuid::from_u128(0xA11CE));

#[tokio::test]
async fn whoever_thinks_on_sees_what_was_looked_up_and_only_what_was_said() {
    let nothing = Script::Returns(json!({ "messages": [], "total": 0 }));
    let search = Arc::new(FakeTool::new("gmail.search", ActionLevel::Read, nothing));
    let catalog = Arc::new(Catalog::new().with(search.clone()));
    let model = Arc::<ScriptedModel>::default();
    let mut profile = Profile::new("UTC");
    profile.address = Some("maya@lindqvist.example".to_owned());
    let store = Arc::<MemoryStore>::default() as Arc<dyn Store>;
    let mut house =
        House::new(store, Arc::new(Reflex), Arc::clone(&catalog), Arc::new(NoContacts), profile);
    house.thinker = Some(Arc::new(ScriptedModel::planner_of(None, Some(&model), &catalog)));
    let registry = Registry::new(Arc::new(house));
    let session = registry.create(USER, None).await.unwrap();
    let (session, mut client) = registry.join(session, Start::Now).await.unwrap();

    for (heard, says) in [
        ("is there anything in my inbox i'm forgetting to answer", "Dana waits for you."),
        ("you misunderstood me", "Let me see what I can do. Then tell me more."),
    ] {
        model.will_answer(Round { says: says.to_owned(), ..Round::default() });
        let words = Input::Text { text: heard.to_owned(), attachments: Vec::new() };
        session.send(client.client, None, words).await.unwrap();
        let over = async {
            let mut said = String::new();
            loop {
                match &client.next().await.unwrap().event {
                    Event::Said { text } => said.clone_from(text),
                    Event::TurnEnded { .. } => return said,
                    _ => {}
                }
            }
        };
        let said = tokio::time::timeout(Duration::from_secs(20), over).await.expect("it ends");
        // What was acknowledged is not said twice.
        assert_eq!(said.matches("Let me see what I can do.").count(), usize::from(says.len() > 30));
    }

    let asked: Vec<Vec<Message>> = model.asked().into_iter().map(|ask| ask.messages).collect();
    assert_eq!((search.calls().len(), asked.len()), (1, 2));
    let Some(Message::Person(told)) = asked[0].last() else { panic!("{:?}", asked[0]) };
    let looked = "Looked up for this already: gmail__search";
    assert!(told.contains(looked) && told.contains("nothing was found that way"), "{told}");
    assert!(told.contains("maya@lindqvist.example"), "{told}");
    let answer = Message::Model {
        text: "Dana waits for you.".to_owned(),
        calls: Vec::new(),
        thoughts: models::provider::Thoughts::default(),
    };
    let before = "is there anything in my inbox i'm forgetting to answer";
    assert_eq!(asked[1][..2], [Message::Person(before.to_owned()), answer]);
    registry.close().await;
}

#[tokio::test]
async fn whoever_thinks_is_asked_what_no_look_up_answers_and_claims_nothing_that_is_not_on_record()
{
    const UNTRUE: &str = " Nothing was sent, saved or changed.";
    let nothing = Script::Returns(json!({ "messages": [], "total": 0 }));
    let search = Arc::new(FakeTool::new("gmail.search", ActionLevel::Read, nothing));
    let empty = Script::Returns(json!({
        "events": [], "total": 0,
        "date_range": { "start": "2026-11-15T10:30:00Z[UTC]", "end": "2027-01-14T10:30:00Z[UTC]" },
    }));
    let agenda = Arc::new(FakeTool::new("calendar.list_events", ActionLevel::Read, empty));
    let catalog = Arc::new(Catalog::new().with(search).with(agenda.clone()));
    let model = Arc::<ScriptedModel>::default();
    let store = Arc::<MemoryStore>::default() as Arc<dyn Store>;
    let (contacts, profile) = (Arc::new(NoContacts), Profile::new("UTC"));
    let mut house = House::new(store, Arc::new(Reflex), Arc::clone(&catalog), contacts, profile);
    house.thinker = Some(Arc::new(ScriptedModel::planner_of(None, Some(&model), &catalog)));
    let registry = Registry::new(Arc::new(house));
    let session = registry.create(USER, None).await.unwrap();
    let (session, mut client) = registry.join(session, Start::Now).await.unwrap();

    for (heard, says, record) in [
        ("should we move to Berlin", "Rents are high there.", ""),
        ("the meeting with Tom was fun", "Glad to hear it.", ""),
        ("handle the invoice from Paperlane", "Paperlane is happy now.", UNTRUE),
        ("when was Napoleon born?", "In 1769.", ""),
        ("Where is the Eiffel Tower?", "In Paris.", ""),
        ("what are stars made of?", "Hydrogen, mostly.", ""),
        ("what is a stand-up meeting?", "A short one, on one's feet.", ""),
        ("would it be rude to cancel on Tom?", "Not if you tell him early.", ""),
        ("decline Dana's invitation politely", "Dana will understand.", UNTRUE),
        ("RSVP yes to Leo's lunch", "Leo's on board.", UNTRUE),
        ("confirm with Dana in a charming way", "She will be pleased.", UNTRUE),
    ] {
        let before = model.asked().len();
        model.will_answer(Round { says: says.to_owned(), ..Round::default() });
        let words = Input::Text { text: heard.to_owned(), attachments: Vec::new() };
        session.send(client.client, None, words).await.unwrap();
        let over = async {
            let mut said = String::new();
            loop {
                match &client.next().await.unwrap().event {
                    Event::Said { text } => said.clone_from(text),
                    Event::TurnEnded { .. } => return said,
                    _ => {}
                }
            }
        };
        let said = tokio::time::timeout(Duration::from_secs(20), over).await.expect("it ends");
        assert_eq!(model.asked().len(), before + 1, "{heard}: {said}");
        assert!(said.ends_with(&format!("{says}{record}")), "{heard}: {said}");
    }
    // Where somebody may have such a thing of their own, that is looked up first.
    assert_eq!(agenda.calls().len(), 1);
    registry.close().await;
}

#[tokio::test(start_paused = true)]
async fn whoever_falls_silent_between_two_sentences_says_that_it_still_thinks() {
    let catalog = Arc::new(Catalog::new());
    let model = Arc::<ScriptedModel>::default();
    let store = Arc::<MemoryStore>::default() as Arc<dyn Store>;
    let (contacts, profile) = (Arc::new(NoContacts), Profile::new("UTC"));
    let mut house = House::new(store, Arc::new(Reflex), Arc::clone(&catalog), contacts, profile);
    house.thinker = Some(Arc::new(ScriptedModel::planner_of(None, Some(&model), &catalog)));
    let registry = Registry::new(Arc::new(house));
    let session = registry.create(USER, None).await.unwrap();
    let (session, mut client) = registry.join(session, Start::Now).await.unwrap();
    let (says, rests) = ("Blue light is scattered. Red is not.".to_owned(), Duration::from_secs(5));
    model.will_answer(Round { says, rests, ..Round::default() });

    let text = "why is the sky blue".to_owned();
    session.send(client.client, None, Input::Text { text, attachments: vec![] }).await.unwrap();
    let said = loop {
        if let Event::Said { text } = &client.next().await.unwrap().event {
            break text.clone();
        }
    };
    assert_eq!(
        said,
        "Let me think about that. Blue light is scattered. Still thinking. Red is not."
    );
    registry.close().await;
}
