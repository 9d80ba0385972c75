//! What operators see of the house: figures of a while, one turn in slow motion. Made
//! from the record alone, and from no field that a sentence could stand in.

pub mod counted;
pub mod spread;
pub mod summary;
pub mod waterfall;
