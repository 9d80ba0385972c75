//! Pictures: how large they are and when they were taken. Nobody looks at them.

use std::io::Cursor;

use brain::paper::{Paper, Picture};
use exif::{In, Tag, Value};
use jiff::civil::DateTime;

use crate::Unreadable;
use crate::paper::line;

pub fn read(bytes: &[u8], media_type: &str) -> Result<Paper, Unreadable> {
    const TORN: Unreadable = Unreadable::Broken("picture", "it does not say how large it is");
    let size = imagesize::blob_size(bytes).map_err(|_| TORN)?;
    let side = |side: usize| u32::try_from(side).ok().filter(|side| *side > 0).ok_or(TORN);
    let (width, height) = (side(size.width)?, side(size.height)?);
    // One note that means nothing leaves the others as they are.
    let notes = exif::Reader::new()
        .continue_on_error(true)
        .read_from_container(&mut Cursor::new(bytes))
        .or_else(|error| error.distill_partial_result(|_| {}))
        .ok();
    let turned = notes.as_ref().is_some_and(is_turned);
    let (width, height) = if turned { (height, width) } else { (width, height) };
    let format = match media_type {
        "image/png" => "PNG",
        "image/gif" => "GIF",
        "image/webp" => "WebP",
        _ => "JPEG",
    };
    let taken_at = notes.as_ref().and_then(taken_at);
    let camera = notes.as_ref().and_then(camera);
    let spot = notes.as_ref().and_then(spot);
    let picture = Picture { width, height, format: format.into(), taken_at, turned, camera, spot };
    Ok(Paper { picture: Some(picture), ..Paper::default() })
}

/// "Canon EOS R6"; some say their maker twice.
fn camera(notes: &exif::Exif) -> Option<String> {
    let (maker, model) = (said(notes, Tag::Make), said(notes, Tag::Model));
    match (maker, model) {
        (Some(maker), Some(model)) if !model.starts_with(&maker) => {
            Some(format!("{maker} {model}"))
        }
        (maker, model) => model.or(maker),
    }
}

fn said(notes: &exif::Exif, tag: Tag) -> Option<String> {
    let field = notes.get_field(tag, In::PRIMARY)?;
    let Value::Ascii(texts) = &field.value else { return None };
    line(&String::from_utf8_lossy(texts.first()?))
}

fn spot(notes: &exif::Exif) -> Option<String> {
    let north = angle(notes, Tag::GPSLatitude, 90.0)?;
    let east = angle(notes, Tag::GPSLongitude, 180.0)?;
    let side =
        |tag, one: &str, other: &str| said(notes, tag).filter(|side| side == one || side == other);
    let ns = side(Tag::GPSLatitudeRef, "N", "S")?;
    let ew = side(Tag::GPSLongitudeRef, "E", "W")?;
    Some(format!("{north:.4}° {ns}, {east:.4}° {ew}"))
}

/// Degrees, minutes and seconds in one number.
fn angle(notes: &exif::Exif, tag: Tag, most: f64) -> Option<f64> {
    let field = notes.get_field(tag, In::PRIMARY)?;
    let Value::Rational(parts) = &field.value else { return None };
    let [degrees, minutes, seconds] = parts.as_slice() else { return None };
    let angle = degrees.to_f64() + minutes.to_f64() / 60.0 + seconds.to_f64() / 3600.0;
    (0.0..=most).contains(&angle).then_some(angle)
}

/// The camera lay on its side: 5 to 8 of the eight ways to hold one.
fn is_turned(notes: &exif::Exif) -> bool {
    let way = notes.get_field(Tag::Orientation, In::PRIMARY);
    way.and_then(|way| way.value.get_uint(0)).is_some_and(|way| (5..=8).contains(&way))
}

fn taken_at(notes: &exif::Exif) -> Option<DateTime> {
    let field = notes.get_field(Tag::DateTimeOriginal, In::PRIMARY)?;
    let Value::Ascii(texts) = &field.value else { return None };
    let at = exif::DateTime::from_ascii(texts.first()?).ok()?;
    let small = |number: u8| i8::try_from(number).ok();
    let year = i16::try_from(at.year).ok()?;
    DateTime::new(
        year,
        small(at.month)?,
        small(at.day)?,
        small(at.hour)?,
        small(at.minute)?,
        small(at.second)?,
        0,
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a picture of this size, with nothing in it.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    /// A JPEG of 40 by 30 whose camera lay on its side.
    fn jpeg() -> Vec<u8> {
        let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x02".to_vec();
        // Orientation, SHORT, one of them: 6.
        exif.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]);
        // Where the camera's own notes are: at 38.
        exif.extend([0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]);
        exif.extend([0, 0, 0, 0, 0, 1]);
        // When it was taken, ASCII, 20 of them, at 56.
        exif.extend([0x90, 0x03, 0, 2, 0, 0, 0, 20, 0, 0, 0, 56, 0, 0, 0, 0]);
        exif.extend(b"2026:11:02 08:15:30\0");
        let length = u16::try_from(exif.len() + 2).unwrap();
        let mut bytes = b"\xff\xd8\xff\xe1".to_vec();
        bytes.extend(length.to_be_bytes());
        bytes.extend(exif);
        bytes.extend([0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
        bytes.extend([0xff, 0xd9]);
        bytes
    }

    fn picture(bytes: &[u8], media_type: &str) -> Picture {
        read(bytes, media_type).unwrap().picture.unwrap()
    }

    #[test]
    fn a_picture_says_how_large_it_is() {
        let found = picture(&png(640, 480), "image/png");
        assert_eq!((found.width, found.height, found.format.as_str()), (640, 480, "PNG"));
        assert_eq!(found.taken_at, None);
    }

    #[test]
    fn a_picture_that_was_taken_on_its_side_is_told_as_it_is_looked_at() {
        let found = picture(&jpeg(), "image/jpeg");
        assert_eq!((found.width, found.height, found.turned), (30, 40, true));
        assert_eq!(found.taken_at.unwrap().to_string(), "2026-11-02T08:15:30");
    }

    /// A number of two bytes, or of four, the larger first.
    fn entry(tag: u16, kind: u16, count: u32, value: u32) -> Vec<u8> {
        let head = [tag.to_be_bytes(), kind.to_be_bytes()].concat();
        [head, count.to_be_bytes().to_vec(), value.to_be_bytes().to_vec()].concat()
    }

    fn with_notes(exif: &[u8]) -> Vec<u8> {
        let length = u16::try_from(exif.len() + 8).unwrap().to_be_bytes();
        let size = [0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
        [b"\xff\xd8\xff\xe1", &length[..], b"Exif\0\0", exif, &size, b"\xff\xd9"].concat()
    }

    #[test]
    fn a_picture_says_what_and_where_it_was_taken_with_whatever_else_is_wrong_with_its_notes() {
        let mut exif = b"MM\0*\0\0\0\x08\0\x04".to_vec();
        exif.extend(entry(0x010f, 2, 6, 62));
        exif.extend(entry(0x0110, 2, 7, 68));
        exif.extend(entry(0x8825, 4, 1, 76));
        // A note that points behind the end of all of them.
        exif.extend(entry(0x0131, 2, 99, 9_000));
        exif.extend([0; 4]);
        exif.extend(b"Canon\0EOS R6\0\0");
        exif.extend([0, 4]);
        exif.extend(entry(0x0001, 2, 2, u32::from_be_bytes(*b"N\0\0\0")));
        exif.extend(entry(0x0002, 5, 3, 130));
        exif.extend(entry(0x0003, 2, 2, u32::from_be_bytes(*b"W\0\0\0")));
        exif.extend(entry(0x0004, 5, 3, 154));
        exif.extend([0; 4]);
        for number in [45u32, 1, 31, 1, 0, 1, 122, 1, 40, 1, 0, 1] {
            exif.extend(number.to_be_bytes());
        }
        let found = picture(&with_notes(&exif), "image/jpeg");
        assert_eq!(found.camera.as_deref(), Some("Canon EOS R6"));
        assert_eq!(found.spot.as_deref(), Some("45.5167° N, 122.6667° W"));
    }

    #[test]
    fn a_torn_picture_says_so() {
        let torn = read(b"\x89PNG\r\n\x1a\n\0\0", "image/png").unwrap_err();
        assert!(matches!(torn, Unreadable::Broken("picture", _)), "{torn}");
        assert!(read(&png(0, 5), "image/png").is_err());
    }
}
