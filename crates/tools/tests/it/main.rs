//! The four tools over the local store, used as the executor uses them.

mod calendar;
mod contract;
mod mail;
mod world;
