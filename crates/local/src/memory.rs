//! Whether there is room for a model, before it is loaded.

use crate::trouble::BadFile;

/// So much stays free for everything else.
const SPARE: u64 = 128 << 20;

/// Refuses what would not fit. Where nobody can tell how much is free, it is tried.
pub fn check(needed: u64) -> Result<(), BadFile> {
    match free() {
        Some(there) => fits(needed, there),
        None => Ok(()),
    }
}

/// How much memory is free here, in bytes.
pub fn free() -> Option<u64> {
    free_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn fits(needed: u64, there: u64) -> Result<(), BadFile> {
    let there = there.saturating_sub(SPARE);
    if needed > there { Err(BadFile::TooLarge { needed, there }) } else { Ok(()) }
}

fn free_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_is_read_where_the_system_tells_it() {
        let told = "MemTotal:  24682012 kB\nMemFree:   100 kB\nMemAvailable:   2048 kB\n";
        assert_eq!(free_in(told), Some(2 << 20));
        assert_eq!(free_in("MemFree: 100 kB"), None);
        assert_eq!(free_in("MemAvailable: lots"), None);
    }

    #[test]
    fn a_model_that_would_leave_nothing_for_the_rest_is_refused() {
        let there = 1 << 30;
        assert_eq!(fits(there - SPARE, there), Ok(()));
        let refused = Err(BadFile::TooLarge { needed: there, there: there - SPARE });
        assert_eq!(fits(there, there), refused);
    }
}
