//! GUIDs that a text refers to, as `packed_references` of `assetdb/unity/referring/references.py` has them.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr2_iter, memmem};

const HEAD: usize = 4096;
const LARGE: usize = 1 << 16;
const STEP: usize = 4096;
const CERTAIN_LENGTH: usize = 200;
const MOST_BREAKS: usize = 99;
const GUID: usize = 32;
const OWN_IDS: [&[u8]; 2] = [b"m_ObjectId\": \"", b"m_Id\": \""]; // of nodes and slots of a graph

/// Guids one after the other.
pub fn split(packed: &[u8]) -> Vec<[u8; 16]> {
    packed.chunks_exact(16).filter_map(|guid| guid.try_into().ok()).collect()
}

/// References and candidates.
pub type Links = (Vec<[u8; 16]>, Vec<[u8; 16]>);

/// References and candidates of a text and its meta, each in order and without `own`.
pub fn joined(mut certain: Vec<[u8; 16]>, of_meta: &[[u8; 16]], candidates: &[[u8; 16]], own: &[u8; 16]) -> Links {
    certain.extend_from_slice(of_meta);
    certain.sort_unstable();
    certain.dedup();
    let mut others: Vec<_> = candidates.iter().filter(|guid| certain.binary_search(guid).is_err()).copied().collect();
    others.sort_unstable();
    others.dedup();
    for guids in [&mut certain, &mut others] {
        guids.retain(|guid| guid != own && guid != &[0; 16]);
    }
    (certain, others)
}

/// The references and candidates of a text; None where Python is to decide.
pub fn references(data: &[u8]) -> Option<Links> {
    if data[..data.len().min(HEAD)].contains(&0) {
        return None;
    }
    let kept;
    let mut text = data;
    if data.len() > LARGE {
        if let Some(found) = without_blobs(data) {
            kept = found;
            text = &kept;
        }
    }
    let found = links(text)?;
    if !found.0.is_empty() && may_be_in_texts(text) {
        return None;
    }
    Some(found)
}

/// The GUIDs of an assembly's definition: `"GUID:..."`.
pub fn of_assembly(data: &[u8]) -> Vec<[u8; 16]> {
    let mut found = Vec::new();
    let mut rest = data;
    while let Some(quote) = memchr(b'"', rest) {
        rest = &rest[quote + 1..];
        if rest.get(GUID + 5) == Some(&b'"') && rest[..5].eq_ignore_ascii_case(b"GUID:") {
            if let Some(guid) = unhexlify(&rest[5..GUID + 5]) {
                found.push(guid);
                rest = &rest[GUID + 6..];
            }
        }
    }
    found
}

/// The GUIDs in URLs of a document of the interface: `?fileID=743&amp;guid=...`.
pub fn of_urls(data: &[u8]) -> Vec<[u8; 16]> {
    memmem::find_iter(data, b"guid=").filter_map(|place| of_url(&data[..place], &data[place + 5..])).collect()
}

fn of_url(before: &[u8], behind: &[u8]) -> Option<[u8; 16]> {
    let before = before.strip_suffix(b"amp;").unwrap_or(before).strip_suffix(b"&")?;
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, id) = before.split_at(before.len() - digits);
    let (before, sign) = before.strip_suffix(b"-").map_or((before, ""), |before| (before, "-"));
    let mark = before.strip_suffix(b"fileID=")?.last()?;
    let id = [sign, std::str::from_utf8(id).ok()?].concat();
    let is_id = (1..=19).contains(&digits) && id.parse::<i64>().is_ok();
    let is_whole = behind.get(GUID).map_or(true, |next| !next.is_ascii_alphanumeric());
    if is_id && is_whole && matches!(mark, b'?' | b';' | b'&') { unhexlify(behind.get(..GUID)?) } else { None }
}

/// The GUIDs behind `guid:` or, in JSON, behind a fileID, and scalars that may be one.
fn links(text: &[u8]) -> Option<Links> {
    let (mut found, mut candidates): Links = (Vec::new(), Vec::new());
    for run in (Runs { text, place: GUID - 1, after: 0 }) {
        let next = text.get(run.end).copied();
        if is_behind_key(&text[..run.start]) && next.map_or(true, |byte| is_space(byte) || byte == b',' || byte == b'}')
        {
            let guid = unhexlify(&text[run])?;
            if found.last() != Some(&guid) {
                found.push(guid);
            }
        } else if is_end(next) {
            let before = &text[..run.start];
            let guid = unhexlify(&text[run])?;
            if guid == [0; 16] || OWN_IDS.iter().any(|own| next.is_some() && before.ends_with(own)) {
                continue; // of no asset
            }
            if before.ends_with(b"GUID:") || (next.is_some() && is_behind_file_id(before)) {
                found.push(guid);
            } else {
                candidates.push(guid);
            }
        }
    }
    Some((found, candidates))
}

/// The runs of 32 digits in a meta that end as a GUID may end, but for ids of a graph.
pub fn of_meta(text: &[u8]) -> Vec<[u8; 16]> {
    let is_own =
        |run: &Range<usize>| run.end < text.len() && OWN_IDS.iter().any(|own| text[..run.start].ends_with(own));
    let runs = Runs { text, place: GUID - 1, after: 0 }.filter(|run| is_end(text.get(run.end).copied()));
    runs.filter(|run| !is_own(run)).filter_map(|run| unhexlify(&text[run])).collect()
}

fn is_end(next: Option<u8>) -> bool {
    next.map_or(true, |byte| matches!(byte, b'\r' | b'\n' | b' ' | b'\t' | b'"' | b'\'' | b'\\'))
}

/// Runs of exactly 32 digits.
struct Runs<'a> {
    text: &'a [u8],
    place: usize, // each run of 32 has a digit at one of these places
    after: usize, // where the run before ended
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let text = self.text;
        while self.place < text.len() {
            if !is_digit(text[self.place]) {
                self.place += GUID;
                continue;
            }
            let mut start = self.place;
            while start > self.after && is_digit(text[start - 1]) {
                start -= 1;
            }
            let mut end = self.place + 1;
            while end < text.len() && is_digit(text[end]) {
                end += 1;
            }
            self.after = end;
            self.place = end + GUID - 1;
            if end - start == GUID {
                return Some(start..end);
            }
        }
        None
    }
}

fn is_behind_key(text: &[u8]) -> bool {
    let end = text.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    end < text.len() && text[..end].ends_with(b"guid:")
}

/// Whether this ends as JSON in a text does before a GUID: `"fileID\":2800000,\"guid\":\"`.
fn is_behind_file_id(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(CERTAIN_LENGTH)..];
    let behind = || -> Option<&[u8]> {
        let key = escaped_quote(before.strip_suffix(b"\"")?)?;
        let key = escaped_quote(without_spaces(without_spaces(key)?.strip_suffix(b":")?)?.strip_suffix(b"\"")?)?;
        let mut rest = escaped_quote(key.strip_suffix(b"guid")?.strip_suffix(b"\"")?)?;
        for _ in 0..MOST_BREAKS {
            rest = match rest.split_last() {
                Some((byte, before)) if is_space(*byte) => before,
                Some((b'n' | b'r' | b't', before)) if before.ends_with(b"\\") => escaped_quote(before)?,
                _ => break,
            };
        }
        let number = without_spaces(rest.strip_suffix(b",")?)?;
        let digits = number.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let number = &number[..number.len() - digits];
        let key = without_spaces(number.strip_suffix(b"-").unwrap_or(number))?.strip_suffix(b":")?;
        let key = escaped_quote(without_spaces(key)?.strip_suffix(b"\"")?)?;
        if (1..=19).contains(&digits) { key.strip_suffix(b"fileID") } else { None }
    };
    behind().is_some()
}

/// What precedes the backslashes in front of a quote; None where they are too many.
fn escaped_quote(text: &[u8]) -> Option<&[u8]> {
    let count = text.iter().rev().take_while(|byte| **byte == b'\\').count();
    (count < 32).then(|| &text[..text.len() - count])
}

/// What precedes white space; None where that is too long.
fn without_spaces(text: &[u8]) -> Option<&[u8]> {
    let count = text.iter().rev().take_while(|byte| is_space(**byte)).count();
    (count < 10).then(|| &text[..text.len() - count])
}

/// Whether a text may have references in texts, which are none.
fn may_be_in_texts(data: &[u8]) -> bool {
    let begins_value = |place: usize| place >= 2 && data[place - 1] == b' ' && matches!(data[place - 2], b':' | b'-');
    if memmem::find_iter(data, b"{fileID:").any(|place| !begins_value(place)) {
        return true;
    }
    let mut blocks = memchr2_iter(b'|', b'>', data).filter(|place| begins_value(*place));
    if blocks.any(|place| begins_block(&data[place + 1..])) {
        return true;
    }
    let mut done = 0;
    while let Some(start) =
        memchr2_iter(b'\'', b'"', &data[done..]).map(|place| done + place).find(|at| begins_value(*at))
    {
        let text = match quoted(&data[start..]) {
            Some(text) => text,
            None => return false, // it is never closed, so no more texts are known
        };
        if memmem::find(text, b"guid:").is_some() || memmem::find(text, b"{fileID:").is_some() {
            return true;
        }
        done = start + text.len();
    }
    false
}

/// Whether a block scalar begins with a mark in front of this.
fn begins_block(rest: &[u8]) -> bool {
    let flags = rest.iter().take(2).take_while(|byte| matches!(byte, b'-' | b'+' | b'0'..=b'9')).count();
    let end = rest[flags..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    end == Some(&b'\n')
}

/// A text in quotes, with both; None if it is not closed.
fn quoted(data: &[u8]) -> Option<&[u8]> {
    let mark = data[0];
    let escape = if mark == b'"' { b'\\' } else { mark };
    let mut place = 1;
    while place < data.len() {
        place += memchr2(mark, escape, &data[place..])?;
        if data[place] != mark || (escape == mark && data.get(place + 1) == Some(&mark)) {
            place += 2;
        } else {
            return Some(&data[..=place]);
        }
    }
    None
}

/// A text without its long lines of pixels or vertices; None if it has none.
fn without_blobs(data: &[u8]) -> Option<Vec<u8>> {
    let mut kept: Option<Vec<u8>> = None;
    let (mut start, mut position) = (0, 0);
    while position + STEP < data.len() {
        if let Some(newline) = memchr::memrchr(b'\n', &data[position..position + STEP]) {
            position += newline + 1;
        } else if !data[position + STEP - 64..position + STEP].iter().all(|byte| is_digit(*byte)) {
            position += STEP;
        } else {
            kept.get_or_insert_with(Vec::new).extend_from_slice(&data[start..position]);
            let behind = position + STEP;
            start = memchr::memchr(b'\n', &data[behind..]).map_or(data.len(), |found| behind + found);
            position = start;
        }
    }
    kept.map(|mut kept| {
        kept.extend_from_slice(&data[start..]);
        kept
    })
}

const fn digits() -> [u8; 256] {
    let mut table = [255; 256];
    let mut number = 0;
    while number < 16 {
        table[b"0123456789abcdef"[number as usize] as usize] = number;
        table[b"0123456789ABCDEF"[number as usize] as usize] = number;
        number += 1;
    }
    table
}

static DIGITS: [u8; 256] = digits();

fn is_digit(byte: u8) -> bool {
    DIGITS[byte as usize] != 255
}

/// White space of Python's patterns of bytes.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The 16 bytes of 32 digits in any case.
pub fn unhexlify(text: &[u8]) -> Option<[u8; 16]> {
    let mut found = [0; 16];
    if text.len() != GUID {
        return None;
    }
    for (byte, pair) in found.iter_mut().zip(text.chunks_exact(2)) {
        let (high, low) = (DIGITS[pair[0] as usize], DIGITS[pair[1] as usize]);
        if high == 255 || low == 255 {
            return None;
        }
        *byte = high << 4 | low;
    }
    Some(found)
}
