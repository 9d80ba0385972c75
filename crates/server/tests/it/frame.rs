//! WebSocket frames built by hand, so that they can be wrong in any way.

pub const CONTINUATION: u8 = 0;
pub const TEXT: u8 = 1;

/// A message in one frame.
pub fn whole(kind: u8, payload: &[u8]) -> Vec<u8> {
    built(true, kind, payload)
}

pub fn built(is_last: bool, kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = header(is_last, kind, payload.len() as u64);
    bytes.extend(payload);
    bytes
}

/// What stands before the payload. The mask is zeros, which leaves the
/// payload as it is.
pub fn header(is_last: bool, kind: u8, length: u64) -> Vec<u8> {
    const LAST: u8 = 0x80;
    const MASKED: u8 = 0x80;
    const TWO_BYTES: u8 = 0x7e;
    const EIGHT_BYTES: u8 = 0x7f;
    let mut bytes = vec![if is_last { LAST | kind } else { kind }];
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(length @ 0..=125), _) => bytes.push(MASKED | length),
        (_, Ok(length)) => {
            bytes.push(MASKED | TWO_BYTES);
            bytes.extend(length.to_be_bytes());
        }
        _ => {
            bytes.push(MASKED | EIGHT_BYTES);
            bytes.extend(length.to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes
}
