//! A line that breaks, stalls, reads wrongly or is not there: our own step in, and nothing is lost.

use std::sync::Arc;
use std::time::Duration;

use brain::{Event, Input};
use models::realtime::Live;
use testkit::modelled::Round;
use testkit::provider::KEY;
use testkit::realtime::{Answer, Ends, MODEL, client as realtime};
use testkit::{FakeRealtime, ScriptedModel};

use crate::room::{PATIENCE, Room, codes, heard_at, nothing, said};

#[tokio::test]
async fn whoever_falls_silent_is_left_alone_for_a_turn() {
    let classic = Arc::new(ScriptedModel::default());
    let round = Round { says: "A classic answer.".into(), ..Round::default() };
    classic.will_answer(round);
    let mut room = Room::having(nothing(), Some(classic)).await;
    room.line(1).await;
    let answer = "Blue light is scattered most. It comes from everywhere. That is the reason why.";
    room.fake.will(Answer { ends: Ends::Stalls, ..Answer::says(answer) });
    room.say("why is the sky so blue").await;
    let first = room.until_over().await;
    assert!(said(&first).ends_with("lost the line."), "{}", said(&first));

    room.say("and why is it red at night").await;
    let second = room.until_over().await;

    assert!(said(&second).ends_with("A classic answer."), "{}", said(&second));
    let told = room.told(1);
    assert!(told.contains(&"response.cancel".to_owned()), "nobody waits for it: {told:?}");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn a_line_that_breaks_in_the_middle_of_an_answer_costs_no_word_that_was_shown() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let answer = "Blue light is scattered most. It comes from everywhere. That is the reason why.";
    room.fake.will(Answer { ends: Ends::Breaks, ..Answer::says(answer) });

    room.say("why is the sky so blue").await;
    let events = room.until_over().await;

    let text = said(&events);
    assert!(
        text.contains("Blue light is scattered most.") && text.contains("lost the line"),
        "{text}"
    );
    assert_eq!(text.matches("Blue light").count(), 1);
    let told: Vec<_> = codes(&events).into_iter().filter(|code| *code == "backup_voice").collect();
    assert_eq!(told.len(), 1, "they are told, once");
    let places = heard_at(&events);
    assert!(places.is_sorted(), "nothing is said twice: {places:?}");
    assert_eq!(places.last().map(|(_, end)| *end), Some(text.chars().count()), "and all of it");

    room.line(2).await;
    let seeded = room.fake.items();
    assert_eq!(
        (seeded[0].role.as_str(), seeded[0].text.as_str()),
        ("user", "why is the sky so blue")
    );
    room.fake.will(Answer::says("Light is scattered."));
    room.say("say that again in short").await;
    let next = room.until_over().await;
    assert!(said(&next).ends_with("Light is scattered."), "{}", said(&next));
    assert_eq!(codes(&next), [""; 0], "it is back");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn when_its_time_is_up_another_conversation_begins_where_that_one_was() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.will(Answer::says("My favourite is blue."));
    room.say("which colour do you like best").await;
    room.until_over().await;

    room.fake.ends_all();
    room.line(2).await;

    let seeded: Vec<_> = room.fake.items().into_iter().map(|it| (it.role, it.text)).collect();
    assert_eq!(
        seeded,
        [
            ("user".to_owned(), "which colour do you like best".to_owned()),
            ("assistant".to_owned(), "My favourite is blue.".to_owned()),
        ]
    );
    room.fake.will(Answer::says("Still blue."));
    room.say("and which one now tell me").await;
    let events = room.until_over().await;
    assert!(said(&events).ends_with("Still blue."));
    assert_eq!(codes(&events), [""; 0]);
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn while_nobody_is_there_our_own_do_it_and_people_are_told() {
    let fake = FakeRealtime::start().await;
    fake.shuts(true);
    let classic = Arc::new(ScriptedModel::default());
    let round = Round { says: "A classic answer.".into(), ..Round::default() };
    classic.will_answer(round);
    let mut room = Room::with(fake, nothing(), Some(classic)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;

    room.say("why is the sky so blue").await;
    let events = room.until_over().await;

    assert!(said(&events).ends_with("A classic answer."), "{}", said(&events));
    let mut told = codes(&events);
    told.sort_unstable();
    assert_eq!(told, ["backup_ears", "backup_voice"]);
    let spoken = room.senses.spoken().join(" ");
    assert_eq!(spoken.matches("A classic answer.").count(), 1, "{spoken}");

    room.fake.shuts(false);
    room.line(1).await;
    let before = room.senses.spoken().len();
    room.fake.will(Answer::says("A live answer."));
    room.say("and why is it red at night").await;
    let events = room.until_over().await;
    assert!(said(&events).ends_with("A live answer."), "{}", said(&events));
    assert_eq!(room.senses.spoken().len(), before, "it speaks itself");
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn what_is_not_read_word_for_word_is_said_by_our_own_voice() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    room.fake.misreads(true);
    room.fake.will(Answer::says("Its own words are its own."));
    room.say("tell me something about words").await;
    let events = room.until_over().await;

    assert_eq!(room.senses.spoken(), ["Let me see what I can do."]);
    assert_eq!(codes(&events), ["backup_voice"]);
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn whether_it_can_be_talked_to_is_told_by_its_cause() {
    use models::provider::Trouble;
    let fake = FakeRealtime::start().await;
    let look = |key: &'static str, model: &'static str| {
        let live = realtime(fake.base(), key, model, Vec::new());
        async move { live.examine().await }
    };
    assert_eq!(look(KEY, MODEL).await, Ok(()));
    assert_eq!(look("sk-wrong", MODEL).await, Err(Trouble::WrongKey));
    assert_eq!(look(KEY, "live-9").await, Err(Trouble::NoModel("live-9".into())));
    fake.shuts(true);
    assert!(matches!(look(KEY, MODEL).await, Err(Trouble::Overloaded { status: 503, .. })));
    let nowhere = realtime("http://127.0.0.1:9/v1".into(), KEY, MODEL, Vec::new());
    assert!(matches!(nowhere.examine().await, Err(Trouble::Away(_))));
}

/// What the newest conversation holds of what was told to people.
async fn told_to_the_next(room: &Room, ending: &str) -> Vec<String> {
    known_to_the_next(room, "assistant", ending).await
}

async fn known_to_the_next(room: &Room, role: &str, ending: &str) -> Vec<String> {
    let told = async {
        loop {
            let items = room.fake.items().into_iter().filter(|it| it.role == role);
            let texts: Vec<String> = items.map(|it| it.text).collect();
            if texts.iter().any(|text| text.ends_with(ending)) {
                return texts;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, told).await.expect("the next line knows of it")
}

#[tokio::test]
async fn what_was_being_said_when_the_line_broke_is_known_to_the_next_one_once() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let answer = "Blue light is scattered most. It comes from everywhere. That is the reason why.";
    room.fake.will(Answer { ends: Ends::Breaks, ..Answer::says(answer) });
    room.say("why is the sky so blue").await;
    room.line(2).await;
    let first = room.until_over().await;
    assert!(said(&first).ends_with("lost the line."), "{}", said(&first));
    // Without what we said ourselves while it thought.
    let answer = "Blue light is scattered most. It comes … and there I lost the line.";
    assert!(said(&first).ends_with(answer), "{}", said(&first));
    assert_eq!(told_to_the_next(&room, "lost the line.").await, [answer]);

    // One that was over before is on record, and told from there alone.
    room.fake.will(Answer::says("Light is scattered."));
    room.say("say that again in short").await;
    room.until_over().await;
    room.fake.ends_all();
    room.line(3).await;
    let told = told_to_the_next(&room, "Light is scattered.").await;
    assert_eq!(told, [answer, "Light is scattered."]);
    assert_eq!(room.fake.mistakes(), [""; 0]);
}

#[tokio::test]
async fn a_line_that_was_opened_while_something_was_said_learns_how_little_of_it_was_heard() {
    let mut room = Room::having(nothing(), None).await;
    room.line(1).await;
    let answer = "Blue light is scattered most, so it comes from everywhere in the sky at once.";
    room.fake.will(Answer::says(answer));
    room.say("why is the sky so blue").await;
    let shown = room.until("all of it", |event| matches!(event, Event::Said { .. })).await;
    room.fake.ends_all();
    room.line(2).await;
    told_to_the_next(&room, answer).await;

    room.send(Input::Interrupt { turn: None, heard_ms: Some(2_000) }).await;
    let cut = room.until_over().await;

    let heard = cut.iter().find_map(|one| match one.event {
        Event::TurnCancelled { heard_chars, .. } => heard_chars,
        _ => None,
    });
    let heard: String = said(&shown).chars().take(heard.expect("it was cut off")).collect();
    assert!(heard.len() < said(&shown).len());
    known_to_the_next(&room, "user", &format!("only this was heard: {heard}")).await;
    assert_eq!(room.fake.mistakes(), [""; 0]);
}
