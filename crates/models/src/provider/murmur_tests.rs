use serde_json::json;

use super::super::Tongue;
use super::*;

/// What is told of an answer that comes in these pieces.
fn told(habit: &Arc<Habit>, pieces: &[&str], end: &str) -> Vec<String> {
    let mut murmur = Murmur::new(Tongue::Chat.reader(), Arc::clone(habit));
    let mut told = Vec::new();
    let texts = pieces.iter().map(|text| json!({ "choices": [{ "delta": { "content": text } }] }));
    let over = json!({ "choices": [{ "delta": {}, "finish_reason": end }] });
    for chunk in texts.chain([over]) {
        let deltas = murmur.read(&chunk).unwrap();
        told.extend(deltas.into_iter().filter_map(|delta| match delta {
            Delta::Text(text) => Some(text),
            _ => None,
        }));
    }
    told
}

fn new(model: &str) -> Arc<Habit> {
    Arc::new(Habit::of(model))
}

/// The same, cut at every place there is.
fn however_cut(model: &str, text: &str, end: &str) -> String {
    let whole = told(&new(model), &[text], end).concat();
    for (at, _) in text.char_indices() {
        let cut = told(&new(model), &[&text[..at], &text[at..]], end).concat();
        assert_eq!(cut, whole, "{text} at {at}");
    }
    let letters: Vec<String> = text.chars().map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    assert_eq!(told(&new(model), &letters, end).concat(), whole, "{text} by letters");
    whole
}

#[test]
fn words_of_whoever_keeps_thoughts_to_itself_pass_as_they_come() {
    let habit = new("small-1");
    for pieces in [
        vec!["Paris", " is", " the", " capital", "."],
        vec!["Three", " mails", " from", " Ana", "."],
        vec!["3", " < ", "4", "."],
        vec!["{\"answer\"", ": \"2\"}"],
    ] {
        assert_eq!(told(&habit, &pieces, "stop"), pieces);
    }
}

#[test]
fn what_stands_between_marks_is_told_to_nobody() {
    for text in [
        "<think>Ana earns too much</think>\n\nThree mails.",
        "\n<thinking>Ana earns too much</thinking>Three mails.",
        "[THINK]Ana earns too much[/THINK]Three mails.",
        "<seed:think>Ana earns too much</seed:think>Three mails.",
        "◁think▷Ana earns too much◁/think▷Three mails.",
        "<|channel>thought\nAna earns too much<channel|>Three mails.",
        "<|channel|>analysis<|message|>Ana earns too much<|end|><|start|>assistant<|channel|>final\
         <|message|>Three mails.",
        "analysisAna earns too much.assistantfinalThree mails.",
    ] {
        assert_eq!(however_cut("small-1", text, "stop"), "Three mails.", "{text}");
    }
    for text in ["<think>Ana earns too much", "analysisWe count mails"] {
        assert_eq!(however_cut("small-1", text, "length"), "", "{text}");
        assert_eq!(however_cut("small-1", text, "stop"), "", "{text}");
    }
}

#[test]
fn a_thought_whose_beginning_the_template_swallowed_is_told_to_nobody_where_its_model_is_known() {
    for model in ["deepseek-r1:8b", "Qwen/QwQ-32B", "qwen3-30b-a3b-thinking-2507"] {
        let text = "Ana earns too much.\n</think>\n\nThree mails.";
        assert_eq!(however_cut(model, text, "stop"), "Three mails.", "{model}");
        assert_eq!(however_cut(model, "Ana earns too", "length"), "", "{model}");
        assert_eq!(however_cut(model, "Ana earns too", "tool_calls"), "", "{model}");
    }
}

#[test]
fn a_thought_that_sounds_like_one_is_told_to_nobody_whoever_thinks_it() {
    for opening in [
        "Okay, the user wants to know who wrote.",
        "Alright, the user just said hello.",
        "Hmm, so the user is asking about mail.",
        "We need to answer in one sentence.",
        "Okay, let me think about it.",
        "User asks for mails.",
    ] {
        let text = format!("{opening} Ana earns too much.</think>Three mails.");
        assert_eq!(however_cut("small-1", &text, "stop"), "Three mails.", "{text}");
        // It was an answer after all.
        assert_eq!(however_cut("small-1", opening, "stop"), opening);
        assert_eq!(however_cut("small-1", opening, "length"), "");
    }
    for text in ["The user manual is on page 3.", "So", "Okay, three.", "We need milk.", "The"] {
        assert_eq!(however_cut("small-1", text, "stop"), text);
    }
}

#[test]
fn who_was_heard_to_think_aloud_is_not_heard_again() {
    let habit = new("my-own-tune");
    let pieces = ["Ana earns too much.", "</thi", "nk>", "Three mails."];
    assert_eq!(told(&habit, &pieces, "stop").concat(), pieces.concat(), "nobody could know");
    for _ in 0..5 {
        assert_eq!(told(&habit, &pieces, "stop"), ["Three mails."]);
    }
    // One without a thought is told when it is over.
    assert_eq!(told(&habit, &["Two", " mails."], "stop"), ["Two mails."]);
    assert_eq!(told(&habit, &pieces, "stop"), ["Three mails."]);
}

#[test]
fn a_mark_that_is_quoted_holds_nobody_back() {
    let habit = new("my-own-tune");
    for pieces in [
        vec!["Leo writes: bring tea ", "</think>", " and cake."],
        vec!["Leo writes: bring tea </think> and cake."],
        vec!["A thought ends with `</think", ">`."],
    ] {
        assert_eq!(told(&habit, &pieces, "stop"), pieces);
        assert_eq!(told(&habit, &["Two", " mails."], "stop"), ["Two", " mails."]);
    }
}

#[test]
fn who_thought_aloud_once_is_heard_word_by_word_again_after_a_while() {
    let habit = new("my-own-tune");
    let pieces = ["Ana earns too much.\n", "</think>", "\n\nThree mails."];
    told(&habit, &pieces, "stop");
    let plain = (0..100).take_while(|_| told(&habit, &["Two", " mails."], "stop").len() == 1);
    assert_eq!(plain.count(), 6);
    // And believed less the next time.
    told(&habit, &pieces, "stop");
    let plain = (0..100).take_while(|_| told(&habit, &["Two", " mails."], "stop").len() == 1);
    assert_eq!(plain.count(), 12);
}

#[test]
fn a_name_that_says_that_it_does_not_think_is_believed() {
    for model in ["grok-4-fast-non-reasoning", "nvidia/llama-3.1-nemotron-70b-instruct"] {
        assert_eq!(told(&new(model), &["Two", " mails."], "stop"), ["Two", " mails."], "{model}");
    }
    assert_eq!(told(&new("grok-4-fast-reasoning"), &["Two", " mails."], "stop").len(), 1);
}

#[test]
fn who_is_known_for_thoughts_and_has_none_is_soon_heard_word_by_word() {
    let habit = new("deepseek-r1");
    for _ in 0..ENOUGH {
        assert_eq!(told(&habit, &["Two", " mails."], "stop"), ["Two mails."]);
    }
    assert_eq!(told(&habit, &["Two", " mails."], "stop"), ["Two", " mails."]);
}

#[test]
fn who_tells_thoughts_apart_from_words_is_heard_word_by_word() {
    let habit = new("deepseek-r1");
    let mut murmur = Murmur::new(Tongue::Chat.reader(), habit);
    let thought = json!({ "choices": [{ "delta": { "reasoning_content": "hm" } }] });
    assert_eq!(murmur.read(&thought).unwrap(), []);
    let word = json!({ "choices": [{ "delta": { "content": "Two" } }] });
    assert_eq!(murmur.read(&word).unwrap(), [Delta::Text("Two".into())]);
}

#[test]
fn a_thought_is_a_sign_of_work_and_does_not_fill_the_memory() {
    let mut murmur = Murmur::new(Tongue::Chat.reader(), new("deepseek-r1"));
    let chunk = json!({ "choices": [{ "delta": { "content": "é and so on ".repeat(500) } }] });
    for seen in 1..=50 {
        assert_eq!(murmur.read(&chunk).unwrap(), []);
        assert_eq!(murmur.thoughts(), seen);
    }
    let Stage::Thinks { held, .. } = &murmur.stage else { panic!("it thinks") };
    assert!(held.len() <= LONGEST_HELD);
    let over = json!({ "choices": [{ "delta": { "content": "</think>Two." } }] });
    assert_eq!(murmur.read(&over).unwrap(), [Delta::Text("Two.".into())]);
}

#[test]
fn an_answer_that_comes_as_one_whole_is_told_without_its_thoughts() {
    let text = "Ana earns too much.</think>\nThree mails.";
    let whole = json!({ "choices": [{ "finish_reason": "stop", "message": { "content": text } }] });
    let mut murmur = Murmur::new(Tongue::Chat.reader(), new("small-1"));
    let told = murmur.read_whole(&whole).unwrap();
    assert_eq!(told, [Delta::Text("Three mails.".into()), Delta::End(End::Said)]);
}
