//! Identities of files, as `assetdb/system/identity.py` has them: CPython's hash of a tuple of numbers.

use crate::folder::Record;

pub const RACY: i64 = -1;
const TICK: i128 = 20_000_000;
const COARSE_TICK: i128 = 2_000_000_000;
const FAR: i128 = 86_400_000_000_000;
const SECOND: i128 = 1_000_000_000;
const MODULUS: u128 = (1 << 61) - 1;

/// The identities of files during one scan.
#[derive(Clone, Copy)]
pub struct Identities {
    pub since: i128,
    pub is_minimal: bool,
}

impl Identities {
    pub fn of(self, record: &Record) -> i64 {
        let (modified, size) = (record.modified, i128::from(record.size));
        let row = if self.is_minimal {
            [modified, modified, size, size]
        } else {
            [modified, record.changed, size, i128::from(record.number)]
        };
        if self.is_settled(row[0]) && self.is_settled(row[1]) { hash(row) } else { RACY }
    }

    fn is_settled(self, time: i128) -> bool {
        let tick = if time.rem_euclid(SECOND) == 0 { COARSE_TICK } else { TICK };
        time < self.since - tick || time > self.since + FAR
    }
}

fn hash(row: [i128; 4]) -> i64 {
    const FIRST: u64 = 11_400_714_785_074_694_791;
    const SECOND: u64 = 14_029_467_366_897_019_727;
    const FIFTH: u64 = 2_870_177_450_012_600_261;
    let mut found = FIFTH;
    for number in row {
        let lane = hash_of_number(number);
        found = found.wrapping_add((lane as u64).wrapping_mul(SECOND)).rotate_left(31).wrapping_mul(FIRST);
    }
    found = found.wrapping_add(4 ^ FIFTH ^ 3_527_539);
    if found == u64::MAX { 1_546_275_796 } else { found as i64 }
}

fn hash_of_number(number: i128) -> i64 {
    let rest = (number.unsigned_abs() % MODULUS) as i64;
    match if number < 0 { -rest } else { rest } {
        -1 => -2,
        value => value,
    }
}
