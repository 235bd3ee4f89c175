"""Reads comparisons of claims: the published JSON list, JSON Lines, and tables (CSV, TSV, XLSX, Parquet).

An item names a gold and two candidates (`gold_claim`, `A`, `B`), one candidate (`candidate`), or a list of them
(`candidates`), and what was said of them: labels in `human_eval`, `ratings` or `rankings`, or a column for each
criterion. A claim set is a text or a list of claims. Keys are compared by their letters and digits only.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from patstone.errors import DataError, UsageError, shorten
from patstone.files.formats import format_of
from patstone.files.jsonlines import reason, strict_parser
from patstone.files.streams import Rewindable, rewindable
from patstone.files.text import read_text
from patstone.gold.criteria import OVERALL, criterion, in_order, is_criterion, plain
from patstone.gold.preferences import Item, Preferences, collected

# fmt: off
KEYS = {
    "gold": ("gold", "goldclaim", "goldclaims", "reference", "referenceclaim", "referenceclaims"),
    "a": ("a", "candidatea", "claima", "claimsa", "texta"),
    "b": ("b", "candidateb", "claimb", "claimsb", "textb"),
    "candidate": ("candidate", "candidateclaims", "claims", "generated", "generatedclaims", "prediction", "hypothesis"),
    "candidates": ("candidates",),
    "labels": ("humaneval", "humanevaluation", "labels", "judgments", "evaluation"),
    "ratings": ("ratings", "scores"),
    "rankings": ("rankings", "ranking"),
    "label": ("label", "preference", "better"),
    "criterion": ("criterion", "aspect", "dimension"),
    "name": ("id", "pair", "item", "name"),
}
# fmt: on
_MEANT = {key: name for name, keys in KEYS.items() for key in keys}
_WORDS = {"a": 1.0, "b": -1.0, "tie": 0.0, "equal": 0.0, "same": 0.0}
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def read_preferences(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
) -> Preferences:
    """Read a file; `columns` says which column is what, `format` overrides the suffix."""
    known = format or format_of(path) or ("json" if str(path) == "-" else None)
    meant = _MEANT | {plain(column): _meaning(name) for name, column in (columns or {}).items()}
    source = rewindable(path) if known in ("json", "jsonl") else None
    records = _json_records(source) if source else _table_records(path, known)
    name = source.name if source else str(path)
    items = [item for line, record in records for item in _Record(name, line, _named(record, meant, name, line)).items]
    if not items:
        raise DataError("There are no comparisons in it.", path=name)
    return collected(
        items, name=Path(name).name.partition(".")[0], criteria=in_order(key for item in items for key in item.labels)
    )


def _meaning(name: str) -> str:
    if name.lower() in KEYS or is_criterion(name):
        return name.lower() if name.lower() in KEYS else criterion(name)
    raise UsageError(f"There is no column {name!r} to map here; there are: {', '.join(KEYS)}, and the criteria.")


def _json_records(source: Rewindable) -> Iterator[tuple[int, dict[str, Any]]]:
    """A list, an object that holds one, or an object a line: told by the content, whatever the name says."""
    text, parse = read_text(source), strict_parser()
    try:
        whole = parse(text)
    except (ValueError, RecursionError) as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        # One object a line is no valid whole; a list that is broken must not be taken for lines.
        if len(lines) < 2 or not lines[0][1].strip().endswith("}") or text.lstrip().startswith("["):
            line = error.lineno if isinstance(error, json.JSONDecodeError) else None
            raise DataError(f"The file is not valid JSON: {reason(error)}.", path=source.name, line=line) from None
        for number, line_text in lines:
            yield number, _parsed(parse, line_text, source.name, number)
        return
    yield from enumerate(_listed(whole, source.name), start=1)


def _parsed(parse: Any, text: str, path: str, line: int) -> dict[str, Any]:  # noqa: ANN401 - a JSON parser
    try:
        return _object(parse(text), path, line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"The line is not valid JSON: {reason(error)}.", path=path, line=line, value=text) from None


def _listed(whole: Any, path: str) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - whatever JSON holds
    if isinstance(whole, dict):
        lists = [value for value in whole.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
        whole = lists[0] if len(lists) == 1 and "gold" not in map(_meant_by, whole) else [whole]
    if not isinstance(whole, list):
        raise DataError("The file must hold a list of comparisons.", path=path, value=whole)
    return (_object(entry, path, place) for place, entry in enumerate(whole, start=1))


def _meant_by(key: str) -> str | None:
    return _MEANT.get(plain(key))


def _object(entry: Any, path: str, line: int) -> dict[str, Any]:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(entry, dict):
        raise DataError("A comparison must be a JSON object.", path=path, line=line, value=entry)
    return entry


def _table_records(path: str | Path, known: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
    from patstone.files.tables import read_table

    table = read_table(path, (), format=known, rest=True)
    for row, line in enumerate(table.lines.tolist()):
        yield line, {name: str(column[row]) for name, column in table.columns.items()}


def _named(record: Mapping[str, Any], meant: Mapping[str, str], path: str, line: int) -> dict[str, Any]:
    """The record under our names; what is neither a key of ours nor a criterion is not looked at."""
    named: dict[str, Any] = {}
    for key, value in record.items():
        name = meant.get(plain(key)) or (criterion(key) if is_criterion(key) else None)
        if name is None or value in _EMPTY:
            continue
        if name in named:
            raise DataError(f"Two keys of one comparison mean {name!r}.", path=path, line=line, value=key)
        named[name] = value
    return named


@dataclass(frozen=True)
class _Record:
    path: str
    line: int
    found: Mapping[str, Any]

    @property
    def items(self) -> list[Item]:
        name = str(self.found.get("name", self.line))
        gold = self._text("gold") if "gold" in self.found else ""
        if "candidates" in self.found:
            return list(self._listed(name, gold))
        if "candidate" in self.found:
            return [self._item(name, gold, self._text("candidate"), None, self._ratings(self._said("ratings")))]
        if "a" not in self.found or "b" not in self.found:
            rule = "A comparison has A and B, a candidate, or a list of candidates; this has none of them."
            raise self._wrong(rule, sorted(self.found))
        labels = {key: self._label(key, value) for key, value in self._said("labels").items()}
        return [self._item(name, gold, self._text("a"), self._text("b"), labels)]

    def _item(self, name: str, gold: str, a: str, b: str | None, labels: dict[str, float]) -> Item:
        return Item(name=name, gold=gold, a=a, b=b, labels=labels, line=self.line)

    def _listed(self, name: str, gold: str) -> Iterator[Item]:
        """Candidates with ratings or places in rankings: each an item of its own."""
        given = self.found["candidates"]
        texts = given if isinstance(given, dict) else dict(enumerate(given)) if isinstance(given, list) else {}
        if not texts:
            raise self._wrong("Candidates are a list of claim sets or an object of names and claim sets.", given)
        by_name = {str(key): self._claims(text, f"candidate {key}") for key, text in texts.items()}
        rated: dict[str, dict[str, float]] = {key: {} for key in by_name}
        for each, value in self._said("ratings").items():
            for key, rating in self._spread(each, value, by_name).items():
                rated[key][each] = self._number(f"rating of {each}", rating)
        for each, value in self._said("rankings").items():
            for key, place in self._places(each, value, by_name).items():
                rated[key][each] = -float(place)
        for key, text in by_name.items():
            yield self._item(f"{name}/{key}", gold, text, None, rated[key])

    def _said(self, where: str) -> dict[str, Any]:
        """By criterion: what stands under `where`, in columns of the criteria, or in `label` for one criterion."""
        inside = self.found.get(where, {})
        if not isinstance(inside, dict):
            inside = {OVERALL: inside}
        said = {criterion(str(key)): value for key, value in inside.items() if value not in _EMPTY}
        if where != "rankings":
            said |= {key: value for key, value in self.found.items() if is_criterion(key)}
        if where != "rankings" and "label" in self.found:
            said[criterion(str(self.found.get("criterion", OVERALL)))] = self.found["label"]
        return said

    def _label(self, key: str, value: Any) -> float:  # noqa: ANN401 - whatever the file holds
        word = _WORDS.get(value.strip().casefold()) if isinstance(value, str) else None
        number = word if word is not None else self._number(f"label of {key}", value)
        if number not in (-1.0, 0.0, 1.0):
            raise self._wrong(f"The label of {key} must be 1 (A is better), -1 (B is better) or 0 (equal).", value)
        return number

    def _ratings(self, said: Mapping[str, Any]) -> dict[str, float]:
        return {key: self._number(f"rating of {key}", value) for key, value in said.items()}

    def _spread(self, each: str, value: Any, names: Mapping[str, str]) -> dict[str, Any]:  # noqa: ANN401
        if isinstance(value, list) and len(value) == len(names):
            value = dict(zip(names, value, strict=True))
        if not isinstance(value, dict) or not {str(key) for key in value} <= names.keys():
            raise self._wrong(f"The ratings of {each} must name the candidates, or be a list as long as theirs.", value)
        return {str(key): rating for key, rating in value.items() if rating is not None}

    def _places(self, each: str, value: Any, names: Mapping[str, str]) -> dict[str, int]:  # noqa: ANN401
        """A ranking lists candidates, the best first; those in a list of their own are equal."""
        tiers = [tier if isinstance(tier, list) else [tier] for tier in value] if isinstance(value, list) else []
        placed = [(str(name), place) for place, tier in enumerate(tiers) for name in tier]
        if not placed or len({name for name, _ in placed}) < len(placed) or not {n for n, _ in placed} <= names.keys():
            raise self._wrong(f"The ranking of {each} must list candidates, the best first and each once.", value)
        return dict(placed)

    def _number(self, what: str, value: Any) -> float:  # noqa: ANN401 - whatever the file holds
        try:
            number = float(value) if not isinstance(value, bool) else float("nan")
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if not isfinite(number):
            raise self._wrong(f"The {what} must be a number.", value)
        return number

    def _text(self, key: str) -> str:
        return self._claims(self.found[key], {"a": "A", "b": "B"}.get(key, key))

    def _claims(self, value: Any, what: str) -> str:  # noqa: ANN401 - whatever the file holds
        parts: Sequence[Any] = value if isinstance(value, list) else [value]
        if not all(isinstance(part, str) for part in parts) or not any(part.strip() for part in parts):
            raise self._wrong(f"The {what} must be claims: a text, or a list of texts, and not empty.", value)
        return "\n".join(part.strip() for part in parts)

    def _wrong(self, rule: str, value: Any) -> DataError:  # noqa: ANN401 - whatever the file holds
        shown = value if not isinstance(value, str) else shorten(value)
        return DataError(rule, path=self.path, line=self.line, value=shown)
