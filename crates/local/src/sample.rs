//! Files for tests: small, made up, and whole unless a test breaks them.

use crate::gguf::Entry;

/// A file as it is put together.
#[derive(Clone, Default)]
pub struct Sample {
    entries: Vec<(String, Entry)>,
    tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
    pub architecture: String,
}

/// How large the sample models are.
pub const WIDTH: usize = 64;
pub const INNER: usize = 96;
pub const HEAD: usize = 32;
pub const HEADS: usize = 2;
pub const LAYERS: usize = 7;

impl Sample {
    /// A model of this kind with weights out of thin air.
    pub fn model(architecture: &str, words: &[&str]) -> Self {
        let mut sample = Self { architecture: architecture.to_owned(), ..Self::default() };
        let name = |what: &str| format!("{architecture}.{what}");
        sample.entry("general.architecture", Entry::Text(architecture.to_owned()));
        let whole = |number: usize| Entry::Whole(i64::try_from(number).unwrap());
        for (what, number) in [
            ("block_count", LAYERS),
            ("context_length", 512),
            ("embedding_length", WIDTH),
            ("feed_forward_length", INNER),
            ("attention.head_count", HEADS),
            ("attention.head_count_kv", 1),
            ("attention.key_length", HEAD),
            ("attention.sliding_window", 3),
        ] {
            sample.entry(&name(what), whole(number));
        }
        sample.entry(&name("attention.layer_norm_rms_epsilon"), Entry::Real(1e-5));
        sample.vocabulary(words);
        let mut chance = 7;
        sample.weights("token_embd.weight", &[WIDTH, words.len()], &mut chance);
        sample.weights("output_norm.weight", &[WIDTH], &mut chance);
        for layer in 0..LAYERS {
            sample.layer(layer, &mut chance);
        }
        sample
    }

    fn layer(&mut self, layer: usize, chance: &mut u64) {
        let (queries, keys) = (HEADS * HEAD, HEAD);
        let gemma = self.architecture == "gemma3";
        let mut parts = vec![
            ("attn_q.weight", vec![WIDTH, queries]),
            ("attn_k.weight", vec![WIDTH, keys]),
            ("attn_v.weight", vec![WIDTH, keys]),
            ("attn_output.weight", vec![queries, WIDTH]),
            ("attn_norm.weight", vec![WIDTH]),
            ("ffn_norm.weight", vec![WIDTH]),
            ("ffn_gate.weight", vec![WIDTH, INNER]),
            ("ffn_up.weight", vec![WIDTH, INNER]),
            ("ffn_down.weight", vec![INNER, WIDTH]),
        ];
        if gemma || self.architecture == "qwen3" {
            parts.extend([("attn_q_norm.weight", vec![HEAD]), ("attn_k_norm.weight", vec![HEAD])]);
        }
        if gemma {
            let after = ["post_attention_norm.weight", "post_ffw_norm.weight"];
            parts.extend(after.map(|name| (name, vec![WIDTH])));
        }
        if self.architecture == "qwen2" {
            let bias = [("attn_q.bias", queries), ("attn_k.bias", keys), ("attn_v.bias", keys)];
            parts.extend(bias.map(|(name, length)| (name, vec![length])));
        }
        for (name, shape) in parts {
            self.weights(&format!("blk.{layer}.{name}"), &shape, chance);
        }
    }

    /// Words of a vocabulary with byte pairs; those in angles are marks.
    fn vocabulary(&mut self, words: &[&str]) {
        let texts = words.iter().map(|word| (*word).to_owned()).collect();
        let kind = |word: &&str| if word.starts_with('<') && word.len() > 1 { 3.0 } else { 1.0 };
        self.entry("tokenizer.ggml.model", Entry::Text("gpt2".to_owned()));
        self.entry("tokenizer.ggml.pre", Entry::Text("smollm".to_owned()));
        self.entry("tokenizer.ggml.tokens", Entry::Texts(texts));
        self.entry("tokenizer.ggml.token_type", Entry::Numbers(words.iter().map(kind).collect()));
        self.entry("tokenizer.ggml.merges", Entry::Texts(vec!["h e".to_owned()]));
        self.entry("tokenizer.ggml.eos_token_id", Entry::Whole(0));
        let template = "{{ '<|im_start|>' + role }}".to_owned();
        self.entry("tokenizer.chat_template", Entry::Text(template));
    }

    pub fn entry(&mut self, name: &str, entry: Entry) {
        self.entries.retain(|(known, _)| known != name);
        self.entries.push((name.to_owned(), entry));
    }

    pub fn without(&mut self, name: &str) {
        self.entries.retain(|(known, _)| known != name);
        self.tensors.retain(|(known, ..)| known != name);
    }

    pub fn numbers(&self, name: &str) -> &[f32] {
        let found = self.tensors.iter().find(|(known, ..)| known == name);
        &found.unwrap_or_else(|| panic!("there is no {name}")).2
    }

    pub fn has(&self, name: &str) -> bool {
        self.tensors.iter().any(|(known, ..)| known == name)
    }

    /// Whole eighths, so that eight bits hold them exactly: the largest of each block is 127.
    fn weights(&mut self, name: &str, shape: &[usize], chance: &mut u64) {
        let count: usize = shape.iter().product();
        let number = |at: usize| {
            *chance ^= *chance << 13;
            *chance ^= *chance >> 7;
            *chance ^= *chance << 17;
            let small = i8::try_from(*chance % 127).unwrap() - 63;
            let small = if at.is_multiple_of(32) { 127 } else { small };
            f32::from(small) / 512.0
        };
        let mut numbers: Vec<f32> = (0..count).map(number).collect();
        if shape.len() == 1 && name.contains("norm") {
            for number in &mut numbers {
                *number += 1.0;
            }
        }
        self.tensors.push((name.to_owned(), shape.to_vec(), numbers));
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = b"GGUF".to_vec();
        out.extend(3_u32.to_le_bytes());
        out.extend((self.tensors.len() as u64).to_le_bytes());
        out.extend((self.entries.len() as u64).to_le_bytes());
        let text = |out: &mut Vec<u8>, text: &str| {
            out.extend((text.len() as u64).to_le_bytes());
            out.extend(text.as_bytes());
        };
        for (name, entry) in &self.entries {
            text(&mut out, name);
            match entry {
                Entry::Whole(number) => {
                    out.extend(4_u32.to_le_bytes());
                    out.extend(u32::try_from(*number).unwrap().to_le_bytes());
                }
                Entry::Real(number) => {
                    out.extend(12_u32.to_le_bytes());
                    out.extend(number.to_le_bytes());
                }
                Entry::Yes(yes) => {
                    out.extend(7_u32.to_le_bytes());
                    out.push(u8::from(*yes));
                }
                Entry::Text(told) => {
                    out.extend(8_u32.to_le_bytes());
                    text(&mut out, told);
                }
                Entry::Texts(texts) => {
                    out.extend([9_u32.to_le_bytes(), 8_u32.to_le_bytes()].concat());
                    out.extend((texts.len() as u64).to_le_bytes());
                    for told in texts {
                        text(&mut out, told);
                    }
                }
                Entry::Numbers(numbers) => {
                    out.extend([9_u32.to_le_bytes(), 12_u32.to_le_bytes()].concat());
                    out.extend((numbers.len() as u64).to_le_bytes());
                    for number in numbers {
                        out.extend(number.to_le_bytes());
                    }
                }
                Entry::Other => panic!("nobody writes that"),
            }
        }
        let mut at = 0_u64;
        for (name, shape, numbers) in &self.tensors {
            text(&mut out, name);
            out.extend(u32::try_from(shape.len()).unwrap().to_le_bytes());
            for side in shape {
                out.extend((*side as u64).to_le_bytes());
            }
            out.extend(0_u32.to_le_bytes());
            out.extend(at.to_le_bytes());
            at += 4 * numbers.len() as u64;
        }
        out.resize(out.len().next_multiple_of(32), 0);
        let numbers = self.tensors.iter().flat_map(|(_, _, numbers)| numbers);
        numbers.for_each(|number| out.extend(number.to_le_bytes()));
        out
    }
}

/// A vocabulary of bytes, a pair and some marks; large enough for any text.
pub fn letters() -> Vec<String> {
    let marks = ["<|im_end|>", "<|im_start|>", "<tool_call>", "</tool_call>"];
    let bytes = (0..=255_u8).map(|byte| crate::tokenizer::letter(byte).to_string());
    marks.into_iter().map(str::to_owned).chain(bytes).chain(["he".to_owned()]).collect()
}
