//! The columns of a `DirectoryFacts`.

use crate::guids::Links;
use crate::text::Object;

/// The facts of one directory.
#[derive(Default)]
pub struct Columns {
    pub identity: i64,
    pub children: Vec<u8>,
    pub names: Vec<u8>,
    pub identities: Vec<u8>,
    pub contents: Vec<u8>,
    pub guids: Vec<u8>,
    pub keys: Vec<u8>,
    pub bodies: Vec<u8>,
    pub body_sizes: Vec<u8>,
    pub sub_counts: Vec<u8>,
    pub sub_keys: Vec<u8>,
    pub details: Vec<u8>,
    pub reference_counts: Vec<u8>,
    pub references: Vec<u8>,
    pub folder_guids: Vec<u8>,
    pub folders: Vec<u8>,
    pub pairs: usize,
    pub listing: Vec<u8>,
    pub told: Vec<Vec<u8>>,
    has_details: bool,
    has_references: bool,
    has_sub_keys: bool,
}

const SEPARATOR: u8 = 0xff;
const SLASH: u8 = b'/';

impl Columns {
    pub fn add_name(&mut self, name: &[u8], identity: i64, content: &[u8; 16]) {
        join(&mut self.names, name, SLASH);
        self.identities.extend_from_slice(&identity.to_ne_bytes());
        self.contents.extend_from_slice(content);
    }

    /// Add GUID, type and references of an asset, of which [`Columns::add_named`] adds the rest.
    pub fn add(&mut self, guid: &[u8; 16], kind: &[u8], stem: &[u8], links: &Links) {
        self.guids.extend_from_slice(guid);
        self.begin_key();
        self.keys.extend_from_slice(kind);
        self.keys.push(b':');
        self.keys.extend_from_slice(stem);
        self.details_of(b"");
        self.pairs += 1;
        self.add_references(&links.0.concat(), &links.1.concat());
    }

    fn begin_key(&mut self) {
        if self.pairs > 0 {
            self.keys.push(SEPARATOR);
            self.details.push(SEPARATOR);
        }
    }

    fn details_of(&mut self, details: &[u8]) {
        self.has_details |= !details.is_empty();
        self.details.extend_from_slice(details);
    }

    /// Add a whole row that Python made.
    pub fn add_row(&mut self, row: &Row) {
        if !row.told.is_empty() {
            self.told.push(row.told.clone());
        }
        self.guids.extend_from_slice(&row.guid);
        self.begin_key();
        self.keys.extend_from_slice(&row.key);
        self.details_of(&row.details);
        self.pairs += 1;
        self.add_body(&row.body);
        self.sub_counts.extend_from_slice(&(row.sub_keys.len() as u32).to_ne_bytes());
        for key in &row.sub_keys {
            self.add_sub_key(key);
        }
        self.add_references(&row.references, &row.candidates);
    }

    fn add_body(&mut self, body: &[u8]) {
        self.bodies.extend_from_slice(body);
        self.body_sizes.extend_from_slice(&(body.len() as u32).to_ne_bytes());
    }

    /// Add the body of an asset: its rows and the keys of their names.
    pub fn add_named(&mut self, stem: &[u8], hint: [&[u8]; 2], rows: &Rows<'_>) {
        let start = self.bodies.len();
        string(&mut self.bodies, &[stem]);
        let count = match rows {
            Rows::Nothing => {
                self.bodies.push(0);
                0
            }
            Rows::Single(sprite) => {
                self.bodies.extend_from_slice(sprite);
                string(&mut self.bodies, &[stem]);
                self.add_sub_key(&[b"213:", stem].concat());
                1
            }
            Rows::Encoded(rows, keys) => {
                self.bodies.extend_from_slice(rows);
                keys.iter().for_each(|key| self.add_sub_key(key));
                keys.len() as u32
            }
        };
        string(&mut self.bodies, &hint);
        self.sub_counts.extend_from_slice(&count.to_ne_bytes());
        self.body_sizes.extend_from_slice(&((self.bodies.len() - start) as u32).to_ne_bytes());
    }

    fn add_sub_key(&mut self, key: &[u8]) {
        if self.has_sub_keys {
            self.sub_keys.push(SEPARATOR);
        }
        self.has_sub_keys = true;
        self.sub_keys.extend_from_slice(key);
    }

    fn add_references(&mut self, certain: &[u8], candidates: &[u8]) {
        self.has_references |= !certain.is_empty() || !candidates.is_empty();
        for part in [certain, candidates] {
            self.reference_counts.extend_from_slice(&((part.len() / 16) as u32).to_ne_bytes());
            self.references.extend_from_slice(part);
        }
    }

    pub fn add_folder(&mut self, name: &[u8], guid: &[u8; 16]) {
        self.folder_guids.extend_from_slice(guid);
        join(&mut self.folders, name, SLASH);
    }

    pub fn add_child(&mut self, name: &[u8]) {
        join(&mut self.children, name, SLASH);
    }

    /// Clear what counts as absent, and sort what is told.
    pub fn end(&mut self) {
        self.told.sort_unstable();
        if !self.has_details {
            self.details.clear();
        }
        if !self.has_references {
            self.reference_counts.clear();
        }
    }
}

/// The rows of an asset.
pub enum Rows<'a> {
    Nothing,
    /// That of a texture with one sprite: what is in front of its name.
    Single(&'a [u8]),
    Encoded(Vec<u8>, Vec<Vec<u8>>),
}

/// Encoded rows and the keys of their names.
pub type Encoded = (Vec<u8>, Vec<Vec<u8>>);

/// Named objects as bincode, in order; None if one is there twice.
pub fn encoded(found: &mut [Object<'_>]) -> Option<Encoded> {
    found.sort_unstable();
    if found.windows(2).any(|two| two[0] == two[1]) {
        return None;
    }
    let mut rows = Vec::with_capacity(found.len() * 40);
    unsigned(&mut rows, found.len() as u64);
    let mut keys = Vec::with_capacity(found.len());
    for (file_id, class_id, name) in found.iter() {
        unsigned(&mut rows, ((file_id << 1) ^ (file_id >> 63)) as u64);
        unsigned(&mut rows, u64::from(*class_id));
        string(&mut rows, &[name]);
        keys.push([class_id.to_string().as_bytes(), b":", name].concat());
    }
    Some((rows, keys))
}

/// A row of `Columns.add` of `assetdb/scan/fast_path.py`, and what is told of it.
pub struct Row {
    pub guid: [u8; 16],
    pub key: Vec<u8>,
    pub body: Vec<u8>,
    pub sub_keys: Vec<Vec<u8>>,
    pub details: Vec<u8>,
    pub references: Vec<u8>,
    pub candidates: Vec<u8>,
    pub told: Vec<u8>,
}

fn join(column: &mut Vec<u8>, name: &[u8], separator: u8) {
    if !column.is_empty() {
        column.push(separator);
    }
    column.extend_from_slice(name);
}

/// An unsigned number of bincode 2.
pub fn unsigned(to: &mut Vec<u8>, number: u64) {
    if number < 251 {
        to.push(number as u8);
    } else if let Ok(short) = u16::try_from(number) {
        to.push(251);
        to.extend_from_slice(&short.to_le_bytes());
    } else if let Ok(medium) = u32::try_from(number) {
        to.push(252);
        to.extend_from_slice(&medium.to_le_bytes());
    } else {
        to.push(253);
        to.extend_from_slice(&number.to_le_bytes());
    }
}

/// A string of bincode 2 in pieces.
pub fn string(to: &mut Vec<u8>, pieces: &[&[u8]]) {
    unsigned(to, pieces.iter().map(|piece| piece.len() as u64).sum());
    for piece in pieces {
        to.extend_from_slice(piece);
    }
}
