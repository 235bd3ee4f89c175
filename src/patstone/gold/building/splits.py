"""Train, dev and test, 80, 10 and 10 in a hundred topics, such that no invention is on two sides.

By family, topics that share an invention, directly or through others, go together; which way is told by a hash of the
first of them, and a component larger than a tenth of all topics goes to train. By time, the latest topics are test;
a topic that shares an invention with a later side is in no split, and is counted.
"""

from hashlib import md5
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from patstone.gold.building.selection import Selection
from patstone.patents.components import components

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SHARES = (("train", 0.8), ("dev", 0.9), ("test", 1.0))


def part(connection: "DuckDBPyConnection", selection: Selection) -> dict[str, int]:
    """Fill in `split` of the chosen topics; tells how many are where."""
    if selection.split == "none":
        return {}
    connection.execute(
        "CREATE TABLE touches AS SELECT citing, family FROM relevant UNION SELECT doc, family FROM chosen"
    )
    counts = _by_time(connection) if selection.split == "time" else _by_family(connection, selection.seed)
    found = connection.execute("SELECT coalesce(split, 'in no split'), count(*) FROM chosen GROUP BY 1 ORDER BY 1")
    return {**counts, **{f"topics: {name}": count for name, count in found.fetchall()}}


def _by_time(connection: "DuckDBPyConnection") -> dict[str, int]:
    # Topics of one date stay together: the rank is that of the date.
    connection.execute("""
        CREATE TABLE sides AS SELECT doc, CASE WHEN place <= 0.8 THEN 0 WHEN place <= 0.9 THEN 1 ELSE 2 END AS side
        FROM (SELECT t.doc, cume_dist() OVER (ORDER BY coalesce(d.date, '')) AS place
          FROM chosen t JOIN documents d USING (doc))""")
    connection.execute("""
        CREATE TABLE leaking AS SELECT DISTINCT citing AS doc FROM touches t JOIN sides s ON s.doc = t.citing
        JOIN (SELECT family, max(side) AS last FROM touches JOIN sides ON doc = citing GROUP BY family) USING (family)
        WHERE side < last""")
    connection.execute("""
        UPDATE chosen SET split = CASE side WHEN 0 THEN 'train' WHEN 1 THEN 'dev' ELSE 'test' END
        FROM sides WHERE sides.doc = chosen.doc AND chosen.doc NOT IN (SELECT doc FROM leaking)""")
    return {}


def _by_family(connection: "DuckDBPyConnection", seed: int) -> dict[str, int]:
    topics = connection.sql("SELECT doc, number FROM chosen ORDER BY doc").to_arrow_table()
    docs = topics.column("doc").to_numpy()
    links = connection.sql("SELECT citing, family FROM touches ORDER BY citing, family").to_arrow_table()
    families, place = np.unique(links.column("family").to_numpy(), return_inverse=True)
    ends = np.searchsorted(docs, links.column("citing").to_numpy()).astype(np.int32)
    first = components(len(docs) + len(families), [(ends, (len(docs) + place).astype(np.int32))])[: len(docs)]
    sizes = np.bincount(first, minlength=len(docs))
    numbers = topics.column("number").to_pylist()
    named = {
        root: "train" if sizes[root] * 10 > len(docs) else _side(seed, numbers[root])
        for root in np.unique(first).tolist()
    }
    made = pa.table({"doc": docs, "side": [named[root] for root in first.tolist()]})
    connection.register("sides", made)
    connection.execute("UPDATE chosen SET split = side FROM sides WHERE sides.doc = chosen.doc")
    return {"components of families": len(named), "topics in the largest component": int(sizes.max())}


def _side(seed: int, number: str) -> str:
    share = int(md5(f"{seed}{number}".encode(), usedforsecurity=False).hexdigest()[:8], 16) / 2**32
    return next(name for name, end in _SHARES if share < end)
