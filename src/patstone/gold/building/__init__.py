"""Building a prior-art test collection from the citations of a collection of patents.

`selection` says what is asked for, `stages` finds the clusters in DuckDB, `splits` parts them without a leak, `texts`
brings the documents' texts, and `build` writes the folder that `patstone.gold.dataset` reads.
"""
