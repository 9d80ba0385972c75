//! A mail that was saved to a file.

use std::borrow::Cow;

use brain::facts::Person;
use brain::paper::{Enclosed, MailHead, Paper};
use jiff::Timestamp;
use mail_parser::{Addr, Address, MessageParser, MimeHeaders, PartType};

use crate::paper::{Filling, line};
use crate::text::paragraphs;
use crate::{Unreadable, letters};

/// Addresses of one kind that are told.
const MOST_PEOPLE: usize = 50;
/// Things that came with it that are told.
const MOST_ENCLOSED: usize = 50;

pub fn read(bytes: &[u8]) -> Result<Paper, Unreadable> {
    const TORN: Unreadable = Unreadable::Broken("mail", "it has no head");
    let bytes = readable(bytes);
    let message = MessageParser::default().parse(&*bytes).ok_or(TORN)?;
    let head = MailHead {
        from: message.from().map(people).unwrap_or_default().into_iter().next(),
        to: message.to().map(people).unwrap_or_default(),
        cc: message.cc().map(people).unwrap_or_default(),
        subject: message.subject().and_then(line),
        sent_at: message.date().and_then(|at| Timestamp::from_second(at.to_timestamp()).ok()),
        enclosed: message.attachments().take(MOST_ENCLOSED).map(enclosed).collect(),
    };
    if head.from.is_none() && head.subject.is_none() {
        return Err(TORN);
    }
    let mut filling = Filling::default();
    for at in 0..message.text_body_count() {
        if let Some(text) = message.body_text(at) {
            paragraphs(&mut filling, &text);
        }
    }
    filling.paper.title.clone_from(&head.subject);
    filling.paper.mail = Some(head);
    Ok(filling.done())
}

/// Names in a head that is not in UTF-8 are in what Windows writes. What is below says
/// itself what it is in.
fn readable(bytes: &[u8]) -> Cow<'_, [u8]> {
    let ends = |end: &[u8]| bytes.windows(end.len()).position(|here| here == end);
    let head = ends(b"\r\n\r\n").or_else(|| ends(b"\n\n")).unwrap_or(bytes.len());
    match letters::read(&bytes[..head]) {
        Cow::Borrowed(_) => Cow::Borrowed(bytes),
        Cow::Owned(read) => Cow::Owned([read.as_bytes(), &bytes[head..]].concat()),
    }
}

fn people(list: &Address<'_>) -> Vec<Person> {
    let person = |one: &Addr<'_>| {
        let address = one.address.as_deref().and_then(line)?;
        Some(Person { name: one.name.as_deref().and_then(line), address })
    };
    list.iter().filter_map(person).take(MOST_PEOPLE).collect()
}

/// It is named and never opened, also where it is another mail.
fn enclosed(part: &mail_parser::MessagePart<'_>) -> Enclosed {
    let kind = part.content_type();
    let media_type = kind.map_or_else(
        || "application/octet-stream".to_owned(),
        |kind| match kind.subtype() {
            Some(subtype) => format!("{}/{subtype}", kind.ctype()).to_lowercase(),
            None => kind.ctype().to_lowercase(),
        },
    );
    let subject = match &part.body {
        PartType::Message(message) => message.subject(),
        _ => None,
    };
    let name = part.attachment_name().or(subject).and_then(line);
    let bytes = u64::try_from(part.len()).unwrap_or(u64::MAX);
    let name = name.unwrap_or_else(|| "something without a name".to_owned());
    Enclosed { name, media_type: line(&media_type).unwrap_or_default(), bytes }
}

#[cfg(test)]
mod tests {
    use brain::paper::Place;

    use super::*;

    const MAIL: &str = "From: Priya Nair <priya@brightloom.example>\r\nTo: maya@sayso.example\r\n\
        Subject: =?UTF-8?Q?The_caf=C3=A9?=\r\nDate: Mon, 16 Nov 2026 09:00:00 +0100\r\n\
        MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
        --x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nShall we meet at noon?\r\n\r\n\
        Best, Priya\r\n--x\r\nContent-Type: application/pdf; name=menu.pdf\r\n\
        Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=menu.pdf\r\n\r\n\
        SGVsbG8=\r\n--x--\r\n";

    #[test]
    fn a_mail_has_a_head_a_text_and_what_came_with_it() {
        let paper = read(MAIL.as_bytes()).unwrap();
        let head = paper.mail.unwrap();
        assert_eq!(head.from.unwrap().called(), "Priya Nair");
        assert_eq!(head.subject.as_deref(), Some("The café"));
        assert_eq!(head.sent_at.unwrap().to_string(), "2026-11-16T08:00:00Z");
        let menu =
            Enclosed { name: "menu.pdf".into(), media_type: "application/pdf".into(), bytes: 5 };
        assert_eq!(head.enclosed, [menu]);
        let texts: Vec<_> = paper.parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts, ["Shall we meet at noon?", "Best, Priya"]);
        assert_eq!(paper.parts[0].place, Place::Line(1));
    }

    #[test]
    fn a_mail_within_a_mail_within_a_mail_ends() {
        let mut mail = "From: a@x.example\r\nSubject: core\r\n\r\nhi\r\n".to_owned();
        for level in 0..2_000 {
            mail = format!(
                "From: a@x.example\r\nSubject: level {level}\r\nMIME-Version: 1.0\r\n\
                 Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\n\
                 Content-Type: message/rfc822\r\n\r\n{mail}\r\n--b{level}--\r\n"
            );
        }
        let head = read(mail.as_bytes()).unwrap().mail.unwrap();
        assert_eq!(head.subject.as_deref(), Some("level 1999"));
        assert_eq!(head.enclosed.len(), 1);
    }

    #[test]
    fn a_mail_of_windows_keeps_its_letters() {
        let mail = b"From: J\xfcrgen <j@x.example>\r\nSubject: Gr\xfc\xdfe\r\n\
            Content-Type: text/plain; charset=iso-8859-1\r\n\
            Content-Transfer-Encoding: 8bit\r\n\r\nF\xfcr K\xf6ln.\r\n";
        let paper = read(mail).unwrap();
        let head = paper.mail.unwrap();
        assert_eq!(head.from.unwrap().called(), "J\u{fc}rgen");
        assert_eq!(head.subject.as_deref(), Some("Gr\u{fc}\u{df}e"));
        assert_eq!(paper.parts[0].text, "F\u{fc}r K\u{f6}ln.");
    }

    #[test]
    fn what_has_no_head_is_no_mail() {
        assert!(read(b"just some words").is_err());
    }
}
