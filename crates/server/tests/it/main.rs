//! The binary as people and programs meet it: over its socket, its addresses,
//! its command line and its log. One file a behaviour.

mod client;
mod event;
mod frame;
mod house;
mod http;

mod bad_frames;
mod bad_requests;
mod command_line;
mod conversation;
mod crash;
mod neighbours;
mod privacy;
mod profile;
mod understand;
mod watch;
