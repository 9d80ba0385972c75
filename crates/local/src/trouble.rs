//! Why a file cannot be used, and what to do about it.

/// Told to whoever set the file up. The file's name is put before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFile {
    #[error("is not there; set SAYSO_LOCAL_MODEL to a GGUF file")]
    Missing,
    #[error("is a folder with {0} GGUF files in it; name one of them")]
    Folder(usize),
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("is no GGUF file; only such a file can be loaded")]
    NotGguf,
    #[error("is GGUF version {0}; versions 2 and 3 can be read, so convert it anew")]
    Version(u32),
    #[error("is cut off: {} are there and {} are needed; fetch it again", size(*there), size(*needed))]
    CutOff { there: u64, needed: u64 },
    #[error("is damaged: {0}; fetch it again")]
    Damaged(String),
    #[error("holds a model of the kind {0}; these can be run: llama, qwen2, qwen3, gemma3")]
    Architecture(String),
    #[error("holds weights as {0}; take a file with Q8_0, Q6_K, Q5_K, Q4_K, Q5_0, Q4_0 or F16")]
    Format(String),
    #[error("has no tokenizer that is known ({0}); convert the model anew, with its tokenizer")]
    NoTokenizer(String),
    #[error("has no chat template that is known; take a model that was trained to talk")]
    NoTemplate,
    #[error(
        "needs {} of memory and {} are free; take a smaller model, or set \
         `models.gguf.context` lower",
        size(*needed), size(*there)
    )]
    TooLarge { needed: u64, there: u64 },
}

/// Bytes as people read them.
pub fn size(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    match tenths {
        0..100 => format!("{}.{} MB", tenths / 10, tenths % 10),
        100..10_000 => format!("{} MB", tenths / 10),
        _ => format!("{}.{} GB", tenths / 10_000, tenths / 1_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_as_people_read_them() {
        let told = [0, 4_200_000, 98_362_432, 3_080_000_000].map(size);
        assert_eq!(told, ["0.0 MB", "4.2 MB", "98 MB", "3.0 GB"]);
    }

    #[test]
    fn what_is_missing_is_told_with_what_there_is() {
        let told = BadFile::TooLarge { needed: 8_000_000_000, there: 900_000_000 }.to_string();
        assert!(told.contains("8.0 GB") && told.contains("900 MB"), "{told}");
    }
}
