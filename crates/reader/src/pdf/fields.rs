//! What was typed into the fields of a form.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId, decode_text_string};

use crate::paper::line;

/// Fields that are looked at, and how deep they may lie in one another.
const MOST_FIELDS: usize = 2_000;
const DEEPEST: usize = 8;

/// A field that has something in it: its page, its name and what it says.
pub type Filled = (u32, String, String);

/// All of them, in the order of the form. `pages` knows which number a page has.
pub fn filled(document: &Document, pages: &HashMap<ObjectId, u32>) -> Vec<Filled> {
    let mut found = Vec::new();
    let fields = document.catalog().ok().and_then(|catalog| {
        let form = catalog.get_deref(b"AcroForm", document).ok()?.as_dict().ok()?;
        form.get_deref(b"Fields", document).ok()?.as_array().ok()
    });
    let mut left = MOST_FIELDS;
    let mut look = Look { document, pages, left: &mut left, found: &mut found };
    for field in fields.into_iter().flatten() {
        look.field(field, &Above::default(), 0);
    }
    found
}

/// What a field has from those it lies in.
#[derive(Clone, Default)]
struct Above {
    name: String,
    says: Option<String>,
    page: Option<u32>,
}

struct Look<'a> {
    document: &'a Document,
    pages: &'a HashMap<ObjectId, u32>,
    left: &'a mut usize,
    found: &'a mut Vec<Filled>,
}

impl Look<'_> {
    fn field(&mut self, object: &Object, above: &Above, depth: usize) {
        let document = self.document;
        let Ok(field) = document.dereference(object).and_then(|(_, it)| it.as_dict()) else {
            return;
        };
        if depth >= DEEPEST || *self.left == 0 {
            return;
        }
        *self.left -= 1;
        let page = field.get(b"P").and_then(Object::as_reference).ok();
        let own = Above {
            name: match (above.name.as_str(), text(field, b"T", document)) {
                ("", own) => own.unwrap_or_default(),
                (above, None) => above.to_owned(),
                (above, Some(own)) => format!("{above} {own}"),
            },
            says: text(field, b"V", document).or_else(|| above.says.clone()),
            page: page.and_then(|page| self.pages.get(&page).copied()).or(above.page),
        };
        let kids = field.get_deref(b"Kids", document).and_then(Object::as_array);
        // Kids without a name are only the places where the field is drawn.
        let has_name = |kid: &Object| {
            let kid = document.dereference(kid).and_then(|(_, it)| it.as_dict());
            kid.is_ok_and(|kid| kid.has(b"T"))
        };
        match kids {
            Ok(kids) if kids.iter().any(has_name) => {
                for kid in kids {
                    self.field(kid, &own, depth + 1);
                }
            }
            _ => {
                if let Some(says) = own.says.filter(|says| says != "Off") {
                    self.found.push((own.page.unwrap_or(1), own.name, says));
                }
            }
        }
    }
}

/// A text, or the name of what was ticked.
fn text(field: &Dictionary, key: &[u8], document: &Document) -> Option<String> {
    let value = field.get_deref(key, document).ok()?;
    match value {
        Object::String(..) => line(&decode_text_string(value).ok()?),
        Object::Name(name) => line(&String::from_utf8_lossy(name)),
        _ => None,
    }
}
