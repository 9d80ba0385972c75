//! A tool that is only as alive as the process that uses it.

use std::sync::Arc;

use async_trait::async_trait;
use brain::{ActionLevel, SaySo};
use jiff::SignedDuration;
use serde_json::Value;
use tools::{Caller, Found, Prepared, Tool, ToolError, Write};

use crate::Deadly;

/// Whoever is dead can neither ask a provider nor hear what it answers.
pub(super) struct Mortal {
    tool: Arc<dyn Tool>,
    peril: Arc<Deadly>,
}

impl Mortal {
    pub fn new(tool: Arc<dyn Tool>, peril: Arc<Deadly>) -> Self {
        Self { tool, peril }
    }

    async fn alive<T>(&self, asks: impl Future<Output = T>) -> T {
        self.check().await;
        let answer = asks.await;
        self.check().await;
        answer
    }

    async fn check(&self) {
        if self.peril.is_dead() {
            std::future::pending::<()>().await;
        }
    }

    fn inner(&self) -> &dyn Write {
        self.tool.writer().expect("only asked where there is one")
    }
}

#[async_trait]
impl Tool for Mortal {
    fn name(&self) -> &'static str {
        self.tool.name()
    }

    fn level(&self) -> ActionLevel {
        self.tool.level()
    }

    fn description(&self) -> &'static str {
        self.tool.description()
    }

    fn input_schema(&self) -> Value {
        self.tool.input_schema()
    }

    fn output_schema(&self) -> Value {
        self.tool.output_schema()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        self.tool.accepts(args)
    }

    fn label(&self, args: &Value) -> String {
        self.tool.label(args)
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        self.alive(self.tool.call(args, caller)).await
    }

    fn writer(&self) -> Option<&dyn Write> {
        self.tool.writer().map(|_| self as &dyn Write)
    }
}

#[async_trait]
impl Write for Mortal {
    async fn prepare(&self, args: Value, caller: &Caller) -> Result<Prepared, ToolError> {
        self.alive(self.inner().prepare(args, caller)).await
    }

    async fn write(
        &self,
        args: Value,
        caller: &Caller,
        say_so: &SaySo,
    ) -> Result<Value, ToolError> {
        self.alive(self.inner().write(args, caller, say_so)).await
    }

    async fn probe(&self, args: &Value, caller: &Caller) -> Result<Found, ToolError> {
        self.alive(self.inner().probe(args, caller)).await
    }

    fn settle(&self) -> SignedDuration {
        self.inner().settle()
    }
}
