//! A lease, a note, a hotel booking and a policy, asked as people ask.

use brain::paper::{Paper, Part, Place};

use super::best;

fn paper(parts: &[&str]) -> Paper {
    let part = |(number, text): (u32, &&str)| Part {
        place: Place::Page(number),
        text: (*text).to_owned(),
    };
    Paper { parts: (1..).zip(parts).map(part).collect(), ..Paper::default() }
}

fn lease() -> Paper {
    paper(&[
        "RESIDENTIAL LEASE AGREEMENT\nThis lease is made on 3 October 2026 between Birgit Olsen \
         (the Landlord) and Maya Lindqvist (the Tenant) for\nthe apartment at Prinsengracht 112, \
         Amsterdam.\n1. Term. The lease begins on 1 December 2026 and ends on 30 November 2028.\n\
         2. Rent. The monthly rent is EUR 1,850, payable in advance on the first working day of \
         each month to account\nNL91 ABNA 0417 1643 00.\n3. Deposit. The Tenant pays a deposit of \
         two months' rent, EUR 3,700, before moving in. It is returned within\n30 days after the \
         end of the lease.",
        "4. Notice. Either party may end the lease with two months' written notice.\n5. Pets. Cats \
         are allowed; dogs require the Landlord's written permission.\n6. Utilities. Water is \
         included. Electricity and gas are paid by the Tenant.\n7. Subletting is not permitted.\n\
         Item Condition\nKitchen good\nBathroom floor scratched\nWindows new 2025",
    ])
}

fn notes() -> Paper {
    paper(&[
        "Meeting notes, Heron launch, 12 November 2026",
        "Decisions\n- Launch moves from 1 December to 8 December 2026.\n- Budget for marketing is \
         capped at 42,500 euros.\n- Tom owns the press release; draft due Friday 20 November.",
        "Open questions\nWho signs the supplier contract? Sam thinks Dana, Priya thinks legal.\n\
         The warehouse in Rotterdam can take at most 1,200 pallets.",
        "Phone of the supplier: +31 10 555 0199",
    ])
}

fn policy() -> Paper {
    paper(&[
        "Travel policy 2026",
        "Hotels",
        "The limit for a hotel night is 160 euros, in London and Paris 220 euros.",
        "Claims within 30 days",
        "Country",
        "Daily allowance",
        "Germany",
        "28 EUR",
        "France",
        "45 EUR",
        "Norway",
        "60 EUR",
    ])
}

#[track_caller]
fn answers(paper: &Paper, questions: &[(&str, &str)]) {
    for (question, words) in questions {
        let found = best(paper, question, 3);
        let text = found.first().map_or("", |part| part.text.as_str());
        assert!(text.contains(words), "{question}: {found:?}");
    }
}

#[test]
fn a_lease_answers_what_tenants_ask() {
    answers(
        &lease(),
        &[
            ("how much is the rent?", "EUR 1,850"),
            ("what is the rent?", "EUR 1,850"),
            ("when is the rent due?", "first working day"),
            ("how much is the deposit?", "EUR 3,700"),
            ("when do I get the deposit back?", "deposit"),
            ("who is the landlord?", "Birgit Olsen"),
            ("who is the tenant?", "Maya Lindqvist"),
            ("am I allowed to sublet?", "Subletting is not permitted"),
            ("can I sublet it?", "Subletting is not permitted"),
            ("is water included?", "Water is included"),
            ("are dogs allowed?", "dogs require"),
            ("when does the lease end?", "30 November 2028"),
            ("how long is the notice period?", "two months' written notice"),
            ("who pays for electricity?", "paid by the Tenant"),
        ],
    );
}

#[test]
fn notes_and_policies_answer_too() {
    answers(
        &notes(),
        &[
            ("what is the budget?", "42,500 euros"),
            ("when is the launch?", "8 December"),
            ("how many pallets fit in the warehouse?", "1,200 pallets"),
            ("who owns the press release?", "Tom owns"),
            ("what's the phone number of the supplier?", "555 0199"),
        ],
    );
    answers(
        &policy(),
        &[
            ("what's the hotel limit?", "160 euros"),
            ("what is the daily allowance in Norway?", "60 EUR"),
            ("how much per day in France?", "45 EUR"),
            ("when do claims have to be in?", "Claims within 30 days"),
        ],
    );
}

#[test]
fn a_list_is_told_with_its_heading_and_an_entry_alone() {
    let told = |question: &str| best(&notes(), question, 1).remove(0).text;
    assert_eq!(told("what is the budget?"), "Budget for marketing is capped at 42,500 euros.");
    assert!(told("what are the decisions?").starts_with("Decisions - Launch moves"));
    assert_eq!(best(&policy(), "claims", 1)[0].text, "Claims within 30 days");
}

#[test]
fn what_a_paper_does_not_say_is_not_answered_with_something_else() {
    for question in [
        "does the lease mention a swimming pool?",
        "when is lunch with Tom?",
        "where can I park my car?",
        "what is the wifi password?",
        "who is the gardener of the park?",
    ] {
        assert_eq!(best(&lease(), question, 3), [], "{question}");
    }
}

#[test]
fn a_line_of_an_invoice_is_told_with_its_own_figure() {
    let invoice = paper(&["INVOICE 2026-0193 Date: 4 November 2026 Bill to: Brightloom B.V.\n\
                           Description Qty Price Total\nConsulting 10 95.00 950.00\nTravel 1 130.40 \
                           130.40\nVAT 21% 226.88\nTotal due 1,307.28 Please pay within 14 days."]);
    let said = |query: &str| best(&invoice, query, 3)[0].text.clone();
    assert_eq!(said("how much is the VAT"), "VAT 21% 226.88");
    assert!(said("what is the total").contains("1,307.28"));
}

#[test]
fn a_row_is_found_by_its_number() {
    let part = |number: u32| Part { place: Place::Row(number), text: format!("id: {number}") };
    let table = Paper { parts: (1..=9).map(part).collect(), ..Paper::default() };
    assert_eq!(best(&table, "row 5", 3), [part(5)]);
    assert_eq!(best(&table, "What is in row 5?", 3), [part(5)]);
    assert_eq!(best(&table, "row 10", 3), []);
}

#[test]
fn a_line_that_is_whole_is_told_alone() {
    let due = paper(&["Schedule\nFirst month rent $2,150.00\nSecurity deposit $3,225.00\n\
                       Total due at signing $5,435.00\nKeys are handed over on the first day."]);
    answers(&due, &[("what's the total due at signing?", "Total due at signing $5,435.00")]);
    let wifi = paper(&[
        "Guest wifi\nNetwork: HeronGuest\nPassword: copper-lamp-42",
        "The printer is on the second floor.",
    ]);
    let found = best(&wifi, "what's the wifi password?", 3);
    assert_eq!(found[0].text, "Password: copper-lamp-42");
}

#[test]
fn words_that_mean_nearly_the_same_are_found() {
    let terms =
        paper(&["1. Fees. The Client shall pay EUR 120 per hour, not to exceed EUR 18,000 \
                         in total.\n2. Pets. No pets are permitted without consent.\n3. Term. It \
                         runs until 31 March 2027."]);
    answers(
        &terms,
        &[
            ("what's the hourly rate?", "EUR 120 per hour"),
            ("what's the cap on fees?", "not to exceed EUR 18,000"),
            ("can I have a dog?", "No pets are permitted"),
        ],
    );
}
