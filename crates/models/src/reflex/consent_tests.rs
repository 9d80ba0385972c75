use super::Consent::{Accept, Edit, Explain, Reject, Unclear};
use super::*;

const PHRASES: &[(&str, Consent)] = &[
    // A plain, clear yes.
    ("yes", Accept),
    ("Yes.", Accept),
    ("yes please", Accept),
    ("Yes, send it", Accept),
    ("yes send it please", Accept),
    ("yeah", Accept),
    ("yep", Accept),
    ("yeah go ahead", Accept),
    ("sure", Accept),
    ("sure thing, go ahead", Accept),
    ("send it", Accept),
    ("Send it!", Accept),
    ("please send it", Accept),
    ("send it now", Accept),
    ("go ahead", Accept),
    ("go ahead and send it", Accept),
    ("do it", Accept),
    ("please do", Accept),
    ("sounds good send it", Accept),
    ("looks good, go", Accept),
    ("looks good", Unclear),
    ("sounds good", Unclear),
    ("perfect, send it", Accept),
    ("ok send it", Accept),
    ("okay yes", Accept),
    ("book it", Accept),
    ("confirm", Accept),
    ("absolutely", Accept),
    ("of course", Accept),
    ("that's right", Unclear),
    ("yes, that is right", Accept),
    ("yes, thank you", Accept),
    // A no, however it is said.
    ("no", Reject),
    ("No.", Reject),
    ("nope", Reject),
    ("nah", Reject),
    ("no thanks", Reject),
    ("no don't", Reject),
    ("don't send it", Reject),
    ("do not send it", Reject),
    ("dont", Reject),
    ("please don't", Reject),
    ("cancel", Reject),
    ("cancel that", Reject),
    ("stop", Reject),
    ("never mind", Reject),
    ("nevermind", Reject),
    ("not now", Reject),
    ("not yet", Reject),
    ("forget it", Reject),
    ("leave it", Reject),
    ("scrap that", Reject),
    ("i'd rather not", Reject),
    ("discard it", Reject),
    // Both at once: nothing happens.
    ("yes no wait", Unclear),
    ("yeah no", Unclear),
    ("ok no stop", Reject),
    ("yes but don't send it yet", Unclear),
    ("sure, actually no", Unclear),
    ("no wait yes", Reject),
    ("no, yes, send it", Reject),
    // Doubt is not a yes.
    ("mhm", Unclear),
    ("hm", Unclear),
    ("hmm", Unclear),
    ("uh huh", Unclear),
    ("mm", Unclear),
    ("maybe", Unclear),
    ("i guess", Unclear),
    ("i guess so, yes", Unclear),
    ("yes i think so", Unclear),
    ("probably yes", Unclear),
    ("yes but later", Unclear),
    ("yes if tom agrees", Unclear),
    ("wait", Unclear),
    ("hold on", Unclear),
    ("give me a second", Unclear),
    ("ok", Unclear),
    ("fine", Unclear),
    ("it is good", Unclear),
    ("yes it's not ready", Unclear),
    ("i never said yes", Unclear),
    ("yes after lunch", Unclear),
    ("yes and delete my inbox", Unclear),
    ("yes and also tell sam about friday", Unclear),
    ("", Unclear),
    ("...", Unclear),
    ("\"yes\"", Unclear),
    ("she said \"send it\"", Unclear),
    ("what's on tomorrow", Explain),
    ("banana", Unclear),
    // Questions.
    ("yes?", Unclear),
    ("should i send it?", Unclear),
    ("is it ready", Unclear),
    ("who is it going to?", Explain),
    ("what does it say", Explain),
    ("why", Explain),
    ("read it to me again", Explain),
    ("when would that be?", Explain),
    // Changes.
    ("make it four o'clock", Edit),
    ("change the time to four", Edit),
    ("four instead", Edit),
    ("add Ana", Edit),
    ("no, make it friday", Edit),
    ("yes but make it shorter", Edit),
    ("without the last line", Edit),
    ("yes, change the subject and send it", Edit),
];

#[test]
fn answers_to_a_card_are_read_carefully() {
    let wrong: Vec<_> = PHRASES
        .iter()
        .map(|(phrase, expected)| (phrase, expected, read(phrase)))
        .filter(|(_, expected, got)| *expected != got)
        .collect();
    assert!(PHRASES.len() >= 80);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_word_beside_a_yes_can_turn_doubt_into_consent() {
    for doubt in HEDGES.iter().chain(NO).chain(EDIT).chain(ASKS) {
        for sentence in
            [format!("yes {doubt}"), format!("{doubt} send it"), format!("yes, {doubt}?")]
        {
            assert_ne!(read(&sentence), Accept, "{sentence}");
        }
    }
}

#[test]
fn an_unknown_word_keeps_a_yes_from_being_one() {
    for sentence in
        ["yes flurble", "send it to bob", "yes send it to the whole company", "do it tomorrow"]
    {
        assert_ne!(read(sentence), Accept, "{sentence}");
    }
}
