//! Our voice through our ears: what is said is what is heard.

use std::path::PathBuf;

use speech::engine::Lanes;
use speech::resample::{EARS_RATE, Resampler, VOICE_RATE};
use speech::score::{Score, sentences};
use speech::stt::{Moonshine, Recogniser};
use speech::tts::{Clauses, Hibari, Manner, Voice};

fn assets() -> Option<PathBuf> {
    let expected = std::env::var_os("SAYSO_TEST_ASSETS").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    let assets = expected.clone().unwrap_or(beside);
    if expected.is_some() || assets.join("moonshine").is_dir() && assets.join("hibari").is_dir() {
        return Some(assets);
    }
    println!("not run: {} has no models; `make assets` fetches them", assets.display());
    None
}

#[test]
fn what_our_voice_says_our_ears_understand() {
    let Some(assets) = assets() else { return };
    let lanes = Lanes::one_each();
    let voice = Hibari::load(&assets, &lanes).unwrap();
    let ears = Moonshine::load(&assets, &lanes).unwrap();
    let mut score = Score::default();
    for sentence in sentences() {
        let mut sound = Vec::new();
        for clause in Clauses::of(&sentence.text) {
            sound.extend(voice.say(&clause, &Manner::default()).unwrap().samples);
            sound.resize(sound.len() + usize::try_from(clause.breath.ms()).unwrap() * 24, 0.0);
        }
        // Not more silence at the end than an ear waits before it has it written down.
        sound.truncate(sound.len().saturating_sub(150 * 24));
        let sound = Resampler::new(VOICE_RATE, EARS_RATE).push(&sound);
        let heard = ears.recognise(&sound, None).unwrap();
        let errors = score.add(&sentence, &heard.text);
        if errors > 0 {
            println!("{errors} in {:?}\n  heard {:?}", sentence.text, heard.text);
        }
    }
    println!("{score:?}");
    assert_eq!(score.sentences, 50);
    assert!(score.wrong_of_hundred() <= 8.0, "more than 8 of 100 words are wrong: {score:?}");
}
