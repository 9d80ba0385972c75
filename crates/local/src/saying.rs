//! One answer on its way: what a token means, which may come next, and what is told of it.
//!
//! Words are free. Wherever a call begins, a grammar of the tools says what may be written;
//! nothing else can be, however little the model knows.

use llguidance::Matcher;
use models::provider::{Delta, End, Trouble};

use crate::family::inward;
use crate::grammar;
use crate::model::{Listener, Model, Question};
use crate::sampler::{likeliest, share_of};
use crate::tokenizer::Piece;

/// An answer on its way.
pub(crate) struct Saying {
    pub said: Vec<u32>,
    state: State,
    /// What stands between the marks of a call.
    grammar: Option<String>,
    /// Bytes that make no letter yet.
    half: Vec<u8>,
    calls: usize,
    /// How sure it was wherever it had a choice, as a logarithm.
    doubts: (f32, usize),
}

enum State {
    /// Anything may be said, and a call begun where that is a token.
    Words,
    /// It begins with a call in letters, or it is words.
    Undecided(Box<Matcher>),
    /// A call in letters, with all that was written of it.
    Letters(Box<Matcher>, String),
    /// Between the marks of a call.
    Call(Box<Matcher>, Vec<Piece>),
    /// A call is over: another, or the end.
    Called,
    /// JSON of a shape.
    Shaped(Box<Matcher>),
}

impl Saying {
    pub fn begin(model: &Model, question: &Question) -> Result<Self, Trouble> {
        let tools = &question.tools;
        let notation = model.family.notation();
        let mut grammar = None;
        let state = if let Some(schema) = &question.shape {
            State::Shaped(Box::new(model.held_to(&grammar::shaped(schema))?))
        } else if tools.is_empty() {
            State::Words
        } else if model.call.is_some() {
            grammar = Some(grammar::inside(notation, tools));
            State::Words
        } else {
            State::Undecided(Box::new(model.held_to(&grammar::answer(tools))?))
        };
        let (said, half) = (Vec::new(), Vec::new());
        Ok(Self { said, state, grammar, half, calls: 0, doubts: (0.0, 0) })
    }

    /// The next token: free, or the likeliest of those that are allowed.
    pub fn next(&mut self, logits: &[f32], model: &mut Model) -> Result<u32, Trouble> {
        let matcher = match &mut self.state {
            State::Words => {
                let mut allowed = logits.to_vec();
                self.forbid_marks(&mut allowed, model);
                return Ok(model.sampler.pick(&allowed, &self.said));
            }
            State::Called => {
                let open = model.call.map(|(open, _)| open);
                let allowed = model.ends.iter().copied().chain(open);
                let likeliness = |token: &u32| logits.get(*token as usize).copied();
                let best = allowed.max_by(|one, other| {
                    let (one, other) = (likeliness(one), likeliness(other));
                    one.unwrap_or(f32::MIN).total_cmp(&other.unwrap_or(f32::MIN))
                });
                return best.ok_or(Trouble::Nothing);
            }
            State::Undecided(matcher)
            | State::Letters(matcher, _)
            | State::Call(matcher, _)
            | State::Shaped(matcher) => matcher,
        };
        let mask = matcher.compute_mask_or_eos().map_err(off_the_rails)?;
        let mut allowed = vec![f32::NEG_INFINITY; logits.len()];
        let mut choices = 0;
        mask.iter_set_entries(|at| {
            if let Some(logit) = logits.get(at) {
                allowed[at] = *logit;
                choices += 1;
            }
        });
        if choices == 0 {
            return Err(Trouble::Garbage("nothing that it could say is allowed".to_owned()));
        }
        let token = likeliest(&allowed);
        if choices > 1 {
            let share = share_of(logits, token).max(f32::MIN_POSITIVE);
            self.doubts = (self.doubts.0 + share.ln(), self.doubts.1 + 1);
        }
        Ok(token)
    }

    /// In words no mark has a place but those that begin a call or end the answer.
    fn forbid_marks(&self, logits: &mut [f32], model: &Model) {
        let open = model.call.filter(|_| self.grammar.is_some()).map(|(open, _)| open);
        for token in model.forbidden.iter().filter(|token| open != Some(**token)) {
            if let Some(logit) = logits.get_mut(*token as usize) {
                *logit = f32::NEG_INFINITY;
            }
        }
        // What comes after the last word is padding.
        logits.iter_mut().skip(model.tokenizer.len()).for_each(|it| *it = f32::NEG_INFINITY);
    }

    /// What a token means; which others have to follow, or nothing where it is the last.
    pub fn take(
        &mut self,
        token: u32,
        model: &mut Model,
        listener: &mut dyn Listener,
    ) -> Result<Option<Vec<u32>>, Trouble> {
        let text =
            if model.tokenizer.is_mark(token) { String::new() } else { self.letters(token, model) };
        match &mut self.state {
            State::Words | State::Called => {
                let is_call = model.call.is_some_and(|(open, _)| open == token);
                if let Some(grammar) = self.grammar.as_ref().filter(|_| is_call) {
                    let matcher = Box::new(model.held_to(grammar)?);
                    self.state = State::Call(matcher, Vec::new());
                } else if !text.is_empty() {
                    listener.hear(Delta::Text(text));
                }
            }
            State::Undecided(matcher) => {
                matcher.consume_token(token).map_err(off_the_rails)?;
                if text.trim_start().starts_with('<') {
                    let state = std::mem::replace(&mut self.state, State::Words);
                    if let State::Undecided(matcher) = state {
                        self.state = State::Letters(matcher, text);
                    }
                } else if !text.trim().is_empty() {
                    self.state = State::Words;
                    listener.hear(Delta::Text(text));
                }
            }
            State::Letters(matcher, written) => {
                matcher.consume_token(token).map_err(off_the_rails)?;
                written.push_str(&text);
                if matcher.is_stopped() {
                    return Ok(None);
                }
            }
            State::Call(matcher, pieces) => {
                matcher.consume_token(token).map_err(off_the_rails)?;
                match (model.tokenizer.mark("<escape>") == Some(token), pieces.last_mut()) {
                    (true, _) => pieces.push(Piece::Mark("<escape>")),
                    (false, Some(Piece::Text(before))) => before.push_str(&text),
                    (false, _) => pieces.push(Piece::Text(text)),
                }
                if matcher.is_stopped() {
                    let written = std::mem::take(pieces);
                    self.called(&written, model, listener);
                    self.state = State::Called;
                    return Ok(Some(model.call.map(|(_, close)| close).into_iter().collect()));
                }
            }
            State::Shaped(matcher) => {
                matcher.consume_token(token).map_err(off_the_rails)?;
                let is_over = matcher.is_stopped();
                listener.hear(Delta::Text(text));
                if is_over {
                    return Ok(None);
                }
            }
        }
        Ok(Some(Vec::new()))
    }

    /// Letters as far as there are whole ones.
    fn letters(&mut self, token: u32, model: &Model) -> String {
        self.half.extend_from_slice(model.tokenizer.bytes(token));
        let whole = match std::str::from_utf8(&self.half) {
            Ok(_) => self.half.len(),
            // Four bytes are the longest letter there is: what is longer is none.
            Err(error)
                if error.error_len().is_none() && self.half.len() - error.valid_up_to() < 4 =>
            {
                error.valid_up_to()
            }
            Err(_) => self.half.len(),
        };
        let rest = self.half.split_off(whole);
        let letters = std::mem::replace(&mut self.half, rest);
        String::from_utf8_lossy(&letters).into_owned()
    }

    fn called(&mut self, written: &[Piece], model: &Model, listener: &mut dyn Listener) {
        let Some((name, args)) = model.family.call_in(written) else { return };
        let delta = Delta::Call {
            index: self.calls,
            id: Some(format!("local_{}", self.calls)),
            tool: Some(inward(&name)),
            args: args.to_string(),
        };
        self.calls += 1;
        listener.hear(delta);
    }

    /// What is left to tell, and how it ended.
    pub fn finish(&mut self, model: &Model, listener: &mut dyn Listener) -> End {
        match std::mem::replace(&mut self.state, State::Words) {
            State::Letters(_, written) => {
                for call in written.split("<tool_call>").skip(1) {
                    let inside = call.split("</tool_call>").next().unwrap_or_default();
                    self.called(&[Piece::Text(inside.to_owned())], model, listener);
                }
            }
            // One that is not whole cannot be read, and is none.
            State::Call(_, written) => self.called(&written, model, listener),
            State::Words | State::Undecided(_) | State::Called | State::Shaped(_) => {}
        }
        if self.calls > 0 { End::Calls } else { End::Said }
    }

    /// How sure it was of its calls, from 0 to 1.
    pub fn confidence(&self) -> Option<f32> {
        let (sum, count) = self.doubts;
        #[expect(clippy::cast_precision_loss, reason = "an answer is short")]
        (self.calls > 0 && count > 0).then(|| (sum / count as f32).exp())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn off_the_rails(error: anyhow::Error) -> Trouble {
    Trouble::Garbage(format!("it left what it is held to: {error}"))
}
