//! How a name sounds, whoever spelled it.
//!
//! A recogniser writes what it hears in the spelling it likes: "markus",
//! "kathryn", "shivonne". Names are compared as a row of sounds that keeps the
//! vowels, so that "Jan" and "Jen" stay two people, with an edit distance that
//! knows which sounds are taken for each other.

/// The price of taking one sound for an unrelated one.
pub const WHOLE: u32 = 10;
/// A vowel for another, or one swallowed between consonants.
const VOWEL: u32 = 4;
/// The first vowel is mostly the one that is heard best: "Barton", "Burton".
const FIRST_VOWEL: u32 = 6;
/// "Bell" and "Pell", "Steven" and "Stefan".
const KIN: u32 = 5;

/// Longer names are not compared: nobody says forty letters as one word.
pub const LONGEST: usize = 24;

/// A row of sounds. Vowels are `A E I O U Y` (`Y` as in "Mike"), `$` is "sh",
/// `C` is "ch", `0` is "th"; the other letters mean what they look like.
pub type Sounds = Vec<u8>;

/// The sounds of a word in plain small letters; other signs are silent.
pub fn sounds(word: &str) -> Sounds {
    let letters: Vec<u8> = word.bytes().filter(u8::is_ascii_lowercase).collect();
    let mut reader = Reader { letters: &letters, at: 0, heard: Vec::with_capacity(letters.len()) };
    reader.start();
    while reader.at < letters.len() {
        if is_vowel_letter(letters[reader.at]) { reader.vowels() } else { reader.consonant() }
    }
    reader.heard
}

fn is_vowel_letter(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// Is this sound a vowel?
pub fn is_vowel(sound: u8) -> bool {
    matches!(sound, b'A' | b'E' | b'I' | b'O' | b'U' | b'Y')
}

struct Reader<'a> {
    letters: &'a [u8],
    at: usize,
    heard: Sounds,
}

/// Spellings at the start of a word that are not said as written.
const STARTS: &[(&str, &str)] =
    &[("kn", "N"), ("gn", "N"), ("wr", "R"), ("ps", "S"), ("pn", "N"), ("mac", "MK"), ("mc", "MK")];

/// Consonants that are one sound together, the longer ones first.
const TOGETHER: &[(&str, &str)] = &[
    ("sch", "$"),
    ("tch", "C"),
    ("chr", "KR"),
    ("chl", "KL"),
    ("sh", "$"),
    ("ch", "C"),
    ("cz", "C"),
    ("ph", "F"),
    ("th", "0"),
    ("ck", "K"),
    ("qu", "KW"),
    ("dt", "T"),
    ("tz", "TS"),
    ("wh", "W"),
    ("gh", "G"),
    ("rh", "R"),
    ("x", "KS"),
    ("q", "K"),
    ("z", "S"),
];

/// Vowels that are one sound together, the longer ones first.
const VOWELS: &[(&str, &str)] = &[
    ("eigh", "AI"),
    ("igh", "Y"),
    ("oui", "UI"),
    ("eau", "OU"),
    ("ee", "I"),
    ("ie", "I"),
    ("ey", "I"),
    ("ea", "I"),
    ("ai", "AI"),
    ("ay", "AI"),
    ("ae", "AI"),
    ("ei", "AI"),
    ("au", "AU"),
    ("aw", "AU"),
    ("oa", "OU"),
    ("ow", "OU"),
    ("ou", "OU"),
    ("oo", "U"),
    ("ew", "U"),
    ("eu", "U"),
    ("ue", "U"),
    ("a", "A"),
    ("e", "E"),
    ("i", "I"),
    ("o", "O"),
    ("u", "U"),
    ("y", "I"),
];

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.letters[self.at..]
    }

    fn next(&self) -> Option<u8> {
        self.letters.get(self.at + 1).copied()
    }

    /// A doubled sound is one.
    fn hear(&mut self, sounds: &str) {
        sounds.bytes().for_each(|sound| self.hear_one(sound));
    }

    fn hear_one(&mut self, sound: u8) {
        if self.heard.last() != Some(&sound) {
            self.heard.push(sound);
        }
    }

    fn start(&mut self) {
        let found = STARTS.iter().find(|(spelled, _)| self.rest().starts_with(spelled.as_bytes()));
        if let Some((spelled, said)) = found {
            self.at += spelled.len();
            self.hear(said);
        } else if self.letters.first() == Some(&b'x') {
            self.at += 1;
            self.hear("S");
        } else if self.letters.first() == Some(&b'y') && self.next().is_some_and(is_vowel_letter) {
            self.at += 1;
            self.hear("J");
        }
    }

    fn consonant(&mut self) {
        let found =
            TOGETHER.iter().find(|(spelled, _)| self.rest().starts_with(spelled.as_bytes()));
        if let Some((spelled, said)) = found {
            self.at += spelled.len();
            self.hear(said);
            return;
        }
        let soft = matches!(self.next(), Some(b'e' | b'i' | b'y'));
        let before_vowel = self.next().is_some_and(is_vowel_letter);
        match self.letters[self.at] {
            b'c' => self.hear(if soft { "S" } else { "K" }),
            b'g' => self.hear(if soft { "G" } else { "g" }),
            b'j' => self.hear("G"),
            // "John", "Sarah"; "Hannah" begins with one that is heard.
            b'h' if self.at > 0 || !before_vowel => {}
            b'w' if self.at > 0 && !before_vowel => {}
            b'b' if self.at + 1 == self.letters.len() && self.heard.last() == Some(&b'M') => {}
            other => self.hear_one(other.to_ascii_uppercase()),
        }
        self.at += 1;
    }

    fn vowels(&mut self) {
        if self.is_silent_e() {
            self.at += 1;
            return;
        }
        let long = self.is_lengthened();
        let here = self.letters[self.at];
        if long {
            self.at += 1;
            self.hear(match here {
                b'a' => "AI",
                b'i' | b'y' => "Y",
                b'o' => "OU",
                b'e' => "I",
                _ => "U",
            });
            return;
        }
        // "Leah", "Andrea": two sounds at the end.
        if matches!(self.rest(), b"ea" | b"eah") {
            self.at = self.letters.len();
            self.hear("IA");
            return;
        }
        // "Priya", "Adeyemi": a glide between vowels.
        if here == b'y' && self.at > 0 && is_vowel_letter(self.letters[self.at - 1]) {
            self.at += 1;
            if self.at < self.letters.len() && is_vowel_letter(self.letters[self.at]) {
                return;
            }
            self.hear("I");
            return;
        }
        let found = VOWELS.iter().find(|(spelled, _)| self.rest().starts_with(spelled.as_bytes()));
        if let Some((spelled, said)) = found {
            self.at += spelled.len();
            self.hear(said);
        }
    }

    fn is_silent_e(&self) -> bool {
        let last = self.at + 1 == self.letters.len() && self.letters[self.at] == b'e';
        last && self.at > 0
            && !is_vowel_letter(self.letters[self.at - 1])
            && self.letters[..self.at].iter().copied().any(is_vowel_letter)
    }

    /// "Jane" is not "Jan": one vowel, one consonant and an e.
    fn is_lengthened(&self) -> bool {
        let only = !self.letters[..self.at].iter().copied().any(is_vowel_letter);
        matches!(self.rest(), [_, consonant, b'e'] if only && !is_vowel_letter(*consonant))
    }
}

/// How far two rows of sounds are apart, where [`WHOLE`] is one sound; more
/// than `limit` is as good as anything.
pub fn apart(one: &[u8], other: &[u8], limit: u32) -> u32 {
    if one.len() > LONGEST || other.len() > LONGEST {
        return limit + 1;
    }
    let mut row = [0_u32; LONGEST + 1];
    for at in 0..other.len() {
        row[at + 1] = row[at] + left_out(other, at);
    }
    let first = (first_vowel(one), first_vowel(other));
    for (at, &sound) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] += left_out(one, at);
        let mut best = row[0];
        for (place, &wanted) in other.iter().enumerate() {
            let stressed = (at, place) == first;
            let changed = diagonal + taken_for(sound, wanted, stressed);
            let without = row[place + 1] + left_out(one, at);
            let added = row[place] + left_out(other, place);
            diagonal = row[place + 1];
            row[place + 1] = changed.min(without).min(added);
            best = best.min(row[place + 1]);
        }
        if best > limit {
            return limit + 1;
        }
    }
    row[other.len()]
}

/// A vowel inside a word is easily swallowed; at its ends it tells Eric from Erica.
fn left_out(word: &[u8], at: usize) -> u32 {
    let inside = at > 0 && at + 1 < word.len();
    if inside && is_vowel(word[at]) { VOWEL } else { WHOLE }
}

fn first_vowel(word: &[u8]) -> usize {
    word.iter().position(|sound| is_vowel(*sound)).unwrap_or(word.len())
}

fn taken_for(one: u8, other: u8, stressed: bool) -> u32 {
    if one == other {
        return 0;
    }
    match (is_vowel(one), is_vowel(other)) {
        (true, true) if stressed && !is_close(one, other) => FIRST_VOWEL,
        (true, true) => VOWEL,
        (false, false) if kin(one) & bit(other) != 0 => KIN,
        (false, false) => WHOLE,
        _ => WHOLE + VOWEL,
    }
}

/// Vowels that are one in many mouths.
fn is_close(one: u8, other: u8) -> bool {
    matches!((one, other), (b'I', b'E') | (b'E', b'I') | (b'O', b'U') | (b'U', b'O'))
}

/// One bit for each sound.
pub fn bit(sound: u8) -> u64 {
    1 << (sound % 64)
}

/// This sound and those it is taken for.
pub fn kin(sound: u8) -> u64 {
    let others: &[u8] = match sound {
        b'A' | b'E' | b'I' | b'O' | b'U' | b'Y' => b"AEIOUY",
        b'B' => b"P",
        b'P' => b"B",
        b'D' => b"T0",
        b'T' => b"D0",
        b'0' => b"TDS",
        b'K' => b"gC",
        b'g' => b"KG",
        b'G' => b"gCJ",
        b'J' => b"G",
        b'C' => b"$GK",
        b'$' => b"CS",
        b'S' => b"$0",
        b'F' => b"V",
        b'V' => b"FW",
        b'W' => b"V",
        b'M' => b"N",
        b'N' => b"M",
        _ => b"",
    };
    others.iter().fold(bit(sound), |all, other| all | bit(*other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_in_two_spellings_sounds_the_same() {
        let pairs = [
            ("marcus", "markus"),
            ("jon", "john"),
            ("sara", "sarah"),
            ("catherine", "katherine"),
            ("bell", "belle"),
            ("shaun", "shawn"),
            ("lewis", "luis"),
            ("brian", "bryan"),
            ("eric", "erik"),
            ("carl", "karl"),
            ("leigh", "lay"),
            ("dixon", "dickson"),
            ("weber", "webber"),
            ("whitfield", "witfield"),
            ("priya", "pria"),
            ("philip", "fillip"),
            ("reed", "read"),
            ("wright", "ryte"),
        ];
        for (one, other) in pairs {
            assert_eq!(sounds(one), sounds(other), "{one} {other}");
        }
    }

    #[test]
    fn two_names_sound_different() {
        let pairs = [
            ("jan", "jane"),
            ("jan", "jen"),
            ("eric", "erica"),
            ("maria", "marie"),
            ("don", "dawn"),
            ("joan", "jon"),
            ("ross", "rose"),
            ("leah", "lee"),
            ("hanna", "anna"),
            ("maya", "mia"),
        ];
        for (one, other) in pairs {
            assert_ne!(sounds(one), sounds(other), "{one} {other}");
        }
    }

    #[test]
    fn what_is_easily_misheard_is_nearer_than_what_is_not() {
        let apart = |one: &str, other: &str| apart(&sounds(one), &sounds(other), 100);
        assert_eq!(apart("kathryn", "catherine"), VOWEL);
        assert_eq!(apart("stefen", "steven"), KIN);
        assert_eq!(apart("daniel", "daniela"), WHOLE);
        assert_eq!(apart("barton", "burton"), FIRST_VOWEL);
        assert!(apart("priya", "maria") >= WHOLE);
        assert_eq!(apart("", ""), 0);
        assert_eq!(super::apart(&[b'A'; 40], b"A", 5), 6);
    }
}
