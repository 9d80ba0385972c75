//! `GET /chat/accounts`: whose mail and calendar the assistant works with, and where they are.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::response::Json;
use schemars::JsonSchema;
use serde::Serialize;
use store::StoreError;
use tools::local::Holdings;

use super::Problem;
use crate::app::App;
use crate::doors::Visitor;

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Accounts")]
pub struct Shown {
    accounts: Vec<Account>,
}

#[derive(Serialize, JsonSchema)]
struct Account {
    kind: Kind,
    place: Place,
    /// It is of somebody who does not exist, to try things out with.
    sample: bool,
    /// The address that mail is sent from, where there is one.
    address: Option<String>,
    /// Mails or events that are in it.
    holds: u32,
    /// Whether what is sent, and who is invited, is reached by it outside this server.
    reaches_others: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Kind {
    Mail,
    Calendar,
}

impl Kind {
    /// How the names of its tools begin.
    fn tools(self) -> &'static str {
        match self {
            Self::Mail => "gmail.",
            Self::Calendar => "calendar.",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Place {
    /// A file in this server's data folder.
    ThisServer,
}

pub async fn show(
    State(app): State<Arc<App>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Json<Shown>, Problem> {
    let house = app.registry.house();
    let profile = house.store.profile(visitor.user).await.map_err(unknown_person)?;
    let address = profile.and_then(|profile| profile.address);
    let held = app.personal.holdings(visitor.user).await.map_err(|error| {
        Problem::store_unavailable("how much somebody has cannot be read", &error)
    })?;
    // An agent that may not use any of its tools has no such account.
    let is_used =
        |kind: &Kind| house.catalog.tools().any(|tool| tool.name().starts_with(kind.tools()));
    let kinds = [Kind::Mail, Kind::Calendar].into_iter().filter(is_used);
    let accounts = kinds.map(|kind| account(kind, held, address.as_deref())).collect();
    Ok(Json(Shown { accounts }))
}

fn account(kind: Kind, held: Holdings, address: Option<&str>) -> Account {
    let (holds, address) = match kind {
        Kind::Mail => (held.mails, address.map(str::to_owned)),
        Kind::Calendar => (held.events, None),
    };
    // The only provider there is: what is sent goes into the sent mail, and nowhere else.
    let (place, reaches_others) = (Place::ThisServer, false);
    Account { kind, place, sample: held.is_sample, address, holds, reaches_others }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unknown_person(error: StoreError) -> Problem {
    Problem::store_unavailable("a profile could not be read", &error)
}
