//! Sound files to words and back, with the models of `make assets`.

use tempfile::TempDir;

use crate::house::run;

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
        [(&none, "is no WAV file"), (&text, "is no WAV file"), (&quiet, "Nobody speaks in")]
    {
        let ran = run(&["hear", file, "--assets", &assets]);
        assert!(ran.code == 1 && ran.err.contains(why), "{file}: {}{}", ran.out, ran.err);
    }
    let nothing = run(&["speak", "  ", "--out", &none, "--assets", &assets]);
    assert!(nothing.code == 1 && nothing.err.contains("nothing to say"), "{}", nothing.err);
    let missing = run(&["hear", &quiet, "--assets", "/nowhere"]);
    assert!(missing.err.contains("make assets"), "{}", missing.err);
}
