"""The house's own limits on size, silence and layout; `make check` has the tools, these are the rules no tool has."""

import ast
import io
import statistics
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

import patstone

ROOT = Path(__file__).parent.parent
LONGEST_FILE, LONGEST_FUNCTION = 500, 60
SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def notes(self) -> list[ast.Expr]:
        """Texts that stand as statements: docstrings, and what is said under a field."""
        bodies = [node.body for node in ast.walk(self.tree) if isinstance(node, SCOPES)]
        return [part for body in bodies for part in body if isinstance(part, ast.Expr) and _is_text(part.value)]

    @cached_property
    def code(self) -> set[int]:
        """Numbers of the lines that hold code: not blank, not a comment, not a note."""
        said = {line for note in self.notes for line in range(note.lineno, (note.end_lineno or 0) + 1)}
        lines = enumerate(map(str.strip, self.text.splitlines()), start=1)
        return {number for number, line in lines if line and not line.startswith("#")} - said

    @cached_property
    def reasons(self) -> int:
        """Comments, and notes under fields: where code says why."""
        comments = sum(token.type == tokenize.COMMENT for token in _tokens(self.text))
        docstrings = sum(
            ast.get_docstring(node) is not None for node in ast.walk(self.tree) if isinstance(node, SCOPES)
        )
        return comments + len(self.notes) - docstrings

    def functions(self) -> Iterator[tuple[str, int]]:
        """Each function with its lines of code."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                own = self.code.intersection(range(node.lineno, (node.end_lineno or 0) + 1))
                yield f"{self}: {node.name}", len(own)

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(text).readline)


def sources(*folders: str) -> list[Source]:
    return [Source(path) for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


PACKAGE, EVERYTHING = sources("src"), sources("src", "tests", "bench")
LENGTHS = [length for source in PACKAGE for _, length in source.functions()]


def test_the_tests_meet_the_installed_package() -> None:
    assert ROOT / "src" not in Path(patstone.__file__).parents, "run `make setup`: this is the source folder"


def test_files_are_short() -> None:
    assert [str(source) for source in EVERYTHING if source.text.count("\n") >= LONGEST_FILE] == []


def test_functions_are_short() -> None:
    long = [name for source in EVERYTHING for name, length in source.functions() if length > LONGEST_FUNCTION]
    assert long == []


def test_most_functions_are_very_short() -> None:
    assert statistics.median(LENGTHS) < 10
    assert statistics.quantiles(LENGTHS, n=10)[-1] < 30


@pytest.mark.parametrize("source", PACKAGE + sources("bench"), ids=str)
def test_modules_state_their_intent(source: Source) -> None:
    intent = ast.get_docstring(source.tree)
    assert intent, f"{source} has no docstring"
    assert len(intent.splitlines()) <= 12


def test_the_code_says_why_often_enough_and_not_too_often() -> None:
    code = sum(len(source.code) for source in PACKAGE)
    reasons = sum(source.reasons for source in PACKAGE)
    assert 4 <= 100 * reasons / code <= 9


def test_imports_are_absolute() -> None:
    relative = [
        f"{source}:{node.lineno}"
        for source in EVERYTHING
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


def test_tests_stand_where_their_subject_stands() -> None:
    """Only folders mirror: a room may have tests that cut across its modules."""
    rooms = {path.name for path in (ROOT / "src/patstone").iterdir() if (path / "__init__.py").exists()}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert folders <= rooms | {"samples", "neural", "bench", "docs"}


def test_the_lock_is_plain() -> None:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    assert lines == sorted(lines, key=str.lower)
    for line in lines:
        name, equals, version = line.partition("==")
        assert name, line
        assert equals, line
        assert version.replace(".", "").isalnum(), line
