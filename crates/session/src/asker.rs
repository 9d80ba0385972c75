//! Who answered a card, and what of their sentence is the answer.

use tokio::sync::oneshot;

use crate::clients::ClientId;
use crate::handle::Answered;
use crate::inbox::{Asked, From};
use crate::landing::Then;
use crate::log::Entry;
use crate::names::Frame;
use crate::turn::{self, Wish};
use crate::work::Work;

/// Who answered a card.
pub(crate) enum Asker {
    Client {
        client: ClientId,
        frame: Option<Frame>,
    },
    Http(oneshot::Sender<Answered>),
    /// In a sentence; it is heard in the turn of the card.
    Sentence {
        asked: Box<Asked>,
        /// What of it is the answer.
        text: String,
        event_id: Option<String>,
        /// What else was said, to be heard in a turn of its own.
        rest: Option<String>,
        /// It stands in the turn already.
        is_heard: bool,
    },
}

/// An answer that is only a part of what was said.
pub(crate) struct Besides {
    pub said: String,
    pub rest: String,
}

impl Asker {
    pub fn sentence(asked: Asked) -> Self {
        let text = match &asked.wish {
            Wish::Words(text) => text.clone(),
            Wish::Use { .. } => String::new(),
        };
        let event_id = match &asked.from {
            From::Client { event_id, .. } => event_id.clone(),
            From::Http { .. } => None,
        };
        Self::Sentence { asked: Box::new(asked), text, event_id, rest: None, is_heard: false }
    }

    /// The same, where only a part of the sentence answers.
    pub fn besides(mut self, besides: Option<Besides>) -> Self {
        if let (Self::Sentence { text, rest, .. }, Some(besides)) = (&mut self, besides) {
            *text = besides.said;
            *rest = Some(besides.rest);
        }
        self
    }

    /// The same, once it was written down that it was said.
    pub fn heard_already(mut self) -> Self {
        if let Self::Sentence { is_heard, .. } = &mut self {
            *is_heard = true;
        }
        self
    }

    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Sentence { text, .. } => Some(text),
            Self::Client { .. } | Self::Http(_) => None,
        }
    }

    /// A sentence is heard in the turn of the card, and counts as the person's words.
    pub fn heard(&self, entry: &mut Entry, work: &mut Work) {
        if let Self::Sentence { asked, text, event_id, rest, is_heard: false } = self {
            let (text, voiced) = (text.clone(), asked.voiced.as_ref());
            work.hear(&text);
            let heard = turn::answered_as(text, voiced, event_id.clone(), rest.is_some());
            entry.events.push(heard);
        }
    }

    /// What the client called the frame that answered; a sentence has it where it is heard.
    pub fn frame(&self) -> Option<String> {
        match self {
            Self::Client { frame, .. } => frame.as_ref().map(|frame| frame.name.clone()),
            Self::Http(_) | Self::Sentence { .. } => None,
        }
    }

    /// Whoever asked over HTTP hears of it once it is on disk; everybody else sees it,
    /// and what they said besides is heard next.
    pub fn told(self, entry: &mut Entry, answered: Answered) {
        match self {
            Self::Http(tell) => entry.then.push(Then::Answer(tell, answered)),
            Self::Client { frame, .. } => entry.then.extend(frame.map(Then::Took)),
            Self::Sentence { asked, rest, .. } => {
                let turn = entry.turn;
                entry.then.extend(rest.map(|rest| asked.goes_on(rest, turn)));
            }
        }
    }
}
