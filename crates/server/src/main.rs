//! The binary `sayso`.
fn main() {}
