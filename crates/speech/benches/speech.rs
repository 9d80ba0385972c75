//! `make bench`: how well our ears understand our voice and people, what both
//! cost, and how soon the first word is seen and the first sound is heard.
//!
//! Processor time is of this process and all its threads. Human clips are read
//! from the folder in `SAYSO_CLIPS`: `*.wav` or `*.raw` at 16 kHz, each with a
//! `.txt` of its words beside it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use speech::ear::{Ear, Notice};
use speech::endpoint::{Patience, TurnMode};
use speech::engine::Lanes;
use speech::pcm::{self, Format};
use speech::resample::{EARS_RATE, Resampler, VOICE_RATE};
use speech::score::{Score, Sentence, sentences};
use speech::stt::{Moonshine, Recogniser};
use speech::tts::{Clauses, Hibari, Manner, Voice};
use speech::vad::{FRAME, Listener, Memory, Silero};

fn main() {
    // `cargo test --benches` runs this too, and wants nothing measured.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let assets = std::env::var_os("SAYSO_ASSETS").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    let assets = assets.unwrap_or(beside);
    let lanes = Lanes::new(1);
    let began = Instant::now();
    let models = (
        Hibari::load(&assets, &lanes),
        Moonshine::load(&assets, &lanes),
        Silero::load(&assets, &Lanes::new(1)),
    );
    let (Ok(voice), Ok(ears), Ok(silero)) = models else {
        println!("speech: not measured, the models are not there; `make assets` fetches them");
        return;
    };
    println!("speech, on one thread");
    println!("  loading all models                 {:6.0} ms", ms(began.elapsed()));
    println!("  memory with all models             {:6} MB", memory_mb());
    let spoken = round_trip(&voice, &ears);
    in_noise(&ears, &spoken);
    first_sound(&voice);
    hearing(&ears, &spoken);
    frames(&silero);
    partials(&ears, &Arc::new(silero), &spoken);
    if let Some(clips) = std::env::var_os("SAYSO_CLIPS") {
        people(&ears, Path::new(&clips));
    }
}

fn round_trip(voice: &Hibari, ears: &Moonshine) -> Vec<Vec<f32>> {
    let (mut score, mut all) = (Score::default(), Vec::new());
    let (mut speaking, mut listening, mut seconds) = (Duration::ZERO, Duration::ZERO, 0.0);
    for sentence in sentences() {
        let before = processor_time();
        let sound = say(voice, &sentence.text);
        speaking += since(before);
        seconds += length(&sound);
        let before = processor_time();
        let heard = ears.recognise(&sound, None).expect("it was loaded");
        listening += since(before);
        score.add(&sentence, &heard.text);
        all.push(sound);
    }
    let wrong = score.wrong_of_hundred();
    println!("  our voice through our ears         {wrong:6.1} of 100 words wrong ({score:?})");
    println!("  speaking, processor per second     {:6.3}", speaking.as_secs_f64() / seconds);
    println!("  hearing, processor per second      {:6.3}", listening.as_secs_f64() / seconds);
    all
}

/// The same in noise like that of a street, softer by so many decibels.
fn in_noise(ears: &Moonshine, spoken: &[Vec<f32>]) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut low = 0.0;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let white = f32::from(u16::try_from(state >> 48).unwrap_or(0)) / 32_768.0 - 1.0;
        low = 0.95 * low + white;
        low + 0.5 * white
    };
    let power = |sound: &[f32]| sound.iter().map(|x| x * x).sum::<f32>();
    for decibels in [20.0, 10.0, 5.0] {
        let mut score = Score::default();
        for (sentence, sound) in sentences().zip(spoken) {
            let around: Vec<f32> = sound.iter().map(|_| noise()).collect();
            let softer = 10_f32.powf(-decibels / 20.0) * (power(sound) / power(&around)).sqrt();
            let mixed: Vec<f32> = sound.iter().zip(&around).map(|(x, n)| x + n * softer).collect();
            score.add(&sentence, &ears.recognise(&mixed, None).expect("it was loaded").text);
        }
        let wrong = score.wrong_of_hundred();
        println!("  the same in noise at {decibels:2} dB          {wrong:6.1} of 100 words wrong");
    }
}

fn first_sound(voice: &Hibari) {
    let clauses =
        ["Sure, looking at your mail.", "You have two meetings,", "I moved the call to Friday,"];
    let times = clauses.iter().cycle().take(30).map(|text| {
        let began = Instant::now();
        let clause = Clauses::of(text).remove(0);
        voice.say(&clause, &Manner::default()).expect("it was loaded");
        began.elapsed()
    });
    row("first sound of a clause", times.collect());
}

fn hearing(ears: &Moonshine, spoken: &[Vec<f32>]) {
    let all: Vec<f32> = spoken.iter().flatten().copied().collect();
    for seconds in [2, 5, 10] {
        let sound = &all[..seconds * EARS_RATE as usize];
        let times = (0..10).map(|_| {
            let before = processor_time();
            ears.recognise(sound, None).expect("it was loaded");
            since(before)
        });
        row(&format!("hearing {seconds} s to the end"), times.collect());
    }
}

fn frames(silero: &Silero) {
    let mut memory = Memory::default();
    let before = processor_time();
    for _ in 0..1_000 {
        silero.speech(&[0.01; FRAME], &mut memory).expect("it was loaded");
    }
    let each = ms(since(before)) / 1_000.0;
    println!("  judging a frame of 32 ms           {each:6.3} ms");
}

/// How late words are seen, with one speaker on an idle machine: each task takes
/// as long as it really takes, and its words are seen that much later.
fn partials(ears: &Moonshine, silero: &Arc<Silero>, spoken: &[Vec<f32>]) {
    let (mut first, mut cost, mut seconds) = (Vec::new(), Duration::ZERO, 0.0);
    let mut drifts = Vec::new();
    for sound in spoken.iter().take(20) {
        let format = Format::mono(EARS_RATE).expect("our own rate");
        let mut ear =
            Ear::new(format, Arc::clone(silero) as _, Patience::default(), TurnMode::Auto);
        ear.listen(false);
        seconds += length(sound);
        let mut sound = sound.clone();
        sound.resize(sound.len() + EARS_RATE as usize, 0.0);
        let bytes = pcm::bytes(&sound);
        let (mut now, mut began, mut seen) = (0, None, None);
        // Tasks under way, and when in the sound they will be done.
        let mut under_way: Vec<(u64, speech::ear::Done, u64)> = Vec::new();
        for frame in bytes.chunks(640) {
            now += 20;
            let mut notices = ear.hear(frame).expect("whole samples").notices;
            let ready: Vec<usize> =
                (0..under_way.len()).filter(|at| under_way[*at].0 <= now).collect();
            for at in ready.into_iter().rev() {
                let (_, done, took) = under_way.remove(at);
                notices.extend(ear.decoded(done, took));
            }
            for notice in notices {
                match notice {
                    Notice::Began { .. } => began = Some(now),
                    Notice::Decode(task) => {
                        let (wall, before) = (Instant::now(), processor_time());
                        let done = task.run(ears);
                        cost += since(before);
                        let took = u64::try_from(wall.elapsed().as_millis()).unwrap_or(0);
                        under_way.push((now + took, done, took));
                    }
                    Notice::Partial { .. } => seen = seen.or(Some(now)),
                    Notice::Final(utterance) => drifts.extend(utterance.drift),
                    _ => {}
                }
            }
        }
        if let (Some(began), Some(seen)) = (began, seen) {
            first.push(Duration::from_millis(seen - began));
        }
    }
    row("first words seen after speech is noticed", first);
    let each = cost.as_secs_f64() / seconds;
    println!("  partials and finals, processor per second {each:.3}");
    #[expect(clippy::cast_precision_loss, reason = "a few utterances")]
    let drift = drifts.iter().sum::<f32>() / drifts.len().max(1) as f32;
    println!("  last partial against final         {:6.1} of 100 words changed", drift * 100.0);
}

/// People, where somebody has put clips.
fn people(ears: &Moonshine, clips: &Path) {
    let mut score = Score::default();
    let mut files: Vec<PathBuf> = std::fs::read_dir(clips)
        .map(|dir| dir.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    files.sort();
    for path in files {
        let Ok(text) = std::fs::read_to_string(path.with_extension("txt")) else { continue };
        let Some(sound) = clip(&path) else { continue };
        let heard = ears.recognise(&sound, None).expect("it was loaded");
        let sentence = Sentence { text, names: vec![] };
        if score.add(&sentence, &heard.text) > 0 {
            println!("    {:?}\n    heard {:?}", sentence.text.trim(), heard.text);
        }
    }
    println!(
        "  people through our ears            {:6.1} of 100 words wrong ({score:?})",
        score.wrong_of_hundred()
    );
}

fn clip(path: &Path) -> Option<Vec<f32>> {
    let bytes = std::fs::read(path).ok()?;
    let sound = match path.extension()?.to_str()? {
        "wav" => bytes.get(44..)?,
        "raw" => &bytes[..],
        _ => return None,
    };
    Format::mono(EARS_RATE).ok()?.samples(&sound[..sound.len() / 2 * 2]).ok()
}

fn say(voice: &Hibari, text: &str) -> Vec<f32> {
    let mut sound = Vec::new();
    for clause in Clauses::of(text) {
        sound.extend(voice.say(&clause, &Manner::default()).expect("it was loaded").samples);
        sound.resize(sound.len() + usize::try_from(clause.breath.ms()).unwrap_or(0) * 24, 0.0);
    }
    // Not more silence at the end than an ear waits before it has it written down.
    sound.truncate(sound.len().saturating_sub(150 * 24));
    Resampler::new(VOICE_RATE, EARS_RATE).push(&sound)
}

#[expect(clippy::cast_precision_loss, reason = "seconds of sound")]
fn length(sound: &[f32]) -> f64 {
    sound.len() as f64 / f64::from(EARS_RATE)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1_024
}

fn since(before: Duration) -> Duration {
    processor_time().saturating_sub(before)
}

fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

fn row(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at =
        |share: usize| times.get((times.len() * share / 100).min(times.len().saturating_sub(1)));
    let (p50, p95) = (at(50).map_or(f64::NAN, |t| ms(*t)), at(95).map_or(f64::NAN, |t| ms(*t)));
    println!("  {name:42} p50 {p50:6.0} ms   p95 {p95:6.0} ms   of {}", times.len());
}
