//! Names that are another name's short form, another spelling of it, or said
//! quite unlike they are written.
//!
//! Nobody is called so because of these tables: they only help to find a
//! contact who exists, and only when nobody is called exactly what was said.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// One name a line, in several spellings: a recogniser picks any of them.
const SAME: &str = include_str!("same.txt");

/// A name a line, and what its owner may be called for short.
const SHORT: &str = include_str!("short.txt");

/// Names whose letters do not tell an English ear how they are said, and how
/// a recogniser may write them.
const SAID: &str = include_str!("said.txt");

/// Names that many people have: one of them, said clearly, is meant, also when
/// the address book holds only a neighbour.
const COMMON: &str = include_str!("common.txt");

type Names = Vec<&'static str>;

struct Forms {
    /// The line of [`SAME`] that a name stands in.
    group: HashMap<&'static str, usize>,
    related: HashMap<&'static str, Names>,
    said: HashMap<&'static str, Names>,
    common: HashSet<&'static str>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let same: Vec<Names> = lines(SAME).collect();
    let numbered = same.iter().enumerate();
    let group: HashMap<_, _> =
        numbered.flat_map(|(line, names)| names.iter().map(move |name| (*name, line))).collect();
    let mut related: HashMap<_, Names> = HashMap::new();
    for (full, shorts) in headed(SHORT) {
        let spellings = group.get(full).map_or_else(|| vec![full], |&line| same[line].clone());
        for full in spellings {
            for &short in &shorts {
                related.entry(full).or_default().push(short);
                related.entry(short).or_default().push(full);
            }
        }
    }
    for names in related.values_mut() {
        names.sort_unstable();
        names.dedup();
    }
    let said: HashMap<_, _> = headed(SAID).collect();
    let listed = [COMMON, SAME, SHORT].into_iter().flat_map(str::split_whitespace);
    let common = listed.chain(said.keys().copied()).collect();
    Forms { group, related, said, common }
});

fn lines(table: &'static str) -> impl Iterator<Item = Names> {
    table.lines().map(|line| line.split_whitespace().collect())
}

/// The first name of each line, and the others.
fn headed(table: &'static str) -> impl Iterator<Item = (&'static str, Names)> {
    lines(table).filter_map(|line| {
        let (first, rest) = line.split_first()?;
        Some((*first, rest.to_vec()))
    })
}

/// What somebody of this name may be called instead: "Tom" for "Thomas" and
/// the other way round, never "Rob" for "Bob".
pub fn related(name: &str) -> &'static [&'static str] {
    FORMS.related.get(name).map_or(&[], Vec::as_slice)
}

/// Which name this is a spelling of, if it has several.
pub fn group(name: &str) -> Option<usize> {
    FORMS.group.get(name).copied()
}

/// How a name is written by somebody who only heard it.
pub fn said(name: &str) -> &'static [&'static str] {
    FORMS.said.get(name).map_or(&[], Vec::as_slice)
}

/// Is it a name that many people have?
pub fn is_common(name: &str) -> bool {
    FORMS.common.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_lead_both_ways_but_not_from_one_to_another() {
        assert!(related("thomas").contains(&"tom"));
        assert!(related("tom").contains(&"thomas"));
        assert!(related("kathryn").contains(&"kate"));
        assert!(related("sam").contains(&"samantha") && related("sam").contains(&"samuel"));
        assert!(!related("bob").contains(&"rob"));
        assert!(related("zorblax").is_empty());
    }

    #[test]
    fn a_spelling_belongs_to_one_name() {
        assert_eq!(group("jon"), group("john"));
        assert_eq!(group("katherine"), group("kathryn"));
        assert_ne!(group("maria"), group("marie"));
        assert_eq!(group("zorblax"), None);
        let mut all: Vec<_> = SAME.split_whitespace().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
