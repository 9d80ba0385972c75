//! What the models make of words, with nobody else around: how many come through,
//! and what that costs. Processor time is of this process and all its threads.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use speech::ear::{Done, Ear, Notice};
use speech::endpoint::{Patience, TurnMode};
use speech::engine::Lanes;
use speech::pcm::{self, Format};
use speech::resample::{EARS_RATE, Resampler, VOICE_RATE};
use speech::score::{Score, Sentence, sentences};
use speech::stt::{Moonshine, Recogniser};
use speech::tts::{Clauses, Hibari, Manner, Voice};
use speech::vad::{FRAME, Listener, Memory, Silero};

use super::noise::Street;
use super::table::{Times, row};

/// Requests out of the corpus of the reflex tier, so many apart.
const COMMANDS_EVERY: usize = 10;
const MOST_COMMANDS: usize = 60;
/// A microphone's frame of 20 ms.
const FRAME_MS: u64 = 20;

pub struct Models {
    pub voice: Hibari,
    pub ears: Moonshine,
    pub silero: Arc<Silero>,
    loaded: Duration,
}

impl Models {
    pub fn load(assets: &Path) -> anyhow::Result<Self> {
        let (began, lanes) = (Instant::now(), Lanes::new(1));
        Ok(Self {
            voice: Hibari::load(assets, &lanes)?,
            ears: Moonshine::load(assets, &lanes)?,
            silero: Arc::new(Silero::load(assets, &Lanes::new(1))?),
            loaded: began.elapsed(),
        })
    }

    /// As a microphone would hear it, with no more silence behind it than an ear
    /// waits before it writes it down.
    pub fn say(&self, text: &str) -> Vec<f32> {
        let mut sound = Vec::new();
        for clause in Clauses::of(text) {
            let said = self.voice.say(&clause, &Manner::default()).unwrap_or_default();
            sound.extend(said.samples);
            sound.resize(sound.len() + usize::try_from(clause.breath.ms()).unwrap_or(0) * 24, 0.0);
        }
        sound.truncate(sound.len().saturating_sub(150 * 24));
        Resampler::new(VOICE_RATE, EARS_RATE).push(&sound)
    }

    pub fn hear(&self, sound: &[f32]) -> String {
        self.ears.recognise(sound, None).map(|heard| heard.text).unwrap_or_default()
    }

    /// What is said to a server: about five seconds each.
    pub fn utterances(&self) -> Vec<Vec<f32>> {
        let texts = [
            "What meetings do I have tomorrow, and is there any new mail from Priya \
             about the quarterly numbers or the budget?",
            "Is there anything on Thursday afternoon, or am I free from three to five \
             and then again in the evening?",
            "What did Tom write about the lease last week, and who else was in copy \
             when he sent the first draft around?",
            "When is the design review this week, and who is coming to the stand-up \
             that we have on Wednesday morning?",
        ];
        texts.map(|text| self.say(text)).into()
    }

    pub fn measure(&self) {
        row("loading all models", format!("{:.1} s", self.loaded.as_secs_f64()), "");
        row("memory of all models", format!("{} MB", memory_mb()), "");
        let spoken = self.round_trip();
        self.in_noise(&spoken);
        self.commands();
        self.first_sound();
        self.hearing(&spoken);
        self.frames();
        self.partials(&spoken);
    }

    fn round_trip(&self) -> Vec<Vec<f32>> {
        let (mut score, mut all) = (Score::default(), Vec::new());
        let (mut speaking, mut listening, mut seconds) = (Duration::ZERO, Duration::ZERO, 0.0);
        for sentence in sentences() {
            let before = processor_time();
            let sound = self.say(&sentence.text);
            speaking += since(before);
            seconds += length(&sound);
            let before = processor_time();
            let heard = self.hear(&sound);
            listening += since(before);
            score.add(&sentence, &heard);
            all.push(sound);
        }
        let Score { sentences, exact, names, names_wrong, .. } = score;
        let figure =
            format!("{:.1} of 100 words wrong; {exact} sentences exact", score.wrong_of_hundred());
        let what = format!("our voice through our ears, {sentences} sentences of an assistant");
        row(&what, figure, "8 of 100");
        row("names among them, without any help", format!("{names_wrong} of {names} wrong"), "");
        let each = |time: Duration| format!("{:.3}", time.as_secs_f64() / seconds);
        row("hearing, processor time per second of speech, finals only", each(listening), "");
        row("speaking, processor time per second of sound", each(speaking), "");
        all
    }

    /// The same in noise like that of a street, softer by so many decibels.
    fn in_noise(&self, spoken: &[Vec<f32>]) {
        let mut street = Street::default();
        let wrong = [20.0, 10.0, 5.0].map(|decibels| {
            let mut score = Score::default();
            for (sentence, sound) in sentences().zip(spoken) {
                score.add(&sentence, &self.hear(&street.around(sound, decibels)));
            }
            format!("{:.1}", score.wrong_of_hundred())
        });
        let figure = format!("{} of 100 words wrong", wrong.join(", "));
        row("the same in noise at 20, 10, 5 dB", figure, "");
    }

    /// What people ask for, said by our voice.
    fn commands(&self) {
        let mut score = Score::default();
        let cases = ::models::corpus::cases();
        let said = cases.iter().step_by(COMMANDS_EVERY).map(|case| case.text.clone());
        let plain = said.filter(|said| said.is_ascii() && said.len() < 120);
        for text in plain.take(MOST_COMMANDS) {
            let heard = self.hear(&self.say(&text));
            score.add(&Sentence { text, names: Vec::new() }, &heard);
        }
        let what = format!("{} requests of our corpus, names and all", score.sentences);
        row(&what, format!("{:.1} of 100 words wrong", score.wrong_of_hundred()), "");
    }

    fn first_sound(&self) {
        let clauses = [
            "Sure, looking at your mail.",
            "You have two meetings,",
            "I moved the call to Friday,",
        ];
        let times = clauses.iter().cycle().take(30).map(|text| {
            let began = Instant::now();
            let clause = Clauses::of(text).remove(0);
            self.voice.say(&clause, &Manner::default()).unwrap_or_default();
            began.elapsed()
        });
        row("first sound of a clause of 3 to 6 words", times.collect::<Times>(), "");
    }

    fn hearing(&self, spoken: &[Vec<f32>]) {
        let all: Vec<f32> = spoken.iter().flatten().copied().collect();
        let median = [2, 5, 10].map(|seconds| {
            let sound = &all[..seconds * EARS_RATE as usize];
            let times = (0..10).map(|_| {
                let before = processor_time();
                self.hear(sound);
                since(before)
            });
            format!("{:.0}", times.collect::<Times>().at(50).as_secs_f64() * 1e3)
        });
        let figure = format!("{} ms", median.join(", "));
        row("hearing 2, 5, 10 s to the end, processor time", figure, "");
    }

    fn frames(&self) {
        let mut memory = Memory::default();
        let before = processor_time();
        for _ in 0..1_000 {
            // A frame that cannot be judged takes no time; there is none.
            let _ = self.silero.speech(&[0.01; FRAME], &mut memory);
        }
        let each = since(before).as_secs_f64();
        row("judging 32 ms of sound, processor time", format!("{each:.2} ms"), "");
    }

    /// How late words are seen, with one speaker on an idle machine: each task takes
    /// as long as it really takes, and its words are seen that much later.
    fn partials(&self, spoken: &[Vec<f32>]) {
        let mut all = Seen::default();
        let mut seconds = 0.0;
        for sound in spoken.iter().take(20) {
            seconds += length(sound);
            let Ok(format) = Format::mono(EARS_RATE) else { return };
            let listener = Arc::clone(&self.silero) as _;
            let mut ear = Ear::new(format, listener, Patience::default(), TurnMode::Auto);
            ear.listen(false);
            all.follow(sound, &mut ear, &self.ears);
        }
        row("first words on screen after speech is noticed", all.first, "400 ms");
        let cost = all.cost.as_secs_f64() / seconds;
        row("hearing with partials, processor time per second", format!("{cost:.2}"), "");
        #[expect(clippy::cast_precision_loss, reason = "a few utterances")]
        let drift = all.drifts.iter().sum::<f32>() / all.drifts.len().max(1) as f32;
        let drift = format!("{:.1} of 100 words changed", drift * 100.0);
        row("last partial against final", drift, "");
    }
}

/// What was seen of utterances while they were said.
#[derive(Default)]
struct Seen {
    first: Times,
    cost: Duration,
    drifts: Vec<f32>,
}

impl Seen {
    fn follow(&mut self, sound: &[f32], ear: &mut Ear, ears: &Moonshine) {
        let mut sound = sound.to_vec();
        sound.resize(sound.len() + EARS_RATE as usize, 0.0);
        let bytes = pcm::bytes(&sound);
        let (mut now, mut began, mut seen) = (0, None, None);
        // Tasks under way, and when in the sound they will be done.
        let mut under_way: Vec<(u64, Done, u64)> = Vec::new();
        for frame in bytes.chunks(640) {
            now += FRAME_MS;
            let mut notices = ear.hear(frame).map(|heard| heard.notices).unwrap_or_default();
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
                        self.cost += since(before);
                        let took = u64::try_from(wall.elapsed().as_millis()).unwrap_or(0);
                        under_way.push((now + took, done, took));
                    }
                    Notice::Partial { .. } => seen = seen.or(Some(now)),
                    Notice::Final(utterance) => self.drifts.extend(utterance.drift),
                    _ => {}
                }
            }
        }
        if let (Some(began), Some(seen)) = (began, seen) {
            self.first.add(Duration::from_millis(seen - began));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "seconds of sound")]
fn length(sound: &[f32]) -> f64 {
    sound.len() as f64 / f64::from(EARS_RATE)
}

fn memory_mb() -> u64 {
    super::server::memory_mb("self").unwrap_or(0)
}

fn since(before: Duration) -> Duration {
    processor_time().saturating_sub(before)
}

fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}
