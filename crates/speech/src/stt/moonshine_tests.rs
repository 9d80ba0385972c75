//! With the real model where it has been fetched; see `proof`.

use super::super::Confidence;
use super::*;

/// What the decoder writes down where it finds these the likeliest, one after another.
fn said(rows: &[[f32; 6]]) -> Said {
    let alphabet = ["<unk>", "<s>", "</s>", "\u{2581}Yes", "\u{2581}no", "."];
    let pieces = Pieces::new(alphabet.map(|piece| piece.as_bytes().to_vec()).into());
    let mut said = Said::default();
    assert!(rows.iter().any(|row| said.take(row, 9, &pieces)), "it never ends");
    said
}

#[test]
fn a_yes_that_may_as_well_be_nothing_is_heard_and_decides_nothing() {
    let end = [-20.0, -20.0, 5.0, -20.0, -20.0, -20.0];
    let surely = said(&[[-20.0, -20.0, -1.0, 5.0, -8.0, -20.0], end]);
    assert!(surely.convinces() && surely.may_refuse() < 0.001, "{}", surely.may_refuse());

    let in_doubt = said(&[[-20.0, -20.0, 5.1, 5.0, -8.0, -20.0], end]);
    assert!(in_doubt.convinces() && in_doubt.heard_logps[0] > -0.01, "the same word");
    assert!(in_doubt.may_refuse() >= 1.0, "{}", in_doubt.may_refuse());
}

#[test]
fn a_yes_that_comes_to_no_end_is_heard_once_and_decides_nothing() {
    let yes = [-20.0, -20.0, -9.0, 5.0, -9.0, -20.0];
    let endless = said(&[yes; 9]);
    assert!(endless.unfinished && endless.pieces.len() == 1, "{:?}", endless.pieces);
    assert!(endless.may_refuse() >= 1.0, "{}", endless.may_refuse());
    let (mean, least) = endless.likelihood();
    assert!(Confidence::of(mean, least).all_right() < 0.2, "{mean} {least}");
}

#[test]
fn what_is_said_again_and_again_is_written_down_and_so_is_what_comes_behind_it() {
    let (yes, no) =
        ([-20.0, -20.0, -9.0, 5.0, -9.0, -20.0], [-20.0, -20.0, -9.0, -9.0, 5.0, -20.0]);
    let end = [-20.0, -20.0, 5.0, -20.0, -20.0, -20.0];
    let said = said(&[yes, yes, yes, yes, yes, yes, no, end]);
    assert_eq!(said.pieces, [3, 3, 3, 3, 3, 3, 4]);
    assert!(!said.unfinished && said.may_refuse() > 0.9, "{}", said.may_refuse());
}

#[test]
fn a_blink_of_sound_and_none_hold_no_words() {
    let Some(assets) = crate::testing::assets() else { return };
    let moonshine = Moonshine::load(&assets, &Lanes::new(1)).unwrap();
    for samples in [0, 1, 800, 1_599, 1_600, 16_000] {
        let heard = moonshine.recognise(&vec![0.0; samples], None).unwrap();
        assert!(heard.is_empty() && heard.confidence() == 0.0, "{samples}: {heard:?}");
    }
}

#[test]
fn a_missing_and_a_broken_file_are_named() {
    let nowhere = Path::new("/nowhere");
    let Err(error) = Moonshine::load(nowhere, &Lanes::new(1)) else { panic!("loaded nothing") };
    assert_eq!(
        error.to_string(),
        "/nowhere/moonshine/encoder.onnx is not there; `make assets` fetches it"
    );
}
