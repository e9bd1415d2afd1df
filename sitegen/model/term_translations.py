"""Data types for a glossary in several languages: the translations of its terms, with their states
and their pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple, get_args

from sitegen.model import Entry, Prose

State = Literal[
    "up-to-date",
    "behind",
    "untranslated",
    "unpaired",
    "missing",
    "orphaned",
    "unknown",
]
STATES: tuple[State, ...] = get_args(State)
"""In the order in which pages and reports list them."""

CommitOrder = tuple[int, int]
"""The position of a commit among those of all languages: its time, and its number in the log of its
repository."""


class WordChange(NamedTuple):
    """A commit that added or removed an entry, or changed its words."""

    commit: str
    day: date
    order: CommitOrder
    entry: Entry

    @property
    def words(self) -> Prose:
        return self.entry.definition


@dataclass(frozen=True, kw_only=True)
class Translation:
    """A term in one language: how far the translation is behind its original, and the facts for
    that."""

    language: str
    state: State
    original: Entry
    """The present entry of the original; of an orphaned translation, its last one."""
    entry: Entry | None = None
    """The translation, if there is one."""
    since: WordChange | None = None
    """The change of the original since which the translation is behind, missing or orphaned."""
    rewordings: int = 0
    """How often the original was reworded, from the change `since` on."""
    made_from: Prose | None = None
    """The words of the original that the translation was made from, if known."""
    made_on: date | None = None
    """The day on which it was made from them, if known. Smaller changes may be later."""
    reworded: WordChange | None = None
    """The last change of the original's words."""
    translated: WordChange | None = None
    """The last change of the translation's words."""
    candidates: tuple[str, ...] = ()
    """The names of the entries that may be the translation, if the state is "unpaired"."""
    unreleased: Translation | None = None
    """The translation at the newest commit, if no release has it yet. It is missing from the
    site."""


class TranslationPage(NamedTuple):
    """The page of a term in a language."""

    address: str
    """The address from the root of the site of the originals."""
    translation: Translation


class TermPath(NamedTuple):
    """The address of the page of a term in one language."""

    path: str
    """The address from the root of the site of the originals."""
    has_text: bool
    """False if the language does not have the term: the page shows the original."""


class SiteLanguage(NamedTuple):
    """One of the languages of a site."""

    tag: str
    name: str
    """Its name in the language itself."""
    folder: str
    """The folder of its pages, with a slash at its end; empty for the language of the originals."""

    @property
    def is_translation(self) -> bool:
        return self.folder != ""
