//! One model for everybody who needs it, loaded when somebody first does.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::encoder::{Encoder, MiniLm, Unavailable};

/// The model, as soon as it is there. Cheap to clone.
#[derive(Clone)]
pub struct Shared(Arc<Loading>);

struct Loading {
    assets: PathBuf,
    loaded: OnceLock<Option<Loaded>>,
}

struct Loaded {
    model: Arc<MiniLm>,
    name: String,
}

impl Shared {
    pub fn new(assets: PathBuf) -> Self {
        Self(Arc::new(Loading { assets, loaded: OnceLock::new() }))
    }

    /// Loads it where nobody has, which takes a moment. Whether it works is told
    /// once; after that it is there or it is not.
    pub fn model(&self) -> Option<Arc<MiniLm>> {
        self.loaded().map(|loaded| Arc::clone(&loaded.model))
    }

    /// Its name and what its file is, so that another one is told apart. Empty
    /// where there is none.
    pub fn name(&self) -> &str {
        self.loaded().map_or("", |loaded| &loaded.name)
    }

    fn loaded(&self) -> Option<&Loaded> {
        let Loading { assets, loaded } = &*self.0;
        let load = || {
            let model = Arc::new(MiniLm::load(assets)?);
            let [file, _] = MiniLm::files(assets);
            let bytes = fs::read(&file).map_err(|_| Unavailable::Missing(file))?;
            let name = format!("all-MiniLM-L6-v2 {:016x}", fingerprint(&bytes));
            Ok::<_, Unavailable>(Loaded { model, name })
        };
        let told = |error: Unavailable| tracing::warn!(%error, "the sentence model is not used");
        loaded.get_or_init(|| load().map_err(told).ok()).as_ref()
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Shared").field(&self.0.assets).finish()
    }
}

impl Encoder for Arc<MiniLm> {
    fn encode(&self, sentence: &str) -> Result<Vec<f32>, Unavailable> {
        self.as_ref().encode(sentence)
    }
}

/// FNV-1a over words of eight bytes: tells files apart, and proves nothing.
fn fingerprint(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words
        .fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_is_another_model() {
        assert_ne!(fingerprint(b"one model"), fingerprint(b"one modem"));
        assert_eq!(fingerprint(b"one model"), fingerprint(b"one model"));
    }

    #[test]
    fn a_model_that_is_not_there_has_no_name() {
        let nowhere = Shared::new(PathBuf::from("/nowhere"));
        assert!(nowhere.model().is_none() && nowhere.name().is_empty());
    }
}
