//! Names of models that are like another. Pure.

/// More names than these nobody reads.
const MOST: usize = 5;

/// Those that are most like the one that was wanted, the likest first.
pub fn nearest<'a>(wanted: &str, known: &'a [String]) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    // A gateway puts the maker before the name, which says little about the model.
    let bare = |name: &str| name.rsplit('/').next().unwrap_or(name).to_lowercase();
    let likeness = |name: &str| {
        let bare = strsim::jaro_winkler(&bare(&wanted), &bare(name));
        bare.max(strsim::jaro_winkler(&wanted, &name.to_lowercase()))
    };
    let mut names: Vec<_> = known.iter().map(|name| (likeness(name), name.as_str())).collect();
    names.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
    names.into_iter().take(MOST).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likest_names_come_first_and_there_are_five_at_most() {
        let known = ["zephyr", "llama3.2:1b", "openai/gpt-5-mini", "mistral", "gpt-5-nano", "phi4"];
        let known = known.map(str::to_owned);
        let near = nearest("gpt5-mini", &known);
        assert_eq!(near[..2], ["openai/gpt-5-mini", "gpt-5-nano"]);
        assert_eq!(near.len(), 5);
        assert_eq!(nearest("x", &[]), [""; 0]);
    }
}
