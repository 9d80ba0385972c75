//! Moonshine tiny: English, 27 million weights, a twenty-fifth of real time.
//!
//! An encoder hears the whole sound at once, a decoder writes it down piece by
//! piece. A draft of an earlier hearing is read in one step up to where it no
//! longer holds.

use std::path::Path;
use std::sync::Arc;

use rten::NodeId;
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use super::decoder::Decoder;
use super::pieces::Pieces;
use super::unfinished::{NO_END, heard_out, loops_from, most_pieces};
use super::{LONGEST_S, Recognised, Recogniser};
use crate::engine::{self, Engine, Lanes, Unavailable};
use crate::resample::EARS_RATE;

const START: u32 = 1;
const END: u32 = 2;
const HEADS: (usize, usize) = (8, 36);
/// A first word that is likelier than all others together, as a logarithm.
const LIKELY: f32 = -0.693;
/// One in four.
const POSSIBLE: f32 = -1.386;
/// Words that are beyond doubt, in the mean.
const CLEAR: f32 = -0.15;
/// So much less likely, as a logarithm, weighs nothing: all pieces together less than a
/// hundred thousandth. Most of them are, and an exponent takes its time.
const WEIGHTLESS: f32 = 22.0;
/// The encoder's filters need this much; less than a tenth of a second holds no word.
const SHORTEST: usize = 1_600;
/// Below this, about 80 dB under the loudest, there is nothing to hear. What a model makes of
/// nothing differs from one processor to the next.
const FAINTEST: f32 = 1e-4;

pub struct Moonshine {
    encoder: Engine,
    encoder_ends: (NodeId, NodeId),
    decoder: Decoder,
    pieces: Pieces,
}

impl Moonshine {
    /// Whether its files are in the folder.
    pub fn is_there(assets: &Path) -> bool {
        engine::are_there(assets, "moonshine", &["encoder.onnx", "decoder.onnx", "tokenizer.bin"])
    }

    pub fn load(assets: &Path, lanes: &Arc<Lanes>) -> Result<Self, Unavailable> {
        let file = |name| engine::file(assets, "moonshine", name);
        let (encoder, decoder) = (file("encoder.onnx")?, file("decoder.onnx")?);
        let pieces = Pieces::load(&file("tokenizer.bin")?)?;
        let encoder = Engine::load(encoder, lanes)?;
        let decoder = Decoder::load(decoder, lanes, HEADS)?;
        let ends = (encoder.inputs(), encoder.outputs());
        let (Some((sound, _)), Some((states, _))) = (ends.0.first(), ends.1.first()) else {
            return Err(engine::broken(encoder.path(), "it has no input or no output"));
        };
        let encoder_ends = (*sound, *states);
        Ok(Self { encoder, encoder_ends, decoder, pieces })
    }

    fn encode(&self, sound: &[f32]) -> Result<Tensor<f32>, Unavailable> {
        let (input, output) = self.encoder_ends;
        let sound = engine::floats(&[1, sound.len()], sound.to_vec());
        let mut states = self.encoder.run(vec![(input, sound.into())], &[output])?;
        self.encoder.floats(states.remove(0))
    }

    fn decode(&self, sound: &Tensor<f32>, most: usize, draft: &[u32]) -> Result<Said, Unavailable> {
        let mut memory = self.decoder.begin();
        let mut said = Said::default();
        let mut read: Vec<u32> = std::iter::once(START).chain(draft.iter().copied()).collect();
        loop {
            let (scores, present) = self.decoder.read(sound, &read, &memory)?;
            let vocabulary = scores.shape()[2];
            let scores = scores.into_data();
            let mut held = 0;
            for (at, row) in scores.chunks_exact(vocabulary).enumerate() {
                held = at + 1;
                if said.take(row, most, &self.pieces) {
                    return Ok(said);
                }
                // Where the draft says something else, the rest of it is void.
                if read.get(held) != said.pieces.last() {
                    break;
                }
            }
            let cut = (held < read.len()).then_some(held);
            self.decoder.remember(&mut memory, present, cut)?;
            read = said.pieces.last().map_or_else(Vec::new, |last| vec![*last]);
        }
    }
}

impl Moonshine {
    fn hear(&self, sound: &[f32], draft: &[u32]) -> Result<Recognised, Unavailable> {
        let is_silent = sound.iter().all(|sample| sample.abs() < FAINTEST);
        if sound.len() < SHORTEST || is_silent {
            return Ok(Recognised { may_refuse: Some(0.0), ..Recognised::default() });
        }
        let states = self.encode(sound)?;
        let said = self.decode(&states, most_pieces(sound.len()), draft)?;
        if !said.convinces() {
            let may_refuse = Some(said.refusal * said.spoken);
            return Ok(Recognised { may_refuse, ..Recognised::default() });
        }
        let text = self.pieces.text(&said.pieces);
        let words = self.pieces.words(&said.pieces, &said.heard_logps);
        let (mean_logp, min_logp) = said.likelihood();
        let may_refuse = Some(said.may_refuse());
        let Said { pieces, unfinished, .. } = said;
        let stood_in = false;
        Ok(Recognised {
            text,
            words,
            mean_logp,
            min_logp,
            may_refuse,
            unfinished,
            stood_in,
            pieces,
        })
    }
}

/// As much of it as the model takes.
fn taken(sound: &[f32]) -> &[f32] {
    let most = usize::try_from(LONGEST_S).unwrap_or(30) * EARS_RATE as usize;
    &sound[..sound.len().min(most)]
}

impl Recogniser for Moonshine {
    fn recognise(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        let sound = taken(sound);
        // A draft belongs to the beginning of the whole.
        let drafted = draft.map_or(&[][..], |draft| &draft.pieces);
        heard_out(sound, |part| {
            self.hear(part, if part.len() == sound.len() { drafted } else { &[] })
        })
    }

    /// What comes to no end is heard again in a moment, with more behind it.
    fn glimpse(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        self.hear(taken(sound), draft.map_or(&[][..], |draft| &draft.pieces))
    }
}

/// What the decoder has written down so far.
#[derive(Default)]
struct Said {
    pieces: Vec<u32>,
    logps: Vec<f32>,
    /// The same of whatever sounds alike.
    heard_logps: Vec<f32>,
    end: f32,
    /// How likely, at worst, a word of refusal stood in the place of another.
    refusal: f32,
    /// It was still writing when there was no time left to say any more.
    unfinished: bool,
    /// It may as well be that nothing was said.
    in_doubt: bool,
    /// How likely it is that anything was.
    spoken: f32,
}

impl Said {
    /// Whether there are words in it at all: the first is likelier than all others and
    /// those behind it are likely too, or it is possible and all behind it are sure.
    fn convinces(&self) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "a few hundred pieces at most")]
        let mean = |logps: &[f32]| logps.iter().sum::<f32>() / logps.len() as f32;
        match self.heard_logps.as_slice() {
            [] => false,
            _ if !self.in_doubt => true,
            [first, rest @ ..] if *first > LIKELY => rest.is_empty() || mean(rest) > LIKELY,
            [first, rest @ ..] => *first > POSSIBLE && rest.len() > 2 && mean(rest) > CLEAR,
        }
    }

    /// Words that may as well be none are shown and answered, but whoever has something
    /// to decide asks again: they may have been anything. So may what comes behind words that
    /// came to no end.
    fn may_refuse(&self) -> f32 {
        if self.in_doubt || self.unfinished { 1.0 } else { self.refusal }
    }

    /// Takes the likeliest piece of a row of scores. True when that was the last.
    fn take(&mut self, row: &[f32], most: usize, pieces: &Pieces) -> bool {
        let is_first = self.pieces.is_empty();
        let end = |piece| piece == END;
        let spelt = |piece| pieces.has_letters(piece);
        let row = Row::new(row);
        let Some(all) = row.weigh(|_| true) else { return true };
        let Some(words) = row.weigh(|piece| spelt(piece) || !is_first && end(piece)) else {
            return true;
        };
        let best = if is_first {
            // Short answers are often taken for nothing, and nobody can hear a dash.
            // Somebody speaks: what would it be, if it were something?
            self.in_doubt = end(all.best);
            self.spoken = (words.all - all.all).exp();
            words.best
        } else {
            row.weigh(|piece| !pieces.is_quote(piece)).map_or(END, |heard| heard.best)
        };
        let share = |some: &[u32]| {
            let scores = some.iter().filter_map(|piece| row.scores.get(*piece as usize));
            scores.map(|score| (score - words.all).exp()).sum::<f32>().min(1.0)
        };
        self.refusal = self.refusal.max(share(&pieces.refusing(best)));
        // The logarithm of its share among all.
        let logp = row.scores[best as usize] - all.all;
        if best == END {
            self.end = logp;
            return true;
        }
        self.pieces.push(best);
        self.logps.push(logp);
        self.heard_logps.push(share(pieces.alike(best)).ln());
        self.unfinished = self.pieces.len() >= most;
        if self.unfinished {
            self.end = NO_END;
            let cut = loops_from(&self.pieces).unwrap_or(most);
            self.pieces.truncate(cut);
            self.logps.truncate(cut);
            self.heard_logps.truncate(cut);
        }
        self.unfinished
    }

    #[expect(clippy::cast_precision_loss, reason = "a few hundred pieces at most")]
    fn likelihood(&self) -> (f32, f32) {
        let sum = self.logps.iter().sum::<f32>() + self.end;
        let least = self.logps.iter().copied().fold(self.end, f32::min);
        (sum / (self.logps.len() + 1) as f32, least)
    }
}

/// How likely each of all pieces comes next, as it stands in the model's answer. A handful
/// of thirty thousand counts, and those are looked at three times.
struct Row<'a> {
    scores: &'a [f32],
    likely: Vec<(u32, f32)>,
    top: f32,
}

/// The likeliest of some pieces, and the logarithm of what all of them weigh.
struct Weighed {
    best: u32,
    all: f32,
}

impl<'a> Row<'a> {
    fn new(scores: &'a [f32]) -> Self {
        let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let likely = (0..).zip(scores.iter().copied());
        let likely = likely.filter(|(_, score)| top - score < WEIGHTLESS).collect();
        Self { scores, likely, top }
    }

    /// Among those that count; where none of them is likely, all of those are weighed.
    fn weigh(&self, counts: impl Fn(u32) -> bool) -> Option<Weighed> {
        let likely = weigh(self.likely.iter().copied().filter(|(piece, _)| counts(*piece)));
        let heavy = likely.filter(|likely| self.top - likely.all < WEIGHTLESS / 2.0);
        let all = || (0..).zip(self.scores.iter().copied()).filter(|(piece, _)| counts(*piece));
        heavy.or_else(|| weigh(all()))
    }
}

fn weigh(scores: impl Iterator<Item = (u32, f32)> + Clone) -> Option<Weighed> {
    let (best, top) = scores.clone().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let all = scores.map(|(_, score)| (score - top).exp()).sum::<f32>();
    Some(Weighed { best, all: top + all.ln() })
}

#[cfg(test)]
#[path = "moonshine_tests.rs"]
mod tests;
