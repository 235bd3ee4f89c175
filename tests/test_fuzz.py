"""Bad input of every kind: a result or one sentence with the right exit code, never a traceback, never 70.

Files are small and valid first, then bytes of them are flipped, cut, doubled and strange ones put in, before or after
they are compressed; options are drawn from everything the command line takes. All draws are the same in every run.
"""

import gzip
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import patstone as ps
from patstone.cli.main import main
from patstone.errors import DataError
from patstone.gold.sources import read_qrels
from patstone.systems.sources import open_run

FILES = {
    "run": b"".join(
        f"t{t} Q0 {office}{d} {d} {9 - d / 3:.4f} tag\n".encode()
        for t in range(1, 5)
        for d, office in enumerate(["EP", "US", "EP", "JP", "t"])
    ),
    "qrels": b"t1 0 EP0 1\nt1 0 US1 0\nt2 0 EP2 2\nt2 0 JP3 -1\nt3 0 t4 0\nt9 0 EP0 1\n",
    "five": b"t1 0 EP0 1 f1\nt1 0 US1 1 f1\nt2 0 EP2 2 f2\nt3 0 t4 0 f3\n",
    "diversity": b"t1 1 EP0 1\nt1 2 EP0 1\nt1 10 US1 2\nt2 1 EP2 1\nt2 2 JP3 0\n",
    "clef-ip": b"t1 1 EP0 p1\nt1 1 EP0 p2\nt1 2 US1 p1\nt2 1 EP2 p3\n",
    "dd": b"t1 t1.1 EP0 p1 1\nt1 t1.1 EP0 p2 4\nt1 t1.2 US1 p1 2\nt2 t2.1 EP2 p1 3\n",
    "csv": b"topic,doc,grade,subtopic\nt1,EP0,1,1\nt1,EP0,2,2\nt1,US1,0,1\nt2,EP2,3,1\n",
    "jsonl": b'{"topic": "t1", "doc": "EP0", "score": 2.5}\n{"topic": "t1", "doc": "US1", "score": 1}\n',
    "json": b'{"t1": {"EP0": 1, "US1": 0}, "t2": {"EP2": 2}}',
    "families": b"document,family\nEP0,f1\nUS1,f1\nt1,f1\nEP2,\n",
    "subtopics": b"topic,subtopic,independent,weight\nt1,1,yes,1\nt1,2,no,0.5\nt1,10,no,2\nt2,1,yes,1\nt2,2,no,1\n",
    "lengths": b"document,words\nEP0,100\nUS1,2000\nEP2,0\n",
    "topics": b"topic,office\nt1,EP\nt2,US\nt3,JP\nt9,EP\n",
}
GOLDS = {
    "clef-ip": ["--gold-format", "clef-ip"],
    "qrels": [],
    "five": [],
    "diversity": ["--gold-format", "diversity"],
    "dd": ["--gold-format", "dd"],
    "csv": [],
}
GOLDS |= {"json": []}
WITH_ASPECTS = ("diversity", "dd", "csv")
ENDINGS = {
    "csv": ".csv",
    "jsonl": ".jsonl",
    "json": ".json",
    "families": ".csv",
    "lengths": ".csv",
    "topics": ".csv",
    "subtopics": ".csv",
}

WRITTEN = {"@new.csv": "--out", "@new.md": "--out", "@new.parquet": "--per-topic", "@new.xlsx": "--xlsx"}

STRANGE = (
    *(
        b"\x00",
        b"\n",
        b"\r",
        b" ",
        b"\t",
        b"\x1b",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xc3",
        "é漢😀".encode(),
        b"\x85",
    ),
    *(
        b"nan",
        b"inf",
        b"-",
        b"1e999",
        b"1_0",
        b"0x1",
        b"9" * 400,
        b"1844.6744073709551616",
        b"-0",
        b"1e-400",
        b"\xc2\xb2",
    ),
    *(
        b",",
        b'"',
        b"'",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"null",
        b"\\ud83d",
        b"x" * 3000,
        b"\n\n\n",
        b"\x1f\x8b",
        b" 7 7",
    ),
)
ENOUGH = settings(max_examples=250, derandomize=True, deadline=None, database=None)

edits = st.lists(
    st.tuples(
        st.sampled_from(("flip", "insert", "delete", "double", "cut")),
        st.integers(0, 4000),
        st.integers(0, 255),
        st.sampled_from(STRANGE),
    ),
    max_size=4,
)


def edited(raw: bytes, changes: Sequence[tuple[str, int, int, bytes]]) -> bytes:
    for kind, where, number, strange in changes:
        place = where % (len(raw) + 1)
        if kind == "flip":
            raw = raw[:place] + bytes([number]) + raw[place + 1 :]
        elif kind == "insert":
            raw = raw[:place] + strange + raw[place:]
        elif kind == "delete":
            raw = raw[:place] + raw[place + number % 20 :]
        elif kind == "double":
            lines = raw.splitlines(keepends=True)
            raw = b"".join(lines[: number % 9]) + raw
        else:
            raw = raw[:place]
    return raw


def zstd(raw: bytes) -> bytes:
    return bytes(pa.Codec("zstd").compress(raw, asbytes=True))


PACKED: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd}


@st.composite
def sources(draw: st.DrawFn, name: str) -> bytes:
    """One file, changed before or after it is compressed; mostly it is neither compressed nor changed."""
    raw = edited(FILES[name], draw(st.just([]) | edits))
    packed = PACKED[draw(st.sampled_from(("plain", "plain", *PACKED)))](raw)
    return edited(packed, draw(edits)) if packed is not raw and draw(st.booleans()) else packed


PLAIN = "nDCG@10 AP P@2 RR(rel=2) Bpref Judged@3 F RBP ERR@5 PRES S@3 H@3 MP@2 MR@2 P@999999999999999999 map_cut_3 R@1"
TIMED = "TBG nDCG(gains=exp) TBG(h=1)@3"
ASPECTS = "alpha_nDCG@5 ERR_IA@5 I_rec@3 nERR_IA@5 D_nDCG@5 CT@5 CT(time=reading)@3 ACT@3 CT(importance=claims)@5"
ODD_MEASURES = ("P(rel=nan)@1", "P(rel=1e999)@2", "CT(gamma=", "AP()", "P@" + "9" * 30, "", "nDCG(gains=)", "RBP(p=1)")
FINE = {
    "--ties": ("docid", "input", "expected"),
    "--missing": ("zero", "skip", "error"),
    "--norel": ("zero", "skip"),
    "--duplicates": ("error", "first", "first"),
    "--self": ("family", "document", "keep"),
    "--scores": ("float64", "float32"),
    "--rel": ("1", "2", "-1", "0.5", "1e308"),
    "--depth": ("1", "3", "9" * 30),
    "--offices": ("EP", "US", "ep"),
    "--ci": ("none", "bca", "t"),
    "--seed": ("0", "1", "9" * 30),
}
ODD = {
    "--ties": ("none", ""),
    "--rel": ("nan", "inf", "x", "9" * 400),
    "--depth": ("0", "-1", "1.5", "x", "1e3"),
    "--offices": ("EPO", "é", ""),
    "--seed": ("-1", "x"),
    "--columns": ("doc=doc", "score=words", "x=y", "=", "run.doc=doc"),
    "--gold-format": ("trec", "diversity", "dd", "csv", "beir", "xlsx", "no"),
    "--run-format": ("trec", "csv", "jsonl", "parquet", "xlsx", "no"),
    "--no-such": ("", "x"),
    "-m": ODD_MEASURES,
}
FORMATS = ("", "", "--json", "--csv", "--jsonl", "--latex", "--markdown", "--by-topic", "--quiet")


def worded(table: Mapping[str, Sequence[str]]) -> st.SearchStrategy[tuple[str, str]]:
    return st.sampled_from([(name, value) for name, values in table.items() for value in values])


@st.composite
def options(draw: st.DrawFn, *, aspects: bool = False, beside: bool = False) -> list[str]:
    """Mostly a call that can be answered."""
    named = dict(draw(st.lists(worded(FINE), max_size=4))) | dict(
        [draw(worded(ODD))] if draw(st.integers(0, 9)) == 0 else []
    )
    words = [word for pair in named.items() for word in pair]
    words += [word for word in [draw(st.sampled_from(FORMATS))] if word]
    if beside and draw(st.integers(0, 5)) == 0:
        place, option = draw(st.sampled_from(list(WRITTEN.items())))
        words += [option, place]
    known = [
        *PLAIN.split(),
        *([] if named.get("--ties") == "expected" else [*TIMED.split(), *(ASPECTS.split() * aspects)]),
    ]
    measures = draw(st.lists(st.sampled_from(known), max_size=4))
    return words + (["-m", *measures] if measures else [])


def run(argv: Sequence[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(list(argv))
    return code, out.getvalue(), err.getvalue()


def check(argv: Sequence[str], files: Mapping[str, bytes]) -> int:
    """Run a command on files, whose names stand for their paths in `argv`."""
    with TemporaryDirectory() as folder:
        paths = {name: str(Path(folder) / f"{name}{ENDINGS.get(name, '')}") for name in files}
        for name, raw in files.items():
            Path(paths[name]).write_bytes(raw)
        written = {Path(folder) / word[1:] for word in argv if word in WRITTEN}
        before = set(Path(folder).iterdir())
        places = {f"@{name}": path for name, path in paths.items()} | {word: f"{folder}/{word[1:]}" for word in WRITTEN}
        code, out, err = run([places.get(word, word) for word in argv])
        assert code in range(5), err
        assert "Traceback" not in err
        if code:
            assert out == ""
            assert err.startswith("patstone: error: ")
            assert err.count("\n") == 1
        assert set(Path(folder).iterdir()) == (before if code else before | written)
    return code


everything = st.data()


@ENOUGH
@given(everything)
def test_score(data: st.DataObject) -> None:
    gold = data.draw(st.sampled_from(list(GOLDS)), "gold")
    answers = data.draw(st.sampled_from(("run", "run", "run", "jsonl")), "answers")
    beside = data.draw(
        st.lists(st.sampled_from(("families", "lengths", "topics", "subtopics")), max_size=2, unique=True), "beside"
    )
    files = {name: data.draw(sources(name), name) for name in (gold, answers, *beside)}
    words = [*GOLDS[gold], *(word for name in beside for word in (f"--{name}", f"@{name}"))]
    drawn = data.draw(options(aspects=gold in WITH_ASPECTS, beside=True), "options")
    check(["score", f"@{gold}", f"@{answers}", *words, *drawn], files)


TESTS = ("--test t", "--test tukey", "--discriminative", "--baseline run", "--baseline nobody", "--resamples 0", "")


@settings(ENOUGH, max_examples=60)
@given(everything)
def test_compare(data: st.DataObject) -> None:
    gold = data.draw(st.sampled_from(list(GOLDS)), "gold")
    files = {
        gold: data.draw(sources(gold), "gold file"),
        "run": FILES["run"],
        "other": data.draw(sources("run"), "run"),
    }
    words = [*GOLDS[gold], *data.draw(st.sampled_from(TESTS)).split()]
    if not words or words[-1] != "--discriminative":
        words += ["--permutations", "50"]
    drawn = [word for word in data.draw(options(aspects=gold in WITH_ASPECTS), "options") if word != "--by-topic"]
    for word in ("--ci", "--resamples"):
        if word in drawn:
            del drawn[drawn.index(word) : drawn.index(word) + 2]
    check(["compare", f"@{gold}", "@run", "@other", *words, *drawn], files)


@ENOUGH
@given(everything)
def test_reading_through_the_api(data: st.DataObject) -> None:
    """What can be read gives finite scores or a refusal; what can't is refused by its path."""
    gold = data.draw(st.sampled_from(("qrels", "five", "diversity", "dd", "csv", "json")), "gold")
    with TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"{name}{ENDINGS.get(name, '')}" for name in (gold, "run")}
        for name, path in paths.items():
            path.write_bytes(data.draw(sources(name), name))
        layout = gold if gold in ("diversity", "dd") else None
        try:
            judged = read_qrels(paths[gold], format=layout)
            scores = ps.score(judged, open_run(paths["run"]), ["AP", "nDCG@3", "RR"], ties="input", missing="skip")
        except DataError:
            return
    assert ((scores.values >= 0) & (scores.values <= 1) | (scores.values != scores.values)).all()
    assert len(judged.digest) == 12


@settings(ENOUGH, max_examples=300)
@given(
    command=st.sampled_from(("score", "compare", "measures", "help", "")),
    words=st.lists(
        st.sampled_from(
            ("@run", "@run", "@qrels", "@qrels", "-", "--", "", "=", "--help", "-m", "AP", "-h", "-x", *FORMATS)
        )
        | st.sampled_from([*FINE, *ODD, *(value for pairs in (FINE, ODD) for many in pairs.values() for value in many)])
        | st.text(st.characters(codec="utf-8"), max_size=6),
        max_size=6,
    ),
)
def test_any_words(command: str, words: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(FILES["run"])))
        code, _, err = run_with_files([*([command] if command else []), *words])
    assert code in range(5), err


def run_with_files(words: Sequence[str]) -> tuple[int, str, str]:
    with TemporaryDirectory() as folder:
        for name in ("run", "qrels"):
            (Path(folder) / name).write_bytes(FILES[name])
        # No word may be taken for a place to write to.
        safe = [word for word in words if word not in ("--out", "--report", "--per-topic", "--xlsx")]
        return run([f"{folder}/{word[1:]}" if word in ("@run", "@qrels") else word for word in safe])


def test_the_files_are_good_before_they_are_changed() -> None:
    for gold, words in GOLDS.items():
        assert check(["score", f"@{gold}", "@run", *words, "-m", "AP"], {gold: FILES[gold], "run": FILES["run"]}) == 0
    for name, pack in PACKED.items():
        files = {"qrels": pack(FILES["qrels"]), "run": pack(FILES["run"])}
        assert check(["score", "@qrels", "@run", "--json"], files) == 0, name
    beside = {name: FILES[name] for name in ("families", "lengths", "topics", "qrels", "run")}
    words = ["--families", "@families", "--lengths", "@lengths", "--topics", "@topics", "--slice", "office"]
    assert (
        check(["score", "@qrels", "@run", *words, "-m", "TBG", "--out", "@new.csv", "--xlsx", "@new.xlsx"], beside) == 0
    )
    claims = {name: FILES[name] for name in ("diversity", "subtopics", "run")}
    words = ["--gold-format", "diversity", "--subtopics", "@subtopics"]
    assert check(["score", "@diversity", "@run", *words, "-m", "CT(importance=claims)@5"], claims) == 0
