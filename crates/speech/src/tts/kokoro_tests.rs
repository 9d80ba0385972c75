//! No model comes with Sayso, so this one is written by hand: it has the inputs and the
//! output of the usual exports, and its wave shows what it was given.

use tempfile::TempDir;

use super::*;
use crate::testing::onnx::{Graph, Kind, Set};
use crate::tts::Breath;

/// A sample for each sound: its number and the style's first number, times the speed.
fn model() -> Vec<u8> {
    let (float, whole) = ([Set::Int("to", 1)], [Set::Int("keepdims", 1)]);
    Graph::default()
        .input("input_ids", Kind::Int, 2)
        .input("style", Kind::Float, 2)
        .input("speed", Kind::Float, 1)
        .floats("thousandth", &[1], &[0.001])
        .ints("wide", &[1])
        .node("Cast", &["input_ids"], "numbers", &float)
        .node("Mul", &["numbers", "thousandth"], "small", &[])
        .node("ReduceMax", &["style", "wide"], "top", &whole)
        .node("Add", &["small", "top"], "sum", &[])
        .node("Mul", &["sum", "speed"], "waveform", &[])
        .output("waveform", Kind::Float, 2)
        .file()
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    for inner in ["onnx", "voices"] {
        std::fs::create_dir(folder.path().join(inner)).unwrap();
    }
    put("onnx/model.onnx", &model());
    let vocabulary = serde_json::json!({ "model": { "vocab": { "h": 5, "ˈ": 6, "I": 7 } } });
    put("tokenizer.json", vocabulary.to_string().as_bytes());
    // The style for three sounds stands out.
    let styles = (0..4).flat_map(|length| vec![if length == 3 { 0.5_f32 } else { 0.1 }; STYLE]);
    put("voices/af_test.bin", &styles.flat_map(f32::to_le_bytes).collect::<Vec<u8>>());
    folder
}

#[test]
fn it_is_given_the_sounds_the_style_for_their_number_and_the_pace() {
    let Some(assets) = crate::testing::assets() else { return };
    let folder = folder();
    let kokoro = Kokoro::load(folder.path(), "af_test", &assets, &Lanes::new(1)).unwrap();
    let clause = Clause { text: "hi".into(), at: 4..6, breath: Breath::FullStop };
    let manner = Manner { speed: 0.5, ..Manner::default() };
    let sound = kokoro.say(&clause, &manner).unwrap();
    let expected = [0.25, 0.2525, 0.253, 0.2535, 0.25];
    assert_eq!(sound.samples.len(), expected.len(), "{sound:?}");
    let near = |(a, b): (&f32, f32)| (a - b).abs() < 1e-6;
    assert!(sound.samples.iter().zip(expected).all(near), "{sound:?}");
    assert_eq!(sound.words.len(), 1);
    assert_eq!(sound.words[0].at, 4..6);
}

#[test]
fn what_a_folder_lacks_is_named() {
    let Some(assets) = crate::testing::assets() else { return };
    for (name, told) in [
        ("onnx/model.onnx", "has no model.onnx"),
        ("tokenizer.json", "has no config.json"),
        ("voices/af_test.bin", "has no voices/af_test.bin"),
    ] {
        let folder = folder();
        std::fs::remove_file(folder.path().join(name)).unwrap();
        let loaded = Kokoro::load(folder.path(), "af_test", &assets, &Lanes::new(1));
        let Err(error) = loaded else { panic!("{name}") };
        assert!(error.to_string().contains(told), "{error}");
    }
    let torn = folder();
    std::fs::write(torn.path().join("voices/af_test.bin"), [0; 100]).unwrap();
    let loaded = Kokoro::load(torn.path(), "af_test", &assets, &Lanes::new(1));
    let Err(error) = loaded else { panic!("it was torn") };
    assert!(error.to_string().contains("it is no voice of 256 numbers a length"), "{error}");
}
