//! Loads every bundle that a line of standard input names and prints how many files, objects and bytes they have.

use std::io::BufRead;

use unity_asset_binary::bundle::load_bundle_from_memory;

fn main() {
    let (mut files, mut objects, mut bytes) = (0usize, 0usize, 0u64);
    for line in std::io::stdin().lock().lines() {
        let path = line.expect("a line of UTF-8");
        let data = std::fs::read(&path).expect("a file that can be read");
        let bundle = load_bundle_from_memory(data).unwrap_or_else(|error| panic!("{path}: {error}"));
        for file in &bundle.assets {
            files += 1;
            objects += file.objects.len();
            bytes += file.objects.iter().map(|object| u64::from(object.byte_size)).sum::<u64>();
        }
    }
    println!("{files} {objects} {bytes}");
}
