//! What a child gives up before it looks at anything that a stranger wrote.
//!
//! Memory, time and files are limited on every system we run on. On Linux it can
//! also call nothing but what computing needs: no file and no socket is opened, no
//! other process is seen or started. Elsewhere nothing without `unsafe` takes the
//! network away; there the limits and the empty environment are all there is.

use anyhow::Context;
use rustix::process::{Resource, Rlimit, setrlimit};

/// Address space; what a file needs beyond that is too much.
const MEMORY: u64 = 256 * 1024 * 1024;
/// Seconds on a processor.
const SECONDS: u64 = 10;

/// A check that fails to run is a refusal: without all of it nothing is read.
pub fn confine() -> anyhow::Result<()> {
    let limits = [
        #[cfg(target_os = "linux")]
        (Resource::As, MEMORY),
        #[cfg(not(target_os = "linux"))]
        (Resource::Data, MEMORY),
        (Resource::Cpu, SECONDS),
        // It writes to nothing but its pipe, and opens nothing.
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
        (Resource::Core, 0),
    ];
    // Whoever sent it is gone: nobody would hear what it finds.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .context("it could outlive the server")?;
    for (resource, most) in limits {
        // A second more until it is ended without a word tells time from memory.
        let grace = u64::from(resource == Resource::Cpu);
        let limit = Rlimit { current: Some(most), maximum: Some(most + grace) };
        setrlimit(resource, limit).with_context(|| format!("{resource:?} cannot be limited"))?;
    }
    #[cfg(target_os = "linux")]
    linux::close_doors()?;
    Ok(())
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;

    use anyhow::Context;
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, apply_filter,
    };

    /// What computing needs: memory, its own pipes, the clock, its own end.
    const COMPUTES: &[libc::c_long] = &[
        libc::SYS_brk,
        libc::SYS_clock_gettime,
        libc::SYS_close,
        libc::SYS_exit,
        libc::SYS_exit_group,
        libc::SYS_fstat,
        libc::SYS_futex,
        libc::SYS_getpid,
        libc::SYS_getrandom,
        libc::SYS_gettid,
        libc::SYS_lseek,
        libc::SYS_madvise,
        libc::SYS_mmap,
        libc::SYS_mprotect,
        libc::SYS_mremap,
        libc::SYS_munmap,
        libc::SYS_read,
        libc::SYS_restart_syscall,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sched_yield,
        libc::SYS_sigaltstack,
        libc::SYS_write,
        libc::SYS_writev,
    ];

    /// What may be called, and with what. To end itself a process sends itself a
    /// signal; it can send one to nobody else.
    fn rules(own_pid: u32) -> anyhow::Result<BTreeMap<i64, Vec<SeccompRule>>> {
        let mut rules: BTreeMap<i64, _> = COMPUTES.iter().map(|call| (*call, Vec::new())).collect();
        let (dword, is) = (SeccompCmpArgLen::Dword, SeccompCmpOp::Eq);
        let to_itself = SeccompCondition::new(0, dword, is, own_pid.into())?;
        rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![to_itself])?]);
        Ok(rules)
    }

    pub fn close_doors() -> anyhow::Result<()> {
        let rules = rules(std::process::id())?;
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into().context("this processor is not known")?;
        let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)?;
        let filter = BpfProgram::try_from(filter)?;
        apply_filter(&filter).context("system calls cannot be limited")
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn no_signal_goes_to_anybody_else() {
            let rules = rules(7).unwrap();
            assert!(!rules.contains_key(&libc::SYS_kill) && !rules.contains_key(&libc::SYS_tkill));
            let (dword, is) = (SeccompCmpArgLen::Dword, SeccompCmpOp::Eq);
            let to_itself = SeccompCondition::new(0, dword, is, 7).unwrap();
            let only = SeccompRule::new(vec![to_itself]).unwrap();
            assert_eq!(rules[&libc::SYS_tgkill], [only]);
        }
    }
}

/// What a hostile file might make a child do, for tests.
#[cfg(feature = "perils")]
pub mod perils {
    use std::net::{TcpListener, TcpStream, UdpSocket};

    /// Does what the type of the file asks for; an answer is only given by what
    /// was not stopped.
    pub fn befall(media_type: &str) {
        match media_type {
            "peril/network" => {
                let out = TcpStream::connect("127.0.0.1:9").map(drop);
                let refused = [out, TcpListener::bind("127.0.0.1:0").map(drop)];
                let udp = UdpSocket::bind("127.0.0.1:0").map(drop);
                for outcome in refused.into_iter().chain([udp]) {
                    let kind = outcome.map_err(|error| error.kind());
                    assert_eq!(kind, Err(std::io::ErrorKind::PermissionDenied));
                }
                println!("{{\"problem\":\"no network\"}}");
                std::process::exit(0);
            }
            "peril/files" => {
                let read = std::fs::read("/etc/hostname").map(drop);
                let started = std::process::Command::new("/bin/true").status().map(drop);
                let thread = std::thread::Builder::new().spawn(|| ()).map(drop);
                for outcome in [read, started, thread] {
                    assert!(outcome.is_err(), "{outcome:?}");
                }
                println!("{{\"problem\":\"no files\"}}");
                std::process::exit(0);
            }
            "peril/signal" => {
                // Who may not even ask whether a process is there may signal none.
                let sent = rustix::process::test_kill_process(rustix::process::getpid());
                assert_eq!(sent, Err(rustix::io::Errno::PERM));
                println!("{{\"problem\":\"no signals\"}}");
                std::process::exit(0);
            }
            "peril/world" => {
                let told: Vec<_> = std::env::vars().map(|(name, _)| name).collect();
                println!("{{\"problem\":\"told {}\"}}", told.len());
                std::process::exit(0);
            }
            "peril/memory" => drop(vec![1u8; 1024 * 1024 * 1024]),
            "peril/spin" => loop {
                std::hint::spin_loop();
            },
            "peril/chatter" => loop {
                print!("{}", "word ".repeat(1024));
            },
            "peril/death" => std::process::abort(),
            _ => {}
        }
    }
}
