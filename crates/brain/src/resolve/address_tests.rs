use proptest::prelude::*;

use super::*;

fn addresses(said: &str) -> Vec<String> {
    let found = joined(words(said), said);
    found.into_iter().map(|word| word.text).filter(|text| text.contains('@')).collect()
}

#[test]
fn an_address_is_heard_the_ways_people_say_it() {
    let cases = [
        ("priya dot nair at brightloom dot example", "priya.nair@brightloom.example"),
        ("p r i y a at brightloom dot example", "priya@brightloom.example"),
        ("P, R, I, Y, A at brightloom dot example", "priya@brightloom.example"),
        ("P-R-I-Y-A at brightloom dot example", "priya@brightloom.example"),
        ("it's tom underscore o at mail dot example", "tom_o@mail.example"),
        ("write to john at gmail dot com that i am late", "john@gmail.com"),
        ("email john at g mail dot com", "john@gmail.com"),
        ("email john at gmail dotcom", "john@gmail.com"),
        ("email john at sign gmail dot com", "john@gmail.com"),
        ("send it to tom four two at mail dot example", "tom42@mail.example"),
        ("send it to tom forty two at mail dot example", "tom42@mail.example"),
        ("to tom nineteen eighty five at mail dot example", "tom1985@mail.example"),
        ("to tom 42 at mail dot example", "tom42@mail.example"),
        ("to t o two at mail dot example please", "to2@mail.example"),
        ("to sam at adeyemi dash electric dot example", "sam@adeyemi-electric.example"),
        ("to anne hyphen marie at x dot co dot uk", "anne-marie@x.co.uk"),
        ("to tom plus news at mail dot example", "tom+news@mail.example"),
        ("to john smith all one word at gmail dot com", "johnsmith@gmail.com"),
        ("john smith, all one word, at gmail dot com", ""),
        ("to priya.nair at brightloom.example", "priya.nair@brightloom.example"),
        ("write to priya at brightloom.example", "priya@brightloom.example"),
        ("Priya dot Nair at Brightloom dot example.", "priya.nair@brightloom.example"),
        ("invite tom dot o at mail dot example at three", "tom.o@mail.example"),
        ("meet at noon with ana at mail dot example", "ana@mail.example"),
    ];
    for (said, address) in cases {
        let expected: Vec<&str> = Some(address).filter(|it| !it.is_empty()).into_iter().collect();
        assert_eq!(addresses(said), expected, "{said}");
    }
}

#[test]
fn several_addresses_in_one_breath_are_several() {
    let said = "send it to ana at x dot example and tom dot o at mail dot example";
    assert_eq!(addresses(said), ["ana@x.example", "tom.o@mail.example"]);
    let said = "ana at x dot example tom at y dot example";
    assert_eq!(addresses(said), ["ana@x.example"], "nobody knows where the second begins");
}

#[test]
fn what_is_no_address_beyond_doubt_stays_words() {
    let cases = [
        "meet at noon dot",
        "meet me at noon dot dot dot",
        "lunch with tom at three dot five",
        "lunch with tom at cafe milano",
        "look at brightloom dot com",
        "the page at brightloom dot com",
        "lunch with tom at brightloom.com",
        "first name dot last name",
        "priya dot nair",
        "at brightloom dot example",
        "write to john smith at gmail dot com",
        "send \"priya at brightloom dot example\" to tom",
        "write to priya. At brightloom dot example",
        "write to priya at brightloom, dot example",
        "write to priya (at) brightloom dot example",
        "write to priya at\u{200b} brightloom dot example",
        "write to priya — at brightloom dot example",
        "what is on at four dot com",
        "i am at home dot com",
        "polka dot at home",
        "at four two at noon",
        "at",
        "dot at dot",
        "",
    ];
    for said in cases {
        assert_eq!(addresses(said), [""; 0], "{said}");
    }
}

#[test]
fn a_spoken_address_stands_where_its_words_stood() {
    let said = "Tell priya dot nair at brightloom dot example, that I’m late";
    let found = joined(words(said), said);
    assert_eq!(&said[found[1].start..found[1].end], "priya dot nair at brightloom dot example");
    assert_eq!(found[1].stop, Some(','));
    assert_eq!(written(said), "Tell priya.nair@brightloom.example, that I’m late");
    assert_eq!(written("Meet at noon."), "Meet at noon.");
}

proptest! {
    #[test]
    fn every_word_keeps_its_place(said in "([a-e]|dot|at|com|to|x y|one|all one word|at x dot com|[,.\"é]| )( ([a-e]|dot|at|com|to|one|all one word|at x dot com|[,.\"é]|tom)){0,12}") {
        let found = joined(words(&said), &said);
        for pair in found.windows(2) {
            prop_assert!(pair[0].start <= pair[1].start && pair[0].end <= pair[1].end);
        }
        for word in &found {
            prop_assert!(said.get(word.start..word.end).is_some());
        }
        // Addresses only become fewer words, and what is written is read again.
        prop_assert!(written(&said).len() <= said.len() + 1);
    }
}
