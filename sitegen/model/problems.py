"""Problems of inputs, which are reported, and errors, which end a command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import NamedTuple


class SitegenError(Exception):
    """An error that ends the command. Its message gives the place, what was found, and what would
    have worked."""


class ProblemKind(StrEnum):
    """The cause of a problem, for programs and readers that act on it. docs/mistakes.md has the
    texts below."""

    SETTINGS = "settings"
    """site.toml has a mistake, or a table that has no effect: correct it at its line."""
    MISSING = "missing"
    """A file, folder, branch, tag or target of a link does not exist under the name that is given
    for it."""
    UNREADABLE = "unreadable"
    """The system refuses to read a file or a folder: see to permissions and disks."""
    REPOSITORY = "repository"
    """A repository is missing, damaged or cannot be reached, or git cannot be run."""
    SHALLOW = "shallow"
    """A clone lacks older releases: fetch its whole history."""
    RELEASES = "releases"
    """Which folders, tags or branches are releases is not clear, or not as expected: say it in
    site.toml."""
    OTHER_TAGS = "other-tags"
    """Tags that seem to be of something else are left out: name the right ones in `tags` or in
    `exclude`."""
    NOT_READ = "not-read"
    """A file or folder is not read because of its type or name, such as a link or an unsafe
    image."""
    FORMAT = "format"
    """A file is in a format that is not read: convert it, or unpack it."""
    LIMIT = "limit"
    """Something is larger, longer, deeper or more than contributing/limits.md allows."""
    ENCODING = "encoding"
    """A text is not in the expected character set, is damaged, or has invisible characters: save it
    as UTF-8."""
    MARKUP = "markup"
    """Markup is wrong or not supported: correct it, or write the text without it."""
    NO_TERMS = "no-terms"
    """A document, or a section of it, has no terms: see docs/sources.md for what is read as one."""
    ENTRY = "entry"
    """A term has no definition, no name or a second definition, or may be no term: correct it at
    its line."""
    DIFFERS = "differs"
    """A release says something else than when it was published. The published words are shown,
    until `sitegen correct` takes the new ones over."""
    REFERENCE = "reference"
    """A definition refers to a term that is not defined, or not any more."""
    SUGGESTION = "suggestion"
    """Two names may be one term: paste one of the two answers into site.toml."""


class Trouble(NamedTuple):
    """A problem of a file, without its place."""

    kind: ProblemKind
    found: str
    wanted: str = ""

    def at(self, path: str, *, line: int = 0) -> Problem:
        return Problem(kind=self.kind, path=path, line=line, found=self.found, wanted=self.wanted)


class UnreadableError(SitegenError):
    """Raised for a document, or for site.toml, if nothing in it can be read. `formats.read` reports
    it as a problem."""

    def __init__(
        self, found: str, wanted: str = "", *, kind: ProblemKind = ProblemKind.MARKUP, line: int = 0
    ) -> None:
        super().__init__(found)
        self.wanted, self.kind, self.line = wanted, kind, line

    def problem(self, path: str) -> Problem:
        return Trouble(self.kind, str(self), self.wanted).at(path, line=self.line)


class TooMuchWorkError(UnreadableError):
    """Raised for a document that would take too much time or memory. Its message says what there is
    too much of."""

    def __init__(self, found: str, wanted: str, *, line: int = 0) -> None:
        super().__init__(found, wanted, kind=ProblemKind.LIMIT, line=line)


@dataclass(frozen=True, kw_only=True, order=True)
class Problem:
    """A defect in an input. It is reported and never raised; the rest of the site is built."""

    path: str
    line: int = 0
    """1-based; 0 for the whole file."""
    found: str
    wanted: str = ""
    """The text that says what would have worked; empty if unknown."""
    kind: ProblemKind
    terms: tuple[str, ...] = ()
    """The names in the document that are no entries because of the problem. Their terms are unread,
    not removed."""
    details: str = ""
    """Further lines for people: evidence, and tables that they may paste into site.toml."""

    @property
    def trouble(self) -> Trouble:
        """The problem, without its place."""
        return Trouble(self.kind, self.found, self.wanted)

    @property
    def place(self) -> str:
        """Its path, with the line if that is known: `docs/terms.md:12`."""
        return f"{self.path}:{self.line}" if self.line else self.path

    def data(self) -> dict[str, object]:
        """Returns the problem as plain data, without the details, which are for people."""
        facts = asdict(self)
        del facts["details"]
        return facts

    def __str__(self) -> str:
        text = f"{self.place}: {self.found}"
        return f"{text}; {self.wanted}" if self.wanted else text


class ProblemsError(SitegenError):
    """Raised for problems that leave nothing to go on with. The message has a line for each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
