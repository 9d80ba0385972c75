//! Our voice through our ears: what is said is what is heard.

use std::path::PathBuf;

use speech::engine::Lanes;
use speech::resample::{EARS_RATE, Resampler, VOICE_RATE};
use speech::stt::hypothesis::edits;
use speech::stt::{Moonshine, Recogniser};
use speech::tts::spoken::spoken;
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

/// In one spelling: numbers and times as words, small letters, no marks.
fn words(text: &str) -> Vec<String> {
    let aloud: Vec<String> = spoken(text, 0).into_iter().map(|spoken| spoken.words).collect();
    let aloud = aloud.join(" ").to_lowercase().replace('-', " ").replace("o'clock", "");
    aloud
        .split_whitespace()
        .map(|word| word.chars().filter(|c| c.is_alphanumeric() || *c == '\'').collect::<String>())
        .filter(|word| !word.is_empty())
        .map(|word| if word == "oh" || word == "o" { "zero".to_owned() } else { word })
        .collect()
}

#[test]
fn what_our_voice_says_our_ears_understand() {
    let Some(assets) = assets() else { return };
    let lanes = Lanes::one_each();
    let voice = Hibari::load(&assets, &lanes).unwrap();
    let ears = Moonshine::load(&assets, &lanes).unwrap();
    let sentences = include_str!("../corpus/sentences.txt").lines().filter(|l| !l.starts_with('#'));
    let (mut all, mut wrong, mut names, mut names_wrong, mut exact) = (0, 0, 0, 0, 0);
    let mut count = 0;
    for line in sentences {
        count += 1;
        let sentence = line.replace(['{', '}'], "");
        let mut sound = Vec::new();
        for clause in Clauses::of(&sentence) {
            sound.extend(voice.say(&clause, &Manner::default()).unwrap().samples);
            sound.resize(sound.len() + usize::try_from(clause.breath.ms()).unwrap() * 24, 0.0);
        }
        let sound = Resampler::new(VOICE_RATE, EARS_RATE).push(&sound);
        let heard = ears.recognise(&sound, None).unwrap();
        let named: Vec<String> =
            line.split('{').skip(1).filter_map(|rest| rest.split('}').next()).flat_map(words).collect();
        let (said, got) = (words(&sentence), words(&heard.text));
        // Names apart: each that was not heard takes one error out of the rest.
        let missed = named.iter().filter(|name| !got.contains(name)).count();
        let errors = edits(&said, &got, |a, b| a == b);
        (names, names_wrong) = (names + named.len(), names_wrong + missed);
        (all, wrong) = (all + said.len() - named.len(), wrong + errors.saturating_sub(missed));
        exact += usize::from(errors == 0);
        if errors > 0 {
            println!("{errors} in {sentence:?}\n  heard {:?} {:.2}", heard.text, heard.confidence());
        }
    }
    println!("round trip: {count} sentences, {exact} exact, {wrong} of {all} words wrong; names {names_wrong} of {names}");
    assert_eq!(count, 50);
    assert!(wrong * 100 <= all * 8, "more than 8 of 100 words are wrong");
}
