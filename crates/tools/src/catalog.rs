//! The tools that are switched on, by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use brain::ActionLevel;
use brain::plan::Shelf;
use serde_json::{Value, json};

use crate::tool::Tool;

/// Filled once at start-up, then only asked. Cheap to clone.
#[derive(Clone, Default)]
pub struct Catalog {
    tools: Arc<BTreeMap<&'static str, Arc<dyn Tool>>>,
}

impl Catalog {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    ///
    /// # Panics
    /// When a tool of that name is there already: which of the two a plan
    /// meant could not be told, so nobody should start with both. And when a
    /// tool that writes does not say so.
    #[must_use]
    pub fn with(mut self, tool: Arc<dyn Tool>) -> Self {
        let name = tool.name();
        let writes = tool.level() == ActionLevel::Write;
        assert_eq!(tool.writer().is_some(), writes, "{name} has the wrong level");
        let before = Arc::make_mut(&mut self.tools).insert(name, tool);
        assert!(before.is_none(), "two tools are called {name}; rename one or switch it off");
        self
    }

    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.get(name)
    }

    /// In alphabetical order, as everything here.
    pub fn names(&self) -> Vec<&'static str> {
        self.tools.keys().copied().collect()
    }

    pub fn tools(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.values()
    }

    /// What a model may call. What it may not is not there for it.
    #[must_use]
    pub fn for_models(&self) -> Self {
        let tools = self.tools.iter().filter(|(_, tool)| !tool.is_by_word_only());
        Self { tools: Arc::new(tools.map(|(name, tool)| (*name, Arc::clone(tool))).collect()) }
    }

    /// All of them for models and for people who read the documentation.
    pub fn describe(&self) -> Value {
        self.tools().map(|tool| describe(tool.as_ref())).collect()
    }
}

impl Shelf for Catalog {
    fn level(&self, tool: &str) -> Option<ActionLevel> {
        self.get(tool).map(|tool| tool.level())
    }

    fn accepts(&self, tool: &str, args: &Value) -> Result<(), String> {
        match self.get(tool) {
            Some(tool) => tool.accepts(args),
            None => Err(format!("there is no tool called {tool}")),
        }
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Catalog").field(&self.names()).finish()
    }
}

fn describe(tool: &dyn Tool) -> Value {
    json!({
        "name": tool.name(),
        "description": tool.description(),
        "level": tool.level(),
        "input_schema": tool.input_schema(),
        "output_schema": tool.output_schema(),
    })
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use crate::tool::{Caller, ToolError};

    struct Named(&'static str);

    #[async_trait]
    impl Tool for Named {
        fn name(&self) -> &'static str {
            self.0
        }
        fn level(&self) -> ActionLevel {
            ActionLevel::Draft
        }
        fn description(&self) -> &'static str {
            "Is there."
        }
        fn input_schema(&self) -> Value {
            json!({ "type": "object" })
        }
        fn output_schema(&self) -> Value {
            json!({ "type": "null" })
        }
        fn accepts(&self, args: &Value) -> Result<(), String> {
            args.is_object().then_some(()).ok_or_else(|| "an object, please".to_owned())
        }
        fn label(&self, _: &Value) -> String {
            "Being there".to_owned()
        }
        async fn call(&self, _: Value, _: &Caller) -> Result<Value, ToolError> {
            Ok(Value::Null)
        }
    }

    fn catalog() -> Catalog {
        Catalog::new().with(Arc::new(Named("b.two"))).with(Arc::new(Named("a.one")))
    }

    #[test]
    fn the_order_does_not_depend_on_who_came_first() {
        assert_eq!(catalog().names(), ["a.one", "b.two"]);
        assert_eq!(catalog().describe()[1]["name"], "b.two");
        assert_eq!(catalog().describe()[0]["level"], "draft");
    }

    #[test]
    #[should_panic(expected = "two tools are called a.one")]
    fn two_tools_of_one_name_do_not_start() {
        let _ = catalog().with(Arc::new(Named("a.one")));
    }

    #[test]
    fn a_plan_is_checked_against_the_tool_itself() {
        let shelf = catalog();
        assert_eq!(shelf.level("a.one"), Some(ActionLevel::Draft));
        assert_eq!(shelf.level("a.three"), None);
        assert_eq!(Shelf::accepts(&shelf, "a.one", &json!([])).unwrap_err(), "an object, please");
        assert!(Shelf::accepts(&shelf, "a.three", &json!({})).is_err());
    }
}
