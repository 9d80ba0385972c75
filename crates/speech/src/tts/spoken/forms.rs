//! Other forms of the same letters and digits: "１２３", "١٢٣", "①", "𝗯𝗼𝗹𝗱", "ﬁ".
//!
//! Each is written as the plain one, in no more bytes than it had, so that
//! everything keeps its place in the text.

/// Where the ten digits of a script begin, zero first.
const ZEROS: [u32; 22] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0, 0x1810, 0x2080, 0xFF10, 0xA8D0, 0xAA50,
];
/// Where numbers in a circle, in brackets or with a full stop begin; the first and the most.
const COUNTED: [(u32, u32, u32); 8] = [
    (0x2460, 1, 20),
    (0x2474, 1, 20),
    (0x2488, 1, 20),
    (0x24EB, 11, 10),
    (0x24F5, 1, 10),
    (0x2776, 1, 10),
    (0x2780, 1, 10),
    (0x278A, 1, 10),
];
/// Letters of mathematics: twenty six capitals and twenty six small ones, again and again.
const MATHS_LETTERS: std::ops::Range<u32> = 0x1D400..0x1D6A4;
const MATHS_DIGITS: std::ops::Range<u32> = 0x1D7CE..0x1D800;

/// The plain form of a letter, digit or sign, where it is another form of one.
pub fn plain(c: char) -> Option<String> {
    let code = u32::from(c);
    if code < 0x80 {
        return None;
    }
    digit(code)
        .or_else(|| counted(code))
        .or_else(|| letter(code))
        .or_else(|| ligature(c).map(str::to_owned))
}

fn digit(code: u32) -> Option<String> {
    if MATHS_DIGITS.contains(&code) {
        return Some(((code - MATHS_DIGITS.start) % 10).to_string());
    }
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code))?;
    Some((code - zero).to_string())
}

fn counted(code: u32) -> Option<String> {
    if [0x24EA, 0x24FF].contains(&code) {
        return Some("0".to_owned());
    }
    let within = |(start, _, many): &&(u32, u32, u32)| (*start..start + many).contains(&code);
    let (start, first, _) = COUNTED.iter().find(within)?;
    Some((code - start + first).to_string())
}

fn letter(code: u32) -> Option<String> {
    let ascii = |from: char, by: u32| char::from_u32(u32::from(from) + by).map(String::from);
    match code {
        // Full width, but for the digits.
        0xFF01..=0xFF5E => ascii('!', code - 0xFF01),
        0x24B6..=0x24CF => ascii('A', code - 0x24B6),
        0x24D0..=0x24E9 => ascii('a', code - 0x24D0),
        code if MATHS_LETTERS.contains(&code) => {
            let at = (code - MATHS_LETTERS.start) % 52;
            if at < 26 { ascii('A', at) } else { ascii('a', at - 26) }
        }
        _ => None,
    }
}

fn ligature(c: char) -> Option<&'static str> {
    Some(match c {
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        '℃' => "°C",
        '℉' => "°F",
        '㎏' => "kg",
        '㎞' => "km",
        '㎝' => "cm",
        '㎜' => "mm",
        '℅' => "c/o",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_form_takes_no_more_room_than_what_it_stands_for() {
        let all = (0..=0x2_FFFF).filter_map(char::from_u32);
        for (c, plain) in all.filter_map(|c| Some((c, plain(c)?))) {
            assert!(plain.len() <= c.len_utf8(), "{c} {plain}");
            assert!(!plain.is_empty(), "{c}");
        }
    }

    #[test]
    fn digits_of_every_script_are_digits() {
        for text in ["１２３", "١٢٣", "۱۲۳", "१२३", "①②③", "𝟏𝟐𝟑", "❶➁➌", "₁₂₃"]
        {
            assert_eq!(text.chars().filter_map(plain).collect::<String>(), "123", "{text}");
        }
        let bold: String = "𝗛𝗲𝗹𝗹𝗼".chars().filter_map(plain).collect();
        assert_eq!(bold, "Hello");
    }
}
