//! What it takes to read a file: the child from its start to its answer.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Seek, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::figures::Figures;
use crate::row;

const TIMES: usize = 20;

pub fn measure() -> anyhow::Result<()> {
    println!("\nreading a file in a child of its own              p50 ms   p99 ms");
    let talk = |name: &str| std::fs::read(format!("../../talks/files/{name}"));
    let mut table = "name,city,amount\n".to_owned();
    for number in 0..50_000 {
        writeln!(table, "person {number},Oslo,{number}.25")?;
    }
    let prose =
        "The rent is due on the first of each month. Notice is given in writing. ".repeat(14_000);
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    for (what, media_type, bytes) in [
        ("  nothing but the start of a child", "text/plain", b"hello".to_vec()),
        ("  a PDF of three pages", "application/pdf", talk("lease.pdf")?),
        ("  a Word document of one page", word, talk("rules.docx")?),
        ("  a mail with an attachment", "message/rfc822", talk("order.eml")?),
        ("  an invitation", "text/calendar", talk("review.ics")?),
        ("  a table of 50,000 rows", "text/csv", table.into_bytes()),
        ("  a megabyte of text", "text/plain", prose.into_bytes()),
    ] {
        row(what, &times(media_type, &bytes)?, None);
    }
    Ok(())
}

fn times(media_type: &str, bytes: &[u8]) -> anyhow::Result<Figures> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    let mut took = Figures::default();
    for _ in 0..TIMES {
        file.rewind()?;
        took.take(once(media_type, file.try_clone()?)?);
    }
    Ok(took)
}

fn once(media_type: &str, file: File) -> anyhow::Result<Duration> {
    let started = Instant::now();
    let said = Command::new(env!("CARGO_BIN_EXE_sayso"))
        .args(["read-file", media_type])
        .env_clear()
        .stdin(Stdio::from(file))
        .output()?;
    anyhow::ensure!(said.status.success(), "the child failed over {media_type}");
    Ok(started.elapsed())
}
