//! `unreal_peer check|disk|memory ROUNDS < files`: reads packages with the crate `uasset`.
//!
//! `check` prints "names imports exports" or "-" for each file; the others print nanoseconds and files read, per round.
//! `disk` opens files the way the crate's documentation does; `memory` gives it their bytes.

use std::fs::File;
use std::io::{self, BufRead, Cursor};
use std::panic::catch_unwind;
use std::time::Instant;

use uasset::AssetHeader;

fn main() {
    let mode = std::env::args().nth(1).expect("a mode");
    let rounds: usize = std::env::args().nth(2).expect("rounds").parse().expect("a number");
    let files: Vec<String> = io::stdin().lock().lines().map(|line| line.expect("a line")).collect();
    std::panic::set_hook(Box::new(|_| {}));
    if mode == "check" {
        for file in &files {
            let read = catch_unwind(|| {
                AssetHeader::new(File::open(file).expect("the file"))
                    .map(|header| format!("{} {} {}", header.names.len(), header.imports.len(), header.exports.len()))
            });
            println!("{}", read.ok().and_then(Result::ok).unwrap_or_else(|| "-".to_owned()));
        }
        return;
    }
    let bytes: Vec<Vec<u8>> = match mode.as_str() {
        "memory" => files.iter().map(|file| std::fs::read(file).expect("the file")).collect(),
        _ => Vec::new(),
    };
    for _ in 0..rounds {
        let mut read = 0;
        let start = Instant::now();
        if mode == "memory" {
            for data in &bytes {
                read += usize::from(AssetHeader::new(Cursor::new(data)).is_ok());
            }
        } else {
            for file in &files {
                read += usize::from(AssetHeader::new(&File::open(file).expect("the file")).is_ok());
            }
        }
        println!("{} {}", start.elapsed().as_nanos(), read);
    }
}
