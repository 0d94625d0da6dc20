//! Lines of metas that Unity certainly reads: plain values, references, and texts in quotes, one in a line.
//!
//! A part of what `Shapes` of `assetdb/unity/yaml/judging/shapes.py` accepts, and keys in quotes that are empty.

use memchr::memchr;

const DEEPEST: usize = 64;

/// An open mapping or list.
#[derive(PartialEq)]
struct Level {
    column: usize,
    is_list: bool,
}

struct Lines {
    open: Vec<Level>,
    /// The column of a key without a value, of which the next line may begin one.
    waiting: Option<usize>,
}

/// Whether lines at the level of the GUID's are certainly read.
pub fn are_sound(text: &[u8]) -> bool {
    let mut lines = Lines { open: vec![Level { column: 0, is_list: false }], waiting: None };
    let lines_of = text.strip_suffix(b"\n").unwrap_or(text);
    !text.ends_with(b":") && lines_of.split(|byte| *byte == b'\n').all(|line| lines.add(line).is_some())
}

impl Lines {
    /// Take one line; None where it may not be read.
    fn add(&mut self, line: &[u8]) -> Option<()> {
        let mut column = line.iter().take_while(|byte| **byte == b' ').count();
        let rest = &line[column..];
        let item = rest.strip_prefix(b"- ");
        let mut is_value = self.opened(column, item.is_some())?;
        if item.is_some() {
            if is_value {
                self.open.push(Level { column, is_list: true });
            }
            is_value = true;
            column += 2;
        }
        let rest = item.unwrap_or(rest);
        let value = match behind_key(rest) {
            None if item.is_none() => return None,
            None => Some(rest),
            Some(value) => {
                if is_value {
                    self.open.push(Level { column, is_list: false });
                }
                if value.is_empty() { None } else { Some(value.strip_prefix(b" ")?) }
            }
        };
        self.waiting = value.is_none().then_some(column);
        (self.open.len() <= DEEPEST && value.map_or(true, is_sound)).then_some(())
    }

    /// Close what a line ends; whether it begins the value of a key.
    fn opened(&mut self, column: usize, is_item: bool) -> Option<bool> {
        if let Some(key) = self.waiting {
            if column > key || (is_item && column == key) {
                return (column == key || column == key + 2).then_some(true);
            }
        }
        while self.open.last().map_or(false, |level| level.column > column) {
            self.open.pop();
        }
        if !is_item && self.open.last() == Some(&Level { column, is_list: true }) {
            self.open.pop();
        }
        (self.open.last() == Some(&Level { column, is_list: is_item })).then_some(false)
    }
}

/// What follows a key and its colon: the end of the line or a space.
fn behind_key(text: &[u8]) -> Option<&[u8]> {
    if let Some(behind) = text.strip_prefix(b"'':") {
        return Some(behind);
    }
    let colon = memchr(b':', text)?;
    let (key, behind) = (&text[..colon], &text[colon + 1..]);
    let is_key = !key.ends_with(b" ")
        && key.first().map_or(false, |byte| is_word(*byte))
        && key.iter().all(|byte| is_word(*byte) || matches!(byte, b' ' | b'.' | b'-' | b'/'));
    is_key.then_some(behind)
}

fn is_sound(value: &[u8]) -> bool {
    match value.first() {
        None => true,
        Some(mark @ (b'\'' | b'"')) => {
            let text = value[1..].strip_suffix(&[*mark]);
            text.map_or(false, |text| {
                text.iter().all(|byte| (b' '..0x7f).contains(byte) && byte != mark && *byte != b'\\')
            })
        }
        Some(b'[') => value == b"[]",
        Some(b'{') => {
            let inner = value[1..].strip_suffix(b"}");
            inner.map_or(false, |pairs| pairs.is_empty() || pairs.split(|byte| *byte == b',').enumerate().all(is_pair))
        }
        Some(b'-') => value.len() > 1 && value[1..].iter().all(|byte| is_word(*byte) || *byte == b'.'),
        Some(first) => (is_word(*first) || matches!(first, b'/' | b'.')) && value.iter().all(|byte| is_plain(*byte)),
    }
}

/// Whether a piece between commas is `fileID: 0`.
fn is_pair((number, piece): (usize, &[u8])) -> bool {
    let piece = if number == 0 { Some(piece) } else { piece.strip_prefix(b" ") };
    let parted = piece.and_then(|piece| memchr(b':', piece).map(|colon| piece.split_at(colon)));
    parted.map_or(false, |(key, behind)| {
        let value = behind.strip_prefix(b": ").unwrap_or(b":");
        !key.is_empty()
            && key.iter().all(|byte| is_word(*byte))
            && value.iter().all(|byte| is_word(*byte) || matches!(byte, b'-' | b'.'))
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_plain(byte: u8) -> bool {
    is_word(byte)
        || matches!(byte, b' ' | b'.' | b'-' | b'/' | b'+' | b'(' | b')' | b'=' | b',' | b'@' | b';' | b'<' | b'>')
}
