use super::*;

fn person(name: &str, address: &str) -> Person {
    Person { name: Some(name.to_owned()), address: address.to_owned() }
}

fn priya() -> Vec<Person> {
    vec![person("Priya Nair", "priya.nair@brightloom.example")]
}

fn reply(words: &str, tone: Tone) -> String {
    letter(words, tone, &priya(), Some("Maya Lindqvist"))
}

#[test]
fn a_few_words_become_a_letter() {
    assert_eq!(reply("thursday works", Tone::Neutral), "Hi Priya,\n\nThursday works.\n\nMaya");
    assert_eq!(
        reply("thursday works", Tone::Warm),
        "Hello Priya,\n\nThursday works.\n\nWarmly,\nMaya"
    );
    assert_eq!(
        reply("thursday works", Tone::Formal),
        "Dear Priya Nair,\n\nThursday works.\n\nKind regards,\nMaya Lindqvist"
    );
}

#[test]
fn the_words_and_their_lines_stay_as_they_were_said() {
    for (words, said) in [
        ("can we do four?", "Can we do four?"),
        ("  yes!\r\nand bring Tom ", "Yes!\nand bring Tom."),
        ("Great :)", "Great :)"),
        ("iPhone is fine", "iPhone is fine."),
        ("see https://x.example/a", "See https://x.example/a"),
        ("élan, please…", "Élan, please…"),
        ("明日はどうですか", "明日はどうですか"),
    ] {
        assert_eq!(reply(words, Tone::Neutral), format!("Hi Priya,\n\n{said}\n\nMaya"));
    }
}

#[test]
fn a_letter_is_left_alone() {
    for letter in [
        "Dear Ms Nair,\n\nyes.\n\nM.",
        "hi Priya, thursday works",
        "Good morning! Works for me",
        "First this\n\nthen that",
    ] {
        assert_eq!(reply(letter, Tone::Formal), letter);
    }
    assert!(reply("history repeats itself", Tone::Neutral).starts_with("Hi Priya,"));
}

#[test]
fn everybody_is_greeted_as_one_would() {
    let greets = |people: &[Person]| greeting(Tone::Neutral, people);
    let tom = person("Tom Okafor", "tom@okafor.example");
    let nameless = Person { name: None, address: "x@y.example".to_owned() };
    assert_eq!(greets(&[person("Nair, Priya", "p@x.example")]), "Hi Priya,");
    assert_eq!(greets(&[person("Dr. Cho", "cho@x.example")]), "Hi Dr. Cho,");
    assert_eq!(greets(&[person("Mission Dental", "reception@x.example")]), "Hi Mission Dental,");
    assert_eq!(greets(&[person("Oak & Sons", "sales@x.example")]), "Hi Oak & Sons,");
    assert_eq!(greets(std::slice::from_ref(&nameless)), "Hi,");
    assert_eq!(greets(&[priya()[0].clone(), tom.clone()]), "Hi Priya and Tom,");
    assert_eq!(greets(&[tom.clone(), tom.clone(), tom.clone()]), "Hi Tom, Tom and Tom,");
    assert_eq!(greets(&[tom, nameless]), "Hi all,");
    assert_eq!(greeting(Tone::Formal, &[person("!!", "p@x.example")]), "Hello,");
}

#[test]
fn nobody_signs_without_a_name() {
    assert_eq!(letter("ok", Tone::Formal, &priya(), None), "Dear Priya Nair,\n\nOk.");
}

#[test]
fn a_subject_is_answered_once_and_stays_one_line() {
    assert_eq!(subject("Lunch"), "Re: Lunch");
    assert_eq!(subject("RE: re:Re: Lunch"), "Re: Lunch");
    assert_eq!(subject("Recipe"), "Re: Recipe");
    assert_eq!(subject("Hi\r\nBcc: eve@x.example"), "Re: Hi Bcc: eve@x.example");
    assert_eq!(subject(""), "Re:");
    assert_eq!(subject("Ré: ça"), "Re: Ré: ça");
    assert_eq!(subject(&"x".repeat(999)).chars().count(), LONGEST_SUBJECT);
}
