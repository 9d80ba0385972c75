//! Whole utterances without a model, and one with the real ones.

use std::collections::VecDeque;
use std::sync::Mutex;

use super::*;
use crate::stt::HeardWord;
use crate::vad::Memory;

/// Loud is speech.
struct ByLoudness;

impl Listener for ByLoudness {
    fn speech(&self, frame: &[f32; FRAME], _: &mut Memory) -> Result<f32, Unavailable> {
        let loud = frame.iter().filter(|sample| sample.abs() > 0.05).count() > FRAME / 4;
        Ok(if loud { 0.9 } else { 0.05 })
    }
}

/// Hears one word for every half second of sound, and can be made to fail.
#[derive(Default)]
struct Counting {
    failures: Mutex<VecDeque<()>>,
}

impl Recogniser for Counting {
    fn recognise(&self, sound: &[f32], _: Option<&Recognised>) -> Result<Recognised, Unavailable> {
        if self.failures.lock().unwrap().pop_front().is_some() {
            return Err(Unavailable::Missing("model".into()));
        }
        let loud = sound.iter().filter(|sample| sample.abs() > 0.05).count();
        let words: Vec<HeardWord> =
            (0..loud / 8_000).map(|n| HeardWord { text: format!("w{n}"), logp: -0.05 }).collect();
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        Ok(Recognised { text, words, mean_logp: -0.05, min_logp: -0.1, ..Recognised::default() })
    }
}

fn sound(stretches: &[(u64, bool)]) -> Vec<u8> {
    let tone = |n: u64, loud: bool| {
        #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
        let phase = n as f32 * 0.3;
        if loud { phase.sin() * 0.4 } else { 0.0 }
    };
    let samples: Vec<f32> = stretches
        .iter()
        .flat_map(|(ms, loud)| (0..ms * SAMPLES_A_MS).map(move |n| tone(n, *loud)))
        .collect();
    crate::pcm::bytes(&samples)
}

fn ear(patience: Patience) -> Ear {
    let format = Format::mono(EARS_RATE).unwrap();
    let mut ear = Ear::new(format, Arc::new(ByLoudness), patience, TurnMode::Auto);
    ear.listen(false);
    ear
}

/// Plays sound in frames of 20 ms; tasks are answered at once. What came out, in words.
fn play(ear: &mut Ear, bytes: &[u8], recogniser: &dyn Recogniser) -> Vec<String> {
    let mut out = Vec::new();
    for frame in bytes.chunks(640) {
        let heard = ear.hear(frame).unwrap();
        let mut notices = VecDeque::from(heard.notices);
        while let Some(notice) = notices.pop_front() {
            match notice {
                Notice::Decode(task) => notices.extend(ear.decoded(task.run(recogniser), 50)),
                Notice::Partial { words, .. } => out.push(format!("… {}", words.text)),
                Notice::Final(utterance) => out.push(utterance.text),
                other => {
                    out.push(format!("{other:?}").split([' ', '(']).next().unwrap().to_owned());
                }
            }
        }
    }
    out
}

#[test]
fn words_are_shown_while_they_are_said_and_final_once() {
    let bytes = sound(&[(500, false), (1_700, true), (1_500, false)]);
    let out = play(&mut ear(Patience::default()), &bytes, &Counting::default());
    assert_eq!(out, ["Began", "… w0", "… w0 w1", "… w0 w1 w2", "Ended", "w0 w1 w2"]);
}

/// Counts the samples it hears.
struct Measuring;

impl Recogniser for Measuring {
    fn recognise(&self, sound: &[f32], _: Option<&Recognised>) -> Result<Recognised, Unavailable> {
        let loud = sound.iter().filter(|sample| sample.abs() > 0.05).count();
        let text = format!("{} {loud}", sound.len());
        let words = vec![HeardWord { text: text.clone(), logp: -0.05 }];
        Ok(Recognised { text, words, ..Recognised::default() })
    }
}

#[test]
fn what_is_said_from_the_first_sample_to_the_last_is_heard_with_a_silence_before_it() {
    let format = Format::mono(EARS_RATE).unwrap();
    let patience = Patience::default();
    let mut ear = Ear::new(format, Arc::new(ByLoudness), patience, TurnMode::PushToTalk);
    ear.listen(false);
    // Not a whole number of frames.
    let said = 16_000 + 500;
    let bytes = crate::pcm::bytes(&[0.4, -0.4].repeat(said / 2));
    // The button may be pressed again at once: the end of what was said begins nothing.
    for press in 1..=2 {
        play(&mut ear, &bytes, &Measuring);
        let task = ear.end().into_iter().find_map(|notice| match notice {
            Notice::Decode(task) => Some(task),
            _ => None,
        });
        let heard = task.unwrap().run(&Measuring).result.unwrap().text;
        let (all, loud) = heard.split_once(' ').unwrap();
        let (all, loud): (usize, usize) = (all.parse().unwrap(), loud.parse().unwrap());
        assert!(loud.abs_diff(said) <= 16, "press {press}: {loud} of {said} samples");
        assert!(all >= said + 300 * 16, "press {press}: {all}, no silence before the first");
        ear.listen(false);
    }
}

#[test]
fn a_short_pause_is_part_of_what_is_said() {
    let bytes = sound(&[(300, false), (1_100, true), (300, false), (1_100, true), (1_500, false)]);
    let out = play(&mut ear(Patience::default()), &bytes, &Counting::default());
    assert_eq!(out.last().map(String::as_str), Some("w0 w1 w2 w3"));
    assert_eq!(out.iter().filter(|line| *line == "Ended").count(), 1);
}

#[test]
fn long_speech_is_heard_in_parts_and_its_sound_is_let_go() {
    let mut ear = ear(Patience { longest_utterance: 60_000, ..Patience::default() });
    let bytes = sound(&[(300, false), (30_100, true), (1_500, false)]);
    let out = play(&mut ear, &bytes, &Counting::default());
    let words = out.last().unwrap().split_whitespace().count();
    assert!((52..=61).contains(&words), "{words}");
    let shown = out.iter().filter_map(|line| line.strip_prefix("… ")).next_back().unwrap();
    assert!(shown.split_whitespace().count() + 1 >= words, "no cut lost a word: {shown}");
    assert!(ear.sound.len() < 2 * EARS_RATE as usize, "{}", ear.sound.len());
}

#[test]
fn whoever_speaks_for_too_long_is_cut_between_words_and_the_rest_comes_next() {
    let mut ear = ear(Patience { longest_utterance: 5_000, ..Patience::default() });
    // A breath of two frames, before the time is up. Without it there would be nine words.
    let bytes = sound(&[(300, false), (4_000, true), (64, false), (1_136, true)]);
    let mut out = play(&mut ear, &bytes, &Counting::default());
    ear.listen(false);
    out.extend(play(&mut ear, &sound(&[(1_400, true), (1_500, false)]), &Counting::default()));
    let finals: Vec<&String> = out.iter().filter(|line| line.starts_with('w')).collect();
    assert_eq!(finals, ["w0 w1 w2 w3 w4 w5 w6", "w0 w1 w2 w3"], "{out:?}");
}

/// Says one word again and again where there is little sound.
struct Stutters(f32);

impl Recogniser for Stutters {
    fn recognise(&self, sound: &[f32], _: Option<&Recognised>) -> Result<Recognised, Unavailable> {
        let is_short = sound.len() < EARS_RATE as usize;
        let text = if is_short { "What? What? What? What?" } else { "What is it?" };
        let word = |text: &str| HeardWord { text: text.to_owned(), logp: self.0 };
        let words = text.split_whitespace().map(word).collect();
        let (mean_logp, min_logp) = (self.0, self.0);
        Ok(Recognised { text: text.into(), words, mean_logp, min_logp, ..Recognised::default() })
    }
}

#[test]
fn a_stutter_that_nobody_is_sure_of_is_not_shown() {
    let bytes = sound(&[(300, false), (1_500, true), (1_500, false)]);
    for (logp, shown) in [(-0.8, false), (-0.01, true)] {
        let out = play(&mut ear(Patience::default()), &bytes, &Stutters(logp));
        assert_eq!(out.iter().any(|line| line.contains("What? What?")), shown, "{out:?}");
        assert_eq!(out.last().map(String::as_str), Some("What is it?"), "{out:?}");
    }
}

#[test]
fn whoever_talks_over_us_is_heard_at_once_and_without_a_rest() {
    let bytes = sound(&[(300, false), (800, true)]);
    let hearings = |is_over_us: bool| {
        let mut ear = ear(Patience::default());
        ear.set_over_us(is_over_us);
        let mut at = Vec::new();
        for (n, frame) in bytes.chunks(640).enumerate() {
            for notice in ear.hear(frame).unwrap().notices {
                if let Notice::Decode(task) = notice {
                    at.push(20 * (n + 1) - 300);
                    ear.decoded(task.run(&Counting::default()), 50);
                }
            }
        }
        at
    };
    let (over_us, else_) = (hearings(true), hearings(false));
    assert!(over_us[0] <= 120 && over_us.len() > 2 * else_.len(), "{over_us:?} {else_:?}");
}

#[test]
fn silence_and_noise_make_no_turn_and_memory_stays_small() {
    let mut ear = ear(Patience::default());
    let out = play(&mut ear, &sound(&[(60_000, false)]), &Counting::default());
    assert_eq!(out, ["NoSpeech"]);
    assert!(ear.sound.capacity() < 8 * EARS_RATE as usize);
    ear.listen(false);
    let out = play(&mut ear, &sound(&[(300, true), (1_500, false)]), &Counting::default());
    assert_eq!(out, ["Began", "Ended", "NoWords"]);
}

#[test]
fn a_recogniser_that_fails_is_asked_once_more_and_then_it_is_told() {
    let bytes = sound(&[(300, false), (250, true), (1_500, false)]);
    // The first failure is a partial's, and nobody misses one.
    for (failures, expected) in [(2, "NoWords"), (3, "Failed")] {
        let recogniser = Counting { failures: Mutex::new(vec![(); failures].into()) };
        let out = play(&mut ear(Patience::default()), &bytes, &recogniser);
        assert!(out.iter().any(|line| line == expected), "{failures}: {out:?}");
    }
}

#[test]
fn what_cannot_be_recognised_takes_nothing_with_it_that_was_said_before() {
    let (mut ear, mut tasks) = (ear(Patience::default()), Vec::new());
    let stretches = [(1_100, true), (800, false), (1_700, true), (350, false)];
    for frame in sound(&stretches).chunks(640) {
        for notice in ear.hear(frame).unwrap().notices {
            match notice {
                Notice::Decode(task) if task.is_urgent() => tasks.push(task),
                Notice::Ended { .. } => ear.listen(false),
                _ => {}
            }
        }
    }
    let (first, second) = (tasks.remove(0), tasks.pop().unwrap());
    assert_eq!((first.utterance(), second.utterance()), (1, 2));

    let fails = Counting { failures: Mutex::new(vec![(); 2].into()) };
    let mut told = VecDeque::from(ear.decoded(second.run(&fails), 50));
    let mut out = Vec::new();
    while let Some(notice) = told.pop_front() {
        match notice {
            Notice::Decode(again) => told.extend(ear.decoded(again.run(&fails), 50)),
            other => out.push(other),
        }
    }
    assert!(matches!(out[..], [Notice::Stumbled { .. }, Notice::Failed { utterance: 2, .. }]));
    let told = ear.decoded(first.run(&Counting::default()), 900);
    assert!(matches!(&told[..], [Notice::Final(it)] if it.text == "w0 w1"), "{told:?}");
}

#[test]
fn the_client_may_end_it_and_what_is_thrown_away_stays_away() {
    let mut ear = ear(Patience::default());
    play(&mut ear, &sound(&[(1_200, true)]), &Counting::default());
    let tasks: Vec<Notice> = ear.end();
    let task = tasks.into_iter().find_map(|notice| match notice {
        Notice::Decode(task) => Some(task),
        _ => None,
    });
    let task = task.unwrap();
    assert!(task.is_urgent() && task.sound_ms() > 1_000);
    ear.drop_utterance();
    assert!(ear.decoded(task.run(&Counting::default()), 10).is_empty());
}

#[test]
fn who_goes_on_while_words_are_on_their_way_is_heard_too() {
    let mut ear = ear(Patience::default());
    let (mut tasks, mut out) = (Vec::new(), Vec::new());
    for frame in sound(&[(1_100, true), (800, false), (1_700, true), (800, false)]).chunks(640) {
        for notice in ear.hear(frame).unwrap().notices {
            match notice {
                Notice::Decode(task) if task.is_urgent() => tasks.push(task),
                Notice::Ended { .. } => ear.listen(false),
                _ => {}
            }
        }
    }
    for task in tasks.into_iter().rev() {
        out.extend(ear.decoded(task.run(&Counting::default()), 900));
    }
    let finals: Vec<String> = out
        .into_iter()
        .filter_map(|notice| match notice {
            Notice::Final(utterance) => Some(utterance.text),
            _ => None,
        })
        .collect();
    assert_eq!(finals, ["w0 w1 w2", "w0 w1"]);
}

#[test]
fn what_was_to_be_heard_is_void_once_it_cannot_be_all_or_be_shown() {
    let mut ear = ear(Patience::default());
    let (mut shown, mut up_to_pauses) = (Vec::new(), Vec::new());
    for frame in sound(&[(1_100, true), (300, false), (1_100, true), (300, false)]).chunks(640) {
        for notice in ear.hear(frame).unwrap().notices {
            match notice {
                Notice::Decode(task) if task.is_urgent() => up_to_pauses.push(task),
                Notice::Decode(task) => shown.push(task),
                _ => {}
            }
        }
    }

    // They paused, so the words so far are final ones; they went on, so those were not.
    assert!(shown.iter().all(|task| !task.is_wanted()), "{} shown", shown.len());
    let wanted: Vec<bool> = up_to_pauses.iter().map(Task::is_wanted).collect();
    assert_eq!(wanted, [false, true]);

    // Whoever did not run a task that is void is not asked again.
    let void = up_to_pauses.remove(0).lost("nobody wants to know");
    assert!(ear.decoded(void, 0).is_empty());
}

#[test]
fn words_up_to_a_pause_are_awaited_once_it_is_the_end() {
    let mut ear = ear(Patience::default());
    let tasks = |heard: Heard| {
        heard.notices.into_iter().filter_map(|notice| match notice {
            Notice::Decode(task) if task.is_urgent() => Some(task),
            _ => None,
        })
    };
    let paused: Vec<Task> =
        tasks(ear.hear(&sound(&[(1_100, true), (300, false)])).unwrap()).collect();
    let [task] = paused.as_slice() else { panic!("{} tasks", paused.len()) };
    assert!(!task.is_awaited());

    ear.hear(&sound(&[(600, false)])).unwrap();

    assert!(task.is_awaited() && task.is_wanted());
}

#[test]
fn torn_frames_are_refused_and_the_next_ones_are_heard() {
    let mut ear = ear(Patience::default());
    assert!(matches!(
        ear.hear(&[1, 2, 3]),
        Err(Deaf::BadSound(BadSound::Torn { bytes: 3, each: 2 }))
    ));
    let out = play(&mut ear, &sound(&[(1_100, true), (1_500, false)]), &Counting::default());
    assert_eq!(out.last().map(String::as_str), Some("w0 w1"));
}

#[test]
fn with_the_real_models_our_own_voice_is_heard_through_the_whole_ear() {
    use crate::engine::Lanes;
    use crate::stt::Moonshine;
    use crate::tts::{Clauses, Hibari, Manner, Speech, Voice};
    use crate::vad::Silero;

    let Some(assets) = crate::testing::assets() else { return };
    let lanes = Lanes::new(1);
    let (voice, moonshine) =
        (Hibari::load(&assets, &lanes).unwrap(), Moonshine::load(&assets, &lanes).unwrap());
    let silero = Arc::new(Silero::load(&assets, &Lanes::new(1)).unwrap());
    let mut speech = Speech::new(48_000, 200).unwrap();
    let mut bytes = vec![0; 48_000];
    for clause in Clauses::of("Move the call to Thursday, my ZIP code is 94107.") {
        let sound = voice.say(&clause, &Manner::default()).unwrap();
        bytes.extend(speech.add(&clause, &sound).into_iter().flat_map(|chunk| chunk.pcm));
    }
    bytes.extend(vec![0; 96_000]);
    let hear = |bytes: &[u8]| {
        let format = Format::mono(48_000).unwrap();
        let listener: Arc<Silero> = Arc::clone(&silero);
        let mut ear = Ear::new(format, listener, Patience::default(), TurnMode::Auto);
        ear.listen(false);
        play(&mut ear, bytes, &moonshine)
    };

    let out = hear(&bytes);

    assert_eq!(out.first().map(String::as_str), Some("Began"), "{out:?}");
    assert!(out.iter().filter(|line| line.starts_with('…')).count() > 3, "{out:?}");
    let last = out.last().unwrap();
    assert!(last.contains("Thursday") && last.contains("94107"), "{out:?}");

    // Three times too loud, cut at the top, and off its middle.
    let samples = Format::mono(48_000).unwrap().samples(&bytes).unwrap();
    let spoilt: Vec<f32> = samples.iter().map(|x| (x * 3.0 + 0.15).clamp(-0.7, 0.7)).collect();
    let out = hear(&crate::pcm::bytes(&spoilt));
    assert!(out.last().unwrap().contains("Thursday"), "{out:?}");
}

#[test]
fn with_the_real_models_nobody_is_thanked_who_was_not() {
    use crate::engine::Lanes;
    use crate::resample::{Resampler, VOICE_RATE};
    use crate::stt::Moonshine;
    use crate::tts::{Clauses, Hibari, Manner, Voice};
    use crate::vad::Silero;

    let Some(assets) = crate::testing::assets() else { return };
    let lanes = Lanes::new(1);
    let silero = Arc::new(Silero::load(&assets, &lanes).unwrap());
    let moonshine = Moonshine::load(&assets, &lanes).unwrap();
    let voice = Hibari::load(&assets, &lanes).unwrap();
    for (text, is_thanked) in [
        ("Email Tom that he should call 415-555-0123 today.", false),
        ("Tell Tom that lunch is at noon. Thank you.", true),
    ] {
        let mut samples = vec![0.0; VOICE_RATE as usize / 2];
        for clause in Clauses::of(text) {
            samples.extend(voice.say(&clause, &Manner::default()).unwrap().samples);
        }
        samples.resize(samples.len() + VOICE_RATE as usize * 3 / 2, 0.0);
        let samples = Resampler::new(VOICE_RATE, EARS_RATE).push(&samples);
        let format = Format::mono(EARS_RATE).unwrap();
        let mut ear = Ear::new(format, silero.clone(), Patience::default(), TurnMode::Auto);
        ear.listen(false);
        let out = play(&mut ear, &crate::pcm::bytes(&samples), &moonshine);
        let last = out.last().unwrap().to_lowercase();
        assert_eq!(last.contains("thank"), is_thanked, "{out:?}");
    }
}

#[test]
fn with_the_real_listener_minutes_of_music_and_noise_are_no_turn() {
    use crate::engine::Lanes;
    use crate::vad::Silero;

    let Some(assets) = crate::testing::assets() else { return };
    let silero = Arc::new(Silero::load(&assets, &Lanes::new(1)).unwrap());
    let format = Format::mono(EARS_RATE).unwrap();
    let patience = Patience { no_speech: 600_000, ..Patience::default() };
    let mut ear = Ear::new(format, silero, patience, TurnMode::Auto);
    ear.listen(false);
    // A chord that changes every half second, for a minute.
    #[expect(clippy::cast_precision_loss, reason = "a minute of samples")]
    let chord = |n: u32| {
        let root = [220.0, 261.6, 329.6, 196.0][(n / 8_000 % 4) as usize];
        let tone = |hz: f32| (n as f32 * hz * std::f32::consts::TAU / 16_000.0).sin();
        (tone(root) + tone(root * 1.26) + tone(root * 1.5)) * 0.1
    };
    let music: Vec<f32> = (0..60 * EARS_RATE).map(chord).collect();

    let out = play(&mut ear, &crate::pcm::bytes(&music), &Counting::default());

    assert_eq!(out, Vec::<String>::new());
    assert!(ear.sound.len() < 2 * EARS_RATE as usize);
}
