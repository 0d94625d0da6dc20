//! Reads an asset-db.bin with the crate unity-assetdb and prints every entry, tab-separated, names as hexadecimal
//! UTF-8 so that a line stays a line.

use std::io::{BufWriter, Write};
use std::path::Path;

use unity_assetdb::store::{self, AssetType};

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: read-asset-db FILE");
    let database = match store::read(Path::new(&path)) {
        Ok(database) => database,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for entry in &database.entries {
        let found = database.find_by_guid(entry.guid).expect("an entry is found by its GUID");
        assert_eq!(found.hint, entry.hint);
        let kind = match entry.asset_type {
            AssetType::Native(number) => format!("class\t{number}"),
            AssetType::Script(number) => format!("script\t{:032x}", database.script_guid(number)),
        };
        let (name, hint) = (hexadecimal(&entry.name), hexadecimal(&entry.hint));
        writeln!(out, "{:032x}\t{kind}\t{name}\t{hint}", entry.guid).unwrap();
        for row in &entry.sub_assets {
            writeln!(out, "\t{}\t{}\t{}", row.file_id, row.class_id, hexadecimal(&row.name)).unwrap();
        }
    }
}
