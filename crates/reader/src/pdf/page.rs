//! One page: what is drawn with letters, with breaks where the pen moves on.

use std::collections::BTreeMap;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Encoding, Object, ObjectId};

/// Steps of drawing that are followed on one page.
const MOST_STEPS: usize = 500_000;
/// A gap wider than this part of a letter's size is a blank.
const BLANK: f32 = 0.2;
/// A pen that moves up or down by more than this part of it begins a line.
const NEW_LINE: f32 = 0.35;

/// The words of a page. None where it is drawn in a way that cannot be followed.
pub fn words(document: &Document, page: ObjectId, most_unpacked: usize) -> Option<String> {
    let fonts = document.get_page_fonts(page).ok()?;
    let fonts = fonts.into_iter().filter_map(|(name, font)| {
        let encoding = font.get_font_encoding_with_limit(document, most_unpacked).ok()?;
        Some((name, Font { encoding, widths: Widths::of(font, document) }))
    });
    let fonts: BTreeMap<_, _> = fonts.collect();
    let content = document.get_page_content_with_limit(page, most_unpacked).ok()?;
    let content = Content::decode(&content).ok()?;
    let mut pen = Pen::default();
    let mut font = None;
    for step in content.operations.iter().take(MOST_STEPS) {
        let number = |at: usize| step.operands.get(at).and_then(|it| it.as_float().ok());
        let numbers = || (number(0).unwrap_or(0.0), number(1).unwrap_or(0.0));
        match step.operator.as_str() {
            "BT" => pen.begin(),
            "Tf" => {
                font = step.operands.first().and_then(|it| it.as_name().ok());
                pen.size = number(1).unwrap_or(pen.size);
            }
            "TL" => pen.leading = numbers().0,
            "Td" => pen.go(numbers()),
            "TD" => {
                pen.leading = -numbers().1;
                pen.go(numbers());
            }
            "Tm" => pen.set([0, 1, 2, 3, 4, 5].map(|at| number(at).unwrap_or(0.0))),
            "T*" => pen.next_line(),
            "Tj" | "TJ" => pen.write(font.and_then(|font| fonts.get(font)), &step.operands),
            "'" => {
                pen.next_line();
                pen.write(font.and_then(|font| fonts.get(font)), &step.operands);
            }
            "\"" => {
                pen.next_line();
                pen.write(font.and_then(|font| fonts.get(font)), step.operands.get(2..)?);
            }
            _ => {}
        }
    }
    Some(pen.text)
}

struct Font<'a> {
    encoding: Encoding<'a>,
    widths: Widths,
}

/// How wide letters are, in thousandths of their size.
struct Widths {
    first: usize,
    each: Vec<f32>,
}

impl Widths {
    fn of(font: &Dictionary, document: &Document) -> Self {
        let number = |key: &[u8]| font.get_deref(key, document).ok()?.as_i64().ok();
        let first = number(b"FirstChar").and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
        let each = font.get_deref(b"Widths", document).and_then(Object::as_array);
        let each = each.map(|each| each.iter().filter_map(|it| it.as_float().ok()).collect());
        Self { first, each: each.unwrap_or_default() }
    }

    /// Of a run of letters; where nobody knows, about half of their size each.
    fn of_run(&self, bytes: &[u8], letters: usize) -> f32 {
        let width = |byte: &u8| {
            let at = usize::from(*byte).checked_sub(self.first)?;
            self.each.get(at).copied()
        };
        let known: Option<f32> = bytes.iter().map(width).sum();
        #[expect(clippy::cast_precision_loss, reason = "a run of letters is short")]
        known.filter(|_| bytes.len() == letters).unwrap_or(letters as f32 * 500.0)
    }
}

/// Where the next letter is put.
struct Pen {
    text: String,
    size: f32,
    leading: f32,
    /// Text space to page: a, b, c, d, e, f.
    line: [f32; 6],
    x: f32,
    /// Where the last letter ended on the page, if it is to be compared.
    last: Option<(f32, f32)>,
}

impl Default for Pen {
    fn default() -> Self {
        let line = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        Self { text: String::new(), size: 10.0, leading: 0.0, line, x: 0.0, last: None }
    }
}

impl Pen {
    fn begin(&mut self) {
        self.set([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    fn set(&mut self, matrix: [f32; 6]) {
        self.line = matrix;
        self.x = 0.0;
    }

    fn go(&mut self, (right, up): (f32, f32)) {
        let [a, b, c, d, from_left, from_below] = self.line;
        let from_left = right.mul_add(a, up.mul_add(c, from_left));
        let from_below = right.mul_add(b, up.mul_add(d, from_below));
        self.set([a, b, c, d, from_left, from_below]);
    }

    fn next_line(&mut self) {
        let leading = if self.leading == 0.0 { self.size } else { self.leading };
        self.go((0.0, -leading));
    }

    fn at(&self) -> (f32, f32) {
        let [a, b, _, _, e, f] = self.line;
        (self.x.mul_add(a, e), self.x.mul_add(b, f))
    }

    /// How large letters are on the page.
    fn height(&self) -> f32 {
        let scale = self.line[3].abs().max(self.line[1].abs());
        (self.size * if scale == 0.0 { 1.0 } else { scale }).abs().max(1.0)
    }

    fn write(&mut self, font: Option<&Font<'_>>, operands: &[Object]) {
        let Some(font) = font else { return };
        for operand in operands {
            match operand {
                Object::String(bytes, _) => self.run(font, bytes),
                Object::Array(pieces) => {
                    for piece in pieces {
                        match piece {
                            Object::String(bytes, _) => self.run(font, bytes),
                            other => {
                                let back = other.as_float().unwrap_or(0.0);
                                self.x -= back / 1000.0 * self.size;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn run(&mut self, font: &Font<'_>, bytes: &[u8]) {
        let Ok(run) = Document::decode_text(&font.encoding, bytes) else { return };
        if run.is_empty() {
            return;
        }
        let (x, y) = self.at();
        if let Some((last_x, last_y)) = self.last {
            let height = self.height();
            if (y - last_y).abs() > NEW_LINE * height {
                self.text.push('\n');
            } else if (x - last_x).abs() > BLANK * height && !self.text.ends_with([' ', '\n']) {
                self.text.push(' ');
            }
        }
        self.text.push_str(&run);
        self.x += font.widths.of_run(bytes, run.chars().count()) / 1000.0 * self.size;
        self.last = Some(self.at());
    }
}
