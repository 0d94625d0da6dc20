//! Metas as Unity writes them: what follows the GUID is known by its text, of which Python tells the facts.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;

use foldhash::fast::RandomState;

use crate::guids::unhexlify;
use crate::sheet::{encoded, sprites};

const CANONICAL: &[u8] = b"fileFormatVersion: 2\nguid: ";
const GUID_START: usize = CANONICAL.len();
const GUID_END: usize = GUID_START + 32;
const CREATED: &[u8] = b"\ntimeCreated: ";
const LICENSE: &[u8] = b"\nlicenseType: ";
const MEMO_LENGTH: usize = 4096;
const MEMO_LIMIT: usize = 4096;

/// The facts of a meta behind its GUID.
pub struct Meta {
    pub facts: Py<PyAny>,
    pub importer: String,
    /// Whether there is nothing but importer, texture type and references.
    pub is_plain: bool,
    /// Whether sprites of a sheet are rows.
    pub has_sheet: bool,
    /// Whether its end is that of a meta whose sprites may be taken out.
    pub is_usual: bool,
    /// The type that it determines, else empty.
    pub type_name: Vec<u8>,
    pub certain: Vec<[u8; 16]>,
    pub candidates: Vec<[u8; 16]>,
    /// Whether it is that of a texture with one sprite.
    pub is_single: bool,
    /// Whether it may be that of a folder.
    pub is_of_folder: bool,
    pub main_object: i64,
}

type Known = (Box<[u8]>, Arc<Meta>);

/// The metas that were read so far, by the text behind the GUID.
#[derive(Default)]
pub struct Metas {
    known: HashMap<Box<[u8]>, Arc<Meta>, RandomState>,
    of_size: HashMap<usize, Known>,
}

impl Metas {
    /// GUID, facts and sprites of a meta; `ask` is Python, which knows all metas. None where it finds something odd.
    pub fn read(&mut self, data: &[u8], mut ask: impl FnMut(&[u8]) -> Option<Answer>) -> Option<Found> {
        let own = data.get(GUID_START..GUID_END).filter(|_| data.starts_with(CANONICAL)).and_then(lower_guid);
        let own = match own {
            Some(own) => own,
            None => {
                let (guid, meta, _) = ask(data)?;
                return Some((unhexlify(&guid)?, Arc::new(meta), None));
            }
        };
        let rest = without_times(&data[GUID_END..]);
        if let Some(meta) = self.known(rest) {
            return Some((own, meta, None));
        }
        if let Some((mut sprites, others)) = sprites(rest) {
            let meta = match self.known(&others) {
                Some(meta) => meta,
                None => self.keep(&others, ask(&[&data[..GUID_END], &others].concat())?).1,
            };
            if meta.is_plain && meta.is_usual {
                let rows = encoded(&mut sprites, rest)?;
                return Some((own, meta, Some(rows)));
            }
        }
        let (guid, meta) = self.keep(rest, ask(data)?);
        Some((unhexlify(&guid)?, meta, None))
    }

    fn known(&mut self, rest: &[u8]) -> Option<Arc<Meta>> {
        if let Some((_, meta)) = self.of_size.get(&rest.len()).filter(|(text, _)| **text == *rest) {
            return Some(meta.clone());
        }
        let meta = self.known.get(rest).filter(|_| rest.len() < MEMO_LENGTH)?;
        self.of_size.insert(rest.len(), (rest.into(), meta.clone()));
        Some(meta.clone())
    }

    fn keep(&mut self, rest: &[u8], (guid, meta, is_kept): Answer) -> (Vec<u8>, Arc<Meta>) {
        let meta = Arc::new(meta);
        if is_kept && rest.len() < MEMO_LENGTH && self.known.len() < MEMO_LIMIT {
            self.known.insert(rest.into(), meta.clone());
        }
        (guid, meta)
    }
}

/// What Python says of a meta: its GUID, its facts, and whether all metas with this text have them.
pub type Answer = (Vec<u8>, Meta, bool);

/// The encoded rows of sprites and the keys of their names.
pub type Encoded = (Vec<u8>, Vec<Vec<u8>>);

pub type Found = ([u8; 16], Arc<Meta>, Option<Encoded>);

fn lower_guid(digits: &[u8]) -> Option<[u8; 16]> {
    if digits.iter().any(u8::is_ascii_uppercase) { None } else { unhexlify(digits) }
}

/// What follows the times, which are different in each meta: `\ntimeCreated: 1\nlicenseType: Pro\nTextureImporter:\n`.
fn without_times(rest: &[u8]) -> &[u8] {
    let strip = || -> Option<&[u8]> {
        let behind = rest.strip_prefix(CREATED)?;
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = behind[digits..].strip_prefix(LICENSE)?;
        let letters = behind.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let behind = &behind[letters..];
        let line = behind.strip_prefix(b"\n")?;
        let end = line.iter().position(|byte| *byte == b'\n')?;
        let name = line[..end].strip_suffix(b"Importer:")?;
        let is_name =
            name.first()?.is_ascii_uppercase() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        ((1..=20).contains(&digits) && (1..=20).contains(&letters) && is_name).then_some(behind)
    };
    strip().unwrap_or(rest)
}
