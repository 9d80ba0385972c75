//! How deeply a JSON text is nested, without parsing it.

/// Deeper frames are refused before a parser sees them.
pub const DEEPEST: usize = 32;

/// Whether brackets are ever open more than [`DEEPEST`] deep. Text that is not
/// JSON gets some answer; the parser refuses it afterwards.
pub fn is_too_deep(json: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in json.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_is_counted_and_brackets_in_strings_are_not() {
        assert!(!is_too_deep(&format!("{}{}", "[".repeat(32), "]".repeat(32))));
        assert!(is_too_deep(&"[".repeat(33)));
        assert!(!is_too_deep(&format!("\"{}\"", "[".repeat(99))));
        assert!(!is_too_deep(&format!(r#""\"{}""#, "{".repeat(99))));
    }
}
