//! One connection as the system holds it, with an end to what it may cost.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};

use super::lobby::Seat;

/// Whoever takes nothing of an answer for so long does not want it.
const STALLED: Duration = Duration::from_mins(1);
/// What a stream may send in a second, and at once. Sound takes a quarter of it; many
/// tiny pieces of a message cost us much more to read than them to send.
const BYTES_PER_SECOND: u32 = 1024 * 1024;
const BYTES_AT_ONCE: u32 = 4 * 1024 * 1024;
/// How long, and how much, we listen to somebody we have hung up on. Otherwise our last
/// words would be swallowed on their way by what they still say.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: u64 = 8 * 1024 * 1024;

/// A connection. Dropping it says goodbye.
pub struct Line {
    stream: Option<TcpStream>,
    seat: Option<Seat>,
    /// It carries a conversation, which has a pace.
    is_stream: Arc<AtomicBool>,
    pace: Pace,
    /// Set while the other side takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Set while it has sent too much.
    waits: Option<Pin<Box<Sleep>>>,
}

impl Line {
    pub fn new(stream: TcpStream, seat: Seat, is_stream: Arc<AtomicBool>) -> Self {
        let pace = Pace { used: 0.0, at: Instant::now() };
        Self { stream: Some(stream), seat: Some(seat), is_stream, pace, stalled: None, waits: None }
    }

    fn stream(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.stream.as_mut().expect("it is there until it is dropped"))
    }

    /// What was tried on it, unless that has been in vain for too long.
    fn unless_stalled<T>(
        &mut self,
        cx: &mut Context<'_>,
        tried: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if tried.is_ready() {
            self.stalled = None;
            return tried;
        }
        let until = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        ready!(until.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

/// How much was read lately; it fades evenly.
struct Pace {
    used: f64,
    at: Instant,
}

impl Pace {
    fn read(&mut self, bytes: usize, now: Instant) {
        let faded =
            now.saturating_duration_since(self.at).as_secs_f64() * f64::from(BYTES_PER_SECOND);
        let bytes = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX));
        (self.used, self.at) = ((self.used - faded).max(0.0) + bytes, now);
    }

    /// When more may be read; `None` is now.
    fn wait(&self, now: Instant) -> Option<Instant> {
        let over = self.used - f64::from(BYTES_AT_ONCE);
        let until =
            self.at + Duration::from_secs_f64((over / f64::from(BYTES_PER_SECOND)).max(0.0));
        (over > 0.0 && until > now).then_some(until)
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let is_stream = self.is_stream.load(Ordering::Relaxed);
        if let Some(until) = self.pace.wait(Instant::now()).filter(|_| is_stream) {
            let waits = self.waits.get_or_insert_with(|| Box::pin(sleep_until(until)));
            ready!(waits.as_mut().poll(cx));
        }
        self.waits = None;
        let before = into.filled().len();
        ready!(self.stream().poll_read(cx, into))?;
        if is_stream {
            self.pace.read(into.filled().len() - before, Instant::now());
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let tried = self.stream().poll_write(cx, bytes);
        self.unless_stalled(cx, tried)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let tried = self.stream().poll_write_vectored(cx, pieces);
        self.unless_stalled(cx, tried)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream().poll_shutdown(cx)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let (Some(stream), seat) = (self.stream.take(), self.seat.take()) else { return };
        // Without a runtime everything is over anyway.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = timeout(LINGER, hang_up(stream)).await;
                drop(seat);
            });
        }
    }
}

async fn hang_up(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown().await?;
    tokio::io::copy(&mut stream.take(LINGER_BYTES), &mut tokio::io::sink()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_sends_too_much_waits_until_that_has_faded() {
        let now = Instant::now();
        let mut pace = Pace { used: 0.0, at: now };
        pace.read(BYTES_AT_ONCE as usize, now);
        assert_eq!(pace.wait(now), None);
        pace.read(BYTES_PER_SECOND as usize, now);
        assert_eq!(pace.wait(now), Some(now + Duration::from_secs(1)));
        assert_eq!(pace.wait(now + Duration::from_secs(1)), None);
        pace.read(0, now + Duration::from_mins(1));
        assert!(pace.used.abs() < f64::EPSILON);
    }
}
