//! The model in the process: from the settings to somebody who can be asked. Builds without
//! the feature `local-model` say that they have none.

use std::sync::Arc;

use models::provider::Provider;
use tools::Catalog;

use crate::config::Models;

/// What was found when its file was looked at.
pub enum Found {
    Nothing,
    /// It works: what it is.
    #[cfg_attr(not(feature = "local-model"), expect(dead_code, reason = "this build has none"))]
    Well(String),
    /// What is wrong, and what to do.
    Ill(String, String),
}

#[cfg(feature = "local-model")]
mod built {
    use std::time::Duration;

    use brain::ActionLevel;
    use local::{Local, Plan, Tools};
    use models::planner;

    use super::{Arc, Catalog, Found, Models, Provider};
    use crate::app::brains::specs;
    use crate::config::Gguf;

    /// Nobody wants all of a machine to be busy with one sentence.
    const MOST_THREADS: usize = 4;

    pub fn start(
        models: &Models,
        catalog: &Catalog,
        may_escalate: bool,
    ) -> Option<Arc<dyn Provider>> {
        let gguf = models.in_process()?;
        let path = gguf.path.display();
        tracing::info!(
            "the model in {path} is being loaded; it is asked where the rules have no reading"
        );
        let writes = catalog.tools().filter(|tool| tool.level() == ActionLevel::Write);
        let writes = writes.filter(|_| !gguf.writes).map(|tool| tool.name().to_owned());
        let plan = Plan { withheld: writes.collect(), ..plan(models, gguf) };
        let standing = planner::standing(planner::specs(specs(catalog)), may_escalate);
        match Local::start(plan, Some(standing)) {
            Ok(local) => Some(Arc::new(local)),
            Err(error) => {
                tracing::warn!("no thread can be started for the model in {path}: {error}");
                None
            }
        }
    }

    pub fn look_at(models: &Models) -> Found {
        let Some(gguf) = models.in_process() else { return Found::Nothing };
        match local::try_out(&plan(models, gguf)) {
            Ok(looked) => Found::Well(looked.told()),
            Err(bad) => {
                let advice = "the rules answer, and models elsewhere where they may be asked";
                Found::Ill(format!("{} {bad}", gguf.path.display()), advice.to_owned())
            }
        }
    }

    fn plan(models: &Models, gguf: &Gguf) -> Plan {
        let there = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if gguf.threads == 0 { there / 2 } else { gguf.threads };
        Plan {
            path: gguf.path.clone(),
            context: gguf.context,
            threads: if gguf.threads == 0 { threads.clamp(1, MOST_THREADS) } else { threads },
            most_tokens: gguf.most_tokens,
            temperature: f32::from(gguf.temperature_percent) / 100.0,
            tools: match gguf.tools.as_str() {
                "always" => Tools::Always,
                "never" => Tools::Never,
                _ => Tools::IfItKnows,
            },
            withheld: Vec::new(),
            first: Duration::from_secs(models.first_seconds),
            idle: Duration::from_secs(models.idle_seconds),
        }
    }
}

#[cfg(not(feature = "local-model"))]
mod built {
    use super::{Arc, Catalog, Found, Models, Provider};

    const WITHOUT: &str = "this build has no model in the process";
    const ADVICE: &str = "build it with `cargo build --release -p sayso-server --features \
                          local-model`";

    pub fn start(models: &Models, _: &Catalog, _: bool) -> Option<Arc<dyn Provider>> {
        if let Some(gguf) = models.in_process() {
            let path = gguf.path.display();
            tracing::warn!("{path} is not loaded: {WITHOUT}; {ADVICE}");
        }
        None
    }

    pub fn look_at(models: &Models) -> Found {
        match models.in_process() {
            Some(gguf) => {
                let path = gguf.path.display();
                Found::Ill(format!("{path} is not loaded: {WITHOUT}"), ADVICE.to_owned())
            }
            None => Found::Nothing,
        }
    }
}

pub use self::built::{look_at, start};
