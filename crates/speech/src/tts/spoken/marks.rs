//! Marks that are for the eye: markdown and emoji are taken out, in place, and letters
//! and digits of other forms are written plainly.
//!
//! Every byte keeps its position, so that whatever is said later still knows
//! where in the text it stands.

use super::forms;

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
    clear_unseen(text, &mut bytes);
    write_plainly(text, &mut bytes);
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
            // "3 * 4", "5*3", "2**3" and "snake_case" keep theirs.
            b'*' if before && after => {}
            b'*' if is_power(line, at) => {}
            b'*' if before
                || after
                || line[at..].starts_with("**")
                || line[..at].ends_with('*') =>
            {
                bytes[at] = 0;
            }
            b'~' if line[at..].starts_with("~~") || line[..at].ends_with('~') => bytes[at] = 0,
            b'_' if before != after => bytes[at] = 0,
            b'|' if bytes[at] != 0 => bytes[at] = b',',
            _ => {}
        }
    }
}

/// "2**3": two stars between digits are no emphasis.
fn is_power(line: &str, at: usize) -> bool {
    let start = if line[..at].ends_with('*') { at - 1 } else { at };
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    line[start..].starts_with("**")
        && digit(line[..start].chars().next_back())
        && digit(line[start + 2..].chars().next())
}

/// Emoji and lines that are drawn part words; joiners and hyphens that nobody sees do not.
fn clear_unseen(text: &str, bytes: &mut [u8]) {
    for (at, c) in text.char_indices() {
        let place = at..at + c.len_utf8();
        match u32::from(c) {
            // Numbers in a circle are among the emoji.
            0x2776..=0x2793 => {}
            0x1F000..=0x1FAFF
            | 0x2500..=0x27BF
            | 0x2B00..=0x2BFF
            | 0xFE00..=0xFE0F
            | 0xE0000..=0xE007F
            | 0x20E3 => bytes[place].fill(b' '),
            0x00AD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2069 | 0xFEFF => {
                bytes[place].fill(0);
            }
            _ => {}
        }
    }
}

fn write_plainly(text: &str, bytes: &mut [u8]) {
    for (at, c) in text.char_indices() {
        if let Some(plain) = forms::plain(c) {
            let place = &mut bytes[at..at + c.len_utf8()];
            place.fill(0);
            place[..plain.len()].copy_from_slice(plain.as_bytes());
        }
    }
}
