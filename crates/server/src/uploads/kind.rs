//! What a file is, by looking at it. What it is called decides nothing but between
//! kinds of plain text.

/// The beginning that is looked at.
const HEAD: usize = 8 * 1024;

/// Formats that are taken besides text, each by the name that `infer` gives it.
const TAKEN: &[&str] = &[
    "application/pdf",
    "application/rtf",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "audio/aac",
    "audio/m4a",
    "audio/mpeg",
    "audio/ogg",
    "audio/x-flac",
    "audio/x-wav",
    "image/avif",
    "image/bmp",
    "image/gif",
    "image/heif",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "image/webp",
];

const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/// Formats that are made of text and are more than that.
const WRITTEN: &[&str] = &["application/pdf", "application/rtf", "text/html", "text/xml"];

/// What has been seen of a file so far.
#[derive(Default)]
pub struct Look {
    head: Vec<u8>,
    /// It cannot be UTF-8 text.
    is_binary: bool,
    /// The beginning of a letter that was cut between two pieces.
    cut: Vec<u8>,
}

/// A file that is not taken, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the file is empty")]
    Empty,
    #[error("this is a program ({0}); programs are not taken")]
    Program(&'static str),
    #[error("this is an archive ({0}); unpack it and hand over what is in it")]
    Archive(&'static str),
    #[error("files of this kind ({0}) are not taken")]
    NotTaken(&'static str),
    #[error("this is neither text in UTF-8 nor a picture, a document or sound that is known here")]
    Unknown,
}

/// An archive that holds what every Word document does; `infer` knows only the order in
/// which some programs write it.
fn is_word(head: &[u8]) -> bool {
    const NAME: &[u8] = b"word/document.xml";
    // The name of a file stands behind 30 bytes about it.
    let mut places = head.windows(30 + NAME.len());
    places.any(|place| place.starts_with(b"PK\x03\x04") && place.ends_with(NAME))
}

impl Look {
    pub fn see(&mut self, piece: &[u8]) {
        let room = HEAD.saturating_sub(self.head.len());
        self.head.extend_from_slice(&piece[..piece.len().min(room)]);
        if self.is_binary {
            return;
        }
        self.cut.extend_from_slice(piece);
        let letters = std::mem::take(&mut self.cut);
        let good = match std::str::from_utf8(&letters) {
            Ok(_) => letters.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => return self.is_binary = true,
        };
        self.is_binary = letters[..good].iter().any(|byte| is_odd(*byte));
        self.cut = letters[good..].to_vec();
    }

    /// What it is, once all of it was seen.
    pub fn kind(&self, name: &str) -> Result<&'static str, Refused> {
        if self.head.is_empty() {
            return Err(Refused::Empty);
        }
        let found = infer::get(&self.head);
        if !self.is_binary && self.cut.is_empty() {
            let written = found.map(|it| it.mime_type()).filter(|it| WRITTEN.contains(it));
            return Ok(written.unwrap_or_else(|| self.text(name)));
        }
        let found = found.ok_or(Refused::Unknown)?;
        let kind = found.mime_type();
        match found.matcher_type() {
            _ if TAKEN.contains(&kind) => Ok(kind),
            _ if kind == "application/zip" && is_word(&self.head) => Ok(WORD),
            infer::MatcherType::App => Err(Refused::Program(kind)),
            infer::MatcherType::Archive => Err(Refused::Archive(kind)),
            _ => Err(Refused::NotTaken(kind)),
        }
    }

    /// Which text it is.
    fn text(&self, name: &str) -> &'static str {
        let head = String::from_utf8_lossy(&self.head);
        let head = head.trim_start_matches('\u{feff}').trim_start();
        let ends = |ending: &str| name.to_lowercase().ends_with(ending);
        if begins(head, "BEGIN:VCALENDAR") {
            "text/calendar"
        } else if begins(head, "BEGIN:VCARD") {
            "text/vcard"
        } else if is_mail(head) {
            "message/rfc822"
        } else if head.starts_with(['{', '[']) && ends(".json") {
            "application/json"
        } else if ends(".csv") || is_table(head) {
            "text/csv"
        } else if ends(".md") || ends(".markdown") || is_markdown(head) {
            "text/markdown"
        } else {
            "text/plain"
        }
    }
}

/// No text has it.
fn is_odd(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
}

fn begins(head: &str, with: &str) -> bool {
    head.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

/// It begins with the lines of a mail's head, at least two of them well known.
fn is_mail(head: &str) -> bool {
    const KNOWN: [&str; 8] =
        ["from", "to", "subject", "date", "message-id", "received", "mime-version", "return-path"];
    let lines = head.lines().take_while(|line| !line.is_empty());
    let fields = lines.filter(|line| !line.starts_with([' ', '\t'])).take(40);
    let mut known = 0;
    for field in fields {
        let Some((name, _)) = field.split_once(':') else { return false };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return false;
        }
        known += usize::from(KNOWN.contains(&name.to_ascii_lowercase().as_str()));
    }
    known >= 2
}

/// At least three lines, each with the same separators, more than one of them.
fn is_table(head: &str) -> bool {
    let lines: Vec<_> = head.lines().filter(|line| !line.trim().is_empty()).take(8).collect();
    // The last line of the head may be cut.
    let lines = if lines.len() > 3 { &lines[..lines.len() - 1] } else { &lines[..] };
    [',', ';', '\t'].into_iter().any(|separator| {
        let count = |line: &&str| line.matches(separator).count();
        lines.len() >= 3
            && lines.first().is_some_and(|line| count(line) >= 1)
            && lines.iter().all(|line| Some(count(line)) == lines.first().map(count))
    })
}

fn is_markdown(head: &str) -> bool {
    let marks =
        |line: &str| line.starts_with("# ") || line.starts_with("## ") || line.starts_with("```");
    head.lines().take(40).any(marks)
}

/// Whether what a client called it is something else than what it is.
pub fn is_mislabelled(declared: &str, kind: &str) -> bool {
    let plain = |name: &str| {
        let name = name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match name.as_str() {
            "audio/wav" | "audio/wave" | "audio/vnd.wave" => "audio/x-wav".into(),
            "audio/flac" => "audio/x-flac".into(),
            "audio/mp3" => "audio/mpeg".into(),
            "audio/mp4" | "audio/x-m4a" => "audio/m4a".into(),
            "image/jpg" => "image/jpeg".into(),
            "image/heic" => "image/heif".into(),
            "image/x-ms-bmp" => "image/bmp".into(),
            "application/csv" => "text/csv".into(),
            "application/xml" => "text/xml".into(),
            "text/rtf" => "application/rtf".into(),
            _ => name,
        }
    };
    let (declared, kind) = (plain(declared), plain(kind));
    let says_nothing = declared.is_empty() || declared == "application/octet-stream";
    let is_text = |name: &str| {
        name.starts_with("text/") || matches!(name, "message/rfc822" | "application/json")
    };
    !(says_nothing || declared == kind || (is_text(&declared) && is_text(&kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(bytes: &[u8], name: &str) -> Result<&'static str, Refused> {
        let mut look = Look::default();
        // In small pieces, as from a slow line.
        bytes.chunks(3).for_each(|piece| look.see(piece));
        look.kind(name)
    }

    #[test]
    fn a_file_is_what_its_bytes_say() {
        for (bytes, name, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "a.txt", "image/png"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a", "image/jpeg"),
            (b"%PDF-1.7\n%plain", "a.doc", "application/pdf"),
            (b"RIFF\0\0\0\0WAVEfmt ", "a", "audio/x-wav"),
            (b"BEGIN:VCALENDAR\r\nVERSION:2.0", "a", "text/calendar"),
            (b"From: a@x.example\r\nSubject: hi\r\n\r\nHello", "a", "message/rfc822"),
            (b"name,age\nana,3\nbo,4\ncy,5\n", "a", "text/csv"),
            (b"# Title\n\nText", "a", "text/markdown"),
            ("Grüße, Ana\n".as_bytes(), "a.png", "text/plain"),
            (b"MZ is a name, too", "a", "text/plain"),
            (b"{\"a\": 1}", "a.json", "application/json"),
            (b"<!DOCTYPE html><p>hi", "a", "text/html"),
        ] {
            assert_eq!(kind(bytes, name), Ok(expected), "{name}");
        }
    }

    #[test]
    fn what_is_not_taken_says_why() {
        let program = kind(&[&b"\x7fELF\x02\x01\x01"[..], &[0; 60]].concat(), "cat.png");
        assert!(matches!(program, Err(Refused::Program(_))), "{program:?}");
        assert!(matches!(kind(b"MZ\x90\0\x03\0", "a"), Err(Refused::Program(_))));
        assert!(matches!(kind(b"PK\x03\x04\x14\0\0\0", "a"), Err(Refused::Archive(_))));
        assert_eq!(kind(b"", "a"), Err(Refused::Empty));
        assert_eq!(kind(b"caf\xe9 au lait", "a.txt"), Err(Refused::Unknown));
        assert_eq!(kind(b"nul \0 inside", "a.txt"), Err(Refused::Unknown));
        assert_eq!(
            kind("cut off: ü".as_bytes().split_last().unwrap().1, "a"),
            Err(Refused::Unknown)
        );
    }

    #[test]
    fn only_another_kind_is_a_wrong_label() {
        assert!(is_mislabelled("image/png", "application/pdf"));
        assert!(is_mislabelled("text/plain", "image/png"));
        assert!(!is_mislabelled("application/octet-stream", "image/png"));
        assert!(!is_mislabelled("text/plain; charset=utf-8", "text/markdown"));
        assert!(!is_mislabelled("audio/wav", "audio/x-wav"));
    }
}
