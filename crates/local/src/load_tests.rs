use std::io::Write;

use super::*;
use crate::gguf::Entry;
use crate::sample::Sample;

const WORDS: [&str; 4] = ["<|im_end|>", "<|im_start|>", "a", "b"];

fn looked(bytes: &[u8]) -> Result<Opened, BadFile> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Opened::look(file.path(), 128)
}

fn why(bytes: &[u8]) -> BadFile {
    looked(bytes).and_then(Opened::load).err().expect("it cannot be used")
}

#[test]
fn a_whole_file_is_loaded_and_its_memory_is_known_before() {
    let opened = looked(&Sample::model("llama", &WORDS).bytes()).unwrap();
    let weights: u64 = opened.head.tensors.values().map(|tensor| tensor.len() as u64).sum();
    let cache = 128 * 2 * 4 * (7 * 32);
    assert_eq!(opened.needed, weights + weights / 8 + cache + 4 * 256 + BESIDES);
    assert_eq!(opened.load().unwrap().words.rows(), WORDS.len());
}

#[test]
fn what_is_wrong_with_a_file_is_told_apart() {
    let path = Path::new("/nowhere/at/all.gguf");
    assert_eq!(Opened::look(path, 128).err(), Some(BadFile::Missing));
    let sample = Sample::model("llama", &WORDS);
    let whole = sample.bytes();
    let length = whole.len() as u64;
    let cut = BadFile::CutOff { there: length - 10, needed: length };
    assert_eq!(why(&whole[..whole.len() - 10]), cut);

    let mut other = sample.clone();
    other.entry("general.architecture", Entry::Text("mamba".into()));
    assert_eq!(why(&other.bytes()), BadFile::Architecture("mamba".into()));
    let mut silent = sample.clone();
    silent.without("llama.embedding_length");
    assert!(why(&silent.bytes()).to_string().contains("llama.embedding_length"));
    let mut partly = sample.clone();
    partly.without("blk.3.ffn_up.weight");
    assert!(why(&partly.bytes()).to_string().contains("blk.3.ffn_up.weight"));
    let mut other = sample;
    other.entry("llama.feed_forward_length", Entry::Whole(64));
    assert!(why(&other.bytes()).to_string().contains("should be"));
}

#[test]
fn a_folder_stands_for_the_only_file_in_it() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(found(folder.path()), Err(BadFile::Folder(0)));
    let file = folder.path().join("functiongemma.gguf");
    std::fs::write(&file, "").unwrap();
    std::fs::write(folder.path().join("README.md"), "").unwrap();
    assert_eq!(found(folder.path()), Ok(file));
    std::fs::write(folder.path().join("other.gguf"), "").unwrap();
    assert_eq!(found(folder.path()), Err(BadFile::Folder(2)));
}
