//! `sayso read-file`: the child that reads one file and says what is in it.
//!
//! The file comes in as its standard input; one line of JSON goes out, and how far it
//! is meanwhile goes out as lines with a number on the other pipe. Before it
//! looks at a byte it gives up whatever it could do harm with ([`confine`]).

use std::io::{Read, Write};
use std::panic::catch_unwind;
use std::process::ExitCode;

use brain::paper::Paper;
use clap::Args;
use reader::Unreadable;
use serde::{Deserialize, Serialize};

use super::confine;

/// No file that is taken in is larger; a child does not take anybody's word for it.
const LARGEST: u64 = 256 * 1024 * 1024;

#[derive(Args)]
pub struct ReadFile {
    /// What its bytes were found to be
    media_type: String,
}

/// What a child says.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    Paper(Box<Paper>),
    Problem(String),
}

impl ReadFile {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        confine::confine()?;
        let said = match self.read() {
            Ok(paper) => Said::Paper(Box::new(paper)),
            Err(problem) => Said::Problem(problem.to_string()),
        };
        let mut line = serde_json::to_vec(&said)?;
        line.push(b'\n');
        std::io::stdout().write_all(&line)?;
        Ok(ExitCode::SUCCESS)
    }

    fn read(&self) -> Result<Paper, Unreadable> {
        let torn = Unreadable::Broken("file", "it cannot be read to its end");
        let mut bytes = Vec::new();
        let read = std::io::stdin().take(LARGEST).read_to_end(&mut bytes);
        read.map_err(|_| torn.clone())?;
        #[cfg(feature = "perils")]
        super::confine::perils::befall(&self.media_type);
        // Whoever wrote the file may have found a hole in a parser; it ends here.
        catch_unwind(|| {
            let mut last = 0;
            reader::read_telling(&bytes, &self.media_type, &mut |done| {
                if done > last {
                    last = done;
                    // Nobody has to listen.
                    let _ = writeln!(std::io::stderr(), "{done}");
                }
            })
        })
        .unwrap_or(Err(torn))
    }
}
