//! Metas as Unity writes them: what follows the GUID is known by its text.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use pyo3::prelude::*;
use pyo3::sync::GILOnceCell;

use crate::columns::{Encoded, encoded};
use crate::guids::unhexlify;
use crate::importer::{self, without_times};
use crate::sheet::sprites;

const CANONICAL: &[u8] = b"fileFormatVersion: 2\nguid: ";
const GUID_START: usize = CANONICAL.len();
const GUID_END: usize = GUID_START + 32;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const MEMO_LENGTH: usize = 4096;
const MEMO_LIMIT: usize = 4096;

/// The facts of a meta behind its GUID.
#[derive(Default)]
pub struct Meta {
    /// As Python has them, once they are needed.
    pub facts: GILOnceCell<Py<PyAny>>,
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
        if let Some(data) = data.strip_prefix(BYTE_ORDER_MARK) {
            let own = own_guid(data)?;
            let meta = importer::facts(without_times(&data[GUID_END..]))?;
            return Some((own, Arc::new(meta), None));
        }
        let own = match own_guid(data) {
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
                None => self.learned(&others, || ask(&[&data[..GUID_END], &others].concat()))?.0,
            };
            if meta.is_plain && meta.is_usual {
                if let Some(rows) = encoded(&mut sprites) {
                    return Some((own, meta, Some(rows)));
                }
            }
        }
        let (meta, guid) = self.learned(rest, || ask(data))?;
        Some((guid.map_or(Some(own), |guid| unhexlify(&guid))?, meta, None))
    }

    /// The facts of a text that is not known, and the GUID if Python told them.
    fn learned(&mut self, rest: &[u8], ask: impl FnOnce() -> Option<Answer>) -> Option<(Arc<Meta>, Option<Vec<u8>>)> {
        let (guid, meta, is_kept) = match importer::facts(rest) {
            Some(meta) => (None, meta, !importer::has_time(rest)),
            None => ask().map(|(guid, meta, is_kept)| (Some(guid), meta, is_kept))?,
        };
        let meta = Arc::new(meta);
        if is_kept && rest.len() < MEMO_LENGTH && self.known.len() < MEMO_LIMIT {
            self.known.insert(rest.into(), meta.clone());
        }
        Some((meta, guid))
    }

    fn known(&mut self, rest: &[u8]) -> Option<Arc<Meta>> {
        if let Some((_, meta)) = self.of_size.get(&rest.len()).filter(|(text, _)| **text == *rest) {
            return Some(meta.clone());
        }
        let meta = self.known.get(rest).filter(|_| rest.len() < MEMO_LENGTH)?;
        self.of_size.insert(rest.len(), (rest.into(), meta.clone()));
        Some(meta.clone())
    }
}

/// What Python says of a meta: its GUID, its facts, and whether all metas with this text have them.
pub type Answer = (Vec<u8>, Meta, bool);

pub type Found = ([u8; 16], Arc<Meta>, Option<Encoded>);

/// The GUID of a meta that begins as Unity writes it.
fn own_guid(data: &[u8]) -> Option<[u8; 16]> {
    data.get(GUID_START..GUID_END).filter(|_| data.starts_with(CANONICAL)).and_then(lower_guid)
}

fn lower_guid(digits: &[u8]) -> Option<[u8; 16]> {
    if digits.iter().any(u8::is_ascii_uppercase) { None } else { unhexlify(digits) }
}
