"""What a reader is: a name, a sign by which its files are known, and a stream of publications.

A reader never stops at a broken document: it yields a `Rejected` in its place and goes on. What makes the whole file
unreadable (damage, an entity bomb, not that format at all) is a `DataError`. Memory is bounded by one document.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from patstone.files.streams import Rewindable
from patstone.patents.publication import Publication, Rejected

Read = Callable[[Rewindable], Iterator[Publication | Rejected]]


@dataclass(frozen=True, kw_only=True)
class Reader:
    name: str
    """What `--format` calls it, such as uspto-xml."""
    about: str
    knows: Callable[[bytes, str], bool]
    """Whether a file is of this format, by its first 64 kilobytes (decompressed) and its name."""
    read: Read
