//! Ears and a voice that are not built in: a service, or models in somebody's folder.
//!
//! They do what counts. What is only shown while somebody speaks is heard by the built-in
//! ears: it costs nothing and is there at once; how sure a word is, is theirs to say, and
//! whatever the others fail at the built-in ones do.

use std::sync::Arc;

use speech::engine::Unavailable;
use speech::stt::{Recognised, Recogniser, weighed};
use speech::tts::{Clause, Manner, Sound, Voice};

pub struct TheirEars {
    pub theirs: Arc<dyn Recogniser>,
    pub built_in: Option<Arc<dyn Recogniser>>,
}

impl Recogniser for TheirEars {
    fn recognise(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        let (theirs, ours) = std::thread::scope(|scope| {
            let built_in = self.built_in.as_ref();
            let ours = built_in.map(|ours| scope.spawn(move || ours.recognise(sound, draft)));
            let theirs = self.theirs.recognise(sound, None);
            // Ears that break down hear nothing; the others may have.
            let ours = ours.map(|ours| ours.join().unwrap_or_else(|_| Ok(Recognised::default())));
            (theirs, ours)
        });
        match (theirs, ours) {
            // Somebody spoke and it wrote down nothing: what we heard is all there is, and
            // too little for a yes, for they do not agree.
            (Ok(heard), Some(Ok(ours))) if heard.text.is_empty() && !ours.is_empty() => {
                metrics::counter!("sayso_speech_fallbacks_total", "what" => "ears").increment(1);
                Ok(Recognised { stood_in: true, may_refuse: Some(1.0), ..ours })
            }
            (Ok(heard), ours) => {
                let both = weighed(&heard.text, ours.and_then(Result::ok).as_ref());
                // More may have been said than they wrote down, whatever we heard.
                let may_refuse = if heard.unfinished { Some(1.0) } else { both.may_refuse };
                Ok(Recognised { may_refuse, ..both })
            }
            (Err(error), Some(ours)) => {
                stands_in("ears", &error);
                ours.map(|heard| Recognised { stood_in: true, ..heard })
            }
            (Err(error), None) => Err(error),
        }
    }

    fn glimpse(
        &self,
        sound: &[f32],
        draft: Option<&Recognised>,
    ) -> Result<Recognised, Unavailable> {
        match &self.built_in {
            Some(built_in) => built_in.glimpse(sound, draft),
            None => Ok(Recognised::default()),
        }
    }
}

pub struct TheirVoice {
    pub theirs: Arc<dyn Voice>,
    pub built_in: Option<Arc<dyn Voice>>,
    /// What it says leaves this machine.
    pub is_elsewhere: bool,
}

impl Voice for TheirVoice {
    fn rate(&self) -> u32 {
        self.theirs.rate()
    }

    fn say(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        match (self.theirs.say(clause, manner), &self.built_in) {
            (Err(error), Some(built_in)) => {
                stands_in("voice", &error);
                built_in.say(clause, manner).map(|sound| Sound { stood_in: true, ..sound })
            }
            (said, _) => said,
        }
    }

    /// Nobody stands in here: it is not asked. Without a voice of our own it can be read.
    fn say_here(&self, clause: &Clause, manner: &Manner) -> Result<Sound, Unavailable> {
        match &self.built_in {
            _ if !self.is_elsewhere => self.say(clause, manner),
            Some(built_in) => built_in.say(clause, manner),
            None => Ok(Sound::default()),
        }
    }
}

fn stands_in(what: &'static str, error: &Unavailable) {
    // A service that is away has said so, once until it has rested.
    if !matches!(error, Unavailable::Away { .. }) {
        tracing::warn!(what, %error, "a model that was brought failed; the built-in ones do it");
    }
    metrics::counter!("sayso_speech_fallbacks_total", "what" => what).increment(1);
}

#[cfg(test)]
mod tests {
    use speech::stt::HeardWord;
    use speech::tts::Breath;

    use super::*;

    /// Hears and says the same every time, or nothing.
    struct Always(Option<&'static str>);

    impl Recogniser for Always {
        fn recognise(&self, _: &[f32], _: Option<&Recognised>) -> Result<Recognised, Unavailable> {
            let text = self.0.ok_or_else(|| Unavailable::Missing("a model".into()))?;
            let word = |text: &str| HeardWord { text: text.to_owned(), logp: -0.01 };
            let words = text.split_whitespace().map(word).collect();
            let may_refuse = Some(0.0);
            Ok(Recognised { text: text.to_owned(), words, may_refuse, ..Recognised::default() })
        }
    }

    impl Voice for Always {
        fn rate(&self) -> u32 {
            24_000
        }

        fn say(&self, _: &Clause, _: &Manner) -> Result<Sound, Unavailable> {
            let said = self.0.ok_or_else(|| Unavailable::Missing("a voice".into()))?;
            Ok(Sound { samples: vec![0.5; said.len()], ..Sound::default() })
        }
    }

    fn hear(theirs: Option<&'static str>, ours: Option<&'static str>) -> Option<Recognised> {
        let built_in = ours.map(|ours| Arc::new(Always(Some(ours))) as Arc<dyn Recogniser>);
        TheirEars { theirs: Arc::new(Always(theirs)), built_in }.recognise(&[], None).ok()
    }

    #[test]
    fn their_words_count_and_a_yes_that_we_did_not_hear_decides_nothing() {
        let both = hear(Some("yes"), Some("yes")).unwrap();
        assert_eq!((both.text.as_str(), both.may_refuse), ("yes", Some(0.0)));
        for ours in [None, Some("guess")] {
            let alone = hear(Some("yes"), ours).unwrap();
            assert_eq!((alone.text.as_str(), alone.may_refuse), ("yes", Some(1.0)));
        }
    }

    #[test]
    fn where_they_wrote_down_nothing_our_words_stand_in_and_decide_nothing() {
        let ours = hear(Some(""), Some("yes")).unwrap();
        assert_eq!((ours.text.as_str(), ours.stood_in, ours.may_refuse), ("yes", true, Some(1.0)));
        for ours in [None, Some("")] {
            let nothing = hear(Some(""), ours).unwrap();
            assert!(nothing.is_empty() && !nothing.stood_in, "{ours:?}");
        }
    }

    #[test]
    fn whatever_they_fail_at_is_done_by_ours_and_told() {
        let heard = hear(None, Some("hello")).unwrap();
        assert_eq!((heard.text.as_str(), heard.stood_in), ("hello", true));
        assert_eq!(hear(None, None), None);

        let clause = Clause { text: "Hi.".into(), at: 0..3, breath: Breath::FullStop };
        let say = |theirs, ours: Option<&'static str>| {
            let built_in = ours.map(|ours| Arc::new(Always(Some(ours))) as Arc<dyn Voice>);
            let (theirs, is_elsewhere) = (Arc::new(Always(theirs)), false);
            TheirVoice { theirs, built_in, is_elsewhere }.say(&clause, &Manner::default()).ok()
        };
        let told = |sound: Option<Sound>| sound.map(|it| (it.samples.len(), it.stood_in));
        assert_eq!(told(say(Some("theirs"), Some("ours"))), Some((6, false)));
        assert_eq!(told(say(None, Some("ours"))), Some((4, true)));
        assert_eq!(told(say(None, None)), None);
    }

    #[test]
    fn what_is_not_to_leave_this_machine_is_said_by_a_voice_that_is_here_or_read() {
        let clause = Clause { text: "Hi.".into(), at: 0..3, breath: Breath::FullStop };
        let say = |is_elsewhere, ours: Option<&'static str>| {
            let built_in = ours.map(|ours| Arc::new(Always(Some(ours))) as Arc<dyn Voice>);
            let theirs = Arc::new(Always(Some("theirs")));
            let voice = TheirVoice { theirs, built_in, is_elsewhere };
            let said = voice.say_here(&clause, &Manner::default());
            said.map(|it| (it.samples.len(), it.stood_in)).ok()
        };
        assert_eq!(say(true, Some("ours")), Some((4, false)));
        assert_eq!(say(true, None), Some((0, false)));
        assert_eq!(say(false, Some("ours")), Some((6, false)));
    }
}
