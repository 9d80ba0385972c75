//! Manual clock, scripted parts, contract suites and the talk runner. Tests only.
