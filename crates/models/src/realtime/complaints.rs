//! What a live voice did not like, by name. Pure.
//!
//! The name becomes a label of a figure, so there is a list: what somebody else writes may be
//! anything, and each new one would be a figure of its own for ever.

/// The names that are known; there may be others.
const KNOWN: [&str; 13] = [
    "conversation_already_has_active_response",
    "input_audio_buffer_commit_empty",
    "invalid_api_key",
    "invalid_event",
    "invalid_tool_call_id",
    "invalid_value",
    "item_delete_invalid_item_id",
    "item_truncate_invalid_item_id",
    "missing_required_parameter",
    "rate_limit_exceeded",
    "response_cancel_not_active",
    "session_expired",
    "unknown_parameter",
];

/// A name out of the list.
pub(super) fn named(code: &str) -> &'static str {
    KNOWN.into_iter().find(|known| *known == code).unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_somebody_complains_of_goes_by_one_of_a_few_names() {
        assert_eq!(named("invalid_value"), "invalid_value");
        assert_eq!(named("request 8f3a failed"), "other");
        assert_eq!(named(""), "other");
    }
}
