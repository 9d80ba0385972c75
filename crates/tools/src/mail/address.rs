//! Addresses as a mail server would take them, and nothing else.

use brain::policy::is_address_char;

use crate::text;
use crate::unseen::has_unseen;

/// More than this no server carries.
pub(crate) const LONGEST: usize = 254;

/// One address without a name, a comment or a second address hidden in it.
pub(crate) fn check(address: &str) -> Result<(), String> {
    if looks_right(address) {
        return Ok(());
    }
    let shown = text::one_line(address, 60);
    Err(format!("\"{shown}\" is not an address; write it like priya@example.com"))
}

/// The list without repetitions, in its order; whoever is in `besides` is left
/// out. Capitals do not make another address.
pub(crate) fn distinct(list: Vec<String>, besides: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(list.len());
    for address in list {
        let same = |other: &String| other.eq_ignore_ascii_case(&address);
        if !kept.iter().chain(besides).any(same) {
            kept.push(address);
        }
    }
    kept
}

fn looks_right(address: &str) -> bool {
    let Some((name, host)) = address.split_once('@') else { return false };
    let name_sign = |c: char| is_address_char(c) && c != '@';
    let dots = |part: &str| part.starts_with('.') || part.ends_with('.') || part.contains("..");
    let label = |label: &str| {
        let sign = |c: char| c.is_alphanumeric() || c == '-';
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(sign)
    };
    address.len() <= LONGEST
        && !name.is_empty()
        && name.chars().all(name_sign)
        && !dots(name)
        && host.contains('.')
        && host.split('.').all(label)
        && !has_unseen(address)
}

/// Can its letters be taken for others? A host beyond plain letters, spelled
/// out or coded, and a name in letters that are not Latin.
pub(crate) fn is_odd(address: &str) -> bool {
    let Some((name, host)) = address.split_once('@') else { return true };
    let coded = host.split('.').any(|label| label.to_ascii_lowercase().starts_with("xn--"));
    !host.is_ascii() || coded || name.chars().any(|c| c.is_alphanumeric() && !is_latin(c))
}

fn is_latin(c: char) -> bool {
    // The i without its dot looks too much like one with it.
    c.is_ascii() || matches!(c, 'À'..='ſ') && c != 'ı'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_address_is_one() {
        for good in
            ["a@b.co", "priya.nair+x@brightloom.example", "zoë@bücher.example", "o'n@x-y.io"]
        {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        let long = format!("{}@x.example", "a".repeat(250));
        for bad in [
            "",
            "priya",
            "@x.example",
            "a@",
            "a@b",
            "a@@b.co",
            "a@b@c.co",
            "a b@c.co",
            " a@b.co",
            "Priya <a@b.co>",
            "a@b.co,c@d.co",
            "a@b.co;c@d.co",
            "a@b.co\nBcc: c@d.co",
            "a@b.co\r",
            "a@b.co\0",
            "a\u{202e}@b.co",
            "a\u{200b}@b.co",
            "a\u{3164}@b.co",
            "a@b\u{1160}.co",
            "a..b@c.co",
            ".a@b.co",
            "a@-b.co",
            "a@b..co",
            "a@b.co.",
            "\"a\"@b.co",
            long.as_str(),
        ] {
            assert!(check(bad).is_err(), "{bad:?}");
            assert!(!check(bad).unwrap_err().contains('\n'));
        }
    }

    #[test]
    fn letters_that_look_like_others_are_odd() {
        for plain in ["priya@brightloom.example", "o'n+x_1@x-y.io", "zoë.łask@x.example"] {
            assert!(!is_odd(plain), "{plain}");
        }
        for odd in [
            "priya@brіghtloom.example",
            "рriya@brightloom.example",
            "ｐriya@x.example",
            "zoë@bücher.example",
            "a@xn--bcher-kva.example",
            "a@mail.XN--bcher-kva.example",
            "иван@x.example",
            "ɑna@x.example",
            "prıya@x.example",
        ] {
            assert_eq!(check(odd), Ok(()), "{odd}");
            assert!(is_odd(odd), "{odd}");
        }
    }

    #[test]
    fn nobody_gets_it_twice() {
        let list = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(distinct(list("a@x.io B@x.io A@X.io b@x.io"), &[]), ["a@x.io", "B@x.io"]);
        assert_eq!(distinct(list("a@x.io c@x.io"), &list("A@x.io")), ["c@x.io"]);
    }
}
