//! Binary assets of projects: objects, names and external files, as `assetdb/unity/binary/asset_facts.py` has them.
//!
//! Those of versions 17 to 22 with type trees. What is none, or has anything unusual, is left to Python.

use std::collections::HashMap;
use std::ops::Range;

use crate::text::Object;

const LARGEST: usize = 32 << 20;
const LARGEST_METADATA: usize = 16 << 20;
const OLD_HEADER: usize = 20;
const NEW_HEADER: usize = 48;
const MONO_BEHAVIOUR: i32 = 114;
const WITHOUT_ROWS: [i32; 3] = [1, 4, 224];
const MOST_OBJECTS: usize = 200_000;
const NAME_BYTES: usize = 1024;
const MOST_NODES: usize = 4096; // of a tree
const MOST_LETTERS: usize = 1 << 16;
const ALIGNED: u32 = 0x4000;
const COMMON: u32 = 0x8000_0000;
const COMMON_STRINGS: &[u8] = b"AABB\0AnimationClip\0AnimationCurve\0AnimationState\0Array\0Base\0BitField\0bitset\0\
bool\0char\0ColorRGBA\0Component\0data\0deque\0double\0dynamic_array\0FastPropertyName\0first\0float\0Font\0\
GameObject\0Generic Mono\0GradientNEW\0GUID\0GUIStyle\0int\0list\0long long\0map\0Matrix4x4f\0MdFour\0MonoBehaviour\0\
MonoScript\0m_ByteSize\0m_Curve\0m_EditorClassIdentifier\0m_EditorHideFlags\0m_Enabled\0m_ExtensionPtr\0\
m_GameObject\0m_Index\0m_IsArray\0m_IsStatic\0m_MetaFlag\0m_Name\0m_ObjectHideFlags\0m_PrefabInternal\0\
m_PrefabParentObject\0m_Script\0m_StaticEditorFlags\0m_Type\0m_Version\0Object\0pair\0PPtr<Component>\0\
PPtr<GameObject>\0PPtr<Material>\0PPtr<MonoBehaviour>\0PPtr<MonoScript>\0PPtr<Object>\0PPtr<Prefab>\0PPtr<Sprite>\0\
PPtr<TextAsset>\0PPtr<Texture>\0PPtr<Texture2D>\0PPtr<Transform>\0Prefab\0Quaternionf\0Rectf\0RectInt\0RectOffset\0\
second\0set\0short\0size\0SInt16\0SInt32\0SInt64\0SInt8\0staticvector\0string\0TextAsset\0TextMesh\0Texture\0\
Texture2D\0Transform\0TypelessData\0UInt16\0UInt32\0UInt64\0UInt8\0unsigned int\0unsigned long long\0\
unsigned short\0vector\0Vector2f\0Vector3f\0Vector4f\0m_ScriptingClassIdentifier\0Gradient\0Type*\0int2_storage\0\
int3_storage\0BoundsInt\0m_CorrespondingSourceObject\0m_PrefabInstance\0m_PrefabAsset\0\
FileSize\0Hash128\0RenderingLayerMask\0fixed_array\0EntityId\0LoadableObjectId\0LoadableSceneId\0";

/// The metadata of a file, with the bytes of its objects.
pub struct Binary<'a> {
    data: &'a [u8],
    types: Vec<Type<'a>>,
    objects: Vec<Entry>,
    pub externals: Vec<[u8; 16]>,
}

struct Type<'a> {
    class_id: i32,
    /// What precedes the name, and whether there is one; None where Python is to say.
    name: Option<Beginning<'a>>,
}

struct Entry {
    id: i64,
    kind: usize,
    bytes: Range<usize>,
}

/// The fields of a class up to its name.
struct Beginning<'a> {
    fields: Vec<Node<'a>>,
    has_name: bool,
}

struct Node<'a> {
    level: u8,
    kind: &'a [u8],
    name: &'a [u8],
    is_aligned: bool,
}

/// The metadata of a file; None where Python is to read it.
pub fn read(data: &[u8]) -> Option<Binary<'_>> {
    if data.len() > LARGEST || data.first() != Some(&0) {
        return None;
    }
    let version = big(data, 8)?;
    let is_large = version >= 22;
    if !(17..=22).contains(&version) || data.get(16) != Some(&0) {
        return None;
    }
    let (start, size, file_size, data_offset) = if is_large {
        let wide = |place: usize| u64::from_be_bytes(data.get(place..place + 8)?.try_into().ok()?).try_into().ok();
        (NEW_HEADER, big(data, OLD_HEADER)?, wide(24)?, wide(32)?)
    } else {
        (OLD_HEADER, big(data, 0)?, big(data, 4)?, big(data, 12)?)
    };
    if file_size != data.len() || size > LARGEST_METADATA || start + size > data_offset || data_offset > file_size {
        return None;
    }
    let mut rest = Bytes { data: &data[..start + size], place: start };
    rest.text(255)?;
    rest.take(4)?;
    if rest.take(1)? != [1] {
        return None;
    }
    let mut types = Vec::new();
    for _ in 0..rest.count(4)? {
        types.push(rest.kind(version)?);
    }
    let objects = rest.objects(is_large, &types, data_offset..file_size)?;
    for _ in 0..rest.count(8)? {
        rest.take(4)?;
        rest.align()?;
        rest.take(8)?;
    }
    let mut externals = Vec::new();
    for _ in 0..rest.count(21)? {
        rest.text(0xffff)?;
        let mut guid: [u8; 16] = rest.take(16)?.try_into().ok()?;
        guid.iter_mut().for_each(|byte| *byte = byte.rotate_left(4)); // the low half of each comes first
        externals.push(guid);
        rest.take(4)?;
        rest.text(0xffff)?;
    }
    if version >= 20 && rest.number()? != 0 {
        return None; // of objects behind [SerializeReference]
    }
    rest.text(size)?;
    Some(Binary { data, types, objects, externals })
}

impl<'a> Binary<'a> {
    /// Class of the main object and, if wanted, the other named ones; None where Python is to tell them.
    pub fn facts(&self, declared: [i64; 2], stem: &[u8], parts: &[u64], rows: bool) -> Option<(u64, Vec<Object<'a>>)> {
        let main = self.main(declared, stem, parts)?;
        if self.class_id(main) == MONO_BEHAVIOUR || self.objects.len() > MOST_OBJECTS {
            return None;
        }
        let mut found = Vec::new();
        for entry in self.objects.iter().filter(|entry| rows && entry.id != main.id) {
            let class_id = self.class_id(entry);
            if !WITHOUT_ROWS.contains(&class_id) {
                let name = self.name(entry)?;
                if !name.is_empty() {
                    found.push((entry.id, class_id as u32, name));
                }
            }
        }
        Some((self.class_id(main) as u64, found))
    }

    /// The main object, as `assetdb/unity/main_object.py` finds it.
    fn main(&self, declared: [i64; 2], stem: &[u8], parts: &[u64]) -> Option<&Entry> {
        let by_id: HashMap<_, _> = self.objects.iter().map(|entry| (entry.id, entry)).collect();
        if by_id.len() != self.objects.len() {
            return None;
        }
        let is_part = |entry: &Entry| parts.contains(&(self.class_id(entry) as u64));
        let likely = declared.iter().find_map(|id| by_id.get(id).copied());
        if let Some(entry) = likely.filter(|entry| !is_part(entry)) {
            return Some(entry);
        }
        for entry in self.objects.iter().filter(|entry| !is_part(entry)) {
            if self.name(entry)? == stem {
                return Some(entry);
            }
        }
        likely
    }

    fn class_id(&self, entry: &Entry) -> i32 {
        self.types[entry.kind].class_id
    }

    /// The name of an object, empty where it has none.
    fn name(&self, entry: &Entry) -> Option<&'a [u8]> {
        let beginning = self.types[entry.kind].name.as_ref()?;
        if !beginning.has_name {
            return Some(b"");
        }
        let bytes = &self.data[entry.bytes.clone()];
        let mut rest = Bytes { data: &bytes[..bytes.len().min(NAME_BYTES)], place: 0 };
        for field in &beginning.fields {
            rest.take(size_of(field.kind)?)?;
            if field.is_aligned {
                rest.place = aligned(rest.place).min(rest.data.len());
            }
        }
        let count = rest.count(1)?;
        let name = rest.take(count)?;
        std::str::from_utf8(name).ok().map(str::as_bytes)
    }
}

/// Bytes that are read one after the other; None behind their end.
struct Bytes<'a> {
    data: &'a [u8],
    place: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let found = self.data.get(self.place..self.place.checked_add(size)?)?;
        self.place += size;
        Some(found)
    }

    fn number(&mut self) -> Option<i32> {
        Some(i32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// A number of items of a least size, for which there is room.
    fn count(&mut self, size: usize) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count.checked_mul(size)? <= self.data.len() - self.place).then_some(count)
    }

    fn text(&mut self, longest: usize) -> Option<&'a [u8]> {
        let rest = &self.data[self.place..];
        let end = memchr::memchr(0, &rest[..rest.len().min(longest + 1)])?;
        self.place += end + 1;
        Some(&rest[..end])
    }

    fn align(&mut self) -> Option<()> {
        self.take(aligned(self.place) - self.place).map(|_| ())
    }

    fn kind(&mut self, version: usize) -> Option<Type<'a>> {
        let class_id = self.number()?;
        self.take(3)?; // whether it is stripped, and its script
        self.take(if class_id == MONO_BEHAVIOUR { 32 } else { 16 })?;
        let name = self.tree(version)?;
        if version >= 21 {
            let count = self.count(4)?;
            self.take(count * 4)?;
        }
        (class_id >= 0).then_some(Type { class_id, name })
    }

    /// The tree of a class; the outer None where it is cut off.
    fn tree(&mut self, version: usize) -> Option<Option<Beginning<'a>>> {
        let row = if version >= 19 { 32 } else { 24 };
        let nodes = self.count(row)?;
        let strings = usize::try_from(self.number()?).ok()?;
        let rows = self.take(nodes.checked_mul(row)?)?;
        let strings = self.take(strings)?;
        if nodes > MOST_NODES {
            return Some(None);
        }
        let mut left = MOST_LETTERS;
        let nodes: Option<Vec<_>> = rows.chunks_exact(row).map(|row| node(row, strings, &mut left)).collect();
        Some(nodes.and_then(beginning))
    }

    fn objects(&mut self, is_large: bool, types: &[Type<'_>], place: Range<usize>) -> Option<Vec<Entry>> {
        let count = usize::try_from(self.number()?).ok()?;
        self.align()?;
        let row = if is_large { 24 } else { 20 };
        let rows = self.take(count.checked_mul(row)?)?;
        let mut together = 0;
        let mut found = Vec::with_capacity(count);
        for mut row in rows.chunks_exact(row).map(|data| Bytes { data, place: 0 }) {
            let id = i64::from_le_bytes(row.take(8)?.try_into().ok()?);
            let start = if is_large {
                usize::try_from(i64::from_le_bytes(row.take(8)?.try_into().ok()?)).ok()?
            } else {
                row.number()? as u32 as usize
            };
            let size = row.number()? as u32 as usize;
            let kind = usize::try_from(row.number()?).ok().filter(|kind| *kind < types.len())?;
            together += size;
            let bytes = place.start.checked_add(start)?..place.start.checked_add(start)?.checked_add(size)?;
            if bytes.end > place.end || together > 2 * place.len() {
                return None;
            }
            found.push(Entry { id, kind, bytes });
        }
        (!found.is_empty()).then_some(found)
    }
}

fn aligned(place: usize) -> usize {
    (place + 3) / 4 * 4
}

fn big(data: &[u8], place: usize) -> Option<usize> {
    Some(u32::from_be_bytes(data.get(place..place + 4)?.try_into().ok()?) as usize)
}

/// A row of a type tree: version, level, flags, type, name, size, index, flags.
///
/// None where it is cut off, or its texts have more letters than are `left` for those of the tree.
fn node<'a>(row: &[u8], strings: &'a [u8], left: &mut usize) -> Option<Node<'a>> {
    let number = |place: usize| Some(u32::from_le_bytes(row.get(place..place + 4)?.try_into().ok()?));
    let mut text = |place: u32| {
        let is_common = place & COMMON != 0;
        let (table, place) =
            if is_common { (COMMON_STRINGS, (place & !COMMON) as usize) } else { (strings, place as usize) };
        if is_common && place > 0 && table.get(place - 1) != Some(&0) {
            return None; // in the middle of a word: Python names it by its place
        }
        let rest = table.get(place..)?;
        let length = memchr::memchr(0, &rest[..rest.len().min(*left)])?;
        *left -= length;
        Some(&rest[..length])
    };
    let is_aligned = number(20)? & ALIGNED != 0;
    Some(Node { level: row[2], kind: text(number(4)?)?, name: text(number(8)?)?, is_aligned })
}

/// The fields of a class up to its name; None where the tree is unusual, or a field in front of the name is.
fn beginning(mut nodes: Vec<Node<'_>>) -> Option<Beginning<'_>> {
    let root = nodes.first().filter(|root| root.level == 0 && is_class(root.kind))?;
    let mut before = root.level;
    for node in &nodes[1..] {
        if node.level == 0 || node.level > before.saturating_add(1) {
            return None;
        }
        before = node.level;
    }
    if !(0..nodes.len()).all(|number| is_sound(&nodes, number)) {
        return None;
    }
    let top: Vec<_> = (1..nodes.len()).filter(|number| nodes[*number].level == 1).collect();
    if top.is_empty() || nodes[top[0]].kind == b"Array" {
        return None;
    }
    let name = top.iter().position(|number| nodes[*number].name == b"m_Name" && nodes[*number].kind == b"string");
    let fields = &top[..name.unwrap_or(0)];
    let is_known = fields.iter().all(|number| size_of(nodes[*number].kind).is_some());
    let mut number = 0;
    nodes.retain(|_| {
        number += 1;
        fields.binary_search(&(number - 1)).is_ok() // they ascend
    });
    is_known.then_some(Beginning { fields: nodes, has_name: name.is_some() })
}

fn is_class(kind: &[u8]) -> bool {
    size_of(kind).is_none() && ![&b"string"[..], b"TypelessData", b"ReferencedObject"].contains(&kind)
}

/// Whether a node has the children that its type asks for.
fn is_sound(nodes: &[Node<'_>], number: usize) -> bool {
    let node = &nodes[number];
    let below = nodes[number + 1..].iter().take_while(|child| child.level > node.level);
    let children: Vec<_> =
        below.filter(|child| child.level == node.level + 1).map(|child| (child.kind, child.name)).collect();
    match node.kind {
        b"Array" => children.len() == 2,
        kind if kind.starts_with(b"PPtr<") => {
            matches!(children[..], [(b"int", b"m_FileID"), (b"SInt64", b"m_PathID")])
        }
        kind => size_of(kind).is_none() || children.is_empty(),
    }
}

/// The bytes of a field without fields in it, or of a reference.
fn size_of(kind: &[u8]) -> Option<usize> {
    match kind {
        b"SInt8" | b"UInt8" | b"char" | b"bool" => Some(1),
        b"short" | b"SInt16" | b"unsigned short" | b"UInt16" => Some(2),
        b"int" | b"SInt32" | b"unsigned int" | b"UInt32" | b"Type*" | b"float" => Some(4),
        b"long long" | b"SInt64" | b"unsigned long long" | b"UInt64" | b"FileSize" | b"double" => Some(8),
        kind if kind.starts_with(b"PPtr<") => Some(12),
        _ => None,
    }
}
