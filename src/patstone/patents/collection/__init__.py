"""Collections: publications of any sources as the same Parquet tables, merged, keyed by integers and sorted.

`converting` runs it: each source file becomes a part (`parts`), DuckDB plans who is whom (`plan`), and the tables are
written from the parts in that order (`writing`). `collection` reads what came out.
"""
