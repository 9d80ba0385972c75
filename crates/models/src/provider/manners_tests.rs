use serde_json::{Value, json};

use super::*;
use crate::provider::Shape;

fn manners(tongue: Tongue, model: &str) -> Manners {
    Manners::new(tongue, model, false, Effort::None)
}

fn limit(model: &str) -> &'static str {
    manners(Tongue::Chat, model).limit.name()
}

fn plan() -> Ask {
    Ask { most_tokens: 1_500, ..Ask::default() }
}

fn small() -> Ask {
    let shape = Shape { name: "answer".into(), schema: json!({ "type": "object" }) };
    Ask { most_tokens: 40, shape: Some(shape), ..Ask::default() }
}

fn refused(message: &str) -> Vec<u8> {
    json!({ "error": { "message": message } }).to_string().into_bytes()
}

fn sent(tongue: Tongue, model: &str, ask: &Ask, manners: Manners) -> Value {
    serde_json::from_str(&tongue.body(model, ask, manners)).unwrap()
}

#[test]
fn newer_models_have_their_own_word_for_the_limit_also_behind_a_gateway() {
    for model in ["gpt-5", "gpt-6-luna", "openai/gpt-5", "a/openai/o3-mini", "o1", "O4-mini"] {
        assert_eq!(limit(model), "max_completion_tokens", "{model}");
    }
    for model in ["qwen3", "gpt-4o", "llama-3", "olmo-2", "openai/gpt-4.1", "gpt-oss:20b"] {
        assert_eq!(limit(model), "max_tokens", "{model}");
    }
}

#[test]
fn everybody_who_may_think_has_room_for_it_whatever_it_is_called() {
    for (tongue, model, limit, most) in [
        (Tongue::Chat, "openai/gpt-6-luna", "/max_completion_tokens", 5_596),
        (Tongue::Chat, "a-model-of-next-year", "/max_tokens", 5_596),
        (Tongue::Responses, "gpt-5.4-mini", "/max_output_tokens", 1_500),
        (Tongue::Gemini, "gemini-2.5-flash", "/generationConfig/maxOutputTokens", 1_500),
        (Tongue::Gemini, "gemini-3.5-flash-lite", "/generationConfig/maxOutputTokens", 5_596),
        (Tongue::Anthropic, "claude-haiku-5-5", "/max_tokens", 1_500),
    ] {
        let body = sent(tongue, model, &plan(), manners(tongue, model));
        assert_eq!(body.pointer(limit), Some(&most.into()), "{model}");
    }
    let thoughtful = Manners::new(Tongue::Anthropic, "m", false, Effort::High);
    let body = sent(Tongue::Anthropic, "m", &plan(), thoughtful);
    assert_eq!(body["max_tokens"], 1_500 + 16_384);
    let body = sent(Tongue::Anthropic, "m", &small(), thoughtful);
    assert_eq!(
        (&body["max_tokens"], &body["thinking"]),
        (&json!(40), &json!({ "type": "disabled" }))
    );
}

#[test]
fn who_cannot_but_think_is_asked_to_think_as_little_as_it_can() {
    let field = |tongue, body: &Value| match tongue {
        Tongue::Chat => body["reasoning_effort"].clone(),
        Tongue::Responses => body["reasoning"].clone(),
        Tongue::Anthropic => json!([body["thinking"], body["output_config"]]),
        Tongue::Gemini => body["generationConfig"]["thinkingConfig"].clone(),
    };
    let walk = |tongue, model, at_home, refusals: &[&str]| {
        let mut manners = Manners::new(tongue, model, at_home, Effort::None);
        let mut asked = vec![field(tongue, &sent(tongue, model, &plan(), manners))];
        for refusal in refusals {
            manners = manners.after(400, &refused(refusal), model, &plan()).expect(refusal);
            asked.push(field(tongue, &sent(tongue, model, &plan(), manners)));
        }
        asked
    };

    let always = "\"thinking.type.disabled\" is not supported for this model. Use \
                  \"thinking.type.adaptive\" and \"output_config.effort\" to control thinking.";
    let neither = "adaptive thinking is not supported on this model";
    assert_eq!(
        walk(Tongue::Anthropic, "claude-opus-5-5", false, &[always, neither]),
        [
            json!([{ "type": "disabled" }, null]),
            json!([{ "type": "adaptive" }, { "effort": "low" }]),
            json!([null, null]),
        ]
    );

    let values = "Unsupported value: 'none' is not supported with the 'gpt-5' model. Supported \
                  values are: 'minimal', 'low', 'medium', and 'high'. (reasoning.effort)";
    let unknown = "Unsupported parameter: 'reasoning.effort' is not supported with this model.";
    assert_eq!(
        walk(Tongue::Responses, "gpt-5", true, &[values, unknown]),
        [json!({ "effort": "none" }), json!({ "effort": "minimal" }), Value::Null]
    );
    let chat = "Unrecognized request argument supplied: reasoning_effort";
    assert_eq!(walk(Tongue::Chat, "gpt-4o", true, &[chat]), [json!("none"), Value::Null]);

    for minimal in [
        "'minimal' is not a supported thinking level for this model. Allowed values are: medium, \
         low, high.",
        "Thinking level MINIMAL is not supported for this model.",
        "Thinking level is unsupported: THINKING_LEVEL_MINIMAL",
    ] {
        assert_eq!(
            walk(Tongue::Gemini, "gemini-3.8-flash", false, &[minimal]),
            [json!({ "thinkingLevel": "minimal" }), json!({ "thinkingLevel": "low" })]
        );
    }
    let budget = "Budget 0 is invalid. This model only works in thinking mode.";
    assert_eq!(
        walk(Tongue::Gemini, "gemini-2.5-pro", false, &[budget]),
        [json!({ "thinkingBudget": 0 }), json!({ "thinkingBudget": 2_048 })]
    );
}

#[test]
fn who_takes_tools_only_where_it_need_not_think_is_asked_not_to() {
    let low = Manners::new(Tongue::Chat, "gpt-6-luna", true, Effort::Low);
    let said = "Function tools with reasoning_effort are not supported for gpt-6-luna in \
                /v1/chat/completions. Please use /v1/responses instead.";
    let otherwise = low.after(400, &refused(said), "gpt-6-luna", &plan()).unwrap();
    assert_eq!(sent(Tongue::Chat, "gpt-6-luna", &plan(), otherwise)["reasoning_effort"], "none");
}

#[test]
fn what_was_refused_for_its_name_is_sent_under_the_other_and_nothing_else_is() {
    let chat = manners(Tongue::Chat, "m");
    let other = Manners { limit: Limit::CompletionTokens, ..chat };
    let after = |manners: Manners, status, body: &[u8]| manners.after(status, body, "m", &plan());
    let openai = b"{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not \
        supported with this model. Use 'max_completion_tokens' instead.\"}}";
    assert_eq!(after(chat, 400, openai), Some(other));
    let strict = b"{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\
        \"max_completion_tokens\"]}]}";
    assert_eq!(after(other, 422, strict), Some(chat));
    assert_eq!(after(chat, 500, openai), None);
    assert_eq!(after(manners(Tongue::Anthropic, "m"), 400, openai), None);
}

#[test]
fn who_has_no_room_for_thoughts_is_asked_for_none() {
    let chat = manners(Tongue::Chat, "m");
    let vllm = refused(
        "This model's maximum context length is 8192 tokens. However, you requested 9600 tokens.",
    );
    let tight = chat.after(400, &vllm, "m", &plan()).unwrap();
    assert_eq!(sent(Tongue::Chat, "m", &plan(), tight)["max_tokens"], 1_500);
    assert_eq!(tight.after(400, &vllm, "m", &plan()), None, "it is really too long");
}

#[test]
fn what_a_server_does_not_know_is_not_sent_again() {
    for (named, field) in [
        ("Unknown field: stream_options", "stream_options"),
        ("This response_format type is unavailable now", "response_format"),
    ] {
        let chat = manners(Tongue::Chat, "m");
        assert!(sent(Tongue::Chat, "m", &small(), chat).get(field).is_some(), "{field}");
        let otherwise = chat.after(422, &refused(named), "m", &small()).unwrap();
        assert_eq!(sent(Tongue::Chat, "m", &small(), otherwise).get(field), None, "{field}");
        assert_eq!(otherwise.after(422, &refused(named), "m", &small()), None, "{field}");
    }
    let responses = Manners::new(Tongue::Responses, "gpt-4.1", true, Effort::Low);
    let sealed = refused("Encrypted content is not supported with this model.");
    let otherwise = responses.after(400, &sealed, "gpt-4.1", &plan()).unwrap();
    assert_eq!(sent(Tongue::Responses, "gpt-4.1", &plan(), otherwise).get("include"), None);
}

#[test]
fn who_cannot_be_told_of_tools_is_told_of_none() {
    let chat = manners(Tongue::Chat, "gemma3:1b");
    let after = |manners: Manners, status, said: &str| {
        manners.after(status, &refused(said), "gemma3:1b", &plan())
    };
    let ollama = "gemma3:1b does not support tools";
    let without = chat.without(Field::Tools);
    assert_eq!(after(chat, 400, ollama), Some(without));
    let openrouter = "No endpoints found that support tool use.";
    assert_eq!(after(chat, 404, openrouter), Some(without));
    assert_eq!(after(without, 400, ollama), None);
}
