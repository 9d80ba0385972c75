//! Rules that read a sentence in microseconds, without a model and offline.

use async_trait::async_trait;
use brain::plan::Proposal;

use crate::gist::{Chat, Gist};
use crate::{Done, Mind, Understanding, World, narrator};

/// Decides only on one unambiguous reading, otherwise says that it is lost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reflex;

#[async_trait]
impl Mind for Reflex {
    async fn understand(&self, heard: &str, world: &World) -> Understanding {
        read(heard, world)
    }

    async fn tell(&self, understanding: &Understanding, done: &[Done], world: &World) -> String {
        narrator::tell(understanding, done, world)
    }
}

/// One reading of a sentence.
pub fn read(heard: &str, _world: &World) -> Understanding {
    let chat = match heard.trim().to_lowercase().as_str() {
        "hi" | "hello" => Chat::Hello,
        "thanks" => Chat::Thanks,
        _ => Chat::Lost,
    };
    Understanding {
        proposal: Proposal::default(),
        acknowledgement: None,
        question: None,
        gist: Gist::Chat(chat),
    }
}
