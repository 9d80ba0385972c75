//! Who is asked beyond the rules: a model in the process, models on this machine, models
//! elsewhere.

mod in_process;

use std::sync::Arc;
use std::time::Duration;

use models::interpreter::{Asking, Interpreter};
use models::planner::Planner;
use models::provider::{Far, Order, Provider, ToolSpec};
use models::{Thinker, Tier};
use tools::{Catalog, Tool};

use crate::config::Settings;

/// Everybody there is; nobody, where nothing is set up.
#[derive(Default)]
pub struct Brains {
    /// Who is asked where the rules have no reading.
    pub thinker: Option<Arc<dyn Thinker>>,
    /// Who is asked which of a few answers was meant.
    pub interpreter: Option<Arc<dyn Interpreter>>,
}

pub use self::in_process::{Found, look_at};

pub fn of(settings: &Settings, catalog: &Catalog) -> anyhow::Result<Brains> {
    let models = &settings.models;
    let mut local: Vec<Arc<dyn Provider>> = Vec::new();
    let mut cloud: Vec<Arc<dyn Provider>> = Vec::new();
    for line in models.lines()? {
        let tier = line.tier;
        let (provider, model) = (&line.name, &line.model);
        tracing::info!(provider, model, tier = tier.name(), "a model may be asked");
        let far = Far::new(line.clone());
        let far = far.map_err(|trouble| anyhow::anyhow!("{} {trouble}", line.name))?;
        if tier == Tier::Local { &mut local } else { &mut cloud }.push(Arc::new(far));
    }
    let in_process = in_process::start(models, catalog, !cloud.is_empty());
    if local.is_empty() && cloud.is_empty() && in_process.is_none() {
        return Ok(Brains::default());
    }
    let prices = models.told_prices()?;
    let order = |providers| Order::new(providers, models.tries, prices.clone());
    let cloud = Arc::new(order(cloud));
    let asking = models.interpret.then(|| {
        let budget = Duration::from_millis(models.interpret_ms);
        // The one in the process is too slow for that, and too small.
        let local = Arc::new(order(local.clone()).of_one_s_own());
        Asking::new(local, Arc::clone(&cloud), budget)
    });
    let local = order(in_process.into_iter().chain(local).collect()).of_one_s_own();
    let patience = Duration::from_secs(models.timeout_seconds);
    let planner = Planner::new(
        Arc::new(local),
        cloud,
        specs(catalog),
        patience,
        models.least_confidence_percent,
    );
    Ok(Brains {
        thinker: Some(Arc::new(planner)),
        interpreter: asking.map(|asking| Arc::new(asking) as Arc<dyn Interpreter>),
    })
}

/// The tools as a model is told of them.
pub fn specs(catalog: &Catalog) -> Vec<ToolSpec> {
    let spec = |tool: &Arc<dyn Tool>| ToolSpec {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        schema: tool.input_schema(),
    };
    catalog.for_models().tools().map(spec).collect()
}
