"""The languages of a site, and the pages of a term in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sitegen.history.translation_states import Translation


class TranslationPage(NamedTuple):
    """The page of a term in a language."""

    address: str
    """From the site of the originals."""
    translation: Translation


class TermPath(NamedTuple):
    """Where a language has the page of a term."""

    path: str
    """From the site of the originals."""
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
