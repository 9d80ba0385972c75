use super::*;
use crate::gguf::Entry;
use crate::sample::{Sample, letters};

fn head(entries: &[(&str, Entry)]) -> Head {
    let entry = |(name, entry): &(&str, Entry)| (format!("tokenizer.ggml.{name}"), entry.clone());
    Head { entries: entries.iter().map(entry).collect(), ..Head::default() }
}

fn texts(texts: &[&str]) -> Entry {
    Entry::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
}

fn numbers(numbers: &[f64]) -> Entry {
    Entry::Numbers(numbers.to_vec())
}

/// A vocabulary of pieces with scores, as Gemma has it.
fn pieces() -> Tokenizer {
    let words = [
        "<bos>",
        "<eos>",
        "<end_of_turn>",
        "▁",
        "h",
        "e",
        "l",
        "o",
        "he",
        "ll",
        "hell",
        "▁hello",
        "\n\n",
        "<0xC3>",
        "<0xBC>",
        "\n",
        "hello",
    ];
    let scores: Vec<f64> = (0_u32..17).map(|at| -f64::from(at)).collect();
    let mut kinds = vec![1.0; words.len()];
    (kinds[0], kinds[1], kinds[2], kinds[12]) = (3.0, 3.0, 3.0, 4.0);
    (kinds[13], kinds[14]) = (6.0, 6.0);
    let head = head(&[
        ("model", Entry::Text("llama".into())),
        ("tokens", texts(&words)),
        ("scores", numbers(&scores)),
        ("token_type", numbers(&kinds)),
        ("bos_token_id", Entry::Whole(0)),
        ("eos_token_id", Entry::Whole(1)),
        ("add_space_prefix", Entry::Yes(false)),
    ]);
    Tokenizer::of(&head).unwrap()
}

fn pairs() -> Tokenizer {
    let words = letters();
    let sample = Sample::model("llama", &words.iter().map(String::as_str).collect::<Vec<_>>());
    let bytes = sample.bytes();
    Tokenizer::of(&Head::read(bytes.as_slice(), bytes.len() as u64).unwrap()).unwrap()
}

fn back(tokenizer: &Tokenizer, tokens: &[u32]) -> String {
    let bytes: Vec<u8> = tokens.iter().flat_map(|token| tokenizer.bytes(*token)).copied().collect();
    String::from_utf8(bytes).unwrap()
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

#[test]
fn pieces_are_merged_by_their_scores_and_unknown_letters_are_bytes() {
    let tokenizer = pieces();
    // he (-8) before ll (-9), then hell (-10); "hello" needs hell and o.
    assert_eq!(tokenizer.encode(&[text("hello")]), [0, 16]);
    assert_eq!(tokenizer.encode(&[text("hell o")]), [0, 10, 3, 7]);
    assert_eq!(tokenizer.encode(&[text("ü\n\n")]), [0, 13, 14, 12]);
    assert_eq!(tokenizer.encode(&[text(" hello")]), [0, 11]);
    assert_eq!(back(&tokenizer, &[11, 13, 14]), " helloü");
}

#[test]
fn what_people_say_never_becomes_a_mark() {
    let tokenizer = pieces();
    let end = tokenizer.mark("<end_of_turn>").unwrap();
    assert_eq!(tokenizer.encode(&[Piece::Mark("<end_of_turn>")]), [0, end]);
    assert!(!tokenizer.encode(&[text("<end_of_turn>")]).contains(&end));
    let tokenizer = pairs();
    let end = tokenizer.mark("<|im_end|>").unwrap();
    let said = tokenizer.encode(&[text("he<|im_end|>")]);
    assert!(!said.contains(&end));
    assert_eq!(back(&tokenizer, &said), "he<|im_end|>");
}

#[test]
fn a_mark_that_a_vocabulary_has_not_is_spelled() {
    let tokenizer = pairs();
    let spelled = tokenizer.encode(&[text("a"), Piece::Mark("<think>"), text("b")]);
    assert_eq!(back(&tokenizer, &spelled), "a<think>b");
}

#[test]
fn byte_pairs_hold_every_text() {
    let tokenizer = pairs();
    for said in ["the he", "  Grüße – 東京 😀\n\n", "It's 2026", "\u{0}\t\u{7f}\u{ad}"] {
        let tokens = tokenizer.encode(&[text(said)]);
        assert_eq!(back(&tokenizer, &tokens), said);
    }
    let he = tokenizer.encode(&[text("he")]);
    assert_eq!(he.len(), 1, "h and e are one");
}

#[test]
fn words_are_cut_as_each_kind_of_model_learnt_it() {
    let cut = |rules: &[&str], text: &'static str| {
        let rules: Vec<_> = rules.iter().map(|rule| Regex::new(rule).unwrap()).collect();
        split(text, &rules)
    };
    let said = "It's 2026:  two";
    assert_eq!(cut(&[DIGIT, WORDS], said), ["It", "'s", " ", "2", "0", "2", "6", ":", " ", " two"]);
    assert_eq!(cut(&[WORDS], said), ["It", "'s", " 2026", ":", " ", " two"]);
    assert_eq!(cut(&[QWEN], "a 12\n\nb"), ["a", " ", "1", "2", "\n\n", "b"]);
    assert_eq!(cut(&[LLAMA], "a 1234\n b"), ["a", " ", "123", "4", "\n", " b"]);
}

#[test]
fn a_file_without_a_tokenizer_is_told_what_is_missing() {
    let why = |entries: &[(&str, Entry)]| Tokenizer::of(&head(entries)).err().unwrap().to_string();
    assert!(why(&[]).contains("it names none"));
    let named = ("model", Entry::Text("gpt2".into()));
    assert!(why(std::slice::from_ref(&named)).contains("no words"));
    let words = ("tokens", texts(&["a"]));
    assert!(why(&[named.clone(), words.clone()]).contains("no merges"));
    let pre = ("pre", Entry::Text("deepseek".into()));
    assert!(why(&[named, words.clone(), ("merges", texts(&[])), pre]).contains("deepseek"));
    assert!(why(&[("model", Entry::Text("bert".into())), words]).contains("bert"));
}
