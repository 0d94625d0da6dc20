//! Whole new directories of a project, read in threads.

#![deny(unsafe_code)]

mod binary;
mod columns;
mod directory;
mod folder;
mod guids;
mod identity;
mod importer;
mod kinds;
mod lines;
mod meta;
mod sheet;
mod text;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};
use std::thread::JoinHandle;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use columns::Columns;
use directory::{Found, Reader, Settings};
use identity::Identities;
use kinds::Kinds;

type Taken<'py> = (Bound<'py, PyBytes>, Option<Bound<'py, PyTuple>>, bool);

#[derive(Default)]
struct State {
    stack: Vec<(Vec<u8>, Vec<u8>)>,
    working: usize,
    found: Vec<(Vec<u8>, Found)>,
    files_read: usize,
    asked: usize,
    ends: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

const BATCH: usize = 16;

fn work(shared: &Shared, mut reader: Reader) {
    let mut state = shared.state.lock().unwrap();
    loop {
        if state.ends {
            return;
        }
        if state.stack.is_empty() {
            state = shared.changed.wait(state).unwrap();
            continue;
        }
        let share = (state.stack.len() / 4).clamp(1, BATCH);
        let rest = state.stack.len() - share;
        let batch = state.stack.split_off(rest);
        state.working += 1;
        drop(state);
        let mut found = Vec::new();
        let mut further = Vec::new();
        for (path, place) in batch {
            let (what, children) = read_guarded(&mut reader, &path, &place);
            for child in children {
                let below = |folder: &[u8]| [folder, b"/", &child].concat();
                further.push((below(&path), below(&place)));
            }
            found.push((path, what));
        }
        state = shared.state.lock().unwrap();
        state.working -= 1;
        state.files_read += std::mem::take(&mut reader.files_read);
        state.asked += std::mem::take(&mut reader.asked);
        state.stack.extend(further);
        state.found.extend(found);
        shared.changed.notify_all();
    }
}

/// How files are read and told; see `assetdb/scan/native.py`.
#[derive(FromPyObject)]
struct Given(
    i64,
    bool,
    (u64, u64),
    Vec<Vec<u8>>,
    Vec<u8>,
    Vec<u8>,
    Vec<u64>,
    (Vec<u64>, Vec<u64>),
    [(Vec<u8>, Vec<u8>); 3],
);

impl Given {
    fn settings(self) -> Arc<Settings> {
        let Self(since, is_minimal, largest, left_alone, plugin_folder, implicit_sprite, parts, unnamed, told) = self;
        let (largest_meta, largest_asset) = largest;
        let (unnamed, unnamed_in_prefabs) = unnamed;
        Arc::new(Settings {
            identities: Identities { since: i128::from(since), is_minimal },
            largest_meta,
            largest_asset,
            left_alone,
            plugin_folder,
            implicit_sprite,
            parts,
            unnamed,
            unnamed_in_prefabs,
            told,
            kinds: Kinds::default(),
        })
    }
}

/// Reads new directories one after the other, in the thread that asks.
#[pyclass(frozen)]
struct FolderReader {
    reader: Mutex<Reader>,
}

#[pymethods]
impl FolderReader {
    #[new]
    fn new(judge: Py<PyAny>, given: Given) -> Self {
        Self { reader: Mutex::new(Reader::new(given.settings(), judge)) }
    }

    /// Read a directory; return its facts if there are any, whether these are all, and how many files were read.
    fn read<'py>(
        &self,
        py: Python<'py>,
        path: Vec<u8>,
        place: Vec<u8>,
    ) -> PyResult<(Option<Bound<'py, PyTuple>>, bool, usize)> {
        let (found, files_read) = py.allow_threads(|| {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            let (found, _) = read_guarded(&mut reader, &path, &place);
            (found, std::mem::take(&mut reader.files_read))
        });
        let (told, is_whole) = told(py, &path, &found)?;
        Ok((told, is_whole, files_read))
    }
}

/// Read a directory; after a panic, Python reads it.
fn read_guarded(reader: &mut Reader, path: &[u8], place: &[u8]) -> (Found, Vec<Vec<u8>>) {
    let read = catch_unwind(AssertUnwindSafe(|| reader.read(path, place)));
    read.unwrap_or_else(|_| (Found::Nothing, Vec::new()))
}

/// A walk through new directories, in one thread for each judge.
#[pyclass(frozen)]
struct Walk {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[pymethods]
impl Walk {
    #[new]
    fn new(judges: Vec<Py<PyAny>>, given: Given) -> Self {
        let settings = given.settings();
        let shared = Arc::new(Shared::default());
        let threads = judges
            .into_iter()
            .map(|judge| {
                let shared = shared.clone();
                let reader = Reader::new(settings.clone(), judge);
                std::thread::spawn(move || work(&shared, reader))
            })
            .collect();
        Self { shared, threads: Mutex::new(threads) }
    }

    fn push(&self, directories: Vec<(Vec<u8>, Vec<u8>)>) {
        self.shared.state.lock().unwrap().stack.extend(directories);
        self.shared.changed.notify_all();
    }

    /// Wait for directories: path, facts if there are any, and whether these are all. None are left if none come.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Vec<Taken<'py>>> {
        let found = py.allow_threads(|| {
            let mut state = self.shared.state.lock().unwrap();
            while state.found.is_empty() && (state.working > 0 || !state.stack.is_empty()) {
                state = self.shared.changed.wait(state).unwrap();
            }
            std::mem::take(&mut state.found)
        });
        let taken = |(path, found): (Vec<u8>, Found)| {
            let (told, is_whole) = told(py, &path, &found)?;
            Ok((PyBytes::new(py, &path), told, is_whole))
        };
        found.into_iter().map(taken).collect()
    }

    /// How often Python was asked.
    fn asked(&self) -> usize {
        self.shared.state.lock().unwrap().asked
    }

    /// End all threads; return the directories that were not read. Those that were can still be taken.
    fn leave(&self, py: Python<'_>) -> Vec<Py<PyBytes>> {
        py.allow_threads(|| self.end());
        let left = std::mem::take(&mut self.shared.state.lock().unwrap().stack);
        left.into_iter().map(|(path, _)| PyBytes::new(py, &path).unbind()).collect()
    }

    /// End all threads; return how many files were read.
    fn close(&self, py: Python<'_>) -> usize {
        py.allow_threads(|| {
            self.end();
            self.shared.state.lock().unwrap().files_read
        })
    }
}

impl Walk {
    fn end(&self) {
        self.shared.state.lock().unwrap().ends = true;
        self.shared.changed.notify_all();
        for thread in std::mem::take(&mut *self.threads.lock().unwrap()) {
            let _ = thread.join();
        }
    }
}

/// The facts of a directory if there are any, and whether these are all.
fn told<'py>(py: Python<'py>, path: &[u8], found: &Found) -> PyResult<(Option<Bound<'py, PyTuple>>, bool)> {
    Ok(match found {
        Found::Whole(columns) => (Some(facts(py, path, columns)?), true),
        Found::Part(columns) => (Some(facts(py, path, columns)?), false),
        Found::Nothing => (None, false),
    })
}

fn facts<'py>(py: Python<'py>, path: &[u8], columns: &Columns) -> PyResult<Bound<'py, PyTuple>> {
    let bytes = |data: &[u8]| PyBytes::new(py, data).into_any();
    let number = |value: i64| value.into_pyobject(py).map(Bound::into_any).unwrap();
    PyTuple::new(
        py,
        [
            bytes(path),
            number(columns.identity),
            bytes(&columns.children),
            bytes(b""),
            bytes(&columns.names),
            bytes(&columns.identities),
            bytes(&columns.contents),
            bytes(&columns.guids),
            bytes(&columns.keys),
            bytes(&columns.bodies),
            bytes(&columns.body_sizes),
            bytes(&columns.sub_counts),
            bytes(&columns.sub_keys),
            bytes(&columns.details),
            bytes(&columns.reference_counts),
            bytes(&columns.references),
            bytes(&columns.folder_guids),
            bytes(&columns.folders),
            bytes(&columns.listing),
            bytes(&columns.told.join(&b'\n')),
            number(columns.pairs as i64),
        ],
    )
}

/// Say the first panic in one line; what follows from it is that Python reads.
fn say_first_panic() {
    static SAID: Once = Once::new();
    std::panic::set_hook(Box::new(|panic| {
        SAID.call_once(|| {
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            eprintln!("assetdb: the native module failed at {place}; what it did not read is read without it");
        });
    }));
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    say_first_panic();
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<FolderReader>()?;
    module.add_class::<Walk>()
}
