use super::*;

fn number(at: usize) -> f32 {
    let small = i8::try_from(at * 7919 % 251 % 127).unwrap();
    f32::from(small - 63) / 64.0
}

fn plain(weights: &[f32], row: usize, x: &[f32]) -> Vec<f32> {
    let dot = |x: &[f32], row: &[f32]| x.iter().zip(row).map(|(a, b)| a * b).sum::<f32>();
    x.chunks_exact(row)
        .flat_map(|x| weights.chunks_exact(row).map(move |row| dot(x, row)))
        .collect()
}

fn differ(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).fold(0.0, |most, (a, b)| f32::max(most, (a - b).abs()))
}

#[test]
fn it_multiplies_as_plain_arithmetic_does_however_many_inputs_and_threads() {
    // A row that fills no whole vector of the widest machines, and several pieces of work.
    let (rows, row) = (150, 96);
    let mut matrix = Matrix::with_room(rows, row);
    let weights: Vec<f32> = (0..rows * row).map(number).collect();
    weights.chunks_exact(row).for_each(|row| matrix.push(row));
    let mut rounded = vec![0.0; rows * row];
    for (at, out) in rounded.chunks_exact_mut(row).enumerate() {
        matrix.row_into(at, out);
    }
    assert!(differ(&weights, &rounded) < 0.5 / 127.0, "eight bits are enough");
    for inputs in [1, 3, 8, 17] {
        let x: Vec<f32> = (0..inputs * row).map(|at| number(at + 5)).collect();
        let expected = plain(&rounded, row, &x);
        for threads in [1, 3] {
            let out = matrix.times(&x, &Hands::new(threads));
            assert!(differ(&out, &expected) < 1e-3, "{inputs} inputs, {threads} threads");
        }
    }
}

#[test]
fn attention_weighs_what_it_sees_and_nothing_else() {
    let (width, stride) = (40, 80);
    let keys: Vec<f32> = (0..5 * stride).map(number).collect();
    let values: Vec<f32> = (0..5 * stride).map(|at| number(at + 31)).collect();
    let query: Vec<f32> = (0..width).map(|at| number(at + 3)).collect();
    let mut out = vec![9.0; width];
    let mut weights = Vec::new();
    let (seen, offset, scale) = (1..4, 40, 0.3);
    let (keys_seen, values_seen) = (&keys, &values);
    Attend {
        query: &query,
        keys: keys_seen,
        values: values_seen,
        stride,
        offset,
        seen: seen.clone(),
        scale,
        weights: &mut weights,
        out: &mut out,
    }
    .dispatch();
    let score = |place: usize| {
        let key = &keys[place * stride + offset..][..width];
        (query.iter().zip(key).map(|(a, b)| a * b).sum::<f32>() * scale).exp()
    };
    let total: f32 = seen.clone().map(score).sum();
    let expected: Vec<f32> = (0..width)
        .map(|at| {
            let value = |place: usize| values[place * stride + offset + at];
            seen.clone().map(|place| score(place) / total * value(place)).sum()
        })
        .collect();
    assert!(differ(&out, &expected) < 1e-5);
}
