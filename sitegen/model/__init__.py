"""The data types that all other packages exchange.

Sources have releases with documents, in which formats find entries (`glossary_sources`) and
problems (`problems`). The history of terms is in `terms`, and their translations are in
`term_translations`; these two modules are not imported here. `data_types` has what all of them use.

Values are passed between the stages of a build (reading, merging, history, pages); they compute
nothing except hashes and digests. ARCHITECTURE.md describes the data flow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from sitegen.model.data_types import (
    and_more,
    counted,
    digest,
    first_of,
    grouped,
)
from sitegen.model.glossary_sources import (
    Designation,
    Document,
    Entry,
    EntryText,
    Origin,
    Place,
    Prose,
    Reading,
    Reference,
    Release,
    ReleaseKind,
    Skipped,
    Source,
    Status,
)
from sitegen.model.problems import (
    Problem,
    ProblemKind,
    ProblemsError,
    SitegenError,
    TooMuchWorkError,
    Trouble,
    UnreadableError,
)

__all__ = [
    "Designation",
    "Document",
    "Entry",
    "EntryText",
    "File",
    "Notify",
    "Origin",
    "Place",
    "Problem",
    "ProblemKind",
    "ProblemsError",
    "Prose",
    "Reading",
    "Reference",
    "Release",
    "ReleaseKind",
    "SitePart",
    "SitegenError",
    "Skipped",
    "Source",
    "Status",
    "TooMuchWorkError",
    "Trouble",
    "UnreadableError",
    "and_more",
    "counted",
    "digest",
    "first_of",
    "grouped",
    "silent",
]

Notify = Callable[[str], None]
"""Shows a few words about the progress of a command."""


def silent(doing: str) -> None:
    """Shows nothing about the progress."""


@dataclass(frozen=True, kw_only=True)
class File:
    """One file of the finished site."""

    path: str
    """The path relative to the site's root, with slashes: `term/aten/index.html`."""
    content: bytes


Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class SitePart(Generic[Made]):
    """Files of a site, or pages before they are rendered, that are made together, independently of
    other parts.

    A build makes all parts. The preview makes the one that has the file that was asked for.
    """

    prefixes: tuple[str, ...]
    """The beginnings of the paths of its files, as `term/aten/`, or whole paths. Other parts may
    have files with the same prefixes."""
    make: Callable[[], Iterable[Made]]
