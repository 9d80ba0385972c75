//! A live voice as a voice: the sound of its own answers, clause by clause, and our own
//! words read aloud by it. What is not word for word what was shown is not heard.

use std::ops::Range;
use std::time::Duration;

use brain::MessageId;
use models::provider::Trouble;
use models::realtime::health::Route;
use models::realtime::{BYTES_A_MS, Item, RATE, Tell};
use speech::tts::pronunciation::respelled;
use speech::tts::spoken::spoken;
use speech::tts::{Clause, Pronunciation, Pronunciations, Sound, placed};
use tokio::time::Instant;

use super::seed::heard_only;
use super::{Answered, STALLED_AFTER, State, Wire};

/// However long a clause is, it is read by then.
const READ_WITHIN: Duration = Duration::from_secs(15);
/// How long a letter is heard until we know its pace: 65 ms, in samples.
const LETTER: f32 = 1_560.0;
/// So much more has to be there before a clause is cut off what is still coming.
const MARGIN: usize = RATE as usize / 4;

/// Which part of an answer a piece of sound is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    answer: u64,
    ms: Range<u64>,
}

/// Whether the sound of something is there.
enum Ready {
    NotYet,
    Never,
    Sound(Vec<f32>, Piece),
}

impl Wire {
    /// A clause as sound, and of which answer that is a part, if of any. Nothing where our
    /// own voice has to say it: whatever `stays` here that it does not say itself.
    pub async fn say(
        &self,
        clause: &Clause,
        told: &tools::local::Manner,
        stays: bool,
    ) -> Option<(Sound, Option<Piece>)> {
        if let Some((samples, piece)) = self.own_words(clause).await {
            let words = placed(&spoken(&clause.text, clause.at.start), &samples);
            return Some((Sound { samples, words, stood_in: false }, Some(piece)));
        }
        if stays {
            return None;
        }
        let samples = self.read_aloud(clause, told).await?;
        let words = placed(&spoken(&clause.text, clause.at.start), &samples);
        Some((Sound { samples, words, stood_in: false }, None))
    }

    /// The sound of this clause where it is what comes next in one of its answers.
    async fn own_words(&self, clause: &Clause) -> Option<(Vec<f32>, Piece)> {
        let number = self.state().says_next(&clause.text)?;
        let mut until = Instant::now() + STALLED_AFTER;
        loop {
            let taken = self.wait(until, |state| match state.take(number, &clause.text) {
                Ready::NotYet => None,
                Ready::Never => Some(None),
                Ready::Sound(samples, piece) => Some(Some((samples, piece))),
            });
            if let Some(taken) = taken.await {
                return taken;
            }
            let last_news = {
                let state = self.state();
                let answer = state.answers.iter().find(|it| it.number == number);
                answer.map(|answer| answer.last_news)?
            };
            if last_news.elapsed() >= STALLED_AFTER {
                self.stalled("sound");
                return None;
            }
            until = last_news + STALLED_AFTER;
        }
    }

    /// Our own words, read by it.
    async fn read_aloud(&self, clause: &Clause, told: &tools::local::Manner) -> Option<Vec<f32>> {
        let mut names = Pronunciations::default();
        for name in &told.names {
            names.set(&name.word, Pronunciation::Like(name.like.clone()));
        }
        let words = spoken(&clause.text, clause.at.start);
        let words: Vec<String> = words.iter().map(|word| respelled(&word.words, &names)).collect();
        let wanted = words.join(" ");
        let number = {
            let mut state = self.state();
            if state.route(self.shared.started.elapsed()) != Route::Live {
                return None;
            }
            let number = state.will_answer(true);
            self.tell(&state, Tell::Say { answer: number, text: wanted.clone() });
            number
        };
        let until = Instant::now() + READ_WITHIN;
        let read = self.wait(until, |state| {
            let answer = state.answers.iter_mut().find(|it| it.number == number);
            let Some(answer) = answer else { return Some(None) };
            match &answer.over {
                Some(Ok(_)) => {
                    let samples = std::mem::take(&mut answer.samples);
                    Some(Some((samples, std::mem::take(&mut answer.said))))
                }
                Some(Err(_)) => Some(None),
                None => None,
            }
        });
        let Some(read) = read.await else {
            self.stalled("reading");
            let state = self.state();
            self.tell(&state, Tell::Stop(number));
            return None;
        };
        let (samples, said) = read?;
        if samples.is_empty() || plain(&said) != plain(&wanted) {
            metrics::counter!("sayso_live_misread_total").increment(1);
            return None;
        }
        Some(samples)
    }

    /// A piece of an answer is heard in a message from this moment on.
    pub fn voiced(&self, message: MessageId, start_ms: u64, piece: Piece) {
        self.state().pieces.entry(message).or_default().push((start_ms, piece));
    }

    /// A message was heard to its end. What it did not say itself, over this line, it is
    /// told.
    pub fn was_heard(&self, message: MessageId, text: &str) {
        let is_known = {
            let mut state = self.state();
            let pieces = state.pieces.remove(&message).unwrap_or_default();
            state.settle(&pieces);
            state.has_said(&pieces)
        };
        if !is_known {
            self.learn(Item::Told(text.to_owned()), Some(message));
        }
    }

    /// We fell silent: of what was being said, so much was heard, and of everything else
    /// that it has to say, nothing will be.
    pub fn was_cut(&self, heard: Option<(MessageId, u64, &str)>) {
        let mut state = self.state();
        let pieces = heard.and_then(|(message, ..)| state.pieces.remove(&message));
        let pieces = pieces.unwrap_or_default();
        state.pieces.clear();
        for at in 0..state.answers.len() {
            let answer = &mut state.answers[at];
            let number = answer.number;
            if answer.is_ours {
                if answer.over.is_none() {
                    answer.over = Some(Err(Trouble::CutOff));
                    self.tell(&state, Tell::Stop(number));
                }
            } else if !std::mem::replace(&mut answer.is_settled, true) {
                answer.at = answer.said.len();
                let heard_ms = heard.map_or(0, |(_, ms, _)| heard_of(number, &pieces, ms));
                self.tell(&state, Tell::Cut { answer: number, heard_ms });
            }
        }
        let is_known = state.has_said(&pieces);
        let was_seeded = heard.is_some_and(|(message, ..)| state.known.contains(&message));
        drop(state);
        // Nobody waits for the rest.
        self.shared.changed();
        match heard.filter(|_| !is_known) {
            Some((_, _, text)) if was_seeded => self.learn(heard_only(text), None),
            Some((message, _, text)) if !text.is_empty() => {
                self.learn(Item::Told(text.to_owned()), Some(message));
            }
            Some(_) | None => {}
        }
    }
}

/// How much of an answer was heard, when so much of the message was.
fn heard_of(answer: u64, pieces: &[(u64, Piece)], heard_ms: u64) -> u64 {
    let begun = pieces.iter().filter(|(start, piece)| piece.answer == answer && *start < heard_ms);
    let ends = begun.map(|(start, piece)| (piece.ms.start + heard_ms - start).min(piece.ms.end));
    ends.max().unwrap_or(0)
}

impl State {
    /// Whether some of this was said over the line that is open now: one that broke took
    /// along what it knew.
    fn has_said(&self, pieces: &[(u64, Piece)]) -> bool {
        let is_here =
            |number: u64| self.answers.iter().any(|it| it.number == number && it.line == self.line);
        pieces.iter().any(|(_, piece)| is_here(piece.answer))
    }

    /// The answer in which this comes next.
    fn says_next(&self, clause: &str) -> Option<u64> {
        let says = |answer: &&Answered| {
            !answer.is_ours
                && !answer.is_settled
                && follows(&answer.said[answer.at..], clause).is_some()
        };
        self.answers.iter().find(says).map(|answer| answer.number)
    }

    /// The sound of what comes next in an answer.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "samples of a few minutes"
    )]
    fn take(&mut self, number: u64, clause: &str) -> Ready {
        let letter = self.letter.unwrap_or(LETTER);
        let Some(answer) = self.answers.iter_mut().find(|it| it.number == number) else {
            return Ready::Never;
        };
        let Some(length) = follows(&answer.said[answer.at..], clause) else { return Ready::Never };
        let end = answer.at + length;
        let (left, rest) = (answer.samples.len() - answer.taken, &answer.said[answer.at..]);
        let count = match &answer.over {
            Some(Ok(_)) if answer.said[end..].trim().is_empty() => left,
            Some(Ok(_)) => left * length / rest.len().max(1),
            Some(Err(_)) => return Ready::Never,
            None => {
                let count = (clause.chars().count() as f32 * letter) as usize;
                if left < count + MARGIN {
                    return Ready::NotYet;
                }
                count
            }
        };
        if count == 0 {
            return Ready::Never;
        }
        let until = answer.taken + count;
        let samples = answer.samples[answer.taken..until].to_vec();
        let ms = |samples: usize| samples as u64 * 2 / BYTES_A_MS;
        let piece = Piece { answer: number, ms: ms(answer.taken)..ms(until) };
        (answer.at, answer.taken) = (end, until);
        Ready::Sound(samples, piece)
    }

    /// What was said of these answers was heard.
    fn settle(&mut self, pieces: &[(u64, Piece)]) {
        for answer in &mut self.answers {
            let is_said = answer.over.is_some() && answer.said[answer.at..].trim().is_empty();
            if is_said && pieces.iter().any(|(_, piece)| piece.answer == answer.number) {
                answer.is_settled = true;
                answer.samples = Vec::new();
                answer.taken = 0;
            }
        }
    }

    /// How fast it speaks, by what is over.
    #[expect(clippy::cast_precision_loss, reason = "samples of a few minutes")]
    pub(super) fn learn_pace(&mut self, number: u64) {
        let Some(answer) = self.answers.iter().find(|it| it.number == number) else { return };
        let letters = answer.said.chars().count();
        if answer.over.as_ref().is_some_and(Result::is_ok) && letters >= 20 {
            let letter = answer.samples.len() as f32 / letters as f32;
            let known = self.letter.unwrap_or(letter);
            self.letter = Some(f32::midpoint(known, letter)).filter(|letter| *letter > 1.0);
        }
    }
}

/// How many bytes of `said` this is, where it begins with it, however it is spaced.
fn follows(said: &str, clause: &str) -> Option<usize> {
    let mut wanted = clause.chars().filter(|c| !c.is_whitespace()).peekable();
    wanted.peek()?;
    for (at, c) in said.char_indices() {
        if wanted.peek().is_none() {
            return Some(at);
        }
        if !c.is_whitespace() && wanted.next() != Some(c) {
            return None;
        }
    }
    wanted.peek().is_none().then_some(said.len())
}

/// What was said, however it is written.
fn plain(text: &str) -> String {
    let words = spoken(text, 0);
    let letters = words.iter().flat_map(|word| word.words.chars());
    letters.filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_is_found_however_it_is_spaced_and_never_in_the_middle() {
        assert_eq!(follows(" Two mails.  Both are new.", "Two mails."), Some(11));
        assert_eq!(follows("Two\nmails.", "Two mails."), Some(10));
        assert_eq!(follows("Two mails", "Two mails."), None);
        assert_eq!(follows("Both. Two mails.", "Two mails."), None);
        assert_eq!(follows("anything", " "), None);
    }

    #[test]
    fn what_is_written_otherwise_is_the_same_when_it_is_said() {
        assert_eq!(plain("At 3:30, right?"), plain("at three thirty right"));
        assert_ne!(plain("Send it to Priya Nair?"), plain("Send it to Priya Shah?"));
        assert_ne!(plain("I sent it."), plain("I sent it. Anything else?"));
    }

    #[test]
    fn what_was_heard_of_an_answer_is_counted_from_its_own_beginning() {
        let piece = |ms: Range<u64>| Piece { answer: 1, ms };
        let pieces = [(1_000, piece(0..500)), (1_660, piece(500..2_000))];
        assert_eq!(heard_of(1, &pieces, 900), 0);
        assert_eq!(heard_of(1, &pieces, 1_300), 300);
        assert_eq!(heard_of(1, &pieces, 1_600), 500);
        assert_eq!(heard_of(1, &pieces, 2_000), 840);
        assert_eq!(heard_of(1, &pieces, 9_000), 2_000);
        assert_eq!(heard_of(2, &pieces, 9_000), 0);
    }
}
