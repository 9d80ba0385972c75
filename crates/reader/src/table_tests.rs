//! Tables, read column by column.

use super::*;

fn table(text: &str) -> Table {
    read(text.as_bytes()).unwrap().table.unwrap()
}

fn holds(table: &Table, name: &str) -> Holds {
    table.columns.iter().find(|column| column.name == name).unwrap().holds.clone()
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
    let paid = Holds::Dates { first: "2026-10-30".into(), last: "2026-11-09".into() };
    assert_eq!(holds(&table, "paid"), paid);
    let oslo = Counted { value: "Oslo".into(), times: 2 };
    let porto = Counted { value: "Porto".into(), times: 1 };
    let city = Holds::Words { different: Some(2), top: vec![oslo, porto] };
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
