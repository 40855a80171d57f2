"""DuckDB, LanceDB, Kuzu, the corpus folder and generations; every statement and path stands here."""
