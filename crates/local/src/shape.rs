//! What kind of model a file holds and how large its parts are. Pure.

use crate::gguf::Head;
use crate::trouble::BadFile;

/// The kinds that can be run; they differ in a few places of one and the same decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Llama,
    Qwen2,
    Qwen3,
    Gemma3,
}

impl Kind {
    pub fn named(name: &str) -> Result<Self, BadFile> {
        Ok(match name {
            "llama" => Self::Llama,
            "qwen2" => Self::Qwen2,
            "qwen3" => Self::Qwen3,
            "gemma3" => Self::Gemma3,
            other => return Err(BadFile::Architecture(other.to_owned())),
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Llama => "llama",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Gemma3 => "gemma3",
        }
    }
}

/// How large everything is.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub kind: Kind,
    pub layers: usize,
    pub width: usize,
    pub inner: usize,
    pub heads: usize,
    pub key_heads: usize,
    pub head: usize,
    /// How many numbers of a head are turned by their place.
    pub turned: usize,
    pub words: usize,
    /// How many places it was trained for.
    pub context: usize,
    pub epsilon: f32,
    pub base: f64,
    /// Places are divided by this before they turn anything.
    pub stretch: f64,
    pub near: Option<Near>,
}

/// Layers that see only what is near, and turn it otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    pub window: usize,
    pub base: f64,
    /// Each so-many-th layer sees everything.
    pub far_every: usize,
}

/// No model that fits has more of anything.
const MOST: usize = 1 << 20;

impl Shape {
    pub fn of(head: &Head) -> Result<Self, BadFile> {
        let named = head.text("general.architecture");
        let kind = Kind::named(named.unwrap_or("none that is named"))?;
        let name = kind.name();
        let damaged = |what: &str| BadFile::Damaged(format!("it does not say its {name}.{what}"));
        let told = |what: &str| head.whole(&format!("{name}.{what}"));
        let whole = |what: &str| match told(what) {
            Some(number @ 1..=MOST) => Ok(number),
            _ => Err(damaged(what)),
        };
        let real = |what: &str| head.real(&format!("{name}.{what}"));
        let (width, heads) = (whole("embedding_length")?, whole("attention.head_count")?);
        let key_heads = told("attention.head_count_kv").unwrap_or(heads).max(1);
        let size = told("attention.key_length").unwrap_or(width / heads);
        if size == 0 || size > MOST || !heads.is_multiple_of(key_heads) {
            return Err(damaged("attention.key_length"));
        }
        let turned = told("rope.dimension_count").unwrap_or(size);
        if turned > size || !turned.is_multiple_of(2) {
            return Err(damaged("rope.dimension_count"));
        }
        let epsilon = real("attention.layer_norm_rms_epsilon");
        #[expect(clippy::cast_possible_truncation, reason = "it is a small number anyway")]
        let epsilon = epsilon.ok_or_else(|| damaged("attention.layer_norm_rms_epsilon"))? as f32;
        let is_stretched = head.text(&format!("{name}.rope.scaling.type")) == Some("linear");
        let stretch = real("rope.scaling.factor").filter(|_| is_stretched);
        let base = if kind == Kind::Gemma3 { 1_000_000.0 } else { 10_000.0 };
        let words = head.tensors.get("token_embd.weight").and_then(|it| it.shape.get(1).copied());
        Ok(Self {
            kind,
            layers: whole("block_count")?,
            width,
            inner: whole("feed_forward_length")?,
            heads,
            key_heads,
            head: size,
            turned,
            words: words.ok_or_else(|| BadFile::Damaged("it has no words".to_owned()))?,
            context: told("context_length").unwrap_or(2_048).max(1),
            epsilon,
            base: real("rope.freq_base").unwrap_or(base),
            stretch: stretch.filter(|it| *it > 0.0).unwrap_or(1.0),
            near: near(kind, head),
        })
    }

    /// How many bytes one place of the cache takes.
    pub fn bytes_a_place(&self) -> u64 {
        2 * 4 * (self.layers * self.key_heads * self.head) as u64
    }
}

fn near(kind: Kind, head: &Head) -> Option<Near> {
    let window = head.whole("gemma3.attention.sliding_window").filter(|it| *it > 0)?;
    (kind == Kind::Gemma3).then(|| Near {
        window,
        base: head.real("gemma3.rope.local_freq_base").unwrap_or(10_000.0),
        far_every: 6,
    })
}
