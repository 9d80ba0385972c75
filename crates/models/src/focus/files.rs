//! What was attached, and which of it is spoken of.

use std::sync::Arc;

use brain::Attached;
use brain::paper::OpenedFile;

use super::Focus;
use crate::gist::PaperWant;
use crate::narrator;

/// Files of one conversation that can still be pointed at.
const MOST_FILES: usize = 20;

impl Focus {
    /// These came with the next sentence. Of very many the oldest are let go.
    pub fn attach(&mut self, files: Vec<Attached>) {
        if files.is_empty() {
            return;
        }
        self.handed = files.iter().map(|file| file.file_id).collect();
        let mut all: Vec<_> = self.files.to_vec();
        all.retain(|known| !self.handed.contains(&known.file_id));
        all.extend(files);
        self.files = all.split_off(all.len().saturating_sub(MOST_FILES)).into();
        self.file = (self.handed.len() == 1).then(|| self.handed[0]);
        (self.on_file, self.page, self.page_goes_on) = (true, None, false);
        self.passage = None;
    }

    /// These were attached before whatever is known already.
    pub fn know(&mut self, mut files: Vec<Attached>) {
        let known = |file: &Attached| self.files.iter().any(|one| one.file_id == file.file_id);
        files.retain(|file| !known(file));
        files.extend(self.files.iter().cloned());
        self.files = files.split_off(files.len().saturating_sub(MOST_FILES)).into();
    }

    /// What a file brought makes it the one that is spoken of.
    pub(super) fn note_file(&mut self, found: &OpenedFile) {
        if self.file != Some(found.file.file_id) {
            (self.page, self.page_goes_on, self.passage) = (None, false, None);
        }
        self.file = Some(found.file.file_id);
        self.on_file = true;
    }

    /// What was told of it, in its own words.
    pub(super) fn note_passage(&mut self, found: &OpenedFile) {
        self.passage = found.passages.first().map(|part| Arc::from(part.text.as_str()));
    }

    /// All of them were named: "it" is one of them, and the only one where there is one.
    pub(super) fn speak_of_files(&mut self) {
        if let [one] = self.files.as_ref() {
            self.file = Some(one.file_id);
        }
        self.on_file = !self.files.is_empty();
        self.passage = None;
    }

    /// A file was looked through in passing; the first that has something is spoken of.
    pub(super) fn note_sought(&mut self, found: OpenedFile) {
        if self.sought.is_empty() {
            self.was_on_file = self.on_file;
        }
        let first = self.sought.iter().all(|one| one.passages.is_empty());
        if first && !found.passages.is_empty() {
            self.note_file(&found);
            self.note_passage(&found);
        }
        self.sought.push(found);
    }

    /// How far into a page it was read.
    pub(super) fn note_page(&mut self, want: &PaperWant, found: &OpenedFile) {
        let PaperWant::Page { number, from } = want else {
            self.page_goes_on = false;
            return;
        };
        let words: usize = found.passages.iter().map(|it| it.text.split_whitespace().count()).sum();
        let told = (from + narrator::WORDS_OF_A_PAGE).min(words);
        self.page = (!found.no_such_page).then_some((*number, told));
        self.page_goes_on = told < words;
    }
}
