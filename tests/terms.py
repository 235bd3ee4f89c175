"""Rankings of classes: a small scheme from pairs, and what the kernels see of whole rankings."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from patstone.files import ids
from patstone.measures.labelled import Labelled
from patstone.measures.ranked import Ranked
from patstone.measures.vocabulary import Vocabulary
from patstone.patents.schemes.scheme import Scheme
from patstone.patents.schemes.sources import read_scheme


def scheme_of(pairs: str) -> Scheme:
    """From `A:root B:root A1:A`; a term with several parents has several pairs."""
    rows = [pair.replace(":", ",") for pair in pairs.split()]
    with TemporaryDirectory() as folder:
        path = Path(folder, "tree.csv")
        path.write_text("\n".join(["child,parent", *rows, ""]))
        return read_scheme(path)


def with_terms(
    ranked: Ranked,
    answers: Mapping[str, Mapping[str, float]],
    vocabulary: Vocabulary,
    *,
    assigned: Collection[str] | None = None,
) -> Ranked:
    """Add the whole rankings as terms: by score descending, then name descending."""
    lists = [
        sorted(answers.get(topic, {}), key=lambda doc: (answers[topic][doc], doc), reverse=True)
        for topic in ranked.gold.topics
    ]
    docs = [doc for each in lists for doc in each]
    tree = np.zeros(len(docs), dtype=np.int64)
    labelled = Labelled(
        vocabulary=vocabulary,
        tree=vocabulary.trees(ranked.gold.topics),
        starts=np.cumsum([0, *map(len, lists)]),
        term=vocabulary.numbers(ids.pack(docs), tree),
        gold=vocabulary.numbers(ranked.gold.docs, np.zeros(len(ranked.gold), dtype=np.int64)),
        assigned=None if assigned is None else np.array([doc in assigned for doc in docs]),
    )
    if assigned is None:
        return replace(ranked, labelled=labelled)
    return replace(
        ranked,
        labelled=labelled,
        assigned=np.array([doc in assigned for doc in ids.texts(ranked.gold.docs[ranked.row])], dtype=np.bool_),
        set_size=np.array([sum(doc in assigned for doc in each) for each in lists], dtype=np.int64),
    )
