//! A live voice for sessions, where the settings name one.

use std::sync::Arc;
use std::time::Duration;

use models::Tier;
use models::planner::{self, Planner};
use models::provider::{Order, ToolSpec};
use models::realtime::Setup;
use models::realtime::socket::Realtime;
use session::LiveVoice;
use tools::Catalog;

use super::brains;
use crate::config::Settings;

/// What it is called in figures and on record.
const NAME: &str = "realtime";

/// Somebody to hear, think and speak, or nobody.
pub fn voice(settings: &Settings, catalog: &Catalog) -> anyhow::Result<Option<LiveVoice>> {
    let Some((_, tier)) = settings.live() else { return Ok(None) };
    let tools: Vec<ToolSpec> = brains::specs(catalog);
    let live = realtime(settings, planner::specs(tools.clone()))?;
    tracing::info!(model = live.setup.model, at = live.base, "a live voice may speak");
    let prices = settings.models.told_prices()?;
    let least_confidence = settings.models.least_confidence_percent;
    let patience = Duration::from_secs(settings.models.timeout_seconds);
    Ok(Some(LiveVoice {
        live: Arc::new(live),
        tier,
        thinks: Box::new(move |provider| {
            // What fails is not asked again: the text models are.
            let order = |providers| Arc::new(Order::new(providers, 1, prices.clone()));
            let (own, nobody) = (order(vec![provider]), order(Vec::new()));
            let (local, cloud) = if tier == Tier::Local { (own, nobody) } else { (nobody, own) };
            Arc::new(Planner::new(local, cloud, tools.clone(), patience, least_confidence))
        }),
    }))
}

/// Where it is, and what it is to be.
pub fn realtime(settings: &Settings, tools: Vec<ToolSpec>) -> anyhow::Result<Realtime> {
    let wanted = &settings.speech.live;
    let (_, key) = settings.models.openai();
    // A key is shown to whoever it is for and to nobody else.
    let key = wanted.key.shown().or(key.filter(|_| wanted.url.is_empty()));
    Ok(Realtime {
        name: NAME.to_owned(),
        base: settings.live_base(),
        key,
        setup: Setup {
            model: wanted.model.trim().to_owned(),
            voice: wanted.voice.clone(),
            transcription: wanted.transcription.clone(),
            language: wanted.language.clone(),
            instructions: planner::system(),
            tools,
            prices: wanted.prices()?,
        },
        patience: Duration::from_secs(wanted.timeout_seconds),
    })
}
