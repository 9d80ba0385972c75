//! Cuts a stream of bytes into server-sent events. Pure: bytes in, events out.
//!
//! Whatever comes in whatever pieces: characters cut in half, any kind of line end,
//! comments, fields nobody knows. What is too long is an error and not memory.

/// One event. Most protocols put everything into `data`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Event {
    pub name: String,
    pub data: String,
}

/// No event of a model is longer.
const LONGEST: usize = 4 * 1024 * 1024;

/// Somebody sends an event that does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endless;

/// What has come and is not whole yet.
#[derive(Debug, Default)]
pub struct Cutter {
    line: Vec<u8>,
    /// The last byte ended a line, and was a carriage return.
    after_return: bool,
    is_begun: bool,
    event: Event,
    has_data: bool,
}

impl Cutter {
    /// Takes bytes as they come; gives the events that are whole.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Endless> {
        let mut events = Vec::new();
        for byte in bytes {
            let after_return = std::mem::take(&mut self.after_return);
            match byte {
                b'\n' if after_return => {}
                b'\n' => events.extend(self.end_line()),
                b'\r' => {
                    events.extend(self.end_line());
                    self.after_return = true;
                }
                other => self.line.push(*other),
            }
            if self.line.len() + self.event.data.len() > LONGEST {
                return Err(Endless);
            }
        }
        Ok(events)
    }

    /// The stream is over. Some end without the last empty line.
    pub fn finish(&mut self) -> Option<Event> {
        let last = if self.line.is_empty() { None } else { self.end_line() };
        last.or_else(|| self.whole())
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = if std::mem::replace(&mut self.is_begun, true) {
            &*line
        } else {
            line.trim_start_matches('\u{feff}')
        };
        if line.is_empty() {
            return self.whole();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event.name),
            // Comments, ids, waits, and whatever comes to be.
            _ => {}
        }
        None
    }

    fn whole(&mut self) -> Option<Event> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn event(name: &str, data: &str) -> Event {
        Event { name: name.into(), data: data.into() }
    }

    fn cut(pieces: &[&[u8]]) -> Vec<Event> {
        let mut cutter = Cutter::default();
        let mut events = Vec::new();
        for piece in pieces {
            events.extend(cutter.take(piece).unwrap());
        }
        events.extend(cutter.finish());
        events
    }

    #[test]
    fn every_line_end_and_comments_and_unknown_fields_are_known() {
        let text = b"\xef\xbb\xbf: hello\r\nevent: a\r\ndata: 1\r\n\r\nid: 7\nretry: 5\ndata:2\n\
                     data: 3\n\nwhat: ever\n\ndata\n\r\rdata: last";
        let expected = [event("a", "1"), event("", "2\n3"), event("", ""), event("", "last")];
        assert_eq!(cut(&[text]), expected);
    }

    #[test]
    fn a_character_may_be_cut_in_half() {
        let text = "data: für Žofie 🎉\n\n".as_bytes();
        for at in 0..text.len() {
            assert_eq!(cut(&[&text[..at], &text[at..]]), [event("", "für Žofie 🎉")], "{at}");
        }
    }

    #[test]
    fn an_event_without_an_end_is_refused() {
        let mut cutter = Cutter::default();
        let more = vec![b'x'; 64 * 1024];
        cutter.take(b"data: ").unwrap();
        assert!((0..100).any(|_| cutter.take(&more) == Err(Endless)));
    }

    proptest! {
        #[test]
        fn where_it_is_cut_makes_no_difference(
            text in "(data: [a-zé]{0,5}(\r\n|\n|\r)|: c\n|\n|event: x\r\n){0,12}",
            cuts in prop::collection::vec(0_usize..200, 0..6),
        ) {
            let bytes = text.as_bytes();
            let mut ends: Vec<_> = cuts.iter().map(|at| (*at).min(bytes.len())).collect();
            ends.sort_unstable();
            ends.push(bytes.len());
            let mut from = 0;
            let mut pieces = Vec::new();
            for end in ends {
                pieces.push(&bytes[from..end]);
                from = end;
            }
            prop_assert_eq!(cut(&pieces), cut(&[bytes]));
        }
    }
}
