#![expect(clippy::float_cmp, reason = "these numbers are exact")]

use super::*;

/// What the reference implementation (`gguf` for Python, 0.19) makes of the same bytes: some
/// numbers of the block, and all of them weighed by their place.
const REFERENCE: [(Format, usize, [f32; 5], f64); 8] = [
    (Format::Q4_0, 18, [-0.75, 0.5, -2.0, -0.75, 0.0], -129.5),
    (Format::Q4_1, 20, [3.25, 0.5, 2.0, 1.75, 2.5], 731.75),
    (Format::Q5_0, 22, [2.25, -0.5, -3.0, 3.5, 0.25], 28.0),
    (Format::Q5_1, 24, [4.25, 5.5, 7.0, 4.25, 0.75], 1711.25),
    (Format::Q8_0, 34, [21.25, 30.5, -32.0, -22.75, -12.0], -2020.0),
    (Format::Q4K, 144, [110.75, 25.5, 72.0, 110.75, 72.0], 2_487_850.0),
    (Format::Q5K, 176, [234.75, 25.5, 72.0, 234.75, 72.0], 4_601_502.0),
    (Format::Q6K, 210, [-357.75, 424.0, -79.5, -108.0, -24.0], 196_105.0),
];

/// 0.25 and -0.5 in sixteen bits.
const SCALE: [u8; 2] = [0x00, 0x34];
const LEAST: [u8; 2] = [0x00, 0xB8];

fn block(format: Format, size: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        (0..size).map(|at| u8::try_from((at * 37 + 11) % 256).unwrap()).collect();
    let at = if format == Format::Q6K { 208 } else { 0 };
    bytes[at..at + 2].copy_from_slice(&SCALE);
    if matches!(format, Format::Q4_1 | Format::Q5_1 | Format::Q4K | Format::Q5K) {
        bytes[2..4].copy_from_slice(&LEAST);
    }
    bytes
}

#[test]
fn every_format_is_read_as_the_reference_reads_it() {
    for (format, size, some, weighed) in REFERENCE {
        let (held, bytes) = format.block();
        assert_eq!((bytes, format.bytes(2 * held)), (size, Some(2 * size)), "{format:?}");
        let mut numbers = vec![0.0; held];
        format.read(&block(format, size), &mut numbers);
        assert_eq!([0, 1, 15, 16, 31].map(|at| numbers[at]), some, "{format:?}");
        let sum: f64 = (1..).zip(&numbers).map(|(at, it)| f64::from(at) * f64::from(*it)).sum();
        assert!((sum - weighed).abs() < 1e-3, "{format:?} {sum}");
    }
}

#[test]
fn sixteen_bits_are_read_with_their_smallest_and_largest() {
    let read = |bits: u16| half(&bits.to_le_bytes(), 0);
    assert_eq!(read(0x3C00), 1.0);
    assert_eq!(read(0xC000), -2.0);
    assert_eq!(read(0x7BFF), 65_504.0);
    assert_eq!(read(0x0001), 2.0_f32.powi(-24));
    assert_eq!(read(0x8000), 0.0);
    assert!(read(0x7C00).is_infinite());
}

#[test]
fn half_a_block_has_no_size_and_an_unknown_format_is_named() {
    assert_eq!(Format::Q4K.bytes(128), None);
    assert_eq!(Format::named(10), Err(BadFile::Format("Q2_K".into())));
    assert!(Format::named(23).unwrap_err().to_string().contains("number 23"));
}
