//! The canonical dialect for other languages: JSON Schema and TypeScript, made
//! from the Rust types. The committed files are checked for freshness.

use brain::{ActionLevel, CallError, Envelope, Event, InputMode, Outcome, Role, TurnState};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use ts_rs::{Config, TS};

use crate::canonical::{Choice, EndReason, FromClient};

/// Both directions in one document.
pub fn json_schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    generator.subschema_for::<Envelope>();
    generator.subschema_for::<FromClient>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sayso, canonical dialect",
        "description": "What the server sends (Envelope) and what a client sends (ClientEvent).",
        "$defs": generator.take_definitions(true),
    })
}

/// What is flattened into the envelope on the wire is joined to it by name here.
fn envelope(config: &Config) -> String {
    Envelope::decl(config).trim_end_matches(';').to_owned() + " & Event;"
}

/// One declaration a type, ready to be imported.
pub fn typescript() -> String {
    let config = Config::default();
    let declarations = [
        Role::decl(&config),
        InputMode::decl(&config),
        Outcome::decl(&config),
        ActionLevel::decl(&config),
        brain::event::CallMode::decl(&config),
        CallError::decl(&config),
        TurnState::decl(&config),
        Event::decl(&config),
        envelope(&config),
        EndReason::decl(&config),
        Choice::decl(&config),
        FromClient::decl(&config),
    ];
    let mut text = String::from(
        "// Made from crates/wire by `make schema`; never edited by hand.\n\
         // `Envelope` is what the server sends, `ClientEvent` what a client sends.\n",
    );
    for declaration in declarations {
        text.push_str("\nexport ");
        text.push_str(&declaration);
        text.push('\n');
    }
    text
}
