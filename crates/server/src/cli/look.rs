//! Colours of the terminal. They are left out by themselves when output is
//! not a terminal or `NO_COLOR` is set.

use anstyle::{AnsiColor, Reset, Style};

pub const PLAIN: Reset = Reset;
pub const NAME: Style = AnsiColor::Cyan.on_default().bold();
pub const QUIET: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default();
pub const DOUBT: Style = AnsiColor::Yellow.on_default();
pub const TROUBLE: Style = AnsiColor::Red.on_default().bold();
