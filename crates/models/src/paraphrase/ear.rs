//! The thread that listens: one model, one sentence at a time, a short queue.
//!
//! Nobody waits for it longer than [`PATIENCE`]; whoever does hears what the
//! rules made of the sentence.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::{Doubt, Nearest, Paraphrases, Shared, Unavailable};

/// An answer that comes later is not waited for.
const PATIENCE: Duration = Duration::from_millis(200);
/// As many as can be listened to within the patience of the last.
const QUEUE: usize = 24;

/// Somebody to ask what a sentence is nearest to.
#[derive(Clone, Debug)]
pub struct Ear {
    asked: SyncSender<Asked>,
}

#[derive(Debug)]
struct Asked {
    doubt: Doubt,
    answer: oneshot::Sender<Option<Nearest>>,
}

impl Ear {
    /// Loads the model beside everything else. Until it is there, and where it
    /// is not, the rules answer alone.
    pub fn open(model: Shared) -> Self {
        Self::listening(move || {
            let Some(model) = model.model() else { return Ok(None) };
            Paraphrases::with(Box::new(model)).map(Some)
        })
    }

    pub(super) fn listening(
        load: impl FnOnce() -> Result<Option<Paraphrases>, Unavailable> + Send + 'static,
    ) -> Self {
        let (asked, questions) = sync_channel(QUEUE);
        let spawned =
            thread::Builder::new().name("paraphrases".to_owned()).spawn(move || match load() {
                Ok(Some(paraphrases)) => listen(&paraphrases, &questions),
                // Why not was told by whoever tried to load it.
                Ok(None) => {}
                Err(error) => tracing::warn!(%error, "paraphrases are not recognised"),
            });
        if let Err(error) = spawned {
            tracing::warn!(%error, "paraphrases are not recognised");
        }
        Self { asked }
    }

    pub async fn nearest(&self, doubt: &Doubt) -> Option<Nearest> {
        let (answer, answered) = oneshot::channel();
        let asked = Asked { doubt: doubt.clone(), answer };
        if self.asked.try_send(asked).is_err() {
            tracing::debug!("too many paraphrases at once, or no model; the rules stand");
            return None;
        }
        let Ok(answer) = tokio::time::timeout(PATIENCE, answered).await else {
            tracing::debug!("a paraphrase took too long; the rules stand");
            return None;
        };
        answer.ok().flatten()
    }
}

fn listen(paraphrases: &Paraphrases, questions: &Receiver<Asked>) {
    tracing::info!("paraphrases are recognised");
    for asked in questions {
        // Whoever has stopped waiting costs nothing.
        if !asked.answer.is_closed() {
            let nearest = paraphrases.nearest(&asked.doubt);
            let _ = asked.answer.send(nearest);
        }
    }
}
