//! Whether what is being said is a letter that somebody asked for: "Dear Priya, I'm sending
//! you the notes" is said by whoever signs it. Pure.

/// What a letter begins with.
const SUBJECTS: [&str; 6] = ["subject:", "betreff:", "objet", "asunto:", "oggetto:", "assunto:"];
const DEAR: [&str; 9] =
    ["dear", "liebe", "lieber", "cher", "chère", "querido", "querida", "gentile", "beste"];
/// The same, unless the answer itself begins so.
const GREETINGS: [&str; 8] = ["hi", "hello", "hey", "hallo", "bonjour", "hola", "ciao", "olá"];
/// What stands before a name at its end.
const SIGNED: [&str; 17] = [
    "best",
    "kind",
    "warm",
    "regards",
    "cheers",
    "thanks",
    "thank",
    "many",
    "sincerely",
    "yours",
    "love",
    "all",
    "viele",
    "liebe",
    "cordialement",
    "saludos",
    "groeten",
];
/// So much of a line is looked at.
const LONGEST_LINE: usize = 48;

#[derive(Debug, Default)]
pub struct Letter {
    line: String,
    /// There were lines with words before this one.
    has_lines: bool,
    is_open: bool,
    is_signed: bool,
}

impl Letter {
    /// Also within a line that begins with a salutation.
    pub fn is_open(&self) -> bool {
        self.is_open || first_of(&self.line).is_some_and(|word| DEAR.contains(&word))
    }

    pub fn hear(&mut self, c: char) {
        if c != '\n' {
            if self.line.len() < LONGEST_LINE {
                self.line.extend(c.to_lowercase());
            }
            return;
        }
        let line = std::mem::take(&mut self.line);
        let line = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '>'));
        let first = first_of(line);
        let is_greeting =
            |word: &str| DEAR.contains(&word) || self.has_lines && GREETINGS.contains(&word);
        if self.is_open {
            self.is_signed |= line.ends_with(',') && first.is_some_and(|it| SIGNED.contains(&it));
            let is_rule = line.len() >= 3 && line.chars().all(|c| c == '-');
            if is_rule || line.is_empty() && self.is_signed {
                (self.is_open, self.is_signed) = (false, false);
            }
        } else if SUBJECTS.iter().any(|subject| line.starts_with(subject))
            || line.ends_with(',') && first.is_some_and(is_greeting)
        {
            self.is_open = true;
        }
        self.has_lines |= !line.is_empty();
    }
}

fn first_of(line: &str) -> Option<&str> {
    line.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())
}
