//! A server frame in one line that a person reads at a glance.

use serde_json::Value;

pub(super) fn brief(frame: &str) -> String {
    let envelope: Value = serde_json::from_str(frame).expect("the server sends JSON");
    let payload = &envelope["payload"];
    let text = |field: &str| payload[field].as_str().unwrap_or_default().to_owned();
    let kind = envelope["event_type"].as_str().unwrap_or_default();
    let details = match kind {
        "turn.start" if payload["follows"].is_string() => {
            format!("{}, follows an earlier turn", text("input_mode"))
        }
        "turn.start" if payload["goes_on"].is_string() => {
            format!("{}, the rest of what was said", text("input_mode"))
        }
        "turn.start" => text("input_mode"),
        "confirmation.request" => {
            let codes = payload["warnings"].as_array().into_iter().flatten();
            let codes: Vec<_> = codes.filter_map(|warning| warning["code"].as_str()).collect();
            let warns =
                if codes.is_empty() { String::new() } else { format!(" ({})", codes.join(", ")) };
            let (revision, shown) = (&payload["revision"], &payload["payload"]);
            format!("r{revision} {}{warns} {shown}", text("action_type"))
        }
        "confirmation.updated" => {
            format!("r{} {} {}", payload["revision"], payload["changed"], payload["payload"])
        }
        "confirmation.resolved" => {
            format!("r{} {} by {}", payload["revision"], text("decision"), text("channel"))
        }
        "confirmation.expired" => format!("r{}", payload["revision"]),
        "state.change" => format!("{} -> {} ({})", text("from"), text("to"), text("reason")),
        "turn.end" => {
            let code = payload["error_code"].as_str().map(|code| format!(" {code}"));
            let tier = payload["tier"].as_str().map(|tier| format!(" by {tier}"));
            [Some(text("outcome")), code, tier].into_iter().flatten().collect()
        }
        "input_transcript.final" if payload["more"] == true => {
            format!("{} and more", payload["text"])
        }
        "input_transcript.delta"
        | "input_transcript.final"
        | "assistant_text.delta"
        | "assistant_text.final" => payload["text"].to_string(),
        "tool_call.request" => format!(
            "{} {} {} {}",
            text("tool_name"),
            text("mode"),
            text("action_level"),
            payload["arguments"]
        ),
        "tool_call.result" if payload["state"].is_string() => {
            match payload["error"]["code"].as_str() {
                Some(code) => format!("{} {code}", text("state")),
                None => format!("{} {}", text("state"), payload["output"]),
            }
        }
        "tool_call.result" => match payload["error"]["code"].as_str() {
            Some(code) => format!("{code}: {}", payload["error"]["message"].as_str().unwrap_or("")),
            None => result(&payload["output"]),
        },
        "tool_call.queued" => text("message"),
        "tool_call.progress" => {
            let far = payload["progress"].as_f64().unwrap_or_default() * 100.0;
            format!("{far:.0} % {}", text("message"))
        }
        "plan.update" => plan(payload),
        "session.resumed" => text("state"),
        "error" => format!("{} \"{}\"", text("code"), text("user_message")),
        _ => String::new(),
    };
    format!("{kind} {details}").trim_end().to_owned()
}

/// `any_write: gmail.search done, gmail.send asking; recipient_email?`
fn plan(payload: &Value) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let progress = list(&payload["progress"]);
    let steps = list(&payload["steps"]).into_iter().zip(progress).map(|(step, progress)| {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        format!("{} {}", word(&step["tool"]), word(&progress["status"]))
    });
    let steps = steps.collect::<Vec<_>>().join(", ");
    let missing = list(&payload["missing_fields"]);
    let missing = missing.iter().map(|field| format!("; {}?", field.as_str().unwrap_or("")));
    let unclear = payload["ambiguity"].as_object().into_iter().flatten();
    let unclear = unclear.map(|(what, names)| format!("; {what} {names}"));
    let open = missing.chain(unclear).collect::<Vec<_>>().concat();
    format!("{}: {steps}{open}", payload["reason"].as_str().unwrap_or(""))
}

/// Long lists are counted, everything else is shown.
fn result(output: &Value) -> String {
    let count =
        |field: &str| output[field].as_array().map(|list| format!("ok, {} {field}", list.len()));
    let counted =
        ["messages", "events", "slots", "memories", "jobs", "stopped"].into_iter().find_map(count);
    if let Some(name) = output["name"].as_str().filter(|_| output["file_id"].is_string()) {
        let problem = output["problem"].as_str();
        let passages = output["passages"].as_array().map_or(0, Vec::len);
        let found = problem.map_or_else(|| format!("{passages} passages"), str::to_owned);
        return format!("ok, {name}: {found}");
    }
    counted.unwrap_or_else(|| match output["message"]["subject"].as_str() {
        Some(subject) => format!("ok, {subject:?}"),
        // What a job brought is told in full a moment later.
        None if output["text"].is_string() => "ok, in words".to_owned(),
        None => format!("ok {output}"),
    })
}
