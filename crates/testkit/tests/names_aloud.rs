//! Names said aloud: whom a sentence is taken to mean, when our ears wrote the
//! name down as best they could. Nobody is ever taken for somebody else.

use brain::resolve::people::Contact;
use models::{World, corpus, reflex};
use speech::score::words;
use speech::stt::Recogniser;
use testkit::aloud::{self, Models, Room};

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

#[derive(Debug, Default)]
struct Came {
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
            [] => {
                self.unknown += 1;
                println!("  unknown: {name}, heard {heard:?}");
            }
            others => self.wrong.push(format!("{name}, heard {heard:?}: {others:?}")),
        }
    }
}

#[test]
fn a_name_that_was_misheard_is_found_or_asked_for_and_never_somebody_else() {
    let Some(assets) = aloud::assets() else { return };
    let models = Models::load(&assets);
    let ears = models.recogniser();
    let contact = |name: &&str| Contact {
        name: (*name).to_owned(),
        address: format!("{}@x.example", name.to_lowercase().replace([' ', '\''], ".")),
        nicknames: Vec::new(),
        pronouns: None,
    };
    let contacts: Vec<Contact> = NAMES.iter().map(contact).collect();
    let world = World { contacts: contacts.clone().into(), ..corpus::world() };
    let (mut came, mut room) = (Came::default(), Room::default());
    for contact in &contacts {
        for (sentence, whole) in SENTENCES {
            let name = if whole { contact.name.as_str() } else { contact.short() };
            let voice = models.somebody(1.0).says(&sentence.replace("{}", name));
            let sound = room.with(&voice, 4_800, 2_400, 20.0);
            let heard = ears.recognise(&sound, None).expect("it was loaded");
            came.add(contact, name, &heard.text, &world);
        }
    }
    let Came { said, spelt, right, asked, unknown, wrong } = &came;
    println!(
        "{said} names said aloud: {spelt} spelt right, {right} found, {asked} asked for, \
         {unknown} unknown"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!((right + asked) * 4 >= said * 3, "{came:?}");
}
