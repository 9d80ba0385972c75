//! The binary as people and programs meet it: over its socket, its addresses,
//! its command line and its log. One file a behaviour.

mod client;
mod event;
mod frame;
mod house;
mod http;
mod say_so;
mod terminal;

mod attachment;
mod audit;
mod bad_frames;
mod bad_requests;
mod cards_in_pipes;
mod cards_in_terminal;
mod command_line;
mod confirm;
mod conversation;
mod crash;
mod doors;
#[cfg(feature = "perils")]
mod kill;
mod limits;
mod neighbours;
mod openapi;
mod pause;
mod privacy;
mod profile;
mod reading;
mod resume;
mod secrets;
mod storm;
mod strangers;
mod threads;
mod tls;
mod tokens;
mod tools_run;
mod understand;
mod watch;
