//! Type and further objects of a text asset, as `assetdb/unity/yaml/text_asset.py` has them.

use memchr::{memchr, memmem, memrchr};

const START: &[u8] = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!";
const HEADER: &[u8] = b"\n--- !u!";
const NEXT: &[u8] = b"\n--- ";
const NAME: &[u8] = b"\n  m_Name:";
const SCRIPT: &[u8] = b"\n  m_Script:";
const SCRIPT_WRITTEN: &[u8] = b" {fileID: ";
const MONO_BEHAVIOUR: u64 = 114;

/// A named document: its fileID, class and name.
pub type Object<'a> = (i64, u32, &'a [u8]);

/// The document of a text's main object.
pub struct Head {
    pub class_id: u64,
    pub script: Option<[u8; 16]>,
    file_id: i64,
    body: usize,
    is_first: bool,
}

/// The document that has the first of some ids which one has, else the first; None where Python is to find it.
pub fn head(data: &[u8], ids: &[i64]) -> Option<Head> {
    let first = first(data)?;
    for id in ids {
        if first.file_id == *id {
            break;
        }
        let anchor = format!(" &{id}").into_bytes();
        for found in memmem::find_iter(data, &anchor) {
            let line = memrchr(b'\n', &data[..found]).map_or(&data[..0], |start| &data[start..found]);
            let class_id = match line.strip_prefix(HEADER).map(|digits| number(digits, 10)) {
                Some(Some((class_id, b""))) => class_id,
                _ => continue,
            };
            let behind = &data[found + anchor.len()..];
            if behind.first().map_or(false, u8::is_ascii_digit) {
                return None;
            }
            let body = data.len() - behind.len() + memchr(b'\n', behind).unwrap_or(behind.len());
            let script = if class_id == MONO_BEHAVIOUR { script(&data[body..])? } else { None };
            return Some(Head { class_id, script, file_id: *id, body, is_first: false });
        }
    }
    Some(first)
}

/// The first document, if the text begins as Unity writes it.
fn first(data: &[u8]) -> Option<Head> {
    let rest = data.strip_prefix(START)?;
    let (class_id, rest) = number(rest, 10)?;
    let rest = rest.strip_prefix(b" &")?;
    let (file_id, rest) = signed(rest)?;
    let rest = rest.strip_prefix(b" stripped").unwrap_or(rest);
    if !rest.starts_with(b"\n") {
        return None;
    }
    let body = data.len() - rest.len();
    let script = if class_id == MONO_BEHAVIOUR { script(&data[body..])? } else { None };
    Some(Head { class_id, script, file_id, body, is_first: true })
}

impl Head {
    /// The other named documents; `unnamed` are classes that have none. None where Python is to read them.
    pub fn rows<'a>(&self, data: &'a [u8], unnamed: &[u64], is_prefab: bool) -> Option<Vec<Object<'a>>> {
        let mut found = Vec::new();
        let mut place = if self.is_first && !is_prefab { self.body } else { 0 };
        while let Some(mark) = memchr(b'!', &data[place..]) {
            place += mark + 1;
            let head = match data[place..].strip_prefix(b"u!") {
                Some(head) if data[..place - 1].ends_with(NEXT) => head,
                _ => continue,
            };
            let (class_id, behind) = plain_number(head, 10)?;
            let id = behind.strip_prefix(b" &")?;
            if unnamed.contains(&class_id) {
                continue;
            }
            let (file_id, behind) = signed(id)?;
            let behind = &behind[memchr(b'\n', behind).unwrap_or(behind.len())..];
            let body = &behind[..memmem::find(behind, NEXT).unwrap_or(behind.len())];
            if let Some(name) = name(body)? {
                if self.is_first || (file_id, class_id) != (self.file_id, self.class_id) {
                    found.push((file_id, u32::try_from(class_id).ok()?, name));
                }
            }
        }
        Some(found)
    }
}

/// The name of a document; the outer None where Python is to read it.
#[allow(clippy::option_option)]
fn name(body: &[u8]) -> Option<Option<&[u8]>> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    for place in memmem::find_iter(body, NAME) {
        let value = &body[place + NAME.len()..];
        let blank = value.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let value = &value[blank..];
        if value.first().map_or(true, is_space) {
            continue;
        }
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_ ().,/+#-".contains(byte);
        let length = value.iter().take_while(|byte| is_plain(byte)).count();
        if !value[0].is_ascii_alphanumeric() && !matches!(value[0], b'_' | b'(') {
            return None;
        }
        if let Some(behind) = value[length..].strip_prefix(b"\n") {
            if behind.starts_with(b"   ") || matches!(behind.first(), Some(b'\n' | b'\r' | b'\t')) {
                return None; // it may go on
            }
        } else if length < value.len() {
            return None;
        }
        let blank = value[..length].iter().rev().take_while(|byte| **byte == b' ').count();
        return Some(Some(&value[..length - blank]));
    }
    Some(None)
}

/// A decimal number without zeros in front, as classes are compared by their digits.
fn plain_number(text: &[u8], most: usize) -> Option<(u64, &[u8])> {
    if text.starts_with(b"0") { None } else { number(text, most) }
}

fn signed(text: &[u8]) -> Option<(i64, &[u8])> {
    let (is_negative, text) = text.strip_prefix(b"-").map_or((false, text), |text| (true, text));
    let (digits, rest) = number(text, 19)?;
    let id = i64::try_from(digits).ok()?;
    Some((if is_negative { -id } else { id }, rest))
}

/// The script of the first document; the outer None where Python is to decide.
#[allow(clippy::option_option)]
fn script(body: &[u8]) -> Option<Option<[u8; 16]>> {
    let found = match memmem::find(body, SCRIPT) {
        Some(found) => found,
        None => return Some(None),
    };
    if memmem::find(&body[..found], NEXT).is_some() {
        return Some(None);
    }
    let rest = body[found + SCRIPT.len()..].strip_prefix(SCRIPT_WRITTEN)?;
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let (_, rest) = number(rest, 19)?;
    let rest = rest.strip_prefix(b", guid: ")?;
    let guid = crate::guids::unhexlify(rest.get(..32)?)?;
    rest[32..].starts_with(b", ").then_some(Some(guid))
}

/// A decimal number and what follows.
fn number(text: &[u8], most: usize) -> Option<(u64, &[u8])> {
    let length = text.iter().take(most + 1).take_while(|byte| byte.is_ascii_digit()).count();
    if length == 0 || length > most {
        return None;
    }
    let mut value: u64 = 0;
    for digit in &text[..length] {
        value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    Some((value, &text[length..]))
}

/// Whether a line begins as a conflict marker may.
pub fn may_have_conflict(data: &[u8]) -> bool {
    memmem::find(data, b"<<<<<<<").is_some()
}
