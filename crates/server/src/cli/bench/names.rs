//! Names said aloud: whom a sentence is taken to mean, when our ears wrote the
//! name down as best they could. Nobody is ever taken for somebody else.

use ::models::{World, corpus, reflex};
use brain::resolve::people::Contact;
use speech::resample::EARS_RATE;
use speech::score::words;

use super::models::Models;
use super::noise::Street;
use super::table::row;

/// Some are in every dictionary, some in none.
const NAMES: [&str; 40] = [
    "Priya Nair",
    "Tom Becker",
    "Siobhan Byrne",
    "Aoife Walsh",
    "Chidi Okafor",
    "Linh Nguyen",
    "Jonas Weber",
    "Magda Kowalska",
    "Dana Whitfield",
    "Omar Haddad",
    "Yuki Tanaka",
    "Wei Zhang",
    "Elena Petrova",
    "Rafael Ortiz",
    "Fatima Zahra",
    "Bjorn Lindqvist",
    "Chloe Dubois",
    "Sean Murphy",
    "Anjali Mehta",
    "Kwame Mensah",
    "Leila Farahani",
    "Mateo Silva",
    "Ingrid Olsen",
    "Dmitri Volkov",
    "Hannah Schmidt",
    "Ravi Patel",
    "Zoe Papadakis",
    "Noah Goldberg",
    "Giulia Romano",
    "Pierre Lefevre",
    "Emily Carter",
    "Marcus Thompson",
    "Sofia Andersson",
    "Liam O'Connor",
    "Grace Kim",
    "Hassan Ali",
    "Isabel Moreno",
    "Viktor Novak",
    "Amara Eze",
    "Katherine Hughes",
];

/// What is said, with a first name and with a whole one.
const SENTENCES: [(&str, bool); 2] = [
    ("Send a mail to {} that I am running late.", false),
    ("Write to {} that Thursday works.", true),
];

/// What names were taken for.
#[derive(Debug, Default)]
pub struct Came {
    said: usize,
    /// Every part of the name was written down as it is spelt.
    spelt: usize,
    right: usize,
    /// Asked, with the right one to choose.
    asked: usize,
    unknown: usize,
    wrong: Vec<String>,
}

impl Came {
    fn add(&mut self, contact: &Contact, name: &str, heard: &str, world: &World) {
        let said = words(heard);
        self.said += 1;
        self.spelt += usize::from(words(name).iter().all(|part| said.contains(part)));
        let understood = reflex::read(heard, world);
        let plan = serde_json::to_string(&understood.proposal.steps).expect("a plan");
        let choices = format!("{:?} {:?}", understood.question, understood.choices);
        let named = |text: &str| -> Vec<&Contact> {
            let all = world.contacts.iter();
            all.filter(|it| text.contains(&it.address) || text.contains(&it.name)).collect()
        };
        match named(&plan).as_slice() {
            [one] if *one == contact => self.right += 1,
            [] if named(&choices).contains(&contact) => self.asked += 1,
            [] => self.unknown += 1,
            others => self.wrong.push(format!("{name}, heard {heard:?}: {others:?}")),
        }
    }
}

/// Everybody is written to twice, in noise at 20 dB.
pub fn measure(models: &Models) -> Came {
    let contact = |name: &&str| Contact {
        name: (*name).to_owned(),
        address: format!("{}@x.example", name.to_lowercase().replace([' ', '\''], ".")),
        nicknames: Vec::new(),
        pronouns: None,
    };
    let contacts: Vec<Contact> = NAMES.iter().map(contact).collect();
    let world = World { contacts: contacts.clone().into(), ..corpus::world() };
    let (mut came, mut street) = (Came::default(), Street::default());
    let quiet = vec![0.0; EARS_RATE as usize / 4];
    for contact in &contacts {
        for (sentence, whole) in SENTENCES {
            let name = if whole { contact.name.as_str() } else { contact.short() };
            let voice = models.say(&sentence.replace("{}", name));
            let sound = [&quiet, &voice, &quiet].into_iter().flatten().copied();
            let sound: Vec<f32> = sound.collect();
            came.add(contact, name, &models.hear(&street.around(&sound, 20.0)), &world);
        }
    }
    came
}

impl Came {
    pub fn tell(&self) {
        let Self { said, spelt, right, asked, unknown, wrong } = self;
        let what = format!("{said} names said aloud, wrong as they are heard");
        row(&what, format!("{} of {said}", said - spelt), "");
        let figure = format!("{} of {said}: {asked} asked for, {unknown} unknown", said - right);
        row("the same when the contacts are asked", figure, "");
        row("taken for somebody else", format!("{} of {said}", wrong.len()), "none");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_misheard_is_found_or_asked_for_and_never_somebody_else() {
        let Some(assets) = std::env::var_os("SAYSO_TEST_ASSETS") else {
            println!("SAYSO_TEST_ASSETS is not set: nothing was said");
            return;
        };
        let came = measure(&Models::load(assets.as_ref()).unwrap());
        println!("{came:?}");
        assert!(came.wrong.is_empty(), "{:#?}", came.wrong);
        assert!((came.right + came.asked) * 4 >= came.said * 3, "{came:?}");
    }
}
