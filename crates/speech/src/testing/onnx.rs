//! Small models written down by hand, in ONNX: enough of the format to put a few
//! operators between named inputs and outputs.

/// A graph that grows by one line at a time.
#[derive(Default)]
pub struct Graph {
    bytes: Vec<u8>,
}

/// What a tensor holds.
#[derive(Clone, Copy)]
pub enum Kind {
    Float = 1,
    Int = 7,
    Bool = 9,
}

/// A setting of an operator.
pub enum Set {
    Int(&'static str, u64),
    Ints(&'static str, Vec<u64>),
}

impl Graph {
    pub fn input(self, name: &str, kind: Kind, rank: usize) -> Self {
        self.end(11, name, kind, rank)
    }

    pub fn output(self, name: &str, kind: Kind, rank: usize) -> Self {
        self.end(12, name, kind, rank)
    }

    fn end(mut self, field: u64, name: &str, kind: Kind, rank: usize) -> Self {
        let shape: Vec<u8> =
            (0..rank).flat_map(|at| block(1, &text(2, &format!("{name}_{at}")))).collect();
        let tensor = [number(1, kind as u64), block(2, &shape)].concat();
        let end = [text(1, name), block(2, &block(1, &tensor))].concat();
        self.bytes.extend(block(field, &end));
        self
    }

    /// A table of numbers that stands in the file.
    pub fn floats(mut self, name: &str, shape: &[u64], values: &[f32]) -> Self {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.bytes.extend(block(5, &tensor(name, Kind::Float, shape, &raw)));
        self
    }

    pub fn ints(mut self, name: &str, values: &[i64]) -> Self {
        let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.bytes.extend(block(5, &tensor(name, Kind::Int, &[values.len() as u64], &raw)));
        self
    }

    pub fn node(mut self, operator: &str, inputs: &[&str], output: &str, set: &[Set]) -> Self {
        let mut node: Vec<u8> = inputs.iter().flat_map(|input| text(1, input)).collect();
        node.extend(
            [text(2, output), text(3, &format!("to {output}")), text(4, operator)].concat(),
        );
        for set in set {
            let set = match set {
                Set::Int(name, value) => [text(1, name), number(3, *value), number(20, 2)].concat(),
                Set::Ints(name, values) => {
                    let values: Vec<u8> = values.iter().flat_map(|it| number(8, *it)).collect();
                    [text(1, name), values, number(20, 7)].concat()
                }
            };
            node.extend(block(5, &set));
        }
        self.bytes.extend(block(1, &node));
        self
    }

    pub fn file(self) -> Vec<u8> {
        let graph = [self.bytes, text(2, "by hand")].concat();
        let operators = [text(1, ""), number(2, 17)].concat();
        [number(1, 8), block(7, &graph), block(8, &operators)].concat()
    }
}

fn tensor(name: &str, kind: Kind, shape: &[u64], raw: &[u8]) -> Vec<u8> {
    let shape: Vec<u8> = shape.iter().flat_map(|length| number(1, *length)).collect();
    [shape, number(2, kind as u64), text(8, name), block(9, raw)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(u8::try_from(value & 127).expect("seven bits") | 128);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).expect("seven bits"));
    bytes
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn block(field: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn text(field: u64, text: &str) -> Vec<u8> {
    block(field, text.as_bytes())
}
