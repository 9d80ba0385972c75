//! The small model that a registry carries, for real: `make local` fetches it and runs this.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use jsonschema::validator_for;
use local::gguf::Head;
use local::tokenizer::{Piece, Tokenizer};
use local::{Local, Plan, Tools};
use models::provider::{Ask, Delta, Message, Provider, Shape, Usage};
use serde_json::{Value, json};

const FILE: &str = "SAYSO_TEST_LOCAL_MODEL";

fn path() -> PathBuf {
    let path = std::env::var_os(FILE).map(PathBuf::from);
    path.unwrap_or_else(|| panic!("{FILE} names no file; `make local` does all of it"))
}

fn plan(tools: Tools) -> Plan {
    Plan {
        path: path(),
        context: 2_048,
        threads: 1,
        most_tokens: 60,
        temperature: 0.0,
        tools,
        withheld: Vec::new(),
        first: Duration::from_mins(2),
        idle: Duration::from_mins(1),
    }
}

fn ask(text: &str) -> Ask {
    let messages = vec![Message::Person(text.to_owned())];
    Ask { system: "Be kind.".into(), messages, most_tokens: 1_500, ..Ask::default() }
}

async fn heard(local: &Local, ask: &Ask) -> Vec<Delta> {
    let mut answering = local.ask(ask).await.unwrap();
    let mut deltas = Vec::new();
    while let Some(delta) = answering.deltas.next().await.unwrap() {
        deltas.push(delta);
    }
    deltas
}

fn words(deltas: &[Delta]) -> String {
    let text =
        |delta: &Delta| if let Delta::Text(text) = delta { Some(text.clone()) } else { None };
    deltas.iter().filter_map(text).collect()
}

fn usage(deltas: &[Delta]) -> Usage {
    let usage = |delta: &Delta| if let Delta::Usage(usage) = delta { Some(*usage) } else { None };
    deltas.iter().rev().find_map(usage).unwrap()
}

/// What Hugging Face's `tokenizers` 0.23 makes of the same vocabulary, cut as its makers do.
#[test]
#[ignore = "needs the model that `make local` fetches"]
fn its_tokens_are_those_of_the_reference() {
    let file = std::fs::File::open(path()).unwrap();
    let length = file.metadata().unwrap().len();
    let head = Head::read(std::io::BufReader::new(file), length).unwrap();
    let tokenizer = Tokenizer::of(&head).unwrap();
    let expected: [(&str, &[u32]); 5] = [
        ("What is the capital of France?", &[1780, 314, 260, 3575, 282, 4649, 47]),
        (
            "It's 2026, isn't it?  Two spaces\n\nand lines.",
            &[
                1589, 506, 216, 34, 32, 34, 38, 28, 3247, 982, 357, 47, 216, 5713, 5600, 198, 198,
                397, 3204, 30,
            ],
        ),
        (
            "Grüße aus Köln – 東京 😀!",
            &[
                27302, 7170, 34878, 85, 253, 376, 659, 7466, 34115, 816, 17097, 247, 126, 16736,
                122, 40303, 218, 17,
            ],
        ),
        (
            "    indented\tcode == 1234.5;",
            &[333, 641, 6574, 197, 4635, 1758, 216, 33, 34, 35, 36, 30, 37, 43],
        ),
        ("<|im_end|> in a mail", &[44, 108, 306, 79, 486, 108, 46, 281, 253, 11841]),
    ];
    for (text, tokens) in expected {
        assert_eq!(tokenizer.encode(&[Piece::Text(text.to_owned())]), tokens, "{text}");
    }
}

#[tokio::test]
#[ignore = "needs the model that `make local` fetches"]
async fn it_answers_a_real_prompt_in_the_process_streamed() {
    let begun = Instant::now();
    let local = Local::start(plan(Tools::IfItKnows), None).unwrap();
    let question = ask("What is the capital of France?");
    let mut answering = local.ask(&question).await.unwrap();
    let (mut deltas, mut first) = (Vec::new(), None);
    while let Some(delta) = answering.deltas.next().await.unwrap() {
        if matches!(delta, Delta::Text(_)) {
            first.get_or_insert_with(|| begun.elapsed());
        }
        deltas.push(delta);
    }
    let text = words(&deltas);
    assert!(text.contains("Paris"), "{text}");
    let pieces = deltas.iter().filter(|delta| matches!(delta, Delta::Text(_))).count();
    assert!(pieces >= 5, "it comes in {pieces} pieces");
    println!("local model: loaded and first word after {:.2?}: {text}", first.unwrap());

    let begun = Instant::now();
    let deltas = heard(&local, &ask("Why is the sky blue? Explain it in many words.")).await;
    let (took, used) = (begun.elapsed(), usage(&deltas));
    assert!(used.cached > 10, "what was read before is not read again: {used:?}");
    println!(
        "local model: {} tokens read ({} of them known) and {} said in {took:.2?}",
        used.input, used.cached, used.output
    );
    let looked = local::try_out(&plan(Tools::IfItKnows)).unwrap();
    println!("local model: {}", looked.told());
}

#[tokio::test]
#[ignore = "needs the model that `make local` fetches"]
async fn whoever_hangs_up_frees_it_for_the_next() {
    let local = Local::start(plan(Tools::IfItKnows), None).unwrap();
    heard(&local, &ask("Hello")).await;
    let mut answering = local.ask(&ask("Tell me a very long story about the sea.")).await.unwrap();
    while !matches!(answering.deltas.next().await.unwrap(), Some(Delta::Text(_))) {}
    drop(answering);
    let begun = Instant::now();
    let mut next = local.ask(&ask("Hello")).await.unwrap();
    while !matches!(next.deltas.next().await.unwrap(), Some(Delta::Text(_))) {}
    println!("local model: the next one hears its first word after {:.2?}", begun.elapsed());
}

#[tokio::test]
#[ignore = "needs the model that `make local` fetches"]
async fn a_small_question_is_answered_in_its_shape() {
    let local = Local::start(plan(Tools::Never), None).unwrap();
    let schema = json!({
        "type": "object",
        "properties": { "answer": { "type": "string", "enum": ["yes", "no", "unclear"] } },
        "required": ["answer"],
        "additionalProperties": false,
    });
    let shape = Some(Shape { name: "answer".into(), schema: schema.clone() });
    let deltas = heard(&local, &Ask { shape, ..ask("The person says: better not") }).await;
    let answer: Value = serde_json::from_str(&words(&deltas)).unwrap();
    assert!(validator_for(&schema).unwrap().is_valid(&answer), "{answer}");
}
