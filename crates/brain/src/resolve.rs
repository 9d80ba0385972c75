//! From words to people and times.
//!
//! Resolvers return every reading they can defend, each with its reason; they
//! never pick one silently. More than one reading is a question to the person.

pub mod address;
pub mod keywords;
pub mod people;
pub mod spelling;
pub mod time;
pub mod titles;
pub mod words;
