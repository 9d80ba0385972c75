//! What was broken off goes on where nobody meant to interrupt: whoever only coughed or
//! nodded hears the rest, from the sentence on that was cut.

use std::collections::VecDeque;

use brain::MessageId;

use super::{Saying, Voice, Words, sentence_at};

/// A message that was broken off more often than this is left alone: something here keeps
/// interrupting, and what was not heard can be read.
const MOST_CUTS: u32 = 2;

impl Voice {
    /// Goes on with what was broken off last; nothing where something else is being said.
    pub fn go_on(&mut self) {
        let Some(line) = self.line.as_ref().filter(|_| self.saying.is_empty()) else { return };
        for mut saying in std::mem::take(&mut self.cut) {
            if !saying.begin_anew(line.round()) {
                continue;
            }
            line.tell(saying.all_of_it());
            if saying.is_whole {
                line.tell(saying.order(Words::All));
            }
            self.saying.push_back(saying);
        }
        if self.is_speaking() {
            (self.broken_off, self.unheard) = (None, None);
        }
    }

    /// Something was broken off that was heard up to this byte.
    pub(super) fn keep_the_cut(
        &mut self,
        mut saying: Saying,
        byte: usize,
        behind: VecDeque<Saying>,
    ) {
        let rest = &saying.text[saying.text.floor_char_boundary(byte)..];
        let is_over = saying.is_whole && rest.trim().is_empty();
        saying.from = saying.from.max(sentence_at(&saying.text, byte));
        saying.cuts += 1;
        let is_left = saying.cuts > MOST_CUTS;
        self.cut = Some(saying).filter(|_| !is_over).into_iter().chain(behind).collect();
        if is_left {
            self.cut.clear();
        }
    }

    /// More of a message was shown that was broken off.
    pub(super) fn more_of_the_cut(&mut self, message: MessageId, text: &str) {
        if let Some(cut) = self.cut.iter_mut().find(|cut| cut.message == message) {
            cut.text.push_str(text);
        }
    }

    pub(super) fn cut_is_whole(&mut self, message: MessageId) {
        if let Some(cut) = self.cut.iter_mut().find(|cut| cut.message == message) {
            cut.is_whole = true;
        }
    }
}
