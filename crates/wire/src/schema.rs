//! The canonical dialect for other languages: JSON Schema and TypeScript, made
//! from the Rust types. The committed files are checked for freshness.

use std::collections::BTreeMap;

use brain::{Envelope, Event};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use ts_rs::{Config, TS, TypeVisitor};

use crate::canonical::FromClient;

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
    let mut types = Types { config: Config::default(), declared: BTreeMap::new() };
    types.visit::<Envelope>();
    types.visit::<Event>();
    types.visit::<FromClient>();
    types.declared.insert("Envelope".to_owned(), envelope(&types.config));
    let mut text = String::from(
        "// Made from crates/wire by `make schema`; never edited by hand.\n\
         // `Envelope` is what the server sends, `ClientEvent` what a client sends.\n",
    );
    for declaration in types.declared.into_values() {
        text.push_str("\nexport ");
        text.push_str(&declaration);
        text.push('\n');
    }
    text
}

/// Whatever is reached from the types at both ends, each once, by name.
struct Types {
    config: Config,
    declared: BTreeMap<String, String>,
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let name = T::ident(&self.config);
        // Only what is declared under a name of its own has a file of its own.
        if T::output_path().is_none() || self.declared.contains_key(&name) {
            return;
        }
        self.declared.insert(name, T::decl(&self.config));
        T::visit_dependencies(self);
    }
}
