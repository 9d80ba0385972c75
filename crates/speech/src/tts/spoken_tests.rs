//! What is written, and how it is read aloud.

use super::*;

fn aloud(text: &str) -> String {
    let words: Vec<String> = spoken(text, 0).into_iter().map(|spoken| spoken.words).collect();
    words.join(" ")
}

#[test]
fn it_sounds_like_a_person_reading() {
    for (written, read) in [
        // Times.
        ("Call at 3:30 pm.", "Call at three thirty P M."),
        ("Call at 3:30 p.m. today.", "Call at three thirty P M today."),
        ("It starts at 15:45.", "It starts at fifteen forty five."),
        ("9am or 9:05", "nine A M or nine oh five"),
        ("At 2:00 pm, or 12:00?", "At two P M, or twelve o'clock?"),
        ("from 9:30-10:00", "from nine thirty to ten o'clock"),
        // Dates.
        ("On 2026-11-15 we met.", "On November fifteenth, twenty twenty six we met."),
        ("On 11/15/2026.", "On November fifteenth, twenty twenty six."),
        ("On November 15 or Nov. 3, Thu.", "On November fifteenth or November third, Thursday."),
        ("On 15 November 2026", "On the fifteenth of November twenty twenty six"),
        ("The 21st of May.", "The twenty first of May."),
        ("Until January 5th", "Until January fifth"),
        // Money, shares, measures.
        ("It costs $45.20.", "It costs forty five dollars and twenty cents."),
        (
            "$1,249, £12.50 or €9",
            "one thousand two hundred forty nine dollars, twelve pounds and fifty pence or nine euros",
        ),
        ("$3 million", "three million dollars"),
        ("$2.5M", "two point five million dollars"),
        ("up 25% to 3.14", "up twenty five percent to three point one four"),
        ("5kg at 20°C, 1 km", "five kilograms at twenty degrees Celsius, one kilometer"),
        // Addresses.
        ("Write to priya.nair@example.com now.", "Write to priya dot nair at example dot com now."),
        ("mei_tan7@acme.io", "mei underscore tan seven at acme dot I O"),
        ("See https://www.example.com/help for more.", "See example dot com slash help for more."),
        ("See brightloom.com.", "See brightloom dot com."),
        ("Call 555-0123.", "Call five five five, oh one two three."),
        ("+1-415-555-0123", "plus one, four one five, five five five, oh one two three"),
        (
            "12 Main St., Apt 4, San Francisco, CA 94107",
            "twelve Main Street, Apartment four, San Francisco, CA nine four one oh seven",
        ),
        // Codes.
        ("Order 40713, room #4, Q3", "Order four oh seven one three, room number four, Q three"),
        ("Code A4-77B.", "Code A four dash seventy seven B."),
        ("v2.1.0", "version two point one point zero"),
        // Abbreviations and signs.
        ("Dr. Smith met Mr. Jones", "Doctor Smith met Mister Jones"),
        ("St. Mary on Main St.", "Saint Mary on Main Street."),
        ("e.g. tea & cake, etc.", "for example tea and cake, et cetera."),
        ("No. 7, no. No.", "Number seven, no. No."),
        ("1/2 or ¾", "one half or three quarters"),
        ("yes/no, Mon–Fri", "yes no, Monday to Friday"),
        ("Ask J. Smith at 3 p.m. He knows.", "Ask J Smith at three P M. He knows."),
    ] {
        assert_eq!(aloud(written), read, "{written}");
    }
}

#[test]
fn marks_for_the_eye_are_left_out_and_lines_are_breaths() {
    for (written, read) in [
        ("# Today\n- **Lunch** with _Tom_\n- `call`", "Today. Lunch with Tom. call"),
        ("See [the plan](https://x.example/a?b=c), please", "See the plan, please"),
        ("Great job 🎉👍!", "Great job!"),
        ("Done ✅", "Done"),
        ("1. First\n2. Second", "one. First. two. Second"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a, b, one, two,"),
        ("\"Quoted,\" she said", "Quoted, she said"),
    ] {
        assert_eq!(aloud(written), read, "{written}");
    }
}

#[test]
fn each_word_knows_where_it_stands() {
    let text = "- **Lunch** at 3:30 pm, naïve 🎉 café.";
    let places: Vec<(&str, String)> =
        spoken(text, 0).into_iter().map(|spoken| (&text[spoken.at], spoken.words)).collect();
    let expected = [
        ("**Lunch**", "Lunch"),
        ("at", "at"),
        ("3:30 pm,", "three thirty P M,"),
        ("naïve", "naïve"),
        ("café.", "café."),
    ];
    assert_eq!(places, expected.map(|(at, words)| (at, words.to_owned())));
    assert_eq!(spoken("no", 40)[0].at, 40..42);
}

proptest::proptest! {
    #[test]
    fn whatever_is_written_can_be_read_and_no_letter_or_digit_falls_silent(
        text in "[a-z0-9A-Z .,:;/@#$%*_(){}\\[\\]|`'\"&+=~<>\n€£½é🎉—–-]{0,60}"
    ) {
        let said = spoken(&text, 0);
        let mut last = 0;
        for spoken in &said {
            proptest::prop_assert!(spoken.at.start >= last && spoken.at.end <= text.len());
            proptest::prop_assert!(text.get(spoken.at.clone()).is_some());
            proptest::prop_assert!(!spoken.words.chars().any(|c| c.is_ascii_digit()), "{:?}", spoken);
            last = spoken.at.end;
        }
    }
}
