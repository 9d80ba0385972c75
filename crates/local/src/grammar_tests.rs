use serde_json::json;

use super::*;

fn tool() -> Tool {
    let takes = Argument::of(&json!({
        "type": "object",
        "properties": {
            "pace": { "type": "string", "enum": ["slower", "faster"] },
            "query": { "type": "string", "maxLength": 50 },
        },
        "required": ["query"],
    }));
    Tool { name: "gmail__search".into(), about: "Finds.".into(), takes }
}

#[test]
fn json_calls_name_each_tool_with_its_own_schema() {
    let expected = "start: \"\\n\" body \"\\n\"\nbody: body0\nbody0: \"{\\\"name\\\": \
        \\\"gmail__search\\\", \\\"arguments\\\": \" args0 \"}\"\nargs0: %json {\"type\":\"object\",\
        \"properties\":{\"pace\":{\"type\":\"string\",\"enum\":[\"slower\",\"faster\"]},\"query\":\
        {\"type\":\"string\",\"maxLength\":50}},\"required\":[\"query\"],\"additionalProperties\":\
        false,\"x-guidance\":{\"whitespace_flexible\":false,\"item_separator\":\", \",\
        \"key_separator\":\": \"}}\n";
    assert_eq!(inside(Notation::Json, &[tool()]), expected);
}

#[test]
fn escaped_calls_have_their_fields_in_order_and_may_leave_some_out() {
    let expected = "start: r10\nTEXT50: /[^\\x00-\\x1F]{0,50}/\nr0: <escape> TEXT50 <escape>\n\
        r1: \"query:\" r0\nr2: r1 \"\"\nr3: \",\" r1 \"\"\nr4: <escape> (\"slower\" | \"faster\") \
        <escape>\nr5: \"pace:\" r4\nr6: r5 r3 | r2\nr7: \",\" r5 r3 | r3\nr8: \"{\" r6 \"}\"\n\
        r10: \"call:gmail__search\" r8\n";
    let written = inside(Notation::Escaped, &[tool()]);
    let rules: Vec<_> = written.lines().collect();
    assert!(rules[0].starts_with("start: r") && rules.len() > 10, "{written}");
    for rule in expected.lines().filter(|rule| rule.contains('"')) {
        let what = rule.split_once(": ").unwrap().1;
        assert!(rules.iter().any(|known| known.ends_with(what)), "{what} in {written}");
    }
}
