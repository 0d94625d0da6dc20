//! One new directory: listed, its metas and assets read, all into columns.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::{Columns, Row, Rows};
use crate::folder::{self, Folder, Record};
use crate::guids;
use crate::identity::{Identities, RACY};
use crate::meta::{Encoded, Meta, Metas};
use crate::text;

const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const UNREAD: [u8; 16] = [0xff; 16];

/// How files of an extension and an importer are read, see `Plan` of `assetdb/scan/asset.py`.
struct Plan {
    extension: Vec<u8>,
    kind: Vec<u8>,
    read: bool,
    look: bool,
    typed: bool,
    rows: bool,
    own: bool,
    embedded: bool,
    main: i64,
    is_prefab: bool,
    is_container: bool,
    has_other_form: bool,
    plan: Py<PyAny>,
}

/// What is the same for all directories.
pub struct Settings {
    pub identities: Identities,
    pub largest_meta: u64,
    pub largest_asset: u64,
    pub left_alone: Vec<Vec<u8>>,
    pub plugin_folder: Vec<u8>,
    pub implicit_sprite: Vec<u8>,
    pub parts: Vec<u64>,
    pub unnamed: Vec<u64>,
    pub unnamed_in_prefabs: Vec<u64>,
}

/// What a directory came to.
pub enum Found {
    /// All that there is to know.
    Whole(Columns),
    /// All but some assets, for Python to read the rest.
    Part(Columns),
    /// Nothing: Python reads it.
    Nothing,
}

/// Reads directories in one thread.
pub struct Reader {
    settings: Arc<Settings>,
    judge: Py<PyAny>,
    metas: Metas,
    plans: HashMap<Vec<u8>, Vec<(String, Arc<Plan>)>>,
    type_keys: HashMap<(Vec<u8>, u64, String), Vec<u8>>,
    buffer: Vec<u8>,
    pub files_read: usize,
}

struct Names {
    children: Vec<Vec<u8>>,
    files: HashSet<Vec<u8>>,
    metas: Vec<Vec<u8>>,
}

impl Reader {
    pub fn new(settings: Arc<Settings>, judge: Py<PyAny>) -> Self {
        Self {
            settings,
            judge,
            metas: Metas::default(),
            plans: HashMap::new(),
            type_keys: HashMap::new(),
            buffer: Vec::new(),
            files_read: 0,
        }
    }

    /// Read a directory; return its subdirectories, too, unless Python is to read it.
    pub fn read(&mut self, path: &[u8], place: &[u8]) -> (Found, Vec<Vec<u8>>) {
        self.try_read(path, place).unwrap_or((Found::Nothing, Vec::new()))
    }

    fn try_read(&mut self, path: &[u8], place: &[u8]) -> Option<(Found, Vec<Vec<u8>>)> {
        let mut prefix = path.to_vec();
        prefix.push(b'/');
        if path == b"Packages" || std::str::from_utf8(path).is_err() || self.is_left_alone(&prefix) {
            return None;
        }
        let (directory, own) = Folder::open(place)?;
        let mut names = names_of(&directory)?;
        names.children.sort_unstable();
        names.metas.sort_unstable();
        let mut columns = Columns::default();
        columns.identity = self.settings.identities.of(&own);
        let mut folders = names.children.iter().cloned().collect::<HashSet<_>>();
        let mut folder_metas = Vec::new();
        let mut is_whole = true;
        for meta in &names.metas {
            let name = &meta[..meta.len() - b".meta".len()];
            if names.files.remove(name) {
                is_whole &= self.pair(&directory, &prefix, name, meta, &mut columns).is_some();
            } else if folders.remove(name) {
                folder_metas.push(meta);
            } else {
                is_whole = false;
            }
        }
        if !names.files.is_empty() || !folders.is_empty() {
            is_whole = false;
        }
        for meta in folder_metas {
            if !is_whole {
                break;
            }
            is_whole = self.folder(&directory, meta, &mut columns).is_some();
        }
        if is_whole {
            for child in &names.children {
                columns.add_child(child);
            }
            columns.end();
            return Some((Found::Whole(columns), names.children));
        }
        columns.identity = RACY;
        columns.end();
        Some((if columns.pairs > 0 { Found::Part(columns) } else { Found::Nothing }, Vec::new()))
    }

    fn is_left_alone(&self, prefix: &[u8]) -> bool {
        let lower = prefix.to_ascii_lowercase();
        self.settings.left_alone.iter().any(|start| lower.starts_with(start))
            || memchr::memmem::find(&lower, &self.settings.plugin_folder).is_some()
    }

    /// Read a file of at most some bytes.
    fn file(&mut self, directory: &Folder, name: &[u8], most: u64) -> Option<(Record, Vec<u8>)> {
        let found = directory.read(name, most, &mut self.buffer)?;
        self.files_read += 1;
        Some(found)
    }

    fn meta(&mut self, data: &[u8]) -> Option<([u8; 16], Arc<Meta>, Option<Encoded>)> {
        let judge = &self.judge;
        self.metas.read(data, |data| {
            Python::with_gil(|py| {
                type Flags = (bool, bool, bool, bool, bool);
                type Answer<'py> = (Vec<u8>, Bound<'py, PyAny>, String, Flags, i64, Vec<u8>, (Vec<u8>, Vec<u8>), bool);
                let answer = judge.bind(py).call_method1("meta", (PyBytes::new(py, data),)).ok()?;
                let (guid, facts, importer, flags, main_object, type_name, (certain, candidates), is_kept) =
                    answer.extract::<Answer<'_>>().ok()?;
                let (is_plain, is_single, has_sheet, is_of_folder, is_usual) = flags;
                let meta = Meta {
                    facts: facts.unbind(),
                    importer,
                    is_plain,
                    is_single,
                    has_sheet,
                    is_of_folder,
                    is_usual,
                    main_object,
                    type_name,
                    certain: guids::split(&certain),
                    candidates: guids::split(&candidates),
                };
                Some((guid, meta, is_kept))
            })
        })
    }

    fn folder(&mut self, directory: &Folder, name: &[u8], columns: &mut Columns) -> Option<()> {
        let (status, data) = self.file(directory, name, self.settings.largest_meta)?;
        let (guid, meta, _) = self.meta(&data)?;
        if !meta.is_of_folder {
            return None;
        }
        columns.add_name(name, self.settings.identities.of(&status), &content_id(&data));
        columns.add_folder(&name[..name.len() - b".meta".len()], &guid);
        self.buffer = data;
        Some(())
    }

    fn pair(
        &mut self,
        directory: &Folder,
        prefix: &[u8],
        name: &[u8],
        meta_name: &[u8],
        columns: &mut Columns,
    ) -> Option<()> {
        if !name.is_ascii() {
            return None;
        }
        let settings = self.settings.clone();
        let (meta_status, data) = self.file(directory, meta_name, settings.largest_meta)?;
        let (guid, meta, sprites) = self.meta(&data)?;
        let meta_content = content_id(&data);
        self.buffer = data;
        let meta_identity = settings.identities.of(&meta_status);
        let (stem, written) = name
            .iter()
            .rposition(|byte| *byte == b'.')
            .map_or((name, &b""[..]), |dot| (&name[..dot], &name[dot + 1..]));
        let plan = self.plan(name, written, &meta.importer)?;
        if !plan.read {
            let status = directory.record(name)?;
            let may_be_pointer = (120..160).contains(&status.size);
            if status.kind != folder::Kind::File || plan.look || may_be_pointer {
                return None;
            }
            if sprites.is_some() && (plan.embedded || names_other_main(&meta, &plan)) {
                return None; // the facts are those of the meta without them
            }
            if meta.is_plain && !names_other_main(&meta, &plan) {
                let kind = if meta.type_name.is_empty() { &plan.kind } else { &meta.type_name };
                columns.begin(&guid, kind, stem);
                let (certain, candidates) = guids::joined(Vec::new(), &meta.certain, &meta.candidates, &guid);
                columns.add_references(&certain.concat(), &candidates.concat());
                columns.add_named(stem, [prefix, name], &rows_of(&meta, sprites, &settings));
            } else {
                columns.add_row(&self.row(name, prefix, &guid, &meta, None, &plan)?);
            }
            columns.add_name(name, settings.identities.of(&status), &UNREAD);
            columns.add_name(meta_name, meta_identity, &meta_content);
            return Some(());
        }
        if sprites.is_some() {
            return None;
        }
        let (status, data) = self.file(directory, name, settings.largest_asset)?;
        if text::may_have_conflict(&data) || (!plan.typed && data.starts_with(LFS_POINTER)) {
            return None;
        }
        let kind =
            if meta.is_plain && !names_other_main(&meta, &plan) { self.kind(&data, &meta, &plan) } else { Kind::Asked };
        let simple = match kind {
            Kind::Known(kind) => self.references(&data, &guid, &meta, &plan).map(|found| (kind, found)),
            Kind::Odd => return None,
            Kind::Asked => None,
        };
        if let Some((kind, (certain, candidates))) = simple {
            columns.begin(&guid, &kind, stem);
            columns.add_references(&certain.concat(), &candidates.concat());
            columns.add_named(stem, [prefix, name], &rows_of(&meta, None, &settings));
        } else {
            columns.add_row(&self.row(name, prefix, &guid, &meta, Some(&data), &plan)?);
        }
        columns.add_name(name, settings.identities.of(&status), &content_id(&data));
        columns.add_name(meta_name, meta_identity, &meta_content);
        self.buffer = data;
        Some(())
    }

    /// The type of a text without rows.
    fn kind(&mut self, data: &[u8], meta: &Meta, plan: &Plan) -> Kind {
        if !meta.type_name.is_empty() {
            return Kind::Asked;
        }
        if !plan.typed {
            return Kind::Known(plan.kind.clone());
        }
        let head = match text::head(data) {
            Some(head) => head,
            None => return Kind::Asked,
        };
        let expected =
            if meta.main_object != 0 && meta.main_object != plan.main { meta.main_object } else { plan.main };
        if expected != 0 && head.file_id != expected {
            return Kind::Asked;
        }
        let settings = &self.settings;
        if plan.rows {
            let unnamed = if plan.is_prefab { &settings.unnamed_in_prefabs } else { &settings.unnamed };
            if (plan.is_prefab && !unnamed.contains(&head.class_id)) || !head.is_alone(data, unnamed) {
                return Kind::Asked;
            }
        }
        if plan.is_container && settings.parts.contains(&head.class_id) {
            return Kind::Asked;
        }
        if let Some(script) = head.script.filter(|_| !plan.own) {
            return Kind::Known(hexlify(&script));
        }
        self.type_key(&plan.extension, head.class_id, &meta.importer).map_or(Kind::Odd, Kind::Known)
    }

    fn type_key(&mut self, extension: &[u8], class_id: u64, importer: &str) -> Option<Vec<u8>> {
        let source = (extension.to_vec(), class_id, importer.to_owned());
        if let Some(key) = self.type_keys.get(&source) {
            return Some(key.clone());
        }
        let key = Python::with_gil(|py| {
            let extension = PyBytes::new(py, extension);
            self.judge
                .bind(py)
                .call_method1("type_key", (extension, class_id, importer))
                .ok()?
                .extract::<Vec<u8>>()
                .ok()
        })?;
        self.type_keys.insert(source, key.clone());
        Some(key)
    }

    fn references(&mut self, data: &[u8], own: &[u8; 16], meta: &Meta, plan: &Plan) -> Option<Links> {
        if !plan.has_other_form {
            if let Some(found) = guids::references(data) {
                return Some(guids::joined(found, &meta.certain, &meta.candidates, own));
            }
        }
        Python::with_gil(|py| {
            let (text, extension) = (PyBytes::new(py, data), PyBytes::new(py, &plan.extension));
            let arguments = (text, extension, PyBytes::new(py, &hexlify(own)), &meta.facts);
            let answer = self.judge.bind(py).call_method1("references", arguments).ok()?;
            let (certain, candidates) = answer.extract::<(Vec<u8>, Vec<u8>)>().ok()?;
            Some((guids::split(&certain), guids::split(&candidates)))
        })
    }

    /// The row that Python makes of an asset.
    fn row(
        &mut self,
        name: &[u8],
        prefix: &[u8],
        guid: &[u8; 16],
        meta: &Meta,
        data: Option<&[u8]>,
        plan: &Plan,
    ) -> Option<Row> {
        Python::with_gil(|py| {
            let text = data.map(|data| PyBytes::new(py, data));
            let hint = PyBytes::new(py, &[prefix, name].concat());
            let own = PyBytes::new(py, &hexlify(guid));
            let arguments = (PyBytes::new(py, name), hint, own, &meta.facts, text, &plan.plan);
            let answer = self.judge.bind(py).call_method1("row", arguments).ok()?;
            type Answer = (Vec<u8>, Vec<u8>, Vec<u8>, Vec<Vec<u8>>, Vec<u8>, Vec<u8>, Vec<u8>);
            let (guid, key, body, sub_keys, details, references, candidates) = answer.extract::<Answer>().ok()?;
            let guid = guids::unhexlify(&guid)?;
            Some(Row { guid, key, body, sub_keys, details, references, candidates })
        })
    }

    fn plan(&mut self, name: &[u8], written: &[u8], importer: &str) -> Option<Arc<Plan>> {
        if let Some((_, plan)) = self.plans.get(written).and_then(|plans| plans.iter().find(|plan| plan.0 == importer))
        {
            return Some(plan.clone());
        }
        let plan = Python::with_gil(|py| {
            type Answer<'py> = (Vec<u8>, Vec<u8>, Bound<'py, PyAny>, (bool, bool, bool));
            type Fields = (bool, bool, bool, bool, bool, bool, i64);
            let answer = self.judge.bind(py).call_method1("plan", (PyBytes::new(py, name), importer)).ok()?;
            let (extension, kind, plan, (is_prefab, is_container, has_other_form)) =
                answer.extract::<Answer<'_>>().ok()?;
            let (read, look, typed, rows, embedded, own, main) = plan.extract::<Fields>().ok()?;
            Some(Arc::new(Plan {
                extension,
                kind,
                read,
                look,
                typed,
                rows,
                embedded,
                own,
                main,
                is_prefab,
                is_container,
                has_other_form,
                plan: plan.unbind(),
            }))
        })?;
        self.plans.entry(written.to_vec()).or_default().push((importer.to_owned(), plan.clone()));
        Some(plan)
    }
}

type Links = (Vec<[u8; 16]>, Vec<[u8; 16]>);

fn rows_of<'a>(meta: &Meta, sprites: Option<Encoded>, settings: &'a Settings) -> Rows<'a> {
    match sprites {
        Some((rows, keys)) if meta.has_sheet => Rows::Encoded(rows, keys),
        _ if meta.is_single => Rows::Single(&settings.implicit_sprite),
        _ => Rows::Nothing,
    }
}

enum Kind {
    Known(Vec<u8>),
    Odd,
    Asked,
}

fn names_other_main(meta: &Meta, plan: &Plan) -> bool {
    !matches!(meta.main_object, -1 | 0 | 100_100_000) && meta.main_object != plan.main
}

/// The names in a directory; None if one is unusual.
fn names_of(directory: &Folder) -> Option<Names> {
    let mut names = Names { children: Vec::new(), files: HashSet::new(), metas: Vec::new() };
    directory.each(|name, kind| {
        if name.starts_with(b".") {
            return if name.ends_with(b".assetdb-removed") { None } else { Some(()) };
        }
        let lower = name.to_ascii_lowercase();
        if name.ends_with(b"~") || lower.ends_with(b".tmp") || lower == b"cvs" {
            return Some(());
        }
        match kind {
            folder::Kind::File if name.ends_with(b".meta") => names.metas.push(name.to_vec()),
            _ if name.ends_with(b".meta") => return None,
            folder::Kind::File => {
                names.files.insert(name.to_vec());
            }
            folder::Kind::Folder if !lower.ends_with(b".androidlib") && !lower.ends_with(b".androidpack") => {
                names.children.push(name.to_vec());
            }
            _ => return None,
        }
        Some(())
    })?;
    Some(names)
}

fn content_id(data: &[u8]) -> [u8; 16] {
    let mut found = [0; 16];
    found.copy_from_slice(&blake3::hash(data).as_bytes()[..16]);
    found
}

fn hexlify(guid: &[u8; 16]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    guid.iter().flat_map(|byte| [DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]).collect()
}
