import json

from patstone.report.payload import payload
from patstone.report.signature import Signature
from patstone.report.views import by_topic_table, scores_table
from report.samples import three


def test_the_shape_that_scripts_rely_on() -> None:
    scores = three()
    found = payload([scores_table(scores)], scores=scores, seed=1)
    assert list(found) == ["signature", "results", "counts", "warnings"]
    assert list(found["results"][0]) == ["system", "measure", "value", "ci", "topics"]
    assert found["counts"] == {"bm25": {"missing_topics": 3, "tied": 0}, "dense": {"tied": 1}, "empty": {"tied": 2}}
    assert found["warnings"][0] == "bm25: 3 of 4 judged topics are not in the run; each counts as 0 (missing=zero)."
    assert {measure: Signature.parse(text).seed for measure, text in found["signature"].items()} == {
        "nDCG@10": 1,
        "AP": 1,
    }


def test_it_is_strict_json() -> None:
    scores = three()
    text = json.dumps(payload([scores_table(scores), by_topic_table(scores)], scores=scores), allow_nan=False)
    rows = json.loads(text)["results"]
    assert len(rows) == 6 + 24
    assert [row["value"] for row in rows if row["system"] == "empty" and row["measure"] == "AP"] == [None] * 5
