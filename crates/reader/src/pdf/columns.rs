//! Two columns of prose that are drawn line by line are read one after the other.
//!
//! A table of two columns looks nearly the same, and its rows have to stay together: so
//! only lines that go on in the middle of a sentence, on both sides, are taken apart.

/// Fewer lines side by side are no columns.
const FEWEST: usize = 3;
/// Beginnings that lie this near to one another are below one another.
const NEAR: f32 = 6.0;

/// Where a piece of text begins that stands apart from what was written before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// In the text of the page.
    pub at: usize,
    /// On the page, from the left.
    pub x: f32,
}

/// The text with its columns one after the other.
pub fn apart(text: &str, marks: &[Mark]) -> String {
    let lines = lines(text, marks);
    let mut told: Vec<&str> = Vec::new();
    let mut from = 0;
    while from < lines.len() {
        let block = &lines[from..from + run(&lines[from..]).max(1)];
        let (left, right) = sides(block);
        if is_prose(&left) && is_prose(&right) {
            told.extend(left.into_iter().chain(right));
        } else {
            told.extend(block.iter().map(|line| line.text));
        }
        from += block.len();
    }
    told.join("\n")
}

/// One line, and its two sides where there are just two.
struct Line<'a> {
    text: &'a str,
    x: Option<f32>,
    pair: Option<(&'a str, &'a str, f32)>,
}

fn lines<'a>(text: &'a str, marks: &[Mark]) -> Vec<Line<'a>> {
    let mut at = 0;
    let mut lines = Vec::new();
    let mut marks = marks.iter().peekable();
    for line in text.split('\n') {
        let end = at + line.len();
        let mut own = Vec::new();
        while let Some(mark) = marks.next_if(|mark| mark.at < end) {
            own.push(*mark);
        }
        let begins = own.first().filter(|mark| mark.at == at).map(|mark| mark.x);
        own.retain(|mark| mark.at > at);
        let pair = match own.as_slice() {
            [gap] => line.split_at_checked(gap.at - at).map(|(left, right)| (left, right, gap.x)),
            _ => None,
        };
        let pair = pair.map(|(left, right, x)| (left.trim(), right.trim(), x));
        lines.push(Line { text: line, x: begins, pair });
        at = end + 1;
    }
    lines
}

/// How many lines from the first on belong to the same two columns.
fn run(lines: &[Line<'_>]) -> usize {
    let Some((_, _, gutter)) = lines.first().and_then(|line| line.pair) else { return 0 };
    let near = |x: f32| (x - gutter).abs() < NEAR;
    let longest = lines.iter().map_while(|line| line.pair).map(|(left, ..)| left.len()).max();
    let belongs = |line: &&Line<'_>| match (line.pair, line.x) {
        (Some((_, _, x)), _) => near(x),
        (None, Some(x)) => near(x) || Some(line.text.len()) <= longest,
        (None, None) => false,
    };
    lines.iter().take_while(belongs).count()
}

/// What stands on the left and what on the right of these.
fn sides<'a>(lines: &[Line<'a>]) -> (Vec<&'a str>, Vec<&'a str>) {
    let gutter = lines.first().and_then(|line| line.pair).map(|(_, _, x)| x);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for line in lines {
        match (line.pair, line.x.zip(gutter)) {
            (Some((one, other, _)), _) => {
                left.push(one);
                right.push(other);
            }
            (None, Some((x, gutter))) if (x - gutter).abs() < NEAR => right.push(line.text),
            (None, _) => left.push(line.text),
        }
    }
    (left, right)
}

/// Most of its lines go on with the sentence of the line above.
fn is_prose(lines: &[&str]) -> bool {
    let goes_on = |line: &&&str| line.starts_with(char::is_lowercase);
    let long = lines.iter().map(|line| line.split_whitespace().count()).sum::<usize>();
    lines.len() >= FEWEST
        && long >= lines.len() * 2
        && lines.iter().skip(1).filter(goes_on).count() * 2 >= lines.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of pieces, each with where it begins.
    fn page(lines: &[&[(f32, &str)]]) -> (String, Vec<Mark>) {
        let (mut text, mut marks) = (String::new(), Vec::new());
        for line in lines {
            if !text.is_empty() {
                text.push('\n');
            }
            for (at, (x, piece)) in line.iter().enumerate() {
                if at > 0 {
                    text.push(' ');
                }
                marks.push(Mark { at: text.len(), x: *x });
                text.push_str(piece);
            }
        }
        (text, marks)
    }

    #[test]
    fn columns_of_prose_are_read_one_after_the_other() {
        let (text, marks) = page(&[
            &[(60.0, "Terms of Trade")],
            &[(60.0, "Payment terms are"), (320.0, "Delivery takes four")],
            &[(60.0, "thirty days net from"), (320.0, "weeks after the order")],
            &[(60.0, "the invoice date."), (320.5, "was confirmed by the")],
            &[(320.0, "seller.")],
            &[(60.0, "All of this is subject to the general terms and conditions of the seller.")],
        ]);
        assert_eq!(
            apart(&text, &marks),
            "Terms of Trade\nPayment terms are\nthirty days net from\nthe invoice date.\nDelivery \
             takes four\nweeks after the order\nwas confirmed by the\nseller.\nAll of this is \
             subject to the general terms and conditions of the seller."
        );
    }

    #[test]
    fn rows_of_a_table_stay_together() {
        let (text, marks) = page(&[
            &[(60.0, "Country"), (200.0, "Per day")],
            &[(60.0, "France"), (200.0, "45 EUR")],
            &[(60.0, "Germany"), (200.0, "50 EUR")],
            &[(60.0, "Norway"), (200.0, "60 EUR")],
        ]);
        assert_eq!(apart(&text, &marks), text);
        let (text, marks) = page(&[
            &[(60.0, "kitchen floor"), (200.0, "good and clean")],
            &[(60.0, "bathroom floor"), (200.0, "scratched")],
        ]);
        assert_eq!(apart(&text, &marks), text);
    }
}
