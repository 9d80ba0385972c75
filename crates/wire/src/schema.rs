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
    let server = generator.subschema_for::<Envelope>();
    let client = generator.subschema_for::<FromClient>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sayso, canonical dialect",
        "description": "What the server sends (ServerEnvelope) and what a client sends (ClientEvent).",
        "$defs": {
            "ServerEnvelope": server,
            "ClientEvent": client,
        },
        "definitions": generator.take_definitions(true),
    })
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
        Envelope::decl(&config),
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
