"""Whatever is typed or fed in: an exit code of the list, at most one line of error, never a traceback.

The exit code 70 means a bug of ours, so it counts as a failure here.
"""

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from console import GOOD, POOR, QRELS
from patstone.cli.main import main
from patstone.cli.words import WORDS, repetitions
from patstone.measures.measure import registry

ALLOWED = {0, 1, 2, 3, 4}
CALM = settings(
    max_examples=120, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)

NUMBERS = ["0", "1", "-1", "0.5", "2", "1e400", "nan", "-inf", "99999999999999999999", "x", "", "½"]
NAMES = ["", "-", ".", "/dev/null", "no such", "\x00", "é\u202e", "a" * 300, "{folder}/gold", "{folder}/good"]
CHOICES = sorted({choice for word in WORDS.values() for choice in word.choices})
OUTPUTS = ("out", "per_topic", "xlsx", "report")


def values(name: str) -> st.SearchStrategy[list[str]]:
    word = WORDS[name]
    if word.switch:
        return st.just([])
    if name in OUTPUTS:
        # Written files stay in the folder of the example.
        return st.sampled_from([["{folder}/new"], ["{folder}/no/new"], ["{folder}"], ["{folder}/gold"], ["\x00"]])
    if name == "measures":
        return st.lists(measure(), max_size=3)
    if word.choices:
        return st.sampled_from([*word.choices, *CHOICES]).map(lambda choice: [choice])
    if word.kind in (int, float, repetitions):
        return st.sampled_from(NUMBERS).map(lambda number: [number])
    return st.one_of(st.sampled_from(NAMES), st.text(max_size=8)).map(lambda text: [text])


def measure() -> st.SearchStrategy[str]:
    name = st.one_of(st.sampled_from(sorted(registry())), st.text(max_size=5))
    parameter = st.sampled_from(["", "(rel=2)", "(gamma=0.3)", "(gains=exp)", "(rel=)", "((", "(importance=claims)"])
    cutoff = st.sampled_from(["", "@1", "@10", "@0", "@-1", "@999999999999999999", "@x"])
    return st.builds("{}{}{}".format, name, parameter, cutoff)


OPTION = st.sampled_from([name for name in WORDS if " " not in name and name not in ("gold", "runs", "name")]).flatmap(
    lambda name: values(name).map(lambda given_: ["--" + name.replace("_", "-"), *given_])
)
FILES = ["{folder}/gold", "{folder}/good", "{folder}/poor", "-", "no such", ""]


@CALM
@given(
    command=st.sampled_from(["score", "compare"]),
    sources=st.lists(st.sampled_from(FILES), min_size=0, max_size=4),
    options=st.lists(OPTION, max_size=4),
    proper=st.booleans(),
)
def test_any_words(command: str, sources: list[str], options: list[list[str]], proper: bool) -> None:
    files = FILES[:3] if proper else sources
    check([command, *files, *(word for option in options for word in option)], QRELS.encode(), GOOD.encode())


@CALM
@given(
    words=st.lists(
        st.one_of(st.text(max_size=6), st.sampled_from(["measures", "--json", "-m", "help", "--"])), max_size=5
    )
)
def test_any_words_at_all(words: list[str]) -> None:
    if words[:1] != ["demo"]:
        check(words, QRELS.encode(), GOOD.encode())


@st.composite
def mutated(draw: st.DrawFn, text: str) -> bytes:
    """A good file with some pieces cut out, doubled, or replaced."""
    data = bytearray(text.encode())
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        piece = draw(st.one_of(st.binary(max_size=6), st.sampled_from(PIECES)))
        data[start:end] = draw(st.sampled_from([b"", piece, bytes(data[start:end]) * 2]))
    return bytes(data)


PIECES = [
    b"\n",
    b"\t",
    b"\r\n",
    b" ",
    b"\x00",
    b"\xff",
    b"nan",
    b"inf",
    b"-1e999",
    b"1e308",
    b"\xef\xbb\xbf",
    b"\x1f\x8b",
    b",",
]


@CALM
@given(
    gold=mutated(QRELS),
    run=mutated(GOOD),
    style=st.sampled_from(["--json", "--csv", "--by-topic", "--duplicates=first"]),
)
def test_any_bytes(gold: bytes, run: bytes, style: str) -> None:
    check(["score", "{folder}/gold", "{folder}/good", "-m", "nDCG@10", "AP", "ERR@5", "PRES@10", style], gold, run)


def check(words: list[str], gold: bytes, run: bytes) -> None:
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        for name, data in (("gold", gold), ("good", run), ("poor", POOR.encode())):
            Path(folder, name).write_bytes(data)
        original, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(gold))
        try:
            code = main([word.replace("{folder}", folder) for word in words])
        finally:
            sys.stdin = original
    assert code in ALLOWED, (words, err.getvalue())
    assert "Traceback" not in err.getvalue()
    if code:
        assert out.getvalue() == ""
        assert err.getvalue().startswith(("patstone: error: ", "usage: "))
