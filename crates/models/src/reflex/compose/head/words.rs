//! Where the words of a mail begin, and what introduces them.

use super::{Head, Manner, Walk};
use crate::reflex::compose::said;
use crate::reflex::vocabulary::is_any;
use crate::reflex::{phrasing, seam};

/// Behind "to", these begin no order.
const NO_VERBS: &[&str] = &["the", "a", "an", "my", "our", "his", "her", "their", "me", "us"];

impl<'a> Walk<'a> {
    /// Are the words to come introduced?
    pub(super) fn has_link(&self) -> bool {
        self.colon() || is_any(self.text(0), &["that", "saying", "about"])
    }

    /// A colon or a comma stands before this place.
    pub(super) fn colon(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).and_then(|at| self.words.get(at)) else {
            return false;
        };
        let until = self.words.get(self.at).map_or(self.heard.len(), |word| word.start);
        self.heard.get(before.end..until).is_some_and(|gap| gap.contains([':', '"', '“']))
    }

    /// What it is about, and the words.
    pub(super) fn rest(&mut self, head: &mut Head<'a>) -> Option<()> {
        // "Mail Priya the following: …"
        let before = self.at;
        if self.skip_any(&[&["the", "following"], &["as", "follows"], &["this"]]) && !self.colon() {
            self.at = before;
        }
        // "And tell Tom too": what?
        let before = self.at;
        let too = self.skip_any(&[&["too"], &["as", "well"]]);
        if too && self.at < self.words.len() && !self.colon() {
            self.at = before;
        }
        // "…, body: the numbers are in"
        let before = self.at;
        self.skip_any(&[&["and", "body"], &["body"], &["text"]]);
        let said = self.colon() || said::is_sentence(&self.left());
        if self.at > before && !said {
            self.at = before;
        }
        let mut linked = self.colon() || self.at > before;
        if !linked && matches!(self.text(0), "about" | "regarding" | "re" | "concerning") {
            self.at += 1;
            head.about = self.topic();
            linked = self.colon();
        }
        linked |= self.link(head);
        linked |= self.colon();
        let left: Vec<&str> = self.words[self.at..].iter().map(|word| word.text.as_str()).collect();
        if matches!(left.as_slice(), ["please" | "now"] | ["for", "me"]) && !self.colon() {
            return Some(());
        }
        let Some(first) = self.words.get(self.at) else {
            let behind = self.words.last().map_or(0, |last| last.end);
            let said = self.heard[behind..].trim_start_matches([':', ' ', '"', '“']);
            head.words = phrasing::pictures(said).map(str::to_owned);
            return Some(());
        };
        let quote = self.heard[..first.start].rfind(['"', '“']).filter(|_| first.quoted);
        let last = self.words.last().expect("there is a first word");
        let from = self.at.checked_sub(1).map_or(first.start, |before| self.words[before].end);
        let from = from.min(first.start);
        let start = quote.unwrap_or(first.start);
        let mut words = phrasing::stretch(self.heard, from.min(start), start, last.end);
        // "Could you tell Tom I'm late?" asks us, not Tom.
        if self.asks_us() {
            words = words.strip_suffix('?').unwrap_or(words);
        }
        let words = seam::unmarked(words);
        // "Email Oskar to bring the shoes" passes an order on.
        let orders = head.manner == Manner::New
            && self.text(0) == "to"
            && self.words.len() > self.at + 1
            && !is_any(self.text(1), NO_VERBS);
        head.tells |= orders;
        let spoken = match head.manner {
            Manner::New if orders => true,
            Manner::Answer | Manner::Ask => true,
            Manner::Tell => linked || !said::is_thing(&self.left()),
            Manner::New => linked || said::is_sentence(&self.left()),
        };
        if head.manner == Manner::Tell && !spoken {
            // "Tell Tom the news": which news?
            return Some(());
        }
        head.words = Some(words);
        spoken.then_some(())
    }

    pub(super) fn asks_us(&self) -> bool {
        let before = self.heard[..self.words[0].start].to_lowercase();
        let sentence = before.rsplit(['.', '!', '?']).next().unwrap_or(&before);
        [
            "can you ",
            "could you ",
            "might you ",
            "would you ",
            "will you ",
            "you please ",
            "would it be ",
        ]
        .iter()
        .any(|lead| sentence.contains(lead))
    }

    /// The words behind "about", up to a colon or a link.
    pub(super) fn topic(&mut self) -> Option<String> {
        let start = self.words.get(self.at)?.start;
        let mut end = start;
        while let Some(word) = self.words.get(self.at) {
            let says =
                is_any(&word.text, &["saying", "that", "and", "asking", "to"]) && end > start;
            if says || (end > start && self.colon()) {
                break;
            }
            end = word.end;
            self.at += 1;
        }
        Some(self.heard[start..end].to_owned()).filter(|topic| !topic.is_empty())
    }

    /// "That", "saying", "and say": what introduces the words.
    pub(super) fn link(&mut self, head: &mut Head<'a>) -> bool {
        while matches!(self.text(0), "um" | "uh" | "er" | "erm") {
            self.at += 1;
        }
        let asks: &[&[&str]] = &[
            &["and", "ask", "him"],
            &["and", "ask", "her"],
            &["and", "ask", "them"],
            &["and", "ask"],
            &["to", "ask", "him"],
            &["to", "ask", "her"],
            &["to", "ask", "them"],
            &["to", "ask"],
            &["asking", "him"],
            &["asking", "her"],
            &["asking", "them"],
            &["asking"],
        ];
        if self.skip_any(asks) {
            head.manner = Manner::Ask;
            return true;
        }
        let says: &[&[&str]] = &[
            &["and", "say"],
            &["and", "tell", "him"],
            &["and", "tell", "her"],
            &["and", "tell", "them"],
            &["and", "let", "him", "know"],
            &["and", "let", "her", "know"],
            &["and", "let", "them", "know"],
            &["to", "let", "him", "know"],
            &["to", "let", "her", "know"],
            &["to", "let", "them", "know"],
            &["to", "tell", "him"],
            &["to", "tell", "her"],
            &["to", "tell", "them"],
            &["telling", "him"],
            &["telling", "her"],
            &["telling", "them"],
            &["to", "say"],
            &["by", "saying"],
            &["saying"],
            &["stating"],
            &["with"],
            &["say"],
        ];
        let said = self.skip_any(says);
        let that = !said::points(&self.left()) && self.skip(&["that"]);
        head.reported = that || said || matches!(head.manner, Manner::Tell);
        said || that
    }
}
