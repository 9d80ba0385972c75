//! Hands a file of this machine over to a server.

use std::path::Path;

use anyhow::{Context, bail};

use super::{Remote, http};

/// More than any server takes by default is not even read.
const LARGEST: u64 = 256 * 1024 * 1024;

/// A file that was handed over.
#[derive(Clone, Debug)]
pub struct HandedOver {
    pub file_id: String,
    pub name: String,
    pub media_type: String,
}

/// Hands it over, or says why not.
pub async fn hand_over(server: &Remote, path: &Path) -> anyhow::Result<HandedOver> {
    let shown = path.display();
    let known = std::fs::metadata(path).with_context(|| format!("{shown} cannot be read"))?;
    if !known.is_file() {
        bail!("{shown} is no file");
    }
    if known.len() > LARGEST {
        bail!("{shown} is larger than any server takes");
    }
    let contents = std::fs::read(path).with_context(|| format!("{shown} cannot be read"))?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let answer = http::hand_over(server, &name, &contents).await?;
    let text = |field: &str| answer.body[field].as_str().map(str::to_owned);
    match (answer.status, text("file_id")) {
        (201, Some(file_id)) => Ok(HandedOver {
            file_id,
            name: text("name").unwrap_or(name),
            media_type: text("media_type").unwrap_or_default(),
        }),
        _ => bail!("{shown} was not taken: {}", answer.problem()),
    }
}
