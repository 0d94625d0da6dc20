//! A folder that is open, its entries and files, in the way of this system.

#[cfg(unix)]
#[path = "folder/unix.rs"]
mod system;
#[cfg(windows)]
#[path = "folder/windows.rs"]
mod system;

pub use system::Folder;

/// What a name in a folder is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    /// A link, a device, or what only a download would provide.
    Other,
}

/// What is compared of a file: times in ns since 1970, as `os.stat` of Python has them.
pub struct Record {
    pub kind: Kind,
    pub modified: i128,
    pub changed: i128,
    pub size: u64,
    pub number: u64,
}

const KEPT: usize = 1 << 20; // of the memory for a file

/// The memory for a file of some size and one byte, by which a file that grew is told.
fn cleared(mut data: Vec<u8>, size: u64) -> Vec<u8> {
    data.clear();
    data.shrink_to(KEPT);
    data.reserve_exact(size as usize + 1);
    data
}
