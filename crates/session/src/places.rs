//! A number of places for everybody, and how many of them one of them may have.
//!
//! Whoever takes all they may have leaves the rest to the others: one person with many
//! connections, files on their way or turns at work does not keep anybody else out.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Places that are taken and given back.
pub struct Places<K> {
    most: usize,
    taken: Arc<Mutex<Taken<K>>>,
}

struct Taken<K> {
    all: usize,
    /// Whoever has none does not stand here.
    each: HashMap<K, usize>,
}

/// Why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// All are taken.
    Everybody,
    /// Those that one of them may have are.
    Share,
}

/// One place. It is free again when this is dropped.
pub struct Place<K: Eq + Hash> {
    taken: Arc<Mutex<Taken<K>>>,
    whose: Vec<K>,
}

impl<K: Clone + Eq + Hash> Places<K> {
    pub fn new(most: usize) -> Self {
        Self { most, taken: Arc::new(Mutex::new(Taken { all: 0, each: HashMap::new() })) }
    }

    /// Takes one for all of these, none of whom may have more than the number beside
    /// them; or takes none.
    pub fn take(&self, shares: impl IntoIterator<Item = (K, usize)>) -> Result<Place<K>, Full> {
        let mut taken = lock(&self.taken);
        if taken.all >= self.most {
            return Err(Full::Everybody);
        }
        let mut whose = Vec::new();
        for (who, most) in shares {
            if taken.each.get(&who).is_some_and(|has| *has >= most) || most == 0 {
                return Err(Full::Share);
            }
            whose.push(who);
        }
        taken.all += 1;
        for who in &whose {
            *taken.each.entry(who.clone()).or_default() += 1;
        }
        Ok(Place { taken: Arc::clone(&self.taken), whose })
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        lock(&self.taken).all
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.all -= 1;
        for who in &self.whose {
            if let Some(has) = taken.each.get_mut(who) {
                *has -= 1;
                if *has == 0 {
                    taken.each.remove(who);
                }
            }
        }
    }
}

fn lock<K>(taken: &Mutex<Taken<K>>) -> MutexGuard<'_, Taken<K>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_their_share_leaves_the_rest_to_others() {
        let places = Places::new(4);
        let ana: Vec<_> = (0..3).map_while(|_| places.take([("ana", 2)]).ok()).collect();
        assert_eq!(ana.len(), 2);
        assert_eq!(places.take([("ana", 2)]).err(), Some(Full::Share));
        let bob = places.take([("bob", 2)]).unwrap();
        let _more = places.take([("eve", 2)]).unwrap();
        assert_eq!(places.take([("bob", 2)]).err(), Some(Full::Everybody));
        drop(bob);
        assert_eq!(places.taken(), 3);
        assert!(places.take([("bob", 2)]).is_ok());
        drop(ana);
        assert!(places.take([("ana", 2)]).is_ok());
    }

    #[test]
    fn who_is_refused_for_one_reason_takes_nothing_for_another() {
        let places = Places::new(9);
        let _held = places.take([("session", 1)]).unwrap();
        assert!(places.take([("ana", 1), ("session", 1)]).is_err());
        assert!(places.take([("ana", 1)]).is_ok(), "nothing was taken from Ana");
        assert_eq!(places.taken(), 1);
        assert_eq!(lock(&places.taken).each.len(), 1, "nobody is remembered for nothing");
    }
}
