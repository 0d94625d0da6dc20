"""IoStore containers (.utoc and .ucas), versions 1 to 10.

The pieces, each usable alone:

    toc              a .utoc: header and columns (ids, offsets, lengths, blocks, hashes)
    chunk_types      chunk ids and both numberings of chunk types
    perfect_hash     chunk id -> index as the engine looks it up
    directory_index  file name <-> chunk, cycles refused
    container        chunk -> bytes: partitions, decryption, decompression
    container_header packages of a container, who imports whom, redirects, soft references
    name_batch       serialized names and references to them
    object_index     FPackageObjectIndex and the hashes in it
    zen_package      the package format inside containers
    script_objects   names of the engine's own classes, from the ``global`` container
    import_names     names of a package's imports and classes
    package_names    package names from file names, proved by their hash
    package_graph    many containers joined: names, dependencies, usages
    verify           everything that a container says about itself, checked
"""
