//! Whatever comes in, something comes out.

use super::*;

const KINDS: [&str; 9] = [
    "text/plain",
    "text/markdown",
    "text/csv",
    "text/html",
    "text/calendar",
    "message/rfc822",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "image/jpeg",
];

/// Bytes that look random and are the same every time.
fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed | 1;
    let next = |state: &mut u32| {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        state.to_le_bytes()[1]
    };
    (0..length).map(|_| next(&mut state)).collect()
}

#[test]
fn no_bytes_make_it_panic() {
    for kind in KINDS {
        for seed in 1..40 {
            let _ = read(&noise(700, seed), kind);
        }
    }
}

#[test]
fn a_file_cut_or_changed_anywhere_is_answered() {
    let files = [
        (pdf::tests::pdf(&[&["The rent is due", "on the first."]]), KINDS[6]),
        (document::tests::docx("<w:p><w:r><w:t>Hello</w:t></w:r></w:p>"), KINDS[7]),
    ];
    for (bytes, kind) in files {
        for cut in (0..bytes.len()).step_by(7) {
            let _ = read(&bytes[..cut], kind);
            let mut changed = bytes.clone();
            changed[cut] ^= 0x55;
            let _ = read(&changed, kind);
        }
    }
}

#[test]
fn what_is_kept_of_a_file_has_an_end() {
    let long = "All work and no play. ".repeat(200_000);
    let paper = read(long.as_bytes(), "text/plain").unwrap();
    let kept: usize = paper.parts.iter().map(|part| part.text.len()).sum();
    assert!(paper.cut && kept <= MOST_TEXT);
    assert!(serde_json::to_string(&paper).unwrap().len() < 2 * MOST_TEXT);
}

#[test]
fn every_problem_is_one_thing_to_do_in_plain_words() {
    let problems = [
        Unreadable::Empty,
        Unreadable::Locked("PDF"),
        Unreadable::Broken("PDF", "it has no pages"),
        Unreadable::TooMuch("table", "it is enormous"),
        Unreadable::NoText("PDF"),
        Unreadable::NotKnown("audio/x-wav".into()),
    ];
    for problem in problems {
        let told = problem.to_string();
        assert!(told.ends_with('.') && !told.contains("Error"), "{told}");
    }
}
