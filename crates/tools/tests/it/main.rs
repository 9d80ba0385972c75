//! The tools over the local store, used as the executor uses them.

mod booking;
mod calendar;
mod changing;
mod contract;
mod crash;
mod drafting;
mod mail;
mod memory;
mod once;
mod sending;
mod voice;
mod world;
