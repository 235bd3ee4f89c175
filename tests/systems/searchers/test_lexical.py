"""Models against bm25s and against their formulas written out; rankings, ties and blocks."""

from math import log
from pathlib import Path

import bm25s
import numpy as np
import pyarrow as pa
import pytest

import small_collection as small
from patstone.errors import DataError, UsageError
from patstone.files import ids
from patstone.gold import schemas
from patstone.gold.dataset import Dataset, open_dataset, write_documents, write_queries
from patstone.systems.searchers.formulation import Formulation, Question, questions
from patstone.systems.searchers.index import Index, build
from patstone.systems.searchers.lexical import Lexical
from patstone.systems.searchers.models import parse_model
from patstone.systems.searchers.ranking import Ranking
from patstone.systems.searchers.weights import BM25, Model

WORDS = [f"w{number}" for number in range(60)]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Ninety random texts, with words as unevenly spread as in life."""
    random, folder = np.random.default_rng(5), tmp_path_factory.mktemp("random")
    chance = 1 / np.arange(1, 61)
    texts = [" ".join(random.choice(WORDS, random.integers(3, 40), p=chance / chance.sum())) for _ in range(90)]
    documents = [{"id": f"D{place:02}", "abstract": text} for place, text in enumerate(texts)]
    write_documents(folder, small.rows(documents, schemas.DOCUMENTS))
    asked = [{"topic": f"Q{place}", "abstract": f"{text} w3 w3 unseen"} for place, text in enumerate(texts[:9])]
    write_queries(folder, small.rows(asked, schemas.QUERIES))
    return open_dataset(folder)


@pytest.fixture(scope="module")
def index(dataset: Dataset) -> Index:
    return build(dataset)


@pytest.fixture(scope="module")
def asked(dataset: Dataset, index: Index) -> list[Question]:
    return questions(dataset.queries, Formulation.parse("abstract"), index)


def texts(dataset: Dataset) -> dict[str, list[str]]:
    rows = pa.Table.from_batches(dataset.documents("id", "abstract")).to_pylist()
    return {row["id"]: row["abstract"].split() for row in rows}


def scored(index: Index, asked: list[Question], model: Model) -> list[dict[str, float]]:
    found = Lexical(index, model).scores(asked, len(asked))
    names = ids.texts(index.shelf.docs)
    return [{name: value for name, value in zip(names, row.tolist(), strict=True) if value > -np.inf} for row in found]


def test_bm25_is_that_of_bm25s(dataset: Dataset, index: Index, asked: list[Question]) -> None:
    tokens = list(texts(dataset).values())
    peer = bm25s.BM25(k1=1.2, b=0.75)
    peer.index(tokens, show_progress=False)
    queries = [row["abstract"].split() for row in dataset.queries.to_pylist()]
    for ours, query in zip(scored(index, asked, BM25()), queries, strict=True):
        theirs = dict(zip(texts(dataset), peer.get_scores([w for w in query if w != "unseen"]).tolist(), strict=True))
        assert ours == pytest.approx({name: value for name, value in theirs.items() if value > 0}, rel=1e-5)


def plain(dataset: Dataset, query: list[str], kind: str) -> dict[str, float]:
    """Each model word by word, as its formula reads."""
    docs = texts(dataset)
    everything = [word for doc in docs.values() for word in doc]
    known = [word for word in query if word in everything]
    spread = {word: sum(word in doc for doc in docs.values()) for word in everything}

    def tfidf(doc: list[str], word: str) -> float:
        return (1 + log(doc.count(word))) * log(1 + len(docs) / spread[word]) if word in doc else 0.0

    def value(doc: list[str]) -> float:
        if kind == "tfidf":
            norm = float(sum(tfidf(doc, word) ** 2 for word in set(doc)) ** 0.5)
            return sum(tfidf(doc, word) * tfidf(query, word) for word in set(known)) / norm
        if kind == "lm-dirichlet":
            seen = sum(log(1 + doc.count(w) / (50 * everything.count(w) / len(everything))) for w in known)
            return seen + len(known) * log(50 / (len(doc) + 50))
        chance = {word: everything.count(word) / len(everything) for word in known}
        return sum(log(1 + 0.4 / 0.6 * doc.count(word) / (len(doc) * chance[word])) for word in known)

    return {name: value(doc) for name, doc in docs.items() if set(doc) & set(known)}


@pytest.mark.parametrize("text", ["tfidf", "lm-dirichlet(mu=50)", "lm-jm(lambda=0.6)"])
def test_models_are_their_formulas(dataset: Dataset, index: Index, asked: list[Question], text: str) -> None:
    model = parse_model(text).lexical
    assert model is not None
    for ours, row in zip(scored(index, asked, model), dataset.queries.to_pylist(), strict=True):
        assert ours == pytest.approx(plain(dataset, row["abstract"].split(), text.partition("(")[0]), rel=1e-4)


def test_common_terms_score_as_rare_ones_do(
    index: Index, asked: list[Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_matrix = scored(index, asked, BM25())
    # With no cells to spend, every term is added posting by posting.
    monkeypatch.setattr("patstone.systems.searchers.lexical._CELLS", 0)
    for one, other in zip(as_matrix, scored(index, asked, BM25()), strict=True):
        assert one == pytest.approx(other, rel=1e-5)


def test_a_score_does_not_depend_on_the_neighbours(index: Index, asked: list[Question]) -> None:
    lexical = Lexical(index, BM25())
    together = lexical.rankings(asked, 20)
    for one, found in zip(asked, together, strict=True):
        alone = lexical.rankings([one], 20)[0]
        assert (alone.docs.tolist(), alone.scores.tolist()) == (found.docs.tolist(), found.scores.tolist())


def test_an_index_that_is_shared_is_the_same(index: Index, asked: list[Question], tmp_path: Path) -> None:
    index.save(tmp_path)
    again = Index.load(tmp_path)
    assert again.digest == index.digest
    assert scored(again, asked, BM25()) == scored(index, asked, BM25())


def test_batches_do_not_matter(dataset: Dataset, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patstone.systems.searchers.index._ROWS", 7)
    small_batches = build(dataset)
    assert small_batches.digest == index.digest
    assert list(small_batches.vocabulary.codes) != []
    for name in ("w0", "w7", "w59"):
        found = [_postings(one, name) for one in (index, small_batches)]
        assert found[0] == found[1]


def _postings(index: Index, word: str) -> dict[int, int]:
    term = index.vocabulary.codes[word]
    rows = slice(index.starts[term], index.starts[term + 1])
    return dict(zip(index.postings[rows].tolist(), index.counts[rows].tolist(), strict=True))


def test_ties_go_by_id_descending_also_at_the_edge() -> None:
    scores = np.array([1, 2, 2, 2, -np.inf, 3], dtype=np.float32)
    found = Ranking.best(scores, None, 3)
    # A lower number is a higher id.
    assert found.docs.tolist() == [5, 1, 2]
    assert Ranking.best(scores, np.array([True, False, True, True, True, False]), 9).docs.tolist() == [2, 3, 0]


def test_fusion_adds_reciprocal_ranks() -> None:
    one, other = (Ranking(np.array(docs), np.zeros(len(docs), np.float32)) for docs in ([4, 7], [7, 2, 4]))
    fused = Ranking.fused([one, other], 2)
    assert fused.docs.tolist() == [7, 4]
    assert fused.scores.tolist() == pytest.approx([1 / 62 + 1 / 61, 1 / 61 + 1 / 63])


def test_an_empty_collection_and_a_document_twice_are_refused(tmp_path: Path) -> None:
    write_queries(tmp_path, small.rows([{"topic": "Q"}], schemas.QUERIES))
    write_documents(tmp_path, [])
    with pytest.raises(DataError, match="at least one document"):
        build(open_dataset(tmp_path))
    write_documents(tmp_path, small.rows([{"id": "D"}, {"id": "D"}], schemas.DOCUMENTS))
    with pytest.raises(DataError, match=r"stands once in a collection\. Got 'D'"):
        build(open_dataset(tmp_path))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("bm26", "A model is one of bm25, tfidf"),
        ("bm25(k2=1)", r"bm25 takes b in \[0, 1\], k1 from 0\. Got 'k2=1'"),
        ("bm25(b=1.5)", "Got 'b=1.5'"),
        ("bm25(k1=x)", "Got 'k1=x'"),
        ("lm-jm(lambda=1)", r"lambda in \(0, 1\)"),
        ("tfidf(b=1)", "tfidf has no parameters"),
        ("dense", "A model is one of"),
        ("rrf(bm25)", "A model is one of"),
    ],
)
def test_wrong_models_are_named(text: str, rule: str) -> None:
    with pytest.raises(UsageError, match=rule):
        parse_model(text)


@pytest.mark.parametrize(
    "text", ["bm25(k1=0.9,b=0.4)", "rrf(tfidf+lm-jm(lambda=0.2)+dense(a:b))", "lm-dirichlet(mu=10)"]
)
def test_models_print_as_they_are_read(text: str) -> None:
    assert str(parse_model(text)) == text
    assert str(parse_model("bm25")) == "bm25(k1=1.2,b=0.75)"
