//! How files are read and which types they have, as `assetdb/unity/kinds.py` says it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;

/// How files of an extension and an importer are read, see `Plan` of `assetdb/unity/kinds.py`.
pub struct Plan {
    pub extension: Vec<u8>,
    pub kind: Vec<u8>,
    pub read: bool,
    pub look: bool,
    pub typed: bool,
    pub rows: bool,
    pub own: bool,
    pub embedded: bool,
    pub main: i64,
    pub is_prefab: bool,
    pub is_container: bool,
    pub is_assembly: bool,
    pub has_urls: bool,
    pub is_misfit: bool,
    pub plan: Py<PyAny>,
}

/// What all threads know of extensions and importers.
#[derive(Default)]
pub struct Kinds {
    plans: RwLock<HashMap<Vec<u8>, Vec<(String, Arc<Plan>)>>>,
    type_keys: RwLock<HashMap<(Vec<u8>, u64, String), Vec<u8>>>,
}

impl Kinds {
    pub fn plan(&self, written: &[u8], importer: &str) -> Option<Arc<Plan>> {
        let plans = self.plans.read().unwrap_or_else(PoisonError::into_inner);
        plans.get(written)?.iter().find(|plan| plan.0 == importer).map(|plan| plan.1.clone())
    }

    pub fn keep_plan(&self, written: &[u8], importer: &str, plan: &Arc<Plan>) {
        let mut plans = self.plans.write().unwrap_or_else(PoisonError::into_inner);
        plans.entry(written.to_vec()).or_default().push((importer.to_owned(), plan.clone()));
    }

    pub fn type_key(&self, source: &(Vec<u8>, u64, String)) -> Option<Vec<u8>> {
        self.type_keys.read().unwrap_or_else(PoisonError::into_inner).get(source).cloned()
    }

    pub fn keep_type_key(&self, source: (Vec<u8>, u64, String), key: &[u8]) {
        self.type_keys.write().unwrap_or_else(PoisonError::into_inner).insert(source, key.to_vec());
    }
}
