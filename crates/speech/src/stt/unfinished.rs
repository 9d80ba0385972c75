//! Where a decoder comes to no end: how much it may write, what of it is worth anything,
//! and how the rest of the sound is heard all the same.
//!
//! People do say one thing again and again: "no, no, no, no, no, stop", a card number. What
//! is repeated is therefore no sign by itself. More than anybody has time to say is.

use super::{HeardWord, Recognised};
use crate::engine::Unavailable;
use crate::resample::EARS_RATE;

/// Four hundred words a minute are nine pieces a second with their marks; digits with
/// dashes between them were twelve.
const PIECES_A_SECOND: usize = 12;
/// The first syllables of a short sound come closer than that.
const PIECES_MORE: usize = 6;
/// Whose end was not heard is not likely as a whole, however sure its words are.
pub const NO_END: f32 = -3.0;
/// Half of less holds no more than the whole.
const SHORTEST_HALVED: usize = EARS_RATE as usize * 2;
/// The quietest moment is looked for in steps of 20 ms.
const STEP: usize = EARS_RATE as usize / 50;
/// A turn of a loop has so many pieces at most.
const LONGEST_TURN: usize = 12;

/// As many pieces as somebody who speaks very fast can say; whoever writes more does not
/// hear them.
pub fn most_pieces(samples: usize) -> usize {
    samples * PIECES_A_SECOND / EARS_RATE as usize + PIECES_MORE
}

/// Where the end of what was written down only repeats itself: behind the first turn.
/// Only to be asked of what came to no end.
pub fn loops_from(pieces: &[u32]) -> Option<usize> {
    (1..=LONGEST_TURN).find_map(|length| {
        let times = if length < 3 { 5 } else { 3 };
        // The last turn may have been cut in the middle.
        let repeats = pieces.iter().rev().zip(pieces.iter().rev().skip(length));
        let same = repeats.take_while(|(a, b)| a == b).count() + length;
        (same >= length * times).then(|| pieces.len() - same + length)
    })
}

/// What `hear` makes of `sound`; where it comes to no end, of its halves too, so that what
/// was said behind a loop is heard. Either way it is no more finished for that.
pub fn heard_out(
    sound: &[f32],
    hear: impl Fn(&[f32]) -> Result<Recognised, Unavailable>,
) -> Result<Recognised, Unavailable> {
    let whole = hear(sound)?;
    if !whole.unfinished || sound.len() < SHORTEST_HALVED {
        return Ok(whole);
    }
    let (first, second) = sound.split_at(quietest(sound));
    let halves = joined(hear(first)?, hear(second)?);
    Ok(if halves.words.len() > whole.words.len() { halves } else { whole })
}

/// The quietest moment of the middle third: most likely between two words.
fn quietest(sound: &[f32]) -> usize {
    let (from, until) = (sound.len() / 3, sound.len() * 2 / 3);
    let loudness = |at: &usize| sound[*at..at + STEP].iter().map(|it| it * it).sum::<f32>();
    let steps = (from..until.saturating_sub(STEP)).step_by(STEP);
    let quietest = steps.min_by(|a, b| loudness(a).total_cmp(&loudness(b)));
    quietest.map_or(sound.len() / 2, |at| at + STEP / 2)
}

fn joined(first: Recognised, second: Recognised) -> Recognised {
    let text = format!("{} {}", first.text, second.text).trim().to_owned();
    let words: Vec<HeardWord> = [first.words, second.words].concat();
    Recognised {
        text,
        words,
        mean_logp: first.mean_logp.min(second.mean_logp),
        min_logp: first.min_logp.min(second.min_logp).min(NO_END),
        may_refuse: Some(1.0),
        unfinished: true,
        stood_in: false,
        pieces: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_that_repeats_itself_is_known_also_where_it_is_cut_in_the_middle() {
        assert_eq!(loops_from(&[9, 1, 2, 3, 1, 2, 3, 1, 2, 3]), Some(4));
        assert_eq!(loops_from(&[9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]), Some(4));
        assert_eq!(loops_from(&[7, 7, 7, 7]), None);
        assert_eq!(loops_from(&[4, 7, 7, 7, 7, 7]), Some(2));
        assert_eq!(loops_from(&[7, 7, 7, 7, 7, 4]), None, "something came behind it");
        assert_eq!(loops_from(&[1, 2, 3, 4, 5]), None);
    }

    /// One word for every second of sound, without an end where it is long.
    fn hear(sound: &[f32]) -> Recognised {
        let unfinished = sound.len() > 60_000;
        let many = if unfinished { 1 } else { sound.len() / 16_000 };
        let word = HeardWord { text: "no".into(), logp: -0.01 };
        let text = vec!["no"; many].join(" ");
        Recognised { text, words: vec![word; many], unfinished, ..Recognised::default() }
    }

    #[test]
    fn what_came_to_no_end_is_heard_in_halves_and_decides_nothing() {
        let mut sound = vec![0.5; 64_000];
        sound[33_000..34_000].fill(0.0);
        let heard = heard_out(&sound, |part| Ok(hear(part))).unwrap();
        assert_eq!((heard.text.as_str(), heard.words.len()), ("no no no", 3));
        assert!(heard.unfinished && heard.may_refuse == Some(1.0), "{heard:?}");
        assert!(heard.confidence() < 0.2, "{}", heard.confidence());
        let cut = quietest(&sound);
        assert!((33_000..34_000).contains(&cut), "{cut}");

        let finished = heard_out(&sound[..48_000], |part| Ok(hear(part))).unwrap();
        assert_eq!(finished, hear(&sound[..48_000]));
    }
}
