//! What is counted since the server began and stands in no row: read from the same
//! figures that Prometheus reads.

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SinceStart")]
pub struct Counted {
    /// Answers that were talked over.
    pub barge_ins: u64,
    pub utterances: u64,
    /// Sounds that held nothing to answer: no words, our own voice.
    pub unheard_turns: u64,
    /// Clients that came back to a session.
    pub returns: u64,
    /// Those of them that had missed too much to be told one by one.
    pub returns_anew: u64,
    /// Sentences that could not be spoken.
    pub speech_failures: u64,
    /// Sound that came faster than it could be heard.
    pub audio_dropped_ms: u64,
    /// Clients that were too slow, or there at shutdown.
    pub clients_cut: u64,
    pub rate_limited: u64,
    pub refused: u64,
    pub malformed_frames: u64,
}

impl Counted {
    /// `figures` as they are given to Prometheus. What was never counted is not in there,
    /// and has not happened.
    pub fn of(figures: &str) -> Self {
        let sum = |name: &str| figures.lines().filter_map(|line| value(line, name)).sum();
        Self {
            barge_ins: sum("sayso_barge_ins_total"),
            utterances: sum("sayso_utterances_total"),
            unheard_turns: sum("sayso_unheard_turns_total"),
            returns: sum("sayso_returns_total"),
            returns_anew: sum("sayso_returns_anew_total"),
            speech_failures: sum("sayso_speech_failures_total"),
            audio_dropped_ms: sum("sayso_audio_dropped_ms_total"),
            clients_cut: sum("sayso_clients_cut_total"),
            rate_limited: sum("sayso_rate_limited_total"),
            refused: sum("sayso_refused_total"),
            malformed_frames: sum("sayso_malformed_frames_total"),
        }
    }
}

/// The value of one series of this name, whatever its labels.
fn value(line: &str, name: &str) -> Option<u64> {
    let rest = line.strip_prefix(name)?;
    if !rest.starts_with([' ', '{']) {
        return None;
    }
    rest.rsplit_once(' ')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_of_one_name_are_added_whatever_their_labels() {
        let figures = "# TYPE sayso_refused_total counter\n\
            sayso_refused_total{why=\"unknown\"} 2\nsayso_refused_total{why=\"a b\"} 3\n\
            sayso_refused_total_other 9\nsayso_barge_ins_total 4\n";

        let counted = Counted::of(figures);

        assert_eq!(counted, Counted { refused: 5, barge_ins: 4, ..Counted::default() });
    }
}
