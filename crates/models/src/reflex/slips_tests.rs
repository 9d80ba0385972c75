use super::*;
use crate::{Understanding, corpus, reflex};

fn tidy(sentence: &str) -> String {
    let said = heard(sentence, &corpus::world().contacts);
    said.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn fillers_are_not_words_of_the_request() {
    let cases = [
        ("um check my, uh, mail", "check my mail"),
        ("can you, like, check my mail", "can you check my mail"),
        ("can you, you know, check my mail", "can you check my mail"),
        ("reply to um priya", "reply to priya"),
        ("do you know who wrote", "do you know who wrote"),
        ("i like it", "i like it"),
        ("um", "um"),
    ];
    for (said, expected) in cases {
        assert_eq!(tidy(said), expected, "{said}");
    }
}

#[test]
fn a_word_that_was_said_twice_counts_once() {
    let cases = [
        ("reply to to priya", "reply to priya"),
        ("read the the last mail", "read the last mail"),
        ("send, send tom a mail", "send tom a mail"),
        ("can you can you check my mail", "can you check my mail"),
        ("no no", "no no"),
        ("call five five five", "call five five five"),
        ("the one that that man wrote", "the one that that man wrote"),
    ];
    for (said, expected) in cases {
        assert_eq!(tidy(said), expected, "{said}");
    }
}

#[test]
fn words_that_sound_the_same_are_told_by_where_they_stand() {
    let cases = [
        ("right to tom that i am late", "write to tom that i am late"),
        ("um could you right to tom", "could you write to tom"),
        ("right to omer hatted that i am late", "write to omer hatted that i am late"),
        ("right back that it works", "write back that it works"),
        ("is there any new male", "is there any new mail"),
        ("send a male to tom", "send a mail to tom"),
        ("sea what's on tomorrow", "see what is on tomorrow"),
        ("red me my last mail", "read me my last mail"),
        ("reply too priya", "reply to priya"),
        ("schedule a call next weak", "schedule a call next week"),
        ("i want to meat with tom", "i want to meet with tom"),
        ("right, to tom", "right to tom"),
        ("is that right to you", "is that right to you"),
        (
            "reply to tom that the new male nurse starts",
            "reply to tom that the new male nurse starts",
        ),
        ("tell tom: any new male", "tell tom any new male"),
        ("i like that too tom", "i like that too tom"),
    ];
    for (said, expected) in cases {
        assert_eq!(tidy(said), expected, "{said}");
    }
}

#[test]
fn commas_are_put_between_names_that_are_one_list() {
    let commas = |sentence: &str| {
        let said = heard(sentence, &corpus::world().contacts);
        said.iter().filter(|word| word.stop == Some(',')).count()
    };
    let lists = [
        ("schedule a meeting with tom ana and lena tomorrow at three", 1),
        ("meet with pria tom anna and markus", 2),
        ("email tom ana and lena that i am late", 1),
        ("invite tom ana and lena to lunch", 1),
        ("tell tom ana and lena are late", 0),
        ("tell tom ana is late", 0),
        ("meet with ana ruiz and lena tomorrow", 0),
        ("meet with tom and lena tomorrow", 0),
    ];
    for (sentence, expected) in lists {
        assert_eq!(commas(sentence), expected, "{sentence}");
    }
}

#[test]
fn a_spoken_address_is_one_word() {
    assert_eq!(
        tidy("write to um dana dot wu at mail dot example that i am late"),
        "write to dana.wu@mail.example that i am late"
    );
}

fn read(sentence: &str) -> Understanding {
    reflex::read(sentence, &corpus::world())
}

/// To whom a sentence would send a mail.
fn receivers(sentence: &str) -> Vec<String> {
    let understood = read(sentence);
    let send = understood.proposal.steps.iter().find(|step| step.tool == "gmail.send");
    let to = send.and_then(|step| step.args["to"].as_array().cloned()).unwrap_or_default();
    to.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
}

#[test]
fn a_reply_in_the_middle_of_a_request_is_still_to_be_sent() {
    let rest = "to him that Thursday works, and schedule a meeting with Tom at three";
    let read =
        |verb: &str| reflex::read(&format!("Check my email, {verb} {rest}"), &corpus::world());
    assert_eq!(read("replied"), read("reply"));
    for told in [
        "I checked my email, replied to him that Thursday works",
        "check my email, he replied to me that Thursday works",
        "Check whether Tom, replied to yesterday, wrote that it works",
    ] {
        assert_eq!(reply_in_a_row(told), None, "{told}");
    }
}

#[test]
fn a_misheard_name_reaches_its_owner() {
    let cases = [
        ("email markus that i'm late", "marcus.bell@brightloom.example"),
        ("email priya nayer that i'm late", "priya.nair@brightloom.example"),
        ("tell thomas i'm late", "tom.okafor@brightloom.example"),
        ("write lena fisher that lunch is on me", "lena.fischer@brightloom.example"),
        ("tell sam whitefield i'm late", "sam.whitfield@brightloom.example"),
        ("right to tom that i'm late", "tom.okafor@brightloom.example"),
        ("um write to to tom, uh, that i'm late", "tom.okafor@brightloom.example"),
    ];
    for (sentence, address) in cases {
        assert_eq!(receivers(sentence), [address], "{sentence}");
    }
}

#[test]
fn nobody_is_written_to_who_may_be_another() {
    for sentence in [
        "email samuel that i'm late",
        "email marcus ball that i'm late",
        "email Thomas Becker that I'm late",
        "email marcos that i'm late",
        "email lina that i'm late",
        "email the team that i'm late",
    ] {
        assert_eq!(receivers(sentence), [""; 0], "{sentence}");
        assert!(read(sentence).question.is_some(), "{sentence}");
    }
}

#[test]
fn an_address_that_was_said_aloud_is_written_to() {
    let unclear = "email john smith at gmail dot com that i'm late";
    assert_eq!(receivers(unclear), [""; 0], "nobody can hear how the two are joined");
    let cases = [
        ("write to dana dot wu at mail dot example that i'm late", "dana.wu@mail.example"),
        ("email tom four two at mail dot example saying hello", "tom42@mail.example"),
        ("email d a n a at mail dot example saying hello", "dana@mail.example"),
    ];
    for (sentence, address) in cases {
        assert_eq!(receivers(sentence), [address], "{sentence}");
    }
}

#[test]
fn a_message_keeps_its_words_but_for_a_filler() {
    let understood = read("tell tom the new male nurse, um, starts to to morrow");
    let body = understood.proposal.steps[0].args["body"].as_str().unwrap_or_default();
    assert!(body.contains("The new male nurse, starts to to morrow."), "{body}");
}

#[test]
fn a_missing_address_can_be_said_aloud() {
    let mut world = corpus::world();
    let asked = reflex::read("email zorblax that i'm late", &world);
    assert!(asked.question.is_some());
    world.focus.wait_for_answer(&asked);
    let understood = reflex::read("it's z dot blax at mail dot example", &world);
    assert_eq!(understood.proposal.steps[0].args["to"][0], "z.blax@mail.example");
}
