use models::provider::End;
use serde_json::json;

use super::*;
use crate::sample::{Sample, letters};

fn plan(path: &Path) -> Plan {
    Plan {
        path: path.to_owned(),
        context: 512,
        threads: 1,
        most_tokens: 20,
        temperature: 0.0,
        tools: Tools::IfItKnows,
        withheld: vec!["gmail.send".to_owned()],
        first: Duration::from_mins(1),
        idle: Duration::from_mins(1),
    }
}

fn sample() -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::with_suffix(".gguf").unwrap();
    let words = letters();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    std::fs::write(file.path(), Sample::model("llama", &words).bytes()).unwrap();
    file
}

fn ask() -> Ask {
    let messages = vec![Message::Person("he".to_owned())];
    Ask { system: "ours".into(), messages, most_tokens: 1_500, ..Ask::default() }
}

#[tokio::test]
async fn it_is_asked_like_anybody_else_and_costs_nothing() {
    let file = sample();
    let local = Local::start(plan(file.path()), Some(ask())).unwrap();
    let mut answering = local.ask(&ask()).await.unwrap();
    let mut deltas = Vec::new();
    while let Some(delta) = answering.deltas.next().await.unwrap() {
        deltas.push(delta);
    }
    assert!(matches!(deltas.last(), Some(Delta::End(End::Said | End::TooLong))), "{deltas:?}");
    let costs = deltas.iter().filter_map(|delta| match delta {
        Delta::Usage(usage) => usage.cost_micros,
        _ => None,
    });
    assert_eq!(costs.collect::<Vec<_>>(), [0, 0]);
    assert_eq!(local.examine().await, Ok(Examined { models: 1 }));
    assert!(answering.deltas.next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_file_that_cannot_be_used_is_named_to_everybody_who_asks() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "<html>not found</html>").unwrap();
    let local = Local::start(plan(file.path()), None).unwrap();
    // Whether it was looked at already or not.
    for _ in 0..2 {
        let trouble = match local.ask(&ask()).await {
            Ok(mut answering) => answering.deltas.next().await.unwrap_err(),
            Err(trouble) => trouble,
        };
        let told = trouble.to_string();
        let name = file.path().display().to_string();
        assert!(told.contains(&name) && told.contains("is no GGUF file"), "{told}");
        assert_eq!(
            (trouble.code(), trouble.lasts(), trouble.passes()),
            ("model_unusable", true, false)
        );
    }
}

#[tokio::test]
async fn few_may_wait_and_more_are_refused() {
    let file = sample();
    let local = Local::start(plan(file.path()), None).unwrap();
    let mut waiting = Vec::new();
    // One may be taken off the queue meanwhile.
    let refused = loop {
        match local.ask(&ask()).await {
            Ok(answering) => waiting.push(answering),
            Err(trouble) => break trouble,
        }
        assert!(waiting.len() < 10_000, "somebody is refused some day");
    };
    assert_eq!(refused, Trouble::TooMany { again_after: None });
    assert!(waiting.len() >= LONGEST_QUEUE);
}

#[test]
fn tools_that_write_are_not_told_of_and_none_where_it_knows_none() {
    let spec = |name: &str| ToolSpec {
        name: name.into(),
        description: "Does. And more.".into(),
        schema: json!({ "type": "object", "properties": {} }),
    };
    let ask = Ask { tools: vec![spec("gmail.search"), spec("gmail.send")].into(), ..ask() };
    let plan = plan(Path::new("x"));
    let told = question(&ask, &plan, Family::FunctionGemma);
    let names: Vec<_> = told.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!((names.as_slice(), told.system.as_str()), (["gmail__search"].as_slice(), "ours"));
    assert_eq!(told.tools[0].about, "Does.");
    assert_eq!(told.most_tokens, 20);
    let context = "Now: Monday\n\nThe person says: why?".to_owned();
    let ask = Ask { messages: vec![Message::Person(context)], ..ask };
    let told = question(&ask, &plan, Family::Gemma);
    assert_eq!((told.tools.len(), told.system.as_str()), (0, IN_WORDS));
    assert_eq!(told.messages, [Message::Person("why?".to_owned())]);
    let always = Plan { tools: Tools::Always, withheld: Vec::new(), ..plan };
    assert_eq!(question(&ask, &always, Family::Gemma).tools.len(), 2);
}
