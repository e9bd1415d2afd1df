"""The data types that all other packages exchange.

Sources have releases with documents (`glossary_sources`), in which formats find entries
(`glossary_entries`) and problems (`problems`). The history of terms is in `terms`, which is
imported by itself. Values are passed between the stages of a build (reading, merging, history,
pages); they compute nothing except hashes and digests. What they have in common is in `data_types`.
ARCHITECTURE.md describes the data flow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sitegen.model.data_types import counted as counted
from sitegen.model.data_types import digest as digest
from sitegen.model.data_types import first_of as first_of
from sitegen.model.data_types import grouped as grouped
from sitegen.model.data_types import listed as listed
from sitegen.model.glossary_entries import Designation as Designation
from sitegen.model.glossary_entries import Entry as Entry
from sitegen.model.glossary_entries import EntryText as EntryText
from sitegen.model.glossary_entries import Place as Place
from sitegen.model.glossary_entries import Prose as Prose
from sitegen.model.glossary_entries import Reading as Reading
from sitegen.model.glossary_entries import Reference as Reference
from sitegen.model.glossary_entries import Status as Status
from sitegen.model.glossary_entries import entries_at as entries_at
from sitegen.model.glossary_sources import Document as Document
from sitegen.model.glossary_sources import Origin as Origin
from sitegen.model.glossary_sources import Release as Release
from sitegen.model.glossary_sources import ReleaseKind as ReleaseKind
from sitegen.model.glossary_sources import Skipped as Skipped
from sitegen.model.glossary_sources import Source as Source
from sitegen.model.problems import Problem as Problem
from sitegen.model.problems import ProblemKind as ProblemKind
from sitegen.model.problems import SitegenError as SitegenError
from sitegen.model.problems import TooMuchWorkError as TooMuchWorkError
from sitegen.model.problems import Trouble as Trouble
from sitegen.model.problems import UnreadableError as UnreadableError

Notify = Callable[[str], None]
"""Shows a few words about the progress of a command."""


@dataclass(frozen=True, kw_only=True, slots=True)
class File:
    """One file of the finished site."""

    path: str
    """The path relative to the site's root, with slashes: `term/aten/index.html`."""
    content: bytes
