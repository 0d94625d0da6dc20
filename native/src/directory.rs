//! One new directory: listed, its metas and assets read, all into columns.

use std::collections::HashSet;
use std::sync::Arc;

use memchr::memmem;
use pyo3::prelude::*;
use pyo3::sync::GILOnceCell;
use pyo3::types::PyBytes;

use crate::binary;
use crate::columns::{Columns, Encoded, Row, Rows, encoded};
use crate::folder::{self, Folder, Record};
use crate::guids::{self, Links};
use crate::identity::{Identities, RACY};
use crate::kinds::{Kinds, Plan};
use crate::meta::{Meta, Metas};
use crate::text;

const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const YAML_HEADS: [&[u8]; 2] = [b"%YAML", b"--- !u!"];
const DOCUMENT: &[u8] = b"--- !u!";
const HEAD_BYTES: usize = 64;
const PREFAB_MAIN: i64 = 100_100_000;
const MARKED: usize = 0;
const EMPTY: usize = 1;
const POINTER: usize = 2;
const UNREAD: [u8; 16] = [0xff; 16];
const LOOKED_AT: [u8; 16] = [0xfe; 16];

/// One asset, while it is read.
struct Asset<'a> {
    name: &'a [u8],
    stem: &'a [u8],
    prefix: &'a [u8],
    guid: [u8; 16],
    meta: Arc<Meta>,
    meta_text: &'a [u8],
    plan: Arc<Plan>,
}

impl Asset<'_> {
    /// Whether there is nothing but what is known here.
    fn is_plain(&self) -> bool {
        self.meta.is_plain && !self.plan.is_misfit && !self.names_other_main()
    }

    fn names_other_main(&self) -> bool {
        let main = self.meta.main_object;
        !matches!(main, -1 | 0 | PREFAB_MAIN) && main != self.plan.main
    }

    fn rows<'a>(&self, sprites: Option<Encoded>, settings: &'a Settings) -> Rows<'a> {
        match sprites {
            Some((rows, keys)) if self.meta.has_sheet => Rows::Encoded(rows, keys),
            _ if self.meta.is_single => Rows::Single(&settings.implicit_sprite),
            _ => Rows::Nothing,
        }
    }
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
    /// What is told in front of a path and behind it: of a meta with a byte order mark, an empty file, a pointer.
    pub told: [(Vec<u8>, Vec<u8>); 3],
    pub kinds: Kinds,
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
    buffers: Vec<Vec<u8>>,
    pub files_read: usize,
    /// How often Python was asked of metas and assets.
    pub asked: usize,
}

struct Names {
    children: Vec<Vec<u8>>,
    files: HashSet<Vec<u8>>,
    metas: Vec<Vec<u8>>,
}

impl Reader {
    pub fn new(settings: Arc<Settings>, judge: Py<PyAny>) -> Self {
        Self { settings, judge, metas: Metas::default(), buffers: Vec::new(), files_read: 0, asked: 0 }
    }

    /// Read a directory; return its subdirectories, too, unless Python is to read it.
    pub fn read(&mut self, path: &[u8], place: &[u8]) -> (Found, Vec<Vec<u8>>) {
        self.try_read(path, place).unwrap_or((Found::Nothing, Vec::new()))
    }

    fn try_read(&mut self, path: &[u8], place: &[u8]) -> Option<(Found, Vec<Vec<u8>>)> {
        let mut prefix = path.to_vec();
        prefix.push(b'/');
        if std::str::from_utf8(path).is_err() || has_control(path) || self.is_left_alone(&prefix) {
            return None;
        }
        let (directory, own) = Folder::open(place)?;
        let mut names = names_of(&directory)?;
        let is_packages = path == b"Packages";
        if is_packages {
            let files = std::mem::take(&mut names.files); // only folders count there
            names.metas.retain(|meta| !files.contains(&meta[..meta.len() - b".meta".len()]));
        }
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
        if is_whole && !is_packages && !(names.files.is_empty() && folders.is_empty()) {
            is_whole = self.unnamed(path, &names.files, &folders, &mut columns).is_some();
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

    /// Tell of files and folders without metas.
    fn unnamed(
        &self,
        path: &[u8],
        files: &HashSet<Vec<u8>>,
        folders: &HashSet<Vec<u8>>,
        columns: &mut Columns,
    ) -> Option<()> {
        if path.starts_with(b"Packages/") && !folders.is_empty() {
            return None; // they may be projects of their own
        }
        let names = files.iter().cloned().chain(folders.iter().map(|name| [name.as_slice(), b"/"].concat()));
        columns.listing = Python::with_gil(|py| {
            let arguments = (PyBytes::new(py, path), names.map(|name| PyBytes::new(py, &name)).collect::<Vec<_>>());
            self.judge.bind(py).call_method1("without_metas", arguments).ok()?.extract().ok()
        })?;
        Some(())
    }

    fn is_left_alone(&self, prefix: &[u8]) -> bool {
        let lower = prefix.to_ascii_lowercase();
        self.settings.left_alone.iter().any(|start| lower.starts_with(start))
            || memmem::find(&lower, &self.settings.plugin_folder).is_some()
    }

    /// Read a file of at most some bytes.
    fn file(&mut self, directory: &Folder, name: &[u8], most: u64) -> Option<(Record, Vec<u8>)> {
        let found = directory.read(name, most, self.buffers.pop().unwrap_or_default())?;
        self.files_read += 1;
        Some(found)
    }

    fn meta(&mut self, data: &[u8]) -> Option<([u8; 16], Arc<Meta>, Option<Encoded>)> {
        let (judge, asked) = (&self.judge, &mut self.asked);
        self.metas.read(data, |data| {
            *asked += 1;
            Python::with_gil(|py| {
                type Flags = (bool, bool, bool, bool, bool);
                type Answer<'py> = (Vec<u8>, Bound<'py, PyAny>, String, Flags, i64, Vec<u8>, (Vec<u8>, Vec<u8>), bool);
                let answer = judge.bind(py).call_method1("meta", (PyBytes::new(py, data),)).ok()?;
                let (guid, facts, importer, flags, main_object, type_name, (certain, candidates), is_kept) =
                    answer.extract::<Answer<'_>>().ok()?;
                let (is_plain, is_single, has_sheet, is_of_folder, is_usual) = flags;
                let known = GILOnceCell::new();
                known.set(py, facts.unbind()).ok()?;
                let meta = Meta {
                    facts: known,
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
        self.buffers.push(data);
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
        if !name.is_ascii() || has_control(name) {
            return None;
        }
        let settings = self.settings.clone();
        let (meta_status, meta_text) = self.file(directory, meta_name, settings.largest_meta)?;
        let (guid, meta, sprites) = self.meta(&meta_text)?;
        let (stem, written) = name
            .iter()
            .rposition(|byte| *byte == b'.')
            .map_or((name, &b""[..]), |dot| (&name[..dot], &name[dot + 1..]));
        let plan = self.plan(name, written, &meta.importer)?;
        let asset = Asset { name, stem, prefix, guid, meta, meta_text: &meta_text, plan };
        let (status, content) = if asset.plan.read {
            if sprites.is_some() {
                return None;
            }
            let (status, data) = self.file(directory, name, settings.largest_asset)?;
            self.text(&asset, &data, columns)?;
            let content = content_id(&data);
            self.buffers.push(data);
            (status, content)
        } else {
            let found = self.unread(directory, &asset)?;
            if sprites.is_some() && (asset.plan.embedded || !asset.is_plain()) {
                return None; // the facts are those of the meta without them
            }
            if asset.is_plain() {
                let kind = if asset.meta.type_name.is_empty() { &asset.plan.kind } else { &asset.meta.type_name };
                let links = guids::joined(Vec::new(), &asset.meta.certain, &asset.meta.candidates, &guid);
                columns.add(&guid, kind, stem, &links);
                columns.add_named(stem, [prefix, name], &asset.rows(sprites, &settings));
            } else {
                columns.add_row(&self.row(&asset, None)?);
            }
            found
        };
        if meta_text.starts_with(BYTE_ORDER_MARK) {
            let (before, behind) = &settings.told[MARKED];
            columns.told.push([before.as_slice(), prefix, meta_name, behind].concat());
        }
        columns.add_name(name, settings.identities.of(&status), &content);
        columns.add_name(meta_name, settings.identities.of(&meta_status), &content_id(&meta_text));
        self.buffers.push(meta_text);
        Some(())
    }

    /// The record and content id of an asset whose bytes say nothing; None if they may say something.
    fn unread(&mut self, directory: &Folder, asset: &Asset<'_>) -> Option<(Record, [u8; 16])> {
        if asset.plan.look {
            let (status, head) = directory.head(asset.name, HEAD_BYTES)?;
            self.files_read += 1;
            let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&head);
            if YAML_HEADS.iter().any(|start| text.starts_with(start)) || head.starts_with(LFS_POINTER) {
                return None;
            }
            return Some((status, LOOKED_AT));
        }
        let status = directory.record(asset.name)?;
        if status.kind != folder::Kind::File {
            return None;
        }
        if (120..160).contains(&status.size) {
            let (_, data) = self.file(directory, asset.name, self.settings.largest_asset)?;
            if data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&data).starts_with(LFS_POINTER) {
                return None;
            }
            self.buffers.push(data);
        }
        Some((status, UNREAD))
    }

    /// Add an asset whose bytes are needed.
    fn text(&mut self, asset: &Asset<'_>, data: &[u8], columns: &mut Columns) -> Option<()> {
        if text::may_have_conflict(data) || (!asset.plan.typed && data.starts_with(LFS_POINTER)) {
            return None;
        }
        let told = if asset.plan.typed { self.without_documents(asset, data) } else { None };
        let kind = match told {
            Some(_) => self
                .type_key(&asset.plan.extension, 0, &asset.meta.importer)
                .map_or(Kind::Odd, |key| Kind::Known(key, None)),
            None if asset.is_plain() => self.kind(asset, data),
            None => Kind::Asked,
        };
        let simple = match kind {
            Kind::Known(kind, rows) => self.references(asset, data).map(|links| (kind, rows, links)),
            Kind::Odd => return None,
            Kind::Asked => self.binary(asset, data),
        };
        if let Some((kind, rows, links)) = simple {
            let settings = self.settings.clone();
            columns.add(&asset.guid, &kind, asset.stem, &links);
            let rows = rows.map_or_else(|| asset.rows(None, &settings), |(rows, keys)| Rows::Encoded(rows, keys));
            columns.add_named(asset.stem, [asset.prefix, asset.name], &rows);
            if let Some((before, behind)) = told.map(|number| &settings.told[number]) {
                columns.told.push([before.as_slice(), asset.prefix, asset.name, behind].concat());
            }
        } else {
            columns.add_row(&self.row(asset, Some(data))?);
        }
        Some(())
    }

    /// What is told of a file that should have documents, if it is empty or a pointer.
    fn without_documents(&self, asset: &Asset<'_>, data: &[u8]) -> Option<usize> {
        let is_plain = asset.meta.is_plain && !asset.plan.is_misfit && asset.meta.type_name.is_empty();
        match data {
            _ if !is_plain => None,
            b"" => Some(EMPTY),
            _ if data.starts_with(LFS_POINTER) && memchr::memchr2(b'!', b'\r', data).is_none() => Some(POINTER),
            _ => None,
        }
    }

    /// The type of a text, and its rows if there are any.
    fn kind(&mut self, asset: &Asset<'_>, data: &[u8]) -> Kind {
        let (meta, plan) = (&asset.meta, &asset.plan);
        if !meta.type_name.is_empty() {
            return Kind::Asked;
        }
        if !plan.typed {
            return Kind::Known(plan.kind.clone(), None);
        }
        let ids = match (meta.main_object, plan.main) {
            (0, 0) => vec![],
            (0, main) => vec![main],
            (main, other) if main == other => vec![main],
            (main, other) => vec![main, other],
        };
        let head = match text::head(data, &ids) {
            Some(head) => head,
            None => return Kind::Asked,
        };
        let settings = &self.settings;
        if plan.is_container && settings.parts.contains(&head.class_id) {
            return Kind::Asked;
        }
        let mut rows = None;
        if plan.rows {
            let unnamed = if plan.is_prefab { &settings.unnamed_in_prefabs } else { &settings.unnamed };
            let mut found = match head.rows(data, unnamed, plan.is_prefab) {
                Some(found) => found,
                None => return Kind::Asked,
            };
            if !found.is_empty() {
                rows = match encoded(&mut found) {
                    Some((rows, _)) if plan.embedded => Some((rows, Vec::new())),
                    Some(rows) => Some(rows),
                    None => return Kind::Asked,
                };
            }
        }
        let key = match head.script.filter(|_| !plan.own) {
            Some(script) => Some(hexlify(&script)),
            None => self.type_key(&plan.extension, head.class_id, &meta.importer),
        };
        key.map_or(Kind::Odd, |key| Kind::Known(key, rows))
    }

    /// Type, rows and references of a binary asset; None where Python is to tell them.
    fn binary(&mut self, asset: &Asset<'_>, data: &[u8]) -> Option<(Vec<u8>, Option<Encoded>, Links)> {
        let (meta, plan) = (&asset.meta, &asset.plan);
        let is_usual = meta.is_plain && meta.type_name.is_empty() && !plan.is_misfit && plan.typed && !plan.is_prefab;
        if !is_usual || plan.is_assembly || plan.has_urls || memmem::find(data, DOCUMENT).is_some() {
            return None;
        }
        let file = binary::read(data)?;
        let declared = [meta.main_object, plan.main];
        let (class_id, mut found) = file.facts(declared, asset.stem, &self.settings.parts, plan.rows)?;
        let rows = match encoded(&mut found)? {
            _ if found.is_empty() => None,
            (rows, _) if plan.embedded => Some((rows, Vec::new())),
            rows => Some(rows),
        };
        let key = self.type_key(&plan.extension, class_id, &meta.importer)?;
        Some((key, rows, guids::joined(file.externals, &meta.certain, &meta.candidates, &asset.guid)))
    }

    fn type_key(&mut self, extension: &[u8], class_id: u64, importer: &str) -> Option<Vec<u8>> {
        let source = (extension.to_vec(), class_id, importer.to_owned());
        if let Some(key) = self.settings.kinds.type_key(&source) {
            return Some(key);
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
        self.settings.kinds.keep_type_key(source, &key);
        Some(key)
    }

    fn references(&mut self, asset: &Asset<'_>, data: &[u8]) -> Option<Links> {
        let found = match &asset.plan {
            plan if plan.is_assembly => Some((guids::of_assembly(data), Vec::new())),
            plan if plan.has_urls => Some((guids::of_urls(data), Vec::new())),
            _ => guids::references(data),
        };
        if let Some((certain, mut candidates)) = found {
            candidates.extend_from_slice(&asset.meta.candidates);
            return Some(guids::joined(certain, &asset.meta.certain, &candidates, &asset.guid));
        }
        self.asked += 1;
        Python::with_gil(|py| {
            let (text, extension) = (PyBytes::new(py, data), PyBytes::new(py, &asset.plan.extension));
            let arguments = (text, extension, PyBytes::new(py, &hexlify(&asset.guid)), self.facts(py, asset)?);
            let answer = self.judge.bind(py).call_method1("references", arguments).ok()?;
            let (certain, candidates) = answer.extract::<(Vec<u8>, Vec<u8>)>().ok()?;
            Some((guids::split(&certain), guids::split(&candidates)))
        })
    }

    /// The row that Python makes of an asset.
    fn row(&mut self, asset: &Asset<'_>, data: Option<&[u8]>) -> Option<Row> {
        self.asked += 1;
        Python::with_gil(|py| {
            let text = data.map(|data| PyBytes::new(py, data));
            let name = PyBytes::new(py, asset.name);
            let hint = PyBytes::new(py, &[asset.prefix, asset.name].concat());
            let own = PyBytes::new(py, &hexlify(&asset.guid));
            let arguments = (name, hint, own, self.facts(py, asset)?, text, &asset.plan.plan);
            let answer = self.judge.bind(py).call_method1("row", arguments).ok()?;
            type Fields = (Vec<u8>, Vec<u8>, Vec<u8>, Vec<Vec<u8>>, Vec<u8>, Vec<u8>, Vec<u8>);
            let (fields, told) = answer.extract::<(Fields, Vec<u8>)>().ok()?;
            let (guid, key, body, sub_keys, details, references, candidates) = fields;
            let guid = guids::unhexlify(&guid)?;
            Some(Row { guid, key, body, sub_keys, details, references, candidates, told })
        })
    }

    /// The facts of a meta as Python has them.
    fn facts<'a>(&self, py: Python<'_>, asset: &'a Asset<'_>) -> Option<&'a Py<PyAny>> {
        let found = asset.meta.facts.get_or_try_init(py, || {
            let text = asset.meta_text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(asset.meta_text);
            let answer = self.judge.bind(py).call_method1("meta", (PyBytes::new(py, text),))?;
            Ok::<_, PyErr>(answer.get_item(1)?.unbind())
        });
        found.ok()
    }

    fn plan(&mut self, name: &[u8], written: &[u8], importer: &str) -> Option<Arc<Plan>> {
        if let Some(plan) = self.settings.kinds.plan(written, importer) {
            return Some(plan);
        }
        let plan = Python::with_gil(|py| {
            type Answer<'py> = (Vec<u8>, Vec<u8>, Bound<'py, PyAny>, (bool, bool, bool, bool, bool));
            type Fields = (bool, bool, bool, bool, bool, bool, i64);
            let answer = self.judge.bind(py).call_method1("plan", (PyBytes::new(py, name), importer)).ok()?;
            let (extension, kind, plan, (is_prefab, is_container, is_assembly, has_urls, is_misfit)) =
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
                is_assembly,
                has_urls,
                is_misfit,
                plan: plan.unbind(),
            }))
        })?;
        self.settings.kinds.keep_plan(written, importer, &plan);
        Some(plan)
    }
}

enum Kind {
    Known(Vec<u8>, Option<Encoded>),
    Odd,
    Asked,
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

/// Whether a name has bytes that separate what is told.
fn has_control(name: &[u8]) -> bool {
    name.iter().any(|byte| *byte < b' ')
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
