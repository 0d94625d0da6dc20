//! Facts of a meta by its text behind the GUID, as `importer_facts` of `assetdb/unity/metas/meta.py` has them.
//!
//! Metas that Unity certainly reads: those that end as its own do and have no quotes, large ones that are whole, and
//! others by their lines. Of the rest Python tells the facts.

use memchr::{memchr, memchr3, memmem, memrchr};

use crate::guids::{Links, joined, of_meta, unhexlify};
use crate::lines;
use crate::meta::Meta;

const FOLDER: &[u8] = b"\nfolderAsset: yes";
const CREATED: &[u8] = b"\ntimeCreated: ";
const LICENSE: &[u8] = b"\nlicenseType: ";
const TAIL: &[u8] = b"\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n";
const SIMPLE_TAILS: [&[u8]; 3] = [
    b"\n  userData: \n",
    b"\n  userData: \n  assetBundleName: \n",
    b"\n  userData: ''\n  assetBundleName: ''\n  assetBundleVariant: ''\n",
];
const CONFLICT: &[u8] = b"<<<<<<<";
const OWN_GUID: &[u8] = b"\nguid:";
const REFERENCE: &[u8] = b" guid:";
const BUNDLE: &[u8] = b"\n  assetBundleName:";
const DATA: &[u8] = b"\n  userData:";
const CLIPS: &[u8] = b"\n  referencedClips:\n";
const MODE: &[u8] = b"\n  spriteMode:";
const TYPE: &[u8] = b"\n  textureType:";
const SHAPE: &[u8] = b"\n  textureShape:";
const FLAT: &[u8] = b"\n  textureShape: 1\n";
const LAYOUT: &[u8] = b"\n  generateCubemap:";
const SHEET: &[u8] = b"\n    sprites:\n";
const SHEET_END: &[u8] = b"\n    outline:";
const MAIN_OBJECT: &[u8] = b"\n  mainObjectFileID:";
const TEXTURE: &[u8] = b"TextureImporter";
const NATIVE: &[u8] = b"NativeFormatImporter";
const DEFAULT: &[u8] = b"DefaultImporter";
const SPRITE: i64 = 8;
const SINGLE: i64 = 1;
const CUBE: i64 = 2;
const MOST_DIGITS: usize = 9;
const GUID: usize = 32;
const LARGEST_JUDGED: usize = 16 << 10;

/// The facts of a meta as Unity writes it; None where Python is to tell them.
pub fn facts(rest: &[u8]) -> Option<Meta> {
    if matches!(rest, b"" | b"\n") || is_time(rest) {
        return Some(Meta { is_plain: true, has_sheet: true, is_of_folder: true, ..Meta::default() });
    }
    if let Some(is_folder) = is_simple(rest) {
        let importer = "DefaultImporter".to_owned();
        let is_usual = rest.ends_with(TAIL);
        return Some(Meta {
            importer,
            is_plain: !is_folder,
            has_sheet: true,
            is_of_folder: true,
            is_usual,
            ..Meta::default()
        });
    }
    let is_usual = rest.ends_with(TAIL) && memchr3(b'\r', b'\'', b'"', rest).is_none();
    if !(is_usual || is_read(rest)) || memmem::find(rest, CONFLICT).is_some() || memmem::find(rest, OWN_GUID).is_some()
    {
        return None;
    }
    if !is_usual && !is_without(rest, BUNDLE) {
        return None;
    }
    let is_folder = rest.strip_prefix(FOLDER).map_or(false, |behind| behind.starts_with(b"\n"));
    let opening = without_times(if is_folder { &rest[FOLDER.len()..] } else { rest }).strip_prefix(b"\n")?;
    let colon = memmem::find(opening, b":\n")?;
    let (name, body) = (&opening[..colon], &opening[colon + 1..]);
    if !is_importer(name) {
        return None;
    }
    let mut texture = Texture { kind: -1, mode: -1, class: 0 };
    let mut main_object = 0;
    if name == TEXTURE {
        texture = of_texture(body)?;
    } else if name == NATIVE {
        main_object = named_main(body)?;
    }
    let ends_plain = rest.ends_with(TAIL);
    if name == TEXTURE && !ends_plain && memmem::find_iter(rest, DATA).nth(1).is_some() {
        return None; // of keys written twice, Python takes the last
    }
    let scalars = name != TEXTURE || !(ends_plain || is_without(rest, DATA));
    let (certain, candidates) = references(body, scalars)?;
    let has_sheet = texture.mode != SINGLE;
    Some(Meta {
        importer: std::str::from_utf8(name).ok()?.to_owned(),
        is_plain: !is_folder,
        has_sheet,
        is_usual,
        type_name: if texture.class == 0 { Vec::new() } else { texture.class.to_string().into_bytes() },
        certain,
        candidates,
        is_single: !has_sheet && texture.kind == SPRITE,
        is_of_folder: is_folder || name == DEFAULT,
        main_object,
        ..Meta::default()
    })
}

/// Whether Unity certainly reads a meta that does not end as its own do, or has quotes.
fn is_read(rest: &[u8]) -> bool {
    if memchr(b'\r', rest).is_some() {
        return false;
    }
    if rest.len() > LARGEST_JUDGED {
        return rest.ends_with(TAIL) || ends_in_line(rest);
    }
    rest.strip_prefix(b"\n").map_or(false, lines::are_sound)
}

/// Whether the last line is one of the importer, at its first level.
fn ends_in_line(rest: &[u8]) -> bool {
    let line = || -> Option<bool> {
        let lines = rest.strip_suffix(b"\n")?;
        let line = lines[memrchr(b'\n', lines)? + 1..].strip_prefix(b"  ")?;
        let colon = memchr(b':', line)?;
        let is_key = colon > 0 && line[..colon].iter().all(|byte| byte.is_ascii_alphanumeric());
        Some(is_key && line.get(colon + 1).map_or(true, |next| *next == b' '))
    };
    line().unwrap_or(false)
}

/// Whether a key of the importer is absent or empty, wherever it is.
fn is_without(rest: &[u8], key: &[u8]) -> bool {
    memmem::find_iter(rest, key).all(|place| {
        let behind = &rest[place + key.len()..];
        let behind = behind.strip_prefix(b" ").map_or(behind, |value| value.strip_prefix(b"''").unwrap_or(value));
        behind == b"\n" || (behind.starts_with(b"\n  ") && behind.get(3).map_or(false, u8::is_ascii_alphabetic))
    })
}

/// Whether a meta begins with times, which are different in each.
pub fn has_time(rest: &[u8]) -> bool {
    rest.strip_prefix(FOLDER).unwrap_or(rest).starts_with(CREATED)
}

/// Whether there is a time alone: `\ntimeCreated: 1547634727`, as Rider writes it.
fn is_time(rest: &[u8]) -> bool {
    rest.strip_prefix(CREATED).map_or(false, |time| {
        let digits = time.strip_suffix(b"\n").unwrap_or(time);
        (1..=20).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
    })
}

/// Whether a meta is of a folder, if it has the default importer and no settings in any form.
fn is_simple(rest: &[u8]) -> Option<bool> {
    let of_folder = rest.strip_prefix(FOLDER);
    let own = without_times(of_folder.unwrap_or(rest)).strip_prefix(b"\nDefaultImporter:")?;
    let tail = own.strip_prefix(b"\n  externalObjects: {}").unwrap_or(own);
    if tail == TAIL || SIMPLE_TAILS.contains(&tail) { Some(of_folder.is_some()) } else { None }
}

fn is_importer(name: &[u8]) -> bool {
    name.ends_with(b"Importer")
        && name.first().map_or(false, u8::is_ascii_uppercase)
        && name.iter().all(u8::is_ascii_alphanumeric)
}

struct Texture {
    kind: i64,
    mode: i64,
    class: u32,
}

fn of_texture(body: &[u8]) -> Option<Texture> {
    let (mut kind, mut settled) = (None, 0);
    let (mode, behind) = number(body, MODE, 0)?;
    if mode.is_some() {
        (kind, settled) = number(body, TYPE, behind)?;
        if kind.is_none() {
            (kind, settled) = number(body, TYPE, 0)?;
        }
    }
    let mut class = 0;
    if !body[settled..].starts_with(FLAT) {
        let mut shape = number(body, SHAPE, 0)?.0;
        if shape.is_none() && number(body, LAYOUT, 0)?.0.map_or(false, |layout| layout != 0) {
            shape = Some(CUBE);
        }
        class = match shape {
            Some(CUBE) => 89,
            Some(4) => 187,
            Some(8) => 117,
            _ => 0,
        };
    }
    if let Some(sheet) = memmem::find(&body[settled..], SHEET) {
        if !body[settled + sheet + SHEET.len() - 1..].starts_with(SHEET_END) {
            return None; // it has rows
        }
    }
    Some(Texture { kind: kind.unwrap_or(-1), mode: mode.unwrap_or(-1), class })
}

/// The first number behind a key, and its end; the outer None where it is written in another way.
fn number(body: &[u8], key: &[u8], start: usize) -> Option<(Option<i64>, usize)> {
    let found = match memmem::find(&body[start..], key) {
        Some(found) => start + found + key.len(),
        None => return Some((None, start)),
    };
    let end = found + memchr(b'\n', &body[found..])?;
    let digits = body[found..end].iter().position(|byte| *byte != b' ').map(|first| &body[found + first..end])?;
    if digits.len() > MOST_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some((Some(std::str::from_utf8(digits).ok()?.parse().ok()?), end))
}

fn named_main(body: &[u8]) -> Option<i64> {
    let found = match memmem::find(body, MAIN_OBJECT) {
        Some(found) => &body[found + MAIN_OBJECT.len()..],
        None => return Some(0),
    };
    let line = &found[..memchr(b'\n', found)?];
    let digits = line.strip_prefix(b" ")?;
    let plain = digits.strip_prefix(b"-").unwrap_or(digits);
    if plain.is_empty() || plain.len() > 19 || !plain.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The GUIDs behind `guid: ` and, with `scalars`, others; None where one may not be read by Unity.
fn references(body: &[u8], scalars: bool) -> Option<Links> {
    let mut found = Vec::new();
    for place in memmem::find_iter(body, REFERENCE) {
        let digits = body[place + REFERENCE.len()..].strip_prefix(b" ")?;
        if !matches!(digits.get(GUID), Some(b',' | b'}')) {
            return None;
        }
        found.push(unhexlify(&digits[..GUID])?);
    }
    if scalars && memmem::find(body, CLIPS).is_some() {
        return None;
    }
    let candidates = if scalars { of_meta(body) } else { Vec::new() };
    Some(joined(found, &[], &candidates, &[0; GUID / 2]))
}

/// What follows the times, which are different in each meta: `\ntimeCreated: 1\nlicenseType: Pro\nTextureImporter:\n`.
pub fn without_times(rest: &[u8]) -> &[u8] {
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
