"""Judges as a user brings them: by name, by group, as a program, as an endpoint, as a plug-in; and what they owe."""

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shlex import quote
from sys import executable
from typing import Any

import numpy as np
import pytest

from patstone.errors import DataError, MissingExtra, UsageError
from patstone.gold.preference_files import read_preferences
from patstone.gold.preferences import Preferences
from patstone.systems.judges import outside, registry
from patstone.systems.judges.judge import judged
from patstone.systems.judges.registry import find_judge, find_judges

ITEMS = [
    {"gold": "g one", "A": "g one", "B": "x", "clarity": 1},
    {"gold": "g one", "A": "x", "B": "y y", "clarity": 0},
    {"gold": "g two", "A": "x", "B": "g one", "clarity": -1},
]


@pytest.fixture
def items(tmp_path: Path) -> Preferences:
    path = tmp_path / "items.json"
    path.write_text(json.dumps(ITEMS))
    return read_preferences(path)


@dataclass
class Length:
    """A judge that keeps what it was asked."""

    name: str = "length"
    signature: str = "length"
    criteria: tuple[str, ...] = ()
    needs_gold: bool = False
    answer: Any = None
    asked: list[tuple[str, str]] = field(default_factory=list)

    def score(self, gold_claims: Sequence[str], candidate_claims: Sequence[str]) -> Any:
        self.asked += zip(gold_claims, candidate_claims, strict=True)
        return [len(text) for text in candidate_claims] if self.answer is None else self.answer


def test_a_candidate_is_asked_about_once(items: Preferences) -> None:
    judge = Length()
    marks = judged(judge, items)
    assert len(judge.asked) == len(set(judge.asked)) == 5
    assert marks.a[:, 0].tolist() == [5, 1, 1]
    assert marks.b[:, 0].tolist() == [1, 3, 5]
    assert marks.criteria == ("overall",)
    difference = marks.difference("clarity")
    assert difference is not None
    assert difference.tolist() == [4, -2, -4]


def test_a_judge_of_some_criteria_is_silent_about_others(items: Preferences) -> None:
    marks = judged(Length(criteria=("clarity",)), items)
    assert marks.difference("linkage") is None


@pytest.mark.parametrize("answer", [[1, 2], "x", [[1, 2]] * 5, [np.inf] * 5])
def test_a_judge_must_answer_with_a_number_each(items: Preferences, answer: Any) -> None:
    with pytest.raises(UsageError, match="Judge 'length' must give"):
        judged(Length(answer=answer), items)


def test_a_judge_that_needs_a_gold_says_so(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text('[{"A": "x", "B": "y"}]')
    with pytest.raises(DataError, match="needs a gold claim set"):
        judged(Length(needs_gold=True), read_preferences(path))


def test_names_are_read_loosely_and_groups_in_full() -> None:
    assert find_judge("rouge_l").name == find_judge("ROUGE-L").name == "ROUGE-L"
    judges, notes = find_judges(["lexical", "edit"])
    assert [judge.name for judge in judges] == list(registry.LEXICAL)
    assert notes == []
    with pytest.raises(UsageError, match="Unknown judge 'blue'"):
        find_judge("blue")


def test_a_missing_extra_is_an_error_by_name_and_a_note_in_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise MissingExtra("claims", "Judge 'BLEU'")

    monkeypatch.setitem(registry.JUDGES, "BLEU", missing)
    with pytest.raises(MissingExtra):
        find_judges(["BLEU"])
    judges, notes = find_judges(["lexical"])
    assert "BLEU" not in [judge.name for judge in judges]
    assert notes == ["BLEU is left out: Judge 'BLEU' needs an extra: pip install 'patstone[claims]'"]


PROGRAMS = {
    "longer": "{'a': len(q['a']), 'b': len(q['b'])} if 'a' in q else {'score': len(q['candidate'])}",
    "first": "{'preference': 1} if 'a' in q else {'score': 0}",
}


def program(folder: Path, answer: str) -> str:
    path = folder / "judge.py"
    path.write_text(
        f"import sys, json\nfor line in sys.stdin:\n    q = json.loads(line)\n    print(json.dumps({answer}))\n"
    )
    return f"command:{quote(executable)} {quote(str(path))}"


def test_a_program_is_asked_in_both_orders(items: Preferences, tmp_path: Path) -> None:
    marks = judged(find_judge(program(tmp_path, PROGRAMS["longer"])), items)
    assert (marks.a - marks.b)[:, 0].tolist() == [4, -2, -4]
    assert marks.counts["order_dependent"] == 0


def test_the_bias_of_a_judge_who_likes_the_first_is_told_and_cancels(items: Preferences, tmp_path: Path) -> None:
    marks = judged(find_judge(program(tmp_path, PROGRAMS["first"])), items)
    assert (marks.a - marks.b)[:, 0].tolist() == [0, 0, 0]
    assert marks.counts == {"order_dependent": 1, "first_wins": 1, "second_wins": 0}
    assert "100.0% of verdicts depend on the order" in marks.notes[0]


def test_a_program_scores_single_candidates(tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text('[{"gold": "g", "candidate": "xyz"}]')
    marks = judged(find_judge(program(tmp_path, PROGRAMS["longer"])), read_preferences(path))
    assert marks.a.tolist() == [[3]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no-such-program", "can't be started"),
        (f"{quote(executable)} -c 'raise SystemExit(3)'", "exit code 3"),
        (f"{quote(executable)} -c 'print(1)'", "must be a JSON object"),
        (f"{quote(executable)} -c pass", "one answer for each of 6 questions"),
        (f"{quote(executable)} -c 'for _ in range(6): print(chr(123) + chr(125))'", "a number under 'a'"),
    ],
)
def test_a_program_that_fails_is_one_error(items: Preferences, line: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        judged(find_judge(f"command:{line}"), items)


class _Endpoint(BaseHTTPRequestHandler):
    fails = 0

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if type(self).fails:
            type(self).fails -= 1
            self.send_error(503)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({key: len(question[key]) for key in ("a", "b")}).encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        """Keep quiet."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_endpoint_is_asked_again_when_it_is_busy(
    items: Preferences, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    _Endpoint.fails = 2
    marks = judged(find_judge(endpoint), items)
    assert (marks.a - marks.b)[:, 0].tolist() == [4, -2, -4]


def test_an_endpoint_that_is_not_there_is_one_error(items: Preferences, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with pytest.raises(DataError, match="did not answer"):
        judged(outside.http("http://127.0.0.1:9"), items)
