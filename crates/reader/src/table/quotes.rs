//! Quotation marks that are opened and never closed.

/// Where a quoted cell begins that does not end where it should. One that runs over
/// lines and ends in the middle of a cell was closed by the next one's beginning.
pub fn unclosed(text: &[u8], separator: u8) -> Option<usize> {
    let mut at = 0;
    let mut starts = true;
    while at < text.len() {
        if starts && text[at] == b'"' {
            let Some((end, over_lines)) = closing(text, at + 1) else { return Some(at) };
            let is_clean =
                text.get(end).is_none_or(|sign| [separator, b'\n', b'\r'].contains(sign));
            if over_lines && !is_clean {
                return Some(at);
            }
            at = end;
            starts = false;
            continue;
        }
        starts = text[at] == separator || text[at] == b'\n' || text[at] == b'\r';
        at += 1;
    }
    None
}

/// Where the cell goes on behind its closing mark, and whether it ran over lines.
fn closing(text: &[u8], from: usize) -> Option<(usize, bool)> {
    let mut at = from;
    let mut over_lines = false;
    loop {
        match (text.get(at)?, text.get(at + 1)) {
            (b'"', Some(b'"')) => at += 2,
            (b'"', _) => return Some((at + 1, over_lines)),
            (sign, _) => {
                over_lines |= *sign == b'\n';
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_that_is_never_closed_is_found() {
        for closed in
            ["a,b\n", "\"a, \"\"b\"\"\",1\n", "\"two\nlines\",2\n", "5\" pipe,1\n", "\"\""]
        {
            assert_eq!(unclosed(closed.as_bytes(), b','), None, "{closed}");
        }
        for (open, at) in
            [("a,\"ok,1\nb,2\n", 2), ("a,\"ok,1\nb,\"fine\",2\n", 2), ("\"", 0), ("a,\"\"\"", 2)]
        {
            assert_eq!(unclosed(open.as_bytes(), b','), Some(at), "{open}");
        }
    }
}
