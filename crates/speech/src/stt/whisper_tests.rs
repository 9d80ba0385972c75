//! No model comes with Sayso, so these are written by hand: they have the inputs and
//! outputs of the usual exports, and write down what a script says, by how much they
//! remember. The picture of the sound is compared with that of the original.

use tempfile::TempDir;

use super::*;
use crate::testing::onnx::{Graph, Kind, Set};

const WORDS: [&str; 7] = ["ĠYes", ",", "Ġsend", "Ġit", ".", "Ġ", "Ġuh"];
const MARKS: [&str; 7] = [
    "<|endoftext|>",
    "<|startoftranscript|>",
    "<|en|>",
    "<|transcribe|>",
    "<|nospeech|>",
    "<|notimestamps|>",
    "<|0.00|>",
];
const PIECES: usize = WORDS.len() + MARKS.len();
const END: usize = 7;
const NOBODY: usize = 11;
const TIME: usize = 13;

/// Scores by how many pieces were read; the prompt has four.
fn script(lines: &[&[(usize, f32)]]) -> Vec<f32> {
    let mut scores = vec![-10.0; 4 * PIECES];
    for line in lines {
        let mut row = vec![-10.0; PIECES];
        for (piece, score) in *line {
            row[*piece] = *score;
        }
        scores.extend(row);
    }
    scores
}

/// What a careful writer would have to leave out stands before what is said.
fn yes() -> Vec<f32> {
    script(&[
        &[(TIME, 9.0), (5, 8.0), (END, 7.5), (0, 7.0)],
        &[(1, 5.0)],
        &[(2, 5.0), (0, 4.0)],
        &[(6, 9.0), (3, 5.0)],
        &[(4, 5.0)],
        &[(END, 5.0)],
    ])
}

fn encoder() -> Vec<u8> {
    let turned = [Set::Ints("perm", vec![0, 2, 1])];
    Graph::default()
        .input("input_features", Kind::Float, 3)
        .node("Transpose", &["input_features"], "last_hidden_state", &turned)
        .output("last_hidden_state", Kind::Float, 3)
        .file()
}

fn decoder(script: &[f32]) -> Vec<u8> {
    let past = |what: &str| format!("past_key_values.0.{what}");
    let present = |what: &str| format!("present.0.{what}");
    let mut graph = Graph::default()
        .input("input_ids", Kind::Int, 2)
        .input("encoder_hidden_states", Kind::Float, 3)
        .input("use_cache_branch", Kind::Bool, 1)
        .floats("script", &[(script.len() / PIECES) as u64, PIECES as u64], script)
        .floats("one", &[PIECES as u64, 1], &[1.0; PIECES])
        .ints("first", &[1])
        .ints("first two", &[0, 1])
        .node("Gather", &["one", "input_ids"], "ones", &[])
        .node("Unsqueeze", &["ones", "first"], "new", &[])
        .node("Unsqueeze", &["encoder_hidden_states", "first"], "heard", &[]);
    for what in ["decoder.key", "decoder.value", "encoder.key", "encoder.value"] {
        graph = graph.input(&past(what), Kind::Float, 4);
    }
    let joined = [Set::Int("axis", 2)];
    for what in ["decoder.key", "decoder.value"] {
        graph = graph.node("Concat", &[&past(what), "new"], &present(what), &joined);
    }
    for what in ["encoder.key", "encoder.value"] {
        graph = graph.node("Identity", &["heard"], &present(what), &[]);
    }
    let (whole, number) = ([Set::Int("keepdims", 0)], [Set::Int("to", 7)]);
    graph = graph
        .node("ReduceSum", &["present.0.decoder.key"], "sum", &whole)
        .node("Cast", &["sum"], "read", &number)
        .node("Gather", &["script", "read"], "line", &[])
        .node("Unsqueeze", &["line", "first two"], "logits", &[])
        .output("logits", Kind::Float, 3);
    for what in ["decoder.key", "decoder.value", "encoder.key", "encoder.value"] {
        graph = graph.output(&present(what), Kind::Float, 4);
    }
    graph.file()
}

/// A folder as it is downloaded.
fn folder(script: &[f32]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    std::fs::create_dir(folder.path().join("onnx")).unwrap();
    put("onnx/encoder_model.onnx", &encoder());
    put("onnx/decoder_model_merged_quantized.onnx", &decoder(script));
    let config = r#"{ "decoder_attention_heads": 1, "d_model": 1, "num_mel_bins": 80,
        "vocab_size": 14 }"#;
    put("config.json", config.as_bytes());
    let generation = r#"{ "is_multilingual": true, "suppress_tokens": [6],
        "begin_suppress_tokens": [5, 7] }"#;
    put("generation_config.json", generation.as_bytes());
    let numbered = |pieces: &[&str], from: usize| -> Vec<(String, usize)> {
        pieces.iter().enumerate().map(|(at, piece)| ((*piece).to_owned(), from + at)).collect()
    };
    let vocabulary: serde_json::Map<String, Value> =
        numbered(&WORDS, 0).into_iter().map(|(piece, id)| (piece, id.into())).collect();
    let added: Vec<Value> = numbered(&MARKS, WORDS.len())
        .into_iter()
        .map(|(content, id)| serde_json::json!({ "id": id, "content": content }))
        .collect();
    let tokenizer = serde_json::json!({ "model": { "vocab": vocabulary }, "added_tokens": added });
    put("tokenizer.json", tokenizer.to_string().as_bytes());
    folder
}

fn hear(folder: &TempDir) -> Recognised {
    let whisper = Whisper::load(folder.path(), &Lanes::new(1)).unwrap();
    whisper.recognise(&vec![0.1; 16_000], None).unwrap()
}

#[test]
fn it_writes_what_it_hears_and_no_mark_and_remembers_what_it_wrote() {
    let heard = hear(&folder(&yes()));
    assert_eq!(heard.text, "Yes, send it.");
    let words: Vec<&str> = heard.words.iter().map(|word| word.text.as_str()).collect();
    assert_eq!(words, ["Yes,", "send", "it."]);
    assert_eq!(heard.may_refuse, None, "it cannot tell");
    let send = heard.words[1].logp;
    assert!((-0.4..-0.3).contains(&send), "one in four it was a yes: {send}");
    assert!((heard.min_logp - send).abs() < 1e-6);
}

#[test]
fn what_it_repeats_is_kept_and_what_comes_to_no_end_decides_nothing() {
    let (yes, send, end): (&[_], &[_], &[_]) = (&[(0, 5.0)], &[(2, 5.0)], &[(END, 5.0)]);
    let many = hear(&folder(&script(&[yes, yes, yes, yes, yes, yes, send, end])));
    assert_eq!((many.words.len(), many.unfinished, many.may_refuse), (7, false, None), "{many:?}");

    let endless = hear(&folder(&script(&[yes; 30])));
    assert_eq!((endless.text.as_str(), endless.may_refuse), ("Yes", Some(1.0)));
    assert!(endless.unfinished && endless.confidence() < 0.2, "{endless:?}");
}

#[test]
fn where_it_believes_that_nobody_speaks_nobody_does() {
    let unlikely: Vec<(usize, f32)> = (0..5).map(|piece| (piece, 1.0)).collect();
    let with = |nobody: f32| {
        let first = [&unlikely[..], &[(NOBODY, nobody)]].concat();
        hear(&folder(&script(&[&first, &[(END, 5.0)]])))
    };
    assert!(with(9.0).is_empty());
    assert!(!with(-9.0).is_empty());
}

#[test]
fn another_kind_of_whisper_is_told_what_is_wanted() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("ggml-base.en.bin");
    std::fs::write(&file, b"lmgg and so on").unwrap();
    let nameless = folder.path().join("model");
    std::fs::write(&nameless, b"lmgg and so on").unwrap();
    let nowhere = folder.path().join("nowhere");
    for (path, because) in [
        (file.as_path(), "it is a GGML file"),
        (&nameless, "it is a GGML file"),
        (folder.path(), "it holds GGML files"),
        (&nowhere, "it is not there"),
    ] {
        let Err(error) = Whisper::load(path, &Lanes::new(1)) else { panic!("{path:?}") };
        let told = error.to_string();
        assert!(told.contains(because), "{told}");
        assert!(told.contains("encoder_model.onnx, decoder_model_merged.onnx"), "{told}");
        assert!(told.contains("config.json and tokenizer.json"), "{told}");
    }
}

#[test]
fn what_a_folder_lacks_is_named() {
    let files = ["onnx/encoder_model.onnx", "config.json", "tokenizer.json"];
    for name in files {
        let folder = folder(&yes());
        std::fs::remove_file(folder.path().join(name)).unwrap();
        let Err(error) = Whisper::load(folder.path(), &Lanes::new(1)) else { panic!("{name}") };
        let lacked = format!("has no {}", name.trim_start_matches("onnx/"));
        assert!(error.to_string().contains(&lacked), "{error}");
    }
    let torn = folder(&yes());
    std::fs::write(torn.path().join("tokenizer.json"), "{}").unwrap();
    let Err(error) = Whisper::load(torn.path(), &Lanes::new(1)) else { panic!("it was torn") };
    let error = error.to_string();
    assert!(error.ends_with("tokenizer.json cannot be used (it has no vocabulary)"), "{error}");
}

#[test]
fn one_that_knows_only_english_is_not_told_the_language() {
    let folder = folder(&yes());
    let alphabet = Alphabet::load(&folder.path().join("tokenizer.json")).unwrap();
    assert_eq!(alphabet.prompt(true).unwrap(), [8, 9, 10, 12]);
    assert_eq!(alphabet.prompt(false).unwrap(), [8, 12]);
}

/// Computed with the filters of `openai-whisper` 20250625 and numpy, of noise that
/// grows for two seconds.
#[test]
fn sound_is_drawn_as_the_original_draws_it() {
    let mut state = 1_u32;
    let noise = (0..32_000_u16).map(|at| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let level = f32::from(u16::try_from(state >> 16).unwrap()) / 32_768.0 - 1.0;
        level * 0.1 * (f32::from(at) / 32_000.0)
    });
    let noise: Vec<f32> = noise.collect();
    let places =
        [(0, 0), (3, 10), (11, 50), (40, 100), (60, 150), (79, 199), (79, 201), (10, 2999)];
    let known = [
        (80, [-1.1357, -0.2463, 0.2472, 0.3218, 0.4835, 0.5500, -0.7467, -1.2859]),
        (128, [-1.2115, -0.5478, 0.2344, 0.3739, 0.4750, 0.4933, -0.3963, -1.2523]),
    ];
    for (bands, values) in known {
        let picture = Mel::new(bands).draw(&noise);
        assert_eq!(picture.len(), bands * mel::FRAMES);
        for ((band, frame), value) in places.iter().zip(values) {
            let drawn = picture[band * mel::FRAMES + frame];
            assert!((drawn - value).abs() < 2e-3, "{bands}: {band}, {frame}: {drawn} {value}");
        }
    }
}
