//! When is meant by a phrase.
