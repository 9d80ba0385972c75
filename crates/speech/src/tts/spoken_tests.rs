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
        ("$5/mo or 60/h", "five dollars a month or sixty an hour"),
        ("He is 5'10\" tall.", "He is five feet ten tall."),
        ("Henry VIII, Rocky IV, chapter IX", "Henry the eighth, Rocky four, chapter nine"),
        ("plan V, vitamin C, size XL", "plan V, vitamin C, size XL"),
        ("the 3rd of Jan", "the third of January"),
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
        ("ca. 40 people in bldg. 7", "about forty people in building seven"),
        // Names in digits, and how a game ended.
        ("Call 911 now.", "Call nine one one now."),
        ("In room 101, ext. 5512.", "In room one oh one, extension five five one two."),
        ("They won 4-2, then lost 2-4.", "They won four two, then lost two four."),
        ("Open 9-5 on weekdays.", "Open nine to five on weekdays."),
        ("It ended 9-5 for us.", "It ended nine five for us."),
        ("Yoga is Mon-Wed-Fri.", "Yoga is Monday Wednesday Friday."),
        ("911 people, room 120", "nine hundred eleven people, room one hundred twenty"),
    ] {
        assert_eq!(aloud(written), read, "{written}");
    }
}

fn all_sound_like(cases: &[(&str, &str)]) {
    for (written, read) in cases {
        assert_eq!(aloud(written), *read, "{written}");
    }
}

#[test]
fn every_currency_has_its_own_name_and_its_own_comma() {
    all_sound_like(&[
        ("€9.2 and £3.5", "nine point two euros and three point five pounds"),
        ("₹500 or 50¢", "five hundred rupees or fifty cents"),
        ("₿1", "one bitcoin"),
        ("It costs €9,20.", "It costs nine euros and twenty cents."),
        ("9,20 € or 5€", "nine euros and twenty cents or five euros"),
        ("1.234,50 €", "one thousand two hundred thirty four euros and fifty cents"),
        ("12,5 or 1,250", "twelve point five or one thousand two hundred fifty"),
        ("1,2,3", "one, two, three"),
        ("£1.01", "one pound and one penny"),
        ("$1.5 million, US$5", "one point five million dollars, five US dollars"),
    ]);
}

#[test]
fn signs_between_numbers_are_said() {
    all_sound_like(&[
        ("5*3", "five times three"),
        ("5 * 3 and 2**3", "five times three and two to the power of three"),
        ("5 > 3", "five greater than three"),
        ("2 < 3 >= 1", "two less than three at least one"),
        ("5 - 3 = 2", "five minus three equals two"),
        ("5+3=8", "five plus three equals eight"),
        ("10⁶ ⊕ 1", "ten to the sixth symbol one"),
        ("a -> b", "a to b"),
        ("1920x1080", "one thousand nine hundred twenty by one thousand eighty"),
    ]);
}

#[test]
fn digits_of_other_forms_are_digits() {
    all_sound_like(&[
        (
            "Code １２３ is wrong, ① is right",
            "Code one hundred twenty three is wrong, one is right",
        ),
        ("Room ١٢٣.", "Room one hundred twenty three."),
        ("H₂O", "H two O"),
        ("𝗕𝗼𝗹𝗱 ﬁle", "Bold file"),
        ("co\u{ad}operate", "cooperate"),
    ]);
}

#[test]
fn dates_of_machines_are_dates() {
    let read = "It is November seventeenth, twenty twenty six at fifteen thirty U T C.";
    all_sound_like(&[
        ("It is 2026-11-17T15:30:00Z.", read),
        (
            "2026-11-17T15:30:05.250+02:00",
            "November seventeenth, twenty twenty six at fifteen thirty and five seconds U T C plus two",
        ),
        ("at 15:30:00", "at fifteen thirty"),
        ("17.11.2026", "November seventeenth, twenty twenty six"),
        ("11/17/26", "November seventeenth, twenty twenty six"),
    ]);
}

#[test]
fn telephone_numbers_of_several_words_are_read_digit_by_digit() {
    all_sound_like(&[
        ("Call (415) 555-0123 now.", "Call four one five, five five five, oh one two three now."),
        ("+1 (415) 555-0123", "plus one, four one five, five five five, oh one two three"),
        (
            "On +44 20 7946 0958, please",
            "On plus four four, two oh, seven nine four six, oh nine five eight, please",
        ),
        ("020 7946 0958", "oh two oh, seven nine four six, oh nine five eight"),
        ("415 555 0123", "four one five, five five five, oh one two three"),
        ("(2) 3 rooms", "(two) three rooms"),
    ]);
}

#[test]
fn a_range_goes_from_one_to_the_other() {
    all_sound_like(&[
        ("5-10 minutes", "five to ten minutes"),
        ("5-10 min", "five to ten minutes"),
        ("pages 12-15.", "pages twelve to fifteen."),
        ("up 10-15%", "up ten to fifteen percent"),
        ("$10-20 or $10-$20", "ten to twenty dollars or ten dollars to twenty dollars"),
        ("$10-20 million", "ten to twenty million dollars"),
        ("3–5pm, 3-5 pm", "three to five P M, three to five P M"),
        ("2024-2026", "twenty twenty four to twenty twenty six"),
        ("Mon-Fri, Nov 3-5", "Monday to Friday, November third to fifth"),
        ("9:30 – 10:00", "nine thirty to ten o'clock"),
        ("500-1000 people", "five hundred to one thousand people"),
        ("Call 555-1234.", "Call five five five, one two three four."),
        ("code 12-15", "code twelve dash fifteen"),
        ("a 5-minute walk", "a five minute walk"),
        (
            "12 Nov–14 Nov, 1st-3rd",
            "the twelfth of November to the fourteenth of November, first to third",
        ),
        ("mid-2020s", "mid twenty twenties"),
        ("**3-4pm**", "three to four P M"),
    ]);
}

#[test]
fn a_slash_is_a_day_or_a_share() {
    all_sound_like(&[
        ("on 11/17", "on November seventeenth"),
        ("due 1/2", "due January second"),
        ("1/2 cup", "one half cup"),
        ("5/8 of it", "five eighths of it"),
        ("11/17 of it", "eleven seventeenths of it"),
        ("17/40", "seventeen slash forty"),
        ("1 1/2 cups", "one and a half cups"),
        ("1½ or 2¾ hours", "one and a half or two and three quarters hours"),
        ("50/50", "fifty fifty"),
        ("4/5 stars", "four out of five stars"),
    ]);
}

#[test]
fn how_long_and_how_many_is_said_as_people_say_it() {
    all_sound_like(&[
        ("the 1980s and the '90s", "the nineteen eighties and the nineties"),
        ("wait 30s", "wait thirty seconds"),
        ("1h 30m", "one hour thirty minutes"),
        ("1h30m", "one hour thirty minutes"),
        ("a 30m rope", "a thirty meters rope"),
        ("50000 people", "fifty thousand people"),
        ("Order 50000 ships.", "Order five oh oh oh oh ships."),
        ("1950 kg", "one thousand nine hundred fifty kilograms"),
    ]);
}

#[test]
fn short_forms_are_what_they_mean_where_they_stand() {
    all_sound_like(&[
        ("5 Elm Dr. is it.", "five Elm Drive is it."),
        ("He lives at 5 Elm Dr.", "He lives at five Elm Drive."),
        ("Ask Dr. Smith, on Elm Dr.", "Ask Doctor Smith, on Elm Drive."),
        ("Visit St. Mary", "Visit Saint Mary"),
        ("A vs. B", "A versus B"),
        ("J.R.R. Tolkien", "J R R Tolkien"),
        ("U.S. mail, he said—then left.", "U S mail, he said— then left."),
        ("~~gone~~ and *here*", "gone and here"),
        ("C# or C++", "C sharp or C plus plus"),
        ("report_final", "report final"),
        ("#news", "hashtag news"),
    ]);
}

#[test]
fn files_and_machines_have_names_that_can_be_said() {
    all_sound_like(&[
        ("See ~/notes.txt.", "See home slash notes dot T X T."),
        (".env", "dot env"),
        ("src/main.rs", "src slash main dot R S"),
        ("/etc/hosts", "slash etc slash hosts"),
        ("example.com:8080", "example dot com port eighty eighty"),
        ("localhost:3000", "localhost port three thousand"),
        ("notes.txt", "notes dot T X T"),
    ]);
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
        text in "[a-z0-9A-Z .,:;/@#$%*_(){}\\[\\]|`'\"&+=~<>\n€£½é🎉—–１①₹¢*-]{0,60}"
    ) {
        let said = spoken(&text, 0);
        let mut last = 0;
        for spoken in &said {
            proptest::prop_assert!(spoken.at.start >= last && spoken.at.end <= text.len());
            proptest::prop_assert!(text.get(spoken.at.clone()).is_some());
            proptest::prop_assert!(!spoken.words.chars().any(|c| c.is_ascii_digit()), "{:?}", spoken);
            last = spoken.at.end;
        }
        let is_said = |at: usize| said.iter().any(|spoken| spoken.at.contains(&at));
        for (at, sign) in text.char_indices().filter(|(_, sign)| sign.is_alphanumeric()) {
            proptest::prop_assert!(is_said(at), "{:?} of {:?} in {:?}", sign, text, said);
        }
    }
}
