"""Archives of files: UnityFS, its predecessors and data of web players."""
