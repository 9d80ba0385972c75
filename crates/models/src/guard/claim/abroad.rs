//! The same in other languages, as far as models that answer in them say it most: "ich habe
//! … gesendet", "j'ai envoyé", "he enviado", "la reunión ha sido cancelada". Pure.
//!
//! They have their verb at the end or behind few words, so a sentence is held back only
//! behind what begins such a one.

use super::sentence::{Heard, Reading};

/// Who did something, up to the verb. What follows says what.
const MINE: [&[&str]; 25] = [
    &["ich", "habe"],
    &["ich", "hab"],
    &["habe"],
    &["wir", "haben"],
    &["j'ai"],
    &["je", "l'ai"],
    &["je", "les", "ai"],
    &["je", "vous", "ai"],
    &["je", "t'ai"],
    &["nous", "avons"],
    &["he"],
    &["yo", "he"],
    &["lo", "he"],
    &["la", "he"],
    &["le", "he"],
    &["te", "he"],
    &["hemos"],
    &["ho"],
    &["l'ho"],
    &["ti", "ho"],
    &["abbiamo"],
    &["eu", "tenho"],
    &["tenho"],
    &["ik", "heb"],
    &["we", "hebben"],
];

/// Said by whoever did it, in one word.
const I_DID: [&str; 35] = [
    "respondi",
    "confirmei",
    "aceitei",
    "avisei",
    "respondí",
    "confirmé",
    "acepté",
    "avisé",
    "enviei",
    "mandei",
    "reservei",
    "cancelei",
    "apaguei",
    "excluí",
    "movi",
    "remarquei",
    "agendei",
    "marquei",
    "paguei",
    "encomendei",
    "transferi",
    "envié",
    "mandé",
    "reservé",
    "cancelé",
    "borré",
    "eliminé",
    "moví",
    "pagué",
    "agendé",
    "programé",
    "transferí",
    "inviai",
    "prenotai",
    "convidei",
];

/// What was done, without what changes at its end: "enviad" is "enviado" and "enviadas".
const DONE: [&str; 101] = [
    // German.
    "gesendet",
    "geschickt",
    "verschickt",
    "versendet",
    "versandt",
    "abgeschickt",
    "gemailt",
    "weitergeleitet",
    "gebucht",
    "reserviert",
    "gelöscht",
    "storniert",
    "abgesagt",
    "verschoben",
    "verlegt",
    "eingetragen",
    "bezahlt",
    "überwiesen",
    "bestellt",
    "eingeladen",
    "archiviert",
    "hinzugefügt",
    "angelegt",
    "vereinbart",
    // French.
    "envoyé",
    "expédié",
    "transféré",
    "transmis",
    "réservé",
    "annulé",
    "supprimé",
    "effacé",
    "déplacé",
    "reporté",
    "payé",
    "réglé",
    "commandé",
    "programmé",
    "planifié",
    "invité",
    "ajouté",
    "archivé",
    // Spanish and Portuguese.
    "enviad",
    "mandad",
    "reenviad",
    "reservad",
    "cancelad",
    "anulad",
    "borrad",
    "eliminad",
    "movid",
    "aplazad",
    "pagad",
    "pago",
    "paga",
    "pedid",
    "encargad",
    "programad",
    "agendad",
    "invitad",
    "añadid",
    "archivad",
    "transferid",
    "encaminhad",
    "apagad",
    "excluíd",
    "adiad",
    "encomendad",
    "marcad",
    "convidad",
    "adicionad",
    "arquivad",
    "remarcad",
    // Italian.
    "inviat",
    "mandat",
    "spedit",
    "inoltrat",
    "prenotat",
    "cancellat",
    "annullat",
    "eliminat",
    "spostat",
    "pagat",
    "ordinat",
    "programmat",
    "invitat",
    "aggiunt",
    "archiviat",
    "trasferit",
    "disdett",
    // Dutch.
    "verzonden",
    "verstuurd",
    "gestuurd",
    "doorgestuurd",
    "geboekt",
    "gereserveerd",
    "verwijderd",
    "geannuleerd",
    "afgezegd",
    "verplaatst",
    "betaald",
];
const DONE_TOO: [&str; 51] = [
    // What is said to somebody.
    "geantwortet",
    "beantwortet",
    "zugesagt",
    "zugestimmt",
    "bestätigt",
    "angenommen",
    "abgelehnt",
    "mitgeteilt",
    "informiert",
    "benachrichtigt",
    "répondu",
    "confirmé",
    "accepté",
    "refusé",
    "prévenu",
    "informé",
    "averti",
    "respondid",
    "contestad",
    "confirmad",
    "aceptad",
    "rechazad",
    "avisad",
    "informad",
    "aceitad",
    "recusad",
    "rispost",
    "confermat",
    "accettat",
    "rifiutat",
    "avvisat",
    "informat",
    "geantwoord",
    "beantwoord",
    "bevestigd",
    "geaccepteerd",
    "afgewezen",
    "geïnformeerd",
    "ingelicht",
    // More of the same.
    "zurückgeschrieben",
    "aangenomen",
    "doorgegeven",
    "gemeldet",
    "besteld",
    "uitgenodigd",
    "ingepland",
    "toegevoegd",
    "gearchiveerd",
    "overgemaakt",
    "gewist",
    "verzet",
];
/// None of them is shorter.
const SHORTEST: usize = 4;
/// What may stand at the end of one of those.
const ENDS: [&str; 10] = ["", "e", "s", "es", "o", "a", "i", "os", "as", "en"];

/// All of it, in one word.
const READY: [&str; 7] =
    ["erledigt", "hecho", "fatto", "feito", "gedaan", "geregeld", "verschickt"];

/// Before what things are called.
const ARTICLES: [&str; 35] = [
    "die", "der", "das", "deine", "dein", "ihre", "ihr", "euer", "eure", "le", "la", "les",
    "votre", "vos", "ton", "ta", "tes", "el", "los", "las", "tu", "tus", "su", "il", "lo", "tuo",
    "tua", "o", "a", "seu", "sua", "de", "het", "je", "jouw",
];
const THINGS: [&str; 66] = [
    "mail",
    "mails",
    "email",
    "emails",
    "e",
    "l'e",
    "l'email",
    "nachricht",
    "nachrichten",
    "termin",
    "tisch",
    "einladung",
    "einladungen",
    "besprechung",
    "treffen",
    "bestellung",
    "buchung",
    "reservierung",
    "überweisung",
    "message",
    "courriel",
    "courrier",
    "rendez",
    "vous",
    "table",
    "réservation",
    "réunion",
    "commande",
    "invitation",
    "l'invitation",
    "virement",
    "correo",
    "mensaje",
    "cita",
    "mesa",
    "reserva",
    "reunión",
    "pedido",
    "evento",
    "invitación",
    "transferencia",
    "messaggio",
    "tavolo",
    "l'appuntamento",
    "appuntamento",
    "prenotazione",
    "riunione",
    "l'ordine",
    "ordine",
    "l'invito",
    "invito",
    "bonifico",
    "mensagem",
    "reunião",
    "consulta",
    "convite",
    "encomenda",
    "bericht",
    "afspraak",
    "tafel",
    "vergadering",
    "bestelling",
    "reservering",
    "uitnodiging",
    "overboeking",
    "boeking",
];

/// That something was done to it. Those that say how it is count only where nothing follows.
const WAS: [&str; 18] = [
    "wurde", "wurden", "worden", "été", "sido", "stato", "stata", "stati", "state", "foi", "foram",
    "fue", "fueron", "werd", "werden", "ha", "han", "a",
];
const IS: [&str; 8] = ["ist", "sind", "est", "sont", "está", "è", "is", "zijn"];

/// Behind one of these nothing is claimed.
const NOT: [&str; 37] = [
    "nicht", "kein", "keine", "keinen", "noch", "nie", "nichts", "pas", "jamais", "rien", "no",
    "non", "não", "nada", "niente", "nunca", "mai", "niet", "geen", "nooit", "niets", "wenn",
    "sobald", "falls", "si", "quand", "dès", "cuando", "quando", "se", "als", "zodra", "von",
    "par", "por", "da", "door",
];

/// What is answered here is no deed.
const QUESTIONS: [&str; 11] = [
    "frage",
    "fragen",
    "question",
    "questions",
    "pregunta",
    "preguntas",
    "domanda",
    "domande",
    "pergunta",
    "perguntas",
    "vraag",
];

/// What a sentence begins with before it says so.
const LEADS: [&str; 18] = [
    "ok", "okay", "ja", "klar", "gut", "gern", "sí", "ya", "listo", "oui", "bien", "già", "certo",
    "sim", "já", "goed", "so", "déjà",
];

/// So many words a verb may be away.
const FAR: usize = 10;

/// Every word that matters here.
pub fn words() -> impl Iterator<Item = &'static str> {
    let mine = MINE.into_iter().flatten().copied();
    let lists: [&'static [&'static str]; 9] =
        [&I_DID, &DONE, &DONE_TOO, &READY, &ARTICLES, &THINGS, &WAS, &IS, &LEADS];
    mine.chain(lists.into_iter().flatten().copied())
}

fn is_done(word: &str) -> bool {
    let is = |stem: &&str| word.strip_prefix(*stem).is_some_and(|end| ENDS.contains(&end));
    word.len() >= SHORTEST && DONE.iter().chain(&DONE_TOO).any(is)
}

/// What also is done to a question: that is known at the end of the sentence.
fn is_answer(word: &str) -> bool {
    const ANSWERS: [&str; 7] =
        ["geantwort", "beantwort", "répond", "respond", "contest", "rispost", "geantwoord"];
    ANSWERS.iter().any(|stem| word.starts_with(stem))
}

/// What a sentence says of what was done, in any of those languages.
pub fn judged(said: &[&str], reading: Reading) -> Heard {
    let leads = said.iter().take_while(|word| LEADS.contains(word)).count();
    let words = &said[leads..];
    for mine in MINE {
        if words.len() < mine.len() && mine.starts_with(words) {
            return reading.open();
        }
        if let Some(rest) = words.strip_prefix(mine) {
            return reading.done_by_me(rest);
        }
    }
    match words {
        [] => reading.open(),
        [did, ..] if I_DID.contains(did) => Heard::Claimed,
        [ready] if READY.contains(ready) || is_done(ready) => reading.claimed(),
        ["c'est"] => reading.open(),
        ["c'est", "fait"] => reading.claimed(),
        ["se", "ha" | "han", rest @ ..] if !reading.is_knowing => reading.done_by_me(rest),
        ["se"] | ["se", "ha" | "han"] => reading.open(),
        [article, rest @ ..] if ARTICLES.contains(article) && !reading.is_knowing => {
            reading.done_to(rest)
        }
        [thing, ..] if THINGS.contains(thing) && !reading.is_knowing => reading.done_to(words),
        _ => Heard::Harmless,
    }
}

impl Reading {
    /// "… die Mail an Priya gesendet".
    fn done_by_me(self, words: &[&str]) -> Heard {
        for word in words.iter().take(FAR) {
            match *word {
                not if NOT.contains(&not) || QUESTIONS.contains(&not) => return Heard::Harmless,
                done if is_done(done) && is_answer(done) => {
                    let is_lesson = words.iter().any(|word| QUESTIONS.contains(word));
                    return if is_lesson { Heard::Harmless } else { self.claimed() };
                }
                done if is_done(done) => return Heard::Claimed,
                _ => {}
            }
        }
        if words.len() < FAR { self.open() } else { Heard::Harmless }
    }

    /// "… Mail an Priya wurde gesendet".
    fn done_to(self, words: &[&str]) -> Heard {
        let things = words.iter().take_while(|word| THINGS.contains(word)).count();
        let rest = &words[things..];
        if things == 0 {
            return if words.is_empty() { self.open() } else { Heard::Harmless };
        }
        if rest.iter().any(|word| NOT.contains(word)) || rest.len() > FAR {
            return Heard::Harmless;
        }
        let Some(done) = rest.iter().position(|word| is_done(word)) else { return self.open() };
        let before = &rest[..done];
        let is_last = done + 1 == rest.len();
        let was = before.iter().any(|word| WAS.contains(word));
        let is = before.iter().any(|word| IS.contains(word));
        match (was, is || before.is_empty()) {
            (true, _) => self.claimed(),
            (false, true) if is_last => self.claimed(),
            _ => Heard::Harmless,
        }
    }
}
