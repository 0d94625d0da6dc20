//! Type and further objects of a text asset, as `assetdb/unity/yaml/text_asset.py` has them.

use memchr::{memchr, memmem};

const START: &[u8] = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!";
const NEXT: &[u8] = b"\n--- ";
const SCRIPT: &[u8] = b"\n  m_Script:";
const SCRIPT_WRITTEN: &[u8] = b" {fileID: ";
const MONO_BEHAVIOUR: u64 = 114;

/// What the head of a text tells.
pub struct Head {
    pub class_id: u64,
    pub file_id: i64,
    pub script: Option<[u8; 16]>,
    body: usize,
}

/// The main document, if the text begins as Unity writes it.
pub fn head(data: &[u8]) -> Option<Head> {
    let rest = data.strip_prefix(START)?;
    let (class_id, rest) = number(rest, 10)?;
    let rest = rest.strip_prefix(b" &")?;
    let (is_negative, rest) = rest.strip_prefix(b"-").map_or((false, rest), |rest| (true, rest));
    let (digits, rest) = number(rest, 19)?;
    let rest = rest.strip_prefix(b" stripped").unwrap_or(rest);
    if !rest.starts_with(b"\n") {
        return None;
    }
    let file_id = i64::try_from(digits).ok()?;
    let body = data.len() - rest.len();
    let script = if class_id == MONO_BEHAVIOUR { script(&data[body..])? } else { None };
    Some(Head { class_id, file_id: if is_negative { -file_id } else { file_id }, script, body })
}

impl Head {
    /// Whether no document behind the first can be a row; `unnamed` are classes that have none.
    pub fn is_alone(&self, data: &[u8], unnamed: &[u64]) -> bool {
        let mut rest = &data[self.body..];
        while let Some(found) = memchr(b'!', rest) {
            let place = data.len() - rest.len() + found;
            rest = &rest[found + 1..];
            if rest.starts_with(b"u!") && data[..place].ends_with(b"\n--- ") {
                match number(&rest[2..], 10) {
                    Some((class_id, behind)) if behind.starts_with(b" &") && unnamed.contains(&class_id) => {}
                    _ => return false,
                }
            }
        }
        true
    }
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
