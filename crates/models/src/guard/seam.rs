//! Where something was cut out of a text, one blank is enough. Pure.

#[derive(Debug)]
pub(super) struct Seam {
    /// What was shown last was a blank, or nothing was.
    after_blank: bool,
    /// Something was cut out here.
    is_cut: bool,
}

impl Default for Seam {
    fn default() -> Self {
        Self { after_blank: true, is_cut: false }
    }
}

impl Seam {
    pub fn cut(&mut self) {
        self.is_cut = true;
    }

    pub fn pass(&mut self, c: char, shown: &mut String) {
        let is_blank = c.is_whitespace();
        if is_blank && self.is_cut && self.after_blank {
            return;
        }
        shown.push(c);
        (self.after_blank, self.is_cut) = (is_blank, false);
    }
}
