//! What a sentence means, as a direction: what means much the same points much
//! the same way.
//!
//! Whoever has a model hands it in as a [`Meaning`]; nothing here knows which.
//! A direction is kept in one byte a number, which is a quarter of the room and
//! finds the same memories.

/// A model that hears what sentences mean. Its work takes milliseconds and
/// blocks; it is called where that disturbs nobody.
pub trait Meaning: Send + Sync {
    /// Which model it is. What another one heard says nothing to this one.
    fn model(&self) -> &str;

    /// A direction of length one; none where the model fails, or is not there yet.
    fn direction(&self, sentence: &str) -> Option<Vec<f32>>;
}

/// One direction in a byte a number, and what one of these is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    worth: f32,
    steps: Vec<i8>,
}

impl Direction {
    pub fn of(exact: &[f32]) -> Self {
        let longest = exact.iter().fold(0.0_f32, |longest, value| longest.max(value.abs()));
        let worth = (longest / f32::from(i8::MAX)).max(f32::MIN_POSITIVE);
        #[expect(clippy::cast_possible_truncation, reason = "the longest is 127 steps, rounded")]
        let steps = exact.iter().map(|value| (value / worth).round() as i8).collect();
        Self { worth, steps }
    }

    /// From -1 to 1: how much two of them mean the same. Nothing, where they are
    /// of different kinds.
    pub fn likeness(&self, other: &Self) -> f32 {
        let both = self.steps.iter().zip(&other.steps);
        let product: i32 = both.map(|(one, two)| i32::from(*one) * i32::from(*two)).sum();
        self.weighed(product, other.steps.len(), other.worth)
    }

    /// The same with one as it is kept, without taking it apart.
    pub(crate) fn likeness_to_kept(&self, kept: &[u8]) -> f32 {
        let Some((worth, steps)) = kept.split_first_chunk::<4>() else { return 0.0 };
        let both = self.steps.iter().zip(steps);
        let product: i32 = both.map(|(a, b)| i32::from(*a) * i32::from(b.cast_signed())).sum();
        self.weighed(product, steps.len(), f32::from_le_bytes(*worth))
    }

    fn weighed(&self, product: i32, length: usize, worth: f32) -> f32 {
        if self.steps.len() != length {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "a few millions fit")]
        let product = product as f32;
        product * self.worth * worth
    }

    /// As it is kept: what a step is worth, then the steps.
    pub(crate) fn kept(&self) -> Vec<u8> {
        let steps = self.steps.iter().map(|step| step.cast_unsigned());
        self.worth.to_le_bytes().into_iter().chain(steps).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_in_bytes_is_as_like_as_it_was() {
        let (one, two) = ([0.6, 0.8, 0.0], [0.8, 0.6, 0.0]);
        let likeness = Direction::of(&one).likeness(&Direction::of(&two));
        assert!((likeness - 0.96).abs() < 0.01, "{likeness}");
        assert!(Direction::of(&[]).likeness(&Direction::of(&one)).abs() < f32::EPSILON);
        assert!(Direction::of(&[0.0, 0.0]).likeness(&Direction::of(&[1.0, 0.0])).abs() < 0.01);
    }

    #[test]
    fn what_is_kept_is_as_like_as_what_is_not() {
        let (one, two) = (Direction::of(&[0.1, -0.7, 0.7]), Direction::of(&[0.3, -0.9, 0.1]));
        let (kept, fresh) = (one.likeness_to_kept(&two.kept()), one.likeness(&two));
        assert!((kept - fresh).abs() < f32::EPSILON, "{kept} {fresh}");
        assert!(one.likeness_to_kept(&[1, 2]).abs() < f32::EPSILON);
    }
}
