"""BEIR folders: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, read and written.

The test split is read unless FOLDER#SPLIT names another. BEIR knows a title and a text; what else is known of a
patent stands under `metadata`, from where it is read again. A text is read as the abstract.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patstone.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

    from patstone.gold.dataset import Dataset
    from patstone.gold.qrels import Qrels

CORPUS, QUERIES = "corpus.jsonl", "queries.jsonl"
_ENDINGS = (".tsv", ".tsv.gz", ".tsv.zst")
# BEIR's own fields hold the others.
_METADATA = ("document", "application", "country", "kind", "date", "priority", "family", "split", "language")


def judgments(path: str | Path) -> Path | None:
    """The file of judgments in a BEIR folder; None where the path is not a folder."""
    folder, split = str(path), None
    if not _is_folder(folder):
        folder, mark, split = folder.rpartition("#")
        if not mark or not _is_folder(folder):
            return None
    found = {
        file.name.split(".")[0]: file for file in sorted(Path(folder).glob("qrels/*")) if file.name.endswith(_ENDINGS)
    }
    if not found:
        raise DataError("A folder must be in BEIR layout, with qrels/test.tsv; this one has no such file.", path=folder)
    first = next(iter(found))
    split = split or (first if len(found) == 1 else "test")
    if split not in found:
        rule = f"The folder has no split {split!r}; name one of {', '.join(found)}, as in {folder}#{first}."
        raise DataError(rule, path=folder)
    return found[split]


def _is_folder(path: str) -> bool:
    # Path.is_dir would raise for a name that is too long.
    return os.path.isdir(path)  # noqa: PTH112


@dataclass(frozen=True)
class BeirFolder:
    """A BEIR folder as a layout of `Dataset`."""

    folder: Path

    def documents(self, columns: Sequence[str], rows: int) -> "Iterator[pa.RecordBatch]":
        from patstone.gold import schemas

        records = _records(self.folder / CORPUS, "id")
        while some := list(islice(records, rows)):
            yield _batch(some, schemas.DOCUMENTS).select(list(columns))

    def queries(self) -> "pa.Table":
        import pyarrow as pa

        from patstone.gold import schemas

        return pa.Table.from_batches([_batch(list(_records(self.folder / QUERIES, "topic")), schemas.QUERIES)])

    def qrels(self) -> "Qrels":
        from patstone.gold.sources import read_qrels

        return read_qrels(self.folder, format="beir")


def _records(path: Path, key: str) -> Iterator[dict[str, Any]]:
    """BEIR's objects under our names."""
    from patstone.files.jsonlines import reason, strict_parser
    from patstone.files.streams import open_bytes

    parse = strict_parser()
    with open_bytes(path) as stream:
        for line, raw in enumerate(stream, start=1):
            if not raw.strip():
                continue
            try:
                record = parse(raw.decode())
            except (ValueError, RecursionError) as error:
                raise DataError(f"The line is not valid JSON: {reason(error)}.", path=path, line=line) from None
            yield _named(record, key, path, line)


def _named(record: Any, key: str, path: Path, line: int) -> dict[str, Any]:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(record, dict) or not isinstance(record.get("_id"), str) or not record["_id"]:
        raise DataError("A line must be an object with a text under _id.", path=path, line=line)
    metadata = record.get("metadata") or {}
    known = {name: metadata[name] for name in _METADATA if isinstance(metadata.get(name), str)}
    return {**known, key: record["_id"], "title": record.get("title"), "abstract": record.get("text")}


def _batch(records: Sequence[Mapping[str, Any]], schema: "pa.Schema") -> "pa.RecordBatch":
    import pyarrow as pa

    return pa.RecordBatch.from_pylist([*records], schema=schema)


def write_beir(dataset: "Dataset", folder: Path) -> None:
    """Write a test collection in BEIR layout; whole-document grades go to qrels/test.tsv."""
    from patstone.files.ids import texts
    from patstone.files.streams import atomic_folder

    with atomic_folder(folder) as made:
        with (made / CORPUS).open("w", encoding="utf-8") as stream:
            for batch in dataset.documents():
                stream.writelines(_line(row, row["id"]) for row in batch.to_pylist())
        with (made / QUERIES).open("w", encoding="utf-8") as stream:
            stream.writelines(_line(row, row["topic"]) for row in dataset.queries.to_pylist())
        gold = dataset.qrels()
        (made / "qrels").mkdir()
        with (made / "qrels" / "test.tsv").open("w", encoding="utf-8") as stream:
            stream.write("query-id\tcorpus-id\tscore\n")
            named = zip(gold.topic.tolist(), texts(gold.docs), gold.grades.tolist(), strict=True)
            stream.writelines(f"{gold.topics[topic]}\t{doc}\t{grade:g}\n" for topic, doc, grade in named)


def _line(row: Mapping[str, Any], name: str) -> str:
    claims = [claim["text"] for claim in row["claims"] or ()]
    text = "\n\n".join(part for part in (row["abstract"], *claims, row["description"]) if part)
    metadata = {key: row[key] for key in _METADATA if row.get(key)}
    record = {"_id": name, "title": row["title"] or "", "text": text, "metadata": metadata}
    return json.dumps(record, ensure_ascii=False) + "\n"
