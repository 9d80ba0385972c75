//! Sound files to words and back, with the models of `make assets`.

use tempfile::TempDir;

use crate::house::{run, run_with};

/// Where the models are; nothing is tried without them.
pub fn assets() -> Option<String> {
    let found = std::env::var("SAYSO_TEST_ASSETS").ok();
    if found.is_none() {
        eprintln!("SAYSO_TEST_ASSETS is not set: nothing was spoken");
    }
    found
}

#[test]
fn what_is_spoken_into_a_file_is_heard_in_it() {
    let Some(assets) = assets() else { return };
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("question.wav");
    let file = file.to_str().unwrap();
    let text = "What meetings do I have tomorrow?";
    let spoken = run(&["speak", text, "--out", file, "--rate", "48000", "--assets", &assets]);
    assert_eq!(spoken.code, 0, "{}", spoken.err);

    let heard = run(&["hear", file, "--assets", &assets]);
    let told = run(&["hear", "--json", "--partials", file, "--assets", &assets]);

    assert_eq!(heard.out.trim(), text, "{}", heard.err);
    let lines: Vec<serde_json::Value> =
        told.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, partials) = lines.split_last().unwrap();
    assert_eq!(last["text"], text);
    assert!(last["confidence"].as_f64().unwrap() > 0.5, "{last}");
    assert_eq!(last["words"].as_array().unwrap().len(), 6);
    assert!(!partials.is_empty() && partials.iter().all(|line| line["partial"].is_string()));
}

#[test]
fn what_is_no_sound_is_told_and_so_is_silence() {
    let Some(assets) = assets() else { return };
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (none, text, quiet) = (place("none.wav"), place("text.wav"), place("quiet.wav"));
    std::fs::write(&text, "this is no sound, whatever its name").unwrap();
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::create(&quiet, spec).unwrap();
    (0..64_000).for_each(|_| wav.write_sample(0_i16).unwrap());
    wav.finalize().unwrap();
    for (file, why) in
        [(&none, "none.wav is not there"), (&text, "is no WAV file"), (&quiet, "Nobody speaks in")]
    {
        let ran = run(&["hear", file, "--assets", &assets]);
        assert!(ran.code == 1 && ran.err.contains(why), "{file}: {}{}", ran.out, ran.err);
    }
    let nothing = run(&["speak", "  ", "--out", &none, "--assets", &assets]);
    assert!(nothing.code == 1 && nothing.err.contains("nothing to say"), "{}", nothing.err);
    let missing = run(&["hear", &quiet, "--assets", "/nowhere"]);
    assert!(missing.err.contains("make assets"), "{}", missing.err);
}

/// The models in a folder of our own, where one of them may be harmed.
fn own_models(from: &str) -> TempDir {
    let own = TempDir::new().unwrap();
    for model in ["moonshine", "silero", "hibari"] {
        std::fs::create_dir(own.path().join(model)).unwrap();
        for file in std::fs::read_dir(format!("{from}/{model}")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), own.path().join(model).join(file.file_name())).unwrap();
        }
    }
    own
}

fn doctor(assets: &str) -> String {
    let data = TempDir::new().unwrap();
    let data = data.path().join("data");
    let env = [("SAYSO_DATA", data.to_str().unwrap()), ("SAYSO_ASSETS", assets)];
    run_with(&["doctor"], &env, "").out
}

fn line<'a>(told: &'a str, what: &str) -> &'a str {
    told.lines().find(|line| line.get(4..).is_some_and(|rest| rest.starts_with(what))).unwrap()
}

#[test]
fn the_doctor_names_a_model_that_is_damaged_or_missing() {
    let Some(assets) = assets() else { return };
    let own = own_models(&assets);
    let place = own.path().to_str().unwrap();
    assert!(line(&doctor(place), "speech").contains("hears and speaks"));

    let file = own.path().join("hibari/model.onnx");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].iter_mut().for_each(|byte| *byte ^= 0xFF);
    std::fs::write(&file, bytes).unwrap();
    let told = doctor(place);
    assert!(line(&told, "speech").contains("hibari/model.onnx is damaged"), "{told}");

    std::fs::remove_file(&file).unwrap();
    let told = doctor(place);
    assert!(line(&told, "speech").contains("hibari/model.onnx is missing"), "{told}");
}

#[test]
fn the_doctor_claims_no_ears_and_no_voice_where_there_are_no_models() {
    let nothing = TempDir::new().unwrap();
    let told = doctor(nothing.path().to_str().unwrap());
    assert!(line(&told, "speech").contains("there are no models in"), "{told}");
    assert!(line(&told, "ears").contains("none: `make assets`"), "{told}");
    assert!(line(&told, "voice").contains("none: `make assets`"), "{told}");
}

#[test]
fn a_whisper_that_cannot_be_used_is_told_and_the_built_in_ears_hear() {
    let Some(assets) = assets() else { return };
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("q.wav");
    let file = file.to_str().unwrap();
    let text = "What meetings do I have tomorrow?";
    assert_eq!(run(&["speak", text, "--out", file, "--assets", &assets]).code, 0);

    let env = [("WHISPER_PATH", "/nope"), ("SAYSO_ASSETS", assets.as_str())];
    let heard = run_with(&["hear", file], &env, "");

    assert_eq!(heard.out.trim(), text, "{}", heard.err);
    assert!(heard.err.contains("/nope cannot be used (it is not there;"), "{}", heard.err);
    assert!(heard.err.contains("built-in ears"), "{}", heard.err);
}

#[test]
fn a_kokoro_that_cannot_be_used_is_told_and_the_built_in_voice_speaks() {
    let Some(assets) = assets() else { return };
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("q.wav");
    let file = file.to_str().unwrap();

    let env = [("SAYSO_SPEECH_KOKORO", "/nope"), ("SAYSO_ASSETS", assets.as_str())];
    let spoken = run_with(&["speak", "Hello there.", "--out", file], &env, "");

    assert_eq!(spoken.code, 0, "{}", spoken.err);
    assert!(spoken.err.contains("/nope"), "{}", spoken.err);
    assert!(spoken.err.contains("built-in voice"), "{}", spoken.err);
}

#[test]
fn a_file_of_other_samples_is_heard_as_well() {
    let Some(assets) = assets() else { return };
    let folder = TempDir::new().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (plain, other) = (place("plain.wav"), place("other.wav"));
    let text = "What meetings do I have tomorrow?";
    let rate = ["--rate", "48000"];
    let speak = ["speak", text, "--out", &plain, "--assets", &assets];
    assert_eq!(run(&[&speak[..], &rate].concat()).code, 0);
    let samples: Vec<i16> =
        hound::WavReader::open(&plain).unwrap().into_samples::<i16>().map(Result::unwrap).collect();
    // Twice as many samples a second, in three channels, as 24 bit and as floats.
    for (bits, kind) in [(24, hound::SampleFormat::Int), (32, hound::SampleFormat::Float)] {
        let spec = hound::WavSpec {
            channels: 3,
            sample_rate: 96_000,
            bits_per_sample: bits,
            sample_format: kind,
        };
        let mut wav = hound::WavWriter::create(&other, spec).unwrap();
        for sample in samples.iter().flat_map(|it| [*it; 6]) {
            match kind {
                hound::SampleFormat::Int => wav.write_sample(i32::from(sample) << 8).unwrap(),
                hound::SampleFormat::Float => {
                    wav.write_sample(f32::from(sample) / 32_768.0).unwrap();
                }
            }
        }
        wav.finalize().unwrap();
        let heard = run(&["hear", &other, "--assets", &assets]);
        assert_eq!(heard.out.trim(), text, "{bits}: {}", heard.err);
    }
}
