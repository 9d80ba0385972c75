//! The head of a GGUF file: what it says of itself, and where its weights lie. Pure but for
//! the reading.
//!
//! A file is somebody else's: every length in it is checked against a limit and against the
//! file before anything is set aside for it, so a broken one is told apart from a cut one and
//! neither can take the process down.

use std::collections::BTreeMap;
use std::io::{self, Read};

use crate::trouble::BadFile;

const MAGIC: [u8; 4] = *b"GGUF";
const MOST_ENTRIES: u64 = 4_096;
const MOST_TENSORS: u64 = 65_536;
/// A vocabulary has some hundred thousand words.
const MOST_ITEMS: u64 = 4 << 20;
const LONGEST_TEXT: u64 = 1 << 20;
/// No head is longer than a vocabulary with its merges and scores.
const LONGEST_HEAD: u64 = 512 << 20;
const MOST_DIMENSIONS: u32 = 4;

/// What stands in the head of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    pub entries: BTreeMap<String, Entry>,
    pub tensors: BTreeMap<String, Tensor>,
    /// Where the weights begin in the file.
    pub weights_at: u64,
}

/// One thing that a file says of itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    Whole(i64),
    Real(f64),
    Yes(bool),
    Text(String),
    Texts(Vec<String>),
    Numbers(Vec<f64>),
    /// Lists of lists, and of yes and no: nothing that is asked for.
    Other,
}

/// Where a matrix lies, and in which format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// The length of a row first.
    pub shape: Vec<usize>,
    pub format: u32,
    /// From where the weights begin.
    pub at: u64,
}

impl Tensor {
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How long a row is.
    pub fn row(&self) -> usize {
        self.shape.first().copied().unwrap_or(0)
    }
}

impl Head {
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.entries.get(name)? {
            Entry::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn texts(&self, name: &str) -> Option<&[String]> {
        match self.entries.get(name)? {
            Entry::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        match self.entries.get(name)? {
            Entry::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    pub fn yes(&self, name: &str) -> Option<bool> {
        match self.entries.get(name)? {
            Entry::Yes(yes) => Some(*yes),
            _ => None,
        }
    }

    pub fn whole(&self, name: &str) -> Option<usize> {
        match self.entries.get(name)? {
            Entry::Whole(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    pub fn real(&self, name: &str) -> Option<f64> {
        match self.entries.get(name)? {
            Entry::Real(number) => Some(*number),
            #[expect(clippy::cast_precision_loss, reason = "such numbers are small")]
            Entry::Whole(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// Reads the head of a file that is `length` bytes long.
    pub fn read(from: impl Read, length: u64) -> Result<Self, BadFile> {
        let mut reader = Reader { from, at: 0, length };
        let magic: [u8; 4] = reader.bytes().map_err(|_| BadFile::NotGguf)?;
        if magic != MAGIC {
            return Err(BadFile::NotGguf);
        }
        let version = reader.u32()?;
        if !matches!(version, 2 | 3) {
            return Err(BadFile::Version(version));
        }
        let tensors = reader.count("tensors", MOST_TENSORS)?;
        let entries = reader.count("entries", MOST_ENTRIES)?;
        let mut head = Self::default();
        for _ in 0..entries {
            let name = reader.text()?;
            let kind = reader.u32()?;
            let entry = reader.entry(kind)?;
            head.entries.insert(name, entry);
        }
        for _ in 0..tensors {
            let name = reader.text()?;
            let dimensions = reader.u32()?;
            if dimensions > MOST_DIMENSIONS {
                return Err(BadFile::Damaged(format!("{name} has {dimensions} dimensions")));
            }
            let shape: Result<Vec<_>, _> =
                (0..dimensions).map(|_| reader.count("values", u64::from(u32::MAX))).collect();
            let shape = shape?.into_iter().map(as_size).collect();
            let tensor = Tensor { shape, format: reader.u32()?, at: reader.u64()? };
            head.tensors.insert(name, tensor);
        }
        let alignment = head.whole("general.alignment").unwrap_or(32).max(1);
        head.weights_at = reader.at.next_multiple_of(u64::try_from(alignment).unwrap_or(32));
        Ok(head)
    }
}

fn as_size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

struct Reader<R> {
    from: R,
    at: u64,
    length: u64,
}

impl<R: Read> Reader<R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], BadFile> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), BadFile> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.cut_off(),
            _ => BadFile::Unreadable(error.to_string()),
        })?;
        self.at += bytes.len() as u64;
        if self.at > LONGEST_HEAD {
            return Err(BadFile::Damaged("its head has no end".to_owned()));
        }
        Ok(())
    }

    fn cut_off(&self) -> BadFile {
        BadFile::CutOff { there: self.length, needed: self.length.max(self.at) + 1 }
    }

    fn u32(&mut self) -> Result<u32, BadFile> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, BadFile> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    fn count(&mut self, of: &str, most: u64) -> Result<u64, BadFile> {
        let count = self.u64()?;
        if count > most {
            return Err(BadFile::Damaged(format!("it says that it has {count} {of}")));
        }
        Ok(count)
    }

    fn text(&mut self) -> Result<String, BadFile> {
        let length = self.count("letters in one text", LONGEST_TEXT)?;
        if self.at + length > self.length {
            return Err(self.cut_off());
        }
        let mut bytes = vec![0; as_size(length)];
        self.fill(&mut bytes)?;
        // A vocabulary may hold halves of letters.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn entry(&mut self, kind: u32) -> Result<Entry, BadFile> {
        Ok(match kind {
            7 => Entry::Yes(self.bytes::<1>()?[0] != 0),
            8 => Entry::Text(self.text()?),
            9 => self.list()?,
            _ => self.number(kind)?,
        })
    }

    #[expect(clippy::cast_possible_wrap, reason = "nothing in such a file is that large")]
    fn number(&mut self, kind: u32) -> Result<Entry, BadFile> {
        Ok(match kind {
            0 => Entry::Whole(u8::from_le_bytes(self.bytes()?).into()),
            1 => Entry::Whole(i8::from_le_bytes(self.bytes()?).into()),
            2 => Entry::Whole(u16::from_le_bytes(self.bytes()?).into()),
            3 => Entry::Whole(i16::from_le_bytes(self.bytes()?).into()),
            4 => Entry::Whole(self.u32()?.into()),
            5 => Entry::Whole(i32::from_le_bytes(self.bytes()?).into()),
            6 => Entry::Real(f32::from_le_bytes(self.bytes()?).into()),
            10 => Entry::Whole(self.u64()? as i64),
            11 => Entry::Whole(i64::from_le_bytes(self.bytes()?)),
            12 => Entry::Real(f64::from_le_bytes(self.bytes()?)),
            _ => return Err(BadFile::Damaged(format!("it has an entry of the kind {kind}"))),
        })
    }

    fn list(&mut self) -> Result<Entry, BadFile> {
        let kind = self.u32()?;
        let count = self.count("items in one list", MOST_ITEMS)?;
        // Each takes a byte at least.
        if self.at + count > self.length {
            return Err(self.cut_off());
        }
        match kind {
            7 => (0..count).try_for_each(|_| self.bytes::<1>().map(drop)).map(|()| Entry::Other),
            8 => (0..count).map(|_| self.text()).collect::<Result<_, _>>().map(Entry::Texts),
            9 => Err(BadFile::Damaged("it has lists of lists".to_owned())),
            _ => {
                let number = |entry| match entry {
                    #[expect(clippy::cast_precision_loss, reason = "scores and kinds are small")]
                    Entry::Whole(number) => number as f64,
                    Entry::Real(number) => number,
                    _ => 0.0,
                };
                let numbers = (0..count).map(|_| self.number(kind).map(number));
                numbers.collect::<Result<_, _>>().map(Entry::Numbers)
            }
        }
    }
}

#[cfg(test)]
#[path = "gguf_tests.rs"]
mod tests;
