//! The binary as people and programs meet it: over its socket, its addresses,
//! its command line and its log. One file a behaviour.

mod client;
mod event;
mod frame;
mod house;
mod http;
mod say_so;
mod terminal;

mod aloud;
mod attachment;
mod audit;
mod backup;
mod bad_frames;
mod bad_requests;
mod bad_sound;
mod cards_in_pipes;
mod cards_in_terminal;
mod command_line;
mod confirm;
mod conversation;
mod crash;
#[cfg(feature = "perils")]
mod devices;
mod doors;
mod foreign_ids;
mod in_process;
mod jobs;
#[cfg(feature = "perils")]
mod kill;
mod limits;
mod live;
mod measured;
mod memory;
mod models;
mod neighbours;
mod openapi;
mod ops;
mod page;
mod passing;
mod pause;
mod privacy;
mod profile;
mod proxies;
mod reading;
mod replay;
mod resume;
mod retention;
mod rights;
mod secrets;
mod shares;
mod silence;
mod sound;
mod storm;
mod strangers;
mod threads;
mod tls;
mod tokens;
mod tools_run;
mod traces;
mod understand;
mod watch;
