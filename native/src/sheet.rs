//! Sprites in the meta of a texture, in the form that Unity writes.

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::text::Object;

const TABLE: &[u8] = b"\nTextureImporter:\n  internalIDToNameTable:\n";
const MODE: &[u8] = b"\n  spriteMode: ";
const TYPE: &[u8] = b"\n  textureType: ";
const SHEET: &[u8] = b"\n    sprites:\n";
const SHEET_END: &[u8] = b"\n    outline:";
const SPRITE_ID: &[u8] = b"\n    spriteID: ";
const NAME_TABLE: &[u8] = b"\n    nameFileIdTable:\n";
const ROW: &[u8] = b"    - serializedVersion: ";
const NAME: &[u8] = b"      name: ";
const INTERNAL_ID: &[u8] = b"      internalID: ";
const INDENT: &[u8] = b"      ";
const KIND: u32 = 213;

/// Sprites with their names.
pub type Sprites<'a> = Vec<Object<'a>>;

/// The sprites of a sheet, and the text behind a GUID without all rows of sprites; None where Python is to decide.
pub fn sprites(rest: &[u8]) -> Option<(Sprites<'_>, Vec<u8>)> {
    let sheet = memmem::find(rest, SHEET)?;
    memmem::find(&rest[..memmem::find(&rest[..sheet], TYPE)?], MODE)?;
    let first = sheet + SHEET.len();
    let end = first - 1 + memmem::find(&rest[first - 1..], SHEET_END)?;
    let found = rows(rest, first..end + 1)?;
    let mut others = Vec::with_capacity(4096);
    let mut done = 0;
    if rest.starts_with(TABLE) {
        others.extend_from_slice(TABLE);
        done = end_of_table(rest, TABLE.len())?;
    }
    others.extend_from_slice(&rest[done..first]);
    done = end + 1;
    if let Some(place) = memmem::find(&rest[end..], SPRITE_ID) {
        let start = end + place + SPRITE_ID.len();
        let length = rest[start..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        others.extend_from_slice(&rest[done..start]);
        done = start + length;
    }
    if let Some(place) = memmem::find(&rest[done..], NAME_TABLE) {
        let start = done + place + NAME_TABLE.len();
        others.extend_from_slice(&rest[done..start]);
        done = end_of_names(rest, start)?;
    }
    others.extend_from_slice(&rest[done..]);
    Some((found, others))
}

/// The rows of a sheet: of each sprite one plain name and then one fileID.
fn rows(rest: &[u8], sheet: Range<usize>) -> Option<Sprites<'_>> {
    let mut found = Vec::new();
    let mut name = None;
    let mut is_open = false; // whether a row began that has no fileID so far
    let mut is_after_name = false;
    let mut start = sheet.start;
    while start < sheet.end {
        let end = start + memchr(b'\n', &rest[start..sheet.end])?;
        let line = &rest[start..end];
        if is_after_name && (!line.starts_with(INDENT) || line.get(INDENT.len()) == Some(&b' ')) {
            return None;
        }
        is_after_name = false;
        if let Some(version) = line.strip_prefix(ROW) {
            if is_open || version.is_empty() || !version.iter().all(u8::is_ascii_digit) {
                return None;
            }
            is_open = true;
        } else if line.starts_with(NAME) {
            let text = &line[NAME.len()..];
            if !is_open || name.is_some() || !is_plain_name(text) {
                return None;
            }
            name = Some(text);
            is_after_name = true;
        } else if let Some(digits) = line.strip_prefix(INTERNAL_ID) {
            if !is_open {
                return None;
            }
            found.push((int64(digits)?, KIND, name.take()?));
            is_open = false;
        } else if !line.starts_with(INDENT) || !is_setting(line) {
            return None;
        }
        start = end + 1;
    }
    (!is_open && !found.is_empty()).then_some(found)
}

/// Whether a line holds numbers and words alone: nothing that is a key of a sprite, a GUID or a text.
fn is_setting(line: &[u8]) -> bool {
    let key = &line[INDENT.len()..];
    !key.starts_with(b"name:")
        && !key.starts_with(b"internalID")
        && memmem::find(key, b"guid").is_none()
        && memmem::find(key, b"internalID").is_none()
        && key.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_ -.,:{}[]".contains(byte))
}

/// A name of `_PLAIN_NAME` of `assetdb/unity/metas/meta.py`.
fn is_plain_name(name: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    name.first().map_or(false, is_word)
        && name.last().map_or(false, |byte| is_word(byte) || b").".contains(byte))
        && name.iter().all(|byte| is_word(byte) || b" ().,/+#-".contains(byte))
}

fn end_of_table(rest: &[u8], mut start: usize) -> Option<usize> {
    while let Some(row) = rest[start..].strip_prefix(b"  - first:\n      213: ") {
        let line = memchr(b'\n', row)?;
        int64(&row[..line])?;
        let second = row[line..].strip_prefix(b"\n    second: ")?;
        let end = memchr(b'\n', second)?;
        if !is_plain_name(&second[..end]) {
            return None;
        }
        start = rest.len() - second.len() + end + 1;
    }
    Some(start)
}

fn end_of_names(rest: &[u8], mut start: usize) -> Option<usize> {
    while rest[start..].starts_with(INDENT) {
        let end = start + memchr(b'\n', &rest[start..])?;
        let line = &rest[start + INDENT.len()..end];
        let colon = memchr(b':', line)?;
        if !is_plain_name(&line[..colon]) {
            return None;
        }
        int64(line[colon + 1..].strip_prefix(b" ")?)?;
        start = end + 1;
    }
    Some(start)
}

fn int64(digits: &[u8]) -> Option<i64> {
    let plain = digits.strip_prefix(b"-").unwrap_or(digits);
    if plain.is_empty() || plain.len() > 19 || !plain.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}
