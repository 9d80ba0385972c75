//! What is left of an answer whose claims are taken out, and how long the rest waits.

use super::*;

#[test]
fn of_a_claim_nothing_is_left() {
    for (text, expected) in [
        ("Mail sent to dana@example.com today. Anything else?", "Anything else?"),
        ("Well then. I've sent it. Anything else?", "Well then. Anything else?"),
        ("I see.I've sent it.", "I see."),
        // What had begun trails off, and is not joined to what follows.
        ("Maya, I've sent it.", "Maya, …"),
        ("Dana has been told that you agree.", "Dana …"),
        (
            "Dana knows you're coming now, I took care of it. Anything else?",
            "Dana knows you're coming now, … Anything else?",
        ),
        ("I found her mail and answered it. It is short.", "I found her mail and … It is short."),
        ("**Done!** Anything else?", "Anything else?"),
        ("**I've sent it.**", ""),
        ("Sure, **I've sent it**. Anything else?", "Anything else?"),
        ("- I've sent it.\n- I've booked it.\n- Anything else?", "- Anything else?"),
        ("**Note:** nothing is free. - Ana", "**Note:** nothing is free. - Ana"),
        ("Hm.\n---\n**Bold** and *so* on.", "Hm.\n---\n**Bold** and *so* on."),
        // The whole of an answer is no quotation, and what follows one or a letter is none.
        ("\"I've sent it.\"", "\""),
        ("You could say \"Hi there.\" I've sent it.", "You could say \"Hi there.\" "),
        ("It has a 27\" screen. I've sent it.", "It has a 27\" screen. "),
        (
            "Dear Priya,\nI'm sending you it.\nBest,\nMaya\n\nI'm sending it now.",
            "Dear Priya,\nI'm sending you it.\nBest,\nMaya\n\n",
        ),
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
    let others = [
        "I'm happy to help you with that today.",
        "I'm afraid that nobody knows that for sure.",
        "I'll explain how rainbows come about after the rain.",
        "I'll keep it short and tell you the main thing.",
        "He lived in Paris for most of his life.",
        "Let me explain that in two short steps.",
        "We're lucky that the weather is so good today.",
        "On Monday you are free from nine until five.",
        "La tour Eiffel est à Paris depuis longtemps.",
        "Die Sonne scheint heute den ganzen Tag lang.",
        "Ich kann das gern für dich nachsehen und dann sagen.",
        "El cielo es azul porque el aire dispersa la luz.",
        "Il cielo è azzurro perché l'aria diffonde la luce.",
        "O céu é azul porque o ar espalha a luz.",
        "De lucht is blauw omdat lucht blauw licht verstrooit.",
    ];
    for sentence in others {
        let most = most_held(sentence);
        assert!(most <= 3, "{most}: {sentence}");
    }
    // About two each; most of them were held back for eight words before.
    assert!(held <= 60, "{held}");
    let mut guard = Guard::default();
    assert_eq!(["The", " sky", " looks"].map(|piece| guard.take(piece)), ["", "", "The sky looks"]);
}
