use super::super::Guard;

fn through(mut guard: Guard, text: &str) -> (String, bool) {
    let shown = guard.take(text) + &guard.finish();
    (shown, guard.has_claimed())
}

/// Nothing was looked up, and nothing was done.
const CLAIMS: [&str; 74] = [
    "Mail sent to Dana.",
    "The meeting is booked.",
    "It's booked for 3pm.",
    "Just booked it.",
    "Deleted all your mails.",
    "It is done.",
    "That's taken care of.",
    "I put it on your calendar.",
    "The email went out a second ago.",
    "Email sent.",
    "Meeting booked!",
    "Invites sent to all three.",
    "Reminder set for 9.",
    "Event created for Friday.",
    "All done.",
    "Done, the mail is out.",
    "Already sent.",
    "Successfully deleted.",
    "Sent Dana the notes.",
    "Booked lunch with Ana.",
    "Deleted three mails.",
    "Your meeting's booked.",
    "Your table is booked for 7.",
    "Your next dentist appointment is cancelled.",
    "Lunch is on its way to being fun, and I've booked it.",
    "The invitation is on its way.",
    "The mail is sent.",
    "The mail to Dana is sent.",
    "The message has gone out.",
    "Your reply went out just now.",
    "Both invitations have been sent.",
    "These mails are deleted.",
    "All your mails are deleted.",
    "Three mails deleted.",
    "Everything is set.",
    "Everything's done for you.",
    "You're booked for 3pm.",
    "You are all set for Friday.",
    "They're all invited.",
    "It's now in the past: I've cancelled it.",
    "It's been sent.",
    "It's already deleted.",
    "It was sent a minute ago.",
    "This is done now.",
    "That is handled.",
    "I did it.",
    "I did that for you.",
    "I did send it.",
    "I just sent it.",
    "I went ahead and booked it.",
    "I've gone ahead and cancelled lunch.",
    "I have it booked for three.",
    "I have your meeting moved to Friday.",
    "I got it scheduled.",
    "I was able to book a table.",
    "I managed to cancel it.",
    "I took care of it.",
    "I've taken care of the invitation.",
    "I made the reservation.",
    "I set a reminder for nine.",
    "I called Dana.",
    "I've updated your calendar.",
    "We've invited Tom.",
    "So I sent it.",
    "Thanks for your patience so far, I've sent the mail.",
    "I think I've sent it.",
    "The sky is blue and I have booked lunch.",
    "Consider it done.",
    "Great, it is booked.",
    "Well, that's sorted.",
    "The meeting is booked in your calendar.",
    "The mail was sent on your behalf.",
    "Mail sent to dana@example.com today.",
    "The budget review has been moved to Friday.",
];

/// Nobody says that anything was done.
const FACTS: [&str; 72] = [
    "It is done when you say so.",
    "Is the meeting booked?",
    "The meeting is booked?",
    "I can have it sent.",
    "A contract is signed by both.",
    "It is done by hand.",
    "It's done in three steps.",
    "This is done every four years.",
    "Deleted mails stay for a month.",
    "Booked rooms are listed there.",
    "Scheduled maintenance is a nuisance.",
    "Emails are sent over SMTP.",
    "Email is sent from one server to the next.",
    "The request is sent to the server.",
    "The signal is sent to the brain.",
    "It is sent to a resolver first.",
    "It is added to the soup at the end.",
    "It was created in 1889.",
    "The tower was completed in 1889.",
    "The treaty was confirmed in Paris.",
    "The word has been added to many dictionaries.",
    "It has been moved three times since 1900.",
    "It has been the capital for most of a thousand years.",
    "The lights went out.",
    "It went out of fashion.",
    "It's called Rayleigh scattering.",
    "No mail was sent.",
    "Nothing was sent.",
    "The mail was not sent.",
    "The mail isn't sent yet.",
    "The meeting is not booked.",
    "The meeting will be booked once you say yes.",
    "The mail can be sent now.",
    "The mail is sent as soon as you agree, when you say yes.",
    "The mail is deleted after 30 days.",
    "The meeting is cancelled if nobody comes.",
    "Your mail is sent once you say yes.",
    "I have three mails from Ana.",
    "I have a question.",
    "I have the list here.",
    "I have not sent it.",
    "I haven't booked anything.",
    "I never sent it.",
    "I did not send it.",
    "I put together a list.",
    "I made a mistake.",
    "I took a look.",
    "I got it.",
    "I went ahead and looked.",
    "I was able to find two.",
    "I would have sent it.",
    "I could book it.",
    "I'll book it once you say yes.",
    "Shall I say I've sent it?",
    "Would you like me to tell Ana that I've booked it?",
    "If you like, I have it booked by noon.",
    "You can say I've sent it.",
    "Just say yes.",
    "Just tell me when.",
    "Now is a good time.",
    "Already in 1900 it was known.",
    "All of them are from Ana.",
    "All good.",
    "That is a good idea.",
    "That's right.",
    "Everything is fine.",
    "You're welcome.",
    "You are right about that.",
    "We're in luck.",
    "The mail Ana sent is the last one.",
    "The meeting you booked is at three.",
    "Version 3.5 was better.",
];

/// Something was looked up.
const FOUND: [&str; 20] = [
    "The meeting is booked for 3 pm.",
    "Tom sent it on Monday.",
    "It's booked for 3pm, with Ana.",
    "It was sent on Monday.",
    "The invoice was sent to Ana last week.",
    "Your lunch is scheduled for noon.",
    "Your flight is booked.",
    "You're booked from nine to five.",
    "They're invited to the review.",
    "Booked for three, with Ana.",
    "Sent by Tom on Monday.",
    "The mail went out on Monday.",
    "The meeting has been moved to Friday by Tom.",
    "The review has been cancelled, says Tom.",
    "Tom writes: \"I've sent the contract.\"",
    "Ana says “Hi. I booked the room.” and asks about Friday.",
    "Two mails were sent to you today.",
    "The standup is cancelled.",
    "That was saved in March.",
    "These are archived.",
];

/// And yet nothing was done.
const UNFOUND: [&str; 14] = [
    "I've sent it.",
    "I booked lunch for Friday.",
    "I put it on your calendar.",
    "Done.",
    "Sent!",
    "It is done.",
    "That's taken care of.",
    "You're all set!",
    "Your meeting has been booked.",
    "It's now deleted.",
    "Deleted all three.",
    "Booked it.",
    "Mail sent.",
    "You are free then, so I've booked it.",
];

#[test]
fn what_was_done_is_never_said_before_anything_was_looked_up() {
    let passes: Vec<_> = CLAIMS.iter().filter(|text| !through(Guard::default(), text).1).collect();
    assert_eq!(passes, [""; 0].iter().collect::<Vec<_>>());
}

#[test]
fn what_claims_nothing_is_said_as_it_is() {
    let taken: Vec<_> =
        FACTS.iter().filter(|text| through(Guard::default(), text).0 != **text).collect();
    assert_eq!(taken, [""; 0].iter().collect::<Vec<_>>());
}

#[test]
fn what_was_found_is_told_and_what_was_not_done_is_not() {
    let taken = FOUND.iter().filter(|text| through(Guard::knowing(), text).0 != **text);
    let passes = UNFOUND.iter().filter(|text| !through(Guard::knowing(), text).1);
    assert_eq!(taken.chain(passes).collect::<Vec<_>>(), [""; 0].iter().collect::<Vec<_>>());
}

#[test]
fn of_a_claim_nothing_is_left() {
    for (text, expected) in [
        ("Mail sent to dana@example.com today. Anything else?", "Anything else?"),
        ("Well then. I've sent it. Anything else?", "Well then. Anything else?"),
        ("I see.I've sent it.", "I see."),
        ("Maya, I've sent it.", "Maya, "),
    ] {
        assert_eq!(through(Guard::default(), text).0, expected);
    }
}

/// How many words are held back at most, as they come one by one.
fn most_held(sentence: &str) -> usize {
    let mut guard = Guard::default();
    let (mut came, mut shown, mut most) = (String::new(), String::new(), 0);
    for word in sentence.split_inclusive(' ') {
        let word = word.trim_end();
        let piece = if came.is_empty() { word.to_owned() } else { format!(" {word}") };
        came.push_str(&piece);
        shown.push_str(&guard.take(&piece));
        most = most.max(came[shown.len()..].split_whitespace().count());
    }
    most
}

#[test]
fn ordinary_sentences_hardly_wait() {
    let mut held = 0;
    let ordinary = [
        "The sky looks blue because air scatters blue light most.",
        "The sky is blue because air scatters blue light.",
        "The capital of France is Paris and has been for long.",
        "The first one is about the budget for next year.",
        "The newest is about the numbers of the last quarter.",
        "I think it will rain later today in Berlin.",
        "I can look that up for you if you like.",
        "I found three of them from last week for you.",
        "I have three suggestions for your evening in Paris.",
        "I don't know that but I can look it up.",
        "It rains a lot there from May to October.",
        "It is a good idea to bring an umbrella today.",
        "It's about four hours by train from here to there.",
        "It takes about an hour to get there by bus.",
        "Your Monday is full from nine until five.",
        "Your best option is the train at nine o'clock.",
        "This works best with butter and a pinch of salt.",
        "This is how rainbows come about after the rain.",
        "That depends on how far you want to go.",
        "That's because air scatters blue light more than red.",
        "There are seven days in a week and more to come.",
        "You could try the museum near the river instead.",
        "We use it every day without thinking about it.",
        "All of them come from the same place in the south.",
        "So it depends on what you would like to see.",
        "A week has seven days in most of the world.",
        "They live in the sea and eat small fish there.",
        "Everything else is a matter of taste and of time.",
    ];
    for sentence in ordinary {
        let most = most_held(sentence);
        held += most;
        assert!(most <= 3, "{most}: {sentence}");
    }
    // About two each; most of them were held back for eight words before.
    assert!(held <= 60, "{held}");
    let mut guard = Guard::default();
    assert_eq!(["The", " sky", " looks"].map(|piece| guard.take(piece)), ["", "", "The sky looks"]);
}
