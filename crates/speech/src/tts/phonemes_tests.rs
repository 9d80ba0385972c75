//! Every word is heard; with the real dictionary and the real model.

use super::super::spoken::spoken;
use super::*;

fn reader() -> Option<Reader> {
    Some(Reader::load(&crate::testing::assets()?, &Lanes::new(1)).unwrap())
}

fn read(reader: &Reader, text: &str, names: &Pronunciations) -> String {
    reader.read(&spoken(text, 0), names).sounds.into_iter().collect()
}

#[test]
fn every_word_yields_sounds_whatever_it_is() {
    let Some(reader) = reader() else { return };
    let text = "I have 3:30 pm, 25%, 555-0123, $4.20, 5kg, Q3, FY26, v2.1.0, A4-77B, priya@x.io, \
        https://a.example/b?c=d&e=f, Łukasz, Ødegård, Siobhan, Nguyen's, 北京, Привет, naïve, rock'n'roll, \
        O'Brien, x, 1/2, ½, 3×4, C++, #7, and/or, U.S., NASA, RSVP, e.g., 10:15, 2026-11-20, R&D, Brightloom, \
        hmm, ok, 2nd, 1,249.50, +1-415-555-0123, snake_case, camelCase, AT&T, 24/7, 9–10, zzz, qwrtp";
    let words = spoken(text, 0);

    let phonemes = reader.read(&words, &Pronunciations::default());

    for (at, word) in words.iter().enumerate() {
        let heard = phonemes.sounds.iter().zip(&phonemes.words);
        let heard: String = heard.filter(|(_, of)| **of == at).map(|(sound, _)| sound).collect();
        assert!(heard.chars().any(char::is_alphabetic), "{:?} is silent: {heard:?}", word.words);
        assert!(!heard.contains('❓'), "{:?}: {heard}", word.words);
    }
    assert!(phonemes.words.is_sorted(), "{phonemes:?}");
}

#[test]
fn words_in_other_letters_take_nothing_from_the_words_around_them() {
    let Some(reader) = reader() else { return };
    let names = Pronunciations::default();
    for (written, like) in [
        ("She said Привет to me.", "She said Privet to me."),
        ("We fly to 北京 on Monday.", "We fly to something in Chinese on Monday."),
        ("He wrote مرحبا يا صديقي, and left.", "He wrote something in Arabic, and left."),
        ("π is small", "pi is small"),
    ] {
        assert_eq!(read(&reader, written, &names), read(&reader, like, &names), "{written}");
    }
}

#[test]
fn a_name_with_marks_keeps_all_its_letters() {
    let Some(reader) = reader() else { return };
    let names = Pronunciations::default();
    assert_eq!(read(&reader, "Trầnh Vũu", &names), read(&reader, "Tranh Vuu", &names));
}

#[test]
fn a_name_is_said_as_the_person_told() {
    let Some(reader) = reader() else { return };
    let mut names = Pronunciations::default();
    let plain = read(&reader, "Ask Siobhan's team.", &names);

    names.set("Siobhan", Pronunciation::Phonemes("ʃəvˈɔn".into()));
    let told = read(&reader, "Ask Siobhan's team.", &names);
    assert!(told.contains("ʃəvˈɔnz") && told != plain, "{told}");

    names.set("siobhan", Pronunciation::Like("Chevonne".into()));
    let like = read(&reader, "Ask SIOBHAN.", &names);
    assert_eq!(like, read(&reader, "Ask Chevonne.", &Pronunciations::default()));
    names.forget("Siobhan");
    assert_eq!(read(&reader, "Ask Siobhan's team.", &names), plain);
}

#[test]
fn brackets_in_a_text_are_no_pronunciations() {
    let Some(reader) = reader() else { return };
    let read = read(&reader, "See [note](/bad/) and [1](2).", &Pronunciations::default());
    assert!(!read.contains("bad"), "{read}");
}
