//! An agent is configuration over the same engine.

use std::sync::Arc;

use anyhow::{Context, bail};
use brain::resolve::keywords::Keywords;
use serde::Deserialize;
use tools::Catalog;

const SHIPPED: [(&str, &str); 1] =
    [("assistant", include_str!("../../../../config/agents/assistant.toml"))];

/// Who answers and what they may use.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    pub name: String,
    /// One line for people who choose.
    pub description: String,
    /// The tools it may use.
    pub tools: Vec<String>,
    /// Words its people use and ears may not know, as they are written.
    #[serde(default)]
    pub keywords: Vec<String>,
}

impl Agent {
    pub fn named(name: &str) -> anyhow::Result<Self> {
        let Some((_, text)) = SHIPPED.iter().find(|(known, _)| *known == name) else {
            let known = SHIPPED.map(|(name, _)| name).join(", ");
            bail!("there is no agent called {name}; there is: {known}");
        };
        toml::from_str(text).with_context(|| format!("the agent {name} cannot be read"))
    }

    /// Its keywords and those of the settings, ready to be compared with.
    pub fn keywords(&self, more: &[String]) -> anyhow::Result<Keywords> {
        let all = Keywords::new(&self.keywords).and_then(|own| own.and(more));
        all.with_context(|| format!("in the keywords of the agent {}", self.name))
    }

    /// The part of the catalog that this agent may use.
    pub fn allowed(&self, all: &Catalog) -> anyhow::Result<Catalog> {
        let mut allowed = Catalog::new();
        for name in &self.tools {
            let tool = all.get(name);
            let tool = tool.with_context(|| format!("the agent {} wants {name}", self.name))?;
            allowed = allowed.with(Arc::clone(tool));
        }
        Ok(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_agent_finds_its_tools() {
        let store = Arc::new(store::memory::MemoryStore::default());
        let desk = session::JobDesk::new(store, session::jobs::kinds::shipped());
        let personal = tools::Personal::in_memory().unwrap();
        let papers = Arc::new(tools::attachment::NoPapers);
        let catalog = crate::app::catalog(&personal, papers, &desk);
        for (name, _) in SHIPPED {
            let agent = Agent::named(name).unwrap();
            assert_eq!(agent.name, name);
            assert!(agent.keywords(&[]).is_ok());
            assert_eq!(agent.allowed(&catalog).unwrap().names().len(), agent.tools.len());
        }
    }

    #[test]
    fn an_agent_knows_its_own_keywords_and_those_of_the_settings() {
        let text = "name = 'desk'\ndescription = ''\ntools = []\nkeywords = ['Brightloom']";
        let agent: Agent = toml::from_str(text).unwrap();
        let more = ["Brightloom".to_owned(), "Okafor frames".to_owned()];
        let known = agent.keywords(&more).unwrap();
        assert_eq!(known.iter().collect::<Vec<_>>(), ["Brightloom", "Okafor frames"]);
        let known = agent.keywords(&["brightLoom".to_owned()]).unwrap();
        assert_eq!(known.iter().collect::<Vec<_>>(), ["Brightloom"], "as the agent writes it");

        let error = format!("{:#}", agent.keywords(&["x".to_owned()]).unwrap_err());
        let expected = "in the keywords of the agent desk: \
                        the keyword \"x\" is too short to be told by its sound";
        assert_eq!(error, expected);
    }

    #[test]
    fn an_unknown_agent_is_answered_with_the_known_ones() {
        let error = Agent::named("butler").unwrap_err().to_string();
        assert_eq!(error, "there is no agent called butler; there is: assistant");
    }
}
