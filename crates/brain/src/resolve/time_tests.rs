use jiff::Zoned;

use super::*;

/// A Sunday.
fn now() -> Zoned {
    "2026-11-15T10:30:00-08:00[America/Los_Angeles]".parse().unwrap()
}

fn short(zoned: &Zoned) -> String {
    zoned.strftime("%m-%d %H:%M").to_string()
}

/// Every reading of a phrase as "start to end".
fn read_at(phrase: &str, now: &Zoned, lean: Lean) -> Vec<String> {
    readings(phrase, now, lean)
        .iter()
        .map(|reading| format!("{} to {}", short(&reading.range.start), short(&reading.range.end)))
        .collect()
}

fn first(phrase: &str) -> String {
    read_at(phrase, &now(), Lean::Ahead).into_iter().next().unwrap_or_else(|| "nothing".into())
}

#[test]
fn phrases_become_ranges() {
    let cases = [
        ("today", "11-15 00:00 to 11-16 00:00"),
        ("tonight", "11-15 17:00 to 11-16 00:00"),
        ("tomorrow", "11-16 00:00 to 11-17 00:00"),
        ("yesterday", "11-14 00:00 to 11-15 00:00"),
        ("the day after tomorrow", "11-17 00:00 to 11-18 00:00"),
        ("this week", "11-09 00:00 to 11-16 00:00"),
        ("next week", "11-16 00:00 to 11-23 00:00"),
        ("last week", "11-02 00:00 to 11-09 00:00"),
        ("next month", "12-01 00:00 to 01-01 00:00"),
        ("last month", "10-01 00:00 to 11-01 00:00"),
        ("this weekend", "11-14 00:00 to 11-16 00:00"),
        ("next weekend", "11-21 00:00 to 11-23 00:00"),
        ("thursday", "11-19 00:00 to 11-20 00:00"),
        ("on Thursday", "11-19 00:00 to 11-20 00:00"),
        ("this friday", "11-20 00:00 to 11-21 00:00"),
        ("last friday", "11-13 00:00 to 11-14 00:00"),
        ("on the 19th", "11-19 00:00 to 11-20 00:00"),
        ("the nineteenth", "11-19 00:00 to 11-20 00:00"),
        ("the 3rd", "12-03 00:00 to 12-04 00:00"),
        ("November 19th", "11-19 00:00 to 11-20 00:00"),
        ("november 19", "11-19 00:00 to 11-20 00:00"),
        ("19 november", "11-19 00:00 to 11-20 00:00"),
        ("the twenty first of november", "11-21 00:00 to 11-22 00:00"),
        ("thursday the 19th", "11-19 00:00 to 11-20 00:00"),
        ("2026-11-19", "11-19 00:00 to 11-20 00:00"),
        ("in december", "12-01 00:00 to 01-01 00:00"),
        ("in 3 days", "11-18 00:00 to 11-19 00:00"),
        ("three days ago", "11-12 00:00 to 11-13 00:00"),
        ("in two weeks", "11-29 00:00 to 11-30 00:00"),
        ("next 3 days", "11-15 10:30 to 11-19 00:00"),
        ("in the next few days", "11-15 10:30 to 11-19 00:00"),
        ("the last seven days", "11-08 00:00 to 11-16 00:00"),
        ("since monday", "11-09 00:00 to 11-15 10:30"),
        ("since this morning", "11-15 05:00 to 11-15 10:30"),
        ("tomorrow morning", "11-16 05:00 to 11-16 12:00"),
        ("friday afternoon", "11-20 12:00 to 11-20 18:00"),
        ("this evening", "11-15 17:00 to 11-16 00:00"),
        ("tomorrow at noon", "11-16 12:00 to 11-16 12:01"),
        ("at 3 on friday", "11-20 15:00 to 11-20 15:01"),
        ("tomorrow at half past three", "11-16 15:30 to 11-16 15:31"),
        ("friday at quarter to four", "11-20 15:45 to 11-20 15:46"),
        ("15:00 tomorrow", "11-16 15:00 to 11-16 15:01"),
        ("tomorrow three thirty", "11-16 15:30 to 11-16 15:31"),
        ("friday at three o'clock", "11-20 15:00 to 11-20 15:01"),
        ("tomorrow at 8 in the evening", "11-16 20:00 to 11-16 20:01"),
        ("between 2 and 4 tomorrow", "11-16 14:00 to 11-16 16:00"),
        ("tomorrow from 2 to 4", "11-16 14:00 to 11-16 16:00"),
        ("tomorrow 2-4pm", "11-16 14:00 to 11-16 16:00"),
        ("from ten to four tomorrow", "11-16 10:00 to 11-16 16:00"),
        ("before noon tomorrow", "11-16 00:00 to 11-16 12:00"),
        ("tomorrow after 3", "11-16 15:00 to 11-17 00:00"),
        ("rest of the day", "11-15 10:30 to 11-16 00:00"),
        ("the rest of the week", "11-15 10:30 to 11-16 00:00"),
        ("right now", "11-15 10:30 to 11-15 10:31"),
        ("monday to wednesday", "11-16 00:00 to 11-19 00:00"),
        ("wednesday next week", "11-18 00:00 to 11-19 00:00"),
        ("last night", "11-14 20:00 to 11-15 00:00"),
        ("in two hours", "11-15 12:30 to 11-15 12:31"),
        ("tomorrow before lunch", "11-16 00:00 to 11-16 12:00"),
        ("after lunch tomorrow", "11-16 13:00 to 11-17 00:00"),
        ("at 9", "11-16 09:00 to 11-16 09:01"),
        ("at 9 today", "11-15 09:00 to 11-15 09:01"),
        ("at midnight", "11-16 00:00 to 11-16 00:01"),
        ("a week from thursday", "11-26 00:00 to 11-27 00:00"),
        ("thursday week", "11-26 00:00 to 11-27 00:00"),
        ("the end of the month", "11-26 00:00 to 12-01 00:00"),
        ("early next week", "11-16 00:00 to 11-19 00:00"),
        ("later this week", "11-15 10:30 to 11-16 00:00"),
        ("monday tuesday and wednesday", "11-16 00:00 to 11-19 00:00"),
        ("tomorrow and the day after", "11-16 00:00 to 11-18 00:00"),
        ("tomorrow monday the 16th", "11-16 00:00 to 11-17 00:00"),
        ("24.11", "11-24 00:00 to 11-25 00:00"),
        ("tomorrow at 6 pm berlin time", "11-16 09:00 to 11-16 09:01"),
        ("3pm est tomorrow", "11-16 12:00 to 11-16 12:01"),
        ("friday from 2 til 3", "11-20 14:00 to 11-20 15:00"),
    ];
    let wrong: Vec<_> = cases
        .iter()
        .map(|(phrase, expected)| (phrase, expected, first(phrase)))
        .filter(|(_, expected, found)| *expected != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn mail_looks_back_and_meetings_lie_ahead() {
    let back = |phrase| read_at(phrase, &now(), Lean::Back).remove(0);
    assert_eq!(back("tuesday"), "11-10 00:00 to 11-11 00:00");
    assert_eq!(back("between monday and wednesday"), "11-09 00:00 to 11-12 00:00");
    assert_eq!(back("on the 3rd"), "11-03 00:00 to 11-04 00:00");
    assert_eq!(back("sunday"), "11-08 00:00 to 11-09 00:00");
    assert_eq!(first("sunday"), "11-15 00:00 to 11-16 00:00");
}

#[test]
fn next_friday_has_two_readings_when_a_friday_comes_first() {
    let wednesday = "2026-11-18T09:00:00-08:00[America/Los_Angeles]".parse().unwrap();
    let both = readings("next friday", &wednesday, Lean::Ahead);
    let starts: Vec<_> = both.iter().map(|reading| short(&reading.range.start)).collect();
    assert_eq!(starts, ["11-27 00:00", "11-20 00:00"]);
    assert!(both.iter().all(|reading| reading.reason.is_some()));
    assert_eq!(readings("next friday", &now(), Lean::Ahead).len(), 1);
}

#[test]
fn late_on_a_sunday_nobody_can_tell_which_sunday_is_meant() {
    let late: Zoned = "2026-11-15T22:57:00-08:00[America/Los_Angeles]".parse().unwrap();
    let starts = |phrase: &str| -> Vec<String> {
        let all = readings(phrase, &late, Lean::Ahead);
        all.iter().map(|reading| short(&reading.range.start)).collect()
    };
    assert_eq!(starts("on sunday"), ["11-22 00:00", "11-15 00:00"]);
    assert_eq!(starts("on sunday at 3pm"), ["11-22 15:00"]);
    assert_eq!(starts("on sunday at 11pm"), ["11-15 23:00"]);
    assert_eq!(starts("today at 11"), ["11-15 23:00", "11-15 11:00"]);
}

#[test]
fn days_that_are_not_in_a_row_are_asked_for_one_by_one() {
    let sentence = words("what is on monday wednesday and friday with tom");
    let said: Vec<String> = spread(sentence, &now())
        .iter()
        .map(|words| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        said,
        [
            "what is on monday with tom",
            "what is on wednesday with tom",
            "what is on friday with tom"
        ]
    );
}

#[test]
fn a_guessed_half_of_the_day_is_said() {
    let both = readings("tomorrow at 3", &now(), Lean::Ahead);
    assert_eq!(both[0].reason.as_deref(), Some("took it as the afternoon"));
    assert_eq!(short(&both[1].range.start), "11-16 03:00");
    assert_eq!(readings("tomorrow at 3pm", &now(), Lean::Ahead).len(), 1);
}

#[test]
fn a_day_is_a_day_also_when_the_clock_changes() {
    let before = "2026-10-31T12:00:00-07:00[America/Los_Angeles]".parse().unwrap();
    let sunday = &readings("tomorrow", &before, Lean::Ahead)[0].range;
    assert_eq!(sunday.start.duration_until(&sunday.end).as_hours(), 25);
    let three = &readings("tomorrow at 3pm", &before, Lean::Ahead)[0].range.start;
    assert_eq!(three.to_string(), "2026-11-01T15:00:00-08:00[America/Los_Angeles]");
}

#[test]
fn an_hour_put_forward_over_midnight_is_said_as_the_night_it_falls_in() {
    // In Scoresbysund the clocks go from 23:00 to midnight.
    let now = "2030-03-29T00:00:00-02:00[America/Scoresbysund]".parse().unwrap();
    for (hour, said) in [("11 pm", "at midnight"), ("11:20 pm", "at 12:20 am")] {
        let reading = &readings(&format!("tomorrow at {hour}"), &now, Lean::Ahead)[0];
        assert_eq!(reading.said, format!("tomorrow night {said}"));
        let again = &readings(&reading.said, &now, Lean::Ahead)[0];
        assert_eq!(again.range, reading.range);
    }
}

#[test]
fn the_words_that_said_it_are_named_and_others_left() {
    let sentence = words("do i have anything with tom on friday at 3 about the budget");
    let when = find(&sentence, &now(), Lean::Ahead).unwrap();
    let said: Vec<_> = when.words.iter().map(|at| sentence[*at].text.as_str()).collect();
    assert_eq!(said, ["on", "friday", "at", "3"]);
    assert_eq!(when.readings[0].said, "on Friday at 3");
}

#[test]
fn what_is_no_time_is_left_alone() {
    for phrase in ["open the second one", "the 2nd email", "may i", "sun", "\"tomorrow\"", "good"] {
        assert_eq!(find(&words(phrase), &now(), Lean::Ahead), None, "{phrase}");
    }
}

#[test]
fn hours_of_several_days_are_hours_of_each() {
    let mornings = &readings("mornings next week", &now(), Lean::Ahead)[0];
    assert_eq!(mornings.daily, Some((Time::constant(5, 0, 0, 0), Time::constant(12, 0, 0, 0))));
    assert_eq!(mornings.grain, Grain::Week);
}

#[test]
fn clock_times_are_spelled_for_a_screen() {
    let spell = |hour, minute| spell_clock(Time::constant(hour, minute, 0, 0));
    assert_eq!(spell(9, 30), "9:30");
    assert_eq!(spell(15, 0), "3");
    assert_eq!(spell(19, 0), "7 pm");
    assert_eq!(spell(6, 40), "6:40 am");
}

#[test]
fn a_stretch_begins_and_ends_with_every_way_to_say_a_time() {
    // The words around an hour, and how many minutes behind it they are.
    let ways = [
        ("quarter past", "", 15),
        ("a quarter past", "", 15),
        ("quarter to", "", -15),
        ("a quarter to", "", -15),
        ("half past", "", 30),
        ("ten past", "", 10),
        ("ten minutes past", "", 10),
        ("twenty to", "", -20),
        ("twenty five past", "", 25),
        ("twenty five to", "", -25),
        ("", "o'clock", 0),
        ("", "fifteen", 15),
        ("", "forty five", 45),
        ("", "", 0),
    ];
    let written = [("9:15", "11:15", 15), ("9:40", "11:40", 40)];
    let said = |before: &str, hour: &str, behind: &str| {
        format!("{before} {hour} {behind}").trim().to_owned()
    };
    let both = |nine: &str, eleven: &str| -> Vec<(String, String, i32)> {
        let ways = ways.map(|(before, behind, minutes)| {
            (said(before, nine, behind), said(before, eleven, behind), minutes)
        });
        ways.into()
    };
    let on_paper = written.map(|(nine, eleven, minutes)| (nine.into(), eleven.into(), minutes));
    let morning: Vec<_> = both("nine", "eleven").into_iter().chain(on_paper).collect();
    let mut wrong = Vec::new();
    for (start, end, times) in [(9 * 60, 11 * 60, morning), (14 * 60, 16 * 60, both("two", "four"))]
    {
        for (from, _, off) in &times {
            for (_, to, more) in &times {
                for link in ["to", "till", "until"] {
                    let clock = |minutes: i32| format!("{:02}:{:02}", minutes / 60, minutes % 60);
                    let (start, end) = (clock(start + off), clock(end + more));
                    let phrase = format!("on Thursday from {from} {link} {to}");
                    let expected = format!("11-19 {start} to 11-19 {end}");
                    let found = first(&phrase);
                    if found != expected {
                        wrong.push(format!("{phrase}: {found}, not {expected}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_to_of_the_clock_is_none_of_a_stretch_where_a_third_time_follows() {
    for (phrase, expected) in [
        ("on Thursday from ten to four to five", "11-19 15:50 to 11-19 17:00"),
        ("on Thursday from ten to four", "11-19 10:00 to 11-19 16:00"),
        ("on Thursday from ten to a quarter to four", "11-19 10:00 to 11-19 15:45"),
        ("Thursday a quarter past nine to ten forty five", "11-19 09:15 to 11-19 10:45"),
        ("from a quarter past nine pm to eleven on Thursday", "11-19 21:15 to 11-19 23:00"),
    ] {
        assert_eq!(first(phrase), expected, "{phrase}");
    }
}
