//! Why a model did not answer, and what to do about it. Keys are never in it.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

/// More of what a provider says helps nobody.
const LONGEST_REASON: usize = 200;
/// Whoever refuses somebody for who they are speaks of one of these.
const KEYS: [&str; 4] = ["api key", "api_key", "credential", "authenticat"];

/// Grouped by what comes next, not by where it came from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    #[error("does not take the key; set one that is valid")]
    WrongKey,
    #[error("has no model called {0}; name one that it has under [models]")]
    NoModel(String),
    #[error("has nothing there that answers as a model would; does the base address need /v1?")]
    Nowhere,
    #[error("says that the account has nothing left; look at its billing")]
    NothingLeft,
    #[error("has had too many requests; it may take more later")]
    TooMany { again_after: Option<Duration> },
    #[error("is overloaded or out of order ({status}); it is asked again later")]
    Overloaded { status: u16, again_after: Option<Duration> },
    #[error("cannot be reached: {0}; look at the network and the address")]
    Away(String),
    #[error("did not {0} in time; it is asked again later")]
    Slow(&'static str),
    #[error("did not take the request: {0}")]
    Refused(String),
    #[error("answered something that is no answer: {0}")]
    Garbage(String),
    #[error("stopped in the middle of its answer")]
    CutOff,
    #[error("answered nothing")]
    Nothing,
    #[error("would not let this be answered")]
    Withheld,
    #[error("failed a moment ago and is not asked again yet")]
    Resting,
    #[error("cannot be used: {0}")]
    Unusable(String),
    #[error("nobody is set up to be asked; set a key such as OPENAI_API_KEY")]
    Nobody,
}

impl Trouble {
    /// For records and figures.
    pub fn code(&self) -> &'static str {
        match self {
            Self::WrongKey => "model_wrong_key",
            Self::NoModel(_) | Self::Nowhere => "model_missing",
            Self::NothingLeft => "model_quota",
            Self::TooMany { .. } => "model_busy",
            Self::Overloaded { .. } => "model_overloaded",
            Self::Away(_) => "model_unreachable",
            Self::Slow(_) => "model_timeout",
            Self::Refused(_) => "model_refused",
            Self::Garbage(_) => "model_garbage",
            Self::CutOff => "model_cut_off",
            Self::Nothing => "model_empty",
            Self::Withheld => "model_withheld",
            Self::Resting => "model_resting",
            Self::Unusable(_) => "model_unusable",
            Self::Nobody => "model_none",
        }
    }

    /// The same request may fare better in a moment.
    pub fn passes(&self) -> bool {
        match self {
            Self::TooMany { .. }
            | Self::Overloaded { .. }
            | Self::Away(_)
            | Self::Slow(_)
            | Self::Garbage(_)
            | Self::CutOff => true,
            Self::WrongKey
            | Self::NoModel(_)
            | Self::Nowhere
            | Self::NothingLeft
            | Self::Refused(_)
            | Self::Nothing
            | Self::Withheld
            | Self::Resting
            | Self::Unusable(_)
            | Self::Nobody => false,
        }
    }

    /// The next sentence would fare no better until somebody mends it.
    pub fn lasts(&self) -> bool {
        match self {
            Self::WrongKey
            | Self::NoModel(_)
            | Self::Nowhere
            | Self::NothingLeft
            | Self::Unusable(_) => true,
            Self::TooMany { .. }
            | Self::Overloaded { .. }
            | Self::Away(_)
            | Self::Slow(_)
            | Self::Refused(_)
            | Self::Garbage(_)
            | Self::CutOff
            | Self::Nothing
            | Self::Withheld
            | Self::Resting
            | Self::Nobody => false,
        }
    }

    pub fn again_after(&self) -> Option<Duration> {
        match self {
            Self::TooMany { again_after } | Self::Overloaded { again_after, .. } => *again_after,
            _ => None,
        }
    }

    /// What a refusal means, in whatever words it comes.
    pub fn of(status: u16, body: &[u8], again_after: Option<Duration>, model: &str) -> Self {
        // Somebody who is no model says something else: a proxy, a web server.
        let is_foreign = !body.trim_ascii().is_empty()
            && (is_page(body) || serde_json::from_slice::<Value>(body).is_err());
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        // Gemini answers in a list where it was asked for a stream of them.
        let error = body.get(0).unwrap_or(&body).get("error").unwrap_or(&body);
        let word = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
        let (code, kind, message) = (word("code"), word("type"), word("message"));
        // Ollama has no more than a text.
        let message = error.as_str().unwrap_or(message);
        let kind = if kind.is_empty() { word("status") } else { kind };
        let about = |what: &str| message.to_lowercase().contains(what);
        let limits = Limits::in_error(error);
        let again_after = again_after.or(limits.again_after);
        match status {
            403 if about("moderation") || about("flagged") => Self::Withheld,
            403 if is_foreign => Self::Refused("refused by something in between (403)".to_owned()),
            403 if about("country") && about("not supported") => Self::Refused(shortened(message)),
            403 if code == "model_not_found" || about("access to model") => {
                Self::NoModel(model.to_owned())
            }
            // A key may be right and still not be for this.
            403 if !message.is_empty() && !KEYS.iter().any(|word| about(word)) => {
                Self::Refused(shortened(message))
            }
            401 | 403 => Self::WrongKey,
            400 if about("api key not valid") || about("invalid api key") => Self::WrongKey,
            402 => Self::NothingLeft,
            429 if limits.of_a_minute => Self::TooMany { again_after },
            429 if limits.of_a_day
                || code == "insufficient_quota"
                || about("check your plan and billing") =>
            {
                Self::NothingLeft
            }
            400 if about("credit balance is too low") => Self::NothingLeft,
            // The model is there; whoever runs it may not be given what people say.
            404 if about("data policy") || about("no allowed providers") => {
                Self::Refused(shortened(message))
            }
            404 if message.is_empty() || about("invalid url") => Self::Nowhere,
            404 => Self::NoModel(model.to_owned()),
            400 if code == "model_not_found" || about("not a valid model") => {
                Self::NoModel(model.to_owned())
            }
            429 => Self::TooMany { again_after },
            408 | 500..=599 => Self::Overloaded { status, again_after },
            _ => {
                let said = [message, kind].into_iter().find(|said| !said.is_empty());
                Self::Refused(said.map_or_else(|| format!("it answered {status}"), shortened))
            }
        }
    }

    /// What a provider says in the middle of a stream that had begun well.
    pub fn in_stream(error: &Value) -> Self {
        let word = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
        let status = error.get("code").and_then(Value::as_u64).unwrap_or_default();
        let kind = format!("{} {} {}", word("type"), word("code"), word("status"));
        if kind.contains("overloaded") || kind.contains("server_error") || status >= 500 {
            let status = u16::try_from(status).ok().filter(|it| *it >= 500).unwrap_or(529);
            return Self::Overloaded { status, again_after: None };
        }
        if kind.contains("rate_limit") || kind.contains("RESOURCE_EXHAUSTED") || status == 429 {
            return Self::TooMany { again_after: Limits::in_error(error).again_after };
        }
        let said = error.as_str().unwrap_or(word("message"));
        let said = Some(said).filter(|said| !said.is_empty());
        Self::Refused(said.map_or_else(|| "it says that it failed".to_owned(), shortened))
    }
}

/// What Google says of a limit besides words, which are the same for all of them.
#[derive(Default)]
struct Limits {
    of_a_minute: bool,
    of_a_day: bool,
    again_after: Option<Duration>,
}

impl Limits {
    fn in_error(error: &Value) -> Self {
        let mut limits = Self::default();
        let listed = |value: &Value, name: &str| {
            value.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
        };
        for detail in listed(error, "details") {
            let wait = detail["retryDelay"].as_str().and_then(|text| text.strip_suffix('s'));
            let wait = wait.and_then(|text| text.parse::<f64>().ok()).filter(|wait| *wait >= 0.0);
            let wait = wait.map(|wait| Duration::from_secs_f64(wait.min(LONGEST_WAIT_S)));
            limits.again_after = limits.again_after.or(wait);
            for violation in listed(&detail, "violations") {
                let id = violation["quotaId"].as_str().unwrap_or_default();
                limits.of_a_minute |= id.contains("PerMinute");
                limits.of_a_day |= id.contains("PerDay");
            }
        }
        // What lasts until tomorrow is not over in a minute.
        limits.of_a_minute &= !limits.of_a_day;
        limits
    }
}

/// Whether this is for people to look at.
pub fn is_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}

/// What somebody else wrote, fit for one line; nothing in it looks like a key.
pub fn shortened(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_long = bare.len() >= 16 && bare.bytes().any(|byte| byte.is_ascii_digit());
        let is_key = bare.starts_with("sk-") || bare.starts_with("AIza") || bare.contains("***");
        if is_long || is_key { "(…)" } else { word }
    });
    let text = words.collect::<Vec<_>>().join(" ");
    text.chars().filter(|c| !c.is_control()).take(LONGEST_REASON).collect()
}

/// No wait that somebody asks for is longer.
const LONGEST_WAIT_S: f64 = 86_400.0;

/// `retry-after-ms`, or `Retry-After` in seconds or as the time from which on to try again.
pub fn again_after(header: impl Fn(&str) -> Option<String>, now: Timestamp) -> Option<Duration> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|it| *it >= 0.0);
    let ms = header("retry-after-ms").and_then(|text| number(&text)).map(|ms| ms / 1000.0);
    let told = || {
        let text = header("retry-after")?;
        number(&text).or_else(|| until(&text, now))
    };
    let seconds = ms.or_else(told)?;
    Some(Duration::from_secs_f64(seconds.min(LONGEST_WAIT_S)))
}

/// How many seconds until then; nothing of one that is over.
fn until(date: &str, now: Timestamp) -> Option<f64> {
    let then = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date.trim()).ok()?;
    let seconds = then.duration_since(now).as_secs_f64();
    (seconds > 0.0).then_some(seconds)
}

/// What a provider calls a request, and behind it what a gateway before it does: each finds
/// it in a record of its own.
pub fn request_id(header: impl Fn(&str) -> Option<String>) -> Option<String> {
    const PROVIDERS: [&str; 4] =
        ["x-request-id", "request-id", "x-generation-id", "x-goog-request-id"];
    const GATEWAYS: [&str; 2] = ["cf-aig-log-id", "cf-aig-event-id"];
    let first = |names: &[&str]| names.iter().find_map(|name| plain(&header(name)?));
    match (first(&PROVIDERS), first(&GATEWAYS)) {
        (Some(provider), Some(gateway)) => Some(format!("{provider} {gateway}")),
        (provider, gateway) => provider.or(gateway),
    }
}

/// A name that somebody else gave, fit for a record.
pub fn plain(id: &str) -> Option<String> {
    let fits = |c: &char| c.is_ascii_graphic();
    Some(id.chars().filter(fits).take(128).collect()).filter(|id: &String| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(status: u16, body: &Value) -> Trouble {
        Trouble::of(status, body.to_string().as_bytes(), None, "m-1")
    }

    #[test]
    fn every_provider_s_refusals_are_told_apart() {
        let openai = |code: &str| json!({ "error": { "message": "No.", "code": code } });
        let gemini = |message: &str| json!([{ "error": { "code": 400, "message": message } }]);
        for (status, body, expected) in [
            (401, openai("invalid_api_key"), Trouble::WrongKey),
            (404, openai("model_not_found"), Trouble::NoModel("m-1".into())),
            (429, openai("insufficient_quota"), Trouble::NothingLeft),
            (429, openai("rate_limit_exceeded"), Trouble::TooMany { again_after: None }),
            (402, openai(""), Trouble::NothingLeft),
            (500, json!("no JSON at all"), Trouble::Overloaded { status: 500, again_after: None }),
            (529, json!({}), Trouble::Overloaded { status: 529, again_after: None }),
            (400, gemini("API key not valid. Please pass one."), Trouble::WrongKey),
            (400, openai(""), Trouble::Refused("No.".into())),
            (418, json!(null), Trouble::Refused("it answered 418".into())),
        ] {
            assert_eq!(of(status, &body), expected, "{status} {body}");
        }
    }

    #[test]
    fn a_limit_of_a_minute_is_over_in_a_minute_and_one_of_a_day_is_not() {
        let gemini = |quota: &str| {
            json!([{ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED",
                "message": "You exceeded your current quota, please check your plan and billing \
                            details.",
                "details": [
                    { "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{
                        "quotaMetric": "generate_content_free_tier_requests",
                        "quotaId": quota }] },
                    { "@type": "type.googleapis.com/google.rpc.RetryInfo",
                        "retryDelay": "34.5s" },
                ] } }])
        };
        let busy = Trouble::TooMany { again_after: Some(Duration::from_millis(34_500)) };
        assert_eq!(of(429, &gemini("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")), busy);
        let spent = of(429, &gemini("GenerateRequestsPerDayPerProjectPerModel-FreeTier"));
        assert_eq!(spent, Trouble::NothingLeft);
    }

    #[test]
    fn what_one_sentence_was_refused_for_is_neither_the_key_nor_the_model() {
        let openrouter = |message: &str| json!({ "error": { "message": message } });
        let flagged = "openai/gpt-5 requires moderation on OpenAI. Your input was flagged for \
                       \"violence\".";
        assert_eq!(of(403, &openrouter(flagged)), Trouble::Withheld);
        let policy = "No endpoints found matching your data policy (Free model publication).";
        assert_eq!(of(404, &openrouter(policy)), Trouble::Refused(policy.into()));
        let late = Trouble::Overloaded { status: 408, again_after: None };
        assert_eq!(of(408, &openrouter("Request timed out")), late);
        assert!(late.passes());
    }

    #[test]
    fn a_key_that_is_right_and_not_for_this_is_not_called_wrong() {
        let openai = json!({ "error": {
            "code": "model_not_found",
            "message": "Project `p` does not have access to model `m-1`",
        }});
        assert_eq!(of(403, &openai), Trouble::NoModel("m-1".into()));
        let off = "Generative Language API has not been used in project 42 before or it is \
                   disabled.";
        let gemini = json!({ "error": { "status": "PERMISSION_DENIED", "message": off } });
        assert_eq!(of(403, &gemini), Trouble::Refused(off.into()));
        let anthropic = json!({ "error": {
            "type": "permission_error",
            "message": "Your API key does not have permission to use the specified resource.",
        }});
        assert_eq!(of(403, &anthropic), Trouble::WrongKey);
    }

    #[test]
    fn what_looks_like_a_key_is_never_repeated() {
        let body = json!({ "error": {
            "message": "Incorrect API key provided: sk-proj-abcdef0123456789. See AIzaSyCanary123",
        }});
        let told = of(400, &body).to_string();
        assert!(!told.contains("0123456789") && !told.contains("Canary"), "{told}");
        assert!(told.contains("Incorrect API key provided"), "{told}");
    }

    #[test]
    fn how_long_to_wait_is_read_in_seconds_in_milliseconds_and_as_a_time() {
        let now: Timestamp = "2026-10-21T07:27:30Z".parse().unwrap();
        let wait = |name: &'static str, value: &'static str| {
            again_after(move |asked| (asked == name).then(|| value.to_owned()), now)
        };
        assert_eq!(wait("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(wait("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        let at = |date| wait("retry-after", date);
        assert_eq!(at("Wed, 21 Oct 2026 07:28:00 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(at("Wed, 21 Oct 2026 07:27:00 GMT"), None, "that is over");
        assert_eq!(at("Fri, 21 Oct 2039 07:28:00 GMT"), Some(Duration::from_hours(24)));
        assert_eq!(at("soon"), None);
        assert_eq!(wait("retry-after", "-1"), None);
    }

    #[test]
    fn what_is_no_model_is_told_from_one_that_is_missing() {
        let page = b" <html><body>nginx</body></html>";
        let of = |status, body: &[u8]| Trouble::of(status, body, None, "m-1");
        assert_eq!(of(404, page), Trouble::Nowhere);
        assert_eq!(of(404, b"404 page not found"), Trouble::Nowhere);
        assert_eq!(of(404, b"{\"detail\":\"Not Found\"}"), Trouble::Nowhere);
        let url = b"{\"error\":{\"message\":\"Invalid URL (POST /chat/completions)\"}}";
        assert_eq!(of(404, url), Trouble::Nowhere);
        let ollama = b"{\"error\":\"model 'm-1' not found, try pulling it first\"}";
        assert_eq!(of(404, ollama), Trouble::NoModel("m-1".into()));
        assert!(Trouble::Nowhere.to_string().ends_with("does the base address need /v1?"));
        let between = Trouble::Refused("refused by something in between (403)".into());
        assert_eq!(of(403, page), between);
        assert_eq!(of(403, b"{\"error\":{\"message\":\"Bad API key\"}}"), Trouble::WrongKey);
        assert_eq!(of(403, b""), Trouble::WrongKey);
    }

    #[test]
    fn an_error_that_is_a_text_is_told_shortened() {
        let text = "model requires more system memory (8.0 GiB) than is available";
        assert_eq!(of(400, &json!({ "error": text })), Trouble::Refused(text.into()));
        assert_eq!(Trouble::in_stream(&json!(text)), Trouble::Refused(text.into()));
        let Trouble::Refused(told) = of(400, &json!({ "error": "word ".repeat(100) })) else {
            panic!("it is refused");
        };
        assert_eq!(told.chars().count(), LONGEST_REASON);
    }

    #[test]
    fn a_gateway_s_name_of_a_request_is_kept_too() {
        let header = |name: &str| (name == "cf-aig-log-id").then(|| "01J\r\nX".to_owned());
        assert_eq!(request_id(header).as_deref(), Some("01JX"));
    }
}
