//! Folders by descriptors: names are looked up in the open folder, and links are not followed.

use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, statat};

use super::{Kind, Record, cleared};

const SECOND: i128 = 1_000_000_000;

pub struct Folder(OwnedFd);

impl Folder {
    /// Open a folder.
    pub fn open(place: &[u8]) -> Option<(Self, Record)> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = openat(CWD, place, flags, Mode::empty()).ok()?;
        let own = record(&fstat(&folder).ok()?);
        Some((Self(folder), own))
    }

    /// Call `add` with each name and its kind, until it returns None.
    pub fn each(&self, mut add: impl FnMut(&[u8], Kind) -> Option<()>) -> Option<()> {
        for entry in Dir::read_from(&self.0).ok()? {
            let entry = entry.ok()?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                add(name, kind(entry.file_type()))?;
            }
        }
        Some(())
    }

    /// The record of a file.
    pub fn record(&self, name: &[u8]) -> Option<Record> {
        Some(record(&statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).ok()?))
    }

    /// Read a file of at most some bytes into the memory of `buffer`.
    pub fn read(&self, name: &[u8], most: u64, buffer: Vec<u8>) -> Option<(Record, Vec<u8>)> {
        let (file, found) = self.opened(name)?;
        if found.size > most {
            return None;
        }
        let mut data = cleared(buffer, found.size);
        let count = rustix::io::read(&file, rustix::buffer::spare_capacity(&mut data)).ok()?;
        if count as u64 == found.size { Some((found, data)) } else { None }
    }

    /// Read the first bytes of a file.
    pub fn head(&self, name: &[u8], size: usize) -> Option<(Record, Vec<u8>)> {
        let (file, found) = self.opened(name)?;
        let mut data = Vec::with_capacity(size);
        rustix::io::read(&file, rustix::buffer::spare_capacity(&mut data)).ok()?;
        Some((found, data))
    }

    fn opened(&self, name: &[u8]) -> Option<(OwnedFd, Record)> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.0, name, flags, Mode::empty()).ok()?;
        let found = record(&fstat(&file).ok()?);
        if found.kind == Kind::File { Some((file, found)) } else { None }
    }
}

fn kind(of: FileType) -> Kind {
    match of {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        _ => Kind::Other,
    }
}

#[allow(clippy::unnecessary_cast)] // the fields are of other types on other systems
fn record(status: &Stat) -> Record {
    Record {
        kind: kind(FileType::from_raw_mode(status.st_mode)),
        modified: i128::from(status.st_mtime) * SECOND + status.st_mtime_nsec as i128,
        changed: i128::from(status.st_ctime) * SECOND + status.st_ctime_nsec as i128,
        size: status.st_size as u64,
        number: status.st_ino as u64,
    }
}
