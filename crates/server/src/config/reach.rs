//! Who outside this machine may be told what is said: with `models.cloud = false`, nobody,
//! whatever else the settings name.

use models::Tier;
use models::provider::place::is_here;

use super::speech::{SpeechService, VoiceService};
use super::{LiveService, Settings};

/// A service that is set up and is not used, for it is not on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldBack {
    /// Its table in the settings.
    pub table: &'static str,
    pub base: String,
}

impl HeldBack {
    /// Why, for whoever set up both.
    pub fn told(&self) -> String {
        let Self { table, base } = self;
        format!(
            "`{table}` is not used: {base} is outside this machine, and `models.cloud` is false"
        )
    }

    /// What to do about it.
    pub fn advice(&self) -> String {
        let table = self.table;
        format!(
            "empty `{table}`, or set `models.cloud = true`; `{table}.tier = \"local\"` is for a \
             server of your own"
        )
    }
}

impl Settings {
    /// Who writes down what was said, where that is a service that may hear it.
    pub fn far_ears(&self) -> Option<&SpeechService> {
        let wanted = &self.speech.transcription;
        (!wanted.url.is_empty() && self.may_reach(&wanted.tier, &wanted.url)).then_some(wanted)
    }

    /// Who speaks, where that is a service that may be told what to say.
    pub fn far_voice(&self) -> Option<&VoiceService> {
        let wanted = &self.speech.voice;
        (!wanted.url.is_empty() && self.may_reach(&wanted.tier, &wanted.url)).then_some(wanted)
    }

    /// Whether what that one says leaves this machine.
    pub fn voice_is_elsewhere(&self) -> bool {
        self.far_voice().is_some_and(|far| tier(&far.tier, &far.url) == Tier::Cloud)
    }

    /// Who hears, thinks and speaks in one, where somebody may, and where they are.
    pub fn live(&self) -> Option<(&LiveService, Tier)> {
        let wanted = &self.speech.live;
        let tier = self.live_tier();
        (wanted.is_on() && (self.models.cloud || tier == Tier::Local)).then_some((wanted, tier))
    }

    /// Where a live voice is: at its own address, or where the models of OpenAI are.
    pub fn live_base(&self) -> String {
        let url = self.speech.live.url.trim_end_matches('/');
        if url.is_empty() { self.models.openai().0 } else { url.to_owned() }
    }

    /// What is set up and must not be used.
    pub fn held_back(&self) -> Vec<HeldBack> {
        let speech = &self.speech;
        let ears = (!speech.transcription.url.is_empty() && self.far_ears().is_none())
            .then(|| ("speech.transcription", speech.transcription.url.clone()));
        let voice = (!speech.voice.url.is_empty() && self.far_voice().is_none())
            .then(|| ("speech.voice", speech.voice.url.clone()));
        let live = (speech.live.is_on() && self.live().is_none())
            .then(|| ("speech.live", self.live_base()));
        let held = [ears, voice, live].into_iter().flatten();
        held.map(|(table, base)| HeldBack { table, base }).collect()
    }

    /// Services outside this machine that hear what is said, or what is answered.
    pub fn services_outside(&self) -> Vec<String> {
        let ears = self.far_ears().map(|far| ("ears", &far.tier, &far.url));
        let voice = self.far_voice().map(|far| ("a voice", &far.tier, &far.url));
        let far = [ears, voice].into_iter().flatten();
        let far = far.filter(|(_, told, url)| tier(told, url) == Tier::Cloud);
        far.map(|(what, _, url)| format!("{what} ({url})")).collect()
    }

    /// The language that is heard. The built-in ears know English; a service what it was
    /// told, or all there is.
    pub fn hearing_language(&self) -> &str {
        self.far_ears().map_or("en", |service| &service.language)
    }

    fn may_reach(&self, told: &str, base: &str) -> bool {
        self.models.cloud || tier(told, base) == Tier::Local
    }

    fn live_tier(&self) -> Tier {
        let live = &self.speech.live;
        let is_with_openai = live.url.is_empty() && live.tier.is_empty();
        let told = if is_with_openai { &self.models.openai.tier } else { &live.tier };
        tier(told, &self.live_base())
    }
}

/// A gateway on this machine may lead elsewhere, and a server in one's own house may be as
/// good as here: who says so is believed.
pub(super) fn tier(told: &str, base: &str) -> Tier {
    Tier::named(told).unwrap_or(if is_here(base) { Tier::Local } else { Tier::Cloud })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ears_and_a_voice_elsewhere_are_named_and_those_here_are_not() {
        let mut settings = Settings::default();
        settings.speech.transcription.url = "https://ears.example/v1".into();
        settings.speech.voice.url = "http://127.0.0.1:9/v1".into();
        assert_eq!(settings.services_outside(), ["ears (https://ears.example/v1)"]);
        settings.models.cloud = false;
        assert!(settings.services_outside().is_empty());
    }

    fn with(change: impl FnOnce(&mut Settings)) -> Settings {
        let mut settings = Settings::default();
        settings.models.cloud = false;
        settings.speech.live.model = "live-1".into();
        change(&mut settings);
        settings
    }

    fn tables(settings: &Settings) -> Vec<&'static str> {
        settings.held_back().iter().map(|held| held.table).collect()
    }

    #[test]
    fn nobody_outside_hears_or_speaks_where_nothing_may_leave() {
        let far = |settings: &mut Settings| {
            settings.speech.transcription.url = "https://ears.example/v1".into();
            settings.speech.voice.url = "https://voice.example/v1".into();
            settings.speech.transcription.language = "de".into();
        };
        let mut settings = with(far);
        assert!(settings.live().is_none());
        assert!(settings.far_ears().is_none() && settings.far_voice().is_none());
        assert_eq!(settings.hearing_language(), "en");
        assert_eq!(tables(&settings), ["speech.transcription", "speech.voice", "speech.live"]);

        settings.models.cloud = true;
        assert_eq!(settings.live().map(|(_, tier)| tier), Some(Tier::Cloud));
        assert!(settings.far_ears().is_some() && settings.far_voice().is_some());
        assert_eq!(settings.hearing_language(), "de");
        assert_eq!(tables(&settings), [""; 0]);
    }

    #[test]
    fn what_is_on_this_machine_may_be_told_anything() {
        let settings = with(|settings| {
            settings.speech.transcription.url = "http://localhost:9000/v1".into();
            settings.speech.voice.url = "http://[::1]:9000/v1".into();
            settings.speech.live.url = "http://127.0.0.1:9000/v1/".into();
        });
        assert_eq!(settings.live().map(|(_, tier)| tier), Some(Tier::Local));
        assert!(settings.far_ears().is_some() && settings.far_voice().is_some());
        assert_eq!(tables(&settings), [""; 0]);
    }

    #[test]
    fn a_tier_that_was_told_counts_more_than_an_address() {
        // A gateway on this machine that leads elsewhere, told at either place.
        let here = "http://127.0.0.1:9000/v1";
        let gateway = with(|settings| {
            settings.models.openai.url = here.into();
            settings.models.openai.tier = "cloud".into();
        });
        assert!(gateway.live().is_none());
        let gateway = with(|settings| {
            settings.speech.live.url = here.into();
            settings.speech.live.tier = "cloud".into();
        });
        assert!(gateway.live().is_none());
        // A server in one's own house. What is told of OpenAI's place holds for no other.
        let house = "http://attic.example/v1";
        let own = with(|settings| {
            settings.speech.live.url = house.into();
            settings.speech.live.tier = "local".into();
        });
        assert_eq!(own.live().map(|(_, tier)| tier), Some(Tier::Local));
        let other = with(|settings| {
            settings.speech.live.url = house.into();
            settings.models.openai.tier = "local".into();
        });
        assert!(other.live().is_none());
    }
}
