//! One page: what is drawn with letters, with breaks where the pen moves on.

use std::collections::BTreeMap;

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Encoding, Object, ObjectId};

use super::columns::{self, Mark};

/// Steps of drawing that are followed on one page.
const MOST_STEPS: usize = 500_000;
/// A gap wider than this part of a letter's size is a blank.
const BLANK: f32 = 0.2;
/// One wider than this stands apart.
const APART: f32 = 1.5;
/// A pen that moves up or down by more than this part of it begins a line.
const NEW_LINE: f32 = 0.35;

/// Forms within forms that are followed.
const DEEPEST: usize = 8;

/// The words of a page, and whether all of it was followed. None where it is drawn in
/// a way that cannot be followed at all.
pub fn words(document: &Document, page: ObjectId, most_unpacked: usize) -> Option<(String, bool)> {
    let fonts = document.get_page_fonts(page).ok()?;
    let (own, inherited) = document.get_page_resources(page).ok()?;
    let inherited = inherited.into_iter().filter_map(|id| document.get_dictionary(id).ok());
    let resources: Vec<_> = own.into_iter().chain(inherited).collect();
    let content = document.get_page_content_with_limit(page, most_unpacked).ok()?;
    // The library leaves out what it cannot unpack, and says nothing.
    let is_whole = document.get_page_contents(page).into_iter().all(|id| {
        let stream = document.get_object(id).and_then(Object::as_stream);
        stream.is_ok_and(|stream| {
            let plain = stream.get_plain_content_with_limit(most_unpacked);
            plain.is_ok_and(|plain| plain.is_empty() == stream.content.is_empty())
        })
    });
    let mut drawing = Drawing { document, most_unpacked, pen: Pen::default(), steps: 0, is_whole };
    drawing.draw(&content, fonts.into_iter(), &resources, 0)?;
    let Pen { text, marks, .. } = drawing.pen;
    Some((columns::apart(&text, &marks), drawing.is_whole))
}

/// A page that is being followed, with the forms that are set into it.
struct Drawing<'a> {
    document: &'a Document,
    most_unpacked: usize,
    pen: Pen,
    steps: usize,
    is_whole: bool,
}

impl<'a> Drawing<'a> {
    fn draw(
        &mut self,
        content: &[u8],
        fonts: impl Iterator<Item = (Vec<u8>, &'a Dictionary)>,
        resources: &[&'a Dictionary],
        depth: usize,
    ) -> Option<()> {
        let (document, most) = (self.document, self.most_unpacked);
        let fonts = fonts.filter_map(|(name, font)| {
            let encoding = font.get_font_encoding_with_limit(document, most).ok()?;
            Some((name, Font { encoding, widths: Widths::of(font, document) }))
        });
        let fonts: BTreeMap<_, _> = fonts.collect();
        let content = Content::decode(content).ok()?;
        let mut font = None;
        for step in &content.operations {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                self.is_whole = false;
                break;
            }
            match step.operator.as_str() {
                "Tf" => {
                    let named = step.operands.first().and_then(|it| it.as_name().ok());
                    font = named.and_then(|name| fonts.get(name));
                    self.pen.size = number(&step.operands, 1).unwrap_or(self.pen.size);
                }
                "Do" => {
                    let named = step.operands.first().and_then(|it| it.as_name().ok());
                    if let Some(name) = named {
                        self.set_in(name, resources, depth);
                    }
                }
                operator => self.pen.step(operator, &step.operands, font),
            }
        }
        Some(())
    }

    /// A form is a drawing of its own, set into the page: its words are a piece apart.
    fn set_in(&mut self, name: &[u8], resources: &[&'a Dictionary], depth: usize) {
        let document = self.document;
        let form = resources.iter().find_map(|resources| {
            let forms = resources.get_deref(b"XObject", document).ok()?.as_dict().ok()?;
            forms.get_deref(name, document).ok()?.as_stream().ok()
        });
        let Some(form) = form else { return };
        if form.dict.get(b"Subtype").and_then(Object::as_name).ok() != Some(b"Form") {
            return;
        }
        if depth >= DEEPEST {
            self.is_whole = false;
            return;
        }
        let own = form.dict.get_deref(b"Resources", document).and_then(Object::as_dict).ok();
        let fonts = own.and_then(|own| own.get_deref(b"Font", document).ok()?.as_dict().ok());
        let fonts = fonts.into_iter().flat_map(|fonts| fonts.iter()).filter_map(|(name, font)| {
            let (_, font) = document.dereference(font).ok()?;
            Some((name.clone(), font.as_dict().ok()?))
        });
        let fonts: Vec<_> = fonts.collect();
        let resources: Vec<_> = own.into_iter().collect();
        let content = form.get_plain_content_with_limit(self.most_unpacked).ok();
        self.pen.lift();
        let drawn = content
            .and_then(|content| self.draw(&content, fonts.into_iter(), &resources, depth + 1));
        self.is_whole &= drawn.is_some();
        self.pen.lift();
    }
}

fn number(operands: &[Object], at: usize) -> Option<f32> {
    operands.get(at).and_then(|it| it.as_float().ok())
}

struct Font<'a> {
    encoding: Encoding<'a>,
    widths: Widths,
}

/// How wide letters are, in thousandths of their size.
struct Widths {
    first: usize,
    each: Vec<f32>,
    /// Of a font whose letters are two bytes each, and what the others have.
    wide: Option<(BTreeMap<u16, f32>, f32)>,
}

impl Widths {
    fn of(font: &Dictionary, document: &Document) -> Self {
        let number = |key: &[u8]| font.get_deref(key, document).ok()?.as_i64().ok();
        let first = number(b"FirstChar").and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
        let each = font.get_deref(b"Widths", document).and_then(Object::as_array);
        let each = each.map(|each| each.iter().filter_map(|it| it.as_float().ok()).collect());
        Self { first, each: each.unwrap_or_default(), wide: wide(font, document) }
    }

    /// Of a run of letters; where nobody knows, about half of their size each.
    fn of_run(&self, bytes: &[u8], letters: usize) -> f32 {
        if let Some((each, usual)) = &self.wide {
            let code = |two: &[u8]| u16::from_be_bytes([two[0], two[1]]);
            let width = |two| each.get(&code(two)).unwrap_or(usual);
            return bytes.chunks_exact(2).map(width).sum();
        }
        let width = |byte: &u8| {
            let at = usize::from(*byte).checked_sub(self.first)?;
            self.each.get(at).copied()
        };
        let known: Option<f32> = bytes.iter().map(width).sum();
        #[expect(clippy::cast_precision_loss, reason = "a run of letters is short")]
        known.filter(|_| bytes.len() == letters).unwrap_or(letters as f32 * 500.0)
    }
}

/// `[3 [500 600] 10 20 250]`: letter 3 and 4, and letters 10 to 20.
fn wide(font: &Dictionary, document: &Document) -> Option<(BTreeMap<u16, f32>, f32)> {
    let kind = font.get(b"Encoding").and_then(Object::as_name).ok()?;
    if kind != b"Identity-H" {
        return None;
    }
    let below = font.get_deref(b"DescendantFonts", document).ok()?.as_array().ok()?;
    let (_, below) = document.dereference(below.first()?).ok()?;
    let below = below.as_dict().ok()?;
    let usual = below.get_deref(b"DW", document).and_then(Object::as_float).unwrap_or(1000.0);
    let list = below.get_deref(b"W", document).ok()?.as_array().ok()?;
    let code = |object: &Object| object.as_i64().ok().and_then(|it| u16::try_from(it).ok());
    let mut each = BTreeMap::new();
    let mut list = list.iter();
    while let Some(first) = list.next().and_then(code) {
        let (_, next) = document.dereference(list.next()?).ok()?;
        if let Ok(widths) = next.as_array() {
            let widths = widths.iter().filter_map(|it| it.as_float().ok());
            each.extend((first..).zip(widths));
        } else {
            let (last, width) = (code(next)?, list.next()?.as_float().ok()?);
            each.extend((first..=last).map(|code| (code, width)));
        }
    }
    Some((each, usual))
}

/// Where the next letter is put.
struct Pen {
    text: String,
    /// Where lines begin, and pieces of them that stand apart.
    marks: Vec<Mark>,
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
        Self {
            text: String::new(),
            marks: Vec::new(),
            size: 10.0,
            leading: 0.0,
            line,
            x: 0.0,
            last: None,
        }
    }
}

impl Pen {
    /// One step of drawing that is about letters.
    fn step(&mut self, operator: &str, operands: &[Object], font: Option<&Font<'_>>) {
        let number = |at: usize| number(operands, at).unwrap_or(0.0);
        match operator {
            "BT" => self.begin(),
            "TL" => self.leading = number(0),
            "Td" => self.go((number(0), number(1))),
            "TD" => {
                self.leading = -number(1);
                self.go((number(0), number(1)));
            }
            "Tm" => self.set([0, 1, 2, 3, 4, 5].map(number)),
            "T*" => self.next_line(),
            "Tj" | "TJ" => self.write(font, operands),
            "'" => {
                self.next_line();
                self.write(font, operands);
            }
            "\"" => {
                self.next_line();
                self.write(font, operands.get(2..).unwrap_or_default());
            }
            _ => {}
        }
    }

    /// What comes next has nothing to do with what was written last.
    fn lift(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.last = None;
    }

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
        let mut is_apart = self.text.is_empty() || self.text.ends_with('\n');
        if let Some((last_x, last_y)) = self.last {
            let height = self.height();
            is_apart |= x - last_x > APART * height;
            if (y - last_y).abs() > NEW_LINE * height {
                self.text.push('\n');
                is_apart = true;
            } else if (x - last_x).abs() > BLANK * height && !self.text.ends_with([' ', '\n']) {
                self.text.push(' ');
            }
        }
        if is_apart {
            self.marks.push(Mark { at: self.text.len(), x });
        }
        self.text.push_str(&run);
        self.x += font.widths.of_run(bytes, run.chars().count()) / 1000.0 * self.size;
        self.last = Some(self.at());
    }
}
