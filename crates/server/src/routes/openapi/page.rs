//! One address in the document: built line by line, in the order one reads it.

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use crate::routes::{ROUTES, Route, Who};

/// The document while it is being written.
pub struct Book {
    shapes: SchemaGenerator,
    paths: Map<String, Value>,
}

impl Book {
    pub fn new() -> Self {
        let settings = SchemaSettings::draft2020_12()
            .with(|settings| settings.definitions_path = "/components/schemas".into());
        Self { shapes: settings.into_generator(), paths: Map::new() }
    }

    /// One way to use one address.
    pub fn way(&mut self, method: &'static str, path: &'static str, summary: &str) -> Way<'_> {
        let id = way_id(method, path);
        let mut told = json!({ "operationId": id, "summary": summary, "responses": {} });
        let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let parameters: Vec<_> = names
            .map(|name| {
                let schema = json!({ "type": "string", "pattern": id_pattern(name) });
                json!({ "name": name, "in": "path", "required": true, "schema": schema })
            })
            .collect();
        if !parameters.is_empty() {
            told["parameters"] = parameters.into();
        }
        Way { book: self, method, path, told }
    }

    /// Where a shape stands.
    pub fn shape<T: JsonSchema>(&mut self) -> Value {
        self.shapes.subschema_for::<T>().to_value()
    }

    /// `asks` where people have to say who they are.
    pub fn finish(mut self, info: &Value, asks: bool) -> Value {
        let schemas = self.shapes.take_definitions(true);
        let bearer = json!({
            "type": "http",
            "scheme": "bearer",
            "description": "A key made with `sayso keys create`, or a token of your own login",
        });
        let security = if asks { json!([{ "bearer": [] }]) } else { json!([]) };
        json!({
            "openapi": "3.1.0",
            "info": info,
            "paths": self.paths,
            "security": security,
            "components": { "schemas": schemas, "securitySchemes": { "bearer": bearer } },
        })
    }
}

/// How one way is called from another: `get_chat_threads`.
pub fn way_id(method: &str, path: &str) -> String {
    let words = path.split(['/', '{', '}', '.']).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

fn id_pattern(name: &str) -> String {
    format!("^{}_[0-9a-f]{{32}}$", name.trim_end_matches("_id"))
}

pub struct Way<'a> {
    book: &'a mut Book,
    method: &'static str,
    path: &'static str,
    told: Value,
}

impl Way<'_> {
    pub fn more(mut self, description: &str) -> Self {
        self.told["description"] = description.into();
        self
    }

    /// What may stand in the address behind the question mark.
    pub fn query<T: JsonSchema>(mut self) -> Self {
        let shape = T::json_schema(&mut self.book.shapes);
        let shape = shape.as_value();
        let required = |name: &str| {
            shape["required"].as_array().is_some_and(|all| all.iter().any(|it| it == name))
        };
        let mut parameters = self.told["parameters"].as_array().cloned().unwrap_or_default();
        for (name, schema) in shape["properties"].as_object().into_iter().flatten() {
            parameters.push(json!({
                "name": name,
                "in": "query",
                "required": required(name),
                "description": schema["description"].as_str().unwrap_or_default(),
                "schema": without_null(schema),
            }));
        }
        self.told["parameters"] = parameters.into();
        self
    }

    pub fn body<T: JsonSchema>(self) -> Self {
        self.json_body::<T>(true)
    }

    pub fn body_or_none<T: JsonSchema>(self) -> Self {
        self.json_body::<T>(false)
    }

    fn json_body<T: JsonSchema>(mut self, required: bool) -> Self {
        let schema = self.book.shapes.subschema_for::<T>();
        let content = json!({ "application/json": { "schema": schema } });
        self.told["requestBody"] = json!({ "required": required, "content": content });
        self
    }

    /// A body that is no JSON.
    pub fn form(mut self, content: &Value) -> Self {
        self.told["requestBody"] = json!({ "required": true, "content": content });
        self
    }

    pub fn answers<T: JsonSchema>(self, status: u16, description: &str) -> Self {
        let schema = self.book.shapes.subschema_for::<T>();
        self.answers_with(status, description, &json!({ "application/json": { "schema": schema } }))
    }

    pub fn answers_with(mut self, status: u16, description: &str, content: &Value) -> Self {
        let mut answer = json!({ "description": description });
        if !content.is_null() {
            answer["content"] = content.clone();
        }
        self.told["responses"][status.to_string()] = answer;
        self
    }

    pub fn refuses(self, refusals: &[(u16, &str)]) -> Self {
        refusals.iter().fold(self, |way, (status, codes)| way.answers::<Refusal>(*status, codes))
    }

    /// What a caller may try as it stands.
    pub fn example(mut self, name: &str, body: &Value) -> Self {
        let content = &mut self.told["requestBody"]["content"]["application/json"];
        content["examples"][name] = json!({ "value": body });
        self
    }

    /// Where to go with what was answered. `with` says which part of it is which
    /// parameter there.
    pub fn leads_to(
        mut self,
        status: u16,
        (method, path): (&str, &str),
        with: &[(&str, &str)],
    ) -> Self {
        let id = way_id(method, path);
        let parts = with.iter().map(|(name, from)| {
            ((*name).to_owned(), Value::from(format!("$response.body#/{from}")))
        });
        let parameters: Map<String, Value> = parts.collect();
        let link = json!({ "operationId": id, "parameters": parameters });
        self.told["responses"][status.to_string()]["links"][id] = link;
        self
    }

    /// The same, where it becomes a body.
    pub fn leads_to_body(
        mut self,
        status: u16,
        (method, path): (&str, &str),
        body: &Value,
    ) -> Self {
        let id = way_id(method, path);
        let link = json!({ "operationId": id, "requestBody": body });
        self.told["responses"][status.to_string()]["links"][id] = link;
        self
    }

    /// The end of it. What the door says, it may say wherever it asks who comes.
    pub fn done(self) {
        let door = [
            (401, "`unauthenticated`: no key or token, or none that is good"),
            (429, "`rate_limit`, `too_many_failures` and others: `Retry-After` says when"),
        ];
        let is_it = |route: &&Route| {
            route.path == self.path && route.method.as_str().eq_ignore_ascii_case(self.method)
        };
        let for_anybody = ROUTES.iter().find(is_it).is_some_and(|route| route.who == Who::Anybody);
        let slow = [(408, "`too_slow`: the body did not come in time")];
        let has_body = self.told.get("requestBody").is_some();
        let is_told = self.told["responses"].get("408").is_some();
        let way = if has_body && !is_told { self.refuses(&slow) } else { self };
        let way = if for_anybody { way } else { way.refuses(&door) };
        let Self { book, method, path, mut told } = way;
        if for_anybody {
            told["security"] = json!([]);
        }
        let place = book.paths.entry(path).or_insert_with(|| json!({}));
        place[method] = told;
    }
}

/// A parameter that is left out is not there; nobody spells null in an address.
fn without_null(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(kinds) = schema["type"].as_array() {
        let kinds: Vec<_> = kinds.iter().filter(|kind| *kind != "null").cloned().collect();
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(object) = schema.as_object_mut() {
        object.remove("description");
        object.remove("default");
    }
    schema
}

/// How every refusal looks.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
pub struct Refusal {
    error: Told,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its shape is used")]
#[schemars(inline)]
struct Told {
    /// For programs.
    code: String,
    /// For people.
    message: String,
    /// When to try again, where that is known.
    #[schemars(with = "u64")]
    #[serde(default)]
    retry_after_ms: Option<u64>,
    /// Of what there was too much, where the code is `rate_limit`.
    #[schemars(with = "String")]
    #[serde(default)]
    scope: Option<String>,
}
