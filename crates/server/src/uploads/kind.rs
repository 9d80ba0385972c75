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
    /// It has something that no text of Windows has.
    is_odd: bool,
    /// All of it, and those that are no letters of English.
    bytes: u64,
    high: u64,
    /// Somewhere in it a part of an archive is called as in every Word document.
    has_document: bool,
    /// The end of the last piece, for what lies across two.
    tail: Vec<u8>,
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
    #[error("not a kind of file that can be read here; a PDF or plain text (UTF-8) can")]
    Unknown,
}

/// The part that every Word document has; `infer` knows only the order in which some
/// programs write it.
const DOCUMENT: &[u8] = b"word/document.xml";
/// The name of a part stands behind so many bytes about it.
const BEFORE_NAME: usize = 30;

/// More than so many of a hundred letters with accents are another alphabet, which
/// nobody can tell from its bytes.
const MOST_ACCENTS: u64 = 25;

impl Look {
    pub fn see(&mut self, piece: &[u8]) {
        let room = HEAD.saturating_sub(self.head.len());
        self.head.extend_from_slice(&piece[..piece.len().min(room)]);
        self.see_letters(piece);
        self.see_parts(piece);
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

    /// What Windows never writes into a text.
    fn see_letters(&mut self, piece: &[u8]) {
        const HOLES: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
        self.bytes += piece.len() as u64;
        self.high += piece.iter().filter(|byte| **byte >= 0x80).count() as u64;
        self.is_odd |= piece.iter().any(|byte| is_odd(*byte) || HOLES.contains(byte));
    }

    fn see_parts(&mut self, piece: &[u8]) {
        if self.has_document || !self.head.starts_with(b"PK") {
            return;
        }
        self.tail.extend_from_slice(piece);
        let long = BEFORE_NAME + DOCUMENT.len();
        let is_it = |part: &[u8]| part.starts_with(b"PK\x03\x04") && part.ends_with(DOCUMENT);
        self.has_document = self.tail.windows(long).any(is_it);
        let seen = self.tail.len().saturating_sub(long - 1);
        self.tail.drain(..seen);
    }

    /// Text, but not in UTF-8: with the mark of UTF-16, or as Windows writes it.
    fn is_older_text(&self) -> bool {
        if self.head.starts_with(b"\xff\xfe") || self.head.starts_with(b"\xfe\xff") {
            let is_big = self.head[0] == 0xfe;
            let letter = |two: &[u8]| {
                let two = [two[0], two[1]];
                if is_big { u16::from_be_bytes(two) } else { u16::from_le_bytes(two) }
            };
            let odd = |two: &[u8]| u8::try_from(letter(two)).is_ok_and(is_odd);
            return self.bytes.is_multiple_of(2) && !self.head.chunks_exact(2).any(odd);
        }
        // What was cut in the middle of a letter is torn, not old.
        self.is_binary && !self.is_odd && self.high * 100 <= self.bytes * MOST_ACCENTS
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
        if found.is_none() && self.is_older_text() {
            return Ok(self.text(name));
        }
        let found = found.ok_or(Refused::Unknown)?;
        let kind = found.mime_type();
        match found.matcher_type() {
            _ if TAKEN.contains(&kind) => Ok(kind),
            _ if kind == "application/zip" && self.has_document => Ok(WORD),
            infer::MatcherType::App => Err(Refused::Program(kind)),
            infer::MatcherType::Archive => Err(Refused::Archive(kind)),
            _ => Err(Refused::NotTaken(kind)),
        }
    }

    /// Which text it is.
    fn text(&self, name: &str) -> &'static str {
        // The marks that tell kinds of text apart are all plain.
        let plain: Vec<u8> = self.head.iter().copied().filter(|byte| *byte != 0).collect();
        let head = String::from_utf8_lossy(&plain);
        let head = head.trim_start_matches('\u{fffd}').trim_start_matches('\u{feff}').trim_start();
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
        // "Monday, call Tom": a comma with a blank behind it is one of a sentence.
        let written = |line: &&str| line.matches(", ").count() == count(line);
        lines.len() >= 3
            && !(separator == ',' && lines.iter().all(written))
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
        assert_eq!(kind(b"nul \0 inside", "a.txt"), Err(Refused::Unknown));
        assert_eq!(
            kind("cut off: ü".as_bytes().split_last().unwrap().1, "a"),
            Err(Refused::Unknown)
        );
    }

    #[test]
    fn what_windows_writes_is_text_too() {
        assert_eq!(kind(b"caf\xe9 au lait", "a.txt"), Ok("text/plain"));
        assert_eq!(kind(b"name;betrag\nM\xfcller;1,5\n", "a.csv"), Ok("text/csv"));
        assert_eq!(kind(b"\xff\xfeh\0i\0", "a.txt"), Ok("text/plain"));
        assert_eq!(kind(b"\xfe\xff\0h\0i", "a.csv"), Ok("text/csv"));
        let mail = b"From: a@x.example\r\nSubject: hi\r\n\r\nGr\xfc\xdfe";
        assert_eq!(kind(mail, "a.eml"), Ok("message/rfc822"));
        // Another alphabet would be read as nonsense.
        assert_eq!(kind(b"\xcf\xf0\xe8\xe2\xe5\xf2", "a.txt"), Err(Refused::Unknown));
    }

    #[test]
    fn a_list_of_sentences_is_no_table() {
        let list = b"Monday, call Tom\nTuesday, pay the rent\nWednesday, rest\nThursday, run\n";
        assert_eq!(kind(list, "todo.txt"), Ok("text/plain"));
        assert_eq!(kind(list, "todo.csv"), Ok("text/csv"));
    }

    #[test]
    fn a_document_is_known_wherever_its_text_lies() {
        let part = |name: &str, body: &[u8]| {
            let mut part = b"PK\x03\x04\x14\0\0\0".to_vec();
            part.resize(BEFORE_NAME, 0);
            part.extend_from_slice(name.as_bytes());
            part.extend_from_slice(body);
            part
        };
        let picture = part("media/image1.png", &vec![7; 50_000]);
        let late = [picture.clone(), part("word/document.xml", b"<w:document/>")].concat();
        assert_eq!(kind(&late, "a.docx"), Ok(WORD));
        assert!(matches!(kind(&picture, "a.docx"), Err(Refused::Archive(_))));
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
