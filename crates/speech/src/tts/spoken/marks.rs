//! Marks that are for the eye: markdown and emoji are taken out, in place.
//!
//! Every byte keeps its position, so that whatever is said later still knows
//! where in the text it stands.

/// Stands where a mark inside a word was; it does not part the word.
pub const GONE: char = '\0';

/// `text` with marks taken out: as many bytes, the same words at the same places.
pub fn without_marks(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        clear_line(body, &mut bytes[start..start + body.len()]);
        start += line.len();
    }
    clear_emoji(text, &mut bytes);
    String::from_utf8(bytes).expect("only whole characters were overwritten")
}

fn clear_line(line: &str, bytes: &mut [u8]) {
    let inner = line.trim_start();
    let indent = line.len() - inner.len();
    let rule = inner.len() >= 3 && inner.bytes().all(|b| b"-=*_|: ".contains(&b));
    if rule || inner.starts_with("```") {
        bytes.fill(b' ');
        return;
    }
    let heading = inner.bytes().take_while(|b| *b == b'#').count();
    let bullet = ["- ", "* ", "+ ", "• ", "> "].into_iter().find(|mark| inner.starts_with(mark));
    let lead = match (heading, bullet) {
        (1.., _) if inner[heading..].starts_with(' ') => heading,
        (_, Some(mark)) => mark.len() - 1,
        _ => 0,
    };
    bytes[indent..indent + lead].fill(b' ');
    clear_links(line, bytes);
    clear_emphasis(line, bytes);
}

/// "[text](address)" is read as its text.
fn clear_links(line: &str, bytes: &mut [u8]) {
    let mut from = 0;
    while let Some(open) = line[from..].find('[').map(|at| from + at) {
        let Some(middle) = line[open..].find("](").map(|at| open + at) else { return };
        let Some(close) = line[middle..].find(')').map(|at| middle + at) else { return };
        bytes[open] = 0;
        bytes[middle..=close].fill(0);
        if open > 0 && line.as_bytes()[open - 1] == b'!' {
            bytes[open - 1] = 0;
        }
        from = close;
    }
}

fn clear_emphasis(line: &str, bytes: &mut [u8]) {
    for (at, byte) in line.bytes().enumerate() {
        let beside = |at: Option<usize>| {
            at.and_then(|at| line.as_bytes().get(at)).is_some_and(u8::is_ascii_alphanumeric)
        };
        let (before, after) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
        match byte {
            b'`' => bytes[at] = 0,
            // "3 * 4" and "snake_case" keep theirs.
            b'*' if before
                || after
                || line[at..].starts_with("**")
                || line[..at].ends_with('*') =>
            {
                bytes[at] = 0;
            }
            b'_' if before != after => bytes[at] = 0,
            b'|' if bytes[at] != 0 => bytes[at] = b',',
            _ => {}
        }
    }
}

fn clear_emoji(text: &str, bytes: &mut [u8]) {
    for (at, c) in text.char_indices() {
        let emoji = matches!(u32::from(c),
            0x1F000..=0x1FAFF | 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0xFE00..=0xFE0F | 0x200B..=0x200D | 0xE0000..=0xE007F | 0x20E3 | 0xFEFF);
        if emoji {
            bytes[at..at + c.len_utf8()].fill(b' ');
        }
    }
}
