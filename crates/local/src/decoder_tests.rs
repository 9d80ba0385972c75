//! Each kind of model next to plain arithmetic: no cache, no pieces, no vectors, one number
//! after the other, as the papers have it.

#![expect(clippy::cast_precision_loss, reason = "these numbers are small")]

use super::*;
use crate::gguf::Head;
use crate::load::loaded;
use crate::sample::{HEAD, HEADS, INNER, LAYERS, Sample, WIDTH};

const WORDS: usize = 40;

fn sample(kind: &str) -> Sample {
    let words: Vec<String> = (0..WORDS).map(|at| format!("w{at}")).collect();
    Sample::model(kind, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn decoder(sample: &Sample) -> Decoder {
    let bytes = sample.bytes();
    let head = Head::read(bytes.as_slice(), bytes.len() as u64).unwrap();
    loaded(head, std::io::Cursor::new(bytes)).unwrap()
}

/// Rows of weights with one input.
fn times(weights: &[f32], x: &[f32]) -> Vec<f32> {
    let dot = |row: &[f32]| row.iter().zip(x).map(|(a, b)| a * b).sum();
    weights.chunks_exact(x.len()).map(dot).collect()
}

fn normed(x: &[f32], weights: &[f32]) -> Vec<f32> {
    let mean = x.iter().map(|it| it * it).sum::<f32>() / x.len() as f32;
    x.iter().zip(weights).map(|(it, weight)| it / (mean + 1e-5).sqrt() * weight).collect()
}

fn turned(head: &[f32], place: usize, base: f32, side_by_side: bool) -> Vec<f32> {
    let mut out = head.to_vec();
    for at in 0..HEAD / 2 {
        let angle = place as f32 * base.powf(-2.0 * at as f32 / HEAD as f32);
        let (one, other) = if side_by_side { (2 * at, 2 * at + 1) } else { (at, at + HEAD / 2) };
        out[one] = head[one] * angle.cos() - head[other] * angle.sin();
        out[other] = head[other] * angle.cos() + head[one] * angle.sin();
    }
    out
}

/// How likely each word is after these, from the beginning.
fn plain(sample: &Sample, tokens: &[u32]) -> Vec<f32> {
    let kind = sample.architecture.as_str();
    let gemma = kind == "gemma3";
    let words = sample.numbers("token_embd.weight");
    let scale = if gemma { (WIDTH as f32).sqrt() } else { 1.0 };
    let word = |token: &u32| words[*token as usize * WIDTH..][..WIDTH].iter().map(|it| it * scale);
    let mut xs: Vec<Vec<f32>> = tokens.iter().map(|token| word(token).collect()).collect();
    for layer in 0..LAYERS {
        let part = |name: &str| sample.numbers(&format!("blk.{layer}.{name}"));
        let has = |name: &str| sample.has(&format!("blk.{layer}.{name}"));
        let near = gemma && (layer + 1) % 6 != 0;
        let base = match (gemma, near) {
            (true, false) => 1_000_000.0,
            _ => 10_000.0,
        };
        let heads = |x: &[f32], name: &str, place: Option<usize>| -> Vec<Vec<f32>> {
            let mut out = times(part(&format!("{name}.weight")), x);
            if has(&format!("{name}.bias")) {
                out.iter_mut().zip(part(&format!("{name}.bias"))).for_each(|(x, more)| *x += more);
            }
            let one = |head: &[f32]| {
                let norm = format!("{name}_norm.weight");
                let head = if has(&norm) { normed(head, part(&norm)) } else { head.to_vec() };
                place.map_or(head.clone(), |place| turned(&head, place, base, kind == "llama"))
            };
            out.chunks_exact(HEAD).map(one).collect()
        };
        let inputs: Vec<_> = xs.iter().map(|x| normed(x, part("attn_norm.weight"))).collect();
        let all = |name: &str, turns: bool| -> Vec<Vec<Vec<f32>>> {
            let each = inputs.iter().enumerate();
            each.map(|(place, x)| heads(x, name, turns.then_some(place))).collect()
        };
        let (queries, keys, values) =
            (all("attn_q", true), all("attn_k", true), all("attn_v", false));
        for place in 0..xs.len() {
            let first = if near { (place + 1).saturating_sub(3) } else { 0 };
            let mut seen = Vec::new();
            for query in &queries[place] {
                let score = |at: usize| {
                    let dot: f32 = query.iter().zip(&keys[at][0]).map(|(a, b)| a * b).sum();
                    (dot / (HEAD as f32).sqrt()).exp()
                };
                let total: f32 = (first..=place).map(score).sum();
                seen.extend((0..HEAD).map(|number| {
                    let of = |at: usize| score(at) / total * values[at][0][number];
                    (first..=place).map(of).sum::<f32>()
                }));
            }
            assert_eq!(seen.len(), HEADS * HEAD);
            let mut out = times(part("attn_output.weight"), &seen);
            if gemma {
                out = normed(&out, part("post_attention_norm.weight"));
            }
            xs[place].iter_mut().zip(&out).for_each(|(x, more)| *x += more);
            let x = normed(&xs[place], part("ffn_norm.weight"));
            let (gate, up) = (times(part("ffn_gate.weight"), &x), times(part("ffn_up.weight"), &x));
            assert_eq!(gate.len(), INNER);
            let bend = |x: f32| {
                let curve = (2.0 / std::f32::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
                if gemma { 0.5 * x * (1.0 + curve.tanh()) } else { x / (1.0 + (-x).exp()) }
            };
            let inner: Vec<f32> = gate.iter().zip(&up).map(|(gate, up)| bend(*gate) * up).collect();
            let mut out = times(part("ffn_down.weight"), &inner);
            if gemma {
                out = normed(&out, part("post_ffw_norm.weight"));
            }
            xs[place].iter_mut().zip(&out).for_each(|(x, more)| *x += more);
        }
    }
    times(words, &normed(xs.last().unwrap(), sample.numbers("output_norm.weight")))
}

fn differ(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).fold(0.0, |most, (a, b)| f32::max(most, (a - b).abs()))
}

const TEXT: [u32; 9] = [3, 17, 5, 5, 31, 8, 2, 39, 11];

#[test]
fn every_kind_of_model_says_what_plain_arithmetic_says() {
    for kind in ["llama", "qwen2", "qwen3", "gemma3"] {
        let sample = sample(kind);
        let decoder = decoder(&sample);
        let (hands, mut cache) = (Hands::default(), Cache::default());
        let said = decoder.read(&TEXT, &mut cache, &hands, true).unwrap();
        let expected = plain(&sample, &TEXT);
        let largest = expected.iter().fold(0.0, |most, it| f32::max(most, it.abs()));
        assert!(differ(&said, &expected) < 0.01 * largest, "{kind}: {said:?} {expected:?}");
    }
}

#[test]
fn in_pieces_and_from_the_cache_it_says_the_same_as_at_once() {
    for kind in ["llama", "gemma3"] {
        let decoder = decoder(&sample(kind));
        let hands = Hands::default();
        let at_once = decoder.read(&TEXT, &mut Cache::default(), &hands, true).unwrap();
        let mut cache = Cache::default();
        for piece in [&TEXT[..4], &TEXT[4..5], &TEXT[5..8]] {
            assert_eq!(decoder.read(piece, &mut cache, &hands, false), None);
        }
        let last = decoder.read(&TEXT[8..], &mut cache, &hands, true).unwrap();
        assert!(differ(&at_once, &last) < 1e-4, "{kind}");
        // Something else was said; then the same again.
        assert_eq!(cache.keep_beginning(&[3, 17, 9], &decoder.shape), 2);
        decoder.read(&[9], &mut cache, &hands, false);
        assert_eq!(cache.keep_beginning(&TEXT, &decoder.shape), 2);
        let again = decoder.read(&TEXT[2..], &mut cache, &hands, true).unwrap();
        assert!(differ(&at_once, &again) < 1e-4, "{kind}");
    }
}

#[test]
fn the_last_word_is_always_read_again_or_nothing_could_be_said() {
    let decoder = decoder(&sample("llama"));
    let mut cache = Cache::default();
    decoder.read(&TEXT, &mut cache, &Hands::default(), false);
    assert_eq!(cache.keep_beginning(&TEXT, &decoder.shape), TEXT.len() - 1);
}
