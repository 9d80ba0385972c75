//! Tables of moments: what is heard when, and what is noticed when.

use super::*;

const FRAME: u64 = 10;

/// Plays stretches of `(milliseconds, likelihood of speech)` and writes down
/// what was noticed and when.
fn play(endpoint: &mut Endpoint, from: u64, stretches: &[(u64, f32)]) -> Vec<(u64, Noticed)> {
    let (mut now, mut noticed) = (from, Vec::new());
    for &(length, speech) in stretches {
        let end = now + length;
        while now < end {
            now += FRAME;
            noticed.extend(endpoint.frame(now, FRAME, speech).map(|what| (now, what)));
        }
    }
    noticed
}

fn listening(patience: Patience, mode: TurnMode, asked: bool) -> Endpoint {
    let mut endpoint = Endpoint::new(patience, mode);
    endpoint.listen(0, asked);
    endpoint
}

fn auto(asked: bool) -> Endpoint {
    listening(Patience::default(), TurnMode::Auto, asked)
}

const TALK: f32 = 0.9;
const QUIET: f32 = 0.05;

#[test]
fn an_utterance_begins_pauses_and_ends_to_the_millisecond() {
    let noticed = play(&mut auto(false), 0, &[(1_000, QUIET), (800, TALK), (2_000, QUIET)]);
    assert_eq!(
        noticed,
        [
            (1_030, Noticed::Began { since_ms: 1_000, from_ms: 700 }),
            (1_950, Noticed::Paused { since_ms: 1_800 }),
            (2_400, Noticed::Ended { speech_end_ms: 1_800, why: Why::Silence }),
        ]
    );
}

#[test]
fn the_sound_before_the_start_cannot_be_older_than_the_stream() {
    let noticed = play(&mut auto(false), 0, &[(50, QUIET), (100, TALK)]);
    assert_eq!(noticed, [(80, Noticed::Began { since_ms: 50, from_ms: 0 })]);
}

#[test]
fn clicks_and_coughs_of_two_frames_begin_nothing() {
    let mut endpoint = auto(false);
    let clicks: Vec<(u64, f32)> = (0..40).flat_map(|_| [(20, TALK), (60, QUIET)]).collect();
    assert_eq!(play(&mut endpoint, 0, &clicks), []);
}

#[test]
fn nobody_speaking_is_noticed_later_after_a_question() {
    for (asked, at) in [(false, 8_000), (true, 12_000)] {
        let noticed = play(&mut auto(asked), 0, &[(20_000, QUIET)]);
        assert_eq!(noticed, [(at, Noticed::NoSpeech)], "asked: {asked}");
    }
}

#[test]
fn after_a_question_people_may_think_longer() {
    for (asked, end) in [(false, 1_600), (true, 1_900)] {
        let noticed = play(&mut auto(asked), 0, &[(1_000, TALK), (3_000, QUIET)]);
        assert_eq!(
            noticed.last(),
            Some(&(end, Noticed::Ended { speech_end_ms: 1_000, why: Why::Silence }))
        );
    }
}

#[test]
fn going_on_after_a_pause_is_told_only_if_the_pause_was() {
    let short = play(&mut auto(false), 0, &[(500, TALK), (100, QUIET), (500, TALK)]);
    assert_eq!(short.len(), 1, "{short:?}");

    let long = play(&mut auto(false), 0, &[(500, TALK), (300, QUIET), (500, TALK)]);
    assert_eq!(long[1..], [(650, Noticed::Paused { since_ms: 500 }), (820, Noticed::Resumed)]);
}

#[test]
fn one_loud_frame_in_a_silence_does_not_prolong_it() {
    let noticed = play(&mut auto(false), 0, &[(500, TALK), (300, QUIET), (10, TALK), (600, QUIET)]);
    let ended = Noticed::Ended { speech_end_ms: 500, why: Why::Silence };
    assert_eq!(noticed.last(), Some(&(1_100, ended)));
}

#[test]
fn who_pauses_long_inside_a_sentence_is_waited_for() {
    let mut endpoint = auto(false);
    play(&mut endpoint, 0, &[(500, TALK), (560, QUIET), (500, TALK)]);
    assert_eq!(endpoint.silence_ms(), 870);
    assert_eq!(auto(false).silence_ms(), 600);
}

#[test]
fn who_is_quick_is_answered_sooner_once_that_is_known() {
    let mut endpoint = auto(false);
    let quick = [(400, TALK), (130, QUIET)];
    play(&mut endpoint, 0, &[quick; 4].concat());
    assert_eq!(endpoint.silence_ms(), 600, "not known yet");
    play(&mut endpoint, 2_120, &[quick; 3].concat());
    assert_eq!(endpoint.silence_ms(), 400);
}

#[test]
fn patience_learnt_has_bounds() {
    let mut endpoint =
        listening(Patience { end_of_speech: 1_300, ..Patience::default() }, TurnMode::Auto, false);
    for n in 0..6 {
        play(&mut endpoint, n * 1_750, &[(500, TALK), (1_250, QUIET)]);
    }
    assert_eq!(endpoint.silence_ms(), 1_400);
}

#[test]
fn with_a_button_held_silence_ends_nothing_and_letting_go_does() {
    let mut endpoint = listening(Patience::default(), TurnMode::PushToTalk, false);
    let noticed = play(&mut endpoint, 0, &[(20_000, QUIET), (500, TALK), (5_000, QUIET)]);
    assert_eq!(noticed.len(), 2, "{noticed:?}");

    let ended = endpoint.end(26_000);

    assert_eq!(ended, Some(Noticed::Ended { speech_end_ms: 20_500, why: Why::Told }));
    assert_eq!(endpoint.end(26_001), None, "once");
}

#[test]
fn the_client_may_end_it_at_any_time() {
    for (stretches, expected) in [
        (vec![(300, QUIET)], Noticed::NoSpeech),
        (vec![(300, TALK)], Noticed::Ended { speech_end_ms: 300, why: Why::Told }),
        (vec![(300, TALK), (100, QUIET)], Noticed::Ended { speech_end_ms: 300, why: Why::Told }),
    ] {
        let mut endpoint = auto(false);
        play(&mut endpoint, 0, &stretches);
        let now = stretches.iter().map(|(length, _)| length).sum();
        assert_eq!(endpoint.end(now), Some(expected));
    }
}

#[test]
fn nobody_speaks_for_ever() {
    let patience = Patience { longest_utterance: 5_000, ..Patience::default() };
    for mode in [TurnMode::Auto, TurnMode::PushToTalk] {
        let noticed = play(&mut listening(patience.clone(), mode, false), 0, &[(9_000, TALK)]);
        let ended = Noticed::Ended { speech_end_ms: 5_000, why: Why::TooLong };
        assert_eq!(noticed.last(), Some(&(5_000, ended)));
    }
}

#[test]
fn sound_that_does_not_come_is_no_silence_and_is_not_waited_for_for_ever() {
    for before in [&[(500, TALK)][..], &[(300, TALK), (200, QUIET)]] {
        let mut endpoint = auto(false);
        play(&mut endpoint, 0, before);
        assert_eq!(endpoint.tick(500 + 1_999, 1_999), None, "{before:?}");
        let ended = endpoint.tick(500 + 2_000, 2_000);
        let why = |noticed| match noticed {
            Some(Noticed::Ended { why, .. }) => Some(why),
            _ => None,
        };
        assert_eq!(why(ended), Some(Why::NoSound), "{before:?}");
        assert_eq!(endpoint.tick(9_000, 8_500), None, "it listens again only when told");
    }
}

#[test]
fn what_comes_after_a_stall_belongs_to_the_same_utterance() {
    let mut endpoint = auto(false);
    play(&mut endpoint, 0, &[(500, TALK)]);
    assert_eq!(endpoint.tick(1_700, 1_200), None);
    let noticed = play(&mut endpoint, 500, &[(500, TALK), (700, QUIET)]);
    let ended = Noticed::Ended { speech_end_ms: 1_000, why: Why::Silence };
    assert_eq!(noticed.last(), Some(&(1_600, ended)));
}

#[test]
fn whoever_breaks_off_has_more_time_until_they_go_on() {
    let mut endpoint = auto(false);
    play(&mut endpoint, 0, &[(500, TALK), (200, QUIET)]);
    endpoint.set_breaks_off(true);
    let noticed = play(&mut endpoint, 700, &[(800, QUIET), (300, TALK), (1_600, QUIET)]);
    let ended = Noticed::Ended { speech_end_ms: 1_800, why: Why::Silence };
    let (at, last) = *noticed.last().unwrap();
    assert_eq!(last, ended);
    // A pause of a second was learnt from; it is no longer taken for the end.
    assert!((2_400..=3_300).contains(&at), "{at}");
}

#[test]
fn hesitant_likelihoods_keep_what_was() {
    let noticed = play(&mut auto(false), 0, &[(500, TALK), (5_000, 0.42), (700, QUIET)]);
    let ended = Noticed::Ended { speech_end_ms: 5_500, why: Why::Silence };
    assert_eq!(noticed.last(), Some(&(6_100, ended)));
}
