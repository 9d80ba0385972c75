//! Which word comes next, of all that could. Pure: chance comes in as a seed.

/// How a word is picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampler {
    /// 0 takes the likeliest; more lets others in.
    pub temperature: f32,
    /// Of the likeliest words only so many as make this share are looked at.
    pub top_share: f32,
    /// What was said lately counts less by this.
    pub against_repeating: f32,
    chance: u64,
}

/// So far back one looks for what was said already.
const LATELY: usize = 64;

impl Sampler {
    pub fn new(temperature: f32, seed: u64) -> Self {
        Self { temperature, top_share: 0.9, against_repeating: 1.1, chance: seed | 1 }
    }

    /// The next word.
    pub fn pick(&mut self, logits: &[f32], said: &[u32]) -> u32 {
        let mut logits = logits.to_vec();
        for token in said.iter().rev().take(LATELY) {
            if let Some(logit) = logits.get_mut(*token as usize) {
                let by = self.against_repeating;
                *logit = if *logit > 0.0 { *logit / by } else { *logit * by };
            }
        }
        if self.temperature <= 0.0 {
            return likeliest(&logits);
        }
        for logit in &mut logits {
            *logit /= self.temperature;
        }
        let shares = shares(&logits);
        let mut order: Vec<usize> = (0..shares.len()).filter(|at| shares[*at] > 1e-6).collect();
        order.sort_by(|one, other| shares[*other].total_cmp(&shares[*one]));
        let mut total = 0.0;
        let enough = order.iter().position(|at| {
            total += shares[*at];
            total >= self.top_share
        });
        order.truncate(enough.map_or(order.len(), |at| at + 1));
        let mut left = self.next_chance() * order.iter().map(|at| shares[*at]).sum::<f32>();
        for at in &order {
            left -= shares[*at];
            if left <= 0.0 {
                return token(*at);
            }
        }
        order.last().map_or_else(|| likeliest(&logits), |at| token(*at))
    }

    /// Between 0 and 1 (xorshift).
    fn next_chance(&mut self) -> f32 {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        let bits = u16::try_from(self.chance >> 48).unwrap_or(0);
        f32::from(bits) / 65_536.0
    }
}

/// The likeliest word.
pub fn likeliest(logits: &[f32]) -> u32 {
    let most = logits.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1));
    most.map_or(0, |(at, _)| token(at))
}

/// How large the share of each word is.
pub fn shares(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let total: f32 = shares.iter().sum();
    for share in &mut shares {
        *share /= total;
    }
    shares
}

/// How likely one word is.
pub fn share_of(logits: &[f32], token: u32) -> f32 {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
    logits.get(token as usize).map_or(0.0, |logit| (logit - most).exp() / total)
}

fn token(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_temperature_the_likeliest_is_taken_unless_it_was_just_said() {
        let mut sampler = Sampler::new(0.0, 7);
        assert_eq!(sampler.pick(&[0.1, 2.0, 1.95], &[]), 1);
        assert_eq!(sampler.pick(&[0.1, 2.0, 1.95], &[1]), 2);
        assert_eq!(sampler.pick(&[-1.0, -1.05], &[0]), 1, "also where all are unlikely");
    }

    #[test]
    fn words_come_as_often_as_they_are_likely_and_the_unlikely_never() {
        let mut sampler = Sampler { against_repeating: 1.0, ..Sampler::new(1.0, 3) };
        let logits = [0.6_f32.ln(), 0.35_f32.ln(), 0.05_f32.ln()];
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            counts[sampler.pick(&logits, &[]) as usize] += 1;
        }
        // Of the two that make up nine tenths, 0.6 / 0.95 are the first.
        assert!((6_000..6_650).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[2], 0);
    }

    #[test]
    fn shares_make_one() {
        let shares = shares(&[3.0, 1.0, -2.0]);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((share_of(&[3.0, 1.0, -2.0], 1) - shares[1]).abs() < 1e-6);
    }
}
