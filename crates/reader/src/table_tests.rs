//! Tables, read column by column.

use brain::paper::{Counted, Doubt, Holds};

use super::*;

fn read(bytes: &[u8]) -> Result<Paper, Unreadable> {
    super::read(bytes, &mut |_| {})
}

fn table(text: &str) -> Table {
    read(text.as_bytes()).unwrap().table.unwrap()
}

fn holds(table: &Table, name: &str) -> Holds {
    table.columns.iter().find(|column| column.name == name).unwrap().holds.clone()
}

fn counted(value: &str, times: u32) -> Counted {
    Counted { value: value.into(), times }
}

#[test]
fn rows_are_counted_by_month_where_there_are_not_too_many() {
    let days = |years: i16| -> String {
        let months =
            (0..years * 12).map(|at| format!("{}-{:02}-09\n", 2001 + at / 12, at % 12 + 1));
        format!("day\n{}", months.collect::<String>())
    };
    let Holds::Dates { months, .. } = holds(&table(&days(10)), "day") else { panic!("no days") };
    assert_eq!((months.len(), months[119].clone()), (120, counted("December 2010", 1)));
    let Holds::Dates { months, .. } = holds(&table(&days(11)), "day") else { panic!("no days") };
    assert_eq!(months, [], "what was not all counted says nothing");
}

#[test]
fn each_column_says_what_it_holds() {
    let table = table(
        "name,city,amount,paid\nAna,Porto,12.50,2026-11-02\nBo,Oslo,7.50,2026-11-09\n\
         Cy,Oslo,,2026-10-30\n",
    );
    assert_eq!((table.rows, table.width), (3, 4));
    let amount = Holds::Numbers {
        sum: "20".into(),
        mean: "10".into(),
        min: "7.50".into(),
        max: "12.50".into(),
    };
    assert_eq!(holds(&table, "amount"), amount);
    let months = vec![counted("October 2026", 1), counted("November 2026", 2)];
    let paid = Holds::Dates { first: "2026-10-30".into(), last: "2026-11-09".into(), months };
    assert_eq!(holds(&table, "paid"), paid);
    let city =
        Holds::Words { different: Some(2), top: vec![counted("Oslo", 2), counted("Porto", 1)] };
    assert_eq!(holds(&table, "city"), city);
}

#[test]
fn a_table_without_names_counts_its_first_row() {
    let table = table("1;2\n3;4\n");
    assert_eq!(table.rows, 2);
    assert_eq!(table.columns[1].name, "column 2");
}

#[test]
fn a_row_is_spelled_with_its_names() {
    let paper = read(b"name\tage\nAna\t31\n").unwrap();
    assert_eq!(paper.parts[0].text, "name: Ana, age: 31");
    assert_eq!(paper.parts[0].place, Place::Row(1));
}

#[test]
fn rows_of_different_lengths_and_quotes_are_no_trouble() {
    let table = table("a,b\n\"x, \"\"y\"\"\",1\nz\n1,2,3\n");
    assert_eq!((table.rows, table.width), (3, 3));
}

#[test]
fn a_million_columns_are_counted_and_two_hundred_are_told() {
    let names: Vec<String> = (0..1_000_000).map(|number| format!("c{number}")).collect();
    let text = format!("{}\n{}\n", names.join(","), "1,".repeat(1_000_000));
    let paper = read(text.as_bytes()).unwrap();
    let table = paper.table.unwrap();
    assert_eq!((table.width, table.columns.len()), (1_000_001, MOST_COLUMNS));
    assert!(paper.cut);
}

fn sum(table: &Table, name: &str) -> String {
    match holds(table, name) {
        Holds::Numbers { sum, .. } => sum,
        other => panic!("{other:?}"),
    }
}

#[test]
fn point_or_comma_is_what_the_whole_column_says() {
    let german = table("Posten;Betrag\nMiete;1.850\nStrom;99,90\nKaution;3.700\n");
    assert_eq!(sum(&german, "Betrag"), "5649.90");
    let english = table("item,amount\na,\"1,850\"\nb,\"2,000\"\n");
    assert_eq!(sum(&english, "amount"), "3850");
    let beside = table("a;b\n1.850;99,90\n3.700;1,5\n");
    assert_eq!(sum(&beside, "a"), "5550");
}

#[test]
fn a_number_that_could_be_two_has_no_figure() {
    let unclear = table("Posten;Betrag\nMiete;1.850\nKaution;3.700\n");
    let doubt = Doubt::Point("1.850".into());
    assert_eq!(holds(&unclear, "Betrag"), Holds::Unclear { doubt });
    let days = table("day,n\n01/02/2026,1\n03/04/2026,2\n");
    let doubt = Doubt::Day("01/02/2026".into());
    assert_eq!(holds(&days, "day"), Holds::Unclear { doubt });
    let mixed = table("item,amount\nA,$10\nB,€20\nC,USD 5\n");
    let doubt = Doubt::Money(vec!["$".into(), "€".into()]);
    assert_eq!(holds(&mixed, "amount"), Holds::Unclear { doubt });
}

#[test]
fn the_usual_tables_have_figures() {
    let pandas = table(",name,amount\n0,Ana,10.5\n1,Bo,20\n2,Cy,30\n");
    assert_eq!((pandas.rows, pandas.columns[0].name.as_str()), (3, "column 1"));
    assert_eq!(sum(&pandas, "amount"), "60.50");
    let gaps = table("item,amount\nA,10\nB,n/a\nC,30\nD,\nE\n");
    assert_eq!(sum(&gaps, "amount"), "40");
    assert_eq!((gaps.columns[1].filled, gaps.columns[1].left_out), (2, 3));
    let floats = table("sensor,value\na,12.345678901\nb,1.5\nc,0.333333333333\n");
    assert_eq!(sum(&floats, "value"), "14.179012234333");
    assert_eq!(sum(&table("x,y\n1,1e3\n2,2e3\n"), "y"), "3000");
    let us = table("Order Date,Total\n01/02/2026,$5\n02/14/2026,\"$1,200.00\"\n");
    let months = vec![counted("January 2026", 1), counted("February 2026", 1)];
    let dates = Holds::Dates { first: "2026-01-02".into(), last: "2026-02-14".into(), months };
    assert_eq!(holds(&us, "Order Date"), dates);
    assert_eq!(sum(&us, "Total"), "1205");
    let de = table("Datum;Betrag\n15.03.2026;1.234,50\n03.02.2026;99,90\n");
    let months = vec![counted("February 2026", 1), counted("March 2026", 1)];
    let dates = Holds::Dates { first: "2026-02-03".into(), last: "2026-03-15".into(), months };
    assert_eq!(holds(&de, "Datum"), dates);
}

#[test]
fn a_row_of_totals_is_not_added_to_what_it_adds_up() {
    let added = table("item,amount\nA,10\nB,20\nTotal,30\n");
    assert_eq!((added.rows, sum(&added, "amount").as_str()), (3, "30"));
    assert_eq!(added.totals, Some(Totals { label: "Total".into(), counted: false }));
    assert_eq!(added.columns[1].left_out, 0);
    let filling_station = table("vendor,amount\nShell,10\nShell,15\nTotal,40\n");
    assert_eq!(sum(&filling_station, "amount"), "65");
    assert!(filling_station.totals.unwrap().counted);
}

#[test]
fn numbers_are_shared_out_by_the_words_beside_them() {
    let table = table("who,amount\nTom,10\nSam,5\nTom,2.5\nSam,n/a\n");
    let share = |value: &str, rows, sum: &str| brain::paper::Share {
        value: value.into(),
        rows,
        sum: sum.into(),
    };
    let each = vec![share("Tom", 2, "12.50"), share("Sam", 1, "5")];
    let shares = brain::paper::Shares { by: "who".into(), of: "amount".into(), each };
    assert_eq!(table.shares, [shares]);
}

#[test]
fn a_table_with_a_quotation_mark_that_is_never_closed_can_be_quoted_and_not_counted() {
    let torn = read(b"name,comment,amount\nAna,\"ok,1\nBo,fine,2\nCy,good,3\n").unwrap();
    assert_eq!(torn.table, None);
    assert_eq!(torn.parts[2].text, "Bo,fine,2");
    let flaw = torn.flaw.unwrap();
    assert!(flaw.starts_with("A quotation mark in line 2 is never closed"), "{flaw}");
}

#[test]
fn how_far_it_is_never_goes_back_and_ends_near_the_end() {
    let text = format!("a,b\n{}", "1,2\n".repeat(10_000));
    let mut heard = Vec::new();
    super::read(text.as_bytes(), &mut |done| heard.push(done)).unwrap();
    assert!(heard.is_sorted() && heard.len() > 15, "{heard:?}");
    assert!(heard.last().is_some_and(|last| (90..=100).contains(last)), "{heard:?}");
}

#[test]
fn all_values_of_a_column_with_few_are_counted() {
    let rows: Vec<String> = (0..60).map(|at| format!("v{},x{at}", at % 12)).collect();
    let table = table(&format!("few,many\n{}\n", rows.join("\n")));
    let Holds::Words { top, different } = &table.columns[0].holds else { panic!() };
    assert_eq!((top.len(), *different), (12, Some(12)));
    let Holds::Words { top, .. } = &table.columns[1].holds else { panic!() };
    assert_eq!(top.len(), 5);
}

#[test]
fn numbers_are_shared_out_by_month() {
    let text = "day,amount\n2026-02-27,5\n2026-03-01,10\n2026-03-30,2.5\n";
    let shares = &table(text).shares;
    let told: Vec<_> =
        shares[0].each.iter().map(|share| (share.value.as_str(), share.sum.as_str())).collect();
    assert_eq!(told, [("March 2026", "12.50"), ("February 2026", "5")]);
}
