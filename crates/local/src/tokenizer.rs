//! Text to tokens and back, as the file says: byte pairs (`gpt2`) or pieces with scores
//! (`llama`). Pure.
//!
//! What people say is never read for marks: only a [`Piece::Mark`] becomes one, so that a mail
//! with `<end_of_turn>` in it ends nothing.

use std::collections::{BinaryHeap, HashMap};

use fancy_regex::Regex;

use crate::gguf::Head;
use crate::trouble::BadFile;

/// A part of a prompt, or of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A token of its own, such as `<end_of_turn>`.
    Mark(&'static str),
    Text(String),
}

pub struct Tokenizer {
    words: Vec<Word>,
    ids: HashMap<String, u32>,
    way: Way,
    first: Option<u32>,
    ends: Vec<u32>,
}

struct Word {
    bytes: Vec<u8>,
    is_mark: bool,
}

enum Way {
    Pairs { ranks: HashMap<String, f32>, splits: Vec<Regex>, whole_first: bool },
    Pieces { scores: Vec<f32>, bytes: Vec<Option<u32>>, space_first: bool },
}

/// What a space is in a vocabulary of pieces.
const SPACE: char = '▁';

const WORDS: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";
const DIGIT: &str = r"\p{N}";
const QWEN: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const LLAMA: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

impl Tokenizer {
    pub fn of(head: &Head) -> Result<Self, BadFile> {
        let none = |what: &str| BadFile::NoTokenizer(what.to_owned());
        let entry = |name: &str| format!("tokenizer.ggml.{name}");
        let kind = head.text(&entry("model")).ok_or_else(|| none("it names none"))?;
        let texts = head.texts(&entry("tokens")).ok_or_else(|| none("it has no words"))?;
        if texts.is_empty() {
            return Err(none("it has no words"));
        }
        let kinds = head.numbers(&entry("token_type")).unwrap_or_default();
        let kind_of = |at: usize| Kind::of(kinds.get(at).copied().unwrap_or(1.0));
        let way = match kind {
            "gpt2" => pairs(head, &none)?,
            "llama" => pieces(head, texts, &kind_of, &none)?,
            other => return Err(none(other)),
        };
        let letters = letters();
        let word = |(at, text): (usize, &String)| {
            let is_mark = kind_of(at).is_mark(text);
            let bytes = match &way {
                _ if is_mark => text.clone().into_bytes(),
                Way::Pairs { .. } => {
                    text.chars().filter_map(|c| letters.get(&c).copied()).collect()
                }
                Way::Pieces { .. } => match byte_of(text).filter(|_| kind_of(at) == Kind::Byte) {
                    Some(byte) => vec![byte],
                    None => text.replace(SPACE, " ").into_bytes(),
                },
            };
            Word { bytes, is_mark }
        };
        let ids = |(at, text): (usize, &String)| Some((text.clone(), u32::try_from(at).ok()?));
        let id = |name: &str| {
            let id = u32::try_from(head.whole(&entry(name))?).ok()?;
            ((id as usize) < texts.len()).then_some(id)
        };
        let begins = head.yes(&entry("add_bos_token")).unwrap_or(kind == "llama");
        let names = ["eos_token_id", "eot_token_id", "eom_token_id"];
        Ok(Self {
            words: texts.iter().enumerate().map(word).collect(),
            ids: texts.iter().enumerate().filter_map(ids).collect(),
            first: id("bos_token_id").filter(|_| begins),
            ends: names.into_iter().filter_map(id).collect(),
            way,
        })
    }

    /// The token of a mark, where the vocabulary has it.
    pub fn mark(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied().filter(|id| self.is_mark(*id))
    }

    pub fn is_mark(&self, token: u32) -> bool {
        self.words.get(token as usize).is_some_and(|word| word.is_mark)
    }

    /// All tokens that are marks.
    pub fn marks(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.words).filter(|(_, word)| word.is_mark).map(|(token, _)| token)
    }

    /// What ends an answer, whatever the template says.
    pub fn ends(&self) -> &[u32] {
        &self.ends
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The bytes of a token; halves of letters are possible.
    pub fn bytes(&self, token: u32) -> &[u8] {
        self.words.get(token as usize).map_or(&[], |word| &word.bytes)
    }

    /// A whole prompt.
    pub fn encode(&self, prompt: &[Piece]) -> Vec<u32> {
        let mut tokens: Vec<u32> = self.first.into_iter().collect();
        let mut text = String::new();
        for piece in prompt {
            match piece {
                Piece::Text(more) => text.push_str(more),
                Piece::Mark(name) => match self.mark(name) {
                    Some(mark) => {
                        self.encode_text(&std::mem::take(&mut text), &mut tokens);
                        tokens.push(mark);
                    }
                    // A model that never had such a token knows it as letters.
                    None => text.push_str(name),
                },
            }
        }
        self.encode_text(&text, &mut tokens);
        tokens
    }

    /// Text alone.
    pub fn encode_text(&self, text: &str, tokens: &mut Vec<u32>) {
        match &self.way {
            _ if text.is_empty() => {}
            Way::Pairs { ranks, splits, whole_first } => {
                for part in split(text, splits) {
                    let spelled: String = part.bytes().map(letter).collect();
                    let whole = self.ids.get(&spelled).filter(|_| *whole_first);
                    if let Some(whole) = whole {
                        tokens.push(*whole);
                        continue;
                    }
                    let rank =
                        |left: &str, right: &str| ranks.get(&format!("{left} {right}")).copied();
                    let merged = merged(&spelled, rank);
                    tokens.extend(merged.into_iter().filter_map(|it| self.ids.get(it)));
                }
            }
            Way::Pieces { scores, bytes, space_first } => {
                let space = if *space_first { " " } else { "" };
                let spelled = format!("{space}{text}").replace(' ', &SPACE.to_string());
                let cost = |left: &str, right: &str| {
                    let id = *self.ids.get(&format!("{left}{right}"))?;
                    (!self.is_mark(id)).then(|| -scores[id as usize])
                };
                for piece in merged(&spelled, cost) {
                    match self.ids.get(piece).filter(|id| !self.is_mark(**id)) {
                        Some(id) => tokens.push(*id),
                        None => {
                            tokens
                                .extend(piece.bytes().filter_map(|byte| bytes[usize::from(byte)]));
                        }
                    }
                }
            }
        }
    }
}

/// What a file says a token is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Control,
    Own,
    Byte,
}

impl Kind {
    fn of(number: f64) -> Self {
        match number {
            3.0 => Self::Control,
            4.0 => Self::Own,
            6.0 => Self::Byte,
            _ => Self::Plain,
        }
    }

    /// Some are only runs of spaces or lines, which anybody may type.
    fn is_mark(self, text: &str) -> bool {
        match self {
            Self::Control => true,
            Self::Own => text.starts_with('<') && text.ends_with('>') && text.len() > 2,
            Self::Plain | Self::Byte => false,
        }
    }
}

fn pairs(head: &Head, none: &dyn Fn(&str) -> BadFile) -> Result<Way, BadFile> {
    let merges = head.texts("tokenizer.ggml.merges").ok_or_else(|| none("it has no merges"))?;
    let splits = match head.text("tokenizer.ggml.pre").unwrap_or("default") {
        "smollm" | "starcoder" | "refact" | "command-r" => vec![DIGIT, WORDS],
        "default" | "gpt-2" => vec![WORDS],
        "qwen2" => vec![QWEN],
        "llama-bpe" | "llama3" | "llama-v3" => vec![LLAMA],
        other => return Err(none(&format!("it splits words like {other}"))),
    };
    #[expect(clippy::cast_precision_loss, reason = "there are less than 2^24 of them")]
    let ranks = merges.iter().enumerate().map(|(at, pair)| (pair.clone(), at as f32)).collect();
    let whole_first = splits == [LLAMA];
    let regex = |text: &str| Regex::new(text).expect("it is written above");
    Ok(Way::Pairs { ranks, splits: splits.into_iter().map(regex).collect(), whole_first })
}

fn pieces(
    head: &Head,
    texts: &[String],
    kind_of: &dyn Fn(usize) -> Kind,
    none: &dyn Fn(&str) -> BadFile,
) -> Result<Way, BadFile> {
    let scores = head.numbers("tokenizer.ggml.scores").filter(|it| it.len() == texts.len());
    let scores = scores.ok_or_else(|| none("it has no scores"))?;
    let mut bytes = vec![None; 256];
    for (at, text) in texts.iter().enumerate() {
        if let Some(byte) = byte_of(text).filter(|_| kind_of(at) == Kind::Byte) {
            bytes[usize::from(byte)] = u32::try_from(at).ok();
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "they were 32 bits in the file")]
    let scores = scores.iter().map(|score| *score as f32).collect();
    let space_first = head.yes("tokenizer.ggml.add_space_prefix").unwrap_or(true);
    Ok(Way::Pieces { scores, bytes, space_first })
}

/// `<0x0A>`.
fn byte_of(text: &str) -> Option<u8> {
    u8::from_str_radix(text.strip_prefix("<0x")?.strip_suffix('>')?, 16).ok()
}

/// Each byte as the letter that stands for it in a vocabulary of byte pairs.
pub(crate) fn letter(byte: u8) -> char {
    match byte {
        b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF => char::from(byte),
        // Those that could not be seen come after all others, in order.
        0..=b' ' => shifted(u32::from(byte)),
        0x7F..=0xA0 => shifted(33 + u32::from(byte - 0x7F)),
        0xAD => shifted(67),
    }
}

fn shifted(place: u32) -> char {
    char::from_u32(256 + place).expect("there are letters below 324")
}

fn letters() -> HashMap<char, u8> {
    (0..=255).map(|byte| (letter(byte), byte)).collect()
}

/// A text in parts that are merged by themselves; one rule after the other.
fn split<'a>(text: &'a str, rules: &[Regex]) -> Vec<&'a str> {
    let mut parts = vec![text];
    for rule in rules {
        parts = parts.into_iter().flat_map(|part| split_once(part, rule)).collect();
    }
    parts
}

fn split_once<'a>(text: &'a str, rule: &Regex) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for found in rule.find_iter(text).map_while(Result::ok) {
        parts.push(&text[from..found.start()]);
        parts.push(found.as_str());
        from = found.end();
    }
    parts.push(&text[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Two neighbours that may become one.
struct Pair {
    cost: f32,
    at: usize,
    end: usize,
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // A heap gives the largest first: the cheapest, then the leftmost.
        other.cost.total_cmp(&self.cost).then(other.at.cmp(&self.at))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pair {}

/// A part that was merged into another has no end any more.
const GONE: usize = 0;

/// Letters, merged two by two as long as that has a cost, the cheapest first.
fn merged(text: &str, cost: impl Fn(&str, &str) -> Option<f32>) -> Vec<&str> {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    // Of each part that begins at a letter: where it ends, and where the one before begins.
    let mut ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    let mut before: Vec<Option<usize>> = (0..starts.len()).map(|at| at.checked_sub(1)).collect();
    let place = |at: usize| starts.binary_search(&at).ok();
    let mut heap = BinaryHeap::new();
    let offer = |heap: &mut BinaryHeap<Pair>, ends: &[usize], left: usize| {
        let middle = ends[left];
        let Some(right) = place(middle) else { return };
        let end = ends[right];
        if let Some(cost) = cost(&text[starts[left]..middle], &text[middle..end]) {
            heap.push(Pair { cost, at: left, end });
        }
    };
    (0..starts.len()).for_each(|left| offer(&mut heap, &ends, left));
    while let Some(Pair { at: left, end, .. }) = heap.pop() {
        let middle = ends[left];
        let Some(right) = place(middle).filter(|_| middle != GONE) else { continue };
        if ends[right] != end {
            continue;
        }
        ends[left] = end;
        ends[right] = GONE;
        if let Some(next) = place(end) {
            before[next] = Some(left);
        }
        offer(&mut heap, &ends, left);
        if let Some(previous) = before[left] {
            offer(&mut heap, &ends, previous);
        }
    }
    let parts = starts.iter().zip(&ends).filter(|(_, end)| **end != GONE);
    parts.map(|(start, end)| &text[*start..*end]).collect()
}

#[cfg(test)]
#[path = "tokenizer_tests.rs"]
mod tests;
