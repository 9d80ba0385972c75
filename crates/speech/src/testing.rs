//! What tests in here share: where the real models are, and how small ones are made.

pub mod onnx;

use std::path::PathBuf;

/// The fetched models, or `None`, loudly, where nobody has fetched them. With
/// `SAYSO_TEST_ASSETS`, as in `make test`, their absence is a failure.
pub fn assets() -> Option<PathBuf> {
    let expected = std::env::var_os("SAYSO_TEST_ASSETS").map(PathBuf::from);
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    let assets = expected.clone().unwrap_or(beside);
    if expected.is_some() || assets.join("moonshine").is_dir() && assets.join("hibari").is_dir() {
        return Some(assets);
    }
    println!("not run: {} has no models; `make assets` fetches them", assets.display());
    None
}
