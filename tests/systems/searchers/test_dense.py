"""Any encoder can rank."""

from pathlib import Path

import numpy as np
import pytest

import small_collection as small
from letters import Broken, Letters
from patstone.errors import DataError, MissingExtra, UsageError
from patstone.files.ids import texts
from patstone.systems.searchers.dense import open_encoder
from patstone.systems.searchers.formulation import Formulation
from patstone.systems.searchers.index import build
from patstone.systems.searchers.models import parse_model
from patstone.systems.searchers.search import Search


def test_documents_go_by_the_cosine(tmp_path: Path) -> None:
    dataset = small.write(tmp_path / "small")
    search = Search(model=parse_model("dense(letters:Letters)"), query=Formulation.parse("abstract"), k=3)
    run = search.run(dataset, build(dataset))
    found = dict(zip(texts(run.docs[:3]), run.scores[:3].tolist(), strict=True))
    encoder = Letters()
    query = encoder.encode(["A battery has a separator and a valve."])[0]
    for name, value in found.items():
        one = next(row for row in small.DOCUMENTS if row["id"] == name)
        vector = encoder.encode([f"{one['title']} {one['abstract']}"])[0]
        cosine = query @ vector / (np.linalg.norm(query) * np.linalg.norm(vector))
        assert value == pytest.approx(cosine, rel=1e-5)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    # What is too late and what is its own stays out here too.
    assert not {"US5B2", "US6B2", "US7B2"} & set(found)


def test_dense_and_lexical_models_can_be_fused(tmp_path: Path) -> None:
    dataset = small.write(tmp_path / "small")
    search = Search(model=parse_model("rrf(bm25+dense(letters:Letters))"), query=Formulation.parse("claims"), k=2)
    run = search.run(dataset, build(dataset))
    assert run.starts.tolist() == [0, 2, 4]
    assert run.scores.max() <= 2 / 61 + 1e-6


def test_encoders_that_can_not_be_used(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be loaded"):
        open_encoder("no_such_module:X")
    with pytest.raises(UsageError, match="can't be loaded"):
        open_encoder("letters:Missing")
    with pytest.raises(MissingExtra, match=r"pip install 'patstone\[dense\]'"):
        open_encoder("some/model")
    dataset = small.write(tmp_path / "small")
    search = Search(model=parse_model(f"dense(letters:{Broken.__name__})"), query=Formulation.parse("claims"))
    with pytest.raises(DataError, match="a row of finite numbers for each text"):
        search.run(dataset, build(dataset))


def test_a_dense_model_can_not_choose_terms() -> None:
    with pytest.raises(UsageError, match="reads whole texts"):
        Search(model=parse_model("dense(letters:Letters)"), query=Formulation.parse("claims,nouns"))
