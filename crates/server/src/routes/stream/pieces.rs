//! How many pieces a message may come in.
//!
//! A message may be sent in pieces, and a piece may be empty: what is received does not
//! grow by it, and reading it costs us much more than sending it costs them. Whoever
//! puts messages together counts bytes alone, so the pieces are counted here, on their
//! way there.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::limits::Pace;

/// One message comes in no more; each of them counts like a message besides.
pub const MOST: u32 = 1024;

/// Why nothing more is read.
#[derive(Debug, thiserror::Error)]
#[error("a message in too many pieces")]
pub struct TooMany;

impl TooMany {
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().and_then(|why| why.downcast_ref::<Self>()).is_some()
    }
}

/// What comes over a WebSocket, before anybody puts it together.
pub struct Pieces<S> {
    stream: S,
    frames: Frames,
}

impl<S> Pieces<S> {
    pub fn new(stream: S, per_second: u32) -> Self {
        Self { stream, frames: Frames::new(per_second) }
    }
}

/// Where one frame ends and the next begins.
struct Frames {
    /// The beginning of a frame, as much of it as has come.
    header: [u8; 14],
    known: usize,
    /// What is left of the frame behind that.
    left: u64,
    /// Pieces of the message that is not whole yet.
    pieces: u32,
    pace: Pace,
}

impl Frames {
    fn new(per_second: u32) -> Self {
        Self { header: [0; 14], known: 0, left: 0, pieces: 0, pace: Pace::new(per_second) }
    }

    fn read(&mut self, mut bytes: &[u8]) -> Result<(), TooMany> {
        while let [first, rest @ ..] = bytes {
            if self.left > 0 {
                let skipped = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
                self.left -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            self.header[self.known] = *first;
            self.known += 1;
            bytes = rest;
            if self.known >= 2 && self.known == self.header_length() {
                self.left = self.payload_length();
                self.known = 0;
                self.count()?;
            }
        }
        Ok(())
    }

    /// By its first two bytes.
    fn header_length(&self) -> usize {
        let mask = if self.header[1] & 0x80 == 0 { 0 } else { 4 };
        2 + self.length_bytes() + mask
    }

    fn length_bytes(&self) -> usize {
        match self.header[1] & 0x7f {
            0x7e => 2,
            0x7f => 8,
            _ => 0,
        }
    }

    fn payload_length(&self) -> u64 {
        match self.length_bytes() {
            0 => u64::from(self.header[1] & 0x7f),
            many => {
                let bytes = &self.header[2..2 + many];
                bytes.iter().fold(0, |length, byte| length << 8 | u64::from(*byte))
            }
        }
    }

    fn count(&mut self) -> Result<(), TooMany> {
        let (is_last, kind) = (self.header[0] & 0x80 != 0, self.header[0] & 0x0f);
        // Pings and the like may come between the pieces of a message.
        let is_control = kind >= 8;
        let is_whole = is_last && kind != 0;
        if is_control || is_whole {
            return Ok(());
        }
        self.pieces = if is_last { 0 } else { self.pieces + 1 };
        if self.pieces < MOST && self.pace.keeps() { Ok(()) } else { Err(TooMany) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Pieces<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, into))?;
        Poll::Ready(self.frames.read(&into.filled()[before..]).map_err(io::Error::other))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Pieces<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: u8 = 0x01;
    const NEXT: u8 = 0x00;
    const LAST: u8 = 0x80;
    const WHOLE: u8 = 0x81;
    const PING: u8 = 0x89;

    fn frame(kind: u8, length: u64) -> Vec<u8> {
        let mut bytes = vec![kind];
        match length {
            0..126 => bytes.push(0x80 | u8::try_from(length).unwrap()),
            126..=0xffff => {
                bytes.push(0x80 | 0x7e);
                bytes.extend(u16::try_from(length).unwrap().to_be_bytes());
            }
            _ => {
                bytes.push(0x80 | 0x7f);
                bytes.extend(length.to_be_bytes());
            }
        }
        bytes.extend([0; 4]);
        // What is in it could be taken for pieces.
        bytes.extend(vec![NEXT; usize::try_from(length).unwrap()]);
        bytes
    }

    fn message(pieces: u32) -> Vec<u8> {
        let mut bytes = frame(FIRST, 1);
        (2..pieces).for_each(|_| bytes.extend(frame(NEXT, 1)));
        bytes.extend(frame(LAST, 1));
        bytes
    }

    #[test]
    fn frames_are_told_apart_wherever_the_wire_cuts_them() {
        let lengths = [0, 1, 125, 126, 300, 0xffff, 0x10000, 70_000];
        let bytes: Vec<_> = lengths.iter().flat_map(|length| frame(WHOLE, *length)).collect();
        for size in [1, 2, 3, 7, 13, 14, 1000, bytes.len()] {
            let mut frames = Frames::new(0);
            bytes.chunks(size).for_each(|chunk| frames.read(chunk).unwrap());
            assert_eq!((frames.left, frames.known, frames.pieces), (0, 0, 0), "{size}");
        }
    }

    #[test]
    fn a_message_comes_in_so_many_pieces_and_no_more() {
        let mut frames = Frames::new(0);
        for _ in 0..3 {
            frames.read(&message(MOST)).unwrap();
            frames.read(&frame(WHOLE, 5)).unwrap();
        }
        assert!(frames.read(&message(MOST + 1)).is_err());
    }

    #[test]
    fn empty_pieces_and_pings_between_them_do_not_hide_any() {
        let mut frames = Frames::new(0);
        let pieces = (0..MOST).flat_map(|_| [frame(NEXT, 0), frame(PING, 3)].concat());
        let bytes = [frame(FIRST, 0), pieces.collect()].concat();
        assert!(frames.read(&bytes).is_err());
    }

    #[test]
    fn pieces_count_like_messages() {
        let mut frames = Frames::new(2);
        frames.read(&message(10)).unwrap();
        assert!(frames.read(&message(10)).is_err());
        let mut whole = Frames::new(2);
        (0..1000).for_each(|_| whole.read(&frame(WHOLE, 5)).unwrap());
    }
}
