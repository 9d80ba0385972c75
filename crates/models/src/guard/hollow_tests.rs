use super::*;

/// What is shown of it, word by word as it comes, and what is held at the end.
fn through(mut hollow: Hollow, text: &str) -> (String, Option<Stands>) {
    let mut shown: String = text.split_inclusive(' ').map(|piece| hollow.take(piece)).collect();
    shown.push_str(&hollow.finish());
    (shown, hollow.stands())
}

#[test]
fn an_announced_look_up_is_held_until_something_follows() {
    for text in [
        "Let me check your inbox for that.",
        "I'll look.",
        "I'll look. ",
        "Sure, one moment while I look at your calendar.",
        "Checking your calendar now.",
        "One moment, please.",
        "Let me have a quick look at your calendar.",
        "I'm going to search your mail for Heron.",
        "Okay, I'll check if you're free on Friday.",
        "Hold on. I'll see what Priya wrote.",
        "Just a second while I pull that up…",
        "I'm checking your inbox",
    ] {
        let (shown, stands) = through(Hollow::default(), text);
        assert_eq!((shown.trim(), stands), ("", Some(Stands::LookUp)), "{text}");
        if text.ends_with('.') {
            let text = format!("{text} Two mails wait for you.");
            assert_eq!(through(Hollow::default(), &text), (text.clone(), None));
        }
    }
    let both = "Let me check your inbox. Two mails wait for you.";
    assert_eq!(through(Hollow::default(), both), (both.to_owned(), None));
    let mut hollow = Hollow::default();
    assert_eq!(hollow.take("Let me check.") + &hollow.finish(), "");
    assert_eq!(hollow.let_go(), "Let me check.");
}

#[test]
fn a_card_or_a_draft_that_is_spoken_of_has_to_be_there() {
    for text in [
        "I've put together a card for a walk with Tom; it waits for your yes.",
        "I have drafted an invitation for Tom. Shall I send it?",
        "I prepared it.",
        "I've prepared the mail to Dana.",
        "The card is ready.",
        "Your draft is ready to send.",
        "The invitation for Tom is ready to send.",
        "It's ready to send.",
        "It waits for your yes.",
        "Sure, I've drafted a reply to Priya.",
        "There's a card for it now.",
        "Here is the card for your walk with Tom.",
        "I've set up a card.",
        "The mail to Tom is waiting for your yes.",
    ] {
        let (shown, stands) = through(Hollow::default(), text);
        assert_eq!((shown.as_str(), stands), ("", Some(Stands::Card)), "{text}");
        let has_card = Hollow::new(Record::default(), true);
        assert_eq!(through(has_card, text), (text.to_owned(), None));
        assert!(sounds_prepared(text.split_inclusive(['.', '?']).next().unwrap()), "{text}");
    }
    let letter = "I've drafted a mail for you.\n\nDear Dana,\nI'm late.\nMaya";
    assert_eq!(through(Hollow::default(), letter), (letter.to_owned(), None));
}

#[test]
fn neighbours_pass_and_nothing_of_them_waits() {
    for text in [
        // Beside a look-up.
        "Let me know if that helps.",
        "Let me know what Tom says.",
        "Let me explain.",
        "Let me put it this way: no.",
        "I'll see you at nine.",
        "I'll need the address.",
        "One of them is from Priya.",
        "One second is a long time.",
        "Just a few mails are left.",
        "Give me a name and I can find it.",
        "Looking forward to Friday is nice.",
        "Look at the second one first.",
        // Beside a card.
        "You're free at three.",
        "Your next meeting is with Tom.",
        "I'd draft it like this: see you at five.",
        "I put together what matters below.",
        "I prepared a summary of the thread.",
        "I've put together an agenda for your meeting.",
        "The card game starts at nine.",
        "Your mail from Tom is about the invoice.",
        "It's ready when the bread is brown.",
        "The event is on Friday.",
        "It waits for nobody.",
        // Beside a deed.
        "Tom knows the numbers best, judging by his mail.",
        "Sam is on the design review as well.",
        "The invoice is from Finance.",
        "Everything Priya says is in her last mail.",
        "I think Tom would like a walk.",
        "I have two ideas for you.",
        "We could ask Dana.",
        "That is a good question.",
        "Here is what Priya says.",
        "There are three of them.",
        "A walk on Wednesday might suit you both.",
    ] {
        let (shown, stands) = through(Hollow::default(), text);
        assert_eq!((shown.as_str(), stands), (text, None));
    }
}

#[test]
fn ordinary_words_are_not_held_for_it() {
    for text in [
        "You're free at three.",
        "Tom knows the numbers best, judging by his mail.",
        "Paris is the capital of France.",
        "Three mails came in, all from Priya.",
        "Priya says yes, and Sam says no.",
        "Not before Friday. You have two meetings then.",
    ] {
        let mut hollow = Hollow::default();
        for piece in text.split_inclusive(' ') {
            assert_eq!(hollow.take(piece), piece, "{text}");
        }
    }
    // What may become one is shown with the first letter that says it is none.
    let mut hollow = Hollow::default();
    assert_eq!(hollow.take("Let me"), "");
    assert_eq!(hollow.take(" k"), "Let me k");
    assert_eq!(hollow.take("now."), "now.");
}
