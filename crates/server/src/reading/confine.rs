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
    for (resource, most) in limits {
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
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
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

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
        libc::SYS_tgkill,
        libc::SYS_write,
        libc::SYS_writev,
    ];

    pub fn close_doors() -> anyhow::Result<()> {
        let rules: BTreeMap<i64, _> = COMPUTES.iter().map(|call| (*call, Vec::new())).collect();
        let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let arch = std::env::consts::ARCH.try_into().context("this processor is not known")?;
        let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch)?;
        let filter = BpfProgram::try_from(filter)?;
        apply_filter(&filter).context("system calls cannot be limited")
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
