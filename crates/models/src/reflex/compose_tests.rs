use serde_json::{Value, json};

use crate::gist::{Chat, Gist};
use crate::{Done, Understanding, World, corpus, narrator, reflex};

fn letter(id: &str, name: &str, address: &str) -> Value {
    json!({
        "message_id": id, "thread_id": id, "from": {"name": name, "address": address}, "to": [],
        "subject": id, "snippet": "", "sent_at": "2026-11-14T10:00:00Z", "unread": false, "labels": [],
    })
}

/// Mail from Priya and from a stranger has just been told.
fn after_a_list() -> World {
    let mut world = corpus::world();
    let messages = [
        letter("a", "Priya Nair", "priya.nair@brightloom.example"),
        letter("b", "Ola Berg", "ola@berg.example"),
    ];
    let found = json!({"messages": messages, "total": 2});
    world.focus.note(&[Done { tool: "gmail.search".into(), result: Ok(found) }]);
    world
}

/// The second of them was opened.
fn after_opening() -> World {
    let mut world = after_a_list();
    let opened = json!({"message": letter("b", "Ola Berg", "ola@berg.example"), "body_text": "Hi"});
    world.focus.note(&[Done { tool: "gmail.get_message".into(), result: Ok(opened) }]);
    world
}

/// Which letter is answered, and with what words.
fn answered(understood: &Understanding) -> Option<(String, String)> {
    let draft =
        understood.proposal.steps.first().filter(|step| step.tool == "gmail.draft_reply")?;
    let text = |field: &str| draft.args[field].as_str().unwrap_or("").to_owned();
    Some((text("message_id"), text("intent")))
}

fn asked(sentence: &str, world: &mut World) -> Understanding {
    let understood = reflex::read(sentence, world);
    world.focus.wait_for_answer(&understood);
    understood
}

#[test]
fn a_letter_at_hand_is_answered_without_looking_for_it() {
    let (list, opened) = (after_a_list(), after_opening());
    let cases = [
        (&opened, "reply that I'll be there", "b", "I'll be there."),
        (&opened, "reply: thanks!", "b", "Thanks!"),
        (&opened, "answer it: thanks", "b", "Thanks."),
        (&opened, "write back that Thursday works", "b", "Thursday works."),
        (&opened, "tell her i'm in", "b", "I'm in."),
        (&opened, "reply to him that he can start", "b", "You can start."),
        (&opened, "reply yes", "b", "Yes."),
        (&list, "reply to the second one saying no thanks", "b", "No thanks."),
        (&list, "reply to the first one that it's fine", "a", "It's fine."),
        (&list, "answer the last one: got it", "b", "Got it."),
        (&list, "tell Priya Thursday works", "a", "Thursday works."),
        (&list, "reply to Priya that Thursday works", "a", "Thursday works."),
    ];
    for (world, sentence, id, words) in cases {
        let understood = reflex::read(sentence, world);
        assert_eq!(answered(&understood), Some((id.into(), words.into())), "{sentence}");
        let send = &understood.proposal.steps[1];
        assert_eq!(send.args["draft_id"], json!({"$step": 1, "pointer": "/draft_id"}));
    }
    let unclear = reflex::read("reply that I'll be there", &list);
    assert_eq!(unclear.gist, Gist::Chat(Chat::NothingToPointAt));
    let new = reflex::read("email Priya that Thursday works", &list);
    assert_eq!(new.proposal.steps[0].tool, "gmail.send", "a new mail is a new mail");
}

#[test]
fn the_words_may_come_in_the_next_sentence() {
    let mut world = corpus::world();
    let first = asked("reply to Priya", &mut world);
    assert_eq!(first.proposal.missing_fields, ["body"]);
    for (answer, words) in [
        ("Thursday works", "Thursday works."),
        ("say thursday works", "Thursday works."),
        ("tell her that she is right", "You are right."),
        ("thanks", "Thanks."),
        ("yes", "Yes."),
        ("can you send three more?", "Can you send three more?"),
    ] {
        let understood = reflex::read(answer, &world);
        let draft = &understood.proposal.steps[1];
        assert_eq!(draft.args["intent"], json!(words), "{answer}");
    }
    let other = reflex::read("what's on tomorrow", &world);
    assert_eq!(other.proposal.steps[0].tool, "calendar.list_events");
    let dropped = asked("never mind", &mut world);
    assert_eq!(dropped.gist, Gist::Chat(Chat::NeverMind));
    assert_eq!(world.focus.awaited, None);
}

#[test]
fn an_address_a_time_and_a_name_may_come_in_the_next_sentence() {
    let mut world = corpus::world();
    asked("tell Zoe I'm late", &mut world);
    let mail = reflex::read("it's zoe@park.example", &world);
    assert_eq!(mail.proposal.steps[0].args["to"], json!(["zoe@park.example"]));
    assert_eq!(mail.request.as_deref(), Some("tell zoe@park.example I'm late"));

    let first = asked("book lunch with Tom on Thursday", &mut world);
    let slots = json!({
        "date_range": first.proposal.steps[0].args["date_range"],
        "duration_minutes": 30, "busy": [],
        "slots": [{
            "start": "2026-11-19T12:30:00-08:00[America/Los_Angeles]",
            "end": "2026-11-19T14:00:00-08:00[America/Los_Angeles]",
        }],
    });
    world.focus.note(&[Done { tool: "calendar.find_free_slots".into(), result: Ok(slots) }]);
    let offered = asked(&first.rest.unwrap(), &mut world);
    assert_eq!(
        offered.question.as_deref(),
        Some("On Thursday you're free at 12:30 pm, 1 pm or 1:30 pm. Which one?")
    );
    let cases = [
        ("noon", "2026-11-19T12:00"),
        ("at noon", "2026-11-19T12:00"),
        ("12", "2026-11-19T12:00"),
        ("let's say noon please", "2026-11-19T12:00"),
        ("number one", "2026-11-19T12:30"),
        ("the second one", "2026-11-19T13:00"),
        ("one pm", "2026-11-19T13:00"),
        ("friday at 1", "2026-11-20T13:00"),
    ];
    for (answer, expected) in cases {
        let event = reflex::read(answer, &world);
        let start = &event.proposal.steps[0].args["start"];
        assert!(start.as_str().unwrap().starts_with(expected), "{answer}: {start}");
    }

    // The first of them, or one o'clock?
    let doubt = reflex::read("1", &world);
    assert_eq!(doubt.question.as_deref(), Some("1 pm or 12:30 pm?"));

    asked("put it on my calendar tomorrow at 3", &mut world);
    let event = reflex::read("budget review", &world);
    assert_eq!(event.proposal.steps[0].args["title"], "Budget review");

    asked("email Sam that I'm late", &mut world);
    let mail = reflex::read("Adeyemi", &world);
    assert_eq!(mail.proposal.steps[0].args["to"], json!(["sam@adeyemi-electric.example"]));
}

#[test]
fn what_stands_behind_the_missing_words_is_not_forgotten() {
    let mut world = corpus::world();
    asked("Reply to Ana and book Thursday at ten", &mut world);
    let both = reflex::read("sounds good", &world);
    let tools: Vec<&str> = both.proposal.steps.iter().map(|step| step.tool.as_str()).collect();
    assert_eq!(tools, ["gmail.search", "gmail.draft_reply", "gmail.send", "calendar.create_event"]);
    assert_eq!(both.proposal.steps[1].args["intent"], "Sounds good.");
    assert_eq!(both.proposal.steps[3].args["title"], "Meeting with Ana");
}

#[test]
fn references_of_a_second_write_point_at_their_own_steps() {
    let world = corpus::world();
    let understood =
        reflex::read("tell Tom I'm late and reply to Priya that Thursday works", &world);
    let send = &understood.proposal.steps[3].args;
    assert_eq!(send["to"], json!([{"$step": 3, "pointer": "/to/0/address"}]));
    assert_eq!(understood.proposal.steps[2].args["message_id"]["$step"], 2);
}

#[test]
fn a_write_is_never_asked_again_for_another_day() {
    let mut world = corpus::world();
    asked("put lunch with Tom on Thursday at noon", &mut world);
    let friday = reflex::read("and on Friday?", &world);
    assert!(friday.proposal.steps.iter().all(|step| !is_write(&step.tool)), "{friday:?}");
}

fn is_write(tool: &str) -> bool {
    matches!(tool, "gmail.send" | "calendar.create_event" | "gmail.draft_reply")
}

#[test]
fn quoted_copied_and_reported_words_write_nothing() {
    let world = after_opening();
    for sentence in [
        "\"reply to Priya that I quit\"",
        "she wrote \"email tom that you quit\"",
        "> tell Tom I'm late",
        "From: x@y.example\nSubject: hi\nemail tom that you quit",
        "Hi Maya, tell Tom I'm late",
        "did I tell Tom that I'm late?",
        "what should I tell Tom",
        "i already told tom that i'm late",
        "should I reply to Priya that Thursday works?",
        "did Priya say \"book lunch on Thursday at noon\"",
        "what does it mean to reply to Tom",
        "tell me what's on tomorrow",
        "let me know when Tom writes",
    ] {
        let understood = reflex::read(sentence, &world);
        let writes = understood.proposal.steps.iter().any(|step| is_write(&step.tool));
        assert!(
            !writes && understood.proposal.missing_fields.is_empty(),
            "{sentence}: {understood:?}"
        );
    }
}

#[test]
fn only_what_went_wrong_is_told_of_a_write() {
    let world = corpus::world();
    let tell = |sentence: &str, done: &[Done]| {
        narrator::tell(&reflex::read(sentence, &world), done, &world)
    };
    let ok = |tool: &str, value: Value| Done { tool: tool.into(), result: Ok(value) };
    let failed = |tool: &str, code: &str, retryable: bool| Done {
        tool: tool.into(),
        result: Err(brain::CallError { code: code.into(), message: String::new(), retryable }),
    };
    let nothing = ok("gmail.search", json!({"messages": [], "total": 0}));
    let found = ok(
        "gmail.search",
        json!({"messages": [letter("a", "Priya Nair", "p@x.example")], "total": 1}),
    );
    let reply = "reply to Priya that Thursday works";
    let drafted = ok("gmail.draft_reply", json!({"draft_id": "d"}));

    assert_eq!(tell(reply, &[nothing]), "Nothing from Priya to reply to.");
    let away = [failed("gmail.search", "transient", true)];
    assert_eq!(tell(reply, &away), "I can't reach your mail right now.");
    assert_eq!(tell(reply, &[found.clone(), drafted.clone()]), "");
    let no_draft = [found.clone(), failed("gmail.draft_reply", "refused", false)];
    assert_eq!(tell(reply, &no_draft), "I couldn't draft the reply to Priya, so nothing goes out.");
    let paused = [found, drafted, failed("gmail.send", "writes_paused", false)];
    assert_eq!(
        tell(reply, &paused),
        "I left the reply to Priya alone: all changes are paused right now."
    );
    assert_eq!(tell("email Tom that I'm late", &[]), "");
    assert_eq!(tell("put lunch with Tom on Thursday at noon", &[]), "");
}

#[test]
fn an_answer_about_one_of_several_leaves_the_others_as_they_are() {
    let mut world = corpus::world();
    asked("email Tom and Sam that I'm late", &mut world);
    let mail = reflex::read("Sam Adeyemi", &world);
    let both = json!(["tom.okafor@brightloom.example", "sam@adeyemi-electric.example"]);
    assert_eq!(mail.proposal.steps[0].args["to"], both);

    asked("email Zoe and Tom that I'm late", &mut world);
    let mail = reflex::read("zoe@park.example", &world);
    let both = json!(["zoe@park.example", "tom.okafor@brightloom.example"]);
    assert_eq!(mail.proposal.steps[0].args["to"], both);

    asked("email Tom that I'm late, cc Sam and Ana", &mut world);
    let mail = reflex::read("the second one", &world);
    let both = json!(["sam@adeyemi-electric.example", "ana.ruiz@brightloom.example"]);
    assert_eq!(mail.proposal.steps[0].args["cc"], both);
}

#[test]
fn what_somebody_is_told_of_drafts_is_no_wish_to_keep_one() {
    let read = reflex::read("tell Tom I kept the contract as a draft", &corpus::world());
    assert_eq!(read.proposal.steps[0].tool, "gmail.send");
    let read = reflex::read("tell Tom I kept the contract, as a draft", &corpus::world());
    assert_eq!(read.proposal.steps[0].tool, "gmail.create_draft");
}

#[test]
fn a_hundred_changes_of_mind_are_read_without_end() {
    let heard = format!("book lunch with tom thursday{}", ",no,friday".repeat(700));
    reflex::read(&heard, &corpus::world());
}

#[test]
fn a_write_before_the_look_up_that_another_waits_for_is_not_lost() {
    let world = corpus::world();
    let read = reflex::read("email Tom that I'm late, check my mail and tell her yes", &world);
    let tools: Vec<_> = read.proposal.steps.iter().map(|step| step.tool.as_str()).collect();
    assert_eq!(tools, ["gmail.send", "gmail.search"]);
    assert_eq!(read.rest.as_deref(), Some("tell her yes"));
}

#[test]
fn only_whoever_may_be_meant_becomes_you() {
    let world = corpus::world();
    let says = |heard: &str| {
        let read = reflex::read(heard, &world);
        read.proposal.steps.last().unwrap().args["body"].as_str().unwrap().to_owned()
    };
    let cases = [
        ("tell tom he is late", "You are late."),
        ("tell tom she is late", "She is late."),
        ("tell ana they're great", "They're great."),
        ("tell yuki they can start", "You can start."),
        ("tell ana i'll call her tomorrow", "I'll call you tomorrow."),
        ("tell ana i'll call him tomorrow", "I'll call him tomorrow."),
        ("tell ana i'll bring her laptop", "I'll bring her laptop."),
        ("tell ana i'll look at them tonight", "I'll look at them tonight."),
        ("tell rafa to check his mail", "Please check your mail."),
        ("tell ana not to wait", "Please don't wait."),
    ];
    for (heard, expected) in cases {
        assert!(says(heard).contains(&format!("\n\n{expected}\n\n")), "{heard}: {}", says(heard));
    }
}

#[test]
fn what_is_said_to_us_behind_a_mail_is_no_part_of_it() {
    let world = corpus::world();
    let body = |heard: &str| {
        let read = reflex::read(heard, &world);
        read.proposal.steps.last().unwrap().args["body"].as_str().unwrap_or_default().to_owned()
    };
    let says = body("tell Tom he's the best, but do not send it before i've seen it");
    assert_eq!(says, "Hi Tom,\n\nYou're the best.\n\nMaya");
    let read = reflex::read("email Tom that i'm late. no, don't.", &world);
    assert!(read.proposal.steps.is_empty());
}

#[test]
fn everybody_in_a_list_is_invited_and_two_hours_are_a_question() {
    let world = corpus::world();
    let read = reflex::read("book a call with Yuki, Rafa & Ana thursday 1pm", &world);
    let guests = read.proposal.steps[0].args["attendees"].as_array().unwrap().len();
    assert_eq!(guests, 3);
    let read = reflex::read("book a call with Yuki tomorrow at 3 or 4", &world);
    assert_eq!(read.question.as_deref(), Some("3 or 4?"));
}

#[test]
fn a_command_behind_the_words_is_no_part_of_them() {
    let world = crate::corpus::world();
    for end in ["book it too", "book it as well", "put it in my calendar", "book it"] {
        let said = format!("tell tom dinner is tomorrow at 8 pm and {end}");
        let steps = crate::reflex::read(&said, &world).proposal.steps;
        let args: Vec<_> = steps.iter().map(|step| &step.args).collect();
        assert_eq!(args.len(), 2, "{said}");
        assert_eq!(args[0]["subject"], "Dinner is tomorrow at 8 pm", "{said}");
        assert_eq!(args[1]["title"], "Dinner with Tom", "{said}");
    }
}

#[test]
fn a_name_beside_a_pronoun_gets_it_too() {
    let mut world = crate::corpus::world();
    world.focus.recent = Some("did lena write".to_owned());
    for said in ["tell her and tom that i agree", "tell tom and her that i agree"] {
        let steps = crate::reflex::read(said, &world).proposal.steps;
        let to = steps[0].args["to"].as_array().map(Vec::len);
        assert_eq!((to, &steps[0].args["subject"]), (Some(2), &"I agree".into()), "{said}");
    }
}
