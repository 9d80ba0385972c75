//! What is remembered: small traits, memory and SQLite behind them, one contract suite.
