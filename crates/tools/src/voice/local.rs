//! The tools of the voice over what is kept on this machine.

use async_trait::async_trait;
use brain::ActionLevel;
use brain::facts::{LeftAsIs, Paced, Pronounced};
use serde_json::Value;

use super::{Pronounce, SetPace, Which};
use crate::args::{schema_of, told};
use crate::local::Personal;
use crate::text::fold;
use crate::tool::{Caller, Tool, ToolError};

/// Says a name like another spelling from now on.
pub struct PronounceName(pub Personal);

/// What was told of how names are said.
pub struct ListPronunciations(pub Personal);

/// Says names as they are written again.
pub struct ForgetPronunciation(pub Personal);

/// Speaks slower or faster.
pub struct ChangePace(pub Personal);

#[async_trait]
impl Tool for PronounceName {
    fn name(&self) -> &'static str {
        "voice.pronounce"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Draft
    }

    fn is_by_word_only(&self) -> bool {
        true
    }

    fn description(&self) -> &'static str {
        "Say the name of somebody the person knows like another spelling from now on. Only the \
         person hears it."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Pronounce>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Pronounced>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Pronounce::read(args).map(drop)
    }

    fn label(&self, args: &Value) -> String {
        match Pronounce::read(args) {
            Ok(told) => format!("Learning how to say {}", told.name),
            Err(_) => "Learning how to say a name".to_owned(),
        }
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let asked = Pronounce::read(&args).map_err(ToolError::BadArguments)?;
        let words = match asked.words() {
            Ok(words) => words,
            Err(left) => return Ok(told(&Pronounced { names: Vec::new(), left: Some(left) })),
        };
        let own = caller.profile.name.clone();
        let done = self.0.pronounce(caller.user, own, words.clone()).await;
        Ok(told(&match done.map_err(|error| error.of(self.name()))? {
            Ok(names) => Pronounced { names, left: None },
            // Who it is that nobody knows is said back.
            Err(LeftAsIs::Nobody) => Pronounced { names: words, left: Some(LeftAsIs::Nobody) },
            Err(left) => Pronounced { names: Vec::new(), left: Some(left) },
        }))
    }
}

#[async_trait]
impl Tool for ListPronunciations {
    fn name(&self) -> &'static str {
        "voice.pronunciations"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Read
    }

    fn description(&self) -> &'static str {
        "How names are said where the person told it, one name or all of them."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Which>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Pronounced>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Which::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Looking at how names are said".to_owned()
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let which = Which::read(&args).map_err(ToolError::BadArguments)?;
        let manner = self.0.manner(caller.user).await.map_err(|error| error.of(self.name()))?;
        let mut names = manner.names;
        if let Some(words) = which.words() {
            let words: Vec<String> = words.iter().map(|word| fold(word)).collect();
            names.retain(|known| words.contains(&fold(&known.word)));
        }
        Ok(told(&Pronounced { names, left: None }))
    }
}

#[async_trait]
impl Tool for ForgetPronunciation {
    fn name(&self) -> &'static str {
        "voice.forget_pronunciation"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Draft
    }

    fn is_by_word_only(&self) -> bool {
        true
    }

    fn description(&self) -> &'static str {
        "Say a name as it is written again, or all of them."
    }

    fn input_schema(&self) -> Value {
        schema_of::<Which>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Pronounced>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        Which::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Forgetting how a name is said".to_owned()
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let which = Which::read(&args).map_err(ToolError::BadArguments)?;
        let gone = self.0.forget_pronunciations(caller.user, which.words()).await;
        let names = gone.map_err(|error| error.of(self.name()))?;
        Ok(told(&Pronounced { names, left: None }))
    }
}

#[async_trait]
impl Tool for ChangePace {
    fn name(&self) -> &'static str {
        "voice.pace"
    }

    fn level(&self) -> ActionLevel {
        ActionLevel::Draft
    }

    fn is_by_word_only(&self) -> bool {
        true
    }

    fn description(&self) -> &'static str {
        "Speak slower, faster or as usual to this person from now on."
    }

    fn input_schema(&self) -> Value {
        schema_of::<SetPace>()
    }

    fn output_schema(&self) -> Value {
        schema_of::<Paced>()
    }

    fn accepts(&self, args: &Value) -> Result<(), String> {
        SetPace::read(args).map(drop)
    }

    fn label(&self, _: &Value) -> String {
        "Changing how fast I speak".to_owned()
    }

    async fn call(&self, args: Value, caller: &Caller) -> Result<Value, ToolError> {
        let pace = SetPace::read(&args).map_err(ToolError::BadArguments)?;
        let done = self.0.set_pace(caller.user, move |before| pace.after(before)).await;
        let (before, percent) = done.map_err(|error| error.of(self.name()))?;
        Ok(told(&Paced { percent, before }))
    }
}
