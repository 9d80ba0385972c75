//! The letters of a text, whatever program wrote it.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};

/// What a mark at the beginning says it is; else UTF-8 where it can be that, and else
/// what spreadsheets and editors of Windows write.
pub fn read(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_as_their_program_wrote_them() {
        assert_eq!(read("Müller".as_bytes()), "Müller");
        assert_eq!(read(b"\xef\xbb\xbfM\xc3\xbcller"), "Müller");
        assert_eq!(read(b"M\xfcller \x80 5"), "Müller € 5");
        assert_eq!(read(b"\xff\xfeM\0\xfc\0"), "Mü");
        assert_eq!(read(b"\xfe\xff\0M\0\xfc"), "Mü");
    }
}
