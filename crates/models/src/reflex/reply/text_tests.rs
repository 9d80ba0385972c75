use proptest::prelude::*;

use super::*;

#[test]
fn words_that_two_places_would_share_belong_to_the_first() {
    let cut = |body, old| replaced(body, old, "");
    assert_eq!(cut("no no no", "no no").unwrap(), "no");
    assert_eq!(cut("Ha ha ha.", "ha ha").unwrap(), "ha.");
    assert_eq!(cut("Hi,\n\nno no no\n\nMaya", "no no").unwrap(), "Hi,\n\nno\n\nMaya");
    assert_eq!(cut("Ha ha ha é", "ha ha").unwrap(), "ha é");
    let body = "Really really really née ñññññ.";
    assert_eq!(cut(body, "really really").unwrap(), "really née ñññññ.");
    assert_eq!(replaced("no no no no", "no no", "yes").unwrap(), "yes yes");
}

#[test]
fn half_a_word_is_never_taken_out() {
    assert_eq!(replaced("I don't mind", "not", ""), None);
    assert_eq!(replaced("I don't mind", "do", "will"), None);
    assert_eq!(replaced("I don't mind", "do not", "never").unwrap(), "I never mind");
    assert_eq!(replaced("From 2-4pm", "2", "three"), None);
    assert_eq!(replaced("Anything", "", "x"), None);
}

#[test]
fn sums_of_money_are_found_by_their_sign_or_their_name() {
    let found = |body: &'static str| {
        amounts(body).into_iter().map(|place| &body[place]).collect::<Vec<_>>()
    };
    assert_eq!(found("It is $1,200 for two samples."), ["$1,200"]);
    assert_eq!(
        found("I offer twelve hundred dollars, not 900 euros."),
        ["twelve hundred dollars", "900 euros"]
    );
    assert_eq!(found("€300"), ["€300"]);
    assert_eq!(found("See you at three, with 2 lamps."), [""; 0]);
}

#[test]
fn a_letter_without_its_words_is_empty() {
    assert!(is_empty("Hi Priya,\n\n.\n\nMaya"));
    assert!(is_empty(""));
    assert!(!is_empty("Hi Priya,\n\nYes.\n\nMaya"));
}

/// Few words, so that they meet often, with marks and letters of any length.
fn prose() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("no"),
        Just("No"),
        Just("née"),
        Just("ñ"),
        Just("don't"),
        Just("2-4pm"),
        Just("İ"),
        Just("ß"),
        Just("e\u{301}"),
        Just("🎂"),
        Just(","),
        Just("."),
        Just("\""),
        Just("\n\n"),
        Just(" "),
        Just("  "),
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn only_what_was_named_is_touched(
        body in prop_oneof![prose(), any::<String>()],
        old in prop_oneof![prose(), any::<String>()],
        new in prop_oneof![Just(String::new()), prose()],
    ) {
        let Some(changed) = replaced(&body, &old, "") else {
            prop_assert!(replaced(&body, &old, &new).is_none());
            return Ok(());
        };
        let wanted: Vec<String> = words(&old).into_iter().map(|word| word.text).collect();
        let mut kept = body.clone();
        for place in places(&words(&body), &wanted).into_iter().rev() {
            let named: Vec<String> =
                words(&body[place.clone()]).into_iter().map(|word| word.text).collect();
            prop_assert_eq!(&named, &wanted);
            kept.replace_range(place, "");
        }
        // But for a space, everything around it stays to the letter.
        let bare = |text: &str| text.replace(' ', "");
        prop_assert_eq!(bare(&kept), bare(&changed));
        let put = replaced(&body, &old, &new).unwrap_or_default();
        prop_assert!(new.is_empty() || bare(&put).len() >= bare(&kept).len());
    }
}
