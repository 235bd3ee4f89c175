"""Whole texts for the table readers: UTF-8, with or without a mark at the start, and nothing else."""

from patstone.errors import DataError
from patstone.files.streams import Rewindable

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(source: Rewindable) -> str:
    with source.open() as stream:
        return decoded(stream.read(), source.name)


def refuse_utf16(raw: bytes, path: str) -> None:
    if raw.startswith(_UTF16) or b"\0" in raw[:4]:
        raise DataError("The text must be UTF-8, and this looks like UTF-16: save it as UTF-8.", path=path, line=1)


def decoded(raw: bytes, path: str) -> str:
    refuse_utf16(raw, path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise not_utf8(error, path, raw.count(b"\n", 0, error.start) + 1) from None


def not_utf8(error: UnicodeDecodeError, path: str, line: int) -> DataError:
    rule = "The text must be UTF-8, and this is not; if it is Windows-1252 or Latin-1, save it as UTF-8."
    return DataError(rule, path=path, line=line, value=error.object[max(error.start - 10, 0) : error.end + 10])
