//! Colours of the terminal. They are left out by themselves when output is
//! not a terminal or `NO_COLOR` is set.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

use anstyle::{AnsiColor, Reset, Style};

pub const PLAIN: Reset = Reset;
pub const NAME: Style = AnsiColor::Cyan.on_default().bold();
pub const QUIET: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const DOUBT: Style = AnsiColor::Yellow.on_default();
pub const TROUBLE: Style = AnsiColor::Red.on_default().bold();

/// Writes to standard output like `print!`. When nobody reads any more
/// (`sayso … | head`), there is nothing left to do.
pub fn write(text: Arguments<'_>) {
    let mut out = anstream::stdout().lock();
    match out.write_fmt(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        // Losing the terminal is no reason to lose the conversation.
        Ok(()) | Err(_) => {}
    }
}

/// With its colours, or without them where nobody wants any.
pub fn as_wanted(text: String) -> String {
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => anstream::adapter::strip_str(&text).to_string(),
        _ => text,
    }
}

/// `print!` that survives a closed pipe.
macro_rules! tell {
    ($($arg:tt)*) => { $crate::cli::look::write(format_args!($($arg)*)) };
}

/// `println!` that survives a closed pipe.
macro_rules! tell_line {
    ($($arg:tt)*) => {
        $crate::cli::look::write(format_args!("{}\n", format_args!($($arg)*)))
    };
}

pub(crate) use {tell, tell_line};
