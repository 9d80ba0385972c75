//! How whoever writes down what is said is told in which languages that is. Pure.

/// OpenAI's newer ones, by how their names begin, take a list; both fields at once are refused.
const TAKE_A_LIST: [&str; 2] = ["gpt-transcribe", "gpt-live-transcribe"];

/// What it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint<'a> {
    /// Nothing: it finds out.
    None,
    /// One, in the field `language`.
    Language(&'a str),
    /// Any of these, in the field `languages`.
    Languages(Vec<&'a str>),
}

/// What `model` is told of languages that are set as "en" or "en, de". Who takes only one is
/// told none of several.
pub fn hint<'a>(model: &str, languages: &'a str) -> Hint<'a> {
    let named = languages.split(',').map(str::trim).filter(|language| !language.is_empty());
    let named: Vec<&str> = named.collect();
    let bare = model.rsplit('/').next().unwrap_or(model);
    let takes_a_list = TAKE_A_LIST.iter().any(|name| bare.starts_with(name));
    match named.as_slice() {
        [] => Hint::None,
        _ if takes_a_list => Hint::Languages(named),
        [one] => Hint::Language(one),
        _ => Hint::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_told_of_languages_in_the_field_that_it_takes() {
        for model in ["gpt-live-transcribe", "gpt-transcribe", "openai/gpt-live-transcribe"] {
            assert_eq!(hint(model, "en"), Hint::Languages(vec!["en"]), "{model}");
            assert_eq!(hint(model, "en, de,"), Hint::Languages(vec!["en", "de"]), "{model}");
        }
        for model in ["whisper-1", "gpt-4o-transcribe", "gpt-realtime-whisper", "write-1"] {
            assert_eq!(hint(model, "en"), Hint::Language("en"), "{model}");
            assert_eq!(hint(model, "en,de"), Hint::None, "{model} finds out");
        }
        assert_eq!(hint("gpt-live-transcribe", ""), Hint::None);
    }
}
