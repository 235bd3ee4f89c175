"""`patstone review`: made, told of, exported and moved on the command line; wrong calls end in one line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from console import Ran
from patstone.review.project import open_project
from patstone.review.verdicts import Said, record

Run = Callable[..., Ran]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "found.csv").write_text(
        "family,number,title\n1,US1B2,One\n1,EP1A1,Eins\n2,US2B2,Two\n", encoding="utf-8"
    )
    (tmp_path / "scope.txt").write_text("What grips belongs.\n", encoding="utf-8")
    return tmp_path


def init(patstone: Run, files: Path, *words: str) -> Ran:
    known = ("--candidates", str(files / "found.csv"), "--scope", str(files / "scope.txt"))
    return patstone("review", "init", str(files / "project"), *known, *words)


def test_a_project_from_the_command_line(patstone: Run, files: Path) -> None:
    made = init(patstone, files, "--json")
    assert made.code == 0, made.err
    assert json.loads(made.out)["counts"] == {"families": 2, "publications": 3}
    link = patstone("review", "invite", str(files / "project"), "reviewer", "--url", "https://example.org/")
    assert link.out.startswith("https://example.org/join/")
    answer = json.loads(patstone("review", "status", str(files / "project"), "--json").out)
    assert answer["results"] == []
    assert answer["counts"]["consensus"] == {"positive": 0, "negative": 0, "open": 0, "unjudged": 2}


def test_status_and_export(patstone: Run, files: Path) -> None:
    from patstone.review import people

    init(patstone, files)
    project = open_project(files / "project")
    token = people.invite(project.database, "reviewer")
    ann = people.join(project.database, token, name="Ann", password="a long password")  # noqa: S106
    record(
        project.database, ann.id, Said(request="request-1", action="verdict", family="1", verdict="positive", scope=1)
    )
    project.database.close()
    (row,) = json.loads(patstone("review", "status", str(files / "project"), "--json").out)["results"]
    assert (row["reviewer"], row["done"], row["total"], row["positive"]) == ("Ann", 1, 2, 1)
    told = patstone("review", "export", str(files / "project"), "consensus", "--to", str(files / "gold.tsv"))
    assert told.out == f"2 rows are in {files / 'gold.tsv'}\n"
    assert (files / "gold.tsv").read_text(encoding="utf-8").splitlines()[1] == "positive\t1\tUS1B2\tOne\t"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--reviews", "3"), 2, "reviews must be at least 1 and at most the number of reviewers"),
        (("--overlap", "2"), 2, "overlap must be a share in [0, 1]"),
        (("--database", "mysql://x/y"), 2, "A project is kept in SQLite or PostgreSQL"),
        (("--database", "nonsense"), 2, "A database is named like"),
        (("--columns", "title=headline"), 3, "The header has no column 'headline'"),
    ],
)
def test_wrong_calls_leave_nothing_behind(
    patstone: Run, files: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    ran = init(patstone, files, *words)
    assert ran.code == code
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not (files / "project" / "project.toml").exists()


def test_candidates_need_something_to_read(patstone: Run, files: Path) -> None:
    (files / "found.csv").write_text("family,number\n1,US1B2\n", encoding="utf-8")
    ran = init(patstone, files)
    assert (ran.code, ran.out) == (3, "")
    assert "something to read" in ran.err


def test_an_empty_scope_note_is_refused(patstone: Run, files: Path) -> None:
    (files / "scope.txt").write_text("\n", encoding="utf-8")
    ran = init(patstone, files)
    assert ran.code == 3
    assert "A review needs a scope note" in ran.err


def test_a_folder_without_a_project(patstone: Run, tmp_path: Path) -> None:
    for words in (("status",), ("export",), ("serve", "--no-browser"), ("copy", "--to", "sqlite:///x")):
        ran = patstone("review", words[0], str(tmp_path), *words[1:])
        assert ran.code == 2
        assert "There is no review in" in ran.err
