use super::*;
use crate::sample::Sample;

fn sample() -> Vec<u8> {
    Sample::model("llama", &["<|im_end|>", "a", "b"]).bytes()
}

fn read(bytes: &[u8]) -> Result<Head, BadFile> {
    Head::read(bytes, bytes.len() as u64)
}

#[test]
fn a_head_says_what_stands_in_it() {
    let bytes = sample();
    let head = read(&bytes).unwrap();
    assert_eq!(head.text("general.architecture"), Some("llama"));
    assert_eq!(head.whole("llama.block_count"), Some(crate::sample::LAYERS));
    assert_eq!(head.real("llama.attention.layer_norm_rms_epsilon"), Some(1e-5));
    assert_eq!(head.texts("tokenizer.ggml.tokens").map(<[_]>::len), Some(3));
    assert_eq!(head.text("llama.block_count"), None, "a number is no text");
    let words = &head.tensors["token_embd.weight"];
    assert_eq!((words.shape.as_slice(), words.row()), ([64, 3].as_slice(), 64));
    assert_eq!(head.weights_at % 32, 0);
}

#[test]
fn what_is_no_gguf_is_told_apart_from_what_is_cut_off() {
    let whole = sample();
    assert_eq!(read(b""), Err(BadFile::NotGguf));
    assert_eq!(read(b"<!DOCTYPE html><html>"), Err(BadFile::NotGguf));
    let mut old = whole.clone();
    old[4] = 1;
    assert_eq!(read(&old), Err(BadFile::Version(1)));
    for length in [5, 20, 200, 900] {
        let cut = read(&whole[..length]);
        assert!(matches!(cut, Err(BadFile::CutOff { .. })), "{length}: {cut:?}");
    }
}

#[test]
fn no_number_in_a_file_makes_us_set_aside_more_than_is_there() {
    let whole = sample();
    // How many tensors, how many entries, how long the first name.
    for at in [8, 16, 24] {
        let mut bytes = whole.clone();
        bytes[at..at + 8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(matches!(read(&bytes), Err(BadFile::Damaged(_))), "{at}");
    }
}

#[test]
fn garbage_anywhere_is_an_error_or_another_head_and_never_a_panic() {
    let whole = sample();
    let mut chance = 99_u64;
    for _ in 0..3_000 {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut bytes = whole.clone();
        let at = usize::try_from(chance >> 33).unwrap() % 4_000.min(bytes.len());
        bytes[at] = chance.to_le_bytes()[3];
        drop(read(&bytes).and_then(|head| crate::shape::Shape::of(&head)));
    }
}
