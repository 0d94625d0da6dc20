//! Folders by paths, opened in a way that lets others rename and remove what is read meanwhile.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use winapi_util::file::{Information, information, typ};

use super::{Kind, Record, cleared};

const EPOCH: i128 = 116_444_736_000_000_000; // 1970 in steps of 100 ns since 1601
const STEP: i128 = 100;
const DIRECTORY: u64 = 0x10; // FILE_ATTRIBUTE_DIRECTORY
const REPARSE_POINT: u64 = 0x400; // FILE_ATTRIBUTE_REPARSE_POINT: a link, a junction, a placeholder
const AWAY: u64 = 0x44_0000; // FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS and FILE_ATTRIBUTE_RECALL_ON_OPEN
const BACKUP_SEMANTICS: u32 = 0x0200_0000; // with which a folder can be opened
const OPEN_REPARSE_POINT: u32 = 0x0020_0000; // the link itself

pub struct Folder(PathBuf);

impl Folder {
    /// Look at a folder; its path is text, as names of Windows are.
    pub fn open(place: &[u8]) -> Option<(Self, Record)> {
        let folder = Self(std::str::from_utf8(place).ok()?.into());
        let own = looked_at(&folder.0)?;
        if own.kind == Kind::Folder { Some((folder, own)) } else { None }
    }

    /// Call `add` with each name and its kind, until it returns None.
    pub fn each(&self, mut add: impl FnMut(&[u8], Kind) -> Option<()>) -> Option<()> {
        for entry in std::fs::read_dir(&self.0).ok()? {
            let entry = entry.ok()?;
            let attributes = u64::from(entry.metadata().ok()?.file_attributes()); // of the listing: no file is opened
            add(entry.file_name().to_str()?.as_bytes(), kind(attributes))?;
        }
        Some(())
    }

    /// The record of a file.
    pub fn record(&self, name: &[u8]) -> Option<Record> {
        looked_at(&self.0.join(std::str::from_utf8(name).ok()?))
    }

    /// Read a file of at most some bytes into the memory of `buffer`.
    pub fn read(&self, name: &[u8], most: u64, buffer: Vec<u8>) -> Option<(Record, Vec<u8>)> {
        let (file, found) = self.opened(name)?;
        if found.size > most {
            return None;
        }
        let mut data = cleared(buffer, found.size);
        let count = file.take(found.size + 1).read_to_end(&mut data).ok()?;
        if count as u64 == found.size { Some((found, data)) } else { None }
    }

    /// Read the first bytes of a file.
    pub fn head(&self, name: &[u8], size: usize) -> Option<(Record, Vec<u8>)> {
        let (file, found) = self.opened(name)?;
        let mut data = Vec::with_capacity(size);
        file.take(size as u64).read_to_end(&mut data).ok()?;
        Some((found, data))
    }

    fn opened(&self, name: &[u8]) -> Option<(File, Record)> {
        let file = File::open(self.0.join(std::str::from_utf8(name).ok()?)).ok()?;
        if !typ(&file).ok()?.is_disk() {
            return None; // con.png is the console
        }
        let found = record(&information(&file).ok()?);
        if found.kind == Kind::File { Some((file, found)) } else { None }
    }
}

fn looked_at(path: &std::path::Path) -> Option<Record> {
    let flags = BACKUP_SEMANTICS | OPEN_REPARSE_POINT;
    let file = OpenOptions::new().access_mode(0).custom_flags(flags).open(path).ok()?;
    Some(record(&information(&file).ok()?))
}

fn kind(attributes: u64) -> Kind {
    if attributes & (REPARSE_POINT | AWAY) != 0 {
        Kind::Other
    } else if attributes & DIRECTORY != 0 {
        Kind::Folder
    } else {
        Kind::File
    }
}

/// Windows' time of a change of the record is not in it: `os.stat` has the time when the file was made instead.
fn record(of: &Information) -> Record {
    let modified = of.last_write_time().map_or(-EPOCH * STEP, |steps| (i128::from(steps) - EPOCH) * STEP);
    Record {
        kind: kind(of.file_attributes()),
        modified,
        changed: modified,
        size: of.file_size(),
        number: of.file_index(),
    }
}
