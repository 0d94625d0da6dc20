"""Projects as tables for other programs: Parquet, JSON Lines, SQLite."""
