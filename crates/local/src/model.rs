//! A loaded model and how it answers: reads the prompt, says one token after the other, and is
//! held to the tools that there are.
//!
//! All of it happens on the thread that owns the model. Between two tokens it looks whether
//! anybody still listens.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use models::provider::{Delta, End, Message, Trouble, Usage};
use serde_json::Value;
use toktrie::{TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv};

use crate::decoder::{Cache, Decoder};
use crate::family::{Family, Told, Tool};
use crate::load::Opened;
use crate::matrix::Hands;
use crate::memory;
use crate::sampler::Sampler;
use crate::saying::Saying;
use crate::tokenizer::Tokenizer;
use crate::trouble::BadFile;

/// So many tokens of a prompt are read before one looks whether anybody still listens.
const AT_A_TIME: usize = 32;
/// An answer has so much room at least, or it is not begun.
const LEAST_ROOM: usize = 16;

/// What is put to it.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub system: String,
    pub messages: Vec<Message>,
    pub tools: Vec<Tool>,
    pub shape: Option<Value>,
    pub most_tokens: usize,
}

/// What became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    pub prompt: usize,
    /// How much of the prompt was still known.
    pub known: usize,
    pub reading: Duration,
    pub said: usize,
    pub saying: Duration,
}

/// Hears an answer; false once nobody does.
pub trait Listener {
    fn hear(&mut self, delta: Delta) -> bool;
    fn is_there(&self) -> bool;
}

pub struct Model {
    pub(crate) tokenizer: Arc<Tokenizer>,
    pub family: Family,
    decoder: Decoder,
    hands: Hands,
    cache: Cache,
    grammars: ParserFactory,
    pub(crate) ends: Vec<u32>,
    /// The marks of a call, where they are tokens.
    pub(crate) call: Option<(u32, u32)>,
    /// Marks that have no place in words.
    pub(crate) forbidden: Vec<u32>,
    context: usize,
    pub(crate) sampler: Sampler,
}

impl Model {
    /// Loads it, where there is room.
    pub fn load(
        path: &Path,
        context: usize,
        threads: usize,
        temperature: f32,
    ) -> Result<Self, BadFile> {
        let opened = Opened::look(path, context)?;
        let tokenizer = Arc::new(Tokenizer::of(&opened.head)?);
        let family = Family::of(&opened.head)?;
        if tokenizer.len() > opened.shape.words {
            return Err(BadFile::Damaged("it has more words than weights for them".to_owned()));
        }
        memory::check(opened.needed)?;
        let decoder = opened.load()?;
        let named = family.ends().iter().filter_map(|name| tokenizer.mark(name));
        let ends: Vec<u32> = tokenizer.ends().iter().copied().chain(named).collect();
        let (open, close) = family.notation().marks();
        let call = tokenizer.mark(open).zip(tokenizer.mark(close));
        let grammars = grammars(&tokenizer, ends.first().copied())?;
        let marks = tokenizer.marks().filter(|mark| !ends.contains(mark));
        let forbidden = marks.collect();
        let context = context.min(decoder.shape.context);
        let seed = u64::try_from(tokenizer.len()).unwrap_or(1);
        Ok(Self {
            family,
            decoder,
            hands: Hands::new(threads),
            cache: Cache::default(),
            grammars,
            ends,
            call,
            forbidden,
            context,
            sampler: Sampler::new(temperature, seed),
            tokenizer,
        })
    }

    /// Reads what is the same in every question, so that it is known when one comes.
    pub fn warm(&mut self, question: &Question) {
        let prompt = self.prompt(question);
        let room = self.context.saturating_sub(LEAST_ROOM);
        let _ = self.read(&prompt[..prompt.len().min(room)], &|| true);
    }

    fn prompt(&self, question: &Question) -> Vec<u32> {
        let Question { system, messages, tools, .. } = question;
        self.tokenizer.encode(&self.family.prompt(Told { system, messages, tools }))
    }

    /// How likely each word is to come next; nothing, where nobody listens any more.
    fn read(&mut self, prompt: &[u32], is_heard: &dyn Fn() -> bool) -> Option<(usize, Vec<f32>)> {
        let known = self.cache.keep_beginning(prompt, &self.decoder.shape);
        let mut last = None;
        let mut rest = prompt[known..].chunks(AT_A_TIME).peekable();
        while let Some(part) = rest.next() {
            if !is_heard() {
                return None;
            }
            let speaks = rest.peek().is_none();
            last = self.decoder.read(part, &mut self.cache, &self.hands, speaks);
        }
        last.map(|logits| (known, logits))
    }

    /// One answer, as it comes.
    pub fn answer(
        &mut self,
        question: &Question,
        listener: &mut dyn Listener,
    ) -> Result<Figures, Trouble> {
        let prompt = self.prompt(question);
        let room = self.context.saturating_sub(prompt.len());
        if room < LEAST_ROOM {
            let (takes, has) = (self.context, prompt.len());
            return Err(Trouble::Refused(format!(
                "it takes {takes} tokens and this is {has}; raise `models.gguf.context`"
            )));
        }
        let begun = Instant::now();
        let Some((known, logits)) = self.read(&prompt, &|| listener.is_there()) else {
            return Ok(Figures::default());
        };
        let reading = begun.elapsed();
        let usage = |output: usize| {
            let tokens = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
            let (input, cached) = (tokens(prompt.len()), tokens(known));
            Delta::Usage(Usage {
                input,
                cached,
                output: tokens(output),
                cost_micros: Some(0),
                ..Usage::default()
            })
        };
        listener.hear(usage(0));
        let mut saying = Saying::begin(self, question)?;
        let begun = Instant::now();
        let most = room.min(question.most_tokens);
        let end = self.say(logits, most, &mut saying, listener)?;
        let said = saying.said.len();
        if let Some(end) = end {
            if let Some(share) = saying.confidence() {
                listener.hear(Delta::Confidence(share));
            }
            listener.hear(usage(said));
            listener.hear(Delta::End(end));
        }
        let saying = begun.elapsed();
        Ok(Figures { prompt: prompt.len(), known, reading, said, saying })
    }

    /// Token by token; how it ended, or nothing where nobody listens any more.
    fn say(
        &mut self,
        mut logits: Vec<f32>,
        most: usize,
        saying: &mut Saying,
        listener: &mut dyn Listener,
    ) -> Result<Option<End>, Trouble> {
        while saying.said.len() < most {
            if !listener.is_there() {
                return Ok(None);
            }
            let token = saying.next(&logits, self)?;
            saying.said.push(token);
            if self.ends.contains(&token) {
                return Ok(Some(saying.finish(self, listener)));
            }
            let more = saying.take(token, self, listener)?;
            let Some(forced) = more else { return Ok(Some(saying.finish(self, listener))) };
            let read: Vec<u32> = [token].into_iter().chain(forced).collect();
            let next = self.decoder.read(&read, &mut self.cache, &self.hands, true);
            logits = next.ok_or(Trouble::Nothing)?;
        }
        saying.finish(self, listener);
        Ok(Some(End::TooLong))
    }

    /// Somebody who says which token may come next.
    pub(crate) fn held_to(&self, grammar: &str) -> Result<Matcher, Trouble> {
        let grammar = TopLevelGrammar::from_lark(grammar.to_owned());
        let matcher = Matcher::new(self.grammars.create_parser(grammar));
        match matcher.get_error() {
            Some(error) => Err(Trouble::Refused(format!("no grammar can be made of it: {error}"))),
            None => Ok(matcher),
        }
    }
}

/// The vocabulary, as those who hold a model to something need to know it.
struct Vocabulary {
    tokenizer: Arc<Tokenizer>,
    trie: TokTrie,
}

impl TokenizerEnv for Vocabulary {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        self.trie.tokenize_with_greedy_fallback(bytes, |text| {
            let mut tokens = Vec::new();
            self.tokenizer.encode_text(text, &mut tokens);
            tokens
        })
    }
}

fn grammars(tokenizer: &Arc<Tokenizer>, end: Option<u32>) -> Result<ParserFactory, BadFile> {
    let none = |error: &dyn std::fmt::Display| BadFile::NoTokenizer(error.to_string());
    let end = end.ok_or_else(|| none(&"nothing ends an answer"))?;
    let size = u32::try_from(tokenizer.len()).unwrap_or(u32::MAX);
    let word = |token: u32| {
        let bytes = tokenizer.bytes(token);
        if tokenizer.is_mark(token) {
            [&[TokTrie::SPECIAL_TOKEN_MARKER], bytes].concat()
        } else {
            bytes.to_vec()
        }
    };
    let words: Vec<_> = (0..size).map(word).collect();
    let trie = TokTrie::from(&TokRxInfo::new(size, end), &words);
    let vocabulary = Vocabulary { tokenizer: Arc::clone(tokenizer), trie };
    let vocabulary: TokEnv = Arc::new(vocabulary);
    let mut factory = ParserFactory::new_simple(&vocabulary).map_err(|error| none(&error))?;
    factory.quiet();
    Ok(factory)
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
