"""The parts of a term in glossary.json that are plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerName:
    """A name that a term had, and the release that dropped it."""

    text: str
    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The text of a term's own entry, such as “Same as checkpoint.”, and its release."""

    text: str
    summary: str
    """The first sentence of prose of the text, at most 140 characters."""
    source: str
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The place of an entry."""

    path: str
    line: int
    name: str = ""
    """Its preferred name, on the older side of a change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTranslation:
    """A term in another language."""

    name: str | None
    """None if it is not translated."""
    page: str
    """The address of its page, relative to the root of the site."""
